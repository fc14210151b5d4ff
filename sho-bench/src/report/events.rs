//! What happened in games, as text.

use std::fmt::Write;

use crate::report::cells::{aligned, table};
use crate::report::wrapped::wrapped;
use crate::result::TournamentResult;
use crate::stats::interval::half_width;

/// The most bots that have a column: more have no room.
const BOT_COLUMNS: usize = 3;

/// A row for each metric; empty where only basic ones were counted.
pub(super) fn events_table<R>(result: &TournamentResult<R>) -> String {
    let Some(events) = &result.events else { return String::new() };
    let bots = match result.bots.len() {
        1 => &[],
        _ if result.bots.len() <= BOT_COLUMNS => result.bots.as_slice(),
        _ => &[],
    };
    let mut header = vec!["in a game", "mean", "5-95 %", "most"];
    header.extend(bots.iter().map(|bot| bot.name.as_str()));
    let mut rows = table(&header);
    for (name, event) in &events.0 {
        let width = event.se.and_then(|error| half_width(error, result.blocks));
        let mut row = vec![
            name.replace('_', " "),
            width.map_or_else(
                || format!("{:.2}", event.mean),
                |width| format!("{:.2} ±{width:.2}", event.mean),
            ),
            format!("{}-{}", event.q05, event.q95),
            event.max.to_string(),
        ];
        row.extend(event.by_bot.iter().take(bots.len()).map(|bot| format!("{:.2}", bot.mean)));
        rows.add_row(row);
    }
    let mut text = String::new();
    let _ = writeln!(text, "{}", aligned(rows));
    if !bots.is_empty() {
        text += &wrapped("the columns of bots: mean for each game and seat held", 0);
    }
    text.push('\n');
    text
}
