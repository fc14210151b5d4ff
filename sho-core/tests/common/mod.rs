//! What the tests of this crate share: the stored positions, random rules and random positions.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::fs;

use serde_json::Value;
use sho_core::sho::{Gap, LeftOver, Opening, Phase, Rules, Setup, Side, Waiting};
use sho_core::{RuleSet, Seat, Stream};

/// A stored position with what follows from it.
pub(crate) struct Vector {
    pub(crate) rules: Rules,
    pub(crate) position: String,
    pub(crate) next: Vec<(String, String)>,
    pub(crate) walks: Vec<u128>,
}

pub(crate) fn testdata_path(name: &str) -> String {
    format!("{}/../testdata/{name}", env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn testdata(name: &str) -> String {
    let path = testdata_path(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(crate) fn vectors() -> Vec<Vector> {
    testdata("sho-positions.jsonl")
        .lines()
        .map(|line| vector(&serde_json::from_str(line).unwrap()))
        .collect()
}

/// The rules of a stored line: a preset, the number of sides, and the settings that deviate.
pub(crate) fn stored_rules(value: &Value) -> Rules {
    let mut rules = Rules::preset(value["rules"].as_str().unwrap()).unwrap();
    rules.set("sides", &value["sides"].to_string()).unwrap();
    for (name, value) in value["set"].as_object().unwrap() {
        rules.set(name, value.as_str().unwrap()).unwrap();
    }
    rules
}

fn vector(value: &Value) -> Vector {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Vector {
        rules: stored_rules(value),
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

/// A position drawn at random, not from play: it need not be one that a game can reach, and may be none at all. Stacks
/// crowd in few gaps, so that they meet.
pub(crate) fn random_setup(words: &mut Stream, rules: &Rules) -> Setup {
    let seats = usize::from(rules.sides);
    let mut setup = Setup::start(rules);
    let mut taken = [false; 64];
    for seat in Seat::all(seats) {
        let side = &mut setup.sides[seat];
        *side = Side { home: words.below(u32::from(rules.coins) + 1) as u8, ..Side::default() };
        side.champion = rules.has_alliance() && words.below(4) == 0;
        let mut rest = rules.coins - side.home;
        side.opening = match words.below(8) {
            0 => Opening::First,
            1 => Opening::Again,
            _ => Opening::Done,
        };
        while !side.is_opening() && rest > 0 && words.below(5) > 0 {
            let last = u32::from(rules.shells) - 1;
            let gap = match words.below(8) {
                0 => 2,
                1 => last.min(9),
                2 => last,
                3 | 4 => last - words.below(last.min(12)),
                _ => 1 + words.below(last.min(24)),
            };
            if std::mem::replace(&mut taken[gap as usize], true) {
                continue;
            }
            let most = rest.min(1 + words.below(9) as u8);
            let size = 1 + words.below(most.into()) as u8;
            side.stacks[gap as usize] = size;
            rest -= size;
            if words.below(4) == 0 {
                side.fresh = Gap::new(gap as u8);
            }
        }
        side.hand = rest;
    }
    setup.mover = Seat::ALL[words.below(seats as u32) as usize];
    setup.phase = [Phase::Throw, Phase::Move, Phase::Move, Phase::Pair][words.below(4) as usize];
    let limit = u32::from(rules.waiting_limit) + u32::from(words.below(8) == 0);
    // One or two values as a rule, now and then as many as may wait.
    let count = if words.below(4) == 0 { words.below(limit.min(9) + 1) } else { words.below(3) };
    for _ in 0..count {
        let total = if words.below(3) == 0 { 2 } else { 2 + words.below(11) };
        setup.waiting = setup.waiting.add(total as u8, total == 9 && words.below(2) == 0);
    }
    if setup.phase == Phase::Move && rules.left_over == LeftOver::Used && words.below(3) == 0 {
        // A full list beside a left-over cannot be play's: see `a_full_list_beside_a_left_over`.
        if setup.waiting.len() >= rules.waiting_limit.into() {
            setup.waiting = Waiting::NONE;
        }
        setup.left_over =
            1 + if words.below(4) == 0 { words.below(107) } else { words.below(10) } as u8;
    }
    let max_throws = u32::from(rules.max_throws);
    let number = |words: &mut Stream| match words.below(4) {
        0 => max_throws - words.below(2),
        1 => words.below(max_throws + 1),
        _ => words.below(max_throws.min(3) + 1),
    };
    setup.run = number(words) as u16;
    setup.throws = number(words) as u16;
    setup
}
