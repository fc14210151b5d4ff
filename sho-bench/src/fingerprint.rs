//! One number over all counts of a tally, which adds up as they do: [`Fingerprint`].
//!
//! It is the sum of the counts, each times a number of 128 bits that belongs to its place in the document, modulo 2^128.
//! So the fingerprints of groups of blocks add up to that of all of them together, and that of the last blocks of many is
//! a difference. It finds every change that is no arithmetic on purpose; whoever wants to deceive can compute it too.
//!
//! What does not add up has no part in it: texts, and which games were [distinct](crate::distinct).

use std::fmt;
use std::ops::{Add, Sub};

use serde::de::Error as _;
use serde::ser::{
    Impossible, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::checks::Checked;

/// The fingerprint of some counts. As text it has 32 hexadecimal digits.
///
/// # Stability
/// That of given counts never changes: files hold it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// That of counts, to which those below zero belong modulo 2^128.
    #[must_use]
    pub fn of(counts: &impl Checked) -> Self {
        Self::of_document(counts)
    }

    fn of_document(document: &impl Serialize) -> Self {
        let mut sum = Sum { sum: 0, level: 0, place: 0 };
        // Counts consist of what the sum takes.
        let summed = document.serialize(&mut sum);
        debug_assert!(summed.is_ok(), "{summed:?}");
        Self(sum.sum)
    }
}

impl Add for Fingerprint {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Sub for Fingerprint {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// As its text.
impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        u128::from_str_radix(&text, 16)
            .ok()
            .map(Self)
            .filter(|fingerprint| fingerprint.to_string() == text)
            .ok_or_else(|| D::Error::custom(format!("`{text}`: expected 32 hexadecimal digits")))
    }
}

/// The struct that is left out: a set, which does not add up.
const LEFT_OUT: &str = "DistinctGames";

/// The place of something within what stands at `level`.
fn within(level: u128, place: u128) -> u128 {
    // As in the hash of games: an odd number without pattern.
    const FACTOR: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    let mixed = (level ^ place).wrapping_mul(FACTOR);
    (mixed ^ (mixed >> 64)).wrapping_mul(FACTOR)
}

/// A field's name as a place: its bytes, sixteen at a time.
fn named(level: u128, name: &str) -> u128 {
    name.as_bytes().chunks(16).fold(level, |level, bytes| {
        let mut word = [0; 16];
        word[..bytes.len()].copy_from_slice(bytes);
        within(level, u128::from_le_bytes(word))
    })
}

/// Adds up a document.
struct Sum {
    sum: u128,
    /// Where the next value stands: in what, and which of it. They are mixed only where the value is not 0.
    level: u128,
    place: u128,
}

/// There is nothing in counts that cannot be added up or left out.
#[derive(Debug)]
struct NoCount;

impl fmt::Display for NoCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("neither a count nor a text")
    }
}

impl std::error::Error for NoCount {}

impl serde::ser::Error for NoCount {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

impl Sum {
    fn number(&mut self, number: u128) {
        if number != 0 {
            // Odd, so that no number but 0 comes to nothing.
            let factor = within(self.level, self.place) | 1;
            self.sum = self.sum.wrapping_add(number.wrapping_mul(factor));
        }
    }

    fn open(&mut self, left_out: bool) -> Level<'_> {
        Level { level: within(self.level, self.place), next: 0, left_out, sum: self }
    }
}

/// Adds up what is within a list, a map or a struct.
struct Level<'a> {
    sum: &'a mut Sum,
    level: u128,
    next: u128,
    left_out: bool,
}

impl Level<'_> {
    fn add<T: Serialize + ?Sized>(
        &mut self,
        level: u128,
        place: u128,
        value: &T,
    ) -> Result<(), NoCount> {
        if self.left_out {
            return Ok(());
        }
        (self.sum.level, self.sum.place) = (level, place);
        value.serialize(&mut *self.sum)
    }

    fn add_next<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoCount> {
        // From 1: the first of a list is not where the list is.
        self.next += 1;
        self.add(self.level, self.next, value)
    }
}

macro_rules! lists {
    ($($kind:ident::$method:ident)+) => {$(
        impl $kind for Level<'_> {
            type Ok = ();
            type Error = NoCount;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoCount> {
                self.add_next(value)
            }

            fn end(self) -> Result<(), NoCount> {
                Ok(())
            }
        }
    )+};
}

lists! {
    SerializeSeq::serialize_element
    SerializeTuple::serialize_element
    SerializeTupleStruct::serialize_field
}

impl SerializeStruct for Level<'_> {
    type Ok = ();
    type Error = NoCount;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), NoCount> {
        self.add(named(self.level, name), 0, value)
    }

    fn end(self) -> Result<(), NoCount> {
        Ok(())
    }
}

impl SerializeMap for Level<'_> {
    type Ok = ();
    type Error = NoCount;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NoCount> {
        // Keys are numbers or names; as JSON they are texts.
        let text = serde_json::to_string(key).map_err(|_| NoCount)?;
        self.next = named(self.level, text.trim_matches('"'));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NoCount> {
        self.add(self.next, 0, value)
    }

    fn end(self) -> Result<(), NoCount> {
        Ok(())
    }
}

macro_rules! numbers {
    ($($method:ident $number:ty)+) => {$(
        fn $method(self, number: $number) -> Result<(), NoCount> {
            self.number(number.into());
            Ok(())
        }
    )+};
}

macro_rules! signed {
    ($($method:ident $number:ty)+) => {$(
        fn $method(self, number: $number) -> Result<(), NoCount> {
            // In two's complement, which adds up modulo 2^128.
            self.number(i128::from(number) as u128);
            Ok(())
        }
    )+};
}

macro_rules! refused {
    ($($method:ident $value:ty)+) => {$(
        fn $method(self, _: $value) -> Result<(), NoCount> {
            Err(NoCount)
        }
    )+};
}

impl<'a> Serializer for &'a mut Sum {
    type Ok = ();
    type Error = NoCount;
    type SerializeSeq = Level<'a>;
    type SerializeTuple = Level<'a>;
    type SerializeTupleStruct = Level<'a>;
    type SerializeTupleVariant = Impossible<(), NoCount>;
    type SerializeMap = Level<'a>;
    type SerializeStruct = Level<'a>;
    type SerializeStructVariant = Impossible<(), NoCount>;

    numbers! {
        serialize_u8 u8
        serialize_u16 u16
        serialize_u32 u32
        serialize_u64 u64
        serialize_u128 u128
    }

    signed! {
        serialize_i8 i8
        serialize_i16 i16
        serialize_i32 i32
        serialize_i64 i64
        serialize_i128 i128
    }

    refused! {
        serialize_f32 f32
        serialize_f64 f64
        serialize_bytes &[u8]
    }

    fn serialize_bool(self, _: bool) -> Result<(), NoCount> {
        Ok(())
    }

    fn serialize_char(self, _: char) -> Result<(), NoCount> {
        Ok(())
    }

    fn serialize_str(self, _: &str) -> Result<(), NoCount> {
        Ok(())
    }

    fn serialize_none(self) -> Result<(), NoCount> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NoCount> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NoCount> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), NoCount> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<(), NoCount> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), NoCount> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), NoCount> {
        Err(NoCount)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Level<'a>, NoCount> {
        Ok(self.open(false))
    }

    fn serialize_tuple(self, _: usize) -> Result<Level<'a>, NoCount> {
        Ok(self.open(false))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Level<'a>, NoCount> {
        Ok(self.open(false))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, NoCount> {
        Err(NoCount)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Level<'a>, NoCount> {
        Ok(self.open(false))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Level<'a>, NoCount> {
        Ok(self.open(name == LEFT_OUT))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, NoCount> {
        Err(NoCount)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Amount, Blocks, Experiment, MetricsTier};
    use crate::schedule::Schedule;
    use crate::tally::Tally;
    use crate::tournament::run;
    use sho_core::{sho, sholo_guti};

    fn experiment() -> Experiment<sho::Rules> {
        let bots = ["easy", "random"].map(String::from);
        let (rotations, amount) = (Schedule::Rotations, Amount::Blocks(20));
        let rules = sho::Rules::lhasa();
        let mut experiment =
            Experiment::lineup::<sho::Sho>(rules, &bots, rotations, 1, amount).unwrap();
        experiment.metrics = MetricsTier::Full;
        experiment
    }

    #[test]
    fn fingerprints_add_up_as_counts_do() {
        let mut experiment = experiment();
        let mut played = |from, to| {
            experiment.blocks = Blocks { from, to };
            run::<sho::Sho>(&experiment, 1, &()).unwrap().tally
        };
        let (first, second, all) = (played(0, 7), played(7, 20), played(0, 20));
        let of = Fingerprint::of;
        assert_eq!(of(&first) + of(&second), of(&all));
        assert_eq!(of(&all) - of(&first), of(&second));
        assert_ne!(of(&first), of(&second));

        let bots = ["easy", "random"].map(String::from);
        let amount = Amount::Blocks(10);
        let mut guti = Experiment::lineup::<sholo_guti::SholoGuti>(
            sholo_guti::Rules::standard(),
            &bots,
            Schedule::Rotations,
            1,
            amount,
        )
        .unwrap();
        let mut played = |from, to| {
            guti.blocks = Blocks { from, to };
            run::<sholo_guti::SholoGuti>(&guti, 1, &()).unwrap().tally
        };
        assert_eq!(of(&played(0, 4)) + of(&played(4, 10)), of(&played(0, 10)));
    }

    /// Every number of the document but those of sets has its say.
    #[test]
    fn every_count_changes_it() {
        let tally = run::<sho::Sho>(&experiment(), 1, &()).unwrap().tally;
        let text = serde_json::to_string(&tally).unwrap();
        let mut changed = 0;
        let is_digit = |index: usize| text.as_bytes()[index].is_ascii_digit();
        for (index, _) in text.match_indices(|letter: char| letter.is_ascii_digit()) {
            // The last digit of each number that is no key.
            if is_digit(index + 1) || text.as_bytes()[index + 1] == b'"' {
                continue;
            }
            let digit = if &text[index..=index] == "3" { "4" } else { "3" };
            let other = format!("{}{digit}{}", &text[..index], &text[index + 1..]);
            let other: Tally = serde_json::from_str(&other).unwrap();
            assert_ne!(other, tally);
            assert_ne!(Fingerprint::of(&other), Fingerprint::of(&tally), "{}", &text[..index]);
            changed += 1;
        }
        assert!(changed > 500, "{changed}");
    }

    #[test]
    fn it_is_pinned_and_reads_back() {
        let of = |document: &serde_json::Value| Fingerprint::of_document(document).to_string();
        let pinned = of(&serde_json::json!({"games": 3, "bots": [{"wins": 2}, {"wins": 0}]}));
        assert_eq!(pinned, "cf36c1a70c4b220aacfd6a6aeb3c4a55");
        let fingerprint: Fingerprint = serde_json::from_str(&format!("\"{pinned}\"")).unwrap();
        assert_eq!(fingerprint.to_string(), pinned);
        for wrong in ["\"12\"", "\"\"", "12", "\"G0000000000000000000000000000000\""] {
            assert!(serde_json::from_str::<Fingerprint>(wrong).is_err());
        }
    }
}
