//! Simultaneous perturbation stochastic approximation: [`Spsa`].

use serde::{Deserialize, Serialize};
use sho_core::Stream;

use super::normal::signs;

/// How fast steps shrink, and how fast the distance of the two sides does: what Spall recommends for finite budgets.
const STEP_POWER: f64 = 0.602;
const SIDE_POWER: f64 = 0.101;

/// Generations by which the shrinking of steps is put off, so that the first ones are not the only ones that count.
const STABILITY: f64 = 20.0;

/// Simultaneous perturbation stochastic approximation (Spall 1992; gains by Spall 1998, "Implementation of the
/// simultaneous perturbation algorithm for stochastic optimization").
///
/// A generation is a number of pairs of points, the two of a pair on opposite sides of where the search is, along a random
/// diagonal. Half the difference of their scores is a slope along it; the mean of the slopes of all pairs is the way to go.
/// The length of the first step is that which was asked for; later ones shrink with the generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spsa {
    points: usize,
    first_step: f64,
    generation: u64,
    mean: Vec<f64>,
    /// What a slope is multiplied by in the first generation; known when that is over.
    gain: Option<f64>,
}

impl Spsa {
    /// See [`Search::new`](super::Search::new).
    pub(super) fn new(dimensions: usize, points: usize, step: f64) -> Self {
        Self { points, first_step: step, generation: 0, mean: vec![0.0; dimensions], gain: None }
    }

    pub(super) fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// How far the two sides are from where the search is, in each direction.
    pub(super) fn step(&self) -> f64 {
        self.first_step / libm::pow(self.generation as f64 + 1.0, SIDE_POWER)
    }

    pub(super) fn ask(&self, words: &mut Stream) -> Vec<Vec<f64>> {
        let side = self.step();
        let mut points = Vec::with_capacity(self.points);
        for _ in 0..self.points / 2 {
            let direction = signs(self.mean.len(), words);
            for side in [side, -side] {
                let moved = self.mean.iter().zip(&direction).map(|(x, sign)| x + side * sign);
                points.push(moved.collect());
            }
        }
        points
    }

    pub(super) fn tell(&mut self, points: &[Vec<f64>], scores: &[f64]) {
        let side = self.step();
        let mut slope = vec![0.0; self.mean.len()];
        for (points, scores) in points.chunks_exact(2).zip(scores.chunks_exact(2)) {
            let along = (scores[0] - scores[1]) / (2.0 * side);
            for (index, slope) in slope.iter_mut().enumerate() {
                let sign = if points[0][index] > points[1][index] { 1.0 } else { -1.0 };
                *slope += along * sign * 2.0 / self.points as f64;
            }
        }
        let length = slope.iter().map(|part| part * part).sum::<f64>().sqrt();
        if self.gain.is_none() && length > 0.0 {
            // The first step is as long as a step of the given size in one direction.
            self.gain = Some(self.first_step * libm::pow(STABILITY + 1.0, STEP_POWER) / length);
        }
        let gain = self.gain.unwrap_or(0.0)
            / libm::pow(STABILITY + 1.0 + self.generation as f64, STEP_POWER);
        for (x, slope) in self.mean.iter_mut().zip(&slope) {
            *x += gain * slope;
        }
        self.generation += 1;
    }
}
