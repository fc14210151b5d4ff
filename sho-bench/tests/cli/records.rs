//! `play` and `replay`.

use std::fs;

use sho_core::BlockDice;
use sho_core::Seat;
use sho_core::record::Record;
use sho_core::sho::Rules;

use crate::common::{sho, sho_reads};

const GAMES: &[&[&str]] = &[
    &["play"],
    &["play", "--bots", "easy,random", "--seed", "7", "--block", "3", "--seating", "1"],
    &[
        "play", "--rules", "bhutan", "--sides", "4", "--bot", "random", "--bot", "easy", "--bot",
        "easy", "--bot", "random",
    ],
    &[
        "play",
        "--rules",
        "general",
        "--set",
        "shells=20",
        "--set",
        "coins=3",
        "--schedule",
        "permutations",
        "--seating",
        "5",
    ],
    &["play", "--set", "max-throws=10"],
];

#[test]
fn records_replay_in_both_forms() {
    for game in GAMES {
        let text = sho(game).good();
        let json = sho(&[game, &["--format", "json"][..]].concat()).good();
        assert_eq!(json.matches('\n').count(), 1);
        assert_eq!(sho_reads(&["replay", "-"], &text).good(), text);
        assert_eq!(sho_reads(&["replay", "-"], &json).good(), text);
        assert_eq!(sho_reads(&["replay", "-", "--format", "json"], &text).good(), json);
        let record: Record<Rules> = serde_json::from_str(&json).unwrap();
        assert_eq!(Record::parse(&text).unwrap(), record);
        // An editor may lay JSON out anew.
        let pretty = serde_json::to_string_pretty(&record).unwrap();
        assert_eq!(sho_reads(&["replay", "-"], &pretty).good(), text);
    }
}

#[test]
fn both_engines_say_the_same() {
    for game in GAMES {
        let text = sho(game).good();
        assert_eq!(sho(&[game, &["--engine", "plain"][..]].concat()).good(), text);
        assert_eq!(sho_reads(&["replay", "-", "--engine", "plain"], &text).good(), text);
        let shown = sho_reads(&["replay", "-", "--show"], &text).good();
        assert_eq!(sho_reads(&["replay", "-", "--show", "--engine", "plain"], &text).good(), shown);
    }
}

#[test]
fn several_records_in_one_file() {
    for format in ["text", "json"] {
        let all: String = GAMES
            .iter()
            .map(|game| sho(&[game, &["--format", format][..]].concat()).good())
            .collect();
        assert_eq!(sho_reads(&["replay", "-", "--format", format], &all).good(), all);
    }
}

#[test]
fn a_game_is_that_of_its_seed_block_and_seating() {
    let text = sho(GAMES[1]).good();
    let record: Record<Rules> = Record::parse(&text).unwrap();
    assert_eq!((record.seed, record.address.as_deref()), (Some(7), Some("0.3.1")));
    assert_eq!(record.players, ["random", "easy"]);
    let mut dice = BlockDice::new(7, 3);
    for turn in &record.turns {
        let (letter, steps) = turn.split_once(' ').unwrap();
        let seat = Seat::from_letter(letter.chars().next().unwrap()).unwrap();
        for throw in steps.split(' ').filter(|step| step.as_bytes()[1] == b'-') {
            assert_eq!(dice.cast(seat).to_string(), throw, "{turn}");
        }
    }
    // The default seed is printed, and the same game comes again.
    assert!(sho(&["play"]).good().contains("\nseed 1\n"));
    assert_eq!(sho(&["play"]).good(), sho(&["play", "--seed", "1", "--block", "0"]).good());
    assert_ne!(sho(&["play"]).good(), sho(&["play", "--block", "1"]).good());
}

#[test]
fn the_record_goes_into_a_file_whole() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    let name = file.to_str().unwrap();
    let run = sho(&["play", "--out", name]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    assert_eq!(run.err, format!("the record is in {name}\n"));
    assert_eq!(fs::read_to_string(&file).unwrap(), sho(&["play"]).good());
    assert_eq!(sho(&["play", "--quiet", "--out", name, "--format", "json"]).good(), "");
    assert_eq!(sho(&["replay", name]).good(), sho(&["play"]).good());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn boards_after_each_turn() {
    let game = ["play", "--set", "max-throws=6"];
    let record: Record<Rules> = Record::parse(&sho(&game).good()).unwrap();
    let shown = sho(&[&game[..], &["--show"]].concat()).good();
    assert_eq!(
        shown.matches("throws so far").count() + shown.matches("1 throw so far").count(),
        record.turns.len()
    );
    assert_eq!(shown.matches("   o home").count(), record.turns.len());
    for turn in &record.turns {
        assert!(shown.contains(&format!("\n{turn}\n\n")), "{turn}");
    }
    assert!(shown.ends_with(&format!("\nlast {}\nend cap 4,4,4\n", record.last)), "{shown}");
    let text = sho(&game).good();
    assert_eq!(sho_reads(&["replay", "-", "--show"], &text).good(), shown);
}

#[test]
fn the_first_wrong_step_is_named() {
    let text = sho(&["play", "--bots", "easy,easy"]).good();
    let record: Record<Rules> = Record::parse(&text).unwrap();
    let replay = |text: &str| sho_reads(&["replay", "-"], text);

    let mut wrong = record.clone();
    wrong.turns[2].push_str(" 6-6");
    let line = replay(&wrong.to_string()).mistake();
    assert!(line.contains("standard input: step 7, in `"), "{line}");

    let mut wrong = record.clone();
    wrong.turns[0] = "A 6-1 open@8".to_owned();
    let line = replay(&wrong.to_string()).mistake();
    assert!(line.contains("step 2, in `9+0o:-/9+0o:- A move 7 0 1`"), "{line}");
    let line = replay(&serde_json::to_string(&wrong).unwrap()).mistake();
    assert!(line.contains("record 1: step 2, in `"), "{line}");

    let mut wrong = record.clone();
    wrong.turns[1].replace_range(0..1, "A");
    assert!(replay(&wrong.to_string()).mistake().contains("it is B's"), "{wrong}");

    let mut wrong = record.clone();
    wrong.payoffs.reverse();
    assert!(replay(&wrong.to_string()).mistake().contains("payoffs is"));

    // What was right before it is printed; lines are counted through the file.
    let run = replay(&format!("{text}{}", text.replace("start ", "begin ")));
    assert_eq!((run.code, &run.out), (Some(2), &text));
    let lines = text.lines().count();
    let start = text.lines().position(|line| line.starts_with("start ")).unwrap();
    let line = run.complaint();
    assert!(line.contains(&format!("record 2: line {}: expected", lines + start + 1)), "{line}");

    assert!(replay(&text.replace("record/1", "record/2")).mistake().contains("`sho/record/2`"));
    assert!(replay(&text.replace("game sho", "game go")).mistake().contains("no game `go`"));
}
