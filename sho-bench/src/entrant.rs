//! Who takes part: a bot of the game, one in another program, or one of the calling program: [`Entrant`].

use std::{fmt, fs};

use sho_ai::{BotError, BotSpec, Bots, ChosenWeights, Policy, ReadFile};

use crate::digest;
use crate::exec::{ExecSpec, ExecSpecError};
use crate::guest::GuestBot;

/// A bot of the game or in another program, which a text names; or one that the calling program brings along.
///
/// ```
/// use sho_bench::Entrant;
/// use sho_core::sho::Sho;
///
/// assert_eq!(Entrant::parse::<Sho>("greedy")?.to_string(), "easy");
/// let other = Entrant::parse::<Sho>("exec:command=python3 bot.py")?;
/// assert!(!other.is_deterministic());
/// # Ok::<(), sho_bench::EntrantError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Entrant {
    /// A bot of the game.
    Bot(OwnBot),
    /// A bot in another program.
    Exec(ExecSpec),
    /// A bot of the calling program.
    Guest(GuestBot),
}

/// A bot of the game, with the text of the file that it plays by, if it does.
///
/// The file is read once, when the bot is named. So all its games are played by the same weights, whatever happens to the
/// file meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OwnBot {
    spec: BotSpec,
    file: Option<String>,
    weights: Option<String>,
}

impl OwnBot {
    fn read<G: Bots>(spec: BotSpec, from: &mut ReadFile<'_>) -> Result<Self, BotError> {
        let mut file = None;
        let mut read = |name: &str| {
            let text = from(name)?;
            file = Some(text.clone());
            Ok(text)
        };
        let weights = G::weights(&spec, &mut read)?;
        let weights = weights.map(|weights| digest::of_bytes(weights.as_bytes()));
        Ok(Self { spec, file, weights })
    }

    /// Its name and options.
    #[must_use]
    pub const fn spec(&self) -> &BotSpec {
        &self.spec
    }

    /// SHA-256 of the weights by which it plays, as [`Bots::weights`] writes them; nothing where it has none.
    #[must_use]
    pub fn weights(&self) -> Option<&str> {
        self.weights.as_deref()
    }

    /// A policy that plays this game so.
    ///
    /// # Errors
    /// Where it is none of the bots of `G`.
    pub fn policy<G: Bots>(&self, game: &G) -> Result<Box<dyn Policy<G>>, BotError> {
        let mut read = |_: &str| self.file.clone().ok_or_else(|| "it was not read".to_owned());
        G::bot_with(game, &self.spec, &mut read)
    }
}

/// A text that names no bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntrantError {
    /// Not a bot of the game, or not with these options.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// Not a bot in another program.
    #[error(transparent)]
    Exec(#[from] ExecSpecError),
    /// A guest under a name that cannot stand in lists.
    #[error("a guest named `{0}`: expected letters, digits, `-`, `_` and `.`")]
    GuestName(String),
    /// The text of a guest.
    #[error("{0} was brought along by a program, and only that program can make it")]
    GuestText(String),
    /// A guest that plays something else.
    #[error("guest:{0} is not made for this game and engine: {1}")]
    GuestOfAnother(String, &'static str),
}

impl Entrant {
    /// Reads a bot's text: `exec:...` is in another program, all others are of the game `G`. A file of weights that it
    /// names is read.
    ///
    /// # Errors
    /// Where there is no such bot, it has no such options, or the file is not what it needs.
    pub fn parse<G: Bots>(text: &str) -> Result<Self, EntrantError> {
        Self::parse_with::<G>(text, &mut |name| {
            fs::read_to_string(name).map_err(|error| error.to_string())
        })
    }

    /// Reads a bot's text as [`parse`](Self::parse) does, where `read` gives the files that it names: so its weights need
    /// not stand in a file.
    ///
    /// # Errors
    /// As [`parse`](Self::parse), and where `read` gives no text.
    ///
    /// ```
    /// use sho_ai::sho::Weights;
    /// use sho_bench::Entrant;
    /// use sho_core::sho::Sho;
    ///
    /// let mut weights = Weights::ALL_RULES;
    /// weights.joins += 1;
    /// let text = serde_json::to_string(&weights)?;
    /// let bot = Entrant::parse_with::<Sho>("weighted:weights=mine", &mut |_| Ok(text.clone()))?;
    /// assert_ne!(bot.weights(), Entrant::parse::<Sho>("hard")?.weights());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse_with<G: Bots>(text: &str, read: &mut ReadFile<'_>) -> Result<Self, EntrantError> {
        if ExecSpec::is_meant(text) {
            return Ok(Self::Exec(text.parse()?));
        }
        if GuestBot::is_meant(text) {
            return Err(EntrantError::GuestText(text.to_owned()));
        }
        Ok(Self::Bot(OwnBot::read::<G>(G::spec(text)?, read)?))
    }

    /// SHA-256 of the weights by which it plays; nothing where it has none, or is no bot of the game.
    #[must_use]
    pub fn weights(&self) -> Option<&str> {
        match self {
            Self::Bot(bot) => bot.weights(),
            Self::Exec(_) | Self::Guest(_) => None,
        }
    }

    /// By which of its weights it plays under these rules; nothing where it has no choice of its own.
    ///
    /// ```
    /// use sho_bench::Entrant;
    /// use sho_core::sho::{Rules, Sho};
    /// let hard = Entrant::parse::<Sho>("hard")?;
    /// assert_eq!(hard.judges_by::<Sho>(&Rules::lhasa()).unwrap().found_for, "lhasa, 3 sides");
    /// # Ok::<(), sho_bench::EntrantError>(())
    /// ```
    #[must_use]
    pub fn judges_by<G: Bots>(&self, rules: &G::Rules) -> Option<ChosenWeights> {
        match self {
            Self::Bot(bot) => G::judges_by(rules, &bot.spec),
            Self::Exec(_) | Self::Guest(_) => None,
        }
    }

    /// Whether it ever draws, so that it may choose otherwise in the same position of another game. Of bots that are not
    /// the game's that is not known.
    #[must_use]
    pub fn draws<G: Bots>(&self) -> bool {
        match self {
            Self::Bot(bot) => G::draws(&bot.spec),
            Self::Exec(_) | Self::Guest(_) => true,
        }
    }

    /// Whether it plays the same games when they are played again, as a [`Policy`] must. Of other programs that is not
    /// known.
    #[must_use]
    pub const fn is_deterministic(&self) -> bool {
        !matches!(self, Self::Exec(_))
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot(bot) => bot.spec.fmt(f),
            Self::Exec(spec) => spec.fmt(f),
            Self::Guest(guest) => guest.fmt(f),
        }
    }
}
