//! A bot in another program as text: [`ExecSpec`].

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use sho_core::nearest;

/// How long a bot may think over a whole game: milliseconds, at least one, as a text in seconds such as `10` or `0.5`.
///
/// ```
/// use sho_bench::exec::TimeLimit;
///
/// let limit: TimeLimit = "2.50".parse()?;
/// assert_eq!(limit.duration().as_millis(), 2500);
/// assert_eq!(limit.to_string(), "2.5");
/// assert!("0".parse::<TimeLimit>().is_err());
/// # Ok::<(), sho_bench::exec::TimeLimitError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeLimit {
    milliseconds: u64,
}

/// A text that is no time limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected seconds from 0.001 to {max}, with at most three decimals, found `{found}`", max = TimeLimit::MOST_SECONDS)]
pub struct TimeLimitError {
    /// The text.
    pub found: String,
}

impl TimeLimit {
    /// The longest limit in seconds: some eleven days, beyond which nobody waits.
    pub const MOST_SECONDS: u64 = 1_000_000;

    /// The limit as a duration.
    #[must_use]
    pub const fn duration(self) -> Duration {
        Duration::from_millis(self.milliseconds)
    }
}

impl FromStr for TimeLimit {
    type Err = TimeLimitError;

    fn from_str(text: &str) -> Result<Self, TimeLimitError> {
        let parsed = || {
            let (whole, decimals) = match text.split_once('.') {
                Some((whole, decimals)) => (whole, Some(decimals)),
                None => (text, None),
            };
            let is_number =
                |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let canonical = whole == "0" || !whole.starts_with('0');
            if !is_number(whole) || !canonical {
                return None;
            }
            let thousandths = match decimals {
                Some(decimals) if is_number(decimals) && decimals.len() <= 3 => {
                    format!("{decimals:0<3}").parse().ok()?
                }
                Some(_) => return None,
                None => 0,
            };
            let seconds: u64 = whole.parse().ok()?;
            let milliseconds = seconds.checked_mul(1000)?.checked_add(thousandths)?;
            (1..=1000 * Self::MOST_SECONDS).contains(&milliseconds).then_some(Self { milliseconds })
        };
        parsed().ok_or_else(|| TimeLimitError { found: text.to_owned() })
    }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, thousandths) = (self.milliseconds / 1000, self.milliseconds % 1000);
        match thousandths {
            0 => write!(f, "{whole}"),
            _ => write!(f, "{whole}.{}", format!("{thousandths:03}").trim_end_matches('0')),
        }
    }
}

/// A bot in another program: `exec:command=COMMAND`, with options before `command=`, as in
/// `exec:limit=10:command=python3 bot.py`.
///
/// The rest of the text after `command=` is the command, whatever it holds; so it may have `:` and `,` in it. The shell
/// runs it (`sh -c COMMAND`), in the working folder and with the environment of this program: quotes, arguments and
/// variables are those of the shell.
///
/// Printing and parsing are inverse, but for the spelling of a limit.
///
/// ```
/// use sho_bench::exec::ExecSpec;
///
/// let spec: ExecSpec = "exec:limit=10:command=python3 bot.py --name 'a,b:c'".parse()?;
/// assert_eq!(spec.command(), "python3 bot.py --name 'a,b:c'");
/// assert_eq!(spec.limit().unwrap().to_string(), "10");
/// assert_eq!(spec.to_string(), "exec:limit=10:command=python3 bot.py --name 'a,b:c'");
/// # Ok::<(), sho_bench::exec::ExecSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecSpec {
    limit: Option<TimeLimit>,
    command: String,
}

/// A text that names no bot in another program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecSpecError {
    /// It does not begin as such bots do.
    #[error("`{0}` is not of the form exec:command=COMMAND")]
    NotExec(String),
    /// It has no command.
    #[error("bot exec: command= is missing, as in `exec:command=python3 bot.py`; found `{0}`")]
    NoCommand(String),
    /// There is no such option before the command.
    #[error(
        "bot exec: `{given}` is not one of its options; did you mean `{nearest}`? possible: \
         limit=SECONDS, and command=COMMAND at the end"
    )]
    UnknownOption {
        /// What stands there.
        given: String,
        /// The option with the nearest name.
        nearest: &'static str,
    },
    /// An option stands there twice.
    #[error("bot exec: `{0}` is given twice")]
    Twice(String),
    /// The limit is none.
    #[error("bot exec: limit: {0}")]
    Limit(#[from] TimeLimitError),
    /// The command is empty, or not one line of text.
    #[error("bot exec: the command must be one line that is not blank, found {0:?}")]
    Command(String),
}

impl ExecSpec {
    /// The name that such a bot's text begins with.
    pub const NAME: &'static str = "exec";

    /// The bot that this command runs, with a limit or without.
    ///
    /// # Errors
    /// Where the command is blank, or has a line end or another control character in it.
    pub fn new(
        command: impl Into<String>,
        limit: Option<TimeLimit>,
    ) -> Result<Self, ExecSpecError> {
        let command = command.into();
        if command.trim().is_empty() || command.contains(char::is_control) {
            return Err(ExecSpecError::Command(command));
        }
        Ok(Self { limit, command })
    }

    /// Whether a bot's text means a bot in another program, well formed or not.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        text.strip_prefix(Self::NAME).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    }

    /// The command for the shell.
    #[must_use]
    pub fn command(&self) -> &str {
        &self.command
    }

    /// How long the bot may think over a whole game; nothing where it may think as long as it likes.
    #[must_use]
    pub const fn limit(&self) -> Option<TimeLimit> {
        self.limit
    }
}

impl FromStr for ExecSpec {
    type Err = ExecSpecError;

    fn from_str(text: &str) -> Result<Self, ExecSpecError> {
        if !Self::is_meant(text) {
            return Err(ExecSpecError::NotExec(text.to_owned()));
        }
        let mut rest = text.strip_prefix(Self::NAME).unwrap_or_default();
        let mut limit = None;
        loop {
            let Some(part) = rest.strip_prefix(':') else {
                return Err(ExecSpecError::NoCommand(text.to_owned()));
            };
            if let Some(command) = part.strip_prefix("command=") {
                return Self::new(command, limit);
            }
            let end = part.find(':').unwrap_or(part.len());
            let (option, after) = part.split_at(end);
            let Some(value) = option.strip_prefix("limit=") else {
                let name = option.split('=').next().unwrap_or_default();
                return Err(ExecSpecError::UnknownOption {
                    given: option.to_owned(),
                    nearest: nearest(name, ["limit", "command"]),
                });
            };
            if limit.replace(value.parse()?).is_some() {
                return Err(ExecSpecError::Twice(option.to_owned()));
            }
            rest = after;
        }
    }
}

impl fmt::Display for ExecSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAME)?;
        if let Some(limit) = self.limit {
            write!(f, ":limit={limit}")?;
        }
        write!(f, ":command={}", self.command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_specs_are_inverse() {
        for text in [
            "exec:command=./bot",
            "exec:limit=10:command=python3 bot.py",
            "exec:limit=0.001:command=a:b,c=d:limit=3:command=e",
            "exec:limit=1000000:command= spaces  stay ",
            "exec:command=limit=3",
        ] {
            let spec: ExecSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        let spec: ExecSpec = "exec:limit=7.50:command=x".parse().unwrap();
        assert_eq!(spec.to_string(), "exec:limit=7.5:command=x");
        let seven: TimeLimit = "7.000".parse().unwrap();
        assert_eq!((seven.to_string().as_str(), seven.duration().as_secs()), ("7", 7));
    }

    #[test]
    fn mistakes_are_named() {
        let cases = [
            ("easy", "`easy` is not of the form exec:command=COMMAND"),
            ("execute:command=x", "is not of the form"),
            ("exec", "command= is missing"),
            ("exec:limit=3", "command= is missing"),
            ("exec:command=", "one line that is not blank, found \"\""),
            ("exec:command=  ", "one line that is not blank"),
            ("exec:command=a\nb", "found \"a\\nb\""),
            ("exec:limt=3:command=x", "`limt=3` is not one of its options; did you mean `limit`?"),
            ("exec:comand=x", "did you mean `command`?"),
            ("exec::command=x", "`` is not one of its options"),
            ("exec:limit=3:limit=4:command=x", "`limit=4` is given twice"),
            ("exec:limit=0:command=x", "seconds from 0.001 to 1000000"),
            ("exec:limit=:command=x", "found ``"),
            ("exec:limit=007.5:command=x", "found `007.5`"),
            ("exec:limit=-1:command=x", "found `-1`"),
            ("exec:limit=+1:command=x", "found `+1`"),
            ("exec:limit=1.:command=x", "found `1.`"),
            ("exec:limit=.5:command=x", "found `.5`"),
            ("exec:limit=1.2345:command=x", "found `1.2345`"),
            ("exec:limit=1e3:command=x", "found `1e3`"),
            ("exec:limit=inf:command=x", "found `inf`"),
            ("exec:limit=1000000.001:command=x", "found `1000000.001`"),
            ("exec:limit=99999999999999999999:command=x", "found"),
        ];
        for (text, expected) in cases {
            let message = text.parse::<ExecSpec>().unwrap_err().to_string();
            assert!(message.contains(expected), "{text}: {message}");
            assert!(!message.contains('\n'));
        }
    }
}
