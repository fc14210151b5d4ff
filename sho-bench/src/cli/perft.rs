//! `sho perft`: how many sequences of steps a position has.

use std::io::Write;

use clap::Args;
use rayon::prelude::*;
use sho_core::perft::{Count, perft};
use sho_core::{ActionList, Step};

use super::dispatch::Playable;
use super::options::{ThreadsOption, number};
use super::output::Output;
use super::positions::{Answer, PositionOptions};
use super::steps::possible;

const HELP: &str = "\
Examples:
  sho perft --depth 5
  sho perft --depth 3 --divide --rules general '7+0:10x2!/9+0o:- B throw - 0 1'";

/// Count the sequences of steps from a position
///
/// A throw has 21 children (two dice, in no order), a choice one for each legal action, a finished position none; a
/// draw does not finish one.
/// Prints `k count` for k = 1 to the depth; with --divide `step count` for each first step instead.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Perft {
    #[command(flatten)]
    position: PositionOptions,

    /// Count sequences of 1 to D steps
    // Nothing affordable is deeper, and beyond it the counts might not fit 128 bits.
    #[arg(long, value_name = "D", value_parser = number::<1, 25>)]
    depth: u64,

    /// Print the counts below each first step, for the full depth only
    #[arg(long)]
    divide: bool,

    /// Weigh each throw by its ways of 36
    #[arg(long)]
    weighted: bool,

    #[command(flatten)]
    threads: ThreadsOption,
}

impl Perft {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        let counter = Counter {
            depth: self.depth as u32,
            divide: self.divide,
            count: if self.weighted { Count::Weighted } else { Count::Sequences },
            pool: self.threads.pool()?,
        };
        self.position.answer(&counter, output)
    }
}

struct Counter {
    depth: u32,
    divide: bool,
    count: Count,
    pool: rayon::ThreadPool,
}

impl Answer for Counter {
    fn answer<G: Playable>(
        &self,
        game: &G,
        state: &G::State,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        // The game that perft counts, also where the steps are taken here.
        let game = &game.without_draws();
        if !self.divide {
            for depth in 1..=self.depth {
                writeln!(output, "{depth} {}", self.sequences(game, state, depth))?;
                // The next line may take many times as long.
                output.flush()?;
            }
            return Ok(());
        }
        for step in possible(game, state) {
            let times = if self.count == Count::Weighted { step.ways } else { 1 };
            let count = u128::from(times) * self.sequences(game, &step.after, self.depth - 1);
            writeln!(output, "{} {count}", step.text)?;
        }
        Ok(())
    }
}

impl Counter {
    /// The same number as [`perft`], by all threads.
    fn sequences<G: Playable>(&self, game: &G, state: &G::State, depth: u32) -> u128 {
        // Two steps make some fifty positions, enough work to share; less deep it is not worth it.
        const SHARED: u32 = 2;
        if depth < SHARED + 2 {
            return perft(game, state, depth, self.count);
        }
        let mut positions = vec![(1, state.clone())];
        for _ in 0..SHARED {
            positions = positions
                .iter()
                .flat_map(|(times, state)| {
                    children(game, state, self.count)
                        .into_iter()
                        .map(move |(more, child)| (times * more, child))
                })
                .collect();
        }
        self.pool.install(|| {
            positions
                .par_iter()
                .map(|(times, state)| times * perft(game, state, depth - SHARED, self.count))
                .sum()
        })
    }
}

/// The positions one step on, each with the number of sequences that lead to it.
fn children<G: Playable>(game: &G, state: &G::State, count: Count) -> Vec<(u128, G::State)> {
    match game.step(state) {
        Step::Over => Vec::new(),
        Step::Chance(_) => game
            .outcome_classes(state)
            .map(|class| {
                let mut after = state.clone();
                game.cast_unchecked(&mut after, class.outcome);
                let times = match count {
                    Count::Sequences => class.outcomes,
                    Count::Weighted => class.ways,
                };
                (times.into(), after)
            })
            .collect(),
        Step::Decide(_) => {
            let mut actions = G::Actions::default();
            game.actions(state, &mut actions);
            actions
                .iter()
                .map(|action| {
                    let mut after = state.clone();
                    game.play_unchecked(&mut after, action);
                    (1, after)
                })
                .collect()
        }
    }
}
