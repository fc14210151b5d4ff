//! What every game is to a search or a runner: [`Game`].
//!
//! A game is a value that holds its rules; a state is data that only makes sense together with its game. At every
//! state [`Game::step`] says what comes next: the game is over, chance decides, or a seat decides. A search that
//! matches on it cannot forget dice, extra throws, or that turns do not alternate.

use alloc::vec::Vec;
use core::fmt::Debug;
use core::hash::Hash;

use crate::rule_set::{ImpossibleRules, RuleSet};
use crate::seat::{PerSeat, Seat};

/// The payoff of a whole win, in the units of [`Game::payoffs`]: a win shared by up to four seats stays whole.
pub const WHOLE_PAYOFF: u32 = 12;

/// What comes next in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Nothing: the game has ended, see [`Game::payoffs`].
    Over,
    /// Chance decides, on behalf of this seat (the seat that throws the dice).
    Chance(Seat),
    /// This seat chooses one of at least one action.
    Decide(Seat),
}

/// What the length of a game is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Outcomes of chance: casts of the dice.
    Throws,
    /// Turns begun: runs of steps of one seat.
    Turns,
    /// Actions chosen, forced ones too.
    Decisions,
}

impl Unit {
    /// The unit's plural name, as in result files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Throws => "throws",
            Self::Turns => "turns",
            Self::Decisions => "decisions",
        }
    }
}

/// Outcomes of chance that lead to the same state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutcomeClass<O> {
    /// One of them.
    pub outcome: O,
    /// In how many equally likely ways one of them comes about.
    pub ways: u32,
    /// How many distinct outcomes they are.
    pub outcomes: u32,
}

/// The legal actions of one state, in the game's promised order. A value of this type is a buffer: fill it again and
/// again with [`Game::actions`], and play allocates nothing.
pub trait ActionList: Default + Clone + Debug + Send {
    /// The action.
    type Action: Copy + Eq;

    /// How many actions there are.
    fn len(&self) -> usize;

    /// Action number `index` from 0 in the promised order.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len).
    fn get(&self, index: usize) -> Self::Action;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All actions in the promised order.
    fn iter(&self) -> impl Iterator<Item = Self::Action> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Whether `action` is one of them.
    fn contains(&self, action: Self::Action) -> bool {
        self.iter().any(|other| other == action)
    }
}

/// Why a step was refused; the state is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalStep {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The dice are due, and an action was given.
    #[error("{0} throws next, no action is due")]
    ChanceIsDue(Seat),
    /// An action is due, and a throw was given.
    #[error("{0} chooses an action next, no throw is due")]
    ActionIsDue(Seat),
    /// The action is not among the legal ones.
    #[error("this action is not legal here")]
    NotLegal,
}

/// A game of two to four seats, with or without chance.
///
/// Any implementation must pass [`conformance::check`](crate::conformance::check).
///
/// # Examples
/// A random game, whatever the game:
/// ```
/// use sho_core::{ActionList, Game, Step, Stream, sho};
///
/// fn play<G: Game>(game: &G, words: &mut Stream) -> u32 {
///     let (mut state, mut actions) = (game.start(), G::Actions::default());
///     let mut history = game.begin(&state);
///     let mut steps = 0;
///     loop {
///         match game.step(&state) {
///             Step::Over => return steps,
///             Step::Chance(_) => {
///                 let way = words.below(game.ways());
///                 let outcome = game.outcome(&state, way);
///                 game.cast_unchecked(&mut state, outcome);
///             }
///             Step::Decide(_) => {
///                 game.actions(&state, &mut actions);
///                 let action = actions.get(words.below(actions.len() as u32) as usize);
///                 game.play_unchecked(&mut state, action);
///                 game.remember(&mut state, &mut history);
///             }
///         }
///         steps += 1;
///     }
/// }
///
/// let game = sho::plain::Sho::new(sho::Rules::lhasa())?;
/// assert!(play(&game, &mut Stream::new(1, "example", 0)) > 50);
/// # Ok::<(), sho_core::ImpossibleRules>(())
/// ```
pub trait Game: Clone + Debug + Send + Sync {
    /// The house rules as data.
    type Rules: RuleSet;
    /// A position, with everything that matters for what may follow.
    type State: Clone + Eq + Hash + Debug + Send + Sync;
    /// What a seat chooses. The order of values is the promised order of the action list.
    type Action: Copy + Ord + Hash + Debug + Send + Sync;
    /// What chance chooses. A game without chance takes [`core::convert::Infallible`].
    type Outcome: Copy + Ord + Hash + Debug + Send + Sync;
    /// A buffer for the legal actions.
    type Actions: ActionList<Action = Self::Action>;
    /// What play must remember beside the state, such as the positions that count for repetition. `()` where the
    /// state says all.
    type History: Clone + Debug + Send + Sync;

    /// The game's name on the command line and in files.
    const NAME: &'static str;
    /// The units in which the game's length is reported, the main one first.
    const UNITS: &'static [Unit];
    /// The ways in which a game ends, as named in result files; [`end`](Self::end) gives an index into it.
    const ENDS: &'static [&'static str];
    /// What a unit of the main length lasts at a table, in seconds, where that is known.
    const TABLE_SECONDS: Option<u32>;
    /// Whether chance has a part in it: whether [`step`](Self::step) ever says [`Step::Chance`]. Where it has none, the
    /// same players play the same game again unless they draw or start elsewhere, so that a runner varies the opening.
    const HAS_CHANCE: bool;

    /// The game under these rules.
    ///
    /// # Errors
    /// Where the rules make no sense together.
    fn new(rules: Self::Rules) -> Result<Self, ImpossibleRules>;

    /// The rules that it plays by.
    fn rules(&self) -> &Self::Rules;

    /// The number of seats, 2 to 4.
    fn seats(&self) -> usize {
        self.rules().sides()
    }

    /// The state before the first step.
    fn start(&self) -> Self::State;

    /// What play remembers when it begins in `state`: that this position has stood once. Before the first step, and
    /// wherever play begins anew.
    fn begin(&self, state: &Self::State) -> Self::History;

    /// What comes next.
    fn step(&self, state: &Self::State) -> Step;

    /// The number of equally likely ways in which chance may decide, at most 256: 36 for two dice, 0 for a game without
    /// chance.
    fn ways(&self) -> u32;

    /// The outcome of way number `way`, from 0 and below [`ways`](Self::ways). Several ways may have the same outcome.
    fn outcome(&self, state: &Self::State, way: u32) -> Self::Outcome;

    /// The distinct outcomes in rising order, each with its number of ways.
    fn outcomes(&self, state: &Self::State) -> impl Iterator<Item = (Self::Outcome, u32)>;

    /// The outcomes merged where they lead to the same state. A search needs only one of each class.
    fn outcome_classes(
        &self,
        state: &Self::State,
    ) -> impl Iterator<Item = OutcomeClass<Self::Outcome>> {
        self.outcomes(state).map(|(outcome, ways)| OutcomeClass { outcome, ways, outcomes: 1 })
    }

    /// Puts the legal actions into `into`, in the promised order; none where no action is due.
    fn actions(&self, state: &Self::State, into: &mut Self::Actions);

    /// The number of legal actions, the length of the list that [`actions`](Self::actions) makes. Perft counts its
    /// last step with it, so a game that can count without listing should. What is in `buffer` afterwards means
    /// nothing.
    fn count_actions(&self, state: &Self::State, buffer: &mut Self::Actions) -> u64 {
        self.actions(state, buffer);
        buffer.len() as u64
    }

    /// Whether the action is among the legal ones.
    fn is_legal(&self, state: &Self::State, action: Self::Action) -> bool {
        let mut actions = Self::Actions::default();
        self.actions(state, &mut actions);
        actions.contains(action)
    }

    /// Applies an outcome of chance, trusting the caller that chance is due.
    ///
    /// Called where it is not due, the state that results is of no use, but nothing is undefined; the same holds for
    /// [`play_unchecked`](Self::play_unchecked). Either may panic then.
    fn cast_unchecked(&self, state: &mut Self::State, outcome: Self::Outcome);

    /// Applies an action, trusting the caller that it is legal.
    fn play_unchecked(&self, state: &mut Self::State, action: Self::Action);

    /// Looks at the state after an action of a real game and may end the game for what went before: a draw by
    /// repetition. A game that is over already it leaves alone. Searches and perft may leave it out.
    fn remember(&self, _state: &mut Self::State, _history: &mut Self::History) {}

    /// The same game without draws, where it has any: lines go on until somebody wins. This is the game that perft
    /// counts, so that its counts say how the pieces move and nothing else.
    #[must_use]
    fn without_draws(&self) -> Self {
        self.clone()
    }

    /// Each seat's payoff in twelfths of a win, once the game is over: they sum to [`WHOLE_PAYOFF`]. All 0 before.
    fn payoffs(&self, state: &Self::State) -> PerSeat<u32>;

    /// How the game ended, as an index into [`ENDS`](Self::ENDS), or nothing while it goes on.
    fn end(&self, state: &Self::State) -> Option<usize>;

    /// Applies an outcome of chance.
    ///
    /// # Errors
    /// Where chance is not due; the state is left alone.
    fn cast(&self, state: &mut Self::State, outcome: Self::Outcome) -> Result<(), IllegalStep> {
        match self.step(state) {
            Step::Over => Err(IllegalStep::Over),
            Step::Decide(seat) => Err(IllegalStep::ActionIsDue(seat)),
            Step::Chance(_) => {
                self.cast_unchecked(state, outcome);
                Ok(())
            }
        }
    }

    /// Applies an action.
    ///
    /// # Errors
    /// Where no action is due, or this one is not legal; the state is left alone.
    fn play(&self, state: &mut Self::State, action: Self::Action) -> Result<(), IllegalStep> {
        match self.step(state) {
            Step::Over => Err(IllegalStep::Over),
            Step::Chance(seat) => Err(IllegalStep::ChanceIsDue(seat)),
            Step::Decide(_) => {
                if !self.is_legal(state, action) {
                    return Err(IllegalStep::NotLegal);
                }
                self.play_unchecked(state, action);
                Ok(())
            }
        }
    }
}

/// A plain growable list of actions, for games that have nothing cleverer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionVec<A>(
    /// The actions in the promised order.
    pub Vec<A>,
);

impl<A> Default for ActionVec<A> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<A: Copy + Eq + Debug + Send> ActionList for ActionVec<A> {
    type Action = A;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&self, index: usize) -> A {
        self.0[index]
    }
}
