//! The command `sho` from the outside: the built program, its output and its exit codes.

mod bench;
mod common;
mod completions;
mod emit;
mod mistakes;
mod parts;
mod positions;
mod random;
mod records;
mod rules;
mod sholo_guti;
mod streams;
mod tournament;
