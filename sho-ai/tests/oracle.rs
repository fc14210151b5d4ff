//! The oracle against what it did not write: the plain engine, brute force, and games.

use std::collections::HashMap;

use sho_ai::arena::Arena;
use sho_ai::oracle::{EQUALLY_GOOD, Oracle, OracleError, judge};
use sho_ai::sho::Easy;
use sho_ai::{Bots, Decision, Policy, Random};
use sho_core::sho::{Action, Engine, Reopen, Rules, Sho, State, plain};
use sho_core::{ActionList, Game, Notation, Seat, Step, Stream};

/// Positions of random games, whatever is due in them, in the plain engine.
fn positions(game: &plain::Sho, count: u64, label: &str) -> Vec<plain::State> {
    let mut positions = Vec::new();
    for number in 0..count {
        let mut words = Stream::new(20_261_130, label, number);
        let steps = words.below(24);
        let (mut state, mut actions) = (game.start(), Default::default());
        for _ in 0..steps {
            let mut next = state;
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(_) => {
                    let outcome = game.outcome(&state, words.below(36));
                    game.cast_unchecked(&mut next, outcome);
                }
                Step::Decide(_) => {
                    game.actions(&state, &mut actions);
                    let action = actions.get(words.below(actions.len() as u32) as usize);
                    game.play_unchecked(&mut next, action);
                }
            }
            if game.step(&next) == Step::Over {
                break;
            }
            state = next;
        }
        positions.push(state);
    }
    positions
}

fn mover(game: &plain::Sho, state: &plain::State) -> Seat {
    game.setup(state).mover
}

/// The chance of seat A by the oracle.
fn chance_of_a(oracle: &Oracle, game: &plain::Sho, state: &plain::State) -> f64 {
    if game.step(state) == Step::Over {
        return f64::from(game.payoffs(state)[Seat::A]) / 12.0;
    }
    let same = oracle.game().state(&game.setup(state)).unwrap();
    let chance = oracle.chance(&same).unwrap_or_else(|| panic!("{}", game.state_text(state)));
    if mover(game, state) == Seat::A { chance } else { 1.0 - chance }
}

/// Chances are those of what follows: the mean over all 21 throws, the best of all actions.
#[test]
fn chances_are_those_of_what_follows() {
    for (coins, shells, count) in [(2, 8, 1500), (2, 9, 1500), (2, 10, 3000), (3, 8, 1500)] {
        let oracle = Oracle::solve(Oracle::rules(coins, shells)).unwrap();
        let game = plain::Sho::new(*oracle.game().rules()).unwrap();
        let mut most: f64 = 0.0;
        let mut decisions = 0;
        for state in positions(&game, count, "sho/test/follows") {
            let expected = match game.step(&state) {
                Step::Over => continue,
                Step::Chance(_) => {
                    let mut sum = 0.0;
                    for (outcome, ways) in game.outcomes(&state) {
                        let mut next = state;
                        game.cast_unchecked(&mut next, outcome);
                        sum += f64::from(ways) * chance_of_a(&oracle, &game, &next) / 36.0;
                    }
                    sum
                }
                Step::Decide(seat) => {
                    decisions += 1;
                    let mut actions = Default::default();
                    game.actions(&state, &mut actions);
                    let chances = actions.iter().map(|action| {
                        let mut next = state;
                        game.play_unchecked(&mut next, action);
                        chance_of_a(&oracle, &game, &next)
                    });
                    let worst = if seat == Seat::A { 0.0 } else { 1.0 };
                    let better = if seat == Seat::A { f64::max } else { f64::min };
                    chances.fold(worst, better)
                }
            };
            most = most.max((expected - chance_of_a(&oracle, &game, &state)).abs());
        }
        assert!(most < 1e-10 && decisions > 400, "{coins} {shells}: {most:e}, {decisions}");
    }
}

/// By brute force in the plain engine: A's chance of having won within so many throws, and of not having lost, where both
/// play for that. A chance lies between the two.
fn bounds(
    game: &plain::Sho,
    state: &plain::State,
    throws: u32,
    known: &mut HashMap<(plain::State, u32), [f64; 2]>,
) -> [f64; 2] {
    let key = (*state, throws);
    if let Some(&found) = known.get(&key) {
        return found;
    }
    let found = match game.step(state) {
        Step::Over => [f64::from(game.payoffs(state)[Seat::A]) / 12.0; 2],
        Step::Chance(_) if throws == 0 => [0.0, 1.0],
        Step::Chance(_) => {
            let mut sum = [0.0; 2];
            for class in game.outcome_classes(state) {
                let mut next = *state;
                game.cast_unchecked(&mut next, class.outcome);
                let [low, high] = bounds(game, &next, throws - 1, known);
                sum[0] += f64::from(class.ways) * low / 36.0;
                sum[1] += f64::from(class.ways) * high / 36.0;
            }
            sum
        }
        Step::Decide(seat) => {
            let mut actions = Default::default();
            game.actions(state, &mut actions);
            let all = actions.iter().map(|action| {
                let mut next = *state;
                game.play_unchecked(&mut next, action);
                bounds(game, &next, throws, known)
            });
            let better = if seat == Seat::A { f64::max } else { f64::min };
            all.reduce(|a, b| [better(a[0], b[0]), better(a[1], b[1])]).unwrap()
        }
    };
    known.insert(key, found);
    found
}

#[test]
fn brute_force_bounds_chances_from_both_sides() {
    let oracle = Oracle::solve(Oracle::rules(2, 8)).unwrap();
    let game = plain::Sho::new(*oracle.game().rules()).unwrap();
    let (mut narrow, mut compared) = (0, 0);
    for state in positions(&game, 150, "sho/test/bounds") {
        let [low, high] = bounds(&game, &state, 4, &mut HashMap::new());
        let chance = chance_of_a(&oracle, &game, &state);
        let line = game.state_text(&state);
        assert!(low - 1e-9 < chance && chance < high + 1e-9, "{line}: {low} {chance} {high}");
        compared += 1;
        narrow += u32::from(high - low < 0.2);
    }
    assert!(compared == 150 && narrow > 60, "{narrow} of {compared}");
    // From the start, most games are over after nine throws.
    let [low, high] = bounds(&game, &game.start(), 9, &mut HashMap::new());
    let chance = oracle.start_chance();
    assert!(low < chance && chance < high && high - low < 0.4, "{low} {chance} {high}");
}

/// Takes the first of the best actions.
struct Best<'a>(&'a Oracle);

impl Policy<Sho> for Best<'_> {
    fn choose(&mut self, decision: Decision<'_, Sho>, _: &mut Stream) -> Action {
        self.0.best_actions(decision.state).unwrap()[0]
    }
}

/// Games of best play come out as the oracle says, within four standard errors.
#[test]
fn games_of_best_play_come_out_as_foreseen() {
    for (coins, shells, games) in [(2, 8, 40_000), (3, 8, 20_000)] {
        let oracle: &'static Oracle =
            Box::leak(Box::new(Oracle::solve(Oracle::rules(coins, shells)).unwrap()));
        let mut arena = Arena::new(*oracle.game());
        let mut entries: [Box<dyn Policy<Sho>>; 2] =
            [Box::new(Best(oracle)), Box::new(Best(oracle))];
        let (mut won, mut throws, mut squares) = (0.0, 0.0, 0.0);
        for block in 0..games {
            let played = arena.play_game(7, block, 0, &mut entries, &mut ()).unwrap();
            won += f64::from(played.payoffs[Seat::A]) / 12.0;
            throws += f64::from(played.throws);
            squares += f64::from(played.throws) * f64::from(played.throws);
        }
        let games = games as f64;
        let (won, throws) = (won / games, throws / games);
        let error = (won * (1.0 - won) / games).sqrt();
        assert!((won - oracle.start_chance()).abs() < 4.0 * error, "{won} ± {error}");
        let error = ((squares / games - throws * throws) / games).sqrt();
        assert!((throws - oracle.expected_throws()).abs() < 4.0 * error, "{throws} ± {error}");
    }
}

/// The numbers of all boards, as far as they are quick to make.
#[test]
fn boards_are_solved() {
    for (coins, shells, positions, start, throws) in [
        (2, 8, 35_670, 0.559_325_766, 7.352_684),
        (2, 9, 70_108, 0.579_299_052, 6.800_001),
        (2, 10, 126_811, 0.599_420_577, 6.537_666),
        (3, 8, 448_284, 0.529_178_523, 10.637_853),
    ] {
        let oracle = Oracle::solve(Oracle::rules(coins, shells)).unwrap();
        assert_eq!(oracle.positions(), positions, "{coins} {shells}");
        assert!(oracle.width() < 1e-10 && oracle.throws_residual() < 1e-9);
        assert!((oracle.start_chance() - start).abs() < 1e-9, "{}", oracle.start_chance());
        assert!((oracle.expected_throws() - throws).abs() < 1e-6, "{}", oracle.expected_throws());
        assert!(oracle.decisions() < positions);
    }
}

#[test]
fn losses_are_of_legal_actions_in_positions_that_come_up() {
    let oracle = Oracle::solve(Oracle::rules(2, 10)).unwrap();
    let game = oracle.game();
    let slow = plain::Sho::new(*game.rules()).unwrap();
    let mut several = 0;
    for state in positions(&slow, 400, "sho/test/losses") {
        let state: State = game.state(&slow.setup(&state)).unwrap();
        let mut actions = Default::default();
        game.actions(&state, &mut actions);
        let Step::Decide(_) = game.step(&state) else {
            assert_eq!(oracle.losses(&state), None);
            continue;
        };
        let best = oracle.best_actions(&state).unwrap();
        assert!(!best.is_empty());
        several += u32::from(best.len() < actions.len());
        for action in actions.iter() {
            let loss = oracle.loss(&state, action).unwrap();
            assert!((0.0..1.0).contains(&loss));
            assert_eq!(loss == 0.0, best.contains(&action));
            assert!(loss == 0.0 || loss >= EQUALLY_GOOD);
        }
        assert_eq!(oracle.loss(&state, Action::Pair), None);
    }
    assert!(several > 20, "{several}");
    // Nobody brings a coin home before the opening.
    let never = game.parse_state("1+1o:-/2+0o:- A throw - 0 0").unwrap();
    assert_eq!(oracle.chance(&never), None);
    let over = game.parse_state("0+2:-/1+1:- A over:A - 0 30").unwrap();
    assert_eq!(oracle.chance(&over), Some(1.0));
}

#[test]
fn other_rules_are_refused_by_name() {
    let mut other = Oracle::rules(2, 8);
    other.reopen = Reopen::NothingOut;
    let mut long = Oracle::rules(2, 8);
    long.max_throws = 77;
    for (rules, message) in [
        (Rules::lhasa(), "no oracle for sides=3; possible: sides=2 ("),
        (Oracle::rules(4, 8), "no oracle for coins=4; possible: coins=2 or 3 ("),
        (Oracle::rules(2, 11), "no oracle for shells=11; possible: shells=8 to 10 ("),
        (other, "no oracle for reopen=nothing-out; possible: reopen=never ("),
    ] {
        let error = Oracle::solve(rules).unwrap_err();
        assert!(matches!(error, OracleError::OtherRules { .. }));
        assert!(error.to_string().starts_with(message), "{error}");
        assert!(!error.to_string().contains('\n'));
    }
    let (capped, free) =
        (Oracle::solve(long).unwrap(), Oracle::solve(Oracle::rules(2, 8)).unwrap());
    assert_eq!(capped.start_chance(), free.start_chance());
}

#[test]
fn a_bot_is_judged_by_what_it_gives_away() {
    let oracle: &'static Oracle = Box::leak(Box::new(Oracle::solve(Oracle::rules(2, 9)).unwrap()));
    let random = judge(oracle, || Box::new(Random), 1, 1500).unwrap();
    let easy = judge(oracle, || Box::new(Easy), 1, 1500).unwrap();
    let best = judge(oracle, || Box::new(Best(oracle)), 1, 300).unwrap();
    assert_eq!((best.mean_loss, best.standard_error, best.best), (0.0, 0.0, best.decisions));
    assert!(easy.mean_loss + 4.0 * easy.standard_error < random.mean_loss);
    assert!(random.standard_error > 0.0 && random.standard_error < 0.01);
    assert!(easy.best < easy.decisions && easy.games == 1500);
    assert_eq!(judge(oracle, || Box::new(Random), 1, 1500).unwrap(), random);
}

/// Each rung gives away less than the one below, also where the weights of the whole board would not do.
#[test]
fn the_ladder_holds_on_small_boards() {
    for (coins, shells) in [(2, 8), (2, 10), (3, 8)] {
        let oracle = Oracle::solve(Oracle::rules(coins, shells)).unwrap();
        let loss = |name: &str| {
            let spec = Sho::spec(name).unwrap();
            let bot = || Sho::bot(oracle.game(), &spec).unwrap();
            judge(&oracle, bot, 20_261_130, 1500).unwrap().mean_loss
        };
        let losses = ["random", "easy", "medium", "hard", "expectimax:depth=2"].map(loss);
        assert!(losses.is_sorted_by(|a, b| a > b), "{coins} coins, {shells} shells: {losses:?}");
    }
}
