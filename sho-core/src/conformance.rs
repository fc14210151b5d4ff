//! One routine that every game must pass: [`check`].
//!
//! It plays random games and holds, at every state, what searches and runners rely on: that a step is what it says,
//! that outcomes and their ways agree, that action lists are sorted and complete in themselves, that refusals change
//! nothing, that texts print and parse back, and that payoffs share one win.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::game::{ActionList, Step, WHOLE_PAYOFF};
use crate::notation::Notation;
use crate::seat::Seat;
use crate::stream::Stream;

/// A promise of [`Game`](crate::Game) or [`Notation`] that a game broke.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("in `{position}`: {promise}")]
pub struct Broken {
    /// The position in which it was broken.
    pub position: String,
    /// What was expected, and what happened.
    pub promise: String,
}

/// What a check went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Games played to their end.
    pub games: u64,
    /// States at which chance decided.
    pub casts: u64,
    /// States at which a seat decided.
    pub decisions: u64,
    /// Legal actions that were tried.
    pub actions: u64,
}

/// Plays `games` random games under a seed and checks every state of them.
///
/// # Errors
/// The first promise that was broken.
///
/// ```
/// use sho_core::{Game, conformance, sho};
/// let game = sho::plain::Sho::new(sho::Rules::lhasa())?;
/// let checked = conformance::check(&game, 1, 3)?;
/// assert_eq!(checked.games, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check<G: Notation>(game: &G, seed: u64, games: u64) -> Result<Checked, Broken> {
    let mut checked = Checked::default();
    for number in 0..games {
        let mut words = Stream::new(seed, "sho/conformance", number);
        let mut state = game.start();
        let mut history = game.begin(&state);
        let mut actions = G::Actions::default();
        // An action of another state, to be refused where it is not legal.
        let mut stranger: Option<G::Action> = None;
        loop {
            match game.step(&state) {
                Step::Over => {
                    check_over(game, &state)?;
                    checked.games += 1;
                    break;
                }
                Step::Chance(seat) => {
                    if !G::HAS_CHANCE {
                        return broken(
                            game,
                            &state,
                            "a game without chance never waits for it".into(),
                        );
                    }
                    checked.casts += 1;
                    check_state(game, &state, Some(seat))?;
                    check_chance(game, &state, stranger)?;
                    let way = words.below(game.ways());
                    let outcome = game.outcome(&state, way);
                    game.cast_unchecked(&mut state, outcome);
                }
                Step::Decide(seat) => {
                    checked.decisions += 1;
                    check_state(game, &state, Some(seat))?;
                    check_actions(game, &state, &mut actions, stranger)?;
                    checked.actions += actions.len() as u64;
                    let action = actions.get(words.below(actions.len() as u32) as usize);
                    stranger = Some(actions.get(words.below(actions.len() as u32) as usize));
                    game.play_unchecked(&mut state, action);
                    game.remember(&mut state, &mut history);
                }
            }
        }
    }
    Ok(checked)
}

fn broken<G: Notation, T>(game: &G, state: &G::State, promise: String) -> Result<T, Broken> {
    Err(Broken { position: game.state_text(state), promise })
}

/// What holds in every state.
fn check_state<G: Notation>(game: &G, state: &G::State, seat: Option<Seat>) -> Result<(), Broken> {
    if let Some(seat) = seat.filter(|seat| seat.index() >= game.seats()) {
        return broken(game, state, format!("{seat} steps at a table of {} seats", game.seats()));
    }
    if seat.is_some()
        && game.payoffs(state).as_slice(game.seats()).iter().any(|&payoff| payoff != 0)
    {
        return broken(game, state, "payoffs are 0 while the game goes on".into());
    }
    if game.end(state).is_some() != seat.is_none() {
        return broken(game, state, "a game has an end exactly when it is over".into());
    }
    let text = game.state_text(state);
    match game.parse_state(&text) {
        Ok(parsed) if parsed == *state => Ok(()),
        Ok(parsed) => {
            broken(game, state, format!("the position parses back as {parsed:?}, not {state:?}"))
        }
        Err(error) => broken(game, state, format!("the position does not parse back: {error}")),
    }
}

fn check_over<G: Notation>(game: &G, state: &G::State) -> Result<(), Broken> {
    // What ends a game may be history that a position line does not hold, so the line is not parsed back here.
    let payoffs = game.payoffs(state);
    let sum: u32 = payoffs.as_slice(game.seats()).iter().sum();
    if sum != WHOLE_PAYOFF {
        return broken(game, state, format!("payoffs sum to {WHOLE_PAYOFF}, not {sum}"));
    }
    match game.end(state) {
        Some(end) if end < G::ENDS.len() => {}
        end => return broken(game, state, format!("the end {end:?} is one of {:?}", G::ENDS)),
    }
    let mut actions = G::Actions::default();
    game.actions(state, &mut actions);
    if !actions.is_empty() {
        return broken(game, state, "no action is legal when the game is over".into());
    }
    Ok(())
}

fn check_chance<G: Notation>(
    game: &G,
    state: &G::State,
    stranger: Option<G::Action>,
) -> Result<(), Broken> {
    let outcomes: Vec<(G::Outcome, u32)> = game.outcomes(state).collect();
    let ways = game.ways();
    let sum: u32 = outcomes.iter().map(|(_, ways)| ways).sum();
    if sum != ways || ways == 0 {
        return broken(game, state, format!("the ways of the outcomes sum to {ways}, not {sum}"));
    }
    if !outcomes.windows(2).all(|pair| pair[0].0 < pair[1].0) {
        return broken(game, state, "outcomes are distinct and rise".into());
    }
    for &(outcome, expected) in &outcomes {
        let found = (0..ways).filter(|&way| game.outcome(state, way) == outcome).count();
        if found != expected as usize {
            return broken(game, state, format!("{outcome:?} has {expected} ways, not {found}"));
        }
        let text = game.outcome_text(outcome);
        if game.parse_outcome(&text) != Ok(outcome) {
            return broken(game, state, format!("the outcome `{text}` parses back"));
        }
    }
    let after = |outcome| {
        let mut next = state.clone();
        game.cast_unchecked(&mut next, outcome);
        next
    };
    let (mut class_ways, mut class_outcomes) = (0, 0);
    for class in game.outcome_classes(state) {
        let next = after(class.outcome);
        // Of the outcomes that lead here, at least those of the class: two classes may happen to meet.
        let same: Vec<u32> = outcomes
            .iter()
            .filter(|&&(other, _)| after(other) == next)
            .map(|&(_, ways)| ways)
            .collect();
        if same.iter().sum::<u32>() < class.ways || same.len() < class.outcomes as usize {
            return broken(
                game,
                state,
                format!("the outcomes of the class of {:?} lead to one state", class.outcome),
            );
        }
        class_ways += class.ways;
        class_outcomes += class.outcomes;
    }
    if (class_ways, class_outcomes as usize) != (ways, outcomes.len()) {
        return broken(game, state, "the classes hold every outcome once".into());
    }
    let mut actions = G::Actions::default();
    game.actions(state, &mut actions);
    if !actions.is_empty() {
        return broken(game, state, "no action is legal where chance is due".into());
    }
    if let Some(action) = stranger {
        refuses(game, state, action)?;
    }
    Ok(())
}

fn check_actions<G: Notation>(
    game: &G,
    state: &G::State,
    actions: &mut G::Actions,
    stranger: Option<G::Action>,
) -> Result<(), Broken> {
    game.actions(state, actions);
    if actions.is_empty() {
        return broken(game, state, "a seat that decides has at least one action".into());
    }
    let list: Vec<G::Action> = actions.iter().collect();
    let count = game.count_actions(state, &mut G::Actions::default());
    if count != list.len() as u64 {
        return broken(game, state, format!("the count of actions is {}, not {count}", list.len()));
    }
    if list.len() != actions.len() || (0..list.len()).any(|index| actions.get(index) != list[index])
    {
        return broken(game, state, "len, get and iter agree".into());
    }
    if let Some(pair) = list.windows(2).find(|pair| pair[0] >= pair[1]) {
        return broken(game, state, format!("actions are distinct and rise, not {pair:?}"));
    }
    for &action in &list {
        let mut next = state.clone();
        if game.play(&mut next, action).is_err() {
            return broken(game, state, format!("the legal action {action:?} is played"));
        }
        let mut again = state.clone();
        game.play_unchecked(&mut again, action);
        if again != next {
            return broken(game, state, format!("checked and unchecked play of {action:?} agree"));
        }
        let text = game.action_text(state, action);
        match game.parse_action(state, &text) {
            Ok(parsed) if parsed == action => {}
            other => {
                return broken(
                    game,
                    state,
                    format!("`{text}` parses back as {action:?}, not {other:?}"),
                );
            }
        }
    }
    if let Some(action) = list.iter().find(|&&action| !game.is_legal(state, action)) {
        return broken(game, state, format!("the listed action {action:?} is legal"));
    }
    if let Some(action) = stranger.filter(|action| !list.contains(action)) {
        refuses(game, state, action)?;
    }
    Ok(())
}

fn refuses<G: Notation>(game: &G, state: &G::State, action: G::Action) -> Result<(), Broken> {
    let mut next = state.clone();
    if game.play(&mut next, action).is_ok() {
        return broken(
            game,
            state,
            format!("the action {action:?}, which is not legal, is refused"),
        );
    }
    if next != *state {
        return broken(game, state, format!("the refusal of {action:?} leaves the state alone"));
    }
    Ok(())
}
