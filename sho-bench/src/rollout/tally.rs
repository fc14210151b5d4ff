//! What is counted of rollouts: [`RolloutTally`]. Integers alone, so that tallies merge to the same one.

use sho_ai::Played;
use sho_core::{Game, PerSeat, Seat, WHOLE_PAYOFF};

use crate::tally::{BlockSum, LengthTally, length_in};

/// What the games of one line came to: of a position, or of one action in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineTally {
    /// By seat its payoffs, in twelfths of a win, game by game.
    pub payoffs: PerSeat<BlockSum>,
    /// By seat the games that it won alone.
    pub wins: PerSeat<u64>,
    /// By seat the games in which it shared a win.
    pub shared: PerSeat<u64>,
    /// How long the games still took, in the order of [`Game::UNITS`]. The turn in which the position stands counts as
    /// one; where actions are compared, the action counts as a decision.
    pub lengths: Vec<LengthTally>,
    /// Games by how they ended, in the order of [`Game::ENDS`].
    pub ends: Vec<u64>,
}

/// What the games of a rollout came to, line by line.
///
/// # Examples
/// See [`roll_out`](super::roll_out).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutTally {
    /// Games of each line: the first ones, without a gap.
    pub games: u64,
    /// The position, or its actions in their promised order.
    pub lines: Vec<LineTally>,
    /// The seat to move.
    seat: Seat,
    /// Sums over games of the products of what two lines gave to the seat to move: line 1 with 0, 2 with 0, 2 with 1 and
    /// so on. In squares of twelfths.
    products: Vec<u64>,
}

impl RolloutTally {
    /// Nothing yet of so many lines, in which `seat` is to move.
    pub(super) fn new<G: Game>(lines: usize, seat: Seat) -> Self {
        let line = LineTally {
            lengths: vec![LengthTally::default(); G::UNITS.len()],
            ends: vec![0; G::ENDS.len()],
            ..LineTally::default()
        };
        let products = vec![0; lines * lines.saturating_sub(1) / 2];
        Self { games: 0, lines: vec![line; lines], seat, products }
    }

    /// The seat that throws or decides in the position.
    #[must_use]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// The only line of a position, or that of its first action.
    ///
    /// # Panics
    /// Never: a rollout has a line.
    #[must_use]
    pub fn position(&self) -> &LineTally {
        &self.lines[0]
    }

    /// Counts one game of each line.
    pub(super) fn add<G: Game>(&mut self, games: &[Played]) {
        self.games += 1;
        for (line, played) in self.lines.iter_mut().zip(games) {
            for seat in Seat::ALL {
                let payoff = played.payoffs[seat];
                line.payoffs[seat].add(payoff.into());
                line.wins[seat] += u64::from(payoff == WHOLE_PAYOFF);
                line.shared[seat] += u64::from(payoff > 0 && payoff < WHOLE_PAYOFF);
            }
            for (length, &unit) in line.lengths.iter_mut().zip(G::UNITS) {
                let taken = length_in(played, unit);
                length.histogram.add(taken);
                length.blocks.add(taken.into());
            }
            line.ends[played.end] += 1;
        }
        let mut products = self.products.iter_mut();
        for (index, played) in games.iter().enumerate() {
            // In this order: a zip asks its first part first, and would take one product too many.
            for (other, product) in games[..index].iter().zip(products.by_ref()) {
                *product += u64::from(played.payoffs[self.seat] * other.payoffs[self.seat]);
            }
        }
    }

    /// Adds further games of the same rollout.
    ///
    /// # Panics
    /// If they have other lines.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!((self.lines.len(), self.seat), (other.lines.len(), other.seat));
        self.games += other.games;
        for (line, more) in self.lines.iter_mut().zip(&other.lines) {
            for seat in Seat::ALL {
                line.payoffs[seat].merge(more.payoffs[seat]);
                line.wins[seat] += more.wins[seat];
                line.shared[seat] += more.shared[seat];
            }
            for (length, more) in line.lengths.iter_mut().zip(&more.lengths) {
                length.histogram.merge(&more.histogram);
                length.blocks.merge(more.blocks);
            }
            line.ends.iter_mut().zip(&more.ends).for_each(|(end, more)| *end += more);
        }
        self.products.iter_mut().zip(&other.products).for_each(|(sum, more)| *sum += more);
    }

    /// The line that gave most to the seat to move; of equals the first.
    #[must_use]
    pub fn best(&self) -> usize {
        let payoff = |&line: &usize| self.lines[line].payoffs[self.seat].sum;
        (0..self.lines.len()).rev().max_by_key(payoff).unwrap_or(0)
    }

    /// The sum over games of the difference between what two lines gave to the seat to move, in twelfths, and the sum of
    /// its squares.
    ///
    /// # Panics
    /// If there are no such lines.
    #[must_use]
    pub fn differences(&self, line: usize, other: usize) -> (i64, u128) {
        let payoffs = |line: usize| self.lines[line].payoffs[self.seat];
        let (one, two) = (payoffs(line), payoffs(other));
        let (low, high) = (line.min(other), line.max(other));
        let product = if low == high {
            one.squares
        } else {
            u128::from(self.products[high * (high - 1) / 2 + low])
        };
        (one.sum as i64 - two.sum as i64, one.squares + two.squares - 2 * product)
    }
}
