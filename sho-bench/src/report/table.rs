//! A tournament's result as a table of text.

use std::fmt::Write;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, presets};
use serde::Serialize;
use sho_core::{Game, RuleSet, Seat};

use crate::distinct::COUNTED;
use crate::experiment::Amount;
use crate::report::wrapped::{COLUMNS, wrapped};
use crate::result::TournamentResult;
use crate::stats::elo::{Contest, Estimate};
use crate::stats::interval::half_width;

/// The result as text of at most [`COLUMNS`] columns: what was played, a row for each bot and each seat, lengths, and
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
    if let Amount::Games(games) = asked
        && games.saturating_mul(lineups) != result.games
    {
        let block = result.games / lineups / result.blocks.max(1);
        text += &wrapped(
            &format!("rounded up from {} to whole blocks of {block}", counted(games, "game")),
            0,
        );
    }
    if let Some(turns) = result.opening_turns {
        text += &wrapped(&opening(turns, result.games, result.distinct_games.flatten()), 0);
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
    let _ = writeln!(text, "{}\n", aligned(bots));

    if let Some(strength) = strength(result) {
        let _ = writeln!(text, "{}\n", aligned(strength));
    }

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
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(COLUMNS as u16);
    table.set_header(header.iter().copied());
    table
}

/// Numbers to the right, so that their digits stand below one another. Where the table is too wide the names wrap, not
/// the numbers.
fn aligned(mut table: Table) -> String {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt()
}

/// What the scores of a single line-up say of each bot against the others at the table; nothing where they are copies of
/// one bot, and for several line-ups, where a bot meets different others.
fn strength<R: RuleSet>(result: &TournamentResult<R>) -> Option<Table> {
    let [_] = result.lineups.as_slice() else { return None };
    let mut strength = table(&["against the others", "Elo", "nElo", "chance to be better"]);
    for bot in &result.bots {
        let games_a_block = result.games / result.blocks.max(1);
        // Seats and seatings are few.
        let contest =
            Contest::new(result.rules.sides() as u32, bot.seats as u32, games_a_block as u32)?;
        let Some(estimate) = Estimate::new(contest, bot.by_block, result.blocks) else { continue };
        // A number, and half its 95 % interval from the same quantile as that of the score.
        let number = |value: Option<f64>, error: Option<f64>| {
            let width = error.and_then(|error| half_width(error, result.blocks));
            match (value, width) {
                (Some(value), Some(width)) => format!("{:+.1} ±{width:.1}", value + 0.0),
                (Some(value), None) => format!("{:+.1}", value + 0.0),
                (None, _) => match estimate.elo_bound() {
                    Some(bound) if bound > 0.0 => format!("above {bound:+.1}"),
                    Some(bound) => format!("below {bound:+.1}"),
                    None => "-".to_owned(),
                },
            }
        };
        strength.add_row([
            bot.name.clone(),
            number(estimate.elo(), estimate.elo_error()),
            match estimate.nelo() {
                Some(nelo) => number(Some(nelo), estimate.nelo_error()),
                None => "-".to_owned(),
            },
            match estimate.los() {
                None => "-".to_owned(),
                // Nothing is certain that was measured.
                Some(los) if los > 0.9999 => "> 99.99 %".to_owned(),
                Some(los) if los < 0.0001 => "< 0.01 %".to_owned(),
                Some(los) => format!("{:.2} %", 100.0 * los),
            },
        ]);
    }
    (strength.row_count() > 0).then_some(strength)
}

fn with_interval(score: f64, error: Option<f64>, blocks: u64) -> String {
    match error.and_then(|error| half_width(error, blocks)) {
        Some(width) => format!("{score:.4} ±{width:.4}"),
        None => format!("{score:.4}"),
    }
}

/// A number of things, as in `1 game` and `2,000 games`.
fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number))
}

/// A whole number with its thousands apart.
pub(super) fn grouped(number: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::{COLUMNS, aligned, counted, table};

    #[test]
    fn long_names_wrap_and_numbers_do_not() {
        let names = [
            "expectimax:depth=2:weights=/home/somebody/sho/weights/2026-11-29/best-of-all.json",
            "exec:command=python3 bots/mine.py --level 7 --style 'very careful'",
            "a",
            "",
        ];
        let mut bots = table(&["bot", "seats", "games", "wins", "score a seat"]);
        for name in names {
            bots.add_row([name, "2", "12,000,000,000", "12,000,000,000", "0.2500 ±0.0001"]);
        }
        let text = aligned(bots);
        assert!(text.lines().all(|line| line.chars().count() <= COLUMNS), "{text}");
        let numbers = "2   12,000,000,000   12,000,000,000   0.2500 ±0.0001\n";
        assert_eq!(text.matches(numbers).count(), names.len(), "{text}");
        // No letter of a name is lost.
        let column: String = text.replace(numbers, "").split_whitespace().collect();
        for name in names {
            assert!(column.contains(&name.replace(' ', "")), "{name} in {text}");
        }
    }

    #[test]
    fn numbers_of_things() {
        let texts = [1, 0, 999, 1000, 12_345_678].map(|number| counted(number, "game"));
        assert_eq!(texts, ["1 game", "0 games", "999 games", "1,000 games", "12,345,678 games"]);
    }
}
