//! Position lines and turns of Sholo Guti as text.
//!
//! A line has four fields separated by single spaces, `POINTS MOVER QUIET TURN`, as in
//! `ooo/ooo/ooooo/ooooo/...../xxxxx/xxxxx/xxx/xxx x 0 1`: the rows from 9 to 1, each from left to right; the side to
//! move; the quiet turns so far; the number of the turn.
//!
//! A line says by itself whether the game is won, or drawn by quiet turns: the side to move has no pieces, or no turn,
//! or QUIET has reached the rules' limit. A draw by repetition is not part of it: the line of such a position is that
//! of the same position in a game that goes on, and a record has the end.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::convert::Infallible;
use core::fmt::{self, Write};

use super::board::Point;
use super::engine::Engine;
use super::fast::SholoGuti;
use super::plain;
use super::setup::Setup;
use super::turn::{TURN_FORMS, Turn};
use crate::game::{IllegalStep, Step};
use crate::notation::{Notation, PositionError, StepError, legal_texts};
use crate::rule_set::parse_number;
use crate::seat::Seat;

/// The letter of a side's pieces.
pub(super) const fn letter(seat: Seat) -> char {
    match seat {
        Seat::A => 'x',
        _ => 'o',
    }
}

fn seat_of(letter: char) -> Option<Seat> {
    Seat::all(2).find(|&seat| self::letter(seat) == letter)
}

/// The points of a row from left to right.
fn row(number: u8) -> impl Iterator<Item = Point> {
    ('a'..='e').filter_map(move |column| Point::new(column, number))
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for number in (1..=9).rev() {
            for point in row(number) {
                f.write_char(self[point].map_or('.', letter))?;
            }
            if number > 1 {
                f.write_char('/')?;
            }
        }
        write!(f, " {} {} {}", letter(self.mover), self.quiet, self.turn)
    }
}

fn refuse<T>(field: &'static str, expected: &str, found: &str) -> Result<T, PositionError> {
    Err(PositionError { field, expected: expected.into(), found: found.into() })
}

impl Setup {
    /// Reads a position line; whether it can be played by some rules is for [`check`](Self::check).
    ///
    /// # Errors
    /// Where the line is not exactly what the printer prints for the position it names: the field and what was
    /// expected.
    pub fn parse(line: &str) -> Result<Self, PositionError> {
        let fields: Vec<&str> = line.split(' ').collect();
        let [points, mover, quiet, turn] = fields[..] else {
            return refuse(
                "line",
                "four fields, POINTS MOVER QUIET TURN, separated by single spaces",
                line,
            );
        };
        let mut setup = Self::empty();
        let rows: Vec<&str> = points.split('/').collect();
        if rows.len() != 9 {
            return refuse("points", "nine rows joined by `/`, row 9 first", points);
        }
        for (number, text) in (1..=9).rev().zip(rows) {
            let width = row(number).count();
            let mut letters = text.chars();
            for (point, letter) in row(number).zip(letters.by_ref()) {
                setup[point] = match (letter, seat_of(letter)) {
                    ('.', _) => None,
                    (_, Some(seat)) => Some(seat),
                    _ => return refuse("points", "`x`, `o` and `.` only", text),
                };
            }
            if letters.next().is_some() || text.len() != width {
                let expected = alloc::format!("{width} points in row {number}");
                return refuse("points", &expected, text);
            }
        }
        let mut letters = mover.chars();
        setup.mover = match (letters.next().and_then(seat_of), letters.next()) {
            (Some(seat), None) => seat,
            _ => return refuse("mover", "`x` or `o`", mover),
        };
        let Some(count) = parse_number(quiet).and_then(|count| count.try_into().ok()) else {
            return refuse("quiet", "a number from 0 to 65535 without leading zeros", quiet);
        };
        setup.quiet = count;
        let Some(number) = parse_number(turn).filter(|&number| number > 0) else {
            return refuse("turn", "a number from 1 to 4294967295 without leading zeros", turn);
        };
        setup.turn = number;
        debug_assert_eq!(setup.to_string(), line);
        Ok(setup)
    }
}

/// What is common to the notation of both engines, which an implementation for all engines could not be: it would
/// clash with that of Sho.
fn parse_turn<E: Engine + Notation>(
    game: &E,
    state: &E::State,
    text: &str,
) -> Result<Turn, StepError> {
    let found = || text.to_string();
    if game.step(state) == Step::Over {
        return Err(StepError::NotDue { found: found(), reason: IllegalStep::Over });
    }
    let turn: Turn = text
        .parse()
        .map_err(|_| StepError::NotAnAction { found: found(), expected: TURN_FORMS })?;
    if game.is_legal(state, turn) {
        return Ok(turn);
    }
    Err(StepError::NotLegal { found: found(), legal: legal_texts(game, state, 12) })
}

macro_rules! has_notation {
    ($engine:ty) => {
        impl Notation for $engine {
            fn state_text(&self, state: &Self::State) -> String {
                self.setup(state).to_string()
            }

            fn parse_state(&self, text: &str) -> Result<Self::State, PositionError> {
                self.state(&Setup::parse(text)?)
            }

            fn action_text(&self, _: &Self::State, turn: Turn) -> String {
                turn.to_string()
            }

            fn parse_action(&self, state: &Self::State, text: &str) -> Result<Turn, StepError> {
                parse_turn(self, state, text)
            }

            fn outcome_text(&self, outcome: Infallible) -> String {
                match outcome {}
            }

            fn parse_outcome(&self, text: &str) -> Result<Infallible, StepError> {
                let found = text.to_string();
                Err(StepError::NotAThrow { found, expected: super::NO_CHANCE })
            }
        }
    };
}

has_notation!(SholoGuti);
has_notation!(plain::SholoGuti);
