//! Metrics over many games: [`MetricTally`], and what a result says of them, [`MetricResult`].

use serde::{Deserialize, Serialize};
use sho_core::{PerSeat, Seat};

use super::{Measured, Meter};
use crate::result::{Named, histogram_by_length};
use crate::rounded::rounded;
use crate::tally::{BlockSum, Histogram};

/// One metric, counted over some blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricCounts {
    /// Every game's value.
    pub histogram: Histogram,
    /// The values of a block's games together, by block.
    pub blocks: BlockSum,
    /// What the seats of each bot were credited with, a block's games together, by block.
    pub bots: Vec<BlockSum>,
}

/// All metrics of a game, counted over some blocks: integers that merge in any order to the same ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricTally {
    /// By metric, in the order of [`Measured::METRICS`].
    pub metrics: Vec<MetricCounts>,
}

impl MetricTally {
    /// Nothing counted yet, for `bots` distinct bots.
    #[must_use]
    pub fn new<G: Measured>(bots: usize) -> Self {
        let nothing =
            MetricCounts { bots: vec![BlockSum::default(); bots], ..MetricCounts::default() };
        Self { metrics: vec![nothing; G::METRICS.len()] }
    }

    /// Whether these could be counts of the same experiment.
    #[must_use]
    pub fn fits(&self, other: &Self) -> bool {
        let bots = |tally: &Self| -> Vec<usize> {
            tally.metrics.iter().map(|counts| counts.bots.len()).collect()
        };
        bots(self) == bots(other)
    }

    /// Adds the counts of other blocks of the same experiment.
    pub fn merge(&mut self, other: &Self) {
        for (counts, more) in self.metrics.iter_mut().zip(&other.metrics) {
            counts.histogram.merge(&more.histogram);
            counts.blocks.merge(more.blocks);
            for (bot, more) in counts.bots.iter_mut().zip(&more.bots) {
                bot.merge(*more);
            }
        }
    }
}

/// Counts the games of one block and adds them to a tally when the block is whole.
///
/// ```
/// use sho_ai::{Policy, Random, arena::Arena, sho::Easy};
/// use sho_bench::metrics::{BlockMetrics, Measured, Meter, MetricTally, metric_results};
/// use sho_core::sho::{Rules, Sho};
/// use sho_core::{Game, PerSeat};
///
/// let mut rules = Rules::lhasa();
/// rules.sides = 2;
/// let game = Sho::new(rules)?;
/// let (mut arena, mut meter) = (Arena::new(game), game.meter());
/// let mut entries: [Box<dyn Policy<Sho>>; 2] = [Box::new(Easy), Box::new(Random)];
/// let (mut tally, mut block) = (MetricTally::new::<Sho>(2), BlockMetrics::new::<Sho>(2));
/// for number in 0..10 {
///     for rotation in 0..2 {
///         meter.clear();
///         arena.play_game(1, number, rotation, &mut entries, &mut meter)?;
///         let bot_at = PerSeat::from_fn(|seat| (seat.index() + rotation) % 2);
///         block.game::<Sho>(2, &bot_at, &meter, &mut tally);
///     }
///     block.finish(&mut tally);
/// }
/// let results = metric_results::<Sho>(&tally, 10, 20, &[20, 20]);
/// let (name, kills) = &results.0[0];
/// assert_eq!(*name, "kills");
/// assert!(kills.by_bot[0].mean > kills.by_bot[1].mean, "easy kills more than random: {kills:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockMetrics {
    /// By metric.
    games: Vec<u64>,
    /// By metric, and in it by bot.
    bots: Vec<u64>,
}

impl BlockMetrics {
    /// Nothing counted yet, for `bots` distinct bots.
    #[must_use]
    pub fn new<G: Measured>(bots: usize) -> Self {
        Self { games: vec![0; G::METRICS.len()], bots: vec![0; G::METRICS.len() * bots] }
    }

    /// Counts a game that `meter` has seen to its end, of which `bot_at` says which bot held each of its `seats`. The
    /// game's values go into the tally at once, the rest with the [block](Self::finish).
    ///
    /// # Panics
    /// If `bot_at` names a bot beyond those of [`new`](Self::new).
    pub fn game<G: Measured>(
        &mut self,
        seats: usize,
        bot_at: &PerSeat<usize>,
        meter: &G::Meter,
        tally: &mut MetricTally,
    ) {
        // A game may have no metrics.
        let bots = self.bots.len().checked_div(self.games.len()).unwrap_or(0);
        for (index, (metric, by_seat)) in G::METRICS.iter().zip(meter.counts()).enumerate() {
            let value = metric.of_game(by_seat, seats);
            tally.metrics[index].histogram.add(value);
            self.games[index] += u64::from(value);
            let by_bot = &mut self.bots[index * bots..][..bots];
            for seat in Seat::all(seats) {
                by_bot[bot_at[seat]] += u64::from(by_seat[seat]);
            }
        }
    }

    /// Ends the block.
    pub fn finish(&mut self, tally: &mut MetricTally) {
        let bots = self.bots.len().checked_div(self.games.len()).unwrap_or(0);
        for (index, counts) in tally.metrics.iter_mut().enumerate() {
            counts.blocks.add(std::mem::take(&mut self.games[index]));
            for (bot, value) in counts.bots.iter_mut().zip(&mut self.bots[index * bots..]) {
                bot.add(std::mem::take(value));
            }
        }
    }
}

/// What a result says of one metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricResult {
    /// The mean of a game's value.
    pub mean: f64,
    /// The standard error of the mean, from blocks; nothing with one block.
    pub se: Option<f64>,
    /// The standard deviation of a game's value; nothing with one game.
    pub sd: Option<f64>,
    /// The median.
    pub median: u32,
    /// The value that 5 % of games do not exceed.
    pub q05: u32,
    /// The value that 95 % of games do not exceed.
    pub q95: u32,
    /// The greatest value of a game.
    pub max: u32,
    /// By bot, in the order of the experiment's bots.
    pub by_bot: Vec<BotMetric>,
    /// The number of games with each value.
    #[serde(serialize_with = "histogram_by_length")]
    pub histogram: Histogram,
}

/// What one bot was credited with in one metric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BotMetric {
    /// The mean for each game and seat held.
    pub mean: f64,
    /// Its standard error, from blocks; nothing with one block.
    pub se: Option<f64>,
}

/// What a result says of the metrics, by name in the order of [`Measured::METRICS`]. `seats_held` has for each bot the
/// seats that it held, over all `games`, at least one.
///
/// A metric of no games is left out.
#[must_use]
pub fn metric_results<G: Measured>(
    tally: &MetricTally,
    blocks: u64,
    games: u64,
    seats_held: &[u64],
) -> Named<MetricResult> {
    let result = |counts: &MetricCounts| {
        let histogram = &counts.histogram;
        let error = |sum: &BlockSum, held: u64| {
            let held_a_block = held as f64 / blocks as f64;
            sum.standard_error(blocks).map(|error| rounded(error / held_a_block))
        };
        let by_bot = counts.bots.iter().zip(seats_held).map(|(sum, &held)| BotMetric {
            mean: rounded(sum.sum as f64 / held as f64),
            se: error(sum, held),
        });
        Some(MetricResult {
            mean: rounded(histogram.mean()?),
            se: error(&counts.blocks, games),
            sd: histogram.standard_deviation().map(rounded),
            median: histogram.quantile(50)?,
            q05: histogram.quantile(5)?,
            q95: histogram.quantile(95)?,
            max: histogram.max()?,
            by_bot: by_bot.collect(),
            histogram: histogram.clone(),
        })
    };
    let metrics = G::METRICS.iter().zip(&tally.metrics);
    Named(metrics.filter_map(|(metric, counts)| Some((metric.name, result(counts)?))).collect())
}
