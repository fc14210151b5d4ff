//! What a lane holds beside a position: [`LaneCounts`].

use super::fields::{FIELD, SIDE, turned};
use crate::seat::Seat;

/// What a lane holds beside a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneCounts {
    /// The casts that each seat has made: less than [`LANE_CASTS`](super::LANE_CASTS) in a lane.
    pub casts: SeatCounts,
    /// What the bot of each seat counts.
    pub bots: SeatCounts,
    /// Decisions made.
    pub decisions: u32,
    /// Turns that ended.
    pub turns: u32,
    /// What whoever plays keeps of the game: nothing that lanes know.
    pub kept: u64,
}

/// A number below 65,536 for each seat, all in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatCounts(u64);

impl SeatCounts {
    /// The number of a seat.
    #[inline(always)]
    #[must_use]
    pub const fn get(self, seat: Seat) -> u16 {
        (self.0 >> (SIDE * seat.index() as u32)) as u16
    }

    /// Sets the number of a seat.
    #[inline(always)]
    pub const fn set(&mut self, seat: Seat, number: u16) {
        let at = SIDE * seat.index() as u32;
        self.0 = self.0 & !(FIELD << at) | (number as u64) << at;
    }

    /// The numbers by sides, the mover's lowest.
    #[inline(always)]
    pub(super) const fn by_sides<const SEATS: usize>(self, mover: Seat) -> u64 {
        turned::<SEATS>(self.0, mover.index())
    }

    /// The numbers that were by sides.
    #[inline(always)]
    pub(super) const fn of_sides<const SEATS: usize>(sides: u64, mover: Seat) -> Self {
        Self(turned::<SEATS>(sides, (SEATS - mover.index()) % SEATS))
    }
}
