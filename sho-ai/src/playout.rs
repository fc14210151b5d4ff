//! Whole games of cheap bots, faster than decision by decision: [`Playouts`].
//!
//! The games are the same ones, choice by choice: only the time they take differs. A game that knows such a way says so
//! in [`Bots::playouts`](crate::Bots::playouts), and whoever plays many games asks there first.

use sho_core::{BlockDice, Game, PerSeat, Stream};

mod sho;
mod trace;
mod wide;

pub(crate) use sho::{action_word, outcome_word, sho_playouts};
pub use trace::GameTrace;
pub(crate) use trace::hashed;
pub use wide::has_bit_instructions;

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// How it ended, as an index into [`Game::ENDS`].
    pub end: usize,
    /// Each seat's payoff in twelfths of a win.
    pub payoffs: PerSeat<u32>,
    /// Outcomes of chance.
    pub throws: u32,
    /// Turns begun: runs of steps of one seat.
    pub turns: u32,
    /// Actions chosen, forced ones too.
    pub decisions: u32,
}

/// Plays whole games of bots that were named when it was made.
pub trait Playouts<G: Game>: Send {
    /// Plays one game from `state` to its end on these dice, each seat drawing from its own words. `seating` says which
    /// bot, in the order in which they were named, holds a seat.
    fn play(
        &mut self,
        state: G::State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut PerSeat<Stream>,
    ) -> Played;

    /// Plays the same game, and takes down its course as well: what a [`GameTrace`] that watched it would have.
    fn play_traced(
        &mut self,
        state: G::State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut PerSeat<Stream>,
    ) -> (Played, GameTrace);
}
