//! How much values differ, and how well that is known from them: [`Spread`].

/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// With fewer values there is no interval.
const FEWEST: usize = 5;

/// The standard deviation of independent values with its 95 % interval.
///
/// The interval is that of Bonett ("Approximate confidence interval for standard deviation of nonnormal distributions",
/// Computational Statistics & Data Analysis 50, 2006): for *n* values with variance *s*² it is
/// exp(ln(*c s*²) ± *z e*) for the variance, with *e* = *c* √((κ − (*n* − 3)/*n*) / (*n* − 1)), *c* = *n*/(*n* − *z*),
/// *z* = 1.96, and the kurtosis κ = *n* Σ(*x* − *m*)⁴ / (Σ(*x* − x̄)²)², where *m* is the mean without a share of
/// 1/(2 √(*n* − 4)) of the values at each end.
///
/// The textbook's interval by chi-square holds for normal values alone, where κ is 3. Scores of blocks have few values,
/// and κ near 1: that interval would be far too wide. Differences of lengths have long tails, and κ of 5 to 50: it would
/// be far too narrow. With some hundred such values this one holds the truth 92 times of 100, with a thousand 95.
///
/// Assumes that the tails were seen. A kurtosis is known badly from few values: what happens in one block of a thousand
/// needs many thousand blocks before its spread is known at all.
///
/// ```
/// use sho_bench::stats::spread::Spread;
/// let spread = Spread::of(&[3, 5, 4, 6, 2, 4, 7, 1, 4, 4]).unwrap();
/// assert_eq!((spread.count, spread.mean), (10, 4.0));
/// assert!((spread.sd - 1.763_834).abs() < 1e-6);
/// assert!(spread.low < spread.sd && spread.sd < spread.high);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// How many values, *n*.
    pub count: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with *n* − 1.
    pub sd: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Spread {
    /// The spread of these values. Nothing with fewer than five. Where all are the same the interval is that one point, 0,
    /// and means nothing.
    #[must_use]
    pub fn of(values: &[i64]) -> Option<Self> {
        let count = values.len();
        if count < FEWEST {
            return None;
        }
        let n = count as f64;
        let mean = mean(values);
        let about = |middle: f64, power: i32| -> f64 {
            values.iter().map(|&value| (value as f64 - middle).powi(power)).sum()
        };
        let squares = about(mean, 2);
        let sd = (squares / (n - 1.0)).sqrt();
        let (mut low, mut high) = (0.0, 0.0);
        if squares > 0.0 {
            let mut sorted = values.to_vec();
            sorted.sort_unstable();
            // With five values, the fewest, two go at each end and one stays.
            let cut = (n / (2.0 * (n - 4.0).sqrt())) as usize;
            let kurtosis =
                n * about(self::mean(&sorted[cut..count - cut]), 4) / (squares * squares);
            let c = n / (n - Z);
            let error = c * ((kurtosis - (n - 3.0) / n) / (n - 1.0)).sqrt();
            // Of the variance its logarithm, of the deviation half of that.
            let (middle, half) = (sd * c.sqrt(), libm::exp(0.5 * Z * error));
            (low, high) = (middle / half, middle * half);
        }
        Some(Self { count: count as u64, mean, sd, low, high })
    }

    /// The same in another unit: all but the count times `factor`.
    ///
    /// # Panics
    /// If the factor is not above 0.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        assert!(factor > 0.0, "a spread times {factor}");
        let Self { count, mean, sd, low, high } = self;
        Self { count, mean: mean * factor, sd: sd * factor, low: low * factor, high: high * factor }
    }
}

/// The mean, from an exact sum.
fn mean(values: &[i64]) -> f64 {
    values.iter().map(|&value| i128::from(value)).sum::<i128>() as f64 / values.len() as f64
}
