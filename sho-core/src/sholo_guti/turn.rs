//! What a side of Sholo Guti chooses: a [`Turn`], the whole path of a piece.

use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use super::board::{Point, Points, Reach};

/// Pieces of a side, and so the most takes of a turn.
pub const PIECES: usize = 16;

/// A turn: the path of a piece, a step to a neighbour or a run of takes.
///
/// Two paths are two turns even where they lead to the same position. Turns are ordered by path, point by point, a path
/// before its continuations. A turn prints as `c4-c5` or `c4:c6:a6`.
///
/// ```
/// use sho_core::sholo_guti::Turn;
/// let turn: Turn = "c4:c6:a6".parse()?;
/// assert_eq!((turn.start(), turn.end(), turn.takes()), ("c4".parse()?, "a6".parse()?, 2));
/// assert!(turn.taken().iter().eq(["b6".parse()?, "c5".parse()?]));
/// assert!(turn > "c4:c6".parse()? && turn < "c4-d4".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Cells plus one in fields of six bits from the top, zeros behind the last: at most 17 fields of the 21. So comparing
// numbers compares paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn(u128);

const FIELD: u32 = 6;

impl Turn {
    /// The turn with this path, where it is of the form of one: two neighbours, or up to sixteen jumps.
    #[must_use]
    pub fn new(path: &[Point]) -> Option<Self> {
        let (&start, landings) = path.split_first()?;
        if let [end] = landings
            && start.neighbours().contains(*end)
        {
            return Some(Self::step(start.cell(), end.cell()));
        }
        if landings.is_empty() || landings.len() > PIECES {
            return None;
        }
        let mut turn = Self::standing(start.cell());
        for pair in path.windows(2) {
            let landings = Points(Reach::of(pair[0].cell()).landings);
            if !landings.contains(pair[1]) {
                return None;
            }
            turn = turn.then(pair[1].cell());
        }
        Some(turn)
    }

    /// The path of a single point, not yet a turn.
    #[inline]
    pub(super) const fn standing(start: u32) -> Self {
        Self(((start + 1) as u128) << (u128::BITS - FIELD))
    }

    #[inline]
    pub(super) const fn step(start: u32, end: u32) -> Self {
        let high =
            (start as u64 + 1) << (u64::BITS - FIELD) | (end as u64 + 1) << (u64::BITS - 2 * FIELD);
        Self((high as u128) << u64::BITS)
    }

    /// The path with one more point.
    #[inline]
    pub(super) const fn then(self, next: u32) -> Self {
        Self(self.0 | ((next + 1) as u128) << (u128::BITS - FIELD * (self.len() + 1)))
    }

    /// The points of the path: the fields before those that are zero.
    #[inline]
    const fn len(self) -> u32 {
        (u128::BITS - self.0.trailing_zeros()).div_ceil(FIELD)
    }

    #[inline]
    pub(super) const fn start_cell(self) -> u32 {
        (self.0 >> (u128::BITS - FIELD)) as u32 - 1
    }

    #[inline]
    pub(super) const fn end_cell(self) -> u32 {
        (self.0 >> (u128::BITS - FIELD * self.len())) as u32 % (1 << FIELD) - 1
    }

    /// The cells of the path.
    #[inline]
    pub(super) fn cells(self) -> impl Iterator<Item = u32> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let cell = ((rest >> (u128::BITS - FIELD)) as u32).checked_sub(1)?;
            rest <<= FIELD;
            Some(cell)
        })
    }

    /// The point from which the piece starts.
    #[must_use]
    pub const fn start(self) -> Point {
        Point::of_cell(self.start_cell())
    }

    /// The point where it comes to stand.
    #[must_use]
    pub const fn end(self) -> Point {
        Point::of_cell(self.end_cell())
    }

    /// The whole path, start and end included.
    pub fn points(self) -> impl Iterator<Item = Point> {
        self.cells().map(Point::of_cell)
    }

    /// Whether the turn is a step, and not a run of takes.
    #[inline]
    #[must_use]
    pub const fn is_step(self) -> bool {
        // A path of two points that are neighbours: no jump lands on a neighbour of its start.
        let end = self.0 << FIELD >> (u128::BITS - FIELD);
        self.0 << (2 * FIELD) == 0 && self.start().neighbours().0 >> (end - 1) & 1 == 1
    }

    /// The points from which pieces are taken.
    #[inline]
    #[must_use]
    pub fn taken(self) -> Points {
        if self.is_step() { Points::NONE } else { Points(self.crossed()) }
    }

    /// The middles between the cells of the path: what a run of takes crosses.
    #[inline]
    pub(super) fn crossed(self) -> u64 {
        let (mut crossed, mut before) = (0, self.start_cell());
        for cell in self.cells().skip(1) {
            crossed |= 1 << ((before + cell) / 2);
            before = cell;
        }
        crossed
    }

    /// What the turn does to a position, as a number: two turns that are open there lead to the same position exactly
    /// where it is the same. What it is may change from version to version.
    #[inline]
    #[must_use]
    pub fn effect(self) -> u64 {
        let ends = u64::from(self.start_cell()) | u64::from(self.end_cell()) << FIELD;
        ends | self.taken().0 << (2 * FIELD)
    }

    /// How many pieces the turn takes; 0 for a step.
    #[inline]
    #[must_use]
    pub fn takes(self) -> usize {
        if self.is_step() { 0 } else { self.len() as usize - 1 }
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.is_step() { '-' } else { ':' };
        write!(f, "{}", self.start())?;
        self.points().skip(1).try_for_each(|point| write!(f, "{between}{point}"))
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not of the form of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {TURN_FORMS}")]
pub struct NoTurn;

/// The forms of a turn, for messages.
pub(super) const TURN_FORMS: &str =
    "a step to a neighbour as in c4-c5, or a run of jumps as in c4:c6:a6";

impl FromStr for Turn {
    type Err = NoTurn;

    fn from_str(text: &str) -> Result<Self, NoTurn> {
        let mut path = [Point::ALL[0]; PIECES + 1];
        let mut len = 0;
        for point in text.split([':', '-']) {
            *path.get_mut(len).ok_or(NoTurn)? = point.parse().map_err(|_| NoTurn)?;
            len += 1;
        }
        // Printing tells steps from runs, so what prints otherwise is neither.
        Self::new(&path[..len]).filter(|turn| turn.to_string() == text).ok_or(NoTurn)
    }
}
