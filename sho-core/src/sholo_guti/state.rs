//! A position of the fast engine: [`State`].

use super::board::{CELLS, FIRST_HOME, Points, SECOND_HOME};
use super::generate::Pieces;
use crate::seat::Seat;

/// A position of the fast engine.
// The pieces are kept as the side to move sees them, so no turn asks whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(super) pieces: Pieces,
    pub(super) turn: u32,
    pub(super) quiet: u16,
    pub(super) mover: Seat,
    /// Whether the position stands for the time that draws the game. Set by play that remembers, never by a line.
    pub(super) repeated: bool,
}

impl State {
    pub(super) const START: Self = Self {
        pieces: Pieces { own: FIRST_HOME, enemy: SECOND_HOME },
        turn: 1,
        quiet: 0,
        mover: Seat::A,
        repeated: false,
    };

    /// The pieces of a side.
    #[inline]
    #[must_use]
    pub fn pieces(&self, seat: Seat) -> Points {
        Points(if seat == self.mover { self.pieces.own } else { self.pieces.enemy })
    }

    /// A side's pieces that the other side could jump at once, if it were to move.
    #[inline]
    #[must_use]
    pub fn exposed(&self, seat: Seat) -> Points {
        Points(if seat == self.mover { self.pieces.swapped() } else { self.pieces }.exposed())
    }

    /// How many steps a side would have, if it were to move and free to step.
    #[inline]
    #[must_use]
    pub fn steps(&self, seat: Seat) -> u32 {
        if seat == self.mover { self.pieces } else { self.pieces.swapped() }.count_steps() as u32
    }

    /// The position as a number, the same exactly for the same pieces with the same side to move: 45 bits for the cells
    /// of either side and one for the side to move. What it is may change from version to version.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u128 {
        let Pieces { own, enemy } = self.pieces;
        let cells = u128::from(own) | u128::from(enemy) << CELLS;
        cells | (self.mover as u128) << (2 * CELLS)
    }

    /// The side to move, also where it has lost or the game is drawn.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Seat {
        self.mover
    }

    /// Turns in a row without a take so far.
    #[must_use]
    pub const fn quiet(&self) -> u16 {
        self.quiet
    }

    /// The number of the turn, from 1.
    #[must_use]
    pub const fn turn(&self) -> u32 {
        self.turn
    }
}
