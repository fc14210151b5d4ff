//! One step of a tuning after the other: [`Tuner`].

use sho_ai::sho::Weights;
use sho_core::sho::Sho;
use sho_core::{RuleSet, Stream};

use super::calibration::{calibration, loss, natural};
use super::definition::{BASE, CANDIDATE, MEAN, Tune, TuneError};
use super::samples::{FEATURES, Samples, samples};
use super::search::Search;
use super::stage::{LABEL, Stage};
use super::state::{
    Finalist, FitState, Generation, Played, Space, TestState, TuneState, all_octaves, whole,
};
use crate::experiment::Blocks;
use crate::stats::conditional_logit::{self, Positions, deviations};
use crate::stats::matrix::Matrix;
use crate::stats::sprt::{SprtRun, Verdict};
use crate::tally::Tally;
use crate::tournament::{Keep, RunEnd, Watcher, resumed, run, run_on};

/// Generations are drawn from streams whose number is that of the generation with the highest bit set, so that it is no
/// block's.
const GENERATIONS: u64 = 1 << 63;

/// Ridges that are tried, from weak to strong.
const RIDGES: [f64; 5] = [1e-6, 1e-5, 1e-4, 1e-3, 1e-2];

/// The part of the samples that chooses the ridge, and the one that checks.
const CHOOSING: u64 = 8;
const CHECKING: u64 = 9;

/// How much of a feature's deviation over positions counts for its deviation over actions: so a feature that hardly ever
/// differs between actions is not moved without bounds.
const SHARE_OF_POSITIONS: f64 = 0.01;

/// How much actions of one decision must differ in a feature, as a share of how much positions do, for its weight to be
/// looked for at all: another one would drift.
const LEAST_SHARE: f64 = 1e-4;

/// Blocks of a sequential test in one step.
const TEST_BLOCKS: u64 = 4096;

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepEnd {
    /// There is more to do.
    More,
    /// All is done.
    Done,
    /// It was told to stop; nothing of the step is lost but what it had just begun.
    Stopped,
}

/// Does a tuning, step by step. After each step the [state](Self::state) can be kept, and another tuner goes on with it.
#[derive(Debug)]
pub struct Tuner {
    tune: Tune,
    state: TuneState,
    /// Played again where they are needed and not there.
    samples: Option<Samples>,
}

impl Tuner {
    /// A tuning from its beginning.
    ///
    /// # Errors
    /// Where it cannot be done.
    pub fn new(tune: Tune) -> Result<Self, TuneError> {
        let state = TuneState { tune: tune.digest(), ..TuneState::default() };
        Self::resume(tune, state)
    }

    /// A tuning that goes on.
    ///
    /// # Errors
    /// Where it cannot be done, or the state is not of it.
    pub fn resume(tune: Tune, state: TuneState) -> Result<Self, TuneError> {
        tune.check()?;
        if state.tune != tune.digest() {
            return Err(TuneError::State("it was begun with other numbers".to_owned()));
        }
        let fits = state.fit.as_ref().is_none_or(|fit| {
            fit.space.axes.len() == fit.space.free.len() * fit.space.free.len()
                && fit.space.free.iter().all(|&feature| feature < FEATURES)
        });
        if !fits || state.generations.len() as u64 > tune.generations {
            return Err(TuneError::State("its parts do not fit together".to_owned()));
        }
        Ok(Self { tune, state, samples: None })
    }

    /// What is asked for.
    #[must_use]
    pub fn tune(&self) -> &Tune {
        &self.tune
    }

    /// How far it is.
    #[must_use]
    pub fn state(&self) -> &TuneState {
        &self.state
    }

    /// What comes next; nothing when all is done.
    #[must_use]
    pub fn stage(&self) -> Option<Stage> {
        self.state.stage(self.tune.generations, self.tune.tests().len())
    }

    /// Does the next step with `threads` threads (0: one for each core). What comes of it does not depend on their number.
    /// `watcher` hears of all games so far, and may stop the step.
    ///
    /// # Errors
    /// Where a match cannot be played.
    pub fn step(&mut self, threads: usize, watcher: &impl Watcher) -> Result<StepEnd, TuneError> {
        let Some(stage) = self.stage() else { return Ok(StepEnd::Done) };
        let done = match stage {
            Stage::Fit => self.fit(threads, watcher),
            Stage::Start => self.start(threads, watcher),
            Stage::Polish => self.polish(threads, watcher),
            Stage::Choice => self.choose(threads, watcher),
            Stage::Proof => self.prove(threads, watcher),
            Stage::Measure => self.measure(threads, watcher),
        };
        match done {
            Ok(()) if self.stage().is_none() => Ok(StepEnd::Done),
            Ok(()) => Ok(StepEnd::More),
            Err(TuneError::Stopped) => Ok(StepEnd::Stopped),
            Err(error) => Err(error),
        }
    }

    fn samples(&mut self, threads: usize, watcher: &impl Watcher) -> Result<&Samples, TuneError> {
        if self.samples.is_none() {
            let Tune { rules, base, seed, fit_blocks, .. } = &self.tune;
            let before = self.state.games;
            let mut games = 0;
            let played = |more| {
                games += more;
                watcher.games_so_far(before + games);
            };
            let stop = || watcher.stop();
            let made = samples(rules, base, *seed, *fit_blocks, threads, stop, played)?;
            self.samples = Some(made);
        }
        self.samples.as_ref().ok_or(TuneError::Stopped)
    }

    fn fit(&mut self, threads: usize, watcher: &impl Watcher) -> Result<(), TuneError> {
        let base = all_octaves(&self.tune.base);
        let samples = self.samples(threads, watcher)?;
        let natural = natural(&base);
        let mut ridges = Vec::new();
        let mut best: Option<(f64, f64, Vec<f64>)> = None;
        let mut from = natural.clone();
        for ridge in RIDGES.into_iter().rev() {
            if watcher.stop() {
                return Err(TuneError::Stopped);
            }
            let fit = conditional_logit::fit(samples, &natural, &from, ridge, threads)?;
            from.clone_from(&fit.weights);
            let found: Vec<f64> = fit.weights.iter().map(|w| w / std::f64::consts::LN_2).collect();
            let loss = calibration(samples, &found, CHOOSING).loss;
            ridges.push((ridge, loss));
            if best.as_ref().is_none_or(|(_, before, _)| loss < *before) {
                best = Some((ridge, loss, found));
            }
        }
        let Some((ridge, _, found)) = best else { return Err(TuneError::Stopped) };
        let weights: [i32; FEATURES] = std::array::from_fn(|i| whole(found[i]));
        let weights = Weights::new(weights);
        let fit = FitState {
            positions: samples.count() as u64,
            ridge,
            ridges,
            weights,
            base: calibration(samples, &base, CHECKING),
            fit: calibration(samples, &all_octaves(&weights), CHECKING),
            space: space(samples, &base),
        };
        self.state.fit = Some(fit);
        self.state.games += self.tune.fit_blocks;
        Ok(())
    }

    fn known(&self) -> Result<&FitState, TuneError> {
        let missing = || TuneError::State("the fit is missing".to_owned());
        self.state.fit.as_ref().ok_or_else(missing)
    }

    fn start(&mut self, threads: usize, watcher: &impl Watcher) -> Result<(), TuneError> {
        let FitState { weights, space, .. } = self.known()?.clone();
        let played = self.against_base(
            &weights,
            Stage::Start.blocks(0, self.tune.choice_blocks),
            threads,
            watcher,
        )?;
        let dimensions = space.free.len();
        let share = self.tune.step as f64 / 100.0;
        let step = share * space.length / (dimensions as f64).sqrt();
        let points = self.tune.candidates as usize;
        self.state.search = Some(Search::new(self.tune.method, dimensions, points, step));
        self.state.start = Some(played);
        Ok(())
    }

    /// The weights at which the search begins: those of the fit where it holds its own against the base.
    fn origin(&self) -> Result<Weights, TuneError> {
        let begins_at_fit = self.state.begins_at_fit(self.tune.rules.sides());
        Ok(if begins_at_fit { self.known()?.weights } else { self.tune.base })
    }

    fn polish(&mut self, threads: usize, watcher: &impl Watcher) -> Result<(), TuneError> {
        let (origin, number) = (self.origin()?, self.state.generations.len() as u64);
        let Some(search) = self.state.search.clone() else { return Err(TuneError::Stopped) };
        let space = self.known()?.space.clone();
        let mut words = Stream::new(self.tune.seed, LABEL, GENERATIONS + number);
        let points = search.ask(&mut words);
        let blocks = Stage::Polish.blocks(number * self.tune.blocks, self.tune.blocks);
        let mean = space.weights(&origin, search.mean());
        // What may be stopped without a trace comes first.
        let losses = self.losses(
            points.iter().map(|point| space.weights(&origin, point)),
            threads,
            watcher,
        )?;
        let (before, base) = (self.state.games, self.tune.base);
        let honest = self.against_base(&mean, blocks, threads, watcher)?;
        let mut scores = Vec::with_capacity(points.len());
        for point in &points {
            let candidate = space.weights(&origin, point);
            let players = [(CANDIDATE, &candidate), (BASE, &base), (MEAN, &mean)];
            match self.play(&players, &self.tune.field(true), blocks, threads, watcher) {
                Ok(played) => scores.push(played.score()),
                Err(error) => {
                    // The generation begins anew when it goes on.
                    self.state.games = before;
                    return Err(error);
                }
            }
        }
        let merits: Vec<f64> = (scores.iter().zip(&losses))
            .map(|(&score, &loss)| self.tune.merit(score, loss))
            .collect();
        let mut next = search.clone();
        next.tell(&points, &merits);
        self.state.generations.push(Generation {
            mean: honest,
            best: scores.iter().copied().fold(0.0, f64::max),
            middle: scores.iter().sum::<f64>() / scores.len() as f64,
            step: search.step(),
            point: next.mean().to_vec(),
        });
        self.state.search = Some(next);
        Ok(())
    }

    /// Who may win: the base, the start where it is another, and the search at its quarters and over its second half.
    fn finalists(&mut self, threads: usize, watcher: &impl Watcher) -> Result<(), TuneError> {
        let origin = self.origin()?;
        let space = self.known()?.space.clone();
        let base = self.tune.base;
        let mut found = vec![("fit".to_owned(), self.known()?.weights)];
        let generations = &self.state.generations;
        let count = generations.len();
        for quarter in 1..=4 {
            let after = (count * quarter).div_ceil(4).max(1);
            let weights = space.weights(&origin, &generations[after - 1].point);
            found.push((format!("generation {after}"), weights));
        }
        let later = &generations[count / 2..];
        let mut mean = vec![0.0; space.free.len()];
        for generation in later {
            for (mean, x) in mean.iter_mut().zip(&generation.point) {
                *mean += x / later.len() as f64;
            }
        }
        let name = format!("mean of generations {} to {count}", count / 2 + 1);
        found.push((name, space.weights(&origin, &mean)));
        let scales = self.tune.is_scaled();
        let samples = self.samples(threads, watcher)?;
        let mut finalists =
            vec![Finalist { name: BASE.to_owned(), weights: base, played: None, merit: None }];
        for (name, weights) in found {
            let weights = if scales { scaled(samples, &weights, threads)? } else { weights };
            if finalists.iter().all(|finalist| finalist.weights != weights) {
                finalists.push(Finalist { name, weights, played: None, merit: None });
            }
        }
        self.state.finalists = finalists;
        Ok(())
    }

    fn choose(&mut self, threads: usize, watcher: &impl Watcher) -> Result<(), TuneError> {
        // Played again where they are not there: if that is stopped, nothing of the step was done.
        self.samples(threads, watcher)?;
        if self.state.finalists.is_empty() {
            self.finalists(threads, watcher)?;
        }
        let waiting = self.state.finalists.iter().position(|finalist| finalist.played.is_none());
        let Some(index) = waiting else { return Ok(()) };
        let weights = self.state.finalists[index].weights;
        let blocks = Stage::Choice.blocks(0, self.tune.choice_blocks);
        let players = [(CANDIDATE, &weights), (BASE, &self.tune.base.clone())];
        let played = self.play(&players, &self.tune.field(false), blocks, threads, watcher)?;
        let loss = self.losses([weights].into_iter(), threads, watcher)?[0];
        self.state.finalists[index].merit = Some(self.tune.merit(played.score(), loss));
        self.state.finalists[index].played = Some(played);
        if let Some(winner) = self.state.winner().map(|winner| all_octaves(&winner.weights)) {
            let samples = self.samples(threads, watcher)?;
            self.state.calibration = Some(calibration(samples, &winner, CHECKING));
        }
        Ok(())
    }

    fn prove(&mut self, threads: usize, watcher: &impl Watcher) -> Result<(), TuneError> {
        let going_on = self.state.tests.iter().position(|test| test.verdict.is_none());
        let index = going_on.unwrap_or(self.state.tests.len());
        let asked = self.tune.tests().swap_remove(index);
        let Some(winner) = self.state.winner() else { return Err(TuneError::Stopped) };
        let done = self.state.tests.get(index).map_or(0, |test| test.tally.blocks);
        // Each test has blocks of its own.
        let skipped = index as u64 * self.tune.proof_blocks + done;
        let next = TEST_BLOCKS.min(self.tune.proof_blocks - done);
        let blocks = Stage::Proof.blocks(skipped, next);
        let experiment = self.tune.proof(&asked, &winner.weights, blocks)?;
        let nothing = Tally::new::<Sho>(&experiment);
        let before = self.state.tests.get(index).map_or(nothing, |test| test.tally.clone());
        let games = self.state.games - before.games;
        let watching = Inside { watcher, before: games };
        let ran = run_on::<Sho>(
            &experiment,
            before,
            threads,
            &watching,
            Keep::default(),
            &mut |_, _| Ok(()),
        )?;
        self.state.games = games + ran.tally.games;
        let over = ran.tally.blocks >= self.tune.proof_blocks;
        let Some(test) = experiment.test()? else { return Err(TuneError::Stopped) };
        let verdict = resumed(test, &ran.tally).verdict();
        let verdict = (over || verdict != Verdict::Undecided).then_some(verdict);
        let stopped = ran.end == RunEnd::Stopped;
        let state = TestState { tally: ran.tally, verdict };
        match self.state.tests.get_mut(index) {
            Some(test) => *test = state,
            None => self.state.tests.push(state),
        }
        if stopped { Err(TuneError::Stopped) } else { Ok(()) }
    }

    fn measure(&mut self, threads: usize, watcher: &impl Watcher) -> Result<(), TuneError> {
        let Some(winner) = self.state.winner() else { return Err(TuneError::Stopped) };
        let (winner, base) = (winner.weights, self.tune.base);
        let blocks = Stage::Measure.blocks(0, self.tune.measure_blocks);
        let players = [(CANDIDATE, &winner), (BASE, &base)];
        let played = self.play(&players, &self.tune.field(false), blocks, threads, watcher)?;
        self.state.measure = Some(played);
        Ok(())
    }

    /// What the forecasts of weights lose on the part of the samples that chooses; nothing where that does not count.
    fn losses(
        &mut self,
        weights: impl Iterator<Item = Weights>,
        threads: usize,
        watcher: &impl Watcher,
    ) -> Result<Vec<f64>, TuneError> {
        if self.tune.forecast == 0 {
            return Ok(weights.map(|_| 0.0).collect());
        }
        let samples = self.samples(threads, watcher)?;
        Ok(weights.map(|weights| loss(samples, &all_octaves(&weights), CHOOSING)).collect())
    }

    /// What weights get against copies of the base.
    fn against_base(
        &mut self,
        weights: &Weights,
        blocks: Blocks,
        threads: usize,
        watcher: &impl Watcher,
    ) -> Result<Played, TuneError> {
        let mut lineup = vec![BASE; self.tune.rules.sides()];
        lineup[0] = CANDIDATE;
        let base = self.tune.base;
        self.play(&[(CANDIDATE, weights), (BASE, &base)], &[lineup], blocks, threads, watcher)
    }

    /// What the first of the players gets in a match.
    fn play(
        &mut self,
        players: &[(&str, &Weights)],
        lineups: &[Vec<&str>],
        blocks: Blocks,
        threads: usize,
        watcher: &impl Watcher,
    ) -> Result<Played, TuneError> {
        let experiment = self.tune.experiment(&self.tune.bot, players, lineups, blocks)?;
        let watching = Inside { watcher, before: self.state.games };
        let ran = run::<Sho>(&experiment, threads, &watching)?;
        if ran.end == RunEnd::Stopped {
            return Err(TuneError::Stopped);
        }
        self.state.games += ran.tally.games;
        Ok(Played {
            blocks: ran.tally.blocks,
            games_a_block: experiment.games_a_block(),
            payoff12: ran.tally.payoffs.bot(0),
        })
    }
}

/// The space of the search: directions in which actions of a decision differ by as much.
fn space(samples: &Samples, base: &[f64]) -> Space {
    let deviations = deviations(samples);
    let choices = samples.choice_covariance();
    let differs =
        |&i: &usize| choices[i * FEATURES + i] > LEAST_SHARE * deviations[i] * deviations[i];
    let free: Vec<usize> = (0..FEATURES).filter(differs).collect();
    let spread = Matrix::from_fn(free.len(), |row, column| {
        let (i, j) = (free[row], free[column]);
        let own = if i == j { SHARE_OF_POSITIONS * deviations[i] * deviations[i] } else { 0.0 };
        choices[i * FEATURES + j] + own
    });
    let own: Vec<f64> = free.iter().map(|&i| base[i]).collect();
    let length = crate::stats::matrix::dot(&own, &spread.times(&own)).max(0.0).sqrt();
    // With L L^T = spread, the columns of L^-T are as long as one another.
    let size = free.len();
    let mut axes = vec![0.0; size * size];
    if let Some(factor) = spread.cholesky(0.0) {
        for direction in 0..size {
            let unit: Vec<f64> = (0..size).map(|i| f64::from(u8::from(i == direction))).collect();
            for (row, part) in factor.solve_transposed(&unit).into_iter().enumerate() {
                axes[row * size + direction] = part;
            }
        }
    }
    // A base of nothing has no length of its own.
    Space { free, axes, length: if length > 0.0 { length } else { 1.0 } }
}

/// Positions as one number says them: the score by given weights.
struct OneScore<'a> {
    samples: &'a Samples,
    weights: Vec<f64>,
}

impl Positions for OneScore<'_> {
    fn count(&self) -> usize {
        self.samples.count()
    }

    fn seats(&self) -> usize {
        self.samples.seats()
    }

    fn features(&self) -> usize {
        1
    }

    fn look(&self, position: usize, seat: usize, to: &mut [f64]) {
        let mut look = [0.0; FEATURES];
        self.samples.look(position, seat, &mut look);
        to[0] = crate::stats::matrix::dot(&look, &self.weights);
    }

    fn won(&self, position: usize, seat: usize) -> f64 {
        self.samples.won(position, seat)
    }

    fn is_learned(&self, position: usize) -> bool {
        self.samples.is_learned(position)
    }
}

/// The weights times what makes their chances the best forecast.
fn scaled(samples: &Samples, weights: &Weights, threads: usize) -> Result<Weights, TuneError> {
    let score = OneScore { samples, weights: natural(&all_octaves(weights)) };
    let fit = conditional_logit::fit(&score, &[1.0], &[1.0], 1e-9, threads)?;
    // Weights that forecast backwards would play backwards.
    let by = fit.weights[0].max(0.01);
    Ok(Weights::new(std::array::from_fn(|i| whole(all_octaves(weights)[i] * by))))
}

/// Shows games of one match as part of all.
struct Inside<'a, W> {
    watcher: &'a W,
    before: u64,
}

impl<W: Watcher> Watcher for Inside<'_, W> {
    fn so_far(&self, tally: &Tally, _: Option<&SprtRun>) {
        self.watcher.games_so_far(self.before + tally.games);
    }

    fn stop(&self) -> bool {
        self.watcher.stop()
    }
}
