//! `sho analyse`: what each action of a position is worth.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use sho_bench::analysis::{Analysed, Analysis, DEEPEST, SearchOptions};
use sho_bench::report::analysis_tables;
use sho_bench::rollout::{Rollout, RolloutTally, roll_out, roll_out_actions};
use sho_core::{ActionList, Step};

use super::dispatch::Playable;
use super::failure::{OrUsage, Usage};
use super::options::{Format, ThreadsOption, number};
use super::output::Output;
use super::positions::{Answer, PositionOptions};
use super::progress::{Bar, Signals};
use super::rollout::{MOST_GAMES, PlayerOptions, all_played, mended};

/// Games of each action where nothing is said.
const DEFAULT_GAMES: u64 = 400;

const HELP: &str = "\
Examples:
  sho analyse '7+0:10x2/7+0:12x1,17x1/9+0o:- A move 7 0 9'
  sho analyse --depth 3 --games 2000 --bot hard '7+0:10x2/7+0:12x1,17x1 A move 7 0 9'
  sho analyse --games 0 --game sholo-guti";

/// Analyse a position: each action by a search and by rollouts on the same dice
///
/// Best first: what the search says is the chance to win of the side that decides (in Sholo Guti points); what rollouts
/// say is how often it wins where bots play on after the action. Where dice are due, each throw with its best answer, and
/// what the position is worth to each seat. In Sho also the chance that each stack is hit.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Analyse {
    #[command(flatten)]
    position: PositionOptions,

    /// How deep the search looks, in decisions with the throws before them: each further one takes ten times as long
    #[arg(long, value_name = "D", default_value_t = 2, allow_negative_numbers = true, value_parser = number::<1, { DEEPEST as u64 }>)]
    depth: u64,

    /// In Sho: search by the weights of this JSON file; default: those of the bot hard
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    #[command(flatten)]
    players: PlayerOptions,

    /// Games to play of each action; 0 for none
    #[arg(long, value_name = "N", default_value_t = DEFAULT_GAMES, allow_negative_numbers = true, value_parser = number::<0, MOST_GAMES>)]
    games: u64,

    #[command(flatten)]
    threads: ThreadsOption,

    /// The form of the analysis; json is one line
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

impl Analyse {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        let weights = match &self.weights {
            Some(path) => Some(fs::read_to_string(path).or_usage_in(path.display())?),
            None => None,
        };
        let search = SearchOptions { depth: self.depth as u32, weights };
        let signals = Signals::listen()?;
        self.position.answer(&Analyst { options: self, search, signals }, output)
    }
}

struct Analyst<'a> {
    options: &'a Analyse,
    search: SearchOptions,
    signals: Signals,
}

impl Answer for Analyst<'_> {
    fn answer<G: Playable>(
        &self,
        game: &G,
        state: &G::State,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        self.check(game, state)?;
        let rolled_out = match self.options.games {
            0 => None,
            games => Some(self.roll_out(game, state, games, output)?),
        };
        let rollout = rolled_out.as_ref().map(|(rollout, tally)| (rollout, tally));
        let analysis = Analysis::new(game, state, &self.search, rollout).or_usage()?;
        match self.options.format {
            Format::Table => output.write_all(analysis_tables::<G>(&analysis).as_bytes())?,
            Format::Json => writeln!(output, "{}", serde_json::to_string(&analysis)?)?,
        }
        match rollout {
            Some((rollout, tally)) => all_played(rollout, tally, &self.signals, output),
            None => Ok(()),
        }
    }
}

impl Analyst<'_> {
    /// Refuses what cannot be searched before any game is played.
    fn check<G: Analysed>(&self, game: &G, state: &G::State) -> anyhow::Result<()> {
        if game.step(state) == Step::Over {
            let line = game.state_text(state);
            return Err(Usage::error(format!(
                "`{line}`: the game is over, and nothing is left to analyse"
            )));
        }
        G::weights_text(game.rules(), &self.search).or_usage()?;
        Ok(())
    }

    fn roll_out<G: Playable>(
        &self,
        game: &G,
        state: &G::State,
        games: u64,
        output: &Output,
    ) -> anyhow::Result<(Rollout, RolloutTally)> {
        let rollout = self.options.players.rollout(game, games)?;
        let threads = self.options.threads.count();
        let mut actions = G::Actions::default();
        game.actions(state, &mut actions);
        let lines = actions.len().max(1) as u64;
        let bar = Bar::of_games(rollout.games.saturating_mul(lines), output.quiet)
            .stopped_by(self.signals.clone());
        let tally = if actions.is_empty() {
            roll_out(game, state, &rollout, threads, &bar)
        } else {
            roll_out_actions(game, state, &rollout, threads, &bar)
        };
        Ok((rollout, mended(tally)?))
    }
}
