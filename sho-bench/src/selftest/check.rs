//! Rates that were stated, and rates that were seen: [`Claim`] and [`Check`].

use serde::Serialize;

use crate::rounded::rounded;
use crate::stats::quantile::share_interval;
use crate::stats::special::binomial_cdf;

/// By what part of itself a rate may be off without being wrong. Intervals from Student's *t* and from the normal
/// distribution are good for many blocks, and block outcomes are whole numbers: no rate is exactly 5 %.
pub const TOLERANCE: f64 = 0.2;

/// How improbable, on one side, a count must be before it is called wrong: 1 in 2000, so 99.9 % on both sides.
pub const IMPROBABLE: f64 = 0.0005;

/// What is stated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// The check's name.
    pub name: &'static str,
    /// What happens, as a sentence of few words.
    pub what: &'static str,
    /// How often it does.
    pub nominal: f64,
    /// Whether that is only a bound: it may happen less often.
    pub at_most: bool,
}

impl Claim {
    /// A rate that holds on both sides.
    pub(crate) const fn exactly(name: &'static str, what: &'static str, nominal: f64) -> Self {
        Self { name, what, nominal, at_most: false }
    }

    /// A bound.
    pub(crate) const fn at_most(name: &'static str, what: &'static str, nominal: f64) -> Self {
        Self { name, what, nominal, at_most: true }
    }

    /// Counts how often it happened. Nothing says that it had no meaning in that match.
    pub fn check(&self, happened: impl IntoIterator<Item = Option<bool>>) -> Check {
        let (mut seen, mut of) = (0, 0);
        for happened in happened.into_iter().flatten() {
            of += 1;
            seen += u64::from(happened);
        }
        Check::new(*self, seen, of)
    }
}

/// What is stated, and what was seen.
///
/// ```
/// use sho_bench::selftest::check::{Check, Claim, Verdict};
/// let claim = Claim { name: "score", what: "interval of the score misses", nominal: 0.05, at_most: false };
/// assert_eq!(Check::new(claim, 58, 1000).verdict, Verdict::Ok);
/// assert_eq!(Check::new(claim, 170, 1000).verdict, Verdict::TooMany);
/// assert_eq!(Check::new(claim, 9, 1000).verdict, Verdict::TooFew);
/// let bound = Claim { at_most: true, ..claim };
/// assert_eq!(Check::new(bound, 9, 1000).verdict, Verdict::Ok);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Check {
    /// The check's name.
    pub name: &'static str,
    /// What was counted.
    pub what: &'static str,
    /// The rate that is stated.
    pub nominal: f64,
    /// Whether that is only a bound.
    pub at_most: bool,
    /// How often it was seen.
    pub seen: u64,
    /// In so many matches.
    pub of: u64,
    /// The rate that was seen; nothing without matches.
    pub rate: Option<f64>,
    /// Its 95 % interval, of Clopper and Pearson.
    pub interval: (f64, f64),
    /// Whether both agree.
    pub verdict: Verdict,
}

/// Whether a rate is what is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It is, as far as can be seen.
    Ok,
    /// It happens too often.
    TooMany,
    /// It happens too seldom: the procedure sees less than it could.
    TooFew,
    /// It had a meaning in none of the matches, as an Elo difference has none where a bot won them all.
    Untested,
}

impl Verdict {
    /// As it is printed.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::TooMany => "too many",
            Self::TooFew => "too few",
            Self::Untested => "untested",
        }
    }
}

impl Check {
    /// What was seen `seen` times in `of` matches, which are independent.
    ///
    /// It is too often where so many would be [improbable](IMPROBABLE) even at a rate [a fifth](TOLERANCE) above the
    /// stated one; too seldom the same way round.
    ///
    /// # Panics
    /// If it was seen more often than there are matches.
    #[must_use]
    pub fn new(claim: Claim, seen: u64, of: u64) -> Self {
        let Claim { name, what, nominal, at_most } = claim;
        // So many or more are so few or fewer of the others.
        let as_many = binomial_cdf(of, 1.0 - nominal * (1.0 + TOLERANCE), of - seen);
        let as_few = binomial_cdf(of, nominal * (1.0 - TOLERANCE), seen);
        let verdict = if of == 0 {
            Verdict::Untested
        } else if nominal == 0.0 {
            if seen > 0 { Verdict::TooMany } else { Verdict::Ok }
        } else if as_many < IMPROBABLE {
            Verdict::TooMany
        } else if !at_most && as_few < IMPROBABLE {
            Verdict::TooFew
        } else {
            Verdict::Ok
        };
        let rate = (of > 0).then(|| rounded(seen as f64 / of as f64));
        let (low, high) = share_interval(seen, of, 0.05);
        let interval = (rounded(low), rounded(high));
        Self { name, what, nominal, at_most, seen, of, rate, interval, verdict }
    }

    /// Whether nothing speaks against the rate that is stated.
    #[must_use]
    pub fn ok(&self) -> bool {
        matches!(self.verdict, Verdict::Ok | Verdict::Untested)
    }
}
