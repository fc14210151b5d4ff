//! Positions, actions and throws as text, for any game: [`Notation`].

use alloc::string::String;
use core::fmt::Debug;

use crate::game::Game;

/// A text that names no position: which part is wrong, what it was, and what is possible there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: expected {expected}, found `{found}`")]
pub struct PositionError {
    /// The field of the line.
    pub field: &'static str,
    /// What would be possible there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// A text that names no legal action or throw here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The text is not of the form of an action.
    #[error("`{found}` is not an action: expected {expected}")]
    NotAnAction {
        /// The text.
        found: String,
        /// The forms that are possible.
        expected: &'static str,
    },
    /// The text is not of the form of a throw.
    #[error("`{found}` is not a throw: expected {expected}")]
    NotAThrow {
        /// The text.
        found: String,
        /// The forms that are possible.
        expected: &'static str,
    },
    /// It is an action, but not one of the legal ones.
    #[error("`{found}` is not legal here; legal: {legal}")]
    NotLegal {
        /// The text.
        found: String,
        /// The legal actions, separated by spaces; the first few where there are many.
        legal: String,
    },
    /// An action where a throw is due, the other way round, or anything after the end.
    #[error("`{found}`: {reason}")]
    NotDue {
        /// The text.
        found: String,
        /// What is due instead.
        reason: crate::game::IllegalStep,
    },
}

/// A game whose positions, actions and outcomes print and parse back.
///
/// # Stability
/// The texts are promises: version [`NOTATION_VERSION`], changed only together with it.
pub trait Notation: Game {
    /// The position as one line.
    fn state_text(&self, state: &Self::State) -> String;

    /// Reads what [`state_text`](Self::state_text) prints, and nothing else.
    ///
    /// # Errors
    /// Names the field and what was expected.
    fn parse_state(&self, text: &str) -> Result<Self::State, PositionError>;

    /// A legal action of this state as text.
    fn action_text(&self, state: &Self::State, action: Self::Action) -> String;

    /// Reads what [`action_text`](Self::action_text) prints for a legal action of this state, and nothing else.
    ///
    /// # Errors
    /// Where the text is no action, or the action is not legal here.
    fn parse_action(&self, state: &Self::State, text: &str) -> Result<Self::Action, StepError>;

    /// An outcome of chance as text.
    fn outcome_text(&self, outcome: Self::Outcome) -> String;

    /// Reads an outcome.
    ///
    /// # Errors
    /// Where the text is none.
    fn parse_outcome(&self, text: &str) -> Result<Self::Outcome, StepError>;
}

/// The version of the texts of [`Notation`].
pub const NOTATION_VERSION: u32 = 1;

/// The texts of a state's legal actions, at most `limit` of them, for messages.
pub(crate) fn legal_texts<G: Notation>(game: &G, state: &G::State, limit: usize) -> String {
    use crate::game::ActionList;
    let mut actions = G::Actions::default();
    game.actions(state, &mut actions);
    let mut text = String::new();
    for action in actions.iter().take(limit) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&game.action_text(state, action));
    }
    if actions.len() > limit {
        text.push_str(" ...");
    }
    text
}
