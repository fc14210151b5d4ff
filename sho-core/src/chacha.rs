//! ChaCha with 8 rounds for many streams at once: [`Key`].
//!
//! A generator of one stream makes its words one block after the other, or a few blocks of the same stream together.
//! Games want few words of many streams: so here each lane of a vector register works at a stream and a block of its own.

use crate::stream::MAX_LABEL;

/// Words in a block.
pub const BLOCK_WORDS: usize = 16;

/// What the words of all streams under one master seed and label are made from.
///
/// It is the master seed as 8 little-endian bytes, then the label's ASCII bytes, then zeros up to 32 bytes.
///
/// ```
/// use sho_core::{Key, Stream};
/// let key = Key::new(1, "example");
/// // The first blocks of the streams 7 and 8, and the second ones.
/// let words = key.blocks([7, 8, 7, 8], [0, 0, 1, 1]);
/// let mut stream = Stream::new(1, "example", 8);
/// for block in [1, 3] {
///     for row in words {
///         assert_eq!(row[block], stream.word());
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key([u32; 8]);

impl Key {
    /// The key of a master seed and a label.
    ///
    /// # Panics
    /// If the label is longer than [`MAX_LABEL`] bytes or not ASCII: labels are constants of a program.
    #[must_use]
    pub fn new(master: u64, label: &str) -> Self {
        assert!(
            label.is_ascii() && label.len() <= MAX_LABEL,
            "label `{label}`: 24 ASCII bytes at most"
        );
        let mut bytes = [[0; 4]; 8];
        let flat = bytes.as_flattened_mut();
        flat[..8].copy_from_slice(&master.to_le_bytes());
        flat[8..8 + label.len()].copy_from_slice(label.as_bytes());
        Self(bytes.map(u32::from_le_bytes))
    }

    /// The key as bytes.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.as_chunks_mut().0.copy_from_slice(&self.0.map(u32::to_le_bytes));
        bytes
    }

    /// One block each of `N` streams: row `n` has word `n` of each block. Block `i` is number `counters[i]`, from 0, of the
    /// stream with number `numbers[i]`; it has the words from `16 * counters[i]` on of that stream.
    ///
    /// It is written so that the compiler makes vector instructions of it, with a lane for each block: 8 blocks are right
    /// where registers have 256 bits, and 4 where they have 128. It is always inlined, and so compiled for the processor
    /// that its caller is compiled for.
    #[inline(always)]
    #[must_use]
    pub fn blocks<const N: usize>(
        &self,
        numbers: [u64; N],
        counters: [u64; N],
    ) -> [[u32; N]; BLOCK_WORDS] {
        // Split before the loop: with a word of 64 bits in it there would be half as many lanes.
        let low = |words: [u64; N]| words.map(|word| word as u32);
        let high = |words: [u64; N]| words.map(|word| (word >> 32) as u32);
        let (numbers_low, numbers_high) = (low(numbers), high(numbers));
        let (counters_low, counters_high) = (low(counters), high(counters));
        let mut rows = [[0; N]; BLOCK_WORDS];
        for block in 0..N {
            let place = [
                counters_low[block],
                counters_high[block],
                numbers_low[block],
                numbers_high[block],
            ];
            let words = self.block(place);
            for (row, word) in rows.iter_mut().zip(words) {
                row[block] = word;
            }
        }
        rows
    }

    /// The block at a place: its counter and the number of its stream, the low half of each first.
    #[inline(always)]
    const fn block(&self, place: [u32; 4]) -> [u32; BLOCK_WORDS] {
        let [a, b, c, d] = CONSTANTS;
        let [k0, k1, k2, k3, k4, k5, k6, k7] = self.0;
        let [p0, p1, p2, p3] = place;
        let start = [a, b, c, d, k0, k1, k2, k3, k4, k5, k6, k7, p0, p1, p2, p3];
        // Written out: a loop in the loop over blocks would keep the compiler from making vectors of that.
        let mut words = double_round(double_round(double_round(double_round(start))));
        let mut index = 0;
        while index < BLOCK_WORDS {
            words[index] = words[index].wrapping_add(start[index]);
            index += 1;
        }
        words
    }
}

/// `expand 32-byte k` as words.
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Four quarter rounds down the columns of the state and four down its diagonals.
#[inline(always)]
const fn double_round(words: [u32; BLOCK_WORDS]) -> [u32; BLOCK_WORDS] {
    let words = quarter_round(words, 0, 4, 8, 12);
    let words = quarter_round(words, 1, 5, 9, 13);
    let words = quarter_round(words, 2, 6, 10, 14);
    let words = quarter_round(words, 3, 7, 11, 15);
    let words = quarter_round(words, 0, 5, 10, 15);
    let words = quarter_round(words, 1, 6, 11, 12);
    let words = quarter_round(words, 2, 7, 8, 13);
    quarter_round(words, 3, 4, 9, 14)
}

#[inline(always)]
const fn quarter_round(
    mut words: [u32; BLOCK_WORDS],
    a: usize,
    b: usize,
    c: usize,
    d: usize,
) -> [u32; BLOCK_WORDS] {
    words[a] = words[a].wrapping_add(words[b]);
    words[d] = (words[d] ^ words[a]).rotate_left(16);
    words[c] = words[c].wrapping_add(words[d]);
    words[b] = (words[b] ^ words[c]).rotate_left(12);
    words[a] = words[a].wrapping_add(words[b]);
    words[d] = (words[d] ^ words[a]).rotate_left(8);
    words[c] = words[c].wrapping_add(words[d]);
    words[b] = (words[b] ^ words[c]).rotate_left(7);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{DICE_LABEL, dice_stream};
    use crate::seat::Seat;
    use alloc::format;
    use alloc::string::String;
    use alloc::vec::Vec;
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    /// The same block by the generator that is the reference.
    fn reference(key: [u8; 32], number: u64, counter: u64) -> [u32; BLOCK_WORDS] {
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(number);
        generator.set_word_pos(u128::from(counter) * BLOCK_WORDS as u128);
        core::array::from_fn(|_| generator.next_u32())
    }

    /// Compares blocks, and those of a stream of fewer lanes.
    fn compare<const N: usize>(key: Key, numbers: [u64; N], counters: [u64; N]) {
        let rows = key.blocks(numbers, counters);
        for block in 0..N {
            let expected = reference(key.to_bytes(), numbers[block], counters[block]);
            assert_eq!(rows.map(|row| row[block]), expected, "block {block} of {N}");
        }
    }

    proptest! {
        /// Any key, streams of more than 32 bits, counters on both sides of 2^32.
        #[test]
        fn blocks_are_those_of_the_reference(
            key: [u32; 8],
            numbers: [u64; 8],
            counters in prop::array::uniform8(prop_oneof![
                0..100_u64,
                (1_u64 << 32) - 2..(1 << 32) + 2,
                0..1_u64 << 56,
            ]),
        ) {
            let key = Key(key);
            compare(key, numbers, counters);
            compare::<4>(key, numbers[..4].try_into().unwrap(), counters[..4].try_into().unwrap());
            compare(key, [numbers[0]], [counters[0]]);
            compare(key, [numbers[1], numbers[1], numbers[1]], [counters[1], counters[1] + 1, counters[1] + 2]);
        }
    }

    #[test]
    fn a_key_is_seed_and_label() {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&0x0123_4567_89AB_CDEF_u64.to_le_bytes());
        bytes[8..12].copy_from_slice(b"dice");
        assert_eq!(Key::new(0x0123_4567_89AB_CDEF, "dice").to_bytes(), bytes);
    }

    /// The faces of these casts were computed by a program in another language.
    #[test]
    fn casts_are_those_that_were_promised() {
        let promised = [
            (1, 0, Seat::A, "6-1 3-1 3-2 5-5 2-3 1-4 4-5 4-4 1-5 5-2 3-3 5-6"),
            (1, 0, Seat::B, "5-1 5-2 6-2 4-4 6-1 2-6 1-1 6-1 5-4 5-2 2-4 1-3"),
            (1, 1, Seat::A, "1-4 5-4 3-3 2-6 3-1 1-1 6-3 5-1 4-6 1-6 5-4 5-6"),
            (1, 1, Seat::B, "4-4 5-4 4-4 3-2 4-2 4-2 5-3 1-5 5-6 2-6 5-5 3-5"),
            (20_261_129, 0, Seat::A, "1-1 3-3 3-2 5-4 6-2 5-6 4-1 4-5 1-3 6-3 1-4 1-5"),
            (20_261_129, 1, Seat::B, "6-4 5-5 5-1 1-6 3-1 5-1 2-2 5-4 6-3 2-1 4-4 5-1"),
        ];
        for (master, block, seat, casts) in promised {
            let key = Key::new(master, DICE_LABEL);
            let words = key.blocks([dice_stream(block, seat)], [0]);
            // None of these words has to be skipped.
            let cast = |[word]: [u32; 1]| {
                let way = ((36 * u64::from(word)) >> 32) as u8;
                (1 + way / 6, 1 + way % 6)
            };
            let made: Vec<String> = words[..12]
                .iter()
                .map(|&row| cast(row))
                .map(|(one, other)| format!("{one}-{other}"))
                .collect();
            assert_eq!(made.join(" "), casts, "seed {master}, block {block}, seat {seat}");
        }
    }
}
