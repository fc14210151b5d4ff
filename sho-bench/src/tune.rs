//! Better weights for the evaluation of Sho, for any rules: found, and proven on games that had no part in finding them.
//!
//! A run goes through [stages](Stage), each on blocks of its own:
//!
//! 1. **Fit**: games of bots that now and then choose anything; the regression of who won on what positions looked like
//!    ([`conditional_logit`](crate::stats::conditional_logit)), checked on games that were held out.
//! 2. **Start**: a match says whether the search begins at the fit or at the weights that there were.
//! 3. **Polish**: a direct [search] on playing strength, each generation on fresh blocks.
//! 4. **Choice**: the points where the search was at some times meet again, and one of them is the winner.
//! 5. **Proof**: sequential tests of the winner against the weights that there were.
//! 6. **Measure**: the same match as in the choice, on other blocks: what the choice promised too much.
//!
//! [`Tune`] is what is asked for, [`TuneState`] how far it is, [`Tuner`] does one step after the other, and [`TuneResult`]
//! is what came of it as a document. `docs/tuning.md` of the project explains every number.

mod calibration;
mod definition;
mod folder;
mod result;
mod samples;
pub mod search;
mod stage;
mod state;
mod step;

pub use calibration::{Bin, Calibration, calibration};
pub use definition::{TUNE_PLAN_SCHEMA, Tune, TuneError};
pub use folder::{TuneFolderError, create_tune_folder, keep_state, open_tuner};
pub use result::{
    Difference, FinalistResult, FitResult, GenerationResult, ScoreResult, StageBlocks, TUNE_SCHEMA,
    TestResult, TuneResult, TuneVerdict, generation_results, generations_csv,
};
pub use samples::{Samples, samples};
pub use stage::Stage;
pub use state::{Finalist, FitState, Generation, Played, Space, TestState, TuneState};
pub use step::{StepEnd, Tuner};
