//! The report of a study as one page of HTML: [`study_page`].
//!
//! The page stands alone: its pictures are inside it, and it has no script, no font and nothing else from elsewhere. It is
//! well-formed XML as well. Each number that comes from the result is an element `data` whose value is the number as
//! `study.json` has it, and whose text is that number rounded to two digits of its error.

mod command;
mod html;
mod sentences;
mod study;
mod tables;

pub use command::study_command;
pub use study::study_page;
