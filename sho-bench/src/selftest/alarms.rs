//! What is said of a match, and whether it is so.

use serde::Serialize;

use super::check::Claim;
use super::source::{Counts, Outcome};
use crate::experiment::Experiment;
use crate::rounded::rounded;
use crate::stats::bootstrap::GroupSums;
use crate::stats::confidence_sequence;
use crate::stats::elo::{Contest, Estimate};
use crate::stats::interval::half_width;
use crate::stats::payoffs::{BlockPayoffs, Design, PayoffSums};
use crate::stats::plackett_luce::{Fit, RIDGE, SeatTerms, fit};
use crate::stats::quantile::{interval, share_interval};
use crate::stats::sprt::{Bounds, Sprt, SprtRun, Verdict};
use crate::tally::{BlockSum, Histogram};
use sho_core::{RuleSet, Seat};

/// How far apart the hypotheses of the sequential tests are, in Elo: so far that most tests are decided within the
/// usual match.
pub const SPRT_ELO: f64 = 50.0;

/// Replicates of the bootstrap. Few, as there are many matches; the ends of the interval are the 5th from below and from
/// above, so that it misses as often as one of many replicates.
const REPLICATES: u32 = 199;

/// What is said of equals. In the order of [`of_equals`].
pub const EQUAL: [Claim; 8] = [
    Claim::exactly("score", "interval of the score leaves out 1/k", 0.05),
    Claim::exactly("elo", "interval of Elo leaves out 0", 0.05),
    Claim::exactly("los-high", "chance to be better is above 95 %", 0.05),
    Claim::exactly("los-low", "chance to be better is below 5 %", 0.05),
    Claim::at_most("sprt-h1", "test of 0 against +50 Elo accepts +50", 0.05),
    Claim::at_most("sprt-h0", "test of -50 against 0 Elo accepts -50", 0.05),
    Claim::at_most("live", "live interval leaves out 1/k at a look", 0.05),
    Claim::exactly("halves", "mean lengths of the halves differ", 0.05),
];

/// What is said of a pool of equals. In the order of [`of_pool`].
pub const POOL: [Claim; 2] = [
    Claim::exactly("rating", "ratings of two bots differ", 0.05),
    Claim::exactly("fit", "fit has a p-value below 5 %", 0.05),
];

/// What is said of two equals with another bot at their table. In the order of [`of_third`].
pub const THIRD: [Claim; 1] = [POOL[0]];

const SEAT: Claim = Claim::exactly("seat", "interval of seat A's score misses", 0.05);
const LENGTH: Claim = Claim::exactly("length", "interval of the mean length misses", 0.05);
const BOOTSTRAP: Claim = Claim::exactly("bootstrap", "bootstrap of the mean length misses", 0.05);
const MEDIAN: Claim = Claim::at_most("median", "interval of the median length misses", 0.05);
const SHARE: Claim = Claim::at_most("share", "interval of a share of blocks misses", 0.05);

/// What is said of copies of a bot: of seats and lengths, as copies have no strength. In the order of [`of_copies`].
pub const COPIES: [Claim; 5] = [SEAT, LENGTH, BOOTSTRAP, MEDIAN, SHARE];

/// What is said of bots of which the truth is known. In the order of [`of_truth`].
pub const TRUTH: [Claim; 8] = [
    Claim::exactly("score", "interval of the score misses", 0.05),
    Claim::exactly("elo", "interval of Elo misses", 0.05),
    Claim::exactly("rating", "interval of the rating difference misses", 0.05),
    SEAT,
    LENGTH,
    BOOTSTRAP,
    MEDIAN,
    SHARE,
];

/// That a tournament counts the same.
pub(crate) const COUNTS: Claim =
    Claim::at_most("counts", "a tournament counts other sums by block", 0.0);

/// What is counted of the games of some blocks.
#[derive(Clone, Debug)]
pub struct Totals {
    contest: Option<Contest>,
    design: Design,
    games_a_block: u64,
    blocks: u64,
    bots: Vec<BlockSum>,
    seats: Vec<BlockSum>,
    /// Lengths of a block's games together.
    length: BlockSum,
    ratings: PayoffSums,
    /// Of the first game of each block.
    first_lengths: Histogram,
    /// The first bot's payoffs, block by block.
    payoffs: Vec<u32>,
    /// Lengths, block by block.
    lengths: Vec<u64>,
}

impl Totals {
    /// Counts the games of whole blocks of an experiment.
    ///
    /// # Panics
    /// If they are not whole blocks of the experiment.
    #[must_use]
    pub fn new<R: RuleSet>(experiment: &Experiment<R>, games: &[Outcome]) -> Self {
        let sides = experiment.rules.sides();
        let seatings = experiment.schedule.seatings(sides);
        let bots = experiment.bots.len();
        let design = Design::new(bots, &experiment.lineups, &seatings);
        let games_a_block = experiment.games_a_block();
        assert_eq!(games.len() as u64 % games_a_block, 0, "games of whole blocks");
        let mut totals = Self {
            // The first bot holds one seat, against equals.
            contest: Contest::new(sides as u32, 1, games_a_block as u32),
            games_a_block,
            blocks: 0,
            bots: vec![BlockSum::default(); bots],
            seats: vec![BlockSum::default(); sides],
            length: BlockSum::default(),
            ratings: PayoffSums::new(&design),
            first_lengths: Histogram::default(),
            payoffs: Vec::new(),
            lengths: Vec::new(),
            design,
        };
        let mut block_payoffs = BlockPayoffs::new(&totals.design);
        for block in games.chunks_exact(games_a_block as usize) {
            let mut bots = vec![0; bots];
            let mut seats = vec![0; sides];
            let mut length = 0;
            for game in block {
                let seating = &seatings[game.seating];
                for (seat, &payoff) in game.payoffs.iter(sides) {
                    let bot = experiment.lineups[game.lineup][seating[seat]];
                    bots[bot] += u64::from(payoff);
                    seats[seat.index()] += u64::from(payoff);
                }
                length += u64::from(game.length);
                let payoffs = game.payoffs.as_slice(sides);
                block_payoffs.game(&totals.design, game.lineup, game.seating, payoffs);
            }
            totals.blocks += 1;
            // A block has at most a few dozen games of 12 twelfths.
            totals.payoffs.push(bots[0] as u32);
            totals.lengths.push(length);
            add_all(&mut totals.bots, &bots);
            add_all(&mut totals.seats, &seats);
            totals.length.add(length);
            totals.ratings.add(&totals.design, &mut block_payoffs);
            totals.first_lengths.add(block[0].length);
        }
        totals
    }

    /// Adds other blocks of the same experiment.
    pub fn merge(&mut self, other: &Self) {
        self.blocks += other.blocks;
        let pairs = self.bots.iter_mut().chain(&mut self.seats);
        for (sum, more) in pairs.zip(other.bots.iter().chain(&other.seats)) {
            sum.merge(*more);
        }
        self.length.merge(other.length);
        self.ratings.merge(&other.ratings);
        self.first_lengths.merge(&other.first_lengths);
        self.payoffs.extend(&other.payoffs);
        self.lengths.extend(&other.lengths);
    }

    /// What a tournament counts as well.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts { bots: self.bots.clone(), seats: self.seats.clone(), length: self.length }
    }

    /// The strength of the first bot; nothing where it is alone.
    fn estimate(&self) -> Option<Estimate> {
        if self.bots.len() < 2 {
            return None;
        }
        Estimate::new(self.contest?, self.bots[0], self.blocks)
    }

    /// The score of the first seat, whoever holds it, with its standard error.
    fn first_seat(&self) -> (f64, Option<f64>) {
        let sum = self.seats[Seat::A.index()];
        self.mean(sum, 12.0 * self.games_a_block as f64)
    }

    /// The mean length of a game with its standard error.
    fn mean_length(&self) -> (f64, Option<f64>) {
        self.mean(self.length, self.games_a_block as f64)
    }

    /// The mean of something in a block, divided by `scale`.
    fn mean(&self, sum: BlockSum, scale: f64) -> (f64, Option<f64>) {
        let error = sum.standard_error(self.blocks).map(|error| error / scale);
        (sum.sum as f64 / (scale * self.blocks as f64), error)
    }

    fn fit(&self) -> Option<Fit> {
        if self.bots.len() < 2 {
            return None;
        }
        fit(&self.design, &self.ratings, SeatTerms::Fitted, RIDGE).ok().filter(Fit::finite)
    }

    /// How many blocks have a first game that is longer.
    fn longer(&self, length: u32) -> u64 {
        self.first_lengths.iter().filter(|&(value, _)| value > length).map(|(_, count)| count).sum()
    }

    /// Whether the 95 % interval of a number leaves out the truth.
    fn leaves_out(&self, value: f64, error: Option<f64>, truth: f64) -> Option<bool> {
        Some((value - truth).abs() > half_width(error?, self.blocks)?)
    }

    /// What a test of `low` against `high` Elo comes to.
    fn sprt(&self, low: f64, high: f64) -> Option<Verdict> {
        let test = Sprt::new(self.contest?, Bounds::Logistic { low, high }, 0.05, 0.05).ok()?;
        let mut run = SprtRun::new(test);
        self.payoffs.iter().for_each(|&payoff| {
            run.add(payoff);
        });
        Some(run.verdict())
    }

    /// Whether the live interval leaves out equal strength at some look.
    fn live_leaves_out(&self) -> Option<bool> {
        let contest = self.contest?;
        let mut sum = BlockSum::default();
        let mut left_out = false;
        for (blocks, &payoff) in (1..).zip(&self.payoffs) {
            sum.add(payoff.into());
            if blocks >= confidence_sequence::FIRST_LOOK {
                let estimate = Estimate::new(contest, sum, blocks)?;
                let planned = self.blocks;
                let width = confidence_sequence::half_width(estimate.sd()?, blocks, planned, 0.05)?;
                left_out |= (estimate.score() - contest.equal_score()).abs() > width;
            }
        }
        Some(left_out)
    }

    /// Whether the interval of the difference between the mean lengths of both halves leaves out 0.
    fn halves_differ(&self) -> Option<bool> {
        let (first, second) = self.lengths.split_at(self.lengths.len() / 2);
        let mean = |lengths: &[u64]| {
            let mut sum = BlockSum::default();
            lengths.iter().for_each(|&length| sum.add(length));
            let blocks = lengths.len() as u64;
            Some((sum.sum as f64 / blocks as f64, sum.standard_error(blocks)?))
        };
        let ((a, a_error), (b, b_error)) = (mean(first)?, mean(second)?);
        self.leaves_out(a - b, Some((a_error * a_error + b_error * b_error).sqrt()), 0.0)
    }

    /// Whether the bootstrap's interval of the mean length leaves it out.
    fn bootstrap_leaves_out(&self, truth: f64) -> Option<bool> {
        let mut sums = GroupSums::new(1);
        for (block, &length) in (0..).zip(&self.lengths) {
            sums.add(block, &[length as i64]);
        }
        let games = self.games_a_block as f64;
        // The seed could be any: the blocks are others in each match.
        let (low, high) =
            sums.interval(0, REPLICATES, 0.05, |sums| sums[1] as f64 / (sums[0] as f64 * games))?;
        Some(truth < low || truth > high)
    }
}

fn add_all(sums: &mut [BlockSum], values: &[u64]) {
    for (sum, &value) in sums.iter_mut().zip(values) {
        sum.add(value);
    }
}

/// Which of [`EQUAL`] happened in a match of equals; nothing where it has no meaning.
#[must_use]
pub fn of_equals(totals: &Totals) -> Vec<Option<bool>> {
    let estimate = totals.estimate();
    let score = || {
        let estimate = estimate?;
        totals.leaves_out(estimate.score(), estimate.error(), totals.contest?.equal_score())
    };
    let elo = || {
        let estimate = estimate?;
        totals.leaves_out(estimate.elo()?, estimate.elo_error(), 0.0)
    };
    let los = || estimate?.los();
    vec![
        score(),
        elo(),
        los().map(|los| los > 0.95),
        los().map(|los| los < 0.05),
        totals.sprt(0.0, SPRT_ELO).map(|verdict| verdict == Verdict::H1),
        totals.sprt(-SPRT_ELO, 0.0).map(|verdict| verdict == Verdict::H0),
        totals.live_leaves_out(),
        totals.halves_differ(),
    ]
}

/// Which of [`POOL`] happened in a pool of equals.
#[must_use]
pub fn of_pool(totals: &Totals) -> Vec<Option<bool>> {
    let Some(fit) = totals.fit() else { return vec![None; POOL.len()] };
    let (elo, error) = fit.elo_difference(0, 1);
    let p_value = fit.goodness(&totals.design, &totals.ratings).p_value();
    vec![totals.leaves_out(elo, Some(error), 0.0), p_value.map(|p| p < 0.05)]
}

/// Which of [`THIRD`] happened at a table of two equals and another.
#[must_use]
pub fn of_third(totals: &Totals) -> Vec<Option<bool>> {
    let difference = totals.fit().map(|fit| fit.elo_difference(0, 1));
    vec![difference.and_then(|(elo, error)| totals.leaves_out(elo, Some(error), 0.0))]
}

/// Which of [`COPIES`] happened in a match of copies of which a long run says the truth.
#[must_use]
pub fn of_copies(totals: &Totals, truth: &Reference) -> Vec<Option<bool>> {
    let seat = || {
        let (score, error) = totals.first_seat();
        totals.leaves_out(score, error, truth.seat)
    };
    let length = || {
        let (length, error) = totals.mean_length();
        totals.leaves_out(length, error, truth.length)
    };
    let median = || {
        let (low, high) = interval(&totals.first_lengths, 0.5, 0.05);
        Some(truth.median? < low? || truth.median? > high?)
    };
    let share = || {
        let (low, high) = share_interval(totals.longer(truth.median?), totals.blocks, 0.05);
        Some(truth.longer < low || truth.longer > high)
    };
    vec![seat(), length(), totals.bootstrap_leaves_out(truth.length), median(), share()]
}

/// Which of [`TRUTH`] happened in a match of unequal bots of which a long run says the truth.
#[must_use]
pub fn of_truth(totals: &Totals, truth: &Reference) -> Vec<Option<bool>> {
    let estimate = totals.estimate();
    let score = || {
        let estimate = estimate?;
        totals.leaves_out(estimate.score(), estimate.error(), truth.score?)
    };
    let elo = || {
        let estimate = estimate?;
        totals.leaves_out(estimate.elo()?, estimate.elo_error(), truth.elo?)
    };
    let rating = || {
        let (elo, error) = totals.fit()?.elo_difference(0, 1);
        totals.leaves_out(elo, Some(error), truth.rating?)
    };
    let mut happened = vec![score(), elo(), rating()];
    happened.extend(of_copies(totals, truth));
    happened
}

/// The truth, as a long run says it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reference {
    /// Blocks of the long run. None of them is in a match.
    pub blocks: u64,
    /// The first bot's score; nothing where it is alone.
    pub score: Option<f64>,
    /// Its standard error, from blocks.
    pub score_se: Option<f64>,
    /// Its Elo difference to the others.
    pub elo: Option<f64>,
    /// The difference of ratings between the first bot and the second.
    pub rating: Option<f64>,
    /// Seat A's score.
    pub seat: f64,
    /// Its standard error, from blocks.
    pub seat_se: Option<f64>,
    /// The mean length of a game, in the game's first unit.
    pub length: f64,
    /// Its standard error, from blocks.
    pub length_se: Option<f64>,
    /// The median length of the first game of a block.
    pub median: Option<u32>,
    /// The share of blocks whose first game is longer than that.
    pub longer: f64,
}

impl Reference {
    /// What a long run says.
    #[must_use]
    pub fn new(long: &Totals) -> Self {
        let estimate = long.estimate();
        let (seat, seat_se) = long.first_seat();
        let (length, length_se) = long.mean_length();
        let median = long.first_lengths.quantile(50);
        let longer = median.map_or(0, |median| long.longer(median));
        Self {
            blocks: long.blocks,
            score: estimate.map(|estimate| rounded(estimate.score())),
            score_se: estimate.and_then(|estimate| estimate.error()).map(rounded),
            elo: estimate.and_then(|estimate| estimate.elo()).map(rounded),
            rating: long.fit().map(|fit| rounded(fit.elo_difference(0, 1).0)),
            seat: rounded(seat),
            seat_se: seat_se.map(rounded),
            length: rounded(length),
            length_se: length_se.map(rounded),
            median,
            longer: rounded(longer as f64 / long.blocks as f64),
        }
    }
}
