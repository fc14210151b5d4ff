//! What bots and seats got in blocks of games, as sums of integers that merge: [`Design`], [`PayoffSums`].
//!
//! Every block of an experiment holds the same games: each line-up in each seating. So sums over blocks of what was won,
//! and of products of that, are enough for scores, their errors, and [ratings](crate::stats::plackett_luce).

use serde::{Deserialize, Serialize};
use sho_core::PerSeat;

use crate::tally::BlockSum;

/// Who plays in the games of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    pub(super) bots: usize,
    pub(super) seats: usize,
    /// For each line-up, for each seating, the bot in each seat.
    pub(super) tables: Vec<Vec<Vec<usize>>>,
    /// For each line-up its distinct bots in order of first appearance: the cells.
    pub(super) members: Vec<Vec<usize>>,
    /// For each line-up the number of its first cell.
    pub(super) first: Vec<usize>,
    /// Pairs of line-ups that turn one another round.
    mirrors: Vec<Mirror>,
}

/// Two line-ups of two bots that ask the two questions of a table of three or more: one of the first bot among copies of
/// the second, and one of the second among copies of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// The first bot.
    pub bot: usize,
    /// The second bot.
    pub other: usize,
    /// The line-up in which the first is alone.
    pub alone: usize,
    /// The line-up in which the second is alone.
    pub among: usize,
}

impl Design {
    /// The design of line-ups, each with an index of a bot for each entry, that are all played in all `seatings`, each
    /// of which says for every seat which entry holds it. As in an [`Experiment`](crate::Experiment) and its
    /// [`Schedule`](crate::Schedule).
    ///
    /// # Panics
    /// If there are no line-ups or no seatings, line-ups differ in size or name a bot that is not below `bots`, or a
    /// seating names an entry that there is not.
    ///
    /// ```
    /// use sho_bench::Schedule;
    /// use sho_bench::stats::payoffs::Design;
    /// let design = Design::new(3, &[vec![0, 1], vec![0, 2], vec![1, 2]], &Schedule::Rotations.seatings(2));
    /// assert_eq!(design.cells().collect::<Vec<_>>(), [(0, 0), (0, 1), (1, 0), (1, 2), (2, 1), (2, 2)]);
    /// ```
    #[must_use]
    pub fn new(bots: usize, lineups: &[Vec<usize>], seatings: &[PerSeat<usize>]) -> Self {
        assert!(!lineups.is_empty() && !seatings.is_empty(), "a design without games");
        let seats = lineups[0].len();
        assert!(lineups.iter().all(|lineup| lineup.len() == seats), "line-ups differ in size");
        assert!(lineups.iter().flatten().all(|&bot| bot < bots), "a line-up names no bot");
        let table = |lineup: &Vec<usize>, seating: &PerSeat<usize>| -> Vec<usize> {
            sho_core::Seat::all(seats).map(|seat| lineup[seating[seat]]).collect()
        };
        let tables = lineups
            .iter()
            .map(|lineup| seatings.iter().map(|seating| table(lineup, seating)).collect())
            .collect();
        let mut members = Vec::new();
        let mut first = Vec::new();
        let mut cells = 0;
        for lineup in lineups {
            let mut distinct = Vec::new();
            for &bot in lineup {
                if !distinct.contains(&bot) {
                    distinct.push(bot);
                }
            }
            first.push(cells);
            cells += distinct.len();
            members.push(distinct);
        }
        let mirrors = mirrors(lineups);
        Self { bots, seats, tables, members, first, mirrors }
    }

    /// The pairs of line-ups that turn one another round, in the order of the line-up that comes first. None at tables of
    /// two, where both questions are the same.
    #[must_use]
    pub fn mirrors(&self) -> &[Mirror] {
        &self.mirrors
    }

    /// The cells in which wins are counted: pairs of a line-up and a bot in it.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.members
            .iter()
            .enumerate()
            .flat_map(|(lineup, bots)| bots.iter().map(move |&bot| (lineup, bot)))
    }

    /// Games of a block.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.tables.iter().map(|seatings| seatings.len() as u64).sum()
    }

    /// The number of a cell in the order of [`cells`](Self::cells).
    pub(crate) fn cell(&self, lineup: usize, bot: usize) -> usize {
        let place = self.members[lineup].iter().position(|&member| member == bot);
        self.first[lineup] + place.unwrap_or(0)
    }

    pub(crate) fn cell_count(&self) -> usize {
        self.members.iter().map(Vec::len).sum()
    }
}

fn mirrors(lineups: &[Vec<usize>]) -> Vec<Mirror> {
    // The bot that is alone in a line-up among copies of another, and that other.
    let alone = |lineup: &[usize]| {
        let count = |bot| lineup.iter().filter(|&&other| other == bot).count();
        let bot = lineup.iter().copied().find(|&bot| count(bot) == 1)?;
        let other = lineup.iter().copied().find(|&other| count(other) + 1 == lineup.len())?;
        (lineup.len() > 2).then_some((bot, other))
    };
    let pairs: Vec<_> = lineups.iter().map(|lineup| alone(lineup)).collect();
    let mut mirrors = Vec::new();
    for (first, pair) in pairs.iter().enumerate() {
        if let Some((bot, other)) = *pair
            && let Some(second) = pairs[first + 1..].iter().position(|&p| p == Some((other, bot)))
        {
            mirrors.push(Mirror { bot, other, alone: first, among: first + 1 + second });
        }
    }
    mirrors
}

/// What the games of one block brought, in twelfths of a win: to be filled game by game and added to [`PayoffSums`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockPayoffs {
    /// By bot, then by seat.
    totals: Vec<u64>,
    /// By cell.
    cells: Vec<u64>,
}

impl BlockPayoffs {
    /// What a bot got so far.
    ///
    /// # Panics
    /// If there is no such bot.
    #[must_use]
    pub fn bot(&self, bot: usize) -> u64 {
        self.totals[bot]
    }

    /// Nothing yet.
    #[must_use]
    pub fn new(design: &Design) -> Self {
        Self { totals: vec![0; design.bots + design.seats], cells: vec![0; design.cell_count()] }
    }

    /// Counts a game: what each seat got, in twelfths of a win.
    ///
    /// # Panics
    /// If there is no such line-up or seating.
    pub fn game(&mut self, design: &Design, lineup: usize, seating: usize, payoffs: &[u32]) {
        for (seat, (&bot, &payoff)) in
            design.tables[lineup][seating].iter().zip(payoffs).enumerate()
        {
            if payoff > 0 {
                let payoff = u64::from(payoff);
                self.totals[bot] += payoff;
                self.totals[design.bots + seat] += payoff;
                self.cells[design.cell(lineup, bot)] += payoff;
            }
        }
    }
}

/// Sums over blocks of what bots and seats got, and of products of that: all that a fit needs. Integers, so they merge
/// in any order to the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PayoffSums {
    pub(super) blocks: u64,
    /// What each bot, then each seat got.
    pub(super) totals: Vec<u64>,
    /// Products of two of these in a block, by rows.
    pub(super) products: Vec<u128>,
    /// What each cell got.
    pub(super) cells: Vec<u64>,
    /// Squares of that in a block.
    pub(super) cell_squares: Vec<u128>,
    /// For each cell the products of what it got in a block and the totals.
    pub(super) cell_products: Vec<u128>,
    /// For each pair of line-ups that turn one another round the products of what the first bot got in both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    mirror_products: Vec<u128>,
}

impl PayoffSums {
    /// No block yet.
    #[must_use]
    pub fn new(design: &Design) -> Self {
        let (totals, cells) = (design.bots + design.seats, design.cell_count());
        Self {
            blocks: 0,
            totals: vec![0; totals],
            products: vec![0; totals * totals],
            cells: vec![0; cells],
            cell_squares: vec![0; cells],
            cell_products: vec![0; cells * totals],
            mirror_products: vec![0; design.mirrors.len()],
        }
    }

    /// Adds a block, and empties it for the next.
    ///
    /// # Panics
    /// If it is of another design.
    pub fn add(&mut self, design: &Design, block: &mut BlockPayoffs) {
        let size = self.totals.len();
        self.blocks += 1;
        for (i, &value) in block.totals.iter().enumerate() {
            self.totals[i] += value;
            add_products(&mut self.products[i * size..(i + 1) * size], value, &block.totals);
        }
        for (i, &value) in block.cells.iter().enumerate() {
            self.cells[i] += value;
            self.cell_squares[i] += u128::from(value) * u128::from(value);
            add_products(&mut self.cell_products[i * size..(i + 1) * size], value, &block.totals);
        }
        for (sum, mirror) in self.mirror_products.iter_mut().zip(&design.mirrors) {
            let got = |lineup| u128::from(block.cells[design.cell(lineup, mirror.bot)]);
            *sum += got(mirror.alone) * got(mirror.among);
        }
        block.totals.fill(0);
        block.cells.fill(0);
    }

    /// Whether these could be sums of the same design.
    #[must_use]
    pub fn fits(&self, other: &Self) -> bool {
        let sizes = |sums: &Self| {
            [
                sums.totals.len(),
                sums.products.len(),
                sums.cells.len(),
                sums.cell_squares.len(),
                sums.cell_products.len(),
                sums.mirror_products.len(),
            ]
        };
        sizes(self) == sizes(other)
    }

    /// Adds other blocks of the same design.
    ///
    /// # Panics
    /// If they are of another design.
    pub fn merge(&mut self, other: &Self) {
        fn add<T: Copy + std::ops::AddAssign>(sums: &mut [T], more: &[T]) {
            assert_eq!(sums.len(), more.len(), "sums of different designs");
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum += *more;
            }
        }
        self.blocks += other.blocks;
        add(&mut self.totals, &other.totals);
        add(&mut self.products, &other.products);
        add(&mut self.cells, &other.cells);
        add(&mut self.cell_squares, &other.cell_squares);
        add(&mut self.cell_products, &other.cell_products);
        add(&mut self.mirror_products, &other.mirror_products);
    }

    /// How many blocks were added.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.blocks
    }

    /// What a bot got, by block.
    ///
    /// # Panics
    /// If there is no such bot or seat.
    #[must_use]
    pub fn bot(&self, bot: usize) -> BlockSum {
        self.total(bot)
    }

    /// What a seat got, by block, of `bots` bots.
    ///
    /// # Panics
    /// If there is no such seat, or other bots.
    #[must_use]
    pub fn seat(&self, bots: usize, seat: usize) -> BlockSum {
        self.total(bots + seat)
    }

    /// What the bot of a cell got in its line-up, by block; cells in the order of [`Design::cells`].
    ///
    /// # Panics
    /// If there is no such cell.
    #[must_use]
    pub fn cell(&self, cell: usize) -> BlockSum {
        BlockSum { sum: self.cells[cell], squares: self.cell_squares[cell] }
    }

    /// The covariance of what the first bot of a mirror gets in a block in its two line-ups, in squares of twelfths.
    /// Nothing with fewer than two blocks.
    ///
    /// # Panics
    /// If the design has no such mirror, or is another one.
    #[must_use]
    pub fn mirror_covariance(&self, design: &Design, mirror: usize) -> Option<f64> {
        let Mirror { bot, alone, among, .. } = design.mirrors[mirror];
        let got = |lineup| self.cells[design.cell(lineup, bot)];
        let between = self.centred(self.mirror_products[mirror], got(alone), got(among));
        (self.blocks > 1).then(|| 144.0 * between / (self.blocks - 1) as f64)
    }

    fn total(&self, index: usize) -> BlockSum {
        let squares = self.products[index * self.totals.len() + index];
        BlockSum { sum: self.totals[index], squares }
    }

    /// `sum x y - sum x · sum y / B` in squares of games, from exact integers.
    pub(super) fn centred(&self, products: u128, x: u64, y: u64) -> f64 {
        let n = u128::from(self.blocks);
        let (all, mean) = (n * products, u128::from(x) * u128::from(y));
        let apart = all.abs_diff(mean) as f64 / (144.0 * self.blocks as f64);
        if all < mean { -apart } else { apart }
    }
}

fn add_products(sums: &mut [u128], factor: u64, values: &[u64]) {
    if factor > 0 {
        for (sum, &value) in sums.iter_mut().zip(values) {
            *sum += u128::from(factor) * u128::from(value);
        }
    }
}
