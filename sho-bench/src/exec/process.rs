//! A bot's program, its pipes and its process group.
//!
//! Both pipes are set not to block, and one call waits for both with a limit. So a program that does not read, does not
//! write, writes without end or leaves its pipe to another process cannot hold up the game beyond its limit, and there
//! is no thread that could be left waiting.

use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio};

use super::bot::BotStderr;
use super::fault::quoted;
use super::group::Group;
pub use super::group::end_all;
use super::protocol::{BYE, BYE_LIMIT, MAX_LINE};

/// How often a program that says nothing is asked whether it still runs, in case another process holds its pipe open.
const LOOK: Duration = Duration::from_millis(100);

/// How long to wait for what follows at once: the end of a program that closed its pipe, the last line of one that
/// ended.
const AT_ONCE: Duration = Duration::from_millis(200);

/// Why a program gave no line.
#[derive(Debug)]
pub(super) enum Lost {
    /// It ended, or closed a pipe.
    Ended(Ending),
    /// It did not answer in time.
    Silent,
    /// It wrote what is no line, or more than one.
    Garbage(String),
}

/// How a program was lost.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ending {
    /// It ended with this status.
    Status(ExitStatus),
    /// It runs on without a pipe.
    Closed,
}

impl Ending {
    /// Whether this is how the shell says that it could not run a command: 126 and 127 in the standard of the shell.
    pub(super) fn is_no_command(self) -> bool {
        matches!(self, Self::Status(status) if matches!(status.code(), Some(126 | 127)))
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Closed => f.write_str("it closed its input or output"),
            Self::Status(status) => match (status.code(), status.signal()) {
                (Some(code), _) => write!(f, "it ended with exit code {code}"),
                (None, Some(signal)) => write!(f, "it was ended by signal {signal}"),
                (None, None) => f.write_str("it ended"),
            },
        }
    }
}

/// A running program.
#[derive(Debug)]
pub(super) struct Process {
    group: Group,
    /// Nothing once the program has closed it.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// What was read and not yet taken.
    input: Vec<u8>,
    /// Whether the program has closed its output.
    closed: bool,
}

impl Process {
    /// Starts a command in the shell.
    pub(super) fn start(command: &str, stderr: BotStderr) -> io::Result<Self> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command).stdin(Stdio::piped()).stdout(Stdio::piped());
        shell.stderr(match stderr {
            BotStderr::Dropped => Stdio::null(),
            BotStderr::Shown => Stdio::inherit(),
        });
        let mut group = Group::spawn(&mut shell)?;
        let child = group.child();
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        ioctl_fionbio(&stdin, true)?;
        ioctl_fionbio(&stdout, true)?;
        Ok(Self { group, stdin: Some(stdin), stdout, input: Vec::new(), closed: false })
    }

    /// Sends a text and waits for one line, until the deadline if there is one.
    pub(super) fn ask(&mut self, text: &str, deadline: Option<Instant>) -> Result<String, Lost> {
        let mut unsent = text.as_bytes();
        // Once the program is seen to have ended: until when its last line may come.
        let mut last_call: Option<Instant> = None;
        loop {
            if unsent.is_empty() {
                if let Some(line) = self.take_line()? {
                    return Ok(line);
                }
            } else if self.input.len() > MAX_LINE {
                return Err(Lost::Garbage("it writes and does not read".to_owned()));
            }
            let now = Instant::now();
            if self.closed || last_call.is_some_and(|until| until <= now) {
                return Err(Lost::Ended(self.ending()));
            }
            if deadline.is_some_and(|until| until <= now) {
                return Err(Lost::Silent);
            }
            let until = [deadline, last_call, Some(now + LOOK)].into_iter().flatten().min();
            let wait = until.map_or(LOOK, |until| until.saturating_duration_since(now));
            let (readable, writable) = self.wait(!unsent.is_empty(), wait);
            if writable && let Some(stdin) = &mut self.stdin {
                match stdin.write(unsent) {
                    Ok(sent) => unsent = &unsent[sent..],
                    Err(error) if waits(&error) => {}
                    Err(_) => self.stdin = None,
                }
            }
            if self.stdin.is_none() && !unsent.is_empty() {
                // It reads no more; what it wrote before may still be on its way.
                unsent = &[];
                last_call.get_or_insert(now + AT_ONCE);
            }
            if readable {
                self.read();
            }
            if !readable && !writable && last_call.is_none() && self.group.has_ended() {
                // Another process of the group may hold the pipe open, and will not from now on.
                self.group.kill();
                last_call = Some(now + AT_ONCE);
            }
        }
    }

    /// Whether the program has written anything that it was not asked for.
    pub(super) fn check_quiet(&mut self) -> Result<(), Lost> {
        if self.wait(false, Duration::ZERO).0 {
            self.read();
        }
        if self.input.is_empty() {
            return Ok(());
        }
        let end = self.input.iter().position(|&byte| byte == b'\n').unwrap_or(self.input.len());
        let line = String::from_utf8_lossy(&self.input[..end.min(MAX_LINE)]);
        Err(Lost::Garbage(format!("it wrote {} without being asked", quoted(&line))))
    }

    /// Says `bye`, and waits until the program ends, but not long. Whether it ended by itself.
    pub(super) fn bye(mut self) -> bool {
        if let Some(mut stdin) = self.stdin.take() {
            // A program that does not read it finds its input closed.
            let _ = stdin.write(BYE.as_bytes());
        }
        self.has_ended_within(BYE_LIMIT)
    }

    /// Waits until a pipe has something for us, and says which: the output, the input.
    fn wait(&self, to_write: bool, limit: Duration) -> (bool, bool) {
        let mut pipes = Vec::with_capacity(2);
        pipes.push(PollFd::new(&self.stdout, PollFlags::IN));
        if let Some(stdin) = self.stdin.as_ref().filter(|_| to_write) {
            pipes.push(PollFd::new(stdin, PollFlags::OUT));
        }
        let limit =
            Timespec { tv_sec: limit.as_secs() as i64, tv_nsec: limit.subsec_nanos().into() };
        // Interrupted by a signal nothing is ready, and the caller asks again.
        match poll(&mut pipes, Some(&limit)) {
            Ok(_) | Err(Errno::INTR) => {}
            // No memory in the kernel: wait as long without it.
            Err(_) => sleep(LOOK.min(Duration::from_millis(10))),
        }
        let ready = |index: usize| pipes.get(index).is_some_and(|pipe| !pipe.revents().is_empty());
        (ready(0), ready(1))
    }

    /// Reads what is there, not more than a pipe holds.
    fn read(&mut self) {
        let mut bytes = [0; 16 * 1024];
        match self.stdout.read(&mut bytes) {
            Ok(0) => self.closed = true,
            Ok(length) => self.input.extend_from_slice(&bytes[..length]),
            Err(error) if waits(&error) => {}
            Err(_) => self.closed = true,
        }
    }

    /// The one line that was read, once it is whole.
    fn take_line(&mut self) -> Result<Option<String>, Lost> {
        let too_long = || Lost::Garbage(format!("a line of more than {MAX_LINE} bytes"));
        let Some(end) = self.input.iter().position(|&byte| byte == b'\n') else {
            return if self.input.len() > MAX_LINE { Err(too_long()) } else { Ok(None) };
        };
        if end > MAX_LINE {
            return Err(too_long());
        }
        if end + 1 < self.input.len() {
            let line = String::from_utf8_lossy(&self.input[..end]);
            return Err(Lost::Garbage(format!("it wrote on after {}", quoted(&line))));
        }
        let mut line = std::mem::take(&mut self.input);
        line.truncate(end);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        String::from_utf8(line).map(Some).map_err(|error| {
            let line = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Lost::Garbage(format!("a line that is not UTF-8: {}", quoted(&line)))
        })
    }

    /// How the program was lost, after it closed a pipe or ended.
    fn ending(&mut self) -> Ending {
        if !self.has_ended_within(AT_ONCE) {
            return Ending::Closed;
        }
        self.group.end().map_or(Ending::Closed, Ending::Status)
    }

    fn has_ended_within(&self, limit: Duration) -> bool {
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        while !self.group.has_ended() {
            if start.elapsed() >= limit {
                return false;
            }
            sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(10));
        }
        true
    }
}

/// Whether the error only says that nothing can be done right now.
fn waits(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(command: &str) -> Process {
        Process::start(command, BotStderr::Dropped).unwrap()
    }

    fn soon() -> Option<Instant> {
        Some(Instant::now() + Duration::from_millis(300))
    }

    /// Many times what a pipe holds.
    const LONG: usize = 1 << 20;

    #[test]
    fn a_program_that_does_not_read_holds_nobody_up() {
        let text = "x".repeat(LONG);
        assert!(matches!(start("sleep 60").ask(&text, soon()), Err(Lost::Silent)));
        let Err(Lost::Ended(ending)) = start("exec <&-; sleep 60").ask(&text, None) else {
            panic!("it closed its input")
        };
        assert_eq!(ending.to_string(), "it closed its input or output");
        let Err(Lost::Garbage(what)) = start("yes").ask(&text, None) else {
            panic!("it wrote and did not read")
        };
        assert_eq!(what, "it writes and does not read");
    }

    #[test]
    fn a_long_question_arrives_whole() {
        let mut process =
            start("read -r line; printf '%s\\n' ${#line}; read -r line; echo \"$line\"");
        let text = "x".repeat(LONG) + "\n";
        assert_eq!(process.ask(&text, None).unwrap(), LONG.to_string());
        assert_eq!(process.ask("next\n", None).unwrap(), "next");
        assert!(process.bye());
    }

    #[test]
    fn the_last_line_of_a_program_that_ended_is_read() {
        // It leaves the pipe to a process that would hold it for a minute.
        let mut process = start("sleep 60 & printf 'last\\r\\n'; exit 3");
        assert_eq!(process.ask("", None).unwrap(), "last");
        let Err(Lost::Ended(ending)) = process.ask("x\n", None) else { panic!("it ended") };
        assert_eq!(ending.to_string(), "it ended with exit code 3");
        // A line without its end is none.
        let lost = start("printf half").ask("", None);
        assert!(matches!(lost, Err(Lost::Ended(Ending::Status(_)))), "{lost:?}");
    }

    #[test]
    fn what_nobody_asked_for_is_noticed() {
        let mut process = start("echo one; read -r line; printf two; sleep 60");
        assert_eq!(process.ask("", None).unwrap(), "one");
        process.check_quiet().unwrap();
        assert!(matches!(process.ask("x\n", soon()), Err(Lost::Silent)));
        let Err(Lost::Garbage(what)) = process.check_quiet() else { panic!("it wrote") };
        assert_eq!(what, "it wrote `two` without being asked");
    }
}
