//! The search that plays games of chance: [`Expectimax`].
//!
//! It looks some plies ahead. **A ply is a decision, with the throw before it where one is due**, whoever throws and
//! decides: a throw earned in the middle of a turn is no exception, and forced decisions are none. A throw that leaves
//! nothing to choose (nothing fits, or a pa ra after which the side throws again) is a whole ply. So a search of depth 1
//! judges the positions right after each action, one of depth 2 those after each throw that follows and each answer to
//! it, and no line has more throws than plies.
//!
//! Each seat takes what is best for itself (max^n), of equals the first in the list. Values are exact: no mean over
//! throws is ever rounded, as it is kept as a sum in units that are 36 times smaller for each ply that is left. With two
//! seats the values of both sum to the same, and what cannot matter is left out (Star1 and Star2); a choice and its
//! value are those of the [plain](super::plain) search all the same.

mod lines;

pub use lines::{ActionValues, ThrowValue, ThrowValues};

use std::ops::ControlFlow;

use sho_core::{ActionList, Game, PerSeat, Seat, Step, Stream};

use super::alphabeta::Limits;
use super::memory::Memory;
use super::star::{Lines, Star};
use crate::evaluate::{CERTAIN, Evaluate, value_by};
use crate::policy::{Decision, Policy};

/// The deepest search that can be asked for: its values are still exact in 64 bits, for chance with 36 ways.
pub const MAX_DEPTH: u32 = 8;

/// The positions remembered where nothing is said, as a power of two: some 150 bytes each in Sho.
pub const MEMORY_BITS: u32 = 10;

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<A> {
    /// The best action; of equals the first in the list.
    pub action: A,
    /// What it is worth to each seat, of `whole`.
    pub values: PerSeat<i64>,
    /// The sum of the values: the payoff of a whole win in the units of a search of this depth.
    pub whole: i64,
    /// The depth that was searched, whole or in part.
    pub depth: u32,
    /// The positions that were judged, by the evaluation or because the game is over there.
    pub leaves: u64,
}

/// Which devices a search uses. None of them changes what it finds, only how long that takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Devices {
    /// With two seats: whether lines that cannot matter are left out (Star1).
    pub star1: bool,
    /// With two seats: whether one answer to each throw is tried before all answers to any (Star2). It needs `star1`.
    pub star2: bool,
    /// With two seats: whether the best answer to the same throw elsewhere is tried first.
    pub replies: bool,
    /// How many positions are remembered, as a power of two, where the number of nodes is not limited. Which of two
    /// stays hangs on the layout of bytes in a state, which may be another on another platform: no choice may hang on it.
    pub memory: Option<u32>,
}

impl Default for Devices {
    fn default() -> Self {
        Self { star1: true, star2: true, replies: true, memory: Some(MEMORY_BITS) }
    }
}

/// What a search keeps at one distance from its root.
#[derive(Clone, Debug)]
pub(super) struct Level<G: Game> {
    pub(super) actions: G::Actions,
    pub(super) lines: Lines<G>,
}

impl<G: Game> Default for Level<G> {
    fn default() -> Self {
        Self { actions: G::Actions::default(), lines: Lines::default() }
    }
}

/// A bot that looks ahead as far as its limits say, in the engine that it is given. It draws nothing.
///
/// It looks at positions alone: a draw by repetition, in a game that has one, is not foreseen.
///
/// A value of this type is also the memory of the search, which is kept from search to search only to save
/// allocations: each begins anew, so that a choice depends on nothing that was searched before.
///
/// # Examples
/// A bot of Sho that counts coins at home, three plies deep:
/// ```
/// use sho_ai::{CERTAIN, Evaluate};
/// use sho_ai::search::alphabeta::Limits;
/// use sho_ai::search::expectimax::Expectimax;
/// use sho_core::sho::{Engine, Rules, Sho};
/// use sho_core::{Game, Notation, PerSeat};
///
/// struct Home;
///
/// impl<E: Engine> Evaluate<E> for Home {
///     fn evaluate(&self, game: &E, state: &E::State) -> PerSeat<i64> {
///         let setup = game.setup(state);
///         let homes: i64 = setup.sides.iter(2).map(|(_, side)| 1 + i64::from(side.home)).sum();
///         let mut values = PerSeat::default();
///         values[setup.mover] = (1 + i64::from(setup.sides[setup.mover].home)) * CERTAIN / homes;
///         let other = setup.mover.next(2);
///         values[other] = CERTAIN - values[setup.mover];
///         values
///     }
/// }
///
/// let mut rules = Rules::lhasa();
/// rules.sides = 2;
/// let game = Sho::new(rules)?;
/// let state = game.parse_state("0+7:30x1,60x1/0+5:20x4 A move 5 0 90")?;
/// let choice = Expectimax::new(Limits::depth(3), Home).search(&game, &state);
/// assert_eq!(game.action_text(&state, choice.action), "60>home");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expectimax<G: Game, V> {
    evaluation: V,
    limits: Limits,
    devices: Devices,
    levels: Vec<Level<G>>,
    /// The actions of the root, each with how good it looked when it was last searched.
    candidates: Vec<(i64, usize)>,
    of_all: Option<Memory<G::State, PerSeat<i64>>>,
    of_two: Option<Memory<G::State, (i64, i64)>>,
}

impl<G: Game, V: Evaluate<G>> Expectimax<G, V> {
    /// A bot that looks so far ahead and judges what it sees by this evaluation.
    ///
    /// Its depth is at least 1 and at most [`MAX_DEPTH`], whatever the limits say. Where the nodes are limited, it searches
    /// to depth 1 whole, then to depth 2 and so on, and stops after so many positions that were judged, in the middle of a
    /// depth too: what it has found there by then counts, as each depth begins with the best action of the last.
    pub fn new(limits: Limits, evaluation: V) -> Self {
        Self::with_devices(limits, evaluation, Devices::default())
    }

    /// The same with a choice of devices, to measure what they are worth.
    pub fn with_devices(limits: Limits, evaluation: V, devices: Devices) -> Self {
        Self {
            evaluation,
            limits,
            devices,
            levels: Vec::new(),
            candidates: Vec::new(),
            of_all: None,
            of_two: None,
        }
    }

    /// The best action of a position in which an action is due.
    ///
    /// # Panics
    /// If no action is due.
    pub fn search(&mut self, game: &G, state: &G::State) -> Choice<G::Action> {
        let Step::Decide(seat) = game.step(state) else {
            panic!("no action is due in {state:?}");
        };
        let nodes = self.limits.nodes;
        let deepest = deepest(game, self.limits.depth);
        let Begun { mut search, levels, candidates, two } = self.begin(game, seat, deepest);
        let (root, below) = levels.split_first_mut().expect("there is a level for each ply");
        game.actions(state, &mut root.actions);
        candidates.clear();
        candidates.extend((0..root.actions.len()).map(|index| (0, index)));
        // Each depth puts the actions in order for the next. That pays where lines are left out, or time may be up.
        let first = if two || nodes < u64::MAX { 1 } else { deepest };
        let mut choice = None;
        for depth in first..=deepest {
            let found = search.root(state, &root.actions, candidates, below, depth, two, choice);
            choice = Some(found);
            search.limit = nodes;
            if search.stopped || search.leaves >= search.limit {
                break;
            }
        }
        let choice = choice.expect("the first depth is searched whole");
        Choice { leaves: search.leaves, ..choice }
    }

    /// A new search from the point of view of `seat`, and room for so many plies.
    fn begin<'a>(&'a mut self, game: &'a G, seat: Seat, depth: u32) -> Begun<'a, G, V> {
        let two = game.seats() == 2 && self.devices.star1;
        if self.levels.len() <= depth as usize {
            self.levels.resize_with(depth as usize + 1, Level::default);
        }
        self.levels.iter_mut().for_each(|level| level.lines.forget());
        let bits = self.devices.memory.filter(|_| self.limits.nodes == u64::MAX);
        if two {
            self.of_two = self.of_two.take().or_else(|| bits.map(Memory::new));
            self.of_two.iter_mut().for_each(Memory::forget);
        } else {
            self.of_all = self.of_all.take().or_else(|| bits.map(Memory::new));
            self.of_all.iter_mut().for_each(Memory::forget);
        }
        let search = Search {
            game,
            evaluation: &self.evaluation,
            devices: self.devices,
            ways: i64::from(game.ways()).max(1),
            seat,
            leaves: 0,
            limit: u64::MAX,
            stopped: false,
            of_all: self.of_all.as_mut(),
            of_two: self.of_two.as_mut(),
        };
        Begun { search, levels: &mut self.levels, candidates: &mut self.candidates, two }
    }
}

/// A search that has forgotten the last one, and its buffers.
struct Begun<'a, G: Game, V> {
    search: Search<'a, G, V>,
    levels: &'a mut [Level<G>],
    candidates: &'a mut Vec<(i64, usize)>,
    /// Whether lines that cannot matter are left out.
    two: bool,
}

impl<G: Game, V: Evaluate<G>> Policy<G> for Expectimax<G, V> {
    fn choose(&mut self, decision: Decision<'_, G>, _: &mut Stream) -> G::Action {
        if decision.actions.len() == 1 {
            return decision.actions.get(0);
        }
        self.search(decision.game, decision.state).action
    }

    fn is_trusted(&self) -> bool {
        true
    }
}

/// The depth that was asked for, from 1 to [`MAX_DEPTH`], or where chance has more ways than two dice as many plies as
/// values are exact for: a quarter of the range is left for differences of bounds.
fn deepest<G: Game>(game: &G, depth: u32) -> u32 {
    let fits = |depth: u32| {
        let whole = i64::from(game.ways()).max(1).checked_pow(depth - 1);
        whole.and_then(|units| units.checked_mul(4 * CERTAIN)).is_some()
    };
    (1..=depth.clamp(1, MAX_DEPTH)).take_while(|&depth| fits(depth)).last().unwrap_or(1)
}

/// One search while it runs.
pub(super) struct Search<'a, G: Game, V> {
    pub(super) game: &'a G,
    pub(super) evaluation: &'a V,
    pub(super) devices: Devices,
    /// The ways of chance, and how much smaller units get by each ply that is left.
    pub(super) ways: i64,
    /// The seat that decides at the root.
    pub(super) seat: Seat,
    leaves: u64,
    limit: u64,
    pub(super) stopped: bool,
    of_all: Option<&'a mut Memory<G::State, PerSeat<i64>>>,
    pub(super) of_two: Option<&'a mut Memory<G::State, (i64, i64)>>,
}

impl<G: Game, V: Evaluate<G>> Search<'_, G, V> {
    /// The payoff of a whole win in the units that hold with so many plies left.
    pub(super) fn whole(&self, left: u32) -> i64 {
        CERTAIN * self.ways.pow(left)
    }

    /// Searches to one depth, the most promising actions first. Where it is stopped, what it has found by then, or else
    /// what was found before.
    #[expect(clippy::too_many_arguments, reason = "they are parts of what is borrowed elsewhere")]
    fn root(
        &mut self,
        state: &G::State,
        actions: &G::Actions,
        candidates: &mut [(i64, usize)],
        below: &mut [Level<G>],
        depth: u32,
        two: bool,
        last: Option<Choice<G::Action>>,
    ) -> Choice<G::Action> {
        let left = depth - 1;
        candidates.sort_unstable_by_key(|&(value, index)| (std::cmp::Reverse(value), index));
        let mut best: Option<(usize, PerSeat<i64>)> = None;
        for (order, index) in candidates.iter_mut() {
            let mut next = state.clone();
            self.game.play_unchecked(&mut next, actions.get(*index));
            // What is worth more than the bar is better than the best so far: of equals the first in the list is.
            let bar =
                best.map_or(-1, |(best, values)| values[self.seat] - i64::from(*index < best));
            let values = self.above(&next, left, bar, two, below);
            if self.stopped {
                break;
            }
            *order = values[self.seat];
            if values[self.seat] > bar {
                best = Some((*index, values));
            }
        }
        let found = best.map(|(index, values)| {
            let action = actions.get(index);
            Choice { action, values, whole: self.whole(left), depth, leaves: self.leaves }
        });
        found.or(last).expect("the first depth is searched whole")
    }

    /// The values of a position after an action or a throw at the root; with two seats only as far as they are above
    /// `bar` for the seat at the root, and otherwise a bound that is not. A bar of -1 leaves nothing out.
    fn above(
        &mut self,
        state: &G::State,
        left: u32,
        bar: i64,
        two: bool,
        below: &mut [Level<G>],
    ) -> PerSeat<i64> {
        let (game, evaluation) = (self.game, self.evaluation);
        let mut judge = |state: &G::State| evaluation.evaluate(game, state);
        if !two {
            return self.after(state, left, below, &mut judge);
        }
        let whole = self.whole(left);
        let value = Star(self).after(state, left, bar, whole + 1, below, &mut judge);
        let mut values = PerSeat::default();
        values[self.seat.next(2)] = whole - value;
        values[self.seat] = value;
        values
    }

    /// The values of a position where the search goes no further, by `judge` where it is not over.
    pub(super) fn leaf(
        &mut self,
        state: &G::State,
        left: u32,
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> PerSeat<i64> {
        self.stopped |= self.leaves >= self.limit;
        if self.stopped {
            return PerSeat::default();
        }
        self.leaves += 1;
        let values = value_by(self.game, state, judge);
        if left == 0 { values } else { times(values, self.ways.pow(left)) }
    }

    /// The values of a position after an action, or a throw that left nothing to choose. `judge` says what it is worth if
    /// the search goes no further.
    #[inline(always)]
    fn after(
        &mut self,
        state: &G::State,
        left: u32,
        levels: &mut [Level<G>],
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> PerSeat<i64> {
        if left == 0 {
            self.leaf(state, left, judge)
        } else {
            self.further(state, left, levels, judge)
        }
    }

    /// The same where the search does go further, if the game does.
    fn further(
        &mut self,
        state: &G::State,
        left: u32,
        levels: &mut [Level<G>],
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> PerSeat<i64> {
        let step = self.game.step(state);
        if step == Step::Over {
            return self.leaf(state, left, judge);
        }
        let place = self.of_all.as_ref().map(|memory| memory.place(state, left));
        if let (Some(memory), Some(place)) = (&self.of_all, place)
            && let Some(found) = memory.get(place, state, left)
        {
            return found;
        }
        let mut judge = self.evaluation.near(self.game, state);
        let values = if let Step::Decide(seat) = step {
            times(self.best(state, seat, left - 1, levels, &mut judge), self.ways)
        } else {
            let mut sum = PerSeat::<i64>::default();
            for class in self.game.outcome_classes(state) {
                let mut next = state.clone();
                self.game.cast_unchecked(&mut next, class.outcome);
                let values = match self.game.step(&next) {
                    Step::Decide(seat) => self.best(&next, seat, left - 1, levels, &mut judge),
                    _ => self.after(&next, left - 1, levels, &mut judge),
                };
                if self.stopped {
                    return values;
                }
                let ways = i64::from(class.ways);
                sum = PerSeat::from_fn(|seat| sum[seat] + ways * values[seat]);
            }
            sum
        };
        if let (Some(memory), Some(place), false) = (&mut self.of_all, place, self.stopped) {
            memory.put(place, state, left, values);
        }
        values
    }

    /// The values of the action that is best for the seat that decides.
    fn best(
        &mut self,
        state: &G::State,
        seat: Seat,
        left: u32,
        levels: &mut [Level<G>],
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> PerSeat<i64> {
        let (level, below) = levels.split_first_mut().expect("there is a level for each ply");
        self.game.actions(state, &mut level.actions);
        let whole = self.whole(left);
        let mut best = PerSeat::default();
        let mut value = -1;
        let _ = level.actions.iter().try_for_each(|action| {
            let mut next = state.clone();
            self.game.play_unchecked(&mut next, action);
            let values = self.after(&next, left, below, judge);
            if values[seat] > value {
                (best, value) = (values, values[seat]);
            }
            // Nothing is better than a win.
            let done = value == whole || self.stopped;
            if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best
    }
}

fn times(values: PerSeat<i64>, factor: i64) -> PerSeat<i64> {
    PerSeat::from_fn(|seat| values[seat] * factor)
}
