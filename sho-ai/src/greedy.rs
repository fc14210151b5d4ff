//! The bot that looks at what each of its actions leads to: [`Greedy`].

use sho_core::{ActionList, Game, PerSeat, Stream};

use crate::evaluate::{Evaluate, value_by};
use crate::policy::{Decision, Policy};

/// So many actions make it worthwhile to find first what the positions after them have in common.
const WORTH_IT: usize = 3;

/// Chooses the action whose position is worth most to its own seat by an evaluation; of equal ones the first in the
/// list. It draws nothing.
///
/// It is what a search of depth one is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy<V> {
    evaluation: V,
}

impl<V> Greedy<V> {
    /// A bot that plays by this evaluation.
    pub const fn new(evaluation: V) -> Self {
        Self { evaluation }
    }
}

impl<G: Game, V: Evaluate<G>> Policy<G> for Greedy<V> {
    fn choose(&mut self, decision: Decision<'_, G>, _: &mut Stream) -> G::Action {
        let (game, state) = (decision.game, decision.state);
        if decision.actions.len() < WORTH_IT {
            best(decision, |after| self.evaluation.evaluate(game, after))
        } else {
            best(decision, self.evaluation.near(game, state))
        }
    }

    fn is_trusted(&self) -> bool {
        true
    }
}

/// The first action of those that lead to what is worth most, by what `judge` says of it.
#[inline(always)]
fn best<G: Game>(
    decision: Decision<'_, G>,
    mut judge: impl FnMut(&G::State) -> PerSeat<i64>,
) -> G::Action {
    let Decision { game, state, seat, actions, .. } = decision;
    let mut best = actions.get(0);
    let mut best_value = i64::MIN;
    for action in actions.iter() {
        let mut after = state.clone();
        game.play_unchecked(&mut after, action);
        let value = value_by(game, &after, &mut judge)[seat];
        if value > best_value {
            (best, best_value) = (action, value);
        }
    }
    best
}
