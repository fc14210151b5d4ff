//! `sho study`: what a house rule changes.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use sho_bench::chart::study_pictures;
use sho_bench::folder::{Folder, StudyPlan};
use sho_bench::page::study_page;
use sho_bench::report::study_table;
use sho_bench::study::{
    Design, Seconds, Study, StudyResult, StudyTally, effects_csv, study_on, tables,
};
use sho_bench::{MetricsTier, RunEnd, RunError};
use sho_core::RuleSet;

use super::dispatch::{Command, Playable};
use super::failure::{Interrupted, OrUsage, Usage};
use super::options::{
    BotOptions, GameOptions, OpeningOption, RulesOptions, SeedOption, ThreadsOption, number, word,
};
use super::output::Output;
use super::parts::{play_rest, write_pictures};
use super::progress::{Bar, Signals};
use super::tournament::ResultFormat;

/// Blocks played where nothing is said.
const DEFAULT_BLOCKS: u64 = 10_000;

/// The policies where none is named, and those of them that a game has: what a rule changes may depend on who plays.
const DEFAULT_POLICIES: [&str; 3] = ["random", "easy", "hard"];

const HELP: &str = "\
The base is what --rules, --set and --sides say. Every block is played once in
every cell by copies of each policy, on the same dice; effects are differences
inside blocks. docs/study.md explains every number.

Examples:
  sho study --vary going-home,six-three --bots easy --blocks 10000
  sho study --vary reopen=never+nothing-out --vary sides --bots random,easy,hard
  sho study --vary join-throws,kill --design factorial --bots easy --out runs/joins
  sho study --vary all --bots easy --metrics full --blocks 2000";

/// Measure what house rules change: the length of games, who wins, what happens in them
///
/// Varies settings of the rules and plays the same blocks, with the same dice, by each set of rules. The result depends
/// on the seed and on nothing else: not on threads, not on the machine.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct StudyCommand {
    #[command(flatten)]
    study: StudyOptions,

    /// Blocks to play: so many games for each cell and policy
    #[arg(long, value_name = "B", default_value_t = DEFAULT_BLOCKS, allow_negative_numbers = true, value_parser = number::<1, { 1 << 56 }>)]
    blocks: u64,

    #[command(flatten)]
    threads: ThreadsOption,

    /// The form of the result; csv: a row for each effect
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: ResultFormat,

    /// Keep the study in this folder, with its result as study.json, report.html, report.txt, effects.csv, cells.csv and
    /// pictures; it can be stopped (Ctrl-C) and resumed
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Cut the study into N shards, which `sho run-shard` plays on any machine and `sho merge` puts together
    #[arg(long, value_name = "N", default_value_t = 1, requires = "out", allow_negative_numbers = true, value_parser = number::<1, { 1 << 32 }>)]
    shards: u64,

    /// Make the folder and play nothing
    #[arg(long, requires = "out")]
    prepare: bool,

    /// Print the cells that would be played, and play nothing
    #[arg(long)]
    dry_run: bool,
}

/// What is studied, but for the number of blocks.
#[derive(Args, Clone, Debug)]
pub(crate) struct StudyOptions {
    /// What varies: a setting, for all its values, or NAME=VALUE+VALUE (or VALUE/VALUE) for some; several separated by
    /// commas; `all` for every setting. `sho rules` lists them. May be given several times
    #[arg(long, value_name = "NAME[=VALUES]", required = true)]
    vary: Vec<String>,

    /// Which combinations are played. one-at-a-time: the base, and each other value alone; factorial: all of them, at most
    /// 64, for effects averaged over the other settings and for what two settings do together
    #[arg(long, value_name = "HOW", default_value = "one-at-a-time", value_parser = |text: &str| word(text, &Design::ALL))]
    design: Design,

    #[command(flatten)]
    bots: BotOptions,

    #[command(flatten)]
    seed: SeedOption,

    #[command(flatten)]
    opening: OpeningOption,

    /// What is counted of games. basic: winner, lengths, ends; full: what happens on the way as well
    #[arg(long, value_name = "TIER", default_value = "basic", value_parser = |text: &str| word(text, &MetricsTier::ALL))]
    metrics: MetricsTier,

    /// What a throw lasts at a table, for minutes [default: 6 in Sho]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    seconds_a_throw: Option<Seconds>,

    /// What a decision lasts beside its throw, for minutes
    #[arg(long, value_name = "SECONDS", default_value = "0", allow_negative_numbers = true)]
    seconds_a_decision: Seconds,

    #[command(flatten)]
    game: GameOptions,

    #[command(flatten)]
    rules: RulesOptions,
}

impl StudyCommand {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.study.game.dispatch(Play { options: self, output })
    }
}

impl StudyOptions {
    /// Which game.
    pub(crate) const fn game(&self) -> &GameOptions {
        &self.game
    }

    /// The study of so many blocks, checked.
    pub(crate) fn study<G: Playable>(&self, blocks: u64) -> anyhow::Result<Study<G::Rules>> {
        let rules = self.rules.choose::<G>()?.rules()?;
        let mut bots = self.bots.texts()?;
        if bots.is_empty() {
            let has = |name: &&str| G::BOTS.iter().any(|bot| bot.name == *name);
            bots = DEFAULT_POLICIES.into_iter().filter(has).map(str::to_owned).collect();
        }
        let (vary, seed) = (&self.vary, self.seed.seed);
        let mut study =
            Study::new::<G>(rules, vary, self.design, &bots, seed, blocks).or_usage()?;
        study.opening_turns = self.opening.turns::<G>()?;
        study.metrics = self.metrics;
        if let Some(seconds) = self.seconds_a_throw {
            study.seconds_a_throw = seconds;
        }
        study.seconds_a_decision = self.seconds_a_decision;
        study.check::<G>().or_usage()?;
        Ok(study)
    }
}

struct Play<'a> {
    options: &'a StudyCommand,
    output: &'a mut Output,
}

impl Command for Play<'_> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { options, output } = self;
        let study = options.study.study::<G>(options.blocks)?;
        if options.dry_run {
            return show(&study, output);
        }
        let Some(path) = &options.out else {
            return play::<G>(&study, options, output);
        };
        let plan = StudyPlan::new::<G>(&study, options.shards).or_usage()?;
        let folder = Folder::create(path, &plan).or_usage()?;
        if options.prepare {
            let (last, path) = (plan.shards - 1, path.display());
            output.remark(&format!(
                "play shards 0 to {last} with `sho run-shard {path} I`, then `sho merge {path}`"
            ));
            return Ok(());
        }
        play_rest::<G, StudyPlan<G::Rules>>(
            &folder,
            path,
            options.threads.count(),
            options.format,
            output,
        )
    }
}

/// Prints what would be played.
fn show<R: RuleSet>(study: &Study<R>, output: &mut Output) -> anyhow::Result<()> {
    let cells = study.cells().or_usage()?;
    writeln!(output, "base: {}", study.rules.settings_text())?;
    for cell in &cells[1..] {
        writeln!(output, "{}", cell.name)?;
    }
    for left in &study.left_out {
        let value = left.value.as_ref().map_or(String::new(), |value| format!("={value}"));
        writeln!(output, "left out: {}{value}, {}", left.setting, left.reason)?;
    }
    let (policies, blocks) = (study.policies.len(), study.blocks.len());
    let policies = match policies {
        1 => "1 policy".to_owned(),
        _ => format!("{policies} policies"),
    };
    let games = study.games().or_usage()?;
    writeln!(output, "{} cells, {policies}, {blocks} blocks: {games} games", cells.len())?;
    Ok(())
}

/// Plays, and keeps nothing.
fn play<G: Playable>(
    study: &Study<G::Rules>,
    options: &StudyCommand,
    output: &mut Output,
) -> anyhow::Result<()> {
    let signals = Signals::listen()?;
    let bar = Bar::of_games(study.games().or_usage()?, output.quiet).stopped_by(signals.clone());
    let nothing = StudyTally::new::<G>(study);
    let ran = match study_on::<G>(study, nothing, options.threads.count(), &bar, &mut |_| Ok(())) {
        Err(error @ (RunError::Experiment(_) | RunError::Study(_))) => {
            return Err(Usage::error(error.to_string()));
        }
        other => other?,
    };
    drop(bar);
    let (played, of) = (ran.tally.blocks, study.blocks.len());
    if played > 0 {
        let result = StudyResult::new::<G>(study, &ran.tally);
        output.write_all(text::<G>(&result, of, options.format)?.as_bytes())?;
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

fn text<G: Playable>(
    result: &StudyResult<G::Rules>,
    planned: u64,
    format: ResultFormat,
) -> anyhow::Result<String> {
    Ok(match format {
        ResultFormat::Table => study_table::<G>(result, planned),
        ResultFormat::Json => serde_json::to_string(result)? + "\n",
        ResultFormat::Csv => effects_csv(result),
    })
}

/// Keeps the result of a whole study in its folder, and prints it.
pub(crate) fn finish<G: Playable>(
    folder: &Folder,
    plan: &StudyPlan<G::Rules>,
    format: ResultFormat,
    output: &mut Output,
) -> anyhow::Result<()> {
    use sho_bench::folder::{REPORT, STUDY_RESULT};
    let tally = folder.merge::<G, _>(plan).or_usage()?;
    let result = StudyResult::new::<G>(&plan.study::<G>().or_usage()?, &tally);
    let planned = plan.blocks.len();
    for (name, text) in [
        (STUDY_RESULT, text::<G>(&result, planned, ResultFormat::Json)?),
        (REPORT, text::<G>(&result, planned, ResultFormat::Table)?),
    ] {
        folder.write_beside(name, &text).or_usage()?;
    }
    for (name, text) in tables(&result) {
        folder.write_beside(name, &text).or_usage()?;
    }
    let pictures = study_pictures(&result);
    write_pictures(folder, &pictures)?;
    folder.write_beside("report.html", &study_page::<G>(&result, &pictures)).or_usage()?;
    Ok(output.write_all(text::<G>(&result, planned, format)?.as_bytes())?)
}
