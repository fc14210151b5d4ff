//! The tournament runner as a library: what it counts, and that nothing but the experiment decides it.

mod common;
mod counts;
mod digest;
#[cfg(unix)]
mod exec;
#[cfg(feature = "cli")]
mod golden;
mod illegal;
mod lineups;
mod seatings;
mod shared;
mod splits;
mod sprt;
