//! A plan as a table of text.

use std::fmt::Write;

use sho_core::RuleSet;

use crate::number::{counted, grouped};
use crate::plan::{LEAST_BLOCKS, PlanResult, PlanRow, Proposed};
use crate::report::cells::{aligned, table_of_width};
use crate::report::wrapped::wrapped_in;

/// The columns that the table of a plan takes: those of a study, whose contrasts have long names.
const COLUMNS: usize = super::STUDY_COLUMNS;

/// The plan as text of at most [`STUDY_COLUMNS`](super::STUDY_COLUMNS) columns, but for the command: what was played, a row
/// for each bot or effect, the blocks to play, how long that takes where a clock was read, and the command that plays them.
#[must_use]
pub fn plan_table<R: RuleSet>(plan: &PlanResult<R>) -> String {
    let mut text = String::new();
    let mut line = |words: &str| text += &wrapped_in(words, 0, COLUMNS);
    let (sides, rules) = (plan.rules.sides(), plan.rules.summary());
    let base = if is_study(plan) { "base rules" } else { "rules" };
    line(&format!("{}, {sides} sides, {base}: {rules}", plan.game));
    let (blocks, games) = (plan.pilot.len(), plan.pilot_games);
    line(&format!(
        "pilot of {}, {}, seed {}",
        counted(blocks, "block"),
        counted(games, "game"),
        plan.seed
    ));
    if !plan.deterministic {
        line("not deterministic: bots in other programs may play otherwise another time");
    }
    line(&format!(
        "wanted: {} to ±{}, half of a 95 % interval",
        what(plan),
        number(plan.precision)
    ));
    text.push('\n');

    let digits = digits(plan.precision);
    let value = if is_study(plan) { "effect" } else { plan.goal.as_str() };
    let columns = [value, "deviation of a block", "blocks needed", ""];
    let first: &[&str] = if is_study(plan) { &["rule", "policy"] } else { &["bot"] };
    let mut rows = table_of_width(&[first, &columns].concat(), COLUMNS);
    for row in &plan.rows {
        let mut cells: Vec<String> = row.contrast.iter().cloned().collect();
        cells.push(row.name.clone());
        cells.extend(row_cells(row, digits));
        rows.add_row(cells);
    }
    let _ = writeln!(text, "{}", aligned(rows));
    let mut line = |words: &str| text += &wrapped_in(words, 0, COLUMNS);
    line("in brackets: the 95 % interval of the deviation, and the blocks needed at its ends");
    if plan.rows.iter().any(|row| row.blocks.is_none()) {
        line(
            "no number: the same in every block of the pilot, or no estimate; a longer pilot may see a difference",
        );
    }
    proposal(plan, &mut text);
    text
}

fn proposal<R>(plan: &PlanResult<R>, text: &mut String) {
    let mut line = |words: &str| *text += &wrapped_in(words, 0, COLUMNS);
    let (Some(blocks), Some([low, high]), Some(games), Some(decides)) =
        (plan.blocks, plan.blocks_interval, plan.games, plan.decides)
    else {
        line("nothing differs from block to block, so there is nothing to plan");
        return;
    };
    *text += "\n";
    let mut line = |words: &str| *text += &wrapped_in(words, 0, COLUMNS);
    let row = &plan.rows[decides];
    let least =
        if blocks == LEAST_BLOCKS { ", the fewest that have intervals to rely on" } else { "" };
    line(&format!(
        "blocks to play: {} ({} to {}), {}{least}",
        grouped(blocks),
        grouped(low),
        grouped(high),
        counted(games, "game")
    ));
    if plan.rows.iter().any(|other| other.blocks != row.blocks) {
        let contrast = row.contrast.as_ref().map_or(String::new(), |name| format!("{name} by "));
        line(&format!("{contrast}{} needs the most", row.name));
    }
    if let Some(clock) = &plan.clock
        && let (Some(seconds), Some([from, to])) = (clock.seconds, clock.seconds_interval)
    {
        let threads = counted(clock.threads as u64, "thread");
        line(&format!(
            "time: about {} ({} to {}) at the pilot's speed on this machine, {threads}, by its clock",
            duration(seconds),
            duration(from),
            duration(to)
        ));
    }
    match &plan.command {
        Some(command) => {
            let _ = writeln!(text, "\n{command}");
        }
        None if is_study(plan) => {}
        None => line(
            "to play it, keep `run` of --format json as a file, and name that with --experiment",
        ),
    }
}

fn is_study<R>(plan: &PlanResult<R>) -> bool {
    plan.rows.iter().any(|row| row.contrast.is_some())
        || matches!(plan.run, Some(Proposed::Study(_)))
}

fn what<R>(plan: &PlanResult<R>) -> String {
    match plan.goal.as_str() {
        "score" => "the score a seat of each bot".to_owned(),
        "elo" => "the Elo of each bot".to_owned(),
        measure => format!("each effect on {measure}"),
    }
}

fn row_cells(row: &PlanRow, digits: usize) -> [String; 4] {
    let number = |value: f64| format!("{value:.digits$}");
    let width = row.half_width.map_or(String::new(), |width| format!(" ±{}", number(width)));
    let deviation = row
        .sd_interval
        .map_or(String::new(), |[low, high]| format!(" ({} - {})", number(low), number(high)));
    let blocks = row
        .blocks_interval
        .map_or(String::new(), |[low, high]| format!(" ({} - {})", grouped(low), grouped(high)));
    [
        row.estimate.map_or(String::new(), |value| number(value) + &width),
        row.sd.map_or(String::new(), |sd| number(sd) + &deviation),
        row.blocks.map_or(String::new(), |needed| grouped(needed) + &blocks),
        if row.reached { "pilot has it" } else { "" }.to_owned(),
    ]
}

/// A precision as short as it was written.
fn number(value: f64) -> String {
    value.to_string()
}

/// Digits behind the point that show a precision with two digits of its own.
fn digits(precision: f64) -> usize {
    let mut digits = 1;
    let mut unit = 1.0;
    while precision < unit && digits < 9 {
        unit /= 10.0;
        digits += 1;
    }
    digits
}

/// A time as people say it.
fn duration(seconds: f64) -> String {
    const UNITS: [(f64, f64, &str); 4] = [
        (100.0, 1.0, "s"),
        (6000.0, 60.0, "min"),
        (172_800.0, 3600.0, "h"),
        (f64::MAX, 86_400.0, "days"),
    ];
    let (_, unit, name) =
        UNITS.into_iter().find(|&(below, ..)| seconds < below).unwrap_or(UNITS[3]);
    let value = seconds / unit;
    if value < 10.0 { format!("{value:.1} {name}") } else { format!("{value:.0} {name}") }
}
