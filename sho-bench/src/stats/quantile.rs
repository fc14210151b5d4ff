//! Intervals of quantiles and shares that assume nothing of the distribution, and a comparison of two histograms.

use crate::stats::special::{beta_quantile, binomial_cdf};
use crate::tally::Histogram;

/// Which of *n* values in rising order, counted from 1, are the ends of an interval of a quantile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks {
    /// The lower end; nothing where *n* is too small for one.
    pub low: Option<u64>,
    /// The upper end; nothing where *n* is too small for one.
    pub high: Option<u64>,
}

/// The ranks between which the `q` quantile lies with confidence at least `1 - alpha`: it lies below the lower and
/// above the upper each with probability at most `alpha / 2`.
///
/// The number of values below the quantile is binomial with probability `q` at most; so the lower rank is the greatest
/// *l* with `P(Bin(n, q) <= l - 1) <= alpha/2`, the upper the least *u* with `P(Bin(n, q) >= u) <= alpha/2` (David and
/// Nagaraja, Order Statistics, 2003, section 7.1). Assumes independent values: **one game a block**. With ties, as
/// lengths have them, confidence is higher than stated.
///
/// ```
/// use sho_bench::stats::quantile::{Ranks, ranks};
/// assert_eq!(ranks(100, 0.5, 0.05), Ranks { low: Some(40), high: Some(61) });
/// assert_eq!(ranks(5, 0.5, 0.05), Ranks { low: None, high: None });
/// ```
///
/// # Panics
/// If `q` or `alpha` is not between 0 and 1.
#[must_use]
pub fn ranks(n: u64, q: f64, alpha: f64) -> Ranks {
    assert!(q > 0.0 && q < 1.0 && alpha > 0.0 && alpha < 1.0, "quantile {q}, alpha {alpha}");
    // The number of ranks l with P(Bin <= l - 1) <= alpha/2, by bisection: the probability rises with l.
    let (mut good, mut bad) = (0, n + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if binomial_cdf(n, q, middle - 1) <= alpha / 2.0 {
            good = middle;
        } else {
            bad = middle;
        }
    }
    let low = (good > 0).then_some(good);
    // The upper rank is the lower one of the 1 - q quantile, counted from the other end.
    let (mut good, mut bad) = (0, n + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if binomial_cdf(n, 1.0 - q, middle - 1) <= alpha / 2.0 {
            good = middle;
        } else {
            bad = middle;
        }
    }
    let high = (good > 0).then(|| n + 1 - good);
    Ranks { low, high }
}

/// The interval of the `q` quantile from independent values, with confidence at least `1 - alpha`. An end is nothing
/// where there are too few values for one.
///
/// The histogram must hold one game a block: those of a block share their dice. For the quantiles of all games use the
/// [bootstrap](crate::stats::bootstrap).
///
/// ```
/// use sho_bench::stats::quantile::interval;
/// use sho_bench::tally::Histogram;
/// let mut lengths = Histogram::default();
/// (1..=100).for_each(|length| lengths.add(length));
/// assert_eq!(interval(&lengths, 0.5, 0.05), (Some(40), Some(61)));
/// ```
///
/// # Panics
/// As [`ranks`].
#[must_use]
pub fn interval(values: &Histogram, q: f64, alpha: f64) -> (Option<u32>, Option<u32>) {
    let ranks = ranks(values.count(), q, alpha);
    let value_at = |rank: u64| {
        let mut below = 0;
        values.iter().find_map(|(value, count)| {
            below += count;
            (below >= rank).then_some(value)
        })
    };
    (ranks.low.and_then(value_at), ranks.high.and_then(value_at))
}

/// The interval of a share of which `hits` of `n` independent trials were seen, with confidence at least `1 - alpha`
/// (Clopper and Pearson, 1934): quantiles of beta distributions. (0, 1) without trials.
///
/// Trials are **blocks**, as in "blocks with a game that was stopped at the cap".
///
/// ```
/// use sho_bench::stats::quantile::share_interval;
/// let (low, high) = share_interval(3, 10, 0.05);
/// assert!((low - 0.0667).abs() < 1e-4 && (high - 0.6525).abs() < 1e-4);
/// ```
///
/// # Panics
/// If there are more hits than trials.
#[must_use]
pub fn share_interval(hits: u64, n: u64, alpha: f64) -> (f64, f64) {
    assert!(hits <= n, "{hits} hits of {n}");
    let (h, m) = (hits as f64, (n - hits) as f64);
    let low = if hits == 0 { 0.0 } else { beta_quantile(h, m + 1.0, alpha / 2.0) };
    let high = if hits == n { 1.0 } else { beta_quantile(h + 1.0, m, 1.0 - alpha / 2.0) };
    (low, high)
}

/// What a share is at most, with confidence `1 - alpha`, where none of `n` independent trials was a hit:
/// `1 - alpha^(1/n)`, with 95 % a little below 3/*n* ("rule of three"). Nothing without trials.
///
/// ```
/// use sho_bench::stats::quantile::at_most;
/// assert!((at_most(1000, 0.05).unwrap() - 0.002_991).abs() < 1e-6);
/// ```
#[must_use]
pub fn at_most(n: u64, alpha: f64) -> Option<f64> {
    (n > 0).then(|| -libm::expm1(libm::log(alpha) / n as f64))
}

/// `P(X < Y) + P(X = Y) / 2` for a value of `x` and a value of `y` drawn independently: 0.5 where neither tends to be
/// greater. Nothing where one is empty.
///
/// The statistic of Mann and Whitney (1947) divided by the number of pairs, with ties as halves. Counted exactly in
/// integers. It compares the two distributions, not games of the same block; its error is
/// [`less_or_tied_error`].
///
/// ```
/// use sho_bench::stats::quantile::less_or_tied;
/// use sho_bench::tally::Histogram;
/// let (mut x, mut y) = (Histogram::default(), Histogram::default());
/// [1, 2].map(|value| x.add(value));
/// [2, 3].map(|value| y.add(value));
/// assert_eq!(less_or_tied(&x, &y), Some(3.5 / 4.0));
/// ```
#[must_use]
pub fn less_or_tied(x: &Histogram, y: &Histogram) -> Option<f64> {
    let pairs = u128::from(x.count()) * u128::from(y.count());
    let mut smaller = x.iter().peekable();
    let (mut below, mut halves) = (0u128, 0u128);
    for (value, count) in y.iter() {
        while let Some((_, more)) = smaller.next_if(|&(other, _)| other < value) {
            below += u128::from(more);
        }
        let tied =
            smaller.peek().filter(|&&(other, _)| other == value).map_or(0, |&(_, tied)| tied);
        halves += u128::from(count) * (2 * below + u128::from(tied));
    }
    (pairs > 0).then(|| halves as f64 / (2.0 * pairs as f64))
}

/// A standard error of [`less_or_tied`] that is never too small, over so many blocks, each of which has as many values of `x`
/// as the others, and as many of `y`. Nothing with fewer than two blocks.
///
/// To the first order the statistic is a mean over blocks of *u(y)* - *v(x)*, with *u* the place of a value among those of
/// `x` and *v* that among those of `y`, from 0 to 1 (Hoeffding, 1948; DeLong, DeLong and Clarke-Pearson, 1988). How the two
/// hang together inside a block the histograms do not say. Their standard deviations added up are the most that the
/// difference can have, however they do; were they independent, the root of the sum of squares would do, which is at most
/// 1/sqrt(2) of it.
///
/// ```
/// use sho_bench::stats::quantile::less_or_tied_error;
/// use sho_bench::tally::Histogram;
/// let mut same = Histogram::default();
/// (1..=1000).for_each(|value| same.add(value));
/// // Places are spread evenly from 0 to 1, with a standard deviation of the root of 1/12.
/// let error = less_or_tied_error(&same, &same, 1000).unwrap();
/// assert!((error - 2.0 * (1.0_f64 / 12.0 / 1000.0).sqrt()).abs() < 1e-5);
/// ```
#[must_use]
pub fn less_or_tied_error(x: &Histogram, y: &Histogram, blocks: u64) -> Option<f64> {
    let sum = deviation_of_places(y, x)? + deviation_of_places(x, y)?;
    (blocks >= 2).then(|| sum / ((blocks - 1) as f64).sqrt())
}

/// The standard deviation of the places of `values` among `others`: the share of the others that is less, ties as halves.
fn deviation_of_places(values: &Histogram, others: &Histogram) -> Option<f64> {
    let (count, all) = (values.count(), others.count());
    let mut smaller = others.iter().peekable();
    let (mut below, mut sum, mut squares) = (0, 0.0, 0.0);
    for (value, games) in values.iter() {
        while let Some((_, more)) = smaller.next_if(|&(other, _)| other < value) {
            below += more;
        }
        let tied =
            smaller.peek().filter(|&&(other, _)| other == value).map_or(0, |&(_, tied)| tied);
        // The sign of a place does not matter, and one near the middle loses no digits.
        let place = (2 * below + tied) as f64 / (2.0 * all as f64) - 0.5;
        sum += games as f64 * place;
        squares += games as f64 * place * place;
    }
    let n = count as f64;
    (count > 0 && all > 0).then(|| (squares / n - sum / n * (sum / n)).max(0.0).sqrt())
}
