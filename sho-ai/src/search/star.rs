//! Leaving out what cannot matter, with two seats and chance: [`Star`].
//!
//! A search of two seats asks for a value only as far as it lies between two bounds, as alpha-beta does. After a throw of
//! dice a bound on the mean becomes one on each line: what the lines that were searched came to is known, and what the
//! others can come to at most and at least is (Star1). To know that better, one answer to each throw is tried first
//! (Star2): the seat that answers gets that much at least. (B. Ballard, The *-minimax search procedure for trees
//! containing chance nodes, Artificial Intelligence 21, 1983; T. Hauk, M. Buro and J. Schaeffer, Rediscovering *-minimax
//! search, 2004.) All sums are integers, so bounds are exact.

use sho_core::{ActionList, Game, PerSeat, Seat, Step};

use super::expectimax::{Level, Search};
use crate::evaluate::Evaluate;

/// What may follow a throw.
#[derive(Clone, Debug)]
struct Line<G: Game> {
    /// The position after the throw.
    state: G::State,
    step: Step,
    ways: i64,
    /// Where its class stands among all.
    class: usize,
    /// The value lies from here to there.
    low: i64,
    high: i64,
    /// The action that was tried already, where it need not be tried again: its place in the list.
    tried: Option<usize>,
}

/// The lines from one throw, and what was the best answer to the same throw elsewhere.
#[derive(Clone, Debug)]
pub(super) struct Lines<G: Game> {
    lines: Vec<Line<G>>,
    /// By class of throw, and last for a decision without a throw.
    replies: Vec<Option<G::Action>>,
}

impl<G: Game> Default for Lines<G> {
    fn default() -> Self {
        Self { lines: Vec::new(), replies: Vec::new() }
    }
}

impl<G: Game> Lines<G> {
    /// A new search begins.
    pub(super) fn forget(&mut self) {
        self.replies.fill(None);
    }

    fn reply(&self, class: usize) -> Option<G::Action> {
        self.replies.get(class).copied().flatten()
    }

    fn remember(&mut self, class: usize, action: G::Action) {
        if self.replies.len() <= class {
            self.replies.resize(class + 1, None);
        }
        self.replies[class] = Some(action);
    }
}

/// The class of a decision before which nothing was thrown: above those of any throws.
const NO_THROW: usize = 32;

/// A search of two seats. Values are those of the seat at the root; the other gets the rest.
pub(super) struct Star<'a, 'b, G: Game, V>(pub(super) &'a mut Search<'b, G, V>);

impl<G: Game, V: Evaluate<G>> Star<'_, '_, G, V> {
    /// The value of a position after an action, or a throw that left nothing to choose, if it lies between `alpha` and
    /// `beta`; otherwise a bound on that side of it, beyond `alpha` or `beta` or at it.
    #[inline(always)]
    pub(super) fn after(
        &mut self,
        state: &G::State,
        left: u32,
        alpha: i64,
        beta: i64,
        levels: &mut [Level<G>],
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> i64 {
        if left == 0 {
            self.0.leaf(state, left, judge)[self.0.seat]
        } else {
            self.further(state, left, alpha, beta, levels, judge)
        }
    }

    /// The same where the search goes further, if the game does.
    fn further(
        &mut self,
        state: &G::State,
        left: u32,
        alpha: i64,
        beta: i64,
        levels: &mut [Level<G>],
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> i64 {
        let step = self.0.game.step(state);
        if step == Step::Over {
            return self.0.leaf(state, left, judge)[self.0.seat];
        }
        let (mut low, mut high) = (0, self.0.whole(left));
        if high <= alpha {
            return high;
        }
        let place = self.0.of_two.as_ref().map(|memory| memory.place(state, left));
        if let (Some(memory), Some(place)) = (&self.0.of_two, place)
            && let Some(found) = memory.get(place, state, left)
        {
            (low, high) = found;
            if low >= beta || low == high {
                return low;
            }
            if high <= alpha {
                return high;
            }
        }
        let mut judge = self.0.evaluation.near(self.0.game, state);
        let judge = &mut judge;
        let value = if let Step::Decide(seat) = step {
            let ways = self.0.ways;
            let (alpha, beta) = (alpha.div_euclid(ways), -(-beta).div_euclid(ways));
            ways * self.decide(state, seat, left - 1, alpha, beta, NO_THROW, None, levels, judge)
        } else {
            self.throw(state, left, alpha, beta, levels, judge)
        };
        if let (Some(memory), Some(place), false) = (&mut self.0.of_two, place, self.0.stopped) {
            if value > alpha {
                low = low.max(value);
            }
            if value < beta {
                high = high.min(value);
            }
            memory.put(place, state, left, (low, high));
        }
        value
    }

    /// The mean over all throws, as a sum.
    fn throw(
        &mut self,
        state: &G::State,
        left: u32,
        alpha: i64,
        beta: i64,
        levels: &mut [Level<G>],
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> i64 {
        let whole = self.0.whole(left - 1);
        let (level, _) = levels.split_first_mut().expect("there is a level for each ply");
        // Lines are taken out while those of deeper levels are made; their memory comes back at the end.
        let mut lines = std::mem::take(&mut level.lines.lines);
        lines.clear();
        let mut known = 0;
        for (class, found) in self.0.game.outcome_classes(state).enumerate() {
            let (ways, step) = (found.ways.into(), Step::Over);
            let state = state.clone();
            lines.push(Line { state, step, ways, class, low: 0, high: whole, tried: None });
            let line = lines.last_mut().expect("it was just put there");
            self.0.game.cast_unchecked(&mut line.state, found.outcome);
            line.step = self.0.game.step(&line.state);
            if !matches!(line.step, Step::Decide(_)) {
                // What need not be chosen comes first: it is known at once, and narrows the bounds of all others.
                lines[known..].rotate_right(1);
                known += 1;
            }
        }
        let mut sums = Sums { low: 0, high: self.0.whole(left) };
        let value = self
            .probe(&mut lines, left, alpha, beta, &mut sums, levels, judge)
            .unwrap_or_else(|| self.all(&mut lines, left, alpha, beta, sums, levels, judge));
        levels[0].lines.lines = lines;
        value
    }

    /// Tries one answer to each throw, and returns a bound where that is enough. Where there is only one, or nothing to
    /// choose, the line is known.
    #[expect(clippy::too_many_arguments, reason = "they differ from call to call")]
    fn probe(
        &mut self,
        lines: &mut [Line<G>],
        left: u32,
        alpha: i64,
        beta: i64,
        sums: &mut Sums,
        levels: &mut [Level<G>],
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> Option<i64> {
        let own = self.0.seat;
        for line in lines {
            let (bar, roof) = sums.bounds(line, alpha, beta);
            let (level, below) = levels.split_first_mut().expect("there is a level for each ply");
            let (low, high) = if let Step::Decide(seat) = line.step {
                // An answer of the other seat shows that the value is no higher, one of the own that it is no lower.
                let may_do = if seat == own { beta <= self.0.whole(left) } else { alpha >= 0 };
                if !may_do || !self.0.devices.star2 {
                    continue;
                }
                self.0.game.actions(&line.state, &mut level.actions);
                let first = first_of(level, line.class, self.0.devices.replies);
                line.tried = Some(first);
                let mut next = line.state.clone();
                self.0.game.play_unchecked(&mut next, level.actions.get(first));
                let only = level.actions.len() == 1;
                // Beyond the bounds the answer is a bound itself. Either that is enough for the sum, or the line is taken
                // for less than it may be worth where any more would change nothing.
                let value = self.after(&next, left - 1, bar, roof, below, judge);
                match (only, seat == own) {
                    (true, _) => (value, value),
                    (false, true) => (value, line.high),
                    (false, false) => (line.low, value),
                }
            } else {
                let value = self.after(&line.state, left - 1, bar, roof, below, judge);
                (value, value)
            };
            if self.0.stopped {
                return Some(0);
            }
            sums.narrow(line, low, high);
            if sums.high <= alpha {
                return Some(sums.high);
            }
            if sums.low >= beta {
                return Some(sums.low);
            }
        }
        None
    }

    /// Searches all lines, until it is known that the sum lies beyond a bound.
    #[expect(clippy::too_many_arguments, reason = "they differ from call to call")]
    fn all(
        &mut self,
        lines: &mut [Line<G>],
        left: u32,
        alpha: i64,
        beta: i64,
        mut sums: Sums,
        levels: &mut [Level<G>],
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> i64 {
        for line in lines.iter_mut().filter(|line| line.low < line.high) {
            let (bar, roof) = sums.bounds(line, alpha, beta);
            let Step::Decide(seat) = line.step else { continue };
            let value = self.decide(
                &line.state,
                seat,
                left - 1,
                bar,
                roof,
                line.class,
                Some(line),
                levels,
                judge,
            );
            if self.0.stopped {
                return 0;
            }
            if value <= bar {
                return sums.high - line.ways * (line.high - value);
            }
            if value >= roof {
                return sums.low + line.ways * (value - line.low);
            }
            sums.narrow(line, value, value);
        }
        sums.low
    }

    /// The value of the action that is best for the seat that decides, if it lies between `alpha` and `beta`; otherwise a
    /// bound.
    #[expect(clippy::too_many_arguments, reason = "they differ from call to call")]
    fn decide(
        &mut self,
        state: &G::State,
        seat: Seat,
        left: u32,
        mut alpha: i64,
        mut beta: i64,
        class: usize,
        line: Option<&Line<G>>,
        levels: &mut [Level<G>],
        judge: &mut impl FnMut(&G::State) -> PerSeat<i64>,
    ) -> i64 {
        let (level, below) = levels.split_first_mut().expect("there is a level for each ply");
        self.0.game.actions(state, &mut level.actions);
        let own = seat == self.0.seat;
        let tried = line.and_then(|line| line.tried);
        let first = tried.unwrap_or_else(|| first_of(level, class, self.0.devices.replies));
        let mut best = if own { -1 } else { self.0.whole(left) + 1 };
        let mut best_action = None;
        // The first, then the others in the order of the list.
        let others = (0..level.actions.len()).filter(|&index| index != first);
        for index in std::iter::once(first).chain(others) {
            let action = level.actions.get(index);
            let value = match line {
                Some(line) if tried == Some(index) => {
                    if own {
                        line.low
                    } else {
                        line.high
                    }
                }
                _ => {
                    let mut next = state.clone();
                    self.0.game.play_unchecked(&mut next, action);
                    self.after(&next, left, alpha, beta, below, judge)
                }
            };
            if self.0.stopped {
                return 0;
            }
            if best_action.is_none() || if own { value > best } else { value < best } {
                (best, best_action) = (value, Some(action));
            }
            if own {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        if let Some(action) = best_action.filter(|_| self.0.devices.replies) {
            level.lines.remember(class, action);
        }
        best
    }
}

/// The place of the action to be tried first: what was the best answer to the same throw elsewhere, if it is one here.
fn first_of<G: Game>(level: &Level<G>, class: usize, replies: bool) -> usize {
    let reply = level.lines.reply(class).filter(|_| replies);
    let place = |reply| level.actions.iter().position(|action| action == reply);
    reply.and_then(place).unwrap_or(0)
}

/// What the sum over all throws is at least and at most.
#[derive(Clone, Copy, Debug)]
struct Sums {
    low: i64,
    high: i64,
}

impl Sums {
    /// The value of a line is now known to lie from `low` to `high`.
    fn narrow<G: Game>(&mut self, line: &mut Line<G>, low: i64, high: i64) {
        self.low += line.ways * (low - line.low);
        self.high -= line.ways * (line.high - high);
        (line.low, line.high) = (low, high);
    }

    /// The most a line may come to that brings the sum to `alpha` at most, whatever the others come to, and the least that
    /// brings it to `beta` at least. The first is below the second, and -1 or more: no value is less than 0.
    fn bounds<G: Game>(&self, line: &Line<G>, alpha: i64, beta: i64) -> (i64, i64) {
        let low = self.low - line.ways * line.low;
        let high = self.high - line.ways * line.high;
        let bar = (alpha - high).div_euclid(line.ways).max(-1);
        (bar, -(low - beta).div_euclid(line.ways))
    }
}
