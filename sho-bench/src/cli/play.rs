//! `sho play`: one game.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use sho_ai::Policy;
use sho_ai::arena::{Arena, bot_words};
use sho_ai::opening::Opening;
use sho_bench::{Address, Schedule};
use sho_core::record::Record;
use sho_core::{BlockDice, PerSeat, Seat};

use super::dispatch::{Command, Playable};
use super::failure::{OrUsage, Usage};
use super::options::{
    BotOptions, GameOptions, OpeningOption, RulesOptions, ScheduleOption, SeedOption, number,
};
use super::output::{Output, write_whole};
use super::records::{RecordFormat, print_with_boards};

const HELP: &str = "\
Examples:
  sho play --show
  sho play --bots easy,random --rules bhutan --seed 7 --block 3 --out game.txt";

/// Play one game and print its record
///
/// The game is that of the block and seating in a tournament with the same bots, rules and seed: the same dice or
/// opening, and the same words for the bots. The record begins with the turns of the opening. Without bots the game's default bot holds every seat.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Play {
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
        self.game.dispatch(PlayOne { options: self, output })
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
        let (rules, bots) = self.bots.lineup::<G>(&self.rules)?;
        let game = G::new(rules).or_usage()?;
        let mut entries: Vec<Box<dyn Policy<G>>> = Vec::new();
        let mut names = Vec::new();
        for text in &bots {
            let spec = G::spec(text).or_usage()?;
            entries.push(G::bot(&spec).or_usage()?);
            names.push(spec.to_string());
        }
        let seating = self.seating(game.seats())?;
        let seed = self.seed.seed;
        let opening = Opening::draw(&game, seed, self.block, self.opening.turns::<G>()?);
        let mut record = Record::new(&game, opening.start());
        record.players = Seat::all(game.seats()).map(|seat| names[seating[seat]].clone()).collect();
        let address = Address { lineup: 0, block: self.block, seating: self.seating as usize };
        record.seed = Some(seed);
        record.address = Some(address.to_string());
        Arena::new(game).play(
            &opening,
            &mut entries,
            &seating,
            &mut BlockDice::new(seed, self.block),
            &mut bot_words(seed, self.block, address.seating),
            &mut record,
        )?;
        Ok(record)
    }

    /// Which bot holds each seat.
    fn seating(&self, seats: usize) -> anyhow::Result<PerSeat<usize>> {
        let schedule: Schedule = self.schedule.schedule;
        let seatings = schedule.seatings(seats);
        let seating = seatings.get(self.seating as usize).copied();
        seating.ok_or_else(|| {
            Usage::error(format!(
                "no seating {} in the schedule {} of {seats} bots; possible: 0 to {}",
                self.seating,
                schedule.name(),
                seatings.len() - 1
            ))
        })
    }
}
