//! An analysis as tables of text.

use std::fmt::Write;

use sho_ai::search::{MOST, WIN};
use sho_core::{Game, RuleSet};

use crate::analysis::{ActionAnalysis, Analysis, RolledOut, StackInDanger, Worth};
use crate::number::counted;
use crate::report::cells::{aligned, percent, table};
use crate::report::rollout::{remark, seated, seats_table};
use crate::report::wrapped::wrapped;

/// The analysis as text of at most [`COLUMNS`](super::COLUMNS) columns: what was asked, each action or throw with what
/// it is worth, and the stacks in danger.
#[must_use]
pub fn analysis_tables<G: Game>(analysis: &Analysis<G::Rules>) -> String {
    let mut text = String::new();
    let sides = analysis.rules.sides();
    text += &wrapped(
        &format!("{}, {sides} sides, rules: {}", analysis.game, analysis.rules.summary()),
        0,
    );
    text += &wrapped(&analysis.position, 0);
    let search = &analysis.search;
    text += &wrapped(&format!("search: {}, depth {}", search.method, search.depth), 0);
    if let Some(rollout) = &analysis.rollout {
        let (games, seed) = (counted(rollout.games, "game"), rollout.seed);
        let each =
            if analysis.actions.is_empty() { "" } else { " of each action, all on the same dice" };
        let each = if G::HAS_CHANCE { each } else { "" };
        let line = format!("rollouts: {games}{each}, seed {seed}, {}", seated(&rollout.bots));
        text += &wrapped(&line, 0);
        text += remark(rollout.games, rollout.deterministic, G::HAS_CHANCE);
    }
    text.push('\n');
    if analysis.actions.is_empty() {
        text += &throws(analysis);
    } else {
        text += &actions(analysis);
    }
    text += &stacks(analysis);
    text
}

/// A row for each action.
fn actions<R>(analysis: &Analysis<R>) -> String {
    let next = analysis.next;
    let mut text = match analysis.search.unit {
        "points" => {
            format!("{next} decides; best first. The search counts in points for {next}.\n")
        }
        _ => format!("{next} decides; chances of {next} to win, best first.\n"),
    };
    let has_stacks = analysis.stacks.is_some();
    let mut header = vec!["action", "search"];
    if analysis.rollout.is_some() {
        header.extend(["rollouts", "to the best"]);
    }
    if has_stacks {
        header.push("most exposed");
    }
    let mut rows = table(&header);
    for action in &analysis.actions {
        let mut row = vec![action.action.clone(), worth(&action.search)];
        if let Some(rollout) = &action.rollout {
            row.extend(rolled_out(rollout, next));
        }
        if has_stacks {
            row.push(most_exposed(action));
        }
        rows.add_row(row);
    }
    let _ = writeln!(text, "{}", aligned(rows));
    if analysis.rollout.is_some() {
        text += "± is half the 95 % interval; to the best: game by game, from the first row\n";
    }
    if has_stacks {
        text += &wrapped(
            &format!(
                "most exposed: after the action, the stack of {next} that is most likely to be hit before {next} throws \
                 again"
            ),
            0,
        );
    }
    text
}

/// A chance, or points.
fn worth(worth: &Worth) -> String {
    if worth.chances.is_some() {
        return percent(worth.value);
    }
    let points = worth.exact;
    let away = i64::from(WIN) - points.abs();
    if points.abs() <= i64::from(MOST) {
        points.to_string()
    } else if points > 0 {
        format!("wins in {away}")
    } else {
        format!("loses in {away}")
    }
}

/// The chance of the seat that decides, and the difference to the best action, each with half its interval.
fn rolled_out(rollout: &RolledOut, next: char) -> [String; 2] {
    let own = rollout.seats.iter().find(|seat| seat.seat == next);
    let chance = own.map_or_else(String::new, |seat| match seat.se {
        Some(_) => {
            format!("{} ±{:.1}", percent(seat.chance), 50.0 * (seat.high - seat.low))
        }
        None => percent(seat.chance),
    });
    let difference = match rollout.difference {
        None => "best".to_owned(),
        Some(difference) => match difference.low.zip(difference.high) {
            Some((low, high)) => {
                format!("{:+.2} ±{:.2}", 100.0 * difference.mean, 50.0 * (high - low))
            }
            None => format!("{:+.2}", 100.0 * difference.mean),
        },
    };
    [chance, difference]
}

fn most_exposed(action: &ActionAnalysis) -> String {
    let stacks = action.stacks.iter().flatten().filter(|stack| stack.before_next_throw > 0.0);
    let most =
        stacks.reduce(
            |most, next| {
                if next.before_next_throw > most.before_next_throw { next } else { most }
            },
        );
    most.map_or("-".to_owned(), |stack| {
        format!("{} {}", stack_name(stack), percent(stack.before_next_throw))
    })
}

fn stack_name(stack: &StackInDanger) -> String {
    format!("{}x{}", stack.gap, stack.size)
}

/// A row for each class of throws, and what the position is worth to each seat.
fn throws<R>(analysis: &Analysis<R>) -> String {
    let next = analysis.next;
    let mut text = wrapped(
        &format!(
            "{next} throws, and there is no action to choose yet. What each throw is worth to {next} with the best answer:"
        ),
        0,
    );
    let mut rows = table(&["throws", "ways", "best answer", "search"]);
    for throw in &analysis.throws {
        rows.add_row([
            throw.throws.join(" "),
            throw.ways.to_string(),
            throw.answer.clone().unwrap_or_else(|| "-".to_owned()),
            worth(&throw.search),
        ]);
    }
    let _ = writeln!(text, "{}\n", aligned(rows));
    if let Some(chances) = &analysis.worth.search {
        let mut rows = table(&["seat", "chance to win, by search"]);
        for (seat, &chance) in sho_core::Seat::ALL.iter().zip(chances) {
            rows.add_row([seat.to_string(), percent(chance)]);
        }
        let _ = writeln!(text, "{}", aligned(rows));
    }
    if let Some(seats) = &analysis.worth.rollout {
        let _ = writeln!(text, "\nby rollouts:\n{}", seats_table(seats));
    }
    text
}

/// A row for each stack.
fn stacks<R>(analysis: &Analysis<R>) -> String {
    let Some(stacks) = analysis.stacks.as_ref().filter(|stacks| !stacks.is_empty()) else {
        return String::new();
    };
    let enemies: Vec<char> = match &analysis.worth.search {
        Some(chances) => ('A'..).take(chances.len()).collect(),
        None => Vec::new(),
    };
    let heads: Vec<String> = enemies.iter().map(|enemy| format!("by {enemy}")).collect();
    let mut header = vec!["stack"];
    header.extend(heads.iter().map(String::as_str));
    header.push("before its side throws");
    let mut rows = table(&header);
    for stack in stacks {
        let mut row = vec![format!("{} {}", stack.seat, stack_name(stack))];
        for enemy in &enemies {
            let hit = stack.by.iter().find(|by| by.seat == *enemy);
            row.push(hit.map_or(String::new(), |hit| percent(hit.chance)));
        }
        row.push(percent(stack.before_next_throw));
        rows.add_row(row);
    }
    format!("\nThe chance that a stack is hit, as the position stands:\n{}\n", aligned(rows))
}
