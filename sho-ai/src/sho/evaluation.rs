//! How positions of Sho are judged: [`Evaluation`].

use sho_core::sho::{Engine, Kill, NineStack, Rules, Sho, plain};
use sho_core::{Game, PerSeat, RuleSet, Seat};

use super::exposure::{DISTANCES, Opener, WHOLE, chance_of, either};
use super::features::Features;
use super::weights::Weights;
use crate::chances::chances;
use crate::evaluate::Evaluate;

/// The heights that a stack can have, and 0.
const HEIGHTS: usize = 10;

/// An evaluation of Sho by [`Weights`]: scores of the sides, turned into chances to win.
///
/// In both engines it says exactly the same: in the plain one the [`Features`] are counted and weighed one by one, in the
/// fast one what belongs to a stack's height and place is looked up.
///
/// With alliances nobody shares a win, so each side is judged for itself. Allies do not threaten each other, and both
/// gain where the leader loses, since chances are shared by all.
#[derive(Clone, Debug)]
pub struct Evaluation {
    weights: Weights,
    /// What a stack is worth, by its height and then its bit.
    stacks: Box<[[StackWorth; 64]; HEIGHTS]>,
    /// Whether any chance to land weighs anything.
    reads_chances: bool,
    /// Whether what only the enemies' reach decides, `hits` and `blocked`, weighs anything.
    reads_reach: bool,
}

/// What a stack of some height at some place is worth.
#[derive(Clone, Copy, Debug, Default)]
struct StackWorth {
    /// That it stands there.
    here: i64,
    /// That it is hit before its side's next throw.
    exposed: i64,
    /// That it is hit after it.
    threatened: i64,
}

impl Evaluation {
    /// The evaluation by these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let w = Features::NAMES.iter().zip(weights.values());
        let chances = w.clone().skip_while(|(name, _)| **name != "joins");
        let mut stacks = Box::new([[StackWorth::default(); 64]; HEIGHTS]);
        for (height, row) in (0i64..).zip(stacks.iter_mut()) {
            for (to_go, worth) in (1i64..).zip(row.iter_mut()) {
                let sum = |parts: &[(i32, i64)]| -> i64 {
                    parts.iter().map(|&(weight, count)| i64::from(weight) * count).sum()
                };
                let last_lap = i64::from(to_go <= 12);
                *worth = StackWorth {
                    here: sum(&[
                        (weights.coins_to_go, height * to_go),
                        (weights.stacks, 1),
                        (weights.stacks_to_go, to_go),
                        (weights.squares, height * height),
                        (weights.squares_to_go, height * height * to_go),
                        (weights.last_lap, last_lap),
                        (weights.last_lap_coins, last_lap * height),
                    ]),
                    exposed: sum(&[
                        (weights.exposed, 1),
                        (weights.exposed_coins, height),
                        (weights.exposed_to_go, to_go),
                        (weights.exposed_coins_to_go, height * to_go),
                    ]),
                    threatened: sum(&[
                        (weights.threatened, 1),
                        (weights.threatened_coins, height),
                        (weights.threatened_to_go, to_go),
                        (weights.threatened_coins_to_go, height * to_go),
                    ]),
                };
            }
        }
        Self {
            weights,
            stacks,
            reads_chances: chances.clone().any(|(_, weight)| weight != 0),
            reads_reach: weights.hits != 0 || weights.blocked != 0,
        }
    }

    /// The weights.
    #[must_use]
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The score of each side, the side to move first, then in the order of turns.
    #[inline(always)]
    fn scores(&self, game: &Sho, state: &<Sho as Game>::State) -> [i64; 4] {
        let rules = game.rules();
        let (seats, hand) = (usize::from(rules.sides), 1u64 << (rules.shells - 1));
        let (bits, weights) = (state.bits(), &self.weights);
        let planes = bits.planes();
        let mut scores = [0; 4];
        for side in 0..seats {
            let mut score = i64::from(weights.home) * i64::from(bits.home(side))
                + i64::from(weights.hand) * i64::from(bits.hand(side))
                + i64::from(weights.sides_before) * side as i64;
            if bits.is_opening(side) {
                score += i64::from(weights.opening);
            }
            if bits.is_champion(side) {
                score += i64::from(weights.champion);
            }
            let mut rest = bits.stacks(side) & !hand;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                score += self.stacks[height(&planes, bit)][bit as usize].here;
            }
            scores[side] = score;
        }
        if bits.throw_is_due() {
            scores[0] += i64::from(weights.throw_due);
        }
        if !(bits.throw_is_due() && state.waiting().is_empty()) {
            scores[0] += i64::from(weights.to_spend) * i64::from(bits.to_spend());
        }
        if self.reads_chances {
            self.add_chances(rules, state, &planes, &mut scores);
        }
        scores
    }

    /// Adds to the scores what the chances to land are worth.
    #[inline(always)]
    fn add_chances(
        &self,
        rules: &Rules,
        state: &<Sho as Game>::State,
        planes: &[u64; 4],
        scores: &mut [i64; 4],
    ) {
        let (seats, shells) = (usize::from(rules.sides), u32::from(rules.shells));
        let (bits, weights) = (state.bits(), &self.weights);
        let hand = 1u64 << (shells - 1);
        let killers = killers(rules, planes);
        let leader = if rules.has_alliance() { leader(state, seats) } else { None };
        let mut parts = [0i64; 4];
        for side in 0..seats {
            let own = bits.stacks(side);
            let mut rest = own & !hand;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let height = height(planes, bit);
                let worth = &self.stacks[height][bit as usize];
                parts[side] += i64::from(weights.joins) * chance_of(own >> bit);
                let (mut earlier, mut later) = (0, 0);
                for enemy in 0..seats {
                    if enemy == side {
                        continue;
                    }
                    let reach = bits.stacks(enemy) >> bit & DISTANCES;
                    let chance = if bits.is_opening(enemy) {
                        if leader.is_some_and(|leader| leader != enemy && leader != side) {
                            continue;
                        }
                        let opener = Opener {
                            hand: bits.hand(enemy),
                            distance: shells - 1 - bit,
                            height: height as u8,
                            fresh: bits.fresh() >> bit & 1 == 1,
                        };
                        opener.chance(rules)
                    } else {
                        if reach == 0 {
                            continue;
                        }
                        let allied =
                            leader.is_some_and(|leader| leader != enemy && leader != side);
                        let hits =
                            if allied { 0 } else { reach & killers[height] >> bit };
                        if self.reads_reach {
                            parts[enemy] +=
                                i64::from(weights.blocked) * chance_of(reach & !hits);
                        }
                        chance_of(hits)
                    };
                    if self.reads_reach {
                        parts[enemy] += i64::from(weights.hits) * chance;
                    }
                    let group = if enemy < side { &mut earlier } else { &mut later };
                    *group = either(*group, chance);
                }
                parts[side] += earlier * worth.exposed + later * worth.threatened;
            }
        }
        for (score, part) in scores.iter_mut().zip(parts) {
            *score += part.div_euclid(WHOLE);
        }
    }
}

/// The height of the stack at a bit.
#[inline(always)]
const fn height(planes: &[u64; 4], bit: u32) -> usize {
    (planes[0] >> bit & 1
        | (planes[1] >> bit & 1) << 1
        | (planes[2] >> bit & 1) << 2
        | (planes[3] >> bit & 1) << 3) as usize
}

/// For each height the stacks that may land on an enemy stack of that height.
#[inline(always)]
fn killers(rules: &Rules, planes: &[u64; 4]) -> [u64; 16] {
    let [p0, p1, p2, p3] = *planes;
    // Stacks of so many coins or more.
    let mut least = [0; 16];
    least[1] = p0 | p1 | p2 | p3;
    least[2] = p1 | p2 | p3;
    least[3] = p1 & p0 | p2 | p3;
    least[4] = p2 | p3;
    least[5] = p2 & (p1 | p0) | p3;
    least[6] = p2 & p1 | p3;
    least[7] = p2 & p1 & p0 | p3;
    least[8] = p3;
    least[9] = p3 & p0;
    if rules.nine_stack == NineStack::Forbidden || rules.kill != Kill::EqualOrSmaller {
        by_house_rules(rules, &mut least);
    }
    least
}

/// Makes of the stacks of so many coins or more those that may land.
#[cold]
fn by_house_rules(rules: &Rules, least: &mut [u64; 16]) {
    let all = least[usize::from(rules.coins)];
    let given = *least;
    for (height, stacks) in least.iter_mut().enumerate().take(HEIGHTS) {
        let coins = (1..=9u8).find(|&coins| rules.kills(coins, height as u8));
        *stacks = coins.map_or(0, |coins| given[usize::from(coins)]);
        if rules.nine_stack == NineStack::Forbidden {
            *stacks &= !all;
        }
    }
}

/// The side, counted from the side to move, that has at least five coins home and more than every other.
#[cold]
fn leader(state: &<Sho as Game>::State, seats: usize) -> Option<usize> {
    let bits = state.bits();
    let best = (0..seats).max_by_key(|&side| bits.home(side))?;
    let home = bits.home(best);
    let alone = (0..seats).all(|side| side == best || bits.home(side) < home);
    (home >= 5 && alone).then_some(best)
}

impl Evaluate<Sho> for Evaluation {
    #[inline]
    fn evaluate(&self, game: &Sho, state: &<Sho as Game>::State) -> PerSeat<i64> {
        let seats = usize::from(game.rules().sides);
        let scores = self.scores(game, state);
        let mut by_seat = PerSeat::<i64>::default();
        let mut seat = state.mover();
        for score in &scores[..seats] {
            by_seat[seat] = *score;
            seat = seat.next(seats);
        }
        chances(&by_seat, seats, state.mover())
    }
}

impl Evaluate<plain::Sho> for Evaluation {
    fn evaluate(&self, game: &plain::Sho, state: &<plain::Sho as Game>::State) -> PerSeat<i64> {
        let (rules, setup) = (game.rules(), game.setup(state));
        let mut scores = PerSeat::<i64>::default();
        for seat in Seat::all(rules.sides()) {
            let features = Features::of(rules, &setup, seat).values();
            let parts = features.iter().zip(self.weights.values());
            let sum: i64 = parts.map(|(&feature, weight)| feature * i64::from(weight)).sum();
            scores[seat] = sum.div_euclid(WHOLE);
        }
        chances(&scores, rules.sides(), setup.mover)
    }
}
