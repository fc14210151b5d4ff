//! Throws as [lanes](super::Lanes) read them: [`LaneThrow`].

use core::array;

use crate::chacha::BLOCK_WORDS;
use crate::dice::{Throw, WAYS};

/// A throw as lanes read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneThrow(u8);

/// The bit of a throw that is not played in step: of a pa ra, and of no throw.
const STOPS: u8 = 1 << 7;

/// That bit in a word.
pub(super) const STOPS_BIT: u64 = STOPS as u64;

pub(super) const SIX_THREE: u64 = Throw::of(6, 3).0 as u64;

impl LaneThrow {
    /// A pa ra.
    pub const PA_RA: Self = Self(Throw::PA_RA.0 | STOPS);

    /// No throw: a lane stops there.
    pub const NONE: Self = Self(STOPS);

    /// A throw.
    #[inline(always)]
    #[must_use]
    pub const fn of(throw: Throw) -> Self {
        if throw.is_pa_ra() { Self::PA_RA } else { Self(throw.0) }
    }

    /// The throw, if it is one.
    #[inline(always)]
    #[must_use]
    pub fn throw(self) -> Option<Throw> {
        (self != Self::NONE).then_some(Throw(self.0 & !STOPS))
    }

    /// As a lane takes it.
    #[inline(always)]
    #[must_use]
    pub const fn word(self) -> u64 {
        self.0 as u64
    }

    /// Of such a word, the larger face from bit 4 on, and below it the total.
    #[inline(always)]
    #[must_use]
    pub const fn faces(word: u64) -> u64 {
        word & !STOPS_BIT
    }

    /// The casts that are drawn with each column of words, in order, as [`BlockDice`](crate::BlockDice) draws them; and for
    /// each column whether a word of it has to be skipped, so that they are others. That is one word in a billion.
    ///
    /// It is written so that the compiler makes vector instructions of it, with a lane for each column.
    #[inline(always)]
    #[must_use]
    pub fn drawn_with<const N: usize>(
        words: &[[u32; N]; BLOCK_WORDS],
    ) -> ([[Self; BLOCK_WORDS]; N], [bool; N]) {
        let mut skips = [false; N];
        // Four casts of a column in each word.
        let mut casts = [[0; N]; BLOCK_WORDS / 4];
        for (rows, casts) in words.as_chunks::<4>().0.iter().zip(&mut casts) {
            for column in 0..N {
                for (index, row) in rows.iter().enumerate() {
                    let (way, skip) = way_of(row[column]);
                    skips[column] |= skip;
                    casts[column] |= cast_of(way) << (8 * index);
                }
            }
        }
        let throws = array::from_fn(|column| {
            let mut throws = [Self::NONE; BLOCK_WORDS];
            for (throws, casts) in throws.as_chunks_mut().0.iter_mut().zip(&casts) {
                *throws = casts[column].to_le_bytes().map(Self);
            }
            throws
        });
        (throws, skips)
    }
}

/// The way in which two dice fall by this word, and whether it has to be skipped: the high half of their product, and
/// whether the low half is below 2^32 mod 36.
#[inline(always)]
const fn way_of(word: u32) -> (u32, bool) {
    // The high half without a product of 64 bits.
    let high = ((word >> 16) * WAYS + (((word & 0xffff) * WAYS) >> 16)) >> 16;
    (high, word.wrapping_mul(WAYS) < WAYS.wrapping_neg() % WAYS)
}

/// The byte of the throw of a way, as [`Throw::from_way`].
#[inline(always)]
const fn cast_of(way: u32) -> u32 {
    // A sixth, for numbers below 36.
    let one = (way * 43) >> 8;
    let other = way - 6 * one;
    let larger = if one > other { one } else { other };
    let stops = if way == 0 { STOPS as u32 } else { 0 };
    ((larger + 1) << 4 | (one + other + 2)) + stops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stream;

    #[test]
    fn each_way_is_its_throw() {
        for way in 0..WAYS {
            let cast = LaneThrow(cast_of(way) as u8);
            assert_eq!(cast.throw(), Some(Throw::from_way(way)), "way {way}");
            assert_eq!(cast, LaneThrow::of(Throw::from_way(way)), "way {way}");
            assert_eq!(cast == LaneThrow::PA_RA, way == 0, "way {way}");
        }
    }

    #[test]
    fn ways_are_high_halves_and_few_words_are_skipped() {
        let edges = (0..WAYS).flat_map(|way| {
            let first = ((u64::from(way) << 32).div_ceil(WAYS.into())) as u32;
            [first.wrapping_sub(1), first, first.wrapping_add(1)]
        });
        let mut words = Stream::new(1, "lanes", 0);
        let others = core::iter::repeat_with(|| words.word()).take(10_000);
        for word in edges.chain(others) {
            let product = u64::from(WAYS) * u64::from(word);
            assert_eq!(way_of(word), ((product >> 32) as u32, (product as u32) < 4), "word {word}");
        }
    }

    #[test]
    fn columns_are_drawn_apart() {
        let words =
            array::from_fn(|row| array::from_fn(|column| (row * 3 + column) as u32 * 89_478_486));
        let (casts, skips) = LaneThrow::drawn_with::<3>(&words);
        for (column, casts) in casts.into_iter().enumerate() {
            for (row, cast) in casts.into_iter().enumerate() {
                let way = ((36 * u64::from(words[row][column])) >> 32) as u32;
                assert_eq!(cast.throw(), Some(Throw::from_way(way)), "row {row}, column {column}");
            }
        }
        // The word 0 is skipped, and it alone.
        assert_eq!(skips, [true, false, false]);
    }
}
