//! What is to be played: [`Study`]. Plain data that a result embeds whole.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sho_ai::Bots;
use sho_core::{Game, ImpossibleRules, RuleSet, SettingError};

use super::design::{Cell, Contrast, Design};
use super::vary::{LeftOut, Variation, VaryError, variations};
use crate::entrant::{Entrant, EntrantError};
use crate::experiment::{BLOCK_LIMIT, Blocks, Experiment, ExperimentError, MetricsTier, distinct};
use crate::schedule::Schedule;
use sho_ai::opening::usual_turns;

/// Everything that decides the games of a study.
#[derive(Clone, Debug, PartialEq)]
pub struct Study<R> {
    /// The rules of the base.
    pub rules: R,
    /// The settings that vary, in order.
    pub varied: Vec<Variation>,
    /// What might have varied too.
    pub left_out: Vec<LeftOut>,
    /// Which combinations are played.
    pub design: Design,
    /// The policies, each of which holds all seats of the games that are its own.
    pub policies: Vec<Entrant>,
    /// The master seed.
    pub seed: u64,
    /// The blocks to play: each once in every cell by every policy.
    pub blocks: Blocks,
    /// Random turns with which each block begins. 0 for a game with chance.
    pub opening_turns: u32,
    /// What is counted of each game.
    pub metrics: MetricsTier,
    /// What a throw lasts at a table.
    pub seconds_a_throw: Seconds,
    /// What a decision lasts beside the throw before it.
    pub seconds_a_decision: Seconds,
}

/// A time in thousandths of a second, written as seconds with up to three digits behind the point: `6`, `2.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seconds(pub u32);

/// A text that is no time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected seconds from 0 to 3600, as in 6 or 2.5, with at most three digits behind the point"
)]
pub struct SecondsError;

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        write!(f, "{whole}.{}", format!("{rest:03}").trim_end_matches('0'))
    }
}

impl FromStr for Seconds {
    type Err = SecondsError;

    fn from_str(text: &str) -> Result<Self, SecondsError> {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
        if whole.is_empty() || rest.is_empty() || rest.len() > 3 || !digits(whole) || !digits(rest)
        {
            return Err(SecondsError);
        }
        let whole: u32 = whole.parse().map_err(|_| SecondsError)?;
        let rest: u32 = format!("{rest:0<3}").parse().map_err(|_| SecondsError)?;
        Some(whole)
            .filter(|&whole| whole < 3600 || (whole == 3600 && rest == 0))
            .map(|whole| Self(1000 * whole + rest))
            .ok_or(SecondsError)
    }
}

/// As its text.
impl Serialize for Seconds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Why a study cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// Nothing that can vary was named.
    #[error(transparent)]
    Vary(#[from] VaryError),
    /// A setting or a value is unknown.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Rules of a cell that make no sense together.
    #[error(
        "cell {cell}: {error}; a factorial design plays all combinations, so leave a value out"
    )]
    Impossible {
        /// The cell.
        cell: String,
        /// What is wrong.
        error: ImpossibleRules,
    },
    /// More cells than are played.
    #[error("{0} cells: at most {2} with --design {name}; vary less", name = .1.name())]
    TooManyCells(usize, Design, usize),
    /// Nobody plays.
    #[error("a study needs a policy")]
    NoPolicy,
    /// A bot that may play otherwise when the same game is played again.
    #[error(
        "bot {0}: a study compares games on the same dice, and a bot in another program may play otherwise each time"
    )]
    NotDeterministic(Entrant),
    /// As for an experiment.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
}

impl From<EntrantError> for StudyError {
    fn from(error: EntrantError) -> Self {
        Self::Experiment(error.into())
    }
}

impl<R: RuleSet> Study<R> {
    /// The study in which `asked`, texts as [`variations`] reads them, varies on `rules`, and each of the policies plays
    /// `blocks` blocks. Basic metrics; throws last what they last in the game's reports.
    ///
    /// # Errors
    /// Where something in it is impossible.
    ///
    /// ```
    /// use sho_bench::study::{Design, Study};
    /// use sho_core::sho::{Rules, Sho};
    ///
    /// let (asked, bots) = (["six-three,join-throws".to_owned()], ["easy".to_owned()]);
    /// let study = Study::new::<Sho>(Rules::lhasa(), &asked, Design::OneAtATime, &bots, 1, 1000)?;
    /// let names: Vec<_> = study.cells()?.into_iter().map(|cell| cell.name).collect();
    /// assert_eq!(names, ["base", "six-three=off", "six-three=whole-hand", "join-throws=no"]);
    /// assert_eq!(study.games()?, 4000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new<G: Bots + Game<Rules = R>>(
        rules: R,
        asked: &[String],
        design: Design,
        policies: &[String],
        seed: u64,
        blocks: u64,
    ) -> Result<Self, StudyError> {
        rules.check().map_err(ExperimentError::from)?;
        let (varied, left_out) = variations(&rules, asked)?;
        let study = Self {
            rules,
            varied,
            left_out,
            design,
            policies: distinct::<G>(policies)?.0,
            seed,
            blocks: Blocks { from: 0, to: blocks },
            opening_turns: usual_turns::<G>(),
            metrics: MetricsTier::Basic,
            seconds_a_throw: Seconds(1000 * G::TABLE_SECONDS.unwrap_or(0)),
            seconds_a_decision: Seconds(0),
        };
        study.check::<G>()?;
        Ok(study)
    }

    /// Whether the study can be played.
    ///
    /// # Errors
    /// Names what is impossible.
    pub fn check<G: Bots + Game<Rules = R>>(&self) -> Result<(), StudyError> {
        self.rules.check().map_err(ExperimentError::from)?;
        if let Some(bot) = self.policies.iter().find(|bot| !bot.is_deterministic()) {
            return Err(StudyError::NotDeterministic(bot.clone()));
        }
        if self.policies.is_empty() {
            return Err(StudyError::NoPolicy);
        }
        if self.blocks.to > BLOCK_LIMIT {
            return Err(ExperimentError::BlockTooLarge(self.blocks.to.saturating_sub(1)).into());
        }
        let cells = self.cells()?;
        for cell in &cells {
            cell.check()?;
            self.experiment(cell).check::<G>()?;
        }
        Ok(())
    }

    /// The sets of rules that are played, the base first.
    ///
    /// # Errors
    /// Where there are too many, or some make no sense.
    pub fn cells(&self) -> Result<Vec<Cell<R>>, StudyError> {
        self.design.cells(&self.rules, &self.varied)
    }

    /// What is compared.
    ///
    /// # Errors
    /// As [`cells`](Self::cells).
    pub fn contrasts(&self) -> Result<Vec<Contrast>, StudyError> {
        Ok(self.design.contrasts(&self.cells()?, &self.varied))
    }

    /// The games of a cell as an experiment: a line-up for each policy, which holds all seats, and one game a block, since
    /// copies of one policy play the same game in every seating. Its addresses are those of the study's games: line-up
    /// number *p* is policy number *p*, and [`record_of`](crate::record_of) plays one of them alone.
    #[must_use]
    pub fn experiment(&self, cell: &Cell<R>) -> Experiment<R> {
        let sides = cell.rules.sides();
        Experiment {
            rules: cell.rules,
            bots: self.policies.clone(),
            lineups: (0..self.policies.len()).map(|policy| vec![policy; sides]).collect(),
            schedule: Schedule::Fixed,
            seed: self.seed,
            blocks: self.blocks,
            opening_turns: self.opening_turns,
            metrics: self.metrics,
            sprt: None,
        }
    }

    /// Games in all.
    ///
    /// # Errors
    /// As [`cells`](Self::cells).
    pub fn games(&self) -> Result<u64, StudyError> {
        Ok(self.blocks.len().saturating_mul(self.games_a_block()?))
    }

    /// Games of a block: each cell by each policy.
    ///
    /// # Errors
    /// As [`cells`](Self::cells).
    pub fn games_a_block(&self) -> Result<u64, StudyError> {
        Ok((self.cells()?.len() * self.policies.len()) as u64)
    }
}
