//! Ratings of many bots from games of two to four: the model of Plackett and Luce for winners, with a term for each
//! seat.
//!
//! # The model
//! A bot *i* has a log-worth `t_i`, a seat *s* an advantage `g_s`, and of the bots at a table the one in seat *s* wins
//! with probability
//!
//! ```text
//! exp(t_bot(s) + g_s) / sum over seats r of exp(t_bot(r) + g_r),      g_A = 0,  sum of all t_i = 0
//! ```
//!
//! (Luce 1959, Plackett 1975; with two at a table Bradley and Terry 1952.) In econometrics it is the conditional logit
//! (McFadden 1974). A shared win counts as the share that each seat got of it. The likelihood is concave; it is
//! maximized by Newton's method, with a small [`RIDGE`] that keeps a bot finite which won nothing or everything.
//!
//! # What has to be counted
//! The model is an exponential family, and every block of an experiment holds the same games: each line-up in each
//! seating. Let `u_b` be the vector of what each bot and what each seat won in block *b*, in twelfths. Then
//!
//! - the likelihood depends on the games through `sum_b u_b` alone: it is `t · sum u_b` minus the logarithms of the
//!   denominators, which the schedule knows;
//! - the gradient of a block is `g_b = u_b - E`, in which the expected wins `E` of a block depend on the parameters and
//!   are the same for all blocks. So `sum_b (g_b - mean)(g_b - mean)^T = sum_b u_b u_b^T - (sum u_b)(sum u_b)^T / B`,
//!   whatever the parameters are.
//!
//! So [`PayoffSums`], which are sums of integers and of their products, are enough for the fit and for its sandwich
//! errors. They merge in any order to the same numbers. For [`Fit::goodness`] the same is kept for what each bot won
//! in each line-up.
//!
//! # Errors
//! Games of a block share their luck. The covariance of the estimates is the sandwich `H^-1 M H^-1 · B / (B - 1)`, in
//! which *H* is the information (the negative second derivative, with the ridge) and *M* the sum above (Huber 1967,
//! White 1982; by clusters, Liang and Zeger 1986). It holds when games of a block depend on one another, and also when
//! the model is only nearly true; it needs many blocks, some 50 more than there are parameters.

use crate::stats::elo::ELO_A_LOG;
use crate::stats::matrix::{Cholesky, Matrix, dot};
use crate::stats::payoffs::{Design, PayoffSums};
use crate::stats::special::chi_square_above;

/// The ridge: the logarithm of the likelihood is lowered by half of this times the sum of the squares of all
/// parameters.
///
/// It is the weight of a prior by which log-worths are normal round 0 with a deviation of 100, some 17,000 Elo: of no
/// account where the data say anything (it moves an Elo difference of 400 by less than 0.001 after 1000 games), and
/// enough to keep a bot that won nothing at a finite, very low place.
pub const RIDGE: f64 = 1e-4;

/// Whether seats have terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeatTerms {
    /// An advantage for each seat, relative to the first.
    #[default]
    Fitted,
    /// All seats are equally good. For schedules in which bots do not change seats: there a seat and its bot cannot be
    /// told apart.
    None,
}

/// Why there are no ratings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// Errors come from the differences between blocks.
    #[error("{0} blocks: ratings need at least 2")]
    Blocks(u64),
    /// Two bots never met, not even by way of others.
    #[error(
        "bots {first} and {other} from 0 never met, not even by way of others: their ratings cannot be compared"
    )]
    Apart {
        /// One of them.
        first: usize,
        /// The other.
        other: usize,
    },
    /// Bots and seats always went together.
    #[error("bots and seats cannot be told apart: bots must change seats, or seats have no terms")]
    Confounded,
    /// The search for the maximum did not come to an end.
    #[error("the ratings did not converge")]
    NotConverged,
}

/// Ratings: log-worths and seat advantages, with their covariance.
#[derive(Clone, Debug)]
pub struct Fit {
    bots: usize,
    /// Log-worths, then seat terms from the second seat on.
    parameters: Vec<f64>,
    covariance: Matrix,
    information: Cholesky,
    finite: bool,
    seat_terms: SeatTerms,
}

/// The ratings of a design from its sums, with a ridge, usually [`RIDGE`].
///
/// # Errors
/// Where bots or seats cannot be compared, or there are fewer than two blocks.
///
/// ```
/// use sho_bench::Schedule;
/// use sho_bench::stats::payoffs::{BlockPayoffs, Design, PayoffSums};
/// use sho_bench::stats::plackett_luce::{RIDGE, SeatTerms, fit};
///
/// let design = Design::new(2, &[vec![0, 1]], &Schedule::Rotations.seatings(2));
/// let (mut block, mut sums) = (BlockPayoffs::new(&design), PayoffSums::new(&design));
/// // Bot 0 wins both games of a block in one of two blocks; in the others the first seat wins.
/// for number in 0..100 {
///     block.game(&design, 0, 0, &[12, 0]);
///     block.game(&design, 0, 1, if number % 2 == 0 { &[0, 12] } else { &[12, 0] });
///     sums.add(&design, &mut block);
/// }
/// let ratings = fit(&design, &sums, SeatTerms::Fitted, RIDGE)?;
/// let (elo, error) = ratings.elo_difference(0, 1);
/// assert!(elo > 190.0 && error > 0.0);
/// # Ok::<(), sho_bench::stats::plackett_luce::FitError>(())
/// ```
///
/// # Panics
/// If the sums are of another design, or the ridge is not above 0.
pub fn fit(
    design: &Design,
    sums: &PayoffSums,
    seat_terms: SeatTerms,
    ridge: f64,
) -> Result<Fit, FitError> {
    assert!(ridge > 0.0, "ridge {ridge}");
    assert_eq!(sums.totals.len(), design.bots + design.seats, "sums of another design");
    assert_eq!(sums.cells.len(), design.cell_count(), "sums of another design");
    if sums.blocks < 2 {
        return Err(FitError::Blocks(sums.blocks));
    }
    let met = reachable(design.bots, |i, j| {
        design.members.iter().any(|members| members.contains(&i) && members.contains(&j))
    });
    if let Some(other) = (0..design.bots).find(|&other| !met[other]) {
        return Err(FitError::Apart { first: 0, other });
    }

    let model = Model { design, seat_terms, blocks: sums.blocks as f64 };
    let size = model.size();
    // Which total belongs to which parameter: that of the first seat belongs to none.
    let total_of = |parameter: usize| parameter + usize::from(parameter >= design.bots);
    let won: Vec<f64> =
        (0..size).map(|parameter| sums.totals[total_of(parameter)] as f64 / 12.0).collect();
    // Probabilities do not change when the same is added to all log-worths. So information on their sum is made up, as
    // much as there is on one of them: it moves no estimate, since the ridge alone puts the sum at 0.
    let anchored = |mut information: Matrix, ridge: f64| {
        let anchor = model.blocks * design.games() as f64 / design.bots as f64;
        for i in 0..size {
            information.add(i, i, ridge);
            for j in 0..size {
                if i < design.bots && j < design.bots {
                    information.add(i, j, anchor);
                }
            }
        }
        information
    };
    let mut parameters = vec![0.0; size];
    let mut state = model.at(&parameters);
    // Whether parameters can be told apart is a question of the design, not of the games.
    if anchored(state.information.clone(), 0.0).cholesky(1e-9).is_none() {
        return Err(FitError::Confounded);
    }
    let objective = |state: &State, parameters: &[f64]| {
        dot(&won, parameters) - state.log_sum - 0.5 * ridge * dot(parameters, parameters)
    };
    let mut converged = false;
    for _ in 0..100 {
        let gradient: Vec<f64> =
            (0..size).map(|i| won[i] - state.expected[i] - ridge * parameters[i]).collect();
        let factor = anchored(state.information.clone(), ridge)
            .cholesky(0.0)
            .ok_or(FitError::NotConverged)?;
        let step = factor.solve(&gradient);
        // The square of the step in standard errors.
        let decrement = dot(&step, &gradient);
        let moved = |share: f64| -> Vec<f64> {
            parameters.iter().zip(&step).map(|(value, step)| value + share * step).collect()
        };
        if decrement < 1e-6 {
            // So near the end Newton's steps are good, and rises of the likelihood are too small to see.
            parameters = moved(1.0);
            state = model.at(&parameters);
            if decrement < 1e-20 {
                converged = true;
                break;
            }
            continue;
        }
        let before = objective(&state, &parameters);
        let mut share = 1.0;
        loop {
            let next = moved(share);
            let next_state = model.at(&next);
            if objective(&next_state, &next) > before {
                (parameters, state) = (next, next_state);
                break;
            }
            share *= 0.5;
            if share < 1e-12 {
                return Err(FitError::NotConverged);
            }
        }
    }
    if !converged {
        return Err(FitError::NotConverged);
    }

    let information =
        anchored(state.information, ridge).cholesky(0.0).ok_or(FitError::NotConverged)?;
    let totals = sums.totals.len();
    let spread = Matrix::from_fn(size, |i, j| {
        let (i, j) = (total_of(i), total_of(j));
        sums.centred(sums.products[i * totals + j], sums.totals[i], sums.totals[j])
    });
    let sandwich = information.inverse().sandwich(&spread);
    let correction = model.blocks / (model.blocks - 1.0);
    // Exactly symmetric, so that a difference has the same error from both sides.
    let covariance =
        Matrix::from_fn(size, |i, j| 0.5 * correction * (sandwich.get(i, j) + sandwich.get(j, i)));
    Ok(Fit {
        bots: design.bots,
        parameters,
        covariance,
        information,
        finite: is_finite(design, sums, seat_terms),
        seat_terms,
    })
}

/// Whether the likelihood has its maximum at finite parameters: no part of the bots always loses to the rest (Ford
/// 1957), and every seat won something.
fn is_finite(design: &Design, sums: &PayoffSums, seat_terms: SeatTerms) -> bool {
    // i won something where j sat at the table.
    let beat = |i: usize, j: usize| {
        design.members.iter().enumerate().any(|(lineup, members)| {
            members.contains(&i) && members.contains(&j) && sums.cells[design.cell(lineup, i)] > 0
        })
    };
    let all_beaten = reachable(design.bots, beat).iter().all(|&reached| reached);
    let all_beat = reachable(design.bots, |i, j| beat(j, i)).iter().all(|&reached| reached);
    let seats =
        seat_terms == SeatTerms::None || sums.totals[design.bots..].iter().all(|&won| won > 0);
    all_beaten && all_beat && seats
}

/// Who can be reached from the first along steps from `i` to `j`.
fn reachable(bots: usize, step: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut reached = vec![false; bots];
    let mut open = vec![0];
    while let Some(from) = open.pop() {
        if !std::mem::replace(&mut reached[from], true) {
            open.extend((0..bots).filter(|&to| !reached[to] && step(from, to)));
        }
    }
    reached
}

struct Model<'a> {
    design: &'a Design,
    seat_terms: SeatTerms,
    blocks: f64,
}

/// The model at some parameters, over all blocks.
struct State {
    /// The sum over games of the logarithms of the denominators.
    log_sum: f64,
    /// Expected wins, by parameter.
    expected: Vec<f64>,
    /// Minus the second derivative of the log-likelihood.
    information: Matrix,
}

impl Model<'_> {
    fn size(&self) -> usize {
        let seats = if self.seat_terms == SeatTerms::Fitted { self.design.seats - 1 } else { 0 };
        self.design.bots + seats
    }

    /// The parameters that a seat's probability depends on: its bot's and its own.
    fn of_seat(&self, seat: usize, bot: usize) -> impl Iterator<Item = usize> + Clone {
        let term =
            (seat > 0 && self.seat_terms == SeatTerms::Fitted).then(|| self.design.bots + seat - 1);
        std::iter::once(bot).chain(term)
    }

    /// Probabilities of the seats of a table, and the logarithm of their denominator.
    fn probabilities(&self, table: &[usize], parameters: &[f64]) -> (Vec<f64>, f64) {
        let exponents: Vec<f64> = table
            .iter()
            .enumerate()
            .map(|(seat, &bot)| self.of_seat(seat, bot).map(|i| parameters[i]).sum())
            .collect();
        let greatest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut worths: Vec<f64> =
            exponents.iter().map(|exponent| libm::exp(exponent - greatest)).collect();
        let sum: f64 = worths.iter().sum();
        worths.iter_mut().for_each(|worth| *worth /= sum);
        (worths, greatest + libm::log(sum))
    }

    fn at(&self, parameters: &[f64]) -> State {
        let size = self.size();
        let mut log_sum = 0.0;
        let mut expected = vec![0.0; size];
        let mut information = Matrix::zero(size);
        for table in self.design.tables.iter().flatten() {
            let (p, log) = self.probabilities(table, parameters);
            log_sum += self.blocks * log;
            for (seat, &bot) in table.iter().enumerate() {
                for i in self.of_seat(seat, bot) {
                    expected[i] += self.blocks * p[seat];
                    self.slopes(table, &p, seat, |j, slope| information.add(i, j, slope));
                }
            }
        }
        State { log_sum, expected, information }
    }

    /// The derivatives by each parameter of the wins that are expected of a seat, over all blocks.
    fn slopes(&self, table: &[usize], p: &[f64], seat: usize, mut add: impl FnMut(usize, f64)) {
        for (other, &bot) in table.iter().enumerate() {
            let own = if seat == other { 1.0 } else { 0.0 };
            let slope = self.blocks * p[seat] * (own - p[other]);
            for j in self.of_seat(other, bot) {
                add(j, slope);
            }
        }
    }
}

impl Fit {
    /// The bots' log-worths; their sum is 0.
    #[must_use]
    pub fn worths(&self) -> &[f64] {
        &self.parameters[..self.bots]
    }

    /// The advantages of the seats from the second on over the first, in log-worth; none without seat terms.
    #[must_use]
    pub fn seat_terms(&self) -> &[f64] {
        &self.parameters[self.bots..]
    }

    /// A bot's rating in Elo, relative to the mean of all bots, with its standard error.
    #[must_use]
    pub fn elo(&self, bot: usize) -> (f64, f64) {
        (ELO_A_LOG * self.worths()[bot], ELO_A_LOG * self.error(bot))
    }

    /// By how much Elo one bot is above another, with its standard error. This is the number to compare bots by: errors
    /// of two ratings are not independent.
    #[must_use]
    pub fn elo_difference(&self, bot: usize, other: usize) -> (f64, f64) {
        let variance = self.covariance.get(bot, bot) + self.covariance.get(other, other)
            - 2.0 * self.covariance.get(bot, other);
        let worths = self.worths();
        (ELO_A_LOG * (worths[bot] - worths[other]), ELO_A_LOG * variance.max(0.0).sqrt())
    }

    /// The advantage of a seat, from 1 for the second on, over the first in Elo, with its standard error. Nothing
    /// without seat terms, and for the first seat.
    #[must_use]
    pub fn seat_elo(&self, seat: usize) -> Option<(f64, f64)> {
        let term = seat.checked_sub(1)?;
        let value = self.seat_terms().get(term)?;
        Some((ELO_A_LOG * value, ELO_A_LOG * self.error(self.bots + term)))
    }

    /// All differences: row by row, how much Elo the bot of the row is above that of the column, with its standard
    /// error.
    #[must_use]
    pub fn elo_differences(&self) -> Vec<Vec<(f64, f64)>> {
        let row = |bot| (0..self.bots).map(|other| self.elo_difference(bot, other)).collect();
        (0..self.bots).map(row).collect()
    }

    /// Whether the data alone keep the ratings finite. If not, some bot or group of bots won nothing or everything
    /// against the rest, or a seat won nothing; the ridge then decides how far away it is put, and the errors say
    /// nothing.
    #[must_use]
    pub fn finite(&self) -> bool {
        self.finite
    }

    fn error(&self, parameter: usize) -> f64 {
        self.covariance.get(parameter, parameter).max(0.0).sqrt()
    }

    /// How well the ratings explain what each bot won in each line-up.
    ///
    /// # Panics
    /// If design and sums are not those of the fit.
    #[must_use]
    pub fn goodness(&self, design: &Design, sums: &PayoffSums) -> Goodness {
        let model = Model { design, seat_terms: self.seat_terms, blocks: sums.blocks as f64 };
        let size = model.size();
        assert_eq!(size, self.parameters.len(), "a fit of another design");
        let cells = design.cell_count();
        let mut expected = vec![0.0; cells];
        let mut slopes = vec![vec![0.0; size]; cells];
        for (lineup, seatings) in design.tables.iter().enumerate() {
            for table in seatings {
                let (p, _) = model.probabilities(table, &self.parameters);
                for (seat, &bot) in table.iter().enumerate() {
                    let cell = design.cell(lineup, bot);
                    expected[cell] += model.blocks * p[seat];
                    model.slopes(table, &p, seat, |j, slope| slopes[cell][j] += slope);
                }
            }
        }
        let totals = sums.totals.len();
        let correction = model.blocks / (model.blocks - 1.0);
        let total_of = |parameter: usize| parameter + usize::from(parameter >= design.bots);
        let residuals: Vec<Residual> = design
            .cells()
            .enumerate()
            .map(|(cell, (lineup, bot))| {
                // To first order the residual is o - E - j H^-1 (u - E_u): wins of the cell minus what they move the
                // ratings by. Its variance, from the spread of the blocks:
                let weights = self.information.solve(&slopes[cell]);
                let own = sums.centred(sums.cell_squares[cell], sums.cells[cell], sums.cells[cell]);
                let with: Vec<f64> = (0..size)
                    .map(|parameter| {
                        let total = total_of(parameter);
                        let products = sums.cell_products[cell * totals + total];
                        sums.centred(products, sums.cells[cell], sums.totals[total])
                    })
                    .collect();
                // j H^-1 M H^-1 j is j times the covariance times j, which has the correction already.
                let moved = dot(&slopes[cell], &self.covariance.times(&slopes[cell]));
                let variance = correction * (own - 2.0 * dot(&weights, &with)) + moved;
                Residual {
                    lineup,
                    bot,
                    won: sums.cells[cell] as f64 / 12.0,
                    expected: expected[cell],
                    error: variance.max(0.0).sqrt(),
                }
            })
            .collect();
        let mut statistic = 0.0;
        let mut mean = 0.0;
        for residual in &residuals {
            let apart = residual.won - residual.expected;
            statistic += apart * apart / residual.expected;
            mean += residual.error * residual.error / residual.expected;
        }
        let freedom =
            (cells - design.members.len()).saturating_sub(design.bots - 1).try_into().unwrap_or(0);
        Goodness { statistic, freedom, mean, residuals }
    }
}

/// What a bot won in a line-up, and what the ratings expect. In games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// The line-up.
    pub lineup: usize,
    /// The bot.
    pub bot: usize,
    /// What it won, shared wins by their shares.
    pub won: f64,
    /// What it would win on average if the ratings were the truth.
    pub expected: f64,
    /// The standard error of the difference, from the spread of the blocks.
    pub error: f64,
}

/// How well one number for each bot explains who won against whom.
///
/// # What it can tell
/// - Whether bots do better or worse against some opponents than their ratings say: whether A beats B, B beats C and C
///   beats A, or whether a bot at a table of three takes its wins from one opponent more than from the other.
/// - With two bots at tables of more than two, whether the answer to "one A among Bs" and to "one B among As" is the
///   same: the line-ups `A,B,B` and `B,A,A` leave one degree of freedom. There the p-value is exact for many blocks.
///
/// # What it cannot tell
/// - The textbook's chi-square distribution of [`statistic`](Self::statistic) with [`freedom`](Self::freedom) degrees
///   supposes independent games. Games of a block are not: rotation usually makes the statistic smaller than that,
///   common luck can make it greater. So [`mean`](Self::mean) says how great it is expected to be *if the model is
///   true*, from the spread of the blocks, and [`p_value`](Self::p_value) uses the statistic times `freedom / mean`
///   (the first-order correction of Rao and Scott, 1984). That gets the mean right, and not the shape: take a value of
///   0.01 for "about 0.01".
/// - Wins are summed over seatings: a bot that is good in one seat and bad in another is not seen.
/// - With one line-up, or as many bots as all line-ups have room to tell apart, there is nothing to test:
///   [`freedom`](Self::freedom) is 0.
/// - With very many games it finds differences that do not matter. Look at the residuals: how many games of a hundred
///   are they?
#[derive(Clone, Debug, PartialEq)]
pub struct Goodness {
    /// The sum over line-ups and bots of `(won - expected)² / expected` (Pearson 1900).
    pub statistic: f64,
    /// Degrees of freedom: pairs of a line-up and a bot, less one for each line-up, whose wins sum to its games, less
    /// the number of differences between bots.
    pub freedom: u32,
    /// The value that the statistic has on average if the model is true. With independent games near `freedom`.
    pub mean: f64,
    /// By line-up and bot.
    pub residuals: Vec<Residual>,
}

impl Goodness {
    /// About how probable so great a statistic is if the model is true. Nothing where there is nothing to test.
    #[must_use]
    pub fn p_value(&self) -> Option<f64> {
        let testable = self.freedom > 0 && self.mean > 0.0;
        testable.then(|| {
            let scaled = self.statistic * f64::from(self.freedom) / self.mean;
            chi_square_above(self.freedom, scaled)
        })
    }
}
