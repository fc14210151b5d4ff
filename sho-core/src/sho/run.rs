//! Simple turns, played one after the other without lists, phases or actions: [`Sho::play_simple_turns`].
//!
//! In nine of ten throws the side to move has one value to play, by one of its stacks or by a coin from the hand. For a
//! policy that can choose among those by sets of bits, this loop plays such throws and nothing else. It stops before anything else, and gives the position back to the ordinary engine.

use super::action::Action;
use super::game::Sho;
use super::generate::sources_within;
use super::rules::Reopen;
use super::state::{Due, State};
use super::transition::put_quietly;
use super::values::{Values, Waiting};
use crate::dice::Throw;
use crate::seat::Seat;

/// What one distance may be played by: the stacks of the mover that may go so far, and its hand.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    sources: u64,
    own: u64,
    enemy: u64,
    distance: u32,
}

/// One of [`Moves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick(u64);

impl Moves {
    /// How many there are, at least one.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.sources.count_ones()
    }

    /// Never: moves are only handed out where there are some.
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
        // The order runs from the highest bit down, but a lowest bit is cheaper to take away. The second condition is
        // always true for an index that there is; it keeps the compiler from unrolling a loop of one or two rounds.
        let mut rest = self.sources;
        let mut skipped = self.len().wrapping_sub(index + 1);
        while skipped != 0 && rest != 0 {
            rest &= rest - 1;
            skipped -= 1;
        }
        Pick(rest & rest.wrapping_neg())
    }

    /// The one that ends furthest.
    #[inline(always)]
    #[must_use]
    pub const fn furthest(self) -> Pick {
        Pick(self.sources & self.sources.wrapping_neg())
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

/// What was counted while turns were played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Turns that ended and were followed by another one: not the last of a game.
    pub turns: u32,
    /// Choices made, forced ones too.
    pub decisions: u32,
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

    /// Whether the next throw may be a simple one: dice are due, nothing waits, and no stack has eight coins or more, so
    /// that three planes hold all heights.
    #[inline(always)]
    fn is_simple(&self, state: &State) -> bool {
        let due = state.due == Due::Throw && state.waiting.is_empty() && state.run == 0;
        due && state.planes[3] == 0
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

    /// Plays on for as long as throws are simple, and counts; where a single distance is to be played, plays that first. `cast` throws for a
    /// seat, and `pick` chooses among at least one move of a seat. The state ends where the ordinary engine would have
    /// it, with every throw played: dice are due to a side whose throw may not be simple, an action is due, or the game
    /// is over.
    ///
    /// By rules that have no [simple turns](Self::has_simple_turns) nothing is played.
    ///
    /// # Panics
    /// If a pick is none of the moves, in builds with debug assertions; else the game goes on from a position that no
    /// rules allow.
    #[inline(always)]
    pub fn play_simple_turns(
        &self,
        state: &mut State,
        cast: impl FnMut(Seat) -> Throw,
        pick: impl FnMut(Seat, Moves) -> Pick,
    ) -> Played {
        if !self.has_simple_turns() {
            return Played::default();
        }
        // The number of sides is known to each copy of the loop.
        match self.rules.sides {
            2 => self.play_turns_of::<2>(state, cast, pick),
            3 => self.play_turns_of::<3>(state, cast, pick),
            _ => self.play_turns_of::<4>(state, cast, pick),
        }
    }

    /// Plays a pick with nothing else waiting. Returns whether it was quiet, so that the turn is to be ended; else all
    /// is done.
    #[inline(always)]
    fn play_pick(&self, state: &mut State, picked: Pick, occupied: u64, distance: u32) -> bool {
        let Pick(source) = picked;
        debug_assert!(source & state.stacks[0] != 0 && source.is_power_of_two());
        let target = source >> distance;
        self.leave(state, source);
        if target == 0 || occupied & target != 0 {
            self.go_home_or_meet(state, source, target, distance as u8);
            return false;
        }
        put_quietly(&mut state.planes[..3], source, distance);
        state.planes[0] |= self.hand;
        state.stacks[0] |= target;
        true
    }

    #[inline(always)]
    fn play_turns_of<const SEATS: usize>(
        &self,
        state: &mut State,
        mut cast: impl FnMut(Seat) -> Throw,
        mut pick: impl FnMut(Seat, Moves) -> Pick,
    ) -> Played {
        let mut played = Played::default();
        if state.legal != 0 && state.left_over == 0 && state.planes[3] == 0 {
            // The last of several values, or whatever the ordinary engine was about to choose.
            let (seat, distance) = (state.sides.seat(0), u32::from(state.distance));
            let [own, enemy] = [state.stacks[0], state.occupied() & !state.stacks[0]];
            played.decisions += 1;
            let picked = pick(seat, Moves { sources: state.legal, own, enemy, distance });
            (state.legal, state.distance, state.waiting) = (0, 0, Waiting::NONE);
            if self.play_pick(state, picked, own | enemy, distance) {
                self.end_turn(state);
            }
            played.turns += u32::from(state.due == Due::Throw && state.sides.seat(0) != seat);
        }
        while self.is_simple(state) {
            let mover = loop {
                let seat = state.sides.seat(0);
                let throw = cast(seat);
                if throw.is_pa_ra() {
                    self.cast(state, throw);
                    // A throw or a choice of the same side, but for an opening that is refused.
                    played.turns += u32::from(state.due == Due::Throw && state.run == 0);
                    return played;
                }
                let own = state.stacks[0];
                // With nothing on the board the side may be opening, or a six-three may bring in many.
                if own & !self.hand == 0 {
                    if state.sides.is_opening() && !throw.is_six_three() {
                        played.decisions += u32::from(self.open_with(state, throw));
                        break seat;
                    }
                    if throw.is_six_three() {
                        self.cast(state, throw);
                        played.turns += u32::from(state.due == Due::Throw);
                        return played;
                    }
                }
                state.throws += 1;
                let distance = u32::from(throw.total());
                let enemy = state.stacks[1..SEATS].iter().fold(0, |all, stacks| all | stacks);
                let sources = sources_within(own, enemy, &state.planes[..3], distance);
                if sources != 0 {
                    played.decisions += 1;
                    let picked = pick(seat, Moves { sources, own, enemy, distance });
                    if !self.play_pick(state, picked, own | enemy, distance) {
                        break seat;
                    }
                }
                // The turn is over, and with it all that a state says of turns: nothing waits, the run is 0.
                state.rotate(SEATS);
                if state.throws >= self.rules.max_throws {
                    self.throw_again(state);
                    return played;
                }
                played.turns += 1;
            };
            // What opened, went home or met a stack may have ended the turn.
            let ended = state.due == Due::Throw && state.sides.seat(0) != mover;
            played.turns += u32::from(ended);
        }
        played
    }
}
