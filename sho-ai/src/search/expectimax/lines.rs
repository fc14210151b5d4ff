//! What every action or every throw of a position comes to, and not only the best.

use sho_core::{ActionList, Game, PerSeat, Seat, Step};

use super::{Begun, Expectimax, Level, Search, deepest};
use crate::evaluate::Evaluate;

/// What each legal action of a position is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionValues<A> {
    /// The actions in the promised order, each with what it is worth to each seat, of `whole`.
    pub actions: Vec<(A, PerSeat<i64>)>,
    /// The sum of the values of an action: the payoff of a whole win in the units of a search of this depth.
    pub whole: i64,
    /// The depth that was searched, whole.
    pub depth: u32,
    /// The positions that were judged.
    pub leaves: u64,
}

/// What the throws of one class come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThrowValue<O, A> {
    /// One of the class.
    pub outcome: O,
    /// In how many equally likely ways one of the class falls.
    pub ways: u32,
    /// The best action then, of equals the first in the list; nothing where the throw leaves nothing to choose.
    pub answer: Option<A>,
    /// What that is worth to each seat.
    pub values: PerSeat<i64>,
}

/// What each class of throws is worth in a position in which dice are due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThrowValues<O, A> {
    /// The classes, in the order in which the game lists them. Their mean, each weighed by its ways, is what the position
    /// is worth at this depth.
    pub throws: Vec<ThrowValue<O, A>>,
    /// The sum of the values of a class.
    pub whole: i64,
    /// The depth that was searched, whole.
    pub depth: u32,
    /// The positions that were judged.
    pub leaves: u64,
}

impl<G: Game, V: Evaluate<G>> Expectimax<G, V> {
    /// What each legal action is worth, in a position in which an action is due. The best of them, of equals the first, is
    /// what [`search`](Self::search) chooses.
    ///
    /// Each action is searched as if there were no other, to the depth of the limits, however many nodes that takes: so
    /// all values are exact, where a search for the best one alone leaves the others with bounds.
    ///
    /// # Panics
    /// If no action is due.
    ///
    /// # Examples
    /// ```
    /// use sho_ai::search::alphabeta::Limits;
    /// use sho_ai::search::expectimax::Expectimax;
    /// use sho_ai::sho::{Evaluation, Weights};
    /// use sho_core::sho::{Rules, Sho};
    /// use sho_core::{Game, Notation, Seat};
    ///
    /// let game = Sho::new(Rules::lhasa())?;
    /// let state = game.parse_state("7+0:10x2/7+0:12x1,17x1/9+0o:- A move 7 0 9")?;
    /// let mut search = Expectimax::new(Limits::depth(2), Evaluation::new(Weights::ALL_RULES));
    /// let found = search.action_values(&game, &state);
    /// let best = found.actions.iter().max_by_key(|(_, values)| values[Seat::A]).ok_or("none")?;
    /// assert_eq!(game.action_text(&state, best.0), "10>17");
    /// assert_eq!(best.1.as_slice(3).iter().sum::<i64>(), found.whole);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn action_values(&mut self, game: &G, state: &G::State) -> ActionValues<G::Action> {
        let Step::Decide(seat) = game.step(state) else {
            panic!("no action is due in {state:?}");
        };
        let depth = deepest(game, self.limits.depth);
        let Begun { mut search, levels, two, .. } = self.begin(game, seat, depth);
        let actions = search.each(state, depth - 1, two, levels);
        ActionValues { actions, whole: search.whole(depth - 1), depth, leaves: search.leaves }
    }

    /// What each class of throws is worth, in a position in which dice are due: with a depth of 1 what the best answer to
    /// it leads to, and with each ply more one further. A throw that leaves nothing to choose is the whole ply.
    ///
    /// # Panics
    /// If no dice are due.
    ///
    /// # Examples
    /// ```
    /// use sho_ai::search::alphabeta::Limits;
    /// use sho_ai::search::expectimax::Expectimax;
    /// use sho_ai::sho::{Evaluation, Weights};
    /// use sho_core::sho::{Rules, Sho};
    /// use sho_core::Game;
    ///
    /// let game = Sho::new(Rules::lhasa())?;
    /// let mut search = Expectimax::new(Limits::depth(2), Evaluation::new(Weights::ALL_RULES));
    /// let found = search.throw_values(&game, &game.start());
    /// assert_eq!(found.throws.len(), 12);
    /// assert_eq!(found.throws.iter().map(|throw| throw.ways).sum::<u32>(), 36);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn throw_values(
        &mut self,
        game: &G,
        state: &G::State,
    ) -> ThrowValues<G::Outcome, G::Action> {
        let Step::Chance(seat) = game.step(state) else {
            panic!("no dice are due in {state:?}");
        };
        let depth = deepest(game, self.limits.depth);
        let Begun { mut search, levels, two, .. } = self.begin(game, seat, depth);
        let mut throws = Vec::new();
        for class in game.outcome_classes(state) {
            let mut next = state.clone();
            game.cast_unchecked(&mut next, class.outcome);
            let (answer, values) = match game.step(&next) {
                Step::Decide(seat) => {
                    let (action, values) =
                        first_best(&search.each(&next, depth - 1, two, levels), seat);
                    (Some(action), values)
                }
                _ => (None, search.above(&next, depth - 1, -1, two, levels)),
            };
            let (outcome, ways) = (class.outcome, class.ways);
            throws.push(ThrowValue { outcome, ways, answer, values });
        }
        ThrowValues { throws, whole: search.whole(depth - 1), depth, leaves: search.leaves }
    }
}

impl<G: Game, V: Evaluate<G>> Search<'_, G, V> {
    /// The values of each action of a position, in the promised order.
    fn each(
        &mut self,
        state: &G::State,
        left: u32,
        two: bool,
        levels: &mut [Level<G>],
    ) -> Vec<(G::Action, PerSeat<i64>)> {
        let (root, below) = levels.split_first_mut().expect("there is a level for each ply");
        self.game.actions(state, &mut root.actions);
        let values = root.actions.iter().map(|action| {
            let mut next = state.clone();
            self.game.play_unchecked(&mut next, action);
            (action, self.above(&next, left, -1, two, below))
        });
        values.collect()
    }
}

/// The first of the actions that are worth most to `seat`.
fn first_best<A: Copy>(actions: &[(A, PerSeat<i64>)], seat: Seat) -> (A, PerSeat<i64>) {
    let best = actions
        .iter()
        .copied()
        .reduce(|best, next| if next.1[seat] > best.1[seat] { next } else { best });
    best.expect("a seat that decides has an action")
}
