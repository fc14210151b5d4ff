//! Bots as text: [`BotSpec`], and the bots that a game has: [`Bots`].
//!
//! A bot is `NAME[:option=value]...`, as in `expectimax:depth=2`.

use std::fmt;
use std::ops::RangeInclusive;

use sho_core::{Game, nearest};

use crate::playout::{Playouts, hashed};
use crate::policy::Policy;

/// A bot that a game offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotInfo {
    /// Its canonical name.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// How it plays, in one sentence.
    pub about: &'static str,
    /// Its options, each with what it means.
    pub options: &'static [(&'static str, &'static str)],
    /// Whether it ever draws from its words, so that it may choose otherwise in the same position of another game.
    pub draws: bool,
}

/// Which of the sets of weights that a bot has by itself it plays by under some rules. As text it is what people say of it.
///
/// ```
/// use sho_ai::Bots;
/// use sho_core::RuleSet;
/// use sho_core::sho::{Rules, Sho};
///
/// let hard = Sho::spec("hard")?;
/// let mut rules = Rules::lhasa();
/// rules.assign("going-home=exact")?;
/// let chosen = Sho::judges_by(&rules, &hard).unwrap();
/// assert_eq!((chosen.found_for, &chosen.differs[..]), ("lhasa, 3 sides", &["going-home"][..]));
/// assert_eq!(
///     chosen.to_string(),
///     "weights for lhasa, 3 sides, the nearest; not the same: going-home"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenWeights {
    /// What they were found for, as people call it.
    pub found_for: &'static str,
    /// The settings in which the rules are not those that they were found for: then they are the nearest that it has.
    pub differs: Vec<&'static str>,
}

impl fmt::Display for ChosenWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "weights for {}", self.found_for)?;
        if !self.differs.is_empty() {
            write!(f, ", the nearest; not the same: {}", self.differs.join(", "))?;
        }
        Ok(())
    }
}

/// A bot's name and options as given, its name made canonical.
///
/// ```
/// use sho_ai::{BotSpec, Bots};
/// use sho_core::sho::plain::Sho;
///
/// assert_eq!(Sho::spec("greedy")?.to_string(), "easy");
/// assert!(Sho::spec("esay").unwrap_err().to_string().contains("did you mean `easy`?"));
/// # Ok::<(), sho_ai::BotError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BotSpec {
    /// The canonical name.
    pub name: &'static str,
    /// The options in the order given.
    pub options: Vec<(String, String)>,
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        for (name, value) in &self.options {
            write!(f, ":{name}={value}")?;
        }
        Ok(())
    }
}

impl BotSpec {
    /// The number that an option has, where it is given.
    ///
    /// # Errors
    /// Where it is not a number in this range, or is not written as numbers are: `+3` and `03` are no second spelling of
    /// a bot.
    pub fn number(
        &self,
        option: &str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, BotError> {
        let Some((_, given)) = self.options.iter().find(|(name, _)| name == option) else {
            return Ok(None);
        };
        match given.parse() {
            Ok(number) if range.contains(&number) && number.to_string() == *given => {
                Ok(Some(number))
            }
            _ => Err(BotError::UnknownValue {
                bot: self.name,
                option: option.to_owned(),
                given: given.clone(),
                possible: format!("a number from {} to {}", range.start(), range.end()),
            }),
        }
    }
}

/// A text that names no bot of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BotError {
    /// There is no bot of this name.
    #[error("no bot `{given}`; did you mean `{nearest}`? bots of {game}: {all}")]
    UnknownBot {
        /// The name that was given.
        given: String,
        /// The game.
        game: &'static str,
        /// The nearest name that there is.
        nearest: &'static str,
        /// All names.
        all: String,
    },
    /// The bot has no such option, or it was given twice.
    #[error(
        "bot {bot}: `{given}` is not one of its options, each given once; possible: {possible}"
    )]
    UnknownOption {
        /// The bot.
        bot: &'static str,
        /// The option as given.
        given: String,
        /// The names of its options.
        possible: String,
    },
    /// The option cannot take this value.
    #[error("bot {bot}: {option} cannot be `{given}`; possible: {possible}")]
    UnknownValue {
        /// The bot.
        bot: &'static str,
        /// The option.
        option: String,
        /// The value that was given.
        given: String,
        /// What is possible.
        possible: String,
    },
    /// The bot cannot do without this option.
    #[error("bot {bot}: {option}= is missing: {about}")]
    MissingOption {
        /// The bot.
        bot: &'static str,
        /// The option.
        option: &'static str,
        /// What the option means.
        about: &'static str,
    },
    /// The file that an option names cannot be read, or is not what the bot needs.
    #[error("bot {bot}: {option}={file}: {reason}")]
    BadFile {
        /// The bot.
        bot: &'static str,
        /// The option.
        option: &'static str,
        /// The file as given.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// Gives the text of a file that a bot's option names, or says why it cannot. This crate reads no files; whoever makes
/// bots hands it one of these.
pub type ReadFile<'a> = dyn FnMut(&str) -> Result<String, String> + 'a;

/// Refuses every file.
fn no_files(_: &str) -> Result<String, String> {
    Err("no files can be read here".to_owned())
}

/// A game that has bots.
pub trait Bots: Game {
    /// Its bots, weakest first.
    const BOTS: &'static [BotInfo];

    /// The name of the bot that plays where none is named.
    const DEFAULT_BOT: &'static str;

    /// The bot of a spec that [`spec`](Self::spec) gave, where `read` gives the files that it names. It is made for a game,
    /// since how it judges may hang on the rules; games by other rules want a bot of their own.
    ///
    /// # Errors
    /// Where an option's value is not possible, or a file is not what the bot needs.
    fn bot_with(
        game: &Self,
        spec: &BotSpec,
        read: &mut ReadFile<'_>,
    ) -> Result<Box<dyn Policy<Self>>, BotError>;

    /// The bot of a spec that [`spec`](Self::spec) gave, where no files can be read.
    ///
    /// # Errors
    /// As [`bot_with`](Self::bot_with), and for every bot that needs a file.
    fn bot(game: &Self, spec: &BotSpec) -> Result<Box<dyn Policy<Self>>, BotError> {
        Self::bot_with(game, spec, &mut no_files)
    }

    /// The weights by which the bot of a spec plays, where it has any: a line `name=value` for each, in a promised
    /// order, and all of them where they hang on the rules. Two bots whose texts are equal have equal weights, however
    /// their files are written; a hash of it belongs to the bot's identity.
    ///
    /// # Errors
    /// As [`bot_with`](Self::bot_with), whatever the rules: so a spec can be checked before there is a game.
    fn weights(spec: &BotSpec, read: &mut ReadFile<'_>) -> Result<Option<String>, BotError>;

    /// By which of its weights the bot of a spec plays under these rules, where it has several sets of them or might have;
    /// nothing for a bot without weights, or with those of a file, which its text names.
    fn judges_by(_rules: &Self::Rules, _spec: &BotSpec) -> Option<ChosenWeights> {
        None
    }

    /// A faster way to play whole games of these bots, where the game knows one: the same games, choice by choice.
    fn playouts(_game: &Self, _bots: &[&BotSpec]) -> Option<Box<dyn Playouts<Self>>> {
        None
    }

    /// A word for an outcome of chance, for [`GameTrace`](crate::GameTrace): two that differ have different ones, and at
    /// most 62 bits.
    #[inline]
    #[must_use]
    fn outcome_word(outcome: Self::Outcome) -> u64 {
        hashed(outcome) >> 2
    }

    /// A word for an action, for [`GameTrace`](crate::GameTrace): two that do different things in the same position have
    /// different ones.
    #[inline]
    #[must_use]
    fn action_word(action: Self::Action) -> u64 {
        hashed(action)
    }

    /// Whether the bot of a spec ever draws from its words. Two that do not play one and the same game from one start,
    /// unless chance has a part in it.
    fn draws(spec: &BotSpec) -> bool {
        Self::BOTS.iter().any(|info| info.name == spec.name && info.draws)
    }

    /// Reads a bot's text; the values of options are for [`bot`](Self::bot).
    ///
    /// # Errors
    /// Where the game has no such bot, or the bot no such option; the message has the nearest name.
    fn spec(text: &str) -> Result<BotSpec, BotError> {
        let mut parts = text.split(':');
        let given = parts.next().unwrap_or("");
        let Some(info) =
            Self::BOTS.iter().find(|info| info.name == given || info.aliases.contains(&given))
        else {
            let names = || {
                Self::BOTS
                    .iter()
                    .flat_map(|info| [info.name].into_iter().chain(info.aliases.iter().copied()))
            };
            return Err(BotError::UnknownBot {
                given: given.to_owned(),
                game: Self::NAME,
                nearest: nearest(given, names()),
                all: names().collect::<Vec<_>>().join(", "),
            });
        };
        let mut options: Vec<(String, String)> = Vec::new();
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let known = info.options.iter().any(|(option, _)| *option == name);
            if !known || options.iter().any(|(other, _)| other == name) {
                let possible: Vec<_> = info.options.iter().map(|(option, _)| *option).collect();
                return Err(BotError::UnknownOption {
                    bot: info.name,
                    given: part.to_owned(),
                    possible: if possible.is_empty() {
                        "none".to_owned()
                    } else {
                        possible.join(", ")
                    },
                });
            }
            options.push((name.to_owned(), value.to_owned()));
        }
        Ok(BotSpec { name: info.name, options })
    }
}
