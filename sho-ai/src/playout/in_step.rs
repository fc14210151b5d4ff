//! Many games of cheap bots in step: [`InStep`].
//!
//! A batch of games is played in [`Lanes`]. Where a lane stops, that one throw is played in it without the others, or, where
//! there is more to it, as in a game of its own; and where a game is over the next one of the batch takes its lane.

use std::ops::Range;

use sho_core::sho::{
    Actions, Counted, LANE_CASTS, LANES, LaneCounts, LaneMoves, LanePlayed, LaneThrow, Lanes, Sho,
    State,
};
use sho_core::{Game, MAX_SEATS, PerSeat, Seat, Step};

use super::Played;
use super::cheap::{Cheap, PlayOn, Table, seated};
use super::course::{Course, TurnCasts};
use super::lane_bots::{AllEasy, AllRandom, IS_EASY, LaneBots, Mixed};
use super::lane_dice::{LaneDice, MOST_CASTS};
use super::lane_fortune::{InLane, LaneFortune};
use super::lane_source::{Begins, Source};
use super::lane_trace::LaneTracer;
use super::lane_words::LaneWords;
use super::trace::GameTrace;
use super::wide::{Task, wide};

/// With fewer games than this left, each is played to its end on its own: a step costs as much as in full lanes.
const FEWEST: u32 = 17;

/// A game in a lane.
#[derive(Clone, Copy, Debug, Default)]
struct LaneGame {
    /// Its number in the batch.
    number: usize,
    /// The place of its block among the dice.
    place: usize,
    bots: PerSeat<Cheap>,
}

/// The memory of games in step.
#[derive(Debug)]
pub(super) struct InStep {
    /// The lanes, and those after a step.
    lanes: Box<[Lanes; 2]>,
    games: [LaneGame; LANES],
    /// Where in the table of dice those of each lane begin.
    begins: [usize; LANES],
    dice: LaneDice,
    words: LaneWords,
}

impl InStep {
    pub(super) fn new() -> Self {
        Self {
            lanes: Box::default(),
            games: [LaneGame::default(); LANES],
            begins: [0; LANES],
            dice: LaneDice::new(),
            words: LaneWords::new(),
        }
    }

    /// Plays games, and adds how they went to `played` in their order, and to `traces` their courses.
    pub(super) fn play(&mut self, games: Games<'_>) {
        let seed = games.source.seed();
        self.dice.reset(games.source.dice(), seed);
        self.words.reset(games.source.words(seed));
        let bots = games.bots;
        let same = bots.iter().all(|bot| *bot == bots[0]).then_some(bots[0]);
        let tables = Tables { memory: self, games };
        match tables.games.game.seats() {
            2 => tables.play::<2>(same),
            3 => tables.play::<3>(same),
            _ => tables.play::<4>(same),
        }
    }
}

/// What is to be played, and where to write it down.
pub(super) struct Games<'a> {
    pub(super) game: &'a Sho,
    pub(super) actions: &'a mut Actions,
    pub(super) source: Source<'a>,
    pub(super) bots: &'a [Cheap],
    pub(super) played: &'a mut Vec<Played>,
    pub(super) traces: Option<&'a mut Vec<GameTrace>>,
}

/// All that it takes to play a batch.
struct Tables<'a> {
    memory: &'a mut InStep,
    games: Games<'a>,
}

impl Tables<'_> {
    /// Plays the batch, of which `same` holds every seat, if one bot does.
    fn play<const SEATS: usize>(self, same: Option<Cheap>) {
        match (self.games.source, self.games.traces.is_some()) {
            (Source::Batch { .. }, false) => match same {
                Some(Cheap::Easy) => self.run::<SEATS, _, _>((), AllEasy),
                Some(Cheap::Random) => self.run::<SEATS, _, _>((), AllRandom),
                None => self.run::<SEATS, _, _>((), Mixed),
            },
            (Source::Batch { .. }, true) => {
                let tracer = LaneTracer::new(self.games.game);
                self.play_keeping::<SEATS, _>(tracer, same);
            }
            (Source::Rollout(_), _) => self.play_keeping::<SEATS, _>(TurnCasts, same),
        }
    }

    /// Plays games of which something is kept. They are few: bots who all draw are not worth code of their own here.
    fn play_keeping<const SEATS: usize, C: Course>(self, course: C, same: Option<Cheap>) {
        match same {
            Some(Cheap::Easy) => self.run::<SEATS, _, _>(course, AllEasy),
            _ => self.run::<SEATS, _, _>(course, Mixed),
        }
    }

    fn run<const SEATS: usize, C: Course, B: LaneBots>(self, course: C, bots: B) {
        wide(Play::<SEATS, C, B>(self, course, bots));
    }
}

struct Play<'a, const SEATS: usize, C, B>(Tables<'a>, C, B);

impl<const SEATS: usize, C: Course, B: LaneBots> Task for Play<'_, SEATS, C, B> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self(tables, course, bots) = self;
        Run::<SEATS, C, B>::new(tables, course, bots).play();
    }
}

/// A batch while it is played.
struct Run<'a, const SEATS: usize, C, B> {
    memory: &'a mut InStep,
    games: Games<'a>,
    course: C,
    bots: B,
    /// The games that have not begun.
    waiting: Range<usize>,
    /// The places in `played` and in `traces` of the first game of the batch.
    first: (usize, usize),
    /// The lanes that have a game.
    live: u64,
}

impl<'a, const SEATS: usize, C: Course, B: LaneBots> Run<'a, SEATS, C, B> {
    #[inline(always)]
    fn new(tables: Tables<'a>, course: C, bots: B) -> Self {
        let Tables { memory, mut games } = tables;
        let many = games.source.games();
        let mut first = (games.played.len(), 0);
        let nothing =
            Played { end: 0, payoffs: PerSeat::default(), throws: 0, turns: 0, decisions: 0 };
        games.played.resize(first.0 + many, nothing);
        if let Some(traces) = &mut games.traces {
            first.1 = traces.len();
            traces.resize(first.1 + many, GameTrace::default());
        }
        Self { memory, games, course, bots, waiting: 0..many, first, live: 0 }
    }

    #[inline(always)]
    fn play(&mut self) {
        let game = self.games.game;
        let (mut now, mut next) = (0, 1);
        let mut numbers = Numbers { casts: [0; LANES], words: [0; LANES] };
        for lane in 0..LANES {
            self.begin(lane, now);
        }
        while self.live.count_ones() >= FEWEST {
            let mut stopped = self.step(now, &mut numbers);
            while stopped != 0 {
                let lane = stopped.trailing_zeros() as usize;
                stopped &= stopped - 1;
                match self.play_in_lane(lane, numbers.casts[lane], now) {
                    LanePlayed::Played => {}
                    LanePlayed::Won => {
                        let (state, counts) = self.memory.lanes[next].take_won::<SEATS>(game, lane);
                        self.finish(lane, &state, counts);
                        self.begin(lane, next);
                    }
                    LanePlayed::Not => self.play_apart(lane, now, next),
                }
            }
            (now, next) = (next, now);
        }
        while self.live != 0 {
            let lane = self.live.trailing_zeros() as usize;
            let (state, counts) = self.memory.lanes[now].take::<SEATS>(game, lane);
            self.play_to_its_end(lane, state, counts);
            self.live &= !(1 << lane);
        }
    }

    /// Plays a throw in all lanes, and returns where that could not be done.
    #[inline(always)]
    fn step(&mut self, now: usize, numbers: &mut Numbers) -> u64 {
        let InStep { lanes, begins, dice, words, .. } = &mut *self.memory;
        let (before, after) = before_and_after(lanes, now);
        let Numbers { casts, words: drawn } = numbers;
        let (course, bots, game) = (self.course, self.bots, self.games.game);
        for (lane, cast) in casts.iter_mut().enumerate() {
            let place = course.place(before.kept(lane), before.next_cast(lane));
            *cast = dice.throw(begins[lane].wrapping_add(place)).word();
        }
        if B::DRAW {
            for (lane, drawn) in drawn.iter_mut().enumerate() {
                *drawn = words.word(lane, before.counted(lane)).into();
            }
        }
        let pick = |lane, moves: LaneMoves| {
            let mut pick = bots.pick(moves, drawn[lane]);
            if C::KEEPS {
                pick.kept = course.step(moves.kept, moves.seat, casts[lane], pick.source);
            }
            pick
        };
        let stopped = match (B::DRAW, C::KEEPS) {
            (true, true) => before.step::<SEATS, true, true>(after, game, casts, pick),
            (true, false) => before.step::<SEATS, true, false>(after, game, casts, pick),
            (false, true) => before.step::<SEATS, false, true>(after, game, casts, pick),
            (false, false) => before.step::<SEATS, false, false>(after, game, casts, pick),
        };
        stopped & self.live
    }

    /// Begins the next game in a lane, if there is one.
    #[inline(always)]
    fn begin(&mut self, lane: usize, into: usize) {
        self.live &= !(1 << lane);
        while let Some(number) = self.waiting.next() {
            let (state, counts) = self.prepare(lane, number);
            if self.games.game.fits_lane(state) {
                self.memory.lanes[into].put::<SEATS>(lane, state, &counts);
                self.open(lane, into);
            } else if !self.begin_apart(lane, into, *state, counts) {
                continue;
            }
            self.live |= 1 << lane;
            return;
        }
    }

    /// Opens for the sides that open one after another. Else the lane would stop at each, and these are half of all stops
    /// that are not for a pa ra.
    #[inline(never)]
    fn open(&mut self, lane: usize, into: usize) {
        let InStep { lanes, begins, dice, .. } = &mut *self.memory;
        let lanes = &mut lanes[into];
        while lanes.opens(lane) {
            let place = self.course.place(lanes.kept(lane), lanes.next_cast(lane));
            let cast = dice.throw(begins[lane] + place).word();
            if !open_with::<SEATS, C>(lanes, self.games.game, self.course, lane, cast) {
                break;
            }
        }
    }

    /// Begins a game that does not fit a lane yet, as one in the middle of a turn does not. Whether it came to its lane, and
    /// not to its end.
    #[cold]
    #[inline(never)]
    fn begin_apart(
        &mut self,
        lane: usize,
        into: usize,
        mut state: State,
        mut counts: LaneCounts,
    ) -> bool {
        if self.games.game.step(&state) != Step::Over {
            self.play_alone(lane, &mut state, &mut counts, true);
        }
        self.put_back(lane, into, state, counts)
    }

    /// Makes dice and words ready for a game in a lane, and says how it begins.
    #[inline(never)]
    fn prepare(&mut self, lane: usize, number: usize) -> (&'a State, LaneCounts) {
        let Begins { state, block, words, held_by, turns, decisions, kept } =
            self.games.source.begins(number);
        let memory = &mut *self.memory;
        let place = memory.dice.begin_game::<SEATS>(block);
        memory.begins[lane] = memory.dice.begins(place);
        let bots = seated(self.games.bots, &held_by);
        memory.games[lane] = LaneGame { number, place, bots };
        if B::DRAW {
            memory.words.begin::<SEATS>(lane, words);
        }
        let mut counts = LaneCounts { turns, decisions, kept, ..LaneCounts::default() };
        for seat in Seat::all(SEATS) {
            let is_easy = if bots[seat] == Cheap::Easy { IS_EASY } else { 0 };
            counts.bots.set(seat, LaneWords::first_place::<SEATS>(seat) | is_easy);
        }
        (state, counts)
    }

    /// Plays the throw at which a lane stopped without taking the game out of it, if that can be done.
    #[inline(always)]
    fn play_in_lane(&mut self, lane: usize, cast: u64, now: usize) -> LanePlayed {
        let (game, course) = (self.games.game, self.course);
        let InStep { lanes, games, begins, dice, words } = &mut *self.memory;
        let (before, after) = before_and_after(lanes, now);
        let next_cast = before.next_cast(lane);
        let seat = seat_of(next_cast);
        if before.opens(lane) {
            after.follow::<SEATS>(before, lane);
            let opened = open_with::<SEATS, C>(after, game, course, lane, cast);
            return if opened { LanePlayed::Played } else { LanePlayed::Not };
        }
        // What made the lane stop is in the way still, but for a word, the last coin, and a six-three with nothing on the board.
        if !B::DRAW && cast != LaneThrow::PA_RA.word() && !before.has_one_source(lane) {
            return LanePlayed::Not;
        }
        let place = before.counted(lane) as u16;
        let mut player = InLane {
            seat,
            bot: self.bots.bot_at(&games[lane].bots, seat),
            dice,
            begins: begins[lane],
            next_cast,
            words,
            lane,
            place,
            first: place,
            gives_up: false,
            course,
            kept: before.kept(lane),
        };
        player.take_cast(cast);
        let played = before.play::<SEATS>(after, game, lane, cast, &mut player);
        if C::KEEPS && played != LanePlayed::Not {
            after.keep(lane, player.kept);
        }
        played
    }

    /// Plays the throw at which a lane stopped, and on until it fits a lane again; or begins another game there.
    #[inline(always)]
    fn play_apart(&mut self, lane: usize, now: usize, next: usize) {
        let game = self.games.game;
        let (mut state, mut counts) = self.memory.lanes[now].take::<SEATS>(game, lane);
        self.play_alone(lane, &mut state, &mut counts, true);
        if !self.put_back(lane, next, state, counts) {
            self.begin(lane, next);
        }
    }

    /// Puts a game that was played apart into its lane, or ends it where it is over or too long. Whether it goes on in the
    /// lane.
    #[inline(always)]
    fn put_back(&mut self, lane: usize, into: usize, state: State, counts: LaneCounts) -> bool {
        if !self.games.game.fits_lane(&state) {
            self.finish(lane, &state, counts);
            return false;
        }
        if Seat::all(SEATS).any(|seat| usize::from(counts.casts.get(seat)) >= MOST_CASTS) {
            self.play_to_its_end(lane, state, counts);
            return false;
        }
        self.memory.lanes[into].put::<SEATS>(lane, &state, &counts);
        true
    }

    /// Plays a game to its end without a lane.
    #[cold]
    #[inline(never)]
    fn play_to_its_end(&mut self, lane: usize, mut state: State, mut counts: LaneCounts) {
        self.play_alone(lane, &mut state, &mut counts, false);
        self.finish(lane, &state, counts);
    }

    /// Plays a game on: to its end, or until it fits a lane and a throw has been played.
    #[inline(always)]
    fn play_alone(
        &mut self,
        lane: usize,
        state: &mut State,
        counts: &mut LaneCounts,
        to_a_lane: bool,
    ) {
        let InStep { games, dice, words, .. } = &mut *self.memory;
        let LaneGame { place, bots, .. } = games[lane];
        let mut trace = GameTrace::of_bits(counts.kept);
        let counted = Alone::<SEATS> {
            game: self.games.game,
            actions: self.games.actions,
            state,
            fortune: LaneFortune {
                game: self.games.game,
                dice,
                place,
                words,
                lane,
                counts,
                turns_apart: C::APART,
            },
            bots,
            trace: (!C::APART && C::KEEPS).then_some(&mut trace),
            to_a_lane,
        }
        .play();
        if !C::APART {
            counts.kept = trace.bits();
        }
        counts.decisions += counted.decisions;
        counts.turns += counted.turns;
    }

    /// Takes down how a game went.
    #[inline(always)]
    fn finish(&mut self, lane: usize, state: &State, counts: LaneCounts) {
        let LaneGame { number, place, .. } = self.memory.games[lane];
        self.memory.dice.end_game(place);
        let counted = Counted { turns: counts.turns, decisions: counts.decisions };
        let played = self.games.source.played(self.games.game, number, state, counted);
        self.games.played[self.first.0 + number] = played;
        if let Some(traces) = &mut self.games.traces {
            let mut trace = GameTrace::of_bits(counts.kept);
            trace.finish(&played);
            traces[self.first.1 + number] = trace;
        }
    }
}

/// Opens for the first time in a lane, if there is no more to it, and takes it down.
#[inline(always)]
fn open_with<const SEATS: usize, C: Course>(
    lanes: &mut Lanes,
    game: &Sho,
    course: C,
    lane: usize,
    cast: u64,
) -> bool {
    let seat = seat_of(lanes.next_cast(lane));
    let opened = lanes.open::<SEATS>(game, lane, cast);
    if opened && C::KEEPS {
        lanes.keep(lane, course.open(lanes.kept(lane), seat.index() as u64, cast));
    }
    opened
}

/// Whose the next cast of a lane is.
#[inline(always)]
const fn seat_of(next_cast: usize) -> Seat {
    Seat::ALL[next_cast / LANE_CASTS % MAX_SEATS]
}

/// The casts of all lanes, and the words of their bots. The vectors that the compiler puts on the stack beside them are aligned
/// as they are: one that lay across two pages, as the stack happens to begin, took a fifth more time in a quarter of all runs.
#[repr(align(64))]
struct Numbers {
    casts: [u64; LANES],
    words: [u64; LANES],
}

/// The lanes that are to be read, and those that are to be written.
#[inline(always)]
const fn before_and_after(lanes: &mut [Lanes; 2], now: usize) -> (&Lanes, &mut Lanes) {
    let [one, other] = lanes;
    if now == 0 { (one, other) } else { (other, one) }
}

/// A game that is played on without a lane: by the same code for all bots, since few throws are.
struct Alone<'a, const SEATS: usize> {
    game: &'a Sho,
    actions: &'a mut Actions,
    state: &'a mut State,
    fortune: LaneFortune<'a, SEATS>,
    bots: PerSeat<Cheap>,
    trace: Option<&'a mut GameTrace>,
    /// Whether it stops where it fits a lane and a throw has been played: else it goes on to its end.
    to_a_lane: bool,
}

impl<const SEATS: usize> Alone<'_, SEATS> {
    #[inline(never)]
    fn play(self) -> Counted {
        wide(self)
    }
}

impl<const SEATS: usize> Task for Alone<'_, SEATS> {
    type Output = Counted;

    #[inline(always)]
    fn run(self) -> Counted {
        let Self { game, actions, state, fortune, bots, trace, to_a_lane } = self;
        let mut table = Table::new(game, fortune, |seat| bots[seat], trace);
        let play_on = PlayOn { game, actions };
        if to_a_lane {
            play_on.until_it_fits_a_lane::<SEATS, _, _, _>(state, &mut table)
        } else {
            play_on.until_over(state, &mut table)
        }
    }
}
