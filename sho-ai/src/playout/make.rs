//! Dice and words are made with the vector instructions of the processor, wherever they are used.

use sho_core::{BlockDice, SeatStreams};

use super::wide::{Task, wide};

/// Draws further casts.
#[cold]
#[inline(never)]
pub(crate) fn make_dice(dice: &mut BlockDice) {
    wide(MakeDice(dice));
}

/// Makes further words.
#[cold]
#[inline(never)]
pub(super) fn make_words(words: &mut SeatStreams) {
    wide(MakeWords(words));
}

struct MakeDice<'a>(&'a mut BlockDice);

impl Task for MakeDice<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.make();
    }
}

struct MakeWords<'a>(&'a mut SeatStreams);

impl Task for MakeWords<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.0.make();
    }
}
