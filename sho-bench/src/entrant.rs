//! Who takes part: a bot of the game, or one in another program: [`Entrant`].

use std::fmt;

use sho_ai::{BotError, BotSpec, Bots};

use crate::exec::{ExecSpec, ExecSpecError};

/// A bot as text, in this program or in another one.
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
    Bot(BotSpec),
    /// A bot in another program.
    Exec(ExecSpec),
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
}

impl Entrant {
    /// Reads a bot's text: `exec:...` is in another program, all others are of the game `G`.
    ///
    /// # Errors
    /// Where there is no such bot, or it has no such options.
    pub fn parse<G: Bots>(text: &str) -> Result<Self, EntrantError> {
        if ExecSpec::is_meant(text) {
            return Ok(Self::Exec(text.parse()?));
        }
        let spec = G::spec(text)?;
        // Whether options have possible values is known only when the bot is made.
        G::bot(&spec)?;
        Ok(Self::Bot(spec))
    }

    /// Whether it ever draws, so that it may choose otherwise in the same position of another game. Of other programs
    /// that is not known.
    #[must_use]
    pub fn draws<G: Bots>(&self) -> bool {
        match self {
            Self::Bot(spec) => G::draws(spec),
            Self::Exec(_) => true,
        }
    }

    /// Whether it plays the same games when they are played again. Of other programs that is not known.
    #[must_use]
    pub const fn is_deterministic(&self) -> bool {
        matches!(self, Self::Bot(_))
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot(spec) => spec.fmt(f),
            Self::Exec(spec) => spec.fmt(f),
        }
    }
}
