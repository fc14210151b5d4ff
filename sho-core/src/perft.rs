//! Perft: counts of sequences of steps, the test and the yardstick of every move generator.
//!
//! A step is an outcome of chance (for two dice one of 21 throws) or an action. A finished position has no sequences
//! below it. Draws do not finish a line: what is counted is the [game without draws](Game::without_draws).

use alloc::vec::Vec;

use crate::game::{ActionList, Game, Step};

/// How an outcome of chance counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Count {
    /// Once, however likely it is.
    #[default]
    Sequences,
    /// By its number of equally likely ways: 2 of 36 for a 6-3.
    Weighted,
}

/// The number of sequences of exactly `depth` steps from `state`; 1 for depth 0.
///
/// The count wraps around beyond `u128`, which no affordable depth reaches.
///
/// ```
/// use sho_core::{Game, perft::{Count, perft}, sho};
/// let game = sho::plain::Sho::new(sho::Rules::lhasa())?;
/// assert_eq!(perft(&game, &game.start(), 3, Count::Sequences), 441);
/// assert_eq!(perft(&game, &game.start(), 3, Count::Weighted), 36 * 36);
/// # Ok::<(), sho_core::ImpossibleRules>(())
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32, count: Count) -> u128 {
    // One buffer a level, made once: the levels below never touch those above.
    let mut buffers: Vec<G::Actions> = (0..depth).map(|_| G::Actions::default()).collect();
    below(&game.without_draws(), state, count, &mut buffers)
}

fn below<G: Game>(game: &G, state: &G::State, count: Count, buffers: &mut [G::Actions]) -> u128 {
    let Some((actions, buffers)) = buffers.split_first_mut() else { return 1 };
    if buffers.is_empty() && !G::HAS_CHANCE {
        // There are none where the game is over.
        return game.count_actions(state, actions).into();
    }
    match game.step(state) {
        Step::Over => 0,
        Step::Chance(_) => {
            let times =
                |ways, outcomes| u128::from(if count == Count::Weighted { ways } else { outcomes });
            if buffers.is_empty() {
                return game.outcomes(state).map(|(_, ways)| times(ways, 1)).sum();
            }
            game.outcome_classes(state)
                .map(|class| {
                    let mut next = state.clone();
                    game.cast_unchecked(&mut next, class.outcome);
                    times(class.ways, class.outcomes) * below(game, &next, count, buffers)
                })
                .sum()
        }
        Step::Decide(_) => {
            if buffers.is_empty() {
                return game.count_actions(state, actions).into();
            }
            game.actions(state, actions);
            actions
                .iter()
                .map(|action| {
                    let mut next = state.clone();
                    game.play_unchecked(&mut next, action);
                    below(game, &next, count, buffers)
                })
                .sum()
        }
    }
}

/// A first step and the number of sequences that begin with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch<A, O> {
    /// After an outcome of chance.
    Outcome(O, u128),
    /// After an action.
    Action(A, u128),
}

/// The counts of [`perft`] below each first step, in order. Their sum is the whole count.
///
/// Empty where `depth` is 0 or the position is over.
pub fn divide<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    count: Count,
) -> Vec<Branch<G::Action, G::Outcome>> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let game = &game.without_draws();
    match game.step(state) {
        Step::Over => Vec::new(),
        Step::Chance(_) => game
            .outcomes(state)
            .map(|(outcome, ways)| {
                let mut next = state.clone();
                game.cast_unchecked(&mut next, outcome);
                let times = if count == Count::Weighted { ways } else { 1 };
                Branch::Outcome(outcome, u128::from(times) * perft(game, &next, rest, count))
            })
            .collect(),
        Step::Decide(_) => {
            let mut actions = G::Actions::default();
            game.actions(state, &mut actions);
            actions
                .iter()
                .map(|action| {
                    let mut next = state.clone();
                    game.play_unchecked(&mut next, action);
                    Branch::Action(action, perft(game, &next, rest, count))
                })
                .collect()
        }
    }
}
