//! How bots look ahead.
//!
//! - [`plain`]: the searches in twenty lines, which judge the others.
//! - [`expectimax`]: the search that plays games of chance, for two to four seats; it judges by
//!   [`Evaluate`](crate::Evaluate).
//!
//! For two seats that take turns without chance:
//!
//! - [`Tactics`], [`Evaluate`]: what a search wants to know of a game beyond its rules.
//! - [`Model`]: what all searches agree on, so that they can judge one another.
//! - [`table`]: what was found before.
//! - [`alphabeta`]: the search that plays.
//!
//! There a value is what a position is worth to the seat to move, in the units of the evaluation. It is a function of the
//! model, the position and the depth alone: pruning, the order of turns and the table change the time it takes and
//! nothing else.

pub mod alphabeta;
pub mod expectimax;
pub(crate) mod memory;
pub mod plain;
mod star;
pub mod table;

use sho_core::{Game, PerSeat, Seat, WHOLE_PAYOFF};

/// The value of having won, before the turns it takes are taken off.
pub const WIN: i32 = 1_000_000;

/// Evaluations are below this, whoever is ahead; a value above it is a win within so many turns.
pub const MOST: i32 = WIN - 10_000;

/// What a search wants to know of a game of two seats without chance whose turns alternate.
pub trait Tactics: Game {
    /// Numbers that [`slot`](Self::slot) gives are below this.
    const SLOTS: usize;

    /// The position and the side to move as a number below 2^112, the same exactly where they are the same. What only
    /// counts turns is not part of it.
    fn key(&self, state: &Self::State) -> u128;

    /// What decides, beside the [key](Self::key), the value of a search of so many turns: where a count of turns might
    /// end the game within them, that count plus one, and otherwise 0.
    fn clock(&self, state: &Self::State, turns: u32) -> u16;

    /// What the action does to the state, as a number: two legal actions lead to the same state exactly where it is the
    /// same.
    fn effect(&self, action: Self::Action) -> u64;

    /// How much the action takes at once; 0 for a quiet one. The more, the sooner it is tried.
    fn gain(&self, action: Self::Action) -> u32;

    /// A number for the action by which searches remember how well it did; similar actions may share it.
    fn slot(&self, action: Self::Action) -> usize;

    /// Puts the legal actions with a gain into `into`, in the promised order.
    fn noisy(&self, state: &Self::State, into: &mut Self::Actions);

    /// Whether a seat that has such an action may do something else.
    fn may_decline(&self) -> bool;
}

/// What a position is worth where the search goes no further.
pub trait Evaluate<G: Game>: Clone + Send {
    /// The worth of a position that is not over, to the seat to move; between -[`MOST`] and [`MOST`]. A function of the
    /// position and the side to move alone, not of what only counts turns.
    fn evaluate(&self, game: &G, state: &G::State) -> i32;
}

/// What a value is, for all searches.
///
/// - A game that is won is worth [`WIN`] less the turns that lead there, one that is lost the opposite, a draw what
///   `draw` says.
/// - A position that has stood before in the game, the present one included, counts as a draw: whoever is ahead must do
///   something new. Positions that only come twice within the search do not, which keeps a value a function of the
///   position.
/// - At its end the search evaluates; with `quiescence` it first plays on as long as somebody takes. A seat that may
///   decline to take may be content with the evaluation instead.
#[derive(Clone, Debug)]
pub struct Model<V> {
    /// The evaluation.
    pub evaluation: V,
    /// Whether the search plays on where somebody can take.
    pub quiescence: bool,
    /// What a draw is worth to the seat that searches, and the opposite to the other: below 0 for one that would rather
    /// play on.
    pub draw: i32,
}

impl<V> Model<V> {
    /// What a draw is worth to the seat to move after `turns` turns of search.
    const fn draw(&self, turns: u32) -> i32 {
        if turns.is_multiple_of(2) { self.draw } else { -self.draw }
    }

    /// The value of a game that is over after `turns` turns of search, to the seat that would be next.
    fn over<G: Game>(&self, game: &G, state: &G::State, seat: Seat, turns: u32) -> i32 {
        let payoffs: PerSeat<u32> = game.payoffs(state);
        match payoffs[seat] {
            0 => turns as i32 - WIN,
            WHOLE_PAYOFF => WIN - turns as i32,
            _ => self.draw(turns),
        }
    }
}

/// Positions that have stood in the game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// Sorted keys.
    keys: Vec<u128>,
    /// A bit for each key's remainder: most positions of a search are told apart by it alone.
    filter: [u64; 16],
}

impl Before {
    /// The positions with these keys.
    pub fn new(keys: impl Iterator<Item = u128>) -> Self {
        let mut before = Self { keys: keys.collect(), filter: [0; 16] };
        before.keys.sort_unstable();
        for &key in &before.keys {
            let (word, bit) = Self::place(key);
            before.filter[word] |= bit;
        }
        before
    }

    /// Whether the position is among them.
    #[must_use]
    pub fn contains(&self, key: u128) -> bool {
        let (word, bit) = Self::place(key);
        self.filter[word] & bit != 0 && self.keys.binary_search(&key).is_ok()
    }

    fn place(key: u128) -> (usize, u64) {
        let bits = table::spread(key) >> 54;
        ((bits / 64) as usize, 1 << (bits % 64))
    }
}
