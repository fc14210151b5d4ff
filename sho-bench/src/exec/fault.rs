//! What a bot in another program can do wrong, and how it is counted: [`Fault`], [`FaultTally`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::schedule::Address;

/// The ways in which a bot in another program fails, in the order in which they are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// It answered with an action that is not among the legal ones.
    Illegal,
    /// It ended, closed its input or output, or did not start.
    Crash,
    /// It thought longer than its limit, or did not answer the hand-shake in time.
    Silence,
    /// It wrote what is no message, or wrote without being asked.
    Garbage,
}

impl FaultKind {
    /// All kinds, with their names as in result files.
    pub const ALL: [(Self, &'static str); 4] = [
        (Self::Illegal, "illegal"),
        (Self::Crash, "crash"),
        (Self::Silence, "silence"),
        (Self::Garbage, "garbage"),
    ];

    /// The kind's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|&(kind, _)| kind == self).map_or("", |(_, name)| name)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a bot did wrong in one game. From there on the game was played for it by `random`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind.
    pub kind: FaultKind,
    /// What happened, as one line that is not long: what the bot wrote, and in which position.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.what)
    }
}

/// How many addresses of games a tally keeps for each bot and kind of fault: enough to look into them, and few enough
/// for a result file where every game had a fault.
pub const MAX_FAULT_GAMES: usize = 100;

/// The faults of one kind of one bot.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultCount {
    /// How many there were: one a game, and one a seat where the bot holds several.
    pub count: u64,
    /// The games in which they were, in order: the first [`MAX_FAULT_GAMES`] of them.
    pub games: BTreeSet<Address>,
}

/// The faults of one bot by kind; kinds without any are left out. As JSON it is an object from the kind's name to its
/// count and games:
///
/// ```
/// use sho_bench::exec::{FaultKind, FaultTally};
///
/// let mut tally = FaultTally::default();
/// tally.count(FaultKind::Crash, "0.7.1".parse()?);
/// tally.count(FaultKind::Crash, "0.3.0".parse()?);
/// let json = serde_json::to_string(&tally)?;
/// assert_eq!(json, r#"{"crash":{"count":2,"games":["0.3.0","0.7.1"]}}"#);
/// assert_eq!(serde_json::from_str::<FaultTally>(&json)?, tally);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FaultTally {
    kinds: BTreeMap<FaultKind, FaultCount>,
}

impl FaultTally {
    /// Counts a fault of a game.
    pub fn count(&mut self, kind: FaultKind, game: Address) {
        let entry = self.kinds.entry(kind).or_default();
        entry.count += 1;
        entry.keep([game]);
    }

    /// Adds the faults of other games. Tallies may be merged in any order and grouping, to the same one.
    pub fn merge(&mut self, other: &Self) {
        for (&kind, faults) in &other.kinds {
            let entry = self.kinds.entry(kind).or_default();
            entry.count += faults.count;
            entry.keep(faults.games.iter().copied());
        }
    }

    /// Whether there was none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// How many there were, of all kinds.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.kinds.values().map(|faults| faults.count).sum()
    }

    /// The kinds that there were, in their order, each with its count and games.
    pub fn kinds(&self) -> impl Iterator<Item = (FaultKind, &FaultCount)> {
        self.kinds.iter().map(|(&kind, faults)| (kind, faults))
    }
}

impl FaultCount {
    fn keep(&mut self, games: impl IntoIterator<Item = Address>) {
        self.games.extend(games);
        while self.games.len() > MAX_FAULT_GAMES {
            self.games.pop_last();
        }
    }
}

/// The most letters of a foreign text that a message repeats.
const LONGEST_QUOTE: usize = 100;

/// What a program wrote, for a message: one line, between backquotes, control characters escaped, not long.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", shortened(text))
}

/// The same without backquotes.
pub(super) fn shortened(text: &str) -> String {
    let mut line = String::new();
    for (index, letter) in text.chars().enumerate() {
        if index == LONGEST_QUOTE {
            line.push_str(" ...");
            break;
        }
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(block: u64) -> Address {
        Address { lineup: 0, block, seating: 0 }
    }

    #[test]
    fn tallies_merge_in_any_order() {
        let kinds = FaultKind::ALL.map(|(kind, _)| kind);
        let mut parts = vec![FaultTally::default(); 7];
        let mut whole = FaultTally::default();
        // 1009 and 7919 are primes, so that every block below 1009 comes once, in no order.
        for index in 0..1009 {
            let (block, kind) = (index * 7919 % 1009, kinds[(index % 5 % 4) as usize]);
            parts[(index % 7) as usize].count(kind, address(block));
            whole.count(kind, address(block));
        }
        let mut forth = FaultTally::default();
        parts.iter().for_each(|part| forth.merge(part));
        let mut back = FaultTally::default();
        for pair in parts.rchunks(2) {
            let mut both = pair[pair.len() - 1].clone();
            pair[..pair.len() - 1].iter().for_each(|part| both.merge(part));
            back.merge(&both);
        }
        assert_eq!((&forth, &back), (&whole, &whole));
        assert_eq!(whole.total(), 1009);
        // Two of five faults are of the first kind; kept are the first games of them.
        let (kind, illegal) = whole.kinds().next().unwrap();
        assert_eq!((kind, illegal.count, illegal.games.len()), (FaultKind::Illegal, 403, 100));
        let mut blocks: Vec<u64> =
            (0..1009).filter(|index| index % 5 % 4 == 0).map(|index| index * 7919 % 1009).collect();
        blocks.sort_unstable();
        assert!(illegal.games.iter().map(|game| game.block).eq(blocks[..100].iter().copied()));
    }

    #[test]
    fn names_are_those_of_the_files() {
        for (kind, name) in FaultKind::ALL {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{name}\""));
            assert_eq!(kind.to_string(), name);
        }
        let unknown = r#"{"crash":{"count":1,"games":["0.0.0"],"more":1}}"#;
        assert!(serde_json::from_str::<FaultTally>(unknown).is_err());
        let wrong = r#"{"crash":{"count":1,"games":["0.00.0"]}}"#;
        assert!(serde_json::from_str::<FaultTally>(wrong).is_err());
    }

    #[test]
    fn foreign_text_is_one_short_line() {
        assert_eq!(quoted("a\nb\u{1b}[31m"), "`a\\nb\\u{1b}[31m`");
        let long = quoted(&"x".repeat(100_000));
        assert_eq!(long.len(), LONGEST_QUOTE + 6);
    }
}
