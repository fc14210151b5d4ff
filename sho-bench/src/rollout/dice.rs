//! Chance of rollouts as a function of seed, game and seat: [`RolloutDice`].

use sho_ai::arena::Dice;
use sho_core::{Game, PerSeat, Seat, Stream};

/// The label of the streams of rollouts.
const LABEL: &str = "sho/rollout";

/// What a seat has a stream of its own for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Casts that begin a turn.
    First,
    /// All other casts.
    Further,
    /// The words of the bot.
    Bot,
}

/// The number of a stream: game, purpose and seat.
const fn stream(game: u64, purpose: Purpose, seat: Seat) -> u64 {
    16 * game + 4 * purpose as u64 + seat.index() as u64
}

/// The words of each seat's bot in game number `game`: stream `16 game + 8 + s` of the label `sho/rollout` for seat `s`.
#[must_use]
pub fn rollout_words(seed: u64, game: u64) -> PerSeat<Stream> {
    PerSeat::from_fn(|seat| Stream::new(seed, LABEL, stream(game, Purpose::Bot, seat)))
}

/// The dice of one game of a rollout.
///
/// A seat has two streams of casts: one for the first cast of each of its turns, another for all it casts beyond that,
/// after a pa ra, a kill or a join. So a throw that one action earns and another does not leaves later turns as they are:
/// in its *n*-th turn each seat begins with the same throw after either.
///
/// # Stability
/// Seat `s` takes the first casts of its turns in game `i` from stream `16 i + s` of the label `sho/rollout`, and its
/// further casts from stream `16 i + 4 + s`.
#[derive(Clone, Debug)]
pub struct RolloutDice {
    ways: u32,
    first: PerSeat<Stream>,
    further: PerSeat<Stream>,
}

impl RolloutDice {
    /// The dice of game number `number` under the seed `master`.
    #[must_use]
    pub fn new<G: Game>(game: &G, master: u64, number: u64) -> Self {
        let streams = |purpose| {
            PerSeat::from_fn(|seat| Stream::new(master, LABEL, stream(number, purpose, seat)))
        };
        let (first, further) = (streams(Purpose::First), streams(Purpose::Further));
        Self { ways: game.ways(), first, further }
    }

    /// Takes the dice of another game under the same seed, from their first casts.
    pub fn reset(&mut self, number: u64) {
        for seat in Seat::ALL {
            self.first[seat].renumber(stream(number, Purpose::First, seat));
            self.further[seat].renumber(stream(number, Purpose::Further, seat));
        }
    }
}

impl Dice for RolloutDice {
    fn draw(&mut self, seat: Seat, begins_turn: bool) -> u32 {
        let streams = if begins_turn { &mut self.first } else { &mut self.further };
        streams[seat].below(self.ways)
    }
}
