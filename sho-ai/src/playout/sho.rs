//! Whole games of the cheap bots of Sho.

use sho_core::sho::{Actions, Counted, Sho, State};
use sho_core::{BlockDice, Game, PerSeat, Seat, SeatStreams, Step, Throw};

use super::cheap::{BotAt, Cheap, EasyAtAll, Fortune, PlayOn, Table, Tracer, seated};
use super::in_step::{Games, InStep};
use super::lane_source::{Batch, Source};
use super::make::{make_dice, make_words};
use super::trace::GameTrace;
use super::wide::{Processor, Task, wide};
use super::{Played, Playouts};
use crate::arena::{Dice, bot_stream, bot_streams};
use crate::rollout::{RolloutBatch, RolloutDice, rollout_streams};
use crate::spec::BotSpec;

/// The playouts of these bots, if all are cheap and the rules have simple turns.
pub(crate) fn sho_playouts(game: &Sho, bots: &[&BotSpec]) -> Option<Box<dyn Playouts<Sho>>> {
    Some(Box::new(ShoPlayouts::new(game, bots)?))
}

pub(super) struct ShoPlayouts {
    game: Sho,
    bots: Vec<Cheap>,
    /// The bot that holds every seat, where one does.
    same: Option<Cheap>,
    actions: Actions,
    /// Dice and words for batches without lanes, and their seed.
    chance: Option<(u64, BlockDice, SeatStreams)>,
    /// Whether batches are played in lanes: the rules allow it, and the processor is quick with them.
    has_lanes: bool,
    /// The lanes, from the first batch on: who plays single games needs none.
    in_step: Option<InStep>,
}

impl ShoPlayouts {
    /// The playouts of these bots, if all are cheap and the rules have simple turns.
    pub(super) fn new(game: &Sho, bots: &[&BotSpec]) -> Option<Self> {
        let cheap = |bot: &&BotSpec| match bot.name {
            "random" => Some(Cheap::Random),
            "easy" => Some(Cheap::Easy),
            _ => None,
        };
        let bots: Vec<Cheap> = bots.iter().map(cheap).collect::<Option<_>>()?;
        let same = bots.iter().all(|bot| *bot == bots[0]).then_some(bots[0]);
        let actions = Actions::default();
        let has_lanes = game.has_lanes() && Processor::here() >= Processor::Avx2;
        let playouts =
            Self { game: *game, bots, same, actions, chance: None, has_lanes, in_step: None };
        game.has_simple_turns().then_some(playouts)
    }

    /// Plays batches one game after another, as on a processor without AVX2.
    #[cfg(test)]
    pub(super) fn forgo_lanes(&mut self) {
        self.has_lanes = false;
    }

    /// Plays batches in lanes wherever the rules allow it.
    #[cfg(test)]
    pub(super) fn use_lanes(&mut self) {
        self.has_lanes = self.game.has_lanes();
    }

    #[inline(always)]
    fn play_for<T: Tracer>(
        &mut self,
        state: State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut SeatStreams,
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
                let bot_at = EasyAtAll;
                wide(OneGame { game, actions, state, dice, words, bot_at, trace })
            }
            None => {
                let bots = seated(&self.bots, seating);
                let bot_at = |seat: Seat| bots[seat];
                wide(OneGame { game, actions, state, dice, words, bot_at, trace })
            }
        }
    }
}

impl Playouts<Sho> for ShoPlayouts {
    fn play(
        &mut self,
        state: State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut SeatStreams,
    ) -> Played {
        self.play_for(state, seating, dice, words, ()).0
    }

    fn play_traced(
        &mut self,
        state: State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut SeatStreams,
    ) -> (Played, GameTrace) {
        let (played, mut trace) = self.play_for(state, seating, dice, words, GameTrace::default());
        trace.finish(&played);
        (played, trace)
    }

    fn plays_at_once(&self, start: &State) -> bool {
        self.has_lanes && self.game.may_begin_in_lane(start)
    }

    fn play_batch(
        &mut self,
        start: &State,
        batch: &Batch<'_>,
        played: &mut Vec<Played>,
        mut traces: Option<&mut Vec<GameTrace>>,
    ) {
        if self.plays_at_once(start) {
            let in_step = self.in_step.get_or_insert_with(InStep::new);
            let (game, actions, bots) = (&self.game, &mut self.actions, &self.bots);
            let source = Source::Batch { start, batch };
            return in_step.play(Games { game, actions, source, bots, played, traces });
        }
        let (mut dice, mut words) = match self.chance.take() {
            Some((seed, dice, words)) if seed == batch.seed => (dice, words),
            _ => (
                BlockDice::of(&self.game, batch.seed, batch.blocks.start),
                bot_streams(batch.seed, batch.blocks.start, 0),
            ),
        };
        for block in batch.blocks.clone() {
            dice.reset(block);
            for (index, seating) in batch.seatings.iter().enumerate() {
                dice.rewind();
                words.renumber(bot_stream(block, index, Seat::A));
                if let Some(traces) = &mut traces {
                    let (game, trace) = self.play_traced(*start, seating, &mut dice, &mut words);
                    played.push(game);
                    traces.push(trace);
                } else {
                    played.push(self.play(*start, seating, &mut dice, &mut words));
                }
            }
        }
        self.chance = Some((batch.seed, dice, words));
    }

    fn roll_out(&mut self, batch: &RolloutBatch<'_, State>, played: &mut Vec<Played>) {
        let source = Source::Rollout(batch);
        let (game, actions, bots) = (&self.game, &mut self.actions, &self.bots);
        if self.has_lanes && batch.lines.iter().all(|line| game.leaves_lane_in_time(&line.state)) {
            let in_step = self.in_step.get_or_insert_with(InStep::new);
            return in_step.play(Games { game, actions, source, bots, played, traces: None });
        }
        let mut dice = RolloutDice::new(game, batch.seed, batch.games.start);
        let mut words = rollout_streams(batch.seed, batch.games.start);
        for number in 0..source.games() {
            let begins = source.begins(number);
            dice.reset(begins.block);
            words.renumber(begins.words);
            let turn_of = batch.line(number).turn_of;
            let fortune = RolloutFortune { dice: &mut dice, words: &mut words, turn_of };
            let bots = seated(bots, &begins.held_by);
            let bot_at = |seat: Seat| bots[seat];
            let mut state = *begins.state;
            let mut table = Table::new(game, fortune, bot_at, ());
            let mut counted = match game.step(&state) {
                Step::Over => Counted::default(),
                _ => PlayOn { game, actions }.until_over(&mut state, &mut table),
            };
            counted.turns += begins.turns;
            counted.decisions += begins.decisions;
            played.push(source.played(game, number, &state, counted));
        }
    }
}

/// The dice and the words of a game of a rollout.
struct RolloutFortune<'a> {
    dice: &'a mut RolloutDice,
    words: &'a mut SeatStreams,
    /// The seat whose turn it is, if one has begun.
    turn_of: Option<Seat>,
}

impl Fortune for RolloutFortune<'_> {
    fn cast(&mut self, seat: Seat) -> Throw {
        let begins_turn = self.turn_of.replace(seat) != Some(seat);
        Throw::from_way(self.dice.draw(seat, begins_turn))
    }

    fn below(&mut self, seat: Seat, n: u32) -> u32 {
        self.words.below(seat, n)
    }
}

/// The dice of a block and the words of a game's bots.
struct OwnFortune<'a> {
    dice: &'a mut BlockDice,
    words: &'a mut SeatStreams,
}

impl Fortune for OwnFortune<'_> {
    #[inline(always)]
    fn cast(&mut self, seat: Seat) -> Throw {
        self.dice.cast_at_hand(seat).unwrap_or_else(|| cast(self.dice, seat))
    }

    #[inline(always)]
    fn below(&mut self, seat: Seat, n: u32) -> u32 {
        self.words.below_at_hand(seat, n).unwrap_or_else(|| draw(self.words, seat, n))
    }
}

/// A cast that has to be made.
#[cold]
#[inline(never)]
fn cast(dice: &mut BlockDice, seat: Seat) -> Throw {
    make_dice(dice);
    dice.cast(seat)
}

/// One of `0..n` where it takes more than a look at a word that is there.
#[cold]
#[inline(never)]
fn draw(words: &mut SeatStreams, seat: Seat, n: u32) -> u32 {
    if words.is_empty(seat) {
        make_words(words);
    }
    words.below(seat, n)
}

struct OneGame<'a, B, T> {
    game: &'a Sho,
    actions: &'a mut Actions,
    state: State,
    dice: &'a mut BlockDice,
    words: &'a mut SeatStreams,
    bot_at: B,
    trace: T,
}

impl<B: BotAt, T: Tracer> Task for OneGame<'_, B, T> {
    type Output = (Played, T);

    #[inline(always)]
    fn run(self) -> (Played, T) {
        let Self { game, actions, mut state, dice, words, bot_at, trace } = self;
        // A copy at a place that the loop knows, without a pointer to it.
        let game = &{ *game };
        let mut table = Table::new(game, OwnFortune { dice, words }, bot_at, trace);
        let counted = PlayOn { game, actions }.until_over(&mut state, &mut table);
        (Played::of(game, &state, counted), table.trace)
    }
}
