//! Plays an experiment on all cores: [`run`].

use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use sho_ai::arena::{Arena, IllegalChoice, Observer, bot_words};
use sho_ai::{Batch, BotSpec, Bots, Played, Playouts};
use sho_core::record::Record;
use sho_core::{BlockDice, Game, Notation, PerSeat, Seat};

use crate::block_rows::BlockRows;
use crate::chunks::{BATCH, CHUNK, Chunks};
use crate::distinct::GameHash;
use crate::entrant::Entrant;
use crate::exec::StartError;
use crate::experiment::{Blocks, Experiment, ExperimentError, MetricsTier, TournamentGame};
use crate::in_order::{in_order, thread_count};
use crate::metrics::{Measured, Meter};
use crate::players::{Players, Programs, SeatFault, shake_hands};
use crate::schedule::Address;
use crate::stats::sprt::{Outcomes, Sprt, SprtRun, Verdict};
use crate::study::StudyError;
use crate::tally::{BlockTally, Tally};

/// What a run shows while it goes on, and how it is told to stop.
pub trait Watcher: Sync {
    /// What has been counted so far: the first blocks of the experiment without a gap, after some of them each time. With a
    /// sequential test, what that says.
    fn so_far(&self, _tally: &Tally, _test: Option<&SprtRun>) {}

    /// How many games have been played, by work that is not counted as a tournament is: by a [study](crate::study), or by
    /// [rollouts](crate::rollout).
    fn games_so_far(&self, _games: u64) {}

    /// Whether to stop before the next chunk of blocks or games.
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

/// What is kept of the games beside their counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// A [record](sho_core::record) of each game, as a line of JSON.
    pub records: bool,
    /// A row of comma-separated values for each block, line-up and bot: see [`block_rows`](crate::block_rows).
    pub rows: bool,
}

/// Lines that are kept of some blocks, in the order of the blocks, each with its line end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Records.
    pub records: String,
    /// Rows.
    pub rows: String,
}

impl Lines {
    /// Adds those of the blocks behind these.
    pub fn append(&mut self, next: &Self) {
        self.records += &next.records;
        self.rows += &next.rows;
    }
}

/// How a run came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// All blocks are played.
    Whole,
    /// The sequential test has decided.
    Decided,
    /// The watcher stopped it.
    Stopped,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// The counts of the experiment's first blocks without a gap; how many, the tally says.
    pub tally: Tally,
    /// Why there are no more.
    pub end: RunEnd,
}

/// Why a run gave no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The experiment cannot be played.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The study cannot be played.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] io::Error),
    /// A bot chose an action that is not legal. Of several games in which that happens the first is named.
    #[error("game {address}, bot {bot}: {choice}")]
    Illegal {
        /// The game, to be played again.
        address: Address,
        /// The bot.
        bot: Box<Entrant>,
        /// What it chose, and where.
        choice: Box<IllegalChoice>,
    },
    /// A bot in another program did not come to play.
    #[error(transparent)]
    Bot(#[from] StartError),
    /// What was to be kept could not be written.
    #[error("cannot keep what was played: {0}")]
    Keep(io::Error),
}

/// Plays the games of an experiment with `threads` threads (0: one for each core) and counts them. The counts do not
/// depend on the number of threads, unless `watcher` stops the run; then they are those of fewer blocks. With a
/// sequential test the run ends at the block at which that decides.
///
/// # Errors
/// Where the experiment is impossible, threads cannot be started, or a bot chose what is not legal.
///
/// ```
/// use sho_bench::{Amount, Experiment, Schedule, run};
/// use sho_core::sho::{Rules, plain::Sho};
///
/// let bots = ["easy", "random"].map(String::from);
/// let experiment = Experiment::lineup::<Sho>(Rules::lhasa(), &bots, Schedule::Rotations, 1, Amount::Games(20))?;
/// let tally = run::<Sho>(&experiment, 2, &())?.tally;
/// assert_eq!((tally.games, tally.blocks), (20, 10));
/// assert_eq!(tally, run::<Sho>(&experiment, 1, &())?.tally);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<G: TournamentGame>(
    experiment: &Experiment<G::Rules>,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<Ran, RunError> {
    let nothing = Tally::new::<G>(checked::<G>(experiment)?);
    run_on::<G>(experiment, nothing, threads, watcher, Keep::default(), &mut |_, _| Ok(()))
}

fn checked<G: Bots>(
    experiment: &Experiment<G::Rules>,
) -> Result<&Experiment<G::Rules>, ExperimentError> {
    experiment.check::<G>()?;
    Ok(experiment)
}

/// Plays an experiment as [`run`] does, after blocks that were played before: `before` has the counts of the blocks in
/// front of those of the experiment. What the run comes to has them too. After some blocks each time, in order, `sink` is
/// given the counts up to there, and what is to be kept of these blocks; with any number of threads also where the number of all
/// blocks, those before too, is a multiple of 64.
///
/// # Errors
/// As for [`run`], and where `sink` fails.
pub fn run_on<G: TournamentGame>(
    experiment: &Experiment<G::Rules>,
    before: Tally,
    threads: usize,
    watcher: &impl Watcher,
    keep: Keep,
    sink: &mut (dyn FnMut(&Tally, &Lines) -> io::Result<()> + Send),
) -> Result<Ran, RunError> {
    checked::<G>(experiment)?;
    let game = G::new(experiment.rules).map_err(ExperimentError::from)?;
    shake_hands(&game, &experiment.bots)?;
    let size = if are_playouts(&game, experiment, keep) { BATCH } else { CHUNK };
    let chunks = Chunks::new(size, experiment.blocks, before.blocks, thread_count(threads));
    let mut test = experiment.test()?.map(|test| resumed(test, &before));
    let mut ran = Ran { tally: before, end: RunEnd::Stopped };
    let mut left = experiment.blocks.len();
    let mut kept = Ok(());
    in_order(
        threads,
        chunks.count(),
        || Table::new(&game, experiment, keep),
        |table, chunk| table.play_pieces(&chunks.pieces(chunk)),
        || watcher.stop(),
        |pieces: Vec<(Tally, Lines)>| {
            for (tally, lines) in pieces {
                // Sums of integers: who played which chunk cannot be seen.
                ran.tally.merge(&tally);
                left -= tally.blocks;
                kept = sink(&ran.tally, &lines);
                if let Some(test) = &mut test {
                    let seen = Outcomes::of(test.test().contest(), &tally.bots[0].outcomes);
                    let verdict = test.add_counted(&seen);
                    debug_assert!(verdict.is_ok(), "a piece ends at a check or before it");
                    if test.verdict() != Verdict::Undecided {
                        ran.end = RunEnd::Decided;
                    }
                }
                watcher.so_far(&ran.tally, test.as_ref());
                if kept.is_err() || ran.end == RunEnd::Decided {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        },
    )?;
    kept.map_err(RunError::Keep)?;
    if ran.end != RunEnd::Decided && left == 0 {
        ran.end = RunEnd::Whole;
    }
    Ok(ran)
}

/// Plays all games of an experiment on this thread, shows each to `seen`, and counts them. A sequential test does not end
/// it.
pub(crate) fn play_each<G: TournamentGame>(
    experiment: &Experiment<G::Rules>,
    seen: impl FnMut(Address, &Played),
) -> Result<Tally, RunError> {
    checked::<G>(experiment)?;
    let game = G::new(experiment.rules).map_err(ExperimentError::from)?;
    let mut table = Table::new(&game, experiment, Keep::default())?;
    Ok(table.play_blocks(experiment.blocks.range(), seen)?.0)
}

/// Plays ranges of blocks, each for itself, and gives the counts of each and what is to be kept of it to `take`, in order,
/// until that breaks or `stop` says so. A sequential test does not end it.
pub(crate) fn play_ranges<G: TournamentGame>(
    experiment: &Experiment<G::Rules>,
    ranges: &[Blocks],
    keep: Keep,
    threads: usize,
    stop: impl Fn() -> bool + Sync,
    take: impl FnMut((Tally, Lines)) -> ControlFlow<()> + Send,
) -> Result<(), RunError> {
    checked::<G>(experiment)?;
    let game = G::new(experiment.rules).map_err(ExperimentError::from)?;
    in_order(
        threads,
        ranges.len() as u64,
        || Table::new(&game, experiment, keep),
        |table, index| table.play_blocks(ranges[index as usize].range(), |_, _| {}),
        stop,
        take,
    )
}

/// A test that goes on after the blocks of a tally.
pub(crate) fn resumed(test: Sprt, before: &Tally) -> SprtRun {
    SprtRun::resumed(test, Outcomes::of(test.contest(), &before.bots[0].outcomes))
}

/// Whether all line-ups of an experiment have playouts.
pub(crate) fn are_playouts<G: Bots>(
    game: &G,
    experiment: &Experiment<G::Rules>,
    keep: Keep,
) -> bool {
    let mut lineups = experiment.lineups.iter();
    lineups.all(|lineup| lineup_playouts(game, experiment, lineup, keep).is_some())
}

/// What plays whole games of a line-up at once, where that is possible and enough.
fn lineup_playouts<G: Bots>(
    game: &G,
    experiment: &Experiment<G::Rules>,
    lineup: &[usize],
    keep: Keep,
) -> Option<Box<dyn Playouts<G>>> {
    // Whole games at once show nothing but their results.
    let is_enough = !keep.records && experiment.metrics == MetricsTier::Basic;
    let bots = lineup.iter().map(|&bot| &experiment.bots[bot]);
    is_enough.then(|| playouts_of(game, bots)).flatten()
}

/// What plays whole games of these bots at once, where that is possible.
pub(crate) fn playouts_of<'a, G: Bots>(
    game: &G,
    bots: impl Iterator<Item = &'a Entrant>,
) -> Option<Box<dyn Playouts<G>>> {
    let own = |bot: &'a Entrant| match bot {
        Entrant::Bot(bot) => Some(bot.spec()),
        Entrant::Exec(_) | Entrant::Guest(_) => None,
    };
    let specs: Vec<&BotSpec> = bots.map(own).collect::<Option<_>>()?;
    G::HAS_CHANCE.then(|| G::playouts(game, &specs)).flatten()
}

/// A line-up that is ready to play.
pub(crate) struct Seated<G: Game> {
    pub(crate) players: Players<G>,
    /// Plays whole games at once, where that is possible and enough.
    pub(crate) playouts: Option<Box<dyn Playouts<G>>>,
    /// How the games of a batch went.
    batch: Vec<Played>,
}

impl<G: Bots + Notation + 'static> Seated<G> {
    /// The line-up `lineup` of an experiment. Programs that are missing are started.
    pub(crate) fn new(
        game: &G,
        experiment: &Experiment<G::Rules>,
        lineup: &[usize],
        keep: Keep,
        programs: &mut Programs,
    ) -> Result<Self, RunError> {
        let players = Players::new(game, &experiment.bots, lineup, programs)?;
        let playouts = lineup_playouts(game, experiment, lineup, keep);
        Ok(Self { players, playouts, batch: Vec::new() })
    }

    /// Plays the games of some blocks in a batch, if it has playouts. [`batch`](Self::batch) has them then, block by block,
    /// and in it seating by seating.
    fn play_batch(&mut self, start: &G::State, batch: &Batch<'_>) {
        self.batch.clear();
        if let Some(playouts) = &mut self.playouts {
            playouts.play_batch(start, batch, &mut self.batch, None);
        }
    }
}

/// Where one thread plays games.
struct Table<'a, G: Measured> {
    game: &'a G,
    experiment: &'a Experiment<G::Rules>,
    keep: Keep,
    seatings: Vec<PerSeat<usize>>,
    lineups: Vec<Seated<G>>,
    arena: Arena<G>,
    dice: BlockDice,
    block: BlockTally,
    rows: BlockRows,
    meter: Option<G::Meter>,
}

impl<'a, G: TournamentGame> Table<'a, G> {
    fn new(
        game: &'a G,
        experiment: &'a Experiment<G::Rules>,
        keep: Keep,
    ) -> Result<Self, RunError> {
        let mut lineups = Vec::new();
        let mut programs = Programs::new(experiment.bots.len());
        for lineup in &experiment.lineups {
            lineups.push(Seated::new(game, experiment, lineup, keep, &mut programs)?);
        }
        Ok(Self {
            game,
            experiment,
            keep,
            seatings: experiment.schedule.seatings(game.seats()),
            lineups,
            arena: Arena::new(game.clone()),
            dice: BlockDice::of(game, experiment.seed, experiment.blocks.from),
            block: BlockTally::new::<G>(experiment),
            rows: BlockRows::new(experiment),
            meter: (experiment.metrics == MetricsTier::Full).then(|| game.meter()),
        })
    }

    /// Plays blocks, and shows each game to `seen` when it is over.
    fn play_blocks(
        &mut self,
        blocks: Range<u64>,
        mut seen: impl FnMut(Address, &Played),
    ) -> Result<(Tally, Lines), RunError> {
        let mut counted = (Tally::new::<G>(self.experiment), Lines::default());
        // So many at a time that memory stays small however many there are.
        for from in blocks.clone().step_by(*BATCH.end() as usize) {
            let blocks = from..blocks.end.min(from + BATCH.end());
            self.play_ahead(&blocks);
            self.count(blocks, from, &mut counted, &mut seen)?;
        }
        Ok(counted)
    }

    /// Plays the blocks of a chunk, and counts each piece of it for itself.
    fn play_pieces(&mut self, pieces: &[Range<u64>]) -> Result<Vec<(Tally, Lines)>, RunError> {
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            return Ok(Vec::new());
        };
        self.play_ahead(&(first.start..last.end));
        let count = |piece: &Range<u64>| {
            let mut counted = (Tally::new::<G>(self.experiment), Lines::default());
            self.count(piece.clone(), first.start, &mut counted, &mut |_, _| {})?;
            Ok(counted)
        };
        pieces.iter().map(count).collect()
    }

    /// Counts blocks of the batch that begins with block `first`.
    fn count(
        &mut self,
        blocks: Range<u64>,
        first: u64,
        (tally, lines): &mut (Tally, Lines),
        seen: &mut impl FnMut(Address, &Played),
    ) -> Result<(), RunError> {
        blocks.into_iter().try_for_each(|block| {
            self.play_block(block, (block - first) as usize, tally, lines, seen)
        })
    }

    /// Plays the games of some blocks in a batch, where that is possible.
    fn play_ahead(&mut self, blocks: &Range<u64>) {
        let seatings = &self.seatings;
        let batch = Batch { seed: self.experiment.seed, blocks: blocks.clone(), seatings };
        for lineup in &mut self.lineups {
            // Only games with chance have playouts, and these all begin in the same position.
            lineup.play_batch(&self.game.start(), &batch);
        }
    }

    /// Plays a block, the one with number `index` of its batch.
    fn play_block(
        &mut self,
        block: u64,
        index: usize,
        tally: &mut Tally,
        lines: &mut Lines,
        seen: &mut impl FnMut(Address, &Played),
    ) -> Result<(), RunError> {
        let seed = self.experiment.seed;
        let opening = self.experiment.opening(self.game, block);
        self.dice.reset(block);
        for lineup in 0..self.lineups.len() {
            for seating in 0..self.seatings.len() {
                let address = Address { lineup, block, seating };
                let Seated { players, playouts, batch } = &mut self.lineups[lineup];
                let seats = &self.seatings[seating];
                let mut faults = Vec::new();
                let mut played = if playouts.is_some() {
                    batch[index * self.seatings.len() + seating]
                } else {
                    let mut words = bot_words(seed, block, seating);
                    self.dice.rewind();
                    let mut watching = Watching::<G> {
                        meter: self.meter.as_mut(),
                        hash: tally.distinct.is_some().then(GameHash::default),
                        record: (self.keep.records)
                            .then(|| self.experiment.record(self.game, opening.start(), address)),
                    };
                    if let Some(meter) = &mut watching.meter {
                        meter.clear();
                    }
                    let (dice, policies) = (&mut self.dice, &mut players.policies);
                    let played = if watching.is_idle() {
                        self.arena.play(&opening, policies, seats, dice, &mut words, &mut ())
                    } else {
                        self.arena.play(&opening, policies, seats, dice, &mut words, &mut watching)
                    };
                    let played = played.map_err(|choice| {
                        let bot = self.block.bot_at(lineup, seating)[choice.seat];
                        let bot = Box::new(self.experiment.bots[bot].clone());
                        RunError::Illegal { address, bot, choice: Box::new(choice) }
                    })?;
                    if let (Some(distinct), Some(hash)) = (&mut tally.distinct, watching.hash) {
                        distinct.add(hash);
                    }
                    if let Some(meter) = &watching.meter {
                        self.block.metered::<G>(lineup, seating, meter, tally);
                    }
                    faults = players.take_faults(self.game.seats(), seats);
                    if let Some(record) = &mut watching.record {
                        record.faults = (faults.iter())
                            .map(|fault| format!("{} {}", fault.seat, fault.text))
                            .collect();
                        // A record has nothing that JSON cannot hold.
                        lines.records += &serde_json::to_string(record).unwrap_or_default();
                        lines.records.push('\n');
                    }
                    played
                };
                for SeatFault { seat, kind, .. } in faults {
                    played.payoffs[seat] = 0;
                    let bot = self.block.bot_at(lineup, seating)[seat];
                    tally.bots[bot].faults.count(kind, address);
                }
                seen(address, &played);
                self.block.game::<G>(lineup, seating, &played, tally);
                if self.keep.rows {
                    self.rows.game::<G>(self.block.bot_at(lineup, seating), lineup, &played);
                }
            }
        }
        if self.keep.rows {
            self.rows.write(block, self.experiment, &mut lines.rows);
        }
        self.block.finish(tally);
        Ok(())
    }
}

/// Whoever watches a game for the tally or for what is kept.
struct Watching<'a, G: Measured> {
    meter: Option<&'a mut G::Meter>,
    hash: Option<GameHash>,
    record: Option<Record<G::Rules>>,
}

impl<G: Measured> Watching<'_, G> {
    /// Whether nobody does.
    fn is_idle(&self) -> bool {
        self.meter.is_none() && self.hash.is_none() && self.record.is_none()
    }
}

impl<G: Measured + Notation> Observer<G> for Watching<'_, G> {
    fn cast(&mut self, game: &G, state: &G::State, seat: Seat, outcome: G::Outcome) {
        if let Some(meter) = &mut self.meter {
            meter.cast(game, state, seat, outcome);
        }
        if let Some(record) = &mut self.record {
            record.cast(game, state, seat, outcome);
        }
    }

    fn action(&mut self, game: &G, state: &G::State, seat: Seat, action: G::Action) {
        if let Some(meter) = &mut self.meter {
            meter.action(game, state, seat, action);
        }
        if let Some(hash) = &mut self.hash {
            hash.action(game, state, seat, action);
        }
        if let Some(record) = &mut self.record {
            record.action(game, state, seat, action);
        }
    }

    fn over(&mut self, game: &G, state: &G::State) {
        if let Some(meter) = &mut self.meter {
            meter.over(game, state);
        }
        if let Some(record) = &mut self.record {
            record.over(game, state);
        }
    }
}
