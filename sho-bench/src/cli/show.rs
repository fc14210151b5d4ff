//! `sho show`: a position drawn in characters.

use std::io::Write;

use clap::Args;

use super::dispatch::Playable;
use super::output::Output;
use super::positions::{Answer, PositionOptions};

const HELP: &str = "\
Examples:
  sho show '6+0:17x3/7+0:6x2!/7+0:4x2! B move 3 0 6'
  sho show --game sholo-guti";

/// Draw a position
///
/// In Sho every `o` is a shell, and coins stand in the gap behind it, which has its number. `B3` is a stack of three
/// coins of side B; `B2!` is its opening stack, not touched yet. The path begins inside, at gap 1, winds clockwise,
/// and ends outside its beginning. In Sholo Guti `x` and `o` are pieces, `.` an empty point. `>` marks the side whose
/// turn it is.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct ShowPosition {
    #[command(flatten)]
    position: PositionOptions,
}

impl ShowPosition {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.position.answer(self, output)
    }
}

impl Answer for ShowPosition {
    fn answer<G: Playable>(
        &self,
        game: &G,
        state: &G::State,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        write!(output, "{}", game.picture(state, output.color))?;
        Ok(())
    }
}
