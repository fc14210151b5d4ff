//! Experiments in files: written by hand, or found beside a result.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sho_bench::folder::{PLAN_SCHEMA, Plan};
use sho_bench::{
    Amount, Blocks, Entrant, Experiment, Lineups, MetricsTier, SCHEMA, Schedule, SequentialTest,
};

use super::dispatch::{DEFAULT_GAME, Playable};
use super::experiment::{Asked, DEFAULT_RATE, Pairing, Request, Scale};
use super::failure::{OrUsage, Usage};
use super::options::{DEFAULT_SEED, OpeningOption, RulesOptions, word};

/// A file that names an experiment, read but not yet understood.
#[derive(Clone, Debug)]
pub(crate) struct ExperimentFile {
    path: PathBuf,
    content: Value,
}

/// An experiment as people write it. Every key may be left out, and then says what the command line says without the
/// option of its name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    // Read before: it says which game's rules and bots these are.
    #[serde(rename = "game")]
    _game: Option<String>,
    rules: Option<Value>,
    #[serde(default)]
    set: serde_json::Map<String, Value>,
    sides: Option<u64>,
    #[serde(default)]
    bots: Vec<String>,
    lineups: Option<Value>,
    #[serde(default)]
    schedule: Schedule,
    seed: Option<u64>,
    games: Option<u64>,
    blocks: Option<u64>,
    opening_turns: Option<u64>,
    #[serde(default)]
    metrics: MetricsTier,
    sprt: Option<WrittenTest>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenTest {
    low: f64,
    high: f64,
    scale: Option<String>,
    alpha: Option<f64>,
    beta: Option<f64>,
}

/// What a result says of its experiment.
#[derive(Deserialize)]
struct ResultHead<R> {
    rules: R,
    seed: u64,
    schedule: Schedule,
    lineups: Vec<Vec<usize>>,
    metrics: MetricsTier,
    #[serde(default)]
    opening_turns: u32,
    block_range: Blocks,
    bots: Vec<Named>,
    sprt: Option<ResultTest>,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

#[derive(Deserialize)]
struct ResultTest {
    bounds: sho_bench::stats::sprt::Bounds,
    alpha: f64,
    beta: f64,
    blocks_planned: u64,
}

impl ExperimentFile {
    /// Reads a file: TOML where its name ends so, else JSON.
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let text = fs::read_to_string(path).or_usage_in(&name)?;
        let is_toml = path.extension().is_some_and(|extension| extension == "toml");
        let content: Value = if is_toml {
            // What TOML says of a mistake takes several lines; the message and the place are in the first and the last.
            toml::from_str(&text).map_err(|error: toml::de::Error| {
                let line =
                    error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
                Usage::error(format!("{name}: line {line}: {}", error.message()))
            })?
        } else {
            serde_json::from_str(&text).or_usage_in(&name)?
        };
        if !content.is_object() {
            return Err(Usage::error(format!(
                "{name}: an experiment was expected, as keys and values"
            )));
        }
        Ok(Self { path: path.to_owned(), content })
    }

    /// The name of its game.
    pub(crate) fn game(&self) -> anyhow::Result<String> {
        match self.content.get("game") {
            None => Ok(DEFAULT_GAME.to_owned()),
            Some(Value::String(game)) => Ok(game.clone()),
            Some(other) => Err(self.wrong(&format!("game: a name was expected, found `{other}`"))),
        }
    }

    /// The experiment, checked.
    pub(crate) fn experiment<G: Playable>(&self) -> anyhow::Result<Asked<G::Rules>> {
        let place = self.path.display();
        match self.content.get("schema").map(Value::as_str) {
            None => self.written::<G>(),
            Some(Some(PLAN_SCHEMA)) => {
                let plan: Plan<G::Rules> = self.read_as()?;
                let experiment = plan.experiment::<G>().or_usage_in(place)?;
                Ok(Asked { experiment, amount: plan.asked })
            }
            Some(Some(SCHEMA)) => self.played::<G>(),
            Some(schema) => Err(self.wrong(&format!(
                "schema: {PLAN_SCHEMA}, {SCHEMA} or none was expected, found `{}`",
                schema.unwrap_or("no text")
            ))),
        }
    }

    fn read_as<T: DeserializeOwned>(&self) -> anyhow::Result<T> {
        serde_json::from_value(self.content.clone()).or_usage_in(self.path.display())
    }

    fn wrong(&self, what: &str) -> anyhow::Error {
        Usage::error(format!("{}: {what}", self.path.display()))
    }

    /// The experiment of a result.
    fn played<G: Playable>(&self) -> anyhow::Result<Asked<G::Rules>> {
        let place = self.path.display();
        let head: ResultHead<G::Rules> = self.read_as()?;
        let bots = head.bots.iter().map(|bot| Entrant::parse::<G>(&bot.name));
        let mut experiment = Experiment {
            rules: head.rules,
            bots: bots.collect::<Result<_, _>>().or_usage_in(&place)?,
            lineups: head.lineups,
            schedule: head.schedule,
            seed: head.seed,
            blocks: head.block_range,
            opening_turns: head.opening_turns,
            metrics: head.metrics,
            sprt: None,
        };
        if let Some(test) = head.sprt {
            // A test that decided played fewer blocks than it might have.
            experiment.blocks.to = experiment.blocks.from.saturating_add(test.blocks_planned);
            let ResultTest { bounds, alpha, beta, .. } = test;
            experiment.sprt = Some(SequentialTest { bounds, alpha, beta });
        }
        experiment.check::<G>().or_usage_in(&place)?;
        Ok(Asked { amount: Amount::Blocks(experiment.blocks.len()), experiment })
    }

    /// An experiment that was written by hand.
    fn written<G: Playable>(&self) -> anyhow::Result<Asked<G::Rules>> {
        let written: Written = self.read_as()?;
        let amount = match (written.games, written.blocks) {
            (Some(_), Some(_)) => {
                return Err(self.wrong("games and blocks: one of the two was expected"));
            }
            (Some(games), None) => Some(Amount::Games(games)),
            (None, blocks) => blocks.map(Amount::Blocks),
        };
        let pairing = self.pairing(written.lineups, written.bots)?;
        let test = written.sprt.as_ref().map(|test| self.test(test)).transpose()?;
        let rules = self.rules(written.rules, &written.set, written.sides)?;
        let request = Request {
            rules: rules.choose::<G>().or_usage_in(self.path.display())?,
            pairing,
            schedule: written.schedule,
            seed: written.seed.unwrap_or(DEFAULT_SEED),
            amount,
            opening: OpeningOption::new(written.opening_turns)?,
            metrics: written.metrics,
            test,
        };
        request.experiment::<G>().or_usage_in(self.path.display())
    }

    /// The rules as options name them. A table of rules is what a file of rules may hold.
    fn rules(
        &self,
        rules: Option<Value>,
        set: &serde_json::Map<String, Value>,
        sides: Option<u64>,
    ) -> anyhow::Result<RulesOptions> {
        let text = |value: &Value| match value {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number.to_string()),
            Value::Array(values) => {
                Ok(values.iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
            }
            other => {
                Err(self.wrong(&format!("set: a text or a number was expected, found `{other}`")))
            }
        };
        let mut assignments = Vec::new();
        for (name, value) in set {
            assignments.push(format!("{name}={}", text(value)?));
        }
        let rules = match rules {
            None => None,
            Some(Value::String(name)) => Some(name),
            Some(table @ Value::Object(_)) => Some(table.to_string()),
            Some(other) => {
                return Err(self.wrong(&format!(
                    "rules: a preset, a file or a table was expected, found `{other}`"
                )));
            }
        };
        Ok(RulesOptions { rules, sides: sides.map(|sides| sides.to_string()), set: assignments })
    }

    fn pairing(&self, lineups: Option<Value>, bots: Vec<String>) -> anyhow::Result<Pairing> {
        match lineups {
            None => Ok(Pairing::Made(Lineups::Given, bots)),
            Some(Value::String(how)) => {
                let how = word(&how, &Lineups::ALL)
                    .map_err(|possible| self.wrong(&format!("lineups: no `{how}`; {possible}")))?;
                Ok(Pairing::Made(how, bots))
            }
            Some(given) => {
                if !bots.is_empty() {
                    return Err(self.wrong(
                        "bots and lineups: line-ups that are given name their bots, so `bots` must be left out",
                    ));
                }
                let named: Vec<Vec<String>> = serde_json::from_value(given).map_err(|_| {
                    self.wrong(
                        "lineups: given, all, gauntlet, or lists of bots were expected, as in [[\"easy\", \"random\"]]",
                    )
                })?;
                Ok(Pairing::Named(named))
            }
        }
    }

    fn test(&self, test: &WrittenTest) -> anyhow::Result<SequentialTest> {
        let scale = match &test.scale {
            None => Scale::default(),
            Some(name) => word(name, &Scale::ALL)
                .map_err(|possible| self.wrong(&format!("sprt: no scale `{name}`; {possible}")))?,
        };
        Ok(SequentialTest {
            bounds: scale.bounds(test.low, test.high),
            alpha: test.alpha.unwrap_or(DEFAULT_RATE),
            beta: test.beta.unwrap_or(DEFAULT_RATE),
        })
    }
}
