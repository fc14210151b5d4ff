//! Tournaments of the Himalayan games Sho and Sholo Guti: the library behind the command `sho`.
//!
//! One game is played by [`sho_ai::arena`]; this crate plays many. In the order in which the modules build on one
//! another:
//!
//! - [`Schedule`], [`Address`]: who sits where in which game.
//! - [`distinct`]: how many games were not the same as another.
//! - [`exec`]: bots in other programs.
//! - [`Experiment`]: what is to be played, as data.
//! - [`tally`]: what is counted; integers that merge.
//! - [`metrics`]: what happens in games, counted by watching them.
//! - [`run`]: an experiment on all cores.
//! - [`folder`]: an experiment on disk, stopped, resumed, split and put together.
//! - [`fingerprint`], [`checks`]: what is kept beside the counts to check them by; [`verify`](mod@verify): a folder, checked.
//! - [`jobs`]: scripts by which schedulers play the parts.
//! - [`TournamentResult`]: the result as a document; [`stats`]: intervals.
//! - [`compare`]: two results side by side; [`selftest`]: the statistics tested on games.
//! - [`rollout`]: games from a position to the end, and its actions on the same dice; [`analysis`]: these and a search.
//! - [`study`]: what a house rule changes, measured on the same dice by several sets of rules.
//! - [`tune`]: better weights for an evaluation, found and proven.
//! - [`plan`]: how many blocks a precision takes, foretold by a pilot.
//! - [`bench`](mod@bench): fixed work to measure speed by; [`signature`]: one number over what engines and bots do.
//! - [`picture`]: positions as people look at them.
//! - [`chart`], [`page`]: results as pictures, and the page of a study.
//! - `report`: the result as a table for the eye (feature `cli`).

pub mod analysis;
pub mod bench;
pub mod block_rows;
pub mod chart;
pub mod checks;
mod chunks;
pub mod compare;
mod csv_field;
mod digest;
pub mod distinct;
mod entrant;
pub mod exec;
mod experiment;
pub mod files;
pub mod fingerprint;
pub mod folder;
mod guest;
mod in_order;
pub mod jobs;
mod lineups;
pub mod metrics;
mod number;
mod one_game;
pub mod page;
pub mod picture;
pub mod plan;
mod players;
pub mod ratings;
#[cfg(feature = "cli")]
pub mod report;
mod result;
pub mod rollout;
mod rounded;
mod schedule;
pub mod selftest;
pub mod signature;
pub mod stats;
pub mod study;
pub mod tally;
mod tournament;
pub mod tune;
pub mod verify;

pub use entrant::{Entrant, EntrantError, OwnBot};
pub use experiment::{
    Amount, Blocks, Experiment, ExperimentError, MetricsTier, SequentialTest, TournamentGame,
};
pub use guest::GuestBot;
pub use lineups::{Lineups, LineupsError, MAX_LINEUPS};
pub use one_game::record_of;
pub use result::{
    BotResult, DIGITS, LengthResult, LineupScore, Named, Provenance, SCHEMA, SeatResult,
    SprtResult, SprtVerdict, TournamentResult,
};
pub use schedule::{Address, AddressError, MAX_SEATINGS, Schedule};
pub use tournament::{Keep, Lines, Ran, RunEnd, RunError, Watcher, run, run_on};
