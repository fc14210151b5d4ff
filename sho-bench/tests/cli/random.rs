//! Whatever the arguments and the input are: an answer, or one line about the mistake. Never a panic.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::common::{sho, sho_reads, testdata};

fn words() -> impl Strategy<Value = String> {
    let fixed: &[&str] = &[
        "tournament",
        "perft",
        "actions",
        "show",
        "play",
        "replay",
        "rules",
        "bots",
        "help",
        "emit",
        "slurm",
        "parallel",
        "completions",
        "bash",
        "--depth",
        "1",
        "2",
        "3",
        "--divide",
        "--weighted",
        "--next",
        "--explain",
        "--rules",
        "lhasa",
        "bhutan",
        "--sides",
        "4",
        "--set",
        "shells=8",
        "coins=1",
        "opening-coins=1",
        "max-throws=1",
        "sides=2",
        "opening-bonus=none",
        "waiting-limit=2",
        "left-over=used",
        "--seed",
        "0",
        "--block",
        "--seating",
        "--bots",
        "random,easy",
        "easy,easy,random",
        "--bot",
        "easy",
        "--format",
        "json",
        "text",
        "table",
        "csv",
        "--games",
        "--blocks",
        "--schedule",
        "permutations",
        "fixed",
        "--show",
        "--threads",
        "--game",
        "sho",
        "--engine",
        "plain",
        "--color",
        "always",
        "--quiet",
        "--help",
        "-h",
        "--version",
        "--",
        "-",
        "",
        "=",
        "--=",
        "-x",
        "ཤོ",
        "\u{1b}[0m",
        "9+0o:-/9+0o:- A throw - 0 0",
        "7+0:10x2/7+0:12x1,17x1 A move 2,5 0 9",
    ];
    let fixed: Vec<String> = fixed.iter().map(|&word| word.to_owned()).collect();
    prop_oneof![9 => select(fixed), 1 => "[ -~]{0,12}"]
}

/// A position of the stored ones with its rules, some of its characters changed.
fn position() -> impl Strategy<Value = (String, String)> {
    let lines: Vec<(String, String)> = testdata("sho-positions.jsonl")
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| value[key].as_str().unwrap().to_owned();
            (text("rules"), text("position"))
        })
        .collect();
    let letters: Vec<char> = "0123456789+:,/x!->*ABCDorc mover".chars().collect();
    let change = (any::<Index>(), select(letters), 0..3u8);
    (select(lines), prop::collection::vec(change, 0..3))
        .prop_map(|((rules, line), changes)| (rules, changed(&line, &changes)))
}

fn changed(text: &str, changes: &[(Index, char, u8)]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for &(index, letter, kind) in changes {
        if letters.is_empty() {
            break;
        }
        let index = index.index(letters.len());
        match kind {
            0 => letters[index] = letter,
            1 => letters.insert(index, letter),
            _ => {
                letters.remove(index);
            }
        }
    }
    letters.into_iter().collect()
}

/// An answer, or one line.
fn answers(run: crate::common::Run) -> Result<(), TestCaseError> {
    prop_assert!(!run.err.contains("panicked"), "{run:?}");
    match run.code {
        Some(0) => prop_assert_eq!(run.err, ""),
        Some(2) => {
            let lines = run.err.lines().count();
            prop_assert!(run.err.starts_with("error: ") && lines == 1, "{}", run.err);
        }
        code => return Err(TestCaseError::fail(format!("exit code {code:?}: {}", run.err))),
    }
    Ok(())
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn arguments(words in prop::collection::vec(words(), 0..7), input in "[ -~\n]{0,40}") {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        answers(sho_reads(&words, &input))?;
    }

    #[test]
    fn positions((rules, line) in position(), command in 0..4usize) {
        let command: &[&str] = [
            &["actions", "--next", "--explain"][..], &["show"], &["perft", "--depth", "2"], &["show", "--set", "shells=40"],
        ][command];
        let options = ["--rules", &rules, "--", &line];
        answers(sho(&[command, &options].concat()))?;
    }

    #[test]
    fn records(
        seed in 0..4u64,
        json: bool,
        changes in prop::collection::vec((any::<Index>(), select("0123456789+:,/x!->*ABC orm\n\"{}".chars().collect::<Vec<_>>()), 0..3u8), 0..3),
    ) {
        let format = if json { "json" } else { "text" };
        let record = sho(&["play", "--set", "max-throws=8", "--seed", &seed.to_string(), "--format", format]).good();
        answers(sho_reads(&["replay", "-"], &changed(&record, &changes)))?;
    }
}
