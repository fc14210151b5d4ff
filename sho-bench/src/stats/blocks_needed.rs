//! How many blocks a precision takes: [`blocks_needed`].

use crate::stats::interval::half_width;

/// Blocks are numbered below 2^56, so no experiment has more.
const MOST: u64 = 1 << 56;

/// The least number of blocks with which half the width of the 95 % interval of a mean is at most `precision`, where blocks
/// have standard deviation `sd`, in the same unit: the least *B* with *t* · sd / √*B* ≤ precision, so *B* = ⌈(*t* · sd /
/// precision)²⌉ with the *t* of *B* − 1 degrees of freedom. At least 2, for one block has no interval. Nothing where it
/// would be above 2^56, a number is none, `sd` is below 0 or `precision` not above.
///
/// Sample size for a mean as in Cochran, Sampling Techniques (1977), section 4.4, with Student's *t* in place of the
/// normal quantile, as the [interval](half_width) itself has it.
///
/// ```
/// use sho_bench::stats::blocks_needed::blocks_needed;
/// // (1.96 · 0.5 / 0.01)² = 9604, and a little more for t.
/// assert_eq!(blocks_needed(0.5, 0.01), Some(9607));
/// assert_eq!(blocks_needed(1.0, 1.0), Some(7));
/// assert_eq!(blocks_needed(1.0, 0.0), None);
/// ```
#[must_use]
pub fn blocks_needed(sd: f64, precision: f64) -> Option<u64> {
    if !(sd.is_finite() && precision.is_finite() && sd >= 0.0 && precision > 0.0) {
        return None;
    }
    let enough = |blocks: u64| {
        half_width(sd / (blocks as f64).sqrt(), blocks).is_some_and(|width| width <= precision)
    };
    // More blocks never have a wider interval, so the least number is found by bisection.
    let (mut few, mut many) = (1, MOST);
    if !enough(many) {
        return None;
    }
    while many - few > 1 {
        let middle = few + (many - few) / 2;
        if enough(middle) {
            many = middle;
        } else {
            few = middle;
        }
    }
    Some(many)
}
