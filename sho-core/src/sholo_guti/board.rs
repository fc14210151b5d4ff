//! The board: its points, its lines, and what follows from them.
//!
//! The [list of lines](LINES) is the one source: points, neighbours and jumps are computed from it when the crate is
//! compiled, and none is written down by hand.
//!
//! Inside, a point is a cell of a grid of five columns and nine rows, numbered column by column: `9 * column + row - 1`.
//! Cells rise as the points' texts do, and along any line the cells have one difference: 1 (columns), 9 (rows), 10 and
//! 8 (diagonals), or 18 (the two bases). So all pieces look along a line at once by one shift of a 64-bit set, and the
//! point between start and landing of a jump is the middle of their cells. Eight cells of the grid are no points.

use core::fmt;
use core::ops::{BitAnd, BitOr, Sub};
use core::str::FromStr;

/// Points of the board.
pub const POINTS: usize = 37;

const ROWS: u8 = 9;

/// Cells of the grid.
pub(super) const CELLS: usize = 45;

/// A point of the board, `a1` to `e9`. Points are ordered as their texts.
///
/// ```
/// use sho_core::sholo_guti::Point;
/// let point: Point = "c3".parse()?;
/// assert_eq!((point.column(), point.row()), ('c', 3));
/// assert_eq!(point.neighbours().len(), 8);
/// assert!("b1".parse::<Point>().is_err());
/// # Ok::<(), sho_core::sholo_guti::NoPoint>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u8);

/// A text that names no point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a point: a column from a to e and a row from 1 to 9, as in c4")]
pub struct NoPoint;

impl Point {
    /// All points in rising order.
    pub const ALL: [Self; POINTS] = {
        let mut all = [Self(0); POINTS];
        let (mut cell, mut index) = (0, 0);
        while cell < CELLS {
            if BOARD >> cell & 1 == 1 {
                all[index] = Self(cell as u8);
                index += 1;
            }
            cell += 1;
        }
        assert!(index == POINTS);
        all
    };

    /// The point in this column, `a` to `e`, and row, 1 to 9, where there is one.
    #[must_use]
    pub const fn new(column: char, row: u8) -> Option<Self> {
        if !matches!(column, 'a'..='e') || row < 1 || row > ROWS {
            return None;
        }
        let cell = (column as u8 - b'a') * ROWS + row - 1;
        if BOARD >> cell & 1 == 1 { Some(Self(cell)) } else { None }
    }

    /// The point of a cell that is one.
    #[inline]
    pub(super) const fn of_cell(cell: u32) -> Self {
        debug_assert!(BOARD >> cell & 1 == 1);
        Self(cell as u8)
    }

    #[inline]
    pub(super) const fn cell(self) -> u32 {
        self.0 as u32
    }

    /// The point's place among [all](Self::ALL), from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        INDEX[self.0 as usize % INDEX.len()] as usize
    }

    /// The column, `a` to `e`.
    #[must_use]
    pub const fn column(self) -> char {
        (b'a' + self.0 / ROWS) as char
    }

    /// The row, 1 to 9 from the first player's edge.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 % ROWS + 1
    }

    /// The points next to this one on some line.
    #[must_use]
    pub const fn neighbours(self) -> Points {
        Points(Reach::of(self.cell()).neighbours)
    }
}

/// The place of each cell that is a point among all points. Longer than the grid, so that the index needs no check.
static INDEX: [u8; 64] = {
    let mut places = [0; 64];
    let mut index = 0;
    while index < POINTS {
        places[Point::ALL[index].0 as usize] = index as u8;
        index += 1;
    }
    places
};

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.column(), self.row())
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Point {
    type Err = NoPoint;

    fn from_str(text: &str) -> Result<Self, NoPoint> {
        match text.as_bytes() {
            &[column, row] if row.is_ascii_digit() => {
                Self::new(column as char, row - b'0').ok_or(NoPoint)
            }
            _ => Err(NoPoint),
        }
    }
}

/// A set of points.
///
/// ```
/// use sho_core::sholo_guti::{Point, Points};
/// let row: Points = Point::ALL.into_iter().filter(|point| point.row() == 5).collect();
/// assert_eq!(row.len(), 5);
/// assert!(row.contains("e5".parse()?) && !row.contains("e4".parse()?));
/// # Ok::<(), sho_core::sholo_guti::NoPoint>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Points(pub(super) u64);

impl Points {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// Whether the point is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        self.0 >> point.0 & 1 == 1
    }

    /// The set with this point too.
    #[inline]
    #[must_use]
    pub const fn with(self, point: Point) -> Self {
        Self(self.0 | 1 << point.0)
    }

    /// How many points are in it.
    #[inline]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The points in rising order.
    pub fn iter(self) -> impl Iterator<Item = Point> {
        cells(self.0).map(Point::of_cell)
    }
}

impl BitAnd for Points {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Points {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The points of the one set that are not in the other.
impl Sub for Points {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl FromIterator<Point> for Points {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points.into_iter().fold(Self::NONE, Self::with)
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The numbers of the set bits, rising.
#[inline]
pub(super) fn cells(mut bits: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let cell = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(cell)
    })
}

/// A line of the board: its points from one end to the other.
#[derive(Clone, Copy)]
pub struct Line {
    points: [Point; ROWS as usize],
    len: usize,
}

impl Line {
    const fn new(text: &str) -> Self {
        let text = text.as_bytes();
        let len = text.len().div_ceil(3);
        let mut points = [Point(0); ROWS as usize];
        let mut index = 0;
        while index < len {
            let (column, row) = (text[3 * index], text[3 * index + 1]);
            points[index] = Point((column - b'a') * ROWS + row - b'1');
            index += 1;
        }
        Self { points, len }
    }

    /// The line's points. Two that follow one another are neighbours; three make a jump, in either direction.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points[..self.len]
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.points()).finish()
    }
}

/// The lines of the board.
pub const LINES: [Line; 20] = [
    // The rows of the square.
    Line::new("a3-b3-c3-d3-e3"),
    Line::new("a4-b4-c4-d4-e4"),
    Line::new("a5-b5-c5-d5-e5"),
    Line::new("a6-b6-c6-d6-e6"),
    Line::new("a7-b7-c7-d7-e7"),
    // The columns; the middle one runs through both triangles.
    Line::new("a3-a4-a5-a6-a7"),
    Line::new("b3-b4-b5-b6-b7"),
    Line::new("c1-c2-c3-c4-c5-c6-c7-c8-c9"),
    Line::new("d3-d4-d5-d6-d7"),
    Line::new("e3-e4-e5-e6-e7"),
    // The long diagonals of the square.
    Line::new("a3-b4-c5-d6-e7"),
    Line::new("e3-d4-c5-b6-a7"),
    // The sides of the triangles, and on into the square.
    Line::new("a1-b2-c3-d4-e5"),
    Line::new("e1-d2-c3-b4-a5"),
    Line::new("a9-b8-c7-d6-e5"),
    Line::new("e9-d8-c7-b6-a5"),
    // Across the triangles, and their bases.
    Line::new("b2-c2-d2"),
    Line::new("b8-c8-d8"),
    Line::new("a1-c1-e1"),
    Line::new("a9-c9-e9"),
];

/// The lines that run one way over the grid.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    /// The difference of the cells of neighbours.
    pub(super) shift: u32,
    /// The lower cell of each pair of neighbours.
    pub(super) edges: u64,
    /// The lowest cell of each three in a row.
    pub(super) jumps: u64,
}

const fn direction(shift: u32) -> Direction {
    let mut direction = Direction { shift, edges: 0, jumps: 0 };
    let mut number = 0;
    while number < LINES.len() {
        let Line { points, len } = &LINES[number];
        let upwards = points[1].0 > points[0].0;
        let mut index = 0;
        while points[0].0.abs_diff(points[1].0) as u32 == shift && index + 1 < *len {
            let low = if upwards { index } else { index + 1 };
            direction.edges |= 1 << points[low].0;
            if index + 2 < *len {
                let low = if upwards { index } else { index + 2 };
                direction.jumps |= 1 << points[low].0;
            }
            index += 1;
        }
        number += 1;
    }
    direction
}

/// All directions: columns, rows, the two diagonals, the bases.
pub(super) const DIRECTIONS: [Direction; 5] =
    [direction(1), direction(9), direction(10), direction(8), direction(18)];

/// The cells that are points.
pub(super) const BOARD: u64 = {
    let (mut board, mut index) = (0, 0);
    while index < DIRECTIONS.len() {
        let Direction { shift, edges, .. } = DIRECTIONS[index];
        board |= edges | edges << shift;
        index += 1;
    }
    board
};

/// Where a piece in one cell can get to, if nothing stands in its way.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The cells next to it on some line.
    pub(super) neighbours: u64,
    /// The cells beyond those, on the same line: where its jumps land, each crossing the middle between.
    pub(super) landings: u64,
}

impl Reach {
    /// The reach of a cell.
    #[inline]
    pub(super) const fn of(cell: u32) -> Self {
        REACH[cell as usize % REACH.len()]
    }
}

/// The reach of each cell. Longer than the grid, so that the index needs no check.
static REACH: [Reach; 64] = {
    let mut reach = [Reach { neighbours: 0, landings: 0 }; 64];
    let mut cell = 0;
    while cell < CELLS {
        let mut index = 0;
        while index < DIRECTIONS.len() {
            let Direction { shift, edges, jumps } = DIRECTIONS[index];
            let (next, landing) = (cell + shift as usize, cell + 2 * shift as usize);
            if edges >> cell & 1 == 1 {
                reach[cell].neighbours |= 1 << next;
                reach[next].neighbours |= 1 << cell;
            }
            if jumps >> cell & 1 == 1 {
                reach[cell].landings |= 1 << landing;
                reach[landing].landings |= 1 << cell;
            }
            index += 1;
        }
        cell += 1;
    }
    reach
};

/// Where the first player's pieces stand at the start: rows 1 to 4.
pub(super) const FIRST_HOME: u64 = rows(1, 4);
/// Where the second player's pieces stand at the start: rows 6 to 9.
pub(super) const SECOND_HOME: u64 = rows(6, 9);

const fn rows(low: u8, high: u8) -> u64 {
    let (mut set, mut cell) = (0, 0);
    while cell < CELLS {
        let row = cell as u8 % ROWS + 1;
        if BOARD >> cell & 1 == 1 && low <= row && row <= high {
            set |= 1 << cell;
        }
        cell += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use alloc::collections::{BTreeMap, BTreeSet};
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn tables_agree_with_the_lines() {
        let mut points: BTreeSet<Point> = BTreeSet::new();
        let mut neighbours: BTreeMap<Point, BTreeSet<Point>> = BTreeMap::new();
        let mut jumps: BTreeMap<Point, BTreeSet<(Point, Point)>> = BTreeMap::new();
        for line in &LINES {
            points.extend(line.points());
            for pair in line.points().windows(2) {
                neighbours.entry(pair[0]).or_default().insert(pair[1]);
                neighbours.entry(pair[1]).or_default().insert(pair[0]);
            }
            for three in line.points().windows(3) {
                jumps.entry(three[0]).or_default().insert((three[2], three[1]));
                jumps.entry(three[2]).or_default().insert((three[0], three[1]));
            }
        }
        assert_eq!(points.iter().copied().collect::<Vec<_>>(), Point::ALL);
        assert_eq!(neighbours.values().map(BTreeSet::len).sum::<usize>(), 2 * 76);
        assert_eq!(jumps.values().map(BTreeSet::len).sum::<usize>(), 112);
        for point in Point::ALL {
            assert!(point.neighbours().iter().eq(neighbours[&point].iter().copied()), "{point}");
            let landings = cells(Reach::of(point.cell()).landings).map(Point::of_cell);
            let found: Vec<_> = landings
                .map(|landing| (landing, Point::of_cell((point.cell() + landing.cell()) / 2)))
                .collect();
            assert_eq!(found, jumps[&point].iter().copied().collect::<Vec<_>>(), "{point}");
            // So a path of points says by itself whether it is a step or a take.
            assert!(found.iter().all(|&(landing, _)| !point.neighbours().contains(landing)));
        }
    }

    #[test]
    fn degrees_are_those_of_the_drawing() {
        let with_degree = |degree| -> Vec<Point> {
            Point::ALL.into_iter().filter(|point| point.neighbours().len() == degree).collect()
        };
        let points = |texts: &str| -> Vec<Point> {
            texts.split(' ').map(|text| text.parse().unwrap()).collect()
        };
        assert_eq!(with_degree(8), points("b4 b6 c3 c5 c7 d4 d6"));
        assert_eq!(with_degree(2), points("a1 a9 e1 e9"));
        let (first, second) = (Points(FIRST_HOME), Points(SECOND_HOME));
        assert_eq!((first.len(), second.len()), (16, 16));
        assert!(Point::ALL.into_iter().all(|point| {
            first.contains(point) == (point.row() < 5)
                && second.contains(point) == (point.row() > 5)
        }));
    }

    #[test]
    fn points_print_parse_and_rise() {
        for (index, point) in Point::ALL.into_iter().enumerate() {
            let text = alloc::format!("{point}");
            assert_eq!(text.parse(), Ok(point));
            assert_eq!(Point::new(point.column(), point.row()), Some(point));
            assert_eq!(point.index(), index);
        }
        assert!(Point::ALL.windows(2).all(|pair| {
            pair[0] < pair[1] && alloc::format!("{}", pair[0]) < alloc::format!("{}", pair[1])
        }));
        for text in ["", "a", "a0", "b1", "d9", "f3", "A3", "a3 ", "a10", "é", "3a"] {
            assert_eq!(text.parse::<Point>(), Err(NoPoint), "{text}");
        }
    }
}
