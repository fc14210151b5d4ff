//! What would be played, as text.

use std::fmt::Write;

use sho_core::{Game, RuleSet, Seat};

use crate::experiment::{Amount, Experiment};
use crate::number::{counted, grouped};
use crate::report::cells::{aligned, table};
use crate::report::wrapped::wrapped;

/// The most line-ups whose seatings are shown one by one.
const SHOWN: usize = 20;

/// An experiment's schedule as text: its rules and size, and for each line-up who sits where in which seating.
#[must_use]
pub fn schedule_table<G: Game>(experiment: &Experiment<G::Rules>, asked: Amount) -> String {
    let sides = experiment.rules.sides();
    let lineups = experiment.lineups.len();
    let seatings = experiment.schedule.seatings(sides);
    let mut text = String::new();
    text +=
        &wrapped(&format!("{}, {sides} sides, rules: {}", G::NAME, experiment.rules.summary()), 0);
    let line = format!(
        "{} in {}: {}, {} ({}), seed {}, metrics {}",
        counted(experiment.games(), "game"),
        counted(experiment.blocks.len(), "block"),
        counted(lineups as u64, "line-up"),
        counted(seatings.len() as u64, "seating"),
        experiment.schedule.name(),
        experiment.seed,
        experiment.metrics.name(),
    );
    text += &wrapped(&line, 0);
    let each = experiment.blocks.len().saturating_mul(seatings.len() as u64);
    if let Amount::Games(games) = asked
        && games != each
    {
        let games = counted(games, "game");
        text +=
            &wrapped(&format!("rounded up from {games} to {} for each line-up", grouped(each)), 0);
    }
    if !G::HAS_CHANCE {
        let turns = counted(experiment.opening_turns.into(), "random turn");
        text += &wrapped(&format!("each block begins with {turns}"), 0);
    }
    if let Some(test) = experiment.sprt {
        let bot = &experiment.bots[0];
        text += &wrapped(&format!("a sequential test of {bot} may end it earlier: {test}"), 0);
    }
    text.push('\n');

    let seats: Vec<String> = Seat::all(sides).map(|seat| format!("seat {seat}")).collect();
    let mut header = vec!["line-up", "seating"];
    header.extend(seats.iter().map(String::as_str));
    let mut rows = table(&header);
    for (number, lineup) in experiment.lineups.iter().enumerate().take(SHOWN) {
        for (index, seating) in seatings.iter().enumerate() {
            let bot_at = Experiment::<G::Rules>::bot_at(lineup, seating);
            let mut row = vec![number.to_string(), index.to_string()];
            row.extend(Seat::all(sides).map(|seat| experiment.bots[bot_at[seat]].to_string()));
            rows.add_row(row);
        }
    }
    let _ = writeln!(text, "{}", aligned(rows));
    if lineups > SHOWN {
        let _ = writeln!(
            text,
            "and {} more line-ups; --format json has all",
            grouped((lineups - SHOWN) as u64)
        );
    }
    text
}
