//! `sho play`: one game.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use sho_bench::{Address, Amount, Lineups, MetricsTier, RunError, record_of};
use sho_core::record::Record;

use super::dispatch::{Command, Playable, dispatch};
use super::experiment::{Asked, Pairing, Request};
use super::experiment_file::ExperimentFile;
use super::failure::Usage;
use super::options::{
    BotOptions, GameOptions, OpeningOption, RulesOptions, ScheduleOption, SeedOption, number,
};
use super::output::{Output, write_whole};
use super::records::{RecordFormat, print_with_boards};

const HELP: &str = "\
Examples:
  sho play --show
  sho play --bots easy,random --rules bhutan --seed 7 --block 3 --out game.txt
  sho play --experiment runs/first/result.json --game-id 0.1207.2";

/// Play one game and print its record
///
/// The game is that of the block and seating in a tournament with the same bots, rules and seed: the same dice or
/// opening, and the same words for the bots. The record begins with the turns of the opening. Without bots the game's default bot holds every seat.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Play {
    /// Play a game of the experiment in this file, TOML or JSON: one by hand, or the experiment.json or result.json of one
    /// that was played
    #[arg(long, value_name = "FILE", requires = "game_id", conflicts_with_all = [
        "bots", "bot", "seed", "block", "seating", "opening_turns", "schedule", "game", "rules", "sides", "set",
    ])]
    experiment: Option<PathBuf>,

    /// Which game of the experiment: LINEUP.BLOCK.SEATING, all from 0
    #[arg(long, value_name = "ADDRESS", requires = "experiment")]
    game_id: Option<Address>,

    #[command(flatten)]
    bots: BotOptions,

    #[command(flatten)]
    seed: SeedOption,

    /// The block: which dice, or which opening
    // Stream numbers have 64 bits, and a block has 128 of them.
    #[arg(long, value_name = "B", default_value_t = 0, allow_negative_numbers = true, value_parser = number::<0, { (1 << 56) - 1 }>)]
    block: u64,

    /// The seating, from 0 in the order of the schedule: which bot sits where
    #[arg(long, value_name = "P", default_value_t = 0, allow_negative_numbers = true, value_parser = number::<0, 23>)]
    seating: u64,

    #[command(flatten)]
    opening: OpeningOption,

    #[command(flatten)]
    schedule: ScheduleOption,

    #[command(flatten)]
    game: GameOptions,

    #[command(flatten)]
    rules: RulesOptions,

    /// The form of the record
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: RecordFormat,

    /// Draw the board after each turn
    #[arg(long)]
    show: bool,

    /// Write the record into this file and not on standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Play {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        if self.out.is_none() {
            self.format.check_boards(self.show)?;
        }
        let one = PlayOne { options: self, output };
        let Some(path) = &self.experiment else { return self.game.dispatch(one) };
        dispatch(&ExperimentFile::read(path)?.game()?, self.game.engine.engine.as_deref(), one)
    }
}

struct PlayOne<'a> {
    options: &'a Play,
    output: &'a mut Output,
}

impl Command for PlayOne<'_> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { options, output } = self;
        let record = options.play::<G>()?;
        let text = options.format.write::<G>(&record)?;
        if let Some(file) = &options.out {
            write_whole(file, &text)?;
            output.remark(&format!("the record is in {}", file.display()));
        }
        if options.show {
            print_with_boards::<G>(&record, output)?;
        } else if options.out.is_none() {
            output.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

impl Play {
    fn play<G: Playable>(&self) -> anyhow::Result<Record<G::Rules>> {
        let Asked { experiment, .. } = match &self.experiment {
            Some(path) => ExperimentFile::read(path)?.experiment::<G>()?,
            None => self.request::<G>()?.games::<G>()?,
        };
        let address = self.game_id.unwrap_or(Address {
            lineup: 0,
            block: self.block,
            seating: self.seating as usize,
        });
        // A game that fails by what a bot does is not the user's to mend.
        match record_of::<G>(&experiment, address) {
            Err(error @ (RunError::Experiment(_) | RunError::Bot(_))) => {
                Err(Usage::error(error.to_string()))
            }
            other => Ok(other?),
        }
    }

    fn request<G: Playable>(&self) -> anyhow::Result<Request<G::Rules>> {
        Ok(Request {
            rules: self.rules.choose::<G>()?,
            pairing: Pairing::Made(Lineups::Given, self.bots.texts()?),
            schedule: self.schedule.schedule,
            seed: self.seed.seed,
            amount: Some(Amount::Blocks(1)),
            opening: self.opening,
            metrics: MetricsTier::Basic,
            test: None,
        })
    }
}
