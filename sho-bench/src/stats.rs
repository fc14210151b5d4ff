//! Statistics as pure functions, each with its formula and where it comes from. In the order in which they build on one
//! another; `docs/statistics.md` of the project says what a reader of a result needs of them.

pub mod special;

pub mod blocks_needed;
pub mod bootstrap;
pub mod conditional_logit;
pub mod confidence_sequence;
pub mod elo;
pub mod interval;
pub(crate) mod matrix;
pub mod payoffs;
pub mod plackett_luce;
pub mod quantile;
pub mod spread;
pub mod sprt;
