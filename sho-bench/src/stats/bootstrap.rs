//! A bootstrap over blocks that merges: [`GroupSums`].
//!
//! Blocks go to [`GROUPS`] groups by their number; each group keeps sums of whole numbers. A replicate draws as many
//! groups as there are, with repetition, and adds up their sums (Efron and Tibshirani, An Introduction to the
//! Bootstrap, 1993; groups in place of single units as in the delete-a-group jackknife, Kott 2001). So it costs nothing
//! a block, shards merge exactly, and everything that can be computed from sums has an interval: means, ratios,
//! differences of cells, quantiles of histograms.

use serde::{Deserialize, Serialize};
use sho_core::Stream;

/// Number of groups: block `b` is in group `b mod 256`.
pub const GROUPS: usize = 256;

/// Replicates that reports use. With 1999 the ends of a 95 % interval are replicates number 50 and 1950 in rising
/// order.
pub const REPLICATES: u32 = 1999;

/// The label of the streams that draw groups. Replicate *r* uses stream *r*.
pub const LABEL: &str = "sho/boot";

/// Sums over blocks, by group of blocks: for each group the number of blocks and `columns` sums.
///
/// ```
/// use sho_bench::stats::bootstrap::{GroupSums, REPLICATES};
///
/// // Throws and games of 1000 blocks; the mean of a game is a ratio of sums.
/// let mut sums = GroupSums::new(2);
/// for block in 0..1000 {
///     sums.add(block, &[150 + i64::from(block as u32 % 7), 2]);
/// }
/// let mean = |sums: &[i128]| sums[1] as f64 / sums[2] as f64;
/// assert_eq!(sums.value(mean), 76.4985);
/// let (low, high) = sums.interval(1, REPLICATES, 0.05, mean).unwrap();
/// assert!(low < 76.4985 && 76.4985 < high && high - low < 0.2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GroupSums {
    /// Group by group: the number of blocks, then the sums.
    sums: Vec<i128>,
}

impl GroupSums {
    /// Nothing added yet.
    #[must_use]
    pub fn new(columns: usize) -> Self {
        Self { sums: vec![0; GROUPS * (columns + 1)] }
    }

    /// How many columns there are.
    #[must_use]
    pub fn columns(&self) -> usize {
        (self.sums.len() / GROUPS).saturating_sub(1)
    }

    /// Group by group: the number of blocks, then the sums. Those of a file may be more or fewer than [`GROUPS`].
    pub(crate) fn rows(&self) -> impl Iterator<Item = &[i128]> {
        self.sums.chunks(self.columns() + 1)
    }

    /// Adds a block's numbers.
    ///
    /// # Panics
    /// If they are not as many as there are columns.
    pub fn add(&mut self, block: u64, values: &[i64]) {
        assert_eq!(values.len(), self.columns(), "numbers of a block");
        let start = (block % GROUPS as u64) as usize * (self.columns() + 1);
        self.sums[start] += 1;
        for (sum, &value) in self.sums[start + 1..].iter_mut().zip(values) {
            *sum += i128::from(value);
        }
    }

    /// Adds one value to a column, for sums that are known piece by piece, such as the counts of a histogram. The block
    /// itself is counted by [`add`](Self::add).
    ///
    /// # Panics
    /// If there is no such column.
    pub fn add_to(&mut self, block: u64, column: usize, value: i64) {
        assert!(column < self.columns(), "column {column} of {}", self.columns());
        let start = (block % GROUPS as u64) as usize * (self.columns() + 1);
        self.sums[start + 1 + column] += i128::from(value);
    }

    /// Adds the sums of other blocks.
    ///
    /// # Panics
    /// If they have other columns.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.columns(), other.columns(), "columns of sums that merge");
        for (sum, more) in self.sums.iter_mut().zip(&other.sums) {
            *sum += more;
        }
    }

    /// The sums over all blocks: the number of blocks, then a sum for each column.
    #[must_use]
    pub fn totals(&self) -> Vec<i128> {
        self.drawn(&[1; GROUPS])
    }

    /// A statistic of the sums over all blocks: it gets the number of blocks, then a sum for each column.
    pub fn value<T>(&self, statistic: impl FnOnce(&[i128]) -> T) -> T {
        statistic(&self.totals())
    }

    /// A statistic of `count` replicates, in their order. Replicate *r* draws the same groups for every statistic and
    /// every table with the same blocks, so statistics can be computed one after the other and still belong together.
    pub fn replicates(
        &self,
        seed: u64,
        count: u32,
        statistic: impl Fn(&[i128]) -> f64,
    ) -> Vec<f64> {
        let mut values = Vec::new();
        self.each_replicate(seed, count, |sums| values.push(statistic(sums)));
        values
    }

    /// Shows the sums of `count` replicates, the same as for [`replicates`](Self::replicates), to `seen` in their order: for
    /// many statistics at once. None where no block was added.
    pub fn each_replicate(&self, seed: u64, count: u32, mut seen: impl FnMut(&[i128])) {
        // With fewer blocks than groups some are empty, and are not drawn.
        let filled: Vec<usize> =
            (0..GROUPS).filter(|group| self.sums[group * (self.columns() + 1)] > 0).collect();
        if filled.is_empty() {
            return;
        }
        let mut words = Stream::new(seed, LABEL, 0);
        for replicate in 0..count {
            words.renumber(u64::from(replicate));
            let mut times = [0; GROUPS];
            for _ in 0..filled.len() {
                times[filled[words.below(filled.len() as u32) as usize]] += 1;
            }
            seen(&self.drawn(&times));
        }
    }

    /// The percentile interval of a statistic: the replicates number `(count + 1) alpha / 2`, rounded down, from below
    /// and from above. Nothing with fewer than two groups, with too few replicates for `alpha`, or where the statistic
    /// is not a number in some replicate.
    ///
    /// With few blocks it is too narrow: by a twentieth at 10, by one part in 500 at 256 and more. It is as good as
    /// the statistic is smooth: a quantile of lengths moves in whole throws.
    pub fn interval(
        &self,
        seed: u64,
        count: u32,
        alpha: f64,
        statistic: impl Fn(&[i128]) -> f64,
    ) -> Option<(f64, f64)> {
        let groups =
            (0..GROUPS).filter(|group| self.sums[group * (self.columns() + 1)] > 0).count();
        // A hair is added so that 2000 · 0.05 / 2 is 50 whichever way it is rounded.
        let rank = ((f64::from(count) + 1.0) * alpha / 2.0 + 1e-9) as usize;
        if groups < 2 || rank == 0 {
            return None;
        }
        let mut values = self.replicates(seed, count, statistic);
        values.sort_by(f64::total_cmp);
        if values.iter().any(|value| value.is_nan()) || 2 * rank > values.len() {
            return None;
        }
        Some((values[rank - 1], values[values.len() - rank]))
    }

    /// The sums with each group taken so many times.
    fn drawn(&self, times: &[u32; GROUPS]) -> Vec<i128> {
        let mut totals = vec![0; self.columns() + 1];
        for (group, &times) in self.sums.chunks_exact(self.columns() + 1).zip(times) {
            if times > 0 {
                for (total, sum) in totals.iter_mut().zip(group) {
                    *total += i128::from(times) * sum;
                }
            }
        }
        totals
    }
}
