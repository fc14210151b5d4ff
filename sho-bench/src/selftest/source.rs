//! The games of a match, one by one: [`Source`], and [`Played`], which plays them.

use sho_ai::Played as Game;
use sho_core::PerSeat;

use crate::experiment::{Blocks, Experiment, TournamentGame};
use crate::schedule::Address;
use crate::tally::{BlockSum, length_in};
use crate::tournament::{RunError, play_each, run};

/// What a self-test has to know of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The line-up.
    pub lineup: usize,
    /// The seating.
    pub seating: usize,
    /// Each seat's payoff in twelfths of a win.
    pub payoffs: PerSeat<u32>,
    /// How long it was, in the game's first unit.
    pub length: u32,
}

/// Where the games of a match come from.
///
/// The self-test takes what it is given. That makes it possible to give it games that are counted wrongly, and so to
/// see that it finds what is wrong.
pub trait Source<G: TournamentGame>: Sync {
    /// The games of these blocks of an experiment, block by block: within a block each line-up in each seating.
    ///
    /// # Errors
    /// Where they cannot be played.
    fn play(
        &self,
        experiment: &Experiment<G::Rules>,
        blocks: Blocks,
    ) -> Result<Vec<Outcome>, RunError>;
}

/// Games as they are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played;

impl<G: TournamentGame> Source<G> for Played {
    fn play(
        &self,
        experiment: &Experiment<G::Rules>,
        blocks: Blocks,
    ) -> Result<Vec<Outcome>, RunError> {
        let mut experiment = experiment.clone();
        experiment.blocks = blocks;
        let mut outcomes = Vec::new();
        play_each::<G>(&experiment, |Address { lineup, seating, .. }, played| {
            let (payoffs, length) = (played.payoffs, length::<G>(played));
            outcomes.push(Outcome { lineup, seating, payoffs, length });
        })?;
        Ok(outcomes)
    }
}

/// A game's length in the first unit that it is measured in.
fn length<G: TournamentGame>(played: &Game) -> u32 {
    G::UNITS.first().map_or(0, |&unit| length_in(played, unit))
}

/// What a tournament counts of a match that intervals are made from, by block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Payoffs of each bot in twelfths of a win.
    pub bots: Vec<BlockSum>,
    /// Payoffs of each seat.
    pub seats: Vec<BlockSum>,
    /// Lengths of the games, in the game's first unit.
    pub length: BlockSum,
}

/// What a tournament counts of an experiment. The only place of the self-test that knows what a tally looks like.
///
/// # Errors
/// As [`run`].
pub fn counted<G: TournamentGame>(
    experiment: &Experiment<G::Rules>,
    threads: usize,
) -> Result<Counts, RunError> {
    use sho_core::RuleSet;
    let tally = run::<G>(experiment, threads, &())?.tally;
    let bots = experiment.bots.len();
    Ok(Counts {
        bots: (0..bots).map(|bot| tally.payoffs.bot(bot)).collect(),
        seats: (0..experiment.rules.sides()).map(|seat| tally.payoffs.seat(bots, seat)).collect(),
        length: tally.lengths.first().map(|length| length.blocks).unwrap_or_default(),
    })
}
