//! Positions that follow from the same one, judged by what is different in each: [`Near`].
//!
//! An action that kills nothing leaves all but the side to move as it was, and of that side all but a stack or two. So
//! what the position before it has in common with all that follow is found once, and after each action no more is looked
//! at than the stack that moved, and those of the enemies that it threatens now or has threatened before.

use sho_core::sho::{Bits, NineStack, Rules, Sho, State};
use sho_core::{Game, MAX_SEATS, PerSeat};

use super::evaluation::{Board, Evaluation, height};
use super::exposure::{WHOLE, chance_of_shifted, either};
use super::weights::Weights;
use crate::chances::shares;
use crate::evaluate::Evaluate;

/// The coins of a side, and so its stacks, are no more.
const MOST_STACKS: usize = 9;

/// Judges positions that are a throw and an action away from one, or less. What it says is what
/// [`evaluate`](Evaluate::evaluate) says of each.
///
/// Sides are counted in the order of turns from the side to move before the action, which is the one that moves.
pub(super) struct Near<'a> {
    evaluation: &'a Evaluation,
    game: &'a Sho,
    from: &'a State,
    /// Whether what follows is judged by what is different: not while anybody opens, and not with alliances.
    simple: bool,
    /// Found when first asked for.
    common: Option<Common>,
}

impl<'a> Near<'a> {
    #[inline(always)]
    pub(super) fn new(evaluation: &'a Evaluation, game: &'a Sho, from: &'a State) -> Self {
        let (rules, bits) = (game.rules(), from.bits());
        let opening = (0..usize::from(rules.sides)).any(|side| bits.is_opening(side));
        let simple = !opening && !rules.has_alliance();
        Self { evaluation, game, from, simple, common: None }
    }

    #[inline(always)]
    pub(super) fn judge(&mut self, state: &State) -> PerSeat<i64> {
        match (self.game.rules().sides, state.mover() == self.from.mover()) {
            (2, false) => self.judge_of::<2, true>(state),
            (2, true) => self.judge_of::<2, false>(state),
            (3, false) => self.judge_of::<3, true>(state),
            (3, true) => self.judge_of::<3, false>(state),
            (_, false) => self.judge_of::<4, true>(state),
            // Three that may hit a stack before its side moves would have to be taken in another order, which may
            // change how the chance is rounded.
            (_, true) => self.evaluation.evaluate(self.game, state),
        }
    }

    /// The same for a number of sides, where the turn has passed to the next or not.
    #[inline]
    fn judge_of<const SEATS: usize, const PASSED: bool>(&mut self, state: &State) -> PerSeat<i64> {
        let (before, after) = (self.from.bits(), state.bits());
        let place = place::<SEATS, PASSED>;
        let killed = (1..SEATS).any(|side| before.stacks(side) != after.stacks(place(side)));
        let change = Change::new(before, after, place(0), self.game.rules());
        if killed || !self.simple || after.is_opening(0) || change.come.count_ones() > 1 {
            return self.evaluation.evaluate(self.game, state);
        }
        let Self { evaluation, game, from, ref mut common, .. } = *self;
        if common.is_none() {
            common.insert(Common::NOTHING).find::<SEATS>(evaluation, game, from);
        }
        let Some(common) = common else { unreachable!("it was just found") };
        let mut scores = common.scores::<SEATS, PASSED>(evaluation, game.rules(), before, &change);
        scores[0] += evaluation.score_of_coins(after, place(0));
        scores[usize::from(PASSED)] += evaluation.score_of_due(state);
        // In the order of turns from the side that is to move now.
        let shares = shares(std::array::from_fn::<_, SEATS, _>(|side| {
            scores[(side + usize::from(PASSED)) % SEATS]
        }));
        let mut values = PerSeat::default();
        let mut seat = state.mover();
        for share in shares {
            values[seat] = share;
            seat = seat.next(SEATS);
        }
        values
    }
}

/// What an action that kills nothing has changed on the board, all of it of the side that moved.
struct Change {
    /// Its stacks before and after, and the hand.
    old: u64,
    new: u64,
    /// Where its stacks are other than they were; stacks that are gone or not as high as they were; and those that have
    /// come or are not as high. The hand is in none of the last two.
    all: u64,
    gone: u64,
    come: u64,
    /// The height of what has come, which is one stack at most.
    height: usize,
}

impl Change {
    #[inline(always)]
    fn new(before: Bits<'_>, after: Bits<'_>, place: usize, rules: &Rules) -> Self {
        let (old, new) = (before.stacks(0), after.stacks(place));
        let (were, are) = (before.planes(), after.planes());
        let all = (0..4).fold(old ^ new, |all, plane| all | (were[plane] ^ are[plane]));
        let changed = all & !(1 << (rules.shells - 1));
        let come = changed & new;
        let height = height(&are, come.trailing_zeros() % 64);
        Self { old, new, all, gone: changed & old, come, height }
    }
}

/// Where a side stands after the action, counted from the side that is to move then.
const fn place<const SEATS: usize, const PASSED: bool>(side: usize) -> usize {
    if PASSED { (side + SEATS - 1) % SEATS } else { side }
}

/// What positions have in common that follow from one by a throw and an action, as long as nothing is killed.
///
/// Where there are two of a thing, the first is for positions in which the turn has passed, so that the side that moved
/// throws last of all, and the second for those in which it has not, and the side throws first.
struct Common {
    /// Scores without chances, and for the side that moves without the coins that are not on the board.
    scores: [[i64; MAX_SEATS]; 2],
    /// What the chances are worth, in 1/[`WHOLE`], without the joins of the side that moves.
    chances: [[i64; MAX_SEATS]; 2],
    /// The stacks of the side that moves, from the lowest bit.
    own: [OwnStack; MOST_STACKS],
    /// For each height the stacks that may land on an enemy stack of that height, before the action.
    killers: [u64; 16],
    /// The stacks of its enemies, by their bits.
    enemies: [EnemyStack; 64],
}

/// What a stack of the side that moves is worth, to all.
#[derive(Clone, Copy, Default)]
struct OwnStack {
    here: i64,
    /// What it is worth to its side that it may be hit.
    loss: [i64; 2],
    /// What it is worth to each enemy that it can be reached, hit or not.
    given: [i64; MAX_SEATS],
}

/// What a stack of an enemy has to fear, all chances in 1/[`WHOLE`].
#[derive(Clone, Copy, Default)]
struct EnemyStack {
    height: u16,
    /// From its other enemies that throw in the same part of the round as the side that moves.
    others: [u16; 2],
    /// From the side that moves.
    hit: u16,
    /// The chance that the side that moves reaches it and may not land.
    blocked: u16,
}

impl EnemyStack {
    /// The chance that it is hit in the part of the round in which the side that moves throws.
    #[inline(always)]
    fn chance<const SEATS: usize, const PASSED: bool>(&self, hit: i64) -> i64 {
        if SEATS > 2 { either(self.others[usize::from(!PASSED)].into(), hit) } else { hit }
    }
}

impl Common {
    const NOTHING: Self = Self {
        scores: [[0; MAX_SEATS]; 2],
        chances: [[0; MAX_SEATS]; 2],
        own: [OwnStack { here: 0, loss: [0; 2], given: [0; MAX_SEATS] }; MOST_STACKS],
        killers: [0; 16],
        enemies: [EnemyStack { height: 0, others: [0; 2], hit: 0, blocked: 0 }; 64],
    };

    #[inline(never)]
    fn find<const SEATS: usize>(&mut self, evaluation: &Evaluation, game: &Sho, from: &State) {
        let (bits, before) = (from.bits(), i64::from(evaluation.weights().sides_before));
        let mut board = Board::new::<SEATS>(game.rules(), from);
        for side in 0..SEATS {
            let coins = if side > 0 { evaluation.score_of_coins(bits, side) } else { 0 };
            self.scores[0][side] = before * place::<SEATS, true>(side) as i64 + coins;
            self.scores[1][side] = before * place::<SEATS, false>(side) as i64 + coins;
            if !evaluation.reads_chances {
                self.add_score(side, evaluation.stacks_of(&board, side));
            }
        }
        if !evaluation.reads_chances {
            return;
        }
        board.find_killers(game.rules());
        self.killers = board.killers;
        let mut rest = board.stacks[0] & !board.hand;
        for index in 0..MOST_STACKS {
            if rest == 0 {
                break;
            }
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let height = board.height(bit);
            let killers = board.killers[height];
            let stack = OwnStack::new::<SEATS>(evaluation, killers, board.stacks, height, bit);
            self.own[index] = stack;
            for part in 0..2 {
                stack.count::<SEATS>(1, part, &mut self.scores[part][0], &mut self.chances[part]);
            }
        }
        self.find_enemies::<SEATS, 1>(evaluation, &board);
        if SEATS > 2 {
            self.find_enemies::<SEATS, 2>(evaluation, &board);
        }
        if SEATS > 3 {
            self.find_enemies::<SEATS, 3>(evaluation, &board);
        }
    }

    #[inline(always)]
    fn add_score(&mut self, side: usize, score: i64) {
        self.scores.iter_mut().for_each(|scores| scores[side] += score);
    }

    /// Finds what the stacks of an enemy are worth.
    #[inline(always)]
    fn find_enemies<const SEATS: usize, const SIDE: usize>(
        &mut self,
        evaluation: &Evaluation,
        board: &Board,
    ) {
        let weights = evaluation.weights();
        let (mut here, mut joins, mut losses) = (0, 0, [0; 2]);
        let (mut hits, mut blocks) = ([0; SEATS], [0; SEATS]);
        let stacks: [u64; SEATS] = std::array::from_fn(|side| board.stacks[side] >> 2);
        let mut rest = board.stacks[SIDE] & !board.hand;
        while rest != 0 {
            let bit = rest.trailing_zeros();
            rest &= rest - 1;
            let height = board.height(bit);
            let killers = board.killers[height] >> 2;
            // From the enemies that throw before its side and after it, without the one that moves.
            let (mut earlier, mut later) = (0, 0);
            let mut own = (0, 0);
            for enemy in 0..SEATS {
                if enemy == SIDE {
                    joins += chance_of_shifted(stacks[enemy] >> bit);
                    continue;
                }
                let (hit, blocked) = reach(stacks[enemy], killers, bit);
                hits[enemy] += hit;
                blocks[enemy] += blocked;
                if enemy == 0 {
                    own = (hit, blocked);
                } else {
                    let group = if enemy < SIDE { &mut earlier } else { &mut later };
                    *group = either(*group, hit);
                }
            }
            let stack = EnemyStack {
                height: height as u16,
                others: [later as u16, earlier as u16],
                hit: own.0 as u16,
                blocked: own.1 as u16,
            };
            let worth = evaluation.worth(height, bit);
            here += worth.here;
            losses[0] +=
                earlier * worth.exposed + stack.chance::<SEATS, true>(own.0) * worth.threatened;
            losses[1] +=
                stack.chance::<SEATS, false>(own.0) * worth.exposed + later * worth.threatened;
            self.enemies[bit as usize % 64] = stack;
        }
        self.add_score(SIDE, here);
        for (chances, loss) in self.chances.iter_mut().zip(losses) {
            chances[SIDE] += loss + i64::from(weights.joins) * joins;
            for enemy in 0..SEATS {
                chances[enemy] += value_of_reach(weights, hits[enemy], blocks[enemy]);
            }
        }
    }

    /// The scores after a change, without what is due and without the mover's coins that are not on the board.
    #[inline(always)]
    fn scores<const SEATS: usize, const PASSED: bool>(
        &self,
        evaluation: &Evaluation,
        rules: &Rules,
        before: Bits<'_>,
        change: &Change,
    ) -> [i64; MAX_SEATS] {
        let part = usize::from(!PASSED);
        let mut scores = self.scores[part];
        let Change { old, new, mut gone, come, .. } = *change;
        let hand = 1 << (rules.shells - 1);
        if !evaluation.reads_chances {
            let planes = before.planes();
            while gone != 0 {
                let bit = gone.trailing_zeros();
                gone &= gone - 1;
                scores[0] -= evaluation.worth(height(&planes, bit), bit).here;
            }
            if come != 0 {
                scores[0] += evaluation.worth(change.height, come.trailing_zeros()).here;
            }
            return scores;
        }
        let weights = evaluation.weights();
        let mut chances = self.chances[part];
        let mut stacks = old & !hand;
        for stack in &self.own {
            if gone == 0 {
                break;
            }
            let lowest = stacks & stacks.wrapping_neg();
            stacks ^= lowest;
            if gone & lowest != 0 {
                gone ^= lowest;
                stack.count::<SEATS>(-1, part, &mut scores[0], &mut chances);
            }
        }
        let enemies: [u64; MAX_SEATS] = std::array::from_fn(|side| before.stacks(side));
        if come != 0 {
            let (height, bit) = (change.height, come.trailing_zeros());
            let killers = self.killers[height % 16];
            let stack = OwnStack::new::<SEATS>(evaluation, killers, enemies, height, bit);
            stack.count::<SEATS>(1, part, &mut scores[0], &mut chances);
        }
        let mut joins = 0;
        let mut rest = new & !hand;
        while rest != 0 {
            joins += chance_of_shifted(new >> 2 >> rest.trailing_zeros());
            rest &= rest - 1;
        }
        chances[0] += i64::from(weights.joins) * joins;
        let within_reach = within_reach(change.all) & !hand;
        let (mut hits, mut blocks) = (0, 0);
        for side in 1..SEATS {
            let mut rest = enemies[side] & within_reach;
            let mut loss = 0;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                let stack = &self.enemies[bit as usize % 64];
                let height = usize::from(stack.height % 16);
                let comes = if may_land(rules, change.height, height) { come } else { 0 };
                let killers = self.killers[height] & !change.all | comes;
                let (hit, blocked) = reach(new >> 2, killers >> 2, bit);
                hits += hit - i64::from(stack.hit);
                blocks += blocked - i64::from(stack.blocked);
                let worth = evaluation.worth(height, bit);
                let worth = if PASSED { worth.threatened } else { worth.exposed };
                let more = stack.chance::<SEATS, PASSED>(hit)
                    - stack.chance::<SEATS, PASSED>(stack.hit.into());
                loss += more * worth;
            }
            chances[side] += loss;
        }
        chances[0] += value_of_reach(weights, hits, blocks);
        for (score, chances) in scores.iter_mut().zip(chances).take(SEATS) {
            *score += chances.div_euclid(WHOLE);
        }
        scores
    }
}

impl OwnStack {
    /// What a stack of the side that moves is worth, of a height and at a bit.
    #[inline(always)]
    fn new<const SEATS: usize>(
        evaluation: &Evaluation,
        killers: u64,
        stacks: [u64; MAX_SEATS],
        height: usize,
        bit: u32,
    ) -> Self {
        let worth = evaluation.worth(height, bit);
        let (mut given, mut chance) = ([0; MAX_SEATS], 0);
        for enemy in 1..SEATS {
            let (hit, blocked) = reach(stacks[enemy] >> 2, killers >> 2, bit);
            given[enemy] = value_of_reach(evaluation.weights(), hit, blocked);
            chance = either(chance, hit);
        }
        // All enemies throw before it where the turn has passed, and otherwise after it.
        Self { here: worth.here, loss: [chance * worth.exposed, chance * worth.threatened], given }
    }

    /// Counts it so many times: once where it is there, and -1 times where it is no more.
    #[inline(always)]
    fn count<const SEATS: usize>(
        &self,
        times: i64,
        part: usize,
        score: &mut i64,
        chances: &mut [i64; MAX_SEATS],
    ) {
        *score += times * self.here;
        chances[0] += times * self.loss[part];
        for (chances, given) in chances[1..SEATS].iter_mut().zip(&self.given[1..SEATS]) {
            *chances += times * given;
        }
    }
}

/// Whether a stack of so many coins may land on an enemy stack of such a height.
#[inline(always)]
fn may_land(rules: &Rules, coins: usize, height: usize) -> bool {
    let forbidden = rules.nine_stack == NineStack::Forbidden && coins == usize::from(rules.coins);
    rules.kills(coins as u8, height as u8) && !forbidden
}

/// The chances that stacks hit the one at a bit, and that they reach it and may not land. The lowest bit of `stacks` and
/// `killers` is the distance 2 from bit 0.
#[inline(always)]
fn reach(stacks: u64, killers: u64, bit: u32) -> (i64, i64) {
    (chance_of_shifted((stacks & killers) >> bit), chance_of_shifted((stacks & !killers) >> bit))
}

/// What these chances are worth to the side that has them.
#[inline(always)]
fn value_of_reach(weights: &Weights, hits: i64, blocked: i64) -> i64 {
    i64::from(weights.hits) * hits + i64::from(weights.blocked) * blocked
}

/// The gaps that are 2 to 14 ahead of any of these.
#[inline(always)]
const fn within_reach(of: u64) -> u64 {
    let mut gaps = of >> 2;
    gaps |= gaps >> 1;
    gaps |= gaps >> 2;
    gaps |= gaps >> 4;
    gaps | gaps >> 5
}
