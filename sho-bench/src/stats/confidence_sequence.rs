//! Intervals that may be looked at all the time.
//!
//! A 95 % interval misses the truth in 5 % of all runs *if it is looked at once*, at a number of blocks that was fixed
//! before. Who looks while a run goes on, and may stop when the interval looks good, is misled far more often. The
//! intervals here miss at *any* look in at most about 5 % of all runs; the price is that they are wider.
//!
//! Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and asymptotic
//! confidence sequences", Annals of Statistics 2024 (arXiv 2103.06476): the Gaussian mixture of Robbins (1970) with the
//! estimated deviation, and their choice of its parameter for a planned number.

/// Before so many blocks the live line should show no interval: the guarantee is asymptotic, and the standard deviation
/// of a few blocks is poor.
pub const FIRST_LOOK: u64 = 64;

/// Half the width of the interval round the mean of `blocks` blocks whose standard deviation is `sd`, that misses at
/// any look with probability `alpha`; narrowest, in proportion, at `planned` blocks. Nothing with fewer than two
/// blocks.
///
/// `sd sqrt(2 (n r² + 1) / (n² r²) ln(sqrt(n r² + 1) / alpha))` with *n* blocks and
/// `r² = (2 ln(1/alpha) + ln(2 ln(1/alpha) + 1)) / planned`. `planned` must not depend on what is seen.
///
/// ```
/// use sho_bench::stats::confidence_sequence::half_width;
/// // At the planned end it is half as wide again as the ordinary 1.96 / sqrt(10000).
/// let width = half_width(1.0, 10_000, 10_000, 0.05).unwrap();
/// assert!((width - 0.03035).abs() < 1e-5);
/// ```
///
/// # Panics
/// If `alpha` is not between 0 and 1, or `planned` is 0.
#[must_use]
pub fn half_width(sd: f64, blocks: u64, planned: u64, alpha: f64) -> Option<f64> {
    assert!(alpha > 0.0 && alpha < 1.0 && planned > 0, "alpha {alpha}, {planned} blocks planned");
    if blocks < 2 {
        return None;
    }
    let n = blocks as f64;
    let twice = -2.0 * libm::log(alpha);
    let r2 = (twice + libm::log(twice + 1.0)) / planned as f64;
    let grown = n * r2 + 1.0;
    Some(sd * (2.0 * grown / (n * n * r2) * libm::log(grown.sqrt() / alpha)).sqrt())
}
