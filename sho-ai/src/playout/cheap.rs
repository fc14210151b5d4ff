//! How the cheap bots of Sho choose, and the loop that plays a game of them: [`PlayOn`].

use sho_core::sho::{
    Action, Actions, Counted, Either, EitherPick, Moves, Pick, Sho, SimplePlay, State,
};
use sho_core::{ActionList, Game, PerSeat, Seat, Step, Throw};

use super::trace::GameTrace;
use crate::policy::Decision;
use crate::sho::Easy;

/// A bot that can choose by sets of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Cheap {
    #[default]
    Random,
    Easy,
}

impl Cheap {
    /// What its policy would choose among moves of one distance.
    #[inline(always)]
    pub(super) fn pick(self, moves: Moves, below: impl FnOnce(u32) -> u32) -> Pick {
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
    pub(super) fn pick_either(self, either: &Either, below: impl FnOnce(u32) -> u32) -> EitherPick {
        match self {
            Self::Random => either.nth(below(either.len())),
            Self::Easy => {
                let [first, second, third] = either.moves;
                let best = Ranked::of(either, 0, first).or(Ranked::of(either, 1, second));
                best.or(Ranked::of(either, 2, third)).pick
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

/// The bot of each seat, of which `held_by` says the place among `bots`; nobody looks at seats that nobody holds.
#[inline(always)]
pub(super) fn seated(bots: &[Cheap], held_by: &PerSeat<usize>) -> PerSeat<Cheap> {
    PerSeat::from_fn(|seat| bots.get(held_by[seat]).copied().unwrap_or_default())
}

/// What `easy` would choose of the moves of one distance, and how it compares with those of others.
#[derive(Clone, Copy)]
struct Ranked {
    /// Higher for a kill than for a join and for that than for anything else; then for who ends further; for who moves more
    /// coins; for the shorter distance. 0 where there is no move.
    rank: u64,
    pick: EitherPick,
}

impl Ranked {
    // Without branches: nobody can foresee what is found.
    #[inline(always)]
    fn of(either: &Either, by: usize, moves: Moves) -> Self {
        let (kills, joins) = (moves.kills(), moves.joins());
        let (best, kind) = if joins.is_empty() { (moves, 1) } else { (joins, 2) };
        let (best, kind) = if kills.is_empty() { (best, kind) } else { (kills, 3) };
        let pick = best.furthest();
        // Among moves of one distance no two end together. 64 shells keep this above 0.
        let reach = (best.reach(pick) + 64) as u64;
        let rank = kind << 24 | reach << 8 | u64::from(either.coins(pick)) << 4 | (2 - by as u64);
        Self { rank: if moves.is_empty() { 0 } else { rank }, pick: EitherPick { by, pick } }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        if other.rank > self.rank { other } else { self }
    }
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

/// An opening as an [`action_word`].
#[inline(always)]
pub(super) const fn opened(distance: u64) -> u64 {
    moved(OPENS, distance, distance)
}

/// A pick as an [`action_word`], where home comes after this gap.
#[inline(always)]
pub(super) fn pick_word(last_gap: i32, moves: Moves, pick: Pick) -> u64 {
    moved_to(moves.distance().into(), (moves.reach(pick) + last_gap) as u64)
}

/// A move or an entry as an [`action_word`].
#[inline(always)]
pub(super) const fn moved_to(distance: u64, landing: u64) -> u64 {
    moved(0, distance, landing)
}

/// A cast as a word.
#[inline(always)]
pub(super) const fn cast_word(seat: u64, outcome: u64) -> u64 {
    outcome << 2 | seat
}

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

/// Takes it down if there is something to take it down in.
impl<T: Tracer> Tracer for Option<&mut T> {
    #[inline(always)]
    fn word(&mut self, word: impl FnOnce() -> u64) {
        if let Some(trace) = self {
            trace.word(word);
        }
    }
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

/// Says which bot holds a seat.
pub(super) trait BotAt {
    /// Whether a throw [seldom brings](SimplePlay::seldom_meets) an own stack to one of an enemy.
    const SELDOM_MEETS: bool = false;

    /// The bot that holds a seat.
    fn at(&self, seat: Seat) -> Cheap;
}

impl<F: Fn(Seat) -> Cheap> BotAt for F {
    #[inline(always)]
    fn at(&self, seat: Seat) -> Cheap {
        self(seat)
    }
}

/// `easy` in every seat.
pub(super) struct EasyAtAll;

impl BotAt for EasyAtAll {
    const SELDOM_MEETS: bool = true;

    #[inline(always)]
    fn at(&self, _: Seat) -> Cheap {
        Cheap::Easy
    }
}

/// The dice, the words and the bots of a game, and who takes it down.
pub(super) struct Table<F, B, T> {
    fortune: F,
    bot_at: B,
    pub(super) trace: T,
    /// The last gap before home.
    last_gap: i32,
}

impl<F, B, T: Tracer> Table<F, B, T> {
    #[inline(always)]
    pub(super) fn new(game: &Sho, fortune: F, bot_at: B, trace: T) -> Self {
        Self { fortune, bot_at, trace, last_gap: i32::from(game.rules().shells) - 1 }
    }

    #[inline(always)]
    fn trace_pick(&mut self, moves: Moves, pick: Pick) {
        self.trace.word(|| pick_word(self.last_gap, moves, pick));
    }
}

impl<F: Fortune, B: BotAt, T: Tracer> SimplePlay for Table<F, B, T> {
    #[inline(always)]
    fn cast(&mut self, seat: Seat) -> Throw {
        let throw = self.fortune.cast(seat);
        self.trace.word(|| cast_word(seat.index() as u64, outcome_word(throw)));
        throw
    }

    #[inline(always)]
    fn pick(&mut self, seat: Seat, moves: Moves) -> Pick {
        let pick = self.bot_at.at(seat).pick(moves, |n| self.fortune.below(seat, n));
        self.trace_pick(moves, pick);
        pick
    }

    #[inline(always)]
    fn pick_either(&mut self, seat: Seat, moves: &Either) -> EitherPick {
        let picked = self.bot_at.at(seat).pick_either(moves, |n| self.fortune.below(seat, n));
        self.trace_pick(moves.moves[picked.by], picked.pick);
        picked
    }

    #[inline(always)]
    fn seldom_meets(&self) -> bool {
        B::SELDOM_MEETS
    }

    #[inline(always)]
    fn opened(&mut self, _: Seat, distance: u8) {
        self.trace.word(|| opened(distance.into()));
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
    pub(super) fn until_over<F: Fortune, B: BotAt, T: Tracer>(
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
    pub(super) fn until_it_fits_a_lane<const SEATS: usize, F: Fortune, B: BotAt, T: Tracer>(
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
fn step<F: Fortune, B: BotAt, T: Tracer>(
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
                    table.bot_at.at(seat).choose(decision, |n| table.fortune.below(seat, n))
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
