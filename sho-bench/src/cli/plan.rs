//! `sho plan`: how many blocks a precision takes.

use std::io::Write;
use std::thread::available_parallelism;
use std::time::Instant;

use clap::{Args, Subcommand};
use serde::Serialize;
use sho_bench::plan::{
    Goal, LEAST_PILOT, MOST_PILOT, Pilot, PlanResult, Precision, study_pilot, tournament_pilot,
    usual_pilot,
};
use sho_bench::report::plan_table;
use sho_bench::{Blocks, RunError};
use sho_core::RuleSet;

use super::dispatch::{Command, Playable};
use super::experiment::{Asked, ExperimentOptions, WithExperiment};
use super::failure::{Interrupted, OrUsage, Usage};
use super::given::{Given, LeftOut};
use super::options::{Format, ThreadsOption, number};
use super::output::Output;
use super::progress::{Bar, Signals};
use super::study::StudyOptions;

const HELP: &str = "\
The pilot's blocks are the first of those that are proposed. Half of all plans
fall a little short of their precision; play the upper end of the range where
that must not be. docs/planning.md explains every number.

Examples:
  sho plan tournament --bots hard,medium --precision 0.5%
  sho plan tournament --bots easy,random,random --elo 5
  sho plan study --vary going-home --bots easy --precision 1
  sho plan study --vary reopen --precision 0.2% --measure payoff_A";

/// Play a pilot, and say how many blocks a precision takes, and how long
///
/// Plays the first few thousand blocks of a tournament or a study, looks how much blocks differ, and prints the blocks and
/// games that bring each 95 % interval to the width that is wanted, with the command that plays them. Only the time comes
/// from a clock; all else depends on the seed and on nothing else: not on threads, not on the machine.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP, arg_required_else_help = false)]
pub(crate) struct PlanCommand {
    #[command(subcommand)]
    what: Planned,
}

#[derive(Subcommand, Clone, Debug)]
enum Planned {
    Tournament(Box<PlanTournament>),
    Study(Box<PlanStudy>),
}

/// Plan a tournament: the score of each bot, or its Elo
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
struct PlanTournament {
    /// Half the width of the 95 % interval wanted, of the score a seat of each bot: 0.5% and 0.005 are the same
    #[arg(long, value_name = "P", required_unless_present = "elo", allow_hyphen_values = true)]
    precision: Option<Precision>,

    /// The same in Elo, of each bot above the others of a single line-up, instead of --precision
    #[arg(long, value_name = "E", conflicts_with = "precision", allow_hyphen_values = true)]
    elo: Option<Precision>,

    #[command(flatten)]
    pilot: PilotOptions,

    #[command(flatten)]
    experiment: Given<ExperimentOptions, InTournaments>,
}

/// Plan a study: what rules change, for every contrast and policy
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
struct PlanStudy {
    /// Half the width of the 95 % interval wanted, of each effect alone, in the unit of the measure; of shares also in
    /// percent, as in 0.5%
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    precision: Precision,

    /// Which effects: a measure as in the result of a study [default: the game's main length]
    #[arg(long, value_name = "NAME")]
    measure: Option<String>,

    #[command(flatten)]
    pilot: PilotOptions,

    #[command(flatten)]
    study: Given<StudyOptions, InStudies>,
}

#[derive(Args, Clone, Copy, Debug)]
struct PilotOptions {
    /// Blocks of the pilot [default: 4096; with bots that look ahead or are in other programs 256]
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = number::<LEAST_PILOT, MOST_PILOT>)]
    pilot: Option<u64>,

    #[command(flatten)]
    threads: ThreadsOption,

    /// The form of the plan; json is one line
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

const BLOCKS: &str = "a plan says how many to play; --pilot says how many to find that out by";
const TEST: &str = "a sequential test ends by itself, and has no precision to plan for";

/// What a plan of a tournament decides itself.
#[derive(Clone, Copy, Debug)]
struct InTournaments;

impl LeftOut for InTournaments {
    const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("games", BLOCKS),
        ("blocks", BLOCKS),
        ("sprt", TEST),
        ("sprt_scale", TEST),
        ("sprt_alpha", TEST),
        ("sprt_beta", TEST),
    ];
}

/// What a plan of a study decides itself: nothing that is among its options.
#[derive(Clone, Copy, Debug)]
struct InStudies;

impl LeftOut for InStudies {
    const OPTIONS: &'static [(&'static str, &'static str)] = &[];
}

impl PlanCommand {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        match &self.what {
            Planned::Tournament(options) => {
                options.experiment.options.dispatch(OfTournament { options, output })
            }
            Planned::Study(options) => {
                options.study.options.game().dispatch(OfStudy { options, output })
            }
        }
    }
}

struct OfTournament<'a> {
    options: &'a PlanTournament,
    output: &'a mut Output,
}

impl WithExperiment for OfTournament<'_> {
    fn run<G: Playable>(self, asked: Asked<G::Rules>) -> anyhow::Result<()> {
        let Self { options, output } = self;
        let mut experiment = asked.experiment;
        if experiment.sprt.is_some() {
            return Err(Usage::error(TEST));
        }
        let goal = match (&options.precision, &options.elo) {
            (_, Some(elo)) => Goal::elo(elo, &experiment),
            (Some(precision), None) => Goal::score(precision),
            (None, None) => return Err(Usage::error("expected --precision or --elo")),
        };
        let goal = goal.or_usage()?;
        let pilot = options.pilot.pilot.unwrap_or_else(|| usual_pilot::<G>(&experiment.bots));
        let from = experiment.blocks.from;
        experiment.blocks = Blocks { from, to: from.saturating_add(pilot) };
        experiment.check::<G>().or_usage()?;

        let run = Run::begin(options.pilot)?;
        let bar = Bar::new(&experiment, output.quiet).stopped_by(run.signals.clone());
        let played = tournament_pilot::<G>(&experiment, run.options.threads.count(), &bar);
        drop(bar);
        let played = played_by(played)?;
        let given = &options.experiment;
        // A file has a number of blocks of its own.
        let words = (!given.has("experiment")).then(|| given.but(&["seed"]));
        let command = words.map(|words| ("tournament", words, experiment.seed));
        let plan = |pilot: &Pilot| PlanResult::tournament::<G>(&experiment, &goal, pilot);
        run.end(&played, pilot, plan, command, output)
    }
}

struct OfStudy<'a> {
    options: &'a PlanStudy,
    output: &'a mut Output,
}

impl Command for OfStudy<'_> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { options, output } = self;
        let given = &options.study;
        // Who plays says how many blocks.
        let mut study = given.options.study::<G>(LEAST_PILOT)?;
        let measure = options.measure.as_deref();
        let goal = Goal::effect::<G>(&options.precision, measure, &study).or_usage()?;
        let pilot = options.pilot.pilot.unwrap_or_else(|| usual_pilot::<G>(&study.policies));
        study.blocks.to = pilot;

        let games = study.games().or_usage()?;
        let run = Run::begin(options.pilot)?;
        let bar = Bar::of_games(games, output.quiet).stopped_by(run.signals.clone());
        let played = study_pilot::<G>(&study, &goal, run.options.threads.count(), &bar);
        drop(bar);
        let played = played_by(played)?;
        let command = Some(("study", given.but(&["seed"]), study.seed));
        run.end(
            &played,
            pilot,
            |pilot| PlanResult::study::<G>(&study, &goal, pilot),
            command,
            output,
        )
    }
}

/// The pilot, or a mistake that the user can mend, where it is one.
fn played_by(played: Result<Pilot, RunError>) -> anyhow::Result<Pilot> {
    match played {
        Err(error @ (RunError::Experiment(_) | RunError::Study(_) | RunError::Bot(_))) => {
            Err(Usage::error(error.to_string()))
        }
        other => Ok(other?),
    }
}

/// A pilot that is being played.
struct Run {
    options: PilotOptions,
    signals: Signals,
    begin: Instant,
}

impl Run {
    fn begin(options: PilotOptions) -> anyhow::Result<Self> {
        Ok(Self { options, signals: Signals::listen()?, begin: Instant::now() })
    }

    /// Prints what follows from the pilot, of which `asked` blocks were to be played. `command` has the name, the words and
    /// the seed of what is to be played, but for the number of blocks.
    fn end<R: RuleSet + Serialize>(
        &self,
        pilot: &Pilot,
        asked: u64,
        plan: impl FnOnce(&Pilot) -> Result<PlanResult<R>, sho_bench::plan::PlanError>,
        command: Option<(&str, Vec<String>, u64)>,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let seconds = self.begin.elapsed().as_secs_f64();
        let played = pilot.blocks.len();
        let stopped = played < asked;
        if stopped && played < LEAST_PILOT {
            let what = format!(
                "stopped by hand after {played} of {asked} blocks, which say nothing yet: {LEAST_PILOT} are needed"
            );
            return Err(Interrupted::error(what, &self.signals));
        }
        let threads = match self.options.threads.count() {
            0 => available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let mut plan = plan(pilot).or_usage()?.timed(seconds, threads);
        plan.command = plan.blocks.zip(command).map(|(blocks, (name, words, seed))| {
            let words = words.iter().map(|word| format!(" {word}")).collect::<String>();
            format!("sho {name}{words} --blocks {blocks} --seed {seed}")
        });
        match self.options.format {
            Format::Table => output.write_all(plan_table(&plan).as_bytes())?,
            Format::Json => writeln!(output, "{}", serde_json::to_string(&plan)?)?,
        }
        if stopped {
            // What was played stands on standard output before this is said.
            output.flush()?;
            let what = format!(
                "stopped by hand after {played} of {asked} blocks; the plan is that of --pilot {played}"
            );
            return Err(Interrupted::error(what, &self.signals));
        }
        Ok(())
    }
}
