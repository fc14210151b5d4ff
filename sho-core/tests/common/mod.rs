//! What the tests of this crate share: the stored positions, and random rules.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;

use serde_json::Value;
use sho_core::sho::Rules;
use sho_core::{RuleSet, Stream};

/// A stored position with what follows from it.
pub(crate) struct Vector {
    pub(crate) rules: Rules,
    pub(crate) position: String,
    pub(crate) next: Vec<(String, String)>,
    pub(crate) walks: Vec<u128>,
}

pub(crate) fn testdata(name: &str) -> String {
    let path = format!("{}/../testdata/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(crate) fn vectors() -> Vec<Vector> {
    testdata("sho-positions.jsonl")
        .lines()
        .map(|line| vector(&serde_json::from_str(line).unwrap()))
        .collect()
}

fn vector(value: &Value) -> Vector {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut rules = Rules::preset(value["rules"].as_str().unwrap()).unwrap();
    rules.set("sides", &value["sides"].to_string()).unwrap();
    for (name, value) in value["set"].as_object().unwrap() {
        rules.set(name, value.as_str().unwrap()).unwrap();
    }
    Vector {
        rules,
        position: text(&value["position"]),
        next: value["next"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| (text(&pair[0]), text(&pair[1])))
            .collect(),
        walks: value["perft"]
            .as_array()
            .unwrap()
            .iter()
            .map(|count| count.as_u64().unwrap().into())
            .collect(),
    }
}

/// Rules drawn at random: a preset with about every third setting drawn anew, small boards included.
pub(crate) fn random_rules(words: &mut Stream) -> Rules {
    use sho_core::SettingValues;
    loop {
        let presets = Rules::PRESETS;
        let mut rules = presets[words.below(presets.len() as u32) as usize].rules;
        for setting in Rules::SETTINGS {
            // How many sides play matters to everything, so it is drawn anew each time.
            if setting.name != "sides" && words.below(3) > 0 {
                continue;
            }
            let value = match setting.values {
                SettingValues::Words(choices) => {
                    choices[words.below(choices.len() as u32) as usize].to_owned()
                }
                SettingValues::YesNo => ["yes", "no"][words.below(2) as usize].to_owned(),
                // Caps that are reached: 1 to about 600, most of them short.
                SettingValues::Range(low, 65535) => {
                    let bits = 1 + words.below(10);
                    (low + words.below(1 << bits)).to_string()
                }
                SettingValues::Range(low, high) => (low + words.below(high - low + 1)).to_string(),
                SettingValues::Totals => {
                    let set = words.below(1 << 11);
                    let totals: Vec<String> = (2..=12)
                        .filter(|total| set >> (total - 2) & 1 == 1)
                        .map(|total| total.to_string())
                        .collect();
                    if totals.is_empty() { "none".to_owned() } else { totals.join("+") }
                }
                _ => continue,
            };
            rules.set(setting.name, &value).unwrap();
        }
        if rules.check().is_ok() {
            return rules;
        }
    }
}
