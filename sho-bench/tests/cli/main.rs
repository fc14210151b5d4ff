//! The command `sho` from the outside: the built program, its output and its exit codes.

mod analysis;
mod bench;
mod check_bot;
mod common;
mod completions;
mod diff;
mod emit;
mod experiments;
mod mistakes;
#[cfg(unix)]
mod pages;
mod parts;
mod plan;
mod positions;
mod random;
mod records;
mod rules;
mod selftest;
mod sholo_guti;
mod streams;
mod study;
mod tournament;
mod tune;
mod verify;
