//! Many games in step: [`Lanes`].
//!
//! A loop over one game waits: for the branch on what a stack meets, for the choice that decides it. Here a throw is
//! played in many games at once, each in a lane of its own, without a branch, so that the compiler makes vector
//! instructions of it. What a throw seldom does is not in it: those lanes are named, nothing has happened to them, and
//! [`Lanes::open`], [`Lanes::play`] or the ordinary engine play on there.

use core::array;

use super::game::Sho;
use super::lane_throw::{LaneThrow, SIX_THREE, STOPS_BIT};
use super::rules::{LeftOver, PaRa};
use super::run::{Either, EitherPick, Moves, Pick};
use super::state::{Sides, State};
use super::transition::finish;
use crate::seat::{MAX_SEATS, Seat};

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

/// What a lane holds beside a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneCounts {
    /// The casts that each seat has made: less than [`LANE_CASTS`] in a lane.
    pub casts: SeatCounts,
    /// What the bot of each seat counts.
    pub bots: SeatCounts,
    /// Decisions made.
    pub decisions: u32,
    /// Turns that ended.
    pub turns: u32,
    /// What whoever plays keeps of the game: nothing that lanes know.
    pub kept: u64,
}

/// A number below 65,536 for each seat, all in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatCounts(u64);

impl SeatCounts {
    /// The number of a seat.
    #[inline(always)]
    #[must_use]
    pub const fn get(self, seat: Seat) -> u16 {
        (self.0 >> (SIDE * seat.index() as u32)) as u16
    }

    /// Sets the number of a seat.
    #[inline(always)]
    pub const fn set(&mut self, seat: Seat, number: u16) {
        let at = SIDE * seat.index() as u32;
        self.0 = self.0 & !(FIELD << at) | (number as u64) << at;
    }

    /// The numbers by sides, the mover's lowest.
    #[inline(always)]
    const fn by_sides<const SEATS: usize>(self, mover: Seat) -> u64 {
        turned::<SEATS>(self.0, mover.index())
    }

    /// The numbers that were by sides.
    #[inline(always)]
    const fn of_sides<const SEATS: usize>(sides: u64, mover: Seat) -> Self {
        Self(turned::<SEATS>(sides, (SEATS - mover.index()) % SEATS))
    }
}

/// `SEATS` fields of 16 bits, turned so that number `by` is the lowest.
#[inline(always)]
const fn turned<const SEATS: usize>(fields: u64, by: usize) -> u64 {
    let by = SIDE * by as u32;
    if SEATS == MAX_SEATS {
        return fields.rotate_right(by);
    }
    let all = SIDE * SEATS as u32;
    (fields >> by | fields << (all - by)) & ((1 << all) - 1)
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

const SIDE: u32 = 16;
const FIELD: u64 = (1 << SIDE) - 1;
/// The lowest bit of the field of each side.
const SIDES: u64 = 0x0001_0001_0001_0001;

// Where in the field of a side is what.
const CAST: u64 = 0xff;
const SEAT: u32 = 8;
const HAND: u32 = 10;
const MARK: u32 = 14;
const COINS: u64 = 15 << HAND;
const OPENING: u64 = 3 << MARK;
const FIRST: u64 = 1 << MARK;

/// In the lowest bits of what a lane counts, casts less decisions, from a number that keeps that above 0.
const PASSES: u64 = 1 << 20;
/// Above them the turns that ended.
const TURN: u32 = 24;
/// And the throws that were made before the first cast of a lane.
const BEFORE: u32 = 48;

/// All bits where the condition holds, else none.
#[inline(always)]
const fn all_if(condition: bool) -> u64 {
    (condition as u64).wrapping_neg()
}

/// The next side becomes the mover.
#[inline(always)]
const fn rotated<const SEATS: usize>(sides: u64) -> u64 {
    if SEATS == MAX_SEATS {
        return sides.rotate_right(SIDE);
    }
    // The fields above those of the sides are empty: what is named here of one word and of the other is told apart by
    // whole fields, for which there is an instruction.
    let last = SIDE * (SEATS as u32 - 1);
    (sides >> SIDE & !(FIELD << last)) | (sides << last & FIELD << last)
}

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

/// How a lane was [played](Lanes::play).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanePlayed {
    /// Not at all: there may be more to it, or the player gave up.
    Not,
    /// The game goes on.
    Played,
    /// The last coin came home.
    Won,
}

/// The throws and choices of the side to move where a lane is [played](Lanes::play) on its own.
pub trait LanePlay {
    /// The side's next throw; [`LaneThrow::NONE`] gives up.
    fn cast(&mut self) -> LaneThrow;

    /// One of at least one move, or nothing to give up.
    fn pick(&mut self, moves: Moves) -> Option<Pick>;

    /// One of at least one move of two values, or nothing to give up.
    fn pick_either(&mut self, moves: &Either) -> Option<EitherPick>;

    /// What is to be added to what the bot counts.
    fn counts(&self) -> u16;

    /// Whether a throw seldom brings an own stack to one of an enemy, as in
    /// [`SimplePlay::seldom_meets`](super::SimplePlay::seldom_meets).
    fn seldom_meets(&self) -> bool;
}

/// What a step asks of the rules.
struct LaneRules {
    hand: u64,
    hand_bit: u32,
    /// All bits where a join throws again.
    join_throws: u64,
    /// How many coins in the hand a six-three may bring in, in their place among the facts of a side.
    six_three_hand: u64,
}

impl LaneRules {
    #[inline(always)]
    fn of(game: &Sho) -> Self {
        Self {
            hand: game.hand,
            hand_bit: u32::from(game.rules.shells) - 1,
            join_throws: all_if(game.rules.join_throws),
            six_three_hand: u64::from(game.six_three_hand) << HAND,
        }
    }
}

/// The position of a lane.
struct Board {
    planes: [u64; 3],
    stacks: [u64; MAX_SEATS],
    fresh: u64,
    sides: u64,
}

/// How a move went in a lane.
struct Went {
    /// Whether it earned no throw.
    ends: bool,
    /// Whether the last coin is home.
    is_last: bool,
    /// Not 0 where the position does not fit a lane any more, or there is more to it.
    stops: u64,
    /// The stack that was killed, if one was.
    killed: u64,
}

/// What a side did in a lane.
struct Turn {
    decisions: u64,
    /// Whether the turn is over: else it throws again, and nothing waits.
    ends: bool,
    /// Whether the game is.
    is_last: bool,
}

impl Board {
    #[inline(always)]
    fn moves<const SEATS: usize>(&self, distance: u32, seldom_met: bool) -> Moves {
        let own = self.stacks[0];
        let enemy = self.stacks[1..SEATS].iter().fold(0, |all, stacks| all | stacks);
        Moves::of(own, enemy, &self.planes, distance, seldom_met)
    }

    /// Moves the stack at `source`, one of `moves`, or a coin from the hand. Without a branch: nothing moves where the
    /// source is 0. Sums wrap, since a lane without a game holds anything. What is killed is taken off the board, but not
    /// from its side.
    #[inline(always)]
    fn go(&mut self, rules: &LaneRules, moves: Moves, source: u64) -> Went {
        let Moves { own, enemy, distance, .. } = moves;
        let hand = rules.hand;
        let target = source >> distance;

        // The mover's stacks; the hand's bit stays while there are coins.
        let entering = source & hand;
        self.sides = self.sides.wrapping_sub(entering >> (rules.hand_bit - HAND));
        let kept = entering & all_if(self.sides & COINS != 0);
        self.stacks[0] = (own ^ source ^ kept) | target;

        // What is moved is added bit by bit with a carry to what stays of the board.
        let killed = target & enemy;
        let stays = !(source | killed);
        let mut carry = 0;
        for plane in &mut self.planes {
            let moving = (*plane & source) >> distance;
            let there = *plane & stays;
            let sum = moving ^ there;
            *plane = sum ^ carry;
            carry = (moving & there) | (carry & sum);
        }
        self.planes[0] |= hand;

        // A stack of eight, the end of a fresh stack.
        let stops = carry | (self.fresh & killed);
        self.fresh &= !(source | target);
        let ends = killed | (target & own & rules.join_throws) == 0;
        Went { ends, is_last: self.stacks[0] == 0, stops, killed }
    }

    /// Moves a stack where a lane is played on its own.
    #[inline(always)]
    fn go_alone<const SEATS: usize>(
        &mut self,
        rules: &LaneRules,
        moves: Moves,
        source: u64,
    ) -> Went {
        let before = self.planes;
        let went = self.go(rules, moves, source);
        if went.killed != 0 {
            let height = height_at(went.killed, before);
            for side in 1..SEATS {
                (self.stacks[side], self.sides) =
                    sent_home(rules.hand, went.killed, height, side, self.stacks[side], self.sides);
            }
        }
        went
    }

    /// Plays a throw as a step does.
    #[inline(always)]
    fn play_throw<const SEATS: usize>(
        &mut self,
        rules: &LaneRules,
        throw: u64,
        player: &mut impl LanePlay,
    ) -> Option<Turn> {
        let distance = self.take_throw(rules, throw)?;
        self.play_distance::<SEATS>(rules, distance, player)
    }

    /// Plays a pa ra and what is thrown after it, until nothing waits.
    #[inline(always)]
    fn play_pa_ra<const SEATS: usize>(
        &mut self,
        game: &Sho,
        rules: &LaneRules,
        player: &mut impl LanePlay,
    ) -> Option<Turn> {
        if self.sides & COINS >= u64::from(game.pa_ra_hand) << HAND {
            return None;
        }
        // The pa ra is a cast as well.
        self.sides += 1;
        let (mut waits, mut decisions) = (2, 0);
        // One value waits, and dice are due.
        loop {
            let thrown = self.take_throw(rules, player.cast().word())?;
            let (smaller, larger) = if waits <= thrown { (waits, thrown) } else { (thrown, waits) };
            let seldom_met = player.seldom_meets();
            let mut moves = [
                self.moves::<SEATS>(smaller, seldom_met),
                self.moves::<SEATS>(larger, seldom_met),
                self.moves::<SEATS>(smaller + larger, seldom_met),
            ];
            if smaller == larger {
                // The same moves twice.
                moves[1].sources = 0;
            }
            let [ones, twos, fours] = self.planes;
            let either = Either { moves, planes: [ones, twos, fours, 0] };
            if either.is_empty() {
                return Some(Turn { decisions, ends: true, is_last: false });
            }
            let EitherPick { by, pick } = player.pick_either(&either)?;
            decisions += 1;
            waits = [larger, smaller, 0][by];
            let Went { ends, is_last, stops, .. } =
                self.go_alone::<SEATS>(rules, moves[by], pick.0);
            if stops != 0 {
                return None;
            }
            if is_last || waits == 0 || (ends && game.rules.pa_ra == PaRa::ChooseOne) {
                return Some(Turn { decisions, ends, is_last });
            }
            if ends {
                let turn = self.play_distance::<SEATS>(rules, waits, player)?;
                return Some(Turn { decisions: decisions + turn.decisions, ..turn });
            }
            // A kill or a join throws again, with what still waits.
        }
    }

    /// Counts a throw and names its distance, where it is no other pa ra and cannot bring in many.
    #[inline(always)]
    fn take_throw(&mut self, rules: &LaneRules, throw: u64) -> Option<u32> {
        let many = throw == SIX_THREE
            && self.stacks[0] == rules.hand
            && (self.sides & COINS) >= rules.six_three_hand;
        self.sides += 1;
        (throw & STOPS_BIT == 0 && !many).then_some((throw & 15) as u32)
    }

    /// Plays a distance, if it can be played.
    #[inline(always)]
    fn play_distance<const SEATS: usize>(
        &mut self,
        rules: &LaneRules,
        distance: u32,
        player: &mut impl LanePlay,
    ) -> Option<Turn> {
        let moves = self.moves::<SEATS>(distance, player.seldom_meets());
        if moves.is_empty() {
            return Some(Turn { decisions: 0, ends: true, is_last: false });
        }
        let pick = player.pick(moves)?;
        let Went { ends, is_last, stops, .. } = self.go_alone::<SEATS>(rules, moves, pick.0);
        (stops == 0).then_some(Turn { decisions: 1, ends, is_last })
    }

    /// The next side becomes the mover, if the turn has ended.
    #[inline(always)]
    fn end_turn_if<const SEATS: usize>(&mut self, ends: bool) {
        let stacks = self.stacks;
        for (side, own) in self.stacks[..SEATS].iter_mut().enumerate() {
            *own = if ends { stacks[(side + 1) % SEATS] } else { stacks[side] };
        }
        self.sides = if ends { rotated::<SEATS>(self.sides) } else { self.sides };
    }
}

/// The stacks of a side, and the facts of all sides, after a stack of this height was killed, if it was one of them. Sums wrap,
/// since a lane without a game holds anything.
#[inline(always)]
const fn sent_home(
    hand: u64,
    killed: u64,
    height: u64,
    side: usize,
    stacks: u64,
    sides: u64,
) -> (u64, u64) {
    let hit = all_if(stacks & killed != 0);
    let coins = height << (HAND + SIDE * side as u32);
    ((stacks & !killed) | (hand & hit), sides.wrapping_add(hit & coins))
}

/// How many coins a single stack has.
#[inline(always)]
const fn height_at(stack: u64, [ones, twos, fours]: [u64; 3]) -> u64 {
    (ones & stack != 0) as u64
        | ((twos & stack != 0) as u64) << 1
        | ((fours & stack != 0) as u64) << 2
}

/// The sum of the fields of a word, where it is below 65,536.
#[inline(always)]
const fn sum(fields: u64) -> u64 {
    fields.wrapping_mul(SIDES) >> (SIDE * (MAX_SEATS as u32 - 1))
}
