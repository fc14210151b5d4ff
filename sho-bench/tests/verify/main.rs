//! Folders that are checked: honest ones pass, and whatever is changed in one is found.

mod common;
mod studies;
mod tournaments;
