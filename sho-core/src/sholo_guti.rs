//! The game of Sholo Guti: two sides of sixteen pieces on 37 points, no dice.

mod board;
mod engine;
mod fast;
mod generate;
mod notation;
pub mod plain;
mod rules;
mod setup;
mod state;
mod transition;
mod turn;

pub use board::{LINES, Line, NoPoint, POINTS, Point, Points};
pub use engine::Engine;
pub use fast::SholoGuti;
pub use rules::{Rules, Takes};
pub use setup::Setup;
pub use state::State;
pub use transition::History;
pub use turn::{NoTurn, PIECES, Turn};

use crate::game::{Unit, WHOLE_PAYOFF};
use crate::seat::{PerSeat, Seat};

const NAME: &str = "sholo-guti";

/// A game is as long as it has turns, and a turn is one decision.
const UNITS: &[Unit] = &[Unit::Turns];

/// Said where a throw is asked for or given.
const NO_CHANCE: &str = "no throw, as the game has no dice";

/// How a game ended. A win comes before a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The side to move has lost all its pieces.
    Taken,
    /// The side to move has pieces and no turn.
    Stuck,
    /// The position stands for the last time allowed: a draw.
    Repetition,
    /// Too many turns in a row took nothing: a draw.
    Quiet,
}

/// The names of the ways in which a game ends, in the order of [`End`].
const ENDS: &[&str] = &["taken", "stuck", "repetition", "quiet"];

impl End {
    const fn index(self) -> usize {
        self as usize
    }
}

/// The payoffs of a game with this side to move.
fn payoffs(end: Option<End>, mover: Seat) -> PerSeat<u32> {
    PerSeat::from_fn(|seat| match end {
        Some(End::Taken | End::Stuck) if seat == mover.next(2) => WHOLE_PAYOFF,
        Some(End::Repetition | End::Quiet) if seat.index() < 2 => WHOLE_PAYOFF / 2,
        _ => 0,
    })
}
