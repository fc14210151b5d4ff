//! `sho study` from the outside: what it prints, keeps and refuses.

use std::fs;

use serde_json::Value;

use crate::common::sho;

const STUDY: [&str; 10] = [
    "study",
    "--vary",
    "join-throws,six-three=off",
    "--bots",
    "easy,random",
    "--sides",
    "2",
    "--blocks",
    "300",
    "--quiet",
];

fn with(more: &[&str]) -> crate::common::Run {
    sho(&[&STUDY[..], more].concat())
}

#[test]
fn the_table_has_the_greatest_effect_first_and_fits() {
    let text = with(&[]).good();
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    assert!(text.contains("sho, 2 sides, base rules: lhasa"), "{text}");
    assert!(text.contains("3 cells (one-at-a-time), 2 policies, 300 blocks, seed 1: 1,800 games"));
    assert!(text.contains("family: 4 effects on throws"), "{text}");
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("no {words} in {text}"));
    // One game in thirty without a six-three is much longer; a join more or less is felt in most games, and hardly.
    assert!(at("six-three=off") < at("join-throws=no"), "{text}");
    assert!(text.contains("seat A") && text.contains("minutes: 6 s for a throw"), "{text}");
}

#[test]
fn forms_and_threads_agree() {
    let json = with(&["--format", "json", "--threads", "1"]).good();
    assert_eq!(json, with(&["--format", "json", "--threads", "2"]).good());
    assert_eq!(json, with(&["--format", "json", "--engine", "plain"]).good());
    let document: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(document["schema"], "sho/study/1");
    let csv = with(&["--format", "csv"]).good();
    let throws = csv.lines().find(|line| line.starts_with("easy,join-throws=no,value,throws,300,"));
    let effect = &document["policies"][0]["effects"][0];
    assert_eq!(throws.unwrap().split(',').nth(5), Some(effect["effect"].to_string().as_str()));
}

#[test]
fn shards_in_any_order_make_the_result_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (split, whole) = (path("split"), path("whole"));
    assert_eq!(with(&["--out", &split, "--shards", "3", "--prepare"]).good(), "");
    for shard in ["2", "0"] {
        assert_eq!(sho(&["run-shard", &split, shard, "--quiet", "--threads", "1"]).good(), "");
    }
    assert_eq!(sho(&["missing", &split]).good(), "1\n");
    assert!(sho(&["merge", &split]).mistake().contains("shards 1 are not whole"));
    assert!(sho(&["emit", "parallel", &split, "--quiet"]).good().contains("jobs"));
    let result = with(&["--format", "json"]).good();
    assert_eq!(sho(&["resume", &split, "--quiet", "--format", "json"]).good(), result);
    assert_eq!(sho(&["merge", &split, "--format", "json"]).good(), result);
    let table = with(&["--out", &whole]).good();
    assert_eq!(table, with(&[]).good());
    for name in [
        "study.json",
        "report.txt",
        "effects.csv",
        "cells.csv",
        "effects.dictionary.csv",
        "cells.dictionary.csv",
        "report.html",
        "pictures/effects-throws.svg",
        "pictures/seats.svg",
        "pictures/lengths-easy.svg",
        "pictures/lengths-random.svg",
    ] {
        let read = |folder: &str| fs::read_to_string(format!("{folder}/{name}")).unwrap();
        assert_eq!(read(&split), read(&whole), "{name}");
    }
    assert_eq!(fs::read_to_string(format!("{whole}/study.json")).unwrap(), result);
    // The command of the page plays the study again.
    let page = fs::read_to_string(format!("{whole}/report.html")).unwrap();
    let command = page.split("<pre><code>sho ").nth(1).unwrap().split('<').next().unwrap();
    let words: Vec<&str> = command.split(' ').chain(["--format", "json", "--quiet"]).collect();
    assert_eq!(sho(&words).good(), result);
    // The pictures of the page are those of the folder.
    for file in fs::read_dir(format!("{whole}/pictures")).unwrap() {
        let picture = fs::read_to_string(file.unwrap().path()).unwrap();
        let inside = picture.replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(page.contains(inside.trim_end()));
    }
    // Each column of a file is explained, in its order.
    for name in ["effects", "cells"] {
        let read = |file: &str| fs::read_to_string(format!("{whole}/{name}{file}.csv")).unwrap();
        let (rows, dictionary) = (read(""), read(".dictionary"));
        let named: Vec<&str> =
            dictionary.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
        assert_eq!(rows.lines().next().unwrap().split(',').collect::<Vec<_>>(), named);
    }
    assert!(with(&["--out", &whole]).mistake().contains("it holds an experiment already"));
    // Both hold what their games say, and what was changed in one is named.
    let found = sho(&["verify", &whole, "--sample", "5"]).good();
    assert!(
        found.lines().count() == 7 && found.lines().all(|line| line.starts_with("ok ")),
        "{found}"
    );
    let all = sho(&["verify", &split, "--all"]).good();
    assert!(all.contains(" blocks played again: the same counts"), "{all}");
    let cells = format!("{split}/cells.csv");
    let text = fs::read_to_string(&cells).unwrap();
    fs::write(&cells, text.replacen("easy", "eazy", 1)).unwrap();
    let faulty = sho(&["verify", &split]);
    assert_eq!(faulty.code, Some(1));
    assert!(faulty.out.contains("FAULT  tables "), "{faulty:?}");
    assert!(faulty.out.contains("       cells.csv, line 2: `eazy,"), "{faulty:?}");
}

#[test]
fn mistakes_are_told_in_one_line() {
    let line = |words: &[&str]| sho(&[&["study"], words].concat()).mistake();
    for (words, says) in [
        (&["--vary", "reopn"][..], "did you mean `reopen`"),
        (&["--vary", "reopen=always"], "possible: never, opening-killed, nothing-out"),
        (&["--vary", "shells"], "too many to take all; name some"),
        (&["--vary", "coins=1"], "opening-coins=2 is more than coins=1"),
        (&["--vary", "reopen=never"], "names the values of the base alone"),
        (&[], "--vary"),
        (&["--vary", "sides", "--design", "half"], "one-at-a-time, factorial"),
        (&["--vary", "sides", "--bots", "eazy"], "did you mean `easy`"),
        (&["--vary", "sides", "--seconds-a-throw", "-1"], "expected seconds from 0 to 3600"),
        (&["--vary", "sides", "--blocks", "0"], "expected a number from 1"),
        (&["--vary", "sides", "--bot", "exec:command=true"], "may play otherwise"),
        (&["--vary", "all", "--design", "factorial"], "at most 64 with --design factorial"),
        (&["--vary", "sides", "--shards", "2"], "--out"),
    ] {
        assert!(line(words).contains(says), "{words:?}: {}", line(words));
    }
}

#[test]
fn a_dry_run_names_the_cells_and_what_is_left_out() {
    let text = sho(&["study", "--vary", "coins", "--bots", "easy", "--dry-run"]).good();
    assert!(text.contains("\ncoins=2\n") && text.contains("left out: coins=1, "), "{text}");
    assert!(text.ends_with("8 cells, 1 policy, 10000 blocks: 80000 games\n"), "{text}");
}
