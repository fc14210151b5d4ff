//! Whole games of cheap bots, faster than decision by decision: [`Playouts`].
//!
//! The games are the same ones, choice by choice: only the time they take differs. A game that knows such a way says so
//! in [`Bots::playouts`](crate::Bots::playouts), and whoever plays many games asks there first.

use sho_core::sho::{Counted, Sho, State};
use sho_core::{BlockDice, Game, PerSeat, SeatStreams};

use crate::rollout::RolloutBatch;

mod cheap;
mod course;
mod in_step;
mod lane_bots;
mod lane_dice;
mod lane_fortune;
mod lane_source;
mod lane_trace;
mod lane_words;
mod make;
mod sho;
#[cfg(test)]
mod tests;
mod trace;
mod wide;

pub(crate) use cheap::{action_word, outcome_word};
pub use lane_source::Batch;
pub(crate) use make::make_dice;
pub(crate) use sho::sho_playouts;
pub use trace::GameTrace;
pub(crate) use trace::hashed;
pub use wide::Processor;

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

impl Played {
    /// How a game of Sho that is over went.
    fn of(game: &Sho, state: &State, counted: Counted) -> Self {
        Self {
            end: game.end(state).unwrap_or_default(),
            payoffs: game.payoffs(state),
            throws: state.throws().into(),
            // The last turn is followed by none.
            turns: counted.turns + 1,
            decisions: counted.decisions,
        }
    }
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
        words: &mut SeatStreams,
    ) -> Played;

    /// Plays the same game, and takes down its course as well: what a [`GameTrace`] that watched it would have.
    fn play_traced(
        &mut self,
        state: G::State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut SeatStreams,
    ) -> (Played, GameTrace);

    /// Whether many games of a batch from `start` are played at once: else a batch is only its games one after another.
    fn plays_at_once(&self, start: &G::State) -> bool;

    /// Plays the games of some blocks from `start`, and adds how they went to `played`: block by block, and in it seating by
    /// seating. Dice and words are those of the [arena](crate::arena), so that each is the game of its address. Where their
    /// courses are asked for, they are added to `traces` in the same order.
    fn play_batch(
        &mut self,
        start: &G::State,
        batch: &Batch<'_>,
        played: &mut Vec<Played>,
        traces: Option<&mut Vec<GameTrace>>,
    );

    /// Plays games of a rollout, and adds how they went to `played`: number by number, and in it line by line. What they
    /// count begins with their line: throws before it do not count, actions and turns of its opening do. The bots sit in the
    /// order in which they were named; dice and words are those of the [rollout](crate::rollout), so that each is the game that
    /// the [arena](crate::arena) plays on them.
    fn roll_out(&mut self, batch: &RolloutBatch<'_, G::State>, played: &mut Vec<Played>);
}
