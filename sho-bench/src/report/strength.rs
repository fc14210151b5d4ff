//! What a result says of strength, as text: Elo, line-ups, ratings, and a sequential test.

use std::fmt::Write;

use comfy_table::Table;
use sho_core::{RuleSet, Seat};

use crate::number::{counted, grouped};
use crate::ratings::{Elo, FittedRatings, Ratings, TwoQuestions};
use crate::report::cells::{aligned, table, with_interval};
use crate::report::wrapped::wrapped;
use crate::result::{SprtVerdict, TournamentResult};
use crate::schedule::Schedule;
use crate::stats::elo::{Contest, Estimate};
use crate::stats::interval::half_width;

/// The most bots whose differences are shown as a matrix: more columns have no room.
const MATRIX: usize = 6;

/// The tables behind that of the bots: how strong each is. Empty where all seats have one bot.
pub(super) fn strength_tables<R: RuleSet>(result: &TournamentResult<R>) -> String {
    let mut text = String::new();
    if let Some(table) = elo_table(result) {
        let _ = writeln!(text, "{}\n", aligned(table));
    }
    text += &neighbours_line(result);
    if let Some(table) = lineup_table(result) {
        let _ = writeln!(text, "{}\n", aligned(table));
    }
    if !result.two_questions.is_empty() {
        let _ = writeln!(text, "{}", aligned(questions_table(result)));
        text += &questions_lines(result);
        text.push('\n');
    }
    match &result.ratings {
        None => {}
        Some(Ratings::None { reason }) => {
            text += &wrapped(&format!("no ratings: {reason}"), 0);
            text.push('\n');
        }
        Some(Ratings::Fitted(ratings)) => {
            text += &ratings_text(result, ratings);
            text.push('\n');
        }
    }
    text
}

/// What scores of a single line-up say of each bot against the others at the table.
fn elo_table<R: RuleSet>(result: &TournamentResult<R>) -> Option<Table> {
    let [_] = result.lineups.as_slice() else { return None };
    let mut strength = table(&["against the others", "Elo", "nElo", "chance to be better"]);
    let games = result.games / result.blocks.max(1);
    for bot in &result.bots {
        let Some(contest) = contest(result, bot.seats, games) else { continue };
        let Some(estimate) = Estimate::new(contest, bot.by_block, result.blocks) else { continue };
        let number = |value: Option<f64>, error: Option<f64>| number(value, error, result.blocks);
        strength.add_row([
            bot.name.clone(),
            elo_or_bound(&estimate, result.blocks),
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

fn contest<R: RuleSet>(result: &TournamentResult<R>, held: u64, games: u64) -> Option<Contest> {
    // Seats and seatings are few.
    Contest::new(result.rules.sides() as u32, held as u32, games as u32)
}

/// A number with half its 95 % interval, from the same quantile as that of a score; a dash for none.
fn number(value: Option<f64>, error: Option<f64>, blocks: u64) -> String {
    let width = error.and_then(|error| half_width(error, blocks));
    match (value, width) {
        (Some(value), Some(width)) => format!("{:+.1} ±{width:.1}", value + 0.0),
        (Some(value), None) => format!("{:+.1}", value + 0.0),
        (None, _) => "-".to_owned(),
    }
}

fn elo_or_bound(estimate: &Estimate, blocks: u64) -> String {
    match estimate.elo_bound() {
        Some(bound) if bound > 0.0 => format!("above {bound:+.1}"),
        Some(bound) => format!("below {bound:+.1}"),
        None => number(estimate.elo(), estimate.elo_error(), blocks),
    }
}

/// A row for each line-up and bot in it; nothing with one line-up.
fn lineup_table<R: RuleSet>(result: &TournamentResult<R>) -> Option<Table> {
    if result.lineup_scores.is_empty() {
        return None;
    }
    let mut rows = table(&["line-up", "bot", "score a seat", "Elo"]);
    let games = result.games / result.lineups.len() as u64 / result.blocks.max(1);
    for row in &result.lineup_scores {
        let names: Vec<&str> =
            result.lineups[row.lineup].iter().map(|&bot| result.bots[bot].name.as_str()).collect();
        let estimate = contest(result, row.seats, games)
            .and_then(|contest| Estimate::new(contest, row.by_block, result.blocks));
        rows.add_row([
            format!("{}: {}", row.lineup, names.join(",")),
            result.bots[row.bot].name.clone(),
            with_interval(row.score, row.score_se, result.blocks),
            estimate.map_or("-".to_owned(), |estimate| elo_or_bound(&estimate, result.blocks)),
        ]);
    }
    Some(rows)
}

fn elo_text(elo: Option<Elo>, blocks: u64) -> String {
    number(elo.map(|elo| elo.elo), elo.map(|elo| elo.se), blocks)
}

fn questions_table<R: RuleSet>(result: &TournamentResult<R>) -> Table {
    let mut rows =
        table(&["Elo of one above the other", "alone among it", "with it alone", "difference"]);
    for row in &result.two_questions {
        rows.add_row([
            format!("{} above {}", result.bots[row.bot].name, result.bots[row.other].name),
            elo_text(row.one_among_others, result.blocks),
            elo_text(row.others_among_it, result.blocks),
            elo_text(row.difference, result.blocks),
        ]);
    }
    rows
}

/// What rotations cannot balance, where that can matter.
fn neighbours_line<R: RuleSet>(result: &TournamentResult<R>) -> String {
    // Two bots are in the same place to one another, wherever their copies sit. Of three, one always follows another.
    let mixed = |lineup: &Vec<usize>| {
        let mut bots = lineup.clone();
        bots.sort_unstable();
        bots.dedup();
        bots.len() > 2
    };
    if result.schedule != Schedule::Rotations || !result.lineups.iter().any(mixed) {
        return String::new();
    }
    wrapped(
        "rotations leave each bot the same neighbours, and those are worth something; --schedule permutations has every \
         order",
        0,
    ) + "\n"
}

/// Whether the two answers differ by more than chance, for each pair.
fn questions_lines<R: RuleSet>(result: &TournamentResult<R>) -> String {
    let differs = |row: &&TwoQuestions| {
        row.difference.is_some_and(|Elo { elo, se }| {
            half_width(se, result.blocks).is_some_and(|width| elo.abs() > width)
        })
    };
    let pairs: Vec<String> = (result.two_questions.iter().filter(differs))
        .map(|row| format!("{} and {}", result.bots[row.bot].name, result.bots[row.other].name))
        .collect();
    let line = if pairs.is_empty() {
        "the two answers do not differ significantly (95 %, each pair by itself)".to_owned()
    } else {
        format!(
            "the two answers differ significantly (95 %, each pair by itself): {}",
            pairs.join("; ")
        )
    };
    wrapped(&line, 0)
}

fn ratings_text<R: RuleSet>(result: &TournamentResult<R>, ratings: &FittedRatings) -> String {
    let mut text = String::new();
    let mut rows = table(&["ratings", "Elo, mean 0"]);
    let mut order: Vec<usize> = (0..result.bots.len()).collect();
    // The names decide nothing: equal ratings stay in the order of the bots.
    order.sort_by(|&a, &b| ratings.bots[b].elo.total_cmp(&ratings.bots[a].elo));
    for &bot in &order {
        rows.add_row([
            result.bots[bot].name.clone(),
            elo_text(Some(ratings.bots[bot]), result.blocks),
        ]);
    }
    for (seat, advantage) in Seat::ALL.iter().skip(1).zip(&ratings.seats) {
        rows.add_row([
            format!("seat {seat} over seat A"),
            elo_text(Some(*advantage), result.blocks),
        ]);
    }
    let _ = writeln!(text, "{}\n", aligned(rows));

    if order.len() <= MATRIX {
        let mut header = vec!["row above column".to_owned()];
        header.extend(order.iter().skip(1).map(|&bot| result.bots[bot].name.clone()));
        let mut matrix = table(&header.iter().map(String::as_str).collect::<Vec<_>>());
        for (place, &bot) in order.iter().enumerate().take(order.len() - 1) {
            let mut row = vec![result.bots[bot].name.clone()];
            for (column, &other) in order.iter().enumerate().skip(1) {
                let difference = ratings.differences[bot][other];
                row.push(if column > place {
                    elo_text(Some(difference), result.blocks)
                } else {
                    String::new()
                });
            }
            matrix.add_row(row);
        }
        let _ = writeln!(text, "{}", aligned(matrix));
    } else {
        text += "all differences with their errors are in the JSON form\n";
    }
    let fit = &ratings.fit;
    let line = match fit.p_value {
        None => "fit: nothing to test, the ratings say what the scores say".to_owned(),
        Some(p) => format!(
            "fit: chi-square {:.1} with {} degrees of freedom, {:.1} expected; p {}",
            fit.chi_square,
            fit.freedom,
            fit.mean,
            if p < 0.0001 { "below 0.0001".to_owned() } else { format!("= {p:.4}") }
        ),
    };
    text += &wrapped(&line, 0);
    if !ratings.finite {
        text += &wrapped(
            "some bots won nothing, or everything, against the rest: how far away their ratings are is not known",
            0,
        );
    }
    text
}

/// What the sequential test came to.
pub(super) fn test_lines<R: RuleSet>(result: &TournamentResult<R>) -> String {
    let Some(sprt) = &result.sprt else { return String::new() };
    let name = &result.bots[sprt.bot].name;
    let (low, high, scale) = sprt.test.hypotheses();
    let blocks = counted(result.blocks, "block");
    let verdict = match sprt.verdict {
        SprtVerdict::H0 => {
            format!("H0 accepted after {blocks}: {name} is nearer {low} {scale} than {high}")
        }
        SprtVerdict::H1 => {
            format!("H1 accepted after {blocks}: {name} is nearer {high} {scale} than {low}")
        }
        SprtVerdict::Undecided => format!("undecided after all {blocks}"),
        SprtVerdict::StoppedByHand => format!(
            "stopped by hand after {blocks} of {}, not a test result",
            grouped(sprt.blocks_planned)
        ),
    };
    let [least, most] = sprt.llr_bounds;
    let llr = sprt.llr.map_or("none".to_owned(), |llr| format!("{llr:.2}"));
    let mut text = wrapped(&format!("sequential test of {name}, {}: {verdict}", sprt.test), 0);
    text +=
        &wrapped(&format!("log-likelihood ratio {llr}, decided at {least:.2} and {most:.2}"), 2);
    if matches!(sprt.verdict, SprtVerdict::H0 | SprtVerdict::H1) {
        text += &wrapped("the test chose when to stop, so scores below lean to its verdict", 2);
    }
    text
}
