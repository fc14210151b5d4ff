//! Whole games of the cheap bots of Sho.

use sho_core::sho::{Actions, Sho, State};
use sho_core::{BlockDice, PerSeat, Seat, Stream, Throw};

use super::cheap::{Cheap, Fortune, PlayOn, Table, Tracer};
use super::in_step::{Batch, InStep};
use super::trace::GameTrace;
use super::wide::{Task, has_bit_instructions, wide};
use super::{Played, Playouts};
use crate::arena::bot_words;
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
    /// Dice for batches without lanes, and their seed.
    dice: Option<(u64, BlockDice)>,
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
        let has_lanes = game.has_lanes() && has_bit_instructions();
        let playouts =
            Self { game: *game, bots, same, actions, dice: None, has_lanes, in_step: None };
        game.has_simple_turns().then_some(playouts)
    }

    /// Plays batches one game after another, as on a processor without vector instructions.
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
        state: State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut PerSeat<Stream>,
    ) -> Played {
        self.play_for(state, seating, dice, words, ()).0
    }

    fn play_traced(
        &mut self,
        state: State,
        seating: &PerSeat<usize>,
        dice: &mut BlockDice,
        words: &mut PerSeat<Stream>,
    ) -> (Played, GameTrace) {
        let (played, mut trace) = self.play_for(state, seating, dice, words, GameTrace::default());
        trace.finish(&played);
        (played, trace)
    }

    fn play_batch(&mut self, start: &State, batch: &Batch<'_>, played: &mut Vec<Played>) {
        if self.has_lanes && self.game.fits_lane(start) {
            let in_step = self.in_step.get_or_insert_with(InStep::new);
            return in_step.play(&self.game, &mut self.actions, start, batch, &self.bots, played);
        }
        let mut dice = match self.dice.take() {
            Some((seed, dice)) if seed == batch.seed => dice,
            _ => BlockDice::of(&self.game, batch.seed, batch.blocks.start),
        };
        for block in batch.blocks.clone() {
            dice.reset(block);
            for (index, seating) in batch.seatings.iter().enumerate() {
                dice.rewind();
                let mut words = bot_words(batch.seed, block, index);
                played.push(self.play(*start, seating, &mut dice, &mut words));
            }
        }
        self.dice = Some((batch.seed, dice));
    }
}

/// The dice of a block and the words of a game's bots.
struct OwnFortune<'a> {
    dice: &'a mut BlockDice,
    words: &'a mut PerSeat<Stream>,
}

impl Fortune for OwnFortune<'_> {
    #[inline(always)]
    fn cast(&mut self, seat: Seat) -> Throw {
        self.dice.cast(seat)
    }

    #[inline(always)]
    fn below(&mut self, seat: Seat, n: u32) -> u32 {
        self.words[seat].below(n)
    }
}

struct OneGame<'a, B, T> {
    game: &'a Sho,
    actions: &'a mut Actions,
    state: State,
    dice: &'a mut BlockDice,
    words: &'a mut PerSeat<Stream>,
    bot_at: B,
    trace: T,
}

impl<B: Fn(Seat) -> Cheap, T: Tracer> Task for OneGame<'_, B, T> {
    type Output = (Played, T);

    #[inline(always)]
    fn run(self) -> (Played, T) {
        let Self { game, actions, mut state, dice, words, bot_at, trace } = self;
        let mut table = Table::new(game, OwnFortune { dice, words }, bot_at, trace);
        let counted = PlayOn { game, actions }.until_over(&mut state, &mut table);
        (Played::of(game, &state, counted), table.trace)
    }
}
