//! What is to be played: [`Experiment`]. Plain data that a result embeds whole.

use std::fmt;
use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sho_ai::Bots;
use sho_core::record::Record;
use sho_core::{Game, ImpossibleRules, Notation, PerSeat, RuleSet, Seat};

use crate::entrant::{Entrant, EntrantError};
use crate::lineups::{Lineups, LineupsError};
use crate::metrics::Measured;
use crate::schedule::{Address, Schedule};
use crate::stats::elo::Contest;
use crate::stats::payoffs::Design;
use crate::stats::sprt::{Bounds, Sprt, SprtError};
use sho_ai::opening::{Opening, usual_turns};

/// What a game must offer for tournaments: bots, notation, metrics, and rules that can be kept in files. Every game that
/// has them is one.
pub trait TournamentGame:
    Game<Rules: Serialize + DeserializeOwned> + Notation + Bots + Measured + 'static
{
}

impl<G> TournamentGame for G where
    G: Game<Rules: Serialize + DeserializeOwned> + Notation + Bots + Measured + 'static
{
}

/// Everything that decides the games of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment<R> {
    /// The rules; their number of sides is that of every line-up.
    pub rules: R,
    /// The distinct bots in order of first appearance.
    pub bots: Vec<Entrant>,
    /// The line-ups: for each entry an index into `bots`.
    pub lineups: Vec<Vec<usize>>,
    /// How entries change seats within a block.
    pub schedule: Schedule,
    /// The master seed.
    pub seed: u64,
    /// The blocks to play.
    pub blocks: Blocks,
    /// Random turns with which each block begins. 0 for a game with chance, where blocks differ by that.
    pub opening_turns: u32,
    /// What is counted of each game.
    pub metrics: MetricsTier,
    /// A test of the first bot against the others, which ends the tournament as soon as it has decided.
    pub sprt: Option<SequentialTest>,
}

/// What is counted of games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetricsTier {
    /// Who won, how long it took, and how it ended.
    #[default]
    Basic,
    /// What happened on the way as well.
    Full,
}

impl MetricsTier {
    /// Both tiers, with their names.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Basic, "basic"), (Self::Full, "full")];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|&(tier, _)| tier == self).map_or("", |(_, name)| name)
    }
}

/// A sequential test as it is asked for: of the first bot against the others at its table. See
/// [`stats::sprt`](crate::stats::sprt).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SequentialTest {
    /// The two hypotheses.
    pub bounds: Bounds,
    /// How often H1 may be accepted where H0 is true.
    pub alpha: f64,
    /// How often H0 may be accepted where H1 is true.
    pub beta: f64,
}

impl SequentialTest {
    /// The two hypotheses, and their scale's name.
    #[must_use]
    pub const fn hypotheses(self) -> (f64, f64, &'static str) {
        match self.bounds {
            Bounds::Logistic { low, high } => (low, high, "Elo"),
            Bounds::Normalized { low, high } => (low, high, "nElo"),
        }
    }
}

impl fmt::Display for SequentialTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (low, high, scale) = self.hypotheses();
        write!(f, "{low} against {high} {scale}, alpha {}, beta {}", self.alpha, self.beta)
    }
}

/// A range of blocks, the end not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// The first block.
    pub from: u64,
    /// The block after the last.
    pub to: u64,
}

impl Blocks {
    /// How many blocks there are.
    #[must_use]
    pub const fn len(self) -> u64 {
        self.to.saturating_sub(self.from)
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The blocks.
    #[must_use]
    pub const fn range(self) -> Range<u64> {
        self.from..self.to
    }
}

/// Why an experiment cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The rules make no sense together.
    #[error(transparent)]
    Rules(#[from] ImpossibleRules),
    /// A bot is unknown or has impossible options.
    #[error(transparent)]
    Bot(#[from] EntrantError),
    /// A line-up does not fill the table.
    #[error("a line-up of {given} bots, and the rules say {sides} sides")]
    LineupSize {
        /// How many bots it names.
        given: usize,
        /// How many sides play.
        sides: usize,
    },
    /// Not a number of sides that the game has.
    #[error("{0} bots: 2 to 4 can sit at a table")]
    NoSuchTable(usize),
    /// There is nothing to play.
    #[error("0 games: at least one must be played")]
    NoGames,
    /// A line-up names a bot that there is not.
    #[error("a line-up names bot number {index} from 0, and there are {bots} bots")]
    NoSuchBot {
        /// The bot's index.
        index: usize,
        /// How many bots there are.
        bots: usize,
    },
    /// The bots make no line-ups.
    #[error(transparent)]
    Lineups(#[from] LineupsError),
    /// A sequential test that is none.
    #[error("sequential test: {0}")]
    Sprt(#[from] SprtError),
    /// A sequential test of nothing.
    #[error("a sequential test needs one line-up, in which the first bot meets others: found {0}")]
    Untestable(String),
    /// An address of no game.
    #[error(
        "no game {address}: line-ups go from 0 to {lineups}, and seatings from 0 to {seatings}"
    )]
    NoSuchGame {
        /// The address.
        address: Address,
        /// The last line-up.
        lineups: usize,
        /// The last seating.
        seatings: usize,
    },
    /// Two bots that no result could tell apart.
    #[error("two bots are named {0}, and are not the same")]
    OneName(Entrant),
    /// A bot that never plays, so that it has no score.
    #[error("bot {0} is in no line-up")]
    IdleBot(Entrant),
    /// Opening turns for a game that has chance.
    #[error("{0} has no openings: its dice make the blocks differ")]
    NoOpenings(&'static str),
    /// Nothing makes the games of a line-up differ.
    #[error(
        "{lineup} draw nothing, and in {game} without opening turns all their games would be the same: ask for \
         opening turns, or for a bot that draws"
    )]
    SameGames {
        /// The bots of the line-up.
        lineup: String,
        /// The game.
        game: &'static str,
    },
    /// More blocks than there are streams of dice.
    #[error("block {0} would be played, and blocks are numbered below 2^56 = {BLOCK_LIMIT}")]
    BlockTooLarge(u64),
}

/// Blocks are numbered below this: stream numbers have 64 bits, and a block has 128 of them.
pub(crate) const BLOCK_LIMIT: u64 = 1 << 56;

impl<R: RuleSet> Experiment<R> {
    /// The experiment in which one line-up, given as texts, plays `amount`. Its number of bots is the number of sides.
    ///
    /// # Errors
    /// Where something in it is impossible.
    pub fn lineup<G: Bots + Game<Rules = R>>(
        mut rules: R,
        bots: &[String],
        schedule: Schedule,
        seed: u64,
        amount: Amount,
    ) -> Result<Self, ExperimentError> {
        let sides = bots.len();
        if !(2..=sho_core::MAX_SEATS).contains(&sides) {
            return Err(ExperimentError::NoSuchTable(sides));
        }
        if rules.set("sides", &sides.to_string()).is_err() || rules.sides() != sides {
            // A game with a fixed number of sides has no such setting.
            if rules.sides() != sides {
                return Err(ExperimentError::LineupSize { given: sides, sides: rules.sides() });
            }
        }
        Self::pool::<G>(rules, bots, Lineups::Given, schedule, seed, amount)
    }

    /// The experiment in which line-ups made of a pool of bots, given as texts, play `amount` each, by rules that say how
    /// many sides there are. Where the game has no chance, blocks begin with its [usual](usual_turns) random turns.
    ///
    /// # Errors
    /// Where something in it is impossible.
    ///
    /// ```
    /// use sho_bench::{Amount, Experiment, Lineups, Schedule};
    /// use sho_core::{RuleSet, sho::{Rules, Sho}};
    ///
    /// let mut rules = Rules::lhasa();
    /// rules.assign("sides=3")?;
    /// let bots = ["easy", "random"].map(String::from);
    /// let amount = Amount::Blocks(100);
    /// let experiment =
    ///     Experiment::pool::<Sho>(rules, &bots, Lineups::Gauntlet, Schedule::Rotations, 1, amount)?;
    /// assert_eq!(experiment.lineups, [[0, 1, 1], [1, 0, 0]]);
    /// assert_eq!(experiment.games(), 600);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pool<G: Bots + Game<Rules = R>>(
        rules: R,
        bots: &[String],
        lineups: Lineups,
        schedule: Schedule,
        seed: u64,
        amount: Amount,
    ) -> Result<Self, ExperimentError> {
        let (distinct, entries) = distinct::<G>(bots)?;
        let made = lineups.of(&entries, rules.sides())?;
        Self::of::<G>(rules, distinct, made, schedule, seed, amount)
    }

    /// The experiment of [`pool`](Self::pool) with bots that are there already, such as [guests](crate::GuestBot).
    ///
    /// # Errors
    /// Where something in it is impossible.
    pub fn of_entrants<G: Bots + Game<Rules = R>>(
        rules: R,
        bots: &[Entrant],
        lineups: Lineups,
        schedule: Schedule,
        seed: u64,
        amount: Amount,
    ) -> Result<Self, ExperimentError> {
        let (distinct, entries) = distinct_of(bots.to_vec());
        let made = lineups.of(&entries, rules.sides())?;
        Self::of::<G>(rules, distinct, made, schedule, seed, amount)
    }

    /// The experiment in which these line-ups, each with the text of a bot for each entry, play `amount` each. Otherwise
    /// as [`pool`](Self::pool).
    ///
    /// # Errors
    /// Where something in it is impossible.
    pub fn named<G: Bots + Game<Rules = R>>(
        rules: R,
        lineups: &[Vec<String>],
        schedule: Schedule,
        seed: u64,
        amount: Amount,
    ) -> Result<Self, ExperimentError> {
        let (distinct, entries) = distinct::<G>(&lineups.concat())?;
        let mut entries = entries.into_iter();
        let lineups = lineups.iter().map(|lineup| entries.by_ref().take(lineup.len()).collect());
        let lineups = lineups.collect();
        Self::of::<G>(rules, distinct, lineups, schedule, seed, amount)
    }

    fn of<G: Bots + Game<Rules = R>>(
        rules: R,
        bots: Vec<Entrant>,
        lineups: Vec<Vec<usize>>,
        schedule: Schedule,
        seed: u64,
        amount: Amount,
    ) -> Result<Self, ExperimentError> {
        rules.check()?;
        let experiment = Self {
            rules,
            bots,
            lineups,
            schedule,
            seed,
            blocks: Blocks { from: 0, to: amount.blocks(schedule, rules.sides()) },
            opening_turns: usual_turns::<G>(),
            metrics: MetricsTier::Basic,
            sprt: None,
        };
        experiment.check::<G>()?;
        Ok(experiment)
    }

    /// Whether the experiment can be played.
    ///
    /// # Errors
    /// Names what is impossible.
    pub fn check<G: Bots + Game<Rules = R>>(&self) -> Result<(), ExperimentError> {
        self.rules.check()?;
        let sides = self.rules.sides();
        if let Some(lineup) = self.lineups.iter().find(|lineup| lineup.len() != sides) {
            return Err(ExperimentError::LineupSize { given: lineup.len(), sides });
        }
        if self.blocks.is_empty() || self.lineups.is_empty() {
            return Err(ExperimentError::NoGames);
        }
        let bots = self.bots.len();
        if let Some(&index) = self.lineups.iter().flatten().find(|&&index| index >= bots) {
            return Err(ExperimentError::NoSuchBot { index, bots });
        }
        let one_name = |bot: &&Entrant| {
            let is_same_name = |other: &Entrant| other.to_string() == bot.to_string();
            self.bots.iter().any(|other| other != *bot && is_same_name(other))
        };
        if let Some(bot) = self.bots.iter().find(one_name) {
            return Err(ExperimentError::OneName(bot.clone()));
        }
        let plays = |index| self.lineups.iter().any(|lineup| lineup.contains(&index));
        if let Some(idle) = (0..bots).find(|&index| !plays(index)) {
            return Err(ExperimentError::IdleBot(self.bots[idle].clone()));
        }
        if self.blocks.to > BLOCK_LIMIT {
            return Err(ExperimentError::BlockTooLarge(self.blocks.to - 1));
        }
        self.test()?;
        if G::HAS_CHANCE {
            return match self.opening_turns {
                0 => Ok(()),
                _ => Err(ExperimentError::NoOpenings(G::NAME)),
            };
        }
        let draws = |lineup: &&Vec<usize>| lineup.iter().any(|&bot| self.bots[bot].draws::<G>());
        if self.opening_turns == 0
            && let Some(lineup) = self.lineups.iter().find(|lineup| !draws(lineup))
        {
            let bots: Vec<_> = lineup.iter().map(|&bot| self.bots[bot].to_string()).collect();
            return Err(ExperimentError::SameGames { lineup: bots.join(", "), game: G::NAME });
        }
        Ok(())
    }

    /// The sequential test, where one was asked for.
    ///
    /// # Errors
    /// Where there is no such test, or nothing to be tested.
    pub fn test(&self) -> Result<Option<Sprt>, ExperimentError> {
        let Some(SequentialTest { bounds, alpha, beta }) = self.sprt else { return Ok(None) };
        let untestable = |found: &str| ExperimentError::Untestable(found.to_owned());
        let [_] = self.lineups.as_slice() else {
            return Err(untestable(&format!("{} line-ups", self.lineups.len())));
        };
        let contest = self.contest(0).ok_or_else(|| untestable("copies of one bot"))?;
        Ok(Some(Sprt::new(contest, bounds, alpha, beta)?))
    }

    /// What a bot of a single line-up plays; nothing where it holds every seat, and for several line-ups.
    #[must_use]
    pub fn contest(&self, bot: usize) -> Option<Contest> {
        let [lineup] = self.lineups.as_slice() else { return None };
        let held = lineup.iter().filter(|&&other| other == bot).count();
        // Seats and seatings are few.
        Contest::new(lineup.len() as u32, held as u32, self.games_a_block() as u32)
    }

    /// Who plays in the games of a block, for ratings.
    ///
    /// # Panics
    /// If the experiment has no line-ups, or they differ in size: if it does not pass [`check`](Self::check).
    #[must_use]
    pub fn design(&self) -> Design {
        let seatings = self.schedule.seatings(self.rules.sides());
        Design::new(self.bots.len(), &self.lineups, &seatings)
    }

    /// How a block begins.
    #[must_use]
    pub fn opening<G: Game<Rules = R>>(&self, game: &G, block: u64) -> Opening<G> {
        Opening::draw(game, self.seed, block, self.opening_turns)
    }

    /// Games in a block: every line-up in every seating.
    #[must_use]
    pub fn games_a_block(&self) -> u64 {
        (self.schedule.seatings(self.rules.sides()).len() * self.lineups.len()) as u64
    }

    /// Games in all; the greatest number there is where they are more.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games_a_block().saturating_mul(self.blocks.len())
    }

    /// Whether the same experiment gives the same bytes: whether all bots play the same games again.
    #[must_use]
    pub fn is_deterministic(&self) -> bool {
        self.bots.iter().all(Entrant::is_deterministic)
    }

    /// The record of one of its games before the first step, from `start`: who plays, under which address.
    ///
    /// # Panics
    /// If the address names no line-up or seating of the experiment.
    #[must_use]
    pub fn record<G: Notation + Game<Rules = R>>(
        &self,
        game: &G,
        start: &G::State,
        address: Address,
    ) -> Record<R> {
        let seating = self.schedule.seatings(game.seats())[address.seating];
        let bot_at = Self::bot_at(&self.lineups[address.lineup], &seating);
        let mut record = Record::new(game, start);
        record.players =
            Seat::all(game.seats()).map(|seat| self.bots[bot_at[seat]].to_string()).collect();
        record.seed = Some(self.seed);
        record.address = Some(address.to_string());
        record
    }

    /// For each seat the bot that holds it, given a line-up and a seating.
    #[must_use]
    pub fn bot_at(lineup: &[usize], seating: &PerSeat<usize>) -> PerSeat<usize> {
        PerSeat::from_fn(|seat| lineup.get(seating[seat]).copied().unwrap_or(0))
    }
}

/// How much is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Amount {
    /// So many games for each line-up, rounded up to whole blocks.
    Games(u64),
    /// So many blocks.
    Blocks(u64),
}

impl Amount {
    /// How many blocks that is.
    fn blocks(self, schedule: Schedule, sides: usize) -> u64 {
        match self {
            Self::Games(games) => games.div_ceil(schedule.seatings(sides).len() as u64),
            Self::Blocks(blocks) => blocks,
        }
    }
}

/// The distinct bots of some texts in order of first appearance, and for each text which of them it names.
pub(crate) fn distinct<G: Bots>(
    texts: &[String],
) -> Result<(Vec<Entrant>, Vec<usize>), EntrantError> {
    let bots = texts.iter().map(|text| Entrant::parse::<G>(text)).collect::<Result<_, _>>()?;
    Ok(distinct_of(bots))
}

/// The distinct ones of some bots in order of first appearance, and for each bot which of them it is.
fn distinct_of(all: Vec<Entrant>) -> (Vec<Entrant>, Vec<usize>) {
    let mut bots: Vec<Entrant> = Vec::new();
    let mut entries = Vec::new();
    for entrant in all {
        let index = bots.iter().position(|other| *other == entrant).unwrap_or_else(|| {
            bots.push(entrant);
            bots.len() - 1
        });
        entries.push(index);
    }
    (bots, entries)
}
