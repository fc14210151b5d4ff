//! The compact position of Sho: [`State`].
//!
//! All inside is relative to the side to move and mirrored: gap `g` is bit `shells - 1 - g`, so a move of `d` gaps is a
//! shift right by `d`, going home falls off the word, and the hand is a gap like any other, at bit `shells - 1`. The
//! heights of all stacks stand in four bit planes, and the hand is a single coin in them for good: entering a coin is
//! an ordinary move. Nothing of that shows outside.

use super::gap::Gap;
use super::rules::Rules;
use super::setup::{Opening, Phase, Setup, Side};
use super::values::Waiting;
use crate::seat::{MAX_SEATS, PerSeat, Seat};

/// A position of Sho, small and `Copy`. It makes sense only together with its [game](super::Sho).
///
/// It takes 104 bytes: 32 for the heights, 32 for who owns them, 8 for the hands, homes and marks, 8 for the values
/// that wait, 8 for the fresh stacks, 8 for the set of legal sources that a throw has found (it has to know whether
/// there is one, and the action list then costs nothing), 8 for counters and the phase.
///
/// ```
/// assert_eq!(size_of::<sho_core::sho::State>(), 104);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    /// Bit `i` of the height of the stack in a gap is the gap's bit of plane `i`; the hand's bit is set in plane 0.
    pub(super) planes: [u64; 4],
    /// The gaps of each side, the mover first, then in the order of turns. The hand's bit is set where it has coins.
    pub(super) stacks: [u64; MAX_SEATS],
    /// The gaps of untouched opening stacks, of all sides.
    pub(super) fresh: u64,
    /// The sources of the one distance that can be played, or 0 where there is not just one such distance, or where
    /// actions are not just moves and entries. It follows from the rest.
    pub(super) legal: u64,
    /// Each side's small facts, 16 bits a side, the mover's lowest, then in the order of turns.
    pub(super) sides: Sides,
    /// The values that wait.
    pub(super) waiting: Waiting,
    /// Throws so far.
    pub(super) throws: u16,
    /// Pa ras in a row so far in this turn.
    pub(super) run: u16,
    /// A count left over from going home; 0 for none.
    pub(super) left_over: u8,
    /// What is due.
    pub(super) due: Due,
    /// Where the game is over, the winners: bit by seat.
    pub(super) winners: u8,
    /// The one distance that can be played, where `legal` is not 0; else 0. It follows from the rest.
    pub(super) distance: u8,
}

/// What is due, without the winners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(super) enum Due {
    Throw,
    Pair,
    Move,
    Over,
}

/// The small facts of all sides in one word: 16 bits a side, of which the lowest four are its hand, then four for its
/// home, two for its opening mark, one for champion, and the highest two its seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Sides(pub(super) u64);

const HOME: u32 = 4;
const OPENING: u32 = 8;
const CHAMPION: u32 = 10;
const SEAT: u32 = 14;
const SIDE_BITS: u32 = 16;
/// The lowest bit of each side.
const EACH: u64 = 0x0001_0001_0001_0001;

impl Sides {
    #[inline]
    const fn field(self, side: usize, at: u32, mask: u64) -> u64 {
        self.0 >> (SIDE_BITS * side as u32 + at) & mask
    }

    #[inline]
    pub(super) const fn hand(self, side: usize) -> u8 {
        self.field(side, 0, 15) as u8
    }

    #[inline]
    pub(super) const fn add_hand(&mut self, side: usize, coins: u8) {
        self.0 += (coins as u64) << (SIDE_BITS * side as u32);
    }

    #[inline]
    pub(super) const fn take_hand(&mut self, coins: u8) {
        self.0 -= coins as u64;
    }

    #[inline]
    pub(super) const fn home(self, side: usize) -> u8 {
        self.field(side, HOME, 15) as u8
    }

    #[inline]
    pub(super) const fn add_home(&mut self, coins: u8) {
        self.0 += (coins as u64) << HOME;
    }

    /// Takes a coin from the mover's home back to its hand.
    pub(super) const fn call_back(&mut self) {
        self.0 = self.0 - (1 << HOME) + 1;
    }

    #[inline]
    pub(super) const fn opening(self, side: usize) -> Opening {
        match self.field(side, OPENING, 3) {
            0 => Opening::Done,
            1 => Opening::First,
            _ => Opening::Again,
        }
    }

    /// Whether the mover is opening, for the first time or again.
    #[inline]
    pub(super) const fn is_opening(self) -> bool {
        self.field(0, OPENING, 3) != 0
    }

    /// The facts of all sides, each in the lowest bits of 16 bits a side: hands, homes, opening marks and seats. None is a
    /// champion.
    #[inline(always)]
    pub(super) const fn of(hands: u64, homes: u64, marks: u64, seats: u64) -> Self {
        Self(hands | homes << HOME | marks << OPENING | seats << SEAT)
    }

    /// The hands of all sides, 16 bits a side.
    #[inline(always)]
    pub(super) const fn hands(self) -> u64 {
        self.0 & (15 * EACH)
    }

    /// The marks of [`opening`](Self::opening) as the numbers that they are inside, 16 bits a side.
    #[inline(always)]
    pub(super) const fn opening_marks(self) -> u64 {
        self.0 >> OPENING & (3 * EACH)
    }

    /// The seats of all sides, 16 bits a side.
    #[inline(always)]
    pub(super) const fn seats(self) -> u64 {
        self.0 >> SEAT & (3 * EACH)
    }

    pub(super) const fn set_opening(&mut self, side: usize, opening: Opening) {
        let at = SIDE_BITS * side as u32 + OPENING;
        let mark = match opening {
            Opening::Done => 0,
            Opening::First => 1,
            Opening::Again => 2,
        };
        self.0 = self.0 & !(3 << at) | mark << at;
    }

    #[inline]
    pub(super) const fn champion(self, side: usize) -> bool {
        self.field(side, CHAMPION, 1) == 1
    }

    pub(super) const fn set_champion(&mut self, champion: bool) {
        self.0 = self.0 & !(1 << CHAMPION) | (champion as u64) << CHAMPION;
    }

    #[inline]
    pub(super) const fn seat(self, side: usize) -> Seat {
        // Two bits always name a seat, and written so the compiler sees that nothing has to be done.
        match (self.0 >> (SIDE_BITS * side as u32)) as u16 >> SEAT {
            0 => Seat::A,
            1 => Seat::B,
            2 => Seat::C,
            _ => Seat::D,
        }
    }

    /// The next side becomes the mover.
    #[inline(always)]
    const fn rotate(&mut self, seats: u32) {
        let mover = self.0 & ((1 << SIDE_BITS) - 1);
        self.0 = self.0 >> SIDE_BITS | mover << (SIDE_BITS * (seats - 1));
    }
}

impl State {
    /// All gaps with a stack, and the hand's bit where a side has coins there.
    #[inline]
    pub(super) const fn occupied(&self) -> u64 {
        self.stacks[0] | self.stacks[1] | self.stacks[2] | self.stacks[3]
    }

    /// The height of the stack in a gap given by its bit; 1 for the hand, 0 for an empty gap.
    #[inline]
    pub(super) const fn height(&self, gap: u64) -> u8 {
        ((self.planes[0] & gap != 0) as u8)
            | ((self.planes[1] & gap != 0) as u8) << 1
            | ((self.planes[2] & gap != 0) as u8) << 2
            | ((self.planes[3] & gap != 0) as u8) << 3
    }

    /// The side that owns the stack in a gap given by its bit, counted from the mover.
    pub(super) fn owner(&self, gap: u64) -> Option<usize> {
        self.stacks.iter().position(|&stacks| stacks & gap != 0)
    }

    /// The next side becomes the mover.
    #[inline(always)]
    pub(super) fn rotate(&mut self, seats: usize) {
        // Written out for each number of sides: an index that varies would cost more. What is not there stays 0.
        let [own, next, third, fourth] = self.stacks;
        match seats {
            2 => [self.stacks[0], self.stacks[1]] = [next, own],
            3 => [self.stacks[0], self.stacks[1], self.stacks[2]] = [next, third, own],
            _ => self.stacks = [next, third, fourth, own],
        }
        self.sides.rotate(seats as u32);
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn mover(&self) -> Seat {
        self.sides.seat(0)
    }

    /// Throws made so far.
    #[inline]
    #[must_use]
    pub const fn throws(&self) -> u16 {
        self.throws
    }

    /// The values that wait.
    #[inline]
    #[must_use]
    pub const fn waiting(&self) -> Waiting {
        self.waiting
    }

    /// A read-only view of the bits inside, for evaluations that count them.
    #[inline(always)]
    #[must_use]
    pub const fn bits(&self) -> Bits<'_> {
        Bits(self)
    }

    /// A checked setup as a state, but for `legal` and `distance`, which are left 0.
    pub(super) fn from_setup(setup: &Setup, rules: &Rules) -> Self {
        let (due, winners) = match setup.phase {
            Phase::Throw => (Due::Throw, 0),
            Phase::Pair => (Due::Pair, 0),
            Phase::Move => (Due::Move, 0),
            Phase::Over(winners) => (
                Due::Over,
                winners.iter(setup.seats).map(|(seat, &won)| u8::from(won) << seat.index()).sum(),
            ),
        };
        let hand = hand_bit(rules);
        let mut state = Self {
            planes: [hand, 0, 0, 0],
            stacks: [0; MAX_SEATS],
            fresh: 0,
            legal: 0,
            sides: Sides(0),
            waiting: setup.waiting,
            throws: setup.throws,
            run: setup.run,
            left_over: setup.left_over,
            due,
            winners,
            distance: 0,
        };
        let mut seat = setup.mover;
        for index in 0..setup.seats {
            let side = &setup.sides[seat];
            let mut bits = u64::from(side.hand) | u64::from(side.home) << HOME;
            bits |= u64::from(side.champion) << CHAMPION | (seat.index() as u64) << SEAT;
            state.sides.0 |= bits << (SIDE_BITS * index as u32);
            state.sides.set_opening(index, side.opening);
            for (gap, size) in side.stacks() {
                let bit = hand >> gap.number();
                state.stacks[index] |= bit;
                for (plane, bits) in state.planes.iter_mut().enumerate() {
                    *bits |= bit * u64::from(size >> plane & 1);
                }
            }
            if side.hand > 0 {
                state.stacks[index] |= hand;
            }
            if let Some(gap) = side.fresh {
                state.fresh |= hand >> gap.number();
            }
            seat = seat.next(setup.seats);
        }
        state
    }

    /// The state as a setup.
    pub(super) fn to_setup(self, rules: &Rules) -> Setup {
        let seats = usize::from(rules.sides);
        let hand = hand_bit(rules);
        let mut sides = PerSeat::<Side>::default();
        for index in 0..seats {
            let side = &mut sides[self.sides.seat(index)];
            side.hand = self.sides.hand(index);
            side.home = self.sides.home(index);
            side.opening = self.sides.opening(index);
            side.champion = self.sides.champion(index);
            for number in 1..rules.shells {
                let bit = hand >> number;
                if self.stacks[index] & bit != 0 {
                    side.stacks[usize::from(number)] = self.height(bit);
                    if self.fresh & bit != 0 {
                        side.fresh = Gap::new(number);
                    }
                }
            }
        }
        Setup {
            seats,
            sides,
            mover: self.mover(),
            phase: match self.due {
                Due::Throw => Phase::Throw,
                Due::Pair => Phase::Pair,
                Due::Move => Phase::Move,
                Due::Over => {
                    Phase::Over(PerSeat::from_fn(|seat| self.winners >> seat.index() & 1 == 1))
                }
            },
            waiting: self.waiting,
            left_over: self.left_over,
            run: self.run,
            throws: self.throws,
        }
    }
}

/// The bits of a [`State`], read-only, for those who count faster with them than with a [`Setup`].
///
/// Sides are counted from the side to move, 0 to 3, in the order of turns. Gap `g` of a board with `shells` shells is bit
/// `shells - 1 - g`: bit `b` is `b + 1` gaps from home, and a stack at a higher bit is further behind. The hand counts as
/// gap 0, so a coin that enters a gap moves there as any stack does.
///
/// ```
/// use sho_core::sho::{Engine, Rules, Setup, Sho};
/// use sho_core::Game;
/// let game = Sho::new(Rules::lhasa())?;
/// let setup = Setup::parse("2+2:13x2,33x3/9+0o:-/9+0:- A throw - 0 9")?;
/// let state = game.state(&setup)?;
/// let bits = state.bits();
/// assert_eq!(bits.stacks(0), 1 << 63 | 1 << (63 - 13) | 1 << (63 - 33));
/// assert_eq!(bits.planes()[0], 1 << 63 | 1 << (63 - 33));
/// assert_eq!((bits.hand(0), bits.home(0), bits.is_opening(1)), (2, 2, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Bits<'a>(&'a State);

impl Bits<'_> {
    /// The heights of all stacks: bit `i` of the height of the stack in a gap is the gap's bit of plane `i`. The hand
    /// stands there as a single coin, whatever it holds.
    #[inline(always)]
    #[must_use]
    pub const fn planes(self) -> [u64; 4] {
        self.0.planes
    }

    /// The gaps where a side has a stack, and the hand's bit where it has coins there. Empty for a side that does not
    /// play.
    ///
    /// # Panics
    /// If `side` is above 3.
    #[inline(always)]
    #[must_use]
    pub const fn stacks(self, side: usize) -> u64 {
        self.0.stacks[side]
    }

    /// The gaps of untouched opening stacks, of all sides.
    #[inline(always)]
    #[must_use]
    pub const fn fresh(self) -> u64 {
        self.0.fresh
    }

    /// Coins in a side's hand. A `side` above 3 is a mistake of the caller.
    #[inline(always)]
    #[must_use]
    pub const fn hand(self, side: usize) -> u8 {
        self.0.sides.hand(side)
    }

    /// Coins that a side has home.
    #[inline(always)]
    #[must_use]
    pub const fn home(self, side: usize) -> u8 {
        self.0.sides.home(side)
    }

    /// Whether a side is opening, for the first time or again.
    #[inline(always)]
    #[must_use]
    pub const fn is_opening(self, side: usize) -> bool {
        self.0.sides.field(side, OPENING, 3) != 0
    }

    /// Whether a side is a champion.
    #[inline(always)]
    #[must_use]
    pub const fn is_champion(self, side: usize) -> bool {
        self.0.sides.champion(side)
    }

    /// The seat of a side.
    #[inline(always)]
    #[must_use]
    pub const fn seat(self, side: usize) -> Seat {
        self.0.sides.seat(side)
    }

    /// The distance that the waiting values add up to, or the left-over where one is to be used first.
    #[inline(always)]
    #[must_use]
    pub fn to_spend(self) -> u32 {
        match self.0.left_over {
            0 => self.0.waiting.values().sum(),
            left_over => left_over.into(),
        }
    }

    /// Whether the side to move throws next.
    #[inline(always)]
    #[must_use]
    pub const fn throw_is_due(self) -> bool {
        matches!(self.0.due, Due::Throw)
    }
}

/// The bit of the hand.
#[inline]
pub(super) const fn hand_bit(rules: &Rules) -> u64 {
    1 << (rules.shells - 1)
}

impl core::fmt::Debug for State {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("State")
            .field("planes", &self.planes)
            .field("stacks", &self.stacks)
            .field("fresh", &self.fresh)
            .field("legal", &self.legal)
            .field("sides", &self.sides.0)
            .field("waiting", &self.waiting)
            .field("throws", &self.throws)
            .field("run", &self.run)
            .field("left_over", &self.left_over)
            .field("due", &self.due)
            .field("winners", &self.winners)
            .field("distance", &self.distance)
            .finish()
    }
}
