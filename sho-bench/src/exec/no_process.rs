//! Systems without process groups, where no program is started.

use std::convert::Infallible;
use std::fmt;
use std::io;
use std::time::Instant;

use super::bot::BotStderr;

/// Ends the programs of all bots: none runs on this system.
pub fn end_all() {}

#[allow(dead_code, reason = "matched on by the bot, and never made here")]
#[derive(Debug)]
pub(super) enum Lost {
    Ended(Ending),
    Silent,
    Garbage(String),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Ending(Infallible);

impl Ending {
    pub(super) fn is_no_command(self) -> bool {
        match self.0 {}
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

/// A program; there is none.
#[derive(Debug)]
pub(super) struct Process(Infallible);

impl Process {
    pub(super) fn start(_: &str, _: BotStderr) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "bots in other programs need a Unix system"))
    }

    pub(super) fn ask(&mut self, _: &str, _: Option<Instant>) -> Result<String, Lost> {
        match self.0 {}
    }

    pub(super) fn check_quiet(&mut self) -> Result<(), Lost> {
        match self.0 {}
    }

    pub(super) fn bye(self) -> bool {
        match self.0 {}
    }
}
