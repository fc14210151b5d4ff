//! The legal actions of a compact state, all at once where that is possible.

use alloc::vec::Vec;

use super::action::{Action, Landing};
use super::game::Sho;
use super::gap::Gap;
use super::rules::{GoingHome, Kill, NineStack, OpeningClash};
use super::setup::Opening;
use super::state::{Due, State};
use super::values::Values;
use crate::game::ActionList;
use crate::seat::MAX_SEATS;

/// The legal actions of a [`State`].
///
/// In almost all positions one distance is to be played by one of several sources: then the actions are a set of bits.
/// Where several values wait they are one set for each distance, and elsewhere (openings, pairs, six-threes) a list.
/// The memory of both is used again.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// The sources of the one distance, or 0.
    sources: u64,
    /// The gap number of bit 0.
    last_gap: u8,
    distance: u8,
    spent: Values,
    /// Where several values wait: each distance with the sources that may go it, in the order of the action list.
    distances: Vec<Distance>,
    /// How many actions those are.
    by_distance: usize,
    /// What comes after them.
    list: Vec<Action>,
}

/// A sub-multiset of the waiting values, and what may be done with it.
#[derive(Clone, Copy, Debug)]
struct Distance {
    sum: u8,
    spent: Values,
    sources: u64,
}

impl Actions {
    fn action(&self, bit: u32, distance: u8, spent: Values) -> Action {
        match Gap::new(self.last_gap - bit as u8) {
            Some(from) => Action::Move { from, distance, spent },
            None => Action::Enter { distance, spent },
        }
    }

    /// The actions of several distances: by source, the hand first at the highest bit, then by distance.
    fn iter_by_distance(&self) -> impl Iterator<Item = Action> + '_ {
        let distances = if self.by_distance > 0 { self.distances.as_slice() } else { &[] };
        let mut all = distances.iter().fold(0, |all, distance| all | distance.sources);
        let bits = core::iter::from_fn(move || {
            (all != 0).then(|| {
                let bit = highest(all);
                all ^= 1 << bit;
                bit
            })
        });
        bits.flat_map(move |bit| {
            let here = distances.iter().filter(move |distance| distance.sources >> bit & 1 == 1);
            here.map(move |distance| self.action(bit, distance.sum, distance.spent))
        })
    }

    /// Number `index` of the actions of several distances.
    #[cold]
    #[inline(never)]
    fn get_by_distance(&self, mut index: usize) -> Action {
        let mut all = self.distances.iter().fold(0, |all, distance| all | distance.sources);
        loop {
            let bit = highest(all);
            for distance in &self.distances {
                if distance.sources >> bit & 1 == 1 {
                    if index == 0 {
                        return self.action(bit, distance.sum, distance.spent);
                    }
                    index -= 1;
                }
            }
            all ^= 1 << bit;
        }
    }
}

/// The highest bit of a set that is not empty.
#[inline(always)]
pub(super) const fn highest(set: u64) -> u32 {
    63 ^ (set | 1).leading_zeros()
}

impl ActionList for Actions {
    type Action = Action;

    #[inline]
    fn len(&self) -> usize {
        if self.sources != 0 {
            self.sources.count_ones() as usize
        } else {
            self.by_distance + self.list.len()
        }
    }

    #[inline]
    fn get(&self, index: usize) -> Action {
        if self.sources == 0 {
            if index < self.by_distance {
                return self.get_by_distance(index);
            }
            return self.list[index - self.by_distance];
        }
        // The hand comes first, at the highest bit, then the gaps rising.
        let mut rest = self.sources;
        for _ in 0..index {
            rest ^= 1 << highest(rest);
        }
        self.action(highest(rest), self.distance, self.spent)
    }

    #[inline]
    fn iter(&self) -> impl Iterator<Item = Action> + '_ {
        let mut rest = self.sources;
        let set = core::iter::from_fn(move || {
            (rest != 0).then(|| {
                let bit = highest(rest);
                rest ^= 1 << bit;
                self.action(bit, self.distance, self.spent)
            })
        });
        // Where the set has actions the others have none.
        set.chain(self.iter_by_distance()).chain(self.list.iter().copied())
    }
}

/// What lands: how many coins, where, and whether they come as an opening or by a six-three.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub(super) coins: u8,
    /// The gap's bit.
    pub(super) target: u64,
    pub(super) landing: Landing,
}

impl Sho {
    /// The legal actions, in the promised order.
    #[inline]
    pub(super) fn fill(&self, state: &State, into: &mut Actions) {
        into.sources = state.legal;
        into.last_gap = self.rules.shells - 1;
        into.by_distance = 0;
        into.list.clear();
        if state.legal != 0 {
            // One value waits, or a left-over is to be used, which spends none.
            into.spent = if state.left_over > 0 { Values::NONE } else { state.waiting.values() };
            into.distance = state.distance;
        } else {
            self.fill_list(state, into);
        }
    }

    #[inline]
    fn fill_list(&self, state: &State, into: &mut Actions) {
        match state.due {
            Due::Throw | Due::Over => {}
            // A left-over has one distance; where `legal` is 0, no source.
            Due::Move if state.left_over > 0 => {}
            Due::Pair => {
                into.list.extend(self.pair(state));
                into.list.push(Action::Again);
            }
            Due::Move => self.fill_from_waiting(state, into),
        }
    }

    /// The actions where several values wait, where the mover is opening, or where a six-three is possible.
    fn fill_from_waiting(&self, state: &State, into: &mut Actions) {
        let Actions { list, distances, by_distance, .. } = into;
        list_distances(state.waiting.values(), distances);
        if state.sides.is_opening() {
            let opens = distances
                .iter()
                .map(|&Distance { sum, spent, .. }| Action::Open { distance: sum, spent });
            list.extend(opens.filter(|&open| self.arrival(state, open).is_some()));
        } else {
            for distance in distances.iter_mut() {
                distance.sources = self.sources(state, distance.sum.into());
                *by_distance += distance.sources.count_ones() as usize;
            }
        }
        if self.six_three(state) {
            list.push(Action::SixThree);
        }
    }

    /// How many actions are legal, without a list of them.
    pub(super) fn count(&self, state: &State) -> u64 {
        if state.legal != 0 {
            return state.legal.count_ones().into();
        }
        match state.due {
            Due::Throw | Due::Over => 0,
            Due::Pair => u64::from(self.pair(state).is_some()) + 1,
            Due::Move if state.left_over > 0 => 0,
            Due::Move => {
                let subsets = state.waiting.values().subsets();
                let ordinary = if state.sides.is_opening() {
                    let open = |spent: Values| Action::Open { distance: spent.sum() as u8, spent };
                    subsets.filter(|&spent| self.arrival(state, open(spent)).is_some()).count()
                        as u64
                } else {
                    subsets
                        .map(|spent| u64::from(self.sources(state, spent.sum()).count_ones()))
                        .sum()
                };
                ordinary + u64::from(self.six_three(state))
            }
        }
    }

    /// Whether any action is legal in phase `move` without a left-over: the same question as [`fill_from_waiting`],
    /// asked without a list.
    #[inline]
    pub(super) fn any_from_waiting(&self, state: &State) -> bool {
        if self.six_three(state) {
            return true;
        }
        let values = state.waiting.values();
        if state.sides.is_opening() {
            let open = |spent: Values| Action::Open { distance: spent.sum() as u8, spent };
            return values.subsets().any(|spent| self.arrival(state, open(spent)).is_some());
        }
        // As a rule a single value will do.
        values.distinct().any(|(value, _)| self.sources(state, value.into()) != 0)
            || values.subsets().any(|spent| self.sources(state, spent.sum()) != 0)
    }

    /// The stacks of the mover, and its hand, that may go this distance.
    #[inline]
    pub(super) fn sources(&self, state: &State, distance: u32) -> u64 {
        if distance >= u32::from(self.rules.shells) {
            return self.sources_past_the_board(state.stacks[0]);
        }
        let sources = sources_by_size(state, distance);
        if self.usual_landings {
            sources
        } else {
            self.sources_with_house_rules(state, sources, distance)
        }
    }

    /// A distance of `shells` or more passes the last shell from everywhere, and cannot be entered.
    #[cold]
    fn sources_past_the_board(&self, own: u64) -> u64 {
        match self.rules.going_home {
            GoingHome::AnyThrow => own & !self.hand,
            GoingHome::Exact => 0,
        }
    }

    /// Of the sources that the sizes alone allow, those that every house rule allows.
    #[cold]
    #[inline(never)]
    fn sources_with_house_rules(&self, state: &State, mut sources: u64, distance: u32) -> u64 {
        if self.only_alliances && self.leader(state).is_none() {
            return sources;
        }
        if self.rules.going_home == GoingHome::Exact {
            // Bit `distance - 1` lands just past the last shell; those below it overshoot.
            sources &= !0 << (distance - 1);
        }
        let mut legal = 0;
        while sources != 0 {
            let source = sources & sources.wrapping_neg();
            sources ^= source;
            let target = source >> distance;
            if target == 0 || self.landing(state, state.height(source), target, true).is_some() {
                legal |= source;
            }
        }
        legal
    }

    /// How `coins` of the mover come down on the gap `target`, or nothing where that is illegal.
    pub(super) fn landing(
        &self,
        state: &State,
        coins: u8,
        target: u64,
        may_kill: bool,
    ) -> Option<Landing> {
        let mut stack = coins;
        let landing = match state.owner(target) {
            None => Landing::Quiet,
            Some(0) => {
                stack += state.height(target);
                Landing::Join
            }
            Some(owner) => {
                let allied =
                    self.leader(state).is_some_and(|leader| leader != 0 && leader != owner);
                if !may_kill || allied || !self.rules.kills(coins, state.height(target)) {
                    return None;
                }
                Landing::Kill
            }
        };
        let forbidden = self.rules.nine_stack == NineStack::Forbidden && stack == self.rules.coins;
        (!forbidden).then_some(landing)
    }

    /// The side, counted from the mover, against which the others are allied.
    pub(super) fn leader(&self, state: &State) -> Option<usize> {
        if !self.alliances {
            return None;
        }
        let homes: [u8; MAX_SEATS] = core::array::from_fn(|side| state.sides.home(side));
        let most = homes.into_iter().max().filter(|&most| most >= 5)?;
        let mut leaders = homes.iter().enumerate().filter(|&(_, &home)| home == most);
        let leader = leaders.next()?.0;
        leaders.next().is_none().then_some(leader)
    }

    /// The coins of an opening, a pair or a six-three and how they come down, or nothing where it is illegal.
    pub(super) fn arrival(&self, state: &State, action: Action) -> Option<Arrival> {
        let distance = action.distance();
        if distance >= self.rules.shells {
            return None;
        }
        let target = self.hand >> distance;
        let hand = state.sides.hand(0);
        let (coins, may_kill) = match action {
            Action::Open { .. } => (self.opening_coins(state, distance, target).min(hand), true),
            Action::Pair => (2, true),
            Action::SixThree => (hand, self.rules.six_three_kills),
            Action::Enter { .. } | Action::Move { .. } | Action::Again => return None,
        };
        if coins > hand || coins == 0 {
            return None;
        }
        let landing = self.landing(state, coins, target, may_kill)?;
        Some(Arrival { coins, target, landing })
    }

    fn opening_coins(&self, state: &State, distance: u8, target: u64) -> u8 {
        let usual = if self.rules.opening_bonus.contains(distance) {
            self.rules.opening_coins.max(3)
        } else {
            self.rules.opening_coins
        };
        if state.fresh & target == 0 {
            return usual;
        }
        usual.max(match self.rules.opening_clash {
            OpeningClash::Three => 3,
            OpeningClash::OneMore => state.height(target) + 1,
        })
    }

    /// The action that enters the pair of a pa ra, where it is legal.
    pub(super) fn pair(&self, state: &State) -> Option<Action> {
        let action = if state.sides.is_opening() {
            Action::Open { distance: 2, spent: Values::one(2) }
        } else {
            Action::Pair
        };
        self.arrival(state, action).map(|_| action)
    }

    /// Whether the mover has the coins for a six-three, all in its hand.
    #[inline(always)]
    pub(super) fn may_bring_many(&self, state: &State) -> bool {
        state.stacks[0] & !self.hand == 0 && state.sides.hand(0) >= self.six_three_hand
    }

    /// Whether the six-three is legal.
    pub(super) fn six_three(&self, state: &State) -> bool {
        if state.waiting.six_threes() == 0 {
            return false;
        }
        self.may_bring_many(state)
            && state.sides.opening(0) != Opening::First
            && self.arrival(state, Action::SixThree).is_some()
    }
}

/// Puts the sub-multisets of the waiting values into `distances`, in the order of the action list, without sources.
fn list_distances(values: Values, distances: &mut Vec<Distance>) {
    distances.clear();
    if let Some((smaller, larger)) = values.pair() {
        // A pa ra and the throw after it: nearly every list that there is.
        let of = |sum, spent| Distance { sum, spent, sources: 0 };
        let (first, second) = (Values::one(smaller), Values::one(larger));
        return distances.extend_from_slice(&[
            of(smaller, first),
            of(larger, second),
            of(smaller + larger, values),
        ]);
    }
    for (value, count) in values.distinct() {
        // One of this value alone, beside each that is there already; then two, and so on.
        let mut from = 0..distances.len();
        let (mut sum, mut spent) = (0, Values::NONE);
        for _ in 0..count {
            (sum, spent) = (sum + value, spent.with(value));
            let end = distances.len();
            distances.push(Distance { sum, spent, sources: 0 });
            for index in from.clone() {
                let other = distances[index];
                let (sum, spent) = (other.sum + value, other.spent.with(value));
                distances.push(Distance { sum, spent, sources: 0 });
            }
            from = end + 1..distances.len();
        }
    }
    distances.sort_unstable_by_key(|distance| (distance.sum, distance.spent));
}

/// The sources of a distance on the board, where a stack may land on whatever is no bigger.
#[inline(always)]
fn sources_by_size(state: &State, distance: u32) -> u64 {
    sources_seldom_met(
        state.stacks[0],
        state.stacks[1] | state.stacks[2] | state.stacks[3],
        &state.planes,
        distance,
    )
}

/// The same for stacks whose heights stand in the planes given.
#[inline(always)]
pub(super) fn sources_within(own: u64, enemy: u64, planes: &[u64], distance: u32) -> u64 {
    // Bit by bit from the lowest plane: whether the stack at the target is bigger than the stack at the source, as the
    // borrow of source minus target. The hand's bit is no target, so it does not matter that every side has it.
    let mut bigger = 0;
    for plane in planes {
        let target = plane << distance;
        bigger = (!plane & target) | (bigger & !(plane & !target));
    }
    own & !(enemy << distance & bigger)
}

/// The same with a question before it: whether any enemy is so far ahead. Where bots kill what they can, one throw in twelve
/// finds one. Between random bots it is one in three, and not asking is quicker.
#[inline(always)]
pub(super) fn sources_seldom_met(own: u64, enemy: u64, planes: &[u64], distance: u32) -> u64 {
    if own & enemy << distance == 0 { own } else { sources_within(own, enemy, planes, distance) }
}

/// Whether landings are judged by sizes alone, but for an alliance.
pub(super) fn usual_sizes(rules: &super::rules::Rules) -> bool {
    rules.going_home == GoingHome::AnyThrow
        && rules.kill == Kill::EqualOrSmaller
        && rules.nine_stack == NineStack::Allowed
}
