//! Bots in other programs, `exec:command=...`: any program that reads lines and writes lines can play.
//!
//! The lines are the protocol `sho-bot/1`, described in `docs/bot-protocol.md`. In the order in which the parts build on
//! one another:
//!
//! - [`ExecSpec`]: such a bot as text, and [`TimeLimit`].
//! - [`Fault`], [`FaultKind`], [`FaultTally`]: what a program can do wrong, and how it is counted.
//! - `protocol`: the lines; pure functions.
//! - `process`: a program, its pipes and its process group, which [`end_all`] ends too.
//! - [`ExecBot`]: the [`Policy`](sho_ai::Policy) that asks the program.
//! - [`check()`]: whether a program keeps to the protocol.
//!
//! This is the one part of the library that reads a clock: a time limit is about time. So games with such a bot may come
//! out otherwise when they are played again, and a result must say that it is not deterministic.

mod bot;
mod check;
mod fault;
#[cfg(unix)]
mod group;
#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "exec/no_process.rs"]
mod process;
mod protocol;
mod spec;

pub use bot::{BotStderr, ExecBot, StartError, Thinking};
pub use check::{Check, CheckPlan, CheckReport, Verdict, check};
pub use fault::{Fault, FaultCount, FaultKind, FaultTally, MAX_FAULT_GAMES};
pub use process::end_all;
pub use protocol::{BYE_LIMIT, HELLO_LIMIT, MAX_LINE, PROTOCOL};
pub use spec::{ExecSpec, ExecSpecError, TimeLimit, TimeLimitError};
