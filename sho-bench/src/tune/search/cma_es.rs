//! The covariance matrix adaptation evolution strategy: [`CmaEs`].

use serde::{Deserialize, Serialize};
use sho_core::Stream;

use super::normal::normals;
use crate::stats::matrix::{Matrix, dot};

/// The covariance matrix adaptation evolution strategy: weighted recombination, cumulative adaptation of the step's length
/// and of the matrix, with the settings of Hansen (2016), "The CMA Evolution Strategy: A Tutorial", table 1, without
/// negative weights.
///
/// Points are drawn from a normal distribution. Its mean moves to the weighted mean of the better half; its matrix learns
/// in which directions steps were good; its size grows where steps go on in one direction, and shrinks where they go to and
/// fro. Only the order of the scores counts, so noise that is the same for all points of a generation does no harm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CmaEs {
    points: usize,
    generation: u64,
    mean: Vec<f64>,
    step: f64,
    /// By rows.
    covariance: Vec<f64>,
    /// Where steps went, with the matrix taken out: for the size.
    size_path: Vec<f64>,
    /// Where steps went: for the matrix.
    shape_path: Vec<f64>,
}

/// What follows from the numbers of dimensions and points.
struct Settings {
    /// By rank, for the better half; they sum to 1.
    weights: Vec<f64>,
    /// How many points the weights are worth.
    effective: f64,
    size_rate: f64,
    size_damping: f64,
    shape_rate: f64,
    rank_one: f64,
    rank_many: f64,
    /// The length that a normal vector is expected to have.
    usual_length: f64,
}

impl Settings {
    fn new(dimensions: usize, points: usize) -> Self {
        let n = dimensions as f64;
        let half = points / 2;
        let raw: Vec<f64> = (1..=half)
            .map(|rank| libm::log(points as f64 / 2.0 + 0.5) - libm::log(rank as f64))
            .collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let m = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let size_rate = (m + 2.0) / (n + m + 5.0);
        let more = ((m - 1.0) / (n + 1.0)).max(0.0).sqrt() - 1.0;
        let rank_one = 2.0 / ((n + 1.3) * (n + 1.3) + m);
        let many = 2.0 * (0.25 + m - 2.0 + 1.0 / m) / ((n + 2.0) * (n + 2.0) + m);
        Self {
            weights,
            effective: m,
            size_rate,
            size_damping: 1.0 + 2.0 * more.max(0.0) + size_rate,
            shape_rate: (4.0 + m / n) / (n + 4.0 + 2.0 * m / n),
            rank_one,
            rank_many: many.min(1.0 - rank_one),
            usual_length: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
        }
    }
}

impl CmaEs {
    /// See [`Search::new`](super::Search::new).
    pub(super) fn new(dimensions: usize, points: usize, step: f64) -> Self {
        let one = Matrix::from_fn(dimensions, |row, column| f64::from(u8::from(row == column)));
        Self {
            points,
            generation: 0,
            mean: vec![0.0; dimensions],
            step,
            covariance: one.into_entries(),
            size_path: vec![0.0; dimensions],
            shape_path: vec![0.0; dimensions],
        }
    }

    pub(super) fn mean(&self) -> &[f64] {
        &self.mean
    }

    pub(super) fn step(&self) -> f64 {
        self.step
    }

    fn matrix(&self) -> Matrix {
        let size = self.mean.len();
        Matrix::from_fn(size, |row, column| self.covariance[row * size + column])
    }

    pub(super) fn ask(&self, words: &mut Stream) -> Vec<Vec<f64>> {
        let root = self.matrix().symmetric_power(0.5);
        let point = |_| {
            let moved = root.times(&normals(self.mean.len(), words));
            self.mean.iter().zip(moved).map(|(x, by)| x + self.step * by).collect()
        };
        (0..self.points).map(point).collect()
    }

    pub(super) fn tell(&mut self, points: &[Vec<f64>], scores: &[f64]) {
        let n = self.mean.len();
        let settings = Settings::new(n, self.points);
        let mut order: Vec<usize> = (0..points.len()).collect();
        // The sort is stable: of equal points the first counts more.
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let steps: Vec<Vec<f64>> = (order.iter().take(settings.weights.len()))
            .map(|&best| {
                points[best]
                    .iter()
                    .zip(&self.mean)
                    .map(|(x, mean)| (x - mean) / self.step)
                    .collect()
            })
            .collect();
        let moved: Vec<f64> = (0..n)
            .map(|i| {
                settings.weights.iter().zip(&steps).map(|(weight, step)| weight * step[i]).sum()
            })
            .collect();
        for (x, by) in self.mean.iter_mut().zip(&moved) {
            *x += self.step * by;
        }
        self.generation += 1;

        let covariance = self.matrix();
        let whitened = covariance.symmetric_power(-0.5).times(&moved);
        let keep = 1.0 - settings.size_rate;
        let push = (settings.size_rate * (2.0 - settings.size_rate) * settings.effective).sqrt();
        for (path, step) in self.size_path.iter_mut().zip(&whitened) {
            *path = keep * *path + push * step;
        }
        let length = dot(&self.size_path, &self.size_path).sqrt();
        let settled = 1.0 - libm::pow(keep, 2.0 * self.generation as f64);
        // A size that is still far too small makes long steps; the matrix must not take them for a shape.
        let counts =
            length / settled.sqrt() < (1.4 + 2.0 / (n as f64 + 1.0)) * settings.usual_length;
        let keep = 1.0 - settings.shape_rate;
        let push = (settings.shape_rate * (2.0 - settings.shape_rate) * settings.effective).sqrt();
        for (path, step) in self.shape_path.iter_mut().zip(&moved) {
            *path = keep * *path + if counts { push * step } else { 0.0 };
        }
        let lost = if counts { 0.0 } else { settings.shape_rate * (2.0 - settings.shape_rate) };
        let keep = 1.0 - settings.rank_one - settings.rank_many + settings.rank_one * lost;
        for row in 0..n {
            for column in 0..n {
                let many: f64 = (settings.weights.iter().zip(&steps))
                    .map(|(weight, step)| weight * step[row] * step[column])
                    .sum();
                let entry = &mut self.covariance[row * n + column];
                *entry = keep * *entry
                    + settings.rank_one * self.shape_path[row] * self.shape_path[column]
                    + settings.rank_many * many;
            }
        }
        let growth = settings.size_rate / settings.size_damping;
        self.step *= libm::exp(growth * (length / settings.usual_length - 1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Those that the author's `cma` 4 for Python prints for ten dimensions and ten points, without negative weights.
    #[test]
    fn settings_are_those_of_the_reference() {
        let settings = Settings::new(10, 10);
        let weights = [0.45627264690, 0.27075309700, 0.16223111715, 0.08523354710, 0.02550959183];
        for (found, right) in settings.weights.iter().zip(weights) {
            assert!((found - right).abs() < 1e-10, "{found} and not {right}");
        }
        for (found, right) in [
            (settings.effective, 3.167_299_281_4),
            (settings.shape_rate, 0.294_990_383_0),
            (settings.rank_one, 0.015_283_824_5),
            (settings.rank_many, 0.023_551_776_6),
        ] {
            assert!((found - right).abs() < 1e-10, "{found} and not {right}");
        }
    }
}
