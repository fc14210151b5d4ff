//! What is particular to the folders of tournaments.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use sho_core::{RuleSet, Seat, WHOLE_PAYOFF};

use super::subject::{Outcome, Subject, without_provenance};
use super::{Audience, Case, Faults, counted};
use crate::checks::{TotalDifference, Totals};
use crate::compare::compare;
use crate::compare::document::{Document, Program};
use crate::experiment::{Blocks, Experiment, TournamentGame};
use crate::folder::{FolderError, Plan, RESULT};
use crate::metrics::{Measured, Together};
use crate::result::TournamentResult;
use crate::tally::{BlockSum, Histogram, Tally};
use crate::tournament::{Keep, Lines, RunError, play_ranges};

impl<G: TournamentGame> Subject<G> for Plan<G::Rules> {
    const RESULT: &'static str = RESULT;

    fn words(&self, made: &Self::Made) -> Vec<String> {
        vec![counted(made.bots.len() as u64, "bot"), counted(made.lineups.len() as u64, "line-up")]
    }

    fn games_a_block(made: &Self::Made) -> u64 {
        made.games_a_block()
    }

    fn is_deterministic(made: &Self::Made) -> bool {
        made.is_deterministic()
    }

    fn endless(made: &Self::Made) -> Self::Made {
        Experiment { sprt: None, ..made.clone() }
    }

    fn contradictions(made: &Self::Made, _: Blocks, tally: &Tally) -> Faults {
        contradictions::<G, _>(tally, made)
    }

    fn total_differences(made: &Self::Made, here: &Totals, there: &Totals) -> Vec<TotalDifference> {
        here.differences::<G, _>(there, made)
    }

    fn play_again(
        made: &Self::Made,
        ranges: &[Blocks],
        keep: Keep,
        threads: usize,
        stop: impl Fn() -> bool + Sync,
        take: impl FnMut((Tally, Lines)) -> ControlFlow<()> + Send,
    ) -> Result<(), RunError> {
        play_ranges::<G>(made, ranges, keep, threads, stop, take)
    }

    fn outcome(&self, made: &Self::Made, tally: &Tally) -> Outcome {
        let result = TournamentResult::new::<G>(made, tally);
        Outcome {
            document: serde_json::to_string(&result).unwrap_or_default() + "\n",
            report: report_text::<G>(&result, self.asked),
            digest: result.digest,
            tables: Vec::new(),
        }
    }

    fn result_differences(text: &str, expected: &str) -> Result<(Faults, Option<Program>), String> {
        let mut faults = Faults::default();
        let document = Document::parse(text)?;
        let program = document.result.provenance.clone();
        if without_provenance(text) != without_provenance(expected) {
            // Both are results, and the one that was just made can be read back.
            if let Ok(made) = Document::parse(expected) {
                let compared = compare(&document, &made);
                for difference in compared.experiment.iter().chain(&compared.keys) {
                    let text = |value: &Option<serde_json::Value>| {
                        value.as_ref().map_or("nothing".to_owned(), ToString::to_string)
                    };
                    let (key, here, there) =
                        (&difference.key, text(&difference.a), text(&difference.b));
                    faults.add(format!("{key}: {here}, and the counts come to {there}"));
                }
                faults.count += (compared.keys_in_all - compared.keys.len()) as u64;
                if document.result.digest != made.result.digest {
                    faults.add(format!(
                        "digest: it states {}, and the counts come to {}",
                        document.result.digest, made.result.digest
                    ));
                }
            }
        }
        Ok((faults, program))
    }

    fn check_kept<A: Audience>(case: &mut Case<'_, G, Self, A>) -> Result<(), FolderError> {
        case.check_kept_files()
    }

    fn check_on_record<A: Audience>(
        case: &mut Case<'_, G, Self, A>,
        chosen: Option<&BTreeSet<u64>>,
    ) -> Result<(), FolderError> {
        case.check_records(chosen)
    }
}

#[cfg(feature = "cli")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is none")]
fn report_text<G: TournamentGame>(
    result: &TournamentResult<G::Rules>,
    asked: crate::experiment::Amount,
) -> Option<String> {
    Some(crate::report::tournament_table::<G>(result, asked))
}

#[cfg(not(feature = "cli"))]
fn report_text<G: TournamentGame>(
    _: &TournamentResult<G::Rules>,
    _: crate::experiment::Amount,
) -> Option<String> {
    None
}

/// What cannot be in any tally of this experiment, whatever was played: sums that say two things.
fn contradictions<G: Measured<Rules = R>, R: RuleSet>(
    tally: &Tally,
    experiment: &Experiment<R>,
) -> Faults {
    let mut faults = impossible_sums::<G, R>(tally, experiment);
    let mut equal = |what: String, here: u128, there: u128| {
        if here != there {
            faults.add(format!("{what}: {here}, not {there}"));
        }
    };
    let (games, blocks) = (u128::from(tally.games), u128::from(tally.blocks));
    let bots = experiment.bots.len();
    let sum = |numbers: &mut dyn Iterator<Item = u64>| -> u128 {
        numbers.map(u128::from).fold(0, u128::saturating_add)
    };
    equal("games by how they ended".to_owned(), sum(&mut tally.ends.iter().copied()), games);
    for (unit, length) in G::UNITS.iter().zip(&tally.lengths) {
        let name = unit.name();
        let (count, total) = sums(&length.histogram);
        equal(format!("games by their {name}"), count, games);
        equal(format!("{name} of all games"), total, length.blocks.sum.into());
    }
    let mut faulty = 0;
    for (entrant, bot) in experiment.bots.iter().zip(&tally.bots) {
        let faults = sum(&mut bot.faults.kinds().map(|(_, faults)| faults.count));
        if entrant.is_deterministic() {
            equal(format!("faults of {entrant}, which is no program of its own"), faults, 0);
        }
        faulty = faults.saturating_add(faulty);
    }
    let payoff = sum(&mut (0..bots).map(|bot| tally.payoffs.bot(bot).sum));
    if faulty == 0 {
        let whole = games.saturating_mul(u128::from(WHOLE_PAYOFF));
        equal("payoff12 of all bots".to_owned(), payoff, whole);
    }
    let seats = Seat::all(experiment.rules.sides()).map(Seat::index);
    let by_seat = sum(&mut seats.clone().map(|seat| tally.payoffs.seat(bots, seat).sum));
    equal("payoff12 of all seats".to_owned(), by_seat, payoff);
    let wins = sum(&mut tally.bots.iter().map(|bot| bot.wins));
    equal("wins of all seats".to_owned(), sum(&mut seats.map(|seat| tally.seat_wins[seat])), wins);
    for (index, bot) in tally.bots.iter().enumerate() {
        let name = experiment.bots[index].to_string();
        let seats = experiment.games_held(index);
        equal(format!("seats of {name}"), bot.seats.into(), blocks.saturating_mul(seats.0.into()));
        equal(format!("games of {name}"), bot.games.into(), blocks.saturating_mul(seats.1.into()));
        if experiment.lineups.len() == 1 {
            let (mut count, mut total, mut squares) = (0_u128, 0_u128, 0_u128);
            for (&outcome, &blocks) in &bot.outcomes {
                let (outcome, blocks) = (u128::from(outcome), u128::from(blocks));
                count = count.saturating_add(blocks);
                total = total.saturating_add(outcome * blocks);
                squares = squares.saturating_add((outcome * outcome).saturating_mul(blocks));
            }
            let payoffs = tally.payoffs.bot(index);
            equal(format!("blocks by the payoff of {name}"), count, blocks);
            equal(format!("payoff12 of {name} by block"), total, payoffs.sum.into());
            equal(format!("squares of payoff12 of {name} by block"), squares, payoffs.squares);
        }
    }
    if let Some(metrics) = &tally.metrics {
        for (metric, counts) in G::METRICS.iter().zip(&metrics.metrics) {
            let (count, total) = sums(&counts.histogram);
            equal(format!("games by {}", metric.name), count, games);
            equal(format!("{} of all games", metric.name), total, counts.blocks.sum.into());
            if metric.together == Together::Sum {
                let by_bot = sum(&mut counts.bots.iter().map(|bot| bot.sum));
                equal(format!("{} of all bots", metric.name), by_bot, counts.blocks.sum.into());
            }
        }
    }
    faults
}

/// Sums and sums of squares that no blocks can have: with them no errors can be computed.
fn impossible_sums<G: Measured<Rules = R>, R: RuleSet>(
    tally: &Tally,
    experiment: &Experiment<R>,
) -> Faults {
    let mut faults = Faults::default();
    let blocks = u128::from(tally.blocks);
    let mut check = |what: String, sums: BlockSum| {
        let square = u128::from(sums.sum) * u128::from(sums.sum);
        // The mean of squares is no less than the square of the mean, and squares of whole numbers not less than them.
        let least = sums.squares.checked_mul(blocks).is_some_and(|product| product >= square);
        if !least || sums.squares > square || sums.squares < sums.sum.into() {
            faults.add(format!(
                "{what}: no {blocks} blocks have the sum {} and the sum of squares {}",
                sums.sum, sums.squares
            ));
        }
    };
    let (bots, payoffs) = (experiment.bots.len(), &tally.payoffs);
    for (index, bot) in experiment.bots.iter().enumerate() {
        check(format!("payoff12 of {bot}"), payoffs.bot(index));
    }
    for seat in Seat::all(experiment.rules.sides()) {
        check(format!("payoff12 of seat {seat}"), payoffs.seat(bots, seat.index()));
    }
    for (cell, (lineup, bot)) in experiment.design().cells().enumerate() {
        let bot = &experiment.bots[bot];
        check(format!("payoff12 of {bot} in line-up {lineup}"), payoffs.cell(cell));
    }
    for (unit, length) in G::UNITS.iter().zip(&tally.lengths) {
        check(unit.name().to_owned(), length.blocks);
    }
    for (metric, counts) in
        G::METRICS.iter().zip(tally.metrics.iter().flat_map(|metrics| &metrics.metrics))
    {
        check(metric.name.to_owned(), counts.blocks);
        for (bot, &sums) in experiment.bots.iter().zip(&counts.bots) {
            check(format!("{} of {bot}", metric.name), sums);
        }
    }
    faults
}

/// How many values a histogram has, and their sum.
fn sums(histogram: &Histogram) -> (u128, u128) {
    histogram.iter().fold((0, 0), |(count, total): (u128, u128), (value, games)| {
        let games = u128::from(games);
        (count.saturating_add(games), total.saturating_add(u128::from(value) * games))
    })
}

impl<R: RuleSet> Experiment<R> {
    /// In a block: seats that a bot holds over all games, and games in which it holds one.
    fn games_held(&self, bot: usize) -> (u64, u64) {
        let seatings = self.schedule.seatings(self.rules.sides()).len() as u64;
        let held =
            |lineup: &Vec<usize>| lineup.iter().filter(|&&other| other == bot).count() as u64;
        let seats: u64 = self.lineups.iter().map(held).sum();
        let games = self.lineups.iter().filter(|lineup| held(lineup) > 0).count() as u64;
        (seats * seatings, games * seatings)
    }
}
