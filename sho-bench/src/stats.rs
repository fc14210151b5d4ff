//! Statistics as pure functions, each with its formula.

pub mod interval;
