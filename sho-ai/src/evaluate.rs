//! What a position is worth to every seat: [`Evaluate`].

use sho_core::{Game, PerSeat, Step, WHOLE_PAYOFF};

/// The sum over seats of what an evaluation says: certainty of winning.
///
/// A power of two. Sums over 36 ways at each of five plies stay far below the range of `i64`.
pub const CERTAIN: i64 = 1 << 20;

/// Judges positions: for each seat the expected payoff in units of 1/[`CERTAIN`]. Values are in `0..=CERTAIN` and sum to
/// `CERTAIN` over the seats of the table.
///
/// It is a function of the game and the state alone.
pub trait Evaluate<G: Game>: Send {
    /// The worth of a position that is not over, whatever is due in it.
    fn evaluate(&self, game: &G, state: &G::State) -> PerSeat<i64>;

    /// Judges positions that follow from `from` by an outcome of chance, an action, or one after the other, none of which
    /// is over: exactly as [`evaluate`](Self::evaluate) does, which is what it calls unless it is written. Who looks at all
    /// actions of a position asks for this once, so an evaluation may find once what they have in common.
    fn near<'a>(
        &'a self,
        game: &'a G,
        from: &'a G::State,
    ) -> impl FnMut(&G::State) -> PerSeat<i64> + 'a
    where
        Self: Sized,
    {
        let _ = from;
        move |state| self.evaluate(game, state)
    }
}

impl<G: Game, V: Evaluate<G> + ?Sized> Evaluate<G> for Box<V> {
    fn evaluate(&self, game: &G, state: &G::State) -> PerSeat<i64> {
        (**self).evaluate(game, state)
    }
}

/// The worth of any position, in the same units: the payoffs where it is over, else what `evaluation` says.
#[inline]
pub fn value_of<G: Game>(
    game: &G,
    state: &G::State,
    evaluation: &(impl Evaluate<G> + ?Sized),
) -> PerSeat<i64> {
    value_by(game, state, |state| evaluation.evaluate(game, state))
}

/// The same by what `judge` says of a position that is not over.
#[inline]
pub(crate) fn value_by<G: Game>(
    game: &G,
    state: &G::State,
    judge: impl FnOnce(&G::State) -> PerSeat<i64>,
) -> PerSeat<i64> {
    if game.step(state) == Step::Over { payoff_of(game, state) } else { judge(state) }
}

/// The payoffs of a position that is over, in units of 1/[`CERTAIN`]. Where a win is shared by three, what the division
/// leaves goes to the last of them, so that the sum is exact.
#[cold]
fn payoff_of<G: Game>(game: &G, state: &G::State) -> PerSeat<i64> {
    let payoffs = game.payoffs(state);
    let (mut before, mut sum) = (0, 0);
    // Differences of rounded sums: each is right to a unit, and together they are exact.
    PerSeat::from_fn(|seat| {
        sum += i64::from(payoffs[seat]);
        let up_to_here = sum * CERTAIN / i64::from(WHOLE_PAYOFF);
        let value = up_to_here - before;
        before = up_to_here;
        value
    })
}
