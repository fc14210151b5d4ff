//! The chance that a stack is hit in an enemy's next turn.

use sho_core::Seat;
use sho_core::sho::{Gap, NineStack, OpeningClash, Rules, Setup, Side};

/// Certainty: chances are counted in the 1296 ways of two throws.
pub const WHOLE: i64 = 1296;

/// The greatest distance that counts: a 2 and a 12.
const FURTHEST: u32 = 14;

/// The distances that count, each a bit.
pub(super) const DISTANCES: u64 = (1 << (FURTHEST + 1)) - 4;

/// The ways of two dice to give a total, 0 where they cannot.
const fn ways(total: u32) -> i64 {
    if total < 2 || total > 12 {
        0
    } else if total < 7 {
        total as i64 - 1
    } else {
        13 - total as i64
    }
}

/// The chance that a throw, or a pa ra and the throw after it, gives one of these distances, counted out.
const fn count(distances: u32) -> i64 {
    const fn has(distances: u32, distance: u32) -> bool {
        distance <= FURTHEST && distances >> distance & 1 == 1
    }
    let (mut chance, mut total) = (0, 2);
    while total <= 12 {
        // 1-1 is the only way to throw a 2, and is followed by another throw.
        if total > 2 && has(distances, total) {
            chance += 36 * ways(total);
        }
        if has(distances, 2) || has(distances, total) || has(distances, total + 2) {
            chance += ways(total);
        }
        total += 1;
    }
    chance
}

/// For each set of the distances 2 to 14, the distance 2 in the lowest bit.
static CHANCES: [u16; 1 << (FURTHEST - 1)] = {
    let mut chances = [0; 1 << (FURTHEST - 1)];
    let mut set = 0;
    while set < chances.len() {
        chances[set] = count((set as u32) << 2) as u16;
        set += 1;
    }
    chances
};

/// The chance, in 1/[`WHOLE`], that one turn gives one of these distances: bit `d` stands for the distance `d`, 2 to 14.
/// Other bits do not count.
///
/// ```
/// use sho_ai::sho::chance_of;
/// // A 7 falls in 6 of 36 ways; with a pa ra first, a 7 or a 5 will do.
/// assert_eq!(chance_of(1 << 7), 6 * 36 + 6 + 4);
/// ```
#[inline(always)]
#[must_use]
pub const fn chance_of(distances: u64) -> i64 {
    chance_of_shifted(distances >> 2)
}

/// The same where the distance 2 is the lowest bit.
#[inline(always)]
pub(super) const fn chance_of_shifted(distances: u64) -> i64 {
    // The index is below the length: the compiler sees it, and tests no bound.
    CHANCES[(distances & (DISTANCES >> 2)) as usize] as i64
}

/// The chance that one or the other happens, where they have nothing to do with each other; rounded up.
#[inline(always)]
pub(super) const fn either(one: i64, other: i64) -> i64 {
    one + other - (one * other) as u64 as i64 / WHOLE
}

/// How an enemy that is opening would land in the gap `distance` from the hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opener {
    /// Coins in its hand.
    pub(super) hand: u8,
    /// The gap.
    pub(super) distance: u32,
    /// The height of the stack that stands there.
    pub(super) height: u8,
    /// Whether that is an untouched opening stack.
    pub(super) fresh: bool,
}

impl Opener {
    /// The chance that it hits in its next turn.
    #[cold]
    pub(super) fn chance(self, rules: &Rules) -> i64 {
        let Self { hand, distance, height, fresh } = self;
        let bonus = distance <= 12 && rules.opening_bonus.contains(distance as u8);
        let mut coins = if bonus { rules.opening_coins.max(3) } else { rules.opening_coins };
        if fresh {
            coins = coins.max(match rules.opening_clash {
                OpeningClash::OneMore => height + 1,
                _ => 3,
            });
        }
        let coins = coins.min(hand);
        let forbidden = rules.nine_stack == NineStack::Forbidden && coins == rules.coins;
        if coins == 0 || forbidden || !rules.kills(coins, height) {
            0
        } else if rules.pa_ra_pair {
            if distance <= FURTHEST { chance_of(1 << distance) } else { 0 }
        } else {
            // With 1-1 it opens at once.
            36 * ways(distance)
        }
    }
}

/// Whether `attacker` may kill what `owner` has: not where both are allied.
fn may_kill(rules: &Rules, setup: &Setup, attacker: Seat, owner: Seat) -> bool {
    let leader = if rules.has_alliance() { setup.leader() } else { None };
    leader.is_none_or(|leader| leader == attacker || leader == owner)
}

/// Of the distances by which `attacker` reaches the stack of `owner` in `gap`, its hand included, those that hit and
/// those that are blocked since the stack is too big or allied. Each distance is a bit.
pub(super) fn reaches(
    rules: &Rules,
    setup: &Setup,
    attacker: Seat,
    owner: Seat,
    gap: Gap,
) -> (u64, u64) {
    let (side, height) = (&setup.sides[attacker], setup.sides[owner].stacks[gap.index()]);
    let (mut hits, mut blocked) = (0, 0);
    for distance in 2..=FURTHEST.min(gap.number().into()) {
        let from = usize::from(gap.number()) - distance as usize;
        let coins = if from == 0 { side.hand.min(1) } else { side.stacks[from] };
        if coins == 0 {
            continue;
        }
        let forbidden = rules.nine_stack == NineStack::Forbidden && coins == rules.coins;
        let hit =
            may_kill(rules, setup, attacker, owner) && rules.kills(coins, height) && !forbidden;
        *(if hit { &mut hits } else { &mut blocked }) |= 1 << distance;
    }
    (hits, blocked)
}

/// The chance, in 1/[`WHOLE`], that `attacker` hits the stack of `owner` in `gap` in a turn of its own that begins in
/// this position, whoever's turn it is. It is 0 where no stack of `owner` is there.
///
/// What counts is the first throw and each of its stacks, or a coin from its hand, that lands with it in the gap and is
/// big enough by the rules; after a pa ra also the throw after it, by which the 2, the new total and the sum of both can
/// be played. A side that is opening lands with as many coins as it would bring. That much is exact.
///
/// What does not count, since it comes to little: a pa ra that follows a pa ra is a second 2 and nothing more; the throws
/// that a kill or a join earns; the pair of a pa ra and the six-three; the cap on throws and on waiting values, and the
/// win by three pa ras.
///
/// ```
/// use sho_ai::sho::{WHOLE, hit_chance};
/// use sho_core::Seat;
/// use sho_core::sho::{Gap, Rules, Setup};
/// let setup = Setup::parse("0+0:30x9/6+0:23x1,24x2/9+0o:- B throw - 0 40")?;
/// let gap = Gap::new(30).ok_or("a gap")?;
/// assert_eq!(hit_chance(&Rules::lhasa(), &setup, Seat::B, Seat::A, gap), 0);
/// let setup = Setup::parse("8+0:30x1/6+0:23x1,24x2/9+0o:- B throw - 0 40")?;
/// // A 7 or a 6, or a pa ra and then a 4, 5, 6 or 7.
/// let ways = (6 + 5) * 36 + 3 + 4 + 5 + 6;
/// assert_eq!(hit_chance(&Rules::lhasa(), &setup, Seat::B, Seat::A, gap), ways);
/// assert!((f64::from(ways as i32) / WHOLE as f64 - 0.319).abs() < 0.001);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn hit_chance(rules: &Rules, setup: &Setup, attacker: Seat, owner: Seat, gap: Gap) -> i64 {
    let (attacking, owning): (&Side, &Side) = (&setup.sides[attacker], &setup.sides[owner]);
    if owning.stacks[gap.index()] == 0 {
        return 0;
    }
    if !attacking.is_opening() {
        return chance_of(reaches(rules, setup, attacker, owner, gap).0);
    }
    if !may_kill(rules, setup, attacker, owner) {
        return 0;
    }
    Opener {
        hand: attacking.hand,
        distance: gap.number().into(),
        height: owning.stacks[gap.index()],
        fresh: owning.fresh == Some(gap),
    }
    .chance(rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sho_core::Throw;

    #[test]
    fn ways_are_those_of_two_dice() {
        for total in 0..20 {
            let thrown = Throw::ALL.iter().filter(|throw| u32::from(throw.total()) == total);
            assert_eq!(ways(total), thrown.map(|throw| i64::from(throw.ways())).sum::<i64>());
        }
    }

    #[test]
    fn chances_are_those_of_all_throws() {
        for distances in (0..1u64 << 15).step_by(4) {
            let mut chance = 0;
            for first in 0..36 {
                let first = Throw::from_way(first);
                for second in 0..36 {
                    let (one, two) = (u32::from(first.total()), Throw::from_way(second).total());
                    let has = |distance: u32| distances >> distance & 1 == 1;
                    let hit = has(one)
                        || first.is_pa_ra() && (has(two.into()) || has(one + u32::from(two)));
                    chance += i64::from(hit);
                }
            }
            assert_eq!(chance_of(distances), chance, "{distances:b}");
        }
        assert_eq!((chance_of(DISTANCES), chance_of(!DISTANCES)), (WHOLE, 0));
    }

    #[test]
    fn either_is_symmetric_and_never_certain_alone() {
        assert_eq!((either(0, 5), either(WHOLE, 77), either(648, 648)), (5, WHOLE, 972));
    }
}
