//! A position of Sho as plain, editable data: [`Setup`], and the checked way from it into a game.

use alloc::format;
use alloc::string::{String, ToString};

use super::gap::{Gap, MAX_GAP};
use super::rules::{LeftOver, Rules};
use super::values::Waiting;
use crate::notation::PositionError;
use crate::seat::{PerSeat, Seat};

/// Whether a side's next entry is an opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Opening {
    /// It is not.
    #[default]
    Done,
    /// It is, for the first time.
    First,
    /// It is, again.
    Again,
}

/// What is due in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Dice.
    Throw,
    /// A choice between the pair and throwing again, just after a pa ra.
    Pair,
    /// An action.
    Move,
    /// Nothing: these seats won, each in its place.
    Over(PerSeat<bool>),
}

/// One side of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Side {
    /// Coins in the hand.
    pub hand: u8,
    /// Coins at home.
    pub home: u8,
    /// Coins in each gap, by the gap's number; place 0 is unused and 0.
    pub stacks: [u8; MAX_GAP as usize + 1],
    /// Whether the next entry is an opening.
    pub opening: Opening,
    /// The gap of the opening stack, while it stands untouched.
    pub fresh: Option<Gap>,
    /// Whether the side killed a stack of the leader and has not yet paid for it.
    pub champion: bool,
}

impl Default for Side {
    /// No coins anywhere and no marks.
    fn default() -> Self {
        Self {
            hand: 0,
            home: 0,
            stacks: [0; MAX_GAP as usize + 1],
            opening: Opening::Done,
            fresh: None,
            champion: false,
        }
    }
}

impl Side {
    /// The stacks in rising order of gaps, each with its size.
    pub fn stacks(&self) -> impl Iterator<Item = (Gap, u8)> + '_ {
        (1..=MAX_GAP).filter_map(|number| {
            let size = self.stacks[usize::from(number)];
            Gap::new(number).filter(|_| size > 0).map(|gap| (gap, size))
        })
    }

    /// Whether no coin of the side is on the board.
    #[must_use]
    pub fn nothing_out(&self) -> bool {
        self.stacks.iter().all(|&size| size == 0)
    }

    /// Whether the next entry is an opening, for the first time or again.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        self.opening != Opening::Done
    }
}

/// A position of Sho as data that anyone may edit. It may be impossible; [`check`](Self::check) says so, and an engine
/// checks it before it makes a state of it.
///
/// It prints as the position line of the notation.
///
/// ```
/// use sho_core::sho::{Rules, Setup};
/// let start = Setup::start(&Rules::lhasa());
/// assert_eq!(start.to_string(), "9+0o:-/9+0o:-/9+0o:- A throw - 0 0");
/// let line = "7+0:10x2!/9+0o:-/9+0o:- B throw - 0 1";
/// assert_eq!(Setup::parse(line)?.to_string(), line);
/// # Ok::<(), sho_core::PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// How many sides play, 2 to 4.
    pub seats: usize,
    /// The sides; those beyond `seats` are [empty](Side::default).
    pub sides: PerSeat<Side>,
    /// The side to move.
    pub mover: Seat,
    /// What is due.
    pub phase: Phase,
    /// The values that wait.
    pub waiting: Waiting,
    /// A count left over from going home, which must be used now; 0 for none.
    pub left_over: u8,
    /// Pa ras in a row so far in this turn.
    pub run: u16,
    /// Throws made so far.
    pub throws: u16,
}

impl Setup {
    /// The position before the first throw.
    #[must_use]
    pub fn start(rules: &Rules) -> Self {
        let seats = rules.sides.into();
        Self {
            seats,
            sides: PerSeat::from_fn(|seat| {
                if seat.index() < seats {
                    Side { hand: rules.coins, opening: Opening::First, ..Side::default() }
                } else {
                    Side::default()
                }
            }),
            mover: Seat::A,
            phase: Phase::Throw,
            waiting: Waiting::NONE,
            left_over: 0,
            run: 0,
            throws: 0,
        }
    }

    /// The owner and the size of the stack in a gap.
    #[must_use]
    pub fn stack_at(&self, gap: Gap) -> Option<(Seat, u8)> {
        self.sides
            .iter(self.seats)
            .map(|(seat, side)| (seat, side.stacks[gap.index()]))
            .find(|&(_, size)| size > 0)
    }

    /// The side with at least five coins home and strictly more than every other, whatever the rules say of alliances.
    #[must_use]
    pub fn leader(&self) -> Option<Seat> {
        Seat::all(self.seats).find(|&seat| {
            let home = self.sides[seat].home;
            home >= 5
                && Seat::all(self.seats).all(|other| other == seat || self.sides[other].home < home)
        })
    }

    /// Whether the position can stand in a game by these rules, but for one thing that only an engine can tell: that in
    /// the phases `move` and `pair` there is something to choose.
    ///
    /// # Errors
    /// Names the first field that is wrong and what was expected.
    pub fn check(&self, rules: &Rules) -> Result<(), PositionError> {
        let error = |field, expected: String, found: &dyn core::fmt::Display| {
            Err(PositionError { field, expected, found: found.to_string() })
        };
        if self.seats != usize::from(rules.sides) {
            return error("sides", format!("{} sides, as the rules say", rules.sides), &self.seats);
        }
        for (seat, side) in self.sides.iter(self.seats) {
            self.check_side(seat, side, rules)?;
        }
        // No line can say it, but an edited setup can, and then equal positions would not be equal.
        let mut absent = Seat::ALL.into_iter().skip(self.seats);
        if let Some(seat) = absent.find(|&seat| self.sides[seat] != Side::default()) {
            return error("sides", format!("nothing of {seat}, which does not play"), &seat);
        }
        if self.mover.index() >= self.seats {
            return error("mover", format!("one of {} sides", self.seats), &self.mover);
        }
        if self.throws > rules.max_throws {
            return error(
                "throws",
                format!("at most max-throws, {}", rules.max_throws),
                &self.throws,
            );
        }
        if self.run > rules.max_throws {
            return error("run", format!("at most max-throws, {}", rules.max_throws), &self.run);
        }
        self.check_phase(rules)
    }

    fn check_side(&self, seat: Seat, side: &Side, rules: &Rules) -> Result<(), PositionError> {
        let error = |expected: String| {
            Err(PositionError { field: "sides", expected, found: super::notation::side_text(side) })
        };
        if side.stacks[0] > 0 {
            return error(format!("no stack of {seat} in gap 0"));
        }
        let mut coins = u32::from(side.hand) + u32::from(side.home);
        for (gap, size) in side.stacks() {
            coins += u32::from(size);
            if gap.number() >= rules.shells {
                return error(format!("gaps below {} for {seat}, not {gap}", rules.shells));
            }
            if let Some((other, _)) = self.stack_at(gap).filter(|&(owner, _)| owner != seat) {
                return error(format!(
                    "one owner a gap, and gap {gap} is held by {other} and {seat}"
                ));
            }
        }
        if coins != u32::from(rules.coins) {
            return error(format!("{} coins in all for {seat}, not {coins}", rules.coins));
        }
        if side.is_opening() && !side.nothing_out() {
            return error(format!("nothing on the board for {seat}, which is opening"));
        }
        if let Some(gap) = side.fresh
            && side.stacks[gap.index()] == 0
        {
            return error(format!("a stack of {seat} where its fresh mark is, gap {gap}"));
        }
        if side.champion && !rules.has_alliance() {
            return error(format!(
                "no champion mark for {seat} without alliance or with two sides"
            ));
        }
        Ok(())
    }

    fn check_phase(&self, rules: &Rules) -> Result<(), PositionError> {
        let error =
            |field, expected: String, found: String| Err(PositionError { field, expected, found });
        let waiting_text = || super::notation::waiting_text(self);
        let limit = usize::from(rules.waiting_limit);
        if let Phase::Over(winners) = self.phase {
            if !winners.as_slice(self.seats).contains(&true) {
                return error("phase", "winners behind `over:`".into(), "over:".into());
            }
            if let Some(seat) = Seat::ALL[self.seats..].iter().find(|&&seat| winners[seat]) {
                return error(
                    "phase",
                    format!("winners among {} sides", self.seats),
                    seat.to_string(),
                );
            }
            if !self.waiting.is_empty() || self.left_over > 0 {
                return error("waiting", "`-` when the game is over".into(), waiting_text());
            }
            return Ok(());
        }
        let most = if self.phase == Phase::Move { limit } else { limit - 1 };
        if self.waiting.len() > most {
            return error("waiting", format!("at most {most} values here"), waiting_text());
        }
        if self.left_over > 0 {
            let expected = if self.phase != Phase::Move {
                "a left-over only in phase `move`"
            } else if rules.left_over == LeftOver::Lost {
                "no left-over with left-over=lost"
            } else if self.sides[self.mover].is_opening() {
                "no left-over where the mover is opening"
            } else if self.left_over > 107 {
                "a left-over from 1 to 107"
            } else {
                return Ok(());
            };
            return error("waiting", expected.into(), waiting_text());
        }
        match self.phase {
            Phase::Throw if self.throws >= rules.max_throws => error(
                "throws",
                format!("fewer than max-throws, {}, in phase `throw`", rules.max_throws),
                self.throws.to_string(),
            ),
            Phase::Pair if !rules.pa_ra_pair => {
                error("phase", "no phase `pair` without pa-ra-pair".into(), "pair".into())
            }
            Phase::Pair if self.waiting.values().count(2) == 0 => {
                error("waiting", "a 2 in phase `pair`".into(), waiting_text())
            }
            Phase::Pair if self.run == 0 => {
                error("run", "at least 1 in phase `pair`".into(), "0".into())
            }
            _ => Ok(()),
        }
    }
}
