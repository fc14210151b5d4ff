//! The search of games of chance against the one in twenty lines.

mod common;

use common::{Grains, Homes, Race, positions, rule_sets};
use sho_ai::search::alphabeta::Limits;
use sho_ai::search::expectimax::{Devices, Expectimax, MAX_DEPTH};
use sho_ai::search::plain::expectimax_best;
use sho_ai::{CERTAIN, Decision, Evaluate, Policy, value_of};
use sho_core::sho::{Engine, Phase, Rules, Sho, plain};
use sho_core::sholo_guti::{self, SholoGuti};
use sho_core::{ActionList, Game, Notation, PerSeat, RuleSet, Seat, Step, Stream};

const NONE: Devices = Devices { star1: false, star2: false, replies: false, memory: None };

/// All choices of devices that make a difference, the usual ones first.
fn all_devices() -> Vec<Devices> {
    let star1 = Devices { star1: true, ..NONE };
    let star2 = Devices { star2: true, ..star1 };
    vec![
        Devices::default(),
        NONE,
        star1,
        Devices { replies: true, ..star1 },
        star2,
        Devices { replies: true, ..star2 },
        // A memory of one position, where what stands there is often something else, and a large one.
        Devices { memory: Some(0), ..NONE },
        Devices { memory: Some(0), ..star2 },
        Devices { memory: Some(12), ..star1 },
    ]
}

fn seat_of<G: Game>(game: &G, state: &G::State) -> Seat {
    match game.step(state) {
        Step::Decide(seat) => seat,
        step => panic!("{step:?} where an action is due"),
    }
}

/// Compares choices and the values for all seats with those of the plain search.
fn compare<G: Notation, V: Evaluate<G> + Copy>(
    game: &G,
    states: &[G::State],
    evaluation: V,
    depth: u32,
    devices: &[Devices],
) {
    let limits = Limits::depth(depth);
    let with = |&devices| Expectimax::with_devices(limits, evaluation, devices);
    let mut searches: Vec<_> = devices.iter().map(with).collect();
    for state in states {
        let seat = seat_of(game, state);
        let expected = expectimax_best(game, state, seat, &evaluation, depth);
        for (search, devices) in searches.iter_mut().zip(devices) {
            let choice = search.search(game, state);
            let (rules, line) = (game.rules().summary(), game.state_text(state));
            let line = format!("{rules}: {line}, depth {depth}, {devices:?}");
            assert_eq!((choice.action, choice.values), expected, "{line}");
            let sum: i64 = choice.values.as_slice(game.seats()).iter().sum();
            assert_eq!(sum, choice.whole, "{line}");
            assert_eq!(choice.whole, CERTAIN * i64::from(game.ways()).max(1).pow(depth - 1));
            assert_eq!(choice.depth, depth);
        }
    }
}

#[test]
fn choices_and_values_are_those_of_the_plain_search() {
    let (mut compared, mut pairs) = (0, 0);
    let all = all_devices();
    for (label, rules) in (0..).zip(rule_sets()) {
        let game = Sho::new(rules).unwrap();
        let mut states = positions(&game, 60, label, |_| true);
        if rules.pa_ra_pair {
            let is_pair = |state: &_| game.setup(state).phase == Phase::Pair;
            states.extend(positions(&game, 10, label, is_pair));
            pairs += 10;
        }
        compare(&game, &states, Race, 1, &all[..1]);
        compare(&game, &states, Homes, 1, &all[..1]);
        compare(&game, &states, Race, 2, &all[..2]);
        let some: Vec<_> = states.iter().step_by(7).copied().collect();
        compare(&game, &some, Homes, 2, &all);
        compare(&game, &some[7..], Race, 3, &all[..1]);
        compare(&game, &some[8..], Homes, 3, &all[..1]);
        compared += states.len();
    }
    assert!(compared > 2000 && pairs >= 60, "{compared} positions, {pairs} pairs");
}

/// Bounds are right to the last unit.
#[test]
fn bounds_are_exact() {
    let two = rule_sets().into_iter().filter(|rules| rules.sides == 2);
    for (label, rules) in (100..).zip(two) {
        let game = Sho::new(rules).unwrap();
        let states = positions(&game, 60, label, |_| true);
        compare(&game, &states, Grains, 2, &all_devices());
        if rules.shells < 64 {
            compare(&game, &states[..12], Grains, 3, &all_devices());
        }
    }
}

/// Deeper, on boards so small that the plain search gets to an end; many lines end the game, and throws are lost.
#[test]
fn deep_searches_of_small_boards_are_those_of_the_plain_search() {
    for sides in 2..=4 {
        let mut rules = Rules::lhasa();
        (rules.sides, rules.coins, rules.shells, rules.opening_coins) = (sides, 2, 8, 1);
        let game = Sho::new(rules).unwrap();
        let states = positions(&game, 8, u64::from(sides), |_| true);
        compare(&game, &states, Race, 3, &all_devices());
        compare(&game, &states, Homes, 3, &all_devices());
        compare(&game, &states[..3], Race, 4, &all_devices());
        compare(&game, &states[3..6], Homes, 4, &all_devices());
    }
}

#[test]
fn both_engines_choose_the_same() {
    for (label, rules) in (0..).zip(rule_sets()) {
        let (fast, slow) = (Sho::new(rules).unwrap(), plain::Sho::new(rules).unwrap());
        let limits = Limits::depth(2);
        let (mut search, mut other) =
            (Expectimax::new(limits, Race), Expectimax::new(limits, Race));
        for state in positions(&fast, 5, label, |_| true) {
            let same = slow.state(&fast.setup(&state)).unwrap();
            assert_eq!(search.search(&fast, &state), other.search(&slow, &same));
        }
    }
}

/// Chances by the pieces that are left.
#[derive(Clone, Copy, Debug)]
struct Pieces;

impl Evaluate<SholoGuti> for Pieces {
    fn evaluate(&self, _: &SholoGuti, state: &<SholoGuti as Game>::State) -> PerSeat<i64> {
        let [a, b] = [Seat::A, Seat::B].map(|seat| state.pieces(seat).len() as i64);
        let mut values = PerSeat::default();
        values[Seat::A] = CERTAIN * a / (a + b);
        values[Seat::B] = CERTAIN - values[Seat::A];
        values
    }
}

/// The value to seat A.
fn minimax(game: &SholoGuti, state: &<SholoGuti as Game>::State, depth: u32) -> i64 {
    let Step::Decide(seat) = game.step(state) else {
        return value_of(game, state, &Pieces)[Seat::A];
    };
    if depth == 0 {
        return value_of(game, state, &Pieces)[Seat::A];
    }
    let mut turns = Default::default();
    game.actions(state, &mut turns);
    let values = turns.iter().map(|turn| {
        let mut next = *state;
        game.play_unchecked(&mut next, turn);
        minimax(game, &next, depth - 1)
    });
    if seat == Seat::A { values.max().unwrap() } else { values.min().unwrap() }
}

#[test]
fn without_chance_it_is_minimax() {
    for rules in [sholo_guti::Rules::standard(), sholo_guti::Rules::forced()] {
        let game = SholoGuti::new(rules).unwrap();
        let mut states = Vec::new();
        for number in 0..40 {
            let mut words = Stream::new(1, "sho/test", number);
            let (mut state, mut turns) = (game.start(), Default::default());
            for _ in 0..words.below(90) {
                game.actions(&state, &mut turns);
                let turn = turns.get(words.below(turns.len() as u32) as usize);
                let mut next = state;
                game.play_unchecked(&mut next, turn);
                if game.step(&next) == Step::Over {
                    break;
                }
                state = next;
            }
            states.push(state);
        }
        compare(&game, &states, Pieces, 3, &all_devices());
        let mut search = Expectimax::new(Limits::depth(4), Pieces);
        for state in &states[..10] {
            let value = search.search(&game, state).values[Seat::A];
            assert_eq!(value, minimax(&game, state, 4), "{}", game.state_text(state));
        }
    }
}

/// What `hard` is, whatever the evaluation: the first of the actions whose successors are worth most.
#[test]
fn one_ply_deep_it_takes_the_best_successor() {
    for (label, rules) in (0..).zip(rule_sets()) {
        let game = Sho::new(rules).unwrap();
        let mut search = Expectimax::new(Limits::depth(1), Race);
        for state in positions(&game, 10, label, |_| true) {
            let (mut actions, mut words) = (Default::default(), Stream::new(1, "sho/test", 0));
            game.actions(&state, &mut actions);
            let seat = seat_of(&game, &state);
            let mut best: Option<(i64, _)> = None;
            for action in actions.iter() {
                let mut next = state;
                game.play_unchecked(&mut next, action);
                let value = value_of(&game, &next, &Race)[seat];
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, action));
                }
            }
            let decision =
                Decision { game: &game, state: &state, seat, actions: &actions, history: &() };
            let action = search.choose(decision, &mut words);
            assert_eq!(Some(action), best.map(|(_, action)| action));
            assert_eq!(search.search(&game, &state).leaves, actions.len() as u64);
        }
    }
}

#[test]
fn a_search_stops_after_its_positions() {
    let (mut deeper, mut whole_as_deep) = (0, 0);
    for (label, rules) in (0..).zip(rule_sets()) {
        let game = Sho::new(rules).unwrap();
        for state in positions(&game, 6, label, |_| true) {
            let search = |limits| Expectimax::new(limits, Race).search(&game, &state);
            let first = search(Limits::depth(1));
            // The first depth is searched whole.
            assert_eq!(search(Limits::nodes(1)), first);
            let more = search(Limits::nodes(700));
            assert!(more.leaves <= 700.max(first.leaves), "{more:?}");
            assert!((1..=MAX_DEPTH).contains(&more.depth));
            deeper += u32::from(more.depth > 2);
            assert_eq!(more, search(Limits::nodes(700)));
            // What was searched to its end is the same by either limit.
            let whole = search(Limits::depth(2));
            let enough = search(Limits { depth: 2, nodes: 100_000 });
            assert_eq!((enough.action, enough.values), (whole.action, whole.values));
            whole_as_deep += u32::from(enough.depth == 2);
        }
    }
    assert!(deeper > 60 && whole_as_deep > 200, "{deeper}, {whole_as_deep}");
}

/// What was searched before, and at which table, leaves no trace.
#[test]
fn a_search_depends_on_nothing_that_was_searched_before() {
    for limits in [Limits::depth(3), Limits::nodes(300)] {
        let mut used = Expectimax::new(limits, Race);
        for (label, rules) in (0..).zip(rule_sets()) {
            let game = Sho::new(rules).unwrap();
            for state in positions(&game, 2, label, |_| true) {
                let fresh = Expectimax::new(limits, Race).search(&game, &state);
                assert_eq!(used.search(&game, &state), fresh);
                assert_eq!(used.search(&game, &state), fresh);
            }
        }
    }
}

/// How many positions are judged: a change that is meant to save some moves these numbers, and no other does.
#[test]
fn it_judges_so_many_positions() {
    for (sides, line, expected) in [
        (3, "4+2:20x1,33x2/3+1:14x1,26x3,41x1/5+0:8x1,30x2,38x1 A move 5 0 70", [3, 122, 5199]),
        (2, "4+2:20x1,33x2/3+1:14x1,26x3,41x1 A move 5 0 70", [3, 70, 1783]),
        (2, "2+4:20x1,33x2/3+1:14x1,26x3,41x1 B move 2,8 0 90", [12, 100, 3024]),
    ] {
        let mut rules = Rules::lhasa();
        rules.sides = sides;
        let game = Sho::new(rules).unwrap();
        let state = game.parse_state(line).unwrap();
        let leaves = [1, 2, 3]
            .map(|depth| Expectimax::new(Limits::depth(depth), Race).search(&game, &state).leaves);
        assert_eq!(leaves, expected, "{line}");
    }
}

#[test]
#[should_panic(expected = "no action is due")]
fn where_dice_are_due_there_is_nothing_to_choose() {
    let game = Sho::new(Rules::lhasa()).unwrap();
    Expectimax::new(Limits::depth(2), Race).search(&game, &game.start());
}
