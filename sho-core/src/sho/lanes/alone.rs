//! A lane that is played on its own: [`LanePlay`].

use super::board::{Board, LaneRules, Went, height_at, sent_home};
use super::fields::{COINS, HAND};
use super::throw::{LaneThrow, SIX_THREE, STOPS_BIT};
use crate::sho::game::Sho;
use crate::sho::rules::PaRa;
use crate::sho::run::{Either, EitherPick, Moves, Pick};

/// How a lane was [played](super::Lanes::play).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LanePlayed {
    /// Not at all: there may be more to it, or the player gave up.
    Not,
    /// The game goes on.
    Played,
    /// The last coin came home.
    Won,
}

/// The throws and choices of the side to move where a lane is [played](super::Lanes::play) on its own.
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
    /// [`SimplePlay::seldom_meets`](crate::sho::SimplePlay::seldom_meets).
    fn seldom_meets(&self) -> bool;
}

/// What a side did in a lane.
pub(super) struct Turn {
    pub(super) decisions: u64,
    /// Whether the turn is over: else it throws again, and nothing waits.
    pub(super) ends: bool,
    /// Whether the game is.
    pub(super) is_last: bool,
}

impl Board {
    /// Plays a throw as a step does.
    #[inline(always)]
    pub(super) fn play_throw<const SEATS: usize>(
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
    pub(super) fn play_pa_ra<const SEATS: usize>(
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
}
