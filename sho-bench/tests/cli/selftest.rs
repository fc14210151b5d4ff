//! `sho selftest` from the outside.

use serde_json::Value;

use crate::common::sho;

const SMALL: [&str; 9] =
    ["selftest", "--matches", "20", "--blocks", "64", "--set", "shells=16", "--set", "coins=3"];

fn small(more: &[&str]) -> crate::common::Run {
    sho(&[&SMALL, more].concat())
}

#[test]
fn the_table_fits_a_screen_and_says_what_it_found() {
    let out = small(&[]).good();
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    for part in ["Equals, 2 sides", "Equals, 4 sides", "Copies, 3 sides", "in all orders"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert_eq!(out.lines().last(), Some("all 77 rates are as stated"));
    // The same answer with any number of threads.
    assert_eq!(small(&["--threads", "1"]).good(), out);
}

#[test]
fn the_document_has_a_verdict_for_each_rate() {
    let out = small(&["--sides", "3", "--format", "json"]).good();
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&json["schema"], &json["ok"]), (&"sho/selftest/1".into(), &true.into()));
    let experiments = json["experiments"].as_array().unwrap();
    assert_eq!(experiments.len(), 5);
    for check in experiments.iter().flat_map(|tested| tested["checks"].as_array().unwrap()) {
        assert_eq!((&check["of"], &check["verdict"]), (&20.into(), &"ok".into()), "{check}");
    }
}

#[test]
fn mistakes() {
    for (more, expected) in [
        (&["--sides", "5"][..], "sides cannot be `5`"),
        (&["--matches", "19"], "from 20"),
        (&["--blocks", "63"], "from 64"),
        (&["--game", "chess"], "no game `chess`"),
        (&["--set", "coins=1"], "opening-coins=2 is more than coins=1"),
        (&["--game", "sholo-guti", "--set", "shells=16"], "no setting `shells`"),
        (&["--game", "sholo-guti", "--sides", "3"], "sholo-guti has 2 sides"),
    ] {
        let line = sho(&[&["selftest"], more].concat()).mistake();
        assert!(line.contains(expected), "{more:?}: {line}");
    }
    assert!(sho(&["selftest", "--help"]).good().contains("\n  sho selftest\n"));
}
