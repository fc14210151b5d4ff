//! Results for the eye: one file a format.

mod analysis;
mod bench;
mod cells;
mod compare;
mod csv;
mod events;
mod faults;
mod plan;
mod rollout;
mod schedule;
mod selftest;
mod strength;
mod study;
mod table;
mod tune;
mod wrapped;

pub use analysis::analysis_tables;
pub use bench::{
    BENCH_SCHEMA, BenchReport, BotSpeed, GamesSpeed, PerftSpeed, SearchSpeed, StateBytes,
    bench_table,
};
pub use compare::comparison_table;
pub use csv::tournament_csv;
pub use plan::plan_table;
pub use rollout::rollout_table;
pub use schedule::schedule_table;
pub use selftest::self_test_table;
pub use study::{STUDY_COLUMNS, study_table};
pub use table::tournament_table;
pub use tune::tune_report;
pub use wrapped::{COLUMNS, wrapped};
