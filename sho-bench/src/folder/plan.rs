//! An experiment as it is kept, and how it is cut: [`Plan`].

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sho_ai::Bots;
use sho_core::RuleSet;

use super::work::Cut;
use super::{FolderError, PARTS, PLAN, REPORT, RESULT};
use crate::entrant::Entrant;
use crate::experiment::{Amount, Blocks, Experiment, MetricsTier, SequentialTest};
use crate::schedule::Schedule;

/// The name and version of `experiment.json`.
pub const PLAN_SCHEMA: &str = "sho/experiment/1";

/// The file of records where none was asked for, and some are needed.
const DEFAULT_RECORDS: &str = "records.jsonl";

/// An experiment as it is kept: everything that decides its games, and how they are cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan<R> {
    /// The format's name and version, [`PLAN_SCHEMA`].
    pub schema: String,
    /// The game's name.
    pub game: String,
    /// The complete rules.
    pub rules: R,
    /// The distinct bots, in order of first appearance.
    pub bots: Vec<String>,
    /// For each bot the SHA-256 of the weights by which it plays, canonical; nothing for one that has none. Where a file
    /// of weights has changed since, the experiment is refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<Option<String>>,
    /// The line-ups: for each entry an index into `bots`.
    pub lineups: Vec<Vec<usize>>,
    /// How entries change seats.
    pub schedule: Schedule,
    /// The master seed.
    pub seed: u64,
    /// Random turns with which each block begins.
    pub opening_turns: u32,
    /// The blocks to play.
    pub blocks: Blocks,
    /// What was asked for, before it was rounded up to whole blocks.
    pub asked: Amount,
    /// Into how many shards the blocks are cut.
    pub shards: u64,
    /// Blocks between two savings of a shard. It decides what a crash can lose, and nothing else.
    pub save_every: u64,
    /// What is counted of each game.
    #[serde(default)]
    pub metrics: MetricsTier,
    /// The sequential test that ends it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SequentialTest>,
    /// The file in the folder that is to hold a record of each game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub records: Option<String>,
    /// The file in the folder that is to hold a row for each block, line-up and bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<String>,
}

impl<R: RuleSet + Serialize + DeserializeOwned> Plan<R> {
    /// The plan of an experiment, cut into shards, that keeps counts alone; and records, where bots in other programs
    /// take part.
    ///
    /// # Errors
    /// Where there are more shards than blocks, or none, or several of a sequential test.
    pub fn new<G: Bots<Rules = R>>(
        experiment: &Experiment<R>,
        asked: Amount,
        shards: u64,
    ) -> Result<Self, FolderError> {
        let blocks = experiment.blocks.len();
        if shards == 0 || shards > blocks {
            return Err(FolderError::Shards { shards, blocks });
        }
        if experiment.sprt.is_some() && shards > 1 {
            return Err(FolderError::TestInShards(shards));
        }
        Ok(Self {
            schema: PLAN_SCHEMA.to_owned(),
            game: G::NAME.to_owned(),
            rules: experiment.rules,
            bots: experiment.bots.iter().map(ToString::to_string).collect(),
            weights: weights_of(&experiment.bots),
            lineups: experiment.lineups.clone(),
            schedule: experiment.schedule,
            seed: experiment.seed,
            opening_turns: experiment.opening_turns,
            blocks: experiment.blocks,
            asked,
            shards,
            // A few hundred savings in all and some in each shard, and for quick games not one for every handful of
            // blocks.
            save_every: (blocks / shards.saturating_mul(16).max(256)).clamp(1, 1 << 14),
            metrics: experiment.metrics,
            sprt: experiment.sprt,
            // Games that may come out otherwise when they are played again can be checked by their records alone.
            records: (!experiment.is_deterministic()).then(|| DEFAULT_RECORDS.to_owned()),
            rows: None,
        })
    }

    /// The same plan, which keeps records and rows in files of the folder as well.
    ///
    /// # Errors
    /// Where a name is not one of a file in the folder.
    pub fn keeping(
        mut self,
        records: Option<String>,
        rows: Option<String>,
    ) -> Result<Self, FolderError> {
        let taken = [PLAN, PARTS, RESULT, REPORT];
        for name in [&records, &rows].into_iter().flatten() {
            let plain = Path::new(name).file_name() == Some(name.as_ref());
            if !plain || taken.contains(&name.as_str()) || records == rows {
                return Err(FolderError::KeptName(name.clone()));
            }
        }
        self.records = records.or(self.records);
        self.rows = rows;
        Ok(self)
    }

    /// The experiment, checked.
    ///
    /// # Errors
    /// Where this program cannot play it.
    pub fn experiment<G: Bots<Rules = R>>(&self) -> Result<Experiment<R>, FolderError> {
        let bots =
            self.bots.iter().map(|text| Entrant::parse::<G>(text)).collect::<Result<_, _>>()?;
        let experiment = Experiment {
            rules: self.rules,
            bots,
            lineups: self.lineups.clone(),
            schedule: self.schedule,
            seed: self.seed,
            blocks: self.blocks,
            opening_turns: self.opening_turns,
            metrics: self.metrics,
            sprt: self.sprt,
        };
        experiment.check::<G>()?;
        let now = weights_of(&experiment.bots);
        if now != self.weights {
            let differs = |&index: &usize| now.get(index) != self.weights.get(index);
            let bot = (0..self.bots.len()).find(differs).unwrap_or(0);
            return Err(FolderError::OtherWeights(self.bots[bot].clone()));
        }
        Ok(experiment)
    }

    /// The blocks of a shard: as equal a share as whole blocks allow.
    ///
    /// # Errors
    /// Where there is no such shard.
    pub fn shard(&self, shard: u64) -> Result<Blocks, FolderError> {
        self.cut().shard(shard)
    }

    pub(super) fn cut(&self) -> Cut {
        Cut { blocks: self.blocks, shards: self.shards, save_every: self.save_every }
    }
}

/// For each bot the digest of its weights; nothing at all where none has any.
pub(super) fn weights_of(bots: &[Entrant]) -> Vec<Option<String>> {
    let weights = bots.iter().map(|bot| bot.weights().map(str::to_owned));
    let weights: Vec<_> = weights.collect();
    if weights.iter().all(Option::is_none) { Vec::new() } else { weights }
}
