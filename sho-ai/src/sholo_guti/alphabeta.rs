//! The bot that looks ahead: [`Searcher`].

use sho_core::sholo_guti::{Engine, SholoGuti, Turn};
use sho_core::{Game, Stream};

use super::weights::Weights;
use crate::policy::{Decision, Policy};
use crate::search::alphabeta::{AlphaBeta, Limits, TABLE_BITS};
use crate::search::{Before, Model, Tactics};

/// Searches each position by [`AlphaBeta`] and takes the best turn; of equals the first in the list. It draws nothing.
///
/// Whatever engine the game is played by, it thinks in the fast one.
#[derive(Clone, Debug)]
pub struct Searcher {
    search: AlphaBeta<SholoGuti, Weights>,
    limits: Limits,
    game: Option<SholoGuti>,
}

impl Searcher {
    /// A bot that judges positions by these weights.
    #[must_use]
    pub fn new(weights: Weights, limits: Limits) -> Self {
        let model = Model { evaluation: weights, quiescence: true, draw: weights.draw };
        Self { search: AlphaBeta::new(model, Some(TABLE_BITS)), limits, game: None }
    }
}

impl<E: Engine> Policy<E> for Searcher {
    fn choose(&mut self, decision: Decision<'_, E>, _: &mut Stream) -> Turn {
        let Decision { game, state, seat, history, .. } = decision;
        let rules = game.rules();
        let own = match &self.game {
            Some(own) if own.rules() == rules => *own,
            _ => SholoGuti::new(*rules).expect("the game is played by these rules"),
        };
        self.game = Some(own);
        let position = |setup| own.state(&setup).expect("the game is played from this position");
        let before = game.remembered(history).into_iter().map(|setup| own.key(&position(setup)));
        let before = Before::new(before);
        self.search.search(&own, &position(game.setup(state)), seat, &before, self.limits).action
    }

    fn is_trusted(&self) -> bool {
        true
    }
}
