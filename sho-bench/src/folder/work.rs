//! What a folder may hold, whichever it is: [`Work`].

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{FolderError, Plan};
use crate::checks::Checked;
use crate::experiment::{Blocks, Experiment, TournamentGame};
use crate::stats::sprt::Verdict;
use crate::tally::Tally;
use crate::tournament::{Keep, Lines, RunEnd, RunError, Watcher, resumed, run_on};

/// The plan of something that is played block by block, and counted in integers that merge: so it can be cut into shards,
/// stopped, resumed and put together. A folder holds one.
pub trait Work<G: TournamentGame>: Serialize + DeserializeOwned + Sync {
    /// What is played.
    type Made: Clone + Sync;
    /// What is counted. Check lines are written beside it.
    type Tally: Checked + DeserializeOwned + PartialEq + Send;

    /// How its blocks are cut.
    fn cut(&self) -> Cut;

    /// What is played, checked.
    ///
    /// # Errors
    /// Where this program cannot play it.
    fn made(&self) -> Result<Self::Made, FolderError>;

    /// What is kept of the games beside their counts.
    fn keep(&self) -> Keep {
        Keep::default()
    }

    /// Nothing counted yet.
    fn nothing(made: &Self::Made) -> Self::Tally;

    /// Whether counts could be of it.
    fn fits(made: &Self::Made, tally: &Self::Tally) -> bool;

    /// Adds the counts of other blocks.
    fn merge(tally: &mut Self::Tally, other: &Self::Tally);

    /// Whether the counts have decided something, so that no more is to be played.
    fn is_decided(_made: &Self::Made, _tally: &Self::Tally) -> bool {
        false
    }

    /// Shows what was counted before, when a shard is taken up.
    fn show(made: &Self::Made, before: &Self::Tally, watcher: &impl Watcher);

    /// Plays `blocks` after what was counted before, and gives `sink` the counts and the lines after each chunk of them.
    ///
    /// # Errors
    /// Where a game fails, or `sink` does.
    fn play(
        &self,
        made: &Self::Made,
        blocks: Blocks,
        before: Self::Tally,
        threads: usize,
        watcher: &impl Watcher,
        sink: Sink<'_, Self::Tally>,
    ) -> Result<(Self::Tally, RunEnd), RunError>;
}

/// Takes what was counted so far, and lines that are kept of the last chunk.
pub type Sink<'a, T> = &'a mut (dyn FnMut(&T, &Lines) -> io::Result<()> + Send);

/// How blocks are cut into shards, and how often a shard is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// All blocks.
    pub blocks: Blocks,
    /// Into how many shards they are cut.
    pub shards: u64,
    /// Blocks between two savings of a shard.
    pub save_every: u64,
}

impl Cut {
    /// The blocks of a shard: as equal a share as whole blocks allow.
    ///
    /// # Errors
    /// Where there is no such shard.
    pub fn shard(self, shard: u64) -> Result<Blocks, FolderError> {
        if shard >= self.shards {
            return Err(FolderError::NoSuchShard {
                given: shard,
                last: self.shards.saturating_sub(1),
            });
        }
        // Blocks are below 2^56 and shards not more, so the products fit.
        let at = |shard: u64| {
            let share = u128::from(self.blocks.len()) * u128::from(shard) / u128::from(self.shards);
            self.blocks.from + share as u64
        };
        Ok(Blocks { from: at(shard), to: at(shard + 1) })
    }
}

impl<G: TournamentGame> Work<G> for Plan<G::Rules> {
    type Made = Experiment<G::Rules>;
    type Tally = Tally;

    fn cut(&self) -> Cut {
        self.cut()
    }

    fn made(&self) -> Result<Self::Made, FolderError> {
        self.experiment::<G>()
    }

    fn keep(&self) -> Keep {
        Keep { records: self.records.is_some(), rows: self.rows.is_some() }
    }

    fn nothing(made: &Self::Made) -> Tally {
        Tally::new::<G>(made)
    }

    fn fits(made: &Self::Made, tally: &Tally) -> bool {
        tally.fits::<G>(made)
    }

    fn merge(tally: &mut Tally, other: &Tally) {
        tally.merge(other);
    }

    fn is_decided(made: &Self::Made, tally: &Tally) -> bool {
        let test = made.test().ok().flatten();
        test.is_some_and(|test| resumed(test, tally).verdict() != Verdict::Undecided)
    }

    fn show(_: &Self::Made, before: &Tally, watcher: &impl Watcher) {
        watcher.so_far(before, None);
    }

    fn play(
        &self,
        made: &Self::Made,
        blocks: Blocks,
        before: Tally,
        threads: usize,
        watcher: &impl Watcher,
        sink: Sink<'_, Tally>,
    ) -> Result<(Tally, RunEnd), RunError> {
        let experiment = Experiment { blocks, ..made.clone() };
        let keep = Work::<G>::keep(self);
        let ran = run_on::<G>(&experiment, before, threads, watcher, keep, sink)?;
        Ok((ran.tally, ran.end))
    }
}
