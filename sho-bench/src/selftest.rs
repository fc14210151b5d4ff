//! The statistics tested on games themselves: [`self_test`].
//!
//! Bots of equal strength play many short matches, and it is counted how often something is said of them that is not
//! so: an interval that leaves out the truth, a test that finds a difference. Then unequal bots play, a long run says
//! what the truth is, and it is counted how often the intervals of short runs leave it out. Every such rate is stated
//! somewhere; here it stands beside what was seen.
//!
//! - [`source`]: the games of a match, one by one, and the same blocks as a tournament counts them.
//! - [`alarms`]: what is said of a match, and whether it is so.
//! - [`check`]: rates, and whether they are what is stated.
//!
//! All of it is a function of the rules, the seed and the numbers of matches and blocks.

pub mod alarms;
pub mod check;
pub mod source;

use std::io;

use rayon::prelude::*;
use serde::Serialize;
use sho_ai::Bots;
use sho_ai::opening::usual_turns;
use sho_core::{Game, RuleSet};

use self::alarms::{COPIES, EQUAL, POOL, Reference, THIRD, TRUTH, Totals};
use self::check::{Check, Claim};
use self::source::Source;
use crate::entrant::{Entrant, EntrantError};
use crate::experiment::{Blocks, Experiment, ExperimentError, MetricsTier, TournamentGame};
use crate::schedule::Schedule;
use crate::tournament::RunError;

/// The name and version of the report as JSON.
pub const SELF_TEST_SCHEMA: &str = "sho/selftest/1";

/// The bot that plays against itself.
pub const EQUAL_BOT: &str = "random";

/// Bots that are not equal, as both games have them.
pub const UNEQUAL_BOTS: [&str; 2] = ["easy", "random"];

/// So many times the blocks of a match are played to find the truth where it is not known: its error is then a
/// fourteenth of that of a match, and moves a rate of 5 % to 5.05 %.
pub const REFERENCE_MATCHES: u64 = 200;

/// Matches of each experiment that a tournament plays again, to see that it counts the same.
pub const COUNTED_AGAIN: u64 = 20;

/// The least number of blocks of a match: where the sequential test is judged for the first time, and the live interval
/// is first shown.
pub const LEAST_BLOCKS: u64 = crate::stats::sprt::CHECK_EVERY;

/// What is to be tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<R> {
    /// The rules of each table at which matches are played, the smallest first.
    pub tables: Vec<R>,
    /// Matches of each experiment.
    pub matches: u64,
    /// Blocks of a match. Match *m* has the blocks from *m* times this.
    pub blocks: u64,
    /// The master seed.
    pub seed: u64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SelfTest<R> {
    /// The format's name and version.
    pub schema: &'static str,
    /// The game's name.
    pub game: &'static str,
    /// The rules of each table.
    pub tables: Vec<R>,
    /// The master seed.
    pub seed: u64,
    /// Matches of each experiment.
    pub matches: u64,
    /// Blocks of a match.
    pub blocks: u64,
    /// Whether every rate is what is stated.
    pub ok: bool,
    /// What was played, each with its checks.
    pub experiments: Vec<Tested>,
}

/// One experiment of the self-test.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tested {
    /// What it is for.
    pub kind: Kind,
    /// How many sit at a table.
    pub seats: usize,
    /// The bots; two of the same name are two entries all the same.
    pub bots: Vec<String>,
    /// The line-ups, as indices of bots.
    pub lineups: Vec<Vec<usize>>,
    /// The truth, where a long run had to find it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// The rates.
    pub checks: Vec<Check>,
}

/// What an experiment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A bot against itself as another entry: nothing may be found.
    Equal,
    /// Three times the same bot in a round robin, for ratings.
    Pool,
    /// Two equals that do not draw, with another bot at the table, in all orders: what luck there is they share, so that
    /// games of a block depend on one another.
    Third,
    /// Copies of a bot that does not draw, which play the same game in all seatings: a block is one game, and intervals
    /// have to know it.
    Copies,
    /// Unequal bots: the intervals have to hold what a long run says.
    Unequal,
}

impl Kind {
    /// Whether a long run has to find the truth.
    const fn has_reference(self) -> bool {
        matches!(self, Self::Copies | Self::Unequal)
    }
}

/// An experiment of the plan, before it is played.
struct Trial<R> {
    kind: Kind,
    experiment: Experiment<R>,
}

impl<R: RuleSet> Plan<R> {
    /// Games in all, but for those that a tournament plays again.
    ///
    /// # Errors
    /// Where an experiment is impossible.
    pub fn games<G: Bots + Game<Rules = R>>(&self) -> Result<u64, ExperimentError> {
        let trials = self.trials::<G>()?;
        Ok(trials.iter().map(|trial| trial.experiment.games()).sum())
    }

    fn trials<G: Bots + Game<Rules = R>>(&self) -> Result<Vec<Trial<R>>, ExperimentError> {
        let mut trials = Vec::new();
        let mut add = |kind, rules, bots: &[&str], lineups| {
            let experiment = self.experiment::<G>(kind, rules, bots, lineups)?;
            trials.push(Trial { kind, experiment });
            Ok::<_, ExperimentError>(())
        };
        // One of the first bot, and the others at the table are the second.
        let one_among = |rules: &R| vec![(0..rules.sides()).map(|seat| seat.min(1)).collect()];
        for &rules in &self.tables {
            add(Kind::Equal, rules, &[EQUAL_BOT; 2], one_among(&rules))?;
        }
        if let Some(&rules) = self.tables.first() {
            // Each pair, and where there are more seats the second of them in the rest. Not round in a circle: the same
            // bots draw the same words in each line-up, so there they would win the same in every block, and nothing
            // would be left to chance.
            let pair = |(a, b): (usize, usize)| {
                (0..rules.sides()).map(|seat| if seat == 0 { a } else { b }).collect()
            };
            let lineups = [(0, 1), (0, 2), (1, 2)].map(pair).to_vec();
            add(Kind::Pool, rules, &[EQUAL_BOT; 3], lineups)?;
        }
        let [bot, other] = UNEQUAL_BOTS;
        if let Some(&rules) = self.tables.iter().find(|rules| rules.sides() > 2) {
            let lineups = vec![(0..rules.sides()).map(|seat| seat.min(2)).collect()];
            add(Kind::Third, rules, &[bot, bot, other], lineups)?;
        }
        for &rules in &self.tables {
            add(Kind::Copies, rules, &[bot], vec![vec![0; rules.sides()]])?;
        }
        for &rules in &self.tables {
            add(Kind::Unequal, rules, &UNEQUAL_BOTS, one_among(&rules))?;
        }
        Ok(trials)
    }

    fn experiment<G: Bots + Game<Rules = R>>(
        &self,
        kind: Kind,
        rules: R,
        bots: &[&str],
        lineups: Vec<Vec<usize>>,
    ) -> Result<Experiment<R>, ExperimentError> {
        let bots = bots.iter().map(|text| Entrant::parse::<G>(text));
        let bots = bots.collect::<Result<_, EntrantError>>()?;
        let more = if kind.has_reference() { REFERENCE_MATCHES } else { 0 };
        let to = self.matches.saturating_add(more).saturating_mul(self.blocks);
        let experiment = Experiment {
            rules,
            bots,
            lineups,
            // In rotations the same one of the equals would always sit before the other, and that is worth something.
            schedule: match kind {
                Kind::Third => Schedule::Permutations,
                _ => Schedule::Rotations,
            },
            seed: self.seed,
            blocks: Blocks { from: 0, to },
            opening_turns: usual_turns::<G>(),
            metrics: MetricsTier::Basic,
            sprt: None,
        };
        experiment.check::<G>()?;
        Ok(experiment)
    }

    /// The blocks of a match.
    fn blocks_of(&self, number: u64) -> Blocks {
        Blocks { from: number * self.blocks, to: (number + 1) * self.blocks }
    }
}

/// Plays the matches of a plan with `threads` threads (0: one for each core), and counts what is said of them that is
/// not so. `source` plays them: [`Played`](source::Played), or something that is wrong on purpose.
/// `progress` is told how many further games were played, from any thread.
///
/// # Errors
/// As [`run`](crate::run).
///
/// # Panics
/// If matches have fewer than [`LEAST_BLOCKS`] blocks.
///
/// ```
/// use sho_bench::selftest::{Plan, self_test, source::Played};
/// use sho_core::sho::{Rules, Sho};
///
/// let mut rules = Rules::lhasa();
/// (rules.sides, rules.shells, rules.coins) = (2, 16, 3);
/// let plan = Plan { tables: vec![rules], matches: 20, blocks: 64, seed: 1 };
/// let found = self_test::<Sho>(&plan, &Played, 0, &|_| {})?;
/// assert!(found.ok);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn self_test<G: TournamentGame>(
    plan: &Plan<G::Rules>,
    source: &impl Source<G>,
    threads: usize,
    progress: &(impl Fn(u64) + Sync),
) -> Result<SelfTest<G::Rules>, RunError> {
    assert!(plan.blocks >= LEAST_BLOCKS, "matches of {} blocks", plan.blocks);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?;
    let mut experiments = Vec::new();
    for trial in plan.trials::<G>()? {
        let totals_of = |number| -> Result<Totals, RunError> {
            let games = source.play(&trial.experiment, plan.blocks_of(number))?;
            progress(games.len() as u64);
            Ok(Totals::new(&trial.experiment, &games))
        };
        let reference = if trial.kind.has_reference() {
            let from = plan.matches;
            let long = pool.install(|| {
                (from..from + REFERENCE_MATCHES).into_par_iter().map(totals_of).try_reduce(
                    || Totals::new(&trial.experiment, &[]),
                    |mut left, right| {
                        left.merge(&right);
                        Ok(left)
                    },
                )
            })?;
            Some(Reference::new(&long))
        } else {
            None
        };
        let said = |totals: &Totals| match (trial.kind, &reference) {
            (Kind::Equal, _) => alarms::of_equals(totals),
            (Kind::Pool, _) => alarms::of_pool(totals),
            (Kind::Third, _) => alarms::of_third(totals),
            (Kind::Copies, Some(reference)) => alarms::of_copies(totals, reference),
            (Kind::Unequal, Some(reference)) => alarms::of_truth(totals, reference),
            (Kind::Copies | Kind::Unequal, None) => Vec::new(),
        };
        let found: Vec<(Vec<Option<bool>>, Option<source::Counts>)> = pool.install(|| {
            (0..plan.matches)
                .into_par_iter()
                .map(|number| {
                    let totals = totals_of(number)?;
                    let counts = (number < COUNTED_AGAIN).then(|| totals.counts());
                    Ok((said(&totals), counts))
                })
                .collect::<Result<_, RunError>>()
        })?;
        let claims: &[Claim] = match trial.kind {
            Kind::Equal => &EQUAL,
            Kind::Pool => &POOL,
            Kind::Third => &THIRD,
            Kind::Copies => &COPIES,
            Kind::Unequal => &TRUTH,
        };
        let mut checks: Vec<Check> = claims
            .iter()
            .enumerate()
            .map(|(index, claim)| claim.check(found.iter().map(|(alarms, _)| alarms[index])))
            .collect();
        let mut differ = Vec::new();
        for (number, (_, counts)) in (0..).zip(&found) {
            if let Some(counts) = counts {
                let mut experiment = trial.experiment.clone();
                experiment.blocks = plan.blocks_of(number);
                differ.push(Some(source::counted::<G>(&experiment, threads)? != *counts));
            }
        }
        checks.push(alarms::COUNTS.check(differ));
        experiments.push(Tested {
            kind: trial.kind,
            seats: trial.experiment.rules.sides(),
            bots: trial.experiment.bots.iter().map(ToString::to_string).collect(),
            lineups: trial.experiment.lineups,
            reference,
            checks,
        });
    }
    Ok(SelfTest {
        schema: SELF_TEST_SCHEMA,
        game: G::NAME,
        tables: plan.tables.clone(),
        seed: plan.seed,
        matches: plan.matches,
        blocks: plan.blocks,
        ok: experiments.iter().flat_map(|tested| &tested.checks).all(Check::ok),
        experiments,
    })
}
