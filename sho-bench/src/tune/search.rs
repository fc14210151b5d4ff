//! How better weights are looked for where a score is noisy: [`Search`], by [CMA-ES](CmaEs) or [SPSA](Spsa).
//!
//! A search lives in a space of its own, in which all directions are alike; what a point means is not its business. It is
//! asked for the points of a generation, and told how each of them scored; more is better.

mod cma_es;
mod normal;
mod spsa;

pub use cma_es::CmaEs;
pub use spsa::Spsa;

use serde::{Deserialize, Serialize};
use sho_core::Stream;

/// How weights are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// An evolution strategy that adapts the shape of its steps.
    #[default]
    CmaEs,
    /// Stochastic approximation: both ways along a random direction, and a step to the better side.
    Spsa,
}

impl Method {
    /// Both, with their names.
    pub const ALL: [(Self, &'static str); 2] = [(Self::CmaEs, "cma-es"), (Self::Spsa, "spsa")];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|&(method, _)| method == self).map_or("", |(_, name)| name)
    }
}

/// A search under way. It is all there is to know of it, so that one that was kept goes on as if nothing had happened.
///
/// ```
/// use sho_bench::tune::search::{Method, Search};
/// use sho_core::Stream;
///
/// // A hill with its top at (1, 1), seen without noise.
/// let mut search = Search::new(Method::CmaEs, 2, 8, 0.5);
/// for generation in 0..60 {
///     let points = search.ask(&mut Stream::new(1, "example", generation));
///     let height = |point: &Vec<f64>| -point.iter().map(|x| (x - 1.0) * (x - 1.0)).sum::<f64>();
///     search.tell(&points, &points.iter().map(height).collect::<Vec<_>>());
/// }
/// assert!(search.mean().iter().all(|x| (x - 1.0).abs() < 1e-3));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// By CMA-ES.
    CmaEs(CmaEs),
    /// By SPSA.
    Spsa(Spsa),
}

impl Search {
    /// A search that begins at the origin of a space of so many dimensions, with `points` points a generation and first
    /// steps of about `step` in each direction.
    ///
    /// # Panics
    /// If there is no dimension, fewer than 4 points or an odd number of them, or `step` is not above 0.
    #[must_use]
    pub fn new(method: Method, dimensions: usize, points: usize, step: f64) -> Self {
        assert!(dimensions > 0 && points >= 4 && points.is_multiple_of(2) && step > 0.0);
        match method {
            Method::CmaEs => Self::CmaEs(CmaEs::new(dimensions, points, step)),
            Method::Spsa => Self::Spsa(Spsa::new(dimensions, points, step)),
        }
    }

    /// The points of the next generation, drawn from `words`.
    #[must_use]
    pub fn ask(&self, words: &mut Stream) -> Vec<Vec<f64>> {
        match self {
            Self::CmaEs(search) => search.ask(words),
            Self::Spsa(search) => search.ask(words),
        }
    }

    /// Takes the scores of the points that [`ask`](Self::ask) gave, and goes on to the next generation.
    ///
    /// # Panics
    /// If they are not as many as a generation has, or not numbers.
    pub fn tell(&mut self, points: &[Vec<f64>], scores: &[f64]) {
        assert_eq!(points.len(), scores.len(), "a score for each point");
        assert!(scores.iter().all(|score| score.is_finite()), "scores are numbers");
        match self {
            Self::CmaEs(search) => search.tell(points, scores),
            Self::Spsa(search) => search.tell(points, scores),
        }
    }

    /// Where the search is: the best guess so far.
    #[must_use]
    pub fn mean(&self) -> &[f64] {
        match self {
            Self::CmaEs(search) => search.mean(),
            Self::Spsa(search) => search.mean(),
        }
    }

    /// How far the steps of the next generation go, as a length in each direction.
    #[must_use]
    pub fn step(&self) -> f64 {
        match self {
            Self::CmaEs(search) => search.step(),
            Self::Spsa(search) => search.step(),
        }
    }
}
