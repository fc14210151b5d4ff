//! Many games of cheap bots in step: [`InStep`].
//!
//! A batch of games is played in [`Lanes`]. Where a lane stops, that one throw is played as in a game of its own, and
//! where a game is over the next one of the batch takes its lane.

use std::ops::Range;

use sho_core::dice::{DICE_LABEL, WAYS, dice_stream};
use sho_core::sho::{
    Actions, Counted, LANE_CASTS, LANES, LaneCounts, LaneMoves, LanePick, LaneThrow, Lanes, Sho,
    State,
};
use sho_core::{AT_ONCE, BlockDice, Game, MAX_SEATS, PerSeat, Seat, Stream, Throw};

use super::Played;
use super::cheap::{Cheap, Fortune, PlayOn, Table};
use super::wide::{Task, wide};
use crate::arena::{BOT_LABEL, bot_stream};

/// Throws of a block in the table.
const BLOCK: usize = MAX_SEATS * LANE_CASTS;

/// Casts of a seat that the table has room for, and how many times [`AT_ONCE`] of them are drawn at first and later. At
/// first it is as many as the words that a stream makes at a time.
const CASTS: usize = 224;
const AT_FIRST: usize = 4;
const LATER: usize = 2;

/// Words of a seat that lie ready in a lane.
const WORDS: usize = 64;

/// What a bot counts: the place of its next word among those of its seats in a lane, and whether it is `easy`.
const IS_EASY: u64 = 1 << 8;

/// With fewer games than this left, each is played to its end on its own: a step costs as much as in full lanes.
const FEWEST: u32 = 9;

/// The games of some blocks: each block in each seating, in this order.
#[derive(Clone, Debug)]
pub struct Batch<'a> {
    /// The master seed of dice and bots.
    pub seed: u64,
    /// The blocks.
    pub blocks: Range<u64>,
    /// Which bot, in the order in which they were named, holds a seat. The place in this list chooses the bots' words.
    pub seatings: &'a [PerSeat<usize>],
}

/// The dice of a block of which games are played.
#[derive(Debug)]
struct BlockInPlay {
    streams: PerSeat<Stream>,
    /// How many games.
    games: usize,
    /// By seat, how many casts are in the table.
    drawn: [usize; MAX_SEATS],
}

/// A game in a lane.
#[derive(Clone, Copy, Debug, Default)]
struct LaneGame {
    /// Its number in the batch.
    number: usize,
    block: u64,
    seating: usize,
    /// The place of its block.
    place: usize,
    /// By seat, how many words were made.
    words: [u32; MAX_SEATS],
}

/// The memory of games in step.
#[derive(Debug)]
pub(super) struct InStep {
    seed: u64,
    /// A stream of the bots.
    bots: Stream,
    /// The lanes, and those after a step.
    lanes: Box<[Lanes; 2]>,
    games: [LaneGame; LANES],
    /// Where in the table the dice of each lane begin.
    begins: [usize; LANES],
    /// At most one for each lane.
    blocks: Vec<BlockInPlay>,
    /// What the seats of the blocks cast: block by block, and in it seat by seat.
    throws: Box<[LaneThrow; LANES * BLOCK]>,
    /// The words of each seat in each lane.
    words: Box<[u32; LANES * MAX_SEATS * WORDS]>,
    /// For casts beyond those of the table: the dice of a block.
    beyond: Option<(u64, BlockDice)>,
}

impl InStep {
    pub(super) fn new() -> Self {
        Self {
            seed: 0,
            bots: Stream::new(0, BOT_LABEL, 0),
            lanes: Box::default(),
            games: [LaneGame::default(); LANES],
            begins: [0; LANES],
            blocks: Vec::new(),
            throws: vec![LaneThrow::NONE; LANES * BLOCK]
                .try_into()
                .expect("the length of the table"),
            words: vec![0; LANES * MAX_SEATS * WORDS].try_into().expect("the length of the words"),
            beyond: None,
        }
    }

    /// Plays the games of a batch, from `start`, and adds how they went to `played` in their order.
    pub(super) fn play(
        &mut self,
        game: &Sho,
        actions: &mut Actions,
        start: &State,
        batch: &Batch<'_>,
        bots: &[Cheap],
        played: &mut Vec<Played>,
    ) {
        if self.seed != batch.seed {
            self.blocks.clear();
            self.beyond = None;
            self.bots = Stream::new(batch.seed, BOT_LABEL, 0);
            self.seed = batch.seed;
        }
        let same = bots.iter().all(|bot| *bot == bots[0]).then_some(bots[0]);
        let tables = Tables { memory: self, game, actions, start, batch, bots, played };
        match (game.seats(), same) {
            (2, Some(Cheap::Easy)) => wide(Play::<2, _>(tables, AllEasy)),
            (3, Some(Cheap::Easy)) => wide(Play::<3, _>(tables, AllEasy)),
            (_, Some(Cheap::Easy)) => wide(Play::<4, _>(tables, AllEasy)),
            (2, Some(Cheap::Random)) => wide(Play::<2, _>(tables, AllRandom)),
            (3, Some(Cheap::Random)) => wide(Play::<3, _>(tables, AllRandom)),
            (_, Some(Cheap::Random)) => wide(Play::<4, _>(tables, AllRandom)),
            (2, None) => wide(Play::<2, _>(tables, Mixed)),
            (3, None) => wide(Play::<3, _>(tables, Mixed)),
            (_, None) => wide(Play::<4, _>(tables, Mixed)),
        }
    }
}

/// Which bots sit in the lanes, and how they choose there.
trait LaneBots: Copy {
    /// Whether any draws words.
    const DRAW: bool;

    /// What the side to move does, with its next word.
    fn pick(self, moves: LaneMoves, word: u64) -> LanePick;

    /// The bot of a seat, out of those of the game.
    fn bot_at(self, bots: &PerSeat<Cheap>, seat: Seat) -> Cheap;
}

#[derive(Clone, Copy)]
struct AllEasy;

#[derive(Clone, Copy)]
struct AllRandom;

#[derive(Clone, Copy)]
struct Mixed;

impl LaneBots for AllEasy {
    const DRAW: bool = false;

    #[inline(always)]
    fn pick(self, moves: LaneMoves, _: u64) -> LanePick {
        // A kill before a join before anything else, each time the one that ends furthest.
        let LaneMoves { sources, kills, joins, .. } = moves;
        let others = if joins == 0 { sources } else { joins };
        let best = if kills == 0 { others } else { kills };
        LanePick { source: best & best.wrapping_neg(), counts: 0, stops: 0 }
    }

    #[inline(always)]
    fn bot_at(self, _: &PerSeat<Cheap>, _: Seat) -> Cheap {
        Cheap::Easy
    }
}

impl LaneBots for AllRandom {
    const DRAW: bool = true;

    /// As [`Stream::below`] and then [`Moves::nth`](sho_core::sho::Moves::nth).
    #[inline(always)]
    fn pick(self, moves: LaneMoves, word: u64) -> LanePick {
        const LOW: u64 = u32::MAX as u64;
        let LaneMoves { sources, counted, .. } = moves;
        let many = u64::from(sources.count_ones());
        let product = (many & LOW) * (word & LOW);
        let mut later = many as i64 - 1 - (product >> 32) as i64;
        let mut rest = sources;
        // Nine coins make at most nine moves.
        for _ in 0..8 {
            rest = if later > 0 { rest & rest.wrapping_sub(1) } else { rest };
            later -= 1;
        }
        let may_skip = ((product & LOW) as i64) < many as i64;
        let last_word = (!counted) & (WORDS as u64 - 1) == 0;
        LanePick {
            source: rest & rest.wrapping_neg(),
            counts: u64::from(many as i64 > 1),
            stops: u64::from(may_skip | last_word),
        }
    }

    #[inline(always)]
    fn bot_at(self, _: &PerSeat<Cheap>, _: Seat) -> Cheap {
        Cheap::Random
    }
}

impl LaneBots for Mixed {
    const DRAW: bool = true;

    #[inline(always)]
    fn pick(self, moves: LaneMoves, word: u64) -> LanePick {
        let (easy, random) = (AllEasy.pick(moves, word), AllRandom.pick(moves, word));
        let is_easy = moves.counted & IS_EASY != 0;
        LanePick {
            source: if is_easy { easy.source } else { random.source },
            counts: if is_easy { 0 } else { random.counts },
            stops: if is_easy { 0 } else { random.stops },
        }
    }

    #[inline(always)]
    fn bot_at(self, bots: &PerSeat<Cheap>, seat: Seat) -> Cheap {
        bots[seat]
    }
}

/// All that it takes to play a batch.
struct Tables<'a> {
    memory: &'a mut InStep,
    game: &'a Sho,
    actions: &'a mut Actions,
    start: &'a State,
    batch: &'a Batch<'a>,
    bots: &'a [Cheap],
    played: &'a mut Vec<Played>,
}

struct Play<'a, const SEATS: usize, B>(Tables<'a>, B);

impl<const SEATS: usize, B: LaneBots> Task for Play<'_, SEATS, B> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(tables, bots) = self;
        Run::<SEATS, B>::new(tables, bots).play();
    }
}

/// A batch while it is played.
struct Run<'a, const SEATS: usize, B> {
    tables: Tables<'a>,
    bots: B,
    /// The games that have not begun.
    waiting: Range<usize>,
    /// The place in `played` of the first game of the batch.
    first: usize,
    /// The lanes that have a game.
    live: u32,
    /// The block that has been drawn last, and its place.
    drawn: Option<(u64, usize)>,
}

impl<'a, const SEATS: usize, B: LaneBots> Run<'a, SEATS, B> {
    #[inline(always)]
    fn new(tables: Tables<'a>, bots: B) -> Self {
        let blocks = tables.batch.blocks.end.saturating_sub(tables.batch.blocks.start) as usize;
        let games = blocks * tables.batch.seatings.len();
        let first = tables.played.len();
        let nothing =
            Played { end: 0, payoffs: PerSeat::default(), throws: 0, turns: 0, decisions: 0 };
        tables.played.resize(first + games, nothing);
        for block in &mut tables.memory.blocks {
            block.games = 0;
        }
        Self { tables, bots, waiting: 0..games, first, live: 0, drawn: None }
    }

    #[inline(always)]
    fn play(&mut self) {
        let game = self.tables.game;
        let (mut now, mut next) = (0, 1);
        for lane in 0..LANES {
            self.begin(lane, now);
        }
        while self.live.count_ones() >= FEWEST {
            let InStep { lanes, begins, throws, words, .. } = &mut *self.tables.memory;
            let [one, other] = &mut **lanes;
            let (before, after) = if now == 0 { (&*one, other) } else { (&*other, one) };
            let (mut cast, mut drawn) = ([0; LANES], [0; LANES]);
            for lane in 0..LANES {
                let at = begins[lane] + before.next_cast(lane);
                cast[lane] = throws[at % throws.len()].word();
            }
            if B::DRAW {
                for (lane, drawn) in drawn.iter_mut().enumerate() {
                    let at = lane * MAX_SEATS * WORDS + before.counted(lane) % (MAX_SEATS * WORDS);
                    *drawn = words[at].into();
                }
            }
            let bots = self.bots;
            let stopped = before
                .step::<SEATS>(after, game, &cast, |lane, moves| bots.pick(moves, drawn[lane]));
            let mut stopped = stopped & self.live;
            while stopped != 0 {
                let lane = stopped.trailing_zeros() as usize;
                stopped &= stopped - 1;
                let [one, other] = &mut *self.tables.memory.lanes;
                let (before, after) = if now == 0 { (&*one, other) } else { (&*other, one) };
                if before.open::<SEATS>(after, game, lane, cast[lane]) {
                    continue;
                }
                self.play_apart(lane, now, next);
            }
            (now, next) = (next, now);
        }
        while self.live != 0 {
            let lane = self.live.trailing_zeros() as usize;
            let (state, counts) = self.tables.memory.lanes[now].take::<SEATS>(game, lane);
            self.play_to_its_end(lane, state, counts);
            self.live &= !(1 << lane);
        }
    }

    /// Begins the next game in a lane, if there is one.
    #[inline(always)]
    fn begin(&mut self, lane: usize, into: usize) {
        self.live &= !(1 << lane);
        let Some(number) = self.waiting.next() else { return };
        self.live |= 1 << lane;
        let counts = self.prepare(lane, number);
        let Tables { memory, game, start, .. } = &mut self.tables;
        memory.lanes[into].put::<SEATS>(game, lane, start, &counts);
    }

    /// Makes dice and words ready for a game in a lane.
    #[inline(never)]
    fn prepare(&mut self, lane: usize, number: usize) -> LaneCounts {
        let batch = self.tables.batch;
        let (block, seating) = (
            batch.blocks.start + (number / batch.seatings.len()) as u64,
            number % batch.seatings.len(),
        );
        let place = match self.drawn {
            Some((drawn, place)) if drawn == block => place,
            _ => self.draw(block),
        };
        self.drawn = Some((block, place));
        let memory = &mut *self.tables.memory;
        memory.blocks[place].games += 1;
        memory.begins[lane] = place * BLOCK;
        memory.games[lane] = LaneGame { number, block, seating, place, words: [0; MAX_SEATS] };
        let mut counts = LaneCounts::default();
        for seat in Seat::all(SEATS) {
            let bot = self.bot_at(seating, seat);
            let is_easy = if bot == Cheap::Easy { IS_EASY as u16 } else { 0 };
            counts.bots[seat.index()] = (seat.index() * WORDS) as u16 | is_easy;
            if bot == Cheap::Random {
                let memory = &mut *self.tables.memory;
                let words = &mut memory.words[lane * MAX_SEATS * WORDS..][..MAX_SEATS * WORDS];
                memory.games[lane].draw_words(&memory.bots, seat, words);
            }
        }
        counts
    }

    #[inline(always)]
    fn bot_at(&self, seating: usize, seat: Seat) -> Cheap {
        let Tables { batch, bots, .. } = &self.tables;
        let bot = bots.get(batch.seatings[seating][seat]).copied().unwrap_or(Cheap::Random);
        self.bots.bot_at(&PerSeat::from_fn(|_| bot), seat)
    }

    /// Draws the dice of a block, and returns its place.
    fn draw(&mut self, block: u64) -> usize {
        let memory = &mut *self.tables.memory;
        let free = memory.blocks.iter().position(|block| block.games == 0);
        let place = free.unwrap_or_else(|| {
            let stream = |seat| Stream::new(memory.seed, DICE_LABEL, dice_stream(block, seat));
            let streams = PerSeat::from_fn(stream);
            memory.blocks.push(BlockInPlay { streams, games: 0, drawn: [0; MAX_SEATS] });
            memory.blocks.len() - 1
        });
        let throws = &mut memory.throws[place * BLOCK..][..BLOCK];
        memory.blocks[place].begin(block, throws, SEATS);
        place
    }

    /// Plays the throw at which a lane stopped, and on until it fits a lane again; or begins another game there.
    #[inline(always)]
    fn play_apart(&mut self, lane: usize, now: usize, next: usize) {
        let game = self.tables.game;
        let (mut state, mut counts) = self.tables.memory.lanes[now].take::<SEATS>(game, lane);
        let counted = self.play_on::<true>(lane, &mut state, &mut counts);
        counts.decisions += counted.decisions;
        counts.turns += counted.turns;
        if !game.fits_lane(&state) {
            self.finish(lane, &state, counts);
            return self.begin(lane, next);
        }
        if counts.casts.into_iter().any(|casts| usize::from(casts) >= CASTS) {
            self.play_to_its_end(lane, state, counts);
            return self.begin(lane, next);
        }
        self.tables.memory.lanes[next].put::<SEATS>(game, lane, &state, &counts);
    }

    /// Plays a game on: to its end, or until it fits a lane and a throw has been played.
    #[inline(always)]
    fn play_on<const IN_LANE: bool>(
        &mut self,
        lane: usize,
        state: &mut State,
        counts: &mut LaneCounts,
    ) -> Counted {
        let seating = self.tables.memory.games[lane].seating;
        let bots = PerSeat::from_fn(|seat| {
            if seat.index() < SEATS { self.bot_at(seating, seat) } else { Cheap::Random }
        });
        let Tables { memory, game, actions, .. } = &mut self.tables;
        let lane_game = &mut memory.games[lane];
        let fortune = LaneFortune {
            sho: game,
            seed: memory.seed,
            bots: &memory.bots,
            block: &mut memory.blocks[lane_game.place],
            throws: &mut memory.throws[lane_game.place * BLOCK..][..BLOCK],
            beyond: &mut memory.beyond,
            game: lane_game,
            words: &mut memory.words[lane * MAX_SEATS * WORDS..][..MAX_SEATS * WORDS],
            counts,
        };
        let kind = self.bots;
        let mut table = Table::new(game, fortune, |seat| kind.bot_at(&bots, seat), ());
        let play_on = PlayOn { game, actions };
        if IN_LANE {
            play_on.until_it_fits_a_lane::<SEATS, _, _, _>(state, &mut table)
        } else {
            play_on.until_over(state, &mut table)
        }
    }

    /// Plays a game to its end without a lane.
    #[cold]
    #[inline(never)]
    fn play_to_its_end(&mut self, lane: usize, mut state: State, mut counts: LaneCounts) {
        let counted = self.play_on::<false>(lane, &mut state, &mut counts);
        counts.decisions += counted.decisions;
        counts.turns += counted.turns;
        self.finish(lane, &state, counts);
    }

    /// Takes down how a game went.
    #[inline(always)]
    fn finish(&mut self, lane: usize, state: &State, counts: LaneCounts) {
        let memory = &mut *self.tables.memory;
        let LaneGame { number, place, .. } = memory.games[lane];
        memory.blocks[place].games -= 1;
        let counted = Counted { turns: counts.turns, decisions: counts.decisions };
        self.tables.played[self.first + number] = Played::of(self.tables.game, state, counted);
    }
}

impl BlockInPlay {
    /// Begins with the first casts of a block.
    fn begin(&mut self, block: u64, throws: &mut [LaneThrow], seats: usize) {
        throws.fill(LaneThrow::NONE);
        self.drawn = [0; MAX_SEATS];
        for (seat, stream) in self.streams.iter_mut(seats) {
            stream.renumber(dice_stream(block, seat));
        }
        for seat in Seat::all(seats) {
            self.draw::<AT_FIRST>(seat, throws);
        }
    }

    /// Draws further casts of a seat into the block's part of the table, if there is room.
    #[inline(never)]
    fn draw<const TIMES: usize>(&mut self, seat: Seat, throws: &mut [LaneThrow]) {
        let drawn = &mut self.drawn[seat.index()];
        if *drawn < CASTS {
            let into = &mut throws[seat.index() * LANE_CASTS + *drawn..][..TIMES * AT_ONCE];
            wide(Draw { stream: &mut self.streams[seat], into: into.as_chunks_mut().0 });
            *drawn += TIMES * AT_ONCE;
        }
    }
}

/// Draws casts.
struct Draw<'a> {
    stream: &'a mut Stream,
    into: &'a mut [[LaneThrow; AT_ONCE]],
}

impl Task for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for throws in self.into {
            *throws = self.stream.draw_below(WAYS).map(LaneThrow::of_way);
        }
    }
}

impl LaneGame {
    /// Makes a seat's next words ready among those of the lane.
    #[inline(never)]
    fn draw_words(&mut self, bots: &Stream, seat: Seat, words: &mut [u32]) {
        let number = bot_stream(self.block, self.seating, seat);
        let made = &mut self.words[seat.index()];
        let into = &mut words[seat.index() * WORDS..][..WORDS];
        bots.words_of(number, (*made).into(), into);
        *made += WORDS as u32;
    }
}

/// The dice and the words of a game in a lane.
struct LaneFortune<'a> {
    sho: &'a Sho,
    seed: u64,
    bots: &'a Stream,
    game: &'a mut LaneGame,
    block: &'a mut BlockInPlay,
    throws: &'a mut [LaneThrow],
    beyond: &'a mut Option<(u64, BlockDice)>,
    words: &'a mut [u32],
    counts: &'a mut LaneCounts,
}

impl LaneFortune<'_> {
    /// The cast of a seat that was not drawn yet, or is none of the table.
    #[cold]
    #[inline(never)]
    fn draw(&mut self, seat: Seat, index: usize) -> Throw {
        if index < CASTS {
            self.block.draw::<LATER>(seat, self.throws);
            if let Some(throw) = self.throws[seat.index() * LANE_CASTS + index].throw() {
                return throw;
            }
        }
        let block = self.game.block;
        let (drawn, dice) =
            self.beyond.get_or_insert_with(|| (block, BlockDice::of(self.sho, self.seed, block)));
        if *drawn != block {
            *drawn = block;
            dice.reset(block);
        }
        dice.cast_at(seat, index)
    }

    #[inline(always)]
    fn word(&mut self, seat: Seat) -> u32 {
        let next = &mut self.counts.bots[seat.index()];
        let word = self.words[usize::from(*next) % (MAX_SEATS * WORDS)];
        *next += 1;
        if usize::from(*next) % WORDS == 0 {
            *next -= WORDS as u16;
            self.game.draw_words(self.bots, seat, self.words);
        }
        word
    }
}

impl Fortune for LaneFortune<'_> {
    #[inline(always)]
    fn cast(&mut self, seat: Seat) -> Throw {
        let casts = &mut self.counts.casts[seat.index()];
        let index = usize::from(*casts);
        *casts += 1;
        let at = (seat.index() * LANE_CASTS + index) % BLOCK;
        match self.throws[at].throw() {
            Some(throw) if index < LANE_CASTS => throw,
            _ => self.draw(seat, index),
        }
    }

    #[inline(always)]
    fn below(&mut self, seat: Seat, n: u32) -> u32 {
        if n == 1 {
            return 0;
        }
        let skipped_below = n.wrapping_neg() % n;
        loop {
            let product = u64::from(n) * u64::from(self.word(seat));
            if product as u32 >= skipped_below {
                return (product >> 32) as u32;
            }
        }
    }
}
