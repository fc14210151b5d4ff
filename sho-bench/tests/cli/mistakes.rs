//! What users get wrong: one line that helps, nothing on standard output, exit code 2.

use crate::common::{sho, sho_reads};

#[test]
fn every_mistake_is_one_line() {
    let two = "9+0o:-/9+0o:- A throw - 0 0";
    let cases: &[(&[&str], &[&str])] = &[
        (&[], &["a command is missing", "perft, actions"]),
        (&["perfft"], &["no command `perfft`", "did you mean `perft`?"]),
        (&["perft"], &["not provided: --depth <D>"]),
        (&["perft", "--depth", "x"], &["'x'", "a number from 1 to 25"]),
        (&["perft", "--depth", "0"], &["'0'", "a number from 1 to 25"]),
        (&["perft", "--dept", "3"], &["'--dept'", "'--depth'"]),
        (&["perft", "--depth", "2", "--threads", "0"], &["'0'", "from 1 to"]),
        (&["show", "--game", "shoo"], &["no game `shoo`", "did you mean `sho`?"]),
        (
            &["show", "--engine", "plane"],
            &["engine of sho `plane`", "did you mean `plain`?", "fast, plain"],
        ),
        (&["show", "--rules", "lasha"], &["no rules `lasha`", "`lhasa`?", "bhutan"]),
        (&["show", "--rules", "no/such.json"], &["no/such.json: "]),
        (&["show", "--set", "shels=9"], &["no setting `shels`", "did you mean `shells`?"]),
        (&["show", "--set", "shells=7"], &["shells cannot be `7`", "8..=64"]),
        (&["show", "--set", "shells"], &["`shells` is not of the form name=value"]),
        (&["show", "--set", "kill=all"], &["kill cannot be `all`", "equal-or-smaller"]),
        (&["show", "--set", "coins=1"], &["opening-coins=2 is more than coins=1"]),
        (&["show", "--sides", "5"], &["sides cannot be `5`", "2..=4"]),
        (&["show", "--sides", "2", "--set", "sides=3"], &["sides=3 contradicts sides=2"]),
        (&["show", "--sides", "3", two], &["position: it has 2 sides", "3 sides asked for"]),
        (&["show", "--set", "sides=4", two], &["2 sides", "4 sides asked for"]),
        (&["show", "nonsense"], &["position: line: expected six fields", "`nonsense`"]),
        (&["show", "9+0o:-/9+0o:- C throw - 0 0"], &["position: mover"]),
        (&["show", "8+0o:-/9+0o:- A throw - 0 0"], &["position: sides: expected 9 coins"]),
        (&["show", "7+0:64x2/9+0o:- A throw - 0 2"], &["position: sides"]),
        (&["show", "a\nb\x1b[31m"], &["`a\\nb\\u{1b}[31m`"]),
        (&["show", "--color", "no"], &["'no'", "auto, always, never"]),
        (&["rules", "--format", "xml"], &["'xml'", "table, json"]),
        (&["rules", "lhasa", "--rules", "bhutan"], &["cannot be used with"]),
        (&["play", "--bots", "easy"], &["line-up", "2..=4"]),
        (&["play", "--bots", "esay,easy"], &["no bot `esay`", "did you mean `easy`?"]),
        (&["play", "--bots", "easy:x=1,easy"], &["bot easy", "`x=1`"]),
        (&["play", "--bots", "easy,easy", "--bot", "easy"], &["cannot be used with"]),
        (&["play", "--bots", "easy,easy", "--sides", "3"], &["2 sides", "3 sides asked for"]),
        (&["play", "--seating", "3"], &["no game 0.0.3", "seatings from 0 to 2"]),
        (&["play", "--schedule", "rotation"], &["did you mean `rotations`?"]),
        (&["play", "--block", "72057594037927936"], &["a number from 0 to 72057594037927935"]),
        (&["play", "--seed", "18446744073709551616"], &["0 to 18446744073709551615"]),
        (&["play", "--show", "--format", "json"], &["--show"]),
        (&["play", "--out", "no/such/folder/game.txt"], &["no folder `no/such/folder`"]),
        (
            &["tournament", "--records", "no/such/a.jsonl"],
            &["a.jsonl: there is no folder `no/such`"],
        ),
        (&["tournament", "--csv", "no/such/a.csv"], &["a.csv: there is no folder `no/such`"]),
        (&["replay", "no/such.txt"], &["no/such.txt: "]),
        (&["replay", "-"], &["standard input: no record in it"]),
    ];
    for (arguments, expected) in cases {
        let line = sho(arguments).mistake();
        for part in *expected {
            assert!(line.contains(part), "{arguments:?}: {line}");
        }
    }
}

#[test]
fn a_long_text_is_not_repeated_whole() {
    let long = "x".repeat(50_000);
    assert!(sho(&["show", &long]).mistake().len() < 2100);
}

#[test]
fn a_bad_line_of_many_is_named_and_ends_the_rest() {
    let start = "9+0o:-/9+0o:- A throw - 0 0";
    let run = sho_reads(&["perft", "--depth", "1", "-"], &format!("{start}\nbad\n{start}\n"));
    assert_eq!((run.code, run.out.as_str()), (Some(2), "1 21\n\n"));
    let line = run.complaint();
    assert!(line.contains("standard input, line 2: position: line"), "{line}");
    // Each line has its own number of sides, but for what was asked for.
    let three = "9+0o:-/9+0o:-/9+0o:- A throw - 0 0";
    let both = format!("{start}\n{three}\n{start}\n");
    assert_eq!(sho_reads(&["perft", "--depth", "1", "-"], &both).good(), "1 21\n\n".repeat(3));
    let run = sho_reads(&["perft", "--depth", "1", "--sides", "2", "-"], &both);
    assert_eq!(run.code, Some(2));
    assert!(run.complaint().contains("line 2: position: it has 3 sides"));
}

#[test]
fn help_and_version_are_no_mistakes() {
    for command in ["perft", "actions", "show", "play", "replay", "rules", "bots"] {
        let help = sho(&[command, "--help"]).good();
        assert!(help.contains(&format!("  sho {command}")) || command == "bots", "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
    assert!(sho(&["--help"]).good().contains("perft"));
    assert_eq!(sho(&["--version"]).good(), format!("sho {}\n", env!("CARGO_PKG_VERSION")));
}
