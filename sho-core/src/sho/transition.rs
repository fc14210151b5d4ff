//! What throws and actions do to a compact state.

use super::action::{Action, Effect, Landing};
use super::game::Sho;
use super::gap::Gap;
use super::generate::Arrival;
use super::rules::{LeftOver, PaRa, Reopen};
use super::setup::Opening;
use super::state::{Due, State};
use super::values::Waiting;
use crate::dice::Throw;

impl Sho {
    #[inline]
    pub(super) fn cast(&self, state: &mut State, throw: Throw) {
        state.throws += 1;
        if throw.is_pa_ra() {
            return self.pa_ra(state);
        }
        state.run = 0;
        let alone = state.waiting.is_empty() & !state.sides.is_opening();
        state.waiting = state.waiting.add(throw.total(), throw.is_six_three());
        // Where a six-three may bring many coins in, the list is made the slow way.
        if !alone || (throw.is_six_three() && self.may_bring_many(state)) {
            return self.choose(state);
        }
        let sources = self.sources(state, throw.total().into());
        if sources == 0 {
            return self.end_turn(state);
        }
        state.legal = sources;
        state.distance = throw.total();
        state.due = Due::Move;
    }

    #[cold]
    fn pa_ra(&self, state: &mut State) {
        state.run = state.run.saturating_add(1).min(self.rules.max_throws);
        if self.rules.three_pa_ra_wins && state.run >= 3 {
            return finish(state, 1 << state.mover().index());
        }
        if state.waiting.len() + 1 >= usize::from(self.rules.waiting_limit) {
            return self.throw_again(state);
        }
        state.waiting = state.waiting.add(2, false);
        if state.sides.is_opening() && !self.rules.pa_ra_pair {
            self.choose(state);
        } else if self.rules.pa_ra_pair && self.pair(state).is_some() {
            state.due = Due::Pair;
        } else {
            self.throw_again(state);
        }
    }

    /// The mover chooses, if there is anything to choose.
    #[cold]
    fn choose(&self, state: &mut State) {
        state.due = Due::Move;
        if let Some((smaller, larger)) = state.waiting.values().pair() {
            // A pa ra and the throw after it: as a rule one of the two will do, and then nothing else need be known.
            let may = |value: u8| self.sources(state, value.into()) != 0;
            if !state.sides.is_opening() && (may(smaller) || may(larger)) {
                return (state.legal, state.distance) = (0, 0);
            }
        }
        self.find_legal(state);
        if state.legal == 0 && !self.any_from_waiting(state) {
            self.end_turn(state);
        }
    }

    /// Makes `legal` what the rest of the state says it is.
    pub(super) fn find_legal(&self, state: &mut State) {
        (state.legal, state.distance) = (0, 0);
        if state.due != Due::Move || state.sides.is_opening() {
            return;
        }
        let distance = if state.left_over > 0 {
            state.left_over
        } else if let Some(value) =
            state.waiting.values().single().filter(|_| !self.six_three(state))
        {
            value
        } else {
            return;
        };
        state.legal = self.sources(state, distance.into());
        state.distance = if state.legal == 0 { 0 } else { distance };
    }

    #[inline]
    pub(super) fn act(&self, state: &mut State, action: Action) {
        if state.legal == 0 {
            return self.act_from_list(state, action);
        }
        let distance = state.distance;
        (state.legal, state.distance) = (0, 0);
        if state.left_over > 0 {
            state.left_over = 0;
        } else {
            // One distance was to be played, so nothing of it is left waiting.
            state.waiting = Waiting::NONE;
        }
        let from = action.from().map_or(0, Gap::number);
        self.advance(state, self.hand >> from, distance);
    }

    /// Plays an action where several values wait, where it brings several coins in, or where none move.
    #[cold]
    #[inline(never)]
    fn act_from_list(&self, state: &mut State, action: Action) {
        state.waiting = self.left(state, action);
        match action {
            Action::Enter { distance, .. } => self.advance(state, self.hand, distance),
            Action::Move { from, distance, .. } => {
                self.advance(state, self.hand >> from.number(), distance);
            }
            Action::Open { .. } | Action::Pair | Action::SixThree => self.arrive(state, action),
            Action::Again => self.throw_again(state),
        }
    }

    /// What an action leaves waiting.
    fn left(&self, state: &State, action: Action) -> Waiting {
        match action {
            Action::SixThree => state.waiting.spend_six_three(),
            _ => state.waiting.spend(action.spent()),
        }
    }

    /// Moves the stack at the bit `source`, or a coin from the hand.
    #[inline]
    fn advance(&self, state: &mut State, source: u64, distance: u8) {
        let target = source.checked_shr(distance.into()).unwrap_or(0);
        self.leave(state, source);
        // A target past the board is 0.
        if target & !state.occupied() == 0 {
            return self.arrive_or_meet(state, source, target, distance);
        }
        put_quietly(&mut state.planes, source, distance.into());
        // The hand's single coin in plane 0 stays there whatever the hand holds.
        state.planes[0] |= self.hand;
        state.stacks[0] |= target;
        self.go_on(state);
    }

    /// Takes the stack at the bit `source`, or a coin from the hand, out of all but the planes.
    #[inline(always)]
    pub(super) fn leave(&self, state: &mut State, source: u64) {
        let entering = source & self.hand;
        state.sides.take_hand((entering != 0).into());
        // The hand's bit stays while there are coins.
        let kept = if state.sides.hand(0) > 0 { entering } else { 0 };
        state.stacks[0] ^= source ^ kept;
        state.fresh &= !source;
    }

    #[inline(never)]
    fn arrive_or_meet(&self, state: &mut State, source: u64, target: u64, distance: u8) {
        self.go_home_or_meet(state, source, target, distance);
    }

    /// The rest of [`advance`](Self::advance) where the stack goes home, joins or kills: a fifth of all actions.
    #[inline(always)]
    pub(super) fn go_home_or_meet(
        &self,
        state: &mut State,
        source: u64,
        target: u64,
        distance: u8,
    ) {
        if target == 0 {
            let coins = state.height(source);
            for plane in &mut state.planes {
                *plane &= !source;
            }
            return self.arrive_home(state, coins, source, distance);
        }
        if state.stacks[0] & target == 0 {
            self.kill(state, target);
            for plane in &mut state.planes {
                let moving = (*plane & source) >> distance;
                *plane = (*plane & !(source | target)) | moving;
            }
            state.planes[0] |= self.hand;
            state.stacks[0] |= target;
            return self.throw_again(state);
        }
        // The heights are added bit by bit with a carry.
        let mut carry = 0;
        for plane in &mut state.planes {
            let (moving, there) = ((*plane & source) >> distance, *plane & target);
            let sum = moving ^ there ^ carry;
            carry = (moving & there) | (carry & (moving | there));
            *plane = (*plane & !(source | target)) | sum;
        }
        state.planes[0] |= self.hand;
        state.fresh &= !target;
        if self.rules.join_throws { self.throw_again(state) } else { self.go_on(state) }
    }

    /// Brings coins in by an opening, a pair or a six-three.
    #[cold]
    fn arrive(&self, state: &mut State, action: Action) {
        // The caller promised a legal action; another one moves nothing.
        if let Some(arrival) = self.arrival(state, action) {
            self.put_in(state, action, arrival);
        }
    }

    /// Puts the coins of an opening, a pair or a six-three where they arrive.
    pub(super) fn put_in(&self, state: &mut State, action: Action, arrival: Arrival) {
        let Arrival { coins, target, landing } = arrival;
        state.sides.take_hand(coins);
        if state.sides.hand(0) == 0 {
            state.stacks[0] &= !self.hand;
        }
        if !matches!(action, Action::Pair) {
            state.sides.set_opening(0, Opening::Done);
        }
        let opens = matches!(action, Action::Open { .. });
        let mut height = coins;
        match landing {
            Landing::Kill => self.kill(state, target),
            Landing::Join => height += state.height(target),
            Landing::Quiet | Landing::Home => {}
        }
        self.put_down(state, height, target);
        if opens {
            state.fresh |= target;
        } else {
            state.fresh &= !target;
        }
        match landing {
            Landing::Kill if opens && !self.rules.opening_kill_throws => self.end_turn(state),
            Landing::Kill => self.throw_again(state),
            Landing::Join if self.rules.join_throws => self.throw_again(state),
            _ => self.go_on(state),
        }
    }

    /// Makes the stack in a gap the mover's, of this height.
    #[inline]
    fn put_down(&self, state: &mut State, height: u8, target: u64) {
        for (index, plane) in state.planes.iter_mut().enumerate() {
            *plane = (*plane & !target) | (target * u64::from(height >> index & 1));
        }
        state.stacks[0] |= target;
    }

    /// Sends the enemy stack in a gap back to its owner's hand; its height stays in the planes.
    #[inline(always)]
    fn kill(&self, state: &mut State, target: u64) {
        let Some(owner) = state.owner(target) else { return };
        if self.alliances && self.leader(state) == Some(owner) {
            state.sides.set_champion(true);
        }
        state.sides.add_hand(owner, state.height(target));
        state.stacks[owner] = state.stacks[owner] & !target | self.hand;
        if state.fresh & target != 0 {
            state.fresh &= !target;
            if self.rules.reopen == Reopen::OpeningKilled && state.stacks[owner] == self.hand {
                state.sides.set_opening(owner, Opening::Again);
            }
        }
    }

    #[inline]
    fn arrive_home(&self, state: &mut State, coins: u8, source: u64, distance: u8) {
        state.sides.add_home(coins);
        if state.sides.home(0) == self.rules.coins {
            if !state.sides.champion(0) {
                return finish(state, 1 << state.mover().index());
            }
            // A champion owes one coin, and the left-over is lost with it.
            state.sides.set_champion(false);
            state.sides.call_back();
            state.stacks[0] |= self.hand;
        } else if self.rules.left_over == LeftOver::Used {
            // Bit `distance - 1` lands just past the last shell.
            let spare = u32::from(distance) - 1 - source.trailing_zeros();
            if spare > 0 {
                let sources = self.sources(state, spare);
                if sources != 0 {
                    state.left_over = spare as u8;
                    state.legal = sources;
                    state.distance = spare as u8;
                    state.due = Due::Move;
                    return;
                }
            }
        }
        self.go_on(state);
    }

    /// After an action that earns no throw.
    #[inline]
    fn go_on(&self, state: &mut State) {
        if state.waiting.is_empty() || self.rules.pa_ra == PaRa::ChooseOne {
            self.end_turn(state);
        } else {
            self.choose(state);
        }
    }

    #[inline]
    pub(super) fn end_turn(&self, state: &mut State) {
        state.waiting = Waiting::NONE;
        state.run = 0;
        state.rotate(self.rules.sides.into());
        if self.rules.reopen == Reopen::NothingOut
            && state.stacks[0] & !self.hand == 0
            && state.sides.opening(0) == Opening::Done
        {
            state.sides.set_opening(0, Opening::Again);
        }
        self.throw_again(state);
    }

    /// The mover throws, unless the game has come to its last throw.
    #[inline]
    pub(super) fn throw_again(&self, state: &mut State) {
        state.due = Due::Throw;
        if state.throws >= self.rules.max_throws {
            self.reach_cap(state);
        }
    }

    #[cold]
    fn reach_cap(&self, state: &mut State) {
        let seats = usize::from(self.rules.sides);
        let most = (0..seats).map(|side| state.sides.home(side)).max();
        let winners = (0..seats).filter(|&side| Some(state.sides.home(side)) == most);
        finish(state, winners.map(|side| 1 << state.sides.seat(side).index()).sum());
    }

    pub(super) fn effect_of(&self, state: &State, action: Action) -> Effect {
        let left = if state.left_over > 0 { state.waiting } else { self.left(state, action) };
        let (coins, landing, target) = match action {
            Action::Again => return Effect { landing: None, coins: 0, killed: 0, left },
            Action::Open { .. } | Action::Pair | Action::SixThree => {
                match self.arrival(state, action) {
                    Some(arrival) => (arrival.coins, Some(arrival.landing), arrival.target),
                    None => (0, None, 0),
                }
            }
            Action::Enter { distance, .. } => {
                let target = self.hand.checked_shr(distance.into()).unwrap_or(0);
                (1, self.landing(state, 1, target, true), target)
            }
            Action::Move { from, distance, .. } => {
                let source = self.hand >> from.number();
                let coins = state.height(source);
                match source.checked_shr(distance.into()).unwrap_or(0) {
                    0 => (coins, Some(Landing::Home), 0),
                    target => (coins, self.landing(state, coins, target, true), target),
                }
            }
        };
        let killed = if landing == Some(Landing::Kill) { state.height(target) } else { 0 };
        Effect { landing, coins, killed, left }
    }
}

/// Moves the height of what left `source` to an empty gap.
#[inline(always)]
pub(super) fn put_quietly(planes: &mut [u64], source: u64, distance: u32) {
    for plane in planes {
        let moving = *plane & source;
        *plane ^= moving | moving >> distance;
    }
}

/// Ends the game for these winners, bit by seat.
pub(super) fn finish(state: &mut State, winners: u8) {
    state.due = Due::Over;
    state.winners = winners;
    state.waiting = Waiting::NONE;
    state.left_over = 0;
    (state.legal, state.distance) = (0, 0);
}
