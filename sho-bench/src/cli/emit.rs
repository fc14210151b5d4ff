//! `sho emit`: job files for schedulers.

use std::fs;
use std::io::Write;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf, absolute};

use anyhow::Context;
use clap::{Args, Subcommand};
use sho_bench::folder::{Folder, Kind, Plan, StudyPlan, ranges};
use sho_bench::jobs::parallel::{Parallel, literal_word};
use sho_bench::jobs::slurm::Slurm;
use sho_bench::jobs::{Script, shell_word};

use super::dispatch::{Command, Playable, dispatch};
use super::failure::{OrUsage, Usage};
use super::options::number;
use super::output::{Output, write_whole};

/// Write the job files by which Slurm or GNU parallel plays an experiment
///
/// They are for the shards that are missing, so that the same command serves again after a run in which not all went
/// well. docs/cluster.md leads through it.
#[derive(Args, Clone, Debug)]
#[command(
    arg_required_else_help = false,
    after_help = "Examples:\n  sho emit slurm runs/first --time 2:00:00\n  sho emit parallel runs/first"
)]
pub(crate) struct Emit {
    #[command(subcommand)]
    scheduler: Scheduler,
}

#[derive(Subcommand, Clone, Debug)]
enum Scheduler {
    Slurm(ForSlurm),
    Parallel(ForParallel),
}

/// Write job arrays for Slurm, the merge after them, and a script that submits all
///
/// The files go to DIR/jobs, and the path of the script to run is printed. A task is told before its time is up; it
/// then saves what it has and goes back into the queue. A task that scancel ends saves too, and stays away.
#[derive(Args, Clone, Debug)]
#[command(
    after_help = "Example:\n  bash \"$(sho emit slurm runs/first --time 2:00:00 --sbatch=--qos=low)\""
)]
struct ForSlurm {
    #[command(flatten)]
    job: JobOptions,

    /// The cluster's MaxArraySize (`scontrol show config` tells it): the indexes of an array stay below it
    #[arg(long, value_name = "N", default_value_t = 1001, allow_negative_numbers = true, value_parser = number::<1, 4_000_001>)]
    array_limit: u64,

    /// Processors, and threads, of each task
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = number::<1, 1024>)]
    cpus: u64,

    /// The time limit of each task, as Slurm reads it: 90 (minutes), 2:00:00, 1-12
    #[arg(long, value_name = "TIME")]
    time: Option<String>,

    /// How many seconds before its time is up a task is told; it must finish the blocks in work by then
    // Slurm takes no more than a 16-bit number.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, allow_negative_numbers = true, value_parser = number::<1, 65_535>)]
    warning: u64,

    /// The memory of each task, as Slurm reads it: 500M, 2G
    #[arg(long, value_name = "SIZE")]
    mem: Option<String>,

    /// The partition
    #[arg(long, value_name = "NAME")]
    partition: Option<String>,

    /// The account that pays
    #[arg(long, value_name = "NAME")]
    account: Option<String>,

    /// Another option of sbatch, as in --sbatch=--qos=low; may be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
}

/// Write a script for GNU parallel, which plays what is missing when it is run, and merges
///
/// The file goes to DIR/jobs, and its path is printed. Ctrl-C or SIGTERM let the shards in work save
/// what they have; the same script goes on from there.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Example:\n  bash \"$(sho emit parallel runs/first --jobs 8)\"")]
struct ForParallel {
    #[command(flatten)]
    job: JobOptions,

    /// Shards at the same time on each machine; default: one a core
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number::<1, 4096>)]
    jobs: Option<u64>,

    /// Threads for each shard
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = number::<1, 1024>)]
    threads: u64,

    /// A file that names the machines to play on, one `user@host` a line, `:` for this one; they must see the same DIR
    #[arg(long, value_name = "FILE")]
    sshloginfile: Option<PathBuf>,
}

#[derive(Args, Clone, Debug)]
struct JobOptions {
    /// The folder that `sho tournament --prepare --out` made
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// How the program is called where the shards are played, as a simple command of a shell begins; default: this program, by its path
    #[arg(long, value_name = "WORDS")]
    command: Option<String>,
}

impl Emit {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        match &self.scheduler {
            Scheduler::Slurm(options) => options.run(output),
            Scheduler::Parallel(options) => options.run(output),
        }
    }
}

impl JobOptions {
    /// The folder as any other directory and machine names it.
    fn folder(&self) -> anyhow::Result<String> {
        text_of(&absolute(&self.folder).or_usage_in(self.folder.display())?)
    }

    /// How the program is called. `word` makes one word of its path.
    fn command(&self, word: fn(&str) -> String) -> anyhow::Result<String> {
        match &self.command {
            Some(words) => Ok(words.clone()),
            None => {
                let program = std::env::current_exe().context("where is this program?")?;
                Ok(word(&text_of(&program)?))
            }
        }
    }

    /// The shards that are not whole. Where there are none this says so.
    fn missing(&self, output: &Output) -> anyhow::Result<Vec<u64>> {
        let folder = Folder::at(&self.folder);
        let kind = folder.kind().or_usage()?;
        let missing = dispatch(&folder.game().or_usage()?, None, ListMissing(&folder, kind))?;
        if missing.is_empty() {
            let merge = format!("sho merge {}", shell_word(&self.folder.to_string_lossy()));
            output.remark(&format!("all shards are whole, so nothing is written; see: {merge}"));
        }
        Ok(missing)
    }

    /// Writes the scripts into the folder, in place of those that were there, and names the last, which is to be run.
    fn write(&self, scripts: &[Script], output: &mut Output) -> anyhow::Result<()> {
        let jobs = self.folder.join("jobs");
        fs::create_dir_all(jobs.join("logs")).or_usage_in(jobs.display())?;
        for script in scripts {
            write_whole(&jobs.join(&script.name), &script.text)?;
        }
        let Some(script) = scripts.last() else { return Ok(()) };
        let path = jobs.join(&script.name);
        writeln!(output, "{}", path.display())?;
        let start = format!("bash {}", shell_word(&path.to_string_lossy()));
        output.remark(&format!("start with: {start}"));
        Ok(())
    }
}

impl ForSlurm {
    fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        let missing = self.job.missing(output)?;
        if missing.is_empty() {
            return Ok(());
        }
        let slurm = Slurm {
            array_limit: NonZeroU64::new(self.array_limit).context("a limit is at least 1")?,
            cpus: self.cpus,
            warning: self.warning,
            time: self.time.clone(),
            mem: self.mem.clone(),
            partition: self.partition.clone(),
            account: self.account.clone(),
            sbatch: self.sbatch.clone(),
            ..Slurm::new(&self.job.folder()?, &self.job.command(shell_word)?)
        };
        let scripts = slurm.scripts(&missing).or_usage()?;
        remove_arrays(&self.job.folder.join("jobs"))?;
        let arrays = scripts.iter().filter(|script| script.name.starts_with("slurm-")).count();
        let plural = if arrays == 1 { "" } else { "s" };
        output.remark(&format!("{arrays} job array{plural} for shards {}", ranges(&missing)));
        self.job.write(&scripts, output)
    }
}

impl ForParallel {
    fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        let missing = self.job.missing(output)?;
        if missing.is_empty() {
            return Ok(());
        }
        let sshloginfile = match &self.sshloginfile {
            Some(file) if !file.is_file() => {
                let problem = format!("--sshloginfile: there is no file `{}`", file.display());
                return Err(Usage::error(problem));
            }
            Some(file) => Some(text_of(&absolute(file).or_usage_in(file.display())?)?),
            None => None,
        };
        let parallel = Parallel {
            jobs: self.jobs,
            threads: self.threads,
            sshloginfile,
            ..Parallel::new(&self.job.folder()?, &self.job.command(literal_word)?)
        };
        let script = parallel.script().or_usage()?;
        output.remark(&format!("a script for shards {}", ranges(&missing)));
        self.job.write(&[script], output)
    }
}

/// What a script can say of a path.
fn text_of(path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| {
        Usage::error(format!("{}: a script needs a name that is UTF-8", path.display()))
    })
}

/// Removes the arrays that were written before, of which there may have been more.
fn remove_arrays(jobs: &Path) -> anyhow::Result<()> {
    for number in 0_u64.. {
        let array = jobs.join(format!("slurm-{number}.sh"));
        if !array.exists() {
            break;
        }
        fs::remove_file(&array).or_usage_in(array.display())?;
    }
    Ok(())
}

struct ListMissing<'a>(&'a Folder, Kind);

impl Command for ListMissing<'_> {
    type Output = Vec<u64>;

    fn run<G: Playable>(self) -> anyhow::Result<Vec<u64>> {
        let Self(folder, kind) = self;
        match kind {
            Kind::Tournament => {
                folder.missing::<G>(&folder.plan::<Plan<G::Rules>>().or_usage()?).or_usage()
            }
            Kind::Study => {
                folder.missing::<G>(&folder.plan::<StudyPlan<G::Rules>>().or_usage()?).or_usage()
            }
            Kind::Tuning => Err(folder.is_a_tuning()).or_usage(),
        }
    }
}
