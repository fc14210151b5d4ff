//! Values over a scale, as points with intervals and lines through them: [`Plane`].

use super::frame::{
    Glyph, Heading, LABEL, MARGIN, REFERENCE, SMALL, axis_below, heading, legend, notes,
};
use super::palette::{colour, line_style, mark};
use super::scale::{Scale, TICK_SIZE, ends};
use super::svg::{Anchor, FAINT, GRID, Picture, Svg, WIDTH};
use super::text::{Weight, text_width};

/// The room for a picture's field, in pixels.
const FIELD: f64 = 300.0;

/// Series of values over one scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// What it is.
    pub heading: Heading,
    /// What the axis below measures, with its unit.
    pub across: String,
    /// What the axis at the left measures, with its unit.
    pub upright: String,
    /// The dashed line to compare with, and what it is.
    pub reference: (Reference, String),
    /// The series.
    pub series: Vec<PlaneSeries>,
}

/// A dashed line to compare with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference {
    /// Where both axes say the same.
    Diagonal,
    /// At one height.
    Level(f64),
}

/// A series of a [`Plane`].
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneSeries {
    /// Its name.
    pub name: String,
    /// Its points from left to right.
    pub points: Vec<PlanePoint>,
    /// Whether a line goes through them; else each has a mark.
    pub is_line: bool,
}

/// A point of a [`Plane`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanePoint {
    /// Where it is.
    pub x: f64,
    /// Its value.
    pub y: f64,
    /// The interval of its value.
    pub interval: Option<[f64; 2]>,
}

impl Plane {
    /// The picture.
    #[must_use]
    pub fn draw(&self) -> Picture {
        let mut svg = Svg::new();
        let mut y = heading(&mut svg, &self.heading);
        let mut items: Vec<_> = (self.series.iter().enumerate())
            .map(|(index, series)| {
                let glyph = if series.is_line { Glyph::Line(index) } else { Glyph::Mark(index) };
                (glyph, series.name.clone())
            })
            .collect();
        let points = || self.series.iter().flat_map(|series| &series.points);
        if points().any(|point| point.interval.is_some()) {
            items.push((Glyph::Thin, "95 % interval".to_owned()));
        }
        items.push((Glyph::Reference, self.reference.1.clone()));
        y = legend(&mut svg, (MARGIN, y - 6.0), WIDTH - 2.0 * MARGIN, LABEL, &items);
        svg.text((MARGIN, y + 14.0), Anchor::Start, SMALL, Weight::Plain, FAINT, &self.upright);
        y += 24.0;

        let across = range(points().map(|point| point.x));
        let level = match self.reference.0 {
            Reference::Level(level) => Some(level),
            Reference::Diagonal => None,
        };
        let values =
            points().flat_map(|point| point.interval.into_iter().flatten().chain([point.y]));
        let upright = range(values.chain(level));
        let (top, bottom) = (y, y + FIELD);
        let up = Scale::new(upright, (bottom - 6.0, top + 6.0));
        let ticks = up.ticks(8, true);
        let widest = (ticks.iter())
            .map(|tick| text_width(&tick.label, TICK_SIZE, Weight::Plain))
            .fold(0.0, f64::max);
        let (left, right) = (MARGIN + widest + 8.0, WIDTH - MARGIN);
        let along = Scale::new(across, (left + 8.0, right - 12.0));
        for tick in &ticks {
            let y = up.at(tick.value);
            svg.line((left, y), (right, y), &format!(r#"stroke="{GRID}""#));
            let place = (left - 6.0, y + 4.0);
            svg.text(place, Anchor::End, TICK_SIZE, Weight::Plain, FAINT, &tick.label);
        }
        svg.line((left, top), (left, bottom), &format!(r#"stroke="{FAINT}""#));
        let below = along.ticks(12, false);
        let end = axis_below(&mut svg, &along, &below, (left, right), (top, bottom), &self.across);
        let dashed = match self.reference.0 {
            Reference::Level(level) => ((left, up.at(level)), (right, up.at(level))),
            Reference::Diagonal => {
                let from = across.0.max(upright.0);
                let to = across.1.min(upright.1);
                ((along.at(from), up.at(from)), (along.at(to), up.at(to)))
            }
        };
        svg.line(dashed.0, dashed.1, REFERENCE);
        for (index, series) in self.series.iter().enumerate() {
            let place = |point: &PlanePoint| (along.at(point.x), up.at(point.y));
            if series.is_line {
                let line: Vec<_> = series.points.iter().map(place).collect();
                svg.path(&line, false, &line_style(index));
                continue;
            }
            for point in &series.points {
                svg.begin(&format!("{}: {:.4} at {:.4}", series.name, point.y, point.x));
                if let Some([low, high]) = point.interval {
                    upright_whisker(&mut svg, along.at(point.x), (up.at(low), up.at(high)), index);
                }
                mark(&mut svg, index, place(point), true);
                svg.end();
            }
        }
        let end = notes(&mut svg, &self.heading, end);
        let Heading { name, title, about, .. } = &self.heading;
        svg.finish(name, title, about, end)
    }
}

/// From the least to the greatest, and a little room where all are the same.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    match ends(values) {
        (low, high) if low < high => (low, high),
        (low, high) if low == high => (low - 0.5, high + 0.5),
        _ => (0.0, 1.0),
    }
}

/// A thin line with an end above and below.
fn upright_whisker(svg: &mut Svg, x: f64, (from, to): (f64, f64), series: usize) {
    let style = format!(r#"stroke="{}" stroke-width="1.2""#, colour(series));
    svg.line((x, from), (x, to), &style);
    for y in [from, to] {
        svg.line((x - 3.0, y), (x + 3.0, y), &style);
    }
}
