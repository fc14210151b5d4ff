//! What happened in each block, as rows of comma-separated values: one for each block, line-up and bot in it.
//!
//! [`header`] names the columns and [`dictionary`] explains them. From `payoff12` every score and every error of a
//! result can be computed again with any statistics program: see `docs/results.md` of the project.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use sho_ai::Played;
use sho_core::{Game, PerSeat, RuleSet, Seat, WHOLE_PAYOFF};

use crate::csv_field::{self, quoted};
use crate::experiment::Experiment;
use crate::stats::payoffs::Design;
use crate::tally::length_in;

/// The columns before those of lengths, each with its type and what it holds.
const COLUMNS: [(&str, &str, &str); 8] = [
    (
        "block",
        "integer",
        "the block's number: games of one block share their dice or their opening",
    ),
    ("lineup", "integer", "the line-up's number from 0, in the order of the result's `lineups`"),
    ("bot", "text", "the bot, as the result's `bots` name it"),
    ("seats", "integer", "seats that the bot holds in each game of the line-up"),
    ("games", "integer", "games of the line-up in the block: one for each seating"),
    ("wins", "integer", "games of these that a seat of the bot won alone"),
    (
        "payoff12",
        "integer",
        "what the bot got in these games, in twelfths of a win; shared wins count by their shares",
    ),
    (
        "score",
        "decimal",
        "payoff12 / (12 games seats), 0 to 1: the mean over blocks is the bot's score in the line-up, and the standard deviation over the root of the number of blocks is its standard error",
    ),
];

/// The header line, with its line end.
#[must_use]
pub fn header<G: Game>() -> String {
    let names = COLUMNS.iter().map(|&(name, ..)| name).chain(G::UNITS.iter().map(|u| u.name()));
    names.collect::<Vec<_>>().join(",") + "\n"
}

/// The data dictionary: comma-separated values with a row for each column, its name, type, and meaning.
#[must_use]
pub fn dictionary<G: Game>() -> String {
    let mut text = csv_field::dictionary(&COLUMNS);
    for unit in G::UNITS {
        let name = unit.name();
        let meaning = format!(
            "{name} of the line-up's games in the block, all together; the same in the rows of all its bots"
        );
        let _ = writeln!(text, "{name},integer,{}", quoted(&meaning));
    }
    text
}

/// Where the data dictionary of a file of rows stands: `blocks.csv` has `blocks.dictionary.csv`.
#[must_use]
pub fn dictionary_file(rows: &Path) -> PathBuf {
    let mut name = rows.file_stem().unwrap_or_default().to_owned();
    name.push(".dictionary.csv");
    rows.with_file_name(name)
}

/// What is written of the games of one block.
#[derive(Debug)]
pub(crate) struct BlockRows {
    design: Design,
    cells: Vec<Cell>,
    /// For each line-up its lengths, in the order of the game's units.
    lengths: Vec<Vec<u64>>,
    games: u64,
    seats: usize,
}

/// What a bot did in a line-up.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    wins: u64,
    payoff12: u64,
}

impl BlockRows {
    pub(crate) fn new<R: RuleSet>(experiment: &Experiment<R>) -> Self {
        let design = experiment.design();
        let lineups = experiment.lineups.len();
        Self {
            cells: vec![Cell::default(); design.cell_count()],
            lengths: vec![Vec::new(); lineups],
            games: experiment.games_a_block() / lineups as u64,
            seats: experiment.rules.sides(),
            design,
        }
    }

    /// Counts a game of a line-up.
    pub(crate) fn game<G: Game>(
        &mut self,
        bot_at: &PerSeat<usize>,
        lineup: usize,
        played: &Played,
    ) {
        for seat in Seat::all(self.seats) {
            let cell = &mut self.cells[self.design.cell(lineup, bot_at[seat])];
            let payoff = played.payoffs[seat];
            cell.wins += u64::from(payoff == WHOLE_PAYOFF);
            cell.payoff12 += u64::from(payoff);
        }
        let lengths = &mut self.lengths[lineup];
        lengths.resize(G::UNITS.len(), 0);
        for (total, &unit) in lengths.iter_mut().zip(G::UNITS) {
            *total += u64::from(length_in(played, unit));
        }
    }

    /// Writes the rows of the block, and begins anew.
    pub(crate) fn write<R: RuleSet>(
        &mut self,
        block: u64,
        experiment: &Experiment<R>,
        text: &mut String,
    ) {
        for (cell, (lineup, bot)) in self.design.cells().enumerate() {
            let Cell { wins, payoff12 } = std::mem::take(&mut self.cells[cell]);
            let seats = experiment.lineups[lineup].iter().filter(|&&other| other == bot).count();
            let name = experiment.bots[bot].to_string();
            let name = quoted(&name);
            let games = self.games;
            let score = payoff12 as f64 / (12 * games * seats as u64) as f64;
            let _ =
                write!(text, "{block},{lineup},{name},{seats},{games},{wins},{payoff12},{score}");
            for length in &self.lengths[lineup] {
                let _ = write!(text, ",{length}");
            }
            text.push('\n');
        }
        self.lengths.iter_mut().for_each(Vec::clear);
    }
}
