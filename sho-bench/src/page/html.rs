//! Pieces of HTML.

use crate::chart::escaped;
use crate::number::{digits, plain, signed};

/// A text as code, which may be broken behind a `=`.
pub(super) fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text).replace('=', "=<wbr/>"))
}

/// A number as the result has it, shown as `text`.
pub(super) fn data(value: f64, text: &str) -> String {
    format!(r#"<data value="{value}">{}</data>"#, escaped(text))
}

/// A number with so many digits behind the point.
pub(super) fn number(value: f64, digits: usize) -> String {
    data(value, &plain(value, digits))
}

/// An effect with its sign, to two digits of its error.
pub(super) fn effect(value: f64, error: Option<f64>) -> String {
    data(value, &signed(value, digits(error)))
}

/// An interval with the signs of its ends, to two digits of an error.
pub(super) fn interval([low, high]: [f64; 2], error: Option<f64>) -> String {
    format!("{} to {}", effect(low, error), effect(high, error))
}

/// A share as percent.
pub(super) fn percent(share: f64, digits: usize) -> String {
    data(share, &format!("{}\u{a0}%", plain(100.0 * share, digits)))
}

/// A share as percent, with its sign.
pub(super) fn signed_percent(share: f64) -> String {
    data(share, &format!("{}\u{a0}%", signed(100.0 * share, 1)))
}

/// Words as an enumeration.
pub(super) fn list(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// A table in a box of its own, which scrolls where it is too wide. Cells are HTML; the first `names` of a row name it.
pub(super) fn table(name: &str, head: &[String], names: usize, rows: &[Vec<String>]) -> String {
    let mut text = format!(
        r#"<div class="scroll" role="region" tabindex="0" aria-label="{}"><table>"#,
        escaped(name)
    );
    text += "\n<thead><tr>";
    for (index, cell) in head.iter().enumerate() {
        let class = if index < names { r#" class="name""# } else { "" };
        text += &format!(r#"<th scope="col"{class}>{cell}</th>"#);
    }
    text += "</tr></thead>\n<tbody>\n";
    for row in rows {
        text += "<tr>";
        for (index, cell) in row.iter().enumerate() {
            text += &if index < names {
                format!(r#"<th scope="row">{cell}</th>"#)
            } else {
                format!("<td>{cell}</td>")
            };
        }
        text += "</tr>\n";
    }
    text + "</tbody></table></div>\n"
}
