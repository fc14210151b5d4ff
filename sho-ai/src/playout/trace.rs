//! Whether two games were the same: [`GameTrace`].

use std::hash::{Hash, Hasher};

use sho_core::Seat;

use super::Played;
use super::cheap::cast_word;
use crate::arena::Observer;
use crate::spec::Bots;

/// 64 bits that stand for the course of a game: who cast what, which action followed, and how it ended. Games of different
/// rules can be compared by them, as long as they are of one game.
///
/// Two courses that differ have the same bits with a chance of one in 2^64. As an [`Observer`] it takes in the game that
/// it watches; [`finish`](Self::finish) it with the result. [`Playouts::play_traced`](super::Playouts::play_traced) gives the
/// same bits as a watched game.
///
/// ```
/// use sho_ai::{GameTrace, Policy, arena::Arena, sho::Easy};
/// use sho_core::Game;
/// use sho_core::sho::{Reopen, Rules, Sho};
///
/// let trace = |rules| -> Result<GameTrace, Box<dyn std::error::Error>> {
///     let mut entries: [Box<dyn Policy<Sho>>; 3] = [Box::new(Easy), Box::new(Easy), Box::new(Easy)];
///     let mut trace = GameTrace::default();
///     let played = Arena::new(Sho::new(rules)?).play_game(1, 0, 0, &mut entries, &mut trace)?;
///     trace.finish(&played);
///     Ok(trace)
/// };
/// let mut longer = Rules::lhasa();
/// longer.max_throws = 9000;
/// assert_eq!(trace(longer)?, trace(Rules::lhasa())?);
/// let mut quiet = Rules::lhasa();
/// quiet.join_throws = false;
/// assert_ne!(trace(quiet)?, trace(Rules::lhasa())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Stability
/// The bits are for comparisons within one run, and may change with any version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameTrace(u64);

impl GameTrace {
    /// The trace whose bits these are.
    #[inline(always)]
    pub(super) const fn of_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Its bits.
    #[inline(always)]
    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    /// Takes in the next word.
    #[inline(always)]
    pub(super) const fn mix(&mut self, word: u64) {
        // An odd number without pattern, the fraction of the golden ratio. Each step can be undone, so that courses that
        // differ in one word differ ever after.
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    }

    /// Takes in a cast.
    #[inline(always)]
    pub(super) fn cast<G: Bots>(&mut self, seat: Seat, outcome: G::Outcome) {
        self.mix(cast_word(seat.index() as u64, G::outcome_word(outcome)));
    }

    /// Takes in how the game ended.
    pub fn finish(&mut self, played: &Played) {
        self.mix(played.end as u64);
        for seat in Seat::ALL {
            self.mix(played.payoffs[seat].into());
        }
    }
}

impl<G: Bots> Observer<G> for GameTrace {
    fn cast(&mut self, _: &G, _: &G::State, seat: Seat, outcome: G::Outcome) {
        self.cast::<G>(seat, outcome);
    }

    fn action(&mut self, _: &G, _: &G::State, _: Seat, action: G::Action) {
        self.mix(G::action_word(action));
    }
}

/// A value as a word, where nothing cheaper is known: a hash, the same on every platform.
pub(crate) fn hashed(value: impl Hash) -> u64 {
    let mut words = Words::default();
    value.hash(&mut words);
    words.finish()
}

#[derive(Default)]
struct Words(GameTrace);

// Numbers go in as numbers, never as the bytes of one platform.
impl Hasher for Words {
    fn finish(&self) -> u64 {
        (self.0).0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0.mix(byte.into()));
    }

    fn write_u16(&mut self, number: u16) {
        self.0.mix(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.0.mix(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.0.mix(number);
    }

    fn write_u128(&mut self, number: u128) {
        self.0.mix(number as u64);
        self.0.mix((number >> 64) as u64);
    }

    fn write_usize(&mut self, number: usize) {
        self.0.mix(number as u64);
    }
}
