//! What contrasts come to, with intervals: means inside blocks, and a bootstrap over groups of blocks for all of them
//! together.

use serde::{Deserialize, Serialize};

use super::definition::Study;
use super::design::{Contrast, ContrastKind};
use super::measure::Measure;
use super::tally::{PolicyTally, StudyTally};
use crate::rounded::rounded;
use crate::stats::bootstrap::REPLICATES;
use crate::stats::interval::half_width;
use sho_core::RuleSet;

/// How sure the intervals are: 95 %.
const ALPHA: f64 = 0.05;

/// The effects of one measure, of all contrasts and policies: what is looked at together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// The measure.
    pub measure: String,
    /// How many effects it has. Those that are the same in every block have no error, and are not among them.
    pub size: u64,
    /// By how many standard errors the simultaneous intervals reach to each side; nothing where there are none.
    pub critical: Option<f64>,
}

/// What one contrast of one measure comes to, in the measure's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    pub(super) effect: f64,
    pub(super) error: Option<f64>,
    /// The mean that the effect is added to: that of the cells with a weight below zero.
    pub(super) reference: f64,
    /// The percentile interval of the effect over the reference.
    pub(super) relative: Option<(f64, f64)>,
}

/// All effects of a study.
pub(super) struct Estimates {
    /// By policy, contrast and measure; nothing where some cell has no such measure.
    pub(super) effects: Vec<Vec<Vec<Option<Estimate>>>>,
    /// By measure.
    pub(super) families: Vec<Family>,
}

/// A contrast with the sums that it is made of.
struct Terms {
    /// The place of each cell with its weight.
    cells: Vec<(usize, i64)>,
    /// How many cells are on the side of the reference.
    references: f64,
    divisor: f64,
    kind: ContrastKind,
}

impl Terms {
    fn new(contrast: &Contrast) -> Self {
        let cells: Vec<_> = (contrast.weights.iter().copied().enumerate())
            .filter(|&(_, weight)| weight != 0)
            .collect();
        Self {
            references: cells.iter().filter(|&&(_, weight)| weight < 0).count() as f64,
            cells,
            divisor: contrast.divisor as f64,
            kind: contrast.kind,
        }
    }

    /// The contrast and its reference, given sums by cell and measure.
    fn of(&self, sums: &[i128], measures: usize, measure: usize) -> (f64, f64) {
        let (mut contrast, mut reference) = (0, 0);
        for &(cell, weight) in &self.cells {
            let sum = sums[cell * measures + measure];
            contrast += i128::from(weight) * sum;
            reference += if weight < 0 { sum } else { 0 };
        }
        (contrast as f64 / self.divisor, reference as f64 / self.references)
    }
}

impl Estimates {
    pub(super) fn new<R: RuleSet>(
        study: &Study<R>,
        measures: &[Measure],
        contrasts: &[Contrast],
        tally: &StudyTally,
    ) -> Self {
        let cells = study.cells().unwrap_or_default();
        let terms: Vec<Terms> = contrasts.iter().map(Terms::new).collect();
        let is_there = |terms: &Terms, measure: &Measure| {
            let at = |&(cell, _): &(usize, i64)| {
                let sides = cells.get(cell).map_or(0, |cell| cell.rules.sides());
                measure.kind.is_at_table(sides)
            };
            terms.cells.iter().all(at)
        };
        let mut greatest = vec![vec![0.0_f64; REPLICATES as usize]; measures.len()];
        let mut sizes = vec![0; measures.len()];
        let mut effects = Vec::new();
        for policy in &tally.policies {
            let mut found = plain(policy, tally.blocks, measures, &terms, is_there);
            resampled(study.seed, policy, measures, &terms, &mut found, &mut greatest);
            for (measure, size) in sizes.iter_mut().enumerate() {
                *size += found.iter().filter(|of| is_in_family(&of[measure])).count() as u64;
            }
            effects.push(found);
        }
        let alone = half_width(1.0, tally.blocks);
        let families =
            measures.iter().zip(greatest).zip(sizes).map(|((measure, greatest), size)| {
                let critical = (size > 0).then(|| critical(greatest)).zip(alone);
                // Several together are never narrower than one alone.
                let critical = critical.map(|(all, alone)| rounded(all.max(alone)));
                Family { measure: measure.name.clone(), size, critical }
            });
        Self { families: families.collect(), effects }
    }
}

fn is_in_family(estimate: &Option<Estimate>) -> bool {
    estimate.is_some_and(|estimate| estimate.error.is_some_and(|error| error > 0.0))
}

/// The value that the greatest of a family's deviations exceeds in 5 % of all replicates.
fn critical(mut greatest: Vec<f64>) -> f64 {
    greatest.sort_by(f64::total_cmp);
    let count = greatest.len() as f64;
    // A hair is taken away so that 2000 · 0.95 is 1900 whichever way it is rounded.
    let rank = ((count + 1.0) * (1.0 - ALPHA) - 1e-9).ceil() as usize;
    greatest.get(rank.saturating_sub(1)).copied().unwrap_or(f64::INFINITY)
}

/// Effects and their errors, which need no model: means over blocks.
fn plain(
    policy: &PolicyTally,
    blocks: u64,
    measures: &[Measure],
    terms: &[Terms],
    is_there: impl Fn(&Terms, &Measure) -> bool,
) -> Vec<Vec<Option<Estimate>>> {
    let totals = policy.groups.totals();
    let of_contrast = |(terms, sums): (&Terms, &Vec<super::tally::ContrastSum>)| {
        let of_measure = |(index, measure): (usize, &Measure)| {
            let unit = f64::from(measure.divisor);
            let scale = terms.divisor * unit;
            is_there(terms, measure).then(|| {
                let (_, reference) = terms.of(&totals[1..], measures.len(), index);
                Estimate {
                    effect: sums[index].mean(blocks) / scale,
                    error: sums[index].standard_error(blocks).map(|error| error / scale),
                    reference: reference / (unit * blocks as f64),
                    relative: None,
                }
            })
        };
        measures.iter().enumerate().map(of_measure).collect()
    };
    terms.iter().zip(&policy.contrasts).map(of_contrast).collect()
}

/// Adds what replicates say: the interval of each relative change, and for each replicate and measure how far the
/// contrast that is furthest from its mean is from it, in standard errors.
fn resampled(
    seed: u64,
    policy: &PolicyTally,
    measures: &[Measure],
    terms: &[Terms],
    found: &mut [Vec<Option<Estimate>>],
    greatest: &mut [Vec<f64>],
) {
    let mut ratios = vec![Vec::new(); terms.len() * measures.len()];
    let mut replicate = 0;
    policy.groups.each_replicate(seed, REPLICATES, |sums| {
        let blocks = sums[0] as f64;
        for (contrast, terms) in terms.iter().enumerate() {
            for (measure, of) in measures.iter().enumerate() {
                let estimate = &found[contrast][measure];
                let Some(Estimate { effect, error: Some(error), .. }) = *estimate else { continue };
                if error == 0.0 {
                    continue;
                }
                let (sum, reference) = terms.of(&sums[1..], measures.len(), measure);
                let mean = sum / (blocks * f64::from(of.divisor));
                let most = &mut greatest[measure][replicate];
                *most = most.max(((mean - effect) / error).abs());
                if terms.kind == ContrastKind::Value {
                    ratios[contrast * measures.len() + measure].push(sum / reference);
                }
            }
        }
        replicate += 1;
    });
    for (index, values) in ratios.iter_mut().enumerate() {
        let estimate = &mut found[index / measures.len()][index % measures.len()];
        // Replicates number 50 and 1950 of 1999 in rising order.
        let rank = (f64::from(REPLICATES + 1) * ALPHA / 2.0 + 1e-9) as usize;
        if let Some(estimate) = estimate
            && values.len() >= 2 * rank
            && values.iter().all(|value| value.is_finite())
        {
            values.sort_by(f64::total_cmp);
            estimate.relative = Some((values[rank - 1], values[values.len() - rank]));
        }
    }
}
