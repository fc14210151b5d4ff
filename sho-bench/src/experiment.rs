//! What is to be played: [`Experiment`]. Plain data that a result embeds whole.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use sho_ai::{BotError, BotSpec, Bots, Policy};
use sho_core::{Game, ImpossibleRules, PerSeat, RuleSet};

use crate::schedule::Schedule;
use sho_ai::opening::{Opening, usual_turns};

/// Everything that decides the games of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Experiment<R> {
    /// The rules; their number of sides is that of every line-up.
    pub rules: R,
    /// The distinct bots in order of first appearance.
    pub bots: Vec<BotSpec>,
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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The rules make no sense together.
    #[error(transparent)]
    Rules(#[from] ImpossibleRules),
    /// A bot is unknown or has impossible options.
    #[error(transparent)]
    Bot(#[from] BotError),
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
    /// A bot that never plays, so that it has no score.
    #[error("bot {0} is in no line-up")]
    IdleBot(BotSpec),
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
const BLOCK_LIMIT: u64 = 1 << 56;

impl<R: RuleSet> Experiment<R> {
    /// The experiment in which one line-up, given as texts, plays `games` games, rounded up to whole blocks. Where the
    /// game has no chance, blocks begin with its [usual](usual_turns) random turns.
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
        let mut distinct: Vec<BotSpec> = Vec::new();
        let mut lineup = Vec::new();
        for text in bots {
            let spec = G::spec(text)?;
            let index = distinct.iter().position(|other| *other == spec).unwrap_or_else(|| {
                distinct.push(spec);
                distinct.len() - 1
            });
            lineup.push(index);
        }
        let games_a_block = schedule.seatings(sides).len() as u64;
        let blocks = match amount {
            Amount::Games(games) => games.div_ceil(games_a_block),
            Amount::Blocks(blocks) => blocks,
        };
        let experiment = Self {
            rules,
            bots: distinct,
            lineups: vec![lineup],
            schedule,
            seed,
            blocks: Blocks { from: 0, to: blocks },
            opening_turns: usual_turns::<G>(),
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
        let plays = |index| self.lineups.iter().any(|lineup| lineup.contains(&index));
        if let Some(idle) = (0..bots).find(|&index| !plays(index)) {
            return Err(ExperimentError::IdleBot(self.bots[idle].clone()));
        }
        if self.blocks.to > BLOCK_LIMIT {
            return Err(ExperimentError::BlockTooLarge(self.blocks.to - 1));
        }
        for spec in &self.bots {
            G::bot(spec)?;
        }
        if G::HAS_CHANCE {
            return match self.opening_turns {
                0 => Ok(()),
                _ => Err(ExperimentError::NoOpenings(G::NAME)),
            };
        }
        let draws = |lineup: &&Vec<usize>| lineup.iter().any(|&bot| G::draws(&self.bots[bot]));
        if self.opening_turns == 0
            && let Some(lineup) = self.lineups.iter().find(|lineup| !draws(lineup))
        {
            let bots: Vec<_> = lineup.iter().map(|&bot| self.bots[bot].to_string()).collect();
            return Err(ExperimentError::SameGames { lineup: bots.join(", "), game: G::NAME });
        }
        Ok(())
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

    /// New policies for the entries of a line-up.
    ///
    /// # Errors
    /// Where a bot's options are not possible.
    pub fn policies<G: Bots + Game<Rules = R>>(
        &self,
        lineup: &[usize],
    ) -> Result<Vec<Box<dyn Policy<G>>>, BotError> {
        lineup.iter().map(|&bot| G::bot(&self.bots[bot])).collect()
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
