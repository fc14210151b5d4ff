//! How positions of Sholo Guti are judged: [`Weights`].

use sho_core::Seat;
use sho_core::sholo_guti::{POINTS, Point, Points, SholoGuti, State};

use crate::search::Evaluate;

/// What a bot thinks a position is worth. A lead of one piece on a full board is about 200. Each number is for the side
/// to move, and counts against it for the other.
///
/// The features are what players say of the game (see `docs/rules-sholo-guti.md`), in numbers that were chosen by
/// tournaments (see `docs/results-sholo-guti.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weights {
    /// The lead in pieces as a share of all pieces on the board. So trades favour the side that is ahead.
    pub lead: i32,
    /// A piece on a point where eight lines meet.
    pub crossing: i32,
    /// A piece on a corner of a base, where two lines meet.
    pub corner: i32,
    /// A piece that the other side could jump at once if it were to move: an empty point behind it, an enemy in front.
    pub exposed: i32,
    /// A step that would be open.
    pub step: i32,
    /// Each row that a piece stands further from its own edge.
    pub row: i32,
    /// For the side that has more pieces: one that is two steps or less from an enemy, and once more where it is next
    /// to it, averaged over the enemies. It makes a lead count, which otherwise ends in a draw.
    pub near: i32,
    /// What a draw is worth to the side that searches: below 0 for one that would rather play on.
    pub draw: i32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            lead: 6400,
            crossing: 0,
            corner: -12,
            exposed: -12,
            step: 0,
            row: 4,
            near: 32,
            draw: -50,
        }
    }
}

/// The points with so many neighbours.
const fn with_neighbours(count: usize) -> Points {
    let (mut points, mut index) = (Points::NONE, 0);
    while index < POINTS {
        if Point::ALL[index].neighbours().len() == count {
            points = points.with(Point::ALL[index]);
        }
        index += 1;
    }
    points
}

const CROSSINGS: Points = with_neighbours(8);
const CORNERS: Points = with_neighbours(2);

/// The points by the bits of their row's number.
const ROW_BITS: [Points; 4] = {
    let (mut bits, mut index) = ([Points::NONE; 4], 0);
    while index < POINTS {
        let point = Point::ALL[index];
        let mut bit = 0;
        while bit < bits.len() {
            if point.row() >> bit & 1 == 1 {
                bits[bit] = bits[bit].with(point);
            }
            bit += 1;
        }
        index += 1;
    }
    bits
};

/// For each point those two steps away or less, itself left out.
static TWO_STEPS: [Points; POINTS] = {
    let (mut near, mut from) = ([Points::NONE; POINTS], 0);
    while from < POINTS {
        let mut by = 0;
        while by < POINTS {
            let mut to = 0;
            while to < POINTS && Point::ALL[from].neighbours().contains(Point::ALL[by]) {
                let one = to == by;
                let two = Point::ALL[by].neighbours().contains(Point::ALL[to]) && to != from;
                if one || two {
                    near[from] = near[from].with(Point::ALL[to]);
                }
                to += 1;
            }
            by += 1;
        }
        from += 1;
    }
    near
};

/// The number of the points.
#[inline]
fn count(points: Points) -> i32 {
    points.len() as i32
}

/// How many rows the pieces of the one side stand from its edge, less those of the other from theirs. The edges are
/// opposite, so a row further for one is a row nearer for the other, and all pieces are counted together.
fn rows_ahead(seat: Seat, own: Points, other: Points) -> i32 {
    let all = own | other;
    let sum: i32 = (0..).zip(ROW_BITS).map(|(bit, points)| count(all & points) << bit).sum();
    // The first row is 1 from the one edge and 9 from the other.
    let (first, second) = if seat == Seat::A { (1, other) } else { (-1, own) };
    first * (sum - 10 * count(second))
}

impl Evaluate<SholoGuti> for Weights {
    fn evaluate(&self, _: &SholoGuti, state: &State) -> i32 {
        let sides = [state.mover(), state.mover().next(2)];
        let [own, other] = sides.map(|seat| {
            let pieces = state.pieces(seat);
            // What weighs nothing is not counted.
            let weighed =
                |weight, count: &dyn Fn() -> i32| if weight == 0 { 0 } else { weight * count() };
            weighed(self.crossing, &|| count(pieces & CROSSINGS))
                + weighed(self.corner, &|| count(pieces & CORNERS))
                + weighed(self.exposed, &|| count(state.exposed(seat)))
                + weighed(self.step, &|| state.steps(seat) as i32)
        });
        let pieces = sides.map(|seat| state.pieces(seat));
        let ahead = match self.row {
            0 => 0,
            row => row * rows_ahead(sides[0], pieces[0], pieces[1]),
        };
        let (lead, all) =
            (count(pieces[0]) - count(pieces[1]), count(pieces[0]) + count(pieces[1]));
        let hunt = match lead {
            0 => 0,
            1.. => self.hunt(pieces[0], pieces[1]),
            _ => -self.hunt(pieces[1], pieces[0]),
        };
        own - other + ahead + self.lead * lead / all + hunt
    }
}

impl Weights {
    /// How near the hunters are to their prey.
    fn hunt(&self, hunters: Points, prey: Points) -> i32 {
        if self.near == 0 {
            return 0;
        }
        let near = prey.iter().map(|point| {
            count(hunters & TWO_STEPS[point.index()]) + count(hunters & point.neighbours())
        });
        self.near * near.sum::<i32>() / count(prey)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_points_are_those_of_the_board() {
        assert_eq!((CROSSINGS.len(), CORNERS.len()), (7, 4));
        for from in Point::ALL {
            for to in Point::ALL {
                let two = from.neighbours().iter().any(|by| by.neighbours().contains(to));
                let near = to != from && (two || from.neighbours().contains(to));
                assert_eq!(TWO_STEPS[from.index()].contains(to), near, "{from} {to}");
            }
            let row =
                (0..4).filter(|&bit| ROW_BITS[bit].contains(from)).map(|bit| 1 << bit).sum::<u8>();
            assert_eq!(row, from.row());
        }
    }
}
