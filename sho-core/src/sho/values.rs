//! Thrown totals that wait or are spent: [`Values`] and [`Waiting`].

use core::cmp::Ordering;
use core::fmt;

/// The most values that may wait at once under any rules.
pub const MAX_WAITING: usize = 9;

/// A multiset of totals of two dice. A 9 by 6-3 and a 9 by 5-4 are the same here.
///
/// Values are ordered by their sum, then by comparing them one by one in rising order: `2+2` stands before `4`.
///
/// ```
/// use sho_core::sho::Values;
/// let values = Values::of(&[2, 11, 2]);
/// assert_eq!((values.len(), values.sum(), values.to_string().as_str()), (3, 15, "2+2+11"));
/// assert!(Values::of(&[2, 2]) < Values::of(&[4]));
/// ```
// The count of value v stands in bits 4v..4v+4.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Values(u64);

const LEAST: u8 = 2;
const GREATEST: u8 = 12;

impl Values {
    /// The empty multiset.
    pub const NONE: Self = Self(0);

    /// The multiset of these totals.
    ///
    /// # Panics
    /// If a total is not 2 to 12, or stands in it more than 15 times.
    #[must_use]
    pub fn of(totals: &[u8]) -> Self {
        let mut values = Self::NONE;
        for &total in totals {
            assert!((LEAST..=GREATEST).contains(&total), "{total} is no total of two dice");
            assert!(values.count(total) < 15, "more than 15 values of {total}");
            values = values.with(total);
        }
        values
    }

    /// The multiset of one total from 2 to 12; others are the caller's mistake and give nonsense.
    #[inline]
    pub(crate) const fn one(total: u8) -> Self {
        Self(1 << (4 * total))
    }

    /// With one `total` more.
    #[inline]
    pub(crate) const fn with(self, total: u8) -> Self {
        Self(self.0 + (1 << (4 * total)))
    }

    /// Without the values of `other`, all of which are in it.
    #[inline]
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    /// How often `total` is in it.
    #[inline]
    #[must_use]
    pub const fn count(self, total: u8) -> u8 {
        if total < 16 { (self.0 >> (4 * total) & 15) as u8 } else { 0 }
    }

    /// How many values it has.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        // Adds neighbouring counts twice, then all bytes by one multiplication.
        const LOW: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        let pairs = (self.0 & LOW) + (self.0 >> 4 & LOW);
        (pairs.wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
    }

    /// Whether it has none.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The sum of its values: the distance that they make together.
    #[must_use]
    pub fn sum(self) -> u32 {
        self.distinct().map(|(value, count)| u32::from(value) * u32::from(count)).sum()
    }

    /// Its distinct values in rising order, each with its count.
    #[inline]
    pub fn distinct(self) -> impl Iterator<Item = (u8, u8)> + Clone {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            (rest != 0).then(|| {
                let value = rest.trailing_zeros() / 4;
                let count = rest >> (4 * value) & 15;
                rest ^= count << (4 * value);
                (value as u8, count as u8)
            })
        })
    }

    /// Its values in rising order, equal ones one by one.
    pub fn iter(self) -> impl Iterator<Item = u8> + Clone {
        self.distinct().flat_map(|(value, count)| core::iter::repeat_n(value, count.into()))
    }

    /// The one value that it has, if it has just one.
    #[inline]
    #[must_use]
    pub const fn single(self) -> Option<u8> {
        if self.0.count_ones() == 1 && self.0.trailing_zeros().is_multiple_of(4) {
            Some((self.0.trailing_zeros() / 4) as u8)
        } else {
            None
        }
    }

    /// The two different values that it has, the smaller first, if it has just those.
    #[inline]
    pub(crate) const fn pair(self) -> Option<(u8, u8)> {
        let first = Self(self.0 & self.0.wrapping_neg());
        match (first.single(), Self(self.0 ^ first.0).single()) {
            (Some(smaller), Some(larger)) => Some((smaller, larger)),
            _ => None,
        }
    }

    /// Whether every value of `other` is in it as often as there.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        other.distinct().all(|(value, count)| count <= self.count(value))
    }

    /// All non-empty sub-multisets, in no particular order.
    pub fn subsets(self) -> impl Iterator<Item = Self> {
        // Counts like an odometer whose wheels are the distinct values.
        let mut next = Some(Self::NONE);
        core::iter::from_fn(move || {
            let mut subset = next?;
            for (value, count) in self.distinct() {
                if subset.count(value) < count {
                    subset = subset.with(value);
                    next = Some(subset);
                    return next;
                }
                subset.0 &= !(15 << (4 * value));
            }
            next = None;
            None
        })
    }
}

impl Ord for Values {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sum().cmp(&other.sum()).then_with(|| {
            // At the least value in which they differ, the one that has more of it has the smaller value at the first
            // place where the two sequences part: with equal sums neither can have ended there.
            let first = (self.0 ^ other.0).trailing_zeros() / 4;
            if first >= 16 {
                return Ordering::Equal;
            }
            other.count(first as u8).cmp(&self.count(first as u8))
        })
    }
}

impl PartialOrd for Values {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Values {
    /// The values in rising order joined by `+`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, value) in self.iter().enumerate() {
            if index > 0 {
                f.write_str("+")?;
            }
            value.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// The values that wait in a turn, with a memory of which nines were thrown as 6-3.
///
/// ```
/// use sho_core::sho::{Values, Waiting};
/// let waiting = Waiting::new(Values::of(&[2, 9, 9]), 1).ok_or("a nine too many")?;
/// assert_eq!(waiting.to_string(), "2,9,9*");
/// // An action spends a nine by 5-4 first.
/// assert_eq!(waiting.spend(Values::of(&[9])).to_string(), "2,9*");
/// # Ok::<(), &str>(())
/// ```
// As in `Values`, and the number of nines by 6-3 stands where the count of the value 1 would, which no throw has.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Waiting(u64);

const SIX_THREE: u64 = 1 << 4;

impl Waiting {
    /// Nothing waits.
    pub const NONE: Self = Self(0);

    /// These values, `six_threes` of the nines by 6-3; nothing where there are not so many nines.
    #[must_use]
    pub const fn new(values: Values, six_threes: u8) -> Option<Self> {
        if six_threes <= values.count(9) {
            Some(Self(values.0 | (SIX_THREE * six_threes as u64)))
        } else {
            None
        }
    }

    /// All values that wait.
    #[inline]
    #[must_use]
    pub const fn values(self) -> Values {
        Values(self.0 & !(15 * SIX_THREE))
    }

    /// How many of the nines were thrown as 6-3.
    #[inline]
    #[must_use]
    pub const fn six_threes(self) -> u8 {
        Values(self.0).count(1)
    }

    /// How many values wait.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.values().len()
    }

    /// Whether nothing waits.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// With one `total` more, 2 to 12, thrown as 6-3 or not.
    ///
    /// # Panics
    /// If `total` is not 2 to 12 (checked in debug builds).
    #[inline]
    #[must_use]
    pub const fn add(self, total: u8, six_three: bool) -> Self {
        debug_assert!(LEAST <= total && total <= GREATEST);
        Self(self.0 + (1 << (4 * total)) + six_three as u64 * SIX_THREE)
    }

    /// Without the values that an ordinary action spends, all of which wait: nines by 5-4 go first.
    #[inline]
    #[must_use]
    pub const fn spend(self, spent: Values) -> Self {
        let values = self.values().without(spent);
        let (six_threes, nines) = (self.six_threes(), values.count(9));
        let kept = if six_threes < nines { six_threes } else { nines };
        Self(values.0 | (SIX_THREE * kept as u64))
    }

    /// Without one nine by 6-3, at least one of which waits.
    #[inline]
    #[must_use]
    pub const fn spend_six_three(self) -> Self {
        Self(self.0 - Values::one(9).0 - SIX_THREE)
    }
}

impl fmt::Display for Waiting {
    /// The values in rising order joined by commas, a nine by 6-3 as `9*` behind the plain ones; `-` where none waits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        let plain_nines = self.values().count(9) - self.six_threes();
        let mut nines = 0;
        for (index, value) in self.values().iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            value.fmt(f)?;
            if value == 9 {
                nines += 1;
                if nines > plain_nines {
                    f.write_str("*")?;
                }
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}
