//! `sho diff` from the outside.

use serde_json::Value;

use crate::common::{Run, sho};

/// A folder with results of a few small experiments.
struct Results(tempfile::TempDir);

impl Results {
    fn new() -> Self {
        let results = Self(tempfile::tempdir().unwrap());
        for (name, more) in [
            ("one", &[][..]),
            ("again", &["--threads", "1"]),
            ("longer", &["--set", "shells=32"]),
            ("later", &["--set", "shells=32", "--seed", "9"]),
            ("single", &["--seed", "9", "--blocks", "1"]),
        ] {
            let blocks: &[&str] = if name == "single" { &[] } else { &["--blocks", "40"] };
            let mut arguments = vec!["tournament", "--bots", "easy,random", "--format", "json"];
            if !more.contains(&"shells=32") {
                arguments.extend(["--set", "shells=16"]);
            }
            arguments.extend(["--set", "coins=3"].iter().chain(blocks).chain(more));
            let document = sho(&arguments).good();
            std::fs::write(results.path(name), document).unwrap();
        }
        results
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn diff(&self, a: &str, b: &str, more: &[&str]) -> Run {
        let (a, b) = (self.path(a), self.path(b));
        sho(&[&["diff", &a, &b], more].concat())
    }
}

/// What a run printed that found a difference, which is no error: exit code 1, and nothing on standard error.
#[track_caller]
fn differs(run: Run) -> String {
    assert_eq!((run.code, run.err.as_str()), (Some(1), ""), "{run:?}");
    run.out
}

#[test]
fn the_same_experiment_is_identical() {
    let results = Results::new();
    let out = results.diff("one", "again", &[]).good();
    assert!(out.ends_with("\nidentical: every key says the same\n"), "{out}");
    let json: Value =
        serde_json::from_str(&results.diff("one", "one", &["--format", "json"]).good()).unwrap();
    assert_eq!((&json["schema"], &json["relation"]), (&"sho/diff/1".into(), &"same".into()));
}

#[test]
fn two_experiments_stand_side_by_side() {
    let results = Results::new();
    let dependent = differs(results.diff("one", "longer", &[]));
    assert!(dependent.contains("\n  rules.shells: a 16, b 32\n"), "{dependent}");
    assert!(dependent.contains("NOT INDEPENDENT: both have seed and blocks 0 to 39"));
    let out = differs(results.diff("one", "later", &[]));
    assert!(out.contains("\n  seed: a 1, b 9\n") && !out.contains("NOT INDEPENDENT"), "{out}");
    for part in ["easy", "throws", "home", "b is longer", "95 %"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let json: Value =
        serde_json::from_str(&differs(results.diff("one", "later", &["--format", "json"])))
            .unwrap();
    assert_eq!(json["relation"], "other-experiment");
    assert!(json["numbers"]["lengths"][0]["interval"][0].as_f64().unwrap() > 0.0, "{json}");
    // One block has no errors: there are differences, and no intervals.
    let single = differs(results.diff("one", "single", &[]));
    let easy = single.lines().find(|line| line.starts_with("easy ")).unwrap();
    assert!(easy.ends_with(" -"), "{single}");
    for text in [dependent, out, single] {
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn what_was_changed_by_hand_is_named() {
    let results = Results::new();
    let text = std::fs::read_to_string(results.path("one")).unwrap();
    std::fs::write(results.path("bent"), text.replacen("\"wins\":", "\"wins\":1", 1)).unwrap();
    let out = differs(results.diff("one", "bent", &[]));
    assert!(out.contains("changed by hand") && out.contains("  bots[0].wins: a "), "{out}");
    assert!(!out.contains("broken repeat"), "{out}");
    let out = differs(results.diff("bent", "bent", &[]));
    assert!(out.contains("changed by hand"), "{out}");
}

#[test]
fn a_folder_stands_for_its_result() {
    let results = Results::new();
    let folder = results.path("folder");
    let bots = ["--bots", "easy,random", "--set", "shells=16", "--set", "coins=3"];
    let more = ["--blocks", "40", "--out", &folder, "--quiet"];
    sho(&[&["tournament"], &bots[..], &more].concat()).good();
    results.diff("folder", "one", &[]).good();
}

#[test]
fn what_cannot_be_read_is_a_mistake() {
    let results = Results::new();
    std::fs::write(results.path("bad"), "{\"schema\":\"sho/record/1\"}").unwrap();
    std::fs::create_dir(results.path("empty")).unwrap();
    for (name, expected) in [
        ("none", "none: "),
        ("empty", "result.json: "),
        ("bad", "bad: no result of a tournament: schema sho/tournament/1 was expected, found"),
    ] {
        for (a, b) in [(name, "one"), ("one", name)] {
            let line = results.diff(a, b, &[]).mistake();
            assert!(line.contains(expected), "{line}");
        }
    }
    assert!(sho(&["diff", "a"]).mistake().contains("<B>"));
}
