//! How whole numbers were distributed over games, a panel for each comparison: [`Lengths`].

use super::frame::{
    AREA, Glyph, Heading, LABEL, MARGIN, SMALL, axis_below, heading, legend, notes,
};
use super::palette::line_style;
use super::scale::{Scale, TICK_SIZE};
use super::svg::{Anchor, FAINT, GRID, INK, Picture, Svg, WIDTH};
use super::text::{Weight, wrapped};
use crate::tally::Histogram;

/// Where the axis ends: so many games in a thousand are not longer.
const SHOWN: u64 = 995;

/// No more than so many bars from end to end, and no fewer than half of that but where they are as narrow as can be.
const BARS: u32 = 60;

/// Where the longest games of one panel are longer than those of another by more than this, each has an axis of its own.
const APART: u32 = 4;

/// The height of a panel's field, in pixels.
const FIELD: f64 = 120.0;

/// Distributions, in panels of one base and what is compared with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Lengths {
    /// What it is.
    pub heading: Heading,
    /// What the axis measures, with its unit.
    pub axis: String,
    /// What one step along the axis is, as `throw`.
    pub step: String,
    /// The panels, two in a line; one alone is as wide as both.
    pub panels: Vec<LengthPanel>,
}

/// A panel of [`Lengths`].
#[derive(Clone, Debug, PartialEq)]
pub struct LengthPanel {
    /// Its name; none is drawn where it is empty.
    pub name: String,
    /// What is drawn as an area.
    pub base: LengthLine,
    /// What is drawn as lines.
    pub lines: Vec<LengthLine>,
}

/// A distribution in [`Lengths`].
#[derive(Clone, Debug, PartialEq)]
pub struct LengthLine {
    /// What it is, as the legend says.
    pub name: String,
    /// The number of games of each length.
    pub games: Histogram,
}

/// Shares of games a step, by bars of so many steps.
struct Bars {
    wide: u32,
    percent: Vec<f64>,
}

impl Bars {
    fn new(games: &Histogram, wide: u32, reach: u32) -> Self {
        let count = games.count().max(1) as f64;
        let mut bars = vec![0_u64; (reach / wide) as usize + 1];
        for (length, games) in games.iter() {
            // What is beyond the axis is not drawn.
            if let Some(bar) = bars.get_mut((length / wide) as usize) {
                *bar += games;
            }
        }
        let percent = bars.iter().map(|&games| games as f64 * 100.0 / count / f64::from(wide));
        Self { wide, percent: percent.collect() }
    }

    fn most(&self) -> f64 {
        self.percent.iter().copied().fold(0.0, f64::max)
    }

    /// The outline as steps, from the axis to the axis.
    fn outline(&self, across: &Scale, up: &Scale) -> Vec<(f64, f64)> {
        let mut points = Vec::new();
        let first = self.percent.iter().position(|&percent| percent > 0.0).unwrap_or(0);
        let last = self.percent.iter().rposition(|&percent| percent > 0.0).unwrap_or(0);
        let edge = |bar: usize| across.at(bar as f64 * f64::from(self.wide));
        points.push((edge(first), up.at(0.0)));
        for bar in first..=last {
            let y = up.at(self.percent[bar]);
            points.push((edge(bar), y));
            points.push((edge(bar + 1), y));
        }
        points.push((edge(last + 1), up.at(0.0)));
        // Two bars of one height are one step.
        points.dedup();
        points
    }
}

impl LengthPanel {
    fn all(&self) -> impl Iterator<Item = &LengthLine> {
        [&self.base].into_iter().chain(&self.lines)
    }

    /// How far its axis has to go.
    fn reach(&self) -> u32 {
        self.all().filter_map(|line| reach(&line.games)).max().unwrap_or(1)
    }
}

/// The least length that so many games in a thousand do not exceed as [`SHOWN`] says.
fn reach(games: &Histogram) -> Option<u32> {
    let all = u128::from(games.count());
    let mut so_far = 0_u128;
    games.iter().find_map(|(length, count)| {
        so_far += u128::from(count);
        (so_far * 1000 >= all * u128::from(SHOWN)).then_some(length)
    })
}

/// The width of a bar: 1, 2 or 5 times a power of ten.
fn bar_width(reach: u32) -> u32 {
    let powers = (0..9).map(|power| 10_u32.pow(power));
    let mut widths = powers.flat_map(|power| [power, 2 * power, 5 * power]);
    widths.find(|wide| reach / wide <= BARS).unwrap_or(u32::MAX)
}

impl Lengths {
    /// The picture.
    #[must_use]
    pub fn draw(&self) -> Picture {
        let mut svg = Svg::new();
        let reaches: Vec<u32> = self.panels.iter().map(LengthPanel::reach).collect();
        let (least, most) = (reaches.iter().min().copied(), reaches.iter().max().copied());
        let own_axes = most.unwrap_or(1) / APART > least.unwrap_or(1);
        let mut said = self.heading.clone();
        if own_axes {
            said.notes.push("Panels have axes of their own: compare shapes inside a panel.".into());
        }
        let beyond = "The longest games, at most 5 in 1000 of a distribution, are beyond the axes.";
        said.notes.push(beyond.to_owned());
        let across = if self.panels.len() == 1 { 1 } else { 2 };
        let width = (WIDTH - 2.0 * MARGIN) / f64::from(across);
        let mut y = heading(&mut svg, &self.heading) - 8.0;
        for (row, panels) in self.panels.chunks(across as usize).enumerate() {
            let mut end = y;
            let heads: Vec<f64> = (panels.iter().enumerate())
                .map(|(index, panel)| {
                    head(&mut svg, panel, (MARGIN + index as f64 * width, y), width - 14.0)
                })
                .collect();
            // Fields of a line stand at one height, however long their legends are.
            let top = heads.iter().copied().fold(y, f64::max);
            for (index, panel) in panels.iter().enumerate() {
                let reach = if own_axes {
                    reaches[row * across as usize + index]
                } else {
                    most.unwrap_or(1)
                };
                let left = MARGIN + index as f64 * width;
                end = self.field(&mut svg, panel, reach, (left, left + width), top).max(end);
            }
            y = end;
        }
        let end = notes(&mut svg, &said, y);
        let Heading { name, title, about, .. } = &self.heading;
        svg.finish(name, title, about, end)
    }

    fn field(
        &self,
        svg: &mut Svg,
        panel: &LengthPanel,
        reach: u32,
        (left, right): (f64, f64),
        top: f64,
    ) -> f64 {
        let (left, right) = (left + 38.0, right - 14.0);
        let (top, bottom) = (top + 20.0, top + 20.0 + FIELD);
        let wide = bar_width(reach);
        let bars: Vec<Bars> = panel.all().map(|line| Bars::new(&line.games, wide, reach)).collect();
        let most = bars.iter().map(Bars::most).fold(0.0, f64::max);
        let end = f64::from(reach / wide + 1) * f64::from(wide);
        let across = Scale::new((0.0, end), (left, right));
        let up = Scale::new((0.0, if most > 0.0 { most } else { 1.0 }), (bottom, top));
        for tick in up.ticks(5, true) {
            let y = up.at(tick.value);
            svg.line((left, y), (right, y), &format!(r#"stroke="{GRID}""#));
            let place = (left - 5.0, y + 4.0);
            svg.text(place, Anchor::End, TICK_SIZE, Weight::Plain, FAINT, &tick.label);
        }
        let label = format!("% of games for each {}", self.step);
        let place = (left - 34.0, top - 10.0);
        svg.text(place, Anchor::Start, SMALL, Weight::Plain, FAINT, &label);
        svg.path(&bars[0].outline(&across, &up), true, AREA);
        for (series, bars) in bars[1..].iter().enumerate() {
            svg.path(&bars.outline(&across, &up), false, &line_style(series));
        }
        let ticks = across.ticks(((right - left) / 45.0) as usize, false);
        axis_below(svg, &across, &ticks, (left, right), (bottom, bottom), &self.axis)
    }
}

/// Draws the name of a panel and its legend; the answer is where they end.
fn head(svg: &mut Svg, panel: &LengthPanel, (x, mut y): (f64, f64), width: f64) -> f64 {
    y += 10.0;
    if !panel.name.is_empty() {
        for line in wrapped(&panel.name, LABEL, Weight::Bold, width, 2) {
            y += 15.0;
            svg.text((x, y), Anchor::Start, LABEL, Weight::Bold, INK, &line);
        }
    }
    let median = |line: &LengthLine| match line.games.quantile(50) {
        Some(median) => format!("{}, median {median}", line.name),
        None => line.name.clone(),
    };
    let glyphs = [Glyph::Area].into_iter().chain((0..).map(Glyph::Line));
    let items: Vec<_> =
        glyphs.zip(panel.all()).map(|(glyph, line)| (glyph, median(line))).collect();
    legend(svg, (x, y), width, SMALL, &items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_round_and_not_too_many() {
        let widths = [0, 60, 61, 130, 320, 1000, 2000, 100_000, u32::MAX].map(bar_width);
        assert_eq!(widths, [1, 1, 2, 5, 10, 20, 50, 2000, 100_000_000]);
    }

    #[test]
    fn areas_are_one_hundred_percent() {
        let mut games = Histogram::default();
        for (length, count) in [(3, 10), (17, 30), (18, 1), (60, 9)] {
            games.add_many(length, count);
        }
        for wide in [1, 2, 5, 20] {
            let bars = Bars::new(&games, wide, 60);
            let area: f64 = bars.percent.iter().sum::<f64>() * f64::from(wide);
            assert!((area - 100.0).abs() < 1e-9, "{area}");
        }
        assert_eq!(reach(&games), Some(60));
    }
}
