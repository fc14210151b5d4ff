//! By which of its weights a policy judged in which cells: [`Judging`].

use sho_ai::Bots;

use super::result::{PolicyResult, StudyResult};

/// The cells in which a policy judged by one of the sets of weights that it has by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judging {
    /// What the weights were found for, as people call it.
    pub found_for: &'static str,
    /// The places of the cells in the result, in their order.
    pub cells: Vec<usize>,
}

/// The most cells that are named one by one.
const NAMED: usize = 6;

impl<R> StudyResult<R> {
    /// By which of its weights a policy judged in which cells, the set of the base first; nothing for one that has no choice
    /// of its own.
    ///
    /// Where there is more than one set, an effect between cells of two of them is that of the rules and of what the bot
    /// knows of them. A policy with weights from a file has the same ones everywhere.
    #[must_use]
    pub fn judging<G: Bots<Rules = R>>(&self, policy: &PolicyResult) -> Vec<Judging> {
        let mut sets: Vec<Judging> = Vec::new();
        let Ok(spec) = G::spec(&policy.name) else { return sets };
        for (cell, summary) in self.cells.iter().enumerate() {
            let Some(chosen) = G::judges_by(&summary.rules, &spec) else { continue };
            match sets.iter_mut().find(|set| set.found_for == chosen.found_for) {
                Some(set) => set.cells.push(cell),
                None => sets.push(Judging { found_for: chosen.found_for, cells: vec![cell] }),
            }
        }
        sets
    }

    /// A line for each policy that has a choice of weights, and one more where that matters to effects.
    pub(crate) fn judging_lines<G: Bots<Rules = R>>(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let mut is_mixed = false;
        for policy in &self.policies {
            let sets = self.judging::<G>(policy);
            let line = match sets.as_slice() {
                [] => continue,
                [only] => format!("{} judges by its weights for {}", policy.name, only.found_for),
                several => {
                    is_mixed = true;
                    let sets: Vec<_> = several.iter().map(|set| self.named(set)).collect();
                    format!("{} judges by its weights for {}", policy.name, sets.join("; for "))
                }
            };
            lines.push(line);
        }
        if is_mixed {
            lines.push(
                "between cells with different weights an effect is that of the rules and of the weights; with \
                 weighted:weights=FILE, or that option of expectimax, all cells have the same"
                    .to_owned(),
            );
        }
        lines
    }

    /// A set and its cells.
    fn named(&self, set: &Judging) -> String {
        let names: Vec<_> =
            set.cells.iter().take(NAMED).map(|&cell| self.cells[cell].name.as_str()).collect();
        let more = match set.cells.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{} (in {}{more})", set.found_for, names.join(", "))
    }
}
