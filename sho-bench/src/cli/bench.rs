//! `sho bench`: how fast this program is on this machine. The only place that looks at a clock for a result.

use std::collections::HashSet;
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use rayon::prelude::*;
use sho_ai::{BotSpec, Bots, Processor};
use sho_bench::bench::{Choices, Games, Perft, SEED, Searches, Way, Work};
use sho_bench::report::{
    BENCH_SCHEMA, BenchReport, BotSpeed, GamesSpeed, PerftSpeed, SearchSpeed, StateBytes,
    bench_table,
};
use sho_bench::signature::signature;
use sho_bench::{Amount, Experiment, Provenance, Ran, Schedule, run};
use sho_core::sho::{Rules, Sho, State};
use sho_core::sholo_guti::{self, SholoGuti};
use sho_core::{Game, Notation, RuleSet};

use super::failure::{OrUsage, Usage};
use super::options::{Format, ThreadsOption};
use super::output::Output;

const HELP: &str = "\
Examples:
  sho bench
  sho bench --quick --format json";

/// Measure the engine's speed, and print the behaviour signature
///
/// Games of Sho in the arena, decision by decision, in playouts, and as a tournament; perft of both games; decisions of
/// each bot, and positions that a search of each game looks at. Everything is played in passes that do the same work each time and on every machine; only the times
/// differ. Instructions are counted where valgrind is installed. The signature is one number over what engines and
/// bots do: it changes only where that changes.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Bench {
    /// Short passes, and no instruction counts: to see that it works
    #[arg(long)]
    quick: bool,

    #[command(flatten)]
    threads: ThreadsOption,

    /// The form of the report
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,

    /// Play so many blocks and print how many throws they took, to be run under valgrind
    #[arg(long, value_name = "BOT,WAY,BLOCKS", hide = true)]
    counted: Option<String>,
}

/// The bots whose games are played.
const BOTS: [&str; 2] = ["random", "easy"];

/// Choices that each bot decides.
const CHOICES: usize = 512;

/// Choices in which a search looks ahead.
const SEARCHES: usize = 64;

/// Blocks that are played under valgrind, where everything takes fifty times as long.
const COUNTED_BLOCKS: u64 = 200;

impl Bench {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        if let Some(counted) = &self.counted {
            let Work { throws, .. } = play_counted(counted)?;
            writeln!(output, "{throws}")?;
            return Ok(());
        }
        if !self.quick {
            output.remark("measuring, for about half a minute");
        }
        let report = self.report()?;
        match self.format {
            Format::Json => writeln!(output, "{}", serde_json::to_string_pretty(&report)?)?,
            Format::Table => output.write_all(bench_table(&report).as_bytes())?,
        }
        Ok(())
    }

    fn report(&self) -> anyhow::Result<BenchReport> {
        let clock = if self.quick { Clock::QUICK } else { Clock::USUAL };
        let pool = self.threads.pool()?;
        let mut games = Vec::new();
        for bot in BOTS {
            for (way, _) in Way::ALL {
                games.push(self.games(bot, way, clock, &pool)?);
            }
            games.push(self.tournament(bot, clock)?);
            // However they are played, they are the same games.
            let work = |games: &GamesSpeed| games.work;
            let ways = games.iter().filter(|games| games.bot == bot).map(work);
            ensure!(ways.collect::<HashSet<_>>().len() == 1, "the ways of {bot} differ: {games:?}");
        }
        let no_instructions = if self.quick {
            Some("--quick".to_owned())
        } else {
            count_instructions(&mut games).err().map(|error| format!("{error:#}"))
        };
        let perft = vec![
            count_sequences::<Sho>(Perft::SHO, clock)?,
            count_sequences::<SholoGuti>(Perft::SHOLO_GUTI, clock)?,
        ];
        let mut bots = decide(Sho::new(Rules::lhasa())?, clock);
        bots.extend(decide(SholoGuti::new(sholo_guti::Rules::standard())?, clock));
        Ok(BenchReport {
            schema: BENCH_SCHEMA,
            provenance: Provenance::default(),
            target: format!("{} {}", std::env::consts::ARCH, std::env::consts::OS),
            debug: cfg!(debug_assertions),
            threads: pool.current_num_threads(),
            processor: Processor::here().name(),
            state_bytes: StateBytes {
                sho: size_of::<State>(),
                sholo_guti: size_of::<sholo_guti::State>(),
            },
            games,
            no_instructions,
            perft,
            bots,
            searches: vec![
                self.look(Searches::of_sho(SEARCHES), clock),
                self.look(Searches::of_sholo_guti(SEARCHES), clock),
            ],
            signature: signature(),
        })
    }

    /// How fast a search looks at positions.
    fn look<G: Game>(&self, mut searches: Searches<G>, clock: Clock) -> SearchSpeed {
        let decisions = if self.quick { 4 } else { SEARCHES };
        let (positions, times) = clock.time(|| searches.look(0..decisions));
        SearchSpeed {
            search: searches.search(),
            decisions,
            positions,
            positions_a_second: a_second(positions, times.fastest),
        }
    }

    /// Blocks of a pass on one thread.
    const fn blocks(&self) -> u64 {
        if self.quick { 20 } else { 500 }
    }

    fn games(
        &self,
        bot: &'static str,
        way: Way,
        clock: Clock,
        pool: &rayon::ThreadPool,
    ) -> anyhow::Result<GamesSpeed> {
        let new = || new_games(bot, way);
        let mut games = new()?;
        let (work, one) = clock.time(|| games.play(0..self.blocks()));
        // Each thread plays some passes, and each of them on blocks of its own.
        let passes = 4 * pool.current_num_threads() as u64;
        let (all_work, all) = clock.time(|| {
            let play = |games: &mut anyhow::Result<Games<Sho>>, pass| match games {
                Ok(games) => Ok(games.play(self.blocks() * pass..self.blocks() * (pass + 1))),
                Err(error) => Err(anyhow::anyhow!("{error:#}")),
            };
            let passes = (0..passes).into_par_iter().map_init(new, play);
            pool.install(|| passes.collect::<Result<Vec<_>, _>>())
        });
        let all_work = all_work?.into_iter().sum();
        Ok(speed(bot, way.name(), (work, one), (all_work, all)))
    }

    fn tournament(&self, bot: &'static str, clock: Clock) -> anyhow::Result<GamesSpeed> {
        let play = |threads, times| {
            let rules = Rules::lhasa();
            let bots = vec![bot.to_owned(); rules.sides()];
            let amount = Amount::Blocks(times * self.blocks());
            let experiment =
                Experiment::lineup::<Sho>(rules, &bots, Schedule::Rotations, SEED, amount)?;
            let (ran, times) = clock.time(|| run::<Sho>(&experiment, threads, &()));
            let Ran { tally, .. } = ran?;
            // Sho counts its length in throws, turns and decisions.
            let total = |unit: usize| tally.lengths[unit].blocks.sum;
            let work = Work { games: tally.games, throws: total(0), decisions: total(2) };
            anyhow::Ok((work, times))
        };
        Ok(speed(bot, "tournament", play(1, 1)?, play(self.threads.count(), 4)?))
    }
}

/// What was done in each pass, and how long passes took.
type Timed = (Work, Times);

fn speed(bot: &'static str, way: &'static str, one: Timed, all: Timed) -> GamesSpeed {
    let (work, times) = one;
    let ns = |time: Duration| digits(time.as_nanos() as f64 / work.throws as f64, 2);
    GamesSpeed {
        bot,
        way,
        work,
        ns_fastest: ns(times.fastest),
        ns_median: ns(times.median),
        games_a_second: a_second(work.games, times.median),
        games_a_second_all: a_second(all.0.games, all.1.median),
        instructions_a_throw: None,
    }
}

fn new_games(bot: &str, way: Way) -> anyhow::Result<Games<Sho>> {
    let games = Games::new(Sho::new(Rules::lhasa())?, bot, way).or_usage()?;
    games.with_context(|| format!("{bot} has no {}", way.name()))
}

fn count_sequences<G: Notation>(perft: Perft, clock: Clock) -> anyhow::Result<PerftSpeed> {
    let (sequences, times) = clock.time(|| perft.count::<G>());
    ensure!(sequences == perft.sequences, "counted {sequences} for {perft:?}");
    Ok(PerftSpeed { perft, sequences_a_second: a_second(sequences, times.fastest) })
}

fn decide<G: Bots>(game: G, clock: Clock) -> Vec<BotSpeed> {
    let mut choices = Choices::new(game, CHOICES);
    let bots = G::BOTS.iter().filter_map(|info| {
        // A bot that cannot be had without options is left out.
        let mut policy =
            G::bot(choices.game(), &BotSpec { name: info.name, options: Vec::new() }).ok()?;
        // A slow bot decides fewer.
        let mut decisions = 8;
        let times = loop {
            let (_, times) = clock.time(|| choices.decide(&mut *policy, 0..decisions));
            if decisions == choices.len() || times.median > clock.budget / 8 {
                break times;
            }
            decisions = (4 * decisions).min(choices.len());
        };
        Some(BotSpeed {
            game: G::NAME,
            bot: info.name,
            decisions,
            decisions_a_second: a_second(decisions as u64, times.fastest),
        })
    });
    bots.collect()
}

// ---- Time ----------------------------------------------------------------------------------------------------------

/// How long to measure.
#[derive(Clone, Copy, Debug)]
struct Clock {
    /// Passes are made until they took so long,
    budget: Duration,
    /// and so many of them at least.
    passes: usize,
}

/// How long passes took.
#[derive(Clone, Copy, Debug)]
struct Times {
    fastest: Duration,
    median: Duration,
}

impl Clock {
    const USUAL: Self = Self { budget: Duration::from_millis(600), passes: 5 };
    const QUICK: Self = Self { budget: Duration::ZERO, passes: 1 };

    /// Makes passes of the same work. The first is not counted: it finds caches cold and makes buffers.
    fn time<T>(self, mut pass: impl FnMut() -> T) -> (T, Times) {
        let begin = Instant::now();
        let mut done = pass();
        let mut times = vec![begin.elapsed()];
        while times.len() <= self.passes || begin.elapsed() < self.budget {
            let start = Instant::now();
            done = pass();
            times.push(start.elapsed());
        }
        times.remove(0);
        times.sort_unstable();
        (done, Times { fastest: times[0], median: times[times.len() / 2] })
    }
}

fn a_second(count: u64, time: Duration) -> f64 {
    digits(count as f64 / time.as_secs_f64().max(1e-9), 0)
}

/// Rounds to so many digits after the point: times have no more that mean anything.
fn digits(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

// ---- Instructions --------------------------------------------------------------------------------------------------

/// Counts the instructions of games by running this program under valgrind.
fn count_instructions(games: &mut [GamesSpeed]) -> anyhow::Result<()> {
    for games in games.iter_mut().filter(|games| Way::ALL.iter().any(|(_, way)| *way == games.way))
    {
        let counted = |blocks| under_valgrind(&format!("{},{},{blocks}", games.bot, games.way));
        // What the program does before and after is not the games'.
        let (around, _) = counted(0)?;
        let (instructions, throws) = counted(COUNTED_BLOCKS)?;
        let a_throw = instructions.saturating_sub(around) as f64 / throws as f64;
        games.instructions_a_throw = Some(digits(a_throw, 1));
    }
    Ok(())
}

/// The instructions of a run with `--counted`, and its throws.
fn under_valgrind(counted: &str) -> anyhow::Result<(u64, u64)> {
    let run = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["bench", "--counted", counted])
        .output();
    let run = match run {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            anyhow::bail!("valgrind is not on the PATH");
        }
        run => run.context("valgrind")?,
    };
    let said = String::from_utf8_lossy(&run.stderr);
    let number = |text: &str| text.trim().parse().ok();
    let instructions =
        said.lines().find_map(|line| number(line.split_once("Collected :").map(|(_, text)| text)?));
    let throws = number(&String::from_utf8_lossy(&run.stdout));
    instructions
        .zip(throws)
        .with_context(|| format!("valgrind said no count, but: {}", said.trim()))
}

/// Plays what `--counted` names.
fn play_counted(counted: &str) -> anyhow::Result<Work> {
    let parsed = || {
        let mut parts = counted.split(',');
        let bot = parts.next()?;
        let given = parts.next()?;
        let (way, _) = Way::ALL.into_iter().find(|&(_, name)| name == given)?;
        let blocks: u64 = parts.next()?.parse().ok()?;
        parts.next().is_none().then_some((bot, way, blocks))
    };
    let Some((bot, way, blocks)) = parsed() else {
        return Err(Usage::error(format!(
            "`{counted}`: expected BOT,WAY,BLOCKS, as in random,playouts,200"
        )));
    };
    Ok(new_games(bot, way)?.play(0..blocks))
}
