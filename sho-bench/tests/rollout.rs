//! Rollouts: games from any position, and its actions on the same dice.

use std::sync::atomic::{AtomicU64, Ordering};

use sho_ai::arena::{Arena, Dice, Observer};
use sho_ai::opening::Opening;
use sho_ai::oracle::Oracle;
use sho_ai::{Bots, Decision, Policy};
use sho_bench::rollout::{
    Extent, Rollout, RolloutDice, RolloutError, RolloutTally, chances, difference, roll_out,
    roll_out_actions, roll_out_actions_with, roll_out_with, rollout_words,
};
use sho_bench::{Amount, Experiment, Schedule, Watcher, run};
use sho_core::sho::{Action, Engine, Phase, Rules, Sho, State, plain};
use sho_core::sholo_guti::SholoGuti;
use sho_core::{
    ActionList, Game, Notation, PerSeat, RuleSet, Seat, Step, Stream, Throw, sholo_guti,
};

/// A middle of a game with a decision among several actions, values waiting.
const DECISION: &str = "4+2:20x1,33x2/3+1:14x1,26x3,41x1/5+0:8x1,30x2,38x1 A move 2,5 1 70";

fn game(sides: u8) -> Sho {
    let mut rules = Rules::lhasa();
    rules.sides = sides;
    Sho::new(rules).unwrap()
}

fn rollout<G: Bots>(game: &G, bots: &str, games: u64) -> Rollout {
    let bots: Vec<String> = bots.split(',').map(str::to_owned).collect();
    Rollout::new(game, &bots, 7, games).unwrap()
}

#[test]
fn threads_and_engines_cannot_be_seen() {
    let (fast, slow) = (game(3), plain::Sho::new(*game(3).rules()).unwrap());
    for line in [
        DECISION,
        "9+0o:-/9+0o:-/9+0o:- A throw - 0 0",
        // In the middle of a turn, after a pa ra, with a value that waits.
        "4+2:20x1,33x2/3+1:14x1,26x3,41x1/5+0:8x1,30x2,38x1 C throw 2 1 70",
    ] {
        let (state, same) = (fast.parse_state(line).unwrap(), slow.parse_state(line).unwrap());
        for bots in ["medium", "random,easy,hard"] {
            let rollout = rollout(&fast, bots, 101);
            let one = roll_out(&fast, &state, &rollout, 1, &()).unwrap();
            assert_eq!(one.games, 101);
            for threads in [2, 3] {
                assert_eq!(roll_out(&fast, &state, &rollout, threads, &()).unwrap(), one);
            }
            assert_eq!(roll_out(&slow, &same, &rollout, 2, &()).unwrap(), one);
            if line == DECISION {
                let actions = roll_out_actions(&fast, &state, &rollout, 1, &()).unwrap();
                for threads in [2, 3] {
                    let again = roll_out_actions(&fast, &state, &rollout, threads, &()).unwrap();
                    assert_eq!(again, actions);
                }
                assert_eq!(roll_out_actions(&slow, &same, &rollout, 2, &()).unwrap(), actions);
            }
        }
    }
}

/// The action that a bot takes comes to exactly what the position comes to where that bot plays: the same games.
#[test]
fn the_line_of_the_bots_own_choice_is_the_rollout_of_the_position() {
    let game = game(3);
    let state = game.parse_state(DECISION).unwrap();
    for bot in ["easy", "medium", "hard"] {
        let rollout = rollout(&game, bot, 150);
        let position = roll_out(&game, &state, &rollout, 2, &()).unwrap();
        let actions = roll_out_actions(&game, &state, &rollout, 2, &()).unwrap();
        let mut list = Default::default();
        game.actions(&state, &mut list);
        assert!(list.len() > 3 && actions.lines.len() == list.len());
        let decision =
            Decision { game: &game, state: &state, seat: Seat::A, actions: &list, history: &() };
        let mut policy = Sho::bot(&game, &Sho::spec(bot).unwrap()).unwrap();
        let choice = policy.choose(decision, &mut Stream::new(1, "sho/test", 0));
        let chosen = list.iter().position(|action| action == choice).unwrap();
        let same = |line: usize| actions.lines[line] == position.lines[0];
        assert!(same(chosen), "{bot}");
        // Few others come to the same: those after which the bot goes on to the same position.
        assert!((0..list.len()).filter(|&line| same(line)).count() < 3, "{bot}");
    }
}

/// From the start it is a tournament on other dice.
#[test]
fn from_the_start_seats_win_as_often_as_in_a_tournament() {
    let bots = ["medium", "random", "easy"].map(str::to_owned);
    let amount = Amount::Blocks(3000);
    let rules = Rules::lhasa();
    let experiment = Experiment::lineup::<Sho>(rules, &bots, Schedule::Fixed, 7, amount).unwrap();
    let tally = run::<Sho>(&experiment, 2, &()).unwrap().tally;
    let game = Sho::new(rules).unwrap();
    let rollout = Rollout::new(&game, &bots, 7, 3000).unwrap();
    let rolled = roll_out(&game, &game.start(), &rollout, 2, &()).unwrap();
    for seat in Seat::all(3) {
        let (sum, other) = (tally.payoffs.seat(3, seat.index()), rolled.position().payoffs[seat]);
        let error = |sum: sho_bench::tally::BlockSum| sum.standard_error(3000).unwrap() / 12.0;
        let mean = |sum: sho_bench::tally::BlockSum| sum.sum as f64 / 36_000.0;
        let error = error(sum).hypot(error(other));
        assert!((mean(sum) - mean(other)).abs() < 4.0 * error, "{seat}: {sum:?} {other:?}");
    }
    // And as long, in each unit.
    for (length, other) in tally.lengths.iter().zip(&rolled.position().lengths) {
        let of = |length: &sho_bench::tally::LengthTally| {
            (length.histogram.mean().unwrap(), length.blocks.standard_error(3000).unwrap())
        };
        let ((mean, error), (other, more)) = (of(length), of(other));
        assert!((mean - other).abs() < 4.0 * error.hypot(more), "{mean} {other}");
    }
}

/// Plays as well as possible on a small board.
struct Best<'a>(&'a Oracle);

impl Policy<Sho> for Best<'_> {
    fn choose(&mut self, decision: Decision<'_, Sho>, _: &mut Stream) -> Action {
        self.0.best_actions(decision.state).unwrap()[0]
    }
}

fn solved() -> &'static Oracle {
    Box::leak(Box::new(Oracle::solve(Oracle::rules(2, 8)).unwrap()))
}

/// Positions of random games on a small board that pass, at most one of each game.
fn small_positions(game: &Sho, count: usize, wanted: impl Fn(&State) -> bool) -> Vec<State> {
    let mut found = Vec::new();
    for number in 0.. {
        let mut words = Stream::new(3, "sho/test", number);
        let (mut state, mut actions) = (game.start(), Default::default());
        loop {
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(_) => {
                    let throw = game.outcome(&state, words.below(36));
                    game.cast_unchecked(&mut state, throw);
                }
                Step::Decide(_) => {
                    game.actions(&state, &mut actions);
                    let action = actions.get(words.below(actions.len() as u32) as usize);
                    game.play_unchecked(&mut state, action);
                }
            }
            if game.step(&state) != Step::Over && words.below(4) == 0 && wanted(&state) {
                found.push(state);
                break;
            }
        }
        if found.len() == count {
            return found;
        }
    }
    unreachable!()
}

/// Whether a value of so many games could come of the exact one.
fn agrees(found: f64, error: Option<f64>, exact: f64, games: u64) -> bool {
    // An event that is too rare to have been seen adds nothing to the error.
    (found - exact).abs() < 4.0 * error.unwrap() + 4.0 / games as f64
}

/// Where both sides play as well as possible a position comes to its exact chance, wherever in a turn it stands.
#[test]
fn best_play_comes_to_the_exact_chance() {
    const GAMES: u64 = 3000;
    let oracle = solved();
    let game = oracle.game();
    let policies =
        || -> Vec<Box<dyn Policy<Sho>>> { vec![Box::new(Best(oracle)), Box::new(Best(oracle))] };
    let phase = |state: &State| game.setup(state).phase;
    let waits = |state: &State| game.setup(state).waiting.len();
    let pa_ra = |state: &State| phase(state) == Phase::Throw && waits(state) > 0;
    let several = |state: &State| phase(state) == Phase::Move && waits(state) > 1;
    let turn = |state: &State| phase(state) == Phase::Throw && waits(state) == 0;
    let mut states = small_positions(game, 5, pa_ra);
    states.extend(small_positions(game, 5, several));
    states.extend(small_positions(game, 3, turn));
    for (number, state) in (0..).zip(&states) {
        let extent = Extent { seed: number, games: GAMES };
        let tally = roll_out_with(game, state, &policies, extent, 2, &()).unwrap();
        let seats = chances(tally.position(), GAMES, 2);
        let own = seats[tally.seat().index()];
        let exact = oracle.chance(state).unwrap();
        let line = game.state_text(state);
        assert!(agrees(own.chance, own.se, exact, GAMES), "{line}: {own:?}, exactly {exact}");
        assert!((seats[0].chance + seats[1].chance - 1.0).abs() < 2e-6);
    }
}

/// And each action to its own, with the exact difference to the best.
#[test]
fn best_play_after_each_action_comes_to_the_exact_differences() {
    const GAMES: u64 = 3000;
    let oracle = solved();
    let game = oracle.game();
    let policies =
        || -> Vec<Box<dyn Policy<Sho>>> { vec![Box::new(Best(oracle)), Box::new(Best(oracle))] };
    let apart = |state: &State| {
        let losses = oracle.losses(state).unwrap_or_default();
        losses.len() > 1 && losses.iter().any(|&(_, loss)| loss > 0.02)
    };
    let mut compared = 0;
    for (number, state) in (50..).zip(small_positions(game, 8, apart)) {
        let extent = Extent { seed: number, games: GAMES };
        let tally = roll_out_actions_with(game, &state, &policies, extent, 2, &()).unwrap();
        let losses = oracle.losses(&state).unwrap();
        for (one, &(_, loss)) in losses.iter().enumerate() {
            for (other, &(_, less)) in losses.iter().enumerate() {
                let found = difference(&tally, one, other);
                let line = game.state_text(&state);
                assert!(
                    agrees(found.mean, found.se, less - loss, GAMES),
                    "{line} {one} {other}: {found:?}, exactly {}",
                    less - loss
                );
                compared += u32::from(one != other);
            }
        }
    }
    assert!(compared >= 16);
}

/// By hand: A needs 4 and B nothing in particular. A gets home with every throw but 2-1, and with a pa ra too, whose 2 and
/// the next throw are enough together; after 2-1 B gets home with whatever it throws.
#[test]
fn a_chance_by_hand() {
    const GAMES: u64 = 20_000;
    let game = game(2);
    let state = game.parse_state("0+8:60x1/0+8:62x1 A throw - 0 90").unwrap();
    let tally = roll_out(&game, &state, &rollout(&game, "random", GAMES), 2, &()).unwrap();
    let own = chances(tally.position(), GAMES, 2)[0];
    assert!(agrees(own.chance, own.se, 34.0 / 36.0, GAMES), "{own:?}");
    assert!(own.low < 34.0 / 36.0 && 34.0 / 36.0 < own.high);
    assert_eq!(own.wins, tally.position().wins[Seat::A]);
    // One throw where it is good, two after 2-1, and for a pa ra one more, or two.
    let throws = tally.position().lengths[0].histogram.mean().unwrap();
    assert!((1.0..1.2).contains(&throws), "{throws}");
    // Certain, and not only so often.
    let state = game.parse_state("0+8:62x1/0+8:20x1 A throw - 0 90").unwrap();
    let tally = roll_out(&game, &state, &rollout(&game, "random", 200), 2, &()).unwrap();
    let own = chances(tally.position(), 200, 2)[0];
    assert_eq!((own.chance, own.se, own.high), (1.0, Some(0.0), 1.0));
    // 200 of 200 say no more than that.
    assert!((own.low - 0.025f64.powf(1.0 / 200.0)).abs() < 1e-6, "{own:?}");
}

/// The sums behind a difference are those of the games one by one: each is what one game more adds to the payoffs.
#[test]
fn differences_are_those_of_the_games_one_by_one() {
    let game = game(3);
    let state = game.parse_state(DECISION).unwrap();
    let mut before: Vec<u64> = Vec::new();
    let mut by_game: Vec<Vec<i64>> = Vec::new();
    let mut last = None;
    for games in 1..=60 {
        let tally =
            roll_out_actions(&game, &state, &rollout(&game, "easy", games), 1, &()).unwrap();
        let sums: Vec<u64> = tally.lines.iter().map(|line| line.payoffs[Seat::A].sum).collect();
        before.resize(sums.len(), 0);
        by_game.push(sums.iter().zip(&before).map(|(sum, less)| (sum - less) as i64).collect());
        (before, last) = (sums, Some(tally));
    }
    let tally = last.unwrap();
    let lines = tally.lines.len();
    let mut apart = 0;
    for (one, other) in (0..lines).flat_map(|one| (0..lines).map(move |other| (one, other))) {
        let differences = || by_game.iter().map(|payoffs| payoffs[one] - payoffs[other]);
        let squares: i64 = differences().map(|difference| difference * difference).sum();
        let expected = (differences().sum::<i64>(), squares as u128);
        assert_eq!(tally.differences(one, other), expected, "{one} {other}");
        // The error is that of any list of numbers.
        let mean = expected.0 as f64 / 60.0;
        let rest: f64 = differences().map(|d| (d as f64 - mean) * (d as f64 - mean)).sum();
        let error = (rest / 59.0 / 60.0).sqrt() / 12.0;
        let found = difference(&tally, one, other);
        assert!((found.se.unwrap() - error).abs() < 1e-6, "{found:?} {error}");
        apart += u32::from(squares > 0);
    }
    assert!(lines > 5 && apart > 20, "{apart}");
}

/// The square of how much the error of a difference is smaller than that of independent games.
fn variance_ratio(tally: &RolloutTally, one: usize, other: usize) -> f64 {
    let paired = difference(tally, one, other).se.unwrap();
    let seat = tally.seat().index();
    let error = |line: usize| chances(&tally.lines[line], tally.games, 3)[seat].se.unwrap();
    let apart = error(one).hypot(error(other));
    (paired / apart) * (paired / apart)
}

#[test]
fn shared_dice_make_differences_more_exact() {
    let mut ratios = Vec::new();
    for (sides, line) in [
        (2, "0+7:50x1,58x1/0+7:48x1,57x1 A move 4 0 120"),
        (2, "0+7:44x1,52x1/0+7:40x1,57x1 A move 6 0 120"),
        (2, "0+7:50x1,58x1/0+8:48x1 A move 3 0 120"),
        (3, "0+7:50x1,56x1/0+7:41x1,53x1/0+8:40x1 A move 5 0 120"),
        (3, "0+7:50x1,56x1/0+8:45x1/0+8:40x1 A move 5 0 120"),
    ] {
        let game = game(sides);
        let state = game.parse_state(line).unwrap();
        let tally =
            roll_out_actions(&game, &state, &rollout(&game, "medium", 1000), 2, &()).unwrap();
        let best = tally.best();
        let mut others = (0..tally.lines.len()).filter(|&other| other != best);
        let other = others.next().unwrap();
        ratios.push(variance_ratio(&tally, other, best));
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    // On dice that are not shared each is 1, within a few hundredths.
    assert!(mean < 0.9, "{mean}: {ratios:?}");
}

/// Notes the throws of a game: whose, in which of its turns, and whether it began that turn.
#[derive(Default)]
struct Throws {
    turns: PerSeat<u32>,
    turn_of: Option<Seat>,
    found: Vec<(Seat, u32, bool, Throw)>,
}

impl Throws {
    fn begins(&mut self, seat: Seat) -> bool {
        let begins = self.turn_of.replace(seat) != Some(seat);
        self.turns[seat] += u32::from(begins);
        begins
    }
}

impl Observer<Sho> for Throws {
    fn cast(&mut self, _: &Sho, _: &State, seat: Seat, throw: Throw) {
        let first = self.begins(seat);
        self.found.push((seat, self.turns[seat], first, throw));
    }

    fn action(&mut self, _: &Sho, _: &State, seat: Seat, _: Action) {
        self.begins(seat);
    }
}

/// Each turn of a seat begins with the same throw after whatever action, also where one of them earned a throw; and its
/// further throws are the same, one after another.
#[test]
fn every_turn_begins_with_the_same_throw_after_each_action() {
    let game = game(3);
    // 10>17 kills and earns a throw, 10>12 by the 2 joins nothing.
    let state = game.parse_state("7+0:10x2/7+0:12x1,17x1/5+0:8x1,30x3 A move 2,7 0 9").unwrap();
    let mut actions = Default::default();
    game.actions(&state, &mut actions);
    let (mut turns, mut earned) = (0, 0);
    for number in 0..20 {
        let mut games = Vec::new();
        for action in actions.iter() {
            let opening = Opening::of(&game, state, vec![action]).unwrap();
            let mut policies: Vec<Box<dyn Policy<Sho>>> =
                (0..3).map(|_| Sho::bot(&game, &Sho::spec("easy").unwrap()).unwrap()).collect();
            let (mut dice, mut words) =
                (RolloutDice::new(&game, 1, number), rollout_words(1, number));
            let (seating, mut seen) = (PerSeat::from_fn(Seat::index), Throws::default());
            Arena::new(game)
                .play(&opening, &mut policies, &seating, &mut dice, &mut words, &mut seen)
                .unwrap();
            games.push(seen.found);
        }
        let further = |game: &[(Seat, u32, bool, Throw)], seat: Seat| -> Vec<Throw> {
            let of = |&&(other, _, first, _): &&(Seat, u32, bool, Throw)| other == seat && !first;
            game.iter().filter(of).map(|&(.., throw)| throw).collect()
        };
        for other in &games[1..] {
            for &(seat, turn, first, throw) in &games[0] {
                let same = other.iter().find(|&&(s, t, f, _)| (s, t, f) == (seat, turn, first));
                if let Some(&(.., again)) = same.filter(|_| first) {
                    assert_eq!(throw, again, "{seat}, turn {turn}");
                    turns += 1;
                }
            }
            earned += u32::from(games[0][0].2 != other[0].2);
            for seat in Seat::all(3) {
                let (one, two) = (further(&games[0], seat), further(other, seat));
                assert!(one.iter().zip(&two).all(|(one, two)| one == two), "{seat}");
            }
        }
    }
    assert!(turns > 1000 && earned > 10, "{turns} {earned}");
}

/// The numbers of the streams are a promise: the page of dice has them.
#[test]
fn dice_and_words_are_those_of_the_page() {
    let game = game(3);
    let (seed, number) = (20_261_129, 12_345);
    let stream = |number| Stream::new(seed, "sho/rollout", number);
    let mut dice = RolloutDice::new(&game, seed, number);
    for seat in Seat::all(3) {
        let s = seat.index() as u64;
        let (mut first, mut further) = (stream(16 * number + s), stream(16 * number + 4 + s));
        for draw in 0..50 {
            let begins = draw % 3 != 1;
            let expected = if begins { &mut first } else { &mut further }.below(36);
            assert_eq!(dice.draw(seat, begins), expected);
        }
        let (mut words, mut same) = (rollout_words(seed, number), stream(16 * number + 8 + s));
        assert!((0..9).all(|_| words[seat].word() == same.word()));
    }
    dice.reset(0);
    assert_eq!(dice.draw(Seat::B, true), stream(1).below(36));
}

/// The test vectors of that page, which a program in another language recomputes.
#[test]
fn dice_are_those_of_the_test_vectors() {
    let path = format!("{}/../docs/dice.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).unwrap();
    let rows =
        page.lines().filter(|line| line.contains("| first | `") || line.contains("| further | `"));
    let mut checked = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [master, number, seat, casts, throws] = cells.as_slice() else { panic!("{row}") };
        let (master, number) = (master.parse().unwrap(), number.parse().unwrap());
        let seat = Seat::from_index(seat.parse().unwrap()).unwrap();
        let mut dice = RolloutDice::new(&game(3), master, number);
        for throw in throws.trim_matches('`').split(' ') {
            let way = dice.draw(seat, *casts == "first");
            assert_eq!(format!("{}-{}", 1 + way / 6, 1 + way % 6), throw, "{row}");
        }
        checked += 1;
    }
    assert_eq!(checked, 6);
}

/// Stops after some games.
struct After(AtomicU64, u64);

impl Watcher for After {
    fn games_so_far(&self, games: u64) {
        self.0.store(games, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= self.1
    }
}

#[test]
fn what_was_played_before_a_stop_is_that_of_fewer_games() {
    let game = game(3);
    let state = game.parse_state(DECISION).unwrap();
    let of = |games| rollout(&game, "easy", games);
    let watcher = After(AtomicU64::new(0), 500);
    // More than threads may be ahead of the one that they wait for: while that one does not come to run, no game counts.
    let stopped = roll_out_actions(&game, &state, &of(50_000), 2, &watcher).unwrap();
    assert!((1..50_000).contains(&stopped.games), "{}", stopped.games);
    let lines = stopped.lines.len() as u64;
    assert_eq!(watcher.0.into_inner(), lines * stopped.games);
    let fewer = roll_out_actions(&game, &state, &of(stopped.games), 1, &()).unwrap();
    assert_eq!(stopped, fewer);
}

#[test]
fn games_without_chance_are_played_once() {
    let game = SholoGuti::new(sholo_guti::Rules::standard()).unwrap();
    let certain = rollout(&game, "easy", 500);
    assert_eq!((certain.is_certain::<SholoGuti>(), certain.games), (true, 1));
    let open = rollout(&game, "easy,random", 50);
    assert_eq!((open.is_certain::<SholoGuti>(), open.games), (false, 50));
    let tally = roll_out(&game, &game.start(), &open, 2, &()).unwrap();
    assert_eq!(tally, roll_out(&game, &game.start(), &open, 1, &()).unwrap());
    let seats = chances(tally.position(), 50, 2);
    assert!(seats[0].chance > 0.8, "{seats:?}");
    // Draws are shared: the interval is another one, and stays within what is possible.
    assert!(seats.iter().all(|seat| 0.0 <= seat.low && seat.high <= 1.0));
}

#[test]
fn what_cannot_be_played_is_refused_by_name() {
    let game = game(3);
    let bots = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let refused = |names: &[&str], games| {
        Rollout::new(&game, &bots(names), 1, games).unwrap_err().to_string()
    };
    assert_eq!(refused(&["easy"], 0), "0 games: at least one must be played");
    assert!(refused(&["easy"], 1 << 60).starts_with("1152921504606846976 games: a rollout has"));
    let two = "2 bots, and 3 sides play: name one for all of them, or one for each";
    assert_eq!(refused(&["easy", "easy"], 1), two);
    assert!(refused(&["esay"], 1).contains("did you mean `easy`?"));
    let rollout = rollout(&game, "easy", 5);
    let over = game.parse_state("0+9:-/2+3:5x1,40x3/4+3:13x2 A over:A - 0 90").unwrap();
    for error in [
        roll_out(&game, &over, &rollout, 1, &()).unwrap_err(),
        roll_out_actions(&game, &over, &rollout, 1, &()).unwrap_err(),
    ] {
        assert!(matches!(&error, RolloutError::Over(line) if line.ends_with("over:A - 0 90")));
    }
    let error = roll_out_actions(&game, &game.start(), &rollout, 1, &()).unwrap_err();
    assert!(error.to_string().contains("dice are due"), "{error}");
    let nobody = || -> Vec<Box<dyn Policy<Sho>>> { Vec::new() };
    let extent = Extent { seed: 1, games: 1 };
    let error = roll_out_with(&game, &game.start(), &nobody, extent, 1, &()).unwrap_err();
    assert!(error.to_string().starts_with("0 bots, and 3 sides play"), "{error}");
    assert_eq!(game.rules().sides(), 3);
}
