//! Functions of probability theory, the same on every platform.
//!
//! Built on + − × / and the square root, which IEEE 754 rounds alike everywhere, and on the crate `libm` for the rest:
//! the standard library's `ln` and `exp` are the platform's, and differ in the last digit.

/// `Phi(x)`: how probable it is that a standard normal number is at most `x`.
///
/// ```
/// use sho_bench::stats::special::normal_cdf;
/// assert!((normal_cdf(1.96) - 0.975).abs() < 1e-5);
/// ```
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// How probable it is that a number with the chi-square distribution of `freedom` degrees is above `x`; 1 where `x` is
/// not positive.
///
/// The regularized upper incomplete gamma function of `freedom / 2` at `x / 2`: by its series below the mean, by its
/// continued fraction above (Press et al., Numerical Recipes, section 6.2).
///
/// ```
/// use sho_bench::stats::special::chi_square_above;
/// assert!((chi_square_above(1, 3.841) - 0.05).abs() < 1e-4);
/// ```
///
/// # Panics
/// If `freedom` is 0: there is no such distribution.
#[must_use]
pub fn chi_square_above(freedom: u32, x: f64) -> f64 {
    assert!(freedom > 0, "chi-square with 0 degrees of freedom");
    let (a, x) = (f64::from(freedom) / 2.0, x / 2.0);
    if x <= 0.0 {
        return 1.0;
    }
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * EPSILON {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return 1.0 - front * sum;
    }
    // Lentz's method, as modified by Thompson and Barnett.
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for i in 1..MOST_TERMS {
        let i = f64::from(i);
        let numerator = -i * (i - a);
        b += 2.0;
        d = 1.0 / not_zero(numerator * d + b);
        c = not_zero(b + numerator / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < EPSILON {
            break;
        }
    }
    front * fraction
}

/// How probable it is that a number with the beta distribution of parameters `a`, `b` is at most `x`: the regularized
/// incomplete beta function.
///
/// By its continued fraction (Press et al., Numerical Recipes, section 6.4); the factor before it in the form of
/// Loader (2000, "Fast and accurate computation of binomial probabilities"), which keeps its digits where `a` and `b`
/// are many millions.
///
/// ```
/// use sho_bench::stats::special::beta_cdf;
/// assert!((beta_cdf(2.0, 1.0, 0.3) - 0.09).abs() < 1e-14);
/// ```
///
/// # Panics
/// If `a` or `b` is not above 0.
#[must_use]
pub fn beta_cdf(a: f64, b: f64, x: f64) -> f64 {
    assert!(a > 0.0 && b > 0.0, "beta distribution with parameters {a}, {b}");
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let y = 1.0 - x;
    // Each fraction is used on its own side of the mean, where it converges fast.
    if x * (a + b + 2.0) <= a + 1.0 {
        beta_front(a, b, x, y) * beta_fraction(a, b, x) / a
    } else {
        1.0 - beta_front(b, a, y, x) * beta_fraction(b, a, y) / b
    }
}

/// The `p` quantile of the beta distribution, by bisection.
///
/// ```
/// use sho_bench::stats::special::beta_quantile;
/// assert!((beta_quantile(2.0, 1.0, 0.09) - 0.3).abs() < 1e-14);
/// ```
///
/// # Panics
/// If `a` or `b` is not above 0.
#[must_use]
pub fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = 0.5 * (low + high);
        // Neighbours: nothing lies between, or what lies there makes no difference.
        if middle <= low || middle >= high || high - low < 1e-17 {
            return middle;
        }
        if beta_cdf(a, b, middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// How probable it is that of `trials` independent trials, each a success with probability `p`, at most `successes`
/// are.
///
/// By its relation to the beta distribution: `1 - I_p(successes + 1, trials - successes)`.
///
/// ```
/// use sho_bench::stats::special::binomial_cdf;
/// assert!((binomial_cdf(3, 0.5, 1) - 0.5).abs() < 1e-14);
/// ```
#[must_use]
pub fn binomial_cdf(trials: u64, p: f64, successes: u64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    beta_cdf((trials - successes) as f64, successes as f64 + 1.0, 1.0 - p)
}

/// A relative change below this ends a series.
const EPSILON: f64 = 1e-16;

/// Stands for 0 where a continued fraction would divide by it.
const TINY: f64 = 1e-300;

/// Ends a continued fraction in any case. They need some `sqrt(max(a, b))` terms.
const MOST_TERMS: u32 = 1_000_000;

fn not_zero(x: f64) -> f64 {
    if x.abs() < TINY { TINY } else { x }
}

/// `x^a y^b / B(a, b)` with `y = 1 - x`.
fn beta_front(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let exponent = stirling_error(n)
        - stirling_error(a)
        - stirling_error(b)
        - deviance(a, n * x)
        - deviance(b, n * y);
    (a * b / (n * 2.0 * std::f64::consts::PI)).sqrt() * libm::exp(exponent)
}

/// `ln x!` minus Stirling's formula for it.
fn stirling_error(x: f64) -> f64 {
    if x < 16.0 {
        let half_ln_two_pi = 0.918_938_533_204_672_8;
        return libm::lgamma(x + 1.0) - (x + 0.5) * libm::log(x) + x - half_ln_two_pi;
    }
    let square = x * x;
    (1.0 / 12.0
        - (1.0 / 360.0 - (1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square) / square)
            / square)
        / x
}

/// `x ln(x / mean) + mean - x` without the cancellation near `x = mean`.
fn deviance(x: f64, mean: f64) -> f64 {
    if (x - mean).abs() >= 0.1 * (x + mean) {
        return x * libm::log(x / mean) + mean - x;
    }
    let v = (x - mean) / (x + mean);
    let mut sum = (x - mean) * v;
    let mut term = 2.0 * x * v;
    let mut odd = 3.0;
    loop {
        term *= v * v;
        let next = sum + term / odd;
        if next == sum {
            return sum;
        }
        sum = next;
        odd += 2.0;
    }
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let mut c = 1.0;
    let mut d = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for m in 1..MOST_TERMS {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / not_zero(1.0 + even * d);
        c = not_zero(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / not_zero(1.0 + odd * d);
        c = not_zero(1.0 + odd / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < EPSILON {
            break;
        }
    }
    fraction
}
