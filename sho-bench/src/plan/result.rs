//! What follows from a pilot as a document: [`PlanResult`], schema `sho/plan/1`.

use serde::Serialize;
use serde::de::DeserializeOwned;
use sho_core::RuleSet;

use super::goal::{Goal, Quantity};
use super::pilot::{LEAST_PILOT, Pilot, PilotRow};
use crate::digest;
use crate::experiment::{Amount, Blocks, Experiment, TournamentGame};
use crate::folder::{Plan, StudyPlan};
use crate::result::Provenance;
use crate::rounded::rounded;
use crate::stats::blocks_needed::blocks_needed;
use crate::stats::elo::{Contest, Estimate};
use crate::stats::interval::half_width;
use crate::stats::spread::Spread;
use crate::study::Study;
use crate::tally::BlockSum;

/// The name and version of the format.
pub const PLAN_SCHEMA: &str = "sho/plan/1";

/// The fewest blocks that are proposed: with fewer a mean of blocks need not be about normal, as its interval takes for
/// granted.
pub const LEAST_BLOCKS: u64 = 30;

/// What a pilot says of the blocks that a precision takes. All intervals are at 95 %. The project's `docs/planning.md` says
/// how each number is made.
///
/// # Stability
/// Keys may be added; a change of one that is there gets a new number in `schema`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanResult<R> {
    /// The format's name and version, [`PLAN_SCHEMA`].
    pub schema: &'static str,
    /// The game's name.
    pub game: &'static str,
    /// The complete rules, of a study those of the base.
    pub rules: R,
    /// The master seed, of the pilot and of what is proposed.
    pub seed: u64,
    /// Whether the same pilot gives the same numbers.
    pub deterministic: bool,
    /// The blocks of the pilot.
    pub pilot: Blocks,
    /// The games of the pilot.
    pub pilot_games: u64,
    /// What is to be known: `score`, `elo`, or for a study the measure.
    pub goal: String,
    /// Half the width of the 95 % interval that is wanted, in the goal's unit; of scores and shares as a part of 1.
    pub precision: f64,
    /// Games of a block.
    pub games_a_block: u64,
    /// What is known of each bot, or of each contrast for each policy.
    pub rows: Vec<PlanRow>,
    /// The row that needs most blocks, as an index; the first of several. Nothing where no row says how many.
    pub decides: Option<usize>,
    /// The blocks to play: what that row needs, at least [`LEAST_BLOCKS`]. Those of the pilot are among them.
    pub blocks: Option<u64>,
    /// The same from the ends of the intervals of the deviations: the most of all lower and the most of all upper ends.
    pub blocks_interval: Option<[u64; 2]>,
    /// The games of the blocks to play.
    pub games: Option<u64>,
    /// What to play, as `experiment.json` says it; a tournament's is a file for `--experiment`.
    pub run: Option<Proposed<R>>,
    /// SHA-256 over the document without `digest` and what is behind it, as compact JSON.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// The command line that plays it; nothing where options do not say it, but a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Where the document comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// How long it takes. From a clock, and so another time other numbers; nothing else here is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
}

/// What is proposed, as it is kept in folders.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Proposed<R> {
    /// A tournament.
    Tournament(Box<Plan<R>>),
    /// A study.
    Study(Box<StudyPlan<R>>),
}

/// What the pilot says of one bot, or of one contrast for one policy. Numbers in the goal's unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlanRow {
    /// The bot, or the policy.
    pub name: String,
    /// The contrast of a study.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contrast: Option<String>,
    /// What the pilot found; nothing for the Elo of a bot that won no game or all.
    pub estimate: Option<f64>,
    /// Half the width of its interval after the pilot.
    pub half_width: Option<f64>,
    /// The standard deviation of a block; 0 where all blocks of the pilot were the same.
    pub sd: Option<f64>,
    /// Its interval, as [`Spread`] has it.
    pub sd_interval: Option<[f64; 2]>,
    /// The blocks needed; nothing where all blocks of the pilot were the same, or there is no estimate.
    pub blocks: Option<u64>,
    /// The blocks needed at the ends of the interval of the deviation.
    pub blocks_interval: Option<[u64; 2]>,
    /// Whether the pilot is as precise as wanted already.
    pub reached: bool,
}

/// How long things take, by the clock of the machine that played the pilot.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clock {
    /// Threads that played.
    pub threads: usize,
    /// Seconds that the pilot took.
    pub pilot_seconds: f64,
    /// Seconds that the proposed blocks take at that speed.
    pub seconds: Option<f64>,
    /// The same for the ends of their interval.
    pub seconds_interval: Option<[f64; 2]>,
}

/// Why a pilot says nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Too few blocks.
    #[error("a pilot of {0} blocks: at least {LEAST_PILOT} are needed to say anything")]
    TooFew(u64),
    /// More blocks than there are.
    #[error("{name}: ±{precision} takes more than the 2^56 blocks that there are")]
    TooMany {
        /// The row.
        name: String,
        /// Half the width that was wanted.
        precision: String,
    },
    /// The measure is nothing that the cells of any contrast have in common.
    #[error("{0}: no two sets of rules that are compared have it both")]
    Nowhere(String),
}

impl<R: RuleSet + Serialize + DeserializeOwned> PlanResult<R> {
    /// What a pilot says of an experiment, whose number of blocks does not matter. With a goal for a study there are no
    /// rows.
    ///
    /// # Errors
    /// Where the pilot is too short, or a row needs more blocks than there are.
    pub fn tournament<G: TournamentGame<Rules = R>>(
        experiment: &Experiment<R>,
        goal: &Goal,
        pilot: &Pilot,
    ) -> Result<Self, PlanError> {
        let row = |(index, row): (usize, &PilotRow)| match goal.quantity() {
            Quantity::Elo => row_of(goal, row, experiment.contest(index)),
            Quantity::Score | Quantity::Effect(_) => row_of(goal, row, None),
        };
        let rows = pilot.rows.iter().enumerate().map(row).collect::<Result<_, _>>()?;
        let head = Head {
            game: G::NAME,
            rules: experiment.rules,
            seed: experiment.seed,
            deterministic: experiment.is_deterministic(),
            games_a_block: experiment.games_a_block(),
        };
        head.result(goal, pilot, rows, |blocks| {
            let proposed = Experiment { blocks, sprt: None, ..experiment.clone() };
            let plan = Plan::new::<G>(&proposed, Amount::Blocks(blocks.len()), 1).ok();
            plan.map(|plan| Proposed::Tournament(Box::new(plan)))
        })
    }

    /// What a pilot says of a study, whose number of blocks does not matter.
    ///
    /// # Errors
    /// As for [`tournament`](Self::tournament), and where no contrast has the measure.
    pub fn study<G: TournamentGame<Rules = R>>(
        study: &Study<R>,
        goal: &Goal,
        pilot: &Pilot,
    ) -> Result<Self, PlanError> {
        if pilot.rows.is_empty() {
            return Err(PlanError::Nowhere(goal.name().to_owned()));
        }
        let rows =
            pilot.rows.iter().map(|row| row_of(goal, row, None)).collect::<Result<_, _>>()?;
        let head = Head {
            game: G::NAME,
            rules: study.rules,
            seed: study.seed,
            deterministic: true,
            games_a_block: study.games_a_block().unwrap_or(0),
        };
        head.result(goal, pilot, rows, |blocks| {
            let proposed = Study { blocks, ..study.clone() };
            StudyPlan::new::<G>(&proposed, 1).ok().map(|plan| Proposed::Study(Box::new(plan)))
        })
    }
}

impl<R> PlanResult<R> {
    /// Adds how long it takes, given the seconds that the pilot took with so many threads.
    #[must_use]
    pub fn timed(mut self, pilot_seconds: f64, threads: usize) -> Self {
        let seconds = |blocks: u64| blocks as f64 * pilot_seconds / self.pilot.len() as f64;
        self.clock = Some(Clock {
            threads,
            pilot_seconds: rounded(pilot_seconds),
            seconds: self.blocks.map(|blocks| rounded(seconds(blocks))),
            seconds_interval: self.blocks_interval.map(|ends| ends.map(seconds).map(rounded)),
        });
        self
    }
}

/// What is the same of tournaments and studies.
struct Head<R> {
    game: &'static str,
    rules: R,
    seed: u64,
    deterministic: bool,
    games_a_block: u64,
}

impl<R: Serialize> Head<R> {
    fn result(
        self,
        goal: &Goal,
        pilot: &Pilot,
        rows: Vec<PlanRow>,
        run: impl FnOnce(Blocks) -> Option<Proposed<R>>,
    ) -> Result<PlanResult<R>, PlanError> {
        let Self { game, rules, seed, deterministic, games_a_block } = self;
        if pilot.blocks.len() < LEAST_PILOT {
            return Err(PlanError::TooFew(pilot.blocks.len()));
        }
        let most = |of: fn(&PlanRow) -> Option<u64>| {
            rows.iter().filter_map(of).max().map(|blocks| blocks.max(LEAST_BLOCKS))
        };
        let needed = rows.iter().filter_map(|row| row.blocks).max();
        let low = most(|row| row.blocks_interval.map(|[low, _]| low));
        let high = most(|row| row.blocks_interval.map(|[_, high]| high));
        let blocks = most(|row| row.blocks);
        let from = pilot.blocks.from;
        let mut result = PlanResult {
            schema: PLAN_SCHEMA,
            game,
            rules,
            seed,
            deterministic,
            pilot: pilot.blocks,
            pilot_games: pilot.blocks.len() * games_a_block,
            goal: goal.name().to_owned(),
            precision: goal.half_width(),
            games_a_block,
            decides: needed.and_then(|_| rows.iter().position(|row| row.blocks == needed)),
            rows,
            blocks,
            blocks_interval: low.zip(high).map(|(low, high)| [low, high]),
            games: blocks.map(|blocks| blocks.saturating_mul(games_a_block)),
            run: blocks.and_then(|blocks| run(Blocks { from, to: from.saturating_add(blocks) })),
            digest: String::new(),
            command: None,
            provenance: None,
            clock: None,
        };
        result.digest = digest::of_json(&result);
        result.provenance = Some(Provenance::default());
        Ok(result)
    }
}

/// A row of the plan. With a contest the values are the payoffs of a bot in it, and the unit is Elo.
fn row_of(goal: &Goal, row: &PilotRow, contest: Option<Contest>) -> Result<PlanRow, PlanError> {
    let blocks = row.values.len() as u64;
    let is_elo = *goal.quantity() == Quantity::Elo;
    let elo = contest.and_then(|contest| elo_and_slope(contest, &row.values));
    let spread = match elo {
        Some((_, slope)) => Spread::of(&row.values).map(|all| all.scaled(slope / row.divisor)),
        None if is_elo => None,
        None => Spread::of(&row.values).map(|all| all.scaled(1.0 / row.divisor)),
    };
    let needed = |sd: f64| {
        blocks_needed(sd, goal.half_width()).ok_or_else(|| PlanError::TooMany {
            name: row.name.clone(),
            precision: goal.half_width().to_string(),
        })
    };
    let width = spread.and_then(|all| half_width(all.sd / (blocks as f64).sqrt(), blocks));
    let differs = spread.filter(|all| all.sd > 0.0);
    Ok(PlanRow {
        name: row.name.clone(),
        contrast: row.contrast.clone(),
        estimate: spread.map(|all| rounded(elo.map_or(all.mean, |(elo, _)| elo))),
        half_width: width.map(rounded),
        sd: spread.map(|all| rounded(all.sd)),
        sd_interval: differs.map(|all| [rounded(all.low), rounded(all.high)]),
        blocks: differs.map(|all| needed(all.sd)).transpose()?,
        blocks_interval: match differs {
            Some(all) => Some([needed(all.low)?, needed(all.high)?]),
            None => None,
        },
        reached: differs.is_some() && width.is_some_and(|width| width <= goal.half_width()),
    })
}

/// The Elo of a bot with these payoffs in twelfths, by block, and how many Elo make one of its score there.
fn elo_and_slope(contest: Contest, values: &[i64]) -> Option<(f64, f64)> {
    let mut payoffs = BlockSum::default();
    for &value in values {
        payoffs.add(value.unsigned_abs());
    }
    let estimate = Estimate::new(contest, payoffs, values.len() as u64)?;
    Some((estimate.elo()?, estimate.elo_slope()?))
}
