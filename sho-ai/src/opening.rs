//! How a block of a game without chance begins: [`Opening`].
//!
//! Without dice the same players would play the same game in every block. So a block begins with random turns, and all
//! its games begin with the same ones.

use sho_core::{ActionList, Game, IllegalStep, Seat, Step, Stream};

/// The label of the streams that openings are drawn from; the stream's number is the block.
pub const OPENING_LABEL: &str = "sho/opening";

/// Random turns of an opening where nothing is said, in a game without chance.
pub const OPENING_TURNS: u32 = 6;

/// Random turns of an opening of this game where nothing is said: [`OPENING_TURNS`], but none where there is chance, which
/// makes games differ by itself.
///
/// ```
/// use sho_ai::opening::usual_turns;
/// use sho_core::{sho::Sho, sholo_guti::SholoGuti};
/// assert_eq!((usual_turns::<Sho>(), usual_turns::<SholoGuti>()), (0, 6));
/// ```
#[must_use]
pub const fn usual_turns<G: Game>() -> u32 {
    if G::HAS_CHANCE { 0 } else { OPENING_TURNS }
}

/// A state to start from, and the turns that are played before the players have a say.
///
/// These turns are turns like any other: they are part of the game's record and length, and the positions on the way
/// count for repetition.
///
/// ```
/// use sho_ai::opening::Opening;
/// use sho_core::{Game, sholo_guti::{Rules, SholoGuti}};
/// let game = SholoGuti::new(Rules::standard())?;
/// let opening = Opening::draw(&game, 1, 0, 6);
/// let (state, history) = opening.play(&game, |_, _, _| {});
/// assert_eq!((state.turn(), history.times(&state)), (7, 1));
/// # Ok::<(), sho_core::ImpossibleRules>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening<G: Game> {
    start: G::State,
    turns: Vec<G::Action>,
}

impl<G: Game> Opening<G> {
    /// No turns: the players begin in `start`.
    #[must_use]
    pub const fn none(start: G::State) -> Self {
        Self { start, turns: Vec::new() }
    }

    /// These actions from `start` on. The turn goes on after them, where it does: a throw that the last of them earns is
    /// no beginning of a turn.
    ///
    /// # Errors
    /// Where one of them is not legal, or dice are due.
    pub fn of(game: &G, start: G::State, actions: Vec<G::Action>) -> Result<Self, IllegalStep> {
        let mut state = start.clone();
        actions.iter().try_for_each(|&action| game.play(&mut state, action))?;
        Ok(Self { start, turns: actions })
    }

    /// The opening of a block: so many uniformly random legal turns from the game's start. A turn that would end the
    /// game is drawn again, that turn only; where every legal turn would end it, or chance is due, the opening stops.
    #[must_use]
    pub fn draw(game: &G, seed: u64, block: u64, turns: u32) -> Self {
        let mut opening = Self::none(game.start());
        let mut words = Stream::new(seed, OPENING_LABEL, block);
        let mut state = opening.start.clone();
        let mut history = game.begin(&state);
        let mut actions = G::Actions::default();
        for _ in 0..turns {
            if !matches!(game.step(&state), Step::Decide(_)) {
                break;
            }
            game.actions(&state, &mut actions);
            let after = |action| {
                let (mut next, mut remembered) = (state.clone(), history.clone());
                game.play_unchecked(&mut next, action);
                game.remember(&mut next, &mut remembered);
                (game.step(&next) != Step::Over).then_some((next, remembered))
            };
            let mut draw = || actions.get(words.below(actions.len() as u32) as usize);
            let mut action = draw();
            let mut next = after(action);
            if next.is_none() && actions.iter().all(|action| after(action).is_none()) {
                break;
            }
            while next.is_none() {
                action = draw();
                next = after(action);
            }
            let Some(next) = next else { break };
            (state, history) = next;
            opening.turns.push(action);
        }
        opening
    }

    /// The state before the first turn.
    #[must_use]
    pub const fn start(&self) -> &G::State {
        &self.start
    }

    /// The turns, in order.
    #[must_use]
    pub fn turns(&self) -> &[G::Action] {
        &self.turns
    }

    /// Plays the turns and shows each to `visit`, with the state before it and whose it is. Returns where the players
    /// begin, and what play remembers by then.
    pub fn play(
        &self,
        game: &G,
        mut visit: impl FnMut(&G::State, Seat, G::Action),
    ) -> (G::State, G::History) {
        let mut state = self.start.clone();
        let mut history = game.begin(&state);
        for &action in &self.turns {
            let Step::Decide(seat) = game.step(&state) else { break };
            visit(&state, seat, action);
            game.play_unchecked(&mut state, action);
            game.remember(&mut state, &mut history);
        }
        (state, history)
    }
}
