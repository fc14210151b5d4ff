//! Fields of comma-separated values, and the dictionaries that explain columns.

use std::borrow::Cow;
use std::fmt::Write;

/// A field in quotes where it has to be (RFC 4180).
pub(crate) fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"")).into()
    } else {
        field.into()
    }
}

/// A data dictionary: a row for each column, its name, type, and meaning.
pub(crate) fn dictionary(columns: &[(&str, &str, &str)]) -> String {
    let mut text = "column,type,meaning\n".to_owned();
    for (name, kind, meaning) in columns {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{name},{kind},{}", quoted(meaning));
    }
    text
}
