//! What pictures have in common: headings, legends, axes, notes.

use super::palette::{line_style, mark};
use super::scale::{Scale, TICK_SIZE, Tick};
use super::svg::{Anchor, FAINT, GRID, INK, Svg, WIDTH};
use super::text::{Weight, shortened, text_width, wrapped};

/// Room at the left and the right of a picture.
pub(super) const MARGIN: f64 = 14.0;

/// The font size of labels.
pub(super) const LABEL: u32 = 12;
/// The font size of what is said beside.
pub(super) const SMALL: u32 = 11;

/// What stands above a picture, and what says it to somebody who does not see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// The picture's name: lower-case letters, digits and hyphens.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// Of what: the game, how much was played.
    pub under: String,
    /// What it shows, in sentences.
    pub about: String,
    /// What is to be known, below the picture.
    pub notes: Vec<String>,
}

/// Something that a legend explains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Glyph {
    /// The mark of a series.
    Mark(usize),
    /// A mark that is hollow.
    Hollow,
    /// A thick line.
    Thick,
    /// A thin line with ends.
    Thin,
    /// A line of a series.
    Line(usize),
    /// The area of the base.
    Area,
    /// A dashed line to compare with.
    Reference,
    /// The sign of what points both ways.
    BothWays,
}

/// The room that a glyph takes in a legend.
const GLYPH: f64 = 24.0;

/// The style of a dashed line to compare with.
pub(super) const REFERENCE: &str =
    r##"stroke="#595959" stroke-width="1.2" stroke-dasharray="3 2""##;

/// The style of the base's area.
pub(super) const AREA: &str = r##"fill="#d0d0d0" stroke="#7a7a7a" stroke-width="1""##;

/// Draws the title and the line under it; the answer is where they end.
pub(super) fn heading(svg: &mut Svg, heading: &Heading) -> f64 {
    let mut y = 8.0;
    for line in wrapped(&heading.title, 15, Weight::Bold, WIDTH - 2.0 * MARGIN, 3) {
        y += 18.0;
        svg.text((MARGIN, y), Anchor::Start, 15, Weight::Bold, INK, &line);
    }
    for line in wrapped(&heading.under, SMALL, Weight::Plain, WIDTH - 2.0 * MARGIN, 3) {
        y += 16.0;
        svg.text((MARGIN, y), Anchor::Start, SMALL, Weight::Plain, FAINT, &line);
    }
    y + 8.0
}

/// Draws the notes below a picture; the answer is where the picture ends.
pub(super) fn notes(svg: &mut Svg, heading: &Heading, mut y: f64) -> f64 {
    y += 4.0;
    for note in &heading.notes {
        for line in wrapped(note, SMALL, Weight::Plain, WIDTH - 2.0 * MARGIN, 4) {
            y += 15.0;
            svg.text((MARGIN, y), Anchor::Start, SMALL, Weight::Plain, FAINT, &line);
        }
    }
    y + 12.0
}

/// Draws one glyph with its middle at this height.
fn glyph(svg: &mut Svg, what: Glyph, x: f64, y: f64) {
    let (middle, end) = (x + 9.0, x + 18.0);
    match what {
        Glyph::Mark(series) => mark(svg, series, (middle, y), true),
        Glyph::Hollow => {
            let style = format!(r##"fill="#ffffff" stroke="{INK}" stroke-width="1.4""##);
            svg.circle((middle, y), 3.8, &style);
        }
        Glyph::Thick => {
            svg.line((x, y), (end, y), &format!(r#"stroke="{INK}" stroke-width="3.4""#));
        }
        Glyph::Thin => whisker(svg, (x, end), y, INK),
        Glyph::Line(series) => svg.path(&[(x, y), (end + 3.0, y)], false, &line_style(series)),
        Glyph::Area => svg.rect((x + 1.0, y - 5.0), (17.0, 10.0), AREA),
        Glyph::Reference => svg.line((middle, y - 7.0), (middle, y + 7.0), REFERENCE),
        Glyph::BothWays => both_ways(svg, (middle, y)),
    }
}

/// A thin line with an end at each side.
pub(super) fn whisker(svg: &mut Svg, (from, to): (f64, f64), y: f64, colour: &str) {
    let style = format!(r#"stroke="{colour}" stroke-width="1.2""#);
    svg.line((from, y), (to, y), &style);
    for x in [from, to] {
        svg.line((x, y - 3.0), (x, y + 3.0), &style);
    }
}

/// An arrow to each side.
pub(super) fn both_ways(svg: &mut Svg, (x, y): (f64, f64)) {
    let style = format!(r#"fill="{INK}""#);
    svg.path(&[(x - 8.0, y), (x - 2.0, y - 4.0), (x - 2.0, y + 4.0)], true, &style);
    svg.path(&[(x + 8.0, y), (x + 2.0, y - 4.0), (x + 2.0, y + 4.0)], true, &style);
}

/// Draws glyphs with what they mean, as many a line as there is room for; the answer is where they end.
pub(super) fn legend(
    svg: &mut Svg,
    (left, top): (f64, f64),
    width: f64,
    size: u32,
    items: &[(Glyph, String)],
) -> f64 {
    let line = f64::from(size) + 6.0;
    let (mut x, mut y) = (left, top + line);
    for (what, text) in items {
        let text = shortened(text, size, Weight::Plain, width - GLYPH);
        let needs = GLYPH + text_width(&text, size, Weight::Plain);
        if x > left && x + needs > left + width {
            (x, y) = (left, y + line);
        }
        glyph(svg, *what, x, y - 4.0);
        svg.text((x + GLYPH, y), Anchor::Start, size, Weight::Plain, INK, &text);
        x += needs + 18.0;
    }
    y + 6.0
}

/// Draws an axis below a field, with a grid in it, and what it measures; the answer is where it ends.
pub(super) fn axis_below(
    svg: &mut Svg,
    scale: &Scale,
    ticks: &[Tick],
    (left, right): (f64, f64),
    (top, bottom): (f64, f64),
    label: &str,
) -> f64 {
    for tick in ticks {
        let x = scale.at(tick.value);
        svg.line((x, top), (x, bottom), &format!(r#"stroke="{GRID}""#));
        svg.line((x, bottom), (x, bottom + 4.0), &format!(r#"stroke="{FAINT}""#));
    }
    svg.line((left, bottom), (right, bottom), &format!(r#"stroke="{FAINT}""#));
    tick_labels(svg, scale, ticks, bottom);
    let middle = f64::midpoint(left, right);
    // A label that is longer than its field must stay in the picture.
    let room = 2.0 * (middle - 4.0).min(WIDTH - 4.0 - middle);
    let mut y = bottom + 16.0;
    for line in wrapped(label, SMALL, Weight::Plain, room.min(right - left + 12.0), 2) {
        y += 15.0;
        svg.text((middle, y), Anchor::Middle, SMALL, Weight::Plain, FAINT, &line);
    }
    y + 6.0
}

fn tick_labels(svg: &mut Svg, scale: &Scale, ticks: &[Tick], bottom: f64) {
    for tick in ticks {
        let place = (scale.at(tick.value), bottom + 16.0);
        svg.text(place, Anchor::Middle, TICK_SIZE, Weight::Plain, FAINT, &tick.label);
    }
}
