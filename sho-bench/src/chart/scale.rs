//! From values to pixels, and ticks whose labels have room.

use super::text::{Weight, text_width};
use crate::number::plain;

/// The font size of tick labels.
pub(super) const TICK_SIZE: u32 = 11;

/// The least room between two labels of an axis, in pixels.
const BETWEEN: f64 = 10.0;

/// A linear scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    values: (f64, f64),
    pixels: (f64, f64),
}

/// A place of an axis that is labelled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

impl Scale {
    /// From `values` to `pixels`; an interval of one value is widened.
    pub(super) fn new(values: (f64, f64), pixels: (f64, f64)) -> Self {
        let (low, high) = values;
        let values = if high > low { values } else { (low - 1.0, low + 1.0) };
        Self { values, pixels }
    }

    /// The pixel of a value.
    pub(super) fn at(&self, value: f64) -> f64 {
        let ((low, high), (from, to)) = (self.values, self.pixels);
        from + (value - low) / (high - low) * (to - from)
    }

    /// Steps of 1, 2 or 5 times a power of ten, the smallest whose labels stand `BETWEEN` apart and at most `most` of which
    /// fit between the ends.
    pub(super) fn ticks(&self, most: usize, upright: bool) -> Vec<Tick> {
        let (low, high) = self.values;
        let mut step = Step::below((high - low) / most.max(1) as f64);
        // A step as long as the whole scale has two ticks at most, and a longer one fewer: it ends.
        loop {
            let ticks = step.ticks(low, high);
            let room = |tick: &Tick| {
                if upright {
                    f64::from(TICK_SIZE)
                } else {
                    text_width(&tick.label, TICK_SIZE, Weight::Plain)
                }
            };
            let apart = ticks.windows(2).all(|pair| {
                let between = (self.at(pair[1].value) - self.at(pair[0].value)).abs();
                between >= (room(&pair[0]) + room(&pair[1])) / 2.0 + BETWEEN
            });
            if ticks.len() <= most.max(1) && apart {
                return ticks;
            }
            step = step.next();
        }
    }
}

/// The least and the greatest of some values; where there are none, the least is above.
pub(super) fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// A step of ticks: `mantissa` times 10 to the power of `exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    mantissa: u32,
    exponent: i32,
}

impl Step {
    /// The largest step that is not above a size.
    fn below(size: f64) -> Self {
        let mut step = Self { mantissa: 1, exponent: -9 };
        while step.next().times(1) <= size {
            step = step.next();
        }
        step
    }

    fn next(self) -> Self {
        match self.mantissa {
            1 => Self { mantissa: 2, ..self },
            2 => Self { mantissa: 5, ..self },
            _ => Self { mantissa: 1, exponent: self.exponent + 1 },
        }
    }

    fn times(self, count: i64) -> f64 {
        let mut power = 1.0;
        for _ in 0..self.exponent.unsigned_abs() {
            power *= 10.0;
        }
        let whole = (count * i64::from(self.mantissa)) as f64;
        // A division by a power of ten is the number that the label says; a product with its inverse is not.
        if self.exponent < 0 { whole / power } else { whole * power }
    }

    fn ticks(self, low: f64, high: f64) -> Vec<Tick> {
        let digits = if self.exponent < 0 { self.exponent.unsigned_abs() as usize } else { 0 };
        // A hair, so that an end that is a tick is one however it was computed.
        let hair = self.times(1) * 1e-9;
        let first = ((low - hair) / self.times(1)).ceil() as i64;
        let mut ticks = Vec::new();
        for count in first.. {
            let value = self.times(count);
            if value > high + hair {
                break;
            }
            ticks.push(Tick { value, label: plain(value, digits) });
        }
        ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, pixels: f64, most: usize) -> Vec<String> {
        let scale = Scale::new((low, high), (0.0, pixels));
        scale.ticks(most, false).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers_with_room() {
        assert_eq!(labels(0.0, 100.0, 400.0, 6), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(-0.05, 0.12, 400.0, 4), ["−0.05", "0.00", "0.05", "0.10"]);
        assert_eq!(labels(0.301, 0.357, 400.0, 4), ["0.32", "0.34"]);
        assert_eq!(labels(0.0, 100_000.0, 130.0, 9), ["0", "50000", "100000"]);
        assert_eq!(labels(7.0, 7.0, 300.0, 3), ["6", "7", "8"]);
    }

    #[test]
    fn a_scale_goes_from_end_to_end_in_either_direction() {
        let scale = Scale::new((2.0, 4.0), (100.0, 50.0));
        assert_eq!([2.0, 3.0, 4.0].map(|value| scale.at(value)), [100.0, 75.0, 50.0]);
    }
}
