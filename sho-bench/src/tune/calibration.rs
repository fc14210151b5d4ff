//! Whether chances that are forecast come true: [`Calibration`].

use serde::{Deserialize, Serialize};

use super::samples::{FEATURES, Samples};
use crate::rounded::rounded;
use crate::stats::conditional_logit::{Positions, chances_by};

/// How many equal parts forecasts are put in.
const BINS: usize = 20;

/// How good weights are as a forecast of who wins, on positions that had no part in finding them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Positions that were looked at.
    pub positions: u64,
    /// Games that they come from.
    pub games: u64,
    /// The mean of -ln of the chance that was given to the winner. A table of *k* whose chances are all the same has
    /// ln *k*.
    pub loss: f64,
    /// Its standard error, from games.
    pub loss_se: f64,
    /// Forecasts by their size.
    pub bins: Vec<Bin>,
}

/// Forecasts of one size, of all seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bin {
    /// How many.
    pub forecasts: u64,
    /// Their mean, 0 to 1.
    pub forecast: f64,
    /// What the seats got in the mean, 0 to 1.
    pub outcome: f64,
    /// The standard error of that, from games.
    pub outcome_se: f64,
}

/// What one game adds to a bin.
#[derive(Clone, Copy, Default)]
struct Part {
    count: f64,
    forecast: f64,
    outcome: f64,
}

/// How good the forecasts of weights, in octaves for each unit of a feature, are on the positions of one of the ten
/// [parts](Samples::part).
#[must_use]
pub fn calibration(samples: &Samples, weights: &[f64], part: u64) -> Calibration {
    // By game: its loss and its number of positions, and its part of each bin.
    let mut games: Vec<(f64, f64)> = Vec::new();
    let mut bins: Vec<Vec<Part>> = vec![Vec::new(); BINS];
    let mut last = None;
    each_forecast(samples, weights, part, |position, chances| {
        if last != Some(samples.block(position)) {
            last = Some(samples.block(position));
            games.push((0.0, 0.0));
            for bin in &mut bins {
                bin.push(Part::default());
            }
        }
        let Some(game) = games.last_mut() else { return };
        game.1 += 1.0;
        for (seat, &chance) in chances.iter().enumerate() {
            let won = samples.won(position, seat);
            if won > 0.0 {
                game.0 -= won * libm::log(chance.max(1e-300));
            }
            let bin = ((chance * BINS as f64) as usize).min(BINS - 1);
            if let Some(part) = bins[bin].last_mut() {
                part.count += 1.0;
                part.forecast += chance;
                part.outcome += won;
            }
        }
    });
    let (loss, loss_se) = ratio(games.iter().copied());
    let bins = bins.iter().map(|bin| {
        let (outcome, outcome_se) = ratio(bin.iter().map(|part| (part.outcome, part.count)));
        let (forecast, _) = ratio(bin.iter().map(|part| (part.forecast, part.count)));
        let forecasts = bin.iter().map(|part| part.count).sum::<f64>() as u64;
        Bin {
            forecasts,
            forecast: rounded(forecast),
            outcome: rounded(outcome),
            outcome_se: rounded(outcome_se),
        }
    });
    Calibration {
        positions: games.iter().map(|game| game.1).sum::<f64>() as u64,
        games: games.len() as u64,
        loss: rounded(loss),
        loss_se: rounded(loss_se),
        bins: bins.filter(|bin| bin.forecasts > 0).collect(),
    }
}

/// Shows the forecast for each position of one part.
fn each_forecast(
    samples: &Samples,
    weights: &[f64],
    part: u64,
    mut seen: impl FnMut(usize, &[f64]),
) {
    let natural = natural(weights);
    let seats = samples.seats();
    let mut looks = vec![0.0; FEATURES * seats];
    let mut chances = vec![0.0; seats];
    for position in (0..samples.count()).filter(|&position| samples.part(position) == part) {
        for seat in 0..seats {
            samples.look(position, seat, &mut looks[seat * FEATURES..(seat + 1) * FEATURES]);
        }
        chances_by(&natural, &looks, &mut chances);
        seen(position, &chances);
    }
}

/// Octaves as natural logarithms of odds.
pub(super) fn natural(octaves: &[f64]) -> Vec<f64> {
    octaves.iter().map(|octaves| octaves * std::f64::consts::LN_2).collect()
}

/// The loss of the forecasts of weights on the positions of one part.
pub(super) fn loss(samples: &Samples, weights: &[f64], part: u64) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    each_forecast(samples, weights, part, |position, chances| {
        count += 1.0;
        for (seat, &chance) in chances.iter().enumerate() {
            let won = samples.won(position, seat);
            if won > 0.0 {
                sum -= won * libm::log(chance.max(1e-300));
            }
        }
    });
    if count > 0.0 { sum / count } else { 0.0 }
}

/// A ratio of two sums over games, with its standard error by the delta method; nothing of nothing is 0.
fn ratio(parts: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let (above, below) =
        parts.clone().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    if below == 0.0 {
        return (0.0, 0.0);
    }
    let ratio = above / below;
    let there = parts.filter(|part| part.1 > 0.0);
    let (mut squares, mut count) = (0.0, 0.0);
    for (above, below) in there {
        let far = above - ratio * below;
        squares += far * far;
        count += 1.0;
    }
    let correction = if count > 1.0 { count / (count - 1.0) } else { 1.0 };
    (ratio, (squares * correction).sqrt() / below)
}

#[cfg(test)]
mod tests {
    use super::ratio;

    #[test]
    fn a_ratio_has_the_error_of_a_mean_where_all_parts_are_alike() {
        let values = [1.0, 4.0, 2.0, 7.0];
        let (mean, error) = ratio(values.iter().map(|&value| (value, 1.0)));
        // The deviation of these four is the root of 7.
        assert_eq!(mean, 3.5);
        assert!((error - (7.0f64 / 4.0).sqrt()).abs() < 1e-12);
    }
}
