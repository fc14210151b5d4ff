//! Facts of all sides in one word: a field of 16 bits for each, the mover's lowest.

use crate::seat::MAX_SEATS;

pub(super) const SIDE: u32 = 16;
pub(super) const FIELD: u64 = (1 << SIDE) - 1;
/// The lowest bit of the field of each side.
pub(super) const SIDES: u64 = 0x0001_0001_0001_0001;

// Where in the field of a side is what.
pub(super) const CAST: u64 = 0xff;
pub(super) const SEAT: u32 = 8;
pub(super) const HAND: u32 = 10;
pub(super) const MARK: u32 = 14;
pub(super) const COINS: u64 = 15 << HAND;
pub(super) const OPENING: u64 = 3 << MARK;
pub(super) const FIRST: u64 = 1 << MARK;

/// All bits where the condition holds, else none.
#[inline(always)]
pub(super) const fn all_if(condition: bool) -> u64 {
    (condition as u64).wrapping_neg()
}

/// The next side becomes the mover.
#[inline(always)]
pub(super) const fn rotated<const SEATS: usize>(sides: u64) -> u64 {
    if SEATS == MAX_SEATS {
        return sides.rotate_right(SIDE);
    }
    // The fields above those of the sides are empty: what is named here of one word and of the other is told apart by
    // whole fields, for which there is an instruction.
    let last = SIDE * (SEATS as u32 - 1);
    (sides >> SIDE & !(FIELD << last)) | (sides << last & FIELD << last)
}

/// `SEATS` fields of 16 bits, turned so that number `by` is the lowest.
#[inline(always)]
pub(super) const fn turned<const SEATS: usize>(fields: u64, by: usize) -> u64 {
    let by = SIDE * by as u32;
    if SEATS == MAX_SEATS {
        return fields.rotate_right(by);
    }
    let all = SIDE * SEATS as u32;
    (fields >> by | fields << (all - by)) & ((1 << all) - 1)
}

/// The sum of the fields of a word, where it is below 65,536.
#[inline(always)]
pub(super) const fn sum(fields: u64) -> u64 {
    fields.wrapping_mul(SIDES) >> (SIDE * (MAX_SEATS as u32 - 1))
}
