//! Two results side by side: [`compare`].
//!
//! They may be the same; or of the same experiment and not the same, which must not be; or of two experiments. Then it
//! is said in what these differ, and what can be compared stands side by side, with the difference and its interval.
//!
//! - [`document`]: result files as they are read back.

pub mod document;

use serde::Serialize;
use serde_json::{Value, json};
use sho_core::Seat;

use self::document::{Document, InOrder, Program};
use crate::experiment::Blocks;
use crate::rounded::rounded;
use crate::stats::interval::half_width;
use crate::stats::quantile::less_or_tied;

/// The name and version of a comparison as JSON.
pub const COMPARISON_SCHEMA: &str = "sho/diff/1";

/// So many differing keys of two results of one experiment are named.
pub const NAMED: usize = 20;

/// Two results, compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The format's name and version.
    pub schema: &'static str,
    /// What they are to one another.
    pub relation: Relation,
    /// The first.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// In what the experiments differ.
    pub experiment: Vec<Difference>,
    /// Of two results of one experiment: the first keys that differ, [`NAMED`] of them.
    pub keys: Vec<Difference>,
    /// How many keys differ.
    pub keys_in_all: usize,
    /// Blocks that both played with the same seed, so that they had the same luck; nothing where there are none.
    pub shared_blocks: Option<Blocks>,
    /// What can be compared of two experiments; nothing where they are one, or of two games.
    pub numbers: Option<Numbers>,
}

/// What two results are to one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Every key says the same.
    Same,
    /// One experiment, and the counts are not the same: one of them was [changed](Side::intact), or is wrong, or bots or
    /// rules play otherwise in one of the two programs.
    BrokenRepeat,
    /// One experiment with the same counts, written with other keys beside them.
    OtherKeys,
    /// Two experiments.
    OtherExperiment,
}

/// One of two results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Side {
    /// The digest that it states.
    pub digest: String,
    /// Whether that is the digest of what it says. If not, somebody changed it by hand.
    pub intact: bool,
    /// The program that wrote it.
    pub program: Option<Program>,
    /// Seats at its table.
    pub seats: usize,
    /// The blocks that were played.
    pub block_range: Blocks,
    /// How many games.
    pub games: u64,
}

/// A key that says one thing here and another there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The key, with those above it.
    pub key: String,
    /// What the first says; nothing where it has no such key.
    pub a: Option<Value>,
    /// What the second says.
    pub b: Option<Value>,
}

/// Numbers of two experiments of one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Numbers {
    /// Scores of bots, by name.
    pub bots: Vec<Row>,
    /// Scores of seats.
    pub seats: Vec<Row>,
    /// Mean lengths, by unit.
    pub lengths: Vec<Row>,
    /// Shares of games by how they ended. Results do not say how blocks differ in them, so there are no intervals.
    pub ends: Vec<Row>,
    /// By unit, how likely a game of the second is longer than one of the first, ties as halves. Without an interval,
    /// since results do not hold lengths by block.
    pub longer: Vec<(String, f64)>,
}

/// A number here and there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Of what.
    pub name: String,
    /// In the first.
    pub a: Option<f64>,
    /// In the second.
    pub b: Option<f64>,
    /// The second less the first.
    pub difference: Option<f64>,
    /// Its 95 % interval; nothing where an error is not known, as with one block.
    pub interval: Option<(f64, f64)>,
}

/// A number with what is known of its error.
#[derive(Clone, Copy)]
struct Estimate {
    value: f64,
    error: Option<f64>,
    blocks: u64,
}

/// Compares two results.
#[must_use]
pub fn compare(a: &Document, b: &Document) -> Comparison {
    let experiment = experiment_differences(a, b);
    let (keys, relation) = if experiment.is_empty() {
        let keys = key_differences(a, b);
        // What only one of them has was not counted by the other; with the same games, and others of their counts not
        // the same, there is always a key that both have.
        let counts = |difference: &Difference| {
            let top = difference.key.split(['.', '[']).next().unwrap_or("");
            COUNTS.contains(&top) && difference.a.is_some() && difference.b.is_some()
        };
        let relation = if keys.iter().any(counts) {
            Relation::BrokenRepeat
        } else if keys.is_empty() {
            Relation::Same
        } else {
            Relation::OtherKeys
        };
        (keys, relation)
    } else {
        (Vec::new(), Relation::OtherExperiment)
    };
    let comparable = relation == Relation::OtherExperiment && a.result.game == b.result.game;
    Comparison {
        schema: COMPARISON_SCHEMA,
        relation,
        a: side(a),
        b: side(b),
        experiment,
        keys_in_all: keys.len(),
        keys: keys.into_iter().take(NAMED).collect(),
        shared_blocks: shared_blocks(a, b),
        numbers: comparable.then(|| numbers(a, b)),
    }
}

impl Comparison {
    /// Whether both say the same, and nobody changed them after they were written.
    #[must_use]
    pub fn same(&self) -> bool {
        self.relation == Relation::Same && self.a.intact && self.b.intact
    }
}

/// Keys with counts and what follows from them, which one experiment decides.
const COUNTS: [&str; 7] = ["blocks", "games", "distinct_games", "bots", "seats", "ends", "lengths"];

fn side(document: &Document) -> Side {
    let result = &document.result;
    Side {
        digest: result.digest.clone(),
        intact: document.is_intact(),
        program: result.provenance.clone(),
        seats: result.seats.len(),
        block_range: result.block_range,
        games: result.games,
    }
}

/// Everything that decides the games, where it differs.
fn experiment_differences(a: &Document, b: &Document) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut add = |key: &str, a: Option<Value>, b: Option<Value>| {
        if a != b {
            differences.push(Difference { key: key.to_owned(), a, b });
        }
    };
    let (x, y) = (&a.result, &b.result);
    add("game", Some(json!(x.game)), Some(json!(y.game)));
    // Settings of two games have nothing to do with one another.
    let settings = if x.game == y.game { names(&x.rules, &y.rules) } else { Vec::new() };
    for name in settings {
        add(&format!("rules.{name}"), x.rules.get(name).cloned(), y.rules.get(name).cloned());
    }
    let (a_lineups, b_lineups) = (a.lineups(), b.lineups());
    add("lineups", Some(json!(a_lineups)), Some(json!(b_lineups)));
    if a_lineups == b_lineups {
        let bots = |document: &Document| {
            let names: Vec<&String> = document.result.bots.iter().map(|bot| &bot.name).collect();
            Some(json!(names))
        };
        add("bots", bots(a), bots(b));
    }
    add("schedule", Some(json!(x.schedule)), Some(json!(y.schedule)));
    add("opening_turns", x.opening_turns.map(Value::from), y.opening_turns.map(Value::from));
    add("seed", Some(json!(x.seed)), Some(json!(y.seed)));
    add("block_range", Some(json!(x.block_range)), Some(json!(y.block_range)));
    differences
}

/// The keys of both, in the order of the first, then what only the second has.
fn names<'a, T>(a: &'a InOrder<T>, b: &'a InOrder<T>) -> Vec<&'a String> {
    let more = b.0.iter().filter(|(name, _)| a.get(name).is_none());
    a.0.iter().chain(more).map(|(name, _)| name).collect()
}

/// All keys that differ, in the order in which they stand in the documents, lists entry by entry.
fn key_differences(a: &Document, b: &Document) -> Vec<Difference> {
    let mut differences = Vec::new();
    let (a, b) = (InOrder(a.keys.clone()), InOrder(b.keys.clone()));
    for name in names(&a, &b) {
        descend(name, a.get(name), b.get(name), &mut differences);
    }
    differences
}

fn descend(key: &str, a: Option<&Value>, b: Option<&Value>, differences: &mut Vec<Difference>) {
    match (a, b) {
        (Some(Value::Object(x)), Some(Value::Object(y))) => {
            let more = y.keys().filter(|name| !x.contains_key(*name));
            for name in x.keys().chain(more) {
                descend(&format!("{key}.{name}"), x.get(name), y.get(name), differences);
            }
        }
        (Some(Value::Array(x)), Some(Value::Array(y))) => {
            for index in 0..x.len().max(y.len()) {
                descend(&format!("{key}[{index}]"), x.get(index), y.get(index), differences);
            }
        }
        _ if a != b => {
            differences.push(Difference { key: key.to_owned(), a: a.cloned(), b: b.cloned() });
        }
        _ => {}
    }
}

/// The blocks in which both had the same luck.
fn shared_blocks(a: &Document, b: &Document) -> Option<Blocks> {
    let (x, y) = (a.result.block_range, b.result.block_range);
    let shared = Blocks { from: x.from.max(y.from), to: x.to.min(y.to) };
    let same = a.result.seed == b.result.seed && a.result.game == b.result.game;
    (same && !shared.is_empty()).then_some(shared)
}

fn numbers(a: &Document, b: &Document) -> Numbers {
    let (x, y) = (&a.result, &b.result);
    let estimate = |document: &Document, value, error| Estimate {
        value,
        error,
        blocks: document.result.blocks,
    };
    let bots = |document: &Document| {
        let bots = document.result.bots.iter();
        InOrder(
            bots.map(|bot| (bot.name.clone(), estimate(document, bot.score, bot.score_se)))
                .collect(),
        )
    };
    let seats = |document: &Document| {
        let seats = Seat::ALL.iter().zip(&document.result.seats);
        InOrder(
            seats
                .map(|(name, seat)| {
                    (name.to_string(), estimate(document, seat.score, seat.score_se))
                })
                .collect(),
        )
    };
    let lengths = |document: &Document| {
        let lengths = document.result.lengths.0.iter();
        InOrder(
            lengths
                .map(|(unit, length)| (unit.clone(), estimate(document, length.mean, length.se)))
                .collect(),
        )
    };
    let ends = |document: &Document| {
        let games = document.result.games.max(1) as f64;
        let ends = document.result.ends.0.iter();
        let share = |&count: &u64| estimate(document, count as f64 / games, None);
        InOrder(ends.map(|(name, count)| (name.clone(), share(count))).collect())
    };
    let mut longer = Vec::new();
    for unit in names(&x.lengths, &y.lengths) {
        let of = |document: &Document| {
            document
                .histograms
                .iter()
                .find(|(name, _)| name == unit)
                .map(|(_, counts)| counts.clone())
        };
        if let (Some(x), Some(y)) = (of(a), of(b))
            && let Some(chance) = less_or_tied(&x, &y)
        {
            longer.push((unit.clone(), rounded(chance)));
        }
    }
    Numbers {
        bots: rows(&bots(a), &bots(b)),
        seats: rows(&seats(a), &seats(b)),
        lengths: rows(&lengths(a), &lengths(b)),
        ends: rows(&ends(a), &ends(b)),
        longer,
    }
}

fn rows(a: &InOrder<Estimate>, b: &InOrder<Estimate>) -> Vec<Row> {
    names(a, b).into_iter().map(|name| row(name, a.get(name), b.get(name))).collect()
}

fn row(name: &str, a: Option<&Estimate>, b: Option<&Estimate>) -> Row {
    let difference = a.zip(b).map(|(a, b)| b.value - a.value);
    let width = a.zip(b).and_then(|(a, b)| difference_half_width(*a, *b));
    Row {
        name: name.to_owned(),
        a: a.map(|a| rounded(a.value)),
        b: b.map(|b| rounded(b.value)),
        difference: difference.map(rounded),
        interval: difference
            .zip(width)
            .map(|(difference, width)| (rounded(difference - width), rounded(difference + width))),
    }
}

/// Half the 95 % interval of the difference of two means of independent blocks: the squares of the errors add up, and
/// the degrees of freedom are those of Welch (1947), rounded down. Nothing where an error is not known.
fn difference_half_width(a: Estimate, b: Estimate) -> Option<f64> {
    let (x, y) = (a.error? * a.error?, b.error? * b.error?);
    let (n, m) = (a.blocks.checked_sub(1)?, b.blocks.checked_sub(1)?);
    if n == 0 || m == 0 {
        return None;
    }
    let freedom = (x + y) * (x + y) / (x * x / n as f64 + y * y / m as f64);
    // Not a number where both errors are 0: then so is the width.
    let freedom = if freedom.is_finite() { freedom as u64 } else { n.min(m) };
    half_width((x + y).sqrt(), freedom.max(1).checked_add(1)?)
}
