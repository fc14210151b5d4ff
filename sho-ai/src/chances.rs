//! From scores to chances of winning, by integers alone.

use sho_core::PerSeat;
use sho_core::Seat;

use crate::evaluate::CERTAIN;

/// How much more a side has to score to double its odds: an octave.
pub const OCTAVE: i64 = 1 << 16;

/// Fractions of an octave that the table has.
const STEPS: usize = 256;

/// The greatest weight, that of the side with the highest score: 2^30.
const TOP: u64 = 1 << 30;

/// 2^(30 - k/256) for k from 0 to 256, rounded down.
///
/// Built from integer square roots: 2^(1/2), 2^(1/4) and so on down to 2^(1/256), with 62 bits behind the point, and
/// their products. The error of each is far below the last of the thirty bits that are kept.
static POWERS: [u64; STEPS + 1] = {
    const ONE: u128 = 1 << 62;
    /// The whole root, bit by bit.
    const fn root(square: u128) -> u128 {
        let (mut root, mut bit) = (0u128, 1u128 << 63);
        while bit > 0 {
            if (root | bit) * (root | bit) <= square {
                root |= bit;
            }
            bit >>= 1;
        }
        root
    }
    // 2^(-1/2), then the root of what came before.
    let mut roots = [0u128; 8];
    let mut last = ONE / 2;
    let mut index = 0;
    while index < 8 {
        last = root(last << 62);
        roots[index] = last;
        index += 1;
    }
    let mut powers = [0; STEPS + 1];
    let mut step = 0;
    while step <= STEPS {
        let mut power = if step == STEPS { ONE / 2 } else { ONE };
        let mut bit = 0;
        while bit < 8 {
            // Bit 7 of the step is half an octave.
            if step < STEPS && step >> (7 - bit) & 1 == 1 {
                power = (power * roots[bit]) >> 62;
            }
            bit += 1;
        }
        powers[step] = (power >> 32) as u64;
        step += 1;
    }
    powers
};

/// 2^(30 - x), where `x` is not negative and in units of 1/[`OCTAVE`]: linear between the steps of the table, which is
/// right to a millionth.
#[inline]
fn power(x: u64) -> u64 {
    let whole = x >> 16;
    if whole > 30 {
        return 0;
    }
    let (step, rest) = ((x >> 8 & 255) as usize, x & 255);
    let (above, below) = (POWERS[step], POWERS[step + 1]);
    (above - (((above - below) * rest) >> 8)) >> whole
}

/// The chances of seats with these scores, in units of 1/[`CERTAIN`]: a side whose score is an [`OCTAVE`] above
/// another's wins twice as often. They sum to `CERTAIN` over the first `seats` seats.
///
/// All seats are rounded down, and the seat with the highest score, the first such from `from`, gets what that leaves. So
/// turning all seats round the table turns the chances with them.
///
/// ```
/// use sho_ai::{CERTAIN, OCTAVE, chances};
/// use sho_core::{PerSeat, Seat};
///
/// let mut scores = PerSeat::<i64>::default();
/// scores[Seat::B] = OCTAVE;
/// let chances = chances(&scores, 2, Seat::A);
/// assert_eq!(chances.as_slice(2).iter().sum::<i64>(), CERTAIN);
/// assert!((chances[Seat::B] - 2 * chances[Seat::A]).abs() <= 2);
/// ```
#[inline]
#[must_use]
pub fn chances(scores: &PerSeat<i64>, seats: usize, from: Seat) -> PerSeat<i64> {
    match seats {
        2 => chances_of::<2>(scores, from),
        3 => chances_of::<3>(scores, from),
        _ => chances_of::<4>(scores, from),
    }
}

#[inline]
fn chances_of<const SEATS: usize>(scores: &PerSeat<i64>, from: Seat) -> PerSeat<i64> {
    let mut seats = [from; SEATS];
    for index in 1..SEATS {
        seats[index] = seats[index - 1].next(SEATS);
    }
    let mut values = PerSeat::default();
    for (seat, share) in seats.into_iter().zip(shares(seats.map(|seat| scores[seat]))) {
        values[seat] = share;
    }
    values
}

/// The chances of sides with these scores, in the same order; the first of the highest gets what rounding leaves.
#[inline]
pub(crate) fn shares<const SEATS: usize>(scores: [i64; SEATS]) -> [i64; SEATS] {
    if SEATS == 2 {
        // The same as below, where only one power has to be looked up.
        let second = scores[1] > scores[0];
        let power = power(scores[0].abs_diff(scores[1]));
        let less = (power * ((1 << 60) / (TOP + power))) >> 40;
        let shares = [CERTAIN - less as i64, less as i64];
        return std::array::from_fn(|side| shares[side ^ usize::from(second)]);
    }
    let mut best = 0;
    for side in 1..SEATS {
        if scores[side] > scores[best] {
            best = side;
        }
    }
    // The difference of any two `i64` fits a `u64`.
    let powers = scores.map(|score| power(scores[best].wrapping_sub(score) as u64));
    // One division for all: the sum is between 2^30 and 2^32.
    let share = (1 << 60) / powers.iter().sum::<u64>();
    let mut values = powers.map(|power| ((power * share) >> 40) as i64);
    values[best] += CERTAIN - values.iter().sum::<i64>();
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_two() {
        for x in (0..31 << 16).step_by(7) {
            let exact = 2f64.powf(30.0 - x as f64 / 65_536.0);
            let error = (power(x) as f64 - exact).abs();
            assert!(error <= exact * 1e-6 + 1.0, "{x}: {} and {exact}", power(x));
        }
        assert_eq!((power(0), power(1 << 16), power(30 << 16)), (TOP, TOP / 2, 1));
        assert_eq!((power(31 << 16), power(u64::MAX)), (0, 0));
    }

    #[test]
    fn higher_scores_have_higher_chances_to_the_end_of_the_range() {
        for seats in 2..=4 {
            let (mut scores, mut last) = (PerSeat::<i64>::default(), 0);
            for score in (-40 * OCTAVE..40 * OCTAVE).step_by(997) {
                scores[Seat::B] = score;
                let chances = chances(&scores, seats, Seat::A);
                assert_eq!(chances.as_slice(seats).iter().sum::<i64>(), CERTAIN);
                assert!(chances.as_slice(seats).iter().all(|value| (0..=CERTAIN).contains(value)));
                assert!(chances[Seat::B] >= last - 3, "{score}");
                last = chances[Seat::B];
            }
            for score in [i64::MIN, i64::MAX] {
                scores[Seat::A] = score;
                let chances = chances(&scores, seats, Seat::A);
                assert_eq!(chances[Seat::A], if score > 0 { CERTAIN } else { 0 });
            }
        }
    }
}
