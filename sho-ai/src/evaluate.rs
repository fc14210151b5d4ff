//! Judging positions of any game by expected payoffs: [`Evaluate`].

use sho_core::{Game, PerSeat, Seat, Step, WHOLE_PAYOFF};

/// The expected payoff of a seat that is certain to win: 1, in the units of [`Evaluate`].
pub const CERTAIN: i64 = 1 << 20;

/// Judges positions: for each seat the expected payoff in units of 1/[`CERTAIN`].
///
/// Values are in `0..=CERTAIN` and sum to `CERTAIN` over the seats of the table; those of seats beyond it are 0.
pub trait Evaluate<G: Game>: Send {
    /// The expected payoffs in a state that is not over: dice may be due in it, or an action.
    fn evaluate(&self, game: &G, state: &G::State) -> PerSeat<i64>;
}

/// The payoffs where the game is over, else what the evaluation says.
///
/// Payoffs are twelfths, and thirds of [`CERTAIN`] are no integers: what seats up to and with each one have in common is
/// rounded down, so that the sum stays whole.
pub fn value_of<G: Game>(
    game: &G,
    state: &G::State,
    evaluate: &impl Evaluate<G>,
) -> PerSeat<i64> {
    if game.step(state) != Step::Over {
        return evaluate.evaluate(game, state);
    }
    let payoffs = game.payoffs(state);
    let part = |twelfths: u32| i64::from(twelfths) * CERTAIN / i64::from(WHOLE_PAYOFF);
    let mut before = 0;
    let mut values = PerSeat::default();
    for seat in Seat::all(game.seats()) {
        values[seat] = part(before + payoffs[seat]) - part(before);
        before += payoffs[seat];
    }
    values
}
