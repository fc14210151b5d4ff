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
    /// The weights of the bot `medium`: where the coins are, and whose throw it is. It does not look at stacks as such,
    /// nor at what can land on them.
    ///
    /// They are the logistic regression of who won on these features, over 503,293 positions from games of earlier
    /// weights, which knew stacks as well, with 8 % random choices and against `easy`, for two and three sides under `lhasa`, `general`
    /// and `bhutan` alike. Only the champion's was set by hand, to a coin in the hand: champions are rare in such games.
    pub const MEDIUM: Self = Self {
        home: -1792,
        hand: -44679,
        opening: 31347,
        champion: -45000,
        coins_to_go: -463,
        stacks: 0,
        stacks_to_go: 0,
        squares: 0,
        squares_to_go: 0,
        last_lap: 0,
        last_lap_coins: 0,
        sides_before: -6376,
        throw_due: 3962,
        to_spend: 1698,
        joins: 0,
        hits: 0,
        blocked: 0,
        exposed: 0,
        exposed_coins: 0,
        exposed_to_go: 0,
        exposed_coins_to_go: 0,
        threatened: 0,
        threatened_coins: 0,
        threatened_to_go: 0,
        threatened_coins_to_go: 0,
    };

    /// The weights of the bot `hard`.
    ///
    /// They were found by an evolution strategy (CMA-ES), again for two and three sides under those three rules alike.
    /// What it maximised is the share of wins in matches with `medium` and with earlier weights, games of a look-ahead
    /// over one throw and the reply by the same weights among them, less the error of the chances as a forecast of who wins.
    /// At the end all were scaled to make that error least. Each single weight says little, since many features go
    /// together. The champion's is set by hand.
    pub const HARD: Self = Self {
        home: 5588,
        hand: -11428,
        opening: -8086,
        champion: -5000,
        coins_to_go: 59,
        stacks: -8205,
        stacks_to_go: -56,
        squares: 1770,
        squares_to_go: 5,
        last_lap: -4224,
        last_lap_coins: -1988,
        sides_before: -1414,
        throw_due: 5946,
        to_spend: 6681,
        joins: 52481,
        hits: 20966,
        blocked: -4626,
        exposed: -37732,
        exposed_coins: -12856,
        exposed_to_go: 903,
        exposed_coins_to_go: -309,
        threatened: 44122,
        threatened_coins: -28126,
        threatened_to_go: -186,
        threatened_coins_to_go: 33,
    };

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
    /// Those of the bot `hard`.
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
