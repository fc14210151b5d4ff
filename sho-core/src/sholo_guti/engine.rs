//! What the engines of Sholo Guti have in common: [`Engine`].

use alloc::vec::Vec;
use core::convert::Infallible;

use super::rules::Rules;
use super::setup::Setup;
use super::turn::Turn;
use crate::game::{ActionList, Game};
use crate::notation::PositionError;

/// An engine of Sholo Guti: a [`Game`] that also converts its states to and from [`Setup`]s.
///
/// There are two, which judge one another: [`SholoGuti`](super::SholoGuti), the fast one, and
/// [`plain::SholoGuti`](super::plain::SholoGuti), the one to read.
pub trait Engine: Game<Rules = Rules, Action = Turn, Outcome = Infallible> {
    /// The state as a setup, which does not hold whether it is drawn by repetition.
    fn setup(&self, state: &Self::State) -> Setup;

    /// The state that a setup describes: the checked door into the engine.
    ///
    /// # Errors
    /// Where the setup is not a position of these rules: the field and what was expected.
    fn state(&self, setup: &Setup) -> Result<Self::State, PositionError>;

    /// The positions that play remembers, in the order in which they stood: those since the last take, the present one
    /// last. Of each only the pieces and the side to move mean anything.
    fn remembered(&self, history: &Self::History) -> Vec<Setup>;

    /// The most pieces that a legal turn takes; 0 where none takes any, or the game is over.
    fn most_takes(&self, state: &Self::State) -> usize {
        let mut turns = Self::Actions::default();
        self.actions(state, &mut turns);
        turns.iter().map(Turn::takes).max().unwrap_or(0)
    }
}
