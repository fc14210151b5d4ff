//! Plays an experiment on all cores: [`run`].

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use sho_ai::{BotSpec, Bots};
use sho_core::{BlockDice, Notation};

use crate::distinct::GameHash;
use crate::experiment::{Experiment, ExperimentError};
use crate::schedule::Address;
use crate::tally::{BlockTally, Tally};
use sho_ai::arena::{Arena, IllegalChoice, bot_words};

/// The most blocks that a thread plays before it reports: long enough that the report costs nothing, short enough that
/// a progress bar moves and a stop is prompt.
const CHUNK: u64 = 32;

/// How many chunks a thread gets at least, where there are blocks enough: with fewer, threads that are through early
/// wait for one that is not.
const CHUNKS_A_THREAD: u64 = 8;

/// What a run shows while it goes on, and how it is told to stop.
pub trait Watcher: Sync {
    /// So many further games are played. Called from any thread.
    fn played(&self, _games: u64) {}

    /// Whether to stop before the next chunk of blocks.
    fn stop(&self) -> bool {
        false
    }
}

/// Watches nothing.
impl Watcher for () {}

/// Stops when set.
impl Watcher for AtomicBool {
    fn stop(&self) -> bool {
        self.load(Ordering::Relaxed)
    }
}

/// Why a run gave no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The experiment cannot be played.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A bot chose an action that is not legal. Where that happens in several games, one of them is named.
    #[error("game {address}, bot {bot}: {choice}")]
    Illegal {
        /// The game, to be played again.
        address: Address,
        /// The bot.
        bot: BotSpec,
        /// What it chose, and where.
        choice: IllegalChoice,
    },
    /// It was told to stop.
    #[error("stopped before the end")]
    Stopped,
}

/// Plays all games of an experiment with `threads` threads (0: one for each core) and counts them. The counts do not
/// depend on the number of threads.
///
/// # Errors
/// Where the experiment is impossible, threads cannot be started, a bot chose what is not legal, or `watcher` stopped
/// the run.
///
/// ```
/// use sho_bench::{Amount, Experiment, Schedule, run};
/// use sho_core::sho::{Rules, plain::Sho};
///
/// let bots = ["easy", "random"].map(String::from);
/// let experiment = Experiment::lineup::<Sho>(Rules::lhasa(), &bots, Schedule::Rotations, 1, Amount::Games(20))?;
/// let tally = run::<Sho>(&experiment, 2, &())?;
/// assert_eq!((tally.games, tally.blocks), (20, 10));
/// assert_eq!(tally, run::<Sho>(&experiment, 1, &())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<G: Bots + Notation>(
    experiment: &Experiment<G::Rules>,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<Tally, RunError> {
    experiment.check::<G>()?;
    let game = G::new(experiment.rules).map_err(ExperimentError::from)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let blocks = experiment.blocks;
    let share = blocks.len() / (CHUNKS_A_THREAD * pool.current_num_threads() as u64);
    let chunk_blocks = share.clamp(1, CHUNK);
    let chunks = blocks.len().div_ceil(chunk_blocks);
    let nothing = || Tally::new::<G>(experiment.bots.len());
    let tally = pool.install(|| {
        (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                if watcher.stop() {
                    return Err(RunError::Stopped);
                }
                let from = blocks.from + chunk * chunk_blocks;
                let to = blocks.to.min(from + chunk_blocks);
                let tally = play_blocks(&game, experiment, from..to)?;
                watcher.played(tally.games);
                Ok(tally)
            })
            // Sums of integers: the order in which chunks meet cannot be seen.
            .try_reduce(nothing, |mut left, right| {
                left.merge(&right);
                Ok(left)
            })
    })?;
    Ok(tally)
}

fn play_blocks<G: Bots + Notation>(
    game: &G,
    experiment: &Experiment<G::Rules>,
    blocks: std::ops::Range<u64>,
) -> Result<Tally, RunError> {
    let seats = game.seats();
    let seatings = experiment.schedule.seatings(seats);
    let mut lineups = Vec::new();
    for lineup in &experiment.lineups {
        let policies = experiment.policies::<G>(lineup).map_err(ExperimentError::from)?;
        let specs: Vec<_> = lineup.iter().map(|&bot| &experiment.bots[bot]).collect();
        lineups.push((lineup, policies, G::playouts(game, &specs)));
    }
    let mut arena = Arena::new(game.clone());
    let mut tally = Tally::new::<G>(experiment.bots.len());
    let mut block_tally = BlockTally::new::<G>(experiment.bots.len());
    let mut dice = BlockDice::of(game, experiment.seed, blocks.start);
    for block in blocks {
        dice.reset(block);
        let opening = experiment.opening(game, block);
        for (number, (lineup, policies, playouts)) in lineups.iter_mut().enumerate() {
            for (index, seating) in seatings.iter().enumerate() {
                let bot_at = Experiment::<G::Rules>::bot_at(lineup, seating);
                let mut words = bot_words(experiment.seed, block, index);
                dice.rewind();
                let played = match (playouts.as_mut(), tally.distinct.as_mut()) {
                    (Some(playouts), None) => {
                        let (start, _) = opening.play(game, |_, _, _| {});
                        Ok(playouts.play(start, seating, &mut dice, &mut words))
                    }
                    (_, Some(distinct)) => {
                        let mut hash = GameHash::default();
                        let played = arena
                            .play(&opening, policies, seating, &mut dice, &mut words, &mut hash);
                        distinct.add(hash);
                        played
                    }
                    (None, None) => {
                        arena.play(&opening, policies, seating, &mut dice, &mut words, &mut ())
                    }
                };
                let played = played.map_err(|choice| RunError::Illegal {
                    address: Address { lineup: number, block, seating: index },
                    bot: experiment.bots[bot_at[choice.seat]].clone(),
                    choice,
                })?;
                block_tally.game::<G>(seats, &bot_at, &played, &mut tally);
            }
        }
        block_tally.finish(&mut tally);
    }
    Ok(tally)
}
