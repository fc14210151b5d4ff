//! `sho check-bot`: whether a bot in another program keeps to the protocol.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::ensure;
use clap::Args;
use sho_bench::exec::{
    BotStderr, CheckPlan, CheckReport, ExecSpec, StartError, TimeLimit, Verdict, check,
};
use sho_core::{RuleSet, SettingValues};

use super::dispatch::{Command, Playable};
use super::failure::{OrUsage, Usage};
use super::options::{ChosenRules, GameOptions, RulesOptions, SeedOption, number};
use super::output::Output;
use super::progress::Bar;

const HELP: &str = "\
Examples:
  sho check-bot 'python3 bot.py'
  sho check-bot --game sholo-guti --games 4 --limit 2.5 'sh examples/bots/first.sh'
The protocol is described in docs/bot-protocol.md.
Exit codes: 0 no faults, 1 faults, 2 the command cannot be run.";

/// Check a bot that is a program of its own
///
/// Plays games of the bot against random: on every seat, for every number of sides unless the options name one, and by
/// other rules. Lists what was checked, and what was wrong, with the position and the answer. What the bot writes on
/// standard error is shown.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct CheckBot {
    /// The command that runs the bot; the shell reads it
    #[arg(value_name = "COMMAND")]
    command: String,

    /// How many games to play; at least one on each seat
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = number::<1, 1_000_000>)]
    games: u64,

    /// How long the bot may think over one game, in seconds
    #[arg(long, value_name = "S", default_value = "60", allow_negative_numbers = true)]
    limit: TimeLimit,

    #[command(flatten)]
    seed: SeedOption,

    #[command(flatten)]
    game: GameOptions,

    #[command(flatten)]
    rules: RulesOptions,
}

impl CheckBot {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.game.dispatch(CheckOne { options: self, output })
    }
}

struct CheckOne<'a> {
    options: &'a CheckBot,
    output: &'a mut Output,
}

impl Command for CheckOne<'_> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { options, output } = self;
        let plan = options.plan::<G>()?;
        let ending = Ending::listen()?;
        let bar = Bar::of_games(plan.all_games(), output.quiet);
        let report = check(&plan, || bar.advance(1));
        ending.wait();
        let report = report.map_err(|error| match error {
            StartError::CannotRun { .. } => Usage::error(error.to_string()),
            error => error.into(),
        })?;
        drop(bar);
        print(&report, output)?;
        let thinking = report.thinking;
        if let Ok(answers @ 1..) = u32::try_from(thinking.answers) {
            let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1e3;
            output.remark(&format!(
                "time: {answers} answers, {:.3} ms each, the longest {:.3} ms",
                milliseconds(thinking.total / answers),
                milliseconds(thinking.longest)
            ));
        }
        output.flush()?;
        let faults = report.faults();
        let all = report.checks.len();
        ensure!(faults == 0, "the bot has faults: {faults} of {all} checks");
        Ok(())
    }
}

impl CheckBot {
    fn plan<G: Playable>(&self) -> anyhow::Result<CheckPlan<G>> {
        let spec = ExecSpec::new(self.command.as_str(), Some(self.limit)).or_usage()?;
        let chosen = self.rules.choose::<G>()?;
        let tables = self.tables::<G>(chosen)?;
        let other_rules = match tables.first() {
            Some(table) => other_rules::<G>(table.rules()),
            None => None,
        };
        Ok(CheckPlan {
            spec,
            stderr: BotStderr::Shown,
            tables,
            games: self.games,
            other_rules,
            seed: self.seed.seed,
        })
    }

    /// One table for each number of sides that the rules allow, or for the number that was asked for.
    fn tables<G: Playable>(&self, chosen: ChosenRules<G::Rules>) -> anyhow::Result<Vec<G>> {
        let asked = self.rules.sides.is_some()
            || self.rules.set.iter().any(|assignment| assignment.starts_with("sides="));
        let possible = match G::Rules::setting("sides").map(|setting| setting.values) {
            Ok(SettingValues::Range(least, most)) if !asked => least..=most,
            _ => {
                let rules = chosen.rules()?;
                return Ok(vec![G::new(rules).or_usage()?]);
            }
        };
        let (mut tables, mut error) = (Vec::new(), None);
        for sides in possible {
            match chosen.for_sides(sides as usize, "table") {
                Ok(rules) => tables.push(G::new(rules).or_usage()?),
                // Some rules make sense for some numbers of sides only.
                Err(wrong) => error = Some(wrong),
            }
        }
        match error {
            Some(error) if tables.is_empty() => Err(error),
            _ => Ok(tables),
        }
    }
}

/// The first preset that differs from these rules, for the same number of sides.
fn other_rules<G: Playable>(rules: &G::Rules) -> Option<(String, G)> {
    G::Rules::PRESETS.iter().find_map(|preset| {
        let mut other = preset.rules;
        if other.sides() != rules.sides() {
            other.set("sides", &rules.sides().to_string()).ok()?;
        }
        let game = (other != *rules).then(|| G::new(other).ok())??;
        Some((preset.name.to_owned(), game))
    })
}

/// How many faults of one check are printed: enough to see a pattern.
const SHOWN: usize = 5;

fn print(report: &CheckReport, output: &mut Output) -> anyhow::Result<()> {
    let width = report.checks.iter().map(|check| check.name.len()).max().unwrap_or(0);
    for check in &report.checks {
        let name = check.name;
        let (word, remark) = match &check.verdict {
            Verdict::Good(remark) => ("ok", remark.as_str()),
            Verdict::NotTried(why) => ("-", why.as_str()),
            Verdict::Fault(_) => ("FAULT", ""),
            _ => ("?", ""),
        };
        writeln!(output, "{}", format!("{word:<5}  {name:<width$}  {remark}").trim_end())?;
        if let Verdict::Fault(faults) = &check.verdict {
            for fault in faults.iter().take(SHOWN) {
                writeln!(output, "       {fault}")?;
            }
            if faults.len() > SHOWN {
                writeln!(output, "       and {} more", faults.len() - SHOWN)?;
            }
        }
    }
    let same_again = match report.same_again {
        Some(true) => "the first game came out the same when it was played again",
        Some(false) => {
            "the first game came out otherwise when it was played again, which is allowed"
        }
        None => "no game was played twice",
    };
    writeln!(output, "note   {same_again}")?;
    Ok(())
}

/// Whether Ctrl-C or SIGTERM came, with which the bots and this program end.
#[derive(Clone, Debug, Default)]
struct Ending(Arc<AtomicBool>);

impl Ending {
    /// Listens from now on: a bot does not hear the signals, and may not notice that its input was closed.
    #[cfg(unix)]
    fn listen() -> anyhow::Result<Self> {
        use signal_hook::consts::{SIGINT, SIGTERM};
        use signal_hook::iterator::Signals;

        let ending = Self::default();
        let came = Arc::clone(&ending.0);
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                came.store(true, Ordering::SeqCst);
                sho_bench::exec::end_all();
                std::process::exit(128 + signal);
            }
        });
        Ok(ending)
    }

    #[cfg(not(unix))]
    fn listen() -> anyhow::Result<Self> {
        Ok(Self::default())
    }

    /// Waits for the end if it is coming: that a bot was ended is no fault of the bot's.
    fn wait(&self) {
        while self.0.load(Ordering::SeqCst) {
            std::thread::park();
        }
    }
}
