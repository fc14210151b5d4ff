//! How positions of Sho are judged: [`Evaluation`].

use sho_core::sho::{Bits, Engine, Kill, NineStack, Rules, Sho, State, plain};
use sho_core::{Game, MAX_SEATS, PerSeat, RuleSet, Seat};

use super::exposure::{DISTANCES, Opener, WHOLE, chance_of, chance_of_shifted, either};
use super::features::Features;
use super::near::Near;
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
    /// What a stack is worth, by its height and then its bit. No stack is higher than nine; with sixteen the compiler
    /// sees that an index is one.
    stacks: Box<[[StackWorth; 64]; 16]>,
    /// Whether any chance to land weighs anything.
    pub(super) reads_chances: bool,
    /// Whether what only a side's reach decides, `hits` and `blocked`, weighs anything.
    reads_reach: bool,
}

/// What a stack of some height at some place is worth.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StackWorth {
    /// That it stands there.
    pub(super) here: i64,
    /// That it is hit before its side's next throw.
    pub(super) exposed: i64,
    /// That it is hit after it.
    pub(super) threatened: i64,
}

impl Evaluation {
    /// The evaluation by these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        let w = Features::NAMES.iter().zip(weights.values());
        let chances = w.clone().skip_while(|(name, _)| **name != "joins");
        let mut stacks = Box::new([[StackWorth::default(); 64]; 16]);
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
            reads_reach: weights.hits != 0 || weights.blocked != 0,
            reads_chances: chances.clone().any(|(_, weight)| weight != 0),
        }
    }

    /// The weights.
    #[must_use]
    pub const fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The score of each side, the side to move first, then in the order of turns.
    #[inline(always)]
    fn scores(&self, game: &Sho, state: &State) -> [i64; MAX_SEATS] {
        let mut scores = match game.rules().sides {
            2 => self.scores_of::<2>(game, state),
            3 => self.scores_of::<3>(game, state),
            _ => self.scores_of::<4>(game, state),
        };
        scores[0] += self.score_of_due(state);
        scores
    }

    /// What it is worth to the side to move that it is, and what it has to spend.
    #[inline(always)]
    pub(super) fn score_of_due(&self, state: &State) -> i64 {
        let (bits, weights) = (state.bits(), &self.weights);
        let mut score = 0;
        if bits.throw_is_due() {
            score += i64::from(weights.throw_due);
        }
        // A turn that has just begun has nothing to spend: as a rule nobody need look.
        if !(bits.throw_is_due() && state.waiting().is_empty()) {
            score += i64::from(weights.to_spend) * i64::from(bits.to_spend());
        }
        score
    }

    /// What the coins of a side are worth that are not on the board, and whether it is a champion.
    #[inline(always)]
    pub(super) fn score_of_coins(&self, bits: Bits<'_>, side: usize) -> i64 {
        let weights = &self.weights;
        let mut score = i64::from(weights.home) * i64::from(bits.home(side))
            + i64::from(weights.hand) * i64::from(bits.hand(side));
        if bits.is_champion(side) {
            score += i64::from(weights.champion);
        }
        score
    }

    /// The same without what is due. The number of sides is known to the compiler, which unrolls what goes by sides.
    #[inline(always)]
    fn scores_of<const SEATS: usize>(&self, game: &Sho, state: &State) -> [i64; MAX_SEATS] {
        let rules = game.rules();
        let (bits, weights) = (state.bits(), &self.weights);
        let mut scores = [0; MAX_SEATS];
        let mut rare = rules.has_alliance() && leader(state, SEATS).is_some();
        for (side, score) in scores.iter_mut().enumerate().take(SEATS) {
            *score =
                self.score_of_coins(bits, side) + i64::from(weights.sides_before) * side as i64;
            if bits.is_opening(side) {
                *score += i64::from(weights.opening);
                rare = true;
            }
        }
        let mut board = Board::new::<SEATS>(rules, state);
        if !self.reads_chances {
            for (side, score) in scores.iter_mut().enumerate().take(SEATS) {
                *score += self.stacks_of(&board, side);
            }
            return scores;
        }
        board.find_killers(rules);
        let mut found = [Found::default(); MAX_SEATS];
        if rare {
            self.find_rarely(rules, state, &board, SEATS, &mut found);
        } else if self.reads_reach {
            self.find_all::<SEATS, true>(&board, &mut found);
        } else {
            self.find_all::<SEATS, false>(&board, &mut found);
        }
        for (score, found) in scores.iter_mut().zip(found).take(SEATS) {
            let chances = found.loss
                + i64::from(weights.joins) * found.joins
                + i64::from(weights.hits) * found.hits
                + i64::from(weights.blocked) * found.blocked;
            *score += found.here + chances.div_euclid(WHOLE);
        }
        scores
    }

    /// What the stacks of a side are worth where they stand.
    #[inline(always)]
    pub(super) fn stacks_of(&self, board: &Board, side: usize) -> i64 {
        let (mut worth, mut rest) = (0, board.stacks[side] & !board.hand);
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            worth += self.worth(board.height(bit), bit).here;
        }
        worth
    }

    #[inline(always)]
    pub(super) fn worth(&self, height: usize, bit: u32) -> &StackWorth {
        &self.stacks[height][bit as usize % 64]
    }

    /// What there is to find about the stacks of one side, where no side is opening and none is allied. It has no branch
    /// but the loop: to look up a chance of nothing costs less than to guess wrongly whether there is one.
    #[inline(always)]
    fn find<const SEATS: usize, const SIDE: usize, const REACH: bool>(
        &self,
        board: &Board,
        found: &mut [Found; MAX_SEATS],
    ) {
        let mut own = Found::default();
        let (mut hits, mut blocked) = ([0; SEATS], [0; SEATS]);
        // The lowest bit of a set that is moved so far is the distance 2.
        let stacks: [u64; SEATS] = std::array::from_fn(|side| board.stacks[side] >> 2);
        let mut rest = board.stacks[SIDE] & !board.hand;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let height = board.height(bit);
            let killers = board.killers[height] >> 2;
            let (mut earlier, mut later) = (0, 0);
            for enemy in 0..SEATS {
                if enemy == SIDE {
                    own.joins += chance_of_shifted(stacks[enemy] >> bit);
                    continue;
                }
                let chance = chance_of_shifted((stacks[enemy] & killers) >> bit);
                if REACH {
                    hits[enemy] += chance;
                    blocked[enemy] += chance_of_shifted((stacks[enemy] & !killers) >> bit);
                }
                let group = if enemy < SIDE { &mut earlier } else { &mut later };
                *group = either(*group, chance);
            }
            let worth = self.worth(height, bit);
            own.here += worth.here;
            if SIDE > 0 {
                own.loss += earlier * worth.exposed;
            }
            if SIDE + 1 < SEATS {
                own.loss += later * worth.threatened;
            }
        }
        found[SIDE].here = own.here;
        found[SIDE].loss = own.loss;
        found[SIDE].joins = own.joins;
        for enemy in 0..SEATS {
            found[enemy].hits += hits[enemy];
            found[enemy].blocked += blocked[enemy];
        }
    }

    /// Finds for all sides.
    #[inline(always)]
    fn find_all<const SEATS: usize, const REACH: bool>(
        &self,
        board: &Board,
        found: &mut [Found; MAX_SEATS],
    ) {
        self.find::<SEATS, 0, REACH>(board, found);
        self.find::<SEATS, 1, REACH>(board, found);
        if SEATS > 2 {
            self.find::<SEATS, 2, REACH>(board, found);
        }
        if SEATS > 3 {
            self.find::<SEATS, 3, REACH>(board, found);
        }
    }

    /// The same for all sides, whatever they are.
    #[cold]
    #[inline(never)]
    fn find_rarely(
        &self,
        rules: &Rules,
        state: &State,
        board: &Board,
        seats: usize,
        found: &mut [Found; MAX_SEATS],
    ) {
        let bits = state.bits();
        let leader = if rules.has_alliance() { leader(state, seats) } else { None };
        for side in 0..seats {
            let mut rest = board.stacks[side] & !board.hand;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let height = board.height(bit);
                let (mut earlier, mut later) = (0, 0);
                for enemy in 0..seats {
                    let reach = board.stacks[enemy] >> bit & DISTANCES;
                    if enemy == side {
                        found[side].joins += chance_of(reach);
                        continue;
                    }
                    let allied = leader.is_some_and(|leader| leader != enemy && leader != side);
                    let mut chance = 0;
                    if !bits.is_opening(enemy) {
                        let hits = if allied { 0 } else { reach & board.killers[height] >> bit };
                        chance = chance_of(hits);
                        found[enemy].blocked += chance_of(reach & !hits);
                    } else if !allied {
                        let opener = Opener {
                            hand: bits.hand(enemy),
                            distance: board.hand.trailing_zeros() - bit,
                            height: height as u8,
                            fresh: bits.fresh() >> bit & 1 == 1,
                        };
                        chance = opener.chance(rules);
                    }
                    found[enemy].hits += chance;
                    let group = if enemy < side { &mut earlier } else { &mut later };
                    *group = either(*group, chance);
                }
                let worth = self.worth(height, bit);
                found[side].here += worth.here;
                found[side].loss += earlier * worth.exposed + later * worth.threatened;
            }
        }
    }
}

/// What was found out about a side's stacks, chances in 1/[`WHOLE`].
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// What they are worth where they stand.
    here: i64,
    /// What the chances to be hit are worth.
    loss: i64,
    joins: i64,
    hits: i64,
    blocked: i64,
}

/// The board of a position, as far as chances ask for it.
pub(super) struct Board {
    pub(super) planes: [u64; 4],
    pub(super) stacks: [u64; MAX_SEATS],
    /// The bit of the hand.
    pub(super) hand: u64,
    /// For each height the stacks that may land on an enemy stack of that height.
    pub(super) killers: [u64; 16],
}

impl Board {
    #[inline(always)]
    pub(super) fn new<const SEATS: usize>(rules: &Rules, state: &State) -> Self {
        let bits = state.bits();
        let planes = bits.planes();
        let mut stacks = [0; MAX_SEATS];
        for (side, stacks) in stacks.iter_mut().enumerate().take(SEATS) {
            *stacks = bits.stacks(side);
        }
        Self { planes, stacks, hand: 1 << (rules.shells - 1), killers: [0; 16] }
    }

    /// Finds for each height the stacks that may land on an enemy stack of that height.
    #[inline(always)]
    pub(super) fn find_killers(&mut self, rules: &Rules) {
        let [p0, p1, p2, p3] = self.planes;
        // Stacks of so many coins or more.
        let least = &mut self.killers;
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
            by_house_rules(rules, least);
        }
    }

    /// The height of the stack at a bit, below 16.
    #[inline(always)]
    pub(super) const fn height(&self, bit: u32) -> usize {
        height(&self.planes, bit)
    }
}

/// The height of the stack at a bit, below 16.
#[inline(always)]
pub(super) const fn height(planes: &[u64; 4], bit: u32) -> usize {
    let [ones, twos, fours, eights] = *planes;
    let height = 2 * (eights >> bit & 1) + (fours >> bit & 1);
    let height = 2 * height + (twos >> bit & 1);
    (2 * height + (ones >> bit & 1)) as usize
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
fn leader(state: &State, seats: usize) -> Option<usize> {
    let bits = state.bits();
    let best = (0..seats).max_by_key(|&side| bits.home(side))?;
    let home = bits.home(best);
    let alone = (0..seats).all(|side| side == best || bits.home(side) < home);
    (home >= 5 && alone).then_some(best)
}

impl Evaluate<Sho> for Evaluation {
    #[inline]
    fn evaluate(&self, game: &Sho, state: &State) -> PerSeat<i64> {
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

    #[inline]
    fn near<'a>(
        &'a self,
        game: &'a Sho,
        from: &'a State,
    ) -> impl FnMut(&State) -> PerSeat<i64> + 'a {
        let mut near = Near::new(self, game, from);
        move |state| {
            let values = near.judge(state);
            debug_assert_eq!(values, self.evaluate(game, state), "{from:?}, then {state:?}");
            values
        }
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
