//! What the engines of Sho have in common: [`Engine`].

use alloc::string::{String, ToString};

use super::action::{Action, Effect};
use super::notation::{ACTION_FORMS, action_text, is_action};
use super::rules::Rules;
use super::setup::{Phase, Setup};
use crate::dice::Throw;
use crate::game::{ActionList, Game, IllegalStep, Step};
use crate::notation::{Notation, PositionError, StepError, legal_texts};

/// An engine of Sho: a [`Game`] that also converts its states to and from [`Setup`]s and explains actions.
///
/// There are two, which judge one another: [`sho::Sho`](super::Sho), the fast one, and
/// [`sho::plain::Sho`](super::plain::Sho), the one to read.
pub trait Engine: Game<Rules = Rules, Action = Action, Outcome = Throw> {
    /// The state as a setup.
    fn setup(&self, state: &Self::State) -> Setup;

    /// The state that a setup describes: the checked door into the engine.
    ///
    /// # Errors
    /// Where the setup is not a position of these rules: the field and what was expected.
    fn state(&self, setup: &Setup) -> Result<Self::State, PositionError>;

    /// What a legal action does.
    fn effect(&self, state: &Self::State, action: Action) -> Effect;

    /// What is wrong with a setup that passed [`Setup::check`], given the number of its legal actions.
    ///
    /// # Errors
    /// Phase `move` without a legal action, and `pair` where the pair cannot be entered.
    #[doc(hidden)]
    fn check_choice(setup: &Setup, legal: usize) -> Result<(), PositionError> {
        let (expected, found) = match setup.phase {
            Phase::Move if legal == 0 => ("a legal action in phase `move`", "move"),
            // `again` is always among them.
            Phase::Pair if legal < 2 => ("phase `pair` only where the pair can be entered", "pair"),
            _ => return Ok(()),
        };
        Err(PositionError {
            field: "phase",
            expected: expected.to_string(),
            found: found.to_string(),
        })
    }
}

impl<E: Engine> Notation for E {
    fn state_text(&self, state: &Self::State) -> String {
        self.setup(state).to_string()
    }

    fn parse_state(&self, text: &str) -> Result<Self::State, PositionError> {
        self.state(&Setup::parse(text)?)
    }

    fn action_text(&self, state: &Self::State, action: Action) -> String {
        action_text(&self.setup(state), self.rules().shells, action)
    }

    fn parse_action(&self, state: &Self::State, text: &str) -> Result<Action, StepError> {
        let not_due = |reason| StepError::NotDue { found: text.to_string(), reason };
        match self.step(state) {
            Step::Over => return Err(not_due(IllegalStep::Over)),
            Step::Chance(seat) => return Err(not_due(IllegalStep::ChanceIsDue(seat))),
            Step::Decide(_) => {}
        }
        let setup = self.setup(state);
        let mut actions = Self::Actions::default();
        self.actions(state, &mut actions);
        // What the printer prints for a legal action is read, and nothing else.
        let shells = self.rules().shells;
        let named = actions.iter().find(|&action| action_text(&setup, shells, action) == text);
        named.ok_or_else(|| {
            let found = text.to_string();
            if is_action(text) {
                StepError::NotLegal { found, legal: legal_texts(self, state, 12) }
            } else {
                StepError::NotAnAction { found, expected: ACTION_FORMS }
            }
        })
    }

    fn outcome_text(&self, outcome: Throw) -> String {
        outcome.to_string()
    }

    fn parse_outcome(&self, text: &str) -> Result<Throw, StepError> {
        text.parse().map_err(|_| StepError::NotAThrow {
            found: text.to_string(),
            expected: "two faces from 1 to 6, as in `6-3`",
        })
    }
}
