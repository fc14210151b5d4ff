//! Bots for the Himalayan games Sho and Sholo Guti.
//!
//! - [`Policy`]: what a bot is, for any game; [`Random`].
//! - [`Evaluate`]: what positions are worth to every seat; [`chances`] from scores; [`Greedy`], who looks no further.
//! - [`search`]: how bots look ahead.
//! - [`BotSpec`], [`Bots`]: bots as text, as on the command line.
//! - [`opening`], [`arena`]: how a game begins, and one game from its players; start with
//!   [`Arena::play_game`](arena::Arena::play_game).
//! - [`Playouts`]: whole games of cheap bots, faster than decision by decision.
//! - [`rollout`]: the dice of games from one position on.
//! - [`sho`], [`sholo_guti`]: the bots of each game.
//! - [`oracle`]: small boards of Sho, solved, and bots judged by them.
//!
//! Bots are deterministic: the same decision and the same words give the same action, on every platform.

pub mod arena;
mod chances;
mod evaluate;
mod greedy;
pub mod opening;
pub mod oracle;
mod playout;
mod policy;
pub mod rollout;
pub mod search;
pub mod sho;
pub mod sholo_guti;
mod spec;

pub use chances::{OCTAVE, chances};
pub use evaluate::{CERTAIN, Evaluate, value_of};
pub use greedy::Greedy;
pub use playout::{Batch, GameTrace, Played, Playouts, Processor};
pub use policy::{Decision, Policy, Random};
pub use spec::{BotError, BotInfo, BotSpec, Bots, ChosenWeights, ReadFile};
