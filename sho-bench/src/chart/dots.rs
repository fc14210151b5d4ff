//! Shares with their intervals, a row for each thing that has them: [`Dots`].

use super::frame::{Glyph, Heading, LABEL, MARGIN, REFERENCE, SMALL, heading, legend, notes};
use super::frame::{axis_below, whisker};
use super::palette::{colour, mark};
use super::scale::{Scale, ends};
use super::svg::{Anchor, BAND, FAINT, INK, Picture, Svg, WIDTH};
use super::text::{Weight, text_width, wrapped};

/// The most room for names, in pixels.
const NAMES: f64 = 190.0;
/// From one series to the next in a row, in pixels.
const LINE: f64 = 12.0;
/// From one line of a name to the next, in pixels.
const NAME_LINE: f64 = 15.0;
/// Panels that stand side by side.
const ACROSS: usize = 3;
/// Between two of them, in pixels.
const GAP: f64 = 16.0;

/// Values with intervals: one row for each thing, in it one mark a series, and a panel for each of those who have such rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Dots {
    /// What it is.
    pub heading: Heading,
    /// What the axis measures, with its unit.
    pub axis: String,
    /// The series, as seats; where there is one alone, a legend does not name it.
    pub series: Vec<String>,
    /// What the dashed line of each row is.
    pub reference: String,
    /// The rows from above.
    pub rows: Vec<DotRow>,
    /// The panels, each with all rows.
    pub panels: Vec<DotPanel>,
}

/// What stands at the head of a row of [`Dots`].
#[derive(Clone, Debug, PartialEq)]
pub struct DotRow {
    /// Its name.
    pub name: String,
    /// Where its dashed line is.
    pub reference: Option<f64>,
}

/// A panel of [`Dots`].
#[derive(Clone, Debug, PartialEq)]
pub struct DotPanel {
    /// Its name; none is drawn where it is empty.
    pub name: String,
    /// By row and series; nothing where there is no such value.
    pub rows: Vec<Vec<Option<Dot>>>,
}

/// A value in [`Dots`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// The value.
    pub value: f64,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
}

impl Dots {
    /// The picture.
    #[must_use]
    pub fn draw(&self) -> Picture {
        let mut svg = Svg::new();
        let mut y = heading(&mut svg, &self.heading);
        let mut items: Vec<_> = (self.series.iter().enumerate())
            .filter(|_| self.series.len() > 1)
            .map(|(series, name)| (Glyph::Mark(series), name.clone()))
            .collect();
        items.push((Glyph::Thin, "95 % interval".to_owned()));
        items.push((Glyph::Reference, self.reference.clone()));
        y = legend(&mut svg, (MARGIN, y - 6.0), WIDTH - 2.0 * MARGIN, LABEL, &items);
        let names = (self.rows.iter())
            .map(|row| text_width(&row.name, LABEL, Weight::Plain))
            .fold(0.0, f64::max)
            .min(NAMES);
        let dots = self.panels.iter().flat_map(|panel| panel.rows.iter().flatten().flatten());
        let values = dots.flat_map(|dot| {
            dot.interval.into_iter().flatten().chain([dot.value]).collect::<Vec<_>>()
        });
        let references = self.rows.iter().filter_map(|row| row.reference);
        let (low, high) = ends(values.chain(references));
        let range = if low <= high { (low, high) } else { (0.0, 1.0) };
        let across = self.panels.len().clamp(1, ACROSS);
        let left = MARGIN + names + 14.0;
        let width = (WIDTH - MARGIN - left - GAP * (across - 1) as f64) / across as f64;
        for panels in self.panels.chunks(ACROSS) {
            if panels.iter().any(|panel| !panel.name.is_empty()) {
                y += 16.0;
                for (index, panel) in panels.iter().enumerate() {
                    let x = left + index as f64 * (width + GAP);
                    for line in wrapped(&panel.name, LABEL, Weight::Bold, width, 1) {
                        svg.text((x, y), Anchor::Start, LABEL, Weight::Bold, INK, &line);
                    }
                }
            }
            y += 6.0;
            let (bottom, places) = self.rows(&mut svg, names, y);
            let mut end = bottom;
            for (index, panel) in panels.iter().enumerate() {
                let x = left + index as f64 * (width + GAP);
                let scale = Scale::new(range, (x + 8.0, x + width - 8.0));
                let ticks = scale.ticks((width / 45.0) as usize, false);
                let field = ((x, x + width), (y, bottom));
                end = axis_below(&mut svg, &scale, &ticks, field.0, field.1, &self.axis).max(end);
                self.panel(&mut svg, panel, &scale, &places);
            }
            y = end;
        }
        let end = notes(&mut svg, &self.heading, y);
        let Heading { name, title, about, .. } = &self.heading;
        svg.finish(name, title, about, end)
    }

    /// Draws names and bands; the answer is where rows end, and for each its middle and its height.
    fn rows(&self, svg: &mut Svg, names: f64, top: f64) -> (f64, Vec<(f64, f64)>) {
        let mut y = top;
        let mut places = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let lines = wrapped(&row.name, LABEL, Weight::Plain, names, 2);
            let needs = lines.len() as f64 * NAME_LINE;
            let height = needs.max(self.series.len() as f64 * LINE) + 8.0;
            if index % 2 == 0 {
                let style = format!(r#"fill="{BAND}""#);
                svg.rect((MARGIN - 6.0, y), (WIDTH - 2.0 * MARGIN + 12.0, height), &style);
            }
            let middle = y + height / 2.0;
            for (line, text) in lines.iter().enumerate() {
                let y = middle + 4.0 + (line as f64 - (lines.len() - 1) as f64 / 2.0) * NAME_LINE;
                svg.text((MARGIN + names, y), Anchor::End, LABEL, Weight::Plain, INK, text);
            }
            places.push((middle, height));
            y += height;
        }
        (y, places)
    }

    fn panel(&self, svg: &mut Svg, panel: &DotPanel, scale: &Scale, places: &[(f64, f64)]) {
        for ((row, dots), &(middle, height)) in self.rows.iter().zip(&panel.rows).zip(places) {
            if let Some(even) = row.reference {
                let x = scale.at(even);
                let half = height / 2.0;
                svg.line((x, middle - half), (x, middle + half), REFERENCE);
            }
            // A table with fewer seats has its marks in the middle of the row as well.
            let there: Vec<_> = (dots.iter().enumerate())
                .filter_map(|(series, dot)| dot.map(|dot| (series, dot)))
                .collect();
            for (place, &(series, dot)) in there.iter().enumerate() {
                let y = middle + (place as f64 - (there.len() - 1) as f64 / 2.0) * LINE;
                let who = self.series.get(series).map_or("", String::as_str);
                svg.begin(&format!("{}, {who}: {:.4}", row.name, dot.value));
                if let Some([low, high]) = dot.interval {
                    whisker(svg, (scale.at(low), scale.at(high)), y, colour(series));
                }
                mark(svg, series, (scale.at(dot.value), y), true);
                svg.end();
            }
            if there.is_empty() {
                let x = scale.at(row.reference.unwrap_or(0.0)) + 6.0;
                svg.text((x, middle + 4.0), Anchor::Start, SMALL, Weight::Plain, FAINT, "none");
            }
        }
    }
}
