//! Many games from one position to the end: what a position is worth, and each action in it, when given bots play on.
//!
//! [`roll_out`] plays games from a position, [`roll_out_actions`] plays them for each legal action **on the same dice**:
//! what luck two actions have in common cancels out in their difference. In the order in which they build on one another:
//!
//! - [`RolloutDice`]: chance as a function of seed, game and seat; from [`sho_ai::rollout`].
//! - [`RolloutTally`]: what is counted; integers alone.
//! - [`roll_out`], [`roll_out_actions`]: the games, on all threads.
//! - [`RolloutResult`]: the result as a document, schema `sho/rollout/1`.

mod result;
mod tally;

pub use result::{
    Difference, EndShare, ROLLOUT_SCHEMA, RolloutResult, SeatChance, SeatedBot, chances, difference,
};
pub use sho_ai::rollout::{RolloutDice, rollout_words};
pub use tally::{LineTally, RolloutTally};

use std::io;
use std::ops::{ControlFlow, Range};

use sho_ai::arena::{Arena, IllegalChoice};
use sho_ai::opening::Opening;
use sho_ai::rollout::{RolloutBatch, RolloutLine};
use sho_ai::{Bots, Played, Playouts, Policy};
use sho_core::{ActionList, Game, Notation, PerSeat, Seat, Step};

use crate::chunks::{BATCH_OF_GAMES, CHUNK, Chunks};
use crate::entrant::{Entrant, EntrantError};
use crate::exec::StartError;
use crate::experiment::{Blocks, distinct};
use crate::in_order::{in_order, thread_count};
use crate::players::{NoPlayer, Players, Programs, shake_hands};
use crate::tournament::{Watcher, playouts_of};

/// The number of games is below this: stream numbers have 64 bits, and a game has 16 of them.
pub const GAMES_LIMIT: u64 = 1 << 48;

/// On which dice games are played, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The master seed of dice and bots.
    pub seed: u64,
    /// How many games, of each action where actions are compared; at least 1 and below [`GAMES_LIMIT`].
    pub games: u64,
}

impl Extent {
    fn checked(self) -> Result<Self, RolloutError> {
        match self.games {
            0 => Err(RolloutError::NoGames),
            GAMES_LIMIT.. => Err(RolloutError::TooManyGames(self.games)),
            _ => Ok(self),
        }
    }
}

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
            NoPlayer::Bot(error) => Self::Bot(error),
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
        Extent { seed, games }.checked()?;
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

    /// On which dice, and how often.
    #[must_use]
    pub const fn extent(&self) -> Extent {
        Extent { seed: self.seed, games: self.games }
    }

    /// The bots of one thread.
    fn players<G: Bots + Notation + 'static>(&self, game: &G) -> Result<Players<G>, RolloutError> {
        let mut programs = Programs::new(self.bots.len());
        Ok(Players::new(game, &self.bots, &self.seats, &mut programs)?)
    }

    /// Plays their games from a root.
    fn play<G: Bots + Notation + 'static>(
        &self,
        game: &G,
        from: &Root<G>,
        threads: usize,
        watcher: &impl Watcher,
    ) -> Result<RolloutTally, RolloutError> {
        let playouts = || playouts_of(game, self.bots().map(|(_, bot)| bot));
        from.play(game, &|| self.players(game), &playouts, self.extent(), threads, watcher)
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
pub fn roll_out<G: Bots + Notation + 'static>(
    game: &G,
    state: &G::State,
    rollout: &Rollout,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<RolloutTally, RolloutError> {
    shake_hands(game, &rollout.bots)?;
    rollout.play(game, &Root::position(game, state)?, threads, watcher)
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
pub fn roll_out_actions<G: Bots + Notation + 'static>(
    game: &G,
    state: &G::State,
    rollout: &Rollout,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<RolloutTally, RolloutError> {
    shake_hands(game, &rollout.bots)?;
    rollout.play(game, &Root::actions(game, state)?, threads, watcher)
}

/// As [`roll_out`], with policies of any kind: `policies` makes those of one thread, one for each seat in their order.
///
/// # Errors
/// As for [`roll_out`], and where they do not fill the seats.
///
/// ```
/// use sho_ai::{Policy, Random};
/// use sho_bench::rollout::{Extent, roll_out_with};
/// use sho_core::sho::{Rules, Sho};
/// use sho_core::Game;
///
/// let game = Sho::new(Rules::lhasa())?;
/// let three = || -> Vec<Box<dyn Policy<Sho>>> { (0..3).map(|_| Box::new(Random) as _).collect() };
/// let extent = Extent { seed: 1, games: 20 };
/// let tally = roll_out_with(&game, &game.start(), &three, extent, 1, &())?;
/// assert_eq!(tally.games, 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn roll_out_with<G: Notation>(
    game: &G,
    state: &G::State,
    policies: &(impl Fn() -> Vec<Box<dyn Policy<G>>> + Sync),
    extent: Extent,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<RolloutTally, RolloutError> {
    let from = Root::position(game, state)?;
    from.play(game, &|| filled(game, policies()), &|| None, extent, threads, watcher)
}

/// As [`roll_out_actions`], with policies of any kind, as for [`roll_out_with`].
///
/// # Errors
/// As for [`roll_out_actions`], and where the policies do not fill the seats.
pub fn roll_out_actions_with<G: Notation>(
    game: &G,
    state: &G::State,
    policies: &(impl Fn() -> Vec<Box<dyn Policy<G>>> + Sync),
    extent: Extent,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<RolloutTally, RolloutError> {
    let from = Root::actions(game, state)?;
    from.play(game, &|| filled(game, policies()), &|| None, extent, threads, watcher)
}

/// Policies that fill the seats.
fn filled<G: Notation>(
    game: &G,
    policies: Vec<Box<dyn Policy<G>>>,
) -> Result<Players<G>, RolloutError> {
    let (given, sides) = (policies.len(), game.seats());
    if given != sides {
        return Err(RolloutError::WrongBots { given, sides });
    }
    Ok(Players::of(policies))
}

/// What games are played from.
struct Root<G: Game> {
    /// The position, or each action in it.
    lines: Vec<Opening<G>>,
    /// The seat that throws or decides.
    seat: Seat,
}

impl<G: Notation> Root<G> {
    fn position(game: &G, state: &G::State) -> Result<Self, RolloutError> {
        match game.step(state) {
            Step::Over => Err(RolloutError::Over(game.state_text(state))),
            Step::Chance(seat) | Step::Decide(seat) => {
                Ok(Self { lines: vec![Opening::none(state.clone())], seat })
            }
        }
    }

    fn actions(game: &G, state: &G::State) -> Result<Self, RolloutError> {
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
        Ok(Self { lines: lines.map_err(|_| no_action())?, seat })
    }

    /// Plays each line so often, with players in the order of the seats, or with playouts of them if there are any.
    fn play(
        &self,
        game: &G,
        players: &(impl Fn() -> Result<Players<G>, RolloutError> + Sync),
        playouts: &(impl Fn() -> Option<Box<dyn Playouts<G>>> + Sync),
        extent: Extent,
        threads: usize,
        watcher: &impl Watcher,
    ) -> Result<RolloutTally, RolloutError> {
        let Extent { seed, games } = extent.checked()?;
        let nothing = || RolloutTally::new::<G>(self.lines.len(), self.seat);
        let size = if playouts().is_some() { BATCH_OF_GAMES } else { CHUNK };
        let numbers = Blocks { from: 0, to: games };
        let chunks = Chunks::new(size, numbers, 0, thread_count(threads));
        let mut tally = nothing();
        in_order(
            threads,
            chunks.count(),
            || Ok::<_, RolloutError>(Table::new(game, players()?, playouts(), self, seed)),
            |table, chunk| {
                let mut tally = nothing();
                for games in table.play(chunks.get(chunk))?.chunks_exact(self.lines.len()) {
                    tally.add::<G>(games);
                }
                Ok(tally)
            },
            || watcher.stop(),
            |more: RolloutTally| {
                tally.merge(&more);
                watcher.games_so_far(tally.games * self.lines.len() as u64);
                ControlFlow::Continue(())
            },
        )?;
        Ok(tally)
    }
}

/// Where one thread plays games.
struct Table<'a, G: Game> {
    players: Players<G>,
    /// What plays whole games of them at once, where that is possible.
    playouts: Option<Box<dyn Playouts<G>>>,
    arena: Arena<G>,
    dice: RolloutDice,
    seed: u64,
    lines: &'a [Opening<G>],
    /// The same lines for playouts.
    begins: Vec<RolloutLine<G::State>>,
    /// The games that were played last.
    played: Vec<Played>,
}

impl<'a, G: Notation> Table<'a, G> {
    fn new(
        game: &G,
        players: Players<G>,
        playouts: Option<Box<dyn Playouts<G>>>,
        root: &'a Root<G>,
        seed: u64,
    ) -> Self {
        let (arena, dice) = (Arena::new(game.clone()), RolloutDice::new(game, seed, 0));
        let begins = root.lines.iter().map(|line| RolloutLine::new(game, line)).collect();
        let (lines, played) = (&root.lines[..], Vec::new());
        Self { players, playouts, arena, dice, seed, lines, begins, played }
    }

    /// Plays these games: number by number, and in it line by line.
    fn play(&mut self, numbers: Range<u64>) -> Result<&[Played], RolloutError> {
        self.played.clear();
        match &mut self.playouts {
            Some(playouts) => {
                let batch = RolloutBatch { seed: self.seed, games: numbers, lines: &self.begins };
                playouts.roll_out(&batch, &mut self.played);
            }
            None => numbers.into_iter().try_for_each(|number| self.play_lines(number))?,
        }
        Ok(&self.played)
    }

    /// Plays one game of each line, all on the same dice. Where a bot is at fault its seat gets nothing.
    fn play_lines(&mut self, number: u64) -> Result<(), RolloutError> {
        let seats = self.arena.game().seats();
        let seating = PerSeat::from_fn(Seat::index);
        for line in self.lines {
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
            self.played.push(played);
        }
        Ok(())
    }
}
