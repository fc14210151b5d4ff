//! What searches say of every action and every throw, against the searches in twenty lines.

mod common;

use common::{Grains, Homes, Race, positions, rule_sets};
use sho_ai::Evaluate;
use sho_ai::search::alphabeta::{AlphaBeta, Limits};
use sho_ai::search::expectimax::{Devices, Expectimax};
use sho_ai::search::plain::{expectimax, expectimax_best};
use sho_ai::search::{Before, Model};
use sho_ai::sholo_guti::Weights;
use sho_core::sho::{Rules, Sho};
use sho_core::sholo_guti::{self, SholoGuti};
use sho_core::{ActionList, Game, Notation, PerSeat, RuleSet, Step, Stream};

const NONE: Devices = Devices { star1: false, star2: false, replies: false, memory: None };

/// The usual search, one without any devices, and one whose memory has one place.
fn searches<G: Game, V: Evaluate<G> + Copy>(evaluation: V, depth: u32) -> [Expectimax<G, V>; 3] {
    [Devices::default(), NONE, Devices { memory: Some(0), ..Devices::default() }]
        .map(|devices| Expectimax::with_devices(Limits::depth(depth), evaluation, devices))
}

/// Compares the values of all actions for all seats with the plain search, and says how many actions there were.
fn compare_actions<V: Evaluate<Sho> + Copy>(
    game: &Sho,
    states: &[<Sho as Game>::State],
    evaluation: V,
    depth: u32,
) -> usize {
    let mut searches = searches(evaluation, depth);
    let mut compared = 0;
    for state in states {
        let mut actions = Default::default();
        game.actions(state, &mut actions);
        let expected: Vec<_> = actions
            .iter()
            .map(|action| {
                let mut next = *state;
                game.play_unchecked(&mut next, action);
                (action, expectimax(game, &next, &evaluation, depth - 1))
            })
            .collect();
        for search in &mut searches {
            let found = search.action_values(game, state);
            let line = format!("{}: {}", game.rules().summary(), game.state_text(state));
            assert_eq!(found.actions, expected, "{line}, depth {depth}");
            // The best of them is what the search chooses.
            let choice = search.search(game, state);
            let chosen = found.actions.iter().find(|(action, _)| *action == choice.action).unwrap();
            assert_eq!((chosen.1, found.whole, found.depth), (choice.values, choice.whole, depth));
        }
        compared += expected.len();
    }
    compared
}

#[test]
fn values_of_actions_are_those_of_the_plain_search() {
    let (mut compared, mut exact) = (0, 0);
    for (label, rules) in (0..).zip(rule_sets()) {
        let game = Sho::new(rules).unwrap();
        let states = positions(&game, 10, label, |_| true);
        compared += compare_actions(&game, &states, Race, 1);
        compared += compare_actions(&game, &states, Race, 2);
        compared += compare_actions(&game, &states[..5], Homes, 2);
        compared +=
            compare_actions(&game, &states[5..6], Race, if rules.shells < 64 { 3 } else { 2 });
        if rules.sides == 2 {
            exact += compare_actions(&game, &states, Grains, 2);
        }
    }
    assert!(compared > 1500 && exact > 150, "{compared}, {exact}");
}

/// Positions in which dice are due: those after each throw of the others' positions that leaves nothing to choose, and
/// the starts.
fn throw_positions(game: &Sho, count: usize, label: u64) -> Vec<<Sho as Game>::State> {
    let mut found = vec![game.start()];
    let mut actions = Default::default();
    for mut state in positions(game, 4 * count, label, |_| true) {
        game.actions(&state, &mut actions);
        game.play_unchecked(&mut state, actions.get(actions.len() - 1));
        if matches!(game.step(&state), Step::Chance(_)) {
            found.push(state);
        }
    }
    found.truncate(count);
    found
}

#[test]
fn values_of_throws_are_those_of_the_plain_search() {
    let (mut compared, mut without_choice) = (0, 0);
    for (label, rules) in (50..).zip(rule_sets()) {
        let game = Sho::new(rules).unwrap();
        let deep = rules.sides == 2 && rules.shells < 64;
        for (number, state) in throw_positions(&game, 8, label).into_iter().enumerate() {
            let depth = if deep && number == 3 { 3 } else { 1 + u32::from(number % 4 == 1) };
            let line = format!("{}: {}, {depth}", rules.summary(), game.state_text(&state));
            let expected_mean = expectimax(&game, &state, &Race, depth);
            let mut searches = searches(Race, depth);
            let found = searches[0].throw_values(&game, &state);
            let mut sum = PerSeat::<i64>::default();
            for throw in &found.throws {
                let ways = i64::from(throw.ways);
                sum = PerSeat::from_fn(|seat| sum[seat] + ways * throw.values[seat]);
                let mut next = state;
                game.cast_unchecked(&mut next, throw.outcome);
                let expected = match game.step(&next) {
                    Step::Decide(seat) => {
                        let best = expectimax_best(&game, &next, seat, &Race, depth);
                        (Some(best.0), best.1)
                    }
                    _ => (None, expectimax(&game, &next, &Race, depth - 1)),
                };
                assert_eq!((throw.answer, throw.values), expected, "{line}");
                without_choice += u32::from(throw.answer.is_none());
            }
            assert_eq!(sum, expected_mean, "{line}");
            for search in &mut searches[1..] {
                assert_eq!(search.throw_values(&game, &state).throws, found.throws, "{line}");
            }
            compared += 1;
        }
    }
    assert!(compared > 200 && without_choice > 200, "{compared}, {without_choice}");
}

#[test]
#[should_panic(expected = "no dice are due")]
fn where_an_action_is_due_there_is_no_throw() {
    let game = Sho::new(Rules::lhasa()).unwrap();
    let mut state = game.start();
    game.cast_unchecked(&mut state, "4-3".parse().unwrap());
    Expectimax::new(Limits::depth(1), Race).throw_values(&game, &state);
}

/// Without chance: alpha-beta with a window that is open for every action, where positions that stood before are draws.
#[test]
fn values_of_turns_are_those_of_the_plain_search() {
    let (mut compared, mut drawn) = (0, 0);
    for number in 0..60 {
        let rules = [sholo_guti::Rules::standard(), sholo_guti::Rules::forced()][number % 2];
        let game = SholoGuti::new(rules).unwrap();
        let mut words = Stream::new(1, "sho/test", number as u64);
        let (mut state, mut turns) = (game.start(), Default::default());
        let mut keys = Vec::new();
        for _ in 0..words.below(70) {
            game.actions(&state, &mut turns);
            let turn = turns.get(words.below(turns.len() as u32) as usize);
            let mut next = state;
            game.play_unchecked(&mut next, turn);
            if game.step(&next) == Step::Over {
                break;
            }
            keys.push(sho_ai::search::Tactics::key(&game, &state));
            state = next;
        }
        let Step::Decide(seat) = game.step(&state) else { unreachable!() };
        let before = Before::new(keys.into_iter());
        for quiescence in [false, true] {
            let model = Model { evaluation: Weights::default(), quiescence, draw: -3 };
            let mut search = AlphaBeta::new(model.clone(), Some(8));
            // With takes played on the plain search takes long: not as deep.
            for depth in 1..=if quiescence { 1 } else { 2 } {
                game.actions(&state, &mut turns);
                let found = search.action_values(&game, &state, seat, &before, depth);
                assert!(found.iter().map(|&(action, _)| action).eq(turns.iter()));
                for (action, value) in found {
                    let mut next = state;
                    game.play_unchecked(&mut next, action);
                    let expected = -model.value(&game, &next, seat.next(2), &before, 1, depth - 1);
                    let line = game.state_text(&state);
                    assert_eq!(value, expected, "{line} {action:?}, depth {depth}");
                    compared += 1;
                    drawn += u32::from(value.abs() == 3);
                }
            }
        }
    }
    assert!(compared > 2000 && drawn > 10, "{compared}, {drawn}");
}
