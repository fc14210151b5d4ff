//! Results for the eye: one file a format.

mod csv;
mod table;
mod wrapped;

pub use csv::tournament_csv;
pub use table::tournament_table;
pub use wrapped::{COLUMNS, wrapped};
