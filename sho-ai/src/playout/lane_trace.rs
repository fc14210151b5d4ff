//! The courses of games in step: [`LaneTracer`].

use sho_core::Game;
use sho_core::sho::{LaneThrow, Moves, Pick, Sho};

use super::cheap::{cast_word, moved_to, opened, pick_word};
use super::course::Course;
use super::trace::GameTrace;

/// Takes down the course of games in lanes, as a game of its own is taken down.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneTracer {
    /// The last gap before home.
    last_gap: u64,
}

impl LaneTracer {
    pub(super) fn new(game: &Sho) -> Self {
        Self { last_gap: u64::from(game.rules().shells) - 1 }
    }
}

/// The bits of a trace after another word.
#[inline(always)]
const fn mixed(kept: u64, word: u64) -> u64 {
    let mut trace = GameTrace::of_bits(kept);
    trace.mix(word);
    trace.bits()
}

impl Course for LaneTracer {
    const KEEPS: bool = true;

    #[inline(always)]
    fn cast(self, kept: u64, seat: u64, throw: u64) -> u64 {
        mixed(kept, cast_word(seat, LaneThrow::faces(throw)))
    }

    #[inline(always)]
    fn step(self, kept: u64, seat: u64, throw: u64, source: u64) -> u64 {
        let after_cast = self.cast(kept, seat, throw);
        let distance = throw & 15;
        let to_go = u64::from(source.trailing_zeros());
        let landing = (distance + self.last_gap).wrapping_sub(to_go);
        let after_move = mixed(after_cast, moved_to(distance, landing));
        if source == 0 { after_cast } else { after_move }
    }

    #[inline(always)]
    fn open(self, kept: u64, seat: u64, throw: u64) -> u64 {
        mixed(self.cast(kept, seat, throw), opened(throw & 15))
    }

    #[inline(always)]
    fn pick(self, kept: u64, moves: Moves, pick: Pick) -> u64 {
        mixed(kept, pick_word(self.last_gap as i32, moves, pick))
    }
}
