//! What is to be played: options of the command line, or a file, made into an [`Experiment`].

use std::path::PathBuf;

use clap::Args;
use sho_bench::stats::sprt::Bounds;
use sho_bench::{Amount, Experiment, Lineups, MetricsTier, Schedule, SequentialTest};
use sho_core::RuleSet;

use super::dispatch::{Command, Playable, dispatch};
use super::experiment_file::ExperimentFile;
use super::failure::OrUsage;
use super::options::{
    BotOptions, ChosenRules, GameOptions, OpeningOption, RulesOptions, ScheduleOption, SeedOption,
    number, word,
};

/// Games played where nothing is said.
const DEFAULT_GAMES: u64 = 10_000;

/// Error rates of a sequential test where nothing is said.
pub(crate) const DEFAULT_RATE: f64 = 0.05;

/// What is to be played.
#[derive(Args, Clone, Debug)]
pub(crate) struct ExperimentOptions {
    /// Play what this file says, TOML or JSON: an experiment by hand, or the experiment.json or result.json of one that
    /// was played
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "bots", "bot", "lineups", "games", "blocks", "schedule", "opening_turns", "seed", "game", "rules", "sides",
        "set", "metrics", "sprt", "sprt_scale", "sprt_alpha", "sprt_beta",
    ])]
    experiment: Option<PathBuf>,

    #[command(flatten)]
    bots: BotOptions,

    /// Who meets whom. given: the bots as named, one for each seat; all: every set of different bots of the table's size;
    /// gauntlet: the first against each other bot, and for 3 or 4 seats both ways, one among copies
    #[arg(long, value_name = "HOW", default_value = "given", value_parser = |text: &str| word(text, &Lineups::ALL))]
    lineups: Lineups,

    /// Games to play for each line-up, rounded up to whole blocks [default: 10000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number::<1, { u64::MAX }>)]
    games: Option<u64>,

    /// Blocks to play, instead of games
    #[arg(long, value_name = "B", conflicts_with = "games", allow_negative_numbers = true, value_parser = number::<1, { 1 << 56 }>)]
    blocks: Option<u64>,

    #[command(flatten)]
    schedule: ScheduleOption,

    #[command(flatten)]
    opening: OpeningOption,

    #[command(flatten)]
    seed: SeedOption,

    /// What is counted of games. basic: winner, lengths, ends; full: what happens on the way as well
    #[arg(long, value_name = "TIER", default_value = "basic", value_parser = |text: &str| word(text, &MetricsTier::ALL))]
    metrics: MetricsTier,

    #[command(flatten)]
    test: TestOptions,

    #[command(flatten)]
    game: GameOptions,

    #[command(flatten)]
    rules: RulesOptions,
}

/// A sequential test of the first bot.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Sequential test")]
pub(crate) struct TestOptions {
    /// Stop as soon as it is decided whether the first bot is LOW or HIGH Elo above the others: as in 0,10
    #[arg(long, value_name = "LOW,HIGH", allow_hyphen_values = true, value_parser = bounds)]
    sprt: Option<(f64, f64)>,

    /// What LOW and HIGH are in: elo, or nelo, which is Elo in units of how much the blocks differ
    #[arg(long, value_name = "SCALE", default_value = "elo", requires = "sprt", value_parser = |text: &str| word(text, &Scale::ALL))]
    sprt_scale: Scale,

    /// How often HIGH may be found where LOW is true
    #[arg(long, value_name = "P", default_value_t = DEFAULT_RATE, requires = "sprt", allow_hyphen_values = true)]
    sprt_alpha: f64,

    /// How often LOW may be found where HIGH is true
    #[arg(long, value_name = "P", default_value_t = DEFAULT_RATE, requires = "sprt", allow_hyphen_values = true)]
    sprt_beta: f64,
}

/// What the bounds of a test are in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Scale {
    #[default]
    Elo,
    Nelo,
}

impl Scale {
    pub(crate) const ALL: [(Self, &'static str); 2] = [(Self::Elo, "elo"), (Self::Nelo, "nelo")];

    pub(crate) fn bounds(self, low: f64, high: f64) -> Bounds {
        match self {
            Self::Elo => Bounds::Logistic { low, high },
            Self::Nelo => Bounds::Normalized { low, high },
        }
    }
}

/// Reads the two hypotheses of a sequential test, for clap.
pub(crate) fn bounds(text: &str) -> Result<(f64, f64), String> {
    let parsed = || {
        let (low, high) = text.split_once(',')?;
        Some((low.parse().ok()?, high.parse().ok()?))
    };
    parsed().ok_or_else(|| "expected two numbers of Elo, as in 0,10".to_owned())
}

impl TestOptions {
    fn test(self) -> Option<SequentialTest> {
        let (low, high) = self.sprt?;
        let bounds = self.sprt_scale.bounds(low, high);
        Some(SequentialTest { bounds, alpha: self.sprt_alpha, beta: self.sprt_beta })
    }
}

/// Which bots meet in which line-ups.
#[derive(Clone, Debug)]
pub(crate) enum Pairing {
    /// Line-ups made of a pool.
    Made(Lineups, Vec<String>),
    /// Line-ups by name.
    Named(Vec<Vec<String>>),
}

/// An experiment as it was asked for, before anything was checked.
#[derive(Clone, Debug)]
pub(crate) struct Request<R> {
    pub(crate) rules: ChosenRules<R>,
    pub(crate) pairing: Pairing,
    pub(crate) schedule: Schedule,
    pub(crate) seed: u64,
    pub(crate) amount: Option<Amount>,
    pub(crate) opening: OpeningOption,
    pub(crate) metrics: MetricsTier,
    pub(crate) test: Option<SequentialTest>,
}

/// An experiment that can be played, and how much was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked<R> {
    pub(crate) experiment: Experiment<R>,
    pub(crate) amount: Amount,
}

/// Something to do with an experiment, whichever its game.
pub(crate) trait WithExperiment {
    /// Does it.
    fn run<G: Playable>(self, asked: Asked<G::Rules>) -> anyhow::Result<()>;
}

impl ExperimentOptions {
    /// Does something with the experiment that the options name.
    pub(crate) fn dispatch(&self, then: impl WithExperiment) -> anyhow::Result<()> {
        let Some(path) = &self.experiment else {
            return self.game.dispatch(FromOptions { options: self, then });
        };
        let file = ExperimentFile::read(path)?;
        dispatch(&file.game()?, self.game.engine.engine.as_deref(), FromFile { file: &file, then })
    }

    fn request<G: Playable>(&self) -> anyhow::Result<Request<G::Rules>> {
        let pairing = Pairing::Made(self.lineups, self.bots.texts()?);
        let amount = self.blocks.map(Amount::Blocks).or(self.games.map(Amount::Games));
        Ok(Request {
            rules: self.rules.choose::<G>()?,
            pairing,
            schedule: self.schedule.schedule,
            seed: self.seed.seed,
            amount,
            opening: self.opening,
            metrics: self.metrics,
            test: self.test.test(),
        })
    }
}

struct FromOptions<'a, T> {
    options: &'a ExperimentOptions,
    then: T,
}

impl<T: WithExperiment> Command for FromOptions<'_, T> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        self.then.run::<G>(self.options.request::<G>()?.experiment::<G>()?)
    }
}

struct FromFile<'a, T> {
    file: &'a ExperimentFile,
    then: T,
}

impl<T: WithExperiment> Command for FromFile<'_, T> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        self.then.run::<G>(self.file.experiment::<G>()?)
    }
}

impl<R: RuleSet> Request<R> {
    /// The experiment, checked.
    pub(crate) fn experiment<G: Playable<Rules = R>>(self) -> anyhow::Result<Asked<R>> {
        let asked = self.games::<G>()?;
        asked.experiment.check::<G>().or_usage()?;
        Ok(asked)
    }

    /// The experiment, of which single games can be played, though perhaps not all: there may be nothing that makes them
    /// differ. Where a line-up is given its size is the number of sides; where line-ups are made of a pool the rules say
    /// it.
    pub(crate) fn games<G: Playable<Rules = R>>(self) -> anyhow::Result<Asked<R>> {
        let amount = self.amount.unwrap_or(Amount::Games(DEFAULT_GAMES));
        let Self { schedule, seed, .. } = self;
        let for_sides = |sides: usize| self.rules.for_sides(sides, "line-up");
        let made = |rules, bots: &[String], lineups| {
            Experiment::pool::<G>(rules, bots, lineups, schedule, seed, amount).or_usage()
        };
        let mut experiment = match &self.pairing {
            Pairing::Made(Lineups::Given, bots) if bots.is_empty() => {
                let rules = self.rules.rules()?;
                made(rules, &vec![G::DEFAULT_BOT.to_owned(); rules.sides()], Lineups::Given)?
            }
            Pairing::Made(Lineups::Given, bots) => {
                made(for_sides(bots.len())?, bots, Lineups::Given)?
            }
            Pairing::Made(lineups, bots) => made(self.rules.rules()?, bots, *lineups)?,
            Pairing::Named(named) => {
                let rules = for_sides(named.first().map_or(0, Vec::len))?;
                Experiment::named::<G>(rules, named, schedule, seed, amount).or_usage()?
            }
        };
        experiment.opening_turns = self.opening.turns::<G>()?;
        experiment.metrics = self.metrics;
        experiment.sprt = self.test;
        Ok(Asked { experiment, amount })
    }
}
