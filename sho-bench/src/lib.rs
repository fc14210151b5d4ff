//! Tournaments of the Himalayan games Sho and Sholo Guti: the library behind the command `sho`.
//!
//! In the order in which the modules build on one another:
//!
//! - [`Schedule`], [`Address`]: who sits where in which game.
//! - [`arena`]: one game from policies, dice and words.
//! - [`Experiment`]: what is to be played, as data.
//! - [`tally`]: what is counted; integers that merge.
//! - [`run`]: an experiment on all cores.
//! - [`TournamentResult`]: the result as a document; [`report`]: for the eye.

pub mod arena;
mod experiment;
mod result;
mod schedule;
pub mod tally;
mod tournament;

pub use experiment::{Amount, Blocks, Experiment, ExperimentError};
pub use result::{
    BotResult, DIGITS, LengthResult, Lengths, Provenance, SCHEMA, SeatResult, TournamentResult,
};
pub use schedule::{Address, AddressError, MAX_SEATINGS, Schedule};
pub use tournament::{RunError, Watcher, run};
