//! `sho tournament`: bots against bots.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sho_bench::folder::{Folder, Plan};
use sho_bench::report::{tournament_csv, tournament_table};
use sho_bench::{Amount, Experiment, RunError, TournamentResult, run};

use super::dispatch::{Command, Playable};
use super::failure::{OrUsage, Usage};
use super::options::{
    BotOptions, GameOptions, OpeningOption, RulesOptions, ScheduleOption, SeedOption,
    ThreadsOption, number,
};
use super::output::Output;
use super::parts::play_rest;
use super::progress::Bar;

const HELP: &str = "\
Examples:
  sho tournament --bots easy,random,easy --games 100000
  sho tournament --bots easy,random --rules bhutan --blocks 5000 --format json
  sho tournament --game sholo-guti --bots easy,random";

/// Play bots against bots and print how they did
///
/// A block is one set of dice, or in a game without dice one opening of random turns, played once in every seating of
/// the schedule, so that all bots have the same luck. The result depends on the seed and on nothing else: not on threads, not on the machine.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Tournament {
    #[command(flatten)]
    bots: BotOptions,

    /// Games to play, rounded up to whole blocks [default: 10000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number::<1, { u64::MAX }>)]
    games: Option<u64>,

    /// Blocks to play, instead of games
    #[arg(long, value_name = "B", conflicts_with = "games", allow_negative_numbers = true, value_parser = number::<1, { 1 << 56 }>)]
    blocks: Option<u64>,

    #[command(flatten)]
    schedule: ScheduleOption,

    #[command(flatten)]
    opening: OpeningOption,

    #[command(flatten)]
    seed: SeedOption,

    #[command(flatten)]
    threads: ThreadsOption,

    #[command(flatten)]
    game: GameOptions,

    #[command(flatten)]
    rules: RulesOptions,

    /// The form of the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: ResultFormat,

    /// Keep the experiment in this folder, with its result as result.json and report.txt; it can be stopped (Ctrl-C) and
    /// resumed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Cut the experiment into N shards, which `sho run-shard` plays on any machine and `sho merge` puts together
    #[arg(long, value_name = "N", requires = "out", allow_negative_numbers = true, value_parser = number::<1, { 1 << 32 }>)]
    shards: Option<u64>,

    /// Make the folder and play nothing
    #[arg(long, requires = "out")]
    prepare: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResultFormat {
    /// For people
    Table,
    /// For programs: everything that was counted
    Json,
    /// For spreadsheets: a row for each bot
    Csv,
}

/// Games played where nothing is said.
const DEFAULT_GAMES: u64 = 10_000;

impl Tournament {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.game.dispatch(Play { options: self, output })
    }

    fn amount(&self) -> Amount {
        match self.blocks {
            Some(blocks) => Amount::Blocks(blocks),
            None => Amount::Games(self.games.unwrap_or(DEFAULT_GAMES)),
        }
    }
}

struct Play<'a> {
    options: &'a Tournament,
    output: &'a mut Output,
}

impl Command for Play<'_> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { options, output } = self;
        let (rules, bots) = options.bots.lineup::<G>(&options.rules)?;
        let amount = options.amount();
        let mut experiment = Experiment::lineup::<G>(
            rules,
            &bots,
            options.schedule.schedule,
            options.seed.seed,
            amount,
        )
        .or_usage()?;
        experiment.opening_turns = options.opening.turns::<G>()?;
        experiment.check::<G>().or_usage()?;
        if let Some(path) = &options.out {
            return options.play_in_folder::<G>(path, &experiment, output);
        }
        let watcher = Bar::new(experiment.games(), output.quiet);
        let tally = match run::<G>(&experiment, options.threads.count(), &watcher) {
            Err(RunError::Experiment(error)) => return Err(Usage::error(error.to_string())),
            other => other?,
        };
        drop(watcher);
        let result = TournamentResult::new::<G>(&experiment, &tally);
        options.format.print::<G>(&result, amount, output)
    }
}

impl Tournament {
    fn play_in_folder<G: Playable>(
        &self,
        path: &Path,
        experiment: &Experiment<G::Rules>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let plan =
            Plan::new::<G>(experiment, self.amount(), self.shards.unwrap_or(1)).or_usage()?;
        let folder = Folder::create(path, &plan).or_usage()?;
        if self.prepare {
            let (last, path) = (plan.shards - 1, path.display());
            output.remark(&format!(
                "play shards 0 to {last} with `sho run-shard {path} I`, then `sho merge {path}`"
            ));
            return Ok(());
        }
        play_rest::<G>(&folder, path, self.threads.count(), self.format, output)
    }
}

impl ResultFormat {
    /// Prints a result in this form.
    pub(crate) fn print<G: Playable>(
        self,
        result: &TournamentResult<G::Rules>,
        asked: Amount,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let text = match self {
            Self::Table => tournament_table::<G>(result, asked),
            Self::Json => serde_json::to_string(result)? + "\n",
            Self::Csv => tournament_csv(result),
        };
        Ok(output.write_all(text.as_bytes())?)
    }
}
