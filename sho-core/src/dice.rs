//! Two dice: [`Throw`], its twelve [classes](ThrowClass), and the dice of a block, [`BlockDice`].

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::game::{Game, OutcomeClass};
use crate::seat::{MAX_SEATS, PerSeat, Seat};
use crate::stream::{AT_ONCE, Stream};

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
// The larger face in the high four bits and the total in the low ones: so throws are in their order, and the total,
// which is all that the rules want of most throws, is one instruction away.
pub struct Throw(pub(crate) u8);

impl Throw {
    /// The pa ra, 1-1.
    pub const PA_RA: Self = Self::of(1, 1);

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

    #[inline(always)]
    pub(crate) const fn of(one: u8, other: u8) -> Self {
        let larger = if one >= other { one } else { other };
        Self(larger << 4 | (one + other))
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
    pub fn from_way(way: u32) -> Self {
        // A table: two divisions and a comparison for each cast would cost more than everything else about dice.
        assert!(way < WAYS, "two dice fall in 36 ways");
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
        self.total() - self.larger()
    }

    /// The sum of the faces, 2 to 12.
    #[inline(always)]
    #[must_use]
    pub const fn total(self) -> u8 {
        self.0 & 15
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
        self.0 == Self::PA_RA.0
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

/// The throw of each way, and of the numbers that are none that of their remainder: an index of one byte then needs no
/// check.
static BY_WAY: [Throw; 256] = {
    let mut table = [Throw(0); 256];
    let mut index = 0;
    while index < table.len() {
        let way = index as u8 % WAYS as u8;
        table[index] = Throw::of(1 + way / 6, 1 + way % 6);
        index += 1;
    }
    table
};

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

    /// The classes as a [`Game`] of two dice hands them out.
    pub fn outcomes() -> impl Iterator<Item = OutcomeClass<Throw>> {
        Self::ALL.into_iter().map(|class| OutcomeClass {
            outcome: class.throw,
            ways: class.ways,
            outcomes: class.throws,
        })
    }
}

/// The chance of one block: the `n`-th cast of a seat is a function of master seed, block and seat, whatever happens in
/// the game. All games of a block are played on the same dice: [`rewind`](Self::rewind) takes them back to the first
/// casts, which are not computed again.
///
/// ```
/// use sho_core::{BlockDice, Seat};
/// let mut dice = BlockDice::new(1, 0);
/// assert_eq!(dice.cast(Seat::A).to_string(), "6-1");
/// assert_eq!(dice.cast(Seat::B).to_string(), "5-1");
/// assert_eq!(dice.cast(Seat::A).to_string(), "3-1");
/// dice.rewind();
/// assert_eq!(dice.cast(Seat::A).to_string(), "6-1");
/// ```
#[derive(Clone, Debug)]
pub struct BlockDice {
    ways: u32,
    seats: usize,
    /// Row `n` has each seat's way for its `n`-th cast, one of at most 256.
    rows: Vec<[u8; MAX_SEATS]>,
    /// How often each seat cast.
    next: PerSeat<usize>,
    streams: PerSeat<Stream>,
}

impl BlockDice {
    /// The two dice of block `block` under the seed `master`, from their first casts. Seat `s` casts from stream
    /// `4 * block + s` of the label [`DICE_LABEL`].
    #[must_use]
    pub fn new(master: u64, block: u64) -> Self {
        Self::with_ways(master, block, WAYS, MAX_SEATS)
    }

    /// The chance of a block for this game: as many ways as it has, and for its seats alone.
    #[must_use]
    pub fn of<G: Game>(game: &G, master: u64, block: u64) -> Self {
        Self::with_ways(master, block, game.ways(), game.seats())
    }

    fn with_ways(master: u64, block: u64, ways: u32, seats: usize) -> Self {
        assert!(ways <= 256, "chance decides in at most 256 ways, not {ways}");
        Self {
            ways,
            seats,
            rows: Vec::new(),
            next: PerSeat::default(),
            streams: PerSeat::from_fn(|seat| {
                Stream::new(master, DICE_LABEL, dice_stream(block, seat))
            }),
        }
    }

    /// Takes the dice of another block under the same seed, in the memory of these.
    pub fn reset(&mut self, block: u64) {
        self.rewind();
        self.rows.clear();
        for seat in Seat::ALL {
            self.streams[seat].renumber(dice_stream(block, seat));
        }
    }

    /// Goes back to the first casts.
    pub fn rewind(&mut self) {
        self.next = PerSeat::default();
    }

    /// The seat's cast of two dice number `index` from 0, whatever it has cast before. Its next cast is what it was.
    pub fn cast_at(&mut self, seat: Seat, index: usize) -> Throw {
        while self.rows.len() <= index {
            self.draw(seat, self.rows.len());
        }
        BY_WAY[usize::from(self.rows[index][seat.index()])]
    }

    /// The seat's next cast of two dice.
    ///
    /// For a chance of other than 36 ways the throws mean nothing.
    #[inline(always)]
    pub fn cast(&mut self, seat: Seat) -> Throw {
        BY_WAY[usize::from(self.next_way(seat))]
    }

    /// The seat's next draw of one of the equally likely ways.
    ///
    /// # Panics
    /// If there are none, or the game has no such seat.
    #[inline(always)]
    pub fn way(&mut self, seat: Seat) -> u32 {
        self.next_way(seat).into()
    }

    #[inline(always)]
    fn next_way(&mut self, seat: Seat) -> u8 {
        let next = self.next[seat];
        self.next[seat] = next + 1;
        match self.rows.get(next) {
            Some(row) => row[seat.index()],
            None => self.draw(seat, next),
        }
    }

    /// Draws further rows, and returns what the seat has in number `next`, the first of them.
    #[cold]
    #[inline(never)]
    fn draw(&mut self, seat: Seat, next: usize) -> u8 {
        debug_assert!(next == self.rows.len(), "casts are drawn in order");
        assert!(seat.index() < self.seats, "seat {seat} casts in a game of {} seats", self.seats);
        let mut drawn = [[0; AT_ONCE]; MAX_SEATS];
        for (drawn, (_, stream)) in drawn.iter_mut().zip(self.streams.iter_mut(self.seats)) {
            *drawn = stream.draw_below(self.ways);
        }
        let [a, b, c, d] = &drawn;
        self.rows.extend((0..AT_ONCE).map(|index| [a[index], b[index], c[index], d[index]]));
        self.rows[next][seat.index()]
    }
}

/// The number of a seat's dice stream in a block.
#[must_use]
pub const fn dice_stream(block: u64, seat: Seat) -> u64 {
    4 * block + seat.index() as u64
}
