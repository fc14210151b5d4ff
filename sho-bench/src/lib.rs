//! Tournaments of the Himalayan games Sho and Sholo Guti: the library behind the command `sho`.
//!
//! One game is played by [`sho_ai::arena`]; this crate plays many. In the order in which the modules build on one
//! another:
//!
//! - [`Schedule`], [`Address`]: who sits where in which game.
//! - [`distinct`]: how many games were not the same as another.
//! - [`Experiment`]: what is to be played, as data.
//! - [`tally`]: what is counted; integers that merge.
//! - [`run`]: an experiment on all cores.
//! - [`folder`]: an experiment on disk, stopped, resumed, split and put together.
//! - [`jobs`]: scripts by which schedulers play the parts.
//! - [`TournamentResult`]: the result as a document; [`stats`]: intervals.
//! - [`bench`](mod@bench): fixed work to measure speed by; [`signature`]: one number over what engines and bots do.
//! - [`picture`]: positions as people look at them.
//! - `report`: the result as a table for the eye (feature `cli`).

pub mod bench;
mod digest;
pub mod distinct;
mod experiment;
pub mod files;
pub mod folder;
pub mod jobs;
pub mod picture;
#[cfg(feature = "cli")]
pub mod report;
mod result;
mod schedule;
pub mod signature;
pub mod stats;
pub mod tally;
mod tournament;

pub use experiment::{Amount, Blocks, Experiment, ExperimentError};
pub use result::{
    BotResult, DIGITS, LengthResult, Named, Provenance, SCHEMA, SeatResult, TournamentResult,
};
pub use schedule::{Address, AddressError, MAX_SEATINGS, Schedule};
pub use tournament::{RunError, Watcher, run};
