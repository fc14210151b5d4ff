//! Which sets of rules are played, and what is compared: [`Design`], [`Cell`], [`Contrast`].

use serde::{Deserialize, Serialize};
use sho_core::RuleSet;

use super::definition::StudyError;
use super::vary::Variation;

/// The most cells of a factorial design.
pub const MAX_FACTORIAL: usize = 64;

/// The most cells of a design with one setting at a time.
pub const MAX_ONE_AT_A_TIME: usize = 256;

/// Which combinations of values are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Design {
    /// The base, and each other value of each setting alone.
    #[default]
    OneAtATime,
    /// All combinations.
    Factorial,
}

impl Design {
    /// Both, with their names.
    pub const ALL: [(Self, &'static str); 2] =
        [(Self::OneAtATime, "one-at-a-time"), (Self::Factorial, "factorial")];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|&(design, _)| design == self).map_or("", |(_, name)| name)
    }
}

/// A set of rules that is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell<R> {
    /// `base`, or in what it differs from that, as in `six-three=off join-throws=no`.
    pub name: String,
    /// The settings in which it differs from the base, with their values.
    pub changes: Vec<(String, String)>,
    /// The rules.
    pub rules: R,
}

/// What a contrast says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContrastKind {
    /// What a value of a setting changes against that of the base.
    Value,
    /// What two settings change together beyond what each of them does.
    Interaction,
}

impl ContrastKind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Interaction => "interaction",
        }
    }
}

/// A comparison of cells: a sum of what is measured in them, with these weights, over a divisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contrast {
    /// Its name, as in `join-throws=no`, and for an interaction `join-throws=no * six-three=off`.
    pub name: String,
    /// What it says.
    pub kind: ContrastKind,
    /// For each cell 1, -1 or 0. They add up to nothing.
    pub weights: Vec<i64>,
    /// What the weighted sum is divided by: how many cells stand on each side, and for an interaction the same.
    pub divisor: i64,
}

impl Design {
    /// The cells of some variations of `base`, which is the first.
    pub(super) fn cells<R: RuleSet>(
        self,
        base: &R,
        varied: &[Variation],
    ) -> Result<Vec<Cell<R>>, StudyError> {
        let base = Cell { name: "base".to_owned(), changes: Vec::new(), rules: *base };
        let mut cells = vec![base.clone()];
        match self {
            Self::OneAtATime => {
                for Variation { setting, values } in varied {
                    for value in values {
                        cells.push(base.with(setting, value)?);
                    }
                }
            }
            Self::Factorial => {
                for Variation { setting, values } in varied {
                    // The value of the base first, and of earlier settings the values change slower.
                    let most = cells.len().saturating_mul(values.len() + 1);
                    if most > MAX_FACTORIAL {
                        return Err(StudyError::TooManyCells(most, self, MAX_FACTORIAL));
                    }
                    let mut more = Vec::new();
                    for cell in &cells {
                        more.push(cell.clone());
                        for value in values {
                            more.push(cell.with(setting, value)?);
                        }
                    }
                    cells = more;
                }
                for cell in &cells {
                    cell.check()?;
                }
            }
        }
        if cells.len() > MAX_ONE_AT_A_TIME {
            return Err(StudyError::TooManyCells(cells.len(), self, MAX_ONE_AT_A_TIME));
        }
        Ok(cells)
    }

    /// What is compared.
    ///
    /// One at a time, each cell with the base. In a factorial design each value with that of the base, averaged over all
    /// values of the other settings; and for each pair of settings of two values what they do together: half of how much
    /// the effect of one differs between the two values of the other, again averaged over the rest.
    pub(super) fn contrasts<R: RuleSet>(
        self,
        cells: &[Cell<R>],
        varied: &[Variation],
    ) -> Vec<Contrast> {
        let mut contrasts = Vec::new();
        match self {
            Self::OneAtATime => {
                for (index, cell) in cells.iter().enumerate().skip(1) {
                    let mut weights = vec![0; cells.len()];
                    (weights[0], weights[index]) = (-1, 1);
                    let (name, kind) = (cell.name.clone(), ContrastKind::Value);
                    contrasts.push(Contrast { name, kind, weights, divisor: 1 });
                }
            }
            Self::Factorial => {
                for Variation { setting, values } in varied {
                    for value in values {
                        let weight = |cell: &Cell<R>| match cell.value(setting) {
                            None => -1,
                            Some(other) => i64::from(other == value),
                        };
                        contrasts.push(Contrast {
                            name: format!("{setting}={value}"),
                            kind: ContrastKind::Value,
                            weights: cells.iter().map(weight).collect(),
                            divisor: (cells.len() / (values.len() + 1)) as i64,
                        });
                    }
                }
                let pairs: Vec<_> =
                    varied.iter().filter(|varied| varied.values.len() == 1).collect();
                for (index, one) in pairs.iter().enumerate() {
                    for other in &pairs[index + 1..] {
                        let sign = |cell: &Cell<R>, of: &Variation| {
                            if cell.value(&of.setting).is_some() { 1 } else { -1 }
                        };
                        let name = |of: &Variation| format!("{}={}", of.setting, of.values[0]);
                        contrasts.push(Contrast {
                            name: format!("{} * {}", name(one), name(other)),
                            kind: ContrastKind::Interaction,
                            weights: (cells.iter())
                                .map(|cell| sign(cell, one) * sign(cell, other))
                                .collect(),
                            divisor: (cells.len() / 2) as i64,
                        });
                    }
                }
            }
        }
        contrasts
    }
}

impl<R: RuleSet> Cell<R> {
    /// The same with one more change.
    fn with(&self, setting: &str, value: &str) -> Result<Self, StudyError> {
        let mut cell = self.clone();
        cell.rules.set(setting, value)?;
        cell.changes.push((setting.to_owned(), value.to_owned()));
        let changes: Vec<_> =
            cell.changes.iter().map(|(setting, value)| format!("{setting}={value}")).collect();
        cell.name = changes.join(" ");
        Ok(cell)
    }

    /// The value that it gives a setting, where that is not the base's.
    fn value(&self, setting: &str) -> Option<&str> {
        self.changes.iter().find(|(name, _)| name == setting).map(|(_, value)| value.as_str())
    }

    pub(super) fn check(&self) -> Result<(), StudyError> {
        (self.rules.check())
            .map_err(|error| StudyError::Impossible { cell: self.name.clone(), error })
    }
}
