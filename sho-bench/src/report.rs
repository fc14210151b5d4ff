//! Results for the eye: one file a format.

mod bench;
mod compare;
mod csv;
mod selftest;
mod table;
mod wrapped;

pub use bench::{
    BENCH_SCHEMA, BenchReport, BotSpeed, GamesSpeed, PerftSpeed, StateBytes, bench_table,
};
pub use compare::comparison_table;
pub use csv::tournament_csv;
pub use selftest::self_test_table;
pub use table::tournament_table;
pub use wrapped::{COLUMNS, wrapped};
