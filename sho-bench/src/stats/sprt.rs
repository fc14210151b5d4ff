//! The sequential probability ratio test: is a bot better, with as few games as it takes?
//!
//! Two hypotheses about the tested bot's strength are compared by the likelihood of what was seen. The test stops as
//! soon as one of them is `(1 - beta) / alpha` times as likely as the other, or `beta / (1 - alpha)` times (Wald 1945).
//! The hypotheses fix only the strength, not how often a block brings 0, 1, 2, ... wins; for each, the likelihood is
//! that of the distribution of block outcomes which fits best among those with that strength: a generalized likelihood
//! ratio for a multinomial (M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
//! distribution" and "Normalized Elo", notes for the Fishtest project at hardy.uhasselt.be/Fishtest).
//!
//! Blocks are independent, games of a block are not: so the outcome of a block is counted whole, and nothing is assumed
//! of the games in it.
//!
//! [`Sprt`] is the test; [`SprtRun`] is a test under way, which takes blocks in their order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::stats::elo::{Contest, NELO_A_UNIT};

/// Blocks from one check to the next. The test is judged at 64, 128, 192, ... blocks and nowhere else: so the verdict
/// and the block where it stopped do not depend on how the blocks came in.
pub const CHECK_EVERY: u64 = 64;

/// How often block outcomes that are possible, and were not seen, count: with 0 the likelihood of a hypothesis could be
/// 0 for no other reason than that there are few blocks yet.
pub const UNSEEN: f64 = 1e-3;

/// The two hypotheses, in Elo or in normalized Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bounds {
    /// Elo differences to the others at the table; see [`Contest::elo`].
    Logistic {
        /// Of H0.
        low: f64,
        /// Of H1.
        high: f64,
    },
    /// Normalized Elo, 800 / ln 10 times the normalized effect: how long the test takes then hardly depends on how much
    /// luck the game has.
    Normalized {
        /// Of H0.
        low: f64,
        /// Of H1.
        high: f64,
    },
}

/// What a test is told by the blocks so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Neither yet.
    Undecided,
    /// The bot is no better than `low`, as far as the test says.
    H0,
    /// The bot is at least `high`, as far as the test says.
    H1,
}

/// Block outcomes by how often they were seen: payoffs of the tested bot in a block, in twelfths.
///
/// ```
/// use sho_bench::stats::{elo::Contest, sprt::Outcomes};
/// let mut outcomes = Outcomes::new(Contest::rotations(2).unwrap());
/// outcomes.add(24); // both games won
/// outcomes.add(12);
/// assert_eq!(outcomes.blocks(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    /// Twelfths of a block with score 1 a seat.
    scale: u32,
    counts: BTreeMap<u32, u64>,
}

impl Outcomes {
    /// No block yet. Possible are whole wins, none to all; outcomes with shared wins are possible from when one was
    /// seen.
    #[must_use]
    pub fn new(contest: Contest) -> Self {
        let wins = 0..=contest.games();
        Self { scale: contest.scale(), counts: wins.map(|wins| (12 * wins, 0)).collect() }
    }

    /// Blocks of a contest that were counted by what the tested bot got in each, in twelfths of a win.
    #[must_use]
    pub fn of(contest: Contest, blocks: &BTreeMap<u32, u64>) -> Self {
        let mut outcomes = Self::new(contest);
        for (&value, &count) in blocks {
            outcomes.add_many(value, count);
        }
        outcomes
    }

    /// Possible outcomes `values`, where a score of 1 a seat is `scale`.
    ///
    /// ```
    /// use sho_bench::stats::sprt::Outcomes;
    /// // Pairs of games with draws, in half points.
    /// let outcomes = Outcomes::with_support(4, [0, 1, 2, 3, 4]);
    /// ```
    ///
    /// # Panics
    /// If `scale` is 0.
    #[must_use]
    pub fn with_support(scale: u32, values: impl IntoIterator<Item = u32>) -> Self {
        assert!(scale > 0, "block outcomes in units of nothing");
        Self { scale, counts: values.into_iter().map(|value| (value, 0)).collect() }
    }

    /// Counts a block.
    pub fn add(&mut self, value: u32) {
        self.add_many(value, 1);
    }

    /// Counts `blocks` blocks with the same outcome.
    pub fn add_many(&mut self, value: u32, blocks: u64) {
        *self.counts.entry(value).or_default() += blocks;
    }

    /// Adds the counts of other blocks of the same contest.
    pub fn merge(&mut self, other: &Self) {
        for (&value, &count) in &other.counts {
            self.add_many(value, count);
        }
    }

    /// How many blocks were counted.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The outcomes that are possible or were seen in rising order, each with its count.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.counts.iter().map(|(&value, &count)| (value, count))
    }

    /// The scores with their probabilities, unseen ones with a little, and the sum of the counts.
    fn distribution(&self) -> (Vec<Cell>, f64) {
        let counts =
            || self.counts.values().map(|&count| if count == 0 { UNSEEN } else { count as f64 });
        let n: f64 = counts().sum();
        let cells = self.counts.keys().zip(counts()).map(|(&value, count)| Cell {
            score: f64::from(value) / f64::from(self.scale),
            probability: count / n,
        });
        (cells.collect(), n)
    }
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    score: f64,
    probability: f64,
}

/// Why there is no such test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SprtError {
    /// The hypotheses do not differ, or stand the wrong way round.
    #[error("hypotheses {low} and {high}: the first must be below the second, and both finite")]
    Bounds {
        /// Of H0.
        low: f64,
        /// Of H1.
        high: f64,
    },
    /// Not an error rate.
    #[error(
        "error rates alpha {alpha} and beta {beta}: each must be above 0, and their sum below 1"
    )]
    Rates {
        /// Of H1 accepted where H0 is true.
        alpha: f64,
        /// Of H0 accepted where H1 is true.
        beta: f64,
    },
}

/// A sequential test: what is asked, and how sure the answer shall be.
///
/// ```
/// use sho_bench::stats::elo::Contest;
/// use sho_bench::stats::sprt::{Bounds, Outcomes, Sprt, Verdict};
///
/// let bounds = Bounds::Logistic { low: 0.0, high: 2.0 };
/// let test = Sprt::new(Contest::rotations(2).unwrap(), bounds, 0.05, 0.05)?;
/// let mut outcomes = Outcomes::with_support(4, [0, 1, 2, 3, 4]);
/// for (value, count) in [871, 26175, 55983, 26678, 821].into_iter().enumerate() {
///     outcomes.add_many(value as u32, count);
/// }
/// let llr = test.llr(&outcomes).unwrap();
/// assert!((llr + 4.979).abs() < 5e-4);
/// assert_eq!(test.verdict(llr), Verdict::H0);
/// # Ok::<(), sho_bench::stats::sprt::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    contest: Contest,
    bounds: Bounds,
    alpha: f64,
    beta: f64,
}

impl Sprt {
    /// A test of `bounds.low` against `bounds.high` that accepts H1 where H0 is true with probability `alpha`, and H0
    /// where H1 is true with probability `beta`.
    ///
    /// # Errors
    /// Where the bounds are not two, or a rate is none.
    pub fn new(contest: Contest, bounds: Bounds, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        let (Bounds::Logistic { low, high } | Bounds::Normalized { low, high }) = bounds;
        if !(low < high && low.is_finite() && high.is_finite()) {
            return Err(SprtError::Bounds { low, high });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Rates { alpha, beta });
        }
        Ok(Self { contest, bounds, alpha, beta })
    }

    /// What the tested bot plays.
    #[must_use]
    pub fn contest(&self) -> Contest {
        self.contest
    }

    /// Wald's bounds of the log-likelihood ratio: H0 is accepted at or below the first, `ln(beta / (1 - alpha))`, H1 at
    /// or above the second, `ln((1 - beta) / alpha)`.
    #[must_use]
    pub fn wald(&self) -> (f64, f64) {
        let Self { alpha, beta, .. } = *self;
        (libm::log(beta / (1.0 - alpha)), libm::log((1.0 - beta) / alpha))
    }

    /// What a log-likelihood ratio says.
    #[must_use]
    pub fn verdict(&self, llr: f64) -> Verdict {
        let (low, high) = self.wald();
        if llr <= low {
            Verdict::H0
        } else if llr >= high {
            Verdict::H1
        } else {
            Verdict::Undecided
        }
    }

    /// The generalized log-likelihood ratio of H1 to H0. Nothing where no distribution on the outcomes has the strength
    /// that a hypothesis asks for, or, with normalized bounds, the search for it does not settle: both only where the
    /// bounds are far from anything seen.
    ///
    /// With *p* the shares of the outcomes *a* among *n* blocks, the best distribution with mean *s* is
    /// `p_i / (1 + th (a_i - s))`, with *th* such that its mean is *s*. The ratio is `n sum p_i ln(p_hi,i / p_lo,i)`.
    ///
    /// With normalized bounds *t* (800 / ln 10 · `t / sqrt(m)` in normalized Elo, *m* games a block) the condition is
    /// `mean = 1/k + t sd`, in which the deviation is that of the distribution sought. It is made linear round a
    /// distribution with mean *M* and deviation *S*: the mean of `a_i - 1/k - t S (1 + ((a_i - M) / S)²) / 2` is 0;
    /// solved in the same way, and repeated from the solution until nothing moves by 1e-9.
    #[must_use]
    pub fn llr(&self, outcomes: &Outcomes) -> Option<f64> {
        let (cells, n) = outcomes.distribution();
        let (low, high) = match self.bounds {
            Bounds::Logistic { low, high } => {
                let fit = |elo| with_mean(&cells, self.contest.score(elo));
                (fit(low)?, fit(high)?)
            }
            Bounds::Normalized { low, high } => {
                let unit = f64::from(self.contest.games()).sqrt() / NELO_A_UNIT;
                let fit = |nelo: f64| with_effect(&cells, self.contest.equal_score(), unit * nelo);
                (fit(low)?, fit(high)?)
            }
        };
        let sum: f64 = cells
            .iter()
            .zip(low.iter().zip(&high))
            .map(|(cell, (low, high))| cell.probability * libm::log(high / low))
            .sum();
        Some(n * sum)
    }
}

/// The best probabilities with a mean score of `mean`.
fn with_mean(cells: &[Cell], mean: f64) -> Option<Vec<f64>> {
    let values: Vec<f64> = cells.iter().map(|cell| cell.score - mean).collect();
    with_mean_zero(cells, &values)
}

/// The best probabilities in which the mean is above `equal` by `t` standard deviations.
fn with_effect(cells: &[Cell], equal: f64, t: f64) -> Option<Vec<f64>> {
    let mut current: Vec<f64> = cells.iter().map(|cell| cell.probability).collect();
    for _ in 0..200 {
        let mean: f64 = cells.iter().zip(&current).map(|(cell, p)| p * cell.score).sum();
        let variance: f64 = cells
            .iter()
            .zip(&current)
            .map(|(cell, p)| p * (cell.score - mean) * (cell.score - mean))
            .sum();
        let deviation = variance.sqrt();
        let values: Vec<f64> = cells
            .iter()
            .map(|cell| {
                let z = (cell.score - mean) / deviation;
                cell.score - equal - t * deviation * (1.0 + z * z) / 2.0
            })
            .collect();
        let next = with_mean_zero(cells, &values)?;
        let moved = next.iter().zip(&current).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        current = next;
        if moved < 1e-9 {
            return Some(current);
        }
    }
    None
}

/// The probabilities `p_i / (1 + th v_i)` under which `v` has mean 0.
fn with_mean_zero(cells: &[Cell], values: &[f64]) -> Option<Vec<f64>> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && greatest > 0.0) {
        return None;
    }
    // All denominators are positive between these; the mean falls from +inf to -inf there.
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let mean = |th: f64| -> f64 {
        cells.iter().zip(values).map(|(cell, v)| cell.probability * v / (1.0 + th * v)).sum()
    };
    // Each step halves the interval, and after a hundred nothing is left of it.
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if mean(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let th = 0.5 * (low + high);
    let found: Vec<f64> =
        cells.iter().zip(values).map(|(cell, v)| cell.probability / (1.0 + th * v)).collect();
    found.iter().all(|p| p.is_finite() && *p > 0.0).then_some(found)
}

/// Blocks that do not end where a check is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{given} blocks at once, and the next check is due after {due}")]
pub struct PastCheck {
    /// How many came.
    pub given: u64,
    /// How many there are up to the check.
    pub due: u64,
}

/// A test under way. It takes blocks in their order, one by one or counted up to a check, and looks at them at the
/// checks only. Once it has decided, what comes after is not counted.
///
/// Blocks that were finished out of order wait until those before them are there.
///
/// ```
/// use sho_bench::stats::elo::Contest;
/// use sho_bench::stats::sprt::{Bounds, Sprt, SprtRun, Verdict};
///
/// let contest = Contest::rotations(2).unwrap();
/// let test = Sprt::new(contest, Bounds::Logistic { low: 0.0, high: 50.0 }, 0.05, 0.05)?;
/// let mut run = SprtRun::new(test);
/// for block in 0..1000 {
///     // Three of four games are won.
///     if run.add(if block % 2 == 0 { 24 } else { 12 }) != Verdict::Undecided {
///         break;
///     }
/// }
/// assert_eq!((run.verdict(), run.blocks()), (Verdict::H1, 64));
/// # Ok::<(), sho_bench::stats::sprt::SprtError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SprtRun {
    test: Sprt,
    outcomes: Outcomes,
    blocks: u64,
    llr: Option<f64>,
    verdict: Verdict,
}

impl SprtRun {
    /// A test before its first block.
    #[must_use]
    pub fn new(test: Sprt) -> Self {
        Self::with_outcomes(test, Outcomes::new(test.contest))
    }

    /// A test with other possible outcomes than those of [`Outcomes::new`].
    ///
    /// # Panics
    /// If some block is counted in them already.
    #[must_use]
    pub fn with_outcomes(test: Sprt, outcomes: Outcomes) -> Self {
        assert_eq!(outcomes.blocks(), 0, "a test starts without blocks");
        Self { test, outcomes, blocks: 0, llr: None, verdict: Verdict::Undecided }
    }

    /// A test that goes on after blocks that were counted before. Whether it had decided is seen where they end at a
    /// check, which is where a test stops.
    #[must_use]
    pub fn resumed(test: Sprt, outcomes: Outcomes) -> Self {
        let blocks = outcomes.blocks();
        let mut run = Self { test, outcomes, blocks: 0, llr: None, verdict: Verdict::Undecided };
        run.counted(blocks);
        run
    }

    /// The next block, by the tested bot's payoff in it.
    pub fn add(&mut self, value: u32) -> Verdict {
        if self.verdict == Verdict::Undecided {
            self.outcomes.add(value);
            self.counted(1);
        }
        self.verdict
    }

    /// The next blocks, counted, up to the next check or short of it.
    ///
    /// # Errors
    /// Where they are more than [`due`](Self::due).
    pub fn add_counted(&mut self, next: &Outcomes) -> Result<Verdict, PastCheck> {
        if self.verdict == Verdict::Undecided {
            let (given, due) = (next.blocks(), self.due());
            if given > due {
                return Err(PastCheck { given, due });
            }
            self.outcomes.merge(next);
            self.counted(given);
        }
        Ok(self.verdict)
    }

    fn counted(&mut self, blocks: u64) {
        self.blocks += blocks;
        if blocks > 0 && self.blocks.is_multiple_of(CHECK_EVERY) {
            self.llr = self.test.llr(&self.outcomes);
            self.verdict = self.llr.map_or(Verdict::Undecided, |llr| self.test.verdict(llr));
        }
    }

    /// Blocks up to the next check.
    #[must_use]
    pub fn due(&self) -> u64 {
        CHECK_EVERY - self.blocks % CHECK_EVERY
    }

    /// The verdict at the last check.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The log-likelihood ratio at the last check that was made here; nothing before the first.
    #[must_use]
    pub fn llr(&self) -> Option<f64> {
        self.llr
    }

    /// Blocks counted: where there is a verdict, those up to it.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// What was counted.
    #[must_use]
    pub fn outcomes(&self) -> &Outcomes {
        &self.outcomes
    }

    /// The test.
    #[must_use]
    pub fn test(&self) -> &Sprt {
        &self.test
    }
}
