//! Plays a study on all cores: [`run_study`].

use std::io;
use std::ops::{ControlFlow, Range};

use sho_ai::arena::{Arena, bot_stream, bot_streams, bot_words};
use sho_ai::{Batch, GameTrace, Played};
use sho_core::{BlockDice, PerSeat, Seat, SeatStreams};

use super::definition::Study;
use super::measure::{Ruler, measures};
use super::tally::{Comparisons, StudyTally};
use crate::chunks::{BATCH_OF_GAMES, CHUNK, Chunks};
use crate::entrant::Entrant;
use crate::experiment::{Blocks, Experiment, ExperimentError, MetricsTier, TournamentGame};
use crate::in_order::{in_order, thread_count};
use crate::metrics::{Measured, Meter};
use crate::players::Programs;
use crate::schedule::Address;
use crate::tournament::{Keep, RunEnd, RunError, Seated, Watcher, are_playouts};

/// What a run of a study came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyRan {
    /// The counts of the study's first blocks without a gap; how many, the tally says.
    pub tally: StudyTally,
    /// Why there are no more.
    pub end: RunEnd,
}

/// Plays the games of a study with `threads` threads (0: one for each core) and counts them. The counts do not depend on
/// the number of threads, unless `watcher` stops the run; then they are those of fewer blocks.
///
/// # Errors
/// Where the study is impossible, threads cannot be started, or a bot chose what is not legal.
///
/// ```
/// use sho_bench::study::{Design, Study, StudyResult, run_study};
/// use sho_core::sho::{Rules, Sho};
///
/// let (asked, bots) = (["join-throws".to_owned()], ["easy".to_owned()]);
/// let study = Study::new::<Sho>(Rules::lhasa(), &asked, Design::OneAtATime, &bots, 1, 200)?;
/// let tally = run_study::<Sho>(&study, 1, &())?.tally;
/// let result = StudyResult::new::<Sho>(&study, &tally);
/// let throws = &result.policies[0].effects[0];
/// assert_eq!((throws.contrast.as_str(), throws.measure.as_str()), ("join-throws=no", "throws"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_study<G: TournamentGame>(
    study: &Study<G::Rules>,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<StudyRan, RunError> {
    study.check::<G>()?;
    let nothing = StudyTally::new::<G>(study);
    study_on::<G>(study, nothing, threads, watcher, &mut |_| Ok(()))
}

/// Plays a study as [`run_study`] does, after blocks that were played before: `before` has the counts of the blocks in
/// front of those of the study. What the run comes to has them too. After some blocks each time, in order, `sink` is given the
/// counts up to there; with any number of threads also where the number of all blocks, those before too, is a multiple of 64.
///
/// # Errors
/// As for [`run_study`], and where `sink` fails.
pub fn study_on<G: TournamentGame>(
    study: &Study<G::Rules>,
    before: StudyTally,
    threads: usize,
    watcher: &impl Watcher,
    sink: &mut (dyn FnMut(&StudyTally) -> io::Result<()> + Send),
) -> Result<StudyRan, RunError> {
    study.check::<G>()?;
    let chunks = chunks::<G>(study, before.blocks, threads)?;
    let mut ran = StudyRan { tally: before, end: RunEnd::Stopped };
    let mut left = study.blocks.len();
    let mut kept = Ok(());
    let games = study.games_a_block()?;
    in_order(
        threads,
        chunks.count(),
        || Cells::<G>::new(study, Way::Quickest),
        |cells, chunk| cells.play_pieces(&chunks.pieces(chunk)),
        || watcher.stop(),
        |pieces: Vec<StudyTally>| {
            for tally in pieces {
                // Sums of integers: who played which chunk cannot be seen.
                ran.tally.merge(&tally);
                left -= tally.blocks;
                kept = sink(&ran.tally);
                watcher.games_so_far(ran.tally.blocks * games);
                if kept.is_err() {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        },
    )?;
    kept.map_err(RunError::Keep)?;
    if left == 0 {
        ran.end = RunEnd::Whole;
    }
    Ok(ran)
}

/// Plays the games of a study as [`run_study`] does, and gives what the contrasts of one measure come to in each block to
/// `take`, in the order of the blocks: a slice by policy, and in it by contrast, before anything is divided. Whether it
/// played them all.
pub(crate) fn each_block<G: TournamentGame>(
    study: &Study<G::Rules>,
    measure: usize,
    threads: usize,
    watcher: &impl Watcher,
    mut take: impl FnMut(&[i64]) + Send,
) -> Result<RunEnd, RunError> {
    study.check::<G>()?;
    let chunks = chunks::<G>(study, 0, threads)?;
    let games = study.games_a_block()?;
    let a_block = study.policies.len() * study.contrasts()?.len();
    let mut played = 0;
    in_order(
        threads,
        chunks.count(),
        || Cells::<G>::new(study, Way::Quickest),
        |cells, chunk| cells.contrasts_of_blocks(chunks.get(chunk), measure),
        || watcher.stop(),
        |contrasts: Vec<i64>| {
            for block in contrasts.chunks_exact(a_block) {
                take(block);
                played += 1;
            }
            watcher.games_so_far(played * games);
            ControlFlow::Continue(())
        },
    )?;
    Ok(if played == study.blocks.len() { RunEnd::Whole } else { RunEnd::Stopped })
}

/// Plays ranges of blocks, each for itself, and gives the counts of each to `take`, in order, until that breaks or `stop`
/// says so. Every game is played step by step.
pub(crate) fn study_ranges<G: TournamentGame>(
    study: &Study<G::Rules>,
    ranges: &[Blocks],
    threads: usize,
    stop: impl Fn() -> bool + Sync,
    take: impl FnMut(StudyTally) -> ControlFlow<()> + Send,
) -> Result<(), RunError> {
    study.check::<G>()?;
    in_order(
        threads,
        ranges.len() as u64,
        || Cells::<G>::new(study, Way::StepByStep),
        |cells, index| cells.count(ranges[index as usize].range()),
        stop,
        take,
    )
}

/// The chunks in which the blocks of a study are played, after so many blocks before.
fn chunks<G: TournamentGame>(
    study: &Study<G::Rules>,
    before: u64,
    threads: usize,
) -> Result<Chunks, RunError> {
    let mut size = BATCH_OF_GAMES;
    for cell in study.cells()? {
        let game = G::new(cell.rules).map_err(ExperimentError::from)?;
        if !are_playouts(&game, &study.experiment(&cell), Keep::default()) {
            size = CHUNK;
        }
    }
    Ok(Chunks::new(size, study.blocks, before, thread_count(threads)))
}

/// How games are played, which changes none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As whole playouts where there are any, and step by step where not.
    Quickest,
    /// Through the arena, as a single game is.
    StepByStep,
}

/// Where one thread plays the games of a study.
struct Cells<'a, G: TournamentGame> {
    study: &'a Study<G::Rules>,
    cells: Vec<PlayedCell<G>>,
    comparisons: Comparisons,
    measures: usize,
    /// Dice for each number of sides at a table.
    dice: Vec<(usize, BlockDice)>,
    /// What was measured in a block by one policy: by cell, and in it by measure.
    values: Vec<i64>,
}

/// A cell that is ready to be played.
struct PlayedCell<G: Measured> {
    experiment: Experiment<G::Rules>,
    /// By policy.
    lineups: Vec<Seated<G>>,
    seating: PerSeat<usize>,
    arena: Arena<G>,
    /// The words of the bots in playouts.
    words: SeatStreams,
    meter: Option<G::Meter>,
    ruler: Ruler,
    /// Which dice are its.
    dice: usize,
    /// By policy, the games that have been played ahead of their blocks.
    ahead: Vec<Ahead>,
}

/// Games of some blocks that were played at once.
#[derive(Clone, Debug, Default)]
struct Ahead {
    /// The block of the first of them.
    from: u64,
    played: Vec<Played>,
    traces: Vec<GameTrace>,
}

impl Ahead {
    /// The game of a block, if it is among them.
    fn game(&self, block: u64) -> Option<(Played, GameTrace)> {
        let index = usize::try_from(block.checked_sub(self.from)?).ok()?;
        Some((*self.played.get(index)?, *self.traces.get(index)?))
    }
}

impl<'a, G: TournamentGame> Cells<'a, G> {
    fn new(study: &'a Study<G::Rules>, way: Way) -> Result<Self, RunError> {
        let measures = measures::<G>(study);
        let mut dice: Vec<(usize, BlockDice)> = Vec::new();
        let mut cells = Vec::new();
        for cell in study.cells()? {
            let experiment = study.experiment(&cell);
            let game = G::new(cell.rules).map_err(ExperimentError::from)?;
            let sides = game.seats();
            let place = dice.iter().position(|&(seats, _)| seats == sides).unwrap_or_else(|| {
                dice.push((sides, BlockDice::of(&game, study.seed, study.blocks.from)));
                dice.len() - 1
            });
            let mut programs = Programs::new(experiment.bots.len());
            let lineups = (experiment.lineups.iter())
                .map(|lineup| {
                    let keep = Keep::default();
                    let mut seated = Seated::new(&game, &experiment, lineup, keep, &mut programs)?;
                    seated.playouts = seated.playouts.filter(|_| way == Way::Quickest);
                    Ok::<_, RunError>(seated)
                })
                .collect::<Result<_, _>>()?;
            let full = study.metrics == MetricsTier::Full;
            cells.push(PlayedCell {
                lineups,
                seating: PerSeat::from_fn(Seat::index),
                meter: full.then(|| game.meter()),
                ruler: Ruler::new::<G>(study, &measures, sides),
                arena: Arena::new(game),
                words: bot_streams(study.seed, 0, 0),
                dice: place,
                ahead: vec![Ahead::default(); experiment.lineups.len()],
                experiment,
            });
        }
        Ok(Self {
            study,
            comparisons: Comparisons::new(&measures, &study.contrasts()?),
            values: vec![0; cells.len() * measures.len()],
            measures: measures.len(),
            cells,
            dice,
        })
    }

    /// Plays the blocks of a chunk, and counts each piece of it for itself.
    fn play_pieces(&mut self, pieces: &[Range<u64>]) -> Result<Vec<StudyTally>, RunError> {
        if let (Some(first), Some(last)) = (pieces.first(), pieces.last()) {
            self.play_ahead(&(first.start..last.end));
        }
        pieces.iter().map(|piece| self.count(piece.clone())).collect()
    }

    /// Counts blocks, of which those games are played that were not played ahead.
    fn count(&mut self, blocks: Range<u64>) -> Result<StudyTally, RunError> {
        let mut tally = StudyTally::new::<G>(self.study);
        for block in blocks {
            self.reset(block);
            for (policy, counted) in tally.policies.iter_mut().enumerate() {
                let mut base = None;
                for index in 0..self.cells.len() {
                    let (played, trace) = self.play(policy, block, index)?;
                    let differs = *base.get_or_insert(trace) != trace;
                    let values = &self.values[index * self.measures..][..self.measures];
                    let counted = &mut counted.cells[index];
                    let rules = self.cells[index].arena.game().rules();
                    self.comparisons.game(rules, &played, differs, values, counted);
                }
                self.comparisons.block(block, &self.values, counted);
            }
            tally.blocks += 1;
        }
        Ok(tally)
    }

    /// What the contrasts of a measure come to in each of some blocks, before they are divided: by block, in it by policy,
    /// and in that by contrast.
    fn contrasts_of_blocks(
        &mut self,
        blocks: Range<u64>,
        measure: usize,
    ) -> Result<Vec<i64>, RunError> {
        let mut contrasts = Vec::new();
        self.play_ahead(&blocks);
        for block in blocks {
            self.reset(block);
            for policy in 0..self.study.policies.len() {
                for index in 0..self.cells.len() {
                    self.play(policy, block, index)?;
                }
                contrasts.extend(self.comparisons.contrasts(&self.values, measure));
            }
        }
        Ok(contrasts)
    }

    /// Plays what can be played many games at once.
    fn play_ahead(&mut self, blocks: &Range<u64>) {
        for cell in &mut self.cells {
            cell.play_ahead(blocks);
        }
    }

    /// Makes the dice of a block ready.
    fn reset(&mut self, block: u64) {
        for (_, dice) in &mut self.dice {
            dice.reset(block);
        }
    }

    /// Plays the game of a block and a cell by a policy, and measures it.
    fn play(
        &mut self,
        policy: usize,
        block: u64,
        index: usize,
    ) -> Result<(Played, GameTrace), RunError> {
        let cell = &mut self.cells[index];
        let (played, trace) = cell.play(policy, block, &mut self.dice[cell.dice].1)?;
        let values = &mut self.values[index * self.measures..][..self.measures];
        cell.ruler.measure::<G>(&played, cell.meter.as_ref(), values);
        Ok((played, trace))
    }
}

impl<G: TournamentGame> PlayedCell<G> {
    /// Plays the games of some blocks, by each policy whose games can be played many at once.
    fn play_ahead(&mut self, blocks: &Range<u64>) {
        let start = self.arena.game().start();
        let seatings = &[self.seating];
        let batch = Batch { seed: self.experiment.seed, blocks: blocks.clone(), seatings };
        for (lineup, ahead) in self.lineups.iter_mut().zip(&mut self.ahead) {
            let Some(playouts) = &mut lineup.playouts else { continue };
            if playouts.plays_at_once(&start) {
                let Ahead { from, played, traces } = ahead;
                *from = blocks.start;
                played.clear();
                traces.clear();
                playouts.play_batch(&start, &batch, played, Some(traces));
            }
        }
    }

    /// Plays the game of a block by a policy.
    fn play(
        &mut self,
        policy: usize,
        block: u64,
        dice: &mut BlockDice,
    ) -> Result<(Played, GameTrace), RunError> {
        if let Some(game) = self.ahead[policy].game(block) {
            return Ok(game);
        }
        let seed = self.experiment.seed;
        let opening = self.experiment.opening(self.arena.game(), block);
        dice.rewind();
        let Seated { players, playouts, .. } = &mut self.lineups[policy];
        if let Some(playouts) = playouts {
            let (start, _) = opening.play(self.arena.game(), |_, _, _| {});
            // The only seating of the schedule `fixed`.
            self.words.renumber(bot_stream(block, 0, Seat::A));
            return Ok(playouts.play_traced(start, &self.seating, dice, &mut self.words));
        }
        let mut words = bot_words(seed, block, 0);
        let mut trace = GameTrace::default();
        let (policies, seating) = (&mut players.policies, &self.seating);
        let played = match &mut self.meter {
            None => self.arena.play(&opening, policies, seating, dice, &mut words, &mut trace),
            Some(meter) => {
                meter.clear();
                let mut both = (meter, &mut trace);
                self.arena.play(&opening, policies, seating, dice, &mut words, &mut both)
            }
        };
        let played = played.map_err(|choice| {
            let address = Address { lineup: policy, block, seating: 0 };
            let bot: Box<Entrant> = Box::new(self.experiment.bots[policy].clone());
            RunError::Illegal { address, bot, choice: Box::new(choice) }
        })?;
        trace.finish(&played);
        Ok((played, trace))
    }
}
