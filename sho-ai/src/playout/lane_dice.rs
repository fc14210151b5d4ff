//! The dice of blocks of which games are played in step: [`LaneDice`].

use std::array;

use sho_core::dice::{DICE_LABEL, dice_stream};
use sho_core::sho::{LANE_CASTS, LANES, LaneThrow, Sho};
use sho_core::{BLOCK_WORDS, BlockDice, Key, MAX_SEATS, Seat, Throw};

use super::wide::{Task, wide};
use crate::rollout::{Purpose, ROLLOUT_LABEL};

/// Casts of a part of a block in the table.
const PART: usize = MAX_SEATS * LANE_CASTS;

/// The most parts of a block.
const PARTS: usize = 2;

/// Casts in the table.
const TABLE: usize = LANES * PARTS * PART;

/// The most casts of a seat that are drawn into a part.
pub(super) const MOST_CASTS: usize = 224;

/// Blocks of the generator at a time.
const AT_ONCE: usize = 8;

/// Whose dice they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiceOf {
    /// Of blocks: a seat's casts follow one another.
    Blocks,
    /// Of the games of a [rollout](crate::rollout), each a block of its own here: casts that begin a turn are part 0, and the
    /// others part 1.
    Rollout,
}

impl DiceOf {
    const fn parts(self) -> usize {
        match self {
            Self::Blocks => 1,
            Self::Rollout => PARTS,
        }
    }

    fn key(self, seed: u64) -> Key {
        match self {
            Self::Blocks => Key::new(seed, DICE_LABEL),
            Self::Rollout => Key::new(seed, ROLLOUT_LABEL),
        }
    }

    /// The number under which a part of a block has its streams.
    const fn number(self, block: u64, part: usize) -> u64 {
        match (self, part) {
            (Self::Blocks, _) => block,
            (Self::Rollout, 0) => Purpose::First.number(block),
            (Self::Rollout, _) => Purpose::Further.number(block),
        }
    }
}

/// A cast of a block: number `index` of a seat in a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cast {
    pub(super) part: usize,
    pub(super) seat: Seat,
    pub(super) index: usize,
}

impl Cast {
    /// Where it is in the block's part of the table, if it is there.
    #[inline(always)]
    pub(super) const fn place(self) -> usize {
        first_place(self.part, self.seat.index()) + self.index
    }
}

/// Where in a block's part of the table the casts of a seat begin.
#[inline(always)]
pub(super) const fn first_place(part: usize, seat: usize) -> usize {
    part * PART + seat * LANE_CASTS
}

/// A table of what the seats cast, block by block, in it part by part, and in that seat by seat: [`LANE_CASTS`] of each.
#[derive(Debug)]
pub(super) struct LaneDice {
    of: DiceOf,
    key: Key,
    /// At most one for each lane.
    blocks: Vec<Block>,
    throws: Box<[LaneThrow; TABLE]>,
    /// The block that was begun last, and its place.
    last: Option<(u64, usize)>,
    /// For casts beyond those of the table: dice, and the number of their streams.
    beyond: Option<(u64, BlockDice)>,
}

/// A block of which games are played.
#[derive(Debug)]
struct Block {
    number: u64,
    /// How many games.
    games: usize,
    parts: [Part; PARTS],
}

/// A part of a block.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// By seat, how many casts are in the table.
    drawn: [usize; MAX_SEATS],
}

impl LaneDice {
    pub(super) fn new() -> Self {
        let of = DiceOf::Blocks;
        Self {
            of,
            key: of.key(0),
            blocks: Vec::new(),
            throws: vec![LaneThrow::NONE; TABLE].try_into().expect("the table's length"),
            last: None,
            beyond: None,
        }
    }

    /// Takes dice under a master seed, and forgets all blocks.
    pub(super) fn reset(&mut self, of: DiceOf, seed: u64) {
        (self.of, self.key) = (of, of.key(seed));
        self.blocks.clear();
        (self.last, self.beyond) = (None, None);
    }

    /// Begins a game of a block, and returns the block's place. The games of a block follow one another.
    pub(super) fn begin_game<const SEATS: usize>(&mut self, number: u64) -> usize {
        let place = match self.last {
            Some((last, place)) if last == number => place,
            _ => self.begin_block::<SEATS>(number),
        };
        self.last = Some((number, place));
        self.blocks[place].games += 1;
        place
    }

    /// Ends a game of the block at a place.
    pub(super) fn end_game(&mut self, place: usize) {
        self.blocks[place].games -= 1;
    }

    fn begin_block<const SEATS: usize>(&mut self, number: u64) -> usize {
        let block = Block { number, games: 0, parts: [Part::default(); PARTS] };
        let free = self.blocks.iter().position(|block| block.games == 0);
        let place = free.unwrap_or(self.blocks.len());
        if place < self.blocks.len() {
            self.blocks[place] = block;
        } else {
            self.blocks.push(block);
        }
        let (begins, size) = (self.begins(place), self.of.parts() * PART);
        self.throws[begins..][..size].fill(LaneThrow::NONE);
        for part in 0..self.of.parts() {
            // Some 80 casts of each seat: few seats need more.
            for _ in 0..SEATS.div_ceil(2) {
                self.draw::<SEATS>(place, part);
            }
        }
        place
    }

    /// Where the casts of the block at a place begin in the table.
    pub(super) const fn begins(&self, place: usize) -> usize {
        place * self.of.parts() * PART
    }

    /// The throws from a place in the table on.
    #[inline(always)]
    pub(super) fn throw(&self, at: usize) -> LaneThrow {
        self.throws[at % TABLE]
    }

    /// A cast of the block at a place.
    #[inline(always)]
    pub(super) fn cast<const SEATS: usize>(
        &mut self,
        game: &Sho,
        place: usize,
        cast: Cast,
    ) -> Throw {
        let at = Cast { index: cast.index % LANE_CASTS, ..cast }.place();
        match self.throw(self.begins(place) + at).throw() {
            Some(throw) if cast.index < LANE_CASTS => throw,
            _ => self.cast_late::<SEATS>(game, place, cast),
        }
    }

    /// A cast that was not drawn yet, or is none of the table.
    #[cold]
    #[inline(never)]
    fn cast_late<const SEATS: usize>(&mut self, game: &Sho, place: usize, cast: Cast) -> Throw {
        let Cast { part, seat, index } = cast;
        while self.blocks[place].parts[part].drawn[seat.index()] <= index.min(MOST_CASTS - 1) {
            self.draw::<SEATS>(place, part);
        }
        if index < MOST_CASTS
            && let Some(throw) = self.throw(self.begins(place) + cast.place()).throw()
        {
            return throw;
        }
        let number = self.of.number(self.blocks[place].number, part);
        let new = || (number, BlockDice::under(game, self.key, number));
        let (drawn, dice) = self.beyond.get_or_insert_with(new);
        if *drawn != number {
            *drawn = number;
            dice.reset(number);
        }
        dice.cast_at(seat, index)
    }

    /// Draws further casts of the seats in turn, as far as there is room.
    #[inline(never)]
    fn draw<const SEATS: usize>(&mut self, place: usize, part: usize) {
        let begins = self.begins(place) + part * PART;
        let throws = &mut self.throws[begins..][..PART];
        let block = &mut self.blocks[place];
        let stream = dice_stream(self.of.number(block.number, part), Seat::A);
        wide(Draw::<SEATS> { key: &self.key, stream, part: &mut block.parts[part], throws });
    }
}

/// Draws casts of the seats.
struct Draw<'a, const SEATS: usize> {
    key: &'a Key,
    /// The number of the stream of seat A.
    stream: u64,
    part: &'a mut Part,
    throws: &'a mut [LaneThrow],
}

impl<const SEATS: usize> Task for Draw<'_, SEATS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { key, stream, part, throws } = self;
        let drawn = part.drawn.map(|casts| casts / BLOCK_WORDS);
        // On from the seat whose turn it is.
        let first: usize = drawn.iter().sum();
        let seats: [usize; AT_ONCE] = array::from_fn(|column| (first + column) % SEATS);
        let counters = array::from_fn(|column| (drawn[seats[column]] + column / SEATS) as u64);
        let words = key.blocks(seats.map(|seat| stream + seat as u64), counters);
        part.take(seats, counters, &words, throws);
    }
}

impl Part {
    /// Takes the casts of these words into the part's share of the table: those of a column are block `counters[column]` of
    /// the words of its seat.
    #[inline(always)]
    fn take(
        &mut self,
        seats: [usize; AT_ONCE],
        counters: [u64; AT_ONCE],
        words: &[[u32; AT_ONCE]; BLOCK_WORDS],
        throws: &mut [LaneThrow],
    ) {
        let (casts, skips) = LaneThrow::drawn_with(words);
        for column in 0..AT_ONCE {
            let (seat, from) = (seats[column], counters[column] as usize * BLOCK_WORDS);
            if skips[column] {
                // The casts from here on are others, and not in the table: other dice know how to skip words.
                self.drawn[seat] = MOST_CASTS;
            } else if from == self.drawn[seat] && from < MOST_CASTS {
                throws[seat * LANE_CASTS + from..][..BLOCK_WORDS].copy_from_slice(&casts[column]);
                self.drawn[seat] += BLOCK_WORDS;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Dice;
    use crate::rollout::RolloutDice;
    use sho_core::Game;
    use sho_core::sho::Rules;

    const BLOCK_NUMBER: u64 = 5;

    fn begun(of: DiceOf) -> (LaneDice, Sho) {
        let game = Sho::new(Rules::lhasa()).unwrap();
        let mut dice = LaneDice::new();
        dice.reset(of, 7);
        assert_eq!(dice.begin_game::<3>(BLOCK_NUMBER), 0);
        (dice, game)
    }

    /// Casts of a seat that run far ahead of the others', in and beyond the table.
    fn compare(
        dice: &mut LaneDice,
        game: &Sho,
        part: usize,
        mut expected: impl FnMut(Seat, usize) -> Throw,
    ) {
        for index in 0..600 {
            for seat in [Seat::B, Seat::A].into_iter().take(if index < 100 { 1 } else { 2 }) {
                let index = if seat == Seat::A { index - 100 } else { index };
                let cast = dice.cast::<3>(game, 0, Cast { part, seat, index });
                assert_eq!(cast, expected(seat, index), "{seat}, cast {index} of part {part}");
            }
        }
    }

    #[test]
    fn casts_are_those_of_the_block() {
        let (mut dice, game) = begun(DiceOf::Blocks);
        let mut expected = BlockDice::of(&game, 7, BLOCK_NUMBER);
        compare(&mut dice, &game, 0, |seat, index| expected.cast_at(seat, index));
    }

    #[test]
    fn casts_are_those_of_a_rollout() {
        let (mut dice, game) = begun(DiceOf::Rollout);
        for part in [1, 0, 1] {
            // Each seat's casts are asked for in order.
            let mut expected = RolloutDice::new(&game, 7, BLOCK_NUMBER);
            compare(&mut dice, &game, part, |seat, _| {
                Throw::from_way(expected.draw(seat, part == 0))
            });
        }
    }

    /// A word that has to be skipped is one in a billion: here it is put among those of a seat.
    #[test]
    fn a_word_to_skip_leaves_a_seat_to_other_dice() {
        let (mut dice, game) = begun(DiceOf::Blocks);
        let mut expected = BlockDice::of(&game, 7, BLOCK_NUMBER);
        let drawn = dice.blocks[0].parts[0].drawn[0];
        let mut words = [[1 << 30; AT_ONCE]; BLOCK_WORDS];
        words[3][0] = 0;
        let counters = array::from_fn(|column| (drawn / BLOCK_WORDS + column) as u64);
        dice.blocks[0].parts[0].take([0; AT_ONCE], counters, &words, &mut dice.throws[..PART]);
        for index in [0, drawn - 1, drawn, drawn + 3, drawn + 4, MOST_CASTS, 300] {
            let cast = dice.cast::<3>(&game, 0, Cast { part: 0, seat: Seat::A, index });
            assert_eq!(cast, expected.cast_at(Seat::A, index), "cast {index}");
            let is_there = dice.throws[index % LANE_CASTS] != LaneThrow::NONE;
            assert_eq!(is_there, index % LANE_CASTS < drawn, "cast {index}");
        }
    }
}
