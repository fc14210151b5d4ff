//! The words of the bots of games in step: [`LaneWords`].

use std::array;

use sho_core::sho::LANES;
use sho_core::{BLOCK_WORDS, Key, MAX_SEATS, Seat};

use super::wide::{Task, wide};

/// Blocks of the generator at a time.
const AT_ONCE: usize = 8;

/// Words of a seat that a lane has room for: as many as are made at once for a seat that has drawn all it had.
const WORDS: usize = AT_ONCE * BLOCK_WORDS;

/// Words that a lane has room for.
const LANE: usize = MAX_SEATS * WORDS;

/// What is added to a seat's place with each word: the words of the seats stand side by side.
pub(super) const NEXT_WORD: u64 = MAX_SEATS as u64;

/// Bits that are all set in a place after which words have to be made.
pub(super) const LAST_READY: u64 = ((WORDS - 1) * MAX_SEATS) as u64;

/// The words that lie ready for each seat in each lane. A seat's *place* is that of its next word among those of its lane,
/// and goes on rising where they begin again.
#[derive(Debug)]
pub(super) struct LaneWords {
    key: Key,
    words: Box<[u32; LANES * LANE]>,
    /// In each lane the number of the stream of seat A.
    streams: [u64; LANES],
}

impl LaneWords {
    pub(super) fn new() -> Self {
        Self {
            key: Key::new(0, ""),
            words: vec![0; LANES * LANE].try_into().expect("the length of the words"),
            streams: [0; LANES],
        }
    }

    /// Takes the words under another key.
    pub(super) fn reset(&mut self, key: Key) {
        self.key = key;
    }

    /// Makes the first words of a game in a lane, for all seats, whose streams begin with this number.
    #[inline(never)]
    pub(super) fn begin<const SEATS: usize>(&mut self, lane: usize, stream: u64) {
        self.streams[lane] = stream;
        let words = self.words[lane * LANE..][..LANE].as_chunks_mut().0.as_chunks_mut().0;
        wide(Begin::<SEATS> { key: &self.key, stream, words });
    }

    /// The place of a seat's first word.
    pub(super) const fn first_place<const SEATS: usize>(seat: Seat) -> u16 {
        ((AT_ONCE - first_blocks(SEATS)) * BLOCK_WORDS * MAX_SEATS + seat.index()) as u16
    }

    /// The word at a place in a lane, where it has been made.
    #[inline(always)]
    pub(super) fn word(&self, lane: usize, place: usize) -> u32 {
        self.words[(lane * LANE + place % LANE) % (LANES * LANE)]
    }

    /// Whether the words before a place are drawn, and others have to be made in their stead.
    #[inline(always)]
    pub(super) const fn are_drawn(place: u16) -> bool {
        place as usize % LANE < MAX_SEATS
    }

    /// Draws a seat's word at its place in a lane, and goes on to the next one.
    #[inline(always)]
    pub(super) fn draw<const SEATS: usize>(&mut self, lane: usize, place: &mut u16) -> u32 {
        let word = self.word(lane, (*place).into());
        *place += NEXT_WORD as u16;
        if Self::are_drawn(*place) {
            self.go_on::<SEATS>(lane, (*place).into());
        }
        word
    }

    /// Makes further words of a seat that has drawn all that it had.
    #[cold]
    #[inline(never)]
    fn go_on<const SEATS: usize>(&mut self, lane: usize, place: usize) {
        let seat = place % MAX_SEATS;
        let from = place / LANE * AT_ONCE - (AT_ONCE - first_blocks(SEATS));
        let stream = self.streams[lane] + seat as u64;
        let words = &mut self.words[lane * LANE + seat..][..LANE - seat];
        wide(GoOn { key: &self.key, stream, from, words });
    }
}

/// How many blocks of the generator are made of each seat at first: few games need more.
const fn first_blocks(seats: usize) -> usize {
    calls(seats) * AT_ONCE / seats
}

/// How often blocks are made for that.
const fn calls(seats: usize) -> usize {
    if seats < MAX_SEATS { 2 } else { 3 }
}

/// Makes the first words of all seats, the last that a lane has room for.
struct Begin<'a, const SEATS: usize> {
    key: &'a Key,
    /// The number of the stream of seat A.
    stream: u64,
    /// Of each block of the generator, rows with a word of each seat.
    words: &'a mut [[[u32; MAX_SEATS]; BLOCK_WORDS]],
}

impl<const SEATS: usize> Task for Begin<'_, SEATS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { key, stream, words } = self;
        // The seats in turn, again and again.
        let mut rows = [[0; calls(MAX_SEATS) * AT_ONCE]; BLOCK_WORDS];
        for call in 0..calls(SEATS) {
            let first = call * AT_ONCE;
            let numbers = array::from_fn(|column| stream + ((first + column) % SEATS) as u64);
            let counters = array::from_fn(|column| ((first + column) / SEATS) as u64);
            let made = key.blocks::<AT_ONCE>(numbers, counters);
            for (row, made) in rows.iter_mut().zip(made) {
                row[first..][..AT_ONCE].copy_from_slice(&made);
            }
        }
        let first_blocks = words[AT_ONCE - first_blocks(SEATS)..].iter_mut();
        for (index, block) in first_blocks.enumerate() {
            for (words, row) in block.iter_mut().zip(&rows) {
                // Behind the words of fewer than four seats are others that nobody draws.
                words.copy_from_slice(&row[index * SEATS..][..MAX_SEATS]);
            }
        }
    }
}

/// Makes further words of one seat.
struct GoOn<'a> {
    key: &'a Key,
    stream: u64,
    /// The first block of the generator.
    from: usize,
    /// From the first of the seat on.
    words: &'a mut [u32],
}

impl Task for GoOn<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { key, stream, from, words } = self;
        let counters = array::from_fn(|column| (from + column) as u64);
        let rows = key.blocks([stream; AT_ONCE], counters);
        for (index, word) in words.iter_mut().step_by(MAX_SEATS).enumerate() {
            *word = rows[index % BLOCK_WORDS][index / BLOCK_WORDS];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{BOT_LABEL, bot_stream, bot_words};

    /// Seats that draw at different speeds, in games that take one lane after the other, draw the words of their streams.
    #[test]
    fn seats_draw_their_own_words() {
        let mut lane_words = LaneWords::new();
        lane_words.reset(Key::new(7, BOT_LABEL));
        for (block, speeds) in
            [[1, 1, 1, 1], [3, 1, 2, 1], [1, 40, 0, 2], [70, 1, 33, 0]].into_iter().enumerate()
        {
            draw::<2>(&mut lane_words, block % 2, block as u64, speeds);
            draw::<3>(&mut lane_words, block % 2, block as u64, speeds);
            draw::<4>(&mut lane_words, block % 2, block as u64, speeds);
        }
    }

    fn draw<const SEATS: usize>(words: &mut LaneWords, lane: usize, block: u64, speeds: [u32; 4]) {
        words.begin::<SEATS>(lane, bot_stream(block, 3, Seat::A));
        let mut expected = bot_words(7, block, 3);
        let mut places = Seat::ALL.map(LaneWords::first_place::<SEATS>);
        for _ in 0..100 {
            for seat in Seat::all(SEATS) {
                for _ in 0..speeds[seat.index()] {
                    let place = &mut places[seat.index()];
                    let at = *place;
                    let word = words.draw::<SEATS>(lane, place);
                    assert_eq!(word, expected[seat].word(), "{seat} of {SEATS} at {at}");
                }
            }
        }
    }
}
