//! How many blocks a precision takes, foretold by a pilot: [`PlanResult`].
//!
//! A pilot plays the first few thousand blocks of an experiment or a study as they will be played. How much its blocks
//! differ says how many of them bring the 95 % interval to the width that is wanted. The rules of the game, the bots, the
//! number of games in a block and how much rotation and common dice cancel of luck are all in that one number. In the order
//! in which the modules build on one another:
//!
//! - [`Precision`]: half a width as text. [`Goal`]: what it is a precision of.
//! - [`tournament_pilot`], [`study_pilot`]: the pilot, a number for each block.
//! - [`PlanResult`]: what follows, as a document.
//!
//! ```
//! use sho_bench::plan::{Goal, PlanResult, tournament_pilot};
//! use sho_bench::{Amount, Experiment, Schedule};
//! use sho_core::sho::{Rules, Sho};
//!
//! let bots = ["easy", "random"].map(String::from);
//! let amount = Amount::Blocks(500);
//! let experiment = Experiment::lineup::<Sho>(Rules::lhasa(), &bots, Schedule::Rotations, 1, amount)?;
//! let goal = Goal::score(&"1%".parse()?)?;
//! let pilot = tournament_pilot::<Sho>(&experiment, 1, &())?;
//! let plan = PlanResult::tournament::<Sho>(&experiment, &goal, &pilot)?;
//! let blocks = plan.blocks.unwrap();
//! assert!(1000 < blocks && blocks < 10_000);
//! assert_eq!(plan.games, Some(2 * blocks));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod goal;
mod pilot;
mod precision;
mod result;

pub use goal::{Goal, GoalError, Quantity};
pub use pilot::{
    LEAST_PILOT, LOOKING_AHEAD_PILOT, MOST_PILOT, PILOT, Pilot, PilotRow, study_pilot,
    tournament_pilot, usual_pilot,
};
pub use precision::{Precision, PrecisionError};
pub use result::{Clock, LEAST_BLOCKS, PLAN_SCHEMA, PlanError, PlanResult, PlanRow, Proposed};
