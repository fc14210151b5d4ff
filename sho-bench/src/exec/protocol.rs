//! The lines of the protocol `sho-bot/1`. What they mean is in `docs/bot-protocol.md`.

use std::time::Duration;

use sho_core::{Game, RuleSet, Seat};

use super::fault::{quoted, shortened};

/// The name and version of the protocol.
pub const PROTOCOL: &str = "sho-bot/1";

/// The most bytes that a line of a bot may have, its end not counted. An answer has some twenty.
pub const MAX_LINE: usize = 64 * 1024;

/// How long a bot may take from its start to the end of the hand-shake: enough for a slow interpreter on a busy machine.
pub const HELLO_LIMIT: Duration = Duration::from_secs(10);

/// How long a bot may take to end after `bye`, before it is ended.
pub const BYE_LIMIT: Duration = Duration::from_secs(1);

/// The last line that a bot is sent.
#[cfg(unix)]
pub(super) const BYE: &str = "bye\n";

/// What a bot is told first: the protocol, the game and its rules.
pub(super) fn greeting<G: Game>(game: &G) -> String {
    format!("hello {PROTOCOL}\ngame {}\nrules {}\n", G::NAME, game.rules().settings_text())
}

/// The line that begins a game.
pub(super) fn start(seat: Seat, seed: u32) -> String {
    format!("start {seat} {seed}\n")
}

/// A position and its legal actions, for which an answer is due.
pub(super) fn question<'a>(position: &str, actions: impl Iterator<Item = &'a str>) -> String {
    let mut text = format!("position {position}\nactions");
    for action in actions {
        text.push(' ');
        text.push_str(action);
    }
    text.push('\n');
    text
}

/// An answer to the greeting that a game cannot be played with.
#[derive(Debug)]
pub(super) enum BadHello {
    /// It speaks another protocol or version.
    Version(String),
    /// It does not want to play this game, or by these rules.
    Refused(String),
    /// It is no such answer.
    Garbage(String),
}

/// The name that a bot gives itself in its answer to the greeting; it may be empty.
pub(super) fn read_hello(line: &str) -> Result<String, BadHello> {
    let (keyword, rest) = split(line);
    match keyword {
        "hello" => {
            let (protocol, name) = split(rest);
            if protocol == PROTOCOL {
                Ok(shortened(name))
            } else {
                Err(BadHello::Version(quoted(protocol)))
            }
        }
        "refuse" => Err(BadHello::Refused(shortened(rest))),
        _ => Err(BadHello::Garbage(format!("expected `hello {PROTOCOL}`, found {}", quoted(line)))),
    }
}

/// The action of an answer; what is wrong with the line where it is none.
pub(super) fn read_action(line: &str) -> Result<&str, String> {
    match split(line) {
        ("action", action) if !action.is_empty() && !action.contains(' ') => Ok(action),
        _ => Err(format!("expected `action` and one action, found {}", quoted(line))),
    }
}

/// The first word and the rest, without the spaces round them.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim_matches(' ');
    line.split_once(' ').map_or((line, ""), |(word, rest)| (word, rest.trim_start_matches(' ')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read() {
        for (line, name) in [
            ("hello sho-bot/1", ""),
            ("hello sho-bot/1 my bot", "my bot"),
            ("  hello   sho-bot/1   my  bot ", "my  bot"),
        ] {
            assert_eq!(read_hello(line).unwrap(), name);
        }
        assert!(
            matches!(read_hello("hello sho-bot/2 x"), Err(BadHello::Version(text)) if text == "`sho-bot/2`")
        );
        assert!(matches!(read_hello("hello"), Err(BadHello::Version(_))));
        assert!(
            matches!(read_hello("refuse no, thanks"), Err(BadHello::Refused(text)) if text == "no, thanks")
        );
        for line in ["", "Hello sho-bot/1", "hellosho-bot/1", "action @7", "hello\tsho-bot/1"] {
            assert!(matches!(read_hello(line), Err(BadHello::Garbage(_))), "{line}");
        }
        for line in ["action @7", "action   @7", " action @7  "] {
            assert_eq!(read_action(line), Ok("@7"));
        }
        for line in ["", "action", "action ", "@7", "action @7 @8", "actions @7", "action\t@7"] {
            assert!(read_action(line).is_err(), "{line}");
        }
    }
}
