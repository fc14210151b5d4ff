//! Who sits where in which game: [`Schedule`]. Pure functions, no play.

use serde::{Deserialize, Serialize};
use sho_core::{MAX_SEATS, PerSeat, Seat};

/// The most seatings that a schedule has: the orders of four entries.
pub const MAX_SEATINGS: u64 = 24;

/// How the entries of a line-up change seats within a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// One game for each rotation: in seating `p` of `k` seats, seat `s` is held by entry `(s + p) mod k`.
    #[default]
    Rotations,
    /// One game for each order of the entries, in lexicographic order.
    Permutations,
    /// One game, seated as given.
    Fixed,
}

impl Schedule {
    /// All schedules, with their names.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Rotations, "rotations"),
        (Self::Permutations, "permutations"),
        (Self::Fixed, "fixed"),
    ];

    /// The schedule's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|&(schedule, _)| schedule == self).map_or("", |(_, name)| name)
    }

    /// The seatings of a table with `seats` seats, in their order: each says for every seat which entry of the line-up
    /// holds it.
    ///
    /// ```
    /// use sho_bench::Schedule;
    /// use sho_core::Seat;
    /// let seatings = Schedule::Rotations.seatings(3);
    /// assert_eq!(seatings.len(), 3);
    /// assert_eq!((seatings[1][Seat::A], seatings[1][Seat::C]), (1, 0));
    /// ```
    ///
    /// # Panics
    /// If `seats` is above [`MAX_SEATS`].
    #[must_use]
    pub fn seatings(self, seats: usize) -> Vec<PerSeat<usize>> {
        assert!(seats <= MAX_SEATS, "a table has at most {MAX_SEATS} seats, not {seats}");
        match self {
            Self::Fixed => vec![PerSeat::from_fn(Seat::index)],
            Self::Rotations => {
                (0..seats).map(|p| PerSeat::from_fn(|seat| (seat.index() + p) % seats)).collect()
            }
            Self::Permutations => {
                let mut all = Vec::new();
                permutations(&mut Vec::new(), seats, &mut all);
                all
            }
        }
    }
}

fn permutations(chosen: &mut Vec<usize>, seats: usize, all: &mut Vec<PerSeat<usize>>) {
    if chosen.len() == seats {
        all.push(PerSeat::from_fn(|seat| chosen.get(seat.index()).copied().unwrap_or(0)));
        return;
    }
    for entry in 0..seats {
        if !chosen.contains(&entry) {
            chosen.push(entry);
            permutations(chosen, seats, all);
            chosen.pop();
        }
    }
}

/// A game's place in its experiment, printed as `LINEUP.BLOCK.SEATING`, all from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address {
    /// The line-up's index.
    pub lineup: usize,
    /// The block.
    pub block: u64,
    /// The seating's index in its schedule.
    pub seating: usize,
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.lineup, self.block, self.seating)
    }
}

/// As its text.
impl Serialize for Address {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// A text that is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no game address: expected LINEUP.BLOCK.SEATING, all from 0, as in 0.1207.2")]
pub struct AddressError(pub String);

impl std::str::FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let parsed = || {
            let mut parts = text.split('.');
            let address = Self {
                lineup: parts.next()?.parse().ok()?,
                block: parts.next()?.parse().ok()?,
                seating: parts.next()?.parse().ok()?,
            };
            (parts.next().is_none() && address.to_string() == text).then_some(address)
        };
        parsed().ok_or_else(|| AddressError(text.to_owned()))
    }
}
