//! Bots for the Himalayan games Sho and Sholo Guti.
//!
//! - [`Policy`]: what a bot is, for any game; [`Random`].
//! - [`BotSpec`], [`Bots`]: bots as text, as on the command line.
//! - [`Playouts`]: whole games of cheap bots, faster than decision by decision.
//! - [`sho`], [`sholo_guti`]: the bots of each game.
//!
//! Bots are deterministic: the same decision and the same words give the same action, on every platform.

mod playout;
mod policy;
pub mod sho;
pub mod sholo_guti;
mod spec;

pub use playout::{Played, Playouts, has_bit_instructions};
pub use policy::{Decision, Policy, Random};
pub use spec::{BotError, BotInfo, BotSpec, Bots};
