//! `sho tune` from the outside: what it prints, keeps and refuses.

use std::fs;

use serde_json::Value;

use crate::common::sho;

/// A tuning of a second.
const TUNE: [&str; 20] = [
    "tune",
    "--sides",
    "2",
    "--fit-games",
    "200",
    "--generations",
    "3",
    "--candidates",
    "4",
    "--blocks",
    "20",
    "--choice-blocks",
    "60",
    "--proof-blocks",
    "128",
    "--measure-blocks",
    "60",
    "--quiet",
    "--seed",
    "3",
];

fn tune(folder: &str, more: &[&str]) -> crate::common::Run {
    sho(&[&TUNE[..], &["--out", folder], more].concat())
}

#[test]
fn it_keeps_what_it_prints() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let report = tune(&path("one"), &["--threads", "1"]).good();
    assert!(report.lines().all(|line| line.chars().count() <= 80), "{report}");
    for part in ["fit: ", "polish by cma-es: 3 generations of 4 points", "finalist", "threatened"] {
        assert!(report.contains(part), "{part}\n{report}");
    }
    let read = |name: &str, file: &str| fs::read_to_string(folder.path().join(name).join(file));
    assert_eq!(read("one", "report.txt").unwrap(), report);
    let csv = read("one", "generations.csv").unwrap();
    assert_eq!(csv.lines().count(), 4, "{csv}");
    for picture in ["calibration", "polish"] {
        let svg = read("one", &format!("pictures/{picture}.svg")).unwrap();
        roxmltree::Document::parse(&svg).unwrap();
    }
    // The weights are those of the document, and a bot plays by them.
    let document: Value = serde_json::from_str(&read("one", "tune.json").unwrap()).unwrap();
    let weights: Value = serde_json::from_str(&read("one", "weights.json").unwrap()).unwrap();
    assert_eq!(document["weights"], weights);
    let bots = format!("weighted:weights={},hard", path("one/weights.json"));
    sho(&["tournament", "--sides", "2", "--bots", &bots, "--blocks", "2", "--quiet"]).good();

    // Prepared and done later, with other threads, it is the same.
    assert_eq!(tune(&path("two"), &["--prepare"]).good(), "");
    let resume = ["resume", &path("two"), "--quiet", "--threads", "2", "--format", "json"];
    assert_eq!(sho(&resume).good(), read("one", "tune.json").unwrap());
    assert_eq!(read("two", "report.txt").unwrap(), report);
    // Once more it prints the result, and plays nothing.
    assert_eq!(sho(&["resume", &path("two"), "--quiet"]).good(), report);
}

#[test]
fn mistakes_are_refused_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new").to_str().unwrap().to_owned();
    for (more, expected) in [
        (&["--bot", "easy"][..], "bot easy plays by no weights that could be tuned"),
        (&["--bot", "esay"], "did you mean `easy`?"),
        (&["--candidates", "6", "--candidates", "7"], "candidates"),
        (&["--method", "sgd"], "possible: cma-es, spsa"),
        (&["--sprt", "5,0"], "the first must be below the second"),
        (&["--from", "nowhere.json"], "nowhere.json: "),
        (&["--prove", "medium"], "bot medium plays by no weights"),
        (&["--set", "sides=5"], "sides"),
    ] {
        let line = tune(&path, more).mistake();
        assert!(line.contains(expected), "{line}");
        assert!(!folder.path().join("new").exists(), "{line}");
    }
}

#[test]
fn a_tuning_has_no_shards() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new").to_str().unwrap().to_owned();
    assert_eq!(tune(&path, &["--prepare"]).good(), "");
    for arguments in [&["run-shard", &path, "0"][..], &["missing", &path], &["merge", &path]] {
        let line = sho(arguments).mistake();
        assert!(line.contains("it holds a tuning") && line.contains("sho resume"), "{line}");
    }
    let line = tune(&path, &[]).mistake();
    assert!(line.contains("it holds an experiment already"), "{line}");
    // What was changed by hand is not gone on with.
    let file = folder.path().join("new/experiment.json");
    let text = fs::read_to_string(&file).unwrap();
    sho(&["resume", &path, "--quiet"]).good();
    fs::write(&file, text.replace("\"seed\":3", "\"seed\":4")).unwrap();
    let line = sho(&["resume", &path, "--quiet"]).mistake();
    assert!(line.contains("it was begun with other numbers"), "{line}");
}
