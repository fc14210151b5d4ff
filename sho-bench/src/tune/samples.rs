//! Positions of games with what they looked like and who won: [`Samples`].

use std::ops::ControlFlow;

use sho_ai::arena::{Arena, Observer};
use sho_ai::opening::Opening;
use sho_ai::sho::{Features, Weights};
use sho_ai::{Bots, Decision, Policy};
use sho_core::sho::{Action, Engine, Sho, State};
use sho_core::{ActionList, BlockDice, Game, PerSeat, Seat, Step, Stream};

use super::definition::TuneError;
use super::stage::{LABEL, Stage};
use crate::in_order::in_order;
use crate::stats::conditional_logit::Positions;

/// How many features there are.
pub(super) const FEATURES: usize = Features::NAMES.len();

/// One of so many choices is made at random: positions that good play avoids must be known as well.
const RANDOM_CHOICE: u32 = 12;

/// One of so many decisions is looked at: positions that follow on one another say much the same.
const LOOKED_AT: u32 = 6;

/// Blocks that a thread plays before it hands them on.
const CHUNK: u64 = 16;

/// Positions after a decision, from games of one block after another, and sums over the choices that there were.
///
/// Features are in units of 1/[`WHOLE`](sho_ai::sho::WHOLE), as [`Features`] has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    seats: usize,
    /// For each position its block, counted from the first of the fit.
    blocks: Vec<u64>,
    /// Position by position, seat by seat.
    features: Vec<i32>,
    /// Twelfths of a win, position by position, seat by seat.
    payoffs: Vec<u8>,
    /// How much actions of one decision differ: the sum over actions of the products of two features' distances from
    /// their means, times the square of the number of actions and of the seats less one. Whole numbers, by rows.
    choices: Vec<i128>,
    /// Actions that it was made of.
    actions: u64,
}

impl Samples {
    fn new(seats: usize) -> Self {
        Self { seats, choices: vec![0; FEATURES * FEATURES], ..Self::default() }
    }

    fn append(&mut self, other: &Self) {
        self.blocks.extend_from_slice(&other.blocks);
        self.features.extend_from_slice(&other.features);
        self.payoffs.extend_from_slice(&other.payoffs);
        for (sum, more) in self.choices.iter_mut().zip(&other.choices) {
            *sum += more;
        }
        self.actions += other.actions;
    }

    /// The block of a position, counted from the first of the fit.
    #[must_use]
    pub fn block(&self, position: usize) -> u64 {
        self.blocks[position]
    }

    /// Which of ten parts a position is in: 0 to 7 are learned from, 8 chooses the ridge, 9 checks. All positions of a
    /// block are in the same part.
    #[must_use]
    pub fn part(&self, position: usize) -> u64 {
        self.blocks[position] % 10
    }

    /// How much the actions of one decision differ, in features: the mean of the products of two features' distances from
    /// their means over the decision's actions, own features less the mean of the others'. By rows, in whole features.
    pub(super) fn choice_covariance(&self) -> Vec<f64> {
        let whole = sho_ai::sho::WHOLE as f64;
        let count = (self.actions.max(1)) as f64;
        self.choices.iter().map(|&sum| sum as f64 / SCALE / count / whole / whole).collect()
    }
}

/// What sums of products are multiplied by, so that they stay whole.
const SCALE: f64 = 1024.0;

impl Positions for Samples {
    fn count(&self) -> usize {
        self.blocks.len()
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn features(&self) -> usize {
        FEATURES
    }

    fn look(&self, position: usize, seat: usize, to: &mut [f64]) {
        let from = (position * self.seats + seat) * FEATURES;
        for (to, &value) in to.iter_mut().zip(&self.features[from..from + FEATURES]) {
            *to = f64::from(value) / sho_ai::sho::WHOLE as f64;
        }
    }

    fn won(&self, position: usize, seat: usize) -> f64 {
        f64::from(self.payoffs[position * self.seats + seat]) / 12.0
    }

    fn is_learned(&self, position: usize) -> bool {
        self.part(position) < 8
    }
}

/// A bot that now and then chooses anything.
struct Restless {
    bot: Box<dyn Policy<Sho>>,
}

impl Policy<Sho> for Restless {
    fn choose(&mut self, decision: Decision<'_, Sho>, words: &mut Stream) -> Action {
        if words.below(RANDOM_CHOICE) == 0 {
            let count = decision.actions.len() as u32;
            return decision.actions.get(words.below(count) as usize);
        }
        self.bot.choose(decision, words)
    }

    fn begin(&mut self, game: &Sho, seat: Seat) {
        self.bot.begin(game, seat);
    }

    fn is_trusted(&self) -> bool {
        self.bot.is_trusted()
    }
}

/// Writes down what some positions look like.
struct Looking<'a> {
    samples: &'a mut Samples,
    words: Stream,
    block: u64,
    /// What came of the game is written when it is over, from this position on.
    first: usize,
    actions: <Sho as Game>::Actions,
}

impl Looking<'_> {
    fn look(&mut self, game: &Sho, state: &State) {
        if game.step(state) == Step::Over {
            return;
        }
        let setup = game.setup(state);
        for seat in Seat::all(self.samples.seats) {
            let features = Features::of(game.rules(), &setup, seat).values();
            // The greatest is nine coins squared, times 63 gaps to go: it fits.
            self.samples.features.extend(features.map(|value| value as i32));
        }
        self.samples.blocks.push(self.block);
    }

    /// Adds how the decision's actions differ.
    fn compare(&mut self, game: &Sho, state: &State, seat: Seat) {
        game.actions(state, &mut self.actions);
        let mut looks: Vec<[i64; FEATURES]> = Vec::with_capacity(self.actions.len());
        for action in self.actions.iter() {
            let mut after = *state;
            game.play_unchecked(&mut after, action);
            if game.step(&after) == Step::Over {
                continue;
            }
            let setup = game.setup(&after);
            let mut look = [0; FEATURES];
            for other in Seat::all(self.samples.seats) {
                let features = Features::of(game.rules(), &setup, other).values();
                let others = self.samples.seats as i64 - 1;
                for (sum, value) in look.iter_mut().zip(features) {
                    *sum += if other == seat { value * others } else { -value };
                }
            }
            looks.push(look);
        }
        let count = looks.len() as i64;
        if count < 2 {
            return;
        }
        let others = self.samples.seats as i64 - 1;
        let mut means = [0; FEATURES];
        for look in &looks {
            for (mean, value) in means.iter_mut().zip(look) {
                *mean += value;
            }
        }
        for look in &looks {
            let far: [i128; FEATURES] =
                std::array::from_fn(|i| i128::from(count * look[i] - means[i]));
            let unit = i128::from(count * others) * i128::from(count * others);
            for row in 0..FEATURES {
                for column in 0..FEATURES {
                    // A thousandth of a feature's unit squared is far below what differs at all.
                    let product = far[row] * far[column] * SCALE as i128;
                    self.samples.choices[row * FEATURES + column] += product.div_euclid(unit);
                }
            }
        }
        self.samples.actions += count as u64;
    }
}

impl Observer<Sho> for Looking<'_> {
    fn action(&mut self, game: &Sho, state: &State, seat: Seat, action: Action) {
        if self.words.below(LOOKED_AT) != 0 {
            return;
        }
        let mut after = *state;
        game.play_unchecked(&mut after, action);
        self.look(game, &after);
        if self.words.below(LOOKED_AT) == 0 {
            self.compare(game, state, seat);
        }
    }

    fn over(&mut self, game: &Sho, state: &State) {
        let payoffs = game.payoffs(state);
        for _ in self.first..self.samples.blocks.len() {
            let seats = Seat::all(self.samples.seats);
            self.samples.payoffs.extend(seats.map(|seat| payoffs[seat] as u8));
        }
    }
}

/// Plays `blocks` blocks of the fit, one game each, and looks at positions of them. Each seat is held by the bot with the
/// weights `base` (five times in eight), by `medium` (two) or by `easy` (one), all of which choose at random now and then.
/// The samples do not depend on the number of threads.
///
/// # Errors
/// Where the rules are impossible, threads cannot be started, or `stop` says so.
pub fn samples(
    rules: &sho_core::sho::Rules,
    base: &Weights,
    seed: u64,
    blocks: u64,
    threads: usize,
    stop: impl Fn() -> bool + Sync,
    mut played: impl FnMut(u64) + Send,
) -> Result<Samples, TuneError> {
    let game = Sho::new(*rules)?;
    let seats = game.seats();
    let mut all = Samples::new(seats);
    let stage = Stage::Fit.blocks(0, blocks);
    let chunks = blocks.div_ceil(CHUNK);
    let mut handed = 0;
    let worker = || -> Result<_, TuneError> {
        let restless = |text: &str| -> Result<Box<dyn Policy<Sho>>, TuneError> {
            let json = serde_json::to_string(base).unwrap_or_default();
            let bot = Sho::bot_with(&game, &Sho::spec(text)?, &mut |_| Ok(json.clone()))?;
            Ok(Box::new(Restless { bot }))
        };
        let mut entries = Vec::new();
        // A policy for each seat and each kind, since one may hold several seats.
        for _ in 0..seats {
            for text in ["weighted:weights=base", "medium", "easy"] {
                entries.push(restless(text)?);
            }
        }
        Ok((Arena::new(game), entries))
    };
    let work = |(arena, entries): &mut (Arena<Sho>, Vec<_>), chunk: u64| {
        let mut samples = Samples::new(seats);
        for block in chunk * CHUNK..blocks.min((chunk + 1) * CHUNK) {
            let number = stage.from + block;
            let mut words = Stream::new(seed, LABEL, number);
            let seating = PerSeat::from_fn(|seat| {
                let kind = [0, 0, 0, 0, 0, 1, 1, 2][words.below(8) as usize];
                3 * (seat.index() % seats) + kind
            });
            let mut dice = BlockDice::of(&game, seed, number);
            let mut bot_words = sho_ai::arena::bot_words(seed, number, 0);
            let first = samples.blocks.len();
            let actions = <Sho as Game>::Actions::default();
            let mut looking = Looking { samples: &mut samples, words, block, first, actions };
            let opening = Opening::none(game.start());
            arena
                .play(&opening, entries, &seating, &mut dice, &mut bot_words, &mut looking)
                .map_err(|choice| TuneError::Illegal(Box::new(choice)))?;
        }
        Ok((samples, blocks.min((chunk + 1) * CHUNK) - chunk * CHUNK))
    };
    in_order(threads, chunks, worker, work, stop, |(samples, games): (Samples, u64)| {
        all.append(&samples);
        handed += games;
        played(games);
        ControlFlow::Continue(())
    })?;
    if handed < blocks {
        return Err(TuneError::Stopped);
    }
    Ok(all)
}
