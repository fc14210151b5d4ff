//! How the cheap bots of Sho choose, and the loop that plays a game of them: [`PlayOn`].

use sho_core::sho::{
    Action, Actions, Counted, Either, EitherPick, Moves, Pick, Sho, SimplePlay, State,
};
use sho_core::{ActionList, Game, Seat, Step, Throw};

use super::trace::GameTrace;
use crate::policy::Decision;
use crate::sho::Easy;

/// A bot that can choose by sets of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cheap {
    Random,
    Easy,
}

impl Cheap {
    /// What its policy would choose among moves of one distance.
    #[inline(always)]
    fn pick(self, moves: Moves, below: impl FnOnce(u32) -> u32) -> Pick {
        match self {
            Self::Random => match moves.len() {
                1 => moves.furthest(),
                many => moves.nth(below(many)),
            },
            // A kill before a join before anything else, each time the one that ends furthest: no two moves of one
            // distance end in the same gap, so nothing else can matter.
            Self::Easy => {
                let (kills, joins) = (moves.kills(), moves.joins());
                if !kills.is_empty() {
                    kills.furthest()
                } else if !joins.is_empty() {
                    joins.furthest()
                } else {
                    moves.furthest()
                }
            }
        }
    }

    /// What its policy would choose after a pa ra.
    #[inline(always)]
    fn pick_either(self, either: &Either, below: impl FnOnce(u32) -> u32) -> EitherPick {
        match self {
            Self::Random => either.nth(below(either.len())),
            Self::Easy => {
                let (kills, joins) =
                    (either.moves.map(Moves::kills), either.moves.map(Moves::joins));
                let some = |moves: &[Moves; 3]| moves.iter().any(|moves| !moves.is_empty());
                if some(&kills) {
                    furthest_of(either, kills)
                } else if some(&joins) {
                    furthest_of(either, joins)
                } else {
                    furthest_of(either, either.moves)
                }
            }
        }
    }

    /// What its policy chooses where there is more to it.
    fn choose(self, decision: Decision<'_, Sho>, below: impl FnOnce(u32) -> u32) -> Action {
        match self {
            Self::Random => {
                let actions = decision.actions;
                actions.get(below(actions.len() as u32) as usize)
            }
            Self::Easy => Easy::best(decision),
        }
    }
}

/// Of moves of several distances, at least one, the one that ends furthest; of those that end together the one that moves
/// most coins, then the shortest. Among moves of one distance no two end together.
#[inline(always)]
fn furthest_of(either: &Either, moves: [Moves; 3]) -> EitherPick {
    let mut best = EitherPick { by: 0, pick: moves[0].furthest() };
    let mut best_reach = if moves[0].is_empty() { i32::MIN } else { moves[0].reach(best.pick) };
    // The distances rise, so that the shorter of equal ones is there already.
    for (by, moves) in moves.into_iter().enumerate().skip(1) {
        let pick = moves.furthest();
        let reach = moves.reach(pick);
        let is_further = reach > best_reach
            || (reach == best_reach && either.coins(pick) > either.coins(best.pick));
        if is_further && !moves.is_empty() {
            (best, best_reach) = (EitherPick { by, pick }, reach);
        }
    }
    best
}

/// A throw as a word.
#[inline(always)]
pub(crate) fn outcome_word(throw: Throw) -> u64 {
    u64::from(throw.larger()) << 4 | u64::from(throw.total())
}

/// What coins do as a word: how far they go, and where to. Which of the waiting values were spent on a distance is left
/// out: a loop that plays simple turns does not know it of the last of several values.
#[inline(always)]
pub(crate) fn action_word(action: Action) -> u64 {
    let kind = match action {
        Action::Enter { .. } | Action::Move { .. } => 0,
        Action::Open { .. } => OPENS,
        Action::Pair => 2,
        Action::SixThree => 3,
        Action::Again => 4,
    };
    moved(kind, action.distance().into(), action.landing().into())
}

const OPENS: u64 = 1;

#[inline(always)]
const fn moved(kind: u64, distance: u64, landing: u64) -> u64 {
    // A landing past the last of 64 shells is below 64 + 108, and a distance below 108.
    landing << 16 | distance << 8 | kind
}

/// Takes down the course of a game, or does nothing.
pub(super) trait Tracer {
    /// Takes in the next word.
    fn word(&mut self, word: impl FnOnce() -> u64);
}

impl Tracer for () {
    #[inline(always)]
    fn word(&mut self, _: impl FnOnce() -> u64) {}
}

impl Tracer for GameTrace {
    #[inline(always)]
    fn word(&mut self, word: impl FnOnce() -> u64) {
        self.mix(word());
    }
}

/// The dice and the bots' words of a game.
pub(super) trait Fortune {
    /// The seat's next throw.
    fn cast(&mut self, seat: Seat) -> Throw;

    /// One of `0..n`, from the words of the seat's bot.
    fn below(&mut self, seat: Seat, n: u32) -> u32;
}

/// The dice, the words and the bots of a game, and who takes it down.
pub(super) struct Table<F, B, T> {
    fortune: F,
    bot_at: B,
    pub(super) trace: T,
    /// The last gap before home: what lies between a landing and how far a move [reaches](Moves::reach).
    last_gap: i32,
}

impl<F, B, T: Tracer> Table<F, B, T> {
    #[inline(always)]
    pub(super) fn new(game: &Sho, fortune: F, bot_at: B, trace: T) -> Self {
        Self { fortune, bot_at, trace, last_gap: i32::from(game.rules().shells) - 1 }
    }

    #[inline(always)]
    fn trace_pick(&mut self, moves: Moves, pick: Pick) {
        let landing = moves.reach(pick) + self.last_gap;
        self.trace.word(|| moved(0, moves.distance().into(), landing as u64));
    }
}

impl<F: Fortune, B: Fn(Seat) -> Cheap, T: Tracer> SimplePlay for Table<F, B, T> {
    #[inline(always)]
    fn cast(&mut self, seat: Seat) -> Throw {
        let throw = self.fortune.cast(seat);
        self.trace.word(|| outcome_word(throw) << 2 | seat.index() as u64);
        throw
    }

    #[inline(always)]
    fn pick(&mut self, seat: Seat, moves: Moves) -> Pick {
        let pick = (self.bot_at)(seat).pick(moves, |n| self.fortune.below(seat, n));
        self.trace_pick(moves, pick);
        pick
    }

    #[inline(always)]
    fn pick_either(&mut self, seat: Seat, moves: &Either) -> EitherPick {
        let picked = (self.bot_at)(seat).pick_either(moves, |n| self.fortune.below(seat, n));
        self.trace_pick(moves.moves[picked.by], picked.pick);
        picked
    }

    #[inline(always)]
    fn opened(&mut self, _: Seat, distance: u8) {
        self.trace.word(|| moved(OPENS, distance.into(), distance.into()));
    }
}

/// Plays games on: simple turns in their loop, all else by the ordinary engine.
pub(super) struct PlayOn<'a> {
    pub(super) game: &'a Sho,
    pub(super) actions: &'a mut Actions,
}

impl PlayOn<'_> {
    /// Plays a game to its end.
    #[inline(always)]
    pub(super) fn until_over<F: Fortune, B: Fn(Seat) -> Cheap, T: Tracer>(
        self,
        state: &mut State,
        table: &mut Table<F, B, T>,
    ) -> Counted {
        let Self { game, actions } = self;
        let mut counted = Counted::default();
        loop {
            counted = counted + game.play_simple_turns(state, table);
            if game.step(state) == Step::Over {
                return counted;
            }
            counted = counted + step(game, actions, state, table);
        }
    }

    /// Plays a throw and whatever follows it, to the end of the game or until the position fits a lane. `SEATS` is the
    /// number of sides.
    #[inline(always)]
    pub(super) fn until_it_fits_a_lane<
        const SEATS: usize,
        F: Fortune,
        B: Fn(Seat) -> Cheap,
        T: Tracer,
    >(
        self,
        state: &mut State,
        table: &mut Table<F, B, T>,
    ) -> Counted {
        let Self { game, actions } = self;
        let mut counted = Counted::default();
        loop {
            counted = counted + game.play_to_a_lane::<SEATS>(state, table);
            if game.fits_lane(state) || game.step(state) == Step::Over {
                return counted;
            }
            counted = counted + step(game, actions, state, table);
            if game.fits_lane(state) {
                return counted;
            }
        }
    }
}

/// Plays one step of a game that is not over.
#[inline(always)]
fn step<F: Fortune, B: Fn(Seat) -> Cheap, T: Tracer>(
    game: &Sho,
    actions: &mut Actions,
    state: &mut State,
    table: &mut Table<F, B, T>,
) -> Counted {
    let mover = state.mover();
    let mut counted = Counted::default();
    match game.step(state) {
        Step::Over => {}
        Step::Chance(seat) => game.cast_unchecked(state, table.cast(seat)),
        Step::Decide(seat) => {
            game.actions(state, actions);
            let action = match actions.len() {
                1 => actions.get(0),
                _ => {
                    let actions = &*actions;
                    let decision = Decision { game, state, seat, actions, history: &() };
                    (table.bot_at)(seat).choose(decision, |n| table.fortune.below(seat, n))
                }
            };
            table.trace.word(|| action_word(action));
            game.play_unchecked(state, action);
            counted.decisions = 1;
        }
    }
    counted.turns = u32::from(state.mover() != mover && game.step(state) != Step::Over);
    counted
}
