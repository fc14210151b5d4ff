//! Rules as plain data, for any game: a table of [settings](Setting), named [presets](Preset), and `name=value` text.
//!
//! A game's rules are a small `Copy` struct that implements [`RuleSet`]. The table of settings is the one place that
//! reads, prints, lists and varies them; the command line, the JSON form and the studies all go through it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::nearest::nearest;

/// The values that a setting may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingValues {
    /// One of these words.
    Words(&'static [&'static str]),
    /// `yes` or `no`, also read as `on` and `off`.
    YesNo,
    /// A whole number from the first to the second, both included.
    Range(u32, u32),
    /// A set of totals of two dice, as in `2+3`, or `none`.
    Totals,
}

impl core::fmt::Display for SettingValues {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Words(words) => f.write_str(&words.join(", ")),
            Self::YesNo => f.write_str("yes, no"),
            Self::Range(low, high) => write!(f, "{low}..={high}"),
            Self::Totals => f.write_str("totals from 2 to 12 joined by +, or none"),
        }
    }
}

/// A setting of the rules `R`.
#[derive(Debug)]
pub struct Setting<R: 'static> {
    /// Its name on the command line and in JSON.
    pub name: &'static str,
    /// What it may be set to.
    pub values: SettingValues,
    /// What it decides, in one sentence.
    pub about: &'static str,
    /// Reads its value as text.
    pub get: fn(&R) -> String,
    /// Sets it from a text; `false` where the text is not one of the values. Ranges are checked by [`RuleSet::set`].
    pub set: fn(&mut R, &str) -> bool,
}

/// A named set of rules.
#[derive(Debug)]
pub struct Preset<R: 'static> {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The account it comes from.
    pub source: &'static str,
    /// Whether it is put together from an account that does not say everything: what it does not say is taken from the
    /// game's first preset.
    pub reconstructed: bool,
    /// The rules.
    pub rules: R,
}

/// A setting was not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// There is no setting of this name.
    #[error("no setting `{given}`; did you mean `{nearest}`? settings: {all}")]
    UnknownSetting {
        /// The name that was given.
        given: String,
        /// The nearest name that there is.
        nearest: &'static str,
        /// All names.
        all: String,
    },
    /// The setting cannot take this value.
    #[error("{setting} cannot be `{given}`; possible: {possible}")]
    UnknownValue {
        /// The setting.
        setting: &'static str,
        /// The value that was given.
        given: String,
        /// What is possible.
        possible: SettingValues,
    },
    /// There is no preset of this name.
    #[error("no rules `{given}`; did you mean `{nearest}`? presets: {all}")]
    UnknownPreset {
        /// The name that was given.
        given: String,
        /// The nearest name that there is.
        nearest: &'static str,
        /// All names.
        all: String,
    },
    /// The text is not of the form `name=value`.
    #[error("`{0}` is not of the form name=value")]
    NotAnAssignment(String),
}

/// Settings that make no sense together, or out of range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImpossibleRules {
    /// A number is out of its range.
    #[error("{setting} cannot be {value}; possible: {low}..={high}")]
    OutOfRange {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: u32,
        /// The least value.
        low: u32,
        /// The greatest value.
        high: u32,
    },
    /// More coins would open than a side has.
    #[error("opening-coins={opening_coins} is more than coins={coins}")]
    OpeningAboveCoins {
        /// Coins that an opening brings.
        opening_coins: u8,
        /// Coins of a side.
        coins: u8,
    },
    /// A total that two dice cannot show.
    #[error("opening-bonus has a total outside 2..=12")]
    BonusOutOfRange,
    /// A stack of all coins is forbidden and the opening would always make one.
    #[error("nine-stack=forbidden with opening-coins equal to coins ({0}): nobody could ever open")]
    NobodyCanOpen(u8),
}

/// The rules of a game as data.
pub trait RuleSet: Copy + Eq + Debug + Send + Sync + 'static {
    /// All settings in their documented order.
    const SETTINGS: &'static [Setting<Self>];
    /// All presets; the first is the default.
    const PRESETS: &'static [Preset<Self>];

    /// Whether a game can be played by these rules.
    ///
    /// # Errors
    /// Names the first combination that makes no sense.
    fn check(&self) -> Result<(), ImpossibleRules>;

    /// The number of sides.
    fn sides(&self) -> usize;

    /// The rules of the preset of this name.
    ///
    /// # Errors
    /// Where there is none; the message has the nearest name.
    fn preset(name: &str) -> Result<Self, SettingError> {
        Self::PRESETS
            .iter()
            .find(|preset| preset.name == name)
            .map(|preset| preset.rules)
            .ok_or_else(|| {
                let names = Self::PRESETS.iter().map(|preset| preset.name);
                SettingError::UnknownPreset {
                    given: name.to_owned(),
                    nearest: nearest(name, names.clone()),
                    all: names.collect::<Vec<_>>().join(", "),
                }
            })
    }

    /// The setting of this name.
    ///
    /// # Errors
    /// Where there is none; the message has the nearest name.
    fn setting(name: &str) -> Result<&'static Setting<Self>, SettingError> {
        Self::SETTINGS.iter().find(|setting| setting.name == name).ok_or_else(|| {
            let names = Self::SETTINGS.iter().map(|setting| setting.name);
            SettingError::UnknownSetting {
                given: name.to_owned(),
                nearest: nearest(name, names.clone()),
                all: names.collect::<Vec<_>>().join(", "),
            }
        })
    }

    /// Sets one setting from text. Whether the rules make sense together is for [`check`](Self::check).
    ///
    /// # Errors
    /// Where the name or the value is unknown; the rules are left alone.
    fn set(&mut self, name: &str, value: &str) -> Result<(), SettingError> {
        let setting = Self::setting(name)?;
        let in_range = match setting.values {
            SettingValues::Range(low, high) => {
                parse_number(value).is_some_and(|n| low <= n && n <= high)
            }
            _ => true,
        };
        if in_range && (setting.set)(self, value) {
            return Ok(());
        }
        Err(SettingError::UnknownValue {
            setting: setting.name,
            given: value.to_owned(),
            possible: setting.values,
        })
    }

    /// Sets one setting from `name=value`.
    ///
    /// # Errors
    /// As [`set`](Self::set), or where there is no `=`.
    fn assign(&mut self, text: &str) -> Result<(), SettingError> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| SettingError::NotAnAssignment(text.to_owned()))?;
        self.set(name, value)
    }

    /// All settings as `name=value`, in their documented order, separated by spaces.
    fn settings_text(&self) -> String {
        let settings = Self::SETTINGS
            .iter()
            .map(|setting| format!("{}={}", setting.name, (setting.get)(self)));
        settings.collect::<Vec<_>>().join(" ")
    }

    /// The rules in a few words: the preset that they equal, or the preset with the fewest deviations and those.
    ///
    /// The number of sides is left out, since it is always said elsewhere.
    fn summary(&self) -> String {
        let deviations = |preset: &Preset<Self>| -> Vec<String> {
            Self::SETTINGS
                .iter()
                .filter(|setting| {
                    setting.name != "sides" && (setting.get)(self) != (setting.get)(&preset.rules)
                })
                .map(|setting| format!("{}={}", setting.name, (setting.get)(self)))
                .collect()
        };
        // `min_by_key` takes the first of equals, so the answer is stable.
        let Some((preset, changes)) = Self::PRESETS
            .iter()
            .map(|preset| (preset, deviations(preset)))
            .min_by_key(|(_, changes)| changes.len())
        else {
            return String::new();
        };
        if changes.is_empty() {
            preset.name.to_owned()
        } else {
            format!("{} with {}", preset.name, changes.join(" "))
        }
    }
}

/// A decimal number without sign or leading zeros.
#[must_use]
pub(crate) fn parse_number(text: &str) -> Option<u32> {
    let canonical =
        text == "0" || (!text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit()));
    if canonical { text.parse().ok() } else { None }
}

/// `yes` or `no`, also `on` and `off`.
#[must_use]
pub(crate) fn parse_yes_no(text: &str) -> Option<bool> {
    match text {
        "yes" | "on" => Some(true),
        "no" | "off" => Some(false),
        _ => None,
    }
}

/// `yes` or `no`.
#[must_use]
pub(crate) const fn yes_no(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// Declares an enum of named values for a setting.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$value_meta:meta])* $value:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$value_meta])* $value,)+ }

        impl $name {
            /// The values' words, in order.
            pub const WORDS: &'static [&'static str] = &[$($word,)+];

            /// The value's word on the command line and in JSON.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$value => $word,)+ }
            }

            /// The value with this word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$value),)+ _ => None }
            }
        }
    };
}
pub(crate) use words;

/// A setting that is a field with a number.
macro_rules! number_setting {
    ($name:literal, $field:ident, $low:literal..=$high:literal, $about:literal) => {
        $crate::rule_set::Setting {
            name: $name,
            values: $crate::rule_set::SettingValues::Range($low, $high),
            about: $about,
            get: |rules| alloc::string::ToString::to_string(&rules.$field),
            set: |rules, text| {
                let number = $crate::rule_set::parse_number(text);
                let number = number.and_then(|number| number.try_into().ok());
                number.map(|number| rules.$field = number).is_some()
            },
        }
    };
}
pub(crate) use number_setting;

/// A setting that is a field with an enum declared by [`words!`].
macro_rules! word_setting {
    ($name:literal, $field:ident, $type:ident, $about:literal) => {
        $crate::rule_set::Setting {
            name: $name,
            values: $crate::rule_set::SettingValues::Words($type::WORDS),
            about: $about,
            get: |rules| rules.$field.word().into(),
            set: |rules, text| $type::from_word(text).map(|value| rules.$field = value).is_some(),
        }
    };
}
pub(crate) use word_setting;

/// A setting that is a field with a yes or no.
macro_rules! yes_no_setting {
    ($name:literal, $field:ident, $about:literal) => {
        $crate::rule_set::Setting {
            name: $name,
            values: $crate::rule_set::SettingValues::YesNo,
            about: $about,
            get: |rules| $crate::rule_set::yes_no(rules.$field).into(),
            set: |rules, text| {
                let value = $crate::rule_set::parse_yes_no(text);
                value.map(|value| rules.$field = value).is_some()
            },
        }
    };
}
pub(crate) use yes_no_setting;
