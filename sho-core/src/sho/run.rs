//! Simple turns, played one after the other without lists, phases or actions: [`Sho::play_simple_turns`].
//!
//! In nine of ten throws the side to move has one value to play, by one of its stacks or by a coin from the hand, and
//! most others are a pa ra and the throw after it. For a policy that can choose among moves by sets of bits, this loop
//! plays those. It stops before anything else, and gives the position back to the ordinary engine.

use super::action::Action;
use super::game::Sho;
use super::generate::{highest, sources_seldom_met, sources_within};
use super::rules::{PaRa, Reopen};
use super::state::{Due, State};
use super::transition::put_quietly;
use super::values::{Values, Waiting};
use crate::dice::Throw;
use crate::seat::Seat;

/// What one distance may be played by: the stacks of the mover that may go so far, and its hand.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    pub(super) sources: u64,
    pub(super) own: u64,
    pub(super) enemy: u64,
    pub(super) distance: u32,
}

/// One of [`Moves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick(pub(super) u64);

impl Moves {
    /// The moves of a distance. The heights stand in `planes`; whether a stack is [seldom met](SimplePlay::seldom_meets) only
    /// changes the time that it takes.
    #[inline(always)]
    pub(super) fn of(
        own: u64,
        enemy: u64,
        planes: &[u64],
        distance: u32,
        seldom_met: bool,
    ) -> Self {
        let sources = if seldom_met {
            sources_seldom_met(own, enemy, planes, distance)
        } else {
            sources_within(own, enemy, planes, distance)
        };
        Self { sources, own, enemy, distance }
    }

    /// How many there are.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.sources.count_ones()
    }

    /// Whether there are none. A policy is only handed some; of their [kills](Self::kills) or [joins](Self::joins)
    /// there may be none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.sources == 0
    }

    /// Number `index` from 0 in the order of the action list: the hand first, then by rising gaps.
    ///
    /// With an index that is too large it is none of them.
    #[inline(always)]
    #[must_use]
    pub const fn nth(self, index: u32) -> Pick {
        // The order runs from the highest bit down, but a lowest bit is cheaper to take away. Nobody can foresee how many
        // there are to take away, so it is done without a branch: nearly always three are enough.
        let skipped = self.len().wrapping_sub(index + 1);
        let mut rest = self.sources;
        let mut taken = 0;
        while taken < 3 {
            let fewer = rest & rest.wrapping_sub(1);
            rest = if taken < skipped { fewer } else { rest };
            taken += 1;
        }
        while taken < skipped && rest != 0 {
            rest &= rest - 1;
            taken += 1;
        }
        Pick(rest & rest.wrapping_neg())
    }

    /// The one that ends furthest.
    #[inline(always)]
    #[must_use]
    pub const fn furthest(self) -> Pick {
        Pick(self.sources & self.sources.wrapping_neg())
    }

    /// How far a move ends, in gaps from a point that is the same for all moves of a position.
    #[inline(always)]
    #[must_use]
    pub const fn reach(self, pick: Pick) -> i32 {
        self.distance as i32 - pick.0.trailing_zeros() as i32
    }

    /// The distance in gaps.
    #[inline(always)]
    #[must_use]
    pub const fn distance(self) -> u32 {
        self.distance
    }

    /// Those that kill.
    #[inline(always)]
    #[must_use]
    pub const fn kills(self) -> Self {
        Self { sources: self.sources & self.enemy << self.distance, ..self }
    }

    /// Those that join.
    #[inline(always)]
    #[must_use]
    pub const fn joins(self) -> Self {
        Self { sources: self.sources & self.own << self.distance, ..self }
    }
}

/// What may be done with two values that wait, as after a pa ra and the throw after it: play one of them, or both
/// together.
#[derive(Clone, Copy, Debug)]
pub struct Either {
    /// The moves of the smaller value, of the larger, and of both together; there is at least one in all. Where the values
    /// are the same the second has none.
    pub moves: [Moves; 3],
    pub(super) planes: [u64; 4],
}

/// One of [`Either`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EitherPick {
    /// The index of its moves in [`Either::moves`].
    pub by: usize,
    /// The move.
    pub pick: Pick,
}

impl Either {
    /// How many moves there are.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> u32 {
        self.moves.iter().map(|moves| moves.len()).sum()
    }

    /// Whether there are none. A policy is only handed some.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.iter().all(|moves| moves.is_empty())
    }

    /// Number `index` from 0 in the order of the action list: by source, then by distance.
    ///
    /// With an index that is too large it is none of them.
    #[inline(always)]
    #[must_use]
    pub fn nth(&self, mut index: u32) -> EitherPick {
        let mut all = self.moves.iter().fold(0, |all, moves| all | moves.sources);
        loop {
            let source = 1 << highest(all);
            for (by, moves) in self.moves.iter().enumerate() {
                if moves.sources & source != 0 {
                    if index == 0 {
                        return EitherPick { by, pick: Pick(source) };
                    }
                    index -= 1;
                }
            }
            all &= !source;
            if all == 0 {
                return EitherPick { by: 0, pick: Pick(0) };
            }
        }
    }

    /// The coins that a move moves.
    #[inline(always)]
    #[must_use]
    pub fn coins(&self, pick: Pick) -> u8 {
        let bit = |plane: u64| u8::from(plane & pick.0 != 0);
        let [ones, twos, fours, eights] = self.planes.map(bit);
        ones | twos << 1 | fours << 2 | eights << 3
    }
}

/// Who throws and chooses while [simple turns](Sho::play_simple_turns) are played.
pub trait SimplePlay {
    /// The seat's next throw.
    fn cast(&mut self, seat: Seat) -> Throw;

    /// One of at least one move.
    fn pick(&mut self, seat: Seat, moves: Moves) -> Pick;

    /// One of at least one move of two values.
    fn pick_either(&mut self, seat: Seat, moves: &Either) -> EitherPick;

    /// Whether a throw seldom brings an own stack to one of an enemy, as where bots kill what they can. The answer has to be
    /// a constant, and changes nothing but the time that it takes.
    #[inline(always)]
    fn seldom_meets(&self) -> bool {
        false
    }

    /// Hears that the throw opened, which was the only thing to do with it: the stack lands in the gap `distance`.
    #[inline(always)]
    fn opened(&mut self, _seat: Seat, _distance: u8) {}
}

/// How a pa ra went.
enum AfterPaRa {
    /// The turn is to be ended.
    TurnIsOver,
    /// What went home or met a stack has done all that there is to do.
    Done,
    /// The ordinary engine took over.
    NotSimple,
}

/// What was counted while turns were played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Turns that ended and were followed by another one: not the last of a game.
    pub turns: u32,
    /// Choices made, forced ones too.
    pub decisions: u32,
}

/// What was counted beyond one choice for each throw, and one turn that ended. Nearly all throws are so, and nothing has to
/// be counted for them.
#[derive(Clone, Copy, Debug, Default)]
struct Beyond {
    turns: i32,
    decisions: i32,
}

/// Whether a loop that looks at so many planes, three or four, is the one to play on from here.
#[inline(always)]
const fn calls_for<const PLANES: usize>(state: &State) -> bool {
    (state.planes[3] == 0) == (PLANES == 3)
}

impl core::ops::Add for Counted {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { turns: self.turns + other.turns, decisions: self.decisions + other.decisions }
    }
}

impl Sho {
    /// Whether [`play_simple_turns`](Self::play_simple_turns) can play anything by these rules: landings are judged by
    /// sizes alone (`going-home=any-throw`, `kill=equal-or-smaller`, `nine-stack=allowed`, no alliance), no throw
    /// passes the whole board (`shells` above 12), and a turn begins with no new mark (`reopen` other than
    /// `nothing-out`).
    #[must_use]
    pub fn has_simple_turns(&self) -> bool {
        self.usual_landings && self.rules.shells > 12 && self.rules.reopen != Reopen::NothingOut
    }

    /// Whether the next throw may be a simple one in a loop that looks at so many planes: dice are due, nothing waits, and
    /// no stack has eight coins or more, or some stack has, so that three or four planes are called for.
    #[inline(always)]
    pub(super) fn is_simple<const PLANES: usize>(&self, state: &State) -> bool {
        let due = state.due == Due::Throw && state.waiting.is_empty() && state.run == 0;
        due && calls_for::<PLANES>(state)
    }

    /// Casts for a side that is opening, with nothing waiting, and opens if that is legal: it is then the only action.
    /// Returns whether it did.
    #[inline(never)]
    fn open_with(&self, state: &mut State, throw: Throw) -> bool {
        state.throws += 1;
        let action = Action::Open { distance: throw.total(), spent: Values::one(throw.total()) };
        let arrival = self.arrival(state, action);
        match arrival {
            Some(arrival) => self.put_in(state, action, arrival),
            None => self.end_turn(state),
        }
        arrival.is_some()
    }

    /// Plays on for as long as throws are simple, and counts; where a single distance is to be played, plays that first.
    /// The state ends where the ordinary engine would have it, with every throw played: dice are due to a side whose
    /// throw may not be simple, an action is due, or the game is over.
    ///
    /// By rules that have no [simple turns](Self::has_simple_turns) nothing is played.
    ///
    /// # Panics
    /// If a pick is none of the moves, in builds with debug assertions; else the game goes on from a position that no
    /// rules allow.
    #[inline(always)]
    pub fn play_simple_turns(&self, state: &mut State, player: &mut impl SimplePlay) -> Counted {
        if !self.has_simple_turns() {
            return Counted::default();
        }
        // The number of sides is known to each copy of the loop.
        match self.rules.sides {
            2 => self.play_low_and_tall_turns::<2, false>(state, player),
            3 => self.play_low_and_tall_turns::<3, false>(state, player),
            _ => self.play_low_and_tall_turns::<4, false>(state, player),
        }
    }

    /// As [`play_simple_turns`](Self::play_simple_turns), but stops where another throw would begin that
    /// [fits a lane](Self::fits_lane). `SEATS` is the number of sides.
    ///
    /// # Panics
    /// As there.
    #[inline(always)]
    pub fn play_to_a_lane<const SEATS: usize>(
        &self,
        state: &mut State,
        player: &mut impl SimplePlay,
    ) -> Counted {
        if !self.has_simple_turns() {
            return Counted::default();
        }
        self.play_low_and_tall_turns::<SEATS, true>(state, player)
    }

    /// Plays simple turns: in a loop of its own while there is a stack of eight coins or more.
    #[inline(always)]
    fn play_low_and_tall_turns<const SEATS: usize, const ONCE: bool>(
        &self,
        state: &mut State,
        player: &mut impl SimplePlay,
    ) -> Counted {
        let mut played = Counted::default();
        loop {
            played = played + self.play_turns_of::<SEATS, ONCE, 3>(state, player);
            if !self.is_simple::<4>(state) {
                return played;
            }
            played = played + self.play_tall_turns::<SEATS>(state, player);
            if ONCE && self.is_simple::<3>(state) {
                return played;
            }
        }
    }

    /// Plays simple turns while there is a stack of eight coins or more, which few games have.
    #[cold]
    #[inline(never)]
    fn play_tall_turns<const SEATS: usize>(
        &self,
        state: &mut State,
        player: &mut impl SimplePlay,
    ) -> Counted {
        self.play_turns_of::<SEATS, false, 4>(state, player)
    }

    /// Plays a pick with nothing else waiting. Returns whether it was quiet, so that the turn is to be ended; else all
    /// is done.
    #[inline(always)]
    fn play_pick<const PLANES: usize>(
        &self,
        state: &mut State,
        picked: Pick,
        occupied: u64,
        distance: u32,
        throws: u16,
    ) -> bool {
        let Pick(source) = picked;
        debug_assert!(source & state.stacks[0] != 0 && source.is_power_of_two());
        let target = source >> distance;
        // A target past the board is 0.
        if target & !occupied == 0 {
            state.throws += throws;
            self.leave(state, source);
            self.go_home_or_meet(state, source, target, distance as u8);
            return false;
        }
        // The heights first: were both ways to begin alike, the compiler would store for both what only this one needs.
        put_quietly(&mut state.planes[..PLANES], source, distance);
        state.planes[0] |= self.hand;
        self.leave(state, source);
        state.stacks[0] |= target;
        state.throws += throws;
        true
    }

    /// The moves of one distance on the board.
    #[inline(always)]
    fn moves<const SEATS: usize, const PLANES: usize>(
        &self,
        state: &State,
        distance: u32,
        seldom_met: bool,
    ) -> Moves {
        let own = state.stacks[0];
        let enemy = state.stacks[1..SEATS].iter().fold(0, |all, stacks| all | stacks);
        Moves::of(own, enemy, &state.planes[..PLANES], distance, seldom_met)
    }

    /// Plays a pa ra that was just thrown, and what follows it.
    #[inline(always)]
    fn play_pa_ra<const SEATS: usize, const PLANES: usize>(
        &self,
        state: &mut State,
        player: &mut impl SimplePlay,
        beyond: &mut Beyond,
    ) -> AfterPaRa {
        let seat = state.sides.seat(0);
        let last_throw = state.throws + 1 >= self.rules.max_throws;
        let ordinary = |state: &mut State, throw: Throw, beyond: &mut Beyond| {
            self.cast(state, throw);
            // A throw or a choice of the same side, but for an opening that is refused, and values that fit nowhere.
            beyond.turns += i32::from(state.due == Due::Throw && state.sides.seat(0) != seat);
            AfterPaRa::NotSimple
        };
        if state.sides.hand(0) >= self.pa_ra_hand || state.sides.is_opening() || last_throw {
            return ordinary(state, Throw::PA_RA, beyond);
        }
        state.throws += 1;
        let (mut waits, mut waiting) = (2, Waiting::NONE.add(2, false));
        let mut run = 1;
        // One value waits, and dice are due.
        loop {
            let throw = player.cast(seat);
            let six_three = throw.is_six_three() || waiting.six_threes() > 0;
            if throw.is_pa_ra() || (six_three && self.may_bring_many(state)) {
                (state.run, state.waiting) = (run, waiting);
                return ordinary(state, throw, beyond);
            }
            (state.throws, run) = (state.throws + 1, 0);
            let thrown = throw.total();
            let thrown_waiting = Waiting::NONE.add(thrown, throw.is_six_three());
            let (smaller, larger, left) = if waits <= thrown {
                (waits, thrown, [thrown_waiting, waiting, Waiting::NONE])
            } else {
                (thrown, waits, [waiting, thrown_waiting, Waiting::NONE])
            };
            // Not by `map`, which is not always inlined.
            let moves_of = |distance: u8| {
                self.moves::<SEATS, PLANES>(state, distance.into(), player.seldom_meets())
            };
            let mut moves = [moves_of(smaller), moves_of(larger), moves_of(smaller + larger)];
            if smaller == larger {
                // The same moves twice.
                moves[1].sources = 0;
            }
            if moves.iter().all(|moves| moves.is_empty()) {
                return AfterPaRa::TurnIsOver;
            }
            beyond.decisions += 1;
            let either = Either { moves, planes: state.planes };
            let EitherPick { by, pick } = player.pick_either(seat, &either);
            (waiting, waits) = (left[by], [larger, smaller, 0][by]);
            state.waiting = waiting;
            let Moves { own, enemy, distance, .. } = moves[by];
            if self.play_pick::<PLANES>(state, pick, own | enemy, distance, 0) {
                break;
            }
            // A kill or a join throws again, with what still waits.
            if state.due != Due::Throw || state.waiting.is_empty() || !calls_for::<PLANES>(state) {
                return AfterPaRa::Done;
            }
        }
        state.waiting = Waiting::NONE;
        if waits == 0 || self.rules.pa_ra == PaRa::ChooseOne {
            return AfterPaRa::TurnIsOver;
        }
        let moves = self.moves::<SEATS, PLANES>(state, waits.into(), player.seldom_meets());
        if moves.is_empty() {
            return AfterPaRa::TurnIsOver;
        }
        beyond.decisions += 1;
        let picked = player.pick(seat, moves);
        if self.play_pick::<PLANES>(state, picked, moves.own | moves.enemy, moves.distance, 0) {
            AfterPaRa::TurnIsOver
        } else {
            AfterPaRa::Done
        }
    }

    /// Plays the one distance that is to be played: the last of several values, or what the ordinary engine was about to
    /// choose.
    #[inline(always)]
    fn play_legal<const SEATS: usize, const PLANES: usize>(
        &self,
        state: &mut State,
        player: &mut impl SimplePlay,
        beyond: &mut Beyond,
    ) {
        let seat = state.sides.seat(0);
        let moves = Moves {
            sources: state.legal,
            ..self.moves::<SEATS, PLANES>(state, state.distance.into(), player.seldom_meets())
        };
        beyond.decisions += 1;
        let picked = player.pick(seat, moves);
        (state.legal, state.distance, state.waiting) = (0, 0, Waiting::NONE);
        if self.play_pick::<PLANES>(state, picked, moves.own | moves.enemy, moves.distance, 0) {
            self.end_turn(state);
        }
        beyond.turns += i32::from(state.due == Due::Throw && state.sides.seat(0) != seat);
    }

    #[inline(always)]
    fn play_turns_of<const SEATS: usize, const ONCE: bool, const PLANES: usize>(
        &self,
        state: &mut State,
        player: &mut impl SimplePlay,
    ) -> Counted {
        let before = state.throws;
        let beyond = self.count_beyond_throws::<SEATS, ONCE, PLANES>(state, player);
        let throws = i32::from(state.throws) - i32::from(before);
        Counted {
            turns: (throws + beyond.turns) as u32,
            decisions: (throws + beyond.decisions) as u32,
        }
    }

    #[inline(always)]
    fn count_beyond_throws<const SEATS: usize, const ONCE: bool, const PLANES: usize>(
        &self,
        state: &mut State,
        player: &mut impl SimplePlay,
    ) -> Beyond {
        let mut beyond = Beyond::default();
        loop {
            if !self.is_simple::<PLANES>(state) {
                if state.legal == 0 || state.left_over > 0 || !calls_for::<PLANES>(state) {
                    return beyond;
                }
                self.play_legal::<SEATS, PLANES>(state, player, &mut beyond);
                if ONCE && self.is_simple::<PLANES>(state) {
                    return beyond;
                }
                continue;
            }
            let mover = loop {
                let seat = state.sides.seat(0);
                let throw = player.cast(seat);
                if throw.is_pa_ra() {
                    let before = state.throws;
                    let after = self.play_pa_ra::<SEATS, PLANES>(state, player, &mut beyond);
                    // From here on it is as one throw that was followed by one choice.
                    let throws = i32::from(state.throws) - i32::from(before);
                    beyond.decisions -= throws;
                    beyond.turns -= throws - 1;
                    match after {
                        AfterPaRa::TurnIsOver => {}
                        AfterPaRa::Done => break seat,
                        AfterPaRa::NotSimple => {
                            beyond.turns -= 1;
                            return beyond;
                        }
                    }
                } else {
                    // With nothing on the board the side may be opening, or a six-three may bring in many.
                    if state.stacks[0] & !self.hand == 0 {
                        if throw.is_six_three() && self.may_bring_many(state) {
                            self.cast(state, throw);
                            beyond.decisions -= 1;
                            beyond.turns -= i32::from(state.due != Due::Throw);
                            return beyond;
                        }
                        if state.sides.is_opening() {
                            if self.open_with(state, throw) {
                                player.opened(seat, throw.total());
                            } else {
                                beyond.decisions -= 1;
                            }
                            break seat;
                        }
                    }
                    let distance = throw.total().into();
                    let moves = self.moves::<SEATS, PLANES>(state, distance, player.seldom_meets());
                    if moves.is_empty() {
                        state.throws += 1;
                        beyond.decisions -= 1;
                    } else {
                        let picked = player.pick(seat, moves);
                        if !self.play_pick::<PLANES>(
                            state,
                            picked,
                            moves.own | moves.enemy,
                            moves.distance,
                            1,
                        ) {
                            break seat;
                        }
                    }
                }
                // The turn is over, and with it all that a state says of turns: nothing waits, the run is 0.
                state.rotate(SEATS);
                if state.throws >= self.rules.max_throws {
                    self.throw_again(state);
                    beyond.turns -= 1;
                    return beyond;
                }
                if ONCE {
                    return beyond;
                }
            };
            // What opened, went home or met a stack may have ended the turn, or earned a throw.
            let ended = state.due == Due::Throw && state.sides.seat(0) != mover;
            beyond.turns -= i32::from(!ended);
            if ONCE && self.is_simple::<PLANES>(state) {
                return beyond;
            }
        }
    }
}
