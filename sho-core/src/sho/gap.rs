//! A place on the spiral: [`Gap`].

use core::fmt;

/// The greatest gap of the largest board.
pub const MAX_GAP: u8 = 63;

/// A gap between two shells where coins may stand: gap `k` is the one after shell `k`, 1 to 63.
///
/// ```
/// use sho_core::sho::Gap;
/// assert_eq!(Gap::new(9).map(Gap::number), Some(9));
/// assert_eq!(Gap::new(64), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gap(u8);

impl Gap {
    /// Gap 2, where the pair of a pa ra enters.
    pub const TWO: Self = Self(2);
    /// Gap 9, where the coins of a six-three enter.
    pub const NINE: Self = Self(9);

    /// Gap `number`, where there is one on the largest board.
    #[inline]
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= MAX_GAP { Some(Self(number)) } else { None }
    }

    /// The gap's number: its distance from the hand.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The gap's number as an index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
