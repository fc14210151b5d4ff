//! Small boards of Sho, solved: [`Oracle`].
//!
//! On boards of 8 to 10 shells with two or three coins a side all positions that can come up in a game of two fit into
//! memory, and best play can be computed instead of guessed. So bots can be judged without opponents: by the chance of
//! winning that each of their decisions gives away ([`judge`](fn@judge)).
//!
//! - `graph`: all positions, and what follows on each.
//! - `solve`: chances of winning and lengths of games by value iteration.
//! - `judge`: what a bot's decisions cost.
//!
//! Numbers are `f64`, made by + - × / alone in a fixed order: the same on every platform.

mod graph;
mod judge;
mod solve;

pub use judge::{Judgement, judge};

use sho_core::sho::{Action, Rules, Sho, State, Totals};
use sho_core::{ActionList, Game, ImpossibleRules, RuleSet, Step, WHOLE_PAYOFF};

use graph::Graph;
use solve::Chances;

/// Two actions are equally good if their chances differ by less: a hundred times what the solution may be off by.
pub const EQUALLY_GOOD: f64 = 1e-9;

/// The most positions that an oracle holds, some 110 bytes each. The largest board has 2.5 million.
pub const MAX_POSITIONS: usize = 1 << 23;

/// Why there is no oracle for some rules.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OracleError {
    /// They are not in the family of small boards.
    #[error(
        "no oracle for {setting}={given}; possible: {setting}={possible} (an oracle is for two sides, shells 8 to 10, \
         coins 2 or 3, waiting-limit=3, opening-coins=1, opening-bonus=none, all else as in lhasa)"
    )]
    OtherRules {
        /// The first setting that is different.
        setting: &'static str,
        /// What it is.
        given: String,
        /// What it would have to be.
        possible: String,
    },
    /// They make no sense together.
    #[error(transparent)]
    Impossible(#[from] ImpossibleRules),
    /// There are more positions than [`MAX_POSITIONS`].
    #[error("more than {most} positions; an oracle holds no more")]
    TooManyPositions {
        /// The most there may be.
        most: usize,
    },
    /// What is known of the chances does not get closer to what they are.
    #[error("after {sweeps} sweeps chances are known to {width:e} only")]
    NotSolved {
        /// How often all positions were looked at.
        sweeps: u32,
        /// The greatest width of an interval that holds a chance.
        width: f64,
    },
}

/// Best play on a small board: for all positions that any play can reach, the chance of winning where both sides play as
/// well as possible.
///
/// What is left out of the rules: games do not end for their length, whatever `max-throws` says. Values that wait may be
/// thrown away by nobody, throws are those of two dice, and all else is as the rules say.
///
/// # Examples
/// ```
/// use sho_ai::oracle::Oracle;
/// use sho_core::Game;
///
/// let oracle = Oracle::solve(Oracle::rules(2, 8))?;
/// assert!((oracle.start_chance() - 0.5).abs() < 0.2);
///
/// let game = oracle.game();
/// let mut state = game.start();
/// game.cast(&mut state, "4-1".parse()?)?;
/// let best = oracle.best_actions(&state).expect("a position of the game");
/// assert_eq!(oracle.loss(&state, best[0]), Some(0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Oracle {
    game: Sho,
    graph: Graph,
    chances: Chances,
    throws: f64,
    throws_residual: f64,
}

impl Oracle {
    /// The rules of a small board: two sides, `waiting-limit=3`, `opening-coins=1`, `opening-bonus=none`, all else as in
    /// `lhasa`. There is an oracle for 2 or 3 coins and 8 to 10 shells.
    #[must_use]
    pub const fn rules(coins: u8, shells: u8) -> Rules {
        let mut rules = Rules::lhasa();
        (rules.sides, rules.coins, rules.shells) = (2, coins, shells);
        (rules.waiting_limit, rules.opening_coins) = (3, 1);
        rules.opening_bonus = Totals::NONE;
        rules
    }

    /// Solves the game by these rules. That takes a tenth of a second for the smallest board, and a quarter of a minute and
    /// 280 MB for the largest.
    ///
    /// # Errors
    /// Where the rules are not those of a small board, see [`rules`](Self::rules); `max-throws` may be anything.
    pub fn solve(rules: Rules) -> Result<Self, OracleError> {
        check(&rules)?;
        let game = Sho::new(rules)?;
        let graph = Graph::new(&game, MAX_POSITIONS)?;
        let chances = Chances::solve(&graph)?;
        let (throws, throws_residual) = chances.throws(&graph);
        Ok(Self { game, graph, chances, throws, throws_residual })
    }

    /// The game that is solved.
    #[must_use]
    pub const fn game(&self) -> &Sho {
        &self.game
    }

    /// How many positions there are, throws and decisions. Those are one that differ in nothing that matters: in the
    /// number of throws, in which seat has which name, and what else `docs/oracle.md` lists.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.graph.len()
    }

    /// How many of the positions are decisions.
    #[must_use]
    pub fn decisions(&self) -> usize {
        self.graph.decisions()
    }

    /// How often all positions were looked at until the chances were known.
    #[must_use]
    pub const fn sweeps(&self) -> u32 {
        self.chances.sweeps
    }

    /// The residual: each chance is in an interval that was computed from both sides, and none is wider than this.
    #[must_use]
    pub const fn width(&self) -> f64 {
        self.chances.width
    }

    /// The chance of winning of the seat that begins.
    ///
    /// # Panics
    /// Never: the start is a position.
    #[must_use]
    pub fn start_chance(&self) -> f64 {
        self.chances.of(0)
    }

    /// The mean number of throws of a game in which both sides always take the first of the [best](Self::best_actions)
    /// actions.
    #[must_use]
    pub const fn expected_throws(&self) -> f64 {
        self.throws
    }

    /// By how much the mean number of throws from any position still changed when the last sweep came past.
    #[must_use]
    pub const fn throws_residual(&self) -> f64 {
        self.throws_residual
    }

    /// The chance of winning of the seat that throws or decides next, where both play as well as possible. In a game that
    /// is over it is the payoff of the seat that took the last action. Nothing for positions that no play leads to.
    #[must_use]
    pub fn chance(&self, state: &State) -> Option<f64> {
        if self.game.step(state) == Step::Over {
            let twelfths = self.game.payoffs(state)[state.mover()];
            return Some(f64::from(twelfths) / f64::from(WHOLE_PAYOFF));
        }
        self.graph.find(&self.game, state).map(|node| self.chances.of(node))
    }

    /// The chance of winning that an action leaves to the seat that takes it.
    fn chance_after(&self, state: &State, action: Action) -> Option<f64> {
        let mut next = *state;
        self.game.play_unchecked(&mut next, action);
        let chance = self.chance(&next)?;
        Some(if next.mover() == state.mover() { chance } else { 1.0 - chance })
    }

    /// The legal actions of a position, each with the chance of winning that it gives away against the best one. Nothing
    /// where no action is due, or no play leads there.
    #[must_use]
    pub fn losses(&self, state: &State) -> Option<Vec<(Action, f64)>> {
        let mut actions = Default::default();
        self.game.actions(state, &mut actions);
        let chances: Option<Vec<_>> = actions
            .iter()
            .map(|action| Some((action, self.chance_after(state, action)?)))
            .collect();
        let mut chances = chances.filter(|chances| !chances.is_empty())?;
        let best = chances.iter().map(|&(_, chance)| chance).fold(0.0, f64::max);
        chances.iter_mut().for_each(|(_, chance)| *chance = best - *chance);
        Some(chances)
    }

    /// The actions that are as good as any, in the order of the list: those that give away less than [`EQUALLY_GOOD`].
    /// Nothing where no action is due, or no play leads there.
    #[must_use]
    pub fn best_actions(&self, state: &State) -> Option<Vec<Action>> {
        let losses = self.losses(state)?.into_iter();
        Some(losses.filter(|&(_, loss)| loss < EQUALLY_GOOD).map(|(action, _)| action).collect())
    }

    /// The chance of winning that a legal action gives away against the best one; 0 for what is equally good. Nothing where
    /// the action is not legal, or no play leads to the position.
    #[must_use]
    pub fn loss(&self, state: &State, action: Action) -> Option<f64> {
        let losses = self.losses(state)?.into_iter();
        let loss = losses.filter(|&(other, _)| other == action).map(|(_, loss)| loss).next()?;
        Some(if loss < EQUALLY_GOOD { 0.0 } else { loss })
    }
}

/// Whether the rules are those of a small board.
fn check(rules: &Rules) -> Result<(), OracleError> {
    let mut possible = Oracle::rules(rules.coins.clamp(2, 3), rules.shells.clamp(8, 10));
    possible.max_throws = rules.max_throws;
    for setting in Rules::SETTINGS {
        let (given, expected) = ((setting.get)(rules), (setting.get)(&possible));
        if given != expected {
            let possible = match setting.name {
                "coins" => "2 or 3".to_owned(),
                "shells" => "8 to 10".to_owned(),
                _ => expected,
            };
            return Err(OracleError::OtherRules { setting: setting.name, given, possible });
        }
    }
    Ok(())
}
