//! What a bot's decisions cost: [`judge`](fn@judge).

use sho_core::Seat;
use sho_core::sho::{Action, Sho, State};

use super::{EQUALLY_GOOD, Oracle};
use crate::arena::{Arena, IllegalChoice, Observer};
use crate::policy::Policy;

/// What the decisions of a bot gave away in games against itself. Decisions with a single action are not counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Games played.
    pub games: u64,
    /// Decisions among at least two actions.
    pub decisions: u64,
    /// Those in which the bot took a best action.
    pub best: u64,
    /// The chance of winning that a decision gave away, on average.
    pub mean_loss: f64,
    /// The standard error of that, over games: decisions of one game are not independent.
    pub standard_error: f64,
    /// Throws of all games.
    pub throws: u64,
}

/// Counts what one game's decisions give away.
struct Losses<'a> {
    oracle: &'a Oracle,
    decisions: u64,
    best: u64,
    lost: f64,
}

impl Observer<Sho> for Losses<'_> {
    fn action(&mut self, _: &Sho, state: &State, _: Seat, action: Action) {
        let losses = self.oracle.losses(state).expect("a position of a game can come up in one");
        if losses.len() < 2 {
            return;
        }
        let loss =
            losses.iter().find(|&&(other, _)| other == action).map_or(0.0, |&(_, loss)| loss);
        self.decisions += 1;
        if loss < EQUALLY_GOOD {
            self.best += 1;
        } else {
            self.lost += loss;
        }
    }
}

/// Plays so many games of a bot against itself, on the dice of `seed`, and sums up what its decisions give away. `bot`
/// makes the bot for a seat.
///
/// # Errors
/// Where the bot chooses what is not legal.
///
/// # Panics
/// If `games` is 0.
///
/// # Examples
/// ```
/// use sho_ai::oracle::{Oracle, judge};
/// use sho_ai::{Random, sho::Easy};
///
/// let oracle = Oracle::solve(Oracle::rules(2, 8))?;
/// let easy = judge(&oracle, || Box::new(Easy), 1, 200)?;
/// let random = judge(&oracle, || Box::new(Random), 1, 200)?;
/// assert!(easy.mean_loss < random.mean_loss);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge(
    oracle: &Oracle,
    mut bot: impl FnMut() -> Box<dyn Policy<Sho>>,
    seed: u64,
    games: u64,
) -> Result<Judgement, IllegalChoice> {
    assert!(games > 0, "a bot is judged by its games");
    let mut entries = [bot(), bot()];
    let mut arena = Arena::new(*oracle.game());
    let mut by_game = Vec::new();
    let (mut decisions, mut best, mut throws, mut lost) = (0, 0, 0, 0.0);
    for block in 0..games {
        let mut losses = Losses { oracle, decisions: 0, best: 0, lost: 0.0 };
        let played = arena.play_game(seed, block, 0, &mut entries, &mut losses)?;
        decisions += losses.decisions;
        best += losses.best;
        lost += losses.lost;
        throws += u64::from(played.throws);
        by_game.push((losses.decisions as f64, losses.lost));
    }
    let mean_loss = if decisions == 0 { 0.0 } else { lost / decisions as f64 };
    // The error of a ratio of sums over games.
    let squares = by_game.iter().map(|&(decisions, lost)| {
        let rest = lost - mean_loss * decisions;
        rest * rest
    });
    let variance = squares.sum::<f64>() * games as f64 / (games.max(2) - 1) as f64;
    let standard_error = if decisions == 0 { 0.0 } else { variance.sqrt() / decisions as f64 };
    Ok(Judgement { games, decisions, best, mean_loss, standard_error, throws })
}
