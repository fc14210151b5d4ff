//! What came of a tuning as a document: [`TuneResult`], schema `sho/tune/1`.

use serde::Serialize;
use sho_ai::sho::Weights;
use sho_core::RuleSet;

use super::calibration::Calibration;
use super::definition::{BASE, Tune, TuneError};
use super::stage::Stage;
use super::state::{Played, TuneState};
use crate::digest;
use crate::experiment::{Blocks, SequentialTest};
use crate::result::Provenance;
use crate::rounded::rounded;
use crate::stats::elo::{Contest, Estimate};
use crate::stats::interval::half_width;
use crate::stats::sprt::Verdict;
use crate::tournament::resumed;

/// The name and version of the format.
pub const TUNE_SCHEMA: &str = "sho/tune/1";

/// What came of a tuning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuneResult {
    /// The format's name and version.
    pub schema: &'static str,
    /// What was asked for.
    pub tune: Tune,
    /// The blocks of each stage; no two share one.
    pub stages: Vec<StageBlocks>,
    /// Games of all stages.
    pub games: u64,
    /// The regression.
    pub fit: FitResult,
    /// The search, generation by generation.
    pub generations: Vec<GenerationResult>,
    /// Who might have been the winner.
    pub finalists: Vec<FinalistResult>,
    /// The name of the winner among them.
    pub winner: String,
    /// Its weights.
    pub weights: Weights,
    /// How good they are as a forecast, on games that were held out.
    pub calibration: Option<Calibration>,
    /// The tests.
    pub tests: Vec<TestResult>,
    /// The winner's score once more, on other blocks than those that chose it.
    pub measure: Option<ScoreResult>,
    /// By how much the choice promised more than was found: the winner's score in the choice less that in the measure.
    pub optimism: Option<Difference>,
    /// What it all says.
    pub verdict: TuneVerdict,
    /// SHA-256 over the document without `digest` and `provenance`, as compact JSON.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// Where the result comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
}

/// What a tuning says of its winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TuneVerdict {
    /// It passed all tests.
    Proven,
    /// It did not pass all of them.
    NotProven,
    /// Nothing that was found did better than the weights that there were.
    NothingBetter,
}

/// The blocks of a stage.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageBlocks {
    /// Its name.
    pub stage: Stage,
    /// Its blocks; none where it was not needed.
    pub blocks: Blocks,
}

/// The regression.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitResult {
    /// Positions that were looked at.
    pub positions: u64,
    /// The ridges that were tried, each with the loss on the part that chooses.
    pub ridges: Vec<(f64, f64)>,
    /// The ridge that was taken.
    pub ridge: f64,
    /// The weights of the regression.
    pub weights: Weights,
    /// Its score against copies of the base.
    pub score: ScoreResult,
    /// Whether the search began there.
    pub began: bool,
    /// The base as a forecast, on games that were held out.
    pub base_calibration: Calibration,
    /// The regression as a forecast, on the same games.
    pub calibration: Calibration,
}

/// What was got in a match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreResult {
    /// Blocks.
    pub blocks: u64,
    /// Payoff a game, 0 to 1.
    pub score: f64,
    /// Its standard error, from blocks.
    pub se: f64,
    /// Its 95 % interval.
    pub interval: [f64; 2],
}

/// A difference of two scores on different blocks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The difference.
    pub value: f64,
    /// Its standard error.
    pub se: f64,
}

/// A generation of the search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GenerationResult {
    /// Its number, from 1.
    pub generation: u64,
    /// The score of where the search was before it, against copies of the base.
    pub mean: ScoreResult,
    /// The same over this and up to nine generations before it.
    pub smooth: ScoreResult,
    /// The best score of a point against the field.
    pub best: f64,
    /// The mean score of all points.
    pub middle: f64,
    /// How far its points went.
    pub step: f64,
}

/// Weights that might have won.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FinalistResult {
    /// What they are.
    pub name: String,
    /// The weights.
    pub weights: Weights,
    /// What they got against the field.
    pub score: ScoreResult,
    /// What they are chosen by: the score, less what their forecasts lose, where that counts.
    pub merit: f64,
}

/// A sequential test of the winner.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TestResult {
    /// The bot that played by the two sets of weights.
    pub bot: String,
    /// Who met: the winner is first.
    pub lineup: Vec<&'static str>,
    /// The test.
    pub test: SequentialTest,
    /// Blocks until it decided, or all that there were.
    pub blocks: u64,
    /// The logarithm of the likelihood ratio at the end.
    pub llr: Option<f64>,
    /// What it says: `h1` is a pass.
    pub verdict: Verdict,
    /// The winner's score a seat; where the test stopped it early, a little too good or too bad.
    pub score: f64,
    /// Its standard error.
    pub se: Option<f64>,
    /// The same as Elo to the others at the table.
    pub elo: Option<f64>,
    /// Its 95 % interval.
    pub elo_interval: (Option<f64>, Option<f64>),
}

impl ScoreResult {
    fn of(played: &Played) -> Self {
        let (score, error) = (played.score(), played.error());
        let half = half_width(error, played.blocks).unwrap_or(0.0);
        Self {
            blocks: played.blocks,
            score: rounded(score),
            se: rounded(error),
            interval: [rounded(score - half), rounded(score + half)],
        }
    }
}

impl TuneResult {
    /// The document of a tuning that is done.
    ///
    /// # Errors
    /// Where it is not done yet.
    pub fn new(tune: &Tune, state: &TuneState) -> Result<Self, TuneError> {
        let missing = || TuneError::State("it is not done yet".to_owned());
        if state.stage(tune.generations, tune.tests().len()).is_some() {
            return Err(missing());
        }
        let fit = state.fit.as_ref().ok_or_else(missing)?;
        let winner = state.winner().ok_or_else(missing)?;
        let start = state.start.as_ref().ok_or_else(missing)?;
        let chosen = winner.played.ok_or_else(missing)?;
        let mut tests = Vec::new();
        for (asked, test) in tune.tests().iter().zip(&state.tests) {
            let experiment = tune.proof(asked, &winner.weights, Stage::Proof.blocks(0, 1))?;
            let contest = experiment.contest(0).ok_or_else(missing)?;
            let sprt = experiment.test()?.ok_or_else(missing)?;
            let run = resumed(sprt, &test.tally);
            tests
                .push(test_result(asked, tune.test, contest, test, run.llr()).ok_or_else(missing)?);
        }
        let verdict = if winner.name == BASE {
            TuneVerdict::NothingBetter
        } else if tests.iter().all(|test| test.verdict == Verdict::H1) {
            TuneVerdict::Proven
        } else {
            TuneVerdict::NotProven
        };
        let finalists = state.finalists.iter().map(|finalist| {
            let played = finalist.played.ok_or_else(missing)?;
            let score = ScoreResult::of(&played);
            let merit = rounded(finalist.merit.ok_or_else(missing)?);
            Ok(FinalistResult {
                name: finalist.name.clone(),
                weights: finalist.weights,
                score,
                merit,
            })
        });
        let mut result = Self {
            schema: TUNE_SCHEMA,
            tune: tune.clone(),
            stages: stages(tune, state),
            games: state.games,
            fit: FitResult {
                positions: fit.positions,
                ridges: fit.ridges.clone(),
                ridge: fit.ridge,
                weights: fit.weights,
                score: ScoreResult::of(start),
                began: state.begins_at_fit(tune.rules.sides()),
                base_calibration: fit.base.clone(),
                calibration: fit.fit.clone(),
            },
            generations: generation_results(state),
            finalists: finalists.collect::<Result<_, TuneError>>()?,
            winner: winner.name.clone(),
            weights: winner.weights,
            calibration: state.calibration.clone(),
            tests,
            measure: state.measure.as_ref().map(ScoreResult::of),
            optimism: state.measure.as_ref().map(|measure| {
                let errors = (chosen.error(), measure.error());
                Difference {
                    value: rounded(chosen.score() - measure.score()),
                    se: rounded((errors.0 * errors.0 + errors.1 * errors.1).sqrt()),
                }
            }),
            verdict,
            digest: String::new(),
            provenance: None,
        };
        result.digest = digest::of_json(&result);
        result.provenance = Some(Provenance::default());
        Ok(result)
    }
}

fn test_result(
    asked: &super::definition::AskedTest,
    test: SequentialTest,
    contest: Contest,
    state: &super::state::TestState,
    llr: Option<f64>,
) -> Option<TestResult> {
    let tally = &state.tally;
    let estimate = Estimate::new(contest, tally.payoffs.bot(0), tally.blocks)?;
    let half = half_width(estimate.error().unwrap_or(0.0), tally.blocks).unwrap_or(0.0);
    let (low, high) = contest.elo_interval(estimate.score() - half, estimate.score() + half);
    Some(TestResult {
        bot: asked.bot.clone(),
        lineup: asked.lineup.clone(),
        test,
        blocks: tally.blocks,
        llr: llr.map(rounded),
        verdict: state.verdict?,
        score: rounded(estimate.score()),
        se: estimate.error().map(rounded),
        elo: estimate.elo().map(rounded),
        elo_interval: (low.map(rounded), high.map(rounded)),
    })
}

fn stages(tune: &Tune, state: &TuneState) -> Vec<StageBlocks> {
    let tests = state.tests.len() as u64;
    let blocks = |stage| match stage {
        Stage::Fit => tune.fit_blocks,
        Stage::Start | Stage::Choice => tune.choice_blocks,
        Stage::Polish => state.generations.len() as u64 * tune.blocks,
        // Each test has a range of its own, of which it played the first blocks.
        Stage::Proof => match state.tests.last() {
            Some(last) => (tests - 1) * tune.proof_blocks + last.tally.blocks,
            None => 0,
        },
        Stage::Measure => state.measure.map_or(0, |measure| measure.blocks),
    };
    let of = |stage| StageBlocks { stage, blocks: Stage::blocks(stage, 0, blocks(stage)) };
    Stage::ALL.into_iter().map(of).collect()
}

/// Generations that are looked at together.
const TOGETHER: usize = 10;

/// What the generations so far came to.
#[must_use]
pub fn generation_results(state: &TuneState) -> Vec<GenerationResult> {
    let of = |(index, generation): (usize, &super::state::Generation)| {
        let mut smooth = Played { blocks: 0, ..generation.mean };
        smooth.payoff12 = crate::tally::BlockSum::default();
        for before in &state.generations[(index + 1).saturating_sub(TOGETHER)..=index] {
            smooth.blocks += before.mean.blocks;
            smooth.payoff12.merge(before.mean.payoff12);
        }
        GenerationResult {
            generation: index as u64 + 1,
            mean: ScoreResult::of(&generation.mean),
            smooth: ScoreResult::of(&smooth),
            best: rounded(generation.best),
            middle: rounded(generation.middle),
            step: rounded(generation.step),
        }
    };
    state.generations.iter().enumerate().map(of).collect()
}

/// The generations as comma-separated values, a row for each.
#[must_use]
pub fn generations_csv(result: &TuneResult) -> String {
    let mut text =
        "generation,mean_score,mean_se,smooth_score,smooth_se,best,middle,step\n".to_owned();
    for generation in &result.generations {
        let GenerationResult { generation, mean, smooth, best, middle, step } = generation;
        text += &format!(
            "{generation},{},{},{},{},{best},{middle},{step}\n",
            mean.score, mean.se, smooth.score, smooth.se
        );
    }
    text
}
