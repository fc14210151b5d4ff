//! A study as it is kept, and how it is cut: [`StudyPlan`].

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sho_ai::Bots;
use sho_core::RuleSet;

use super::FolderError;
use super::plan::weights_of;
use super::work::{Cut, Sink, Work};
use crate::entrant::Entrant;
use crate::experiment::{Blocks, MetricsTier, TournamentGame};
use crate::study::{Design, LeftOut, Seconds, Study, StudyTally, Variation, study_on};
use crate::tournament::{Lines, RunEnd, RunError, Watcher};

/// The name and version of the `experiment.json` of a study.
pub const STUDY_PLAN_SCHEMA: &str = "sho/study-plan/1";

/// A study as it is kept: everything that decides its games, and how they are cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyPlan<R> {
    /// The format's name and version, [`STUDY_PLAN_SCHEMA`].
    pub schema: String,
    /// The game's name.
    pub game: String,
    /// The complete rules of the base.
    pub rules: R,
    /// The settings that vary.
    pub varied: Vec<Variation>,
    /// What might have varied too.
    pub left_out: Vec<LeftOut>,
    /// Which combinations are played.
    pub design: Design,
    /// The policies.
    pub policies: Vec<String>,
    /// For each policy the SHA-256 of the weights by which it plays, canonical; nothing for one that has none. Where a file
    /// of weights has changed since, the study is refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weights: Vec<Option<String>>,
    /// The master seed.
    pub seed: u64,
    /// Random turns with which each block begins.
    pub opening_turns: u32,
    /// The blocks to play.
    pub blocks: Blocks,
    /// Into how many shards the blocks are cut.
    pub shards: u64,
    /// Blocks between two savings of a shard. It decides what a crash can lose, and nothing else.
    pub save_every: u64,
    /// What is counted of each game.
    pub metrics: MetricsTier,
    /// What a throw lasts at a table.
    pub seconds_a_throw: Seconds,
    /// What a decision lasts beside its throw.
    pub seconds_a_decision: Seconds,
}

impl<R: RuleSet + Serialize + DeserializeOwned> StudyPlan<R> {
    /// The plan of a study, cut into shards.
    ///
    /// # Errors
    /// Where there are more shards than blocks, or none.
    pub fn new<G: Bots<Rules = R>>(study: &Study<R>, shards: u64) -> Result<Self, FolderError> {
        let blocks = study.blocks.len();
        if shards == 0 || shards > blocks {
            return Err(FolderError::Shards { shards, blocks });
        }
        Ok(Self {
            schema: STUDY_PLAN_SCHEMA.to_owned(),
            game: G::NAME.to_owned(),
            rules: study.rules,
            varied: study.varied.clone(),
            left_out: study.left_out.clone(),
            design: study.design,
            policies: study.policies.iter().map(ToString::to_string).collect(),
            weights: weights_of(&study.policies),
            seed: study.seed,
            opening_turns: study.opening_turns,
            blocks: study.blocks,
            shards,
            // The counts of a study are larger than those of a tournament, and a block has a game for each cell: fewer
            // savings lose no more.
            save_every: (blocks / shards.saturating_mul(8).max(64)).clamp(1, 1 << 14),
            metrics: study.metrics,
            seconds_a_throw: study.seconds_a_throw,
            seconds_a_decision: study.seconds_a_decision,
        })
    }

    /// The study, checked.
    ///
    /// # Errors
    /// Where this program cannot play it.
    pub fn study<G: Bots<Rules = R>>(&self) -> Result<Study<R>, FolderError> {
        let policies =
            self.policies.iter().map(|text| Entrant::parse::<G>(text)).collect::<Result<_, _>>()?;
        let study = Study {
            rules: self.rules,
            varied: self.varied.clone(),
            left_out: self.left_out.clone(),
            design: self.design,
            policies,
            seed: self.seed,
            blocks: self.blocks,
            opening_turns: self.opening_turns,
            metrics: self.metrics,
            seconds_a_throw: self.seconds_a_throw,
            seconds_a_decision: self.seconds_a_decision,
        };
        study.check::<G>()?;
        let now = weights_of(&study.policies);
        if now != self.weights {
            let differs = |&index: &usize| now.get(index) != self.weights.get(index);
            let bot = (0..self.policies.len()).find(differs).unwrap_or(0);
            return Err(FolderError::OtherWeights(self.policies[bot].clone()));
        }
        Ok(study)
    }
}

impl<G: TournamentGame> Work<G> for StudyPlan<G::Rules> {
    type Made = Study<G::Rules>;
    type Tally = StudyTally;

    fn cut(&self) -> Cut {
        Cut { blocks: self.blocks, shards: self.shards, save_every: self.save_every }
    }

    fn made(&self) -> Result<Self::Made, FolderError> {
        self.study::<G>()
    }

    fn nothing(made: &Self::Made) -> StudyTally {
        StudyTally::new::<G>(made)
    }

    fn fits(made: &Self::Made, tally: &StudyTally) -> bool {
        tally.fits::<G>(made)
    }

    fn merge(tally: &mut StudyTally, other: &StudyTally) {
        tally.merge(other);
    }

    fn show(made: &Self::Made, before: &StudyTally, watcher: &impl Watcher) {
        watcher.games_so_far(before.blocks * made.games_a_block().unwrap_or(0));
    }

    fn play(
        &self,
        made: &Self::Made,
        blocks: Blocks,
        before: StudyTally,
        threads: usize,
        watcher: &impl Watcher,
        sink: Sink<'_, StudyTally>,
    ) -> Result<(StudyTally, RunEnd), RunError> {
        let study = Study { blocks, ..made.clone() };
        let nothing = Lines::default();
        let ran =
            study_on::<G>(&study, before, threads, watcher, &mut |tally| sink(tally, &nothing))?;
        Ok((ran.tally, ran.end))
    }
}

/// What a folder holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A tournament, whose plan is a [`Plan`](super::Plan).
    Tournament,
    /// A study, whose plan is a [`StudyPlan`].
    Study,
    /// A tuning, whose plan is a [`Tune`](crate::tune::Tune). It has no shards.
    Tuning,
}

impl Kind {
    /// What a plan of this schema is of.
    pub(super) fn of(schema: &str) -> Option<Self> {
        match schema {
            super::PLAN_SCHEMA => Some(Self::Tournament),
            STUDY_PLAN_SCHEMA => Some(Self::Study),
            crate::tune::TUNE_PLAN_SCHEMA => Some(Self::Tuning),
            _ => None,
        }
    }
}
