//! The search of games of chance against the one in twenty lines.

mod common;

use common::{Homes, Race, positions, rule_sets};
use sho_ai::evaluate::{CERTAIN, Evaluate, value_of};
use sho_ai::search::alphabeta::Limits;
use sho_ai::search::expectimax::{Choice, Devices, Expectimax};
use sho_ai::search::plain::expectimax_best;
use sho_core::sho::{Phase, Rules, Sho, plain};
use sho_core::sholo_guti::{self, SholoGuti};
use sho_core::{ActionList, Game, Notation, PerSeat, RuleSet, Seat, Step};

/// All choices of devices that make a difference.
fn devices() -> Vec<Devices> {
    let mut all = vec![Devices { star1: false, star2: false, replies: false, memory: None }];
    for (star2, replies) in [(false, false), (false, true), (true, false), (true, true)] {
        all.push(Devices { star1: true, star2, replies, memory: None });
    }
    let memories = [(false, 4), (false, 10), (true, 2), (true, 10)].map(|(star1, bits)| Devices {
        star1,
        star2: star1,
        replies: true,
        memory: Some(bits),
    });
    all.extend(memories);
    all
}

/// Compares choices and all values with the plain search.
fn compare<G: Notation, V: Evaluate<G> + Copy>(
    game: &G,
    states: &[G::State],
    evaluation: V,
    depth: u32,
) {
    let limits = Limits::depth(depth);
    let mut searches: Vec<_> = devices()
        .into_iter()
        .map(|devices| Expectimax::with_devices(limits, evaluation, devices))
        .collect();
    for state in states {
        let Step::Decide(seat) = game.step(state) else { unreachable!() };
        let expected = expectimax_best(game, state, seat, &evaluation, depth);
        for (search, devices) in searches.iter_mut().zip(devices()) {
            let choice = search.search(game, state);
            let line = format!("{} {} depth {depth} {devices:?}", game.rules().summary(), game.state_text(state));
            assert_eq!((choice.action, choice.values), expected, "{line}");
            assert_eq!(choice.values.as_slice(game.seats()).iter().sum::<i64>(), choice.whole, "{line}");
            assert_eq!(choice.whole, CERTAIN * i64::from(game.ways()).max(1).pow(depth - 1));
        }
    }
}

#[test]
fn choices_and_values_are_those_of_the_plain_search() {
    let mut compared = 0;
    let mut phases = [0; 2];
    for (label, rules) in (0..).zip(rule_sets()) {
        let game = Sho::new(rules).unwrap();
        let states = positions(&game, 60, label);
        for state in &states {
            let text = game.state_text(state);
            phases[usize::from(text.contains(" pair "))] += 1;
        }
        compare(&game, &states, Race, 1);
        compare(&game, &states, Homes, 1);
        compare(&game, &states, Race, 2);
        compare(&game, &states, Homes, 2);
        compare(&game, &states[..4], Race, 3);
        compare(&game, &states[..4], Homes, 3);
        compared += states.len();
    }
    println!("{compared} positions, {phases:?}");
    assert!(compared > 2000 && phases[1] > 50, "{compared} {phases:?}");
}
