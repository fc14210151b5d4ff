//! `sho verify`: whether what a folder holds is what its games say.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use sho_bench::folder::Folder;
use sho_bench::verify::{Audience, Extent, Finding, Verdict, verify};

use super::dispatch::Playable;
use super::failure::{Answered, Interrupted};
use super::options::{DEFAULT_SEED, EngineOption, Format, ThreadsOption, number};
use super::output::Output;
use super::parts::{InFolder, Shown, open, played};
use super::progress::{Bar, Signals};

const HELP: &str = "\
Where groups with a share p of all blocks were changed, a sample misses them all
with a probability of at most (1-p)^N. Whoever makes results may know the usual
seed: take your own.
Exit codes: 0 no fault, 1 faults, 2 the folder cannot be read.

Examples:
  sho verify runs/first
  sho verify runs/first --sample 100 --seed 20261129
  sho verify runs/first --all
  sho verify runs/joins";

/// Check the folder of a tournament or a study: play some of its games again, or all
///
/// Holds plan, counts, check lines, result and files against one another. Then it draws blocks and plays the groups that
/// hold them again (a group has some 64 blocks; fewer in a small experiment, more in a large one), and compares their
/// counts; --all plays all blocks. Records are followed step by step and counted again: legal steps, the dice of the
/// block, payoffs. That is all there is for bots in other programs, which might choose otherwise. A run that was stopped
/// is checked as far as it is. Nothing is written.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Verify {
    /// The folder that `sho tournament --out` or `sho study --out` made
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Play the groups again that hold N blocks drawn at random
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, conflicts_with = "all", value_parser = number::<1, 1_000_000>)]
    sample: u64,

    /// Play every block again: a proof of the counts
    #[arg(long)]
    all: bool,

    /// The seed that these blocks are drawn by
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, allow_negative_numbers = true, value_parser = number::<0, { u64::MAX }>)]
    seed: u64,

    #[command(flatten)]
    threads: ThreadsOption,

    #[command(flatten)]
    engine: EngineOption,

    /// The form of the findings
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

impl Verify {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        open(&self.folder, self.engine.engine.as_deref(), self, output)
    }

    fn extent(&self) -> Extent {
        if self.all { Extent::All } else { Extent::Sample { blocks: self.sample, seed: self.seed } }
    }
}

impl InFolder for Verify {
    fn run_in<G: Playable, W: Shown<G>>(
        &self,
        folder: &Folder,
        path: &Path,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let signals = Signals::listen()?;
        let bar = Bar::of_games(0, output.quiet).stopped_by(signals.clone());
        let mut printed = Ok(());
        let found = &mut |finding: &Finding| {
            if self.format == Format::Table && printed.is_ok() {
                // What was found stands there at once, and is not written into the bar.
                printed = bar.aside(|| print(finding, output));
            }
        };
        let verified =
            played(verify::<G>(folder, self.extent(), self.threads.count(), &bar, found))?;
        drop(bar);
        printed?;
        if self.format == Format::Json {
            writeln!(output, "{}", serde_json::to_string_pretty(&verified)?)?;
        }
        output.flush()?;
        if verified.stopped {
            let what = format!("stopped before everything in {} was checked", path.display());
            return Err(Interrupted::error(what, &signals));
        }
        if verified.ok { Ok(()) } else { Err(Answered::with(1)) }
    }
}

/// The longest name of a check.
const WIDTH: usize = "games on record".len();

fn print(finding: &Finding, output: &mut Output) -> std::io::Result<()> {
    let Finding { what, verdict, remark, faults, faults_in_all } = finding;
    let word = match verdict {
        Verdict::Ok => "ok",
        Verdict::NotChecked => "-",
        Verdict::Fault => "FAULT",
    };
    writeln!(output, "{word:<5}  {what:<WIDTH$}  {remark}")?;
    for fault in faults {
        writeln!(output, "       {fault}")?;
    }
    let more = faults_in_all.saturating_sub(faults.len() as u64);
    if more > 0 {
        writeln!(output, "       and {more} more")?;
    }
    output.flush()
}

impl Audience for Bar {
    fn expect(&self, games: u64) {
        self.lengthen(games);
    }

    fn advance(&self, games: u64) {
        Self::advance(self, games);
    }

    fn stop(&self) -> bool {
        sho_bench::Watcher::stop(self)
    }
}
