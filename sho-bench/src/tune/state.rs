//! How far a tuning is: [`TuneState`].

use serde::{Deserialize, Serialize};
use sho_ai::sho::Weights;

use super::calibration::Calibration;
use super::samples::FEATURES;
use super::search::Search;
use super::stage::Stage;
use crate::stats::sprt::Verdict;
use crate::tally::{BlockSum, Tally};

/// The most finalists: the base, the start, four stations of the search, and the mean of its second half.
pub(super) const MOST_FINALISTS: u64 = 7;

/// All that is known of a tuning. One that was kept goes on as if nothing had happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneState {
    /// The digest of the tuning that it belongs to.
    pub tune: String,
    /// Games that were played.
    pub games: u64,
    /// What the regression came to.
    pub fit: Option<FitState>,
    /// The match of the fit against the base, which says where the search begins.
    pub start: Option<Played>,
    /// The search.
    pub search: Option<Search>,
    /// What each generation came to.
    pub generations: Vec<Generation>,
    /// Who may be the winner; those that have played have a score.
    pub finalists: Vec<Finalist>,
    /// The sequential tests that were begun.
    pub tests: Vec<TestState>,
    /// The winner once more, on blocks that had no part in its choice.
    pub measure: Option<Played>,
    /// The winner's forecasts on games that were held out.
    pub calibration: Option<Calibration>,
}

/// What the regression came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitState {
    /// Positions that were looked at.
    pub positions: u64,
    /// The ridge that forecast best.
    pub ridge: f64,
    /// The loss of each ridge on the part that chooses.
    pub ridges: Vec<(f64, f64)>,
    /// The weights of the regression.
    pub weights: Weights,
    /// The forecasts of the base on games that were held out.
    pub base: Calibration,
    /// Those of the regression.
    pub fit: Calibration,
    /// The search's own space.
    pub space: Space,
}

/// The space in which weights are looked for: a step of one in any direction changes the odds between two actions of a
/// decision by as much, an octave in the mean square.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Space {
    /// The features whose weights are looked for: those in which actions of a decision differ.
    pub free: Vec<usize>,
    /// By rows: how much of a weight, in octaves, each direction of the space is.
    pub axes: Vec<f64>,
    /// How long the base is in it.
    pub length: f64,
}

impl Space {
    /// The weights so far from others.
    pub(super) fn weights(&self, from: &Weights, point: &[f64]) -> Weights {
        let mut values = from.values();
        let size = self.free.len();
        for (row, &feature) in self.free.iter().enumerate() {
            let axes = &self.axes[row * size..(row + 1) * size];
            let by = crate::stats::matrix::dot(axes, point);
            values[feature] = whole(octaves(values[feature]) + by);
        }
        Weights::new(values)
    }
}

/// A weight as an octave.
pub(super) fn octaves(weight: i32) -> f64 {
    f64::from(weight) / sho_ai::OCTAVE as f64
}

/// The nearest weight that there is.
pub(super) fn whole(octaves: f64) -> i32 {
    let most = f64::from(sho_ai::sho::MOST_WEIGHT);
    (octaves * sho_ai::OCTAVE as f64).round().clamp(-most, most) as i32
}

/// All weights as octaves.
pub(super) fn all_octaves(weights: &Weights) -> Vec<f64> {
    let values: [i32; FEATURES] = weights.values();
    values.into_iter().map(octaves).collect()
}

/// What a bot got in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Blocks.
    pub blocks: u64,
    /// Games of a block in which it held one seat.
    pub games_a_block: u64,
    /// What it got, in twelfths of a win, by block.
    pub payoff12: BlockSum,
}

impl Played {
    /// Its score: payoff a game, 0 to 1.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.payoff12.sum as f64 / (12 * self.games_a_block * self.blocks) as f64
    }

    /// The standard error of the score, from blocks.
    #[must_use]
    pub fn error(&self) -> f64 {
        let error = self.payoff12.standard_error(self.blocks).unwrap_or(0.0);
        error / (12 * self.games_a_block) as f64
    }
}

/// A generation of the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// Where the search was before it, against copies of the base: an honest number, since nothing was chosen by these
    /// blocks yet.
    pub mean: Played,
    /// The best score of a point against the field.
    pub best: f64,
    /// The mean score of all points.
    pub middle: f64,
    /// How far the points went.
    pub step: f64,
    /// Where the search was after it.
    pub point: Vec<f64>,
}

/// Weights that may win.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finalist {
    /// What it is.
    pub name: String,
    /// Its weights; where that changes no choice, scaled so that they forecast best.
    pub weights: Weights,
    /// What it got against the field.
    pub played: Option<Played>,
    /// What it is chosen by: its score, less what its forecasts lose.
    pub merit: Option<f64>,
}

/// A sequential test that was begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestState {
    /// What was counted.
    pub tally: Tally,
    /// What it says; nothing while it goes on.
    pub verdict: Option<Verdict>,
}

impl TuneState {
    /// The winner, once all finalists have played: the best of them, and of equal ones the first.
    #[must_use]
    pub fn winner(&self) -> Option<&Finalist> {
        let mut best: Option<(&Finalist, f64)> = None;
        for finalist in &self.finalists {
            let merit = finalist.merit?;
            if best.is_none_or(|(_, before)| merit > before) {
                best = Some((finalist, merit));
            }
        }
        best.map(|(finalist, _)| finalist)
    }

    /// Whether the search begins at the fit: where that holds its own against the base at a table of so many sides.
    #[must_use]
    pub(super) fn begins_at_fit(&self, sides: usize) -> bool {
        self.start.is_some_and(|played| played.score() >= 1.0 / sides as f64)
    }

    /// What comes next, for a tuning of so many generations and tests; nothing when all is done.
    #[must_use]
    pub(super) fn stage(&self, generations: u64, tests: usize) -> Option<Stage> {
        if self.fit.is_none() {
            return Some(Stage::Fit);
        }
        if self.search.is_none() {
            return Some(Stage::Start);
        }
        if (self.generations.len() as u64) < generations {
            return Some(Stage::Polish);
        }
        let Some(winner) = self.winner() else { return Some(Stage::Choice) };
        if winner.name == super::definition::BASE {
            return None;
        }
        let decided = self.tests.iter().filter(|test| test.verdict.is_some()).count();
        if decided < tests {
            return Some(Stage::Proof);
        }
        self.measure.is_none().then_some(Stage::Measure)
    }
}
