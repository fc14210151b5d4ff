//! Sholo Guti: counts that were computed outside this project, the fast engine against the plain one, the ends of the
//! game, and the texts.

use proptest::prelude::*;
use sho_core::perft::{Branch, Count, divide, perft};
use sho_core::record::{Record, ReplayError};
use sho_core::sholo_guti::{Engine, Point, Points, Rules, Setup, SholoGuti, Takes, Turn, plain};
use sho_core::{
    ActionList, Game, ImpossibleRules, Notation, PositionError, RuleSet, Seat, Step, StepError,
    Stream, conformance,
};

const OPTIONAL: [u128; 9] =
    [9, 69, 783, 9_063, 112_469, 1_383_160, 18_442_955, 249_543_986, 3_550_537_336];
const FORCED: [u128; 11] =
    [9, 21, 65, 323, 1_804, 9_406, 56_624, 359_122, 2_588_454, 18_670_702, 150_415_240];

fn counts<E: Engine>(rules: Rules, expected: &[u128]) {
    let game = E::new(rules).unwrap();
    for (depth, &expected) in (1..).zip(expected) {
        let found = perft(&game, &game.start(), depth, Count::Sequences);
        assert_eq!(found, expected, "{rules} depth {depth}");
    }
}

#[test]
fn fast_perft_is_that_of_the_rules() {
    counts::<SholoGuti>(Rules::standard(), &OPTIONAL[..7]);
    counts::<SholoGuti>(Rules::forced(), &FORCED[..9]);
}

#[test]
#[ignore = "seconds: the deep counts"]
fn deep_fast_perft_is_that_of_the_rules() {
    counts::<SholoGuti>(Rules::standard(), &OPTIONAL[..8]);
    counts::<SholoGuti>(Rules::forced(), &FORCED);
}

#[test]
#[ignore = "half a minute: the deepest count"]
fn deepest_fast_perft_is_that_of_the_rules() {
    counts::<SholoGuti>(Rules::standard(), &OPTIONAL);
}

#[test]
fn plain_perft_is_that_of_the_rules() {
    counts::<plain::SholoGuti>(Rules::standard(), &OPTIONAL[..5]);
    counts::<plain::SholoGuti>(Rules::forced(), &FORCED[..7]);
}

#[test]
fn divided_counts_sum_up() {
    let game = SholoGuti::new(Rules::standard()).unwrap();
    let branches = divide(&game, &game.start(), 5, Count::Sequences);
    assert_eq!(branches.len(), 9);
    let count = |branch: &Branch<_, _>| match *branch {
        Branch::Action(_, count) | Branch::Outcome(_, count) => count,
    };
    assert_eq!(branches.iter().map(count).sum::<u128>(), OPTIONAL[4]);
}

/// A draw does not finish a line, whether it is one ply away or stands already.
#[test]
fn perft_knows_no_draws() {
    let mut rules = Rules::standard();
    rules.quiet_turns = 2;
    for engine_counts in [counts::<SholoGuti>, counts::<plain::SholoGuti>] {
        engine_counts(rules, &OPTIONAL[..4]);
    }
    let game = SholoGuti::new(rules).unwrap();
    let state = game.parse_state("ooo/ooo/ooooo/ooooo/...../xxxxx/xxxxx/xxx/xxx x 2 3").unwrap();
    assert_eq!(game.step(&state), Step::Over);
    assert_eq!(perft(&game, &state, 4, Count::Sequences), OPTIONAL[3]);
}

#[test]
fn both_engines_keep_the_promises_of_a_game() {
    for rules in [Rules::standard(), Rules::forced()] {
        let checked = conformance::check(&SholoGuti::new(rules).unwrap(), 1, 60).unwrap();
        assert!(checked.decisions > 4000 && checked.casts == 0, "{checked:?}");
        conformance::check(&plain::SholoGuti::new(rules).unwrap(), 2, 4).unwrap();
    }
    let mut short = Rules::standard();
    (short.quiet_turns, short.repeats) = (6, 2);
    conformance::check(&SholoGuti::new(short).unwrap(), 3, 200).unwrap();
}

// ---- The fast engine against the plain one -----------------------------------------------------------------------

fn judged(rules: Rules) -> (SholoGuti, plain::SholoGuti) {
    (SholoGuti::new(rules).unwrap(), plain::SholoGuti::new(rules).unwrap())
}

/// Compares everything that two engines say of a position and of all that follow it, and returns the turns.
fn compare(
    (fast, plain): &(SholoGuti, plain::SholoGuti),
    state: &<SholoGuti as Game>::State,
    judge: &plain::State,
) -> Vec<Turn> {
    let line = fast.state_text(state);
    assert_eq!(line, plain.state_text(judge));
    assert_eq!(fast.step(state), plain.step(judge), "{line}");
    assert_eq!(fast.end(state), plain.end(judge), "{line}");
    assert_eq!(fast.payoffs(state), plain.payoffs(judge), "{line}");
    assert_eq!(fast.most_takes(state), plain.most_takes(judge), "{line}");
    let (mut turns, mut expected) = Default::default();
    fast.actions(state, &mut turns);
    plain.actions(judge, &mut expected);
    assert_eq!(turns, expected, "{line}");
    assert_eq!(fast.count_actions(state, &mut Default::default()), turns.len() as u64, "{line}");
    // What may be refused: every step and single jump of the board, and every run stopped before its end.
    let moves = Point::ALL.into_iter().flat_map(|start| Point::ALL.map(|end| vec![start, end]));
    let stopped = turns.iter().take(200).map(|turn| {
        let path: Vec<Point> = turn.points().collect();
        path[..path.len() - 1].to_vec()
    });
    for turn in moves.chain(stopped).filter_map(|path| Turn::new(&path)) {
        let legal = turns.0.binary_search(&turn).is_ok();
        assert_eq!(fast.is_legal(state, turn), legal, "{line} {turn}");
    }
    // The promised order, in its own words.
    let written = |turn: &Turn| -> Vec<String> { turn.points().map(|p| p.to_string()).collect() };
    assert!(turns.0.windows(2).all(|pair| written(&pair[0]) < written(&pair[1])), "{line}");
    for turn in turns.iter().take(200) {
        let (mut next, mut expected) = (*state, *judge);
        fast.play(&mut next, turn).unwrap();
        plain.play_unchecked(&mut expected, turn);
        assert_eq!(fast.setup(&next), plain.setup(&expected), "{line} {turn}");
        assert_eq!(fast.end(&next), plain.end(&expected), "{line} {turn}");
    }
    turns.0
}

#[test]
fn engines_agree_in_random_games() {
    let (mut positions, mut ends) = (0, [0; 4]);
    for number in 0..60 {
        let mut words = Stream::new(20_260_101, "sho/test", number);
        let mut rules = if number % 2 == 0 { Rules::standard() } else { Rules::forced() };
        (rules.quiet_turns, rules.repeats) = [(80, 3), (12, 2), (200, 4)][number as usize / 2 % 3];
        let game = judged(rules);
        let (mut state, mut judge) = (game.0.start(), game.1.start());
        let (mut history, mut judges) = (game.0.begin(&state), game.1.begin(&judge));
        loop {
            positions += 1;
            let turns = compare(&game, &state, &judge);
            if turns.is_empty() {
                break;
            }
            let turn = turns[words.below(turns.len() as u32) as usize];
            game.0.play_unchecked(&mut state, turn);
            game.1.play_unchecked(&mut judge, turn);
            game.0.remember(&mut state, &mut history);
            game.1.remember(&mut judge, &mut judges);
            let bare = |setup: Setup| Setup { quiet: 0, turn: 1, ..setup };
            let stood = game.0.remembered(&history).into_iter().map(bare);
            assert!(stood.eq(game.1.remembered(&judges).into_iter().map(bare)));
        }
        ends[game.0.end(&state).unwrap()] += 1;
    }
    assert!(positions > 6000, "{positions}");
    assert!(ends[0] > 0 && ends[2] > 0 && ends[3] > 0, "{ends:?}");
}

/// Pieces thrown on the board with any numbers of each side, the triangles more densely than random play fills them.
fn scattered(words: &mut Stream) -> Setup {
    let mut setup = Setup::empty();
    setup.mover = Seat::ALL[words.below(2) as usize];
    setup.turn = 1 + words.below(200);
    setup.quiet = words.below(60) as u16;
    let limits = [words.below(17), words.below(17)];
    let crowd = 2 + words.below(5);
    let mut counts = [0; 2];
    for _ in 0..60 {
        let mut point = Point::ALL[words.below(37) as usize];
        if words.below(2) == 0 {
            let row = [1, 2, 3, 7, 8, 9][words.below(6) as usize];
            let column = ['a', 'b', 'c', 'd', 'e'][words.below(5) as usize];
            point = Point::new(column, row).unwrap_or(point);
        }
        let side = words.below(2) as usize;
        if words.below(6) < crowd && setup[point].is_none() && counts[side] < limits[side] {
            setup[point] = Some(Seat::ALL[side]);
            counts[side] += 1;
        }
    }
    setup
}

/// What searches ask of a position, from the lists of turns.
fn check_helpers(game: &SholoGuti, setup: &Setup, turns: &[Turn]) {
    let state = game.state(setup).unwrap();
    let mut takes = Default::default();
    game.takes(&state, &mut takes);
    assert!(turns.iter().copied().filter(|turn| !turn.is_step()).eq(takes.iter()), "{setup}");
    // Either side as if it were to move, free to take or step.
    let free = SholoGuti::new(Rules::standard()).unwrap().without_draws();
    for seat in Seat::all(2) {
        let turned = Setup { mover: seat, ..*setup };
        let Ok(turned) = free.state(&turned) else { continue };
        free.actions(&turned, &mut takes);
        let single = takes.iter().filter(|turn| turn.takes() == 1);
        let exposed: Points =
            single.flat_map(|turn| turn.taken().iter().collect::<Vec<_>>()).collect();
        assert_eq!(state.exposed(seat.next(2)), exposed, "{setup}");
        let steps = takes.iter().filter(|turn| turn.is_step()).count();
        assert_eq!(state.steps(seat) as usize, steps, "{setup}");
        assert_eq!(state.key() == turned.key(), seat == setup.mover);
    }
    // Turns with one effect lead to one position, and only they.
    let after = |turn: &Turn| {
        let mut next = state;
        game.play_unchecked(&mut next, *turn);
        next.key()
    };
    let mut effects: Vec<_> =
        turns.iter().take(60).map(|turn| (turn.effect(), after(turn))).collect();
    effects.sort_unstable();
    effects.dedup();
    let count = |mut numbers: Vec<u128>| {
        numbers.sort_unstable();
        numbers.dedup();
        numbers.len()
    };
    let ones = count(effects.iter().map(|&(effect, _)| effect.into()).collect());
    let others = count(effects.iter().map(|&(_, after)| after).collect());
    assert_eq!((ones, others), (effects.len(), effects.len()), "{setup}");
}

#[test]
fn engines_agree_on_scattered_pieces() {
    let mut words = Stream::new(20_260_102, "sho/test", 0);
    let (mut positions, mut triangles, mut ends, mut longest) = (0, 0, [0; 4], 0);
    while positions < 12_000 {
        let rules = if words.below(2) == 0 { Rules::standard() } else { Rules::forced() };
        let game = judged(rules);
        let setup = scattered(&mut words);
        let (Ok(state), Ok(judge)) = (game.0.state(&setup), game.1.state(&setup)) else {
            assert!(setup.pieces(setup.mover.next(2)).is_empty());
            continue;
        };
        positions += 1;
        let turns = compare(&game, &state, &judge);
        if let Some(end) = game.0.end(&state) {
            ends[end] += 1;
        }
        longest = longest.max(game.0.most_takes(&state));
        check_helpers(&game.0, &setup, &turns);
        // Takes that begin, cross or end inside a triangle, beyond the square.
        let outside = |point: Point| !(3..=7).contains(&point.row());
        let inside_triangle = |turn: &&Turn| turn.taken().iter().chain(turn.points()).any(outside);
        triangles += turns.iter().filter(|turn| !turn.is_step()).filter(inside_triangle).count();
        // And three counts deep, with other code at each step: lists, and counting at the last.
        if positions % 20 == 0 && turns.len() < 40 {
            let count = |depth| perft(&game.0, &state, depth, Count::Sequences);
            let expected = |depth| perft(&game.1, &judge, depth, Count::Sequences);
            assert_eq!(count(2), expected(2), "{setup}");
        }
    }
    assert!(triangles > 10_000, "{triangles}");
    assert!(ends[0] > 0 && ends[1] > 0 && longest >= 8, "{ends:?} {longest}");
}

/// Runs branch like a tree where many pieces stand with gaps between them; the list is as long as it has to be.
#[test]
fn a_list_of_many_thousand_turns() {
    let (fast, plain) = judged(Rules::standard());
    let line = "x.x/.x./.o.o./ooooo/.oxo./ooooo/.o.o./x.x/.x. x 0 31";
    let (state, judge) = (fast.parse_state(line).unwrap(), plain.parse_state(line).unwrap());
    let (mut turns, mut expected) = Default::default();
    fast.actions(&state, &mut turns);
    plain.actions(&judge, &mut expected);
    assert_eq!(turns.len(), 317_913);
    assert!(turns == expected);
    assert_eq!(fast.count_actions(&state, &mut Default::default()), turns.len() as u64);
    assert!(turns.0.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(turns.iter().all(|turn| fast.is_legal(&state, turn)));
}

// ---- The turns, in the words of the rules ------------------------------------------------------------------------

fn texts<G: Notation>(game: &G, line: &str) -> Vec<String> {
    let state = game.parse_state(line).unwrap();
    let mut turns = G::Actions::default();
    game.actions(&state, &mut turns);
    turns.iter().map(|turn| game.action_text(&state, turn)).collect()
}

#[test]
fn turns_of_the_worked_examples() {
    let run = "ooo/o.o/...oo/..o.o/...../...o./..xo./xxx/xxx x 0 31";
    let optional =
        ["c3-b3", "c3-b4", "c3-c4", "c3:e3", "c3:e3:c5", "c3:e3:c5:c7", "c3:e5"].to_vec();
    let (fast, plain) = judged(Rules::standard());
    assert_eq!(texts(&fast, run), optional);
    assert_eq!(texts(&plain, run), optional);
    let (fast, plain) = judged(Rules::forced());
    assert_eq!(texts(&fast, run), ["c3:e3:c5:c7", "c3:e5"]);
    assert_eq!(texts(&plain, run), ["c3:e3:c5:c7", "c3:e5"]);
    let offered = "ooo/ooo/ooooo/ooooo/..x../xx.xx/xxxxx/xxx/xxx o 1 2";
    assert_eq!(texts(&fast, offered), ["c6:c4"]);
}

#[test]
fn a_run_may_come_back_to_its_start_and_steps_stand_among_takes() {
    let (fast, plain) = judged(Rules::standard());
    let round = ".../.../...../...../...o./..o.o/..xo./.../... x 0 1";
    let turns = texts(&fast, round);
    assert!(turns.contains(&"c3:c5:e5:e3:c3".into()) && turns.contains(&"c3:e3:e5:c5:c3".into()));
    assert_eq!(turns, texts(&plain, round));
    // c5:a5 stands before c5-d5, since a5 comes before d5.
    let mixed = texts(&fast, ".../.../...../...../.ox../...../...../.../..o x 0 1");
    let place = |text| mixed.iter().position(|other| other == text).unwrap();
    assert!(place("c5:a5") < place("c5-d5") && place("c5-b4") > place("c5:a5"), "{mixed:?}");
}

#[test]
fn jumps_neither_turn_nor_cross_two_nor_own() {
    let (fast, _) = judged(Rules::forced());
    // Two in a row, the edge behind, an own piece between: only steps.
    let turns = texts(&fast, ".../.../..o../..o../..x../..x../..o../.o./... x 0 1");
    assert!(turns.iter().all(|text| text.contains('-')), "{turns:?}");
}

// ---- The end -------------------------------------------------------------------------------------------------------

fn played<G: Notation>(game: &G, line: &str, turns: &str) -> (G::State, Vec<Option<usize>>) {
    let mut state = game.parse_state(line).unwrap();
    let mut history = game.begin(&state);
    let mut ends = Vec::new();
    for text in turns.split(' ') {
        let turn = game.parse_action(&state, text).unwrap_or_else(|error| panic!("{error}"));
        game.play(&mut state, turn).unwrap();
        game.remember(&mut state, &mut history);
        ends.push(game.end(&state));
    }
    (state, ends)
}

const START: &str = "ooo/ooo/ooooo/ooooo/...../xxxxx/xxxxx/xxx/xxx x 0 1";
const TO_AND_FRO: &str = "a4-a5 e6-e5 a5-a4 e5-e6";

fn draws_by_repetition<E: Engine + Notation>() {
    let game = E::new(Rules::standard()).unwrap();
    let twice = format!("{TO_AND_FRO} {TO_AND_FRO}");
    let (state, ends) = played(&game, START, &twice);
    // The start position is its own first time, so it stands for the third time after eight turns.
    assert_eq!(ends, [None, None, None, None, None, None, None, Some(2)]);
    assert_eq!(E::ENDS[2], "repetition");
    assert_eq!(game.payoffs(&state).as_slice(2), [6, 6]);
    assert_eq!(game.step(&state), Step::Over);
    let mut turns = E::Actions::default();
    game.actions(&state, &mut turns);
    assert!(turns.is_empty());
    // The line does not hold the draw.
    let line = game.state_text(&state);
    assert_eq!(line, START.replace("0 1", "8 9"));
    let again = game.parse_state(&line).unwrap();
    assert_eq!(game.step(&again), Step::Decide(Seat::A));
    assert_ne!(again, state);
    let mut rules = Rules::standard();
    rules.repeats = 2;
    let game = E::new(rules).unwrap();
    let (_, ends) = played(&game, START, TO_AND_FRO);
    assert_eq!(ends, [None, None, None, Some(2)]);
    // The same pieces with the other side to move are another position.
    let line = ".../.../o..../...../...../...../x..../.../... x 0 1";
    let (state, ends) = played(&game, line, "a3-a4 a7-a6 a4-b4 a6-a7 b4-a3");
    assert_eq!(game.state_text(&state), line.replace("x 0 1", "o 5 6"));
    assert_eq!(ends[4], None);
}

#[test]
fn a_history_counts_positions_since_the_last_take() {
    let game = SholoGuti::new(Rules::standard()).unwrap();
    let mut state = game.start();
    let mut history = game.begin(&state);
    let mut play = |text: &str| {
        let turn = game.parse_action(&state, text).unwrap();
        game.play(&mut state, turn).unwrap();
        game.remember(&mut state, &mut history);
        (history.times(&state), history.times(&game.start()))
    };
    let times: Vec<_> = TO_AND_FRO.split(' ').map(&mut play).collect();
    assert_eq!(times, [(1, 1), (1, 1), (1, 1), (2, 2)]);
    assert_eq!(["c4-c5", "c6:c4"].map(&mut play), [(1, 2), (1, 0)]);
}

#[test]
fn a_position_that_stands_too_often_draws() {
    draws_by_repetition::<SholoGuti>();
    draws_by_repetition::<plain::SholoGuti>();
}

fn draws_by_quiet_turns<E: Engine + Notation>() {
    let game = E::new(Rules::standard()).unwrap();
    let line = START.replace("0 1", "78 91");
    let (state, ends) = played(&game, &line, "a4-a5 e6-e5");
    assert_eq!(ends, [None, Some(3)]);
    assert_eq!(E::ENDS[3], "quiet");
    assert_eq!(game.payoffs(&state).as_slice(2), [6, 6]);
    // The line holds this draw.
    let line = game.state_text(&state);
    assert_eq!(game.parse_state(&line).unwrap(), state);
    assert_eq!(
        game.parse_action(&state, "b4-b5"),
        Err(StepError::NotDue { found: "b4-b5".into(), reason: sho_core::IllegalStep::Over })
    );
    // A take starts the count again.
    let (state, ends) = played(&game, &START.replace("0 1", "78 91"), "c4-c5 c6:c4 b4-b5");
    assert_eq!(ends, [None, None, None]);
    assert!(game.state_text(&state).ends_with(" o 1 94"));
    // Where both draws fall on one turn, it is called quiet.
    let mut rules = Rules::standard();
    (rules.quiet_turns, rules.repeats) = (4, 2);
    let game = E::new(rules).unwrap();
    assert_eq!(played(&game, START, TO_AND_FRO).1[3], Some(3));
}

#[test]
fn too_many_quiet_turns_draw() {
    draws_by_quiet_turns::<SholoGuti>();
    draws_by_quiet_turns::<plain::SholoGuti>();
}

fn wins<E: Engine + Notation>() {
    let game = E::new(Rules::standard()).unwrap();
    // The last piece is taken.
    let (state, ends) =
        played(&game, ".../.../...../..o../..x../...../...../.../... x 79 99", "c5:c7");
    assert_eq!(ends, [Some(0)]);
    assert_eq!(game.payoffs(&state).as_slice(2), [12, 0]);
    assert_eq!(game.state_text(&state), ".../.../..x../...../...../...../...../.../... o 0 100");
    assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state);
    // The enemy has a piece and no turn, and the same turn fills the count of quiet turns: a win.
    let line = "ox./x.x/..x../...../...../...../...../.../... x 79 99";
    let (state, ends) = played(&game, line, "d8-e9");
    assert_eq!(ends, [Some(1)]);
    assert_eq!(game.payoffs(&state).as_slice(2), [12, 0]);
    assert!(game.state_text(&state).ends_with(" o 80 100"));
    assert_eq!(game.parse_state(&game.state_text(&state)).unwrap(), state);
    // The second player wins likewise.
    let (state, ends) =
        played(&game, ".../.../...../..o../..x../...../...../.../... o 3 4", "c6:c4");
    assert_eq!((ends, game.payoffs(&state).as_slice(2)), (vec![Some(0)], &[0, 12][..]));
}

#[test]
fn a_win_comes_before_a_draw() {
    wins::<SholoGuti>();
    wins::<plain::SholoGuti>();
}

// ---- Records ---------------------------------------------------------------------------------------------------------

/// A random game, as a runner plays it.
fn random_game<E: Engine + Notation>(game: &E, words: &mut Stream) -> (E::State, Record<Rules>) {
    let mut state = game.start();
    let (mut history, mut turns) = (game.begin(&state), E::Actions::default());
    let mut record = Record::new(game, &state);
    while let Step::Decide(seat) = game.step(&state) {
        game.actions(&state, &mut turns);
        let turn = turns.get(words.below(turns.len() as u32) as usize);
        record.push_action(game, seat, &state, turn);
        game.play_unchecked(&mut state, turn);
        game.remember(&mut state, &mut history);
    }
    record.close(game, &state);
    (state, record)
}

#[test]
fn records_replay_exactly_through_a_draw_by_repetition() {
    let game = SholoGuti::new(Rules::standard()).unwrap();
    let mut repetitions = 0;
    for number in 0..60 {
        let mut words = Stream::new(20_260_103, "sho/test", number);
        let (state, record) = random_game(&game, &mut words);
        let text = record.to_string();
        assert_eq!(Record::parse(&text).unwrap(), record);
        let json = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record<Rules>>(&json).unwrap(), record);
        assert_eq!(record.replay::<SholoGuti>(|_| {}).unwrap(), state);
        record.replay::<plain::SholoGuti>(|_| {}).unwrap();
        if record.end.as_deref() != Some("repetition") {
            continue;
        }
        repetitions += 1;
        // The draw ends the game: a further turn is refused, and one turn less is a game that goes on.
        let mut longer = record.clone();
        longer.turns.push("A a3-a4".into());
        assert!(matches!(
            longer.replay::<SholoGuti>(|_| {}),
            Err(ReplayError::Step { reason: StepError::NotDue { .. }, .. })
        ));
        let mut shorter = record.clone();
        shorter.turns.pop();
        let error = shorter.replay::<SholoGuti>(|_| {}).unwrap_err();
        assert!(matches!(error, ReplayError::Outcome { what: "last", .. }), "{error}");
    }
    assert!(repetitions > 3, "{repetitions}");
}

// ---- Rules -----------------------------------------------------------------------------------------------------------

#[test]
fn rules_print_parse_and_are_checked() {
    let mut rules = Rules::preset("forced").unwrap();
    assert_eq!(rules.to_string(), "takes=forced quiet-turns=80 repeats=3");
    for text in ["takes=optional", "quiet-turns=1", "quiet-turns=65535", "repeats=65535"] {
        rules.assign(text).unwrap();
    }
    assert_eq!(rules.to_string(), "takes=optional quiet-turns=65535 repeats=65535");
    for text in
        ["takes=may", "quiet-turns=0", "quiet-turns=65536", "repeats=1", "repeats=02", "sides=2"]
    {
        assert!(rules.assign(text).is_err(), "{text}");
    }
    let json = serde_json::to_string(&Rules::standard()).unwrap();
    assert_eq!(json, r#"{"takes":"optional","quiet-turns":80,"repeats":3}"#);
    let read: Rules = serde_json::from_str(r#"{"preset":"forced","repeats":2}"#).unwrap();
    assert_eq!((read.takes, read.repeats), (Takes::Forced, 2));
    rules.repeats = 1;
    assert!(matches!(
        SholoGuti::new(rules),
        Err(ImpossibleRules::OutOfRange { setting: "repeats", value: 1, .. })
    ));
}

// ---- Random play -----------------------------------------------------------------------------------------------------

struct Played {
    turns: (f64, f64),
    draws: (f64, f64),
    first: (f64, f64),
}

/// Means and their standard errors over random games.
fn random_play(rules: Rules, games: u64) -> Played {
    let game = SholoGuti::new(rules).unwrap();
    let mut samples = [Vec::new(), Vec::new(), Vec::new()];
    for number in 0..games {
        let mut words = Stream::new(20_260_104, "sho/test", number);
        let mut state = game.start();
        let (mut history, mut turns) = (game.begin(&state), Default::default());
        while game.step(&state) != Step::Over {
            game.actions(&state, &mut turns);
            let turn = turns.get(words.below(turns.len() as u32) as usize);
            game.play_unchecked(&mut state, turn);
            game.remember(&mut state, &mut history);
        }
        let payoff = game.payoffs(&state)[Seat::A];
        samples[0].push(f64::from(state.turn() - 1));
        samples[1].push(f64::from(u8::from(payoff == 6)));
        samples[2].push(f64::from(u8::from(payoff == 12)));
    }
    let [turns, draws, first] = samples.map(|sample| {
        let count = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / count;
        let squares: f64 = sample.iter().map(|value| (value - mean).powi(2)).sum();
        (mean, (squares / (count - 1.0) / count).sqrt())
    });
    Played { turns, draws, first }
}

/// The figures of random play from outside this project are known to about half their last digit, and the means here
/// to their standard errors: both together are allowed four times.
fn near((mean, error): (f64, f64), expected: f64, half_digit: f64) {
    assert!((mean - expected).abs() < half_digit + 4.0 * error, "{mean} +- {error}: {expected}");
}

#[test]
fn random_play_has_the_known_figures() {
    for (rules, turns, draws, first) in
        [(Rules::standard(), 284.0, 0.38, None), (Rules::forced(), 117.0, 0.04, Some(0.52))]
    {
        let played = random_play(rules, 10_000);
        // Seen with `--nocapture`.
        println!("{rules}, mean and standard error over 10,000 games:");
        for (what, (mean, error)) in
            [("turns", played.turns), ("draws", played.draws), ("first player wins", played.first)]
        {
            println!("  {what} {mean:.4} +- {error:.4}");
        }
        near(played.turns, turns, 0.5);
        near(played.draws, draws, 0.005);
        if let Some(first) = first {
            near(played.first, first, 0.005);
        }
        assert!(played.turns.1 < 1.0 && played.draws.1 < 0.005 && played.first.1 < 0.006);
    }
}

// ---- The texts -------------------------------------------------------------------------------------------------------

fn refused(line: &str) -> PositionError {
    SholoGuti::new(Rules::standard()).unwrap().parse_state(line).unwrap_err()
}

#[test]
fn wrong_lines_are_refused_with_their_field() {
    let start = |from, to| START.replacen(from, to, 1);
    for (line, field) in [
        (String::new(), "line"),
        (START.replace(" 1", ""), "line"),
        (start(" x", "  x"), "line"),
        (format!("{START} "), "line"),
        (start("/xxx x", " x"), "points"),
        (start("/xxx x", "/xxx/xxx x"), "points"),
        (start(".....", "...."), "points"),
        (start(".....", "......"), "points"),
        (start(".....", "..X.."), "points"),
        (start(".....", "..\u{e9}.."), "points"),
        (start(".....", "...\u{e9}"), "points"),
        (start("ooo", "oooo"), "points"),
        (start(".....", "x...."), "points"),
        (".../.../...../...../..x../...../...../.../... x 0 1".into(), "points"),
        (".../.../...../...../...../...../...../.../... x 0 1".into(), "points"),
        (start(" x ", " X "), "mover"),
        (start(" x ", " A "), "mover"),
        (start(" x ", " xo "), "mover"),
        (start("0 1", "81 100"), "quiet"),
        (start("0 1", "00 1"), "quiet"),
        (start("0 1", "+1 2"), "quiet"),
        (start("0 1", "-1 2"), "quiet"),
        (start("0 1", "65536 2"), "quiet"),
        (start("0 1", "0 0"), "turn"),
        (start("0 1", "0 01"), "turn"),
        (start("0 1", "0 4294967296"), "turn"),
    ] {
        let error = refused(&line);
        assert_eq!(error.field, field, "{line}: {error}");
    }
    // A line may be one that no game reaches, as long as it can be played.
    let game = SholoGuti::new(Rules::standard()).unwrap();
    for line in [start(" x 0 1", " o 80 4294967295"), start(" x 0 1", " o 0 1")] {
        assert_eq!(game.state_text(&game.parse_state(&line).unwrap()), line);
    }
    // A setup that no text names is refused too.
    let mut setup = Setup::start();
    setup.points[0] = Some(Seat::C);
    assert_eq!(game.state(&setup).unwrap_err().field, "points");
    let setup = Setup { mover: Seat::D, ..Setup::start() };
    assert_eq!(game.state(&setup).unwrap_err().field, "mover");
}

#[test]
fn wrong_turns_are_refused() {
    let game = SholoGuti::new(Rules::standard()).unwrap();
    let state = game.start();
    for text in [
        "", "c4", "c4:", "c4-", "c4-c6", "c4:c5", "c4-c5-c6", "c4-c5:c7", "C4-c5", "c4-c5 ",
        "b1-b2",
    ] {
        let error = game.parse_action(&state, text).unwrap_err();
        assert!(matches!(error, StepError::NotAnAction { .. }), "{text}: {error}");
    }
    for text in ["c4:c6", "c6-c5", "c3-c4", "c4:c6:a6"] {
        let error = game.parse_action(&state, text).unwrap_err();
        assert!(matches!(error, StepError::NotLegal { .. }), "{text}: {error}");
        let turn: Turn = text.parse().unwrap();
        assert_eq!(turn.to_string(), text);
        assert!(game.play(&mut state.clone(), turn).is_err());
    }
    assert!(matches!(game.parse_outcome("6-3"), Err(StepError::NotAThrow { .. })));
    let path = |len| -> Vec<Point> {
        ["c3", "c5"].map(|text| text.parse().unwrap()).into_iter().cycle().take(len).collect()
    };
    assert_eq!(Turn::new(&path(17)).unwrap().takes(), 16);
    assert_eq!(Turn::new(&path(18)), None);
    assert_eq!(Turn::new(&path(1)), None);
    assert_eq!(Turn::new(&[]), None);
}

/// Valid texts with one place changed.
fn mutated(text: &str, place: usize, change: &str, cut: usize) -> String {
    let place = place % (text.len() + 1);
    let end = (place + cut).min(text.len());
    format!("{}{change}{}", &text[..place], &text[end..])
}

fn reads_only_what_it_prints(line: &str) {
    let (fast, plain) = judged(Rules::standard());
    let (state, judge) = (fast.parse_state(line), plain.parse_state(line));
    assert_eq!(state.as_ref().err(), judge.as_ref().err());
    if let Ok(state) = state {
        assert_eq!(fast.state_text(&state), line);
        compare(&(fast, plain), &state, &judge.unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,60}") {
        reads_only_what_it_prints(&text);
        if let Ok(turn) = text.parse::<Turn>() {
            prop_assert_eq!(turn.to_string(), text);
        }
    }

    #[test]
    fn almost_lines_are_read_or_refused(
        seed in any::<u64>(),
        place in 0..60usize,
        change in "[xo./ 0-9a]{0,3}",
        cut in 0..4usize,
    ) {
        let setup = scattered(&mut Stream::new(seed, "sho/test", 0));
        reads_only_what_it_prints(&setup.to_string());
        reads_only_what_it_prints(&mutated(&setup.to_string(), place, &change, cut));
    }

    #[test]
    fn almost_turns_are_read_or_refused(
        seed in any::<u64>(),
        place in 0..20usize,
        change in "[a-e1-9:-]{0,3}",
        cut in 0..4usize,
    ) {
        let (fast, plain) = judged(Rules::standard());
        let mut words = Stream::new(seed, "sho/test", 0);
        let setup = scattered(&mut words);
        let (Ok(state), Ok(judge)) = (fast.state(&setup), plain.state(&setup)) else {
            return Ok(());
        };
        let mut turns = <SholoGuti as Game>::Actions::default();
        fast.actions(&state, &mut turns);
        if turns.is_empty() {
            return Ok(());
        }
        let text = turns.get(words.below(turns.len() as u32) as usize).to_string();
        let text = mutated(&text, place, &change, cut);
        let read = fast.parse_action(&state, &text);
        prop_assert_eq!(&read, &plain.parse_action(&judge, &text));
        if let Ok(turn) = read {
            prop_assert_eq!(turn.to_string(), text);
            prop_assert!(turns.contains(turn));
        }
    }
}
