//! Two dice: [`Throw`], its twelve [classes](ThrowClass), and the dice of a block, [`BlockDice`].

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::chacha::Key;
use crate::game::{Game, OutcomeClass};
use crate::seat::{MAX_SEATS, PerSeat, Seat};
use crate::seat_streams::{ROWS, first_places, rows};
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
    key: Key,
    block: u64,
    /// Row by row, each seat's way for the same cast, one of at most 256.
    drawn: Vec<u8>,
    /// The place of each seat's next cast.
    next: PerSeat<usize>,
    /// Once a word had to be skipped, the streams, at the rows that follow.
    streams: Option<Box<PerSeat<Stream>>>,
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

    /// Chance for this game from other streams: seat `s` casts from stream `4 * block + s` under this key.
    #[must_use]
    pub fn under<G: Game>(game: &G, key: Key, block: u64) -> Self {
        Self::with_key(key, block, game.ways(), game.seats())
    }

    fn with_ways(master: u64, block: u64, ways: u32, seats: usize) -> Self {
        Self::with_key(Key::new(master, DICE_LABEL), block, ways, seats)
    }

    fn with_key(key: Key, block: u64, ways: u32, seats: usize) -> Self {
        assert!(ways <= 256, "chance decides in at most 256 ways, not {ways}");
        Self { ways, seats, key, block, drawn: Vec::new(), next: first_places(), streams: None }
    }

    /// Takes the dice of another block under the same seed, in the memory of these.
    pub fn reset(&mut self, block: u64) {
        self.rewind();
        self.drawn.clear();
        self.block = block;
        self.streams = None;
    }

    /// Goes back to the first casts.
    #[inline]
    pub fn rewind(&mut self) {
        self.next = first_places();
    }

    /// The seat's cast of two dice number `index` from 0, whatever it has cast before. Its next cast is what it was.
    pub fn cast_at(&mut self, seat: Seat, index: usize) -> Throw {
        let place = index * MAX_SEATS + seat.index();
        while place >= self.drawn.len() {
            self.make();
        }
        BY_WAY[usize::from(self.drawn[place])]
    }

    /// The seat's next cast of two dice.
    ///
    /// For a chance of other than 36 ways the throws mean nothing.
    #[inline(always)]
    pub fn cast(&mut self, seat: Seat) -> Throw {
        self.cast_at_hand(seat).unwrap_or_else(|| BY_WAY[usize::from(self.next_way(seat))])
    }

    /// The seat's next cast, if it is drawn already. Else nothing is cast.
    #[inline(always)]
    pub fn cast_at_hand(&mut self, seat: Seat) -> Option<Throw> {
        Some(BY_WAY[usize::from(self.way_drawn(seat)?)])
    }

    /// The seat's next draw of one of the equally likely ways.
    ///
    /// # Panics
    /// If there are none, or the game has no such seat.
    #[inline(always)]
    pub fn way(&mut self, seat: Seat) -> u32 {
        self.way_at_hand(seat).unwrap_or_else(|| self.next_way(seat).into())
    }

    /// The seat's next way, if it is drawn already. Else nothing is drawn.
    #[inline(always)]
    pub fn way_at_hand(&mut self, seat: Seat) -> Option<u32> {
        self.way_drawn(seat).map(u32::from)
    }

    #[inline(always)]
    fn way_drawn(&mut self, seat: Seat) -> Option<u8> {
        let next = self.next[seat];
        let way = *self.drawn.get(next)?;
        self.next[seat] = next + MAX_SEATS;
        Some(way)
    }

    /// The next way of a seat that has none at hand.
    #[cold]
    #[inline(never)]
    fn next_way(&mut self, seat: Seat) -> u8 {
        assert!(seat.index() < self.seats, "seat {seat} casts in a game of {} seats", self.seats);
        self.make();
        let next = self.next[seat];
        self.next[seat] = next + MAX_SEATS;
        self.drawn[next]
    }

    /// Draws further casts of all seats. Nobody has to ask for that, but where it is called with more vector instructions
    /// than the rest of a program has, it takes fewer of them: it is always inlined.
    ///
    /// # Panics
    /// If there are no ways.
    #[inline(always)]
    pub fn make(&mut self) {
        let made = self.drawn.len() / MAX_SEATS;
        if self.streams.is_none() {
            let words = rows(&self.key, dice_stream(self.block, Seat::A), made);
            let skipped_below = self.ways.wrapping_neg() % self.ways;
            let mut drawn = [0; MAX_SEATS * ROWS];
            let mut skips = false;
            // The high half of a product without 64 bits, which would make vectors of half as many lanes: `ways` is at
            // most 256.
            for (drawn, &word) in drawn.iter_mut().zip(words.as_flattened()) {
                let (high, low) = ((word >> 16) * self.ways, (word & 0xFFFF) * self.ways);
                *drawn = ((high + (low >> 16)) >> 16) as u8;
                skips |= word.wrapping_mul(self.ways) < skipped_below;
            }
            if !skips {
                self.drawn.extend_from_slice(&drawn);
                return;
            }
        }
        self.make_with_skips(made);
    }

    /// Draws further casts word by word: one word in a billion has to be skipped.
    #[cold]
    #[inline(never)]
    fn make_with_skips(&mut self, made: usize) {
        let Self { ways, key, block, .. } = *self;
        let streams = self.streams.get_or_insert_with(|| {
            let mut streams = PerSeat::from_fn(|seat| Stream::of(key, dice_stream(block, seat)));
            for (_, stream) in streams.iter_mut(MAX_SEATS) {
                for _ in 0..made {
                    stream.below(ways);
                }
            }
            Box::new(streams)
        });
        for _ in 0..ROWS {
            self.drawn
                .extend(streams.iter_mut(MAX_SEATS).map(|(_, stream)| stream.below(ways) as u8));
        }
    }
}

/// The number of a seat's dice stream in a block.
#[must_use]
pub const fn dice_stream(block: u64, seat: Seat) -> u64 {
    4 * block + seat.index() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The casts of a block, seat by seat in turn, are those of each seat's stream.
    fn compare(mut dice: BlockDice, ways: u32, casts: usize) {
        let (key, block) = (dice.key, dice.block);
        for _ in 0..2 {
            let mut streams = PerSeat::from_fn(|seat| Stream::of(key, dice_stream(block, seat)));
            for cast in 0..casts {
                for (seat, stream) in streams.iter_mut(dice.seats) {
                    assert_eq!(dice.way(seat), stream.below(ways), "cast {cast} of {seat}");
                }
            }
            dice.rewind();
        }
        let mut streams = PerSeat::from_fn(|seat| Stream::of(key, dice_stream(block, seat)));
        // One seat alone, by its number and in turn.
        let mut dice = BlockDice::with_ways(1, block, ways, dice.seats);
        for cast in 0..casts {
            let way = streams[Seat::B].below(ways);
            assert_eq!(dice.cast_at(Seat::B, cast), BY_WAY[way as usize]);
            assert_eq!(dice.cast(Seat::B), BY_WAY[way as usize]);
        }
    }

    #[test]
    fn casts_are_those_of_the_streams() {
        for ways in [1, 2, 36, 37, 240, 255, 256] {
            for block in [0, 1, 12_345, (1 << 32) + 7] {
                for seats in 2..=MAX_SEATS {
                    compare(BlockDice::with_ways(1, block, ways, seats), ways, 150);
                }
            }
        }
    }

    /// One word in a billion is skipped. These were looked for.
    #[test]
    fn words_that_have_to_be_skipped_are() {
        for (block, seat, index) in [
            (526_928, Seat::B, 60),
            (8_821_699, Seat::D, 14),
            (17_120_943, Seat::C, 30),
            (8_100_155, Seat::D, 82),
        ] {
            let mut stream = Stream::new(1, DICE_LABEL, dice_stream(block, seat));
            let words: Vec<u32> = (0..=index).map(|_| stream.word()).collect();
            assert!(WAYS.wrapping_mul(words[index]) < 4, "{}", words[index]);
            let mut dice = BlockDice::new(1, block);
            compare(dice.clone(), WAYS, 150);
            // The memory of dice with a skip is as good as any.
            dice.cast_at(seat, 100);
            dice.reset(block + 1);
            compare(dice, WAYS, 150);
        }
    }

    #[test]
    #[should_panic(expected = "seat C casts in a game of 2 seats")]
    fn a_seat_that_there_is_not_has_no_casts() {
        BlockDice::with_ways(1, 0, WAYS, 2).way(Seat::C);
    }
}
