//! Rules, dice, notation and records of the Himalayan games Sho and Sholo Guti.
//!
//! The crate plays; it does not think, start threads, open files, look at a clock or print. Its modules in the order in
//! which they build on one another:
//!
//! - [`Seat`], [`PerSeat`]: who sits where.
//! - [`Game`]: what every game is to a search or a runner; [`ActionList`], [`Step`].
//! - [`Stream`], [`SeatStreams`], [`Key`], [`Throw`], [`BlockDice`]: chance as a function of a seed, not a stream of
//!   surprises.
//! - [`RuleSet`]: rules as plain data with named presets.
//! - [`Notation`]: positions, actions and throws as text.
//! - [`perft`], [`record`], [`conformance`]: counts, played games, and the test that every game must pass.
//! - [`sho`], [`sholo_guti`]: the games.
//!
//! ```
//! use sho_core::{Game, Notation, sho};
//!
//! let game = sho::plain::Sho::new(sho::Rules::lhasa())?;
//! let mut state = game.start();
//! game.cast_unchecked(&mut state, "6-3".parse()?);
//! let action = game.parse_action(&state, "open@9")?;
//! game.play(&mut state, action)?;
//! assert_eq!(game.state_text(&state), "7+0:9x2!/9+0o:-/9+0o:- B throw - 0 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

mod chacha;
pub mod conformance;
pub mod dice;
mod game;
mod nearest;
mod notation;
pub mod perft;
pub mod record;
mod rule_set;
mod seat;
mod seat_streams;
#[cfg(feature = "serde")]
mod serde_rules;
pub mod sho;
pub mod sholo_guti;
mod stream;

pub use chacha::{BLOCK_WORDS, Key};
pub use dice::{BlockDice, Throw, ThrowClass};
pub use game::{ActionList, ActionVec, Game, IllegalStep, OutcomeClass, Step, Unit, WHOLE_PAYOFF};
pub use nearest::nearest;
pub use notation::{NOTATION_VERSION, Notation, PositionError, StepError};
pub use rule_set::{ImpossibleRules, Preset, RuleSet, Setting, SettingError, SettingValues};
pub use seat::{MAX_SEATS, PerSeat, Seat};
pub use seat_streams::SeatStreams;
pub use stream::{MAX_LABEL, Stream, below};
