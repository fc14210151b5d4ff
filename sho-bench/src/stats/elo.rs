//! Scores as differences of strength: Elo for tables of any size, the normalized effect, and how likely a bot is
//! better.
//!
//! Sources: the logistic model of Bradley and Terry (1952) and, for more than two at a table, Luce (1959); its scale of
//! 400 for a factor of ten is Elo's (1978). The normalized effect is that of M. Van den Bergh ("Normalized
//! Elo", a note for the Fishtest project), here for blocks of any number of games.

use std::f64::consts::LN_10;

use serde::{Deserialize, Serialize};

use crate::stats::special::normal_cdf;
use crate::tally::BlockSum;

/// Elo for each unit of log-worth: 400 / ln 10.
pub const ELO_A_LOG: f64 = 400.0 / LN_10;

/// Normalized Elo for each unit of the normalized effect: 800 / ln 10, since with two players and no draws a small
/// difference in Elo is then the same number in both.
pub const NELO_A_UNIT: f64 = 800.0 / LN_10;

/// What a tested bot plays: its seats, and the games of a block.
///
/// ```
/// use sho_bench::stats::elo::Contest;
/// let duel = Contest::rotations(2).unwrap();
/// assert_eq!((duel.games(), duel.equal_score(), duel.top_score()), (2, 0.5, 1.0));
/// // Two seats of three: each wins at most every second game.
/// let pair = Contest::new(3, 2, 3).unwrap();
/// assert_eq!(pair.top_score(), 0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    seats: u32,
    held: u32,
    games: u32,
}

impl Contest {
    /// A bot that holds `held` of `seats` seats, equals at the others, in blocks of `games` games. Nothing where it has
    /// no seat, no opponent, or no games.
    #[must_use]
    pub const fn new(seats: u32, held: u32, games: u32) -> Option<Self> {
        if held == 0 || held >= seats || games == 0 {
            return None;
        }
        Some(Self { seats, held, games })
    }

    /// One bot among `seats - 1` equals, in blocks of one game for each rotation. Nothing with fewer than two seats.
    #[must_use]
    pub const fn rotations(seats: u32) -> Option<Self> {
        Self::new(seats, 1, seats)
    }

    /// Seats at the table, *k*.
    #[must_use]
    pub const fn seats(self) -> u32 {
        self.seats
    }

    /// Seats that the tested bot holds, *h*.
    #[must_use]
    pub const fn held(self) -> u32 {
        self.held
    }

    /// Games of a block.
    #[must_use]
    pub const fn games(self) -> u32 {
        self.games
    }

    /// The score a seat where all are equally strong, 1/*k*.
    #[must_use]
    pub fn equal_score(self) -> f64 {
        1.0 / f64::from(self.seats)
    }

    /// The score a seat of a bot that wins every game, 1/*h*.
    #[must_use]
    pub fn top_score(self) -> f64 {
        1.0 / f64::from(self.held)
    }

    /// Twelfths of a win that the bot gets in a block with score 1 a seat: what a block's total is divided by.
    #[must_use]
    pub const fn scale(self) -> u32 {
        12 * self.games * self.held
    }

    /// The Elo difference that gives this score a seat: `400 log10((k - h) s / (1 - h s))`. Nothing where the bot won
    /// no game or all: the difference is then not finite.
    ///
    /// A bot whose worth is `e^t` times that of each of the others wins with each of its seats
    /// `s = e^t / (h e^t + k - h)`; solved for `t`, times 400 / ln 10. With *h* = 1 that is `(k - 1) s / (1 - s)`, and
    /// with *k* = 2 the usual formula. It assumes that the others are equals of one another.
    ///
    /// ```
    /// use sho_bench::stats::elo::Contest;
    /// let duel = Contest::rotations(2).unwrap();
    /// assert!((duel.elo(0.75).unwrap() - 190.848).abs() < 1e-3);
    /// assert_eq!(Contest::rotations(4).unwrap().elo(0.25), Some(0.0));
    /// assert_eq!(duel.elo(1.0), None);
    /// ```
    #[must_use]
    pub fn elo(self, score: f64) -> Option<f64> {
        let (others, held) = (f64::from(self.seats - self.held), f64::from(self.held));
        let lost = 1.0 - held * score;
        (score > 0.0 && lost > 0.0).then(|| ELO_A_LOG * libm::log(others * score / lost))
    }

    /// The score a seat at this Elo difference: the inverse of [`elo`](Self::elo).
    #[must_use]
    pub fn score(self, elo: f64) -> f64 {
        // Written so that neither great nor small differences overflow.
        let others = f64::from(self.seats - self.held);
        1.0 / (f64::from(self.held) + others * libm::exp(-elo / ELO_A_LOG))
    }

    /// An interval of scores as one of Elo: the map is rising, so ends go to ends. An end that reaches no win, or all,
    /// is nothing: the interval is open on that side.
    ///
    /// Away from the middle this is truer than `elo ± width`: the ends then are not equally far.
    #[must_use]
    pub fn elo_interval(self, low: f64, high: f64) -> (Option<f64>, Option<f64>) {
        (self.elo(low), self.elo(high))
    }
}

/// What is known of a bot's strength from the blocks of a contest.
///
/// Of a bot that won nothing, or everything, the Elo difference has no estimate, only a bound on one side; see
/// [`elo_bound`](Self::elo_bound).
///
/// ```
/// use sho_bench::stats::elo::{Contest, Estimate};
/// use sho_bench::tally::BlockSum;
///
/// // Four blocks of two games: 2, 1, 1 and 2 wins.
/// let mut payoffs = BlockSum::default();
/// for wins in [2, 1, 1, 2] {
///     payoffs.add(12 * wins);
/// }
/// let estimate = Estimate::new(Contest::rotations(2).unwrap(), payoffs, 4).unwrap();
/// assert_eq!(estimate.score(), 0.75);
/// assert!((estimate.elo().unwrap() - 190.85).abs() < 0.01);
/// assert!((estimate.los().unwrap() - 0.9584).abs() < 1e-4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    contest: Contest,
    blocks: u64,
    score: f64,
    sd: Option<f64>,
}

impl Estimate {
    /// From a bot's payoffs in twelfths, by block. Nothing without blocks.
    #[must_use]
    pub fn new(contest: Contest, payoff12: BlockSum, blocks: u64) -> Option<Self> {
        if blocks == 0 {
            return None;
        }
        let scale = f64::from(contest.scale());
        let score = payoff12.sum as f64 / (scale * blocks as f64);
        // The standard error in twelfths comes from exact integers.
        let sd =
            payoff12.standard_error(blocks).map(|error| error / scale * (blocks as f64).sqrt());
        Some(Self { contest, blocks, score, sd })
    }

    /// Payoff for each game and seat held.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The standard deviation of a block's score, `sd(x_b)`. Nothing with fewer than two blocks.
    #[must_use]
    pub fn sd(&self) -> Option<f64> {
        self.sd
    }

    /// The standard error of the score, `sd(x_b) / sqrt(B)`. Nothing with fewer than two blocks.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        self.sd.map(|sd| sd / (self.blocks as f64).sqrt())
    }

    /// The Elo difference to the others at the table; nothing where the bot won no game or all.
    #[must_use]
    pub fn elo(&self) -> Option<f64> {
        self.contest.elo(self.score)
    }

    /// The standard error of the Elo difference, by the delta method: `400 / ln 10 · se / (s (1 - h s))`. Nothing where
    /// the bot won no game or all, or with fewer than two blocks.
    #[must_use]
    pub fn elo_error(&self) -> Option<f64> {
        Some(self.error()? * self.elo_slope()?)
    }

    /// Elo for each unit of score, at this score: `400 / ln 10 / (s (1 - h s))`. Nothing where the bot won no game or
    /// all.
    #[must_use]
    pub fn elo_slope(&self) -> Option<f64> {
        self.elo()?;
        Some(ELO_A_LOG / (self.score * (1.0 - f64::from(self.contest.held) * self.score)))
    }

    /// Where the bot won nothing, or everything: what its Elo difference is at most, or at least, with 95 % confidence.
    /// Nothing for other scores.
    ///
    /// If a share *p* of all blocks held a win, none of *B* would with probability `(1 - p)^B`; so *p* is below `1 -
    /// 0.05^(1/B)`, about 3/*B*, and the score a seat below that divided by *h*. The same with blocks not won whole for
    /// a bot that won everything. One-sided.
    #[must_use]
    pub fn elo_bound(&self) -> Option<f64> {
        let share = crate::stats::quantile::at_most(self.blocks, 0.05)?;
        let top = self.contest.top_score();
        if self.score <= 0.0 {
            self.contest.elo(share * top)
        } else if self.score >= top {
            self.contest.elo((1.0 - share) * top)
        } else {
            None
        }
    }

    /// The normalized effect: by how many standard deviations of a game the bot is above equal strength,
    /// `(s - 1/k) / (sqrt(m) sd(x_b))` with *m* games a block: a game's deviation is what it would be if games were
    /// independent and blocks differed as they do. Nothing where blocks do not differ.
    ///
    /// What it takes to see a difference depends on this number, and not on Elo: about `(z / effect)²` games.
    #[must_use]
    pub fn effect(&self) -> Option<f64> {
        let sd = self.sd.filter(|&sd| sd > 0.0)?;
        Some(
            (self.score - self.contest.equal_score()) / (f64::from(self.contest.games).sqrt() * sd),
        )
    }

    /// The standard error of the normalized effect, `1 / sqrt(m B)`. For small effects: it leaves out that `sd(x_b)` is
    /// estimated too.
    #[must_use]
    pub fn effect_error(&self) -> Option<f64> {
        self.effect()?;
        Some(1.0 / (f64::from(self.contest.games) * self.blocks as f64).sqrt())
    }

    /// The normalized effect in normalized Elo: times 800 / ln 10.
    #[must_use]
    pub fn nelo(&self) -> Option<f64> {
        self.effect().map(|effect| NELO_A_UNIT * effect)
    }

    /// The standard error of [`nelo`](Self::nelo).
    #[must_use]
    pub fn nelo_error(&self) -> Option<f64> {
        self.effect_error().map(|error| NELO_A_UNIT * error)
    }

    /// The likelihood of superiority: `Phi((s - 1/k) / se)`. Nothing where blocks do not differ.
    ///
    /// With a flat prior it is how probable it is that the bot is above equal strength. It is not a test: nobody
    /// planned when to look.
    #[must_use]
    pub fn los(&self) -> Option<f64> {
        let error = self.error().filter(|&error| error > 0.0)?;
        Some(normal_cdf((self.score - self.contest.equal_score()) / error))
    }
}
