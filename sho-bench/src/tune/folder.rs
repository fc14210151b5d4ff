//! A tuning on disk: `experiment.json` is the [`Tune`], and `parts/state.json` how far it is.

use std::path::Path;

use super::definition::{Tune, TuneError};
use super::state::TuneState;
use super::step::Tuner;
use crate::folder::{Folder, FolderError};

/// How far the tuning is, in its folder.
const STATE: &str = "parts/state.json";

/// Why a tuning in a folder does not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneFolderError {
    /// Something is wrong with the folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Something is wrong with the tuning.
    #[error(transparent)]
    Tune(#[from] TuneError),
}

/// Makes the folder of a tuning.
///
/// # Errors
/// Where it cannot be written, or holds an experiment already.
pub fn create_tune_folder(path: &Path, tune: &Tune) -> Result<Folder, FolderError> {
    Folder::create(path, tune)
}

/// The tuning of a folder, as far as it is.
///
/// # Errors
/// Where the folder holds none, or its files do not fit together.
pub fn open_tuner(folder: &Folder) -> Result<Tuner, TuneFolderError> {
    let tune: Tune = folder.plan()?;
    let state: Option<TuneState> = folder.read_if_there(Path::new(STATE))?;
    Ok(match state {
        Some(state) => Tuner::resume(tune, state)?,
        None => Tuner::new(tune)?,
    })
}

/// Keeps how far a tuning is.
///
/// # Errors
/// Where it cannot be written; what stood there before still does.
pub fn keep_state(folder: &Folder, tuner: &Tuner) -> Result<(), FolderError> {
    let text = serde_json::to_string(tuner.state()).unwrap_or_default() + "\n";
    folder.write_beside(STATE, &text)
}
