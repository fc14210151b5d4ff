//! Tournaments and studies of the Himalayan games Sho and Sholo Guti: the library behind the command `sho`.
//!
//! - [`picture`]: positions as people look at them.

pub mod picture;
