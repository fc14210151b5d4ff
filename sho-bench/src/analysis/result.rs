//! What an analysis found, as a document: [`Analysis`].

use serde::Serialize;
use sho_core::{RuleSet, Step};

use super::{Analysed, AnalysisError, SearchOptions, StackInDanger, Worth};
use crate::digest;
use crate::result::Provenance;
use crate::rollout::{
    Difference, Rollout, RolloutTally, SeatChance, SeatedBot, chances, difference,
};
use crate::rounded::rounded;

/// The name and version of the format.
pub const ANALYSIS_SCHEMA: &str = "sho/analysis/1";

/// What is known of a position: a document of the format [`ANALYSIS_SCHEMA`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis<R> {
    /// The format's name and version.
    pub schema: &'static str,
    /// The game.
    pub game: &'static str,
    /// Its rules.
    pub rules: R,
    /// The position.
    pub position: String,
    /// The seat that throws or decides; all values are its own where no other seat is named.
    pub next: char,
    /// How it was searched.
    pub search: SearchSettings,
    /// How rollouts were played; nothing where none were.
    pub rollout: Option<RolloutSettings>,
    /// What the position is worth.
    pub worth: PositionWorth,
    /// The legal actions, best first: by rollouts where there are any, and otherwise by the search; of equals the first in
    /// their promised order. None where dice are due.
    pub actions: Vec<ActionAnalysis>,
    /// Where dice are due what may be thrown, in the order in which the game lists it, in classes that lead to the same
    /// position; none elsewhere.
    pub throws: Vec<ThrowAnalysis>,
    /// The stacks of all sides, in the order of seats and gaps; nothing where the game has none.
    pub stacks: Option<Vec<StackInDanger>>,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// How a position was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SearchSettings {
    /// The search.
    pub method: &'static str,
    /// What values are in: `chance` or `points`.
    pub unit: &'static str,
    /// How deep.
    pub depth: u32,
    /// SHA-256 of the weights; nothing where the game leaves no choice.
    pub weights: Option<String>,
}

/// How rollouts were played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RolloutSettings {
    /// Who played on.
    pub bots: Vec<SeatedBot>,
    /// Whether the same rollouts give the same bytes.
    pub deterministic: bool,
    /// The master seed.
    pub seed: u64,
    /// Games of the position, or of each action.
    pub games: u64,
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionWorth {
    /// By search: that of the best action, or the mean over throws. Nothing in a game of points.
    pub search: Option<Vec<f64>>,
    /// By rollouts, where dice are due. Where an action is due each action has its own.
    pub rollout: Option<Vec<SeatChance>>,
}

/// What an action is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionAnalysis {
    /// The action.
    pub action: String,
    /// By search.
    pub search: Worth,
    /// By how much the search likes it less than the action it likes best; 0 or below.
    pub search_difference: f64,
    /// By rollouts.
    pub rollout: Option<RolledOut>,
    /// The stacks of the side that decides as they stand after the action; nothing where the game has none.
    pub stacks: Option<Vec<StackInDanger>>,
}

/// What rollouts say of an action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RolledOut {
    /// The chance of each seat.
    pub seats: Vec<SeatChance>,
    /// What it gives to the side that decides beyond the best action, game by game on the same dice; nothing for the best
    /// itself.
    pub difference: Option<Difference>,
}

/// What the throws of a class are worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThrowAnalysis {
    /// The throws.
    pub throws: Vec<String>,
    /// In how many of all equally likely ways one of them falls.
    pub ways: u32,
    /// The best action then, by search; nothing where there is nothing to choose.
    pub answer: Option<String>,
    /// What that is worth.
    pub search: Worth,
}

impl<R: RuleSet> Analysis<R> {
    /// The analysis of a position by search, and by rollouts where there are any: those of
    /// [`roll_out_actions`](crate::rollout::roll_out_actions) where an action is due, and those of
    /// [`roll_out`](crate::rollout::roll_out) where dice are.
    ///
    /// # Errors
    /// Where the game is over, or the options of the search are not possible.
    ///
    /// # Examples
    /// ```
    /// use sho_bench::analysis::{Analysis, SearchOptions};
    /// use sho_bench::rollout::{Rollout, roll_out_actions};
    /// use sho_core::Notation;
    /// use sho_core::sho::{Rules, Sho};
    /// use sho_core::Game;
    ///
    /// let game = Sho::new(Rules::lhasa())?;
    /// let state = game.parse_state("7+0:10x2/7+0:12x1,17x1/9+0o:- A move 7 0 9")?;
    /// let search = SearchOptions { depth: 2, weights: None };
    /// let rollout = Rollout::new(&game, &["easy".to_owned()], 1, 50)?;
    /// let tally = roll_out_actions(&game, &state, &rollout, 2, &())?;
    /// let analysis = Analysis::new(&game, &state, &search, Some((&rollout, &tally)))?;
    /// assert_eq!(analysis.actions[0].action, "10>17");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<G: Analysed<Rules = R>>(
        game: &G,
        state: &G::State,
        search: &SearchOptions,
        rollout: Option<(&Rollout, &RolloutTally)>,
    ) -> Result<Self, AnalysisError> {
        let rollout = rollout.filter(|(_, tally)| tally.games > 0);
        let settings = SearchSettings {
            method: G::SEARCH,
            unit: G::UNIT,
            depth: search.checked_depth()?,
            weights: G::weights_text(game.rules(), search)?
                .map(|text| digest::of_bytes(text.as_bytes())),
        };
        let (mut actions, mut throws) = (Vec::new(), Vec::new());
        let mut worth = PositionWorth { search: None, rollout: None };
        let next = match game.step(state) {
            Step::Over => return Err(AnalysisError::Over(game.state_text(state))),
            Step::Decide(seat) => {
                let tally = rollout.map(|(_, tally)| tally);
                actions = analysed_actions(game, state, search, tally)?;
                let by_search = actions.iter().rev().max_by_key(|action| action.search.exact);
                worth.search = by_search.and_then(|action| action.search.chances.clone());
                seat
            }
            Step::Chance(seat) => {
                (throws, worth.search) = analysed_throws(game, state, search)?;
                worth.rollout =
                    rollout.map(|(_, tally)| chances(tally.position(), tally.games, game.seats()));
                seat
            }
        };
        Ok(Self {
            schema: ANALYSIS_SCHEMA,
            game: G::NAME,
            rules: *game.rules(),
            position: game.state_text(state),
            next: next.letter(),
            search: settings,
            rollout: rollout.map(|(rollout, tally)| RolloutSettings {
                bots: rollout.seated(),
                deterministic: rollout.is_deterministic(),
                seed: rollout.seed,
                games: tally.games,
            }),
            worth,
            actions,
            throws,
            stacks: game.stacks_in_danger(state),
            provenance: Provenance::default(),
        })
    }
}

/// The actions of a position, best first.
fn analysed_actions<G: Analysed>(
    game: &G,
    state: &G::State,
    search: &SearchOptions,
    tally: Option<&RolloutTally>,
) -> Result<Vec<ActionAnalysis>, AnalysisError> {
    let Step::Decide(seat) = game.step(state) else { return Ok(Vec::new()) };
    let found = game.search_actions(state, search)?;
    let most = found.iter().map(|(_, worth)| worth.exact).max().unwrap_or(0);
    let best_value =
        found.iter().find(|(_, worth)| worth.exact == most).map_or(0.0, |(_, worth)| worth.value);
    let best = tally.map(RolloutTally::best);
    let mut order: Vec<usize> = (0..found.len()).collect();
    // The sort is stable: of equals the first in the list stays first.
    order.sort_by_key(|&line| {
        let payoff = tally.map(|tally| tally.lines[line].payoffs[seat].sum as i64);
        std::cmp::Reverse(payoff.unwrap_or(found[line].1.exact))
    });
    let analysed = order.into_iter().map(|line| {
        let (action, worth) = &found[line];
        let mut after = state.clone();
        game.play_unchecked(&mut after, *action);
        let mut stacks = game.stacks_in_danger(&after);
        if let Some(stacks) = &mut stacks {
            stacks.retain(|stack| stack.seat == seat.letter());
        }
        ActionAnalysis {
            action: game.action_text(state, *action),
            search: worth.clone(),
            search_difference: rounded(worth.value - best_value),
            rollout: tally.zip(best).map(|(tally, best)| RolledOut {
                seats: chances(&tally.lines[line], tally.games, game.seats()),
                difference: (line != best).then(|| difference(tally, line, best)),
            }),
            stacks,
        }
    });
    Ok(analysed.collect())
}

/// What may be thrown, and the mean of what that is worth to each seat.
fn analysed_throws<G: Analysed>(
    game: &G,
    state: &G::State,
    search: &SearchOptions,
) -> Result<(Vec<ThrowAnalysis>, Option<Vec<f64>>), AnalysisError> {
    let found = game.search_throws(state, search)?;
    let after = |outcome| {
        let mut next = state.clone();
        game.cast_unchecked(&mut next, outcome);
        next
    };
    let all_ways: u32 = found.iter().map(|throw| throw.ways).sum();
    let mut mean = vec![0.0; game.seats()];
    let mut throws = Vec::new();
    for throw in found {
        let next = after(throw.outcome);
        let alike = game.outcomes(state).filter(|&(outcome, _)| after(outcome) == next);
        throws.push(ThrowAnalysis {
            throws: alike.map(|(outcome, _)| game.outcome_text(outcome)).collect(),
            ways: throw.ways,
            answer: throw.answer.map(|action| game.action_text(&next, action)),
            search: throw.worth.clone(),
        });
        for (sum, chance) in mean.iter_mut().zip(throw.worth.chances.iter().flatten()) {
            *sum += f64::from(throw.ways) * chance;
        }
    }
    let mean = mean.into_iter().map(|sum| rounded(sum / f64::from(all_ways.max(1))));
    Ok((throws, (all_ways > 0).then(|| mean.collect())))
}
