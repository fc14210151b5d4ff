//! Rules of any game as a JSON object: names and values as in the table of settings.
//!
//! Numbers are numbers, `yes` and `no` strings (true and false are read too), sets of totals sorted arrays. An object
//! names every setting, or has a `preset` to start from and the settings that deviate.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use crate::rule_set::{RuleSet, SettingValues, parse_number};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Value {
    Number(u32),
    Flag(bool),
    Word(String),
    Totals(Vec<u32>),
}

impl Value {
    /// A setting's text as the kind of value that it is.
    fn new(values: SettingValues, text: String) -> Self {
        match values {
            SettingValues::Range(..) => parse_number(&text).map_or(Self::Word(text), Self::Number),
            SettingValues::Totals if text == "none" => Self::Totals(Vec::new()),
            SettingValues::Totals => {
                Self::Totals(text.split('+').filter_map(parse_number).collect())
            }
            SettingValues::Words(_) | SettingValues::YesNo => Self::Word(text),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => crate::rule_set::yes_no(*flag).to_string(),
            Self::Word(word) => word.clone(),
            Self::Totals(totals) if totals.is_empty() => "none".to_string(),
            Self::Totals(totals) => {
                totals.iter().map(ToString::to_string).collect::<Vec<_>>().join("+")
            }
        }
    }
}

fn serialize<R: RuleSet, S: Serializer>(rules: &R, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(R::SETTINGS.len()))?;
    for setting in R::SETTINGS {
        map.serialize_entry(setting.name, &Value::new(setting.values, (setting.get)(rules)))?;
    }
    map.end()
}

fn deserialize<'de, R: RuleSet, D: Deserializer<'de>>(deserializer: D) -> Result<R, D::Error> {
    deserializer.deserialize_map(RulesVisitor(PhantomData))
}

struct RulesVisitor<R>(PhantomData<R>);

impl<'de, R: RuleSet> Visitor<'de> for RulesVisitor<R> {
    type Value = R;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of settings, complete or with a `preset` to start from")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<R, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some(name) = map.next_key::<String>()? {
            let value: Value = map.next_value().map_err(|_| {
                A::Error::custom(format_args!(
                    "{name}: expected a number, a word, true or false, or an array of totals"
                ))
            })?;
            if entries.insert(name.clone(), value).is_some() {
                return Err(A::Error::custom(format_args!("{name} is given twice")));
            }
        }
        let mut rules = match entries.remove("preset") {
            Some(preset) => R::preset(&preset.text()).map_err(A::Error::custom)?,
            None => {
                if let Some(missing) =
                    R::SETTINGS.iter().find(|setting| !entries.contains_key(setting.name))
                {
                    return Err(A::Error::custom(format_args!(
                        "the setting {} is missing (name all settings, or a `preset` to start from)",
                        missing.name
                    )));
                }
                R::PRESETS[0].rules
            }
        };
        for (name, value) in &entries {
            rules.set(name, &value.text()).map_err(A::Error::custom)?;
        }
        rules.check().map_err(A::Error::custom)?;
        Ok(rules)
    }
}

/// Gives the rules of a game their JSON form.
macro_rules! rules_as_map {
    ($rules:ty) => {
        impl Serialize for $rules {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize(self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $rules {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserialize(deserializer)
            }
        }
    };
}

rules_as_map!(crate::sho::Rules);
rules_as_map!(crate::sholo_guti::Rules);
