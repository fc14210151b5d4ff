//! How cheap bots choose in lanes: [`LaneBots`].

use sho_core::sho::{LaneMoves, LanePick};
use sho_core::{PerSeat, Seat};

use super::cheap::Cheap;
use super::lane_words::{LAST_READY, NEXT_WORD};

/// The bit of what a bot counts that says that it is `easy`. Below it is the place of its next word.
pub(super) const IS_EASY: u16 = 1 << 15;

/// Which bots sit in the lanes, and how they choose there.
pub(super) trait LaneBots: Copy {
    /// Whether any draws words.
    const DRAW: bool;

    /// What the side to move does, with its next word. Nothing is kept.
    fn pick(self, moves: LaneMoves, word: u64) -> LanePick;

    /// The bot of a seat, out of those of the game.
    fn bot_at(self, bots: &PerSeat<Cheap>, seat: Seat) -> Cheap;
}

#[derive(Clone, Copy)]
pub(super) struct AllEasy;

#[derive(Clone, Copy)]
pub(super) struct AllRandom;

#[derive(Clone, Copy)]
pub(super) struct Mixed;

impl LaneBots for AllEasy {
    const DRAW: bool = false;

    #[inline(always)]
    fn pick(self, moves: LaneMoves, _: u64) -> LanePick {
        // A kill before a join before anything else, each time the one that ends furthest.
        let LaneMoves { sources, kills, joins, .. } = moves;
        let others = if joins == 0 { sources } else { joins };
        let best = if kills == 0 { others } else { kills };
        LanePick { source: best & best.wrapping_neg(), counts: 0, stops: 0, kept: 0 }
    }

    #[inline(always)]
    fn bot_at(self, _: &PerSeat<Cheap>, _: Seat) -> Cheap {
        Cheap::Easy
    }
}

impl LaneBots for AllRandom {
    const DRAW: bool = true;

    /// As [`Stream::below`](sho_core::Stream::below) and then [`Moves::nth`](sho_core::sho::Moves::nth).
    #[inline(always)]
    fn pick(self, moves: LaneMoves, word: u64) -> LanePick {
        const LOW: u64 = u32::MAX as u64;
        let LaneMoves { sources, counted, .. } = moves;
        let many = u64::from(sources.count_ones());
        let product = (many & LOW) * (word & LOW);
        let later = many as i64 - 1 - (product >> 32) as i64;
        let mut rest = sources;
        // Nine coins make at most nine moves. Less 0 is as good as a condition, and costs less.
        for taken in 0..8 {
            rest &= rest.wrapping_sub((later > taken).into());
        }
        let draws = many as i64 > 1;
        let may_skip = ((product & LOW) as i64) < many as i64;
        let is_last = counted & LAST_READY == LAST_READY;
        LanePick {
            source: rest & rest.wrapping_neg(),
            counts: if draws { NEXT_WORD } else { 0 },
            stops: u64::from(draws & (may_skip | is_last)),
            kept: 0,
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
        let is_easy = moves.counted & u64::from(IS_EASY) != 0;
        LanePick {
            source: if is_easy { easy.source } else { random.source },
            counts: if is_easy { 0 } else { random.counts },
            stops: if is_easy { 0 } else { random.stops },
            kept: 0,
        }
    }

    #[inline(always)]
    fn bot_at(self, bots: &PerSeat<Cheap>, seat: Seat) -> Cheap {
        bots[seat]
    }
}
