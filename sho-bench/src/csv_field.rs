//! Fields of comma-separated values.

use std::borrow::Cow;

/// A field in quotes where it has to be (RFC 4180).
pub(crate) fn quoted(field: &str) -> Cow<'_, str> {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\"")).into()
    } else {
        field.into()
    }
}
