//! The Himalayan dice race Sho: a deterministic engine and its bots, in one crate.
//!
//! This crate re-exports [`sho_core`], the rules of the games, and [`sho_ai`], the bots (as [`ai`]).
//!
//! ```
//! use sho::ai::{Decision, Policy, Random};
//! use sho::sho::{Rules, plain::Sho};
//! use sho::{BlockDice, Game, Step, Stream};
//!
//! let game = Sho::new(Rules::lhasa())?;
//! let (mut state, mut actions) = (game.start(), Default::default());
//! let (mut dice, mut words) = (BlockDice::new(1, 0), Stream::new(1, "sho/bot", 0));
//! loop {
//!     match game.step(&state) {
//!         Step::Over => break,
//!         Step::Chance(seat) => game.cast_unchecked(&mut state, dice.cast(seat)),
//!         Step::Decide(seat) => {
//!             game.actions(&state, &mut actions);
//!             let decision = Decision { game: &game, state: &state, seat, actions: &actions, history: &() };
//!             let action = Random.choose(decision, &mut words);
//!             game.play_unchecked(&mut state, action);
//!         }
//!     }
//! }
//! assert_eq!(game.payoffs(&state).as_slice(3).iter().sum::<u32>(), sho::WHOLE_PAYOFF);
//! # Ok::<(), sho::ImpossibleRules>(())
//! ```

pub use sho_ai as ai;
pub use sho_core::*;
