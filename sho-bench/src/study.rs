//! What a house rule changes: [`Study`], played by [`run_study`], as a document [`StudyResult`].
//!
//! A study plays the same blocks, with the same dice, by several sets of rules, its [cells](Cell). So an effect is a
//! contrast inside each block, and the luck that the cells share drops out of it. Every cell is played by copies of one
//! policy, and by each policy for itself. In the order in which the modules build on one another:
//!
//! - [`Variation`]: which settings take which values.
//! - [`Design`], [`Cell`], [`Contrast`]: which sets of rules are played, and what is compared.
//! - [`Study`]: what is to be played, as data.
//! - [`Measure`]: what is measured of a game.
//! - [`StudyTally`]: what is counted; integers that merge. [`StudyTotals`]: what check lines say of it.
//! - [`run_study`], [`study_on`]: a study on all cores.
//! - [`StudyResult`]: the result as a document; [`effects_csv`] and [`cells_csv`]: as rows,
//!   and [`tables`] both as files.

mod definition;
mod design;
mod effects;
mod judging;
mod measure;
mod result;
mod rows;
mod run;
mod tally;
mod totals;
mod vary;

pub use definition::{Seconds, SecondsError, Study, StudyError};
pub use design::{Cell, Contrast, ContrastKind, Design, MAX_FACTORIAL, MAX_ONE_AT_A_TIME};
pub use effects::Family;
pub use judging::Judging;
pub use measure::{Measure, MeasureKind, measures};
pub use result::{
    CellLength, CellMinutes, CellResult, CellSummary, ContrastSummary, EffectResult, Interval,
    MeanResult, MeasureSummary, PolicyResult, STUDY_SCHEMA, SeatShare, ShareResult, StudyResult,
};
pub use rows::{cells_csv, cells_dictionary, effects_csv, effects_dictionary, tables};
pub use run::{StudyRan, run_study, study_on};
pub(crate) use run::{each_block, study_ranges};
pub use tally::{CellTally, ContrastSum, PolicyTally, StudyTally};
pub use totals::{CellTotals, STUDY_CHECK_SCHEMA, StudyTotals};
pub use vary::{LeftOut, Variation, VaryError, variations};
