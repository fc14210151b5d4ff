//! Options that commands share, and what they come to.

use std::fs;
use std::path::Path;

use clap::{Args, ValueEnum};
use sho_ai::opening::usual_turns;
use sho_bench::{ExperimentError, Schedule};
use sho_core::{RuleSet, nearest};

use super::dispatch::{Command, DEFAULT_GAME, Playable, dispatch};
use super::failure::{OrUsage, Usage};

/// The master seed where none is given.
pub(crate) const DEFAULT_SEED: u64 = 1;

/// Options of every command.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct OutputOptions {
    /// Print no remarks and no progress on standard error
    #[arg(long, global = true, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Colours on standard output; auto: on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output"
    )]
    color: ColorChoice,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum ColorChoice {
    Auto,
    Always,
    Never,
}

impl OutputOptions {
    /// Whether standard output is to be coloured. `terminal` says whether it is a terminal that takes colours.
    pub(crate) fn color(self, terminal: bool) -> bool {
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => terminal,
        }
    }
}

/// Which game, played by which engine.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameOptions {
    /// The game
    #[arg(long, value_name = "NAME", default_value = DEFAULT_GAME, help_heading = "Game and rules")]
    pub(crate) game: String,

    #[command(flatten)]
    pub(crate) engine: EngineOption,
}

impl GameOptions {
    /// Does `command` with the game.
    pub(crate) fn dispatch<C: Command>(&self, command: C) -> anyhow::Result<C::Output> {
        dispatch(&self.game, self.engine.engine.as_deref(), command)
    }
}

/// Which engine plays.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineOption {
    /// The engine that plays: another speed, the same results
    #[arg(long, value_name = "NAME", help_heading = "Game and rules")]
    pub(crate) engine: Option<String>,
}

/// Which rules.
#[derive(Args, Clone, Debug)]
pub(crate) struct RulesOptions {
    /// A preset, a file of rules as JSON, or such JSON itself; default: the game's first preset
    #[arg(long, value_name = "PRESET|FILE", help_heading = "Game and rules")]
    pub(crate) rules: Option<String>,

    /// How many sides play
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = "Game and rules")]
    pub(crate) sides: Option<String>,

    /// Change one setting of the rules; may be given several times
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Game and rules")]
    pub(crate) set: Vec<String>,
}

/// Rules as the options say, before a position or a line-up had its say on the number of sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenRules<R> {
    rules: R,
    /// The number of sides that `--sides` or `--set sides=` asked for.
    sides: Option<usize>,
}

impl RulesOptions {
    /// Whether no option names any rules.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_none() && self.sides.is_none() && self.set.is_empty()
    }

    /// The rules that the options name.
    pub(crate) fn choose<G: Playable>(&self) -> anyhow::Result<ChosenRules<G::Rules>> {
        let mut rules = match &self.rules {
            Some(name) => named_rules(name)?,
            None => G::Rules::PRESETS[0].rules,
        };
        let mut asked: Option<(usize, String)> = None;
        let from_sides = self.sides.iter().map(|value| format!("sides={value}"));
        for assignment in from_sides.chain(self.set.iter().cloned()) {
            let is_sides = assignment.starts_with("sides=");
            if is_sides && !has_sides_setting::<G::Rules>() {
                if assignment != format!("sides={}", rules.sides()) {
                    return Err(Usage::error(format!(
                        "{} has {} sides, and {assignment} was asked for",
                        G::NAME,
                        rules.sides()
                    )));
                }
                continue;
            }
            rules.assign(&assignment).or_usage()?;
            if is_sides {
                match &asked {
                    Some((sides, before)) if *sides != rules.sides() => {
                        return Err(Usage::error(format!("{assignment} contradicts {before}")));
                    }
                    _ => asked = Some((rules.sides(), assignment)),
                }
            }
        }
        Ok(ChosenRules { rules, sides: asked.map(|(sides, _)| sides) })
    }
}

fn has_sides_setting<R: RuleSet>() -> bool {
    R::SETTINGS.iter().any(|setting| setting.name == "sides")
}

/// The rules of a preset or a file. What looks like a path is one, so that a misspelt preset is never taken for a file.
fn named_rules<R: RuleSet + serde::de::DeserializeOwned>(name: &str) -> anyhow::Result<R> {
    if name.trim_start().starts_with('{') {
        return serde_json::from_str(name).or_usage_in("rules");
    }
    let is_file =
        name.ends_with(".json") || name.contains(['/', '\\']) || Path::new(name).is_file();
    let is_preset = R::PRESETS.iter().any(|preset| preset.name == name);
    if is_preset || !is_file {
        return R::preset(name).or_usage();
    }
    let text = fs::read(name).or_usage_in(name)?;
    serde_json::from_slice(&text).or_usage_in(name)
}

impl<R: RuleSet> ChosenRules<R> {
    /// The rules as they are.
    pub(crate) fn rules(self) -> anyhow::Result<R> {
        self.rules.check().or_usage()?;
        Ok(self.rules)
    }

    /// The rules for a table with `sides` sides, as `what` has. An option may say the same number and no other; the
    /// number in a preset or file is only a default.
    pub(crate) fn for_sides(mut self, sides: usize, what: &str) -> anyhow::Result<R> {
        if let Some(asked) = self.sides.filter(|&asked| asked != sides) {
            return Err(Usage::error(format!(
                "{what}: it has {sides} sides, which contradicts the {asked} sides asked for"
            )));
        }
        if self.rules.sides() != sides && self.rules.set("sides", &sides.to_string()).is_err() {
            // A game without the setting has one number of sides.
            let possible = R::setting("sides").map_or_else(
                |_| self.rules.sides().to_string(),
                |setting| setting.values.to_string(),
            );
            let plural = if sides == 1 { "" } else { "s" };
            return Err(Usage::error(format!(
                "{what}: it has {sides} side{plural}, and the game has {possible}"
            )));
        }
        self.rules()
    }
}

/// A game by the rules of the options, made anew where a position has another number of sides.
#[derive(Debug)]
pub(crate) struct Tables<G: Playable> {
    chosen: ChosenRules<G::Rules>,
    game: Option<G>,
}

impl<G: Playable> Tables<G> {
    /// The games by these rules.
    pub(crate) fn new(chosen: ChosenRules<G::Rules>) -> Self {
        Self { chosen, game: None }
    }

    /// The game at its start.
    pub(crate) fn start(&mut self) -> anyhow::Result<(&G, G::State)> {
        let game = self.game.insert(G::new(self.chosen.rules()?).or_usage()?);
        let state = game.start();
        Ok((game, state))
    }

    /// The position of a line, with the game that it belongs to.
    pub(crate) fn position(&mut self, line: &str) -> anyhow::Result<(&G, G::State)> {
        let sides = G::sides_of(line).unwrap_or(self.chosen.rules.sides());
        let game = match self.game.take().filter(|game| game.seats() == sides) {
            Some(game) => game,
            None => G::new(self.chosen.for_sides(sides, "position")?).or_usage()?,
        };
        let game = self.game.insert(game);
        let state = game.parse_state(line).or_usage_in("position")?;
        Ok((game, state))
    }
}

/// Which bots sit at the table.
#[derive(Args, Clone, Debug)]
pub(crate) struct BotOptions {
    /// The bots, separated by commas, as in easy,random; `sho bots` lists them
    #[arg(long, value_name = "A,B,C", conflicts_with = "bot")]
    bots: Option<String>,

    /// One bot, which may have commas in its options; once for each bot
    #[arg(long, value_name = "BOT")]
    bot: Vec<String>,
}

impl BotOptions {
    /// The bots' texts in order; none where none was named.
    pub(crate) fn texts(&self) -> anyhow::Result<Vec<String>> {
        let texts = match &self.bots {
            Some(list) => list.split(',').map(str::to_owned).collect(),
            None => self.bot.clone(),
        };
        if texts.iter().any(String::is_empty) {
            let given = self.bots.as_deref().unwrap_or("");
            return Err(Usage::error(format!(
                "`{given}` has an empty name in it; bots are named as in easy,random"
            )));
        }
        Ok(texts)
    }
}

/// Where chance comes from.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct SeedOption {
    /// The master seed of all chance
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED, allow_negative_numbers = true, value_parser = number::<0, { u64::MAX }>)]
    pub(crate) seed: u64,
}

/// The most opening turns that may be asked for: a game by the default rules has some hundred turns.
const MAX_OPENING_TURNS: u64 = 10_000;

/// How blocks of a game without chance begin.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct OpeningOption {
    /// In a game without dice: how many random turns each block begins with [default: 6]
    #[arg(long, value_name = "N", value_parser = number::<0, MAX_OPENING_TURNS>)]
    opening_turns: Option<u64>,
}

impl OpeningOption {
    /// As a file says it.
    pub(crate) fn new(opening_turns: Option<u64>) -> anyhow::Result<Self> {
        match opening_turns {
            Some(turns) if turns > MAX_OPENING_TURNS => Err(Usage::error(format!(
                "opening_turns {turns}: expected a number from 0 to {MAX_OPENING_TURNS}"
            ))),
            _ => Ok(Self { opening_turns }),
        }
    }

    /// How many turns, 0 in a game with chance.
    pub(crate) fn turns<G: Playable>(self) -> anyhow::Result<u32> {
        match self.opening_turns {
            Some(_) if G::HAS_CHANCE => {
                Err(Usage::error(ExperimentError::NoOpenings(G::NAME).to_string()))
            }
            Some(turns) => Ok(turns as u32),
            None => Ok(usual_turns::<G>()),
        }
    }
}

/// How bots change seats.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ScheduleOption {
    /// How the bots change seats within a block: rotations, permutations or fixed
    #[arg(long, value_name = "NAME", default_value = "rotations", value_parser = |text: &str| word(text, &Schedule::ALL))]
    pub(crate) schedule: Schedule,
}

/// Reads one of some words, for clap.
pub(crate) fn word<T: Copy>(text: &str, words: &[(T, &'static str)]) -> Result<T, String> {
    let names = || words.iter().map(|&(_, name)| name);
    match words.iter().find(|&&(_, name)| name == text) {
        Some(&(value, _)) => Ok(value),
        None => Err(format!(
            "did you mean `{}`? possible: {}",
            nearest(text, names()),
            names().collect::<Vec<_>>().join(", ")
        )),
    }
}

/// How many threads work.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ThreadsOption {
    /// Threads to work with: another speed, the same results; default: one a core
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number::<1, 1024>)]
    threads: Option<u64>,
}

impl ThreadsOption {
    /// How many threads; 0 for one a core.
    pub(crate) fn count(self) -> usize {
        self.threads.map_or(0, |threads| threads as usize)
    }

    /// A pool of so many threads.
    pub(crate) fn pool(self) -> anyhow::Result<rayon::ThreadPool> {
        Ok(rayon::ThreadPoolBuilder::new().num_threads(self.count()).build()?)
    }
}

/// The form of a list.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// For programs.
    Json,
}

/// Reads a number from `LEAST` to `MOST`, for clap.
pub(crate) fn number<const LEAST: u64, const MOST: u64>(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|number| (LEAST..=MOST).contains(number))
        .ok_or_else(|| format!("expected a number from {LEAST} to {MOST}"))
}
