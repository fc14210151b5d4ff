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
        let alone = state.waiting.is_empty();
        state.waiting = state.waiting.add(throw.total(), throw.is_six_three());
        if alone && !state.sides.is_opening() {
            self.choose_distance(state, throw.total(), throw.is_six_three());
        } else {
            self.choose(state);
        }
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

    /// The mover, not opening, has one distance to play, and chooses a source if there is one.
    #[inline]
    fn choose_distance(&self, state: &mut State, distance: u8, six_three: bool) {
        // A six-three needs an empty board: then the list is for the slow way.
        if six_three && state.stacks[0] & !self.hand == 0 {
            return self.choose(state);
        }
        let sources = self.sources(state, distance.into());
        if sources == 0 {
            return self.end_turn(state);
        }
        state.legal = sources;
        state.distance = distance;
        state.due = Due::Move;
    }

    /// The mover chooses, if there is anything to choose.
    #[cold]
    fn choose(&self, state: &mut State) {
        state.due = Due::Move;
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
        // One distance was to be played, so nothing of it is left waiting.
        let distance = state.distance;
        if state.left_over > 0 {
            state.left_over = 0;
        } else {
            state.waiting = Waiting::NONE;
        }
        (state.legal, state.distance) = (0, 0);
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
        // The hand's single coin in plane 0 stays there whatever the hand holds.
        let entering = source & self.hand;
        state.sides.take_hand((entering != 0).into());
        let emptied = entering == 0 || state.sides.hand(0) == 0;
        state.stacks[0] ^= if emptied { source } else { 0 };
        state.fresh &= !source;
        if target == 0 || state.occupied() & target != 0 {
            return self.arrive_or_meet(state, source, target, distance);
        }
        for plane in &mut state.planes {
            let moving = *plane & source;
            *plane = *plane ^ moving | moving >> distance;
        }
        state.planes[0] |= entering;
        state.stacks[0] |= target;
        self.go_on(state);
    }

    /// The rest of [`advance`](Self::advance) where the stack goes home, joins or kills: a seventh of all actions.
    #[inline(never)]
    fn arrive_or_meet(&self, state: &mut State, source: u64, target: u64, distance: u8) {
        let coins = state.height(source);
        for plane in &mut state.planes {
            *plane &= !source;
        }
        state.planes[0] |= source & self.hand;
        if target == 0 {
            self.arrive_home(state, coins, source, distance);
        } else if state.stacks[0] & target != 0 {
            self.put_down(state, coins + state.height(target), target);
            state.fresh &= !target;
            if self.rules.join_throws { self.throw_again(state) } else { self.go_on(state) }
        } else {
            self.kill(state, target);
            self.put_down(state, coins, target);
            self.throw_again(state);
        }
    }

    /// Brings coins in by an opening, a pair or a six-three.
    #[cold]
    fn arrive(&self, state: &mut State, action: Action) {
        // The caller promised a legal action; another one moves nothing.
        let Some(Arrival { coins, target, landing }) = self.arrival(state, action) else { return };
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
    fn end_turn(&self, state: &mut State) {
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
    fn throw_again(&self, state: &mut State) {
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

/// Ends the game for these winners, bit by seat.
fn finish(state: &mut State, winners: u8) {
    state.due = Due::Over;
    state.winners = winners;
    state.waiting = Waiting::NONE;
    state.left_over = 0;
    (state.legal, state.distance) = (0, 0);
}
