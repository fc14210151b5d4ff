//! Running text in lines.

/// The columns that a report takes.
pub const COLUMNS: usize = 80;

/// The words of a text in lines of at most [`COLUMNS`], each behind `indent` blanks, those after the first behind two
/// more.
#[must_use]
pub fn wrapped(text: &str, indent: usize) -> String {
    wrapped_in(text, indent, COLUMNS)
}

/// The same in lines of at most `columns`.
pub(super) fn wrapped_in(text: &str, indent: usize, columns: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > columns {
            lines.push('\n');
            column = 0;
        }
        if column > 0 {
            lines.push(' ');
            column += 1;
        } else {
            column = if lines.is_empty() { indent } else { indent + 2 };
            lines.extend(std::iter::repeat_n(' ', column));
        }
        lines.push_str(word);
        column += length;
    }
    lines.push('\n');
    lines
}
