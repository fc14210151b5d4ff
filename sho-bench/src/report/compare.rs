//! Two results side by side, as text.

use std::fmt::Write;

use serde_json::Value;

use crate::compare::{Comparison, Difference, NAMED, Numbers, Relation, Row, Side};
use crate::number::grouped;
use crate::report::wrapped;

/// The comparison as text of at most 80 columns. `names` are those of the two results, as the user gave them.
#[must_use]
pub fn comparison_table(found: &Comparison, names: [&str; 2]) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = write(&mut text, found, names);
    text
}

fn write(text: &mut String, found: &Comparison, names: [&str; 2]) -> std::fmt::Result {
    for (letter, side, name) in [('a', &found.a, names[0]), ('b', &found.b, names[1])] {
        *text += &wrapped(&headline(letter, side, name), 0);
        if !side.intact {
            *text += &wrapped(
                "its digest is not that of what it says: it was changed by hand, or rewritten by another program",
                2,
            );
        }
    }
    text.push('\n');
    match found.relation {
        Relation::Same if found.same() => {
            *text += &wrapped("identical: every key says the same", 0);
        }
        Relation::Same => *text += &wrapped("every key but the digest says the same", 0),
        Relation::BrokenRepeat => {
            let why = if found.a.intact && found.b.intact {
                ": a broken repeat. One of them is wrong, or a bot or a rule plays otherwise in one of the two programs"
            } else {
                ""
            };
            *text += &wrapped(&format!("the same experiment, and not the same counts{why}"), 0);
            keys(text, found);
        }
        Relation::OtherKeys => {
            *text +=
                &wrapped("the same experiment and the same counts, with other keys beside them", 0);
            keys(text, found);
        }
        Relation::OtherExperiment => {
            *text += &wrapped("two experiments, which differ in", 0);
            list(text, &found.experiment);
            match &found.numbers {
                None => *text += &wrapped("they are of two games: nothing can be compared", 0),
                Some(numbers) => side_by_side(text, found, numbers)?,
            }
        }
    }
    Ok(())
}

fn headline(letter: char, side: &Side, name: &str) -> String {
    let program = side.program.as_ref().map_or_else(String::new, |program| {
        format!(", by version {}, commit {:.12}", program.version, program.commit)
    });
    format!(
        "{letter}: {name}, {} games in blocks {} to {}{program}, digest {:.12}",
        grouped(side.games),
        side.block_range.from,
        side.block_range.to.saturating_sub(1),
        side.digest
    )
}

fn keys(text: &mut String, found: &Comparison) {
    list(text, &found.keys);
    if found.keys_in_all > NAMED {
        let more = found.keys_in_all - NAMED;
        *text += &wrapped(&format!("and {} more", grouped(more as u64)), 2);
    }
}

fn list(text: &mut String, differences: &[Difference]) {
    for Difference { key, a, b } in differences {
        let shown = |value: &Option<Value>| match value {
            None => "not there".to_owned(),
            Some(Value::String(word)) => word.clone(),
            Some(range) if key == "block_range" => {
                // The end is not included.
                let end = |name| range[name].as_u64().unwrap_or(0);
                format!("{} to {}", end("from"), end("to").saturating_sub(1))
            }
            Some(other) => other.to_string(),
        };
        *text += &wrapped(&format!("{key}: a {}, b {}", shown(a), shown(b)), 2);
    }
}

fn side_by_side(text: &mut String, found: &Comparison, numbers: &Numbers) -> std::fmt::Result {
    text.push('\n');
    match found.shared_blocks {
        None => {
            *text += &wrapped("no block is in both: the intervals are for independent results", 0);
        }
        Some(shared) => {
            *text += &wrapped(
                &format!(
                    "NOT INDEPENDENT: both have seed and blocks {} to {}, and so the same luck. The intervals are only \
                     rough: too wide where luck moves both the same way, too narrow where it does not",
                    shared.from,
                    shared.to - 1
                ),
                0,
            );
        }
    }
    if found.a.seats != found.b.seats {
        *text += &wrapped(
            &format!(
                "scores are of different tables: equal strength is {:.4} in a and {:.4} in b",
                1.0 / found.a.seats.max(1) as f64,
                1.0 / found.b.seats.max(1) as f64
            ),
            0,
        );
    }
    for (title, rows, digits) in [
        ("score of bot", &numbers.bots, 4),
        ("score of seat", &numbers.seats, 4),
        ("mean length in", &numbers.lengths, 2),
        ("games ended by", &numbers.ends, 4),
    ] {
        if rows.is_empty() {
            continue;
        }
        writeln!(text, "\n{title:24} {:>10} {:>10} {:>10} {:>22}", "a", "b", "b - a", "95 %")?;
        for row in rows {
            line(text, row, digits)?;
        }
    }
    if !numbers.longer.is_empty() {
        writeln!(text)?;
        let chances: Vec<String> =
            numbers.longer.iter().map(|(unit, chance)| format!("{unit} {chance:.4}")).collect();
        *text += &wrapped(
            &format!(
                "chance that a game of b is longer than one of a, ties as halves: {}",
                chances.join(", ")
            ),
            0,
        );
    }
    *text += &wrapped(
        "shares of ends and chances have no intervals: results do not hold them by block",
        0,
    );
    Ok(())
}

fn line(text: &mut String, row: &Row, digits: usize) -> std::fmt::Result {
    let number =
        |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.digits$}"));
    let signed = |value: f64| format!("{value:+.digits$}");
    let difference = row.difference.map_or("-".to_owned(), signed);
    let interval = row
        .interval
        .map_or("-".to_owned(), |(low, high)| format!("{} to {}", signed(low), signed(high)));
    // A name that is too long for its column has a line of its own.
    let mut name = row.name.as_str();
    if name.chars().count() > 24 {
        *text += &wrapped(name, 0);
        name = "";
    }
    writeln!(
        text,
        "{name:24} {:>10} {:>10} {difference:>10} {interval:>22}",
        number(row.a),
        number(row.b)
    )
}
