//! Runs the program.

use std::io::Write;
use std::process::{Command, Stdio};

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code; nothing where a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Run {
    /// What it printed, if it went well.
    #[track_caller]
    pub(crate) fn good(self) -> String {
        assert_eq!((self.code, self.err.as_str()), (Some(0), ""), "{self:?}");
        self.out
    }

    /// Its one line of complaint, if it found a mistake and printed nothing else.
    #[track_caller]
    pub(crate) fn mistake(self) -> String {
        assert_eq!((self.code, self.out.as_str()), (Some(2), ""), "{self:?}");
        self.complaint()
    }

    /// Its one line of complaint.
    #[track_caller]
    pub(crate) fn complaint(self) -> String {
        let line = self.err.strip_suffix('\n').expect("a line");
        assert!(line.starts_with("error: ") && !line.contains('\n'), "{self:?}");
        line.to_owned()
    }
}

/// The program, not yet running, with these arguments.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sho"));
    command.args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Runs the program with nothing on standard input.
pub(crate) fn sho(arguments: &[&str]) -> Run {
    sho_reads(arguments, "")
}

/// Runs the program with a text on standard input.
pub(crate) fn sho_reads(arguments: &[&str], input: &str) -> Run {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // A program that does not read to the end closes the pipe.
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        child.wait_with_output().unwrap()
    });
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// A file of stored data of the project.
pub(crate) fn testdata(name: &str) -> String {
    let path = format!("{}/../testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
