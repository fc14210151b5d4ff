//! What tables of text are made of.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, presets};

use crate::report::wrapped::COLUMNS;
use crate::stats::interval::half_width;

/// A table with these column heads, no wider than a report.
pub(super) fn table(header: &[&str]) -> Table {
    table_of_width(header, COLUMNS)
}

/// A table with these column heads, no wider than so many columns.
pub(super) fn table_of_width(header: &[&str], columns: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns as u16);
    table.set_header(header.iter().copied());
    table
}

/// Numbers to the right, so that their digits stand below one another. Where the table is too wide the names wrap, not
/// the numbers.
pub(super) fn aligned(mut table: Table) -> String {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
        column.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt()
}

/// A score with half its 95 % interval.
pub(super) fn with_interval(score: f64, error: Option<f64>, blocks: u64) -> String {
    match error.and_then(|error| half_width(error, blocks)) {
        Some(width) => format!("{score:.4} ±{width:.4}"),
        None => format!("{score:.4}"),
    }
}

/// A share of 1 in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
