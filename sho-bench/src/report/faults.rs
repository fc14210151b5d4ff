//! What bots in other programs did wrong, as text.

use std::fmt::Write;

use crate::exec::FaultTally;
use crate::number::grouped;
use crate::report::cells::{aligned, table};
use crate::report::wrapped::wrapped;
use crate::result::TournamentResult;

/// The most games that are named of each bot and kind of fault.
const NAMED: usize = 3;

/// A row for each bot and kind of fault; empty where there were none.
pub(super) fn faults_table<R>(result: &TournamentResult<R>) -> String {
    let mut rows = table(&["faults", "kind", "count", "first in games"]);
    for bot in &result.bots {
        for (kind, faults) in bot.faults.iter().flat_map(FaultTally::kinds) {
            let games: Vec<String> =
                faults.games.iter().take(NAMED).map(ToString::to_string).collect();
            rows.add_row([
                bot.name.clone(),
                kind.name().to_owned(),
                grouped(faults.count),
                games.join(" "),
            ]);
        }
    }
    if rows.row_count() == 0 {
        return String::new();
    }
    let mut text = String::new();
    let _ = writeln!(text, "{}", aligned(rows));
    text += &wrapped(
        "a game with a fault is lost for the bot, and was played on for it by random; the others got what the board \
         gave them",
        0,
    );
    text.push('\n');
    text
}
