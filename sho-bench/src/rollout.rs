//! Many games from one position to the end: what a position is worth, and each action in it, when given bots play on.
//!
//! [`roll_out`] plays games from a position, [`roll_out_actions`] plays them for each legal action **on the same dice**:
//! so differences between actions come from the actions, and far fewer games show them. In the order in which they build
//! on one another:
//!
//! - [`RolloutDice`]: chance as a function of seed, game and seat.
//! - [`RolloutTally`]: what is counted; integers alone.
//! - [`roll_out`], [`roll_out_actions`]: the games, on all threads.
//! - [`RolloutResult`]: the result as a document, schema `sho/rollout/1`.

mod dice;
mod result;
mod tally;

pub use dice::{RolloutDice, rollout_words};
pub use result::{
    Difference, EndShare, ROLLOUT_SCHEMA, RolloutResult, SeatChance, SeatedBot, chances, difference,
};
pub use tally::{LineTally, RolloutTally};

use std::io;
use std::ops::ControlFlow;

use sho_ai::arena::{Arena, IllegalChoice};
use sho_ai::opening::Opening;
use sho_ai::{Bots, Played};
use sho_core::{ActionList, Game, Notation, PerSeat, Seat, Step};

use crate::entrant::{Entrant, EntrantError};
use crate::exec::StartError;
use crate::experiment::distinct;
use crate::in_order::{in_order, thread_count};
use crate::players::{NoPlayer, Players, Programs, shake_hands};
use crate::tournament::Watcher;

/// The number of games is below this: stream numbers have 64 bits, and a game has 16 of them.
pub const GAMES_LIMIT: u64 = 1 << 48;

/// The most games that a thread plays before it reports.
const CHUNK: u64 = 32;

/// How many chunks a thread gets at least, where there are games enough.
const CHUNKS_A_THREAD: u64 = 8;

/// Who plays on from a position, how often, and on which dice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rollout {
    bots: Vec<Entrant>,
    /// By seat the bot that holds it.
    seats: Vec<usize>,
    /// The master seed of dice and bots.
    pub seed: u64,
    /// How many games, of each action where actions are compared.
    pub games: u64,
}

/// Why there are no rollouts.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// A bot is unknown or has impossible options.
    #[error(transparent)]
    Bot(#[from] EntrantError),
    /// Neither one bot for all seats nor one for each.
    #[error("{given} bots, and {sides} sides play: name one for all of them, or one for each")]
    WrongBots {
        /// How many bots were named.
        given: usize,
        /// How many sides play.
        sides: usize,
    },
    /// There is nothing to play.
    #[error("0 games: at least one must be played")]
    NoGames,
    /// More games than there is chance for.
    #[error("{0} games: a rollout has less than {GAMES_LIMIT}")]
    TooManyGames(u64),
    /// The game is over already.
    #[error("`{0}`: the game is over, and nothing is left to play")]
    Over(String),
    /// Actions were to be compared where dice are due.
    #[error("`{0}`: dice are due, and there are no actions to compare")]
    NoAction(String),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] io::Error),
    /// A bot in another program did not come to play.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A bot chose an action that is not legal. Of several games in which that happens the first is named.
    #[error("rollout game {game}: {choice}")]
    Illegal {
        /// The game, from 0.
        game: u64,
        /// What was chosen, and where.
        choice: Box<IllegalChoice>,
    },
}

impl From<NoPlayer> for RolloutError {
    fn from(error: NoPlayer) -> Self {
        match error {
            NoPlayer::Bot(error) => Self::Bot(error.into()),
            NoPlayer::Start(error) => Self::Start(error),
        }
    }
}

impl Rollout {
    /// So many games of these bots, one for all seats or one for each in the order of the seats.
    ///
    /// # Errors
    /// Where a text names no bot, bots do not fill the seats, or the number of games is not possible.
    pub fn new<G: Bots>(
        game: &G,
        bots: &[String],
        seed: u64,
        games: u64,
    ) -> Result<Self, RolloutError> {
        match games {
            0 => return Err(RolloutError::NoGames),
            GAMES_LIMIT.. => return Err(RolloutError::TooManyGames(games)),
            _ => {}
        }
        let (bots, mut seats) = distinct::<G>(bots)?;
        let (given, sides) = (seats.len(), game.seats());
        if given == 1 {
            seats = vec![0; sides];
        } else if given != sides {
            return Err(RolloutError::WrongBots { given, sides });
        }
        let mut rollout = Self { bots, seats, seed, games };
        if rollout.is_certain::<G>() {
            rollout.games = 1;
        }
        Ok(rollout)
    }

    /// The bot that holds each seat.
    pub fn bots(&self) -> impl Iterator<Item = (Seat, &Entrant)> {
        Seat::ALL.into_iter().zip(&self.seats).map(|(seat, &bot)| (seat, &self.bots[bot]))
    }

    /// Whether nothing is left to chance: the game has none, and no bot draws. All games are the same then, and one is
    /// all that is played, however many were asked for.
    #[must_use]
    pub fn is_certain<G: Bots>(&self) -> bool {
        !G::HAS_CHANCE && !self.bots.iter().any(Entrant::draws::<G>)
    }

    /// Whether the same rollout gives the same bytes: whether all bots play the same games again.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.bots.iter().all(Entrant::is_deterministic)
    }
}

/// Plays games from a position to the end with `threads` threads (0: one for each core), and counts them. In the middle
/// of a turn too: values that wait, the run of pa ras and the throws so far are part of the position. Earlier positions
/// are not: for a draw by repetition those count that stand from here on.
///
/// The counts do not depend on the number of threads. Where `watcher` stops it they are those of fewer games, the first
/// ones without a gap.
///
/// # Errors
/// Where the game is over, threads or programs cannot be started, or a bot chooses what is not legal.
///
/// ```
/// use sho_bench::rollout::{Rollout, chances, roll_out};
/// use sho_core::sho::{Rules, Sho};
/// use sho_core::{Game, Notation};
///
/// let mut rules = Rules::lhasa();
/// rules.sides = 2;
/// let game = Sho::new(rules)?;
/// let state = game.parse_state("0+8:60x1/3+2:20x4 A throw - 0 80")?;
/// let rollout = Rollout::new(&game, &["medium".to_owned()], 1, 200)?;
/// let tally = roll_out(&game, &state, &rollout, 2, &())?;
/// assert_eq!(tally, roll_out(&game, &state, &rollout, 1, &())?);
/// let seats = chances(tally.position(), tally.games, 2);
/// assert!(seats[0].chance > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn roll_out<G: Bots + Notation>(
    game: &G,
    state: &G::State,
    rollout: &Rollout,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<RolloutTally, RolloutError> {
    let seat = match game.step(state) {
        Step::Over => return Err(RolloutError::Over(game.state_text(state))),
        Step::Chance(seat) | Step::Decide(seat) => seat,
    };
    play(game, vec![Opening::none(state.clone())], seat, rollout, threads, watcher)
}

/// Plays games from a position after each of its legal actions, as [`roll_out`] does from a position. Game number *i* of
/// every action plays on the same dice and the same words. The lines of the tally are the actions in their promised
/// order.
///
/// What a line says is what the position says where the seat to move takes that action and everybody plays on as the bots
/// do, the seat itself too.
///
/// # Errors
/// As for [`roll_out`], and where dice are due.
pub fn roll_out_actions<G: Bots + Notation>(
    game: &G,
    state: &G::State,
    rollout: &Rollout,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<RolloutTally, RolloutError> {
    let no_action = || RolloutError::NoAction(game.state_text(state));
    let seat = match game.step(state) {
        Step::Over => return Err(RolloutError::Over(game.state_text(state))),
        Step::Chance(_) => return Err(no_action()),
        Step::Decide(seat) => seat,
    };
    let mut actions = G::Actions::default();
    game.actions(state, &mut actions);
    let lines: Result<Vec<_>, _> =
        actions.iter().map(|action| Opening::of(game, state.clone(), vec![action])).collect();
    play(game, lines.map_err(|_| no_action())?, seat, rollout, threads, watcher)
}

/// Plays each line so often.
fn play<G: Bots + Notation>(
    game: &G,
    lines: Vec<Opening<G>>,
    seat: Seat,
    rollout: &Rollout,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<RolloutTally, RolloutError> {
    shake_hands(game, &rollout.bots)?;
    let nothing = || RolloutTally::new::<G>(lines.len(), seat);
    let size = (rollout.games / (CHUNKS_A_THREAD * thread_count(threads) as u64)).clamp(1, CHUNK);
    let mut tally = nothing();
    in_order(
        threads,
        rollout.games.div_ceil(size),
        || Table::new(game, rollout),
        |table, chunk| {
            let mut tally = nothing();
            for number in size * chunk..rollout.games.min(size * (chunk + 1)) {
                tally.add::<G>(&table.play(&lines, number)?);
            }
            Ok(tally)
        },
        || watcher.stop(),
        |more: RolloutTally| {
            tally.merge(&more);
            watcher.played(more.games * lines.len() as u64);
            ControlFlow::Continue(())
        },
    )?;
    Ok(tally)
}

/// Where one thread plays games.
struct Table<G: Game> {
    players: Players<G>,
    arena: Arena<G>,
    dice: RolloutDice,
    seed: u64,
}

impl<G: Bots + Notation> Table<G> {
    fn new(game: &G, rollout: &Rollout) -> Result<Self, RolloutError> {
        let mut programs = Programs::new(rollout.bots.len());
        Ok(Self {
            players: Players::new(game, &rollout.bots, &rollout.seats, &mut programs)?,
            arena: Arena::new(game.clone()),
            dice: RolloutDice::new(game, rollout.seed, 0),
            seed: rollout.seed,
        })
    }

    /// Plays one game of each line, all on the same dice. Where a bot is at fault its seat gets nothing.
    fn play(&mut self, lines: &[Opening<G>], number: u64) -> Result<Vec<Played>, RolloutError> {
        let seats = self.arena.game().seats();
        let seating = PerSeat::from_fn(Seat::index);
        let mut games = Vec::with_capacity(lines.len());
        for line in lines {
            self.dice.reset(number);
            let mut words = rollout_words(self.seed, number);
            let (policies, dice) = (&mut self.players.policies, &mut self.dice);
            let played = self.arena.play(line, policies, &seating, dice, &mut words, &mut ());
            let mut played = played.map_err(|choice| RolloutError::Illegal {
                game: number,
                choice: Box::new(choice),
            })?;
            for fault in self.players.take_faults(seats, &seating) {
                played.payoffs[fault.seat] = 0;
            }
            games.push(played);
        }
        Ok(games)
    }
}
