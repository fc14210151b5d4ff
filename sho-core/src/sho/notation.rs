//! Position lines and actions of Sho as text.
//!
//! A line has six fields separated by single spaces, `SIDES MOVER PHASE WAITING RUN THROWS`, as in
//! `7+0:10x2!/9+0o:-/9+0o:- B throw - 0 1`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::action::Action;
use super::gap::{Gap, MAX_GAP};
use super::setup::{Opening, Phase, Setup, Side};
use super::values::{Values, Waiting};
use crate::notation::PositionError;
use crate::rule_set::parse_number;
use crate::seat::{MAX_SEATS, PerSeat, Seat};

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.hand, self.home)?;
        match self.opening {
            Opening::Done => {}
            Opening::First => f.write_str("o")?,
            Opening::Again => f.write_str("r")?,
        }
        if self.champion {
            f.write_str("c")?;
        }
        f.write_str(":")?;
        if self.nothing_out() {
            return f.write_str("-");
        }
        for (index, (gap, size)) in self.stacks().enumerate() {
            let separator = if index > 0 { "," } else { "" };
            let fresh = if self.fresh == Some(gap) { "!" } else { "" };
            write!(f, "{separator}{gap}x{size}{fresh}")?;
        }
        Ok(())
    }
}

pub(super) fn side_text(side: &Side) -> String {
    side.to_string()
}

/// The field WAITING: the values, and a left-over behind them.
pub(super) fn waiting_text(setup: &Setup) -> String {
    match (setup.left_over, setup.waiting.is_empty()) {
        (0, _) => setup.waiting.to_string(),
        (left_over, true) => format!(">{left_over}"),
        (left_over, false) => format!("{},>{left_over}", setup.waiting),
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (seat, side) in self.sides.iter(self.seats) {
            let separator = if seat == Seat::A { "" } else { "/" };
            write!(f, "{separator}{side}")?;
        }
        write!(f, " {} ", self.mover)?;
        match self.phase {
            Phase::Throw => f.write_str("throw")?,
            Phase::Pair => f.write_str("pair")?,
            Phase::Move => f.write_str("move")?,
            Phase::Over(winners) => {
                f.write_str("over:")?;
                for (seat, _) in winners.iter(MAX_SEATS).filter(|&(_, &won)| won) {
                    write!(f, "{seat}")?;
                }
            }
        }
        write!(f, " {} {} {}", waiting_text(self), self.run, self.throws)
    }
}

fn refuse<T>(field: &'static str, expected: &str, found: &str) -> Result<T, PositionError> {
    Err(PositionError { field, expected: expected.into(), found: found.into() })
}

impl Setup {
    /// Reads a position line; whether it can stand by some rules is for [`check`](Self::check).
    ///
    /// # Errors
    /// Where the line is not exactly what the printer prints for the position it names: the field and what was
    /// expected.
    pub fn parse(line: &str) -> Result<Self, PositionError> {
        let fields: Vec<&str> = line.split(' ').collect();
        let [sides_text, mover, phase, waiting, run, throws] = fields[..] else {
            return refuse(
                "line",
                "six fields, SIDES MOVER PHASE WAITING RUN THROWS, separated by single spaces",
                line,
            );
        };
        let mut sides = PerSeat::default();
        let mut seats = 0;
        for text in sides_text.split('/') {
            let Some(seat) = Seat::from_index(seats) else {
                return refuse("sides", "2 to 4 sides joined by `/`", sides_text);
            };
            sides[seat] = parse_side(text)?;
            seats += 1;
        }
        if seats < 2 {
            return refuse("sides", "2 to 4 sides joined by `/`", sides_text);
        }
        let seat = |letter: &str| {
            let mut letters = letter.chars();
            letters
                .next()
                .filter(|_| letters.next().is_none())
                .and_then(Seat::from_letter)
                .filter(|seat| seat.index() < seats)
        };
        let Some(mover) = seat(mover) else {
            return refuse("mover", &format!("a letter from A to {}", last_letter(seats)), mover);
        };
        let phase = match phase {
            "throw" => Phase::Throw,
            "pair" => Phase::Pair,
            "move" => Phase::Move,
            _ => {
                let Some(letters) =
                    phase.strip_prefix("over:").filter(|letters| !letters.is_empty())
                else {
                    return refuse(
                        "phase",
                        "throw, pair, move, or over: and the winners' letters",
                        phase,
                    );
                };
                let mut winners = PerSeat::default();
                for letter in letters.chars() {
                    match seat(letter.encode_utf8(&mut [0; 4])) {
                        Some(seat) => winners[seat] = true,
                        None => {
                            return refuse(
                                "phase",
                                &format!("winners from A to {} behind `over:`", last_letter(seats)),
                                phase,
                            );
                        }
                    }
                }
                Phase::Over(winners)
            }
        };
        let (waiting, left_over) = parse_waiting(waiting)?;
        let number = |field, text: &str| match parse_number(text)
            .and_then(|number| number.try_into().ok())
        {
            Some(number) => Ok(number),
            None => refuse(field, "a number from 0 to 65535 without leading zeros", text),
        };
        let setup = Self {
            seats,
            sides,
            mover,
            phase,
            waiting,
            left_over,
            run: number("run", run)?,
            throws: number("throws", throws)?,
        };
        // The order of stacks, winners and values, and every other freedom the parts above leave, in one place.
        let canonical = setup.to_string();
        if canonical != line {
            return refuse("line", &format!("the canonical form `{canonical}`"), line);
        }
        Ok(setup)
    }
}

fn last_letter(seats: usize) -> char {
    Seat::ALL[seats - 1].letter()
}

fn parse_side(text: &str) -> Result<Side, PositionError> {
    const FORM: &str = "HAND+HOME, marks, `:` and stacks, as in 7+0:10x2!,33x1 or 9+0o:-";
    let parsed = || -> Option<Side> {
        let (head, stacks) = text.split_once(':')?;
        let head_end = head.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(head.len());
        let (numbers, marks) = head.split_at(head_end);
        let (hand, home) = numbers.split_once('+')?;
        let mut side = Side { hand: coins(hand)?, home: coins(home)?, ..Side::default() };
        (side.opening, side.champion) = match marks {
            "" => (Opening::Done, false),
            "o" => (Opening::First, false),
            "r" => (Opening::Again, false),
            "c" => (Opening::Done, true),
            "oc" => (Opening::First, true),
            "rc" => (Opening::Again, true),
            _ => return None,
        };
        if stacks == "-" {
            return Some(side);
        }
        for item in stacks.split(',') {
            let (item, fresh) = match item.strip_suffix('!') {
                Some(item) => (item, true),
                None => (item, false),
            };
            let (gap, size) = item.split_once('x')?;
            let gap = parse_gap(gap)?;
            let size = coins(size).filter(|&size| size > 0)?;
            if side.stacks[gap.index()] > 0 || (fresh && side.fresh.is_some()) {
                return None;
            }
            side.stacks[gap.index()] = size;
            if fresh {
                side.fresh = Some(gap);
            }
        }
        Some(side)
    };
    match parsed() {
        Some(side) => Ok(side),
        None => refuse("sides", FORM, text),
    }
}

fn coins(text: &str) -> Option<u8> {
    parse_number(text).filter(|&number| number <= 9).map(|number| number as u8)
}

fn parse_gap(text: &str) -> Option<Gap> {
    parse_number(text)
        .filter(|&number| number <= u32::from(MAX_GAP))
        .and_then(|number| Gap::new(number as u8))
}

fn parse_waiting(text: &str) -> Result<(Waiting, u8), PositionError> {
    const FORM: &str = "`-`, or values from 2 to 12 joined by commas, `9*` for a six-three, a left-over from 1 to 107 as `>x` last";
    let parsed = || -> Option<(Waiting, u8)> {
        let mut waiting = Waiting::NONE;
        let mut left_over = 0;
        if text == "-" {
            return Some((waiting, left_over));
        }
        for item in text.split(',') {
            if left_over > 0 {
                return None;
            }
            if let Some(number) = item.strip_prefix('>') {
                left_over = parse_number(number).filter(|number| (1..=107).contains(number))? as u8;
                continue;
            }
            let (number, six_three) = match item {
                "9*" => ("9", true),
                other => (other, false),
            };
            let total = parse_number(number).filter(|total| (2..=12).contains(total))? as u8;
            if waiting.len() >= super::values::MAX_WAITING {
                return None;
            }
            waiting = waiting.add(total, six_three);
        }
        Some((waiting, left_over))
    };
    match parsed() {
        Some(parsed) => Ok(parsed),
        None => refuse("waiting", FORM, text),
    }
}

/// The forms of an action, for messages.
pub(super) const ACTION_FORMS: &str = "open@7, @7, 15>22, 60>home, all@9, pair@2 or again, with the values spent behind `=` where several wait";

/// Whether actions name the values that they spend: only where more than one value waits, and no left-over is due.
fn names_values(setup: &Setup) -> bool {
    setup.waiting.len() > 1 && setup.left_over == 0
}

/// A legal action of this position as text.
pub(super) fn action_text(setup: &Setup, shells: u8, action: Action) -> String {
    let mut text = match action {
        Action::Enter { distance, .. } => format!("@{distance}"),
        Action::Open { distance, .. } => format!("open@{distance}"),
        Action::Pair => "pair@2".into(),
        // An action that somebody made up may go further than a number of gaps goes: that is home too.
        Action::Move { from, distance, .. } => match from.number().checked_add(distance) {
            Some(landing) if landing < shells => format!("{from}>{landing}"),
            _ => format!("{from}>home"),
        },
        Action::SixThree => "all@9".into(),
        Action::Again => return "again".into(),
    };
    if names_values(setup) {
        text.push('=');
        text.push_str(&action.spent().to_string());
    }
    text
}

/// Whether a text is of the form of an action, in whatever position.
pub(super) fn is_action(text: &str) -> bool {
    if text == "again" {
        return true;
    }
    let (body, values) = match text.split_once('=') {
        Some((body, values)) => (body, Some(values)),
        None => (text, None),
    };
    let is_gap = |text: &str| parse_gap(text).is_some();
    let moves = |body: &str| {
        body.split_once('>').is_some_and(|(from, to)| is_gap(from) && (to == "home" || is_gap(to)))
    };
    let enters = |body: &str| {
        body.strip_prefix("open").unwrap_or(body).strip_prefix('@').is_some_and(is_gap)
    };
    let named = body == "pair@2" || body == "all@9" || moves(body) || enters(body);
    named && values.is_none_or(|values| parse_values(values).is_some())
}

fn parse_values(text: &str) -> Option<Values> {
    let mut values = Values::NONE;
    for part in text.split('+') {
        let total = parse_number(part).filter(|total| (2..=12).contains(total))? as u8;
        if values.len() >= super::values::MAX_WAITING {
            return None;
        }
        values = values.with(total);
    }
    Some(values)
}
