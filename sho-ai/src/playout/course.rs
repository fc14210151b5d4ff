//! What is kept of a game in a lane beside its position: [`Course`].

use sho_core::Seat;
use sho_core::sho::{LANE_CASTS, Moves, Pick};

use super::lane_dice::{Cast, MOST_CASTS, first_place};

/// What is kept of games in lanes, a word of each, and where their casts are to be found, which may hang on it.
pub(super) trait Course: Copy {
    /// Whether anything is kept.
    const KEEPS: bool;

    /// Whether casts that begin a turn are apart from the others.
    const APART: bool = false;

    /// Where the side's next cast is: `next_cast` as [lanes](sho_core::sho::Lanes::next_cast) name it. Without a branch, for
    /// all lanes at once. Sums wrap, since a lane without a game keeps anything.
    #[inline(always)]
    fn place(self, _kept: u64, next_cast: usize) -> usize {
        next_cast
    }

    /// What follows `kept` when the seat casts.
    fn cast(self, kept: u64, seat: u64, throw: u64) -> u64;

    /// What follows when the seat casts, and moves a source if that is not 0. Without a branch, for all lanes at once.
    fn step(self, kept: u64, seat: u64, throw: u64, source: u64) -> u64;

    /// What follows when the seat opens with a throw.
    fn open(self, kept: u64, seat: u64, throw: u64) -> u64;

    /// What follows when a move is chosen.
    fn pick(self, kept: u64, moves: Moves, pick: Pick) -> u64;
}

/// Keeps nothing.
impl Course for () {
    const KEEPS: bool = false;

    #[inline(always)]
    fn cast(self, kept: u64, _: u64, _: u64) -> u64 {
        kept
    }

    #[inline(always)]
    fn step(self, kept: u64, _: u64, _: u64, _: u64) -> u64 {
        kept
    }

    #[inline(always)]
    fn open(self, kept: u64, _: u64, _: u64) -> u64 {
        kept
    }

    #[inline(always)]
    fn pick(self, kept: u64, _: Moves, _: Pick) -> u64 {
        kept
    }
}

/// Keeps apart the casts that begin a turn, as [rollouts](crate::rollout) do: of each seat, how many it has made that did
/// not, and who cast last. After another seat a cast begins a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnCasts;

/// Bits of a seat: the highest says that it cast last, and those below it count.
const SEAT: u64 = 16;
const LAST: u64 = 1 << (SEAT - 1);
const LASTS: u64 = 0x8000_8000_8000_8000;

impl TurnCasts {
    /// What is kept where a turn of this seat has begun, if one has.
    pub(super) fn begun(turn_of: Option<Seat>) -> u64 {
        turn_of.map_or(0, |seat| LAST << (SEAT * seat.index() as u64))
    }

    /// The next cast of a seat that has made so many.
    #[inline(always)]
    pub(super) const fn cast_of(kept: u64, seat: Seat, casts: usize) -> Cast {
        let seats = kept >> (SEAT * seat.index() as u64);
        let further = (seats & (LAST - 1)) as usize;
        if seats & LAST == 0 {
            Cast { part: 0, seat, index: casts - further }
        } else {
            Cast { part: 1, seat, index: further }
        }
    }
}

impl Course for TurnCasts {
    const KEEPS: bool = true;
    const APART: bool = true;

    #[inline(always)]
    fn place(self, kept: u64, next_cast: usize) -> usize {
        let (seat, casts) = (next_cast / LANE_CASTS, next_cast % LANE_CASTS);
        let seats = kept >> (SEAT * seat as u64);
        let further = (seats & (LAST - 1)) as usize;
        let begins = seats & LAST == 0;
        let (part, index) = if begins { (0, casts.wrapping_sub(further)) } else { (1, further) };
        // What stands behind the last casts is no throw: so a lane stops.
        let index = if casts < MOST_CASTS { index } else { MOST_CASTS };
        first_place(part, seat).wrapping_add(index)
    }

    #[inline(always)]
    fn cast(self, kept: u64, seat: u64, _: u64) -> u64 {
        let at = SEAT * seat;
        let further = kept >> at >> (SEAT - 1) & 1;
        ((kept & !LASTS) | LAST << at).wrapping_add(further << at)
    }

    #[inline(always)]
    fn step(self, kept: u64, seat: u64, throw: u64, _: u64) -> u64 {
        self.cast(kept, seat, throw)
    }

    #[inline(always)]
    fn open(self, kept: u64, seat: u64, throw: u64) -> u64 {
        self.cast(kept, seat, throw)
    }

    #[inline(always)]
    fn pick(self, kept: u64, _: Moves, _: Pick) -> u64 {
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Casts by seats in any order: the first after another seat's, or of a turn that has begun, and the others.
    #[test]
    fn casts_that_begin_a_turn_are_counted_apart() {
        let (a, c) = (Seat::A, Seat::C);
        for turn_of in [None, Some(a)] {
            let mut kept = TurnCasts::begun(turn_of);
            let mut casts = [0; 4];
            let mut found = Vec::new();
            for seat in [a, a, c, a, c, c, c, a] {
                let cast = TurnCasts::cast_of(kept, seat, casts[seat.index()]);
                let next_cast = seat.index() * LANE_CASTS + casts[seat.index()];
                assert_eq!(TurnCasts.place(kept, next_cast), cast.place());
                found.push((cast.part, cast.index));
                kept = TurnCasts.cast(kept, seat.index() as u64, 0);
                casts[seat.index()] += 1;
            }
            let expected = match turn_of {
                None => [(0, 0), (1, 0), (0, 0), (0, 1), (0, 1), (1, 0), (1, 1), (0, 2)],
                Some(_) => [(1, 0), (1, 1), (0, 0), (0, 0), (0, 1), (1, 0), (1, 1), (0, 1)],
            };
            assert_eq!(found, expected);
        }
        // Many casts of which none is many of its kind.
        let kept = TurnCasts::begun(None) + 100;
        assert_eq!(TurnCasts.place(kept, MOST_CASTS - 1), MOST_CASTS - 101);
        assert_eq!(TurnCasts.place(kept, MOST_CASTS), MOST_CASTS);
    }
}
