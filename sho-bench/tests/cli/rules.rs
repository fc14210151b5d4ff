//! `rules`, `bots` and the options that name rules.

use std::fs;

use serde_json::Value;
use sho_core::RuleSet;
use sho_core::sho::Rules;

use crate::common::sho;

#[test]
fn all_settings_presets_and_sources_are_listed() {
    let listed = sho(&["rules"]).good();
    for setting in Rules::SETTINGS {
        let line = listed.lines().find(|line| line.starts_with(&format!("  {} ", setting.name)));
        let line = line.unwrap_or_else(|| panic!("{} in {listed}", setting.name));
        assert!(line.contains(&(setting.get)(&Rules::lhasa())), "{line}");
        assert!(line.ends_with(&setting.values.to_string()), "{line}");
    }
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let listed = words(&listed);
    for preset in Rules::PRESETS {
        assert!(listed.contains(&format!("{}: {}", preset.name, preset.about)), "{}", preset.name);
        assert!(listed.contains(&words(preset.source)), "{}", preset.name);
    }
    assert_eq!(listed.matches("reconstruction").count(), 4);
}

#[test]
fn printed_rules_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for preset in Rules::PRESETS {
        let asked = ["--rules", preset.name, "--set", "coins=5", "--sides", "4"];
        let json = sho(&[&["rules", "--format", "json"], &asked[..]].concat()).good();
        let mut rules = preset.rules;
        (rules.coins, rules.sides) = (5, 4);
        assert_eq!(serde_json::from_str::<Rules>(&json).unwrap(), rules);
        let file = folder.path().join("rules.json");
        fs::write(&file, &json).unwrap();
        let file = file.to_str().unwrap();
        for read in [
            &["rules", file, "--format", "json"][..],
            &["rules", "--rules", file, "--format", "json"],
        ] {
            assert_eq!(sho(read).good(), json);
        }
        // The file's number of sides is only a default.
        assert_eq!(
            sho(&["actions", "--rules", file, "5+0o:-/5+0o:- A move 7 0 1"]).good(),
            "open@7\n"
        );
    }
    let file = folder.path().join("bad.json");
    fs::write(&file, r#"{"preset": "lhasa", "coinz": 3}"#).unwrap();
    let line = sho(&["show", "--rules", file.to_str().unwrap()]).mistake();
    assert!(line.contains("bad.json: no setting `coinz`; did you mean `coins`?"), "{line}");
    fs::write(&file, "{").unwrap();
    assert!(sho(&["show", "--rules", file.to_str().unwrap()]).mistake().contains("EOF"));
}

#[test]
fn one_preset_or_changed_rules() {
    let bhutan = sho(&["rules", "bhutan"]).good();
    assert!(bhutan.starts_with("sho: bhutan\ngeneral with the two"), "{bhutan}");
    assert!(
        bhutan.contains("alliance             yes                 (no in lhasa)\n"),
        "{bhutan}"
    );
    let house = sho(&["rules", "--set", "reopen=nothing-out"]).good();
    assert!(house.starts_with("sho: lhasa with reopen=nothing-out\n"), "{house}");
    assert_eq!(house.matches("in lhasa").count(), 1);
}

#[test]
fn bots_are_listed() {
    let listed = sho(&["bots"]).good();
    assert!(listed.contains("  random\n") && listed.contains("  easy (also greedy)\n"), "{listed}");
    let json: Value = serde_json::from_str(&sho(&["bots", "--format", "json"]).good()).unwrap();
    let names: Vec<&str> =
        json.as_array().unwrap().iter().map(|bot| bot["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"random") && names.contains(&"easy"), "{names:?}");
    assert_eq!(json.as_array().unwrap().iter().filter(|bot| bot["default"] == true).count(), 1);
}
