//! Whole games of the cheap bots of Sho.

use std::cmp::Reverse;

use sho_core::sho::{Actions, Either, EitherPick, Moves, Pick, Sho, SimplePlay};
use sho_core::{ActionList, BlockDice, Game, PerSeat, Seat, Step, Stream, Throw};

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
    fn choose(self, decision: Decision<'_, Sho>, words: &mut Stream) -> sho_core::sho::Action {
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

impl Playouts<Sho> for ShoPlayouts {
    fn play(
        &mut self,
        state: <Sho as Game>::State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut PerSeat<Stream>,
    ) -> Played {
        let (game, actions) = (&self.game, &mut self.actions);
        // A bot that holds every seat is known to a loop of its own: no seat has to be asked for its bot.
        match self.same {
            Some(Cheap::Random) => {
                wide(OneGame { game, actions, state, dice, words, bot_at: |_: Seat| Cheap::Random })
            }
            Some(Cheap::Easy) => {
                wide(OneGame { game, actions, state, dice, words, bot_at: |_: Seat| Cheap::Easy })
            }
            None => {
                let bots = PerSeat::from_fn(|seat| {
                    self.bots.get(seating[seat]).copied().unwrap_or(Cheap::Random)
                });
                wide(OneGame { game, actions, state, dice, words, bot_at: |seat: Seat| bots[seat] })
            }
        }
    }
}

struct OneGame<'a, B> {
    game: &'a Sho,
    actions: &'a mut Actions,
    state: <Sho as Game>::State,
    dice: &'a mut BlockDice,
    words: &'a mut PerSeat<Stream>,
    bot_at: B,
}

/// The dice, the words and the bots of a game.
struct Table<'a, B> {
    dice: &'a mut BlockDice,
    words: &'a mut PerSeat<Stream>,
    bot_at: B,
}

impl<B: Fn(Seat) -> Cheap> SimplePlay for Table<'_, B> {
    #[inline(always)]
    fn cast(&mut self, seat: Seat) -> Throw {
        self.dice.cast(seat)
    }

    #[inline(always)]
    fn pick(&mut self, seat: Seat, moves: Moves) -> Pick {
        (self.bot_at)(seat).pick(moves, &mut self.words[seat])
    }

    #[inline(always)]
    fn pick_either(&mut self, seat: Seat, moves: &Either) -> EitherPick {
        (self.bot_at)(seat).pick_either(moves, &mut self.words[seat])
    }
}

impl<B: Fn(Seat) -> Cheap> Task for OneGame<'_, B> {
    type Output = Played;

    #[inline(always)]
    fn run(self) -> Played {
        let Self { game, actions, mut state, dice, words, bot_at } = self;
        let mut table = Table { dice, words, bot_at };
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
                    game.play_unchecked(&mut state, action);
                    decisions += 1;
                }
            }
            ended_turns += u32::from(state.mover() != mover && game.step(&state) != Step::Over);
        }
        Played {
            end: game.end(&state).unwrap_or_default(),
            payoffs: game.payoffs(&state),
            throws: state.throws().into(),
            // The last turn is followed by none.
            turns: ended_turns + 1,
            decisions,
        }
    }
}
