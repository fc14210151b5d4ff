//! What is asked for: [`Tune`].

use serde::{Deserialize, Serialize};
use sho_ai::arena::IllegalChoice;
use sho_ai::sho::{Weights, by_weights};
use sho_ai::{BotError, BotSpec, Bots};
use sho_core::sho::{Rules, Sho};
use sho_core::{ImpossibleRules, RuleSet};

use super::search::Method;
use super::stage::{MOST_BLOCKS, Stage};
use crate::digest;
use crate::entrant::{Entrant, EntrantError};
use crate::experiment::{Blocks, Experiment, ExperimentError, MetricsTier, SequentialTest};
use crate::schedule::Schedule;
use crate::stats::conditional_logit::LogitError;
use crate::stats::sprt::Bounds;
use crate::tournament::RunError;

/// The name and version of the `experiment.json` of a tuning.
pub const TUNE_PLAN_SCHEMA: &str = "sho/tune-plan/1";

/// The name of the weights that are to be bettered.
pub(super) const BASE: &str = "base";
/// The name of what is tried.
pub(super) const CANDIDATE: &str = "candidate";
/// The name of where the search is.
pub(super) const MEAN: &str = "mean";
/// The name of the weights that were chosen.
pub(super) const WINNER: &str = "winner";
/// A bot that is in every field of three or four sides.
pub(super) const OTHER: &str = "medium";

/// A tuning: everything that decides what comes of it.
///
/// ```
/// use sho_bench::tune::Tune;
/// use sho_core::sho::Rules;
///
/// let tune = Tune::new(Rules::lhasa(), "hard", 1)?;
/// assert_eq!(tune.bot, "hard");
/// assert!(Tune::new(Rules::lhasa(), "easy", 1).is_err());
/// # Ok::<(), sho_bench::tune::TuneError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tune {
    /// The format's name and version, [`TUNE_PLAN_SCHEMA`].
    pub schema: String,
    /// The game's name.
    pub game: String,
    /// The complete rules.
    pub rules: Rules,
    /// The bot whose weights are looked for: `hard`, or `expectimax` with its options.
    pub bot: String,
    /// The weights that are to be bettered.
    pub base: Weights,
    /// What they are: the bot whose own weights they are, or a file.
    pub base_name: String,
    /// The master seed of all stages.
    pub seed: u64,
    /// Games of the fit.
    pub fit_blocks: u64,
    /// How the search goes on.
    pub method: Method,
    /// Generations of the search.
    pub generations: u64,
    /// Points of a generation: an even number, at least 4.
    pub candidates: u64,
    /// Blocks that each point plays, on the same dice as the others of its generation.
    pub blocks: u64,
    /// How far the first points go: so many hundredths of how much the base itself tells actions apart.
    pub step: u64,
    /// How much a bad forecast counts in the search and in the choice: so many hundredths of a win for each unit of its loss.
    pub forecast: u64,
    /// Blocks that decide where the search begins, and which of its points wins.
    pub choice_blocks: u64,
    /// The bots that must be better with the winner's weights than with the base's.
    pub prove: Vec<String>,
    /// The test that each of them must pass, alone among others and with one other.
    pub test: SequentialTest,
    /// The most blocks of a test.
    pub proof_blocks: u64,
    /// Blocks that measure how strong the winner is.
    pub measure_blocks: u64,
}

/// Why there is no tuning, or no result of one.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TuneError {
    /// The rules make no sense together.
    #[error(transparent)]
    Rules(#[from] ImpossibleRules),
    /// A bot is unknown or has impossible options.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// The same, of an entry of a match.
    #[error(transparent)]
    Entrant(#[from] EntrantError),
    /// A bot without weights.
    #[error("bot {0} plays by no weights that could be tuned; possible: hard, expectimax")]
    NoWeights(String),
    /// A number that makes no sense.
    #[error("{what} {given}; possible: {possible}")]
    Number {
        /// Of what.
        what: &'static str,
        /// What was given.
        given: u64,
        /// What is possible.
        possible: String,
    },
    /// A match cannot be played.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A match failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A bot chose what is not legal.
    #[error(transparent)]
    Illegal(Box<IllegalChoice>),
    /// The regression failed.
    #[error(transparent)]
    Fit(#[from] LogitError),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] std::io::Error),
    /// What is known of a tuning is that of another one, or was changed by hand.
    #[error("the state of the tuning does not belong to it: {0}")]
    State(String),
    /// It was told to stop.
    #[error("stopped")]
    Stopped,
}

impl Tune {
    /// A tuning of a bot for these rules, from the weights that it has by itself, with the usual numbers.
    ///
    /// # Errors
    /// Where the rules are impossible, or the bot has no weights.
    pub fn new(rules: Rules, bot: &str, seed: u64) -> Result<Self, TuneError> {
        let spec = Sho::spec(bot)?;
        let own = sho_ai::sho::own_weights(&spec, &rules);
        let base = own.ok_or_else(|| TuneError::NoWeights(bot.to_owned()))?;
        let looks_ahead = spec.name == "expectimax";
        // Which of its sets that is, too.
        let about = Sho::judges_by(&rules, &spec).map(|about| format!(", {about}"));
        // A look-ahead of depth two costs some thirty times as much.
        let blocks = |quick: u64| if looks_ahead { quick / 20 } else { quick };
        let tune = Self {
            schema: TUNE_PLAN_SCHEMA.to_owned(),
            game: <Sho as sho_core::Game>::NAME.to_owned(),
            rules,
            bot: spec.to_string(),
            base: *base,
            base_name: spec.name.to_owned() + &about.unwrap_or_default(),
            seed,
            fit_blocks: 20_000,
            method: Method::default(),
            generations: 100,
            candidates: 16,
            blocks: blocks(1000),
            step: 30,
            // Who looks ahead adds up chances, and wants true ones.
            forecast: if looks_ahead { 100 } else { 0 },
            choice_blocks: blocks(20_000),
            prove: vec![spec.to_string()],
            test: SequentialTest {
                bounds: Bounds::Logistic { low: 0.0, high: 5.0 },
                alpha: 0.05,
                beta: 0.05,
            },
            proof_blocks: blocks(200_000),
            measure_blocks: blocks(40_000),
        };
        tune.check()?;
        Ok(tune)
    }

    /// Whether it can be done.
    ///
    /// # Errors
    /// Names what is impossible.
    pub fn check(&self) -> Result<(), TuneError> {
        self.rules.check()?;
        for bot in self.prove.iter().chain([&self.bot]) {
            self.spec(bot, BASE)?;
        }
        let number = |what, given: u64, least: u64, most: u64| {
            if (least..=most).contains(&given) {
                return Ok(());
            }
            Err(TuneError::Number { what, given, possible: format!("{least} to {most}") })
        };
        number("fit blocks", self.fit_blocks, 100, MOST_BLOCKS)?;
        number("generations", self.generations, 1, 1 << 20)?;
        number("candidates", self.candidates, 4, 1 << 12)?;
        if !self.candidates.is_multiple_of(2) {
            return Err(TuneError::Number {
                what: "candidates",
                given: self.candidates,
                possible: "even numbers".to_owned(),
            });
        }
        number("blocks", self.blocks, 2, MOST_BLOCKS / self.generations)?;
        number("step", self.step, 1, 1000)?;
        number("forecast", self.forecast, 0, 10_000)?;
        number("choice blocks", self.choice_blocks, 2, MOST_BLOCKS)?;
        number("proof blocks", self.proof_blocks, 64, MOST_BLOCKS)?;
        number("measure blocks", self.measure_blocks, 2, MOST_BLOCKS)?;
        for test in self.tests() {
            self.proof(&test, &self.base, Stage::Proof.blocks(0, 1))?.test()?;
        }
        Ok(())
    }

    /// The digest of all that it says: what is known of a tuning belongs to one of them.
    #[must_use]
    pub fn digest(&self) -> String {
        digest::of_json(self)
    }

    /// A bot that plays by weights of this name.
    pub(super) fn spec(&self, bot: &str, weights: &str) -> Result<BotSpec, TuneError> {
        by_weights(&Sho::spec(bot)?, weights).ok_or_else(|| TuneError::NoWeights(bot.to_owned()))
    }

    /// Whom a point of the search meets: line-ups with the candidate first. With `mean` where the search is takes part
    /// too.
    ///
    /// At tables of three and four a line-up of unlike players is among them: who only learns to beat copies of one bot
    /// learns its faults.
    pub(super) fn field(&self, mean: bool) -> Vec<Vec<&'static str>> {
        let others = self.rules.sides() - 1;
        let copies = |name: &'static str| vec![name; others];
        let mut field = vec![copies(BASE)];
        if mean {
            field.push(copies(MEAN));
        }
        if others > 1 {
            let unlike: &[&str] = if mean { &[OTHER, BASE, MEAN] } else { &[OTHER, BASE, BASE] };
            field.push(unlike[..others].to_vec());
        }
        for lineup in &mut field {
            lineup.insert(0, CANDIDATE);
        }
        field
    }

    /// The sequential tests: for each bot one of it alone with the winner's weights, and at larger tables one of it alone
    /// with the base's, by the first of the others.
    pub(super) fn tests(&self) -> Vec<AskedTest> {
        let sides = self.rules.sides();
        let mut tests = Vec::new();
        for bot in &self.prove {
            let mut alone = vec![BASE; sides];
            alone[0] = WINNER;
            tests.push(AskedTest { bot: bot.clone(), lineup: alone });
            if sides > 2 {
                let mut among = vec![WINNER; sides];
                among[sides - 1] = BASE;
                tests.push(AskedTest { bot: bot.clone(), lineup: among });
            }
        }
        tests
    }

    /// The match of these line-ups, in which a name stands for a bot that plays by the weights of that name; `medium` is
    /// itself.
    pub(super) fn experiment(
        &self,
        bot: &str,
        weights: &[(&str, &Weights)],
        lineups: &[Vec<&str>],
        blocks: Blocks,
    ) -> Result<Experiment<Rules>, TuneError> {
        let mut names: Vec<&str> = Vec::new();
        for &name in lineups.iter().flatten() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut bots = Vec::new();
        for &name in &names {
            let given = weights.iter().find(|(other, _)| *other == name);
            bots.push(match given {
                Some((_, weights)) => {
                    let text = serde_json::to_string(weights).unwrap_or_default();
                    let spec = self.spec(bot, name)?.to_string();
                    Entrant::parse_with::<Sho>(&spec, &mut |_| Ok(text.clone()))?
                }
                None => Entrant::parse::<Sho>(name)?,
            });
        }
        let place = |name: &&str| names.iter().position(|other| other == name).unwrap_or(0);
        let lineups: Vec<Vec<usize>> =
            lineups.iter().map(|lineup| lineup.iter().map(place).collect()).collect();
        let experiment = Experiment {
            rules: self.rules,
            bots,
            lineups,
            schedule: Schedule::Rotations,
            seed: self.seed,
            blocks,
            opening_turns: 0,
            metrics: MetricsTier::Basic,
            sprt: None,
        };
        experiment.check::<Sho>()?;
        Ok(experiment)
    }

    /// What a score and the loss of the forecasts come to together.
    pub(super) fn merit(&self, score: f64, loss: f64) -> f64 {
        score - self.forecast as f64 / 100.0 * loss
    }

    /// Whether all weights times the same play the same: a bot that does not look ahead, at a table of two, compares scores
    /// alone. Finalists are then scaled so that their chances are the best forecast; elsewhere the scale is found by play, as
    /// everything else.
    #[must_use]
    pub fn is_scaled(&self) -> bool {
        self.rules.sides() == 2 && !self.bot.starts_with("expectimax")
    }

    /// The match of a sequential test, in which a winner with these weights meets the base.
    pub(super) fn proof(
        &self,
        asked: &AskedTest,
        winner: &Weights,
        blocks: Blocks,
    ) -> Result<Experiment<Rules>, TuneError> {
        let weights = [(WINNER, winner), (BASE, &self.base)];
        let lineups = [asked.lineup.clone()];
        let mut experiment = self.experiment(&asked.bot, &weights, &lineups, blocks)?;
        experiment.sprt = Some(self.test);
        Ok(experiment)
    }

    /// Games of a generation.
    #[must_use]
    pub fn games_a_generation(&self) -> u64 {
        let sides = self.rules.sides() as u64;
        // Where the search is plays too, against copies of the base.
        (self.candidates * self.field(true).len() as u64 + 1) * self.blocks * sides
    }

    /// Games from the beginning to the end of the choice, at most.
    #[must_use]
    pub fn games_to_choice(&self) -> u64 {
        let sides = self.rules.sides() as u64;
        let field = self.field(false).len() as u64;
        self.fit_blocks
            + self.choice_blocks * sides
            + self.generations * self.games_a_generation()
            + super::state::MOST_FINALISTS * self.choice_blocks * field * sides
    }
}

/// A sequential test of the winner's weights against the base's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedTest {
    /// The bot that plays by them.
    pub(super) bot: String,
    /// The winner is first.
    pub(super) lineup: Vec<&'static str>,
}
