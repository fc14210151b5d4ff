//! Chances of winning and lengths of games by value iteration: [`Chances`].

use super::graph::{Graph, OTHER, WON};
use super::{EQUALLY_GOOD, OracleError};

/// Intervals narrower than this are chances.
const WIDTH: f64 = 1e-11;

/// Lengths that change by less are means.
const THROWS: f64 = 1e-10;

/// After so many sweeps it is given up; the boards there are need a few hundred.
const MAX_SWEEPS: u32 = 100_000;

/// The mover's chance of winning in each position, from below and from above.
///
/// Below is the chance of winning within some number of throws, above that of not losing within it, where both sides play
/// for just that: two games that end sooner or later, whoever plays how. Both come closer with every sweep, and the
/// chance is between them.
#[derive(Debug)]
pub(super) struct Chances {
    bounds: Vec<[f64; 2]>,
    pub(super) sweeps: u32,
    /// The greatest distance between the two.
    pub(super) width: f64,
}

impl Chances {
    pub(super) fn solve(graph: &Graph) -> Result<Self, OracleError> {
        let mut chances = Self { bounds: vec![[0.0, 1.0]; graph.len()], sweeps: 0, width: 1.0 };
        while chances.width > WIDTH {
            if chances.sweeps == MAX_SWEEPS {
                let (sweeps, width) = (chances.sweeps, chances.width);
                return Err(OracleError::NotSolved { sweeps, width });
            }
            chances.sweeps += 1;
            chances.width = 0.0;
            for &node in graph.order() {
                let bounds = chances.bounds_of(graph, node);
                chances.width = chances.width.max(bounds[1] - bounds[0]);
                chances.bounds[node as usize] = bounds;
            }
        }
        Ok(chances)
    }

    /// The bounds of a position from those of what follows.
    fn bounds_of(&self, graph: &Graph, node: u32) -> [f64; 2] {
        let (edges, ways) = graph.edges(node);
        let mut sum = [0.0; 2];
        let mut best = [0.0; 2];
        for (&edge, &ways) in edges.iter().zip(ways) {
            let bounds = self.after(edge);
            for index in 0..2 {
                sum[index] += f64::from(ways) * bounds[index];
                best[index] = f64::max(best[index], bounds[index]);
            }
        }
        if ways[0] == 0 { best } else { sum.map(|sum| sum / 36.0) }
    }

    /// The bounds of what follows, to the mover of the position before.
    #[inline]
    fn after(&self, edge: u32) -> [f64; 2] {
        if edge == WON {
            return [1.0; 2];
        }
        let [low, high] = self.bounds[(edge & !OTHER) as usize];
        if edge & OTHER == 0 { [low, high] } else { [1.0 - high, 1.0 - low] }
    }

    /// The mover's chance of winning in a position.
    pub(super) fn of(&self, node: u32) -> f64 {
        let [low, high] = self.bounds[node as usize];
        (low + high) / 2.0
    }

    /// The mean number of throws from the start, where both sides take the first of the best actions, and by how much
    /// any mean changed in the last sweep.
    pub(super) fn throws(&self, graph: &Graph) -> (f64, f64) {
        let middle = |edge| {
            let [low, high] = self.after(edge);
            (low + high) / 2.0
        };
        let mut throws = vec![0.0; graph.len()];
        loop {
            let mut most: f64 = 0.0;
            for &node in graph.order() {
                let (edges, ways) = graph.edges(node);
                let of =
                    |edge: u32| if edge == WON { 0.0 } else { throws[(edge & !OTHER) as usize] };
                let mean = if ways[0] == 0 {
                    let best = edges.iter().map(|&edge| middle(edge)).fold(0.0, f64::max);
                    let good = |&&edge: &&u32| best - middle(edge) < EQUALLY_GOOD;
                    edges.iter().find(good).map_or(0.0, |&edge| of(edge))
                } else {
                    let sum =
                        edges.iter().zip(ways).map(|(&edge, &ways)| f64::from(ways) * of(edge));
                    1.0 + sum.sum::<f64>() / 36.0
                };
                most = most.max((mean - throws[node as usize]).abs());
                throws[node as usize] = mean;
            }
            if most < THROWS {
                return (throws[0], most);
            }
        }
    }
}
