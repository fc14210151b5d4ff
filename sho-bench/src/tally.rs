//! What a tournament counts: [`Tally`]. Integers only, so that tallies merge in any order to the same bytes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sho_ai::Played;
use sho_core::{Game, PerSeat, RuleSet, Seat, Unit};

use crate::distinct::DistinctGames;
use crate::exec::FaultTally;
use crate::experiment::{Experiment, MetricsTier};
use crate::metrics::{BlockMetrics, Measured, MetricTally};
use crate::stats::payoffs::{BlockPayoffs, Design, PayoffSums};

/// A sum over blocks of a whole number and of its square: enough for a mean and its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSum {
    /// The sum.
    pub sum: u64,
    /// The sum of squares.
    pub squares: u128,
}

impl BlockSum {
    /// Adds one block's value.
    pub fn add(&mut self, value: u64) {
        self.sum += value;
        self.squares += u128::from(value) * u128::from(value);
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The standard error of the mean over `blocks` blocks; nothing with fewer than two.
    #[must_use]
    pub fn standard_error(&self, blocks: u64) -> Option<f64> {
        let n = u128::from(blocks);
        if n < 2 {
            return None;
        }
        // n * sum of squares - sum^2 is exact in integers: no cancellation.
        let spread = n * self.squares - u128::from(self.sum) * u128::from(self.sum);
        let n = blocks as f64;
        Some((spread as f64 / (n - 1.0)).sqrt() / n)
    }
}

/// Counts of a small whole number, exact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram(Vec<u64>);

impl Histogram {
    /// Counts one value.
    pub fn add(&mut self, value: u32) {
        let index = value as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, 0);
        }
        self.0[index] += 1;
    }

    /// Counts one value so many times.
    pub fn add_many(&mut self, value: u32, count: u64) {
        if count > 0 {
            self.add(value);
            self.0[value as usize] += count - 1;
        }
    }

    /// Adds the counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (count, more) in self.0.iter_mut().zip(&other.0) {
            *count += more;
        }
    }

    /// The values that were counted in rising order, each with its count.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> + '_ {
        self.0
            .iter()
            .enumerate()
            .filter(|&(_, &count)| count > 0)
            .map(|(value, &count)| (value as u32, count))
    }

    /// How many values were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean; nothing where nothing was counted.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let sum: u128 =
            self.iter().map(|(value, count)| u128::from(value) * u128::from(count)).sum();
        (self.count() > 0).then(|| sum as f64 / self.count() as f64)
    }

    /// The standard deviation of the values; nothing with fewer than two.
    #[must_use]
    pub fn standard_deviation(&self) -> Option<f64> {
        let n = u128::from(self.count());
        if n < 2 {
            return None;
        }
        let (mut sum, mut squares) = (0, 0);
        for (value, count) in self.iter() {
            let (value, count) = (u128::from(value), u128::from(count));
            sum += value * count;
            squares += value * value * count;
        }
        Some(((n * squares - sum * sum) as f64 / (n as f64 * (n as f64 - 1.0))).sqrt())
    }

    /// The least value that at least `percent` of 100 of the counted values do not exceed; nothing where nothing was
    /// counted.
    #[must_use]
    pub fn quantile(&self, percent: u64) -> Option<u32> {
        let total = u128::from(self.count());
        let mut below = 0;
        self.iter().find_map(|(value, count)| {
            below += u128::from(count);
            (100 * below >= u128::from(percent) * total).then_some(value)
        })
    }

    /// The greatest value counted.
    #[must_use]
    pub fn max(&self) -> Option<u32> {
        self.iter().next_back().map(|(value, _)| value)
    }
}

/// How one bot did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotTally {
    /// Games in which it held a seat.
    pub games: u64,
    /// Seats that it held, over all games.
    pub seats: u64,
    /// Games that one of its seats won alone.
    pub wins: u64,
    /// Blocks by what it got in them, in twelfths of a win. Only with one line-up: with several there would be too many
    /// different ones.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outcomes: BTreeMap<u32, u64>,
    /// What it did wrong, where it is in another program. Such a game is lost for the seat at fault.
    #[serde(default, skip_serializing_if = "FaultTally::is_empty")]
    pub faults: FaultTally,
}

/// How games went, by length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LengthTally {
    /// Every game's length.
    pub histogram: Histogram,
    /// The lengths of a block's games together, by block.
    pub blocks: BlockSum,
}

/// Everything that is counted over some blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Whole blocks.
    pub blocks: u64,
    /// Games.
    pub games: u64,
    /// By bot.
    pub bots: Vec<BotTally>,
    /// Games that each seat won alone.
    pub seat_wins: [u64; sho_core::MAX_SEATS],
    /// What bots, seats, and bots by line-up got, by block.
    pub payoffs: PayoffSums,
    /// Games by how they ended, in the order of [`Game::ENDS`].
    pub ends: Vec<u64>,
    /// Lengths, in the order of [`Game::UNITS`].
    pub lengths: Vec<LengthTally>,
    /// The games that were not the same as another; nothing for a game with chance, where none is expected to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<DistinctGames>,
    /// What happened in the games; only where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metrics: Option<MetricTally>,
}

impl Tally {
    /// Nothing counted yet of an experiment.
    #[must_use]
    pub fn new<G: Measured>(experiment: &Experiment<G::Rules>) -> Self {
        let bots = experiment.bots.len();
        Self {
            blocks: 0,
            games: 0,
            bots: vec![BotTally::default(); bots],
            seat_wins: Default::default(),
            payoffs: PayoffSums::new(&experiment.design()),
            ends: vec![0; G::ENDS.len()],
            lengths: vec![LengthTally::default(); G::UNITS.len()],
            distinct: (!G::HAS_CHANCE).then(DistinctGames::default),
            metrics: match experiment.metrics {
                MetricsTier::Basic => None,
                MetricsTier::Full => Some(MetricTally::new::<G>(bots)),
            },
        }
    }

    /// Whether it could be of an experiment: whether it has a place for all that is counted there.
    #[must_use]
    pub fn fits<G: Measured>(&self, experiment: &Experiment<G::Rules>) -> bool {
        let new = Self::new::<G>(experiment);
        self.bots.len() == new.bots.len()
            && self.ends.len() == new.ends.len()
            && self.lengths.len() == new.lengths.len()
            && self.distinct.is_some() == new.distinct.is_some()
            && self.payoffs.fits(&new.payoffs)
            && match (&self.metrics, &new.metrics) {
                (Some(metrics), Some(new)) => metrics.fits(new),
                (None, None) => true,
                _ => false,
            }
            && self.payoffs.blocks() == self.blocks
            && self.games == self.blocks * experiment.games_a_block()
    }

    /// Adds the counts of other blocks of the same experiment.
    ///
    /// # Panics
    /// If they are of another experiment, which does not [fit](Self::fits).
    pub fn merge(&mut self, other: &Self) {
        self.blocks += other.blocks;
        self.games += other.games;
        for (bot, more) in self.bots.iter_mut().zip(&other.bots) {
            bot.games += more.games;
            bot.seats += more.seats;
            bot.wins += more.wins;
            for (&payoff, count) in &more.outcomes {
                *bot.outcomes.entry(payoff).or_default() += count;
            }
            bot.faults.merge(&more.faults);
        }
        for (wins, more) in self.seat_wins.iter_mut().zip(&other.seat_wins) {
            *wins += more;
        }
        self.payoffs.merge(&other.payoffs);
        for (count, more) in self.ends.iter_mut().zip(&other.ends) {
            *count += more;
        }
        for (length, more) in self.lengths.iter_mut().zip(&other.lengths) {
            length.histogram.merge(&more.histogram);
            length.blocks.merge(more.blocks);
        }
        if let (Some(distinct), Some(more)) = (&mut self.distinct, &other.distinct) {
            distinct.merge(more);
        }
        if let (Some(metrics), Some(more)) = (&mut self.metrics, &other.metrics) {
            metrics.merge(more);
        }
    }
}

/// Counts the games of one block and adds them to a tally when the block is whole.
#[derive(Debug)]
pub(crate) struct BlockTally {
    design: Design,
    /// For each line-up and seating the bot in each seat.
    bot_at: Vec<Vec<PerSeat<usize>>>,
    seats: usize,
    payoffs: BlockPayoffs,
    lengths: Vec<u64>,
    /// Whether blocks are kept by what a bot got in them.
    keeps_outcomes: bool,
    metrics: BlockMetrics,
}

impl BlockTally {
    pub(crate) fn new<G: Measured>(experiment: &Experiment<G::Rules>) -> Self {
        let design = experiment.design();
        let seats = experiment.rules.sides();
        let seatings = experiment.schedule.seatings(seats);
        let bots_at = |lineup: &Vec<usize>| {
            seatings.iter().map(|seating| Experiment::<G::Rules>::bot_at(lineup, seating)).collect()
        };
        Self {
            payoffs: BlockPayoffs::new(&design),
            bot_at: experiment.lineups.iter().map(bots_at).collect(),
            seats,
            lengths: vec![0; G::UNITS.len()],
            keeps_outcomes: experiment.lineups.len() == 1,
            metrics: BlockMetrics::new::<G>(experiment.bots.len()),
            design,
        }
    }

    /// Which bot holds each seat.
    pub(crate) fn bot_at(&self, lineup: usize, seating: usize) -> &PerSeat<usize> {
        &self.bot_at[lineup][seating]
    }

    /// Counts a game of a line-up and seating.
    pub(crate) fn game<G: Game>(
        &mut self,
        lineup: usize,
        seating: usize,
        played: &Played,
        tally: &mut Tally,
    ) {
        use sho_core::WHOLE_PAYOFF;
        let seats = self.seats;
        let bot_at = &self.bot_at[lineup][seating];
        tally.games += 1;
        tally.ends[played.end] += 1;
        self.payoffs.game(&self.design, lineup, seating, played.payoffs.as_slice(seats));
        for seat in Seat::all(seats) {
            let bot = bot_at[seat];
            let won = u64::from(played.payoffs[seat] == WHOLE_PAYOFF);
            tally.seat_wins[seat.index()] += won;
            tally.bots[bot].seats += 1;
            tally.bots[bot].wins += won;
            // A bot that holds several seats plays one game.
            let first = Seat::all(seats).find(|&other| bot_at[other] == bot) == Some(seat);
            tally.bots[bot].games += u64::from(first);
        }
        for (index, &unit) in G::UNITS.iter().enumerate() {
            let length = length_in(played, unit);
            tally.lengths[index].histogram.add(length);
            self.lengths[index] += u64::from(length);
        }
    }

    /// Counts what a meter saw in a game of a line-up and seating, where the tally wants it.
    pub(crate) fn metered<G: Measured>(
        &mut self,
        lineup: usize,
        seating: usize,
        meter: &G::Meter,
        tally: &mut Tally,
    ) {
        if let Some(metrics) = &mut tally.metrics {
            self.metrics.game::<G>(self.seats, &self.bot_at[lineup][seating], meter, metrics);
        }
    }

    /// Ends the block.
    pub(crate) fn finish(&mut self, tally: &mut Tally) {
        tally.blocks += 1;
        if self.keeps_outcomes {
            for (index, bot) in tally.bots.iter_mut().enumerate() {
                // A block of one line-up has at most 24 games.
                *bot.outcomes.entry(self.payoffs.bot(index) as u32).or_default() += 1;
            }
        }
        tally.payoffs.add(&self.design, &mut self.payoffs);
        for (length, total) in self.lengths.iter_mut().zip(&mut tally.lengths) {
            total.blocks.add(std::mem::take(length));
        }
        if let Some(metrics) = &mut tally.metrics {
            self.metrics.finish(metrics);
        }
    }
}

/// How long a game was, in a unit.
pub(crate) fn length_in(played: &Played, unit: Unit) -> u32 {
    match unit {
        Unit::Throws => played.throws,
        Unit::Turns => played.turns,
        Unit::Decisions => played.decisions,
    }
}
