//! Plays an experiment on all cores: [`run`].

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use sho_ai::Bots;
use sho_core::BlockDice;

use crate::arena::{Arena, bot_words};
use crate::distinct::GameHash;
use crate::experiment::{Experiment, ExperimentError};
use crate::tally::{BlockTally, Tally};

/// Blocks that a thread plays before it reports: long enough that the report costs nothing, short enough that a
/// progress bar moves and a stop is prompt.
const CHUNK: u64 = 32;

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
    /// It was told to stop.
    #[error("stopped before the end")]
    Stopped,
}

/// Plays all games of an experiment with `threads` threads (0: one for each core) and counts them. The counts do not
/// depend on the number of threads.
///
/// # Errors
/// Where the experiment is impossible, threads cannot be started, or `watcher` stopped the run.
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
pub fn run<G: Bots>(
    experiment: &Experiment<G::Rules>,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<Tally, RunError> {
    experiment.check::<G>()?;
    let game = G::new(experiment.rules).map_err(ExperimentError::from)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let blocks = experiment.blocks;
    let chunks = blocks.len().div_ceil(CHUNK);
    let nothing = || Tally::new::<G>(experiment.bots.len());
    let tally = pool.install(|| {
        (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                if watcher.stop() {
                    return Err(RunError::Stopped);
                }
                let from = blocks.from + chunk * CHUNK;
                let tally = play_blocks(&game, experiment, from..blocks.to.min(from + CHUNK))?;
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

fn play_blocks<G: Bots>(
    game: &G,
    experiment: &Experiment<G::Rules>,
    blocks: std::ops::Range<u64>,
) -> Result<Tally, RunError> {
    let seats = game.seats();
    let seatings = experiment.schedule.seatings(seats);
    let mut lineups = Vec::new();
    for lineup in &experiment.lineups {
        let policies = experiment.policies::<G>(lineup).map_err(ExperimentError::from)?;
        lineups.push((lineup, policies));
    }
    let mut arena = Arena::new(game.clone());
    let mut tally = Tally::new::<G>(experiment.bots.len());
    let mut block_tally = BlockTally::new::<G>(experiment.bots.len());
    for block in blocks {
        let dice = BlockDice::new(experiment.seed, block);
        let opening = experiment.opening(game, block);
        for (lineup, policies) in &mut lineups {
            for (index, seating) in seatings.iter().enumerate() {
                let mut words = bot_words(experiment.seed, block, index);
                let mut dice = dice.clone();
                let played = if let Some(distinct) = &mut tally.distinct {
                    let mut hash = GameHash::default();
                    let played =
                        arena.play(&opening, policies, seating, &mut dice, &mut words, &mut hash);
                    distinct.add(hash);
                    played
                } else {
                    arena.play(&opening, policies, seating, &mut dice, &mut words, &mut ())
                };
                let bot_at = Experiment::<G::Rules>::bot_at(lineup, seating);
                block_tally.game::<G>(seats, &bot_at, &played, &mut tally);
            }
        }
        block_tally.finish(&mut tally);
    }
    Ok(tally)
}
