//! A tournament's result as a table of text.

use std::fmt::Write;

use serde::Serialize;
use sho_core::{Game, RuleSet, Seat};

use crate::distinct::COUNTED;
use crate::experiment::Amount;
use crate::number::{counted, grouped};
use crate::report::cells::{aligned, table, with_interval};
use crate::report::events::events_table;
use crate::report::faults::faults_table;
use crate::report::strength::{strength_tables, test_lines};
use crate::report::wrapped::wrapped;
use crate::result::TournamentResult;
use crate::stats::interval::half_width;

/// The result as text of at most [`COLUMNS`](super::COLUMNS) columns: what was played, a row for each bot and each seat, lengths, and
/// how games ended.
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
    text +=
        &wrapped(&format!("{}, {sides} sides, rules: {}", result.game, result.rules.summary()), 0);
    text += &wrapped(
        &format!(
            "{} in {} ({}), seed {}",
            counted(result.games, "game"),
            counted(result.blocks, "block"),
            result.schedule.name(),
            result.seed,
        ),
        0,
    );
    let lineups = result.lineups.len().max(1) as u64;
    let block_games = result.games / lineups / result.blocks.max(1);
    let whole_blocks = match asked {
        Amount::Games(games) => games.div_ceil(block_games),
        Amount::Blocks(blocks) => blocks,
    };
    if result.blocks < whole_blocks && result.sprt.is_none() {
        let played = counted(result.blocks, "block");
        text +=
            &wrapped(&format!("stopped by hand: {played} of {} played", grouped(whole_blocks)), 0);
    } else if let Amount::Games(games) = asked
        && games.saturating_mul(lineups) != result.games
        && result.blocks == whole_blocks
    {
        let games = counted(games, "game");
        let each = if lineups > 1 { " for each line-up" } else { "" };
        text +=
            &wrapped(&format!("rounded up from {games}{each} to whole blocks of {block_games}"), 0);
    }
    if let Some(turns) = result.opening_turns {
        text += &wrapped(&opening(turns, result.games, result.distinct_games.flatten()), 0);
    }
    text += &test_lines(result);
    if !result.deterministic {
        let line = "not deterministic: bots in other programs take part, which may play otherwise another time";
        text += &wrapped(line, 0);
    }
    let intervals = match result.blocks {
        1 => "one block has no intervals",
        _ => "± is the 95 % interval, from blocks",
    };
    text += &wrapped(
        &format!("equal strength scores {:.4} a seat; {intervals}", 1.0 / sides as f64),
        0,
    );
    let won: u64 = result.seats.iter().map(|seat| seat.wins).sum();
    if won < result.games {
        let shared = grouped(result.games - won);
        text += &wrapped(
            &format!("shared wins: {shared}; they count in the score, and not among wins"),
            0,
        );
    }
    text.push('\n');

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
    let _ = writeln!(text, "{}", aligned(bots));
    for bot in &result.bots {
        if let Some(judges_by) = &bot.judges_by {
            text += &wrapped(&format!("{}: {judges_by}", bot.name), 0);
        }
    }
    text.push('\n');

    text += &faults_table(result);
    text += &strength_tables(result);

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
    let at_a_table = G::TABLE_SECONDS.zip(result.lengths.0.first());
    if let Some((seconds, (_, length))) = at_a_table {
        let minutes = |units: f64| format!("{:.1}", units * f64::from(seconds) / 60.0);
        let whole = |units: u32| minutes(f64::from(units));
        lengths.add_row([
            "minutes".to_owned(),
            minutes(length.mean),
            whole(length.median),
            format!("{}-{}", whole(length.q05), whole(length.q95)),
            whole(length.max),
        ]);
    }
    let _ = writeln!(text, "{}", aligned(lengths));
    if let Some((seconds, (unit, _))) = at_a_table {
        let _ = writeln!(text, "minutes: {seconds} s for each of the {unit}");
    }
    text.push('\n');

    text += &events_table(result);

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
