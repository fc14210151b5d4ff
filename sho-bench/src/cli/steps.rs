//! The steps that a position has, whoever takes them.

use sho_core::{ActionList, Step};

use super::dispatch::Playable;

/// A possible step.
#[derive(Debug)]
pub(crate) struct Possible<G: Playable> {
    /// Its text.
    pub(crate) text: String,
    /// The action, where it is one.
    pub(crate) action: Option<G::Action>,
    /// In how many equally likely ways chance takes it; 1 for an action.
    pub(crate) ways: u32,
    /// The position after it.
    pub(crate) after: G::State,
}

/// The throws or actions of a position in their promised order; none where the game is over.
pub(crate) fn possible<G: Playable>(game: &G, state: &G::State) -> Vec<Possible<G>> {
    match game.step(state) {
        Step::Over => Vec::new(),
        Step::Chance(_) => game
            .outcomes(state)
            .map(|(outcome, ways)| {
                let mut after = state.clone();
                game.cast_unchecked(&mut after, outcome);
                Possible { text: game.outcome_text(outcome), action: None, ways, after }
            })
            .collect(),
        Step::Decide(_) => {
            let mut actions = G::Actions::default();
            game.actions(state, &mut actions);
            actions
                .iter()
                .map(|action| {
                    let mut after = state.clone();
                    game.play_unchecked(&mut after, action);
                    let text = game.action_text(state, action);
                    Possible { text, action: Some(action), ways: 1, after }
                })
                .collect()
        }
    }
}
