//! What is kept beside the counts of a shard so that a part of its games can be checked: [`CheckLine`]s.
//!
//! A line stands for a group of blocks, played one after another. It has the [`Fingerprint`] of the group's own counts, and
//! a few totals. Both add up over all lines to those of the shard, so that no count of the shard can be changed without a
//! line. To check a line, its blocks are played again and nothing else: see [`verify`](mod@crate::verify).

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sho_core::{Game, RuleSet};

use crate::experiment::{Blocks, Experiment};
use crate::fingerprint::Fingerprint;
use crate::tally::Tally;

/// The name and version of a line of a tournament.
pub const CHECK_SCHEMA: &str = "sho/check/1";

/// The blocks of a group, in an experiment that is not large: with fewer, the lines would cost more than a hundredth of
/// the quickest games.
pub(crate) const LEAST_GROUP: u64 = 64;

/// The most blocks of a group: what is written at one saving.
const MOST_GROUP: u64 = 1 << 14;

/// Groups grow where there would be more of them than this, which would fill the disk and say no more.
const GROUPS: u64 = 1 << 14;

/// How many blocks a group has in an experiment of so many blocks: a power of two, and so nothing that threads
/// count together belongs to two groups. Where a saving or a stop cuts a group, there are two.
#[must_use]
pub const fn group_size(blocks: u64) -> u64 {
    let mut size = LEAST_GROUP;
    while size < MOST_GROUP && blocks / size > GROUPS {
        size *= 2;
    }
    size
}

/// Counts of blocks that lines can be made of. They merge, and what a line says of them adds up.
pub trait Checked: Serialize {
    /// What a line says in numbers.
    type Totals: AddUp;

    /// The name and version of their lines.
    const SCHEMA: &'static str;

    /// How many blocks were counted.
    fn blocks(&self) -> u64;

    /// What they come to.
    fn totals(&self) -> Self::Totals;
}

/// Numbers that add up over groups of blocks, each with the one in the same place. What a file says of them may be
/// anything: where one side has no such number, it is 0.
pub trait AddUp:
    Clone + fmt::Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// Puts `operation` of each number and that of `other` in its place.
    fn each_with(&mut self, other: &Self, operation: fn(u64, u64) -> u64);

    /// Adds those of another group. The greatest number there is stands for all above it.
    fn add(&mut self, other: &Self) {
        self.each_with(other, u64::saturating_add);
    }

    /// Takes away those of some of its blocks.
    fn take_away(&mut self, other: &Self) {
        self.each_with(other, u64::saturating_sub);
    }
}

/// Puts `operation` of each number and that of `others` in its place.
pub(crate) fn each_with(numbers: &mut Vec<u64>, others: &[u64], operation: fn(u64, u64) -> u64) {
    numbers.resize(numbers.len().max(others.len()), 0);
    for (number, other) in numbers.iter_mut().zip(others) {
        *number = operation(*number, *other);
    }
}

/// A group of blocks: which they are, what its counts come to, and their fingerprint. `S` are the totals of a tournament, or
/// those of a [study](crate::study::StudyTotals).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckLine<S = Totals> {
    /// The format's name and version, as [`CHECK_SCHEMA`].
    pub schema: String,
    /// The group's blocks.
    pub blocks: Blocks,
    /// What can be added up.
    pub totals: S,
    /// The fingerprint of all its counts.
    pub fingerprint: Fingerprint,
}

impl<S> CheckLine<S> {
    /// The line of a group with these counts.
    #[must_use]
    pub fn new<T: Checked<Totals = S>>(blocks: Blocks, counts: &T) -> Self {
        Self {
            schema: T::SCHEMA.to_owned(),
            blocks,
            totals: counts.totals(),
            fingerprint: Fingerprint::of(counts),
        }
    }
}

/// A few numbers of a tally that add up over groups of blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Games.
    pub games: u64,
    /// What each bot got, in twelfths of a win.
    pub payoff12: Vec<u64>,
    /// The lengths of all games together, in the order of [`Game::UNITS`].
    pub lengths: Vec<u64>,
    /// Games by how they ended, in the order of [`Game::ENDS`].
    pub ends: Vec<u64>,
}

impl Checked for Tally {
    type Totals = Totals;

    const SCHEMA: &'static str = CHECK_SCHEMA;

    fn blocks(&self) -> u64 {
        self.blocks
    }

    fn totals(&self) -> Totals {
        let lengths = self.lengths.iter().map(|length| {
            // What a file says may be any number.
            length.histogram.iter().fold(0, |sum: u64, (value, count)| {
                sum.saturating_add(u64::from(value).saturating_mul(count))
            })
        });
        Totals {
            games: self.games,
            payoff12: (0..self.bots.len()).map(|bot| self.payoffs.bot(bot).sum).collect(),
            lengths: lengths.collect(),
            ends: self.ends.clone(),
        }
    }
}

impl AddUp for Totals {
    fn each_with(&mut self, other: &Self, operation: fn(u64, u64) -> u64) {
        self.games = operation(self.games, other.games);
        each_with(&mut self.payoff12, &other.payoff12, operation);
        each_with(&mut self.lengths, &other.lengths, operation);
        each_with(&mut self.ends, &other.ends, operation);
    }
}

impl Totals {
    /// The numbers in which two differ.
    #[must_use]
    pub fn differences<G: Game<Rules = R>, R: RuleSet>(
        &self,
        other: &Self,
        experiment: &Experiment<R>,
    ) -> Vec<TotalDifference> {
        let mut found = Vec::new();
        let mut compare = |what: String, here: Option<&u64>, there: Option<&u64>| {
            if here != there {
                let value = |number: Option<&u64>| number.copied();
                found.push(TotalDifference { what, here: value(here), there: value(there) });
            }
        };
        compare("games".to_owned(), Some(&self.games), Some(&other.games));
        let most = |a: &Vec<u64>, b: &Vec<u64>| a.len().max(b.len());
        let number = |index: usize| format!("number {index}");
        for index in 0..most(&self.payoff12, &other.payoff12) {
            let name =
                experiment.bots.get(index).map_or_else(|| number(index), ToString::to_string);
            compare(
                format!("payoff12 of {name}"),
                self.payoff12.get(index),
                other.payoff12.get(index),
            );
        }
        for index in 0..most(&self.lengths, &other.lengths) {
            let name =
                G::UNITS.get(index).map_or_else(|| number(index), |unit| unit.name().to_owned());
            compare(name, self.lengths.get(index), other.lengths.get(index));
        }
        for index in 0..most(&self.ends, &other.ends) {
            let name = G::ENDS.get(index).map_or_else(|| number(index), |&end| end.to_owned());
            compare(
                format!("games that ended by {name}"),
                self.ends.get(index),
                other.ends.get(index),
            );
        }
        found
    }
}

/// A number in which two [`Totals`] differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalDifference {
    /// Of what.
    pub what: String,
    /// In the first; nothing where it has no such number.
    pub here: Option<u64>,
    /// In the second.
    pub there: Option<u64>,
}

impl fmt::Display for TotalDifference {
    /// As in `throws: 4321, not 4320`, the first before the second.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |number: Option<u64>| number.map_or("nothing".to_owned(), |n| n.to_string());
        write!(f, "{}: {}, not {}", self.what, text(self.here), text(self.there))
    }
}

/// Makes the lines of blocks as their counts come in, in order. What a group counts is what all blocks count after it,
/// less what they counted before it.
#[derive(Debug)]
pub(crate) struct CheckWriter<S> {
    /// The blocks of a group in this experiment, and in the saving that is in work.
    usual: u64,
    size: u64,
    /// The first block of the shard.
    shard: u64,
    /// Up to the last group.
    before: CheckLine<S>,
    text: String,
}

impl<S: AddUp> CheckWriter<S> {
    /// For a shard that begins at block `shard`, in an experiment of `of` blocks. `before` has what was counted of the shard
    /// before.
    pub(crate) fn new<T: Checked<Totals = S>>(of: u64, shard: u64, before: &T) -> Self {
        let size = group_size(of);
        let done = Blocks { from: shard, to: shard + before.blocks() };
        let before = CheckLine::new(done, before);
        Self { usual: size, size, shard, before, text: String::new() }
    }

    /// So many blocks come next, and are saved together.
    pub(crate) fn begin(&mut self, blocks: u64) {
        // Less than two groups are one.
        self.size = if blocks < 2 * self.usual { u64::MAX } else { self.usual };
    }

    /// Hears what the shard counts after the next blocks.
    pub(crate) fn so_far(&mut self, counts: &impl Checked<Totals = S>) {
        if counts.blocks().is_multiple_of(self.size) {
            self.end_group(counts);
        }
    }

    /// The lines of what is saved together, given what the shard counts after the last of its blocks.
    pub(crate) fn finish(&mut self, counts: &impl Checked<Totals = S>) -> String {
        self.end_group(counts);
        std::mem::take(&mut self.text)
    }

    fn end_group(&mut self, counts: &impl Checked<Totals = S>) {
        let to = self.shard + counts.blocks();
        if to == self.before.blocks.to {
            return;
        }
        let all = CheckLine::new(Blocks { from: self.shard, to }, counts);
        let mut group = all.clone();
        group.blocks.from = self.before.blocks.to;
        group.totals.take_away(&self.before.totals);
        group.fingerprint = all.fingerprint - self.before.fingerprint;
        // Strings and numbers: nothing that JSON cannot hold.
        self.text += &serde_json::to_string(&group).unwrap_or_default();
        self.text.push('\n');
        self.before = all;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_grow_with_the_experiment_and_stay_powers_of_two() {
        assert_eq!(group_size(1), LEAST_GROUP);
        assert_eq!(group_size(GROUPS * LEAST_GROUP), LEAST_GROUP);
        for blocks in [1 << 21, 10_000_000, 1 << 28] {
            let size = group_size(blocks);
            assert!(size.is_power_of_two());
            assert!(blocks / size <= GROUPS && blocks / (size / 2) > GROUPS, "{blocks} {size}");
        }
        assert_eq!(group_size(u64::MAX), MOST_GROUP);
    }
}
