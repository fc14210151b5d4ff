//! What rollouts came to, as a document: [`RolloutResult`].

use serde::Serialize;
use sho_ai::Bots;
use sho_core::{Notation, RuleSet, Seat, WHOLE_PAYOFF};

use super::{LineTally, Rollout, RolloutTally};
use crate::result::{LengthResult, Named, Provenance};
use crate::rounded::rounded;
use crate::stats::interval::half_width;
use crate::stats::quantile::share_interval;

/// The name and version of the format.
pub const ROLLOUT_SCHEMA: &str = "sho/rollout/1";

/// The rate at which intervals may miss.
const ALPHA: f64 = 0.05;

/// What a seat may hope for: its mean payoff, of which a whole win is 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SeatChance {
    /// The seat's letter.
    pub seat: char,
    /// Games that it won alone.
    pub wins: u64,
    /// Its payoffs in twelfths of a win.
    pub payoff12: u64,
    /// Its mean payoff, 0 to 1.
    pub chance: f64,
    /// The standard error of that; nothing with one game.
    pub se: Option<f64>,
    /// The lower end of the 95 % interval. Where no win was shared it is that of Clopper and Pearson, which holds near 0
    /// and 1 too; otherwise that of Student, cut off at 0 and 1.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How much better one line is than another for the seat to move, in wins a game: from the differences game by game,
/// which share their dice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The mean.
    pub mean: f64,
    /// Its standard error; nothing with one game.
    pub se: Option<f64>,
    /// The lower end of the 95 % interval; nothing with one game.
    pub low: Option<f64>,
    /// The upper end; nothing with one game.
    pub high: Option<f64>,
}

/// How many games ended in one of the ways.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EndShare {
    /// Games.
    pub games: u64,
    /// Their share.
    pub share: f64,
    /// The lower end of the 95 % interval of Clopper and Pearson.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Who holds a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeatedBot {
    /// The seat's letter.
    pub seat: char,
    /// The bot, with all its options.
    pub bot: String,
    /// SHA-256 of the weights by which it plays; nothing where it has none.
    pub weights: Option<String>,
}

/// What the rollouts of a position came to: a document of the format [`ROLLOUT_SCHEMA`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RolloutResult<R> {
    /// The format's name and version.
    pub schema: &'static str,
    /// The game.
    pub game: &'static str,
    /// Its rules.
    pub rules: R,
    /// The position.
    pub position: String,
    /// The seat that throws or decides next.
    pub next: char,
    /// Who plays on.
    pub bots: Vec<SeatedBot>,
    /// Whether the same rollout gives the same bytes.
    pub deterministic: bool,
    /// The master seed.
    pub seed: u64,
    /// How many games were played.
    pub games: u64,
    /// What each seat may hope for.
    pub seats: Vec<SeatChance>,
    /// How long the games still took, by unit.
    pub lengths: Named<LengthResult>,
    /// How they ended.
    pub ends: Named<EndShare>,
    /// Where it comes from.
    pub provenance: Provenance,
}

impl<R: RuleSet> RolloutResult<R> {
    /// The document of a rollout from `state`; nothing where no game was played.
    #[must_use]
    pub fn new<G: Bots + Notation<Rules = R>>(
        game: &G,
        state: &G::State,
        rollout: &Rollout,
        tally: &RolloutTally,
    ) -> Option<Self> {
        let (line, games) = (tally.position(), tally.games);
        if games == 0 {
            return None;
        }
        let ends = G::ENDS.iter().zip(&line.ends).map(|(&name, &count)| {
            let (low, high) = share_interval(count, games, ALPHA);
            let share = rounded(count as f64 / games as f64);
            (name, EndShare { games: count, share, low: rounded(low), high: rounded(high) })
        });
        let lengths = (G::UNITS.iter().zip(&line.lengths))
            .filter_map(|(unit, length)| {
                Some((unit.name(), LengthResult::new(length, games, games)?))
            })
            .collect();
        Some(Self {
            schema: ROLLOUT_SCHEMA,
            game: G::NAME,
            rules: *game.rules(),
            position: game.state_text(state),
            next: tally.seat().letter(),
            bots: rollout.seated(),
            deterministic: rollout.is_deterministic(),
            seed: rollout.seed,
            games,
            seats: chances(line, games, game.seats()),
            lengths: Named(lengths),
            ends: Named(ends.collect()),
            provenance: Provenance::default(),
        })
    }
}

impl Rollout {
    /// Who holds which seat, for documents.
    #[must_use]
    pub fn seated(&self) -> Vec<SeatedBot> {
        let seated = self.bots().map(|(seat, bot)| SeatedBot {
            seat: seat.letter(),
            bot: bot.to_string(),
            weights: bot.weights().map(str::to_owned),
        });
        seated.collect()
    }
}

/// What each seat of a table may hope for, after so many games of a line.
#[must_use]
pub fn chances(line: &LineTally, games: u64, seats: usize) -> Vec<SeatChance> {
    let of = |seat: Seat| {
        let (payoffs, wins) = (line.payoffs[seat], line.wins[seat]);
        let chance = payoffs.sum as f64 / (f64::from(WHOLE_PAYOFF) * games as f64);
        let se = payoffs.standard_error(games).map(|error| error / f64::from(WHOLE_PAYOFF));
        let (low, high) = if line.shared[seat] == 0 {
            share_interval(wins, games, ALPHA)
        } else {
            let width = se.and_then(|se| half_width(se, games)).unwrap_or(1.0);
            ((chance - width).max(0.0), (chance + width).min(1.0))
        };
        SeatChance {
            seat: seat.letter(),
            wins,
            payoff12: payoffs.sum,
            chance: rounded(chance),
            se: se.map(rounded),
            low: rounded(low),
            high: rounded(high),
        }
    };
    Seat::all(seats).map(of).collect()
}

/// What one line gives to the seat to move beyond another: below 0 where it gives less.
///
/// # Panics
/// If there are no such lines.
#[must_use]
pub fn difference(tally: &RolloutTally, line: usize, other: usize) -> Difference {
    let (sum, squares) = tally.differences(line, other);
    let (games, whole) = (tally.games, f64::from(WHOLE_PAYOFF));
    let n = games as f64;
    let mean = sum as f64 / (whole * n);
    let se = (games > 1).then(|| {
        // n times the sum of squares less the square of the sum is exact in integers: no cancellation.
        let square = u128::from(sum.unsigned_abs()) * u128::from(sum.unsigned_abs());
        let spread = u128::from(games) * squares - square;
        (spread as f64 / (n - 1.0)).sqrt() / (whole * n)
    });
    let width = se.and_then(|se| half_width(se, games));
    Difference {
        mean: rounded(mean),
        se: se.map(rounded),
        low: width.map(|width| rounded((mean - width).max(-1.0))),
        high: width.map(|width| rounded((mean + width).min(1.0))),
    }
}
