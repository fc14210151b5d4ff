//! What a result says of strength where there are many bots or line-ups: [`Ratings`], [`TwoQuestions`].

use serde::Serialize;

use crate::experiment::Experiment;
use crate::rounded::rounded;
use crate::schedule::Schedule;
use crate::stats::elo::{Contest, Estimate};
use crate::stats::payoffs::{Design, PayoffSums};
use crate::stats::plackett_luce::{self, Fit, RIDGE, SeatTerms};
use sho_core::RuleSet;

/// A number of Elo with its standard error, from blocks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Elo {
    /// The number.
    pub elo: f64,
    /// Its standard error.
    pub se: f64,
}

impl Elo {
    fn new((elo, se): (f64, f64)) -> Self {
        Self { elo: rounded(elo), se: rounded(se) }
    }
}

/// Ratings of all bots, or why there are none.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Ratings {
    /// The ratings.
    Fitted(Box<FittedRatings>),
    /// There are none.
    None {
        /// Why.
        reason: String,
    },
}

/// Winner-only Plackett-Luce ratings with seat terms; see [`plackett_luce`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedRatings {
    /// The ridge.
    pub ridge: f64,
    /// Whether the games alone keep all ratings finite; if not, the ridge decides how far apart some are.
    pub finite: bool,
    /// Each bot's rating, relative to the mean of all.
    pub bots: Vec<Elo>,
    /// The advantage of the seats from the second on over the first; empty where bots did not change seats.
    pub seats: Vec<Elo>,
    /// Row by row how much the bot of the row is above that of the column.
    pub differences: Vec<Vec<Elo>>,
    /// How well the ratings explain who won against whom.
    pub fit: GoodnessOfFit,
}

/// How well ratings fit; see [`plackett_luce::Goodness`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GoodnessOfFit {
    /// Pearson's statistic.
    pub chi_square: f64,
    /// Its degrees of freedom; 0 where there is nothing to test.
    pub freedom: u32,
    /// What it would be on average if the ratings were the truth.
    pub mean: f64,
    /// About how probable so great a value is if they are; nothing where there is nothing to test.
    pub p_value: Option<f64>,
    /// For each line-up and bot in it what it won and what the ratings expect.
    pub residuals: Vec<Residual>,
}

/// What a bot won in a line-up, in games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Residual {
    /// The line-up's index.
    pub lineup: usize,
    /// The bot's index.
    pub bot: usize,
    /// What it won, shared wins by their shares.
    pub won: f64,
    /// What the ratings expect.
    pub expected: f64,
    /// The standard error of the difference.
    pub se: f64,
}

impl Ratings {
    /// The ratings of an experiment with more than two bots or several line-ups; nothing for others, where they would
    /// say what the scores say.
    pub(crate) fn new<R: RuleSet>(experiment: &Experiment<R>, sums: &PayoffSums) -> Option<Self> {
        if experiment.bots.len() < 3 && experiment.lineups.len() < 2 {
            return None;
        }
        let design = experiment.design();
        let seat_terms = match experiment.schedule {
            // A seat and its bot cannot be told apart there.
            Schedule::Fixed => SeatTerms::None,
            Schedule::Rotations | Schedule::Permutations => SeatTerms::Fitted,
        };
        Some(match plackett_luce::fit(&design, sums, seat_terms, RIDGE) {
            Ok(fit) => Self::Fitted(Box::new(FittedRatings::new(&fit, &design, sums))),
            Err(error) => Self::None { reason: error.to_string() },
        })
    }
}

impl FittedRatings {
    fn new(fit: &Fit, design: &Design, sums: &PayoffSums) -> Self {
        let goodness = fit.goodness(design, sums);
        let differences =
            fit.elo_differences().into_iter().map(|row| row.into_iter().map(Elo::new).collect());
        Self {
            ridge: RIDGE,
            finite: fit.finite(),
            bots: (0..fit.worths().len()).map(|bot| Elo::new(fit.elo(bot))).collect(),
            seats: (1..).map_while(|seat| fit.seat_elo(seat).map(Elo::new)).collect(),
            differences: differences.collect(),
            fit: GoodnessOfFit {
                chi_square: rounded(goodness.statistic),
                freedom: goodness.freedom,
                mean: rounded(goodness.mean),
                p_value: goodness.p_value().map(rounded),
                residuals: goodness
                    .residuals
                    .iter()
                    .map(|residual| Residual {
                        lineup: residual.lineup,
                        bot: residual.bot,
                        won: rounded(residual.won),
                        expected: rounded(residual.expected),
                        se: rounded(residual.error),
                    })
                    .collect(),
            },
        }
    }
}

/// Whether a bot is better than another, asked both ways: one of it among copies of the other, and one of the other
/// among copies of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TwoQuestions {
    /// The bot's index.
    pub bot: usize,
    /// The other's.
    pub other: usize,
    /// How much the bot is above the other where it is alone; nothing where it won nothing or everything.
    pub one_among_others: Option<Elo>,
    /// How much it is above the other where that is alone.
    pub others_among_it: Option<Elo>,
    /// The first number less the second. Both come from the same blocks: the error has their covariance.
    pub difference: Option<Elo>,
}

impl TwoQuestions {
    /// The answers of an experiment, one for each pair of line-ups that turn one another round.
    pub(crate) fn all<R: RuleSet>(experiment: &Experiment<R>, sums: &PayoffSums) -> Vec<Self> {
        let design = experiment.design();
        let (seats, blocks) = (experiment.rules.sides() as u32, sums.blocks());
        let games = (experiment.games_a_block() / experiment.lineups.len() as u64) as u32;
        let mirrors = design.mirrors().iter().enumerate();
        mirrors
            .map(|(index, mirror)| {
                let estimate = |lineup, held| {
                    let contest = Contest::new(seats, held, games)?;
                    let sum = sums.cell(design.cell(lineup, mirror.bot));
                    let estimate = Estimate::new(contest, sum, blocks)?;
                    let elo = (estimate.elo()?, estimate.elo_error()?);
                    // Elo for each twelfth of a block.
                    Some((elo, estimate.elo_slope()? / f64::from(contest.scale())))
                };
                let alone = estimate(mirror.alone, 1);
                let among = estimate(mirror.among, seats - 1);
                let difference = || {
                    let ((first, first_error), first_slope) = alone?;
                    let ((second, second_error), second_slope) = among?;
                    let shared = sums.mirror_covariance(&design, index)? / blocks as f64;
                    let variance = first_error * first_error + second_error * second_error
                        - 2.0 * first_slope * second_slope * shared;
                    Some(Elo::new((first - second, variance.max(0.0).sqrt())))
                };
                Self {
                    bot: mirror.bot,
                    other: mirror.other,
                    one_among_others: alone.map(|(elo, _)| Elo::new(elo)),
                    others_among_it: among.map(|(elo, _)| Elo::new(elo)),
                    difference: difference(),
                }
            })
            .collect()
    }
}
