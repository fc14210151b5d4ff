//! Plans of tournaments and studies.

use serde_json::Value;

use crate::common::sho;

const SMALL: [&str; 8] =
    ["--set", "shells=24", "--set", "coins=4", "--pilot", "128", "--threads", "2"];

fn plan(words: &[&str]) -> crate::common::Run {
    sho(&[&["plan"], words, &SMALL].concat())
}

const DUEL: [&str; 6] = ["tournament", "--bots", "easy,random", "--precision", "2%", "--seed=9"];

/// The command that a plan ends with is one, and brings what was wanted.
#[test]
fn the_command_of_a_plan_can_be_pasted() {
    let text = plan(&DUEL).good();
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    assert!(text.contains("pilot of 128 blocks, 256 games, seed 9"), "{text}");
    assert!(text.contains("the score a seat of each bot to ±0.02"), "{text}");
    assert!(text.contains("time: about") && text.contains("2 threads, by its clock"), "{text}");
    let command = text.lines().last().unwrap();
    let words: Vec<&str> = command.split(' ').collect();
    let (head, blocks) = (&words[..words.len() - 4], words[words.len() - 3]);
    let asked = "sho tournament --bots easy,random --set shells=24 --set coins=4";
    assert_eq!((head.join(" ").as_str(), &words[words.len() - 2..]), (asked, &["--seed", "9"][..]));
    let result = sho(&[&words[1..], &["--format", "json"]].concat()).good();
    let result: Value = serde_json::from_str(&result).unwrap();
    assert_eq!(result["blocks"].to_string(), blocks);
    let width = 1.96 * result["bots"][0]["score_se"].as_f64().unwrap();
    // The deviation of 128 blocks is good to a tenth.
    assert!((0.016..0.024).contains(&width), "{width}");
}

#[test]
fn only_the_clock_is_another_each_time() {
    let json = |threads: &str| {
        let words =
            [&["plan"], &DUEL[..], &SMALL[..6], &["--format", "json", "--threads", threads]];
        let mut plan: Value = serde_json::from_str(&sho(&words.concat()).good()).unwrap();
        assert_eq!(plan["schema"], "sho/plan/1");
        let clock = plan.as_object_mut().unwrap().remove("clock").unwrap();
        assert_eq!(clock["threads"].to_string(), threads);
        plan
    };
    assert_eq!(json("1"), json("2"));
}

/// What is proposed in the document is a file for `--experiment`, and of such a file a plan can be made.
#[test]
fn a_plan_goes_through_files() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("next.json");
    let file = file.to_str().unwrap();
    let first: Value =
        serde_json::from_str(&plan(&[&DUEL[..], &["--format", "json"]].concat()).good()).unwrap();
    std::fs::write(file, first["run"].to_string()).unwrap();
    let shown = sho(&["tournament", "--experiment", file, "--dry-run"]).good();
    assert!(shown.contains("easy") && shown.contains("seed 9"), "{shown}");
    let of_file =
        ["plan", "tournament", "--experiment", file, "--precision", "2%", "--pilot", "128"];
    let text = sho(&of_file).good();
    assert!(text.contains("keep `run` of --format json as a file"), "{text}");
    let again: Value =
        serde_json::from_str(&sho(&[&of_file[..], &["--format", "json"]].concat()).good()).unwrap();
    assert_eq!(again["digest"], first["digest"]);
}

#[test]
fn studies_are_planned() {
    let words = [
        "study",
        "--vary",
        "join-throws",
        "--vary",
        "kill",
        "--bots",
        "easy,random",
        "--sides",
        "2",
    ];
    let text = plan(&[&words[..], &["--precision", "1", "--measure", "turns"]].concat()).good();
    assert!(text.contains("wanted: each effect on turns to ±1, half"), "{text}");
    assert!(text.contains("needs the most"), "{text}");
    let asked = "\nsho study --vary join-throws --vary kill --bots easy,random --sides 2 --set shells=24 \
                 --set coins=4 --blocks ";
    assert!(text.contains(asked), "{text}");
    let quoted =
        ["study", "--vary", "opening-bonus=2+12/none", "--bot", "easy", "--precision", "1"];
    assert!(plan(&quoted).good().contains("--vary opening-bonus=2+12/none --bot easy --set"));
}

#[test]
fn mistakes_are_one_line() {
    let duel = ["tournament", "--bots", "easy,random"];
    let study = ["study", "--vary", "join-throws", "--bots", "easy"];
    let cases: &[(&[&str], &[&str], &[&str])] = &[
        (&[], &[], &["a command is missing; commands: tournament, study"]),
        (&duel, &[], &["--precision"]),
        (&duel, &["--precision", "0"], &["'0'", "a number above 0"]),
        (&duel, &["--precision", "-1"], &["'-1'", "a number above 0"]),
        (&duel, &["--precision", "0.5"], &["below 50 %", "did you mean 0.5%?"]),
        (&duel, &["--precision", "1%", "--elo", "5"], &["cannot be used with"]),
        (&duel, &["--precision", "1%", "--blocks", "9"], &["--blocks: a plan says how many"]),
        (&duel, &["--precision", "1%", "--sprt", "0,9"], &["--sprt: a sequential test ends"]),
        (&duel, &["--precision", "1%", "--pilot", "9"], &["from 64 to 262144"]),
        (&["tournament", "--bots", "easy,easy"], &["--elo", "9"], &["copies of one bot"]),
        (&study, &["--precision", "1%"], &["throws is no share"]),
        (&study, &["--precision", "1", "--measure", "throw"], &["mean `throws`?", "possible: "]),
        (&study, &["--precision", "1", "--blocks", "9"], &["'--blocks'"]),
    ];
    for (what, words, expected) in cases {
        let line = sho(&[&["plan"], *what, *words].concat()).mistake();
        for part in *expected {
            assert!(line.contains(part), "{words:?}: {part} in {line}");
        }
    }
    let help = sho(&["plan", "tournament", "--help"]).good();
    assert!(!help.contains("--blocks <B>") && !help.contains("--sprt"), "{help}");
}
