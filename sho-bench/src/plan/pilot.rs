//! The blocks that are played to find out how much blocks differ: [`Pilot`].

use std::ops::ControlFlow;

use sho_ai::Bots;
use sho_core::RuleSet;

use super::goal::{Goal, Quantity};
use crate::entrant::Entrant;
use crate::experiment::{Blocks, Experiment, TournamentGame};
use crate::study::{Study, each_block, measures};
use crate::tally::Tally;
use crate::tournament::{Keep, RunError, Watcher, play_ranges};

/// Blocks of a usual pilot. The deviation is then known to a twentieth or better, and quick bots play it in seconds.
pub const PILOT: u64 = 4096;

/// Blocks of a usual pilot where a bot looks ahead or is in another program: such a bot may need a second for a game.
pub const LOOKING_AHEAD_PILOT: u64 = 256;

/// The fewest blocks of a pilot.
pub const LEAST_PILOT: u64 = 64;

/// The most blocks of a pilot: a number for each block and row is held in memory. Who can play more needs no pilot.
pub const MOST_PILOT: u64 = 1 << 18;

/// What a pilot came to: for each row of a plan a number for each block.
#[derive(Clone, Debug, PartialEq)]
pub struct Pilot {
    /// The blocks that were played; fewer than were asked for where the watcher stopped it.
    pub blocks: Blocks,
    /// The rows.
    pub rows: Vec<PilotRow>,
}

/// What a block came to in each block of a pilot.
#[derive(Clone, Debug, PartialEq)]
pub struct PilotRow {
    /// The bot, or the policy.
    pub name: String,
    /// The contrast of a study.
    pub contrast: Option<String>,
    /// The whole numbers, by block: payoffs in twelfths, or the weighted sum of a contrast.
    pub values: Vec<i64>,
    /// What such a number is divided by to be in the goal's unit.
    pub divisor: f64,
}

/// The number of blocks of a pilot where nobody says one: [`PILOT`], or [`LOOKING_AHEAD_PILOT`] where one of the bots has
/// an option `depth`, is in another program, or was brought along. A number that depends on what is played alone: if a clock
/// decided, the same plan would come out otherwise on another machine.
///
/// ```
/// use sho_bench::{Entrant, plan::usual_pilot};
/// use sho_core::sho::Sho;
/// let bot = |text| Entrant::parse::<Sho>(text).unwrap();
/// assert_eq!(usual_pilot::<Sho>(&[bot("hard"), bot("easy")]), 4096);
/// assert_eq!(usual_pilot::<Sho>(&[bot("hard"), bot("expectimax:depth=1")]), 256);
/// ```
#[must_use]
pub fn usual_pilot<G: Bots>(bots: &[Entrant]) -> u64 {
    let looks_ahead = |bot: &Entrant| match bot {
        Entrant::Bot(bot) => G::BOTS.iter().any(|info| {
            info.name == bot.spec().name && info.options.iter().any(|&(name, _)| name == "depth")
        }),
        Entrant::Exec(_) | Entrant::Guest(_) => true,
    };
    if bots.iter().any(looks_ahead) { LOOKING_AHEAD_PILOT } else { PILOT }
}

/// Plays the blocks of an experiment with `threads` threads (0: one for each core). A row for each bot: what it got in each
/// block, to be divided to its score a seat. A sequential test does not end it. The numbers do not depend on the number of
/// threads, unless `watcher` stops the run; then they are those of fewer blocks.
///
/// # Errors
/// As for [`run`](crate::run).
pub fn tournament_pilot<G: TournamentGame>(
    experiment: &Experiment<G::Rules>,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<Pilot, RunError> {
    experiment.check::<G>()?;
    let seatings = experiment.schedule.seatings(experiment.rules.sides()).len();
    let row = |(index, bot): (usize, &Entrant)| {
        let seats = experiment.lineups.iter().flatten().filter(|&&other| other == index).count();
        PilotRow {
            name: bot.to_string(),
            contrast: None,
            values: Vec::new(),
            divisor: (12 * seatings * seats) as f64,
        }
    };
    let mut rows: Vec<PilotRow> = experiment.bots.iter().enumerate().map(row).collect();
    let each: Vec<Blocks> =
        experiment.blocks.range().map(|block| Blocks { from: block, to: block + 1 }).collect();
    let mut all = Tally::new::<G>(experiment);
    play_ranges::<G>(
        experiment,
        &each,
        Keep::default(),
        threads,
        || watcher.stop(),
        |(tally, _)| {
            for (index, row) in rows.iter_mut().enumerate() {
                row.values.push(tally.payoffs.bot(index).sum as i64);
            }
            all.merge(&tally);
            watcher.so_far(&all, None);
            ControlFlow::Continue(())
        },
    )?;
    let from = experiment.blocks.from;
    Ok(Pilot { blocks: Blocks { from, to: from + all.blocks }, rows })
}

/// Plays the blocks of a study with `threads` threads (0: one for each core). A row for each policy and each contrast that
/// has the goal's measure: what it comes to in each block. Of another goal there are no rows. The numbers do not depend on
/// the number of threads, as those of [`tournament_pilot`].
///
/// # Errors
/// As for [`run_study`](crate::study::run_study).
pub fn study_pilot<G: TournamentGame>(
    study: &Study<G::Rules>,
    goal: &Goal,
    threads: usize,
    watcher: &impl Watcher,
) -> Result<Pilot, RunError> {
    study.check::<G>()?;
    let from = study.blocks.from;
    let place = match goal.quantity() {
        Quantity::Effect(measure) => measures::<G>(study).iter().position(|other| other == measure),
        Quantity::Score | Quantity::Elo => None,
    };
    let (Some(place), Quantity::Effect(measure)) = (place, goal.quantity()) else {
        return Ok(Pilot { blocks: Blocks { from, to: from }, rows: Vec::new() });
    };
    let cells = study.cells()?;
    let mut rows = Vec::new();
    for policy in &study.policies {
        for contrast in study.contrasts()? {
            let at_all_tables = (cells.iter().zip(&contrast.weights))
                .filter(|&(_, &weight)| weight != 0)
                .all(|(cell, _)| measure.kind.is_at_table(cell.rules.sides()));
            let row = PilotRow {
                name: policy.to_string(),
                divisor: contrast.divisor as f64 * f64::from(measure.divisor),
                contrast: Some(contrast.name),
                values: Vec::new(),
            };
            rows.push((row, at_all_tables));
        }
    }
    let mut played = 0;
    each_block::<G>(study, place, threads, watcher, |contrasts| {
        for ((row, _), &value) in rows.iter_mut().zip(contrasts) {
            row.values.push(value);
        }
        played += 1;
    })?;
    let rows = rows.into_iter().filter(|&(_, at_all)| at_all).map(|(row, _)| row).collect();
    Ok(Pilot { blocks: Blocks { from, to: from + played }, rows })
}
