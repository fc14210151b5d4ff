//! `sho actions`: what can happen next in a position.

use std::io::Write;

use clap::Args;

use super::dispatch::Playable;
use super::output::Output;
use super::positions::{Answer, PositionOptions};
use super::steps::possible;

const HELP: &str = "\
Example:
  sho actions --explain '7+0:10x2/7+0:12x1,17x1 A move 2,5 0 9'";

/// List the legal actions of a position
///
/// One a line, in their fixed order; where dice are due the 21 throws; where the game is over nothing. Columns are
/// separated by tabs: the action; with --next the position it leads to; with --explain what it does (in Sho quiet,
/// home, join, kill or again), the coins that move, and the values it leaves waiting; in Sholo Guti step or take, the
/// pieces taken, and the points where they stood. A throw is explained as `throw`, with `-` in the other columns.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Actions {
    #[command(flatten)]
    position: PositionOptions,

    /// Add the position that each leads to
    #[arg(long)]
    next: bool,

    /// Add what each does: kind, coins or pieces, values left or points
    #[arg(long)]
    explain: bool,
}

impl Actions {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.position.answer(self, output)
    }
}

impl Answer for Actions {
    fn answer<G: Playable>(
        &self,
        game: &G,
        state: &G::State,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        for step in possible(game, state) {
            output.write_all(step.text.as_bytes())?;
            if self.next {
                write!(output, "\t{}", game.state_text(&step.after))?;
            }
            if self.explain {
                let [kind, coins, left] = match step.action {
                    Some(action) => game.explain(state, action),
                    None => ["throw", "-", "-"].map(str::to_owned),
                };
                write!(output, "\t{kind}\t{coins}\t{left}")?;
            }
            writeln!(output)?;
        }
        Ok(())
    }
}
