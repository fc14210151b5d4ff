//! What went wrong, and whose it is to mend: [`Usage`] and the exit codes.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::{ContextKind, ErrorKind};
use sho_core::nearest;

use super::progress::Signals;

/// A mistake that the user can mend, as one line: what was given, and what is possible. It ends with exit code 2;
/// every other error ends with 1.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl Usage {
    pub(crate) fn error(message: impl Into<String>) -> anyhow::Error {
        Self(message.into()).into()
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Work that was stopped by a signal after it saved what it had: how to go on. It ends with the exit code of a program
/// that the signal ended.
#[derive(Debug)]
pub(crate) struct Interrupted {
    message: String,
    code: u8,
}

impl Interrupted {
    pub(crate) fn error(message: String, signals: &Signals) -> anyhow::Error {
        Self { message, code: signals.exit_code().unwrap_or(1) }.into()
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Interrupted {}

/// An answer that was given, and is told by the exit code as well. Nothing went wrong, so nothing is said of it.
#[derive(Debug)]
pub(crate) struct Answered(u8);

impl Answered {
    /// The answer with this exit code.
    pub(crate) fn with(code: u8) -> anyhow::Error {
        Self(code).into()
    }
}

impl fmt::Display for Answered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit code {}", self.0)
    }
}

impl std::error::Error for Answered {}

/// Says that the error of a result is the user's to mend.
pub(crate) trait OrUsage<T> {
    /// The error's message as it is.
    fn or_usage(self) -> anyhow::Result<T>;

    /// The error's message behind the place where it happened.
    fn or_usage_in(self, place: impl fmt::Display) -> anyhow::Result<T>;
}

impl<T, E: fmt::Display> OrUsage<T> for Result<T, E> {
    fn or_usage(self) -> anyhow::Result<T> {
        self.map_err(|error| Usage::error(error.to_string()))
    }

    fn or_usage_in(self, place: impl fmt::Display) -> anyhow::Result<T> {
        self.map_err(|error| Usage::error(format!("{place}: {error}")))
    }
}

/// A message quotes what it was given; of a text that runs away, this much is enough to recognise it.
const LONGEST_MESSAGE: usize = 2000;

/// Prints the error on one line of standard error and gives the exit code. A reader that closed our output early, as
/// `head` does, wanted no more: that ends in silence.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    let closed = |error: &io::Error| matches!(error.kind(), io::ErrorKind::BrokenPipe);
    if error.downcast_ref::<io::Error>().is_some_and(closed) {
        return ExitCode::SUCCESS;
    }
    if let Some(&Answered(code)) = error.downcast_ref::<Answered>() {
        return ExitCode::from(code);
    }
    let line = one_line(&format!("{error:#}"));
    if let Some(interrupted) = error.downcast_ref::<Interrupted>() {
        let _ = writeln!(io::stderr(), "{line}");
        return ExitCode::from(interrupted.code);
    }
    // Where standard error is closed too there is nobody left to tell.
    let _ = writeln!(io::stderr(), "error: {line}");
    ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
}

/// The message without line ends and other control characters, which what the user gave may hold.
fn one_line(message: &str) -> String {
    let mut line = String::new();
    for (index, letter) in message.chars().enumerate() {
        if index == LONGEST_MESSAGE {
            line.push_str(" ...");
            break;
        }
        if letter.is_control() {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
    line
}

/// The command whose own commands the error is about, with its name as it is called: the usage of the error tells.
fn asked_command<'a>(
    error: &clap::Error,
    program: &'a clap::Command,
) -> (String, &'a clap::Command) {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    let mut name = program.get_name().to_owned();
    let mut asked = program;
    // Behind `Usage: sho`.
    for word in usage.split_whitespace().skip(2) {
        let Some(command) = asked.find_subcommand(word) else { break };
        name = format!("{name} {word}");
        asked = command;
    }
    (name, asked)
}

/// The several lines of a message by clap as one, without the usage and the hint at `--help`.
pub(crate) fn clap_message(error: &clap::Error, program: &clap::Command) -> String {
    let (name, asked) = asked_command(error, program);
    let commands = || asked.get_subcommands().map(clap::Command::get_name);
    let all = || commands().collect::<Vec<_>>().join(", ");
    match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::MissingSubcommand, _) => {
            return format!("a command is missing; commands: {}; see {name} --help", all());
        }
        // Clap names the nearest one only where it is very near, and never what is possible.
        (ErrorKind::InvalidSubcommand, Some(given)) => {
            let given = given.to_string();
            let near = nearest(&given, commands());
            return format!("no command `{given}`; did you mean `{near}`? commands: {}", all());
        }
        _ => {}
    }
    let text = error.render().to_string();
    let mut line = String::new();
    for part in text.lines().map(str::trim).filter(|part| !part.is_empty()) {
        if part.starts_with("Usage:") || part.starts_with("For more information") {
            break;
        }
        if !line.is_empty() {
            line.push_str(if line.ends_with(':') { " " } else { "; " });
        }
        line.push_str(part.strip_prefix("error: ").unwrap_or(part));
    }
    line
}
