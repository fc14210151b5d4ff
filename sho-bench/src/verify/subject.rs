//! What a check asks of the kind of work that a folder holds: [`Subject`].

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::{Audience, Case, Faults};
use crate::checks::{Checked, TotalDifference};
use crate::compare::document::Program;
use crate::experiment::{Blocks, TournamentGame};
use crate::folder::{FolderError, Work};
use crate::result::Provenance;
use crate::tournament::{Keep, Lines, RunError};

/// What check lines say of the counts of some work.
pub(super) type TotalsOf<G, W> = <<W as Work<G>>::Tally as Checked>::Totals;

/// Work whose folder can be checked.
pub(super) trait Subject<G: TournamentGame>: Work<G> {
    /// The file of the result.
    const RESULT: &'static str;

    /// What is played beside blocks, as in `2 bots` and `1 line-up`.
    fn words(&self, made: &Self::Made) -> Vec<String>;

    /// Games of a block.
    fn games_a_block(made: &Self::Made) -> u64;

    /// Whether all that play do the same when they are asked again.
    fn is_deterministic(made: &Self::Made) -> bool;

    /// The same without anything that may end it early: what was played is played again.
    fn endless(made: &Self::Made) -> Self::Made;

    /// What cannot be in any counts of these blocks, whatever was played: sums that say two things.
    fn contradictions(made: &Self::Made, blocks: Blocks, tally: &Self::Tally) -> Faults;

    /// The numbers in which totals differ.
    fn total_differences(
        made: &Self::Made,
        here: &TotalsOf<G, Self>,
        there: &TotalsOf<G, Self>,
    ) -> Vec<TotalDifference>;

    /// Plays ranges of blocks, each for itself, and gives the counts of each and what is to be kept of it to `take`, in
    /// order, until that breaks or `stop` says so.
    ///
    /// # Errors
    /// Where a game fails.
    fn play_again(
        made: &Self::Made,
        ranges: &[Blocks],
        keep: Keep,
        threads: usize,
        stop: impl Fn() -> bool + Sync,
        take: impl FnMut((Self::Tally, Lines)) -> ControlFlow<()> + Send,
    ) -> Result<(), RunError>;

    /// What the counts of everything come to.
    fn outcome(&self, made: &Self::Made, tally: &Self::Tally) -> Outcome;

    /// In what the text of a result differs from what is `expected`, and which program wrote it; nothing is named where
    /// both say the same in other bytes.
    ///
    /// # Errors
    /// Where it is no result.
    fn result_differences(text: &str, expected: &str) -> Result<(Faults, Option<Program>), String>;

    /// Checks the files that are put together of what was kept beside the counts.
    ///
    /// # Errors
    /// Where a file cannot be read.
    fn check_kept<A: Audience>(_case: &mut Case<'_, G, Self, A>) -> Result<(), FolderError> {
        Ok(())
    }

    /// Checks the records of games. In `chosen` blocks, or in all, bots choose again too.
    ///
    /// # Errors
    /// Where a file cannot be read, or a game cannot be played.
    fn check_on_record<A: Audience>(
        _case: &mut Case<'_, G, Self, A>,
        _chosen: Option<&BTreeSet<u64>>,
    ) -> Result<(), FolderError> {
        Ok(())
    }
}

/// What counts come to, as it stands in the folder.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// The result.
    pub(super) document: String,
    /// Its digest.
    pub(super) digest: String,
    /// The report; nothing where this build of the program makes none.
    pub(super) report: Option<String>,
    /// Other files of the result, by name.
    pub(super) tables: Vec<(&'static str, String)>,
}

/// Whether this program wrote it.
pub(super) fn is_this(program: &Program) -> bool {
    let this = Provenance::default();
    program.version == this.version && program.commit == this.commit
}

/// A result's text up to where it says which program wrote it. Quotes within strings have a backslash before them, so
/// that this key stands only there.
pub(super) fn without_provenance(text: &str) -> &str {
    match text.rfind(",\"provenance\":{") {
        Some(end) => &text[..end],
        None => text,
    }
}
