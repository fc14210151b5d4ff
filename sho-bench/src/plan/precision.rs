//! Half a width as text: [`Precision`].

use std::fmt;
use std::str::FromStr;

/// Half the width that an interval is to have, as it was written: `0.5%`, `0.005` or `12`.
///
/// ```
/// use sho_bench::plan::Precision;
/// let (percent, share): (Precision, Precision) = ("0.3%".parse()?, "0.003".parse()?);
/// assert_eq!(percent.value(), share.value());
/// assert!("-1".parse::<Precision>().is_err());
/// # Ok::<(), sho_bench::plan::PrecisionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Precision {
    text: String,
    value: f64,
}

/// A text that is no precision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number above 0, as in 0.5 or 12, or for shares percent, as in 0.5%")]
pub struct PrecisionError;

/// Longer texts are no numbers that anybody means.
const LONGEST: usize = 20;

impl Precision {
    /// The number: of `0.5%` it is 0.005. Always above 0.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Whether it was written in percent.
    #[must_use]
    pub fn is_percent(&self) -> bool {
        self.text.ends_with('%')
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Precision {
    type Err = PrecisionError;

    fn from_str(text: &str) -> Result<Self, PrecisionError> {
        let (digits, exponent) = match text.strip_suffix('%') {
            Some(digits) => (digits.trim_end(), "e-2"),
            None => (text, ""),
        };
        let is_written = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        if digits.len() > LONGEST
            || !is_written
            || !digits.starts_with(|c: char| c.is_ascii_digit())
        {
            return Err(PrecisionError);
        }
        // Read with its exponent and not divided, so that 0.3% is the same number as 0.003 to the last bit.
        let value: f64 = format!("{digits}{exponent}").parse().map_err(|_| PrecisionError)?;
        if value <= 0.0 {
            return Err(PrecisionError);
        }
        Ok(Self { text: text.to_owned(), value })
    }
}
