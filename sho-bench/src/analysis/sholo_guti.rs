//! Positions of Sholo Guti, analysed by alpha-beta in points.

use sho_ai::search::alphabeta::{AlphaBeta, TABLE_BITS};
use sho_ai::search::{Before, Model, Tactics};
use sho_ai::sholo_guti::Weights;
use sho_core::sholo_guti::{Engine, SholoGuti, Turn, plain};
use sho_core::{Game, Step};

use super::{Analysed, AnalysisError, SearchOptions, SearchedThrow, StackInDanger, Worth};

/// The usual weights: the bot takes no others either.
fn weights(options: &SearchOptions) -> Result<Weights, AnalysisError> {
    match &options.weights {
        None => Ok(Weights::default()),
        Some(_) => Err(AnalysisError::Weights(format!("{} takes none", SholoGuti::NAME))),
    }
}

/// Searches as the bot `alphabeta` does, in the fast engine.
fn search_actions<E: Engine>(
    game: &E,
    state: &E::State,
    options: &SearchOptions,
) -> Result<Vec<(Turn, Worth)>, AnalysisError> {
    let (weights, depth) = (weights(options)?, options.checked_depth()?);
    let own = SholoGuti::new(*game.rules()).expect("the game is played by these rules");
    let own_state = own.state(&game.setup(state)).expect("the game has this position");
    let Step::Decide(seat) = own.step(&own_state) else {
        panic!("no action is due in {state:?}");
    };
    // Of the game before only this position is known: a turn that leads back to it is a draw.
    let before = Before::new([own.key(&own_state)].into_iter());
    let model = Model { evaluation: weights, quiescence: true, draw: weights.draw };
    let mut search = AlphaBeta::new(model, Some(TABLE_BITS));
    let found = search.action_values(&own, &own_state, seat, &before, depth);
    let worth = |(action, value): (Turn, i32)| {
        (action, Worth { value: value.into(), chances: None, exact: value.into() })
    };
    Ok(found.into_iter().map(worth).collect())
}

macro_rules! analysed {
    ($($engine:ty),+) => {$(
        impl Analysed for $engine {
            const SEARCH: &'static str = "alphabeta";
            const UNIT: &'static str = "points";

            fn weights_text(
                _: &Self::Rules,
                options: &SearchOptions,
            ) -> Result<Option<String>, AnalysisError> {
                weights(options).map(|_| None)
            }

            fn search_actions(
                &self,
                state: &Self::State,
                options: &SearchOptions,
            ) -> Result<Vec<(Self::Action, Worth)>, AnalysisError> {
                search_actions(self, state, options)
            }

            fn search_throws(
                &self,
                _: &Self::State,
                _: &SearchOptions,
            ) -> Result<Vec<SearchedThrow<Self>>, AnalysisError> {
                Ok(Vec::new())
            }

            fn stacks_in_danger(&self, _: &Self::State) -> Option<Vec<StackInDanger>> {
                None
            }
        }
    )+};
}

analysed!(SholoGuti, plain::SholoGuti);
