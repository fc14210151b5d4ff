//! `sho rollout`: games from a position to the end.

use std::io::Write;

use clap::Args;
use sho_bench::report::rollout_table;
use sho_bench::rollout::{Rollout, RolloutError, RolloutResult, RolloutTally, roll_out};

use super::dispatch::Playable;
use super::failure::{Interrupted, Usage};
use super::options::{BotOptions, Format, SeedOption, ThreadsOption, number};
use super::output::Output;
use super::positions::{Answer, PositionOptions};
use super::progress::{Bar, Signals};

/// Games where nothing is said.
const DEFAULT_GAMES: u64 = 1000;

/// The most games that may be asked for: years of them.
pub(crate) const MOST_GAMES: u64 = 1_000_000_000_000;

const HELP: &str = "\
Examples:
  sho rollout '7+0:10x2/7+0:12x1,17x1/9+0o:- A move 7 0 9'
  sho rollout --bot hard --games 10000 '0+6:30x3/2+4:41x2,52x1 B throw - 0 80'
  sho rollout --bots hard,medium '0+6:30x3/2+4:41x2,52x1 B throw - 0 80'";

/// Play many games from a position to the end: how often each seat wins, and how long it takes
///
/// The position may be in the middle of a turn. One bot holds every seat, or each seat has its own; chance is that of the
/// seed. The result does not depend on the number of threads. --help of `sho analyse` says how actions are compared.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct RollOut {
    #[command(flatten)]
    position: PositionOptions,

    #[command(flatten)]
    players: PlayerOptions,

    /// Games to play
    #[arg(long, value_name = "N", default_value_t = DEFAULT_GAMES, allow_negative_numbers = true, value_parser = number::<1, MOST_GAMES>)]
    games: u64,

    #[command(flatten)]
    threads: ThreadsOption,

    /// The form of the result; json is one line
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

/// Who plays on from a position, and on which dice.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlayerOptions {
    #[command(flatten)]
    bots: BotOptions,

    #[command(flatten)]
    seed: SeedOption,
}

impl PlayerOptions {
    /// So many games of these players; one bot holds every seat, by default the game's.
    pub(crate) fn rollout<G: Playable>(&self, game: &G, games: u64) -> anyhow::Result<Rollout> {
        let mut texts = self.bots.texts()?;
        if texts.is_empty() {
            texts.push(G::DEFAULT_BOT.to_owned());
        }
        mended(Rollout::new(game, &texts, self.seed.seed, games))
    }
}

/// A mistake that the user can mend, where it is one.
pub(crate) fn mended<T>(result: Result<T, RolloutError>) -> anyhow::Result<T> {
    match result {
        Err(error @ (RolloutError::Illegal { .. } | RolloutError::Threads(_))) => Err(error.into()),
        Err(error) => Err(Usage::error(error.to_string())),
        Ok(done) => Ok(done),
    }
}

/// Says so where a signal stopped work before all games were played, when what was played stands on standard output.
pub(crate) fn all_played(
    rollout: &Rollout,
    tally: &RolloutTally,
    signals: &Signals,
    output: &mut Output,
) -> anyhow::Result<()> {
    let (played, of) = (tally.games, rollout.games);
    if played == of {
        return Ok(());
    }
    output.flush()?;
    let what = match played {
        0 => format!("stopped by hand before any of {of} games was counted"),
        _ => format!(
            "stopped by hand after {played} of {of} games; the result is that of --games {played}"
        ),
    };
    Err(Interrupted::error(what, signals))
}

impl RollOut {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        let signals = Signals::listen()?;
        self.position.answer(&RollsOut { options: self, signals }, output)
    }
}

struct RollsOut<'a> {
    options: &'a RollOut,
    signals: Signals,
}

impl Answer for RollsOut<'_> {
    fn answer<G: Playable>(
        &self,
        game: &G,
        state: &G::State,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let options = self.options;
        let rollout = options.players.rollout(game, options.games)?;
        let bar = Bar::of_games(rollout.games, output.quiet).stopped_by(self.signals.clone());
        let tally = mended(roll_out(game, state, &rollout, options.threads.count(), &bar))?;
        drop(bar);
        if let Some(result) = RolloutResult::new(game, state, &rollout, &tally) {
            match options.format {
                Format::Table => output.write_all(rollout_table::<G>(&result).as_bytes())?,
                Format::Json => writeln!(output, "{}", serde_json::to_string(&result)?)?,
            }
        }
        all_played(&rollout, &tally, &self.signals, output)
    }
}
