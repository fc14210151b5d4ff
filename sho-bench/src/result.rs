//! The result of a tournament as a document: [`TournamentResult`], schema `sho/tournament/1`.
//!
//! Counts are integers; means and errors are derived from them and rounded to [`DIGITS`] digits after the point.
//! Keys stand in the order of the fields here, lengths in numeric order. `provenance` is outside the digest.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use sho_ai::Bots;
use sho_core::{Game, RuleSet, Seat};

use crate::digest;
use crate::distinct::DistinctGames;
use crate::entrant::Entrant;
use crate::exec::FaultTally;
use crate::experiment::{Blocks, Experiment, MetricsTier, SequentialTest};
use crate::metrics::{Measured, MetricResult, metric_results};
use crate::ratings::{Ratings, TwoQuestions};
use crate::rounded::rounded;
use crate::schedule::Schedule;
use crate::stats::sprt::Verdict;
use crate::tally::{BlockSum, BotTally, Histogram, LengthTally, Tally};
use crate::tournament::resumed;

/// The name and version of the format.
pub const SCHEMA: &str = "sho/tournament/1";

/// Digits after the point of derived numbers.
pub const DIGITS: i32 = 6;

/// The result of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TournamentResult<R> {
    /// The format's name and version.
    pub schema: &'static str,
    /// The game's name.
    pub game: &'static str,
    /// The complete rules.
    pub rules: R,
    /// The master seed.
    pub seed: u64,
    /// How entries changed seats.
    pub schedule: Schedule,
    /// The line-ups: for each entry an index into `bots`.
    pub lineups: Vec<Vec<usize>>,
    /// What was counted.
    pub metrics: MetricsTier,
    /// Whether the same experiment gives the same bytes.
    pub deterministic: bool,
    /// Random turns with which each block began; only for a game without chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_turns: Option<u32>,
    /// The blocks that were played.
    pub block_range: Blocks,
    /// How many blocks.
    pub blocks: u64,
    /// How many games.
    pub games: u64,
    /// How many of them were distinct, compared turn by turn from the first turn of the opening; `null` where more than
    /// [`COUNTED`](crate::distinct::COUNTED) were, which are not counted. Only for a game without chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct_games: Option<Option<u64>>,
    /// By bot, in order of first appearance.
    pub bots: Vec<BotResult>,
    /// By line-up and bot in it; only with several line-ups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lineup_scores: Vec<LineupScore>,
    /// Ratings; only with more than two bots or several line-ups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratings: Option<Ratings>,
    /// Whether one bot is better than another, asked both ways; only where line-ups ask so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub two_questions: Vec<TwoQuestions>,
    /// The sequential test; only where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtResult>,
    /// By seat.
    pub seats: Vec<SeatResult>,
    /// Games by how they ended.
    pub ends: Named<u64>,
    /// Lengths by unit, the main one first.
    pub lengths: Named<LengthResult>,
    /// What happened in the games, by metric; only with full metrics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Named<MetricResult>>,
    /// SHA-256 over the document without `digest` and `provenance`, as compact JSON.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// Where the result comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// How one bot did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotResult {
    /// Its spec.
    pub name: String,
    /// SHA-256 of the weights by which it plays, canonical; only for a bot that has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// By which of its weights it plays under these rules, in words; only for a bot that has a choice of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judges_by: Option<String>,
    /// Seats that it holds in a game, the most over line-ups.
    pub seats: u64,
    /// Games that it took part in.
    pub games: u64,
    /// Games that one of its seats won alone.
    pub wins: u64,
    /// Its payoffs in twelfths of a win.
    pub payoff12: u64,
    /// Payoff for each game and seat held, 0 to 1; equal strength is 1/k at a table of k seats.
    pub score: f64,
    /// The standard error of the score, from blocks; nothing with one block.
    pub score_se: Option<f64>,
    /// Blocks by what it got in them, in twelfths of a win; only with one line-up.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub outcomes: BTreeMap<u32, u64>,
    /// What it did wrong; only for a bot in another program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<FaultTally>,
    /// Its payoffs by block, exact. Not part of the document.
    #[serde(skip)]
    pub by_block: BlockSum,
}

/// How a bot did in one line-up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LineupScore {
    /// The line-up's index.
    pub lineup: usize,
    /// The bot's index.
    pub bot: usize,
    /// Seats that it holds in each game.
    pub seats: u64,
    /// Games of the line-up.
    pub games: u64,
    /// Its payoffs in twelfths of a win.
    pub payoff12: u64,
    /// Payoff for each game and seat held.
    pub score: f64,
    /// The standard error of the score, from blocks; nothing with one block.
    pub score_se: Option<f64>,
    /// Its payoffs by block, exact. Not part of the document.
    #[serde(skip)]
    pub by_block: BlockSum,
}

/// What a sequential test came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtResult {
    /// The tested bot's index.
    pub bot: usize,
    /// What was asked.
    #[serde(flatten)]
    pub test: SequentialTest,
    /// Wald's bounds of the log-likelihood ratio.
    pub llr_bounds: [f64; 2],
    /// The log-likelihood ratio of H1 to H0 after all blocks; nothing where there is none.
    pub llr: Option<f64>,
    /// What that says.
    pub verdict: SprtVerdict,
    /// The most blocks that were to be played.
    pub blocks_planned: u64,
}

/// How a sequential test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// H0 was accepted.
    H0,
    /// H1 was accepted.
    H1,
    /// All blocks were played, and neither was accepted.
    Undecided,
    /// It was stopped by hand before it decided: not a test result.
    StoppedByHand,
}

/// How one seat did, whoever held it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatResult {
    /// Games that it won alone.
    pub wins: u64,
    /// Its payoffs in twelfths of a win.
    pub payoff12: u64,
    /// Payoff for each game, 0 to 1.
    pub score: f64,
    /// The standard error of the score, from blocks; nothing with one block.
    pub score_se: Option<f64>,
}

/// Values by name in the game's own order: a JSON object.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T>(pub Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// How long games were, in one unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LengthResult {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean, from blocks; nothing with one block.
    pub se: Option<f64>,
    /// The standard deviation of a game; nothing with one game.
    pub sd: Option<f64>,
    /// The median.
    pub median: u32,
    /// The length that 5 % of games do not exceed.
    pub q05: u32,
    /// The length that 95 % of games do not exceed.
    pub q95: u32,
    /// The longest game.
    pub max: u32,
    /// The number of games of each length.
    #[serde(serialize_with = "histogram_by_length")]
    pub histogram: Histogram,
}

pub(crate) fn histogram_by_length<S: Serializer>(
    histogram: &Histogram,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for (length, count) in histogram.iter() {
        map.serialize_entry(&length.to_string(), &count)?;
    }
    map.end()
}

/// Where a result comes from. Not part of its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// The program's version.
    pub version: &'static str,
    /// The commit it was built from, or `unknown`.
    pub commit: &'static str,
}

impl Default for Provenance {
    fn default() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            commit: option_env!("SHO_COMMIT").unwrap_or("unknown"),
        }
    }
}

impl<R: RuleSet + Serialize> TournamentResult<R> {
    /// The document of an experiment and its counts.
    pub fn new<G: Measured<Rules = R> + Bots>(experiment: &Experiment<R>, tally: &Tally) -> Self {
        let bots = experiment.bots.iter().zip(&tally.bots).enumerate();
        let bots = bots.map(|(index, (entrant, bot))| {
            let seats = experiment.lineups.iter().map(|lineup| held(lineup, index)).max();
            let payoffs = tally.payoffs.bot(index);
            let judges_by = entrant.judges_by::<G>(&experiment.rules).map(|by| by.to_string());
            bot_result(entrant, judges_by, seats.unwrap_or(0), bot, payoffs, tally.blocks)
        });
        let seats = Seat::all(experiment.rules.sides()).map(|seat| {
            let payoff = tally.payoffs.seat(experiment.bots.len(), seat.index());
            let (score, score_se) = score(payoff, tally.games, tally.blocks);
            let wins = tally.seat_wins[seat.index()];
            SeatResult { wins, payoff12: payoff.sum, score, score_se }
        });
        let lengths = G::UNITS.iter().zip(&tally.lengths).filter_map(|(unit, length)| {
            Some((unit.name(), LengthResult::new(length, tally.games, tally.blocks)?))
        });
        let mut result = Self {
            schema: SCHEMA,
            game: G::NAME,
            rules: experiment.rules,
            seed: experiment.seed,
            schedule: experiment.schedule,
            lineups: experiment.lineups.clone(),
            metrics: experiment.metrics,
            deterministic: experiment.is_deterministic(),
            opening_turns: (!G::HAS_CHANCE).then_some(experiment.opening_turns),
            block_range: Blocks {
                from: experiment.blocks.from,
                to: experiment.blocks.from + tally.blocks,
            },
            blocks: tally.blocks,
            games: tally.games,
            distinct_games: tally.distinct.as_ref().map(DistinctGames::count),
            bots: bots.collect(),
            lineup_scores: lineup_scores(experiment, tally),
            ratings: Ratings::new(experiment, &tally.payoffs),
            two_questions: TwoQuestions::all(experiment, &tally.payoffs),
            sprt: sprt_result::<G>(experiment, tally),
            seats: seats.collect(),
            ends: Named(G::ENDS.iter().copied().zip(tally.ends.iter().copied()).collect()),
            lengths: Named(lengths.collect()),
            events: tally.metrics.as_ref().map(|metrics| {
                let held: Vec<u64> = tally.bots.iter().map(|bot| bot.seats).collect();
                metric_results::<G>(metrics, tally.blocks, tally.games, &held)
            }),
            digest: String::new(),
            provenance: None,
        };
        result.digest = digest::of_json(&result);
        result.provenance = Some(Provenance::default());
        result
    }
}

/// Seats that a bot holds in a line-up.
fn held(lineup: &[usize], bot: usize) -> u64 {
    lineup.iter().filter(|&&other| other == bot).count() as u64
}

/// Payoff for each of so many games, or games and seats, with its standard error.
fn score(payoff12: BlockSum, games: u64, blocks: u64) -> (f64, Option<f64>) {
    // Twelfths of a win in a block of score 1.
    let scale = 12.0 * games as f64 / blocks as f64;
    let score = rounded(payoff12.sum as f64 / (12.0 * games as f64));
    (score, payoff12.standard_error(blocks).map(|error| rounded(error / scale)))
}

fn bot_result(
    entrant: &Entrant,
    judges_by: Option<String>,
    seats: u64,
    bot: &BotTally,
    by_block: BlockSum,
    blocks: u64,
) -> BotResult {
    let (score, score_se) = score(by_block, bot.seats, blocks);
    BotResult {
        name: entrant.to_string(),
        weights: entrant.weights().map(str::to_owned),
        judges_by,
        seats,
        games: bot.games,
        wins: bot.wins,
        payoff12: by_block.sum,
        score,
        score_se,
        outcomes: bot.outcomes.clone(),
        faults: (!entrant.is_deterministic()).then(|| bot.faults.clone()),
        by_block,
    }
}

fn lineup_scores<R: RuleSet>(experiment: &Experiment<R>, tally: &Tally) -> Vec<LineupScore> {
    if experiment.lineups.len() < 2 {
        return Vec::new();
    }
    let games = tally.games / experiment.lineups.len() as u64;
    let design = experiment.design();
    let cells = design.cells().enumerate();
    cells
        .map(|(cell, (lineup, bot))| {
            let seats = held(&experiment.lineups[lineup], bot);
            let by_block = tally.payoffs.cell(cell);
            let (score, score_se) = score(by_block, games * seats, tally.blocks);
            let payoff12 = by_block.sum;
            LineupScore { lineup, bot, seats, games, payoff12, score, score_se, by_block }
        })
        .collect()
}

fn sprt_result<G: Game>(experiment: &Experiment<G::Rules>, tally: &Tally) -> Option<SprtResult> {
    // An experiment that was played has a test that there is.
    let test = experiment.test().ok().flatten()?;
    let run = resumed(test, tally);
    let verdict = match run.verdict() {
        Verdict::H0 => SprtVerdict::H0,
        Verdict::H1 => SprtVerdict::H1,
        Verdict::Undecided if tally.blocks < experiment.blocks.len() => SprtVerdict::StoppedByHand,
        Verdict::Undecided => SprtVerdict::Undecided,
    };
    let (low, high) = test.wald();
    Some(SprtResult {
        bot: 0,
        test: experiment.sprt?,
        llr_bounds: [rounded(low), rounded(high)],
        llr: test.llr(run.outcomes()).map(rounded),
        verdict,
        blocks_planned: experiment.blocks.len(),
    })
}

impl LengthResult {
    /// What the lengths of so many games in so many blocks come to; nothing where there are none.
    pub(crate) fn new(length: &LengthTally, games: u64, blocks: u64) -> Option<Self> {
        let games_a_block = games as f64 / blocks as f64;
        let histogram = &length.histogram;
        Some(Self {
            mean: rounded(histogram.mean()?),
            se: length.blocks.standard_error(blocks).map(|error| rounded(error / games_a_block)),
            sd: histogram.standard_deviation().map(rounded),
            median: histogram.quantile(50)?,
            q05: histogram.quantile(5)?,
            q95: histogram.quantile(95)?,
            max: histogram.max()?,
            histogram: histogram.clone(),
        })
    }
}
