//! The Himalayan dice race Sho: a deterministic engine and its bots, in one crate. Sholo Guti is the second game.
//!
//! This crate has no code of its own. It re-exports [`sho_core`] (rules, dice, notation, records) at its root, and
//! [`sho_ai`] (the bots) as [`ai`]. Tournaments are in the crate `sho-bench`, which has the command `sho`.
//!
//! | to | see |
//! |---|---|
//! | play Sho, fast | [`sho::Sho`], its [`State`](sho::State) and [`Action`](sho::Action)s |
//! | read how Sho is played | [`sho::plain`], the engine that judges the fast one |
//! | set house rules | [`sho::Rules`], [`RuleSet`] |
//! | set up, edit and look at a position | [`sho::Setup`], and [`sho::Engine`] for the way in and out |
//! | read and print positions, actions and throws | [`Notation`] |
//! | get dice that anybody can recompute | [`BlockDice`], [`Stream`] |
//! | write games down and check them | [`record::Record`] |
//! | count what can be played | [`perft`](mod@perft) |
//! | use a bot, or write one | [`ai::Bots`], [`ai::Policy`] |
//! | play Sholo Guti | [`sholo_guti::SholoGuti`] |
//! | write code for any game | [`Game`], [`Step`] |
//!
//! A game holds the rules; a state is small `Copy` data that knows neither rules nor dice. [`Game::step`] says what
//! comes next: the game is over, the dice are due, or a seat chooses.
//!
//! ```
//! use sho::ai::{Decision, Policy, Random};
//! use sho::sho::{Rules, Sho};
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
//!
//! # Features
//!
//! `serde` (default): rules and records as JSON. `std` (default): the bots need it, so here it is always on;
//! [`sho_core`] alone does without it.

pub use sho_ai as ai;
pub use sho_core::*;

/// The Rust code of the README, which the tests compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[derive(Debug)]
pub struct Readme;

/// The Rust code of the page on writing a bot, likewise.
#[cfg(doctest)]
#[doc = include_str!("../docs/write-a-bot.md")]
#[derive(Debug)]
pub struct WriteABot;

/// That of the page on pictures, likewise.
#[cfg(doctest)]
#[doc = include_str!("../docs/pictures.md")]
#[derive(Debug)]
pub struct Pictures;
