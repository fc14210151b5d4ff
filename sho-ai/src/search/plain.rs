//! The searches in twenty lines: no pruning, no table, no order. They judge the others.
//!
//! One for two seats that take turns without chance, by a [`Model`], and one for any game: [`expectimax`].

use sho_core::{ActionList, Game, PerSeat, Seat, Step};

use super::{Before, Evaluate, Model, Tactics};
use crate::evaluate::{self, value_of};

impl<V> Model<V> {
    /// The value to `seat` of a position, searched `depth` turns deep. `turns` have been played since the search began;
    /// `before` are the positions of the game.
    pub fn value<G: Tactics>(
        &self,
        game: &G,
        state: &G::State,
        seat: Seat,
        before: &Before,
        turns: u32,
        depth: u32,
    ) -> i32
    where
        V: Evaluate<G>,
    {
        if game.step(state) == Step::Over {
            return self.over(game, state, seat, turns);
        }
        if turns > 0 && before.contains(game.key(state)) {
            return self.draw(turns);
        }
        let (mut actions, mut best) = (G::Actions::default(), i32::MIN);
        if depth > 0 {
            game.actions(state, &mut actions);
        } else {
            if self.quiescence {
                game.noisy(state, &mut actions);
            }
            if actions.is_empty() || game.may_decline() {
                best = self.evaluation.evaluate(game, state);
            }
        }
        for action in actions.iter() {
            let value = self.after(game, state, action, seat, before, turns, depth);
            best = best.max(value);
        }
        best
    }

    /// The value to `seat` of an action.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of the function above, and an action"
    )]
    fn after<G: Tactics>(
        &self,
        game: &G,
        state: &G::State,
        action: G::Action,
        seat: Seat,
        before: &Before,
        turns: u32,
        depth: u32,
    ) -> i32
    where
        V: Evaluate<G>,
    {
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        -self.value(game, &next, seat.next(2), before, turns + 1, depth.saturating_sub(1))
    }

    /// The best action of a position in which `seat` decides, searched `depth` turns deep, at least one, and its value.
    /// Of equals the first in the list.
    ///
    /// # Panics
    /// If the game is over.
    pub fn best<G: Tactics>(
        &self,
        game: &G,
        state: &G::State,
        seat: Seat,
        before: &Before,
        depth: u32,
    ) -> (G::Action, i32)
    where
        V: Evaluate<G>,
    {
        let mut actions = G::Actions::default();
        game.actions(state, &mut actions);
        let value = |action| self.after(game, state, action, seat, before, 0, depth);
        let mut best = (actions.get(0), value(actions.get(0)));
        for action in actions.iter().skip(1) {
            let value = value(action);
            if value > best.1 {
                best = (action, value);
            }
        }
        best
    }
}

/// What a position is worth to each seat, looked at `plies` deep, when every seat takes what is best for itself (of equals
/// the first in the list).
///
/// A ply is a decision, with the throw before it where one is due; a throw that leaves nothing to choose is a whole ply.
/// Values are exact: integers in units of 1 / ([`CERTAIN`](crate::CERTAIN) * ways^plies), where ways is 36 for two
/// dice and 1 for a game without chance.
pub fn expectimax<G: Game>(
    game: &G,
    state: &G::State,
    evaluate: &impl evaluate::Evaluate<G>,
    plies: u32,
) -> PerSeat<i64> {
    let all_ways = i64::from(game.ways()).max(1);
    let times = |values: PerSeat<i64>, factor| PerSeat::from_fn(|seat| values[seat] * factor);
    match game.step(state) {
        Step::Chance(_) if plies > 0 => {
            let mut sum = PerSeat::<i64>::default();
            for (outcome, ways) in game.outcomes(state) {
                let mut next = state.clone();
                game.cast_unchecked(&mut next, outcome);
                let values = match game.step(&next) {
                    Step::Decide(seat) => expectimax_best(game, &next, seat, evaluate, plies).1,
                    _ => expectimax(game, &next, evaluate, plies - 1),
                };
                sum = PerSeat::from_fn(|seat| sum[seat] + i64::from(ways) * values[seat]);
            }
            sum
        }
        Step::Decide(seat) if plies > 0 => {
            times(expectimax_best(game, state, seat, evaluate, plies).1, all_ways)
        }
        _ => times(value_of(game, state, evaluate), all_ways.pow(plies)),
    }
}

/// The best action of a position in which `seat` decides, looked at `plies` deep, at least one, and what it is worth to
/// each seat, in the units of [`expectimax`] for one ply less. Of equals the first in the list.
///
/// # Panics
/// If no action is due, or `plies` is 0.
pub fn expectimax_best<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    evaluate: &impl evaluate::Evaluate<G>,
    plies: u32,
) -> (G::Action, PerSeat<i64>) {
    let mut actions = G::Actions::default();
    game.actions(state, &mut actions);
    let value = |action| {
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        expectimax(game, &next, evaluate, plies - 1)
    };
    let mut best = (actions.get(0), value(actions.get(0)));
    for action in actions.iter().skip(1) {
        let values = value(action);
        if values[seat] > best.1[seat] {
            best = (action, values);
        }
    }
    best
}
