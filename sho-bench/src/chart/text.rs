//! How much room a text takes, without a font.

/// Advance widths of the printable ASCII characters, from the space on, in thousandths of the font size. They are those of
/// DejaVu Sans, the widest of the usual sans-serif fonts: a text that fits by them fits in Arial and Helvetica too.
const WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// Any other character: as wide as it is high, which none of the usual ones exceeds.
const OTHER: u16 = 1000;

/// How bold a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// As running text.
    Plain,
    /// As a title.
    Bold,
}

/// The width of a text of this font size in pixels, estimated by a fixed table: at least that of the usual sans-serif fonts.
///
/// ```
/// use sho_bench::chart::{Weight, text_width};
/// assert!(text_width("ill", 12, Weight::Plain) < text_width("MMM", 12, Weight::Plain));
/// ```
#[must_use]
pub fn text_width(text: &str, size: u32, weight: Weight) -> f64 {
    let of = |letter: char| {
        let index = (letter as usize).checked_sub(0x20);
        u64::from(index.and_then(|index| WIDTHS.get(index)).copied().unwrap_or(OTHER))
    };
    let thousandths: u64 = text.chars().map(of).sum();
    // Bold letters are up to an eighth wider.
    let percent = if weight == Weight::Bold { 113 } else { 100 };
    (thousandths * u64::from(size) * percent) as f64 / 100_000.0
}

/// The text, or as much of its beginning and end as there is room for, with an ellipsis between them.
pub(super) fn shortened(text: &str, size: u32, weight: Weight, room: f64) -> String {
    if text_width(text, size, weight) <= room {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    // Names differ at their ends as often as at their beginnings.
    for kept in (1..letters.len()).rev() {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let short: String =
            letters[..head].iter().chain(&['…']).chain(&letters[letters.len() - tail..]).collect();
        if text_width(&short, size, weight) <= room {
            return short;
        }
    }
    "…".to_owned()
}

/// The text in at most so many lines that fit, broken behind spaces, or behind signs where that does not do; what is too
/// much of it is shortened.
pub(super) fn wrapped(
    text: &str,
    size: u32,
    weight: Weight,
    room: f64,
    most: usize,
) -> Vec<String> {
    let fits = |line: &str| text_width(line.trim_end(), size, weight) <= room;
    let broken = |behind: &[char]| {
        let mut lines: Vec<String> = Vec::new();
        let mut line = String::new();
        for piece in text.split_inclusive(behind) {
            if !line.is_empty() && !fits(&format!("{line}{piece}")) && lines.len() + 1 < most {
                lines.push(std::mem::take(&mut line));
            }
            line += piece;
        }
        lines.push(line);
        lines
    };
    let mut lines = broken(&[' ']);
    if !lines.iter().all(|line| fits(line)) {
        lines = broken(&[' ', ',', ':', '=', '+', '/', '-']);
    }
    lines.iter().map(|line| shortened(line.trim_end(), size, weight, room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrapped_or_shortened_fits_and_loses_nothing_without_an_ellipsis() {
        let texts = [
            "reopen=opening-killed",
            "expectimax:depth=2:weights=/somewhere/best-of-all.json",
            "a",
            "",
            "six-three=off * join-throws=no",
            "Wmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm",
        ];
        for text in texts {
            for room in [40.0, 90.0, 200.0] {
                for most in [1, 2, 3] {
                    let lines = wrapped(text, 12, Weight::Bold, room, most);
                    assert!(lines.len() <= most);
                    for line in &lines {
                        assert!(text_width(line, 12, Weight::Bold) <= room, "{line} in {room}");
                    }
                    let together: String = lines.concat();
                    if !together.contains('…') {
                        assert_eq!(together.replace(' ', ""), text.replace(' ', ""));
                    }
                }
            }
        }
        assert_eq!(wrapped("going home", 12, Weight::Plain, 50.0, 2), ["going", "home"]);
        let both = "going-home=exact * join-throws=no";
        let lines = wrapped(both, 12, Weight::Plain, 140.0, 2);
        assert_eq!(lines, ["going-home=exact *", "join-throws=no"]);
    }
}
