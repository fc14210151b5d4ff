//! The process groups of the bots that run: so that all can be ended at once, and none that is not ours.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// The groups whose first process has not been waited for. Until then its number is not given to another process, so
/// that a signal to a group of this list cannot meet a stranger.
struct Groups {
    running: BTreeSet<i32>,
    /// Whether none may be started any more.
    closed: bool,
}

static GROUPS: Mutex<Groups> = Mutex::new(Groups { running: BTreeSet::new(), closed: false });

fn groups() -> MutexGuard<'static, Groups> {
    // Every change is one call, so that a panic elsewhere leaves the list whole.
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the programs of all bots at once, with all processes of their groups, and lets no more be started: for a
/// program that is about to end and has no time to say `bye`. Games that are still played meet a crash of their bot.
///
/// It takes a lock, so it is not for the inside of a signal handler; a thread that waits for signals may call it.
pub fn end_all() {
    let mut groups = groups();
    groups.closed = true;
    for &group in &groups.running {
        signal(group);
    }
}

fn signal(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // It fails where nobody is left in the group, which is what was wanted.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The first process of a group of its own, and the group.
#[derive(Debug)]
pub(super) struct Group {
    child: Child,
    /// How the first process ended, once it was waited for.
    status: Option<ExitStatus>,
}

impl Group {
    /// Starts the command as the first process of a group.
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        // Under the lock, so that `end_all` does not miss a process that is being started.
        let mut groups = groups();
        if groups.closed {
            return Err(io::Error::other("all bots were ended"));
        }
        let child = command.process_group(0).spawn()?;
        groups.running.insert(child.id() as i32);
        Ok(Self { child, status: None })
    }

    /// The first process.
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Whether the first process has ended. It stays to be waited for.
    pub(super) fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.status.is_some()
            || matches!(waitid(WaitId::Pid(Pid::from_child(&self.child)), options), Ok(Some(_)))
    }

    /// Ends every process that is still in the group.
    pub(super) fn kill(&self) {
        if self.status.is_none() {
            signal(self.child.id() as i32);
        }
    }

    /// Ends the group and waits for its first process.
    pub(super) fn end(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            self.kill();
            groups().running.remove(&(self.child.id() as i32));
            self.status = self.child.wait().ok();
        }
        self.status
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.end();
    }
}
