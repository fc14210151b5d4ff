//! The search that plays: [`AlphaBeta`].
//!
//! Alpha-beta with iterative deepening. Each deepening begins with the best action of the last; further actions are
//! first shown to be no better by a window of nothing (principal variation search). A [table](super::table) holds what
//! was found of positions that come again; a value from it counts only for exactly the depth asked for, so that it is
//! the value that would have been computed. Actions that lead to the same state are searched once. They are tried in
//! this order: the table's, those that gain, the most first, and the rest by how often they refuted anything (history).
//!
//! Measured and left out: two quiet actions that refuted a neighbour, tried before the rest (killers), for which the
//! history leaves less than 1 % of positions to save; and values of searches that went deeper than asked, which save as
//! little and make what is found depend on the table.

use sho_core::{ActionList, Game, Seat, Step};

use super::table::{Bound, Found, Table};
use super::{Before, Evaluate, MOST, Model, Tactics, WIN};

/// Where a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most turns that it looks ahead, not counting the takes it plays on with; at least 1.
    pub depth: u32,
    /// After so many positions it stops, in the middle of a depth too: what it has found there by then counts, as that
    /// depth began with the best action of the last. The first depth is always searched whole.
    pub nodes: u64,
}

/// The deepest search that can be asked for.
pub const MAX_DEPTH: u32 = 64;

impl Limits {
    /// So deep, however long it takes.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self { depth, nodes: u64::MAX }
    }

    /// So many positions.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self { depth: MAX_DEPTH, nodes }
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice<A> {
    /// The best action; of equals the first in the list.
    pub action: A,
    /// Its value.
    pub value: i32,
    /// The depth that was searched, whole or in part.
    pub depth: u32,
    /// The positions that were looked at, those after it included.
    pub nodes: u64,
}

/// One action while its position is searched.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The greater, the sooner it is tried: its order in the high half, and in the low one its place in the list, from
    /// above, since of equals the first is tried first.
    rank: u64,
    /// What it does, where that has to be known.
    effect: u64,
}

impl Candidate {
    const fn new(index: u32, order: u32) -> Self {
        Self { rank: (order as u64) << 32 | !index as u64, effect: 0 }
    }

    /// Its place in the list.
    const fn index(&self) -> u32 {
        !(self.rank as u32)
    }
}

// What orders a candidate, from above: the table's, those that gain, and history, whose counts are kept below.
const FROM_TABLE: u32 = u32::MAX;
const GAINS: u32 = 1 << 24;
const HISTORY_LIMIT: u32 = 1 << 23;

/// What a search keeps at one distance from its root.
#[derive(Clone, Debug)]
struct Level<G: Game> {
    actions: G::Actions,
    candidates: Vec<Candidate>,
}

impl<G: Game> Default for Level<G> {
    fn default() -> Self {
        Self { actions: G::Actions::default(), candidates: Vec::new() }
    }
}

/// The search that plays. A value of this type is its memory, which is kept from search to search only to save
/// allocations: each begins anew, so that a choice depends on nothing that was searched before.
#[derive(Clone, Debug)]
pub struct AlphaBeta<G: Tactics, V> {
    model: Model<V>,
    table: Option<Table>,
    levels: Vec<Level<G>>,
    /// How often the actions of a slot refuted a position, weighed by depth, by seat.
    history: [Vec<u32>; 2],
    nodes: u64,
    limit: u64,
    stopped: bool,
}

/// The table's size where nothing is said: 2^14 entries are 768 KiB, and every thread has its own.
pub const TABLE_BITS: u32 = 14;

impl<G: Tactics, V: Evaluate<G>> AlphaBeta<G, V> {
    /// A search with a table of `2^bits` entries, or without one.
    #[must_use]
    pub fn new(model: Model<V>, table_bits: Option<u32>) -> Self {
        Self {
            model,
            table: table_bits.map(Table::new),
            levels: Vec::new(),
            history: [vec![0; G::SLOTS], vec![0; G::SLOTS]],
            nodes: 0,
            limit: u64::MAX,
            stopped: false,
        }
    }

    /// The best action of a position in which `seat` decides. `before` are the positions of the game, this one
    /// included.
    ///
    /// # Panics
    /// If no action is due.
    pub fn search(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        before: &Before,
        limits: Limits,
    ) -> Choice<G::Action> {
        self.forget();
        let mut choice = None;
        for depth in 1..=limits.depth.clamp(1, MAX_DEPTH) {
            let Some((action, value)) = self.root(game, state, seat, before, depth, choice) else {
                break;
            };
            choice = Some(Choice { action, value, depth, nodes: self.nodes });
            self.limit = limits.nodes;
            // A win or loss that is nearer than the search is deep stays what it is.
            let decided = value.abs() > MOST && WIN - value.abs() <= depth as i32;
            if self.stopped || decided || self.nodes >= self.limit {
                break;
            }
        }
        let choice = choice.expect("a seat that decides has an action");
        Choice { nodes: self.nodes, ..choice }
    }

    /// What each legal action is worth to `seat`, in the promised order, in a position in which it decides, searched
    /// `depth` turns deep: at least 1 and at most [`MAX_DEPTH`]. The best of them, of equals the first, is what
    /// [`search`](Self::search) chooses at that depth.
    ///
    /// Each action is searched as if there were no other: so all values are exact, where a search for the best one alone
    /// leaves the others with bounds.
    ///
    /// # Panics
    /// If no action is due.
    pub fn action_values(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        before: &Before,
        depth: u32,
    ) -> Vec<(G::Action, i32)> {
        assert!(matches!(game.step(state), Step::Decide(_)), "no action is due in {state:?}");
        self.forget();
        let depth = depth.clamp(1, MAX_DEPTH);
        let mut actions = G::Actions::default();
        game.actions(state, &mut actions);
        let value = |action| {
            let mut next = state.clone();
            game.play_unchecked(&mut next, action);
            let value = self.node(game, &next, seat.next(2), before, 1, depth - 1, -WIN, WIN);
            (action, -value)
        };
        actions.iter().map(value).collect()
    }

    /// Forgets what was found before: a new search begins.
    fn forget(&mut self) {
        if let Some(table) = &mut self.table {
            table.forget();
        }
        self.history.iter_mut().for_each(|counts| counts.fill(0));
        (self.nodes, self.limit, self.stopped) = (0, u64::MAX, false);
    }

    /// Searches to one depth. Where it is stopped, what it has found by then: nothing before the first action is
    /// through.
    fn root(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        before: &Before,
        depth: u32,
        last: Option<Choice<G::Action>>,
    ) -> Option<(G::Action, i32)> {
        let mut level = self.take_level(0);
        game.actions(state, &mut level.actions);
        let first = last.and_then(|last| level.actions.iter().position(|a| a == last.action));
        self.list(game, &mut level, seat, first.map(|index| index as u32));
        let mut best: Option<(u32, i32)> = None;
        for place in 0..level.candidates.len() {
            let index = pick(&mut level.candidates, place).index();
            let mut next = state.clone();
            game.play_unchecked(&mut next, level.actions.get(index as usize));
            let value = |search: &mut Self, alpha: i32, beta: i32| {
                -search.node(game, &next, seat.next(2), before, 1, depth - 1, -beta, -alpha)
            };
            let (value, better) = match best {
                None => (value(self, -WIN, WIN), true),
                Some((best_index, best_value)) => {
                    // Of equals the first in the list.
                    let bar = best_value - i32::from(index < best_index);
                    let found = value(self, bar, bar + 1);
                    if found > bar && !self.stopped {
                        (value(self, bar, WIN), true)
                    } else {
                        (found, false)
                    }
                }
            };
            if self.stopped {
                break;
            }
            if better {
                best = Some((index, value));
            }
        }
        let best = best.map(|(index, value)| (level.actions.get(index as usize), value));
        self.levels[0] = level;
        // A deepening that was stopped in its first action leaves the choice as it was.
        best.or_else(|| last.map(|last| (last.action, last.value)))
    }

    fn take_level(&mut self, ply: usize) -> Level<G> {
        if self.levels.len() <= ply {
            self.levels.resize_with(ply + 1, Level::default);
        }
        std::mem::take(&mut self.levels[ply])
    }

    /// The value of a position to `seat`, if it lies between `alpha` and `beta`; otherwise a bound on that side of it.
    #[expect(clippy::too_many_arguments, reason = "they differ from call to call")]
    fn node(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        before: &Before,
        ply: usize,
        depth: u32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if !self.go_on() {
            return 0;
        }
        if game.step(state) == Step::Over {
            return self.model.over(game, state, seat, ply as u32);
        }
        let key = game.key(state);
        if before.contains(key) {
            return self.model.draw(ply as u32);
        }
        if depth == 0 {
            return self.quiet(game, state, seat, ply, alpha, beta);
        }
        let key = key | u128::from(game.clock(state, depth)) << KEY_BITS;
        let found = self.table.as_ref().and_then(|table| table.get(key));
        if let Some(found) = found.filter(|found| u32::from(found.depth) == depth) {
            let value = from_table(found.value, ply);
            let enough = match found.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= beta,
                Bound::AtMost => value <= alpha,
            };
            if enough {
                return value;
            }
        }
        let mut level = self.take_level(ply);
        game.actions(state, &mut level.actions);
        self.list(game, &mut level, seat, found.map(|found| found.best));
        let (mut best, mut best_index, mut bound) = (-WIN, 0, Bound::AtMost);
        for place in 0..level.candidates.len() {
            let index = pick(&mut level.candidates, place).index();
            let action = level.actions.get(index as usize);
            let mut next = state.clone();
            game.play_unchecked(&mut next, action);
            let value = |search: &mut Self, alpha: i32, beta: i32| {
                -search.node(game, &next, seat.next(2), before, ply + 1, depth - 1, -beta, -alpha)
            };
            let value = if place == 0 {
                value(self, alpha, beta)
            } else {
                let found = value(self, alpha, alpha + 1);
                if found > alpha && found < beta { value(self, alpha, beta) } else { found }
            };
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_index) = (value, index);
            }
            if value > alpha {
                (alpha, bound) = (value, Bound::Exact);
            }
            if value >= beta {
                bound = Bound::AtLeast;
                self.refuted(game, seat, action, depth);
                break;
            }
        }
        self.levels[ply] = level;
        if self.stopped {
            return 0;
        }
        if let Some(table) = &mut self.table {
            let value = to_table(best, ply);
            table.put(key, Found { value, bound, depth: depth as u8, best: best_index });
        }
        best
    }

    /// Counts a position, and says whether the search goes on to look at it.
    fn go_on(&mut self) -> bool {
        self.stopped |= self.nodes >= self.limit;
        self.nodes += u64::from(!self.stopped);
        !self.stopped
    }

    /// The same as a node where the depth is used up.
    fn quiet(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        let evaluation = &self.model.evaluation;
        if !self.model.quiescence {
            return evaluation.evaluate(game, state);
        }
        let mut best = -WIN;
        if game.may_decline() {
            best = evaluation.evaluate(game, state);
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut level = self.take_level(ply);
        game.noisy(state, &mut level.actions);
        self.list(game, &mut level, seat, None);
        if level.candidates.is_empty() && !game.may_decline() {
            best = self.model.evaluation.evaluate(game, state);
        }
        for place in 0..level.candidates.len() {
            let index = pick(&mut level.candidates, place).index();
            let mut next = state.clone();
            game.play_unchecked(&mut next, level.actions.get(index as usize));
            if !self.go_on() {
                break;
            }
            let value = if game.step(&next) == Step::Over {
                -self.model.over(game, &next, seat.next(2), ply as u32 + 1)
            } else {
                -self.quiet(game, &next, seat.next(2), ply + 1, -beta, -alpha)
            };
            best = best.max(value);
            alpha = alpha.max(value);
            if value >= beta {
                break;
            }
        }
        self.levels[ply] = level;
        best
    }

    /// Makes the candidates of a list of actions. `first` is the place of the one to be tried first.
    fn list(&self, game: &G, level: &mut Level<G>, seat: Seat, first: Option<u32>) {
        let Level { actions, candidates } = level;
        let history = &self.history[seat.index()];
        candidates.clear();
        // Only actions that gain more than once can lead to the same state as another.
        let mut alike = 0;
        candidates.extend((0..).zip(actions.iter()).map(|(index, action)| {
            let gain = game.gain(action);
            alike += u32::from(gain > 1);
            let order = if gain > 0 { GAINS + gain } else { history[game.slot(action)] };
            Candidate::new(index, order)
        }));
        if alike > 1 {
            for candidate in candidates.iter_mut() {
                candidate.effect = game.effect(actions.get(candidate.index() as usize));
            }
            candidates.sort_unstable_by_key(|candidate| (candidate.effect, candidate.index()));
            candidates.dedup_by_key(|candidate| candidate.effect);
        }
        if let Some(first) = first
            && let Some(found) = candidates.iter_mut().find(|other| other.index() == first)
        {
            *found = Candidate { effect: found.effect, ..Candidate::new(first, FROM_TABLE) };
        }
    }

    /// Remembers an action that refuted a position.
    fn refuted(&mut self, game: &G, seat: Seat, action: G::Action, depth: u32) {
        if game.gain(action) > 0 {
            return;
        }
        let counts = &mut self.history[seat.index()];
        let count = &mut counts[game.slot(action)];
        *count += depth * depth;
        if *count >= HISTORY_LIMIT {
            counts.iter_mut().for_each(|count| *count /= 2);
        }
    }
}

/// The bits of a key that [`Tactics::key`] uses.
const KEY_BITS: u32 = 112;

/// Brings the best of the candidates from `place` on to `place`: few are ever needed.
fn pick(candidates: &mut [Candidate], place: usize) -> Candidate {
    let mut best = place;
    for at in place + 1..candidates.len() {
        if candidates[at].rank > candidates[best].rank {
            best = at;
        }
    }
    candidates.swap(place, best);
    candidates[place]
}

/// Wins and losses are counted from the position in the table, and from the root in a search.
fn to_table(value: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    if value > MOST {
        value + ply
    } else if value < -MOST {
        value - ply
    } else {
        value
    }
}

fn from_table(value: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    if value > MOST {
        value - ply
    } else if value < -MOST {
        value + ply
    } else {
        value
    }
}
