//! One game from an opening, policies, dice and words: [`Arena::play`].

use sho_core::record::Record;
use sho_core::{
    ActionList, BlockDice, Game, Key, Notation, PerSeat, Seat, SeatStreams, Step, Stream,
};

use crate::opening::{Opening, usual_turns};
use crate::playout::{Played, make_dice};
use crate::policy::{Decision, Policy};

/// The label of the streams that bots draw from.
pub const BOT_LABEL: &str = "sho/bot";

/// The number of a bot's stream: block, index of the seating (0 to 23) and seat.
#[must_use]
pub const fn bot_stream(block: u64, seating: usize, seat: Seat) -> u64 {
    128 * block + 4 * seating as u64 + seat.index() as u64
}

/// A policy chose an action that is not legal, and its game was given up there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("seat {seat} chose `{action}`, which is not legal in `{position}`")]
pub struct IllegalChoice {
    /// The seat that chose.
    pub seat: Seat,
    /// The action as text.
    pub action: String,
    /// The position as text.
    pub position: String,
}

impl IllegalChoice {
    // Kept out of the loop that plays games: it is hardly ever needed.
    #[cold]
    fn new<G: Notation>(game: &G, state: &G::State, seat: Seat, action: G::Action) -> Self {
        Self { seat, action: game.action_text(state, action), position: game.state_text(state) }
    }
}

/// Where the outcomes of chance in a game come from.
pub trait Dice {
    /// The next draw of a seat, as one of the game's equally likely [ways](Game::ways). `begins_turn` says whether it is
    /// the first step of a turn, and not one that a seat has earned or is owed in the middle of its own.
    fn draw(&mut self, seat: Seat, begins_turn: bool) -> u32;
}

/// A seat's draws follow one another, wherever in a turn they stand.
impl Dice for BlockDice {
    #[inline(always)]
    fn draw(&mut self, seat: Seat, _: bool) -> u32 {
        self.way_at_hand(seat).unwrap_or_else(|| {
            make_dice(self);
            self.way(seat)
        })
    }
}

/// Watches a game while it is played. All methods do nothing unless written.
pub trait Observer<G: Game> {
    /// Before an outcome of chance is applied to `state`.
    fn cast(&mut self, _game: &G, _state: &G::State, _seat: Seat, _outcome: G::Outcome) {}
    /// Before an action is applied to `state`.
    fn action(&mut self, _game: &G, _state: &G::State, _seat: Seat, _action: G::Action) {}
    /// When the game is over.
    fn over(&mut self, _game: &G, _state: &G::State) {}
}

/// Watches nothing.
impl<G: Game> Observer<G> for () {}

/// Two that watch the same game.
impl<G: Game, A: Observer<G>, B: Observer<G>> Observer<G> for (&mut A, &mut B) {
    fn cast(&mut self, game: &G, state: &G::State, seat: Seat, outcome: G::Outcome) {
        self.0.cast(game, state, seat, outcome);
        self.1.cast(game, state, seat, outcome);
    }

    fn action(&mut self, game: &G, state: &G::State, seat: Seat, action: G::Action) {
        self.0.action(game, state, seat, action);
        self.1.action(game, state, seat, action);
    }

    fn over(&mut self, game: &G, state: &G::State) {
        self.0.over(game, state);
        self.1.over(game, state);
    }
}

/// Writes the game down.
impl<G: Notation> Observer<G> for Record<G::Rules> {
    fn cast(&mut self, game: &G, _: &G::State, seat: Seat, outcome: G::Outcome) {
        self.push_outcome(game, seat, outcome);
    }

    fn action(&mut self, game: &G, state: &G::State, seat: Seat, action: G::Action) {
        self.push_action(game, seat, state, action);
    }

    fn over(&mut self, game: &G, state: &G::State) {
        self.close(game, state);
    }
}

/// Plays games of one kind, keeping its buffers from game to game.
#[derive(Debug)]
pub struct Arena<G: Game> {
    game: G,
    actions: G::Actions,
}

impl<G: Notation> Arena<G> {
    /// An arena for `game`.
    pub fn new(game: G) -> Self {
        Self { game, actions: G::Actions::default() }
    }

    /// The game that it plays.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// Plays the game of one address with nothing to prepare: the dice of `block` under `seed` (for a game without chance
    /// its opening), and `entries` turned round the table by `rotation` seats, so that seat `s` of `k` is held by entry
    /// `(s + rotation) mod k`. To compare bots, play every rotation of each block.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    ///
    /// # Panics
    /// If there are fewer entries than seats.
    ///
    /// # Examples
    /// ```
    /// use sho_ai::{Policy, Random, arena::Arena, sho::Easy};
    /// use sho_core::sho::{Rules, Sho};
    /// use sho_core::{Game, Seat};
    ///
    /// let mut arena = Arena::new(Sho::new(Rules::lhasa())?);
    /// let mut entries: [Box<dyn Policy<Sho>>; 3] = [Box::new(Easy), Box::new(Random), Box::new(Random)];
    /// let mut won = 0;
    /// for block in 0..20 {
    ///     // Easy is entry 0: it sits in seat A, then in seat C, then in seat B.
    ///     for (rotation, seat) in [Seat::A, Seat::C, Seat::B].into_iter().enumerate() {
    ///         let played = arena.play_game(1, block, rotation, &mut entries, &mut ())?;
    ///         won += played.payoffs[seat];
    ///     }
    /// }
    /// assert!(won > 12 * 40, "easy wins most of 60 games, not {}", won / 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_game(
        &mut self,
        seed: u64,
        block: u64,
        rotation: usize,
        entries: &mut [Box<dyn Policy<G>>],
        observer: &mut impl Observer<G>,
    ) -> Result<Played, IllegalChoice> {
        let seats = self.game.seats();
        let opening = Opening::draw(&self.game, seed, block, usual_turns::<G>());
        let seating = PerSeat::from_fn(|seat| (seat.index() + rotation) % seats);
        let mut dice = BlockDice::of(&self.game, seed, block);
        let mut words = bot_words(seed, block, rotation);
        self.play(&opening, entries, &seating, &mut dice, &mut words, observer)
    }

    /// Plays one game from its opening to its end. The turns of the opening count, and are shown to `observer`, as any
    /// others. `entries` are the policies of the line-up, `seating` says which entry
    /// holds a seat, and each seat draws from its own words. A forced action is played without asking the policy.
    ///
    /// # Errors
    /// Where a policy that is not [trusted](Policy::is_trusted) chose an action that is not legal. The observer has
    /// seen the game up to there.
    pub fn play(
        &mut self,
        opening: &Opening<G>,
        entries: &mut [Box<dyn Policy<G>>],
        seating: &PerSeat<usize>,
        dice: &mut impl Dice,
        words: &mut PerSeat<Stream>,
        observer: &mut impl Observer<G>,
    ) -> Result<Played, IllegalChoice> {
        let game = &self.game;
        let (mut throws, mut turns, mut decisions) = (0, 0, 0);
        let mut turn_of = None;
        let (mut state, mut history) = opening.play(game, |state, seat, action| {
            observer.action(game, state, seat, action);
            decisions += 1;
            turns += u32::from(turn_of != Some(seat));
            turn_of = Some(seat);
        });
        for seat in Seat::all(game.seats()) {
            entries[seating[seat]].begin(game, seat);
        }
        loop {
            let seat = match game.step(&state) {
                Step::Chance(seat) => {
                    let way = dice.draw(seat, turn_of != Some(seat));
                    let outcome = game.outcome(&state, way);
                    observer.cast(game, &state, seat, outcome);
                    game.cast_unchecked(&mut state, outcome);
                    throws += 1;
                    seat
                }
                Step::Decide(seat) => {
                    game.actions(&state, &mut self.actions);
                    let actions = &self.actions;
                    let action = if actions.len() == 1 {
                        actions.get(0)
                    } else {
                        let policy = &mut entries[seating[seat]];
                        let decision =
                            Decision { game, state: &state, seat, actions, history: &history };
                        let action = policy.choose(decision, &mut words[seat]);
                        if !policy.is_trusted() && !actions.contains(action) {
                            return Err(IllegalChoice::new(game, &state, seat, action));
                        }
                        action
                    };
                    observer.action(game, &state, seat, action);
                    game.play_unchecked(&mut state, action);
                    game.remember(&mut state, &mut history);
                    decisions += 1;
                    seat
                }
                Step::Over => break,
            };
            if turn_of != Some(seat) {
                turn_of = Some(seat);
                turns += 1;
            }
        }
        observer.over(game, &state);
        let end = game.end(&state).unwrap_or_default();
        Ok(Played { end, payoffs: game.payoffs(&state), throws, turns, decisions })
    }
}

/// The words of each seat for one game.
#[must_use]
pub fn bot_words(seed: u64, block: u64, seating: usize) -> PerSeat<Stream> {
    let key = Key::new(seed, BOT_LABEL);
    PerSeat::from_fn(|seat| Stream::of(key, bot_stream(block, seating, seat)))
}

/// The same words, as [playouts](crate::Playouts) draw them.
#[must_use]
pub fn bot_streams(seed: u64, block: u64, seating: usize) -> SeatStreams {
    SeatStreams::new(Key::new(seed, BOT_LABEL), bot_stream(block, seating, Seat::A))
}
