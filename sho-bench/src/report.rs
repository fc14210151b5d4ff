//! Results for the eye: one file a format.

mod table;

pub use table::tournament_table;
