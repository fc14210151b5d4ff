//! What check lines say of a study's counts: [`StudyTotals`].

use serde::{Deserialize, Serialize};
use sho_core::RuleSet;

use super::definition::Study;
use super::measure::measures;
use super::tally::{PolicyTally, StudyTally};
use crate::checks::{AddUp, Checked, TotalDifference, each_with};
use crate::metrics::Measured;

/// The name and version of a check line of a study.
pub const STUDY_CHECK_SCHEMA: &str = "sho/study-check/1";

/// A few numbers of a study's counts that add up over groups of blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyTotals {
    /// By policy, and in it by cell.
    pub policies: Vec<Vec<CellTotals>>,
}

/// Those of the games of a policy in a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CellTotals {
    /// Games that were not those of the base on the same dice.
    pub differ: u64,
    /// Sums by [measure](super::measures), before they are divided.
    pub sums: Vec<u64>,
}

impl Checked for StudyTally {
    type Totals = StudyTotals;

    const SCHEMA: &'static str = STUDY_CHECK_SCHEMA;

    fn blocks(&self) -> u64 {
        self.blocks
    }

    fn totals(&self) -> StudyTotals {
        let cells = |policy: &PolicyTally| {
            let cells = policy.cells.iter().map(|cell| CellTotals {
                differ: cell.differ,
                sums: cell.measures.iter().map(|measure| measure.sum).collect(),
            });
            cells.collect()
        };
        StudyTotals { policies: self.policies.iter().map(cells).collect() }
    }
}

impl AddUp for StudyTotals {
    fn each_with(&mut self, other: &Self, operation: fn(u64, u64) -> u64) {
        let most = self.policies.len().max(other.policies.len());
        self.policies.resize(most, Vec::new());
        for (cells, others) in self.policies.iter_mut().zip(&other.policies) {
            cells.resize(cells.len().max(others.len()), CellTotals::default());
            for (cell, other) in cells.iter_mut().zip(others) {
                cell.differ = operation(cell.differ, other.differ);
                each_with(&mut cell.sums, &other.sums, operation);
            }
        }
    }
}

impl StudyTotals {
    /// The numbers in which two differ, policy by policy, and in each cell by cell.
    ///
    /// # Panics
    /// If the study has impossible cells.
    #[must_use]
    pub fn differences<G: Measured<Rules = R>, R: RuleSet>(
        &self,
        other: &Self,
        study: &Study<R>,
    ) -> Vec<TotalDifference> {
        let measures = measures::<G>(study);
        let cells = study.cells().expect("a study that was checked");
        let name = |name: Option<String>, number: usize| {
            name.unwrap_or_else(|| format!("number {number}"))
        };
        let mut found = Vec::new();
        for index in 0..self.policies.len().max(other.policies.len()) {
            let policy = name(study.policies.get(index).map(ToString::to_string), index);
            let of = |totals: &Self| totals.policies.get(index).cloned().unwrap_or_default();
            let (here, there) = (of(self), of(other));
            for place in 0..here.len().max(there.len()) {
                let cell = name(cells.get(place).map(|cell| cell.name.clone()), place);
                let mut compare = |what: String, here: Option<u64>, there: Option<u64>| {
                    if here != there {
                        let what = format!("{what} of {policy} in {cell}");
                        found.push(TotalDifference { what, here, there });
                    }
                };
                let (here, there) = (here.get(place), there.get(place));
                let differ = |cell: Option<&CellTotals>| cell.map(|cell| cell.differ);
                compare("differ".to_owned(), differ(here), differ(there));
                let sums = |cell: Option<&CellTotals>| {
                    cell.map(|cell| cell.sums.clone()).unwrap_or_default()
                };
                let (here, there) = (sums(here), sums(there));
                for measure in 0..here.len().max(there.len()) {
                    let what = name(measures.get(measure).map(|of| of.name.clone()), measure);
                    compare(what, here.get(measure).copied(), there.get(measure).copied());
                }
            }
        }
        found
    }
}
