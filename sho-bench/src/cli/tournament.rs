//! `sho tournament`: bots against bots.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use sho_bench::report::{tournament_csv, tournament_table};
use sho_bench::{Amount, Experiment, RunError, TournamentResult, Watcher, run};
use sho_core::RuleSet;

use super::dispatch::{Command, Playable};
use super::failure::{OrUsage, Usage};
use super::options::{
    BotOptions, GameOptions, OpeningOption, RulesOptions, ScheduleOption, SeedOption,
    ThreadsOption, number,
};
use super::output::{Output, write_whole};

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

    /// Keep the result in this folder, as result.json and report.txt
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum ResultFormat {
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
        let chosen = options.rules.choose::<G>()?;
        let mut bots = options.bots.texts()?;
        let rules = if bots.is_empty() {
            let rules = chosen.rules()?;
            bots = vec![G::DEFAULT_BOT.to_owned(); rules.sides()];
            rules
        } else {
            chosen.for_sides(bots.len(), "line-up")?
        };
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
        // A folder that cannot be written is known before the games are played, not after.
        let folder = options.out.as_deref().map(Folder::new).transpose()?;
        let watcher = Bar::new(experiment.games(), output.quiet);
        let tally = match run::<G>(&experiment, options.threads.count(), &watcher) {
            Err(RunError::Experiment(error)) => return Err(Usage::error(error.to_string())),
            other => other?,
        };
        drop(watcher);

        let result = TournamentResult::new::<G>(&experiment, &tally);
        let table = || tournament_table::<G>(&result, amount);
        let json = || serde_json::to_string(&result).map(|text| text + "\n");
        if let Some(folder) = folder {
            write_whole(&folder.file(RESULT), &json()?)?;
            write_whole(&folder.file(REPORT), &table())?;
            output.remark(&format!("the result is in {}", folder.0.display()));
        }
        match options.format {
            ResultFormat::Table => output.write_all(table().as_bytes())?,
            ResultFormat::Json => output.write_all(json()?.as_bytes())?,
            ResultFormat::Csv => output.write_all(tournament_csv(&result).as_bytes())?,
        }
        Ok(())
    }
}

const RESULT: &str = "result.json";
const REPORT: &str = "report.txt";

/// A folder for a result: there, writable, and without one.
struct Folder<'a>(&'a Path);

impl<'a> Folder<'a> {
    fn new(path: &'a Path) -> anyhow::Result<Self> {
        let folder = Self(path);
        let place = path.display();
        std::fs::create_dir_all(path).or_usage_in(&place)?;
        if folder.file(RESULT).exists() {
            return Err(Usage::error(format!(
                "{place}: it has a {RESULT} already; name another folder"
            )));
        }
        tempfile::tempfile_in(path).or_usage_in(&place)?;
        Ok(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

/// A progress bar on a terminal, nothing elsewhere. It is gone when it is dropped.
struct Bar {
    bar: ProgressBar,
}

impl Bar {
    fn new(games: u64, quiet: bool) -> Self {
        // What a dumb terminal shows cannot be taken back.
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if quiet || dumb || !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden() };
        }
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} games{rest}")
        {
            bar.set_style(style.with_key("rest", speed_and_time_left));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }
}

/// What the bar says of speed and time, once there is anything to say.
fn speed_and_time_left(state: &ProgressState, text: &mut dyn std::fmt::Write) {
    let speed = state.per_sec();
    if state.pos() > 0 && speed > 0.0 {
        let left = HumanDuration(state.eta());
        // A bar that cannot be written is no reason to stop.
        let _ = match speed as u64 {
            0..10 => write!(text, ", {speed:.1} games/s, {left:#} left"),
            speed => write!(text, ", {} games/s, {left:#} left", HumanCount(speed)),
        };
    }
}

impl Watcher for Bar {
    fn played(&self, games: u64) {
        self.bar.inc(games);
    }
}
