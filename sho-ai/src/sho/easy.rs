//! The bot that players meet first: [`Easy`].

use std::cmp::Reverse;

use sho_core::sho::{Action, Engine, Landing};
use sho_core::{ActionList, Stream};

use crate::policy::{Decision, Policy};

/// Kills when it can, else joins, else runs furthest; also known as `greedy`. It draws nothing.
///
/// Among the legal actions it takes the greatest by, in this order: a kill before a join before anything else; the gap
/// reached (for going home the distance from the hand, so always more than any gap); the coins that move; the smaller
/// distance; the fewer values spent. What is still equal: the first in the list. Throwing again is chosen only where
/// nothing else is legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Easy;

impl Easy {
    /// What it chooses.
    pub(crate) fn best<E: Engine>(decision: Decision<'_, E>) -> Action {
        let Decision { game, state, actions, .. } = decision;
        let value = |action: Action| {
            let effect = game.effect(state, action);
            let rank = match effect.landing {
                None => None,
                Some(Landing::Kill) => Some(2),
                Some(Landing::Join) => Some(1),
                Some(Landing::Quiet | Landing::Home) => Some(0),
            };
            let cost = (Reverse(action.distance()), Reverse(action.spent().len()));
            (rank, action.landing(), effect.coins, cost)
        };
        let mut best = actions.get(0);
        let mut best_value = value(best);
        for action in actions.iter().skip(1) {
            let value = value(action);
            if value > best_value {
                (best, best_value) = (action, value);
            }
        }
        best
    }
}

impl<E: Engine> Policy<E> for Easy {
    fn choose(&mut self, decision: Decision<'_, E>, _: &mut Stream) -> Action {
        Self::best(decision)
    }

    fn is_trusted(&self) -> bool {
        true
    }
}
