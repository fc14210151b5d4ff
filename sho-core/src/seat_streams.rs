//! The streams of all seats of a game, side by side: [`SeatStreams`].

use alloc::vec::Vec;

use crate::chacha::{BLOCK_WORDS, Key};
use crate::seat::{MAX_SEATS, PerSeat, Seat};
use crate::stream::{below, below_by};

/// Words of each seat that are made at a time.
pub(crate) const ROWS: usize = 2 * BLOCK_WORDS;

const LANES: usize = 2 * MAX_SEATS;

/// The words of each seat of a game: seat `s` draws from the stream with number `first + s`, as a
/// [`Stream`](crate::Stream) of its own would. They are made for all seats together, which takes half the work, and are kept
/// until the numbers change.
///
/// ```
/// use sho_core::{Key, Seat, SeatStreams, Stream};
/// let mut words = SeatStreams::new(Key::new(1, "example"), 40);
/// let mut stream = Stream::new(1, "example", 42);
/// assert_eq!(words.below(Seat::C, 6), stream.below(6));
/// ```
#[derive(Clone, Debug)]
pub struct SeatStreams {
    key: Key,
    first: u64,
    /// Row by row, each with a word of every seat.
    words: Vec<u32>,
    /// The place of each seat's next word.
    next: PerSeat<usize>,
}

impl SeatStreams {
    /// The streams under this key whose numbers begin with `first`, from their first words.
    #[must_use]
    pub fn new(key: Key, first: u64) -> Self {
        Self { key, first, words: Vec::new(), next: first_places() }
    }

    /// Takes the streams whose numbers begin with `first`, from their first words, in the memory of these.
    #[inline]
    pub fn renumber(&mut self, first: u64) {
        self.first = first;
        self.words.clear();
        self.next = first_places();
    }

    /// One of `0..n`, as [`Stream::below`](crate::Stream::below) draws it.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, seat: Seat, n: u32) -> u32 {
        below(n, || self.word(seat))
    }

    fn word(&mut self, seat: Seat) -> u32 {
        let next = self.next[seat];
        while next >= self.words.len() {
            self.make();
        }
        self.next[seat] = next + MAX_SEATS;
        self.words[next]
    }

    /// What [`below`](Self::below) would draw, if it takes no more than a look at a word that is there. Else nothing is drawn.
    #[inline(always)]
    pub fn below_at_hand(&mut self, seat: Seat, n: u32) -> Option<u32> {
        let next = self.next[seat];
        // For an `n` of 1 nothing is drawn.
        let drawn = below_by(*self.words.get(next)?, n).filter(|_| n > 1)?;
        self.next[seat] = next + MAX_SEATS;
        Some(drawn)
    }

    /// Whether no word of a seat is there, so that the next one has to be made.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self, seat: Seat) -> bool {
        self.next[seat] >= self.words.len()
    }

    /// Makes further words of all seats. Nobody has to ask for that, but where it is called with more vector instructions
    /// than the rest of a program has, it takes fewer of them: it is always inlined.
    #[inline(always)]
    pub fn make(&mut self) {
        let from = self.words.len() / MAX_SEATS;
        self.words.extend_from_slice(rows(&self.key, self.first, from).as_flattened());
    }
}

/// The place of each seat's first number where all stand row by row, with a number of every seat in each.
#[inline(always)]
pub(crate) fn first_places() -> PerSeat<usize> {
    PerSeat::from_fn(Seat::index)
}

/// The words from number `from` on, which [`ROWS`] divides, of the streams whose numbers begin with `first`.
#[inline(always)]
pub(crate) fn rows(key: &Key, first: u64, from: usize) -> [[u32; MAX_SEATS]; ROWS] {
    let block = (from / BLOCK_WORDS) as u64;
    let numbers: [u64; LANES] =
        core::array::from_fn(|lane| first.wrapping_add((lane % MAX_SEATS) as u64));
    let blocks = core::array::from_fn(|lane| block + (lane / MAX_SEATS) as u64);
    let mut rows = [[0; MAX_SEATS]; ROWS];
    for (index, row) in key.blocks(numbers, blocks).into_iter().enumerate() {
        let [a, b, c, d, e, f, g, h] = row;
        rows[index] = [a, b, c, d];
        rows[BLOCK_WORDS + index] = [e, f, g, h];
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Stream;

    /// Seats draw from few and from many, in an order of their own, and skip words often and never; the words are those
    /// of a stream for each.
    #[test]
    fn the_words_are_those_of_the_streams() {
        let key = Key::new(3, "sho/test");
        let mut order = Stream::new(3, "sho/order", 0);
        let mut together = SeatStreams::new(key, 0);
        for first in [0, 4, 128 * 77 + 8, (1 << 40) + 4, u64::MAX - 3] {
            together.renumber(first);
            let mut alone = PerSeat::from_fn(|seat| Stream::of(key, first + seat.index() as u64));
            for _ in 0..2_000 {
                let seat = Seat::ALL[order.below(4) as usize];
                let n = match order.below(3) {
                    0 => 1 + order.below(9),
                    1 => (1 << 31) + 1 + order.below(9),
                    _ => order.word().max(1),
                };
                let expected = alone[seat].below(n);
                let drawn = match order.below(3) {
                    0 => together.below(seat, n),
                    _ => together.below_at_hand(seat, n).unwrap_or_else(|| together.below(seat, n)),
                };
                assert_eq!(drawn, expected, "one of {n} for {seat} from {first}");
            }
        }
    }

    #[test]
    fn nothing_is_at_hand_before_it_is_made() {
        let mut words = SeatStreams::new(Key::new(3, "sho/test"), 0);
        assert_eq!((words.is_empty(Seat::A), words.below_at_hand(Seat::A, 6)), (true, None));
        words.make();
        assert!(!words.is_empty(Seat::A));
        let first = words.below_at_hand(Seat::A, 6);
        words.renumber(0);
        assert_eq!(Some(words.below(Seat::A, 6)), first);
    }

    #[test]
    #[should_panic(expected = "one of nothing")]
    fn one_of_nothing_is_refused() {
        SeatStreams::new(Key::new(3, "sho/test"), 0).below(Seat::A, 0);
    }
}
