//! The bot that players meet first: [`Easy`].

use sho_core::sholo_guti::{Engine, Turn};
use sho_core::{ActionList, Stream};

use crate::policy::{Decision, Policy};

/// Takes the most it can, and goes where the reply takes the least; also known as `greedy`. It draws nothing.
///
/// Among the legal turns it takes the greatest by, in this order: more pieces taken; fewer pieces that the best single
/// turn of the reply can take from it. What is still equal: the first in the list. So without a take in sight it steps
/// where it is safe, and of two runs that take as many it chooses the one that ends out of reach. It looks no further:
/// neither whether the reply's run can be answered, nor at wins by blocking, nor at draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Easy;

impl<E: Engine> Policy<E> for Easy {
    fn choose(&mut self, decision: Decision<'_, E>, _: &mut Stream) -> Turn {
        let Decision { game, state, actions, .. } = decision;
        let most = actions.iter().map(Turn::takes).max().unwrap_or(0);
        let loss = |turn: Turn| {
            let mut next = state.clone();
            game.play_unchecked(&mut next, turn);
            game.most_takes(&next)
        };
        let best = actions.iter().filter(|turn| turn.takes() == most);
        // The first of the least: `min_by_key` keeps the earlier of equals.
        best.min_by_key(|&turn| loss(turn)).unwrap_or_else(|| actions.get(0))
    }

    fn is_trusted(&self) -> bool {
        true
    }
}
