//! What is to be known, and how well: [`Goal`].

use sho_core::{RuleSet, nearest};

use super::precision::Precision;
use crate::experiment::{Experiment, MetricsTier};
use crate::metrics::Measured;
use crate::study::{Measure, MeasureKind, Study, measures};

/// What is to be known, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct Goal {
    /// What.
    pub(super) quantity: Quantity,
    /// Half the width that its 95 % interval is to have, in its unit.
    pub(super) half_width: f64,
}

/// What is to be known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The score a seat of each bot, 0 to 1.
    Score,
    /// The Elo of each bot above the others at its table.
    Elo,
    /// What each contrast of a study changes for each policy, of this measure.
    Effect(Measure),
}

/// Why something cannot be known so well, or is nothing that a study measures.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GoalError {
    /// Half a width that says nothing.
    #[error(
        "precision {given}: half the width of an interval of {what} must be below {below}{hint}"
    )]
    TooWide {
        /// What was given.
        given: String,
        /// Of what.
        what: String,
        /// What says nothing any more.
        below: &'static str,
        /// What was perhaps meant.
        hint: String,
    },
    /// Percent of something that is no share.
    #[error("precision {given}: {measure} is no share; give a number in its unit: {about}")]
    NoShare {
        /// What was given.
        given: String,
        /// The measure.
        measure: String,
        /// What it is.
        about: String,
    },
    /// Elo is that of a bot against others in one line-up.
    #[error(
        "Elo: a single line-up of different bots has it, found {0}; ask for the precision of scores"
    )]
    NoElo(String),
    /// Nothing that the study measures.
    #[error("no measure `{given}`; did you mean `{nearest}`? possible: {possible}{more}")]
    NoMeasure {
        /// What was given.
        given: String,
        /// The nearest that there is.
        nearest: String,
        /// All names.
        possible: String,
        /// Where others are.
        more: &'static str,
    },
}

/// Half the width of 1000 Elo on each side says nothing that a score does not.
const WIDEST_ELO: f64 = 1000.0;

impl Goal {
    /// The score a seat of each bot.
    ///
    /// # Errors
    /// Where the precision is 50 % or more: such an interval holds every score.
    pub fn score(precision: &Precision) -> Result<Self, GoalError> {
        below(precision, 0.5, "50 %", "a score")?;
        Ok(Self { quantity: Quantity::Score, half_width: precision.value() })
    }

    /// The Elo of each bot of the experiment above the others.
    ///
    /// # Errors
    /// Where the experiment has several line-ups or one bot alone, or the precision is percent or 1000 and more.
    pub fn elo<R: RuleSet>(
        precision: &Precision,
        experiment: &Experiment<R>,
    ) -> Result<Self, GoalError> {
        let lineups = experiment.lineups.len();
        if lineups > 1 {
            return Err(GoalError::NoElo(format!("{lineups} line-ups")));
        }
        if experiment.contest(0).is_none() {
            return Err(GoalError::NoElo("copies of one bot".to_owned()));
        }
        if precision.is_percent() {
            let (given, measure) = (precision.to_string(), "Elo".to_owned());
            let about = "400 are a factor of ten".to_owned();
            return Err(GoalError::NoShare { given, measure, about });
        }
        below(precision, WIDEST_ELO, "1000", "Elo")?;
        Ok(Self { quantity: Quantity::Elo, half_width: precision.value() })
    }

    /// What each contrast of the study changes of a measure: that of this name, or the game's main length.
    ///
    /// # Errors
    /// Where the study has no such measure, the precision is percent of something that is no share, or as wide as all that
    /// a share can be.
    ///
    /// # Panics
    /// If the study has impossible cells.
    pub fn effect<G: Measured>(
        precision: &Precision,
        measure: Option<&str>,
        study: &Study<G::Rules>,
    ) -> Result<Self, GoalError> {
        let all = measures::<G>(study);
        let found = match measure {
            // The main length is the first.
            None => all.first(),
            Some(name) => all.iter().find(|measure| measure.name == name),
        };
        let Some(found) = found else {
            let names: Vec<&str> = all.iter().map(|measure| measure.name.as_str()).collect();
            let given = measure.unwrap_or_default();
            return Err(GoalError::NoMeasure {
                given: given.to_owned(),
                nearest: nearest(given, names.iter().copied()).to_owned(),
                possible: names.join(", "),
                more: match study.metrics {
                    MetricsTier::Basic => "; with --metrics full what happens on the way as well",
                    MetricsTier::Full => "",
                },
            });
        };
        if matches!(found.kind, MeasureKind::End(_) | MeasureKind::Payoff(_)) {
            below(precision, 1.0, "100 %", &format!("{}, a share,", found.name))?;
        } else if precision.is_percent() {
            return Err(GoalError::NoShare {
                given: precision.to_string(),
                measure: found.name.clone(),
                about: found.about.clone(),
            });
        }
        Ok(Self { quantity: Quantity::Effect(found.clone()), half_width: precision.value() })
    }

    /// What is to be known.
    #[must_use]
    pub const fn quantity(&self) -> &Quantity {
        &self.quantity
    }

    /// Half the width that its 95 % interval is to have, in its unit: for scores and shares as a part of 1.
    #[must_use]
    pub const fn half_width(&self) -> f64 {
        self.half_width
    }

    /// Its name in documents: `score`, `elo`, or that of the measure.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.quantity {
            Quantity::Score => "score",
            Quantity::Elo => "elo",
            Quantity::Effect(measure) => &measure.name,
        }
    }
}

fn below(
    precision: &Precision,
    most: f64,
    name: &'static str,
    what: &str,
) -> Result<(), GoalError> {
    if precision.value() < most {
        return Ok(());
    }
    // Who writes 0.5 or 1 for a share most likely thinks of percent.
    let is_share = name.ends_with('%') && !precision.is_percent();
    let hint = if is_share { format!("; did you mean {precision}%?") } else { String::new() };
    let (given, what) = (precision.to_string(), what.to_owned());
    Err(GoalError::TooWide { given, what, below: name, hint })
}
