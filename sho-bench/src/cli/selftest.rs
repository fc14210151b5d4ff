//! `sho selftest`: whether the statistics keep what they state.

use std::io::Write;

use clap::Args;
use sho_bench::RunError;
use sho_bench::report::self_test_table;
use sho_bench::selftest::source::Played;
use sho_bench::selftest::{Plan, self_test};
use sho_core::MAX_SEATS;

use super::dispatch::{Command, Playable};
use super::failure::{Answered, OrUsage, Usage};
use super::options::{Format, GameOptions, RulesOptions, SeedOption, ThreadsOption, number};
use super::output::Output;
use super::progress::Bar;

const HELP: &str = "\
A rate that is not as stated means that some interval or test says more than it
knows, or less: a fault of this program, or with very many matches the limit of
an approximation. Exit code 0: all rates are as stated; 1: some are not.

Examples:
  sho selftest
  sho selftest --matches 200 --sides 2 --format json
  sho selftest --game sholo-guti";

/// Test the statistics: count how often intervals miss, and tests find what is not there
///
/// Plays many short matches of bots that are equal, and counts how often a difference is found; then of others, and
/// counts how often an interval leaves out what a long run says. Every rate stands beside the one that is stated. The
/// tables have 2, 3 and 4 sides where --sides says nothing else. That is eleven million games, for half a minute or a
/// minute on two cores; Sholo Guti takes some minutes. The answer depends on seed, rules, matches and blocks alone.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct SelfTest {
    /// Matches of each experiment: the more, the smaller the faults that are seen
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = number::<20, 100_000>)]
    matches: u64,

    /// Blocks of a match
    // At 64 the sequential test is judged for the first time, and the live interval is first shown.
    #[arg(long, value_name = "B", default_value_t = 256, allow_negative_numbers = true, value_parser = number::<64, 1_000_000>)]
    blocks: u64,

    #[command(flatten)]
    seed: SeedOption,

    #[command(flatten)]
    threads: ThreadsOption,

    #[command(flatten)]
    game: GameOptions,

    #[command(flatten)]
    rules: RulesOptions,

    /// The form of the report
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

impl SelfTest {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.game.dispatch(Test { options: self, output })
    }
}

struct Test<'a> {
    options: &'a SelfTest,
    output: &'a mut Output,
}

impl Command for Test<'_> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { options, output } = self;
        let chosen = options.rules.choose::<G>()?;
        // A table that the rules or the options do not have is left out; if none is left, they say why.
        let mut tables: Vec<G::Rules> =
            (2..=MAX_SEATS).filter_map(|sides| chosen.for_sides(sides, "table").ok()).collect();
        if tables.is_empty() {
            tables.push(chosen.rules()?);
        }
        let plan = Plan {
            tables,
            matches: options.matches,
            blocks: options.blocks,
            seed: options.seed.seed,
        };
        let bar = Bar::of_games(plan.games::<G>().or_usage()?, output.quiet);
        let found = match self_test::<G>(&plan, &Played, options.threads.count(), &|games| {
            bar.advance(games);
        }) {
            Err(RunError::Experiment(error)) => return Err(Usage::error(error.to_string())),
            other => other?,
        };
        drop(bar);
        match options.format {
            Format::Table => output.write_all(self_test_table(&found).as_bytes())?,
            Format::Json => writeln!(output, "{}", serde_json::to_string_pretty(&found)?)?,
        }
        if found.ok { Ok(()) } else { Err(Answered::with(1)) }
    }
}
