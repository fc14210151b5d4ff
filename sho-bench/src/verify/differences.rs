//! What is wrong with counts: where two tallies differ, and where one contradicts itself.

use serde_json::Value;
use sho_core::{RuleSet, Seat, WHOLE_PAYOFF};

use super::Faults;
use crate::experiment::Experiment;
use crate::metrics::{Measured, Together};
use crate::tally::{BlockSum, Histogram, Tally};

/// The numbers in which two tallies differ, as in `bots[0].wins: 12, not 13`.
pub(super) fn tally_differences(here: &Tally, there: &Tally) -> Faults {
    let mut faults = Faults::default();
    if here == there {
        return faults;
    }
    // A tally has nothing that JSON cannot hold.
    let value = |tally: &Tally| -> Value {
        serde_json::to_string(tally)
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    };
    descend("", Some(&value(here)), Some(&value(there)), &mut faults);
    if faults.count == 0 {
        // Numbers beyond 64 bits are rounded where they are read without knowing what they are.
        faults.add("sums of squares differ");
    }
    faults
}

fn descend(key: &str, here: Option<&Value>, there: Option<&Value>, faults: &mut Faults) {
    match (here, there) {
        (Some(Value::Object(x)), Some(Value::Object(y))) => {
            let more = y.keys().filter(|name| !x.contains_key(*name));
            for name in x.keys().chain(more) {
                let dot = if key.is_empty() { "" } else { "." };
                descend(&format!("{key}{dot}{name}"), x.get(name), y.get(name), faults);
            }
        }
        (Some(Value::Array(x)), Some(Value::Array(y))) => {
            for index in 0..x.len().max(y.len()) {
                descend(&format!("{key}[{index}]"), x.get(index), y.get(index), faults);
            }
        }
        _ if here != there => {
            let text = |value: Option<&Value>| value.map_or("nothing".to_owned(), Value::to_string);
            faults.add(format!("{key}: {}, not {}", text(here), text(there)));
        }
        _ => {}
    }
}

/// What cannot be in any tally of this experiment, whatever was played: sums that say two things.
pub(super) fn contradictions<G: Measured<Rules = R>, R: RuleSet>(
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
