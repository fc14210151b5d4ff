//! `sho tune`: better weights for an evaluation.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use sho_ai::sho::Weights;
use sho_bench::chart::tune_pictures;
use sho_bench::folder::{Folder, REPORT};
use sho_bench::report::tune_report;
use sho_bench::stats::sprt::Bounds;
use sho_bench::tune::search::Method;
use sho_bench::tune::{
    Stage, StepEnd, Tune, TuneError, TuneResult, TuneState, Tuner, create_tune_folder,
    generations_csv, keep_state, open_tuner,
};
use sho_core::RuleSet;
use sho_core::sho::Sho;

use super::experiment::bounds;
use super::failure::{Interrupted, OrUsage};
use super::options::{RulesOptions, SeedOption, ThreadsOption, number, word};
use super::output::Output;
use super::parts::write_pictures;
use super::progress::{Bar, Signals};
use super::tournament::ResultFormat;

/// The result as a document, in the folder.
const RESULT: &str = "tune.json";

/// The weights of a winner, in the folder.
const WEIGHTS: &str = "weights.json";

const HELP: &str = "\
A tuning fits weights to who won, polishes them by matches, chooses a winner,
and proves it by sequential tests on blocks that no other stage has played. It
plays by the rules of --rules, --set and --sides, on all cores, and can be
stopped (Ctrl-C) and resumed at any time. docs/tuning.md explains every number.

Examples:
  sho tune --rules lhasa --sides 2 --out runs/lhasa-2
  sho tune --set going-home=exact --sides 3 --generations 40 --out runs/exact
  sho tune --rules general --sides 2 --bot expectimax:depth=2 --out runs/look
  sho tournament --sides 2 --bots weighted:weights=runs/lhasa-2/weights.json,hard";

/// Find better weights for the evaluation of hard and expectimax, for any rules of Sho, and prove them
///
/// The result depends on the seed and on nothing else: not on threads, not on the machine, not on where it was stopped.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct TuneCommand {
    /// The folder of the tuning, with its result as tune.json, report.txt, generations.csv, weights.json and pictures
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// The bot that is to play by the weights: hard, or expectimax with its options
    #[arg(long, value_name = "BOT", default_value = "hard")]
    bot: String,

    /// The weights that are to be bettered, a file as weighted:weights=FILE reads it; default: those that the bot has
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    #[command(flatten)]
    seed: SeedOption,

    #[command(flatten)]
    threads: ThreadsOption,

    /// The form of the result
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: ResultFormat,

    /// Make the folder and play nothing; `sho resume DIR` does the rest
    #[arg(long)]
    prepare: bool,

    /// Games that the fit learns from [default: 20000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number::<100, { 1 << 40 }>, help_heading = "Fit and polish")]
    fit_games: Option<u64>,

    /// How the search goes on: cma-es or spsa
    #[arg(long, value_name = "NAME", default_value = "cma-es", value_parser = |text: &str| word(text, &Method::ALL), help_heading = "Fit and polish")]
    method: Method,

    /// Generations of the search [default: 100]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number::<1, { 1 << 20 }>, help_heading = "Fit and polish")]
    generations: Option<u64>,

    /// Points of a generation, an even number [default: 16]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number::<4, { 1 << 12 }>, help_heading = "Fit and polish")]
    candidates: Option<u64>,

    /// Blocks that each point plays in a generation [default: 1000; of a bot that looks ahead 50]
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = number::<2, { 1 << 40 }>, help_heading = "Fit and polish")]
    blocks: Option<u64>,

    /// How far the first points go, in percent of what the weights at the start tell actions apart by [default: 30]
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = number::<1, 1000>, help_heading = "Fit and polish")]
    step: Option<u64>,

    /// How much the loss of a bad forecast counts beside wins, in hundredths of a win [default: 0; of a bot that looks ahead
    /// 100]
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = number::<0, 10_000>, help_heading = "Fit and polish")]
    forecast: Option<u64>,

    /// Blocks by which the start and the winner are chosen [default: 20000; of a bot that looks ahead 1000]
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = number::<2, { 1 << 40 }>, help_heading = "Proof")]
    choice_blocks: Option<u64>,

    /// A bot that must be better with the winner's weights; may be given several times [default: that of --bot]
    #[arg(long, value_name = "BOT", help_heading = "Proof")]
    prove: Vec<String>,

    /// What the sequential tests are to tell apart, in Elo: as in 0,5
    #[arg(long, value_name = "LOW,HIGH", default_value = "0,5", allow_hyphen_values = true, value_parser = bounds, help_heading = "Proof")]
    sprt: (f64, f64),

    /// The most blocks of each test [default: 200000; of a bot that looks ahead 10000]
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = number::<64, { 1 << 40 }>, help_heading = "Proof")]
    proof_blocks: Option<u64>,

    /// Blocks by which the winner's strength is measured at the end [default: 40000; of a bot that looks ahead 2000]
    #[arg(long, value_name = "B", allow_negative_numbers = true, value_parser = number::<2, { 1 << 40 }>, help_heading = "Proof")]
    measure_blocks: Option<u64>,

    #[command(flatten)]
    rules: RulesOptions,
}

impl TuneCommand {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        let tune = self.tune()?;
        create_tune_folder(&self.out, &tune).or_usage()?;
        if self.prepare {
            let path = self.out.display();
            output.remark(&format!("the tuning is in {path}; `sho resume {path}` does it"));
            return Ok(());
        }
        go_on(&self.out, self.threads.count(), self.format, output)
    }

    fn tune(&self) -> anyhow::Result<Tune> {
        let rules = self.rules.choose::<Sho>()?.rules()?;
        let mut tune = Tune::new(rules, &self.bot, self.seed.seed).or_usage()?;
        if let Some(path) = &self.from {
            let place = path.display();
            let text = std::fs::read_to_string(path).or_usage_in(place.to_string())?;
            tune.base = Weights::from_text(&text).or_usage_in(place.to_string())?;
            tune.base_name = path.display().to_string();
        }
        tune.method = self.method;
        for (number, given) in [
            (&mut tune.fit_blocks, self.fit_games),
            (&mut tune.generations, self.generations),
            (&mut tune.candidates, self.candidates),
            (&mut tune.blocks, self.blocks),
            (&mut tune.step, self.step),
            (&mut tune.forecast, self.forecast),
            (&mut tune.choice_blocks, self.choice_blocks),
            (&mut tune.proof_blocks, self.proof_blocks),
            (&mut tune.measure_blocks, self.measure_blocks),
        ] {
            *number = given.unwrap_or(*number);
        }
        if !self.prove.is_empty() {
            tune.prove.clone_from(&self.prove);
        }
        let (low, high) = self.sprt;
        tune.test.bounds = Bounds::Logistic { low, high };
        tune.check().or_usage()?;
        Ok(tune)
    }
}

/// Goes on with the tuning of a folder, and prints its result.
pub(crate) fn go_on(
    path: &Path,
    threads: usize,
    format: ResultFormat,
    output: &mut Output,
) -> anyhow::Result<()> {
    let folder = Folder::at(path);
    let mut tuner = open_tuner(&folder).or_usage()?;
    let signals = Signals::listen()?;
    let bar =
        Bar::of_games(tuner.tune().games_to_choice(), output.quiet).stopped_by(signals.clone());
    while let Some(stage) = tuner.stage() {
        if let Some(line) = announced(stage, &tuner) {
            bar.aside(|| output.remark(&line));
        }
        let end = match tuner.step(threads, &bar) {
            Err(error @ (TuneError::Run(_) | TuneError::Illegal(_) | TuneError::Threads(_))) => {
                return Err(error.into());
            }
            other => other.or_usage()?,
        };
        keep_state(&folder, &tuner).or_usage()?;
        if end == StepEnd::Stopped {
            drop(bar);
            let stage = stage.name();
            let go_on = format!("sho resume {}", path.display());
            let what = format!("stopped in the stage {stage}; go on with: {go_on}");
            return Err(Interrupted::error(what, &signals));
        }
        if stage == Stage::Polish
            && let Some(line) = progress(tuner.tune(), tuner.state())
        {
            bar.say(format!(", {line}"));
        }
    }
    drop(bar);
    let result = TuneResult::new(tuner.tune(), tuner.state()).or_usage()?;
    finish(&folder, &result, format, output)?;
    output.remark(&format!("{RESULT}, {REPORT} and {WEIGHTS} are in {}", path.display()));
    Ok(())
}

/// Generations between two lines of progress.
const BETWEEN: u64 = 10;

/// What is said before a step, in logs too.
fn announced(stage: Stage, tuner: &Tuner) -> Option<String> {
    let (tune, state) = (tuner.tune(), tuner.state());
    match stage {
        Stage::Fit => Some(format!("fit: {} games, then the regression", tune.fit_blocks)),
        Stage::Start => Some("start: the fit meets the base".to_owned()),
        Stage::Polish => {
            let done = state.generations.len() as u64;
            if !done.is_multiple_of(BETWEEN) {
                return None;
            }
            let so_far = progress(tune, state).map_or(String::new(), |line| format!("; {line}"));
            Some(format!("polish: {done} of {} generations{so_far}", tune.generations))
        }
        Stage::Choice if state.finalists.is_empty() => {
            Some("choice: the finalists meet the field".to_owned())
        }
        Stage::Choice => None,
        Stage::Proof => {
            let begun = state.tests.iter().filter(|test| test.verdict.is_some()).count();
            let is_new = state.tests.len() == begun;
            is_new.then(|| format!("proof: test {}", begun + 1))
        }
        Stage::Measure => Some("measure: the winner meets the field once more".to_owned()),
    }
}

/// How good the search is so far: an honest number, with its interval.
fn progress(tune: &Tune, state: &TuneState) -> Option<String> {
    let last = sho_bench::tune::generation_results(state).pop()?;
    let even = 100.0 / tune.rules.sides() as f64;
    let [low, high] = last.smooth.interval;
    let (score, half) = (100.0 * last.smooth.score, 50.0 * (high - low));
    Some(format!(
        "generation {}: {score:.2} ± {half:.2} % against the base (even: {even:.2} %), best point {:.2} %",
        last.generation,
        100.0 * last.best
    ))
}

/// Keeps the result in the folder, and prints it.
fn finish(
    folder: &Folder,
    result: &TuneResult,
    format: ResultFormat,
    output: &mut Output,
) -> anyhow::Result<()> {
    let document = serde_json::to_string(result)? + "\n";
    let report = tune_report(result);
    let weights = serde_json::to_string_pretty(&result.weights)? + "\n";
    for (name, text) in [
        (RESULT, &document),
        (REPORT, &report),
        (WEIGHTS, &weights),
        ("generations.csv", &generations_csv(result)),
    ] {
        folder.write_beside(name, text).or_usage()?;
    }
    write_pictures(folder, &tune_pictures(result))?;
    let text = match format {
        ResultFormat::Table => report,
        ResultFormat::Json => document,
        ResultFormat::Csv => generations_csv(result),
    };
    Ok(output.write_all(text.as_bytes())?)
}
