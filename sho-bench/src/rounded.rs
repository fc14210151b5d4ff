//! Numbers as documents show them.

use crate::result::DIGITS;

/// Rounds to [`DIGITS`] digits after the point, so that a document shows no noise of the last bits.
pub(crate) fn rounded(value: f64) -> f64 {
    let scale = 10f64.powi(DIGITS);
    // A negative number that rounds to nothing is written as 0.
    (value * scale).round() / scale + 0.0
}
