//! `sho tournament`: bots against bots.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use sho_bench::block_rows;
use sho_bench::files::{WholeFile, write_whole};
use sho_bench::folder::{Folder, Plan};
use sho_bench::report::{schedule_table, tournament_csv, tournament_table};
use sho_bench::tally::Tally;
use sho_bench::{Amount, Keep, Lines, RunEnd, RunError, TournamentResult, run_on};

use super::dispatch::Playable;
use super::experiment::{Asked, ExperimentOptions, WithExperiment};
use super::failure::{Interrupted, OrUsage, Usage};
use super::options::{ThreadsOption, number};
use super::output::{Output, check_folder};
use super::parts::play_rest;
use super::progress::{Bar, Signals};

const HELP: &str = "\
Examples:
  sho tournament --bots easy,random,easy --games 100000
  sho tournament --bots easy,random --rules bhutan --blocks 5000 --format json
  sho tournament --bots easy,random --lineups gauntlet --sides 3
  sho tournament --bots easy,random --sprt 0,10 --games 1000000
  sho tournament --game sholo-guti --bots easy,random";

/// Play bots against bots and print how they did
///
/// A block is one set of dice, or in a game without dice one opening of random turns, played once in every seating of
/// the schedule, so that all bots have the same luck. The result depends on the seed and on nothing else: not on threads, not on the machine.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Tournament {
    #[command(flatten)]
    experiment: ExperimentOptions,

    #[command(flatten)]
    threads: ThreadsOption,

    /// The form of the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: ResultFormat,

    /// Print what would be played, and play nothing; as JSON it is a file for --experiment
    #[arg(long)]
    dry_run: bool,

    /// Write a record of each game into this file, as lines of JSON; with --out it is kept in the folder
    #[arg(long, value_name = "FILE")]
    records: Option<String>,

    /// Write a row for each block, line-up and bot into this file, as comma-separated values, and a data dictionary beside
    /// it; with --out they are kept in the folder
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,

    /// Keep the experiment in this folder, with its result as result.json, report.txt and pictures; it can be stopped
    /// (Ctrl-C) and resumed
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

impl Tournament {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.experiment.dispatch(Play { options: self, output })
    }
}

struct Play<'a> {
    options: &'a Tournament,
    output: &'a mut Output,
}

impl WithExperiment for Play<'_> {
    fn run<G: Playable>(self, asked: Asked<G::Rules>) -> anyhow::Result<()> {
        let Self { options, output } = self;
        if options.dry_run {
            return options.show::<G>(&asked, output);
        }
        match &options.out {
            Some(path) => options.play_in_folder::<G>(path, &asked, output),
            None => options.play::<G>(&asked, output),
        }
    }
}

impl Tournament {
    fn plan<G: Playable>(&self, asked: &Asked<G::Rules>) -> anyhow::Result<Plan<G::Rules>> {
        Plan::new::<G>(&asked.experiment, asked.amount, self.shards.unwrap_or(1))
            .and_then(|plan| plan.keeping(self.records.clone(), self.csv.clone()))
            .or_usage()
    }

    /// Prints the schedule.
    fn show<G: Playable>(
        &self,
        asked: &Asked<G::Rules>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let text = match self.format {
            ResultFormat::Table => schedule_table::<G>(&asked.experiment, asked.amount),
            ResultFormat::Json => serde_json::to_string_pretty(&self.plan::<G>(asked)?)? + "\n",
            ResultFormat::Csv => {
                return Err(Usage::error("--dry-run has no csv form; possible: table, json"));
            }
        };
        Ok(output.write_all(text.as_bytes())?)
    }

    /// Plays, and keeps nothing but what is asked for in files.
    fn play<G: Playable>(
        &self,
        asked: &Asked<G::Rules>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let Asked { experiment, amount } = asked;
        let signals = Signals::listen()?;
        let bar = Bar::new(experiment, output.quiet).stopped_by(signals.clone());
        let mut files = KeptFiles::create::<G>(self.records.as_deref(), self.csv.as_deref())?;
        let nothing = Tally::new::<G>(experiment);
        let keep = Keep { records: self.records.is_some(), rows: self.csv.is_some() };
        let sink = &mut |_: &Tally, lines: &Lines| files.write(lines);
        let ran = match run_on::<G>(experiment, nothing, self.threads.count(), &bar, keep, sink) {
            Err(error @ (RunError::Experiment(_) | RunError::Bot(_))) => {
                return Err(Usage::error(error.to_string()));
            }
            other => other?,
        };
        drop(bar);
        files.finish()?;
        let (played, of) = (ran.tally.blocks, experiment.blocks.len());
        if played > 0 {
            let result = TournamentResult::new::<G>(experiment, &ran.tally);
            self.format.print::<G>(&result, *amount, output)?;
        }
        if ran.end == RunEnd::Stopped {
            // What was played stands on standard output before this is said.
            output.flush()?;
            let what = format!(
                "stopped by hand after {played} of {of} blocks; the result is that of --blocks {played}"
            );
            return Err(Interrupted::error(what, &signals));
        }
        Ok(())
    }

    fn play_in_folder<G: Playable>(
        &self,
        path: &Path,
        asked: &Asked<G::Rules>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let plan = self.plan::<G>(asked)?;
        let folder = Folder::create(path, &plan).or_usage()?;
        if self.prepare {
            let (last, path) = (plan.shards - 1, path.display());
            output.remark(&format!(
                "play shards 0 to {last} with `sho run-shard {path} I`, then `sho merge {path}`"
            ));
            return Ok(());
        }
        play_rest::<G, Plan<G::Rules>>(&folder, path, self.threads.count(), self.format, output)
    }
}

/// The files beside a result, written while games are played.
struct KeptFiles {
    records: Option<Kept>,
    rows: Option<Kept>,
}

struct Kept {
    name: String,
    file: WholeFile,
}

impl Kept {
    fn create(name: &str) -> anyhow::Result<Self> {
        check_folder(Path::new(name))?;
        let file = WholeFile::create(Path::new(name)).or_usage_in(name)?;
        Ok(Self { name: name.to_owned(), file })
    }

    fn finish(self) -> anyhow::Result<()> {
        self.file.finish().or_usage_in(self.name)
    }
}

impl KeptFiles {
    fn create<G: Playable>(records: Option<&str>, rows: Option<&str>) -> anyhow::Result<Self> {
        let mut files = Self {
            records: records.map(Kept::create).transpose()?,
            rows: rows.map(Kept::create).transpose()?,
        };
        if let Some(kept) = &mut files.rows {
            kept.file.write_all(block_rows::header::<G>().as_bytes())?;
            let dictionary = block_rows::dictionary_file(Path::new(&kept.name));
            write_whole(&dictionary, &block_rows::dictionary::<G>())
                .or_usage_in(dictionary.display())?;
        }
        Ok(files)
    }

    fn write(&mut self, lines: &Lines) -> io::Result<()> {
        for (kept, text) in [(&mut self.records, &lines.records), (&mut self.rows, &lines.rows)] {
            if let Some(kept) = kept {
                kept.file.write_all(text.as_bytes())?;
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        self.records.into_iter().chain(self.rows).try_for_each(Kept::finish)
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
