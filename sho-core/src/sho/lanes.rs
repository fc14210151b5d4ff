//! Many games in step: [`Lanes`].
//!
//! A loop over one game waits: for the branch on what a stack meets, for the choice that decides it. Here a throw is
//! played in many games at once, each in a lane of its own, without a branch, so that the compiler makes vector
//! instructions of it. What a throw seldom does is not in it: those lanes are named, nothing has happened to them, and
//! the ordinary engine plays on there.

use super::game::Sho;
use super::rules::LeftOver;
use super::state::{Sides, State};
use crate::dice::Throw;
use crate::seat::MAX_SEATS;

/// Games that are played in step.
pub const LANES: usize = 32;

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
/// What a lane does not hold follows from the rest (coins home), or is the same in all of them: nothing waits, no stack
/// has eight coins or more, and the game is not over.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Lanes {
    planes: [[u64; LANES]; 3],
    stacks: [[u64; LANES]; MAX_SEATS],
    fresh: [u64; LANES],
    /// 16 bits a side, the mover's lowest: its hand, its opening mark, and what its bot counts.
    sides: [u64; LANES],
    /// 16 bits a side, the mover's lowest: eight for the casts that it has made, and its seat.
    casts: [u64; LANES],
    /// Decisions, turns that ended and throws; the throws such that the sign is set when the last has been made.
    counts: [u64; LANES],
}

/// What a lane holds beside a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneCounts {
    /// By seat, the casts made: less than [`LANE_CASTS`].
    pub casts: [u16; MAX_SEATS],
    /// By seat, what its bot counts, below 1024.
    pub bots: [u16; MAX_SEATS],
    /// Decisions made.
    pub decisions: u32,
    /// Turns that ended.
    pub turns: u32,
}

/// A throw as lanes read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneThrow(u8);

/// The bit of a throw that is not played in step: of a pa ra, and of no throw.
const STOPS: u8 = 1 << 7;

impl LaneThrow {
    /// No throw: a lane stops there.
    pub const NONE: Self = Self(STOPS);

    /// This throw.
    #[inline]
    #[must_use]
    pub const fn of(throw: Throw) -> Self {
        Self(if throw.is_pa_ra() { throw.0 | STOPS } else { throw.0 })
    }

    /// The throw of way number `way` of 36, as [`Throw::from_way`].
    #[inline(always)]
    #[must_use]
    pub const fn of_way(way: u8) -> Self {
        Self::of(Throw::of(1 + way / 6, 1 + way % 6))
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
    pub fn word(self) -> u64 {
        self.0.into()
    }
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
    /// What the bot has counted, in the lowest ten bits; above them lies something else.
    pub counted: u64,
}

/// What a bot does in a lane.
#[derive(Clone, Copy, Debug)]
pub struct LanePick {
    /// One of the sources; 0 where there are none.
    pub source: u64,
    /// What is to be added to what the bot counts. That must not come to 1024.
    pub counts: u64,
    /// Not 0 where the bot cannot choose in step. Then nothing else means anything.
    pub stops: u64,
}

const SIDE: u32 = 16;
const HAND: u64 = 15;
const MARK: u32 = 4;
const OPENING: u64 = 3 << MARK;
const FIRST: u64 = 1 << MARK;
const BOT: u32 = 6;

const SEAT: u32 = 8;

const TURN: u32 = 21;
const THROW: u32 = 42;
const COUNT: u64 = (1 << 21) - 1;

const SIX_THREE: u64 = match Throw::new(6, 3) {
    Some(throw) => throw.0 as u64,
    None => 0,
};

const STOPS_BIT: u64 = STOPS as u64;

/// All bits where the condition holds, else none.
#[inline(always)]
const fn all_if(condition: bool) -> u64 {
    (condition as u64).wrapping_neg()
}

/// The next side becomes the mover.
#[inline(always)]
const fn rotated<const SEATS: usize>(sides: u64) -> u64 {
    if SEATS == MAX_SEATS {
        sides.rotate_right(SIDE)
    } else {
        sides >> SIDE | (sides & ((1 << SIDE) - 1)) << (SIDE * (SEATS as u32 - 1))
    }
}

impl Default for Lanes {
    /// Lanes without a game.
    fn default() -> Self {
        Self {
            planes: [[0; LANES]; 3],
            stacks: [[0; LANES]; MAX_SEATS],
            fresh: [0; LANES],
            sides: [0; LANES],
            casts: [0; LANES],
            counts: [0; LANES],
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
    pub fn put<const SEATS: usize>(
        &mut self,
        game: &Sho,
        lane: usize,
        state: &State,
        counts: &LaneCounts,
    ) {
        for (lanes, plane) in self.planes.iter_mut().zip(state.planes) {
            lanes[lane] = plane;
        }
        for (lanes, stacks) in self.stacks.iter_mut().zip(state.stacks) {
            lanes[lane] = stacks;
        }
        self.fresh[lane] = state.fresh;
        let (mut sides, mut casts) = (0, 0);
        for side in 0..SEATS {
            let (at, seat) = (SIDE * side as u32, state.sides.seat(side));
            let mark = state.sides.opening_mark(side);
            let bot = u64::from(counts.bots[seat.index()]);
            sides |= (u64::from(state.sides.hand(side)) | mark << MARK | bot << BOT) << at;
            let cast = u64::from(counts.casts[seat.index()]);
            casts |= (cast | (seat.index() as u64) << SEAT) << at;
        }
        (self.sides[lane], self.casts[lane]) = (sides, casts);
        let throws = u64::from(state.throws) + (COUNT + 1) - u64::from(game.rules.max_throws);
        let (turns, decisions) = (u64::from(counts.turns), u64::from(counts.decisions));
        self.counts[lane] = throws << THROW | turns << TURN | decisions;
    }

    /// The game in a lane.
    #[inline(always)]
    #[must_use]
    pub fn take<const SEATS: usize>(&self, game: &Sho, lane: usize) -> (State, LaneCounts) {
        let planes = self.planes.map(|lanes| lanes[lane]);
        let stacks = self.stacks.map(|lanes| lanes[lane]);
        let counts = self.counts[lane];
        let mut state = game.start_with_board([planes[0], planes[1], planes[2], 0], stacks);
        state.fresh = self.fresh[lane];
        state.throws = ((counts >> THROW) + u64::from(game.rules.max_throws) - (COUNT + 1)) as u16;
        let mut counted = LaneCounts {
            decisions: (counts & COUNT) as u32,
            turns: (counts >> TURN & COUNT) as u32,
            ..LaneCounts::default()
        };
        state.sides = Sides(0);
        for (side, stacks) in stacks.iter().enumerate().take(SEATS) {
            let at = SIDE * side as u32;
            let (bits, casts) = (self.sides[lane] >> at, self.casts[lane] >> at);
            let seat = (casts >> SEAT & 3) as usize;
            let hand = bits & HAND;
            let coins_in = |plane: u64| u64::from((plane & stacks & !game.hand).count_ones());
            let out = coins_in(planes[0]) + 2 * coins_in(planes[1]) + 4 * coins_in(planes[2]);
            let home = u64::from(game.rules.coins) - hand - out;
            state.sides.put(side, hand, home, bits >> MARK & 3, seat as u64);
            counted.casts[seat] = (casts as u8).into();
            counted.bots[seat] = (bits as u16) >> BOT;
        }
        (state, counted)
    }

    /// Where the next cast of a lane is, where each seat has [`LANE_CASTS`] of them.
    #[inline(always)]
    #[must_use]
    pub fn next_cast(&self, lane: usize) -> usize {
        (self.casts[lane] & ((1 << SIDE) - 1)) as usize
    }

    /// What the bot of the side to move has counted.
    #[inline(always)]
    #[must_use]
    pub fn counted(&self, lane: usize) -> usize {
        (self.sides[lane] >> BOT & ((1 << (SIDE - BOT)) - 1)) as usize
    }

    /// Opens for the first time in a lane that stopped at this throw, in a gap where nobody stands, and writes what comes of
    /// it to `next`. The answer is whether it did: the mover may not be opening, or there may be more to it.
    #[inline(always)]
    pub fn open<const SEATS: usize>(
        &self,
        next: &mut Self,
        game: &Sho,
        lane: usize,
        throw: u64,
    ) -> bool {
        let sides = self.sides[lane];
        let distance = throw & 15;
        let target = game.hand >> distance;
        let planes = self.planes.map(|lanes| lanes[lane]);
        let counts = self.counts[lane] + (1 << THROW) + (1 << TURN) + 1;
        let bonus = game.rules.opening_bonus.contains(distance as u8);
        let usual = game.rules.opening_coins;
        let coins = u64::from(if bonus { usual.max(3) } else { usual });
        let hand = sides & HAND;
        let plain = sides & OPENING == FIRST && throw & STOPS_BIT == 0 && hand > coins;
        // All coins are in the hand.
        let many = throw == SIX_THREE && hand >= game.six_three_hand.into();
        let taken = (planes[0] | planes[1] | planes[2]) & target != 0;
        if !plain || many || taken || counts >> 63 != 0 {
            return false;
        }
        for (index, plane) in planes.into_iter().enumerate() {
            next.planes[index][lane] = plane | (target & all_if(coins >> index & 1 != 0));
        }
        for side in 1..SEATS {
            next.stacks[side - 1][lane] = self.stacks[side][lane];
        }
        next.stacks[SEATS - 1][lane] = game.hand | target;
        next.fresh[lane] = self.fresh[lane] | target;
        next.sides[lane] = rotated::<SEATS>(sides - coins - FIRST);
        next.casts[lane] = rotated::<SEATS>(self.casts[lane] + 1);
        next.counts[lane] = counts;
        true
    }

    /// Plays a throw in every lane, by what `pick` answers for a lane, and writes what comes of it to `next`. The answer
    /// is a set of lanes where that may not be done: what `next` has there means nothing.
    ///
    /// `SEATS` is the number of sides.
    #[allow(
        clippy::needless_range_loop,
        reason = "the same index into many arrays is what the compiler makes vectors of"
    )]
    #[inline(always)]
    pub fn step<const SEATS: usize>(
        &self,
        next: &mut Self,
        game: &Sho,
        throws: &[u64; LANES],
        pick: impl Fn(usize, LaneMoves) -> LanePick,
    ) -> u32 {
        let hand = game.hand;
        let hand_bit = u32::from(game.rules.shells) - 1;
        let six_three_hand = i64::from(game.six_three_hand);
        let joins_throw = all_if(game.rules.join_throws);
        let mut stopped = 0;
        for lane in 0..LANES {
            let throw = throws[lane];
            let distance = throw & 15;
            let planes = [self.planes[0][lane], self.planes[1][lane], self.planes[2][lane]];
            let own = self.stacks[0][lane];
            let mut enemy = self.stacks[1][lane];
            for stacks in &self.stacks[2..SEATS] {
                enemy |= stacks[lane];
            }
            let (sides, casts) = (self.sides[lane], self.casts[lane]);

            // Where the stack that stands a distance ahead is bigger: the borrow of one height minus the other.
            let mut bigger = 0;
            for plane in planes {
                let ahead = plane << distance;
                let differs = plane ^ ahead;
                bigger = (differs & ahead) | (!differs & bigger);
            }
            let enemy_ahead = enemy << distance;
            let sources = own & !(enemy_ahead & bigger);
            let moves = LaneMoves {
                sources,
                kills: sources & enemy_ahead,
                joins: sources & own << distance,
                counted: sides >> BOT,
            };
            let LanePick { source, counts, stops } = pick(lane, moves);
            let target = source >> distance;

            // The mover's stacks; the hand's bit stays while there are coins.
            let entering = source & hand;
            let left = sides - (source >> hand_bit) + (counts << BOT);
            let kept = entering & all_if(left & HAND != 0);
            let after = (own ^ source ^ kept) | target;

            // Heights are added bit by bit with a carry where the mover stands, and replaced where an enemy did.
            let joined = target & own;
            let killed = target & enemy;
            let gone = !(source | target);
            let mut carry = 0;
            let mut height = 0;
            for (index, plane) in planes.into_iter().enumerate() {
                let moving = (plane & source) >> distance;
                let there = plane & joined;
                let sum = moving ^ there;
                let hand = if index == 0 { hand } else { 0 };
                next.planes[index][lane] = (plane & gone) | (sum ^ carry) | hand;
                carry = (moving & there) | (carry & sum);
                height |= all_if(plane & killed != 0) & 1 << index;
            }

            // What was killed goes back to the hand of its side.
            let mut sides_after = left;
            let mut others = [0; MAX_SEATS];
            for side in 1..SEATS {
                let stacks = self.stacks[side][lane];
                let hit = all_if(stacks & killed != 0);
                others[side] = (stacks & !killed) | (hand & hit);
                sides_after += (height & hit) << (SIDE * side as u32);
            }

            let again = killed | (joined & joins_throw);
            let ends = again == 0;
            let casts_after = casts + 1;
            next.sides[lane] = if ends { rotated::<SEATS>(sides_after) } else { sides_after };
            next.casts[lane] = if ends { rotated::<SEATS>(casts_after) } else { casts_after };
            next.stacks[0][lane] = if ends { others[1] } else { after };
            for side in 1..SEATS - 1 {
                next.stacks[side][lane] = if ends { others[side + 1] } else { others[side] };
            }
            next.stacks[SEATS - 1][lane] = if ends { after } else { others[SEATS - 1] };
            let fresh = self.fresh[lane];
            next.fresh[lane] = fresh & gone;
            let counted = self.counts[lane]
                + (1 << THROW)
                + (all_if(source != 0) & 1)
                + (all_if(ends) & 1 << TURN);
            next.counts[lane] = counted;

            // An opening, a throw that others play, a six-three that may bring in many, the last coin home, a stack of
            // eight, the end of a fresh stack, the last throw.
            let enough = (sides & HAND) as i64 >= six_three_hand;
            let stops = stops
                | (sides & OPENING)
                | (throw & STOPS_BIT)
                | all_if((throw == SIX_THREE) & (own == hand) & enough)
                | all_if(after == 0)
                | carry
                | (fresh & killed)
                | (counted & 1 << 63);
            stopped |= all_if(stops != 0) & LANE_BIT[lane];
        }
        stopped as u32
    }
}
