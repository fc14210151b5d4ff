//! Which turns are open: for all pieces at once as sets, and listed or counted one by one.

use alloc::vec::Vec;

use super::board::{BOARD, DIRECTIONS, Reach, cells};
use super::rules::Takes;
use super::turn::Turn;

/// A set of cells for each direction.
type ByDirection = [u64; DIRECTIONS.len()];

/// How many cells are in these sets of lower cells of neighbours.
#[inline]
fn count_all(sets: ByDirection) -> u64 {
    // Rows and bases have no lower cell in common, which saves a count.
    let [columns, rows, rising, falling, bases] = sets;
    [columns, rows | bases, rising, falling].map(|set| u64::from(set.count_ones())).iter().sum()
}

/// The pieces as the side to move sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Pieces {
    /// Those of the side to move.
    pub(super) own: u64,
    /// Those of the other side.
    pub(super) enemy: u64,
}

impl Pieces {
    #[inline]
    const fn empty(self) -> u64 {
        BOARD & !(self.own | self.enemy)
    }

    /// The open steps, by direction the lower cell of each: of two neighbours one is own and the other empty.
    #[inline]
    fn steps(self) -> ByDirection {
        let (own, empty) = (self.own, self.empty());
        DIRECTIONS.map(|d| (own & empty >> d.shift | empty & own >> d.shift) & d.edges)
    }

    /// How many steps are open.
    #[inline]
    pub(super) fn count_steps(self) -> u64 {
        count_all(self.steps())
    }

    /// Whether any step is open.
    #[inline]
    fn can_step(self) -> bool {
        let (own, empty) = (self.own, self.empty());
        DIRECTIONS.iter().any(|d| (own & empty >> d.shift | empty & own >> d.shift) & d.edges != 0)
    }

    /// The jumps over enemies, whoever stands on the start: by direction the starts of those upwards and the landings
    /// of those downwards, which both are the lowest of their three cells.
    #[inline]
    fn jumps(self) -> [(u64, u64); DIRECTIONS.len()] {
        let (enemy, empty) = (self.enemy, self.empty());
        DIRECTIONS.map(|d| {
            let crossed = enemy >> d.shift & d.jumps;
            (crossed & empty >> (2 * d.shift), crossed & empty)
        })
    }

    /// The same position as the other side sees it.
    #[inline]
    pub(super) const fn swapped(self) -> Self {
        Self { own: self.enemy, enemy: self.own }
    }

    /// The enemy pieces that an own piece could jump.
    #[inline]
    pub(super) fn exposed(self) -> u64 {
        let both = DIRECTIONS.iter().zip(self.jumps());
        both.fold(0, |exposed, (d, (up, down))| {
            let low = self.own & up | self.own >> (2 * d.shift) & down;
            exposed | low << d.shift
        })
    }

    /// The own pieces that can take.
    #[inline]
    fn takers(self) -> u64 {
        self.own & starts(self.jumps())
    }

    /// Whether the side to move has a turn.
    #[inline]
    pub(super) fn can_move(self) -> bool {
        self.can_step() || self.takers() != 0
    }
}

/// Where the jumps of [`Pieces::jumps`] start.
#[inline]
fn starts(jumps: [(u64, u64); DIRECTIONS.len()]) -> u64 {
    let both = DIRECTIONS.iter().zip(jumps);
    both.fold(0, |starts, (d, (up, down))| starts | up | down << (2 * d.shift))
}

/// A piece in the middle of its run, or about to begin one.
#[derive(Clone, Copy)]
struct Runner {
    at: u32,
    enemy: u64,
    /// The empty cells, the piece's own included: it leaves that with its next jump.
    empty: u64,
}

impl Runner {
    #[inline]
    fn new(pieces: Pieces, at: u32) -> Self {
        Self { at, enemy: pieces.enemy, empty: pieces.empty() | 1 << at }
    }

    /// The runner after each take that is open to it, by rising landings.
    #[inline]
    fn takes(self) -> impl Iterator<Item = Self> {
        let Reach { neighbours, landings } = Reach::of(self.at);
        let open = self.empty & landings;
        // Landings rise with what is crossed. Off the grid the difference wraps to a number that is no cell.
        cells(self.enemy & neighbours).filter_map(move |over| {
            let landing = (2 * over).wrapping_sub(self.at) % u64::BITS;
            (open >> landing & 1 == 1).then(|| Self {
                at: landing,
                enemy: self.enemy ^ 1 << over,
                empty: self.empty | 1 << over,
            })
        })
    }

    /// How many turns go on from here, the turn that stops here not counted.
    fn count(self, takes: Takes) -> u64 {
        let counts = self.takes().map(|next| match takes {
            Takes::Optional => 1 + next.count(takes),
            Takes::Forced => next.count(takes).max(1),
        });
        counts.sum()
    }

    /// Lists the turn that led here, where it may stop, and those that go on.
    fn list(self, turn: Turn, takes: Takes, into: &mut Vec<Turn>) {
        let before = into.len();
        if takes == Takes::Optional {
            into.push(turn);
        }
        for next in self.takes() {
            next.list(turn.then(next.at), takes, into);
        }
        if into.len() == before {
            into.push(turn);
        }
    }

    /// The most takes that go on from here.
    fn longest(self) -> usize {
        self.takes().map(|next| 1 + next.longest()).max().unwrap_or(0)
    }
}

/// Puts the open turns into `into`, in order.
pub(super) fn list(pieces: Pieces, takes: Takes, into: &mut Vec<Turn>) {
    into.clear();
    let takers = pieces.takers();
    let empty = pieces.empty();
    let steps = takes == Takes::Optional || takers == 0;
    for start in cells(if steps { pieces.own } else { takers }) {
        let mut near = if steps { empty & Reach::of(start).neighbours } else { 0 };
        if takers >> start & 1 == 1 {
            let so_far = Turn::standing(start);
            for next in Runner::new(pieces, start).takes() {
                // Steps to points before this landing come first.
                let before = near & ((1 << next.at) - 1);
                into.extend(cells(before).map(|end| Turn::step(start, end)));
                near ^= before;
                next.list(so_far.then(next.at), takes, into);
            }
        }
        for end in cells(near) {
            into.push(Turn::step(start, end));
        }
    }
}

/// Puts the open turns that take into `into`, in order.
pub(super) fn list_takes(pieces: Pieces, takes: Takes, into: &mut Vec<Turn>) {
    into.clear();
    for start in cells(pieces.takers()) {
        let so_far = Turn::standing(start);
        for next in Runner::new(pieces, start).takes() {
            next.list(so_far.then(next.at), takes, into);
        }
    }
}

/// How many turns are open, without listing them.
#[inline]
pub(super) fn count(pieces: Pieces, takes: Takes) -> u64 {
    let own = pieces.own;
    let jumps = pieces.jumps();
    // The jumps of own pieces, by direction the lowest cell of each: of a jump up that is the start, and of one down the
    // landing, so no cell is that of both.
    let mut first = [0; DIRECTIONS.len()];
    for (first, (d, (up, down))) in first.iter_mut().zip(DIRECTIONS.iter().zip(jumps)) {
        *first = own & up | own >> (2 * d.shift) & down;
    }
    if first.iter().fold(0, |all, first| all | first) == 0 {
        return pieces.count_steps();
    }
    let mut turns = count_all(match takes {
        // The cell next to the lowest is an enemy's for a jump and not for a step, so these have none in common either.
        Takes::Optional => {
            let steps = pieces.steps();
            core::array::from_fn(|direction| first[direction] | steps[direction])
        }
        Takes::Forced => first,
    });
    // Each jump is the first take of a run. Where no jump starts from its landing, the run ends there: what has become
    // empty meanwhile, the start and the point crossed, cannot be jumped to from there.
    let starts = starts(jumps);
    let mut going_on = 0;
    for (d, (up, down)) in DIRECTIONS.iter().zip(jumps) {
        going_on |= ((own & up) << (2 * d.shift) | own >> (2 * d.shift) & down) & starts;
    }
    if going_on != 0 {
        let first = cells(own & starts).flat_map(|start| Runner::new(pieces, start).takes());
        for next in first.filter(|next| going_on >> next.at & 1 == 1) {
            let more = next.count(takes);
            // A run that must go on does not stop at its first take, which was counted.
            turns += if takes == Takes::Forced { more.saturating_sub(1) } else { more };
        }
    }
    turns
}

/// The most pieces that a turn can take.
pub(super) fn most_takes(pieces: Pieces) -> usize {
    cells(pieces.takers()).map(|start| Runner::new(pieces, start).longest()).max().unwrap_or(0)
}

/// Whether a turn is open.
pub(super) fn is_open(pieces: Pieces, takes: Takes, turn: Turn) -> bool {
    let start = turn.start_cell();
    if pieces.own >> start & 1 == 0 {
        return false;
    }
    if turn.is_step() {
        let to_empty = pieces.empty() >> turn.end_cell() & 1 == 1;
        return to_empty && (takes == Takes::Optional || pieces.takers() == 0);
    }
    let mut runner = Runner::new(pieces, start);
    for landing in turn.cells().skip(1) {
        match runner.takes().find(|next| next.at == landing) {
            Some(next) => runner = next,
            None => return false,
        }
    }
    takes == Takes::Optional || runner.takes().next().is_none()
}
