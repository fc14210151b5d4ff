//! Many games in step: [`Lanes`].
//!
//! A loop over one game waits: for the branch on what a stack meets, for the choice that decides it. Here a throw is
//! played in many games at once, each in a lane of its own, without a branch, so that the compiler makes vector
//! instructions of it. What a throw seldom does is not in it: those lanes are named, nothing has happened to them, and
//! [`Lanes::open`], [`Lanes::play`] or the ordinary engine play on there.

mod alone;
mod board;
mod counts;
mod fields;
mod throw;

pub use alone::{LanePlay, LanePlayed};
pub use counts::{LaneCounts, SeatCounts};
pub use throw::LaneThrow;

use core::array;

use alone::Turn;
use board::{Board, LaneRules, height_at, sent_home};
use fields::{
    CAST, COINS, FIELD, FIRST, HAND, MARK, OPENING, SEAT, SIDE, SIDES, all_if, rotated, sum,
};
use throw::{SIX_THREE, STOPS_BIT};

use super::game::Sho;
use super::rules::LeftOver;
use super::state::{Sides, State};
use super::transition::finish;
use crate::seat::MAX_SEATS;

/// Games that are played in step.
pub const LANES: usize = 64;

/// How many casts of a seat a lane can count: before that the game has to leave it.
pub const LANE_CASTS: usize = 256;

/// Each lane as a set.
const LANE_BIT: [u64; LANES] = {
    let mut bits = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// The positions of as many games, dice due in each, seen by the side to move as a [`State`] is.
///
/// What a lane does not hold follows from the rest (coins home, throws), or is the same in all of them: nothing waits, no
/// stack has eight coins or more, and the game is not over.
///
/// Whole games are played so by playouts, in the crate `sho-ai`. This is a step of it:
///
/// ```
/// use sho_core::sho::{LANES, LaneCounts, LaneMoves, LanePick, LaneThrow, Lanes, Rules, Sho};
/// use sho_core::{Game, Notation, Throw};
///
/// let game = Sho::new(Rules::lhasa())?;
/// let state = game.parse_state("6+0:10x1,13x2/6+0:14x1,17x2/5+0:5x1,8x1,21x2 A throw - 0 18")?;
/// let [mut before, mut after] = [Lanes::default(), Lanes::default()];
/// for lane in 0..LANES {
///     before.put::<3>(lane, &state, &LaneCounts::default());
/// }
/// // In each lane the throw 6-2, or in every second one a pa ra, which is more than a step.
/// let throws: [Throw; 2] = ["6-2".parse()?, "1-1".parse()?];
/// let throws = std::array::from_fn(|lane| LaneThrow::of(throws[lane % 2]).word());
/// // Whoever can go furthest goes.
/// let pick = |_lane, moves: LaneMoves| LanePick {
///     source: moves.sources & moves.sources.wrapping_neg(),
///     counts: 0,
///     stops: 0,
///     kept: 0,
/// };
/// let stopped = before.step::<3, false, false>(&mut after, &game, &throws, pick);
/// assert_eq!(stopped, 0xAAAA_AAAA_AAAA_AAAA);
/// let (next, counts) = after.take::<3>(&game, 0);
/// // C's stack of two went back to the hand, so that A throws again.
/// assert_eq!((counts.decisions, counts.turns), (1, 0));
/// assert_eq!(game.state_text(&next), "6+0:10x1,21x2/6+0:14x1,17x2/7+0:5x1,8x1 A throw - 0 19");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Lanes {
    planes: [[u64; LANES]; 3],
    stacks: [[u64; LANES]; MAX_SEATS],
    fresh: [u64; LANES],
    /// 16 bits a side, the mover's lowest: eight for the casts that it has made, its seat, its hand and its opening mark.
    sides: [u64; LANES],
    /// 16 bits a side, the mover's lowest: what its bot counts.
    bots: [u64; LANES],
    /// What whoever plays keeps of the game in a lane.
    kept: [u64; LANES],
    /// What a lane counts: see [`PASSES`], [`TURN`] and [`BEFORE`].
    counts: [u64; LANES],
    /// The stack that the last step killed, if it did.
    killed: [u64; LANES],
}

/// What a side may do in a lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneMoves {
    /// The stacks and the hand that may go the distance: bits, the one that ends furthest lowest.
    pub sources: u64,
    /// Those that kill.
    pub kills: u64,
    /// Those that join.
    pub joins: u64,
    /// What the bot has counted, in the lowest 16 bits; above them lies something else.
    pub counted: u64,
    /// The index of its seat.
    pub seat: u64,
    /// What is kept of the game.
    pub kept: u64,
}

/// What a bot does in a lane.
#[derive(Clone, Copy, Debug)]
pub struct LanePick {
    /// One of the sources; 0 where there are none.
    pub source: u64,
    /// What is to be added to what the bot counts. That must not come to 65,536.
    pub counts: u64,
    /// Not 0 where the bot cannot choose in step. Then nothing else means anything.
    pub stops: u64,
    /// What is to be kept of the game after this throw.
    pub kept: u64,
}

/// In the lowest bits of what a lane counts, casts less decisions, from a number that keeps that above 0.
const PASSES: u64 = 1 << 20;
/// Above them the turns that ended.
const TURN: u32 = 24;
/// And the throws that were made before the first cast of a lane.
const BEFORE: u32 = 48;

// The position of a lane, out of the lanes and into others: no functions, and with indices alone. References that are
// handed on, and iterators, hide from the compiler that what is read is never written, and it makes no vectors then.
macro_rules! board {
    ($lanes:ident, $seats:ident, $lane:ident) => {{
        let mut stacks = [0; MAX_SEATS];
        for side in 0..$seats {
            stacks[side] = $lanes.stacks[side][$lane];
        }
        Board {
            planes: [$lanes.planes[0][$lane], $lanes.planes[1][$lane], $lanes.planes[2][$lane]],
            stacks,
            fresh: $lanes.fresh[$lane],
            sides: $lanes.sides[$lane],
        }
    }};
}

macro_rules! put_board {
    ($lanes:ident, $seats:ident, $lane:ident, $board:ident) => {
        $lanes.planes[0][$lane] = $board.planes[0];
        $lanes.planes[1][$lane] = $board.planes[1];
        $lanes.planes[2][$lane] = $board.planes[2];
        for side in 0..$seats {
            $lanes.stacks[side][$lane] = $board.stacks[side];
        }
        $lanes.fresh[$lane] = $board.fresh;
        $lanes.sides[$lane] = $board.sides;
    };
}

impl Default for Lanes {
    /// Lanes without a game.
    fn default() -> Self {
        Self {
            planes: [[0; LANES]; 3],
            stacks: [[0; LANES]; MAX_SEATS],
            fresh: [0; LANES],
            sides: [0; LANES],
            bots: [0; LANES],
            kept: [0; LANES],
            counts: [0; LANES],
            killed: [0; LANES],
        }
    }
}

impl Sho {
    /// Whether games by these rules can be played in [`Lanes`]: turns are [simple](Self::has_simple_turns), and what is left
    /// over of going home is lost (`left-over=lost`).
    #[must_use]
    pub fn has_lanes(&self) -> bool {
        self.has_simple_turns() && self.rules.left_over == LeftOver::Lost
    }

    /// Whether a game that begins here can be played in a lane: the position [fits](Self::fits_lane), and it
    /// [leaves](Self::leaves_lane_in_time) its lane in time.
    #[must_use]
    pub fn may_begin_in_lane(&self, state: &State) -> bool {
        self.fits_lane(state) && self.leaves_lane_in_time(state)
    }

    /// Whether a game that goes on from here has to leave its lane, after [`LANE_CASTS`] casts of a seat, before it is cut
    /// short (`max-throws`). Lanes do not look at that.
    #[must_use]
    pub fn leaves_lane_in_time(&self, state: &State) -> bool {
        let casts = usize::from(self.rules.sides) * LANE_CASTS;
        usize::from(state.throws) + casts <= self.rules.max_throws.into()
    }

    /// Whether a lane can hold the position: dice are due, nothing waits, and no stack has eight coins or more.
    #[inline(always)]
    #[must_use]
    pub fn fits_lane(&self, state: &State) -> bool {
        self.is_simple::<3>(state)
    }
}

impl Lanes {
    /// Puts a game into a lane that [fits](Sho::fits_lane).
    #[inline(always)]
    pub fn put<const SEATS: usize>(&mut self, lane: usize, state: &State, counts: &LaneCounts) {
        for (lanes, plane) in self.planes.iter_mut().zip(state.planes) {
            lanes[lane] = plane;
        }
        for (lanes, stacks) in self.stacks.iter_mut().zip(state.stacks).take(SEATS) {
            lanes[lane] = stacks;
        }
        self.fresh[lane] = state.fresh;
        let mover = state.mover();
        let casts = counts.casts.by_sides::<SEATS>(mover);
        self.sides[lane] = state.sides.hands() << HAND
            | state.sides.opening_marks() << MARK
            | state.sides.seats() << SEAT
            | casts;
        self.bots[lane] = counts.bots.by_sides::<SEATS>(mover);
        self.kept[lane] = counts.kept;
        let casts = sum(casts);
        let passes = casts + PASSES - u64::from(counts.decisions);
        let before = u64::from(state.throws) - casts;
        self.counts[lane] = before << BEFORE | u64::from(counts.turns) << TURN | passes;
    }

    /// The game in a lane.
    #[inline(always)]
    #[must_use]
    pub fn take<const SEATS: usize>(&self, game: &Sho, lane: usize) -> (State, LaneCounts) {
        let planes: [u64; 3] = array::from_fn(|plane| self.planes[plane][lane]);
        let stacks = array::from_fn(|side| if side < SEATS { self.stacks[side][lane] } else { 0 });
        let (sides, counts) = (self.sides[lane], self.counts[lane]);
        let casts = sum(sides & (CAST * SIDES));
        let mut state = game.start_with_board([planes[0], planes[1], planes[2], 0], stacks);
        state.fresh = self.fresh[lane];
        state.throws = ((counts >> BEFORE) + casts) as u16;
        let mut homes = 0;
        for (side, stacks) in stacks.iter().enumerate().take(SEATS) {
            let coins_in = |plane: u64| u64::from((plane & stacks & !game.hand).count_ones());
            let out = coins_in(planes[0]) + 2 * coins_in(planes[1]) + 4 * coins_in(planes[2]);
            homes |= (u64::from(game.rules.coins) - out) << (SIDE * side as u32);
        }
        let field = |at, bits| sides >> at & (bits * SIDES);
        let hands = field(HAND, COINS >> HAND);
        let (marks, seats) = (field(MARK, OPENING >> MARK), field(SEAT, 3));
        state.sides = Sides::of(hands, homes - hands, marks, seats);
        let mover = state.mover();
        let counted = LaneCounts {
            casts: SeatCounts::of_sides::<SEATS>(sides & (CAST * SIDES), mover),
            bots: SeatCounts::of_sides::<SEATS>(self.bots[lane], mover),
            decisions: (casts + PASSES - (counts & ((1 << TURN) - 1))) as u32,
            turns: (counts >> TURN & ((1 << (BEFORE - TURN)) - 1)) as u32,
            kept: self.kept[lane],
        };
        (state, counted)
    }

    /// Where the next cast of a lane is, where each seat has [`LANE_CASTS`] of them.
    #[inline(always)]
    #[must_use]
    pub fn next_cast(&self, lane: usize) -> usize {
        (self.sides[lane] & (3 << SEAT | CAST)) as usize
    }

    /// What the bot of the side to move has counted.
    #[inline(always)]
    #[must_use]
    pub fn counted(&self, lane: usize) -> usize {
        (self.bots[lane] & FIELD) as usize
    }

    /// Whether the side to move has a single stack and nothing in the hand, or coins there alone: so it is before the last
    /// coin comes home.
    #[inline(always)]
    #[must_use]
    pub fn has_one_source(&self, lane: usize) -> bool {
        self.stacks[0][lane].is_power_of_two()
    }

    /// What is kept of the game in a lane.
    #[inline(always)]
    #[must_use]
    pub fn kept(&self, lane: usize) -> u64 {
        self.kept[lane]
    }

    /// Keeps this of the game in a lane.
    #[inline(always)]
    pub fn keep(&mut self, lane: usize, kept: u64) {
        self.kept[lane] = kept;
    }

    /// Makes a lane what it is in `other`.
    #[inline(always)]
    pub fn follow<const SEATS: usize>(&mut self, other: &Self, lane: usize) {
        let board = board!(other, SEATS, lane);
        put_board!(self, SEATS, lane, board);
        self.bots[lane] = other.bots[lane];
        self.kept[lane] = other.kept[lane];
        self.counts[lane] = other.counts[lane];
    }

    /// Whether the side to move opens for the first time.
    #[inline(always)]
    #[must_use]
    pub fn opens(&self, lane: usize) -> bool {
        self.sides[lane] & OPENING == FIRST
    }

    /// Opens for the first time with this throw, in a gap where nobody stands. The answer is whether it did: the mover may
    /// not be [opening](Self::opens), or there may be more to it.
    #[inline(always)]
    pub fn open<const SEATS: usize>(&mut self, game: &Sho, lane: usize, throw: u64) -> bool {
        let sides = self.sides[lane];
        if !self.opens(lane) || throw & STOPS_BIT != 0 {
            return false;
        }
        let distance = throw & 15;
        let target = game.hand >> distance;
        let bonus = 3 * u64::from(game.rules.opening_bonus.contains(distance as u8));
        let coins = bonus.max(game.rules.opening_coins.into());
        let hand = (sides & COINS) >> HAND;
        // A six-three is no more than a nine here.
        let [ones, twos, fours] =
            [self.planes[0][lane], self.planes[1][lane], self.planes[2][lane]];
        let taken = (ones | twos | fours) & target != 0;
        if hand <= coins || taken {
            return false;
        }
        for (index, lanes) in self.planes.iter_mut().enumerate() {
            lanes[lane] |= target & all_if(coins >> index & 1 != 0);
        }
        for side in 1..SEATS {
            self.stacks[side - 1][lane] = self.stacks[side][lane];
        }
        self.stacks[SEATS - 1][lane] = game.hand | target;
        self.fresh[lane] |= target;
        self.sides[lane] = rotated::<SEATS>(sides - (coins << HAND) - FIRST + 1);
        self.bots[lane] = rotated::<SEATS>(self.bots[lane]);
        self.counts[lane] += 1 << TURN;
        true
    }

    /// Plays a throw in every lane, by what `pick` answers for a lane, and writes what comes of it to `next`. The answer
    /// is a set of lanes where that may not be done: what `next` has there means nothing.
    ///
    /// `SEATS` is the number of sides, `COUNTS` whether bots count anything, and `KEEPS` whether anything is kept of a game:
    /// where not, what a lane has of that is lost.
    #[inline(always)]
    pub fn step<const SEATS: usize, const COUNTS: bool, const KEEPS: bool>(
        &self,
        next: &mut Self,
        game: &Sho,
        throws: &[u64; LANES],
        pick: impl Fn(usize, LaneMoves) -> LanePick,
    ) -> u64 {
        let rules = LaneRules::of(game);
        let (mut stopped, mut kill) = (0, 0);
        for lane in 0..LANES {
            let throw = throws[lane];
            let mut board = board!(self, SEATS, lane);
            let bots = if COUNTS { self.bots[lane] } else { 0 };

            // An opening, a throw that others play, a six-three that may bring in many.
            let has_many = (board.sides & COINS) as i64 >= rules.six_three_hand as i64;
            let many = (throw == SIX_THREE) & (board.stacks[0] == rules.hand) & has_many;
            let stops = (board.sides & OPENING) | (throw & STOPS_BIT) | all_if(many);

            let moves = board.moves::<SEATS>((throw & 15) as u32, false);
            let lane_moves = LaneMoves {
                sources: moves.sources,
                kills: moves.kills().sources,
                joins: moves.joins().sources,
                counted: bots,
                seat: board.sides >> SEAT & 3,
                kept: if KEEPS { self.kept[lane] } else { 0 },
            };
            let LanePick { source, counts, stops: stops_too, kept } = pick(lane, lane_moves);
            let went = board.go(&rules, moves, source);
            board.sides = board.sides.wrapping_add(1);
            board.end_turn_if::<SEATS>(went.ends);
            put_board!(next, SEATS, lane, board);
            if COUNTS {
                let bots = bots.wrapping_add(counts);
                next.bots[lane] = if went.ends { rotated::<SEATS>(bots) } else { bots };
            }
            if KEEPS {
                next.kept[lane] = kept;
            }
            let passes = all_if(source == 0) & 1;
            let counted = passes + (all_if(went.ends) & 1 << TURN);
            next.counts[lane] = self.counts[lane].wrapping_add(counted);
            next.killed[lane] = went.killed;
            kill |= all_if(went.killed != 0) & LANE_BIT[lane];
            stopped |=
                all_if(stops | stops_too | went.stops | all_if(went.is_last) != 0) & LANE_BIT[lane];
        }
        // A kill is one throw in so many that it is cheaper to finish it lane by lane.
        kill &= !stopped;
        while kill != 0 {
            let lane = kill.trailing_zeros() as usize % LANES;
            kill &= kill - 1;
            self.send_home::<SEATS>(next, &rules, lane);
        }
        stopped
    }

    /// The stack that a step killed in a lane goes back to the hand of its side. Who kills throws again, so that the sides
    /// are in their order of before.
    #[inline(always)]
    fn send_home<const SEATS: usize>(&self, next: &mut Self, rules: &LaneRules, lane: usize) {
        let killed = next.killed[lane];
        let [ones, twos, fours] =
            [self.planes[0][lane], self.planes[1][lane], self.planes[2][lane]];
        let height = height_at(killed, [ones, twos, fours]);
        for side in 1..SEATS {
            let (stacks, sides) = (next.stacks[side][lane], next.sides[lane]);
            (next.stacks[side][lane], next.sides[lane]) =
                sent_home(rules.hand, killed, height, side, stacks, sides);
        }
    }

    /// Plays the throw at which a lane stopped, and after a pa ra what is thrown until nothing waits, and writes what comes of
    /// it to `next`.
    #[inline(always)]
    pub fn play<const SEATS: usize>(
        &self,
        next: &mut Self,
        game: &Sho,
        lane: usize,
        throw: u64,
        player: &mut impl LanePlay,
    ) -> LanePlayed {
        let rules = LaneRules::of(game);
        let mut board = board!(self, SEATS, lane);
        if board.sides & OPENING != 0 {
            return LanePlayed::Not;
        }
        let played = if throw == LaneThrow::PA_RA.word() {
            board.play_pa_ra::<SEATS>(game, &rules, player)
        } else {
            board.play_throw::<SEATS>(&rules, throw, player)
        };
        let Some(Turn { decisions, ends, is_last }) = played else { return LanePlayed::Not };
        let bots = self.bots[lane] + u64::from(player.counts());
        let casts = (board.sides & CAST) - (self.sides[lane] & CAST);
        let counted = self.counts[lane] + casts - decisions;
        if is_last {
            (next.bots[lane], next.counts[lane]) = (bots, counted);
            put_board!(next, SEATS, lane, board);
            return LanePlayed::Won;
        }
        next.bots[lane] = if ends { rotated::<SEATS>(bots) } else { bots };
        next.counts[lane] = counted + (all_if(ends) & 1 << TURN);
        board.end_turn_if::<SEATS>(ends);
        put_board!(next, SEATS, lane, board);
        LanePlayed::Played
    }

    /// The game in a lane that the side to move there has [won](LanePlayed::Won).
    #[inline(always)]
    #[must_use]
    pub fn take_won<const SEATS: usize>(&self, game: &Sho, lane: usize) -> (State, LaneCounts) {
        let (mut state, counts) = self.take::<SEATS>(game, lane);
        let winner = state.mover();
        finish(&mut state, 1 << winner.index());
        (state, counts)
    }
}
