//! `sho verify`: what it says of folders, and how it ends.

use std::fs;
use std::path::Path;

use crate::common::{Run, sho};

/// Plays a tournament in a folder.
fn play(path: &Path, more: &[&str]) {
    let words = ["tournament", "--quiet", "--out", path.to_str().unwrap()];
    assert_eq!(sho(&[&words[..], more].concat()).code, Some(0));
}

/// What the checks came to: their words.
fn words(run: &Run) -> Vec<&str> {
    run.out.lines().filter(|line| !line.starts_with(' ')).map(|line| line[..5].trim()).collect()
}

#[test]
fn a_folder_is_checked_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("first");
    let name = path.to_str().unwrap();
    play(&path, &["--bots", "easy,random,easy", "--games", "3000", "--shards", "3"]);
    let sample = sho(&["verify", name]).good();
    let lines: Vec<&str> = sample.lines().collect();
    assert_eq!(lines[0], "ok     experiment       sho, 2 bots, 1 line-up, 1000 blocks in 3 shards");
    assert_eq!(lines[1], "ok     parts            1000 of 1000 blocks were played");
    assert!(
        lines[2]
            .starts_with("ok     result           result.json is what the parts come to, digest ")
    );
    assert!(lines[4].starts_with("ok     check lines      1000 blocks in "), "{sample}");
    assert!(lines[5].contains(", with 20 blocks drawn, played again: the same counts"), "{sample}");
    assert_eq!(lines[6], "-      games on record  none were kept");
    // The seed says which blocks are drawn: the same ones again, or others; the engine and threads say nothing.
    assert_eq!(
        sho(&["verify", name, "--seed", "1", "--engine", "plain", "--threads", "1"]).good(),
        sample
    );
    let all = sho(&["verify", name, "--all", "--quiet"]).good();
    assert!(all.contains("1000 of 1000 blocks played again: the same counts"), "{all}");

    let json = sho(&["verify", name, "--format", "json", "--sample", "3", "--seed", "9"]).good();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["schema"], &json["ok"]), (&"sho/verify/1".into(), &true.into()));
    assert_eq!(json["extent"], serde_json::json!({"sample": {"blocks": 3, "seed": 9}}));
    assert_eq!(json["findings"].as_array().unwrap().len(), 7);

    // Faults are an answer: exit code 1, and no complaint.
    let part = path.join("parts/shard-1.json");
    let text = fs::read_to_string(&part).unwrap();
    fs::write(&part, text.replacen("\"wins\":", "\"wins\":1", 1)).unwrap();
    let faulty = sho(&["verify", name]);
    assert_eq!((faulty.code, faulty.err.as_str()), (Some(1), ""), "{faulty:?}");
    assert_eq!(words(&faulty), ["ok", "FAULT", "-", "FAULT", "ok", "-"], "{faulty:?}");
    assert!(faulty.out.contains("       shard 1: wins of all seats: "), "{faulty:?}");
    let json = sho(&["verify", name, "--format", "json"]);
    assert_eq!(json.code, Some(1));
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["ok"], false);
    fs::write(&part, text).unwrap();
}

#[test]
fn programs_and_openings_are_checked_too() {
    let folder = tempfile::tempdir().unwrap();
    let [exec, guti] = ["exec", "guti"].map(|name| folder.path().join(name));
    let bot = format!("exec:command=sh {}/../examples/bots/first.sh", env!("CARGO_MANIFEST_DIR"));
    play(&exec, &["--bot", &bot, "--bot", "random", "--games", "10"]);
    let checked = sho(&["verify", exec.to_str().unwrap()]).good();
    assert!(checked.contains("-      games            not played again: programs"), "{checked}");
    assert!(
        checked.contains("ok     games on record  10 games followed step by step"),
        "{checked}"
    );
    // A throw that the dice did not show.
    let record = exec.join("parts/shard-0.records/from-2");
    let text = fs::read_to_string(&record).unwrap();
    let throw = &text[text.find("\"turns\":[\"A ").unwrap() + 12..][..3];
    let other = if throw == "6-6" { "5-4" } else { "6-6" };
    fs::write(&record, text.replacen(&format!("A {throw}"), &format!("A {other}"), 1)).unwrap();
    let faulty = sho(&["verify", exec.to_str().unwrap()]);
    assert_eq!(faulty.code, Some(1));
    assert!(faulty.out.contains(&format!("the dice of the block throw {throw}")), "{faulty:?}");
    assert!(faulty.out.contains("FAULT  records          records.jsonl was changed"), "{faulty:?}");

    play(&guti, &["--game", "sholo-guti", "--bots", "easy,random", "--games", "20"]);
    sho(&["verify", guti.to_str().unwrap(), "--all"]).good();
}

#[test]
fn what_is_no_folder_of_an_experiment_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().to_str().unwrap();
    let line = sho(&["verify", name]).mistake();
    assert!(line.contains("experiment.json"), "{line}");
    fs::write(
        folder.path().join("experiment.json"),
        "{\"schema\":\"sho/experiment/1\",\"game\":\"sho\"}",
    )
    .unwrap();
    assert!(sho(&["verify", name]).mistake().contains("missing field"), "{line}");
    for (words, complaint) in [
        (&["--sample", "0"][..], "from 1 to 1000000"),
        (&["--sample", "5", "--all"], "--all"),
        (&["--engine", "quick"], "fast, plain"),
    ] {
        let line = sho(&[&["verify", name], words].concat()).mistake();
        assert!(line.contains(complaint), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_stops_it_and_what_was_checked_stands_there() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long");
    let name = path.to_str().unwrap();
    play(&path, &["--bots", "easy,easy", "--games", "200000"]);
    let mut child =
        crate::common::command(&["verify", name, "--all", "--threads", "1", "--engine", "plain"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("check lines") {
        assert!(out.read_line(&mut text).unwrap() > 0, "{text}");
    }
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    out.read_to_string(&mut text).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{text}");
    assert!(text.contains("played again: the same counts; stopped before the rest"), "{text}");
    let line = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(line, format!("stopped before everything in {name} was checked\n"));
}
