//! Result files as they are read back: [`Document`].

use std::fmt;
use std::fs;
use std::io;
use std::marker::PhantomData;
use std::path::Path;

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::digest;
use crate::experiment::Blocks;
use crate::folder::RESULT;
use crate::result::SCHEMA;
use crate::tally::Histogram;

/// The longest game that is taken for one, in any unit: far above what any rules allow.
const LONGEST: u32 = 1 << 24;

/// More games than this were never played; with fewer, pairs of games can be counted.
const MOST_GAMES: u64 = 1 << 60;

/// A result that was written by `sho tournament`. It may have further keys, which are kept in `keys` alone.
#[derive(Clone, Debug)]
pub struct Document {
    /// What is known of it.
    pub result: Known,
    /// All keys but the digest and the provenance, in their order.
    pub keys: Vec<(String, Value)>,
    /// The digest that its text has.
    pub found_digest: String,
    /// For each unit how many games had each length.
    pub histograms: Vec<(String, Histogram)>,
}

/// The keys that a comparison needs. Others may be there.
#[derive(Clone, Debug, Deserialize)]
pub struct Known {
    /// The format's name and version.
    pub schema: String,
    /// The game's name.
    pub game: String,
    /// The rules, setting by setting.
    pub rules: InOrder<Value>,
    /// The master seed.
    pub seed: u64,
    /// How entries changed seats.
    pub schedule: String,
    /// The line-ups, as indices of bots.
    pub lineups: Vec<Vec<usize>>,
    /// Random turns with which each block began, in a game without chance.
    pub opening_turns: Option<u32>,
    /// The blocks that were played.
    pub block_range: Blocks,
    /// How many.
    pub blocks: u64,
    /// How many games.
    pub games: u64,
    /// By bot.
    pub bots: Vec<Bot>,
    /// By seat.
    pub seats: Vec<Seat>,
    /// Games by how they ended.
    pub ends: InOrder<u64>,
    /// Lengths by unit.
    pub lengths: InOrder<Length>,
    /// The digest that it states.
    pub digest: String,
    /// The program that wrote it.
    pub provenance: Option<Program>,
}

/// How a bot did.
#[derive(Clone, Debug, Deserialize)]
pub struct Bot {
    /// Its spec.
    pub name: String,
    /// Payoff for each game and seat held.
    pub score: f64,
    /// Its standard error; nothing with one block.
    pub score_se: Option<f64>,
}

/// How a seat did.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Seat {
    /// Payoff for each game.
    pub score: f64,
    /// Its standard error; nothing with one block.
    pub score_se: Option<f64>,
}

/// How long games were.
#[derive(Clone, Debug, Deserialize)]
pub struct Length {
    /// The mean.
    pub mean: f64,
    /// Its standard error; nothing with one block.
    pub se: Option<f64>,
    /// The number of games of each length.
    pub histogram: InOrder<u64>,
}

/// The program that wrote a result.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The commit that it was built from.
    pub commit: String,
}

/// The keys of an object with their values, in the order in which they stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InOrder<T>(pub Vec<(String, T)>);

impl<T> InOrder<T> {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&T> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for InOrder<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = InOrder<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<InOrder<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(InOrder(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// Why a file is no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// It cannot be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// It does not say what a result says.
    #[error("{path}: no result of a tournament: {problem}")]
    Content {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
}

impl Document {
    /// Reads a result file, or the one in an experiment's folder.
    ///
    /// # Errors
    /// Where there is none, or it is not a result of schema [`SCHEMA`].
    pub fn read(path: &Path) -> Result<Self, DocumentError> {
        let inside = path.join(RESULT);
        let path = if path.is_dir() { &inside } else { path };
        let name = path.display().to_string();
        let bytes = match fs::read(path) {
            Ok(bytes) => bytes,
            Err(error) => return Err(DocumentError::File { path: name, error }),
        };
        String::from_utf8(bytes)
            .map_err(|error| error.to_string())
            .and_then(|text| Self::parse(&text))
            .map_err(|problem| DocumentError::Content { path: name, problem })
    }

    /// Reads a result from its text.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let head: Head = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if head.schema != SCHEMA {
            return Err(format!("schema {SCHEMA} was expected, found `{}`", head.schema));
        }
        let result: Known = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let InOrder(mut keys): InOrder<Value> =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        keys.retain(|(key, _)| !OUTSIDE.contains(&key.as_str()));
        let mut histograms = Vec::new();
        for (unit, length) in &result.lengths.0 {
            let histogram = histogram(&length.histogram)
                .map_err(|problem| format!("lengths.{unit}.histogram: {problem}"))?;
            histograms.push((unit.clone(), histogram));
        }
        Ok(Self { result, keys, found_digest: digest_of(text), histograms })
    }

    /// Whether the digest is that of the text: nobody changed it after it was written.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.result.digest == self.found_digest
    }

    /// The names of the bots of each line-up.
    #[must_use]
    pub fn lineups(&self) -> Vec<Vec<String>> {
        let name = |&bot: &usize| match self.result.bots.get(bot) {
            Some(bot) => bot.name.clone(),
            None => format!("bot {bot}"),
        };
        self.result.lineups.iter().map(|lineup| lineup.iter().map(name).collect()).collect()
    }
}

/// The counts of lengths that are given as text.
fn histogram(counts: &InOrder<u64>) -> Result<Histogram, String> {
    let mut all = Vec::new();
    let mut games = 0_u64;
    for (length, count) in &counts.0 {
        let index = length.parse::<u32>().ok().filter(|&length| length <= LONGEST);
        let index = index.ok_or_else(|| format!("`{length}` is no length"))? as usize;
        if index >= all.len() {
            all.resize(index + 1, 0);
        }
        all[index] = *count;
        games = games.saturating_add(*count);
        if games > MOST_GAMES {
            return Err(format!("more than {MOST_GAMES} games"));
        }
    }
    // As a tally keeps it.
    serde_json::from_value(Value::from(all)).map_err(|error| error.to_string())
}

/// Keys that the digest does not cover.
const OUTSIDE: [&str; 2] = ["digest", "provenance"];

/// The digest of a document, made from its text as `docs/results.md` of the project says. Blanks and line ends between
/// its parts do not count, as another program may have put them there.
fn digest_of(text: &str) -> String {
    let mut members = members(text);
    members.retain(|member| {
        !OUTSIDE.iter().any(|key| {
            member.strip_prefix('"').and_then(|rest| rest.strip_prefix(key)).is_some_and(|rest| {
                // The whole key, and not one that begins like it.
                rest.starts_with("\":")
            })
        })
    });
    digest::of_bytes(format!("{{{}}}", members.join(",")).as_bytes())
}

/// The members of an object, each as it stands there but for blanks. The text is JSON, and an object.
fn members(text: &str) -> Vec<String> {
    let mut members = Vec::new();
    let mut member = String::new();
    let (mut depth, mut quoted, mut escaped) = (0_u32, false, false);
    for letter in text.chars() {
        if quoted {
            member.push(letter);
            quoted = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
            continue;
        }
        match letter {
            ' ' | '\t' | '\n' | '\r' => continue,
            '"' => quoted = true,
            '{' | '[' => {
                depth += 1;
                if depth == 1 {
                    continue;
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            ',' if depth == 1 => {
                members.push(std::mem::take(&mut member));
                continue;
            }
            _ => {}
        }
        member.push(letter);
    }
    members.push(member);
    members
}
