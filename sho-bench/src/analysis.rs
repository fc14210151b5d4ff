//! A position, analysed for people: what each action is worth, by search and by rollouts, and which stacks are in danger.
//!
//! - [`Analysed`]: what a game adds to it: its search, and what threatens whom.
//! - [`Analysis`]: the document, schema `sho/analysis/1`.

mod result;
mod sho;
mod sholo_guti;

pub use result::{
    ANALYSIS_SCHEMA, ActionAnalysis, Analysis, PositionWorth, RolledOut, RolloutSettings,
    SearchSettings, ThrowAnalysis,
};

use serde::Serialize;
use sho_ai::Bots;
use sho_core::Notation;

/// The deepest search that can be asked for: the next takes ten times as long.
pub const DEEPEST: u32 = 6;

/// How positions are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// How deep, 1 to [`DEEPEST`]: decisions to look ahead, the one of the position included.
    pub depth: u32,
    /// The weights of the evaluation, as the text of a JSON file; nothing for the usual ones.
    pub weights: Option<String>,
}

/// Why there is no analysis.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The depth is not possible.
    #[error("depth {0}: expected a number from 1 to {DEEPEST}")]
    Depth(u32),
    /// The weights are none of the game.
    #[error("weights: {0}")]
    Weights(String),
    /// The game is over already.
    #[error("`{0}`: the game is over, and nothing is left to analyse")]
    Over(String),
}

/// What a search says of a position or an action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worth {
    /// The value to the seat to move: its chance to win, or points where the game has no chances. A number of points above
    /// 990000 is a win, and so many turns away as it is below 1000000; one below -990000 is a loss.
    pub value: f64,
    /// The chance of each seat; nothing where the search counts in points.
    pub chances: Option<Vec<f64>>,
    /// The exact value, to put actions in order. Not part of the document.
    #[serde(skip)]
    pub exact: i64,
}

/// A class of throws, and what the best answer to it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchedThrow<G: sho_core::Game> {
    /// One of the class.
    pub outcome: G::Outcome,
    /// In how many ways one of the class falls.
    pub ways: u32,
    /// The best action then; nothing where there is nothing to choose.
    pub answer: Option<G::Action>,
    /// What that is worth.
    pub worth: Worth,
}

/// The chance that a stack is hit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StackInDanger {
    /// The letter of the side whose stack it is.
    pub seat: char,
    /// The gap in which it stands.
    pub gap: u8,
    /// How many coins it has.
    pub size: u8,
    /// For each enemy the chance that a turn of its own that begins in this position hits it.
    pub by: Vec<HitBy>,
    /// The chance that any enemy hits it that throws before its side throws next, as if they had nothing to do with each
    /// other.
    pub before_next_throw: f64,
}

/// The chance of one enemy to hit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct HitBy {
    /// The enemy's letter.
    pub seat: char,
    /// Its chance.
    pub chance: f64,
}

/// A game whose positions can be analysed.
pub trait Analysed: Bots + Notation {
    /// The search's name.
    const SEARCH: &'static str;

    /// What [`Worth::value`] is: `chance` or `points`.
    const UNIT: &'static str;

    /// The canonical text of the weights that the options name, or that fit these rules, whose hash belongs to what is found
    /// by them; nothing where there is no choice.
    ///
    /// # Errors
    /// Where they are none of the game.
    fn weights_text(
        rules: &Self::Rules,
        options: &SearchOptions,
    ) -> Result<Option<String>, AnalysisError>;

    /// What each legal action of a position in which an action is due is worth to the seat that decides, in the promised
    /// order. All values are exact for the depth.
    ///
    /// # Errors
    /// Where the options are not possible.
    fn search_actions(
        &self,
        state: &Self::State,
        options: &SearchOptions,
    ) -> Result<Vec<(Self::Action, Worth)>, AnalysisError>;

    /// What each class of throws is worth in a position in which dice are due; none in a game without chance.
    ///
    /// # Errors
    /// Where the options are not possible.
    fn search_throws(
        &self,
        state: &Self::State,
        options: &SearchOptions,
    ) -> Result<Vec<SearchedThrow<Self>>, AnalysisError>;

    /// The stacks of all sides, each with the chance that it is hit; nothing in a game in which that is no question of
    /// chance.
    fn stacks_in_danger(&self, state: &Self::State) -> Option<Vec<StackInDanger>>;
}

impl SearchOptions {
    /// The depth, if it is possible.
    fn checked_depth(&self) -> Result<u32, AnalysisError> {
        match self.depth {
            1..=DEEPEST => Ok(self.depth),
            depth => Err(AnalysisError::Depth(depth)),
        }
    }
}
