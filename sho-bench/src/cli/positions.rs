//! Positions from the command line or from standard input.

use std::io::{self, BufRead, BufReader, Write};

use clap::Args;

use super::dispatch::{Command, Playable};
use super::failure::{OrUsage, Usage};
use super::options::{GameOptions, RulesOptions, Tables};
use super::output::Output;

/// A position and the rules it is played by.
#[derive(Args, Clone, Debug)]
pub(crate) struct PositionOptions {
    /// The position line; `-` reads positions from standard input, one a line, and ends each answer with an empty
    /// line; default: the start
    #[arg(value_name = "POSITION")]
    words: Vec<String>,

    #[command(flatten)]
    game: GameOptions,

    #[command(flatten)]
    rules: RulesOptions,
}

/// Something to say to each position.
pub(crate) trait Answer {
    /// Says it.
    fn answer<G: Playable>(
        &self,
        game: &G,
        state: &G::State,
        output: &mut Output,
    ) -> anyhow::Result<()>;
}

impl PositionOptions {
    /// Answers the position, or all of standard input.
    pub(crate) fn answer(&self, answer: &impl Answer, output: &mut Output) -> anyhow::Result<()> {
        self.game.dispatch(AnswerAll { options: self, answer, output })
    }
}

struct AnswerAll<'a, A> {
    options: &'a PositionOptions,
    answer: &'a A,
    output: &'a mut Output,
}

impl<A: Answer> Command for AnswerAll<'_, A> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let mut tables = Tables::<G>::new(self.options.rules.choose::<G>()?);
        // A line that was not quoted arrives as its fields.
        let line = self.options.words.join(" ");
        if line == "-" {
            return self.standard_input(&mut tables);
        }
        let (game, state) =
            if line.is_empty() { tables.start()? } else { tables.position(&line)? };
        self.answer.answer(game, &state, self.output)
    }
}

impl<A: Answer> AnswerAll<'_, A> {
    fn standard_input<G: Playable>(self, tables: &mut Tables<G>) -> anyhow::Result<()> {
        let mut input = BufReader::new(io::stdin().lock());
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            let place = format!("standard input, line {number}");
            match input.read_line(&mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Err(Usage::error(format!("{place}: not UTF-8")));
                }
                Err(error) => return Err(error.into()),
            }
            let position = line.strip_suffix('\n').unwrap_or(&line);
            let position = position.strip_suffix('\r').unwrap_or(position);
            let (game, state) = tables.position(position).or_usage_in(&place)?;
            self.answer.answer(game, &state, self.output)?;
            writeln!(self.output)?;
            // A program that asks one position at a time waits for the answer; one that sends many does not.
            if input.buffer().is_empty() {
                self.output.flush()?;
            }
        }
        Ok(())
    }
}
