//! The bot that looks at what each of its actions leads to: [`Greedy`].

use sho_core::{ActionList, Game, Stream};

use crate::evaluate::{Evaluate, value_by};
use crate::policy::{Decision, Policy};

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
        let Decision { game, state, seat, actions, .. } = decision;
        let mut best = actions.get(0);
        let mut best_value = i64::MIN;
        let mut judge = self.evaluation.near(game, state);
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

    fn is_trusted(&self) -> bool {
        true
    }
}
