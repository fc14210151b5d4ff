//! Series told apart by colour, shape and dash.

use super::svg::Svg;

/// Okabe and Ito, Color Universal Design, 2008, without yellow, which is too light on white.
const COLOURS: [&str; 7] =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9"];

/// No dash is another one that is longer or shorter alone. Their number and that of colours have no common divisor, nor has
/// that of shapes, so that combinations last.
const DASHES: [&str; 4] = ["", "7 3", "2 2.5", "9 3 2 3"];

/// How many shapes of marks there are.
const SHAPES: usize = 6;

/// The colour of a series.
pub(super) fn colour(series: usize) -> &'static str {
    COLOURS[series % COLOURS.len()]
}

/// The attributes of a series' line.
pub(super) fn line_style(series: usize) -> String {
    let dash = DASHES[series % DASHES.len()];
    let dash =
        if dash.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dash}""#) };
    format!(r#"fill="none" stroke="{}" stroke-width="1.8"{dash}"#, colour(series))
}

/// A series' mark around a point; hollow marks are white inside.
pub(super) fn mark(svg: &mut Svg, series: usize, (x, y): (f64, f64), filled: bool) {
    let colour = colour(series);
    let fill = if filled { colour } else { "#ffffff" };
    let style = format!(r#"fill="{fill}" stroke="{colour}" stroke-width="1.4""#);
    let at = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        points.iter().map(|&(dx, dy)| (x + dx, y + dy)).collect()
    };
    match series % SHAPES {
        0 => svg.circle((x, y), 3.8, &style),
        1 => svg.rect((x - 3.5, y - 3.5), (7.0, 7.0), &style),
        2 => svg.path(&at(&[(0.0, -4.8), (4.6, 3.4), (-4.6, 3.4)]), true, &style),
        3 => svg.path(&at(&[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)]), true, &style),
        4 => svg.path(&at(&[(0.0, 4.8), (4.6, -3.4), (-4.6, -3.4)]), true, &style),
        _ => {
            let cross = [
                (-1.6, -4.8),
                (1.6, -4.8),
                (1.6, -1.6),
                (4.8, -1.6),
                (4.8, 1.6),
                (1.6, 1.6),
                (1.6, 4.8),
                (-1.6, 4.8),
                (-1.6, 1.6),
                (-4.8, 1.6),
                (-4.8, -1.6),
                (-1.6, -1.6),
            ];
            svg.path(&at(&cross), true, &style);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_first_series_differ_in_shape_and_colour_and_many_in_one_of_them() {
        let drawn = |series| {
            let mut svg = Svg::new();
            mark(&mut svg, series, (0.0, 0.0), true);
            format!("{svg:?}")
        };
        let shapes = |series: usize| drawn(series).replace(colour(series), "");
        assert_eq!((0..6).map(shapes).collect::<BTreeSet<_>>().len(), 6);
        assert_eq!((0..42).map(drawn).collect::<BTreeSet<_>>().len(), 42);
        assert_eq!((0..28).map(line_style).collect::<BTreeSet<_>>().len(), 28);
    }
}
