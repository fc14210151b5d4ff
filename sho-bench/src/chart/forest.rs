//! Effects with their intervals, a row for each contrast: [`Forest`].

use super::frame::{
    Glyph, Heading, LABEL, MARGIN, SMALL, axis_below, both_ways, heading, legend, notes, whisker,
};
use super::palette::{colour, mark};
use super::scale::Scale;
use super::svg::{Anchor, BAND, INK, Picture, Svg, WIDTH};
use super::text::{Weight, text_width, wrapped};

/// The most room for names, in pixels.
const NAMES: f64 = 215.0;
/// From one policy to the next in a row, in pixels.
const LINE: f64 = 15.0;
/// From one line of a name to the next, in pixels.
const NAME_LINE: f64 = 15.0;

/// Between two fields, in pixels.
const GAP: f64 = 20.0;
/// With fewer rows there is no second field.
const FEW: usize = 5;
/// How much greater the greatest effect must be than the usual one for a second field.
const MUCH: f64 = 6.0;

/// Effects with intervals: one row a contrast, in it one mark a series, and a line at zero.
///
/// The thick line is an effect's own interval, the thin one that of all effects together. A mark is hollow where the latter
/// holds zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Forest {
    /// What it is.
    pub heading: Heading,
    /// What the axis measures, with its unit.
    pub axis: String,
    /// The series, as policies.
    pub series: Vec<String>,
    /// The rows from above.
    pub rows: Vec<ForestRow>,
}

/// A row of a [`Forest`].
#[derive(Clone, Debug, PartialEq)]
pub struct ForestRow {
    /// What is compared.
    pub name: String,
    /// By series; nothing where it has no such effect.
    pub points: Vec<Option<ForestPoint>>,
    /// Whether series disagree on the direction.
    pub both_ways: bool,
}

/// An effect in a [`Forest`].
#[derive(Clone, Debug, PartialEq)]
pub struct ForestPoint {
    /// The effect.
    pub value: f64,
    /// Its own interval.
    pub own: Option<[f64; 2]>,
    /// Its interval among all.
    pub all: Option<[f64; 2]>,
    /// The effect as it is written beside its mark.
    pub text: String,
}

impl ForestPoint {
    /// Whether the interval among all leaves zero out.
    fn is_clear(&self) -> bool {
        self.all.is_some_and(|[low, high]| low > 0.0 || high < 0.0)
    }

    fn ends(&self) -> impl Iterator<Item = f64> {
        let intervals = [self.own, self.all].into_iter().flatten().flatten();
        intervals.chain([self.value])
    }
}

impl Forest {
    /// The picture.
    #[must_use]
    pub fn draw(&self) -> Picture {
        let mut svg = Svg::new();
        let top = self.legend(&mut svg);
        let points = || self.rows.iter().flat_map(|row| row.points.iter().flatten());
        let widest = |texts: &mut dyn Iterator<Item = &str>, size| {
            texts.map(|text| text_width(text, size, Weight::Plain)).fold(0.0, f64::max)
        };
        let names = widest(&mut self.rows.iter().map(|row| row.name.as_str()), LABEL).min(NAMES);
        let values = widest(&mut points().map(|point| point.text.as_str()), SMALL);
        let left = MARGIN + names + 34.0;
        let right = WIDTH - MARGIN - values - 12.0;
        let ends = || points().flat_map(ForestPoint::ends).chain([0.0]);
        let (low, high) = (ends().fold(0.0, f64::min), ends().fold(0.0, f64::max));
        let (low, high) = if low == high { (-1.0, 1.0) } else { (low, high) };
        let close = self.close();
        let middle = if close.is_some() { left + (right - left) * 0.6 } else { right };
        let mut fields = vec![Field::new((low, high), (left, middle))];
        fields.extend(close.map(|most| Field::new((-most, most), (middle + GAP, right))));
        let (bottom, places) = self.bands(&mut svg, names, top);
        let mut end = bottom;
        for (index, field) in fields.iter().enumerate() {
            let ticks = field.scale.ticks(((field.right - field.left) / 36.0) as usize, false);
            let (sides, heights) = ((field.left, field.right), (top, bottom));
            let label = if index == 0 { self.axis.as_str() } else { "the same, closer to 0" };
            end = axis_below(&mut svg, &field.scale, &ticks, sides, heights, label).max(end);
            let zero = field.scale.at(0.0);
            svg.line((zero, top), (zero, bottom), &format!(r#"stroke="{INK}" stroke-width="1.3""#));
        }
        for (row, &(y, names)) in self.rows.iter().zip(&places) {
            for (line, name) in names_of(&row.name, names).iter().enumerate() {
                let y = y + 4.0 + (line as f64 - (name.1 - 1) as f64 / 2.0) * NAME_LINE;
                let place = (MARGIN + names, y);
                svg.text(place, Anchor::End, LABEL, Weight::Plain, INK, &name.0);
            }
            if row.both_ways {
                both_ways(&mut svg, (MARGIN + names + 16.0, y));
            }
            for (series, point) in row.points.iter().enumerate() {
                let Some(point) = point else { continue };
                let y = y + (series as f64 - (row.points.len() - 1) as f64 / 2.0) * LINE;
                self.point(&mut svg, &fields, series, y, row, point);
            }
        }
        let end = notes(&mut svg, &self.heading, end);
        let Heading { name, title, about, .. } = &self.heading;
        svg.finish(name, title, about, end)
    }

    fn legend(&self, svg: &mut Svg) -> f64 {
        let top = heading(svg, &self.heading);
        let mut items: Vec<_> = (self.series.iter().enumerate())
            .map(|(series, name)| (Glyph::Mark(series), name.clone()))
            .collect();
        let width = WIDTH - 2.0 * MARGIN;
        let top = legend(svg, (MARGIN, top - 6.0), width, LABEL, &items);
        items = vec![
            (Glyph::Thick, "95 % interval of one effect alone".to_owned()),
            (Glyph::Thin, "of all effects together".to_owned()),
            (Glyph::Hollow, "not shown: no such interval, or it holds 0".to_owned()),
        ];
        if self.rows.iter().any(|row| row.both_ways) {
            items.push((Glyph::BothWays, "direction depends on the policy".to_owned()));
        }
        legend(svg, (MARGIN, top - 6.0), width, SMALL, &items) + 4.0
    }

    /// Draws a band behind every other row; the answer is where they end, and for each row its middle and the room for its
    /// name.
    fn bands(&self, svg: &mut Svg, names: f64, top: f64) -> (f64, Vec<(f64, f64)>) {
        let mut y = top;
        let mut places = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let lines = names_of(&row.name, names).len() as f64 * NAME_LINE;
            let height = lines.max(row.points.len() as f64 * LINE) + 7.0;
            if index % 2 == 0 {
                let style = format!(r#"fill="{BAND}""#);
                svg.rect((MARGIN - 6.0, y), (WIDTH - 2.0 * MARGIN + 12.0, height), &style);
            }
            places.push((y + height / 2.0, names));
            y += height;
        }
        (y, places)
    }

    fn point(
        &self,
        svg: &mut Svg,
        fields: &[Field],
        series: usize,
        y: f64,
        row: &ForestRow,
        point: &ForestPoint,
    ) {
        let who = self.series.get(series).map_or("", String::as_str);
        svg.begin(&format!("{}, {who}: {}", row.name, point.text));
        for field in fields {
            field.point(svg, series, y, point);
        }
        let place = (WIDTH - MARGIN, y + 4.0);
        svg.text(place, Anchor::End, SMALL, Weight::Plain, INK, &point.text);
        svg.end();
    }

    /// Where most effects are much smaller than the greatest: how far from zero a second field goes that shows them closer.
    fn close(&self) -> Option<f64> {
        let size = |row: &ForestRow| {
            let ends = row.points.iter().flatten().flat_map(ForestPoint::ends);
            ends.map(f64::abs).fold(0.0, f64::max)
        };
        let mut sizes: Vec<f64> = self.rows.iter().map(size).collect();
        sizes.sort_by(f64::total_cmp);
        let most = *sizes.last()?;
        let usual = sizes[sizes.len() / 2];
        (sizes.len() >= FEW && usual > 0.0 && most > MUCH * usual).then_some(usual)
    }
}

/// A field of marks.
struct Field {
    scale: Scale,
    low: f64,
    high: f64,
    left: f64,
    right: f64,
}

impl Field {
    fn new((low, high): (f64, f64), (left, right): (f64, f64)) -> Self {
        Self { scale: Scale::new((low, high), (left + 8.0, right - 8.0)), low, high, left, right }
    }

    fn point(&self, svg: &mut Svg, series: usize, y: f64, point: &ForestPoint) {
        let scale = &self.scale;
        if point.ends().any(|end| end < self.low || end > self.high) {
            // It is too far away: an arrow says where.
            let (tip, foot) = if point.value > 0.0 {
                (self.right - 1.0, self.right - 6.0)
            } else {
                (self.left + 1.0, self.left + 6.0)
            };
            let style = format!(r#"fill="{}""#, colour(series));
            svg.path(&[(tip, y), (foot, y - 3.5), (foot, y + 3.5)], true, &style);
            return;
        }
        if let Some([low, high]) = point.all {
            whisker(svg, (scale.at(low), scale.at(high)), y, colour(series));
        }
        if let Some([low, high]) = point.own {
            let style = format!(r#"stroke="{}" stroke-width="3.4""#, colour(series));
            svg.line((scale.at(low), y), (scale.at(high), y), &style);
        }
        mark(svg, series, (scale.at(point.value), y), point.is_clear());
    }
}

/// The lines of a name, each with how many there are.
fn names_of(name: &str, room: f64) -> Vec<(String, usize)> {
    let lines = wrapped(name, LABEL, Weight::Plain, room, 2);
    let count = lines.len();
    lines.into_iter().map(|line| (line, count)).collect()
}
