//! What searches want to know of Sholo Guti.

use sho_core::sholo_guti::{SholoGuti, State, Takes, Turn};
use sho_core::{ActionVec, Game};

use crate::search::Tactics;

impl Tactics for SholoGuti {
    // From a point to a point.
    const SLOTS: usize = 1 << 12;

    // The position is two words: making its key anew costs less than keeping one up to date.
    #[inline]
    fn key(&self, state: &State) -> u128 {
        state.key()
    }

    #[inline]
    fn clock(&self, state: &State, turns: u32) -> u16 {
        let quiet = state.quiet();
        let near = u32::from(quiet) + turns >= u32::from(self.rules().quiet_turns);
        if near { quiet.saturating_add(1) } else { 0 }
    }

    #[inline]
    fn effect(&self, turn: Turn) -> u64 {
        turn.effect()
    }

    #[inline]
    fn gain(&self, turn: Turn) -> u32 {
        turn.takes() as u32
    }

    #[inline]
    fn slot(&self, turn: Turn) -> usize {
        turn.effect() as usize % Self::SLOTS
    }

    #[inline]
    fn noisy(&self, state: &State, into: &mut ActionVec<Turn>) {
        self.takes(state, into);
    }

    #[inline]
    fn may_decline(&self) -> bool {
        self.rules().takes == Takes::Optional
    }
}
