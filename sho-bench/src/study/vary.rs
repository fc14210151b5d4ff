//! Which settings take which values: [`Variation`].

use serde::{Deserialize, Serialize};
use sho_core::{RuleSet, SettingError, SettingValues};

/// A range of numbers is taken whole up to so many values; of a longer one the values are to be named.
const WHOLE_RANGE: u32 = 16;

/// A setting, and the values that it takes beside that of the base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variation {
    /// The setting's name.
    pub setting: String,
    /// The values, in the order in which they were named, or that of the setting. Never that of the base.
    pub values: Vec<String>,
}

/// Something that might have been varied, and is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The setting.
    pub setting: String,
    /// The value; nothing where it is the whole setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// Why.
    pub reason: String,
}

/// Why what was asked for names no variations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VaryError {
    /// A setting or a value is unknown.
    #[error("--vary {asked}: {error}")]
    Unknown {
        /// What was asked for.
        asked: String,
        /// What is wrong with it.
        error: SettingError,
    },
    /// There are too many values to take them all.
    #[error(
        "--vary {setting}: it may be {values}, too many to take all; name some, as in {setting}={example}"
    )]
    TooMany {
        /// The setting.
        setting: String,
        /// Its values.
        values: SettingValues,
        /// Two of them.
        example: &'static str,
    },
    /// Rules that make no sense together.
    #[error("--vary {setting}={value}: {reason}")]
    Impossible {
        /// The setting.
        setting: String,
        /// The value that was named.
        value: String,
        /// What is wrong.
        reason: String,
    },
    /// Nothing is left to compare the base with.
    #[error("nothing varies: {0}; name a setting with --vary, or `all`")]
    Nothing(String),
}

/// The variations that texts ask for, and what was left out: each text is `all`, the name of a setting, for all its values,
/// or `NAME=VALUE+VALUE`, for those named; several may be joined by commas. Values may be joined by `/` as well, which is
/// the only way where they have a `+` in them.
///
/// A value that makes no sense with the rest of `base` is left out where it was not named. With `all`, so are settings with
/// too many values.
///
/// ```
/// use sho_bench::study::variations;
/// use sho_core::{RuleSet, sho::Rules};
/// let (varied, left_out) = variations(&Rules::lhasa(), &["reopen=nothing-out,join-throws".to_owned()])?;
/// assert_eq!((varied[0].setting.as_str(), &varied[0].values[..]), ("reopen", &["nothing-out".to_owned()][..]));
/// assert_eq!((varied[1].setting.as_str(), &varied[1].values[..]), ("join-throws", &["no".to_owned()][..]));
/// assert!(left_out.is_empty());
/// let (_, left_out) = variations(&Rules::lhasa(), &["all".to_owned()])?;
/// assert!(left_out.iter().any(|left| left.setting == "coins" && left.value.as_deref() == Some("1")));
/// # Ok::<(), sho_bench::study::VaryError>(())
/// ```
///
/// # Errors
/// Where a name or a value is unknown, a named value is impossible, or nothing varies.
pub fn variations<R: RuleSet>(
    base: &R,
    asked: &[String],
) -> Result<(Vec<Variation>, Vec<LeftOut>), VaryError> {
    let mut found = Found { base, varied: Vec::new(), left_out: Vec::new() };
    for text in asked.iter().flat_map(|text| text.split(',')) {
        match text.split_once('=') {
            None if text == "all" => {
                for setting in R::SETTINGS {
                    found.whole(setting.name, setting.values);
                }
            }
            None => {
                let setting = setting::<R>(text, text)?;
                if whole_values(setting.values).is_none() {
                    return Err(VaryError::TooMany {
                        setting: text.to_owned(),
                        values: setting.values,
                        example: match setting.values {
                            SettingValues::Totals => "2+3/none",
                            _ => "48+64",
                        },
                    });
                }
                found.whole(setting.name, setting.values);
            }
            Some((name, values)) => {
                let setting = setting::<R>(name, text)?;
                let one_value = matches!(setting.values, SettingValues::Totals);
                let separator = if values.contains('/') || one_value { '/' } else { '+' };
                for value in values.split(separator) {
                    found.named(name, value, text)?;
                }
            }
        }
    }
    let Found { mut varied, left_out, .. } = found;
    varied.retain(|variation| !variation.values.is_empty());
    if varied.is_empty() {
        let why = match left_out.first() {
            Some(LeftOut { setting, value: Some(value), reason }) => {
                format!("{setting}={value} is left out, {reason}")
            }
            _ if asked.is_empty() => "no setting is named".to_owned(),
            _ => format!("--vary {} names the values of the base alone", asked.join(" --vary ")),
        };
        return Err(VaryError::Nothing(why));
    }
    Ok((varied, left_out))
}

fn setting<R: RuleSet>(
    name: &str,
    asked: &str,
) -> Result<&'static sho_core::Setting<R>, VaryError> {
    R::setting(name).map_err(|error| VaryError::Unknown { asked: asked.to_owned(), error })
}

/// All values of a setting, where they are few.
fn whole_values(values: SettingValues) -> Option<Vec<String>> {
    match values {
        SettingValues::Words(words) => Some(words.iter().map(ToString::to_string).collect()),
        SettingValues::YesNo => Some(vec!["no".to_owned(), "yes".to_owned()]),
        SettingValues::Range(low, high) if high - low < WHOLE_RANGE => {
            Some((low..=high).map(|number| number.to_string()).collect())
        }
        _ => None,
    }
}

struct Found<'a, R> {
    base: &'a R,
    varied: Vec<Variation>,
    left_out: Vec<LeftOut>,
}

impl<R: RuleSet> Found<'_, R> {
    /// All values of a setting; those that are impossible are left out.
    fn whole(&mut self, name: &str, values: SettingValues) {
        let Some(values) = whole_values(values) else {
            let reason = format!("it may be {values}, too many to take all");
            self.leave_out(name, None, reason);
            return;
        };
        for value in values {
            // One of the setting's own values.
            if let Ok(Err(reason)) = self.try_value(name, &value) {
                self.leave_out(name, Some(value), reason);
            }
        }
    }

    fn leave_out(&mut self, name: &str, value: Option<String>, reason: String) {
        let left = LeftOut { setting: name.to_owned(), value, reason };
        if !self.left_out.contains(&left) {
            self.left_out.push(left);
        }
    }

    fn named(&mut self, name: &str, value: &str, asked: &str) -> Result<(), VaryError> {
        match self.try_value(name, value) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(reason)) => Err(VaryError::Impossible {
                setting: name.to_owned(),
                value: value.to_owned(),
                reason,
            }),
            Err(error) => Err(VaryError::Unknown { asked: asked.to_owned(), error }),
        }
    }

    /// Takes a value, unless it is that of the base or was taken before; or says what is wrong with it.
    fn try_value(&mut self, name: &str, value: &str) -> Result<Result<(), String>, SettingError> {
        let mut rules = *self.base;
        rules.set(name, value)?;
        if let Err(impossible) = rules.check() {
            return Ok(Err(impossible.to_string()));
        }
        // A value may be written in several ways, as `on` for `yes`.
        let value = (R::setting(name)?.get)(&rules);
        let place = self.varied.iter().position(|variation| variation.setting == name);
        let place = place.unwrap_or_else(|| {
            self.varied.push(Variation { setting: name.to_owned(), values: Vec::new() });
            self.varied.len() - 1
        });
        let values = &mut self.varied[place].values;
        if rules != *self.base && !values.contains(&value) {
            values.push(value);
        }
        Ok(Ok(()))
    }
}
