//! Pipes that close, programs that ask and wait, colours.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};

use crate::common::{command, sho};

const START: &str = "9+0o:-/9+0o:- A throw - 0 0\n";

fn start(arguments: &[&str]) -> Child {
    command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_closed_pipe_ends_in_silence() {
    let cases: &[&[&str]] = &[
        &["perft", "--depth", "4"],
        &["actions", "--next"],
        &["actions", "-"],
        &["show"],
        &["play", "--show"],
        &["rollout", "--games", "9"],
        &["analyse", "--games", "9"],
        &["tournament", "--games", "9"],
        &["tournament", "--games", "9", "--format", "json"],
        &["tournament", "--games", "9", "--format", "csv"],
        &["rules"],
        &["bots"],
        &["--help"],
        &["play", "--help"],
        &["--version"],
    ];
    for arguments in cases {
        let mut child = start(arguments);
        drop(child.stdout.take());
        // Many times what a pipe holds; the program need not read it all.
        let _ = child.stdin.take().unwrap().write_all(START.repeat(10_000).as_bytes());
        let output = child.wait_with_output().unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), complaint.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_has_enough_ends_the_program() {
    let mut child = start(&["actions", "-"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line({
            stdin.write_all(START.as_bytes()).unwrap();
            &mut line
        })
        .unwrap();
    assert_eq!(line, "1-1\n");
    while stdin.write_all(START.as_bytes()).is_ok() {}
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn each_answer_comes_before_the_next_question() {
    let mut child = start(&["actions", "-"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for end in ["\n", "\r\n", "\n"] {
        write!(stdin, "7+0:10x2/8+0:12x1 A move 5 0 9{end}").unwrap();
        for expected in ["@5", "10>15", ""] {
            assert_eq!(answers.next().unwrap().unwrap(), expected);
        }
    }
    // The last line needs no line end.
    write!(stdin, "7+0:10x2/8+0:12x1 A move 5 0 9").unwrap();
    drop(stdin);
    assert_eq!(answers.map(Result::unwrap).collect::<Vec<_>>(), ["@5", "10>15", ""]);
    assert!(child.wait().unwrap().success());
}

#[test]
fn what_is_not_text_is_a_mistake() {
    let mut child = start(&["show", "-"]);
    child.stdin.take().unwrap().write_all(b"\xff\xfe\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let line = String::from_utf8(output.stderr).unwrap();
    assert_eq!(line, "error: standard input, line 1: not UTF-8\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_mistake_of_the_user() {
    let full = std::fs::File::create("/dev/full").unwrap();
    let output = command(&["show"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: "));
}

#[test]
fn colours_only_where_they_are_wanted() {
    let line = "7+0:10x2!/9+0o:-/9+0o:- B throw - 0 1";
    let plain = sho(&["show", line]).good();
    assert!(!plain.contains('\x1b'));
    let colored = sho(&["show", "--color", "always", line]).good();
    assert!(colored.contains("\x1b[1;33mA2!"), "{colored}");
    assert_eq!(sho(&["--color", "never", "show", line]).good(), plain);
    // Without its escapes it is the same picture.
    let mut bare = String::new();
    for part in colored.split('\x1b') {
        bare.push_str(match part.strip_prefix('[') {
            Some(rest) => rest.split_once('m').unwrap().1,
            None => part,
        });
    }
    assert_eq!(bare, plain);
    // NO_COLOR changes the default and not what was said outright.
    let with = |arguments: &[&str]| {
        let output = command(arguments).env("NO_COLOR", "1").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(with(&["show", line]), plain);
    assert_eq!(with(&["show", "--color", "always", line]), colored);
}
