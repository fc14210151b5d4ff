//! What is particular to the folders of studies.

use std::ops::ControlFlow;

use serde::Deserialize;
use serde_json::Value;
use sho_ai::Bots;
use sho_core::{RuleSet, Unit, WHOLE_PAYOFF};

use super::differences::value_differences;
use super::subject::{Outcome, Subject, without_provenance};
use super::{Faults, counted};
use crate::checks::TotalDifference;
use crate::compare::document::Program;
use crate::experiment::{Blocks, TournamentGame};
use crate::folder::{FolderError, STUDY_RESULT, StudyPlan, Work};
use crate::metrics::Measured;
use crate::stats::bootstrap::GROUPS;
use crate::study::{
    CellTally, Contrast, ContrastSum, Measure, MeasureKind, PolicyTally, STUDY_SCHEMA, Seconds,
    Study, StudyResult, StudyTally, StudyTotals, measures, study_ranges, tables,
};
use crate::tally::Histogram;
use crate::tournament::{Keep, Lines, RunError};

impl<G: TournamentGame> Subject<G> for StudyPlan<G::Rules> {
    const RESULT: &'static str = STUDY_RESULT;

    fn words(&self, made: &Self::Made) -> Vec<String> {
        let policies = match made.policies.len() {
            1 => "1 policy".to_owned(),
            more => format!("{more} policies"),
        };
        vec![policies, counted(made.cells().map_or(0, |cells| cells.len()) as u64, "cell")]
    }

    fn games_a_block(made: &Self::Made) -> u64 {
        // A study that was checked has cells.
        made.games_a_block().unwrap_or(0)
    }

    fn is_deterministic(_: &Self::Made) -> bool {
        // Or it could not be made.
        true
    }

    fn endless(made: &Self::Made) -> Self::Made {
        made.clone()
    }

    fn contradictions(made: &Self::Made, blocks: Blocks, tally: &StudyTally) -> Faults {
        contradictions::<G, _>(tally, blocks, made).unwrap_or_default()
    }

    fn total_differences(
        made: &Self::Made,
        here: &StudyTotals,
        there: &StudyTotals,
    ) -> Vec<TotalDifference> {
        here.differences::<G, _>(there, made)
    }

    fn play_again(
        made: &Self::Made,
        ranges: &[Blocks],
        _: Keep,
        threads: usize,
        stop: impl Fn() -> bool + Sync,
        mut take: impl FnMut((StudyTally, Lines)) -> ControlFlow<()> + Send,
    ) -> Result<(), RunError> {
        study_ranges::<G>(made, ranges, threads, stop, |tally| take((tally, Lines::default())))
    }

    fn outcome(&self, made: &Self::Made, tally: &StudyTally) -> Outcome {
        let result = StudyResult::new::<G>(made, tally);
        Outcome {
            document: serde_json::to_string(&result).unwrap_or_default() + "\n",
            report: report_text::<G>(&result, Work::<G>::cut(self).blocks.len()),
            tables: tables(&result).into(),
            digest: result.digest,
        }
    }

    fn result_differences(text: &str, expected: &str) -> Result<(Faults, Option<Program>), String> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
            digest: String,
            provenance: Option<Program>,
        }
        let head: Head = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if head.schema != STUDY_SCHEMA {
            return Err(format!("schema {STUDY_SCHEMA} was expected, found `{}`", head.schema));
        }
        let mut faults = Faults::default();
        if without_provenance(text) != without_provenance(expected) {
            let value = |text: &str| -> Value {
                let mut value: Value = serde_json::from_str(text).unwrap_or_default();
                if let Value::Object(keys) = &mut value {
                    keys.remove("digest");
                    keys.remove("provenance");
                }
                value
            };
            let mut add = |key: &str, here: &str, there: &str| {
                faults.add(format!("{key}: {here}, and the counts come to {there}"));
            };
            value_differences(&value(text), &value(expected), &mut add);
            let made: Head = serde_json::from_str(expected).map_err(|error| error.to_string())?;
            if head.digest != made.digest {
                faults.add(format!(
                    "digest: it states {}, and the counts come to {}",
                    head.digest, made.digest
                ));
            }
        }
        Ok((faults, head.provenance))
    }
}

#[cfg(feature = "cli")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is none")]
fn report_text<G: Bots>(result: &StudyResult<G::Rules>, planned: u64) -> Option<String> {
    Some(crate::report::study_table::<G>(result, planned))
}

#[cfg(not(feature = "cli"))]
fn report_text<G: Bots>(_: &StudyResult<G::Rules>, _: u64) -> Option<String> {
    None
}

/// What cannot be in any counts of these blocks of a study.
fn contradictions<G: Measured<Rules = R>, R: RuleSet>(
    tally: &StudyTally,
    blocks: Blocks,
    study: &Study<R>,
) -> Result<Faults, FolderError> {
    let (measures, contrasts) = (measures::<G>(study), study.contrasts()?);
    let cells = study.cells()?;
    let mut faults = Faults::default();
    for (name, policy) in study.policies.iter().zip(&tally.policies) {
        let mut of_policy = Faults::default();
        for (index, (cell, counted)) in cells.iter().zip(&policy.cells).enumerate() {
            let mut of_cell = Faults::default();
            let known = Known { measures: &measures, blocks: blocks.len(), faults: &mut of_cell };
            known.check(study, cell.rules.sides(), index == 0, counted);
            of_policy.append(of_cell.each(|fault| format!("cell {}, {fault}", cell.name)));
        }
        let of_cell = |cell: usize| cells[cell].name.as_str();
        check_groups(policy, blocks, &measures, of_cell, &mut of_policy);
        check_contrasts(policy, blocks, &measures, &contrasts, &mut of_policy);
        faults.append(of_policy.each(|fault| format!("policy {name}, {fault}")));
    }
    Ok(faults)
}

fn equal(what: &str, here: i128, there: i128, faults: &mut Faults) {
    if here != there {
        faults.add(format!("{what}: {here}, not {there}"));
    }
}

/// What is known of a cell's counts before it is played.
struct Known<'a> {
    measures: &'a [Measure],
    blocks: u64,
    faults: &'a mut Faults,
}

impl Known<'_> {
    fn check<R: RuleSet>(self, study: &Study<R>, sides: usize, is_base: bool, counted: &CellTally) {
        let Self { measures, blocks, faults } = self;
        let games = i128::from(blocks);
        let whole = i128::from(WHOLE_PAYOFF);
        if is_base {
            equal("games that differ from themselves", counted.differ.into(), 0, faults);
        } else if counted.differ > blocks {
            faults.add(format!("games that differ: {} of {blocks}", counted.differ));
        }
        let mut histograms = counted.histograms.iter();
        let (mut ends, mut payoffs, mut minutes, mut time) = (0, 0, None, 0);
        for (measure, &sums) in measures.iter().zip(&counted.measures) {
            let (sum, name) = (i128::from(sums.sum), measure.name.as_str());
            // A block has one game, so that squares of the one are those of the other.
            let (mut total, mut squares) = (0_u128, 0_u128);
            if let Some(histogram) = measure.kind.has_histogram().then(|| histograms.next()) {
                for (value, games) in histogram.into_iter().flat_map(Histogram::iter) {
                    let (value, games) = (u128::from(value), u128::from(games));
                    total = total.saturating_add(value.saturating_mul(games));
                    squares = squares.saturating_add((value * value).saturating_mul(games));
                }
                let step = u128::from(measure.step);
                total = total.saturating_mul(step);
                squares = squares.saturating_mul(step * step);
                let sum = u128::from(sums.sum);
                let is_right = if steps_are_exact(study, measure) {
                    total == sum && squares == sums.squares
                } else {
                    // Each game was rounded down to a step.
                    total <= sum && sum <= total + u128::from(blocks) * step
                };
                if !is_right {
                    faults.add(format!(
                        "{name}: the sum is {} and that of squares {}, and the games by their {name} come to {total} and \
                         {squares}",
                        sums.sum, sums.squares
                    ));
                }
            } else if !can_be(blocks, sum, sums.squares) {
                faults.add(format!(
                    "{name}: no {blocks} blocks have the sum {sum} and the sum of squares {}",
                    sums.squares
                ));
            }
            match measure.kind {
                MeasureKind::Length(_) => {
                    let each = match name {
                        _ if name == Unit::Throws.name() => study.seconds_a_throw,
                        _ if name == Unit::Decisions.name() => study.seconds_a_decision,
                        _ => Seconds(0),
                    };
                    time += i128::from(each.0) * sum;
                }
                MeasureKind::Minutes => minutes = Some(sum),
                MeasureKind::End(_) => {
                    ends += sum;
                    equal(&format!("squares of {name}"), squares_of(sums.squares), sum, faults);
                }
                MeasureKind::Payoff(seat) => {
                    payoffs += sum;
                    if seat.index() >= sides {
                        equal(&format!("{name}, which has no seat there"), sum, 0, faults);
                    }
                    let wins = counted.seat_wins[seat.index()];
                    if i128::from(wins) * whole > sum {
                        faults.add(format!("{name}: {wins} games won, and a payoff12 of {sum}"));
                    }
                }
                MeasureKind::Metric(_) => {}
            }
        }
        equal("games by how they ended", ends, games, faults);
        equal("payoff12 of all seats", payoffs, games * whole, faults);
        if let Some(minutes) = minutes {
            equal("thousandths of a second", minutes, time, faults);
        }
        for (seat, &wins) in counted.seat_wins.iter().enumerate().skip(sides) {
            equal(
                &format!("wins of seat number {seat}, which is not there"),
                wins.into(),
                0,
                faults,
            );
        }
    }
}

/// Whether what a game comes to is a whole number of steps of the measure's histogram. Of minutes they are rounded where the
/// times of a throw and of a decision have hardly a common measure.
fn steps_are_exact<R: RuleSet>(study: &Study<R>, measure: &Measure) -> bool {
    [study.seconds_a_throw, study.seconds_a_decision]
        .iter()
        .all(|seconds| measure.step == 1 || seconds.0.is_multiple_of(measure.step))
}

/// What does not fit stands for all that is too much.
fn squares_of(squares: u128) -> i128 {
    i128::try_from(squares).unwrap_or(i128::MAX)
}

/// Whether so many whole numbers can have this sum and this sum of squares.
fn can_be(blocks: u64, sum: i128, squares: u128) -> bool {
    let size = sum.unsigned_abs();
    let Some(square) = size.checked_mul(size) else { return false };
    // The mean of squares is no less than the square of the mean, and squares of whole numbers not less than them.
    squares >= size && u128::from(blocks).checked_mul(squares).is_some_and(|most| most >= square)
}

/// The sums by group of blocks: each group has the blocks that belong to it, and all come to those of the cells.
fn check_groups<'a>(
    policy: &PolicyTally,
    blocks: Blocks,
    measures: &[Measure],
    cell_name: impl Fn(usize) -> &'a str,
    faults: &mut Faults,
) {
    let groups = GROUPS as u64;
    for (group, row) in (0..groups).zip(policy.groups.rows()) {
        // How many numbers below a block have this remainder.
        let below = |block: u64| (block + groups - 1 - group) / groups;
        let expected = below(blocks.to) - below(blocks.from);
        equal(&format!("blocks of group {group}"), row[0], expected.into(), faults);
    }
    let totals = policy.groups.totals();
    for (place, &total) in totals.iter().skip(1).enumerate() {
        let (cell, measure) = (place / measures.len(), place % measures.len());
        let sum = policy.cells[cell].measures[measure].sum;
        let what =
            format!("{} by group of blocks in cell {}", measures[measure].name, cell_name(cell));
        equal(&what, total, sum.into(), faults);
    }
}

/// The contrasts: each is that of the sums of its cells.
fn check_contrasts(
    policy: &PolicyTally,
    blocks: Blocks,
    measures: &[Measure],
    contrasts: &[Contrast],
    faults: &mut Faults,
) {
    let blocks = blocks.len();
    for (contrast, sums) in contrasts.iter().zip(&policy.contrasts) {
        for (index, (measure, counted)) in measures.iter().zip(sums).enumerate() {
            let cells = contrast.weights.iter().zip(&policy.cells);
            let expected = cells
                .map(|(&weight, cell)| i128::from(weight) * i128::from(cell.measures[index].sum))
                .sum();
            let ContrastSum { sum, squares, above, below } = *counted;
            let what = format!("contrast {} of {}", contrast.name, measure.name);
            equal(&what, sum.into(), expected, faults);
            let apart = above.checked_add(below).filter(|&apart| apart <= blocks);
            if apart.is_none_or(|apart| squares < apart.into())
                || !can_be(blocks, sum.into(), squares)
            {
                faults.add(format!(
                    "{what}: no {blocks} blocks have the sum {sum} and the sum of squares {squares}, {above} above 0 and \
                     {below} below"
                ));
            }
        }
    }
}
