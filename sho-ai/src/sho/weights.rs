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

    /// Weights from JSON: an object with a whole number for each name.
    ///
    /// # Errors
    /// Where the text is no such object: a name that is unknown, missing or given twice, or a value that is not a whole
    /// number from -[`MOST_WEIGHT`] to [`MOST_WEIGHT`].
    ///
    /// ```
    /// use sho_ai::sho::Weights;
    /// let text = serde_json::to_string(&Weights::HARD)?;
    /// assert_eq!(Weights::from_json(&text)?, Weights::HARD);
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
    /// Those of the bot `hard` on the whole board.
    fn default() -> Self {
        Self::HARD
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
    /// A weight is out of range.
    #[error("weight {name} cannot be {value}; possible: {} to {MOST_WEIGHT}", -MOST_WEIGHT)]
    Range {
        /// The weight.
        name: &'static str,
        /// Its value.
        value: i32,
    },
}
