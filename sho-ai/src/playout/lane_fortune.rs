//! The dice and the words of one game in a lane: [`InLane`], [`LaneFortune`].

use sho_core::sho::{Either, EitherPick, LaneCounts, LanePlay, LaneThrow, Moves, Pick, Sho};
use sho_core::{Seat, Throw, below};

use super::cheap::{Cheap, Fortune};
use super::course::{Course, TurnCasts};
use super::lane_dice::{Cast, LaneDice};
use super::lane_words::{LaneWords, NEXT_WORD};

/// Plays a throw in a lane for the side to move there, by the casts that are in the table.
pub(super) struct InLane<'a, C> {
    pub(super) seat: Seat,
    pub(super) bot: Cheap,
    pub(super) dice: &'a LaneDice,
    /// Where in the table the casts of the game begin.
    pub(super) begins: usize,
    /// The side's next cast.
    pub(super) next_cast: usize,
    pub(super) words: &'a LaneWords,
    pub(super) lane: usize,
    /// The place of its next word, and where that was at first.
    pub(super) place: u16,
    pub(super) first: u16,
    /// Whether its words are drawn: others can be made by those who go on for good.
    pub(super) gives_up: bool,
    pub(super) course: C,
    /// What is kept of the game.
    pub(super) kept: u64,
}

impl<C: Course> InLane<'_, C> {
    /// One of `0..n`, from the words that are ready. Where it takes the last of them, it [gives up](Self::gives_up).
    #[inline(always)]
    fn below(&mut self, n: u32) -> u32 {
        below(n, || {
            let word = self.words.word(self.lane, self.place.into());
            self.place += NEXT_WORD as u16;
            self.gives_up |= LaneWords::are_drawn(self.place);
            word
        })
    }

    /// Goes on to the next cast after this one.
    #[inline(always)]
    pub(super) fn take_cast(&mut self, throw: u64) {
        self.kept = self.course.cast(self.kept, self.seat.index() as u64, throw);
        self.next_cast += 1;
    }
}

impl<C: Course> LanePlay for InLane<'_, C> {
    #[inline(always)]
    fn cast(&mut self) -> LaneThrow {
        let throw = self.dice.throw(self.begins + self.course.place(self.kept, self.next_cast));
        self.take_cast(throw.word());
        throw
    }

    #[inline(always)]
    fn pick(&mut self, moves: Moves) -> Option<Pick> {
        let pick = self.bot.pick(moves, |n| self.below(n));
        self.kept = self.course.pick(self.kept, moves, pick);
        (!self.gives_up).then_some(pick)
    }

    #[inline(always)]
    fn pick_either(&mut self, either: &Either) -> Option<EitherPick> {
        let pick = self.bot.pick_either(either, |n| self.below(n));
        self.kept = self.course.pick(self.kept, either.moves[pick.by], pick.pick);
        (!self.gives_up).then_some(pick)
    }

    #[inline(always)]
    fn counts(&self) -> u16 {
        self.place - self.first
    }

    #[inline(always)]
    fn seldom_meets(&self) -> bool {
        self.bot == Cheap::Easy
    }
}

/// The dice and the words of a game in a lane, for as long as it is played as games of their own are. `SEATS` is the number
/// of sides.
pub(super) struct LaneFortune<'a, const SEATS: usize> {
    pub(super) game: &'a Sho,
    pub(super) dice: &'a mut LaneDice,
    /// The place of its block among the dice.
    pub(super) place: usize,
    pub(super) words: &'a mut LaneWords,
    pub(super) lane: usize,
    pub(super) counts: &'a mut LaneCounts,
    /// Whether the casts that begin a turn are apart.
    pub(super) turns_apart: bool,
}

impl<const SEATS: usize> Fortune for LaneFortune<'_, SEATS> {
    #[inline(always)]
    fn cast(&mut self, seat: Seat) -> Throw {
        let LaneCounts { casts, kept, .. } = &mut *self.counts;
        let made = casts.get(seat);
        casts.set(seat, made + 1);
        let index = usize::from(made);
        let cast = if self.turns_apart {
            let cast = TurnCasts::cast_of(*kept, seat, index);
            *kept = TurnCasts.cast(*kept, seat.index() as u64, 0);
            cast
        } else {
            Cast { part: 0, seat, index }
        };
        self.dice.cast::<SEATS>(self.game, self.place, cast)
    }

    #[inline(always)]
    fn below(&mut self, seat: Seat, n: u32) -> u32 {
        let mut place = self.counts.bots.get(seat);
        let chosen = below(n, || self.words.draw::<SEATS>(self.lane, &mut place));
        self.counts.bots.set(seat, place);
        chosen
    }
}
