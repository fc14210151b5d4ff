//! SVG as text: elements with rounded coordinates, and escapes.

use std::fmt::Write;

use super::text::Weight;

/// The width of every picture, in pixels.
pub(super) const WIDTH: f64 = 720.0;

/// Text that is read.
pub(super) const INK: &str = "#1a1a1a";
/// Text and lines that are looked up.
pub(super) const FAINT: &str = "#595959";
/// Lines of a grid.
pub(super) const GRID: &str = "#dcdcdc";
/// The band behind every other row.
pub(super) const BAND: &str = "#f4f4f4";

/// A picture of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The name of its file, without a suffix: lower-case letters, digits and hyphens.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The same for somebody who does not see it.
    pub about: String,
    /// The element without its name space.
    element: String,
}

impl Picture {
    /// The contents of a file: the element `svg` with its name space, and a line end.
    #[must_use]
    pub fn file(&self) -> String {
        let (open, rest) = self.element.split_at("<svg".len());
        format!("{open} xmlns=\"http://www.w3.org/2000/svg\"{rest}\n")
    }

    /// The element as it stands inside a page of HTML.
    #[must_use]
    pub fn inline(&self) -> &str {
        &self.element
    }
}

/// Text in which no character means anything to XML or HTML, neither in an element nor in an attribute in double quotes.
/// Characters that XML does not allow are replaced.
///
/// ```
/// assert_eq!(sho_bench::chart::escaped("a<b> & \"c\"\u{1}"), "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}");
/// ```
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            '\t' | '\n' | '\r' => safe.push(letter),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => {
                safe.push('\u{fffd}');
            }
            _ => safe.push(letter),
        }
    }
    safe
}

/// A coordinate in tenths of a pixel: nobody sees less, and the last bits of a division have no say.
pub(super) fn coordinate(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    let (whole, rest) = (tenths.abs() / 10, tenths.abs() % 10);
    if rest == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture that is being drawn.
#[derive(Debug)]
pub(super) struct Svg {
    body: String,
}

impl Svg {
    pub(super) fn new() -> Self {
        Self { body: String::new() }
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), style: &str) {
        let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(coordinate);
        // Writing into a string cannot fail.
        let _ = writeln!(self.body, r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>"#);
    }

    pub(super) fn rect(&mut self, corner: (f64, f64), size: (f64, f64), style: &str) {
        let [x, y, width, height] = [corner.0, corner.1, size.0, size.1].map(coordinate);
        let _ = writeln!(
            self.body,
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {style}/>"#
        );
    }

    /// A line through points, closed where the path says so with a `Z`.
    pub(super) fn path(&mut self, points: &[(f64, f64)], closed: bool, style: &str) {
        let mut path = String::new();
        for (index, &(x, y)) in points.iter().enumerate() {
            let letter = if index == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{} {}", coordinate(x), coordinate(y));
        }
        if closed {
            path.push('Z');
        }
        let _ = writeln!(self.body, r#"<path d="{path}" {style}/>"#);
    }

    pub(super) fn circle(&mut self, middle: (f64, f64), radius: f64, style: &str) {
        let [x, y, r] = [middle.0, middle.1, radius].map(coordinate);
        let _ = writeln!(self.body, r#"<circle cx="{x}" cy="{y}" r="{r}" {style}/>"#);
    }

    /// A text of one line whose base line begins, has its middle, or ends at a point.
    pub(super) fn text(
        &mut self,
        (x, y): (f64, f64),
        anchor: Anchor,
        size: u32,
        weight: Weight,
        fill: &str,
        text: &str,
    ) {
        let [x, y] = [x, y].map(coordinate);
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let weight = if weight == Weight::Bold { r#" font-weight="bold""# } else { "" };
        let _ = writeln!(
            self.body,
            r#"<text x="{x}" y="{y}" font-size="{size}"{weight}{anchor} fill="{fill}">{}</text>"#,
            escaped(text)
        );
    }

    /// Whatever is drawn until [`end`](Self::end) has this tool tip.
    pub(super) fn begin(&mut self, tip: &str) {
        let _ = writeln!(self.body, "<g><title>{}</title>", escaped(tip));
    }

    pub(super) fn end(&mut self) {
        self.body += "</g>\n";
    }

    /// The picture, so many pixels high, on white.
    pub(super) fn finish(self, name: &str, title: &str, about: &str, height: f64) -> Picture {
        let (width, height) = (coordinate(WIDTH), coordinate(height.ceil()));
        let body = self.body;
        let element = format!(
            r##"<svg role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" aria-labelledby="{name}-title {name}-desc">
<title id="{name}-title">{}</title>
<desc id="{name}-desc">{}</desc>
<rect width="{width}" height="{height}" fill="#ffffff"/>
{body}</svg>"##,
            escaped(title),
            escaped(about),
        );
        Picture { name: name.to_owned(), title: title.to_owned(), about: about.to_owned(), element }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_one_digit_at_most() {
        let texts = [0.0, -0.04, 12.0, 12.25, -3.06, 719.96].map(coordinate);
        assert_eq!(texts, ["0", "0", "12", "12.3", "-3.1", "720"]);
    }
}
