//! How many games were not the same as another: [`GameHash`], [`DistinctGames`].
//!
//! Players that draw nothing play the same game again from the same opening, and such a game says nothing new. Games are
//! compared whole, turn by turn, by 128 bits of each: that two different ones of a million agree in them has a chance of
//! one in 10^26.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};
use sho_core::{Game, Seat};

use sho_ai::arena::Observer;

/// The most distinct games that are counted. It bounds what a tally holds to some megabytes.
pub const COUNTED: usize = 1 << 17;

/// 128 bits that stand for the actions of a game. As an observer it takes in the game that it watches.
///
/// The same actions give the same bits on every platform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameHash(u128);

impl GameHash {
    fn mix(&mut self, word: u128) {
        // An odd number without pattern, the fraction of the golden ratio: each step can be undone, so that games that
        // differ in one action differ ever after.
        const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        self.0 = (self.0 ^ word).wrapping_mul(FACTOR);
        self.0 ^= self.0 >> 64;
    }
}

impl<G: Game> Observer<G> for GameHash {
    fn action(&mut self, _: &G, _: &G::State, _: Seat, action: G::Action) {
        action.hash(self);
    }
}

// Numbers go in as numbers, never as the bytes of one platform.
impl Hasher for GameHash {
    fn finish(&self) -> u64 {
        self.0 as u64
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(byte.into());
        }
    }

    fn write_u16(&mut self, number: u16) {
        self.mix(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number.into());
    }

    fn write_u128(&mut self, number: u128) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u128);
    }
}

/// A set of games that merges with others in any order, and gives up counting beyond [`COUNTED`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistinctGames {
    /// High and low half of each hash: JSON readers know no longer numbers.
    games: BTreeSet<(u64, u64)>,
    /// Whether there were more than are counted; then none is held.
    more: bool,
}

impl DistinctGames {
    /// Adds a game.
    pub fn add(&mut self, game: GameHash) {
        if !self.more {
            self.games.insert(((game.0 >> 64) as u64, game.0 as u64));
            self.give_up();
        }
    }

    /// Adds the games of another set.
    pub fn merge(&mut self, other: &Self) {
        self.more |= other.more;
        if !self.more {
            self.games.extend(&other.games);
        }
        self.give_up();
    }

    fn give_up(&mut self) {
        self.more |= self.games.len() > COUNTED;
        if self.more {
            self.games.clear();
        }
    }

    /// How many there are; nothing where there are more than [`COUNTED`].
    #[must_use]
    pub fn count(&self) -> Option<u64> {
        (!self.more).then_some(self.games.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(numbers: std::ops::Range<usize>) -> DistinctGames {
        let mut games = DistinctGames::default();
        for number in numbers {
            let mut hash = GameHash::default();
            number.hash(&mut hash);
            games.add(hash);
        }
        games
    }

    #[test]
    fn sets_merge_in_any_order_and_give_up_alike() {
        let merged = |one: &DistinctGames, other: &DistinctGames| {
            let mut all = one.clone();
            all.merge(other);
            let mut turned = other.clone();
            turned.merge(one);
            assert_eq!(all, turned);
            all
        };
        assert_eq!(merged(&games(0..60), &games(40..100)), games(0..100));
        assert_eq!(games(0..100).count(), Some(100));
        let half = COUNTED / 2;
        let full = merged(&games(0..half + 5), &games(half..COUNTED));
        assert_eq!(full.count(), Some(COUNTED as u64));
        let over = games(0..COUNTED + 1);
        assert_eq!((over.count(), over.games.len()), (None, 0));
        assert_eq!(merged(&full, &games(COUNTED..COUNTED + 1)), over);
        assert_eq!(merged(&over, &games(0..3)), over);
        assert_eq!(merged(&full, &games(0..10)), full);
    }

    #[test]
    fn the_order_of_actions_matters() {
        let hash = |actions: &[u128]| {
            let mut hash = GameHash::default();
            actions.iter().for_each(|action| action.hash(&mut hash));
            hash
        };
        assert_ne!(hash(&[1, 2]), hash(&[2, 1]));
        assert_ne!(hash(&[1, 2]), hash(&[1]));
        // Pinned: a tally that was saved is merged by later versions.
        assert_eq!(hash(&[1, 2]).0, 0x5669_573c_7f65_6206_7323_26b1_1e89_b90c);
    }
}
