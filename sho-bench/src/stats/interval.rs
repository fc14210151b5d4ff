//! Intervals of means over blocks.

use crate::stats::special::beta_quantile;

/// Half the width of the 95 % confidence interval of a mean over `blocks` blocks with standard error `error`:
/// `error` times the 97.5 % quantile of Student's t with `blocks - 1` degrees of freedom. Nothing with fewer than two
/// blocks.
///
/// Blocks, not games, are the unit: the games of a block share their dice and are not independent.
///
/// ```
/// use sho_bench::stats::interval::half_width;
/// let width = half_width(1.0, 11).unwrap();
/// assert!((width - 2.2281).abs() < 1e-4);
/// ```
#[must_use]
pub fn half_width(error: f64, blocks: u64) -> Option<f64> {
    let freedom = blocks.checked_sub(1).filter(|&freedom| freedom > 0)?;
    Some(error * t_quantile(freedom as f64))
}

/// The 97.5 % quantile of Student's t.
fn t_quantile(freedom: f64) -> f64 {
    if freedom < 1000.0 {
        // f / (f + t^2) has the beta distribution of f/2 and 1/2, and |t| is above the quantile where that is in its lowest
        // twentieth.
        let beta = beta_quantile(freedom / 2.0, 0.5, 0.05);
        return (freedom * (1.0 - beta) / beta).sqrt();
    }
    // Bisection is slow at many degrees of freedom, and loses digits. There two terms of the expansion round the normal quantile z are exact to 1e-10 (Abramowitz and Stegun, 26.7.5).
    const Z: f64 = 1.959_963_984_540_054;
    let first = (Z * Z * Z + Z) / (4.0 * freedom);
    let second =
        (5.0 * Z * Z * Z * Z * Z + 16.0 * Z * Z * Z + 3.0 * Z) / (96.0 * freedom * freedom);
    Z + first + second
}

#[cfg(test)]
mod tests {
    use super::half_width;

    /// The 97.5 % column of the table in any statistics textbook.
    #[test]
    fn quantiles_of_t_agree_with_the_published_table() {
        for (freedom, quantile) in
            [(1, 12.706), (2, 4.303), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)]
        {
            let found = half_width(1.0, freedom + 1).unwrap();
            assert!((found - quantile).abs() < 5e-4, "{freedom} degrees: {found}, not {quantile}");
        }
        assert!((half_width(1.0, 10_000_001).unwrap() - 1.959_964_2).abs() < 1e-7);
        // From the table to the expansion without a step: the published value for 1000 degrees is 1.96234.
        assert!((half_width(1.0, 1000).unwrap() - half_width(1.0, 1001).unwrap()).abs() < 1e-5);
        assert!((half_width(1.0, 1001).unwrap() - 1.962_339).abs() < 1e-6);
        assert_eq!(half_width(1.0, 1), None);
    }
}
