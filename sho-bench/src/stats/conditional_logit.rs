//! The regression of who won on what a position looked like to each seat: the conditional logit, for two seats the
//! logistic regression of their difference.
//!
//! # The model
//! Seat *s* has features `x_s` and wins with probability
//!
//! ```text
//! p_s = exp(w · x_s) / sum over seats r of exp(w · x_r)
//! ```
//!
//! (McFadden 1974). What is maximized is the mean over positions of `sum over s of y_s ln p_s`, with `y_s` the share of
//! the win that the seat got, less a ridge: half of a constant times the sum of `(d_i (w_i - o_i))²`, where `d_i` is the
//! deviation of feature *i* between seats, and `o` where weights are drawn to. It is concave; Newton's method finds its top.
//! A feature that never differs between seats keeps its weight `o_i`.

use std::io;
use std::ops::ControlFlow;

use crate::in_order::in_order;
use crate::stats::matrix::{Matrix, dot};

/// Positions that are worked on at a time: sums are made in this order for any number of threads.
const CHUNK: usize = 2048;

/// Positions with what they looked like to each seat and what came of them.
pub trait Positions: Sync {
    /// How many there are.
    fn count(&self) -> usize;

    /// Seats at the table.
    fn seats(&self) -> usize;

    /// Features of a seat.
    fn features(&self) -> usize;

    /// The features of a seat in a position, in a small unit, written to `to`.
    fn look(&self, position: usize, seat: usize, to: &mut [f64]);

    /// The share of the win that the seat got, 0 to 1.
    fn won(&self, position: usize, seat: usize) -> f64;

    /// Whether the position is to be learned from.
    fn is_learned(&self, position: usize) -> bool;
}

/// A fit that came to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct LogitFit {
    /// The weights, in natural logarithms of odds for each unit of a feature.
    pub weights: Vec<f64>,
    /// Newton's steps that it took.
    pub steps: u32,
}

/// Why there is no fit.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogitError {
    /// Nothing to learn from.
    #[error("there is no position to learn from")]
    NoPositions,
    /// Newton's method did not come to an end.
    #[error("the regression did not converge")]
    NotConverged,
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] io::Error),
}

/// The deviation of each feature between the seats of a position, over the positions that are learned from: the root of
/// the mean square distance from the mean of the seats.
#[must_use]
pub fn deviations(positions: &impl Positions) -> Vec<f64> {
    let (features, seats) = (positions.features(), positions.seats());
    let mut squares = vec![0.0; features];
    let mut looks = vec![0.0; features * seats];
    let mut count = 0.0;
    for position in (0..positions.count()).filter(|&position| positions.is_learned(position)) {
        for seat in 0..seats {
            positions.look(position, seat, &mut looks[seat * features..(seat + 1) * features]);
        }
        for (feature, square) in squares.iter_mut().enumerate() {
            let own = |seat: usize| looks[seat * features + feature];
            let mean = (0..seats).map(own).sum::<f64>() / seats as f64;
            *square += (0..seats).map(|seat| (own(seat) - mean) * (own(seat) - mean)).sum::<f64>();
        }
        count += seats as f64;
    }
    squares.iter().map(|square| (square / f64::max(count, 1.0)).sqrt()).collect()
}

/// The chances of the seats by weights.
pub fn chances_by(weights: &[f64], looks: &[f64], chances: &mut [f64]) {
    let scores = looks.chunks_exact(weights.len()).map(|look| dot(weights, look));
    for (chance, score) in chances.iter_mut().zip(scores) {
        *chance = score;
    }
    let top = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for chance in &mut *chances {
        *chance = libm::exp(*chance - top);
        sum += *chance;
    }
    for chance in chances {
        *chance /= sum;
    }
}

/// Sums over positions.
struct Sums {
    positions: f64,
    likelihood: f64,
    slope: Vec<f64>,
    information: Matrix,
}

/// The fit, drawn to `origin` by `ridge`, looked for from `start` on with `threads` threads (0: one for each core). Sums
/// are made in one order, so the number of threads cannot be seen.
///
/// # Errors
/// Where there is nothing to learn from, or the method does not converge.
///
/// # Panics
/// If `ridge` is not above 0, or there are not as many numbers as features.
pub fn fit(
    positions: &impl Positions,
    origin: &[f64],
    start: &[f64],
    ridge: f64,
    threads: usize,
) -> Result<LogitFit, LogitError> {
    let features = positions.features();
    assert!(ridge > 0.0, "ridge {ridge}");
    assert!(origin.len() == features && start.len() == features, "a number for each feature");
    let scale = deviations(positions);
    let free: Vec<usize> = (0..features).filter(|&feature| scale[feature] > 0.0).collect();
    let mut weights = origin.to_vec();
    for &feature in &free {
        weights[feature] = start[feature];
    }
    let penalty = |weights: &[f64]| -> f64 {
        let far = free.iter().map(|&i| scale[i] * (weights[i] - origin[i]));
        0.5 * ridge * far.map(|far| far * far).sum::<f64>()
    };
    let mut now = sums(positions, &weights, threads)?;
    if now.positions == 0.0 {
        return Err(LogitError::NoPositions);
    }
    let height = |sums: &Sums, weights: &[f64]| sums.likelihood / sums.positions - penalty(weights);
    for step in 1..=100 {
        let count = now.positions;
        // In units of the deviations, so that the matrix is well conditioned.
        let slope: Vec<f64> = (free.iter())
            .map(|&i| now.slope[i] / count / scale[i] - ridge * scale[i] * (weights[i] - origin[i]))
            .collect();
        let information = Matrix::from_fn(free.len(), |row, column| {
            let (i, j) = (free[row], free[column]);
            let own = if row == column { ridge } else { 0.0 };
            now.information.get(i, j) / count / scale[i] / scale[j] + own
        });
        let factor = information.cholesky(0.0).ok_or(LogitError::NotConverged)?;
        let by = factor.solve(&slope);
        let gain = dot(&by, &slope);
        let mut share = 1.0;
        let before = height(&now, &weights);
        loop {
            let mut next = weights.clone();
            for (&i, by) in free.iter().zip(&by) {
                next[i] += share * by / scale[i];
            }
            let there = sums(positions, &next, threads)?;
            // Near the top a rise is too small to be seen.
            if gain < 1e-10 || height(&there, &next) > before {
                (weights, now) = (next, there);
                break;
            }
            share *= 0.5;
            if share < 1e-6 {
                return Err(LogitError::NotConverged);
            }
        }
        if gain < 1e-14 {
            return Ok(LogitFit { weights, steps: step });
        }
    }
    Err(LogitError::NotConverged)
}

fn sums(positions: &impl Positions, weights: &[f64], threads: usize) -> Result<Sums, LogitError> {
    let features = positions.features();
    let nothing = || Sums {
        positions: 0.0,
        likelihood: 0.0,
        slope: vec![0.0; features],
        information: Matrix::zero(features),
    };
    let mut all = nothing();
    let chunks = positions.count().div_ceil(CHUNK);
    let of_chunk = |(): &mut (), chunk: u64| -> Result<Sums, LogitError> {
        let from = chunk as usize * CHUNK;
        let mut sums = nothing();
        for position in from..positions.count().min(from + CHUNK) {
            if positions.is_learned(position) {
                add(positions, position, weights, &mut sums);
            }
        }
        Ok(sums)
    };
    let take = |sums: Sums| {
        all.positions += sums.positions;
        all.likelihood += sums.likelihood;
        for (sum, more) in all.slope.iter_mut().zip(&sums.slope) {
            *sum += more;
        }
        all.information.merge(&sums.information);
        ControlFlow::Continue(())
    };
    in_order(threads, chunks as u64, || Ok(()), of_chunk, || false, take)?;
    for row in 0..features {
        for column in 0..row {
            let entry = all.information.get(row, column);
            all.information.add(column, row, entry);
        }
    }
    Ok(all)
}

/// Adds a position: of the information only what is on and below the diagonal.
fn add(positions: &impl Positions, position: usize, weights: &[f64], sums: &mut Sums) {
    let (features, seats) = (positions.features(), positions.seats());
    let mut looks = vec![0.0; features * seats];
    let mut chances = vec![0.0; seats];
    for seat in 0..seats {
        positions.look(position, seat, &mut looks[seat * features..(seat + 1) * features]);
    }
    chances_by(weights, &looks, &mut chances);
    let mut mean = vec![0.0; features];
    for (look, chance) in looks.chunks_exact(features).zip(&chances) {
        for (mean, value) in mean.iter_mut().zip(look) {
            *mean += chance * value;
        }
    }
    sums.positions += 1.0;
    for (seat, look) in looks.chunks_exact(features).enumerate() {
        let (won, chance) = (positions.won(position, seat), chances[seat]);
        if won > 0.0 {
            sums.likelihood += won * libm::log(chance.max(1e-300));
        }
        for (slope, (value, mean)) in sums.slope.iter_mut().zip(look.iter().zip(&mean)) {
            *slope += won * (value - mean);
        }
        for row in 0..features {
            let here = chance * (look[row] - mean[row]);
            if here != 0.0 {
                for column in 0..=row {
                    sums.information.add(row, column, here * (look[column] - mean[column]));
                }
            }
        }
    }
}
