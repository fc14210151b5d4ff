//! All positions of a small board, and what follows on each: [`Graph`].

use std::collections::{HashMap, VecDeque};
use std::hash::BuildHasherDefault;

use sho_core::sho::{Engine, Opening, Phase, Rules, Setup, Sho, State};
use sho_core::{ActionList, Game, Step, ThrowClass};

use super::OracleError;
use crate::search::memory::Mixer;

/// Where the mover has won.
pub(super) const WON: u32 = u32::MAX >> 1;

/// The bit of an edge after which the other side is to move.
pub(super) const OTHER: u32 = 1 << 31;

/// Positions as numbers from 0, the start first, in the order in which they were found; whoever is to move in one is "the
/// mover", whatever its seat.
#[derive(Debug)]
pub(super) struct Graph {
    rules: Rules,
    /// Each position's number by its key.
    numbers: HashMap<u64, u32, BuildHasherDefault<Mixer>>,
    /// Where the edges of each position begin, and at last where they end.
    first: Vec<u32>,
    /// The number of the position that follows, or [`WON`], with [`OTHER`] where the mover changes.
    edges: Vec<u32>,
    /// In how many of 36 ways each edge of a throw is taken, 0 for those of a decision.
    ways: Vec<u8>,
    /// The positions in the order of sweeps: those whose coins have come furthest first, and decisions before throws. Most
    /// of what follows on a position is then before it.
    order: Vec<u32>,
}

impl Graph {
    /// All positions that any play can reach.
    pub(super) fn new(game: &Sho, most: usize) -> Result<Self, OracleError> {
        let mut rules = *game.rules();
        // Keys know no number of throws; so far from the start no position is.
        rules.max_throws = u16::MAX;
        let game = Sho::new(rules)?;
        let mut graph = Self {
            rules,
            numbers: HashMap::default(),
            first: vec![0],
            edges: Vec::new(),
            ways: Vec::new(),
            order: Vec::new(),
        };
        let mut ranks = Vec::new();
        let mut waiting = VecDeque::new();
        graph.number(&game, &game.start(), &mut ranks, &mut waiting);
        let mut actions = Default::default();
        while let Some(state) = waiting.pop_front() {
            let begin = graph.edges.len();
            match game.step(&state) {
                Step::Chance(_) => {
                    for class in ThrowClass::ALL {
                        let mut next = state;
                        game.cast_unchecked(&mut next, class.throw);
                        let edge = graph.edge(&game, &state, &next, &mut ranks, &mut waiting);
                        graph.add(begin, edge, class.ways as u8);
                    }
                }
                Step::Decide(_) => {
                    game.actions(&state, &mut actions);
                    for action in actions.iter() {
                        let mut next = state;
                        game.play_unchecked(&mut next, action);
                        let edge = graph.edge(&game, &state, &next, &mut ranks, &mut waiting);
                        graph.add(begin, edge, 0);
                    }
                }
                Step::Over => unreachable!("a game that is over has no number"),
            }
            graph.first.push(graph.edges.len() as u32);
            if graph.numbers.len() > most {
                return Err(OracleError::TooManyPositions { most });
            }
        }
        graph.edges.shrink_to_fit();
        graph.ways.shrink_to_fit();
        graph.order = (0..ranks.len() as u32).collect();
        graph.order.sort_unstable_by_key(|&node| (std::cmp::Reverse(ranks[node as usize]), node));
        Ok(graph)
    }

    /// The number of a position. One that is new is put where positions wait whose edges are to be found.
    fn number(
        &mut self,
        game: &Sho,
        state: &State,
        ranks: &mut Vec<u16>,
        waiting: &mut VecDeque<State>,
    ) -> u32 {
        let setup = game.setup(state);
        let next = self.numbers.len() as u32;
        *self.numbers.entry(key(&setup, &self.rules)).or_insert_with(|| {
            ranks.push(rank(&setup, &self.rules));
            waiting.push_back(*state);
            next
        })
    }

    fn edge(
        &mut self,
        game: &Sho,
        state: &State,
        next: &State,
        ranks: &mut Vec<u16>,
        waiting: &mut VecDeque<State>,
    ) -> u32 {
        if game.step(next) == Step::Over {
            // Nothing else ends a game by these rules than that the mover brings its last coin home.
            return WON;
        }
        let other = if next.mover() == state.mover() { 0 } else { OTHER };
        self.number(game, next, ranks, waiting) | other
    }

    /// Adds an edge to the position whose edges begin at `begin`, or ways to the one that is there.
    fn add(&mut self, begin: usize, edge: u32, ways: u8) {
        match self.edges[begin..].iter().position(|&there| there == edge) {
            Some(place) => self.ways[begin + place] += ways,
            None => {
                self.edges.push(edge);
                self.ways.push(ways);
            }
        }
    }

    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// How many of them are decisions.
    pub(super) fn decisions(&self) -> usize {
        let is_decision = |&&first: &&u32| self.ways[first as usize] == 0;
        self.first[..self.len()].iter().filter(is_decision).count()
    }

    /// The order of sweeps.
    pub(super) fn order(&self) -> &[u32] {
        &self.order
    }

    /// What follows on a position: edges, each with its ways, or with 0 where it is a decision.
    #[inline]
    pub(super) fn edges(&self, node: u32) -> (&[u32], &[u8]) {
        let range = self.first[node as usize] as usize..self.first[node as usize + 1] as usize;
        (&self.edges[range.clone()], &self.ways[range])
    }

    /// The number of a position of the game.
    pub(super) fn find(&self, game: &Sho, state: &State) -> Option<u32> {
        self.numbers.get(&key(&game.setup(state), &self.rules)).copied()
    }
}

/// All that matters of a position as a number, the same exactly where it is the same:
///
/// - whose coins are the mover's, but not which seat that is;
/// - no number of throws, and no run of pa ras, since three of them win nothing;
/// - a fresh mark only while the other side has still to open, as it changes what an opening brings and nothing else;
/// - of values that wait that pass the last shell from everywhere only that they do;
/// - a 9 by 6-3 as such only where the mover may still bring in all coins by it.
fn key(setup: &Setup, rules: &Rules) -> u64 {
    let (mover, other) = (setup.mover, setup.mover.next(2));
    let sides = [&setup.sides[mover], &setup.sides[other]];
    let mut key = 0;
    let mut put = |bits: u32, value: u64| {
        debug_assert!(value < 1 << bits, "{value} in {bits} bits");
        key = key << bits | value;
    };
    for gap in 1..usize::from(rules.shells) {
        let [own, others] = sides.map(|side| u64::from(side.stacks[gap]));
        put(3, if others > 0 { 3 + others } else { own });
    }
    for (side, against) in [(sides[0], sides[1]), (sides[1], sides[0])] {
        put(2, side.hand.into());
        put(1, u64::from(side.opening != Opening::Done));
        let fresh = side.fresh.filter(|_| against.is_opening());
        put(4, fresh.map_or(0, |gap| gap.number().into()));
    }
    put(1, u64::from(setup.phase == Phase::Throw));
    let mut count = 0;
    for value in setup.waiting.values().iter() {
        put(4, value.min(rules.shells).into());
        count += 1;
    }
    (count..3).for_each(|_| put(4, 0));
    let all = sides[0].hand == rules.coins && !sides[0].is_opening() && rules.shells > 9;
    put(1, u64::from(all && setup.waiting.six_threes() > 0));
    key
}

/// How far all coins have come, twice, and one more for a decision.
fn rank(setup: &Setup, rules: &Rules) -> u16 {
    let side = |side: &sho_core::sho::Side| {
        let on_board = side.stacks().map(|(gap, size)| u16::from(gap.number()) * u16::from(size));
        on_board.sum::<u16>() + u16::from(rules.shells) * u16::from(side.home)
    };
    let way: u16 = setup.sides.iter(2).map(|(_, other)| side(other)).sum();
    2 * way + u16::from(setup.phase != Phase::Throw)
}

#[cfg(test)]
mod tests {
    use super::super::Oracle;
    use super::*;

    #[test]
    fn a_graph_has_its_limit() {
        let game = Sho::new(Oracle::rules(2, 8)).unwrap();
        assert_eq!(
            Graph::new(&game, 1000).unwrap_err(),
            OracleError::TooManyPositions { most: 1000 }
        );
        let graph = Graph::new(&game, 35_670).unwrap();
        assert_eq!((graph.len(), graph.order().len()), (35_670, 35_670));
    }

    /// Ways are those of two dice, and every edge leads somewhere.
    #[test]
    fn throws_have_thirty_six_ways_and_decisions_none() {
        let game = Sho::new(Oracle::rules(2, 8)).unwrap();
        let graph = Graph::new(&game, 100_000).unwrap();
        for node in 0..graph.len() as u32 {
            let (edges, ways) = graph.edges(node);
            let sum: u32 = ways.iter().map(|&ways| u32::from(ways)).sum();
            assert!(!edges.is_empty() && (sum == 0 || sum == 36), "{node}: {sum}");
            let leads = |&edge: &u32| edge == WON || ((edge & !OTHER) as usize) < graph.len();
            assert!(edges.iter().all(leads));
        }
    }
}
