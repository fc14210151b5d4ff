//! What a study counts: [`StudyTally`]. Integers only, so that tallies merge in any order to the same bytes.

use serde::{Deserialize, Serialize};
use sho_ai::Played;
use sho_core::{MAX_SEATS, RuleSet, Seat, WHOLE_PAYOFF};

use super::definition::Study;
use super::design::Contrast;
use super::measure::{Measure, measures};
use crate::metrics::Measured;
use crate::stats::bootstrap::GroupSums;
use crate::tally::{BlockSum, Histogram};

/// A contrast of one measure: sums over blocks of what it comes to in them, before it is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContrastSum {
    /// The sum.
    pub sum: i64,
    /// The sum of squares.
    pub squares: u128,
    /// Blocks in which it is above zero.
    pub above: u64,
    /// Blocks in which it is below zero.
    pub below: u64,
}

impl ContrastSum {
    fn add(&mut self, value: i64) {
        if value != 0 {
            let size = u128::from(value.unsigned_abs());
            self.sum += value;
            self.squares += size * size;
            self.above += u64::from(value > 0);
            self.below += u64::from(value < 0);
        }
    }

    fn merge(&mut self, other: Self) {
        self.sum += other.sum;
        self.squares += other.squares;
        self.above += other.above;
        self.below += other.below;
    }

    /// The mean over so many blocks.
    #[must_use]
    pub fn mean(&self, blocks: u64) -> f64 {
        self.sum as f64 / blocks as f64
    }

    /// The standard error of the mean; nothing with fewer than two blocks.
    #[must_use]
    pub fn standard_error(&self, blocks: u64) -> Option<f64> {
        // Of a sum only the square matters here.
        BlockSum { sum: self.sum.unsigned_abs(), squares: self.squares }.standard_error(blocks)
    }
}

/// How the games of one cell went.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellTally {
    /// Games that were not those of the base on the same dice.
    pub differ: u64,
    /// Games that each seat won alone.
    pub seat_wins: [u64; MAX_SEATS],
    /// Sums by measure.
    pub measures: Vec<BlockSum>,
    /// Every game's value, for lengths, minutes and metrics, in the order of the measures; of minutes in steps of
    /// [`Measure::step`].
    pub histograms: Vec<Histogram>,
}

/// What was counted of the games of one policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyTally {
    /// By cell.
    pub cells: Vec<CellTally>,
    /// By contrast, and in it by measure.
    pub contrasts: Vec<Vec<ContrastSum>>,
    /// Sums by group of blocks: by cell, and in it by measure.
    pub groups: GroupSums,
}

/// Everything that is counted over some blocks of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyTally {
    /// Whole blocks.
    pub blocks: u64,
    /// By policy.
    pub policies: Vec<PolicyTally>,
}

impl StudyTally {
    /// Nothing counted yet of a study.
    ///
    /// # Panics
    /// If the study has impossible cells.
    #[must_use]
    pub fn new<G: Measured>(study: &Study<G::Rules>) -> Self {
        let measures = measures::<G>(study);
        let cells = study.cells().expect("a study that was checked").len();
        let contrasts = study.contrasts().expect("a study that was checked").len();
        let histograms = measures.iter().filter(|measure| measure.kind.has_histogram()).count();
        let cell = CellTally {
            measures: vec![BlockSum::default(); measures.len()],
            histograms: vec![Histogram::default(); histograms],
            ..CellTally::default()
        };
        let policy = PolicyTally {
            cells: vec![cell; cells],
            contrasts: vec![vec![ContrastSum::default(); measures.len()]; contrasts],
            groups: GroupSums::new(cells * measures.len()),
        };
        Self { blocks: 0, policies: vec![policy; study.policies.len()] }
    }

    /// Whether it could be of a study: whether it has a place for all that is counted there, and no other.
    #[must_use]
    pub fn fits<G: Measured>(&self, study: &Study<G::Rules>) -> bool {
        let shape = |tally: &Self| -> Vec<Vec<usize>> {
            let policies = tally.policies.iter();
            policies
                .map(|policy| {
                    let groups = &policy.groups;
                    let mut sizes = vec![groups.columns(), groups.rows().count()];
                    sizes.push(policy.contrasts.len());
                    sizes.extend(policy.contrasts.iter().map(Vec::len));
                    for cell in &policy.cells {
                        sizes.extend([cell.measures.len(), cell.histograms.len()]);
                    }
                    sizes
                })
                .collect()
        };
        let counted = |policy: &PolicyTally| {
            // No study that can be played comes near, and what a file says may be anything.
            let mut sums = policy.groups.rows().flatten();
            sums.all(|sum| sum.unsigned_abs() < 1 << 100)
                && policy.groups.totals().first() == Some(&self.blocks.into())
                && policy
                    .cells
                    .iter()
                    .flat_map(|cell| &cell.histograms)
                    .all(|histogram| histogram.count() == self.blocks)
        };
        shape(self) == shape(&Self::new::<G>(study)) && self.policies.iter().all(counted)
    }

    /// Adds the counts of other blocks of the same study.
    ///
    /// # Panics
    /// If they are of another study.
    pub fn merge(&mut self, other: &Self) {
        self.blocks += other.blocks;
        for (policy, more) in self.policies.iter_mut().zip(&other.policies) {
            for (cell, more) in policy.cells.iter_mut().zip(&more.cells) {
                cell.differ += more.differ;
                for (wins, more) in cell.seat_wins.iter_mut().zip(more.seat_wins) {
                    *wins += more;
                }
                for (sum, more) in cell.measures.iter_mut().zip(&more.measures) {
                    sum.merge(*more);
                }
                for (histogram, more) in cell.histograms.iter_mut().zip(&more.histograms) {
                    histogram.merge(more);
                }
            }
            for (sum, more) in
                policy.contrasts.iter_mut().flatten().zip(more.contrasts.iter().flatten())
            {
                sum.merge(*more);
            }
            policy.groups.merge(&more.groups);
        }
    }
}

/// What is compared, ready to be counted: for each contrast the cells that have a weight in it.
#[derive(Clone, Debug)]
pub(super) struct Comparisons {
    measures: usize,
    /// The measures that have a histogram, each with its step.
    histograms: Vec<(usize, i64)>,
    contrasts: Vec<Vec<(usize, i64)>>,
}

impl Comparisons {
    pub(super) fn new(measures: &[Measure], contrasts: &[Contrast]) -> Self {
        let weighted = |contrast: &Contrast| {
            let weights = contrast.weights.iter().copied().enumerate();
            weights.filter(|&(_, weight)| weight != 0).collect()
        };
        let histograms = measures.iter().enumerate();
        Self {
            measures: measures.len(),
            histograms: histograms
                .filter(|(_, measure)| measure.kind.has_histogram())
                .map(|(index, measure)| (index, measure.step.into()))
                .collect(),
            contrasts: contrasts.iter().map(weighted).collect(),
        }
    }

    /// Counts a game of a cell.
    pub(super) fn game<R: RuleSet>(
        &self,
        rules: &R,
        played: &Played,
        differs: bool,
        values: &[i64],
        cell: &mut CellTally,
    ) {
        cell.differ += u64::from(differs);
        for seat in Seat::all(rules.sides()) {
            cell.seat_wins[seat.index()] += u64::from(played.payoffs[seat] == WHOLE_PAYOFF);
        }
        for (sum, &value) in cell.measures.iter_mut().zip(values) {
            // What is measured is never below zero.
            sum.add(value as u64);
        }
        for (histogram, &(index, step)) in cell.histograms.iter_mut().zip(&self.histograms) {
            histogram.add((values[index] / step) as u32);
        }
    }

    /// Counts a block, given all that was measured in it: by cell, and in it by measure.
    pub(super) fn block(&self, block: u64, values: &[i64], policy: &mut PolicyTally) {
        policy.groups.add(block, values);
        for (weighted, sums) in self.contrasts.iter().zip(&mut policy.contrasts) {
            for (measure, sum) in sums.iter_mut().enumerate() {
                sum.add(self.contrast(weighted, values, measure));
            }
        }
    }

    /// What each contrast of a measure comes to in a block, before it is divided.
    pub(super) fn contrasts(&self, values: &[i64], measure: usize) -> impl Iterator<Item = i64> {
        self.contrasts.iter().map(move |weighted| self.contrast(weighted, values, measure))
    }

    fn contrast(&self, weighted: &[(usize, i64)], values: &[i64], measure: usize) -> i64 {
        weighted.iter().map(|&(cell, weight)| weight * values[cell * self.measures + measure]).sum()
    }
}
