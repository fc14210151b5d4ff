//! The nearest of some names to a misspelt one.

use alloc::vec::Vec;

/// The name with the least edit distance to `given` (insertions, deletions, replacements); the first of equals. Empty
/// where there are no names.
///
/// ```
/// assert_eq!(sho_core::nearest("lasha", ["general", "lhasa", "bhutan"]), "lhasa");
/// ```
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> &'a str {
    // Names are short: what lies beyond the first characters of a long text cannot make it nearer.
    let given: Vec<char> = given.chars().take(64).collect();
    names.into_iter().min_by_key(|name| distance(&given, name)).unwrap_or("")
}

fn distance(given: &[char], name: &str) -> usize {
    let mut row: Vec<usize> = (0..=given.len()).collect();
    for (i, letter) in name.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &other) in given.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[given.len()]
}
