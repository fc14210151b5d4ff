//! Whole games of the cheap bots of Sho.

use std::cmp::Reverse;

use sho_core::sho::{Action, Actions, Either, EitherPick, Moves, Pick, Sho, SimplePlay};
use sho_core::{ActionList, BlockDice, Game, PerSeat, Seat, Step, Stream, Throw};

use super::trace::GameTrace;
use super::wide::{Task, wide};
use super::{Played, Playouts};
use crate::policy::{Decision, Policy, Random};
use crate::sho::Easy;
use crate::spec::BotSpec;

/// A bot that can choose by sets of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cheap {
    Random,
    Easy,
}

impl Cheap {
    /// What its policy would choose among moves of one distance.
    #[inline(always)]
    fn pick(self, moves: Moves, words: &mut Stream) -> Pick {
        match self {
            Self::Random => match moves.len() {
                1 => moves.furthest(),
                many => moves.nth(words.below(many)),
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
    fn pick_either(self, either: &Either, words: &mut Stream) -> EitherPick {
        match self {
            Self::Random => either.nth(words.below(either.len())),
            Self::Easy => {
                let kills = furthest_of(either, either.moves.map(Moves::kills));
                let joins = || furthest_of(either, either.moves.map(Moves::joins));
                let any = || furthest_of(either, either.moves);
                kills
                    .or_else(joins)
                    .or_else(any)
                    .unwrap_or(EitherPick { by: 0, pick: either.moves[0].furthest() })
            }
        }
    }

    /// What its policy chooses where there is more to it.
    fn choose(self, decision: Decision<'_, Sho>, words: &mut Stream) -> Action {
        match self {
            Self::Random => Random.choose(decision, words),
            Self::Easy => Easy.choose(decision, words),
        }
    }
}

/// Of moves of several distances the one that ends furthest; of those that end together the one that moves most coins,
/// then the shortest. Among moves of one distance no two end together.
fn furthest_of(either: &Either, moves: [Moves; 3]) -> Option<EitherPick> {
    let there = moves.into_iter().enumerate().filter(|(_, moves)| !moves.is_empty());
    there
        .map(|(by, moves)| {
            let pick = moves.furthest();
            let key = (moves.reach(pick), either.coins(pick), Reverse(moves.distance()));
            (key, EitherPick { by, pick })
        })
        .max_by_key(|&(key, _)| key)
        .map(|(_, pick)| pick)
}

/// The playouts of these bots, if all are cheap and the rules have simple turns.
pub(crate) fn sho_playouts(game: &Sho, bots: &[&BotSpec]) -> Option<Box<dyn Playouts<Sho>>> {
    let cheap = |bot: &&BotSpec| match bot.name {
        "random" => Some(Cheap::Random),
        "easy" => Some(Cheap::Easy),
        _ => None,
    };
    let bots: Vec<Cheap> = bots.iter().map(cheap).collect::<Option<_>>()?;
    let same = bots.iter().all(|bot| *bot == bots[0]).then_some(bots[0]);
    game.has_simple_turns().then(|| -> Box<dyn Playouts<Sho>> {
        Box::new(ShoPlayouts { game: *game, bots, same, actions: Actions::default() })
    })
}

struct ShoPlayouts {
    game: Sho,
    bots: Vec<Cheap>,
    /// The bot that holds every seat, where one does.
    same: Option<Cheap>,
    actions: Actions,
}

impl ShoPlayouts {
    #[inline(always)]
    fn play_for<T: Tracer>(
        &mut self,
        state: <Sho as Game>::State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut PerSeat<Stream>,
        trace: T,
    ) -> (Played, T) {
        let (game, actions) = (&self.game, &mut self.actions);
        // A bot that holds every seat is known to a loop of its own: no seat has to be asked for its bot.
        match self.same {
            Some(Cheap::Random) => {
                let bot_at = |_: Seat| Cheap::Random;
                wide(OneGame { game, actions, state, dice, words, bot_at, trace })
            }
            Some(Cheap::Easy) => {
                let bot_at = |_: Seat| Cheap::Easy;
                wide(OneGame { game, actions, state, dice, words, bot_at, trace })
            }
            None => {
                let bots = PerSeat::from_fn(|seat| {
                    self.bots.get(seating[seat]).copied().unwrap_or(Cheap::Random)
                });
                let bot_at = |seat: Seat| bots[seat];
                wide(OneGame { game, actions, state, dice, words, bot_at, trace })
            }
        }
    }
}

impl Playouts<Sho> for ShoPlayouts {
    fn play(
        &mut self,
        state: <Sho as Game>::State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut PerSeat<Stream>,
    ) -> Played {
        self.play_for(state, seating, dice, words, ()).0
    }

    fn play_traced(
        &mut self,
        state: <Sho as Game>::State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut PerSeat<Stream>,
    ) -> (Played, GameTrace) {
        let (played, mut trace) = self.play_for(state, seating, dice, words, GameTrace::default());
        trace.finish(&played);
        (played, trace)
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

#[inline(always)]
const fn moved(kind: u64, distance: u64, landing: u64) -> u64 {
    // A landing past the last of 64 shells is below 64 + 108, and a distance below 108.
    landing << 16 | distance << 8 | kind
}

/// Takes down the course of a game, or does nothing.
trait Tracer {
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

struct OneGame<'a, B, T> {
    game: &'a Sho,
    actions: &'a mut Actions,
    state: <Sho as Game>::State,
    dice: &'a mut BlockDice,
    words: &'a mut PerSeat<Stream>,
    bot_at: B,
    trace: T,
}

/// The dice, the words and the bots of a game, and who takes it down.
struct Table<'a, B, T> {
    dice: &'a mut BlockDice,
    words: &'a mut PerSeat<Stream>,
    bot_at: B,
    trace: T,
    /// The last gap before home: what lies between a landing and how far a move [reaches](Moves::reach).
    last_gap: i32,
}

impl<B, T: Tracer> Table<'_, B, T> {
    #[inline(always)]
    fn trace_pick(&mut self, moves: Moves, pick: Pick) {
        let landing = moves.reach(pick) + self.last_gap;
        self.trace.word(|| moved(0, moves.distance().into(), landing as u64));
    }
}

impl<B: Fn(Seat) -> Cheap, T: Tracer> SimplePlay for Table<'_, B, T> {
    #[inline(always)]
    fn cast(&mut self, seat: Seat) -> Throw {
        let throw = self.dice.cast(seat);
        self.trace.word(|| outcome_word(throw) << 2 | seat.index() as u64);
        throw
    }

    #[inline(always)]
    fn pick(&mut self, seat: Seat, moves: Moves) -> Pick {
        let pick = (self.bot_at)(seat).pick(moves, &mut self.words[seat]);
        self.trace_pick(moves, pick);
        pick
    }

    #[inline(always)]
    fn pick_either(&mut self, seat: Seat, moves: &Either) -> EitherPick {
        let picked = (self.bot_at)(seat).pick_either(moves, &mut self.words[seat]);
        self.trace_pick(moves.moves[picked.by], picked.pick);
        picked
    }

    #[inline(always)]
    fn opened(&mut self, _: Seat, distance: u8) {
        self.trace.word(|| moved(OPENS, distance.into(), distance.into()));
    }
}

impl<B: Fn(Seat) -> Cheap, T: Tracer> Task for OneGame<'_, B, T> {
    type Output = (Played, T);

    #[inline(always)]
    fn run(self) -> (Played, T) {
        let Self { game, actions, mut state, dice, words, bot_at, trace } = self;
        let last_gap = i32::from(game.rules().shells) - 1;
        let mut table = Table { dice, words, bot_at, trace, last_gap };
        let (mut ended_turns, mut decisions) = (0, 0);
        loop {
            let simple = game.play_simple_turns(&mut state, &mut table);
            ended_turns += simple.turns;
            decisions += simple.decisions;
            let mover = state.mover();
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(seat) => game.cast_unchecked(&mut state, table.cast(seat)),
                Step::Decide(seat) => {
                    game.actions(&state, actions);
                    let action = match actions.len() {
                        1 => actions.get(0),
                        _ => {
                            let decision =
                                Decision { game, state: &state, seat, actions, history: &() };
                            (table.bot_at)(seat).choose(decision, &mut table.words[seat])
                        }
                    };
                    table.trace.word(|| action_word(action));
                    game.play_unchecked(&mut state, action);
                    decisions += 1;
                }
            }
            ended_turns += u32::from(state.mover() != mover && game.step(&state) != Step::Over);
        }
        let played = Played {
            end: game.end(&state).unwrap_or_default(),
            payoffs: game.payoffs(&state),
            throws: state.throws().into(),
            // The last turn is followed by none.
            turns: ended_turns + 1,
            decisions,
        };
        (played, table.trace)
    }
}
