//! Chance of rollouts, and what their games begin from.
//!
//! A rollout plays many games from a position, or from it after each of its actions: its *lines*. Game number *i* of every
//! line is played on the same dice and the same words. Whole rollouts, on all threads, are in the crate `sho-bench`.

use std::ops::Range;

use sho_core::dice::dice_stream;
use sho_core::{Game, Key, PerSeat, Seat, SeatStreams, Step, Stream};

use crate::arena::Dice;
use crate::opening::Opening;

/// The label of the streams of rollouts.
pub const ROLLOUT_LABEL: &str = "sho/rollout";

/// What a seat has a stream of its own for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Casts that begin a turn.
    First,
    /// All other casts.
    Further,
    /// The words of the bot.
    Bot,
}

impl Purpose {
    /// The number under which a game has streams for this purpose, as a block has its [dice](dice_stream).
    pub(crate) const fn number(self, game: u64) -> u64 {
        4 * game + self as u64
    }

    const fn stream(self, game: u64, seat: Seat) -> u64 {
        dice_stream(self.number(game), seat)
    }
}

/// The words of each seat's bot in game number `game`: stream `16 game + 8 + s` of the label [`ROLLOUT_LABEL`] for seat
/// `s`.
#[must_use]
pub fn rollout_words(seed: u64, game: u64) -> PerSeat<Stream> {
    let key = Key::new(seed, ROLLOUT_LABEL);
    PerSeat::from_fn(|seat| Stream::of(key, Purpose::Bot.stream(game, seat)))
}

/// The number of the stream of seat A among those of [`rollout_words`].
pub(crate) const fn words_of(game: u64) -> u64 {
    Purpose::Bot.stream(game, Seat::A)
}

/// The same words, as [playouts](crate::Playouts) draw them.
pub(crate) fn rollout_streams(seed: u64, game: u64) -> SeatStreams {
    SeatStreams::new(Key::new(seed, ROLLOUT_LABEL), words_of(game))
}

/// The dice of one game of a rollout.
///
/// A seat has two streams of casts: one for the first cast of each of its turns, another for all it casts beyond that,
/// after a pa ra, a kill or a join. So a throw that one action earns and another does not leaves later turns as they are:
/// in its *n*-th turn each seat begins with the same throw after either.
///
/// ```
/// use sho_ai::{arena::Dice, rollout::{ROLLOUT_LABEL, RolloutDice}};
/// use sho_core::sho::{Rules, Sho};
/// use sho_core::{Game, Seat, Stream};
///
/// let mut dice = RolloutDice::new(&Sho::new(Rules::lhasa())?, 1, 10);
/// let mut further = Stream::new(1, ROLLOUT_LABEL, 16 * 10 + 4 + 2);
/// dice.draw(Seat::C, true);
/// assert_eq!(dice.draw(Seat::C, false), further.below(36));
/// # Ok::<(), sho_core::ImpossibleRules>(())
/// ```
///
/// # Stability
/// Seat `s` takes the first casts of its turns in game `i` from stream `16 i + s` of the label [`ROLLOUT_LABEL`], and its
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
        let key = Key::new(master, ROLLOUT_LABEL);
        let streams = |purpose: Purpose| {
            PerSeat::from_fn(|seat| Stream::of(key, purpose.stream(number, seat)))
        };
        let (first, further) = (streams(Purpose::First), streams(Purpose::Further));
        Self { ways: game.ways(), first, further }
    }

    /// Takes the dice of another game under the same seed, from their first casts.
    pub fn reset(&mut self, number: u64) {
        for seat in Seat::ALL {
            self.first[seat].renumber(Purpose::First.stream(number, seat));
            self.further[seat].renumber(Purpose::Further.stream(number, seat));
        }
    }
}

impl Dice for RolloutDice {
    fn draw(&mut self, seat: Seat, begins_turn: bool) -> u32 {
        let streams = if begins_turn { &mut self.first } else { &mut self.further };
        streams[seat].below(self.ways)
    }
}

/// What the games of one line of a rollout begin from.
#[derive(Clone, Debug)]
pub struct RolloutLine<S> {
    /// Where the players begin.
    pub(crate) state: S,
    /// The seat whose turn has begun: what it casts next does not begin one.
    pub(crate) turn_of: Option<Seat>,
    /// Turns that ended before.
    pub(crate) turns: u32,
    /// Actions before.
    pub(crate) decisions: u32,
}

impl<S> RolloutLine<S> {
    /// The games that begin with an opening, whose turns and actions count.
    #[must_use]
    pub fn new<G: Game<State = S>>(game: &G, opening: &Opening<G>) -> Self {
        let (mut turn_of, mut turns, mut decisions) = (None, 0, 0);
        let mut passes_to = |seat| {
            turns += u32::from(turn_of.is_some_and(|before| before != seat));
            turn_of = Some(seat);
        };
        let (state, _) = opening.play(game, |_, seat, _| {
            passes_to(seat);
            decisions += 1;
        });
        match game.step(&state) {
            Step::Decide(seat) => passes_to(seat),
            // The turn of another seat is not begun before it casts, but that of this one has ended.
            Step::Chance(seat) if turn_of.is_some_and(|before| before != seat) => {
                (turn_of, turns) = (None, turns + 1);
            }
            Step::Chance(_) | Step::Over => {}
        }
        Self { state, turn_of, turns, decisions }
    }
}

/// Games of a rollout: each number once from each line, in this order.
///
/// ```
/// use sho_ai::opening::Opening;
/// use sho_ai::rollout::{RolloutBatch, RolloutLine};
/// use sho_ai::Bots;
/// use sho_core::sho::{Rules, Sho};
/// use sho_core::{Game, Notation, Seat};
///
/// let game = Sho::new(Rules::lhasa())?;
/// let easy = Sho::spec("easy")?;
/// let mut playouts = Sho::playouts(&game, &[&easy; 3]).ok_or("whole games of easy are known")?;
/// // A has a single coin to bring home.
/// let state = game.parse_state("0+8:60x1/9+0:-/9+0:- A throw - 0 80")?;
/// let lines = [RolloutLine::new(&game, &Opening::none(state))];
/// let mut played = Vec::new();
/// playouts.roll_out(&RolloutBatch { seed: 1, games: 0..100, lines: &lines }, &mut played);
/// assert!(played.iter().all(|game| game.payoffs[Seat::A] == 12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RolloutBatch<'a, S> {
    /// The master seed of dice and bots.
    pub seed: u64,
    /// The numbers of the games.
    pub games: Range<u64>,
    /// What they begin from.
    pub lines: &'a [RolloutLine<S>],
}

impl<S> RolloutBatch<'_, S> {
    /// What game number `number` of the batch begins from.
    pub(crate) fn line(&self, number: usize) -> &RolloutLine<S> {
        &self.lines[number % self.lines.len()]
    }
}
