//! Rules as data: presets, text, JSON, refusals.
#![cfg(feature = "serde")]

mod common;

use common::random_rules;
use serde_json::{Map, Value, json};
use sho_core::sho::{Rules, Totals, plain};
use sho_core::{Game, ImpossibleRules, RuleSet, SettingError, SettingValues, Stream};

/// The table of settings: name, values, and the values of `lhasa`, `general` and `bhutan`.
#[rustfmt::skip]
const TABLE: [(&str, &str, &str, &str, &str); 21] = [
    ("sides", "2..=4", "3", "3", "3"),
    ("shells", "8..=64", "64", "64", "64"),
    ("coins", "1..=9", "9", "9", "9"),
    ("max-throws", "1..=65535", "2000", "2000", "2000"),
    ("waiting-limit", "2..=9", "9", "9", "9"),
    ("going-home", "any-throw, exact", "any-throw", "any-throw", "any-throw"),
    ("left-over", "lost, used", "lost", "lost", "used"),
    ("opening-coins", "1..=3", "2", "2", "2"),
    ("opening-bonus", "totals from 2 to 12 joined by +, or none", "2+3", "none", "none"),
    ("opening-clash", "three, one-more", "three", "one-more", "one-more"),
    ("opening-kill-throws", "yes, no", "yes", "no", "no"),
    ("reopen", "never, opening-killed, nothing-out", "never", "opening-killed", "opening-killed"),
    ("pa-ra", "spend-each, choose-one", "spend-each", "choose-one", "choose-one"),
    ("pa-ra-pair", "yes, no", "no", "yes", "yes"),
    ("three-pa-ra-wins", "yes, no", "no", "no", "no"),
    ("six-three", "off, all-nine, whole-hand", "all-nine", "whole-hand", "whole-hand"),
    ("six-three-kills", "yes, no", "no", "yes", "yes"),
    ("nine-stack", "allowed, forbidden", "allowed", "allowed", "allowed"),
    ("join-throws", "yes, no", "yes", "yes", "yes"),
    ("kill", "equal-or-smaller, stacks-need-bigger", "equal-or-smaller", "equal-or-smaller", "equal-or-smaller"),
    ("alliance", "yes, no", "no", "no", "yes"),
];

/// What the reconstructed presets change of `lhasa`.
const RECONSTRUCTED: [(&str, &str); 4] = [
    ("wikipedia", "opening-bonus=2 pa-ra=choose-one"),
    (
        "tomoaki",
        "opening-clash=one-more reopen=nothing-out three-pa-ra-wins=yes six-three-kills=yes",
    ),
    (
        "darjeeling",
        "opening-clash=one-more reopen=nothing-out three-pa-ra-wins=yes six-three-kills=yes kill=stacks-need-bigger",
    ),
    ("qinghai", "opening-bonus=2+12 six-three=off"),
];

fn changed(base: Rules, assignments: &str) -> Rules {
    let mut rules = base;
    for assignment in assignments.split_whitespace() {
        rules.assign(assignment).unwrap();
    }
    rules
}

#[test]
fn the_settings_are_those_of_the_table() {
    assert_eq!(Rules::SETTINGS.len(), TABLE.len());
    for (setting, (name, values, ..)) in Rules::SETTINGS.iter().zip(TABLE) {
        assert_eq!(setting.name, name);
        assert_eq!(setting.values.to_string(), values, "{name}");
        assert!(!setting.about.is_empty());
    }
}

#[test]
fn the_presets_are_those_of_the_table() {
    let names: Vec<&str> = Rules::PRESETS.iter().map(|preset| preset.name).collect();
    let expected = ["lhasa", "general", "bhutan", "wikipedia", "tomoaki", "darjeeling", "qinghai"];
    assert_eq!(names, expected);
    let column =
        |value: fn(&(&str, &str, &'static str, &'static str, &'static str)) -> &'static str| {
            let cells = TABLE.iter().map(|row| format!("{}={}", row.0, value(row)));
            cells.collect::<Vec<_>>().join(" ")
        };
    let text = |name: &str| Rules::preset(name).unwrap().settings_text();
    assert_eq!(text("lhasa"), column(|row| row.2));
    assert_eq!(text("general"), column(|row| row.3));
    assert_eq!(text("bhutan"), column(|row| row.4));
    for (name, changes) in RECONSTRUCTED {
        assert_eq!(text(name), changed(Rules::lhasa(), changes).settings_text(), "{name}");
    }
    for preset in Rules::PRESETS {
        preset.rules.check().unwrap();
        assert!(!preset.about.is_empty() && !preset.source.is_empty());
        let reconstructed = RECONSTRUCTED.iter().any(|(name, _)| *name == preset.name);
        assert_eq!(preset.reconstructed, reconstructed, "{}", preset.name);
    }
    assert_eq!(Rules::default(), Rules::lhasa());
}

#[test]
fn settings_are_read_as_they_are_printed() {
    let mut words = Stream::new(5, "test/rules", 0);
    let drawn = (0..200).map(|_| random_rules(&mut words)).collect::<Vec<_>>();
    for rules in Rules::PRESETS.iter().map(|preset| preset.rules).chain(drawn) {
        let text = rules.settings_text();
        assert_eq!(rules.to_string(), text);
        assert_eq!(changed(Rules::bhutan(), &text), rules);
        let json = serde_json::to_string(&rules).unwrap();
        assert_eq!(serde_json::from_str::<Rules>(&json).unwrap(), rules);
    }
}

#[test]
fn every_value_of_every_setting_is_read() {
    for setting in Rules::SETTINGS {
        let values: Vec<String> = match setting.values {
            SettingValues::Words(words) => words.iter().map(ToString::to_string).collect(),
            SettingValues::YesNo => vec!["yes".into(), "no".into()],
            SettingValues::Range(low, high) => vec![low.to_string(), high.to_string()],
            SettingValues::Totals => {
                vec!["none".into(), "2+12".into(), "2+3+4+5+6+7+8+9+10+11+12".into()]
            }
            other => panic!("{other:?}"),
        };
        for value in values {
            let mut rules = Rules::lhasa();
            rules.assign(&format!("{}={value}", setting.name)).unwrap();
            assert_eq!((setting.get)(&rules), value);
        }
    }
    // `on` and `off` are read too.
    assert!(changed(Rules::lhasa(), "alliance=on").alliance);
    assert!(!changed(Rules::lhasa(), "join-throws=off").join_throws);
}

#[test]
fn what_is_no_setting_is_refused_with_the_nearest_name() {
    let refused = |text: &str| {
        let mut rules = Rules::lhasa();
        let error = rules.assign(text).unwrap_err();
        assert_eq!(rules, Rules::lhasa(), "a refusal changes nothing");
        error
    };
    for (given, expected) in
        [("side", "sides"), ("reopenn", "reopen"), ("paira", "pa-ra"), ("six_three", "six-three")]
    {
        let error = refused(&format!("{given}=1"));
        let SettingError::UnknownSetting { given: found, nearest, all } = &error else {
            panic!("{error}")
        };
        assert_eq!((found.as_str(), *nearest), (given, expected));
        assert!(all.starts_with("sides, shells, coins"), "{all}");
        assert!(error.to_string().contains(&format!("did you mean `{expected}`?")));
    }
    for text in ["", "sides", "sides:2"] {
        assert_eq!(refused(text), SettingError::NotAnAssignment(text.into()));
    }
    for text in [
        "sides=1",
        "sides=5",
        "sides=",
        "sides=02",
        "sides=+2",
        "sides= 2",
        "sides=two",
        "sides=258",
        "shells=7",
        "shells=65",
        "coins=0",
        "coins=10",
        "max-throws=0",
        "max-throws=65536",
        "max-throws=4294967297",
        "waiting-limit=1",
        "waiting-limit=10",
        "opening-coins=0",
        "opening-coins=4",
        "opening-bonus=1",
        "opening-bonus=13",
        "opening-bonus=",
        "opening-bonus=2+",
        "opening-bonus=2,3",
        "opening-bonus=02",
        "opening-bonus=none+2",
        "reopen=Never",
        "reopen=",
        "alliance=true",
        "alliance=YES",
        "going-home=exact ",
        "kill=bigger",
    ] {
        let error = refused(text);
        let (name, value) = text.split_once('=').unwrap();
        let SettingError::UnknownValue { setting, given, .. } = &error else { panic!("{error}") };
        assert_eq!((*setting, given.as_str()), (name, value));
        assert!(error.to_string().starts_with(&format!("{name} cannot be `{value}`; possible: ")));
    }
    let error = Rules::preset("lasha").unwrap_err();
    assert!(error.to_string().starts_with("no rules `lasha`; did you mean `lhasa`?"), "{error}");
    assert!(Rules::preset("Lhasa").is_err() && Rules::preset("").is_err());
}

#[test]
fn rules_that_make_no_sense_are_refused_by_name() {
    let refused = |change: fn(&mut Rules)| {
        let mut rules = Rules::lhasa();
        change(&mut rules);
        let error = rules.check().unwrap_err();
        assert_eq!(plain::Sho::new(rules).unwrap_err(), error);
        error
    };
    let out_of_range = |error: ImpossibleRules| match error {
        ImpossibleRules::OutOfRange { setting, value, .. } => (setting, value),
        error => panic!("{error}"),
    };
    assert_eq!(out_of_range(refused(|rules| rules.sides = 1)), ("sides", 1));
    assert_eq!(out_of_range(refused(|rules| rules.sides = 5)), ("sides", 5));
    assert_eq!(out_of_range(refused(|rules| rules.sides = 255)), ("sides", 255));
    assert_eq!(out_of_range(refused(|rules| rules.shells = 7)), ("shells", 7));
    assert_eq!(out_of_range(refused(|rules| rules.shells = 65)), ("shells", 65));
    assert_eq!(out_of_range(refused(|rules| rules.coins = 0)), ("coins", 0));
    assert_eq!(out_of_range(refused(|rules| rules.coins = 10)), ("coins", 10));
    assert_eq!(out_of_range(refused(|rules| rules.max_throws = 0)), ("max-throws", 0));
    assert_eq!(out_of_range(refused(|rules| rules.waiting_limit = 1)), ("waiting-limit", 1));
    assert_eq!(out_of_range(refused(|rules| rules.waiting_limit = 10)), ("waiting-limit", 10));
    assert_eq!(out_of_range(refused(|rules| rules.opening_coins = 0)), ("opening-coins", 0));
    assert_eq!(out_of_range(refused(|rules| rules.opening_coins = 4)), ("opening-coins", 4));
    assert_eq!(refused(|rules| rules.sides = 5).to_string(), "sides cannot be 5; possible: 2..=4");
    assert_eq!(
        refused(|rules| (rules.coins, rules.opening_coins) = (2, 3)),
        ImpossibleRules::OpeningAboveCoins { opening_coins: 3, coins: 2 }
    );
    for total in [0, 1, 13, 15] {
        let mut rules = Rules::lhasa();
        rules.opening_bonus = Totals::of(&[2, total]);
        assert_eq!(rules.check(), Err(ImpossibleRules::BonusOutOfRange));
    }
    for coins in 1..=3 {
        let text = format!("nine-stack=forbidden coins={coins} opening-coins={coins}");
        let rules = changed(Rules::lhasa(), &text);
        assert_eq!(rules.check(), Err(ImpossibleRules::NobodyCanOpen(coins)));
    }
    // All else is possible.
    for text in [
        "coins=3 opening-coins=3",
        "nine-stack=forbidden coins=3",
        "coins=1 opening-coins=1 opening-bonus=2+3",
        "shells=8 six-three=whole-hand",
        "sides=2 alliance=yes",
        "going-home=exact left-over=used",
        "max-throws=1 waiting-limit=2",
    ] {
        changed(Rules::lhasa(), text).check().unwrap();
    }
}

#[test]
fn json_names_every_setting() {
    let mut expected = Map::new();
    for (name, _, _, _, bhutan) in TABLE {
        let value = match bhutan {
            "none" => json!([]),
            number if number.parse::<u32>().is_ok() => json!(number.parse::<u32>().unwrap()),
            word => json!(word),
        };
        expected.insert(name.to_owned(), value);
    }
    assert_eq!(serde_json::to_value(Rules::bhutan()).unwrap(), Value::Object(expected));
    let lhasa = serde_json::to_string(&Rules::lhasa()).unwrap();
    assert!(lhasa.starts_with(r#"{"sides":3,"shells":64,"coins":9,"#), "{lhasa}");
    assert!(lhasa.contains(r#""opening-bonus":[2,3]"#), "{lhasa}");
    assert!(lhasa.ends_with(r#""alliance":"no"}"#), "{lhasa}");
}

#[test]
fn json_may_start_from_a_preset() {
    let read = |text: &str| serde_json::from_str::<Rules>(text).unwrap();
    assert_eq!(read(r#"{"preset": "bhutan"}"#), Rules::bhutan());
    // Wherever the name stands.
    let expected = changed(Rules::bhutan(), "sides=4 opening-bonus=2+12 alliance=no");
    let given = r#"{"sides": 4, "opening-bonus": [2, 12], "preset": "bhutan", "alliance": "no"}"#;
    assert_eq!(read(given), expected);
    assert_eq!(read(r#"{"preset": "lhasa", "opening-bonus": []}"#).opening_bonus, Totals::NONE);
    // True and false are read too.
    assert!(read(r#"{"preset": "lhasa", "alliance": true}"#).alliance);
    assert!(!read(r#"{"preset": "lhasa", "join-throws": false}"#).join_throws);
}

#[test]
fn json_that_is_no_rules_is_refused_by_name() {
    let refused = |text: &str| serde_json::from_str::<Rules>(text).unwrap_err().to_string();
    for (text, expected) in [
        (r#"{"preset": "lasha"}"#, "no rules `lasha`; did you mean `lhasa`?"),
        (r#"{"preset": "lhasa", "side": 2}"#, "no setting `side`; did you mean `sides`?"),
        (r#"{"preset": "lhasa", "preset": "bhutan"}"#, "preset is given twice"),
        (r#"{"preset": "lhasa", "sides": 2, "sides": 2}"#, "sides is given twice"),
        (r#"{"preset": "lhasa", "sides": 5}"#, "sides cannot be `5`; possible: 2..=4"),
        (r#"{"preset": "lhasa", "sides": 2.5}"#, "sides: expected a number"),
        (r#"{"preset": "lhasa", "sides": -2}"#, "sides: expected a number"),
        (r#"{"preset": "lhasa", "sides": null}"#, "sides: expected a number"),
        (r#"{"preset": "lhasa", "sides": {}}"#, "sides: expected a number"),
        (
            r#"{"preset": "lhasa", "alliance": "maybe"}"#,
            "alliance cannot be `maybe`; possible: yes, no",
        ),
        (r#"{"preset": "lhasa", "opening-bonus": [13]}"#, "opening-bonus cannot be `13`"),
        (r#"{"preset": "lhasa", "coins": 1}"#, "opening-coins=2 is more than coins=1"),
        (r#"{"preset": "lhasa", "coins": 2, "nine-stack": "forbidden"}"#, "nobody could ever open"),
        ("{}", "the setting sides is missing"),
        (r#"{"sides": 2}"#, "the setting shells is missing"),
        ("[]", "an object of settings"),
        ("3", "an object of settings"),
    ] {
        let error = refused(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
    // One missing setting is named, whichever it is.
    let complete = serde_json::to_value(Rules::lhasa()).unwrap();
    for (name, ..) in TABLE {
        let mut partial = complete.clone();
        partial.as_object_mut().unwrap().remove(name);
        let error = refused(&partial.to_string());
        assert!(error.contains(&format!("the setting {name} is missing")), "{error}");
    }
}

#[test]
fn a_summary_names_the_nearest_preset() {
    for preset in Rules::PRESETS {
        for sides in 2..=4 {
            let mut rules = preset.rules;
            rules.sides = sides;
            assert_eq!(rules.summary(), preset.name);
        }
    }
    for (base, changes, expected) in [
        ("lhasa", "reopen=nothing-out", "lhasa with reopen=nothing-out"),
        ("lhasa", "sides=2 going-home=exact", "lhasa with going-home=exact"),
        // In the order of the table, whatever the order they were set in.
        ("lhasa", "kill=stacks-need-bigger coins=7", "lhasa with coins=7 kill=stacks-need-bigger"),
        ("general", "left-over=used alliance=yes", "bhutan"),
        ("bhutan", "alliance=no opening-bonus=none", "general with left-over=used"),
        // As near as `wikipedia`, and before it.
        ("lhasa", "pa-ra=choose-one", "lhasa with pa-ra=choose-one"),
        ("tomoaki", "kill=stacks-need-bigger join-throws=no", "darjeeling with join-throws=no"),
        ("qinghai", "opening-bonus=none", "qinghai with opening-bonus=none"),
    ] {
        let rules = changed(Rules::preset(base).unwrap(), changes);
        assert_eq!(rules.summary(), expected, "{base} {changes}");
    }
}
