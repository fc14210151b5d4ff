//! `sho resume`, `run-shard`, `missing` and `merge`: experiments in parts.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use sho_bench::chart::{Picture, tournament_pictures};
use sho_bench::folder::{
    Folder, FolderError, Kind, Plan, Progress, REPORT, RESULT, STUDY_RESULT, StudyPlan, Work,
    ranges,
};
use sho_bench::report::tournament_table;
use sho_bench::{Blocks, Experiment, RunError, TournamentResult};

use super::dispatch::{Command, Playable, dispatch};
use super::failure::{Interrupted, OrUsage, Usage};
use super::options::{EngineOption, ThreadsOption, number};
use super::output::Output;
use super::progress::{Bar, Signals};
use super::study;
use super::tournament::ResultFormat;
use super::tune;

/// The folder of pictures in that of an experiment.
const PICTURES: &str = "pictures";

/// Go on with an experiment that was stopped, and print its result
///
/// Plays what is missing of every shard, wherever it was stopped. The result is byte for byte that of one run.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  sho resume runs/first")]
pub(crate) struct Resume {
    /// The folder that `sho tournament --out`, `sho study --out` or `sho tune --out` made
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    threads: ThreadsOption,

    #[command(flatten)]
    engine: EngineOption,

    /// The form of the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: ResultFormat,
}

/// Play one shard of an experiment, or the rest of it
///
/// The number of a shard may come from a job scheduler: `--index-from SLURM_ARRAY_TASK_ID`, `--index-from
/// OMPI_COMM_WORLD_RANK`, or `--index-from PARALLEL_SEQ --offset 1`, which counts from 1.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Examples:\n  sho run-shard runs/first 3\n  sho run-shard runs/first --index-from SLURM_ARRAY_TASK_ID"
)]
pub(crate) struct RunShard {
    /// The folder that `sho tournament --prepare --out` or `sho study --prepare --out` made
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The shard, from 0
    #[arg(
        value_name = "I",
        allow_negative_numbers = true,
        value_parser = number::<0, { u64::MAX }>,
        required_unless_present = "index_from"
    )]
    shard: Option<u64>,

    /// Take the shard's number from this variable of the environment
    #[arg(long, value_name = "VARIABLE", conflicts_with = "shard")]
    index_from: Option<String>,

    /// What to take away from that number
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        requires = "index_from",
        allow_negative_numbers = true,
        value_parser = number::<0, { u64::MAX }>
    )]
    offset: u64,

    #[command(flatten)]
    threads: ThreadsOption,

    #[command(flatten)]
    engine: EngineOption,
}

/// Name the shards of an experiment that are not whole
///
/// They are printed as ranges, as 0-3,7, which job schedulers read; nothing where all are whole.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  sbatch --array=$(sho missing runs/first) job.sh")]
pub(crate) struct Missing {
    /// The folder of the experiment
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Put the shards of an experiment together, and print its result
///
/// Every shard must be whole. The result is byte for byte that of one run.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  sho merge runs/first --format json")]
pub(crate) struct Merge {
    /// The folder of the experiment
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// The form of the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: ResultFormat,
}

/// What a command does with a folder, whatever its game and whatever it holds.
pub(crate) trait InFolder {
    fn run_in<G: Playable, W: Shown<G>>(
        &self,
        folder: &Folder,
        path: &Path,
        output: &mut Output,
    ) -> anyhow::Result<()>;
}

struct Opened<'a, C> {
    command: &'a C,
    path: &'a Path,
    kind: Kind,
    output: &'a mut Output,
}

impl<C: InFolder> Command for Opened<'_, C> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { command, path, kind, output } = self;
        let folder = Folder::at(path);
        match kind {
            Kind::Tournament => command.run_in::<G, Plan<G::Rules>>(&folder, path, output),
            Kind::Study => command.run_in::<G, StudyPlan<G::Rules>>(&folder, path, output),
            Kind::Tuning => Err(folder.is_a_tuning()).or_usage(),
        }
    }
}

/// Does a command with the folder at `path`, as its game asks for.
pub(crate) fn open(
    path: &Path,
    engine: Option<&str>,
    command: &impl InFolder,
    output: &mut Output,
) -> anyhow::Result<()> {
    let folder = Folder::at(path);
    let (game, kind) = (folder.game().or_usage()?, folder.kind().or_usage()?);
    dispatch(&game, engine, Opened { command, path, kind, output })
}

/// What is known of a kind of work on the command line.
pub(crate) trait Shown<G: Playable>: Work<G> {
    /// A progress bar for so many of its blocks.
    fn bar(made: &Self::Made, blocks: Blocks, quiet: bool) -> Bar;

    /// How far it was when it was stopped after so many blocks.
    fn stopped(&self, blocks: u64) -> String {
        format!("stopped after {blocks} of {} blocks", self.cut().blocks.len())
    }

    /// Adds up the shards, keeps the result in the folder, and prints it.
    fn finish(
        &self,
        folder: &Folder,
        format: ResultFormat,
        output: &mut Output,
    ) -> anyhow::Result<()>;

    /// The file of the result.
    const RESULT: &'static str;
}

impl<G: Playable> Shown<G> for Plan<G::Rules> {
    const RESULT: &'static str = RESULT;

    fn bar(made: &Self::Made, blocks: Blocks, quiet: bool) -> Bar {
        Bar::new(&Experiment { blocks, ..made.clone() }, quiet)
    }

    fn stopped(&self, blocks: u64) -> String {
        let what = format!("stopped after {blocks} of {} blocks", self.blocks.len());
        match self.sprt {
            // A test that was left because of what it seemed to say has lost its error rates.
            Some(_) => format!("{what}, by hand: not a test result"),
            None => what,
        }
    }

    fn finish(
        &self,
        folder: &Folder,
        format: ResultFormat,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let tally = folder.merge::<G, _>(self).or_usage()?;
        let experiment: Experiment<G::Rules> = self.experiment::<G>().or_usage()?;
        let result = TournamentResult::new::<G>(&experiment, &tally);
        let document = serde_json::to_string(&result)? + "\n";
        folder.write_kept::<G>(self).or_usage()?;
        folder.write_result(&document, &tournament_table::<G>(&result, self.asked)).or_usage()?;
        write_pictures(folder, &tournament_pictures(&result))?;
        format.print::<G>(&result, self.asked, output)
    }
}

impl<G: Playable> Shown<G> for StudyPlan<G::Rules> {
    const RESULT: &'static str = STUDY_RESULT;

    fn bar(made: &Self::Made, blocks: Blocks, quiet: bool) -> Bar {
        // A study that was checked has cells.
        let games = made.games_a_block().unwrap_or(0).saturating_mul(blocks.len());
        Bar::of_games(games, quiet)
    }

    fn finish(
        &self,
        folder: &Folder,
        format: ResultFormat,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        study::finish::<G>(folder, self, format, output)
    }
}

impl Resume {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        if Folder::at(&self.folder).kind().or_usage()? == Kind::Tuning {
            return tune::go_on(&self.folder, self.threads.count(), self.format, output);
        }
        open(&self.folder, self.engine.engine.as_deref(), self, output)
    }
}

impl InFolder for Resume {
    fn run_in<G: Playable, W: Shown<G>>(
        &self,
        folder: &Folder,
        path: &Path,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        play_rest::<G, W>(folder, path, self.threads.count(), self.format, output)
    }
}

impl RunShard {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        open(&self.folder, self.engine.engine.as_deref(), self, output)
    }

    fn index(&self) -> anyhow::Result<u64> {
        let Some(name) = &self.index_from else { return Ok(self.shard.unwrap_or(0)) };
        let value = std::env::var(name).map_err(|_| {
            Usage::error(format!(
                "--index-from {name}: there is no such variable in the environment"
            ))
        })?;
        let index = value.parse::<u64>().ok().and_then(|number| number.checked_sub(self.offset));
        index.ok_or_else(|| {
            let least = self.offset;
            Usage::error(format!(
                "--index-from {name}: expected a number from {least}, found `{value}`"
            ))
        })
    }
}

impl InFolder for RunShard {
    fn run_in<G: Playable, W: Shown<G>>(
        &self,
        folder: &Folder,
        path: &Path,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let plan: W = folder.plan().or_usage()?;
        let shard = self.index()?;
        let blocks = plan.cut().shard(shard).or_usage()?;
        let made = plan.made().or_usage()?;
        let signals = Signals::listen()?;
        let bar = W::bar(&made, blocks, output.quiet).stopped_by(signals.clone());
        let progress = played(folder.play_shard::<G>(&plan, shard, self.threads.count(), &bar))?;
        drop(bar);
        match progress {
            Progress::Whole => {
                output.remark(&format!("shard {shard} is whole"));
                Ok(())
            }
            Progress::Stopped { done, of } => {
                let go_on = format!("sho run-shard {} {shard}", path.display());
                let what = format!("shard {shard} stopped after {done} of {of} blocks");
                Err(Interrupted::error(format!("{what}; go on with: {go_on}"), &signals))
            }
        }
    }
}

impl Missing {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        open(&self.folder, None, self, output)
    }
}

impl InFolder for Missing {
    fn run_in<G: Playable, W: Shown<G>>(
        &self,
        folder: &Folder,
        _: &Path,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let plan: W = folder.plan().or_usage()?;
        let missing = folder.missing::<G>(&plan).or_usage()?;
        if !missing.is_empty() {
            writeln!(output, "{}", ranges(&missing))?;
        }
        Ok(())
    }
}

impl Merge {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        open(&self.folder, None, self, output)
    }
}

impl InFolder for Merge {
    fn run_in<G: Playable, W: Shown<G>>(
        &self,
        folder: &Folder,
        _: &Path,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let plan: W = folder.plan().or_usage()?;
        plan.finish(folder, self.format, output)
    }
}

/// Plays what is missing of all shards, and prints the result.
pub(crate) fn play_rest<G: Playable, W: Shown<G>>(
    folder: &Folder,
    path: &Path,
    threads: usize,
    format: ResultFormat,
    output: &mut Output,
) -> anyhow::Result<()> {
    let plan: W = folder.plan().or_usage()?;
    let cut = plan.cut();
    let made = plan.made().or_usage()?;
    let signals = Signals::listen()?;
    let bar = W::bar(&made, cut.blocks, output.quiet).stopped_by(signals.clone());
    let mut whole = 0;
    for shard in 0..cut.shards {
        match played(folder.play_shard::<G>(&plan, shard, threads, &bar))? {
            Progress::Whole => {
                whole += cut.shard(shard).or_usage()?.len();
                bar.begin_shard();
            }
            Progress::Stopped { done, .. } => {
                drop(bar);
                let what = plan.stopped(whole + done);
                let go_on = format!("sho resume {}", path.display());
                return Err(Interrupted::error(format!("{what}; go on with: {go_on}"), &signals));
            }
        }
    }
    drop(bar);
    plan.finish(folder, format, output)?;
    output.remark(&format!("{} and {REPORT} are in {}", W::RESULT, path.display()));
    Ok(())
}

/// Keeps the pictures of a result in the folder `pictures` beside it.
pub(crate) fn write_pictures(folder: &Folder, pictures: &[Picture]) -> anyhow::Result<()> {
    for picture in pictures {
        let name = format!("{PICTURES}/{}.svg", picture.name);
        folder.write_beside(&name, &picture.file()).or_usage()?;
    }
    Ok(())
}

/// What cannot be played by what the folder says is the user's to mend; a game that fails is not.
pub(crate) fn played<T>(done: Result<T, FolderError>) -> anyhow::Result<T> {
    match done {
        Err(FolderError::Run(error @ RunError::Illegal { .. })) => Err(error.into()),
        other => other.or_usage(),
    }
}
