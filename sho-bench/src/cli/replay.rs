//! `sho replay`: records, checked step by step.

use std::fs;
use std::io::{self, Read, Write};

use clap::Args;

use super::dispatch::{Command, DEFAULT_GAME, Playable, dispatch};
use super::failure::OrUsage;
use super::options::EngineOption;
use super::output::Output;
use super::records::{RecordFormat, RecordText, print_with_boards, refuse_empty};

const HELP: &str = "\
Examples:
  sho replay game.txt --show
  sho play --format json | sho replay -";

/// Check the records of games step by step, and print them
///
/// A file holds one record or several, as text or as JSON. The first step that is not possible, or an end that does
/// not follow from the steps, is named, and ends the command with exit code 2.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Replay {
    /// The file; `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,

    /// The form to print the records in
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: RecordFormat,

    /// Draw the board after each turn
    #[arg(long)]
    show: bool,

    #[command(flatten)]
    engine: EngineOption,
}

impl Replay {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.format.check_boards(self.show)?;
        let (name, text) = if self.file == "-" {
            let mut text = String::new();
            io::stdin().lock().read_to_string(&mut text).or_usage_in("standard input")?;
            ("standard input", text)
        } else {
            (self.file.as_str(), fs::read_to_string(&self.file).or_usage_in(&self.file)?)
        };
        refuse_empty(&text, name)?;
        for record in RecordText::split(&text, name) {
            let record = record?;
            // A record that names no game is refused by whoever reads it.
            let game = record.game().unwrap_or_else(|| DEFAULT_GAME.to_owned());
            let engine = self.engine.engine.as_deref();
            dispatch(&game, engine, One { options: self, record: &record, output })?;
        }
        Ok(())
    }
}

struct One<'a> {
    options: &'a Replay,
    record: &'a RecordText<'a>,
    output: &'a mut Output,
}

impl Command for One<'_> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { options, record, output } = self;
        let record = record.record::<G>()?;
        if options.show {
            return print_with_boards::<G>(&record, output);
        }
        Ok(output.write_all(options.format.write::<G>(&record)?.as_bytes())?)
    }
}
