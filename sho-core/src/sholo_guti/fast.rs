//! The fast engine: [`SholoGuti`].

use alloc::vec::Vec;
use core::convert::Infallible;

use super::generate;
use super::rules::Rules;
use super::setup::Setup;
use super::state::State;
use super::transition::History;
use super::turn::Turn;
use super::{ENDS, End, Engine, UNITS};
use crate::game::{ActionVec, Game, Step, Unit};
use crate::notation::PositionError;
use crate::rule_set::{ImpossibleRules, RuleSet};
use crate::seat::{PerSeat, Seat};

/// The game of Sholo Guti under some rules, on sets of points.
///
/// ```
/// use sho_core::{ActionList, Game, Notation, sholo_guti::{Rules, SholoGuti}};
/// let game = SholoGuti::new(Rules::standard())?;
/// let mut state = game.start();
/// for text in ["c4-c5", "c6:c4"] {
///     let turn = game.parse_action(&state, text)?;
///     game.play(&mut state, turn)?;
/// }
/// assert_eq!(game.state_text(&state), "ooo/ooo/ooooo/oo.oo/...../xxoxx/xxxxx/xxx/xxx x 0 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SholoGuti {
    rules: Rules,
    draws: bool,
}

impl SholoGuti {
    #[inline]
    fn ended(&self, state: &State) -> Option<End> {
        state.end(self.draws.then_some(self.rules.quiet_turns))
    }

    /// Whether the game is a draw, if nobody has won.
    #[inline]
    fn is_drawn(&self, state: &State) -> bool {
        self.draws && (state.repeated || state.quiet >= self.rules.quiet_turns)
    }
}

impl SholoGuti {
    /// Puts the legal turns that take into `into`, in the promised order: what [`actions`](Game::actions) lists without
    /// the steps, and faster.
    pub fn takes(&self, state: &State, into: &mut ActionVec<Turn>) {
        if self.is_drawn(state) {
            return into.0.clear();
        }
        generate::list_takes(state.pieces, self.rules.takes, &mut into.0);
    }
}

impl Game for SholoGuti {
    type Rules = Rules;
    type State = State;
    type Action = Turn;
    type Outcome = Infallible;
    type Actions = ActionVec<Turn>;
    type History = History;

    const NAME: &'static str = super::NAME;
    const UNITS: &'static [Unit] = UNITS;
    const ENDS: &'static [&'static str] = ENDS;
    const TABLE_SECONDS: Option<u32> = None;
    const HAS_CHANCE: bool = false;

    fn new(rules: Rules) -> Result<Self, ImpossibleRules> {
        rules.check()?;
        Ok(Self { rules, draws: true })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> State {
        State::START
    }

    fn begin(&self, state: &State) -> History {
        History::new(state)
    }

    #[inline]
    fn step(&self, state: &State) -> Step {
        match self.ended(state) {
            Some(_) => Step::Over,
            None => Step::Decide(state.mover),
        }
    }

    fn ways(&self) -> u32 {
        0
    }

    fn outcome(&self, _: &State, _: u32) -> Infallible {
        unreachable!("{}", super::NO_CHANCE)
    }

    fn outcomes(&self, _: &State) -> impl Iterator<Item = (Infallible, u32)> {
        core::iter::empty()
    }

    #[inline]
    fn actions(&self, state: &State, into: &mut ActionVec<Turn>) {
        if self.is_drawn(state) {
            return into.0.clear();
        }
        generate::list(state.pieces, self.rules.takes, &mut into.0);
    }

    #[inline]
    fn count_actions(&self, state: &State, _: &mut ActionVec<Turn>) -> u64 {
        if self.is_drawn(state) { 0 } else { generate::count(state.pieces, self.rules.takes) }
    }

    fn is_legal(&self, state: &State, turn: Turn) -> bool {
        !self.is_drawn(state) && generate::is_open(state.pieces, self.rules.takes, turn)
    }

    fn cast_unchecked(&self, _: &mut State, outcome: Infallible) {
        match outcome {}
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, turn: Turn) {
        state.play(turn);
    }

    fn remember(&self, state: &mut State, history: &mut History) {
        let times = history.add(state);
        if times >= usize::from(self.rules.repeats) && self.ended(state).is_none() {
            state.repeated = true;
        }
    }

    fn without_draws(&self) -> Self {
        Self { draws: false, ..*self }
    }

    fn payoffs(&self, state: &State) -> PerSeat<u32> {
        super::payoffs(self.ended(state), state.mover)
    }

    fn end(&self, state: &State) -> Option<usize> {
        self.ended(state).map(End::index)
    }
}

impl Engine for SholoGuti {
    fn setup(&self, state: &State) -> Setup {
        let mut setup = Setup::empty();
        for seat in Seat::all(2) {
            for point in state.pieces(seat).iter() {
                setup[point] = Some(seat);
            }
        }
        Setup { mover: state.mover, quiet: state.quiet, turn: state.turn, ..setup }
    }

    fn state(&self, setup: &Setup) -> Result<State, PositionError> {
        setup.check(&self.rules)?;
        let pieces = generate::Pieces {
            own: setup.pieces(setup.mover).0,
            enemy: setup.pieces(setup.mover.next(2)).0,
        };
        let Setup { mover, quiet, turn, .. } = *setup;
        Ok(State { pieces, turn, quiet, mover, repeated: false })
    }

    fn remembered(&self, history: &History) -> Vec<Setup> {
        history.setups().collect()
    }

    fn most_takes(&self, state: &State) -> usize {
        if self.is_drawn(state) { 0 } else { generate::most_takes(state.pieces) }
    }
}
