//! The position of one lane: [`Board`].

use super::fields::{COINS, HAND, SIDE, all_if, rotated};
use crate::seat::MAX_SEATS;
use crate::sho::game::Sho;
use crate::sho::run::Moves;

/// What a step asks of the rules.
pub(super) struct LaneRules {
    pub(super) hand: u64,
    pub(super) hand_bit: u32,
    /// All bits where a join throws again.
    pub(super) join_throws: u64,
    /// How many coins in the hand a six-three may bring in, in their place among the facts of a side.
    pub(super) six_three_hand: u64,
}

impl LaneRules {
    #[inline(always)]
    pub(super) fn of(game: &Sho) -> Self {
        Self {
            hand: game.hand,
            hand_bit: u32::from(game.rules.shells) - 1,
            join_throws: all_if(game.rules.join_throws),
            six_three_hand: u64::from(game.six_three_hand) << HAND,
        }
    }
}

/// The position of a lane.
pub(super) struct Board {
    pub(super) planes: [u64; 3],
    pub(super) stacks: [u64; MAX_SEATS],
    pub(super) fresh: u64,
    pub(super) sides: u64,
}

/// How a move went in a lane.
pub(super) struct Went {
    /// Whether it earned no throw.
    pub(super) ends: bool,
    /// Whether the last coin is home.
    pub(super) is_last: bool,
    /// Not 0 where the position does not fit a lane any more, or there is more to it.
    pub(super) stops: u64,
    /// The stack that was killed, if one was.
    pub(super) killed: u64,
}

impl Board {
    #[inline(always)]
    pub(super) fn moves<const SEATS: usize>(&self, distance: u32, seldom_met: bool) -> Moves {
        let own = self.stacks[0];
        let enemy = self.stacks[1..SEATS].iter().fold(0, |all, stacks| all | stacks);
        Moves::of(own, enemy, &self.planes, distance, seldom_met)
    }

    /// Moves the stack at `source`, one of `moves`, or a coin from the hand. Without a branch: nothing moves where the
    /// source is 0. Sums wrap, since a lane without a game holds anything. What is killed is taken off the board, but not
    /// from its side.
    #[inline(always)]
    pub(super) fn go(&mut self, rules: &LaneRules, moves: Moves, source: u64) -> Went {
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

    /// The next side becomes the mover, if the turn has ended.
    #[inline(always)]
    pub(super) fn end_turn_if<const SEATS: usize>(&mut self, ends: bool) {
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
pub(super) const fn sent_home(
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
pub(super) const fn height_at(stack: u64, [ones, twos, fours]: [u64; 3]) -> u64 {
    (ones & stack != 0) as u64
        | ((twos & stack != 0) as u64) << 1
        | ((fours & stack != 0) as u64) << 2
}
