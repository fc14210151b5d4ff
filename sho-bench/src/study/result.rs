//! The result of a study as a document: [`StudyResult`], schema `sho/study/1`.
//!
//! It holds whatever tables and pictures need: for each policy and cell lengths with their histograms, what the seats won,
//! and shares, each with its interval; for each policy, contrast and measure the effect with its intervals.

use serde::{Deserialize, Serialize};
use sho_core::{Game, RuleSet, Seat};

use super::definition::{Seconds, Study};
use super::design::{ContrastKind, Design};
use super::effects::{Estimates, Family};
use super::measure::{Measure, MeasureKind, main_unit, measures};
use super::tally::{CellTally, StudyTally};
use super::vary::{LeftOut, Variation};
use crate::digest;
use crate::experiment::{Blocks, MetricsTier};
use crate::metrics::Measured;
use crate::result::Provenance;
use crate::rounded::rounded;
use crate::stats::interval::half_width;
use crate::stats::quantile::{at_most, less_or_tied, less_or_tied_error, share_interval};
use crate::tally::Histogram;

/// The name and version of the format.
pub const STUDY_SCHEMA: &str = "sho/study/1";

/// The result of a study. All intervals are at 95 %. The project's `docs/study.md` says how each number is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StudyResult<R> {
    /// The format's name and version, [`STUDY_SCHEMA`].
    pub schema: String,
    /// The game's name.
    pub game: String,
    /// The complete rules of the base.
    pub rules: R,
    /// The settings that varied.
    pub varied: Vec<Variation>,
    /// What might have varied too, and why it did not.
    pub left_out: Vec<LeftOut>,
    /// Which combinations were played.
    pub design: Design,
    /// The master seed.
    pub seed: u64,
    /// What was counted.
    pub metrics: MetricsTier,
    /// What a throw lasts at a table, for minutes.
    pub seconds_a_throw: Seconds,
    /// What a decision lasts beside its throw, for minutes.
    pub seconds_a_decision: Seconds,
    /// Random turns with which each block began; 0 in a game with chance.
    pub opening_turns: u32,
    /// The blocks that were played.
    pub block_range: Blocks,
    /// How many blocks: each was played once in every cell by every policy.
    pub blocks: u64,
    /// How many games in all.
    pub games: u64,
    /// The measure that games are chiefly judged by: the game's main length.
    pub main_measure: String,
    /// What was measured.
    pub measures: Vec<MeasureSummary>,
    /// The sets of rules, the base first.
    pub cells: Vec<CellSummary<R>>,
    /// What was compared.
    pub contrasts: Vec<ContrastSummary>,
    /// By measure: which effects are looked at together.
    pub families: Vec<Family>,
    /// By policy.
    pub policies: Vec<PolicyResult>,
    /// SHA-256 over the document without `digest` and `provenance`, as compact JSON.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub digest: String,
    /// Where the result comes from.
    #[serde(default, skip_serializing_if = "Option::is_none", skip_deserializing)]
    pub provenance: Option<Provenance>,
}

/// Something that was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasureSummary {
    /// Its name.
    pub name: String,
    /// What it is, and in which unit.
    pub about: String,
}

/// A set of rules that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellSummary<R> {
    /// `base`, or in what it differs.
    pub name: String,
    /// The settings in which it differs, with their values.
    pub changes: Vec<(String, String)>,
    /// The complete rules.
    pub rules: R,
}

/// Something that was compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContrastSummary {
    /// Its name.
    pub name: String,
    /// What it says.
    pub kind: ContrastKind,
    /// For each cell its weight: an effect is the sum of the cells' means with these weights, over the divisor.
    pub weights: Vec<i64>,
    /// The divisor.
    pub divisor: i64,
}

/// How the games of one policy went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyResult {
    /// Its spec.
    pub name: String,
    /// SHA-256 of the weights by which it plays, canonical; only for a policy that has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// By cell, in the order of the result's `cells`.
    pub cells: Vec<CellResult>,
    /// What each contrast changes in each measure: contrast by contrast, and in it in the order of the measures. An effect
    /// on what a seat gets is missing where a cell has no such seat.
    pub effects: Vec<EffectResult>,
}

/// How the games of one policy went in one cell: one game for each block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellResult {
    /// The cell's name.
    pub cell: String,
    /// Games that were not those of the base on the same dice: another course of casts and actions, or another end.
    pub differ: ShareResult,
    /// Means, in the order of the measures; those of seats that the cell does not have are missing.
    pub means: Vec<MeanResult>,
    /// Lengths, the main one first.
    pub lengths: Vec<CellLength>,
    /// The time at a table; only where throws or decisions take any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<CellMinutes>,
    /// By seat.
    pub seats: Vec<SeatShare>,
    /// By how games ended.
    pub ends: Vec<ShareResult>,
    /// What happened in the games; only with full metrics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<CellLength>,
}

/// The mean of a measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeanResult {
    /// The measure.
    pub measure: String,
    /// The mean over games.
    pub mean: f64,
    /// Its standard error; nothing with one block.
    pub se: Option<f64>,
    /// Its interval; nothing with one block, and where it is the same in all of them.
    pub interval: Option<Interval>,
}

/// How a whole number was distributed over games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellLength {
    /// The measure.
    pub measure: String,
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean; nothing with one block.
    pub se: Option<f64>,
    /// The standard deviation of a game; nothing with one block.
    pub sd: Option<f64>,
    /// The median.
    pub median: u32,
    /// The value that 5 % of games do not exceed.
    pub q05: u32,
    /// The value that 25 % of games do not exceed.
    pub q25: u32,
    /// The value that 75 % of games do not exceed.
    pub q75: u32,
    /// The value that 95 % of games do not exceed.
    pub q95: u32,
    /// The greatest value.
    pub max: u32,
    /// The number of games with each value.
    #[serde(with = "by_value")]
    pub histogram: Histogram,
}

/// How the time at a table was distributed over games, in minutes.
///
/// Quantiles are exact where the two times are whole multiples of one that is at least 1/64 of the longer; else a time
/// is kept in steps of that size, rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellMinutes {
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean; nothing with one block.
    pub se: Option<f64>,
    /// The standard deviation of a game; nothing with one block.
    pub sd: Option<f64>,
    /// The median.
    pub median: f64,
    /// The time that 5 % of games do not exceed.
    pub q05: f64,
    /// The time that 25 % of games do not exceed.
    pub q25: f64,
    /// The time that 75 % of games do not exceed.
    pub q75: f64,
    /// The time that 95 % of games do not exceed.
    pub q95: f64,
    /// The longest time.
    pub max: f64,
}

/// What one seat won.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatShare {
    /// The seat.
    pub seat: String,
    /// Games that it won alone.
    pub wins: u64,
    /// Payoff for each game, 0 to 1; shared wins count by their shares.
    pub score: f64,
    /// The standard error of the score; nothing with one block.
    pub score_se: Option<f64>,
    /// The interval of the score; nothing with one block, and where it is the same in all of them.
    pub interval: Option<Interval>,
}

/// In how many games something was so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareResult {
    /// What; of ends their names.
    pub what: String,
    /// The number of games.
    pub games: u64,
    /// Their share.
    pub share: f64,
    /// The interval of the share (Clopper and Pearson).
    pub interval: Interval,
    /// Where there was no such game: what the share is at most, about 3 over the number of blocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<f64>,
}

/// What a contrast changes in a measure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffectResult {
    /// The contrast.
    pub contrast: String,
    /// The measure.
    pub measure: String,
    /// The mean over blocks of the contrast, in the measure's unit.
    pub effect: f64,
    /// Its standard error; nothing with one block.
    pub se: Option<f64>,
    /// Its own interval; nothing with one block, and where the contrast is the same in all of them: how often it would be
    /// another one in more blocks is not known.
    pub interval: Option<Interval>,
    /// Its interval among those of its family: all of them hold together with 95 %.
    pub simultaneous: Option<Interval>,
    /// The mean of the cells that the effect is against: those with a weight below zero.
    pub reference: f64,
    /// The effect over the reference; only for a value, and where the reference is not 0.
    pub relative: Option<f64>,
    /// Its interval, from the bootstrap.
    pub relative_interval: Option<Interval>,
    /// Blocks in which the contrast was above zero.
    pub above: u64,
    /// Blocks in which it was below zero.
    pub below: u64,
    /// P(X < Y) + P(X = Y) / 2 for a game X of the reference and a game Y of the other side, drawn independently; only for
    /// lengths, minutes and events, and values.
    pub greater: Option<f64>,
    /// An interval of it, of at least 95 %; nothing with one block, and where no game of the one side is as long as any of
    /// the other.
    #[serde(default)]
    pub greater_interval: Option<Interval>,
    /// Whether policies disagree on the direction: the simultaneous interval of one is above zero, and that of another is
    /// below.
    pub sign_depends: bool,
}

/// The two ends of an interval.
pub type Interval = [f64; 2];

impl<R: RuleSet + Serialize> StudyResult<R> {
    /// The document of a study and its counts, of at least one block.
    ///
    /// # Panics
    /// If the study has impossible cells, or the counts are of another one.
    #[must_use]
    pub fn new<G: Measured<Rules = R>>(study: &Study<R>, tally: &StudyTally) -> Self {
        let measures = measures::<G>(study);
        let cells = study.cells().expect("a study that was checked");
        let contrasts = study.contrasts().expect("a study that was checked");
        let estimates = Estimates::new(study, &measures, &contrasts, tally);
        let blocks = tally.blocks;
        let alone = half_width(1.0, blocks);
        let cell_result = |policy: usize, index: usize| -> CellResult {
            let cell = &cells[index];
            let counted = &tally.policies[policy].cells[index];
            cell_result::<G>(&cell.name, cell.rules.sides(), &measures, counted, (blocks, alone))
        };
        let policies = study.policies.iter().enumerate().map(|(policy, entrant)| {
            let mut effects = Vec::new();
            for (contrast, of) in contrasts.iter().enumerate() {
                let mut histograms = 0;
                for (measure, what) in measures.iter().enumerate() {
                    let histogram = what.kind.has_histogram().then_some(histograms);
                    histograms += usize::from(histogram.is_some());
                    let Some(estimate) = estimates.effects[policy][contrast][measure] else {
                        continue;
                    };
                    let sum = tally.policies[policy].contrasts[contrast][measure];
                    let critical = estimates.families[measure].critical;
                    let is_value = of.kind == ContrastKind::Value;
                    let compared = histogram.filter(|_| is_value).map(|histogram| {
                        let counted = &tally.policies[policy].cells;
                        let pooled = |sign: i64| pooled(counted, &of.weights, sign, histogram);
                        (pooled(-1), pooled(1))
                    });
                    let greater = compared.as_ref().and_then(|(x, y)| less_or_tied(x, y));
                    let greater_error =
                        compared.as_ref().and_then(|(x, y)| less_or_tied_error(x, y, blocks));
                    effects.push(EffectResult {
                        contrast: of.name.clone(),
                        measure: what.name.clone(),
                        effect: rounded(estimate.effect),
                        se: estimate.error.map(rounded),
                        interval: around(estimate.effect, estimate.error, alone),
                        simultaneous: around(estimate.effect, estimate.error, critical),
                        reference: rounded(estimate.reference),
                        relative: (is_value && estimate.reference != 0.0)
                            .then(|| rounded(estimate.effect / estimate.reference)),
                        relative_interval: (estimate.relative)
                            .map(|(low, high)| [rounded(low), rounded(high)]),
                        above: sum.above,
                        below: sum.below,
                        greater: greater.map(rounded),
                        greater_interval: greater
                            .and_then(|greater| around(greater, greater_error, alone))
                            .map(|[low, high]| [low.max(0.0), high.min(1.0)]),
                        sign_depends: sign_depends(&estimates, contrast, measure),
                    });
                }
            }
            PolicyResult {
                name: entrant.to_string(),
                weights: entrant.weights().map(str::to_owned),
                cells: (0..cells.len()).map(|index| cell_result(policy, index)).collect(),
                effects,
            }
        });
        let policies: Vec<_> = policies.collect();
        let mut result = Self {
            schema: STUDY_SCHEMA.to_owned(),
            game: G::NAME.to_owned(),
            rules: study.rules,
            varied: study.varied.clone(),
            left_out: study.left_out.clone(),
            design: study.design,
            seed: study.seed,
            metrics: study.metrics,
            seconds_a_throw: study.seconds_a_throw,
            seconds_a_decision: study.seconds_a_decision,
            opening_turns: study.opening_turns,
            block_range: Blocks { from: study.blocks.from, to: study.blocks.from + blocks },
            blocks,
            games: blocks * (cells.len() * study.policies.len()) as u64,
            main_measure: main_unit::<G>().to_owned(),
            measures: (measures.iter())
                .map(|measure| MeasureSummary {
                    name: measure.name.clone(),
                    about: measure.about.clone(),
                })
                .collect(),
            cells: (cells.into_iter())
                .map(|cell| CellSummary {
                    name: cell.name,
                    changes: cell.changes,
                    rules: cell.rules,
                })
                .collect(),
            contrasts: (contrasts.into_iter())
                .map(|contrast| ContrastSummary {
                    name: contrast.name,
                    kind: contrast.kind,
                    weights: contrast.weights,
                    divisor: contrast.divisor,
                })
                .collect(),
            families: estimates.families,
            policies,
            digest: String::new(),
            provenance: None,
        };
        result.digest = digest::of_json(&result);
        result.provenance = Some(Provenance::default());
        result
    }
}

impl<R> StudyResult<R> {
    /// The family of a measure.
    #[must_use]
    pub fn family(&self, measure: &str) -> Option<&Family> {
        self.families.iter().find(|family| family.measure == measure)
    }

    /// The contrasts by their indices, that with the greatest effect on the main length first, whichever policy has it.
    pub(crate) fn contrasts_by_size(&self) -> Vec<usize> {
        let size = |index: usize| {
            let name = &self.contrasts[index].name;
            (self.policies.iter())
                .filter_map(|policy| policy.effect(name, &self.main_measure))
                .map(|effect| effect.effect.abs())
                .fold(0.0, f64::max)
        };
        let mut order: Vec<usize> = (0..self.contrasts.len()).collect();
        // Stable: equals stay in the order of the settings.
        order.sort_by(|&one, &other| size(other).total_cmp(&size(one)));
        order
    }

    /// The games of a contrast's cell that are not the base's; only where one cell is compared with the base.
    pub(crate) fn differ<'a>(
        &self,
        policy: &'a PolicyResult,
        contrast: &str,
    ) -> Option<&'a ShareResult> {
        if self.cells.len() != 1 + self.contrasts.len() {
            return None;
        }
        let cell = policy.cells.iter().skip(1).find(|cell| cell.cell == contrast)?;
        Some(&cell.differ)
    }
}

impl PolicyResult {
    /// The effect of a contrast on a measure.
    #[must_use]
    pub fn effect(&self, contrast: &str, measure: &str) -> Option<&EffectResult> {
        let is_it =
            |effect: &&EffectResult| effect.contrast == contrast && effect.measure == measure;
        self.effects.iter().find(is_it)
    }
}

impl CellResult {
    /// The mean of a measure.
    #[must_use]
    pub fn mean(&self, measure: &str) -> Option<&MeanResult> {
        self.means.iter().find(|mean| mean.measure == measure)
    }

    /// The distribution of a length or an event.
    #[must_use]
    pub fn length(&self, measure: &str) -> Option<&CellLength> {
        self.lengths.iter().chain(&self.events).find(|length| length.measure == measure)
    }
}

impl EffectResult {
    /// Whether the simultaneous interval leaves zero out.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.simultaneous.is_some_and(|[low, high]| low > 0.0 || high < 0.0)
    }
}

/// The interval that reaches so many standard errors to each side. Where nothing varied from block to block there is none:
/// how often it would in more blocks is not known from these.
fn around(middle: f64, error: Option<f64>, errors: Option<f64>) -> Option<Interval> {
    let width = error.filter(|&error| error > 0.0)? * errors?;
    Some([rounded(middle - width), rounded(middle + width)])
}

fn sign_depends(estimates: &Estimates, contrast: usize, measure: usize) -> bool {
    let critical = estimates.families[measure].critical;
    let intervals = (estimates.effects.iter())
        .filter_map(|policy| policy[contrast][measure])
        .filter_map(|estimate| around(estimate.effect, estimate.error, critical));
    let (mut above, mut below) = (false, false);
    for [low, high] in intervals {
        above |= low > 0.0;
        below |= high < 0.0;
    }
    above && below
}

/// The games of all cells whose weights have this sign.
fn pooled(cells: &[CellTally], weights: &[i64], sign: i64, histogram: usize) -> Histogram {
    let mut all = Histogram::default();
    for (cell, _) in cells.iter().zip(weights).filter(|&(_, &weight)| weight == sign) {
        all.merge(&cell.histograms[histogram]);
    }
    all
}

fn cell_result<G: Game>(
    name: &str,
    sides: usize,
    measures: &[Measure],
    counted: &CellTally,
    (blocks, alone): (u64, Option<f64>),
) -> CellResult {
    let mut result = CellResult {
        cell: name.to_owned(),
        differ: share("differ", counted.differ, blocks),
        means: Vec::new(),
        lengths: Vec::new(),
        minutes: None,
        seats: Vec::new(),
        ends: Vec::new(),
        events: Vec::new(),
    };
    let mut histograms = counted.histograms.iter();
    for (measure, sum) in measures.iter().zip(&counted.measures) {
        if !measure.kind.is_at_table(sides) {
            continue;
        }
        let unit = f64::from(measure.divisor);
        let mean = sum.sum as f64 / (unit * blocks as f64);
        let error = sum.standard_error(blocks).map(|error| error / unit);
        let interval = around(mean, error, alone);
        let (name, mean, se) = (measure.name.clone(), rounded(mean), error.map(rounded));
        let histogram = if measure.kind.has_histogram() { histograms.next() } else { None };
        let length = || histogram.and_then(|histogram| length(&name, histogram, se));
        match measure.kind {
            MeasureKind::Length(_) => result.lengths.extend(length()),
            MeasureKind::Metric(_) => result.events.extend(length()),
            MeasureKind::End(end) => {
                result.ends.push(share(G::ENDS[end], sum.sum, blocks));
            }
            MeasureKind::Payoff(seat) => result.seats.push(SeatShare {
                seat: seat.to_string(),
                wins: counted.seat_wins[seat.index()],
                score: mean,
                score_se: se,
                interval,
            }),
            MeasureKind::Minutes => {
                let sd = error.map(|error| rounded(error * (blocks as f64).sqrt()));
                let of =
                    |histogram| minutes(histogram, f64::from(measure.step) / unit, mean, se, sd);
                result.minutes = histogram.and_then(of);
            }
        }
        result.means.push(MeanResult { measure: name, mean, se, interval });
    }
    debug_assert_eq!(result.seats.len(), Seat::all(sides).count());
    result
}

fn length(name: &str, histogram: &Histogram, se: Option<f64>) -> Option<CellLength> {
    Some(CellLength {
        measure: name.to_owned(),
        mean: rounded(histogram.mean()?),
        se,
        sd: histogram.standard_deviation().map(rounded),
        median: histogram.quantile(50)?,
        q05: histogram.quantile(5)?,
        q25: histogram.quantile(25)?,
        q75: histogram.quantile(75)?,
        q95: histogram.quantile(95)?,
        max: histogram.max()?,
        histogram: histogram.clone(),
    })
}

fn minutes(
    histogram: &Histogram,
    step: f64,
    mean: f64,
    se: Option<f64>,
    sd: Option<f64>,
) -> Option<CellMinutes> {
    let time = |steps: u32| rounded(f64::from(steps) * step);
    let quantile = |percent| histogram.quantile(percent).map(time);
    Some(CellMinutes {
        mean,
        se,
        sd,
        median: quantile(50)?,
        q05: quantile(5)?,
        q25: quantile(25)?,
        q75: quantile(75)?,
        q95: quantile(95)?,
        max: histogram.max().map(time)?,
    })
}

/// One game a block: so games are blocks.
fn share(what: &str, games: u64, blocks: u64) -> ShareResult {
    let (low, high) = share_interval(games, blocks, 0.05);
    ShareResult {
        what: what.to_owned(),
        games,
        share: rounded(games as f64 / blocks as f64),
        interval: [rounded(low), rounded(high)],
        at_most: at_most(blocks, 0.05).filter(|_| games == 0).map(rounded),
    }
}

/// Histograms as objects from value to count, values in rising order.
mod by_value {
    use std::collections::BTreeMap;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::result::histogram_by_length;
    use crate::tally::Histogram;

    /// More than any value of a game: a file that says more is damaged.
    const MOST: u32 = 1 << 24;

    pub(super) fn serialize<S: Serializer>(
        histogram: &Histogram,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        histogram_by_length(histogram, serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Histogram, D::Error> {
        let mut histogram = Histogram::default();
        for (value, count) in BTreeMap::<u32, u64>::deserialize(deserializer)? {
            if value > MOST {
                return Err(D::Error::custom(format!("a histogram has a value of {value}")));
            }
            histogram.add_many(value, count);
        }
        Ok(histogram)
    }
}
