//! What is measured of a game: [`Measure`].

use sho_ai::Played;
use sho_core::{Game, Seat, Unit, WHOLE_PAYOFF};

use super::definition::{Seconds, Study};
use crate::experiment::MetricsTier;
use crate::metrics::{Measured, Meter};
use crate::tally::length_in;

/// Something that is measured of a game, as a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// Its name as in result files.
    pub name: String,
    /// What it is, and in which unit, in one sentence.
    pub about: String,
    /// How many of what is counted make one of the unit: 12 for payoffs, which are counted in twelfths.
    pub divisor: u32,
    /// How many of what is counted are one step of its histogram: 1, but for minutes.
    pub step: u32,
    /// Where it comes from.
    pub kind: MeasureKind,
}

/// Where a measure comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureKind {
    /// A length, as an index into [`Game::UNITS`].
    Length(usize),
    /// The time at a table, from throws and decisions.
    Minutes,
    /// Whether the game ended so, as an index into [`Game::ENDS`].
    End(usize),
    /// What a seat got.
    Payoff(Seat),
    /// A metric, as an index into [`Measured::METRICS`].
    Metric(usize),
}

/// What is measured in a study, in the order of its tallies and results: lengths, minutes, ends, what the seats got, and with
/// full metrics all that a [meter](crate::metrics) counts.
///
/// Payoffs are those of as many seats as the cell with the most sides has.
///
/// # Panics
/// If the study has impossible cells.
#[must_use]
pub fn measures<G: Measured>(study: &Study<G::Rules>) -> Vec<Measure> {
    use sho_core::RuleSet;
    let mut measures = Vec::new();
    let mut add = |name: String, about: String, divisor, kind| {
        measures.push(Measure { name, about, divisor, step: 1, kind });
    };
    for (index, unit) in G::UNITS.iter().enumerate() {
        let about = match unit {
            Unit::Throws => "casts of the dice in a game",
            Unit::Turns => "turns begun in a game",
            Unit::Decisions => "actions chosen in a game, forced ones too",
        };
        add(unit.name().to_owned(), about.to_owned(), 1, MeasureKind::Length(index));
    }
    let (throw, decision) = (study.seconds_a_throw, study.seconds_a_decision);
    if (throw.0, decision.0) != (0, 0) {
        let about = format!(
            "minutes at a table, with {throw} s for a throw and {decision} s for a decision"
        );
        // Thousandths of a second.
        add("minutes".to_owned(), about, 60_000, MeasureKind::Minutes);
    }
    for (index, end) in G::ENDS.iter().enumerate() {
        let about = format!("share of games that end by {end}");
        add(format!("end_{end}"), about, 1, MeasureKind::End(index));
    }
    let cells = study.cells().expect("a study that was checked");
    let sides = cells.iter().map(|cell| cell.rules.sides()).max().unwrap_or(0);
    for seat in Seat::all(sides) {
        let about = format!("what seat {seat} gets of a win");
        add(format!("payoff_{seat}"), about, WHOLE_PAYOFF, MeasureKind::Payoff(seat));
    }
    if study.metrics == MetricsTier::Full {
        for (index, metric) in G::METRICS.iter().enumerate() {
            let about = format!("{}, in a game", metric.about);
            add(metric.name.to_owned(), about, 1, MeasureKind::Metric(index));
        }
    }
    for measure in &mut measures {
        if measure.kind == MeasureKind::Minutes {
            measure.step = time_step(throw, decision);
        }
    }
    measures
}

/// No time in a histogram is told apart by less than this share of the longer of the two times, so that it stays small.
const STEPS: u32 = 64;

/// The step of a histogram of times at a table, in thousandths of a second: the greatest that measures both times, so
/// that every time is kept exactly. Where that would be very small, the least that is not.
fn time_step(throw: Seconds, decision: Seconds) -> u32 {
    let (mut step, mut rest) = (throw.0, decision.0);
    while rest > 0 {
        (step, rest) = (rest, step % rest);
    }
    step.max(throw.0.max(decision.0).div_ceil(STEPS))
}

/// Measures games of one cell.
#[derive(Clone, Debug)]
pub(super) struct Ruler {
    kinds: Vec<MeasureKind>,
    throw: i64,
    decision: i64,
    seats: usize,
}

impl Ruler {
    pub(super) fn new<G: Measured>(
        study: &Study<G::Rules>,
        measures: &[Measure],
        seats: usize,
    ) -> Self {
        Self {
            kinds: measures.iter().map(|measure| measure.kind).collect(),
            throw: study.seconds_a_throw.0.into(),
            decision: study.seconds_a_decision.0.into(),
            seats,
        }
    }

    /// What is measured of a game, into `values`. The meter has watched it, where there is one.
    pub(super) fn measure<G: Measured>(
        &self,
        played: &Played,
        meter: Option<&G::Meter>,
        values: &mut [i64],
    ) {
        for (kind, value) in self.kinds.iter().zip(values) {
            *value = match *kind {
                MeasureKind::Length(index) => length_in(played, G::UNITS[index]).into(),
                MeasureKind::Minutes => {
                    self.throw * i64::from(played.throws)
                        + self.decision * i64::from(played.decisions)
                }
                MeasureKind::End(end) => (played.end == end).into(),
                MeasureKind::Payoff(seat) => played.payoffs[seat].into(),
                MeasureKind::Metric(index) => meter.map_or(0, |meter| {
                    G::METRICS[index].of_game(&meter.counts()[index], self.seats).into()
                }),
            };
        }
    }
}

impl MeasureKind {
    /// Whether there is such a thing at a table of so many sides.
    pub(crate) fn is_at_table(self, sides: usize) -> bool {
        match self {
            Self::Payoff(seat) => seat.index() < sides,
            _ => true,
        }
    }

    /// Whether every game's value is kept in a histogram, in steps of [`Measure::step`].
    pub(crate) fn has_histogram(self) -> bool {
        matches!(self, Self::Length(_) | Self::Minutes | Self::Metric(_))
    }
}

/// The main length of a game.
pub(super) fn main_unit<G: Game>() -> &'static str {
    G::UNITS.first().map_or("", |unit| unit.name())
}
