//! A position of Sholo Guti as plain, editable data: [`Setup`], and the checked way from it into a game.

use alloc::format;
use alloc::string::{String, ToString};
use core::ops::{Index, IndexMut};

use super::board::{POINTS, Point, Points};
use super::rules::Rules;
use super::turn::PIECES;
use crate::notation::PositionError;
use crate::seat::Seat;

/// A position of Sholo Guti as data that anyone may edit. It may be impossible; [`check`](Self::check) says so, and an
/// engine checks it before it makes a state of it.
///
/// It prints as the position line of the notation, and its points are read by `setup[point]`.
///
/// ```
/// use sho_core::{Seat, sholo_guti::Setup};
/// let mut setup = Setup::start();
/// assert_eq!(setup.to_string(), "ooo/ooo/ooooo/ooooo/...../xxxxx/xxxxx/xxx/xxx x 0 1");
/// setup["c6".parse()?] = None;
/// setup["c4".parse()?] = Some(Seat::B);
/// assert_eq!(setup.to_string(), "ooo/ooo/ooooo/oo.oo/...../xxoxx/xxxxx/xxx/xxx x 0 1");
/// # Ok::<(), sho_core::sholo_guti::NoPoint>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// Whose piece stands on each point, by the point's [index](Point::index).
    pub points: [Option<Seat>; POINTS],
    /// The side to move, `A` or `B`.
    pub mover: Seat,
    /// Turns in a row without a take so far.
    pub quiet: u16,
    /// The number of the turn, from 1.
    pub turn: u32,
}

impl Setup {
    /// The position before the first turn.
    #[must_use]
    pub fn start() -> Self {
        let mut setup = Self::empty();
        for point in Point::ALL {
            setup[point] = match point.row() {
                1..=4 => Some(Seat::A),
                5 => None,
                _ => Some(Seat::B),
            };
        }
        setup
    }

    /// A board without pieces at the first turn, to begin editing with.
    #[must_use]
    pub const fn empty() -> Self {
        Self { points: [None; POINTS], mover: Seat::A, quiet: 0, turn: 1 }
    }

    /// The points on which a side's pieces stand.
    #[must_use]
    pub fn pieces(&self, seat: Seat) -> Points {
        Point::ALL.into_iter().filter(|&point| self[point] == Some(seat)).collect()
    }

    /// Whether the position can be played by these rules: at most sixteen pieces a side, at least one of the side that
    /// has just moved, no more quiet turns than draw the game, and turns counted from 1.
    ///
    /// # Errors
    /// Names the first field that is wrong and what was expected.
    pub fn check(&self, rules: &Rules) -> Result<(), PositionError> {
        let error =
            |field, expected: String, found: String| Err(PositionError { field, expected, found });
        if let Some(seat) = self.points.into_iter().flatten().find(|seat| seat.index() > 1) {
            return error("points", "pieces of two sides, A and B".into(), seat.to_string());
        }
        for seat in Seat::all(2) {
            let count = self.pieces(seat).len();
            if count > PIECES {
                let expected = format!("at most {PIECES} `{}`", super::notation::letter(seat));
                return error("points", expected, count.to_string());
            }
        }
        if self.mover.index() > 1 {
            return error("mover", "side A or B".into(), self.mover.to_string());
        }
        let last = self.mover.next(2);
        if self.pieces(last).is_empty() {
            let letter = super::notation::letter(last);
            return error(
                "points",
                format!("at least one `{letter}`, which has just moved"),
                "none".into(),
            );
        }
        if self.quiet > rules.quiet_turns {
            let expected = format!("at most quiet-turns, {}", rules.quiet_turns);
            return error("quiet", expected, self.quiet.to_string());
        }
        if self.turn == 0 {
            return error("turn", "a number from 1".into(), "0".into());
        }
        Ok(())
    }
}

impl Index<Point> for Setup {
    type Output = Option<Seat>;

    fn index(&self, point: Point) -> &Option<Seat> {
        &self.points[point.index()]
    }
}

impl IndexMut<Point> for Setup {
    fn index_mut(&mut self, point: Point) -> &mut Option<Seat> {
        &mut self.points[point.index()]
    }
}
