//! A played game: [`Record`], and a [replay](Record::replay) that checks every step.
//!
//! A record is complete: the rules, the start, every throw and action, and how it ended. It has two forms with the same
//! content: JSON (with the feature `serde`), and lines for people:
//!
//! ```text
//! sho/record/1
//! game sho
//! rules sides=2 shells=64 ...
//! player A easy
//! player B random
//! start 9+0o:-/9+0o:- A throw - 0 0
//! A 6-3 open@9
//! B 5-4 open@9 2-1 @3
//! last ...
//! end home 0,12
//! ```
//!
//! A line of steps begins with the seat whose turn it is. `seed` and `address` lines say where the dice came from, and
//! stand before `start`. A game that was not played to its end has no `end` line. `fault` lines at the end say what players
//! in other programs did wrong.
//!
//! # Stability
//! The schema [`SCHEMA`] names the version; what a version can say is never said otherwise by it later.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use crate::game::{Game, Step};
use crate::notation::{Notation, PositionError, StepError};
use crate::rule_set::{ImpossibleRules, RuleSet};
use crate::seat::Seat;

/// The name and version of the format.
pub const SCHEMA: &str = "sho/record/1";

/// A game from its start to its end, or to where it was left.
///
/// ```
/// use sho_core::{Game, Seat, record::Record, sho::{Rules, plain::Sho}};
///
/// let game = Sho::new(Rules::lhasa())?;
/// let mut state = game.start();
/// let mut record = Record::new(&game, &state);
/// let throw = "6-1".parse()?;
/// record.push_outcome(&game, Seat::A, throw);
/// game.cast(&mut state, throw)?;
/// record.close(&game, &state);
///
/// let text = record.to_string();
/// assert_eq!(Record::parse(&text)?, record);
/// assert_eq!(record.replay::<Sho>(|_| {})?, state);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Record<R> {
    /// The format's name and version, [`SCHEMA`].
    pub schema: String,
    /// The game's name.
    pub game: String,
    /// The rules, sides included.
    pub rules: R,
    /// Who sat where, in seat order; empty where it is not known.
    pub players: Vec<String>,
    /// The master seed of the dice, where they were keyed.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub seed: Option<u64>,
    /// The game's address in its experiment, `LINEUP.BLOCK.SEATING`.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub address: Option<String>,
    /// The first position.
    pub start: String,
    /// The turns in order: the seat's letter, then its throws and actions, separated by spaces.
    pub turns: Vec<String>,
    /// The last position.
    pub last: String,
    /// How the game ended; nothing where it was not played to its end.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub end: Option<String>,
    /// Payoffs in twelfths of a win, in seat order; empty where the game was not played to its end.
    pub payoffs: Vec<u32>,
    /// What players in other programs did wrong: a seat's letter, then what it was, as one line. From there on the game
    /// was played for them, and a tournament counts it as lost for them.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub faults: Vec<String>,
}

/// A text that is not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected {expected}, found `{found}`")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// It is of another version or another kind.
    #[error("a record of schema {SCHEMA} was expected, found `{0}`")]
    Schema(String),
    /// It is of another game.
    #[error("a record of {expected} was expected, found `{found}`")]
    Game {
        /// The game that was to be replayed.
        expected: &'static str,
        /// The record's game.
        found: String,
    },
    /// Its rules make no sense.
    #[error("rules: {0}")]
    Rules(#[from] ImpossibleRules),
    /// It names too few or too many players, or one whose name is no single line.
    #[error("players: expected none, or one line for each of {sides} sides, found {found}")]
    Players {
        /// How many sides play.
        sides: usize,
        /// How many it names, or the name that is no single line.
        found: String,
    },
    /// It has a fault that is not a seat of the table and one line.
    #[error("faults: expected a seat of the table and what it did on one line, found `{0}`")]
    Fault(String),
    /// A turn follows another of the same seat: one turn was written as two.
    #[error("step {number}: a second turn in a row of {seat}, which is one turn")]
    SplitTurn {
        /// The number of its first step, from 1.
        number: usize,
        /// The seat.
        seat: Seat,
    },
    /// Its first position is none.
    #[error("start: {0}")]
    Start(PositionError),
    /// A step is not possible: the first that is wrong.
    #[error("step {number}, in `{position}`: {reason}")]
    Step {
        /// The step's number, from 1.
        number: usize,
        /// The position before it.
        position: String,
        /// What is wrong with it.
        reason: StepError,
    },
    /// A step is possible, but another seat's than the record says.
    #[error(
        "step {number}, in `{position}`: it is {seat}'s, and the record gives it to `{claimed}`"
    )]
    Seat {
        /// The step's number, from 1.
        number: usize,
        /// The position before it.
        position: String,
        /// The letter in the record.
        claimed: String,
        /// The seat that steps.
        seat: Seat,
    },
    /// All steps are possible, and lead elsewhere than the record says.
    #[error("after the last step: {what} is `{found}`, and the record says `{claimed}`")]
    Outcome {
        /// `last`, `end` or `payoffs`.
        what: &'static str,
        /// What the record says.
        claimed: String,
        /// What comes out.
        found: String,
    },
}

/// One step of a replay.
#[derive(Debug)]
pub struct Replayed<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// The step's number, from 1.
    pub number: usize,
    /// The seat that threw or chose.
    pub seat: Seat,
    /// The step's text.
    pub text: &'a str,
    /// The position before it.
    pub before: &'a G::State,
    /// The position after it.
    pub after: &'a G::State,
}

impl<R: RuleSet> Record<R> {
    /// A record without steps that starts at `state`.
    pub fn new<G: Notation + Game<Rules = R>>(game: &G, state: &G::State) -> Self {
        let start = game.state_text(state);
        Self {
            schema: SCHEMA.to_owned(),
            game: G::NAME.to_owned(),
            rules: *game.rules(),
            players: Vec::new(),
            seed: None,
            address: None,
            last: start.clone(),
            start,
            turns: Vec::new(),
            end: None,
            payoffs: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Adds an outcome of chance that `seat` threw.
    pub fn push_outcome<G: Notation + Game<Rules = R>>(
        &mut self,
        game: &G,
        seat: Seat,
        outcome: G::Outcome,
    ) {
        self.push(seat, &game.outcome_text(outcome));
    }

    /// Adds an action that `seat` chose in `state`.
    pub fn push_action<G: Notation + Game<Rules = R>>(
        &mut self,
        game: &G,
        seat: Seat,
        state: &G::State,
        action: G::Action,
    ) {
        self.push(seat, &game.action_text(state, action));
    }

    fn push(&mut self, seat: Seat, text: &str) {
        match self.turns.last_mut() {
            Some(turn) if turn.starts_with(seat.letter()) => {
                turn.push(' ');
                turn.push_str(text);
            }
            _ => self.turns.push(format!("{seat} {text}")),
        }
    }

    /// Writes down where the game stands after the last step, and how it ended if it did.
    pub fn close<G: Notation + Game<Rules = R>>(&mut self, game: &G, state: &G::State) {
        self.last = game.state_text(state);
        self.end = game.end(state).map(|end| G::ENDS[end].to_owned());
        self.payoffs = match self.end {
            Some(_) => game.payoffs(state).as_slice(game.seats()).to_vec(),
            None => Vec::new(),
        };
    }

    /// Plays the record again, checks each step and what the record says of the end, and shows each step to `visit`.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn replay<G: Notation + Game<Rules = R>>(
        &self,
        mut visit: impl FnMut(&Replayed<'_, G>),
    ) -> Result<G::State, ReplayError> {
        if self.schema != SCHEMA {
            return Err(ReplayError::Schema(self.schema.clone()));
        }
        if self.game != G::NAME {
            return Err(ReplayError::Game { expected: G::NAME, found: self.game.clone() });
        }
        let game = G::new(self.rules)?;
        let mut state = game.parse_state(&self.start).map_err(ReplayError::Start)?;
        self.check_players(game.seats())?;
        let not_at_table =
            |fault: &&String| fault_seat(fault).is_none_or(|seat| seat.index() >= game.seats());
        if let Some(fault) = self.faults.iter().find(not_at_table) {
            return Err(ReplayError::Fault(fault.clone()));
        }
        let mut history = game.begin(&state);
        let mut number = 0;
        let mut turn_before = None;
        for turn in &self.turns {
            // A turn without a step has an empty one, which is none.
            let (claimed, steps) = turn.split_once(' ').unwrap_or((turn, ""));
            for text in steps.split(' ') {
                number += 1;
                let before = state.clone();
                let wrong = |reason| ReplayError::Step {
                    number,
                    position: game.state_text(&before),
                    reason,
                };
                let seat = step(&game, &mut state, &mut history, text).map_err(wrong)?;
                if !claimed.starts_with(seat.letter()) || claimed.len() != 1 {
                    let claimed = claimed.to_owned();
                    return Err(ReplayError::Seat {
                        number,
                        position: game.state_text(&before),
                        claimed,
                        seat,
                    });
                }
                if turn_before == Some(seat) {
                    return Err(ReplayError::SplitTurn { number, seat });
                }
                visit(&Replayed {
                    game: &game,
                    number,
                    seat,
                    text,
                    before: &before,
                    after: &state,
                });
            }
            turn_before = Seat::ALL.into_iter().find(|seat| claimed.starts_with(seat.letter()));
        }
        let mut found = self.clone();
        found.close(&game, &state);
        let end = |end: &Option<String>| end.clone().unwrap_or_else(|| "none".to_owned());
        let claims = [
            ("last", self.last.clone(), found.last.clone()),
            ("end", end(&self.end), end(&found.end)),
            ("payoffs", joined(&self.payoffs), joined(&found.payoffs)),
        ];
        for (what, claimed, found) in claims {
            if claimed != found {
                return Err(ReplayError::Outcome { what, claimed, found });
            }
        }
        Ok(state)
    }

    fn check_players(&self, sides: usize) -> Result<(), ReplayError> {
        let broken = self.players.iter().find(|player| player.contains(['\n', '\r']));
        let found = match broken {
            Some(player) => format!("{player:?}"),
            None if self.players.is_empty() || self.players.len() == sides => return Ok(()),
            None => self.players.len().to_string(),
        };
        Err(ReplayError::Players { sides, found })
    }

    /// Reads the lines that [`Display`](fmt::Display) writes, and no other spelling of them. Turns are read as words;
    /// whether they are possible is for [`replay`](Self::replay).
    ///
    /// # Errors
    /// The first line that is not as it should be.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let mut reader = Lines { lines: text.lines().collect(), next: 0 };
        let schema = reader.whole(SCHEMA, |line| line == SCHEMA)?.to_owned();
        let game = reader.word("game")?.to_owned();
        let rules_line = reader.next;
        let mut rules = R::PRESETS[0].rules;
        let settings = reader.word("rules")?;
        let named: Vec<&str> =
            settings.split(' ').filter_map(|text| text.split('=').next()).collect();
        if named != R::SETTINGS.iter().map(|setting| setting.name).collect::<Vec<_>>() {
            return Err(RecordError {
                line: rules_line + 1,
                expected: "all settings as name=value in their documented order".to_owned(),
                found: settings.to_owned(),
            });
        }
        for assignment in settings.split(' ') {
            rules.assign(assignment).map_err(|error| RecordError {
                line: rules_line + 1,
                expected: error.to_string(),
                found: assignment.to_owned(),
            })?;
        }
        let mut players = Vec::new();
        while let Some(player) = reader.optional("player") {
            let seat = Seat::from_index(players.len());
            let name = seat.and_then(|seat| player.strip_prefix(seat.letter())?.strip_prefix(' '));
            let Some(name) = name else {
                return Err(reader.wrong_before("players in seat order, as in `player A easy`"));
            };
            players.push(name.to_owned());
        }
        let seed = match reader.optional("seed") {
            Some(text) => Some(
                text.parse()
                    .map_err(|_| reader.wrong_before("a seed from 0 to 18446744073709551615"))?,
            ),
            None => None,
        };
        let address = reader.optional("address").map(ToOwned::to_owned);
        let start = reader.word("start")?.to_owned();
        let mut turns = Vec::new();
        let last = loop {
            if let Some(last) = reader.optional("last") {
                break last.to_owned();
            }
            let line = reader.whole("a seat's letter and its steps, or `last`", |line| {
                line.split_once(' ').is_some_and(|(letter, _)| {
                    letter.len() == 1 && letter.chars().next().and_then(Seat::from_letter).is_some()
                })
            })?;
            turns.push(line.to_owned());
        };
        let mut record = Self {
            schema,
            game,
            rules,
            players,
            seed,
            address,
            start,
            turns,
            last,
            end: None,
            payoffs: Vec::new(),
            faults: Vec::new(),
        };
        if let Some(line) = reader.optional("end") {
            let parsed = line.split_once(' ').and_then(|(end, payoffs)| {
                let payoffs: Result<Vec<u32>, _> = payoffs.split(',').map(str::parse).collect();
                Some((end, payoffs.ok()?))
            });
            let Some((end, payoffs)) = parsed else {
                return Err(reader.wrong_before(
                    "how it ended and the payoffs in twelfths, as in `end home 0,12`",
                ));
            };
            record.end = Some(end.to_owned());
            record.payoffs = payoffs;
        }
        while let Some(fault) = reader.optional("fault") {
            if fault_seat(fault).is_none() {
                return Err(
                    reader.wrong_before("a seat and what it did, as in `fault A crash: ...`")
                );
            }
            record.faults.push(fault.to_owned());
        }
        reader.finished()?;
        // One record, one text: whatever freedom the parts above leave, in one place.
        let canonical = record.to_string();
        for (line, (expected, found)) in canonical.lines().zip(&reader.lines).enumerate() {
            if expected != *found {
                return Err(reader.wrong(line, &format!("`{expected}`")));
            }
        }
        Ok(record)
    }
}

/// The seat whose fault it is.
fn fault_seat(fault: &str) -> Option<Seat> {
    let (letter, what) = fault.split_once(' ')?;
    let mut letters = letter.chars();
    let seat = Seat::from_letter(letters.next()?)?;
    let one_line = !what.is_empty() && !what.contains(char::is_control);
    (letters.next().is_none() && one_line).then_some(seat)
}

/// Applies one step's text and returns whose it was.
fn step<G: Notation>(
    game: &G,
    state: &mut G::State,
    history: &mut G::History,
    text: &str,
) -> Result<Seat, StepError> {
    match game.step(state) {
        Step::Over => Err(StepError::NotDue {
            found: text.to_owned(),
            reason: crate::game::IllegalStep::Over,
        }),
        Step::Chance(seat) => {
            let outcome = game.parse_outcome(text)?;
            game.cast_unchecked(state, outcome);
            Ok(seat)
        }
        Step::Decide(seat) => {
            let action = game.parse_action(state, text)?;
            game.play_unchecked(state, action);
            game.remember(state, history);
            Ok(seat)
        }
    }
}

impl<R: RuleSet> fmt::Display for Record<R> {
    /// The lines for people, which [`Record::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\ngame {}\nrules {}", self.schema, self.game, self.rules.settings_text())?;
        for (seat, player) in Seat::ALL.iter().zip(&self.players) {
            writeln!(f, "player {seat} {player}")?;
        }
        if let Some(seed) = self.seed {
            writeln!(f, "seed {seed}")?;
        }
        if let Some(address) = &self.address {
            writeln!(f, "address {address}")?;
        }
        writeln!(f, "start {}", self.start)?;
        for turn in &self.turns {
            writeln!(f, "{turn}")?;
        }
        writeln!(f, "last {}", self.last)?;
        if let Some(end) = &self.end {
            writeln!(f, "end {end} {}", joined(&self.payoffs))?;
        }
        for fault in &self.faults {
            writeln!(f, "fault {fault}")?;
        }
        Ok(())
    }
}

fn joined(numbers: &[u32]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

struct Lines<'a> {
    lines: Vec<&'a str>,
    next: usize,
}

impl<'a> Lines<'a> {
    fn current(&self) -> &'a str {
        self.lines.get(self.next).copied().unwrap_or("")
    }

    fn wrong(&self, line: usize, expected: &str) -> RecordError {
        RecordError {
            line: line + 1,
            expected: expected.to_owned(),
            found: self.lines.get(line).copied().unwrap_or("the end of the text").to_owned(),
        }
    }

    /// What is wrong with the line that was read last.
    fn wrong_before(&self, expected: &str) -> RecordError {
        self.wrong(self.next - 1, expected)
    }

    fn whole(
        &mut self,
        expected: &str,
        fits: impl Fn(&str) -> bool,
    ) -> Result<&'a str, RecordError> {
        let line = self.current();
        if !fits(line) {
            return Err(self.wrong(self.next, expected));
        }
        self.next += 1;
        Ok(line)
    }

    fn optional(&mut self, key: &str) -> Option<&'a str> {
        let rest = self.current().strip_prefix(key)?.strip_prefix(' ')?;
        self.next += 1;
        Some(rest)
    }

    fn word(&mut self, key: &str) -> Result<&'a str, RecordError> {
        self.optional(key).ok_or_else(|| self.wrong(self.next, &format!("`{key}` and its value")))
    }

    fn finished(&self) -> Result<(), RecordError> {
        if self.next < self.lines.len() {
            Err(self.wrong(self.next, "nothing more"))
        } else {
            Ok(())
        }
    }
}
