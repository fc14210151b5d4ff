//! The games that are played in step: [`Batch`], and those of a rollout.

use std::ops::Range;

use sho_core::sho::{Counted, Sho, State};
use sho_core::{Key, PerSeat, Seat};

use super::Played;
use super::course::TurnCasts;
use super::lane_dice::DiceOf;
use crate::arena::{BOT_LABEL, bot_stream};
use crate::rollout::{ROLLOUT_LABEL, RolloutBatch, words_of};

/// The games of some blocks: each block in each seating, in this order.
#[derive(Clone, Debug)]
pub struct Batch<'a> {
    /// The master seed of dice and bots.
    pub seed: u64,
    /// The blocks.
    pub blocks: Range<u64>,
    /// Which bot, in the order in which they were named, holds a seat. The place in this list chooses the bots' words.
    pub seatings: &'a [PerSeat<usize>],
}

/// Games, each of which is known by its number among them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'a> {
    /// Those of a batch from one start.
    Batch { start: &'a State, batch: &'a Batch<'a> },
    /// Those of a rollout: the bots sit in the order in which they were named.
    Rollout(&'a RolloutBatch<'a, State>),
}

/// How a game begins.
pub(super) struct Begins<'a> {
    pub(super) state: &'a State,
    /// The block whose dice are its.
    pub(super) block: u64,
    /// The number of the stream of words of seat A.
    pub(super) words: u64,
    /// Which bot holds a seat.
    pub(super) held_by: PerSeat<usize>,
    /// Turns that ended before.
    pub(super) turns: u32,
    /// Actions before.
    pub(super) decisions: u32,
    /// What is kept of it.
    pub(super) kept: u64,
}

impl<'a> Source<'a> {
    /// The master seed.
    pub(super) const fn seed(self) -> u64 {
        match self {
            Self::Batch { batch, .. } => batch.seed,
            Self::Rollout(batch) => batch.seed,
        }
    }

    /// Whose dice are thrown.
    pub(super) const fn dice(self) -> DiceOf {
        match self {
            Self::Batch { .. } => DiceOf::Blocks,
            Self::Rollout(_) => DiceOf::Rollout,
        }
    }

    /// The key of the words under a master seed.
    pub(super) fn words(self, seed: u64) -> Key {
        match self {
            Self::Batch { .. } => Key::new(seed, BOT_LABEL),
            Self::Rollout(_) => Key::new(seed, ROLLOUT_LABEL),
        }
    }

    /// How many games there are.
    pub(super) fn games(self) -> usize {
        let many = |range: &Range<u64>| range.end.saturating_sub(range.start) as usize;
        match self {
            Self::Batch { batch, .. } => many(&batch.blocks) * batch.seatings.len(),
            Self::Rollout(batch) => many(&batch.games) * batch.lines.len(),
        }
    }

    /// How a game begins.
    #[inline(always)]
    pub(super) fn begins(self, number: usize) -> Begins<'a> {
        match self {
            Self::Batch { start, batch } => {
                let block = batch.blocks.start + (number / batch.seatings.len()) as u64;
                let seating = number % batch.seatings.len();
                Begins {
                    state: start,
                    block,
                    words: bot_stream(block, seating, Seat::A),
                    held_by: batch.seatings[seating],
                    turns: 0,
                    decisions: 0,
                    kept: 0,
                }
            }
            Self::Rollout(batch) => {
                let game = batch.games.start + (number / batch.lines.len()) as u64;
                let line = batch.line(number);
                Begins {
                    state: &line.state,
                    block: game,
                    words: words_of(game),
                    held_by: PerSeat::from_fn(Seat::index),
                    turns: line.turns,
                    decisions: line.decisions,
                    kept: TurnCasts::begun(line.turn_of),
                }
            }
        }
    }

    /// How a game went that is over in `state`, and counted so much.
    #[inline(always)]
    pub(super) fn played(
        self,
        game: &Sho,
        number: usize,
        state: &State,
        counted: Counted,
    ) -> Played {
        let mut played = Played::of(game, state, counted);
        if let Self::Rollout(batch) = self {
            played.throws -= u32::from(batch.line(number).state.throws());
        }
        played
    }
}
