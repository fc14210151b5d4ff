//! The search in twenty lines: no pruning, no table, no order. It judges the others.

use sho_core::{ActionList, Seat, Step};

use super::{Before, Evaluate, Model, Tactics};

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
