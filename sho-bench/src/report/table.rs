//! A tournament's result as a table of text.

use std::fmt::Write;

use comfy_table::{CellAlignment, LineStyle, Table, presets};
use serde::Serialize;
use sho_core::{Game, RuleSet, Seat};

use crate::distinct::COUNTED;
use crate::experiment::Amount;
use crate::result::TournamentResult;
use crate::stats::interval::half_width;

/// The result as text: what was played, a row for each bot and each seat, lengths, and how games ended.
///
/// Scores have their 95 % interval, from blocks. `asked` is what was to be played: where it was rounded up to whole
/// blocks the text says so. `G` says what a unit of length lasts at a table.
#[must_use]
pub fn tournament_table<G: Game>(result: &TournamentResult<G::Rules>, asked: Amount) -> String
where
    G::Rules: Serialize,
{
    let mut text = String::new();
    let sides = result.rules.sides();
    let _ = writeln!(
        text,
        "{} by {} rules, {sides} sides: {} games in {} blocks ({}), seed {}",
        result.game,
        result.rules.summary(),
        grouped(result.games),
        grouped(result.blocks),
        result.schedule.name(),
        result.seed,
    );
    if let Amount::Games(games) = asked
        && games != result.games
    {
        let _ = writeln!(
            text,
            "{} games were asked for, rounded up to whole blocks of {}",
            grouped(games),
            result.games / result.blocks
        );
    }
    if let Some(turns) = result.opening_turns {
        let _ = writeln!(text, "{}", opening(turns, result.games, result.distinct_games.flatten()));
    }
    let _ = writeln!(
        text,
        "equal strength scores {:.4} a seat; ± is the 95 % interval, from blocks\n",
        1.0 / sides as f64
    );

    let mut bots = table(&["bot", "seats", "games", "wins", "score a seat"]);
    for bot in &result.bots {
        bots.add_row([
            bot.name.clone(),
            bot.seats.to_string(),
            grouped(bot.games),
            grouped(bot.wins),
            with_interval(bot.score, bot.score_se, result.blocks),
        ]);
    }
    let _ = writeln!(text, "{}\n", aligned(bots));

    let mut seats = table(&["seat", "games", "wins", "score"]);
    for (seat, row) in Seat::ALL.iter().zip(&result.seats) {
        seats.add_row([
            seat.to_string(),
            grouped(result.games),
            grouped(row.wins),
            with_interval(row.score, row.score_se, result.blocks),
        ]);
    }
    let _ = writeln!(text, "{}\n", aligned(seats));

    let mut lengths = table(&["length of a game", "mean", "median", "5-95 %", "longest"]);
    for (unit, length) in &result.lengths.0 {
        let width = length.se.and_then(|error| half_width(error, result.blocks));
        let mean = width.map_or_else(
            || format!("{:.1}", length.mean),
            |width| format!("{:.2} ±{width:.2}", length.mean),
        );
        lengths.add_row([
            (*unit).to_owned(),
            mean,
            length.median.to_string(),
            format!("{}-{}", length.q05, length.q95),
            length.max.to_string(),
        ]);
    }
    if let (Some(seconds), Some((unit, length))) = (G::TABLE_SECONDS, result.lengths.0.first()) {
        let minutes = |units: f64| format!("{:.1}", units * f64::from(seconds) / 60.0);
        let whole = |units: u32| minutes(f64::from(units));
        lengths.add_row([
            format!("minutes ({seconds} s for each of the {unit})"),
            minutes(length.mean),
            whole(length.median),
            format!("{}-{}", whole(length.q05), whole(length.q95)),
            whole(length.max),
        ]);
    }
    let _ = writeln!(text, "{}\n", aligned(lengths));

    let mut ends = table(&["games ended by", "games", "share"]);
    for &(end, count) in &result.ends.0 {
        let share = 100.0 * count as f64 / result.games as f64;
        ends.add_row([end.to_owned(), grouped(count), format!("{share:.2} %")]);
    }
    let _ = writeln!(text, "{}", aligned(ends));
    text
}

/// How blocks began, and how many games were distinct where some were not or nobody knows.
fn opening(turns: u32, games: u64, distinct: Option<u64>) -> String {
    let begun = match turns {
        0 => "blocks begin with the first turn".to_owned(),
        1 => "each block begins with 1 random turn".to_owned(),
        _ => format!("each block begins with {turns} random turns"),
    };
    match distinct {
        Some(distinct) if distinct == games => begun,
        Some(distinct) => format!("{begun}; {} games were distinct", grouped(distinct)),
        None => format!("{begun}; more than {} games were distinct", grouped(COUNTED as u64)),
    }
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_header(header.iter().copied());
    table
}

/// Numbers to the right, so that their digits stand below one another.
fn aligned(mut table: Table) -> String {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

fn with_interval(score: f64, error: Option<f64>, blocks: u64) -> String {
    match error.and_then(|error| half_width(error, blocks)) {
        Some(width) => format!("{score:.4} ±{width:.4}"),
        None => format!("{score:.4} (one block: no interval)"),
    }
}

/// A whole number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
