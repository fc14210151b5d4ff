//! Rollouts of a position as a table of text.

use std::fmt::Write;

use sho_core::{Game, RuleSet};

use crate::number::{counted, grouped};
use crate::report::cells::{aligned, percent, table};
use crate::report::wrapped::wrapped;
use crate::result::LengthResult;
use crate::rollout::{RolloutResult, SeatChance, SeatedBot};
use crate::stats::interval::half_width;

/// The result as text of at most [`COLUMNS`](super::COLUMNS) columns: what was played, what each seat may hope for, how
/// long the games still took, and how they ended.
#[must_use]
pub fn rollout_table<G: Game>(result: &RolloutResult<G::Rules>) -> String {
    let mut text = String::new();
    let sides = result.rules.sides();
    text +=
        &wrapped(&format!("{}, {sides} sides, rules: {}", result.game, result.rules.summary()), 0);
    text += &wrapped(&result.position, 0);
    text += &wrapped(
        &format!(
            "{} from here to the end, seed {}: {}",
            counted(result.games, "game"),
            result.seed,
            seated(&result.bots)
        ),
        0,
    );
    text += remark(result.games, result.deterministic, G::HAS_CHANCE);
    text.push('\n');
    let _ = writeln!(text, "{}\n", seats_table(&result.seats));

    let mut lengths = table(&["still to come", "mean", "median", "5-95 %", "longest"]);
    for (unit, length) in &result.lengths.0 {
        lengths.add_row([
            (*unit).to_owned(),
            mean(length, result.games),
            length.median.to_string(),
            format!("{}-{}", length.q05, length.q95),
            length.max.to_string(),
        ]);
    }
    let _ = writeln!(text, "{}\n", aligned(lengths));

    let mut ends = table(&["games ended by", "games", "share", "95 % interval"]);
    for (end, share) in &result.ends.0 {
        ends.add_row([
            (*end).to_owned(),
            grouped(share.games),
            percent(share.share),
            format!("{} to {}", percent(share.low), percent(share.high)),
        ]);
    }
    let _ = writeln!(text, "{}", aligned(ends));
    text
}

/// A row for each seat: its chance to win.
pub(super) fn seats_table(seats: &[SeatChance]) -> String {
    let mut rows = table(&["seat", "wins alone", "chance to win", "95 % interval"]);
    for seat in seats {
        rows.add_row([
            seat.seat.to_string(),
            grouped(seat.wins),
            percent(seat.chance),
            format!("{} to {}", percent(seat.low), percent(seat.high)),
        ]);
    }
    aligned(rows)
}

/// Who sits where, in words.
pub(super) fn seated(bots: &[SeatedBot]) -> String {
    match bots {
        [first, rest @ ..] if rest.iter().all(|other| other.bot == first.bot) => {
            format!("{} in all seats", first.bot)
        }
        _ => bots
            .iter()
            .map(|SeatedBot { seat, bot, .. }| format!("{seat} {bot}"))
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// What has to be known of the games.
pub(super) const fn remark(games: u64, deterministic: bool, chance: bool) -> &'static str {
    if !deterministic {
        "not deterministic: bots in other programs may play otherwise another time\n"
    } else if games == 1 && !chance {
        "nothing is left to chance: all further games would be the same\n"
    } else {
        ""
    }
}

fn mean(length: &LengthResult, games: u64) -> String {
    match length.se.and_then(|error| half_width(error, games)) {
        Some(width) => format!("{:.2} ±{width:.2}", length.mean),
        None => format!("{:.1}", length.mean),
    }
}
