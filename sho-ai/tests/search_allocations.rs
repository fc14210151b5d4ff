//! The bots of Sho allocate nothing once their buffers have their size: not for a decision, nor for anything that a search
//! looks at. What is allocated is counted on the thread that decides.

mod common;

use allocation_counter::measure;
use common::{Race, positions, rule_sets};
use sho_ai::search::alphabeta::Limits;
use sho_ai::search::expectimax::Expectimax;
use sho_ai::{Bots, Decision};
use sho_core::sho::{Actions, Sho, State};
use sho_core::{Game, Step, Stream};

/// Allocations made by `work`.
fn allocations<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let mut done = None;
    let counted = measure(|| done = Some(work()));
    (counted.count_total, done.expect("it was done"))
}

#[test]
fn searches_allocate_nothing() {
    let mut judged = 0;
    for limits in [Limits::depth(3), Limits::nodes(2000)] {
        for (label, rules) in (0..).zip(rule_sets()) {
            let game = Sho::new(rules).unwrap();
            let states = positions(&game, 4, label, |_| true);
            let mut search = Expectimax::new(limits, Race);
            let mut all = || states.iter().map(|state| search.search(&game, state).leaves).sum();
            let first: u64 = all();
            let (made, again) = allocations(all);
            assert_eq!((made, again), (0, first), "{rules}");
            judged += again;
        }
    }
    assert!(judged > 200_000, "{judged}");
}

/// The policies themselves, as they are named: their first decision may make buffers, and none after it.
#[test]
fn decisions_of_bots_allocate_nothing() {
    for text in ["random", "easy", "medium", "hard", "expectimax:depth=2", "expectimax:nodes=500"] {
        let mut decided = 0;
        for (label, rules) in (0..).zip(rule_sets()) {
            let game = Sho::new(rules).unwrap();
            let mut bot = Sho::bot(&game, &Sho::spec(text).unwrap()).unwrap();
            let mut words = Stream::new(1, "sho/bot", 0);
            let decisions: Vec<(State, Actions)> = positions(&game, 4, label, |_| true)
                .into_iter()
                .map(|state| {
                    let mut actions = Actions::default();
                    game.actions(&state, &mut actions);
                    (state, actions)
                })
                .collect();
            let mut decide = || {
                for (state, actions) in &decisions {
                    let Step::Decide(seat) = game.step(state) else { unreachable!() };
                    let decision = Decision { game: &game, state, seat, actions, history: &() };
                    std::hint::black_box(bot.choose(decision, &mut words));
                    decided += 1;
                }
            };
            decide();
            assert_eq!(allocations(decide).0, 0, "{text}, {rules}");
        }
        assert!(decided > 100, "{decided}");
    }
}
