//! Who sits where: [`Seat`] and data kept by seat, [`PerSeat`].

use core::fmt;
use core::ops::{Index, IndexMut};

/// The most seats that any game of this crate has.
pub const MAX_SEATS: usize = 4;

/// A seat at the table, in the order in which turns go round. `A` begins.
///
/// ```
/// use sho_core::Seat;
/// assert_eq!(Seat::C.next(3), Seat::A);
/// assert_eq!(Seat::from_letter('B'), Some(Seat::B));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Seat {
    /// The first seat.
    A,
    /// The second seat.
    B,
    /// The third seat.
    C,
    /// The fourth seat.
    D,
}

impl Seat {
    /// All seats in the order of turns.
    pub const ALL: [Self; MAX_SEATS] = [Self::A, Self::B, Self::C, Self::D];

    /// The seat's number from 0.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The seat with number `index`, where there is one.
    #[inline]
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < MAX_SEATS { Some(Self::ALL[index]) } else { None }
    }

    /// The seats of a table with `seats` seats, in the order of turns.
    pub fn all(seats: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        Self::ALL.into_iter().take(seats)
    }

    /// The seat's letter, `A` to `D`.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'A' + self as u8) as char
    }

    /// The seat with this letter, upper case only.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'A' => Some(Self::A),
            'B' => Some(Self::B),
            'C' => Some(Self::C),
            'D' => Some(Self::D),
            _ => None,
        }
    }

    /// The seat whose turn follows at a table with `seats` seats.
    #[inline]
    #[must_use]
    pub const fn next(self, seats: usize) -> Self {
        let next = self as usize + 1;
        if next < seats { Self::ALL[next] } else { Self::A }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// One `T` for each seat. At a table with fewer than [`MAX_SEATS`] seats the others hold the default value.
///
/// ```
/// use sho_core::{PerSeat, Seat};
/// let mut wins = PerSeat::<u32>::default();
/// wins[Seat::B] += 1;
/// assert_eq!(wins.as_slice(3), [0, 1, 0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PerSeat<T>([T; MAX_SEATS]);

impl<T> PerSeat<T> {
    /// Asks `value` for each seat's value, seats beyond the table included.
    pub fn from_fn(value: impl FnMut(Seat) -> T) -> Self {
        Self(Seat::ALL.map(value))
    }

    /// The values of the first `seats` seats.
    ///
    /// # Panics
    /// If `seats` is above [`MAX_SEATS`].
    pub fn as_slice(&self, seats: usize) -> &[T] {
        &self.0[..seats]
    }

    /// The seats of a table with `seats` seats, each with its value.
    pub fn iter(&self, seats: usize) -> impl Iterator<Item = (Seat, &T)> {
        Seat::all(seats).zip(&self.0)
    }

    /// The same with values that can be changed.
    pub fn iter_mut(&mut self, seats: usize) -> impl Iterator<Item = (Seat, &mut T)> {
        Seat::all(seats).zip(&mut self.0)
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    #[inline]
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    #[inline]
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}
