//! Two dice: [`Throw`], its twelve [classes](ThrowClass), and the dice of a block, [`BlockDice`].

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::game::OutcomeClass;
use crate::seat::{PerSeat, Seat};
use crate::stream::Stream;

/// The label of the dice streams.
pub const DICE_LABEL: &str = "sho/dice";

/// The ways two dice can fall, all equally likely.
pub const WAYS: u32 = 36;

/// A throw of two dice, an unordered pair of faces.
///
/// ```
/// use sho_core::Throw;
/// let throw: Throw = "3-6".parse()?;
/// assert_eq!((throw.total(), throw.ways(), throw.is_six_three()), (9, 2, true));
/// assert_eq!(throw.to_string(), "6-3");
/// # Ok::<(), sho_core::dice::ThrowError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
// The larger face in the high four bits, so that throws are in their order.
pub struct Throw(u8);

impl Throw {
    /// All 21 throws in their order: 1-1, 2-1, 2-2, 3-1, ... 6-6.
    pub const ALL: [Self; 21] = {
        let mut all = [Self(0); 21];
        let (mut index, mut larger) = (0, 1);
        while larger <= 6 {
            let mut smaller = 1;
            while smaller <= larger {
                all[index] = Self::of(larger, smaller);
                index += 1;
                smaller += 1;
            }
            larger += 1;
        }
        all
    };

    const fn of(one: u8, other: u8) -> Self {
        if one >= other { Self(one << 4 | other) } else { Self(other << 4 | one) }
    }

    /// The throw with these faces, in either order; nothing where a face is not 1 to 6.
    #[inline]
    #[must_use]
    pub const fn new(one: u8, other: u8) -> Option<Self> {
        if one < 1 || one > 6 || other < 1 || other > 6 {
            return None;
        }
        Some(Self::of(one, other))
    }

    /// The throw of way number `way` of 36: faces `1 + way / 6` and `1 + way % 6`.
    ///
    /// # Panics
    /// If `way` is 36 or more.
    #[inline]
    #[must_use]
    pub const fn from_way(way: u32) -> Self {
        // A table: two divisions and a comparison for each cast would cost more than everything else about dice.
        static BY_WAY: [Throw; WAYS as usize] = {
            let mut table = [Throw(0); WAYS as usize];
            let mut way = 0;
            while way < table.len() {
                table[way] = Throw::of(1 + way as u8 / 6, 1 + way as u8 % 6);
                way += 1;
            }
            table
        };
        BY_WAY[way as usize]
    }

    /// The larger face, 1 to 6.
    #[inline]
    #[must_use]
    pub const fn larger(self) -> u8 {
        self.0 >> 4
    }

    /// The smaller face, 1 to 6.
    #[inline]
    #[must_use]
    pub const fn smaller(self) -> u8 {
        self.0 & 15
    }

    /// The sum of the faces, 2 to 12.
    #[inline]
    #[must_use]
    pub const fn total(self) -> u8 {
        self.larger() + self.smaller()
    }

    /// Of 36: 1 for doubles, else 2.
    #[must_use]
    pub const fn ways(self) -> u32 {
        if self.larger() == self.smaller() { 1 } else { 2 }
    }

    /// Whether it is the pa ra, 1-1.
    #[inline]
    #[must_use]
    pub const fn is_pa_ra(self) -> bool {
        self.0 == Self::of(1, 1).0
    }

    /// Whether it is 6-3.
    #[inline]
    #[must_use]
    pub const fn is_six_three(self) -> bool {
        self.0 == Self::of(6, 3).0
    }

    /// The class of throws that it belongs to.
    #[must_use]
    pub fn class(self) -> ThrowClass {
        let index = match self.total() {
            9 if self.is_six_three() => 7,
            total @ 2..=8 => usize::from(total) - 2,
            total => usize::from(total) - 1,
        };
        ThrowClass::ALL[index]
    }
}

impl fmt::Display for Throw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.larger(), self.smaller())
    }
}

impl fmt::Debug for Throw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A text that is not a throw.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a throw: expected two faces from 1 to 6, as in `6-3`")]
pub struct ThrowError(pub String);

impl FromStr for Throw {
    type Err = ThrowError;

    /// Reads two faces in either order, as in `6-3` or `3-6`.
    fn from_str(text: &str) -> Result<Self, ThrowError> {
        let face = |byte: u8| byte.wrapping_sub(b'0');
        match text.as_bytes() {
            &[one, b'-', other] => Self::new(face(one), face(other)),
            _ => None,
        }
        .ok_or_else(|| ThrowError(text.into()))
    }
}

/// Throws that mean the same to the rules: only the total counts, and a 9 by 6-3 is apart from a 9 by 5-4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThrowClass {
    /// The total, 2 to 12.
    pub total: u8,
    /// Whether it is the 6-3.
    pub six_three: bool,
    /// How many of the 36 ways fall into the class.
    pub ways: u32,
    /// How many of the 21 throws fall into the class.
    pub throws: u32,
    /// One of its throws.
    pub throw: Throw,
}

impl ThrowClass {
    /// The twelve classes: 2 to 8, 9 by 6-3, 9 by 5-4, 10 to 12.
    ///
    /// Their order is by total with the 6-3 first; [`Throw::class`] depends on it.
    pub const ALL: [Self; 12] = {
        const fn class(larger: u8, smaller: u8, ways: u32, throws: u32) -> ThrowClass {
            let six_three = larger == 6 && smaller == 3;
            ThrowClass {
                total: larger + smaller,
                six_three,
                ways,
                throws,
                throw: Throw::of(larger, smaller),
            }
        }
        [
            class(1, 1, 1, 1),
            class(2, 1, 2, 1),
            class(2, 2, 3, 2),
            class(3, 2, 4, 2),
            class(3, 3, 5, 3),
            class(4, 3, 6, 3),
            class(4, 4, 5, 3),
            class(6, 3, 2, 1),
            class(5, 4, 2, 1),
            class(5, 5, 3, 2),
            class(6, 5, 2, 1),
            class(6, 6, 1, 1),
        ]
    };

    /// The classes as a [`Game`](crate::Game) of two dice hands them out.
    pub fn outcomes() -> impl Iterator<Item = OutcomeClass<Throw>> {
        Self::ALL.into_iter().map(|class| OutcomeClass {
            outcome: class.throw,
            ways: class.ways,
            outcomes: class.throws,
        })
    }
}

/// The dice of one block: the `n`-th cast of a seat is a function of master seed, block and seat, whatever happens in
/// the game. All games of a block are played on the same dice.
///
/// ```
/// use sho_core::{BlockDice, Seat};
/// let mut dice = BlockDice::new(1, 0);
/// assert_eq!(dice.cast(Seat::A).to_string(), "6-1");
/// assert_eq!(dice.cast(Seat::B).to_string(), "5-1");
/// assert_eq!(dice.cast(Seat::A).to_string(), "3-1");
/// ```
#[derive(Clone, Debug)]
pub struct BlockDice(PerSeat<Stream>);

impl BlockDice {
    /// The dice of block `block` under the seed `master`, from their first casts. Seat
    /// `s` casts from stream `4 * block + s` of the label [`DICE_LABEL`].
    #[must_use]
    pub fn new(master: u64, block: u64) -> Self {
        Self(PerSeat::from_fn(|seat| {
            Stream::new(master, DICE_LABEL, 4 * block + seat.index() as u64)
        }))
    }

    /// The seat's next cast.
    #[inline]
    pub fn cast(&mut self, seat: Seat) -> Throw {
        Throw::from_way(self.way(seat, WAYS))
    }

    /// The seat's next draw of one of `ways` equally likely ways; for two dice 36.
    #[inline]
    pub fn way(&mut self, seat: Seat, ways: u32) -> u32 {
        self.0[seat].below(ways)
    }
}
