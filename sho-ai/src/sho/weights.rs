//! What the features of a position are worth: [`Weights`].

use std::fmt;

use super::features::{Features, for_each_feature};

/// The greatest weight, and its opposite the least: 16 octaves for a single feature. It keeps all sums in range.
pub const MOST_WEIGHT: i32 = 1 << 20;

macro_rules! weights {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// What each of the [`Features`] is worth to its side, in units of 1/65536 of an [octave](crate::OCTAVE), by which
        /// the odds to win double. A position's score for a side is the sum of weight times feature.
        ///
        /// As JSON it is an object with exactly these fields, all of them whole numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
        pub struct Weights {
            $($(#[$doc])+ pub $name: i32,)+
        }

        impl Weights {
            /// Weights with these values, in the order of [`Features::NAMES`].
            #[must_use]
            pub const fn new(values: [i32; Features::NAMES.len()]) -> Self {
                let [$($name),+] = values;
                Self { $($name),+ }
            }

            /// The values, in the order of [`Features::NAMES`].
            #[must_use]
            pub const fn values(&self) -> [i32; Features::NAMES.len()] {
                [$(self.$name),+]
            }
        }
    };
}

for_each_feature!(weights);

impl Weights {
    /// Each name with its value, in the order of [`Features::NAMES`].
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, i32)> + Clone {
        Features::NAMES.iter().copied().zip(self.values())
    }

    /// Weights from the text of a file of this crate: a line `name=value` for each, in the order of [`Features::NAMES`],
    /// after lines that begin with `#` and say where they come from.
    ///
    /// # Panics
    /// Where it is anything else; as the files are compiled in, the compiler then says so.
    pub(super) const fn of_lines(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut at = 0;
        while bytes[at] == b'#' {
            while bytes[at] != b'\n' {
                at += 1;
            }
            at += 1;
        }
        let mut values = [0; Features::NAMES.len()];
        let mut index = 0;
        while index < values.len() {
            let name = Features::NAMES[index].as_bytes();
            let mut letter = 0;
            while letter < name.len() {
                assert!(
                    bytes[at] == name[letter],
                    "the weights stand in the order of the features"
                );
                (at, letter) = (at + 1, letter + 1);
            }
            assert!(bytes[at] == b'=', "a name is followed by =");
            at += 1;
            let negative = bytes[at] == b'-';
            if negative {
                at += 1;
            }
            let mut value = 0;
            while bytes[at] != b'\n' {
                assert!(bytes[at].is_ascii_digit(), "a weight is a whole number");
                value = 10 * value + (bytes[at] - b'0') as i32;
                at += 1;
            }
            assert!(value <= MOST_WEIGHT, "a weight is in range");
            values[index] = if negative { -value } else { value };
            (at, index) = (at + 1, index + 1);
        }
        assert!(at == bytes.len(), "nothing follows the weights");
        Self::new(values)
    }

    /// Weights from a text of either form: JSON, as [`from_json`](Self::from_json) reads it, or a line `name=value` for
    /// each, as [`Display`](fmt::Display) writes them. Between such lines there may be empty ones, and comments after `#`.
    ///
    /// # Errors
    /// Where it is neither, or the weights are wrong.
    ///
    /// ```
    /// use sho_ai::sho::Weights;
    /// let text = format!("# mine\n{}", Weights::ALL_RULES);
    /// assert_eq!(Weights::from_text(&text)?, Weights::ALL_RULES);
    /// let error = Weights::from_text("home=1\nhorse").unwrap_err().to_string();
    /// assert_eq!(error, "line 2 is `horse`, expected `name=value` with a whole number");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn from_text(text: &str) -> Result<Self, WeightsError> {
        if text.trim_start().starts_with(['{', '[', '"']) {
            return Self::from_json(text);
        }
        let mut values = serde_json::Map::new();
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let named = line.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
            let parsed = named.and_then(|(name, value)| Some((name, value.parse::<i64>().ok()?)));
            let (name, value) =
                parsed.ok_or_else(|| WeightsError::Line { number, text: line.to_owned() })?;
            if values.insert(name.to_owned(), value.into()).is_some() {
                return Err(WeightsError::Twice { number, name: name.to_owned() });
            }
        }
        Self::from_json(&serde_json::Value::Object(values).to_string())
    }

    /// Weights from JSON: an object with a whole number for each name.
    ///
    /// # Errors
    /// Where the text is no such object: a name that is unknown, missing or given twice, or a value that is not a whole
    /// number from -[`MOST_WEIGHT`] to [`MOST_WEIGHT`].
    ///
    /// ```
    /// use sho_ai::sho::Weights;
    /// let text = serde_json::to_string(&Weights::ALL_RULES)?;
    /// assert_eq!(Weights::from_json(&text)?, Weights::ALL_RULES);
    /// let error = Weights::from_json(r#"{"home": 1, "horse": 2}"#).unwrap_err().to_string();
    /// assert!(error.starts_with("unknown field `horse`, expected one of `home`, `hand`"), "{error}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "serde")]
    pub fn from_json(text: &str) -> Result<Self, WeightsError> {
        let weights: Self =
            serde_json::from_str(text).map_err(|error| WeightsError::Json(error.to_string()))?;
        for (name, value) in weights.iter() {
            if value.unsigned_abs() > MOST_WEIGHT.unsigned_abs() {
                return Err(WeightsError::Range { name, value });
            }
        }
        Ok(weights)
    }
}

impl Default for Weights {
    /// [`ALL_RULES`](Self::ALL_RULES).
    fn default() -> Self {
        Self::ALL_RULES
    }
}

impl fmt::Display for Weights {
    /// A line `name=value` for each, in the order of [`Features::NAMES`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|(name, value)| writeln!(f, "{name}={value}"))
    }
}

/// A text that has no weights of Sho.
#[cfg(feature = "serde")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// It is not JSON, or not an object with exactly the names of the weights and whole numbers.
    #[error("{0}")]
    Json(String),
    /// A line is no weight.
    #[error("line {number} is `{text}`, expected `name=value` with a whole number")]
    Line {
        /// Its number, from 1.
        number: usize,
        /// The line.
        text: String,
    },
    /// A weight is there twice.
    #[error("line {number} has the weight {name} for the second time")]
    Twice {
        /// The number of the second line, from 1.
        number: usize,
        /// The weight.
        name: String,
    },
    /// A weight is out of range.
    #[error("weight {name} cannot be {value}; possible: {} to {MOST_WEIGHT}", -MOST_WEIGHT)]
    Range {
        /// The weight.
        name: &'static str,
        /// Its value.
        value: i32,
    },
}
