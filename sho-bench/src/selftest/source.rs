//! The games of a match, one by one: [`Source`], and [`Played`], which plays them.

use sho_ai::arena::{Arena, bot_words};
use sho_ai::{Bots, Played as Game};
use sho_core::{BlockDice, Notation, PerSeat, Unit};

use crate::experiment::{Blocks, Experiment, ExperimentError};
use crate::schedule::Address;
use crate::tally::BlockSum;
use crate::tournament::{RunError, run};

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
pub trait Source<G: Bots + Notation>: Sync {
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

impl<G: Bots + Notation> Source<G> for Played {
    fn play(
        &self,
        experiment: &Experiment<G::Rules>,
        blocks: Blocks,
    ) -> Result<Vec<Outcome>, RunError> {
        let game = G::new(experiment.rules).map_err(ExperimentError::from)?;
        let seatings = experiment.schedule.seatings(game.seats());
        let mut tables = Vec::new();
        for lineup in &experiment.lineups {
            let policies = experiment.policies::<G>(lineup).map_err(ExperimentError::from)?;
            let specs: Vec<_> = lineup.iter().map(|&bot| &experiment.bots[bot]).collect();
            tables.push((lineup, policies, G::playouts(&game, &specs)));
        }
        let mut dice = BlockDice::of(&game, experiment.seed, blocks.from);
        let mut arena = Arena::new(game.clone());
        let mut outcomes = Vec::new();
        for block in blocks.range() {
            dice.reset(block);
            let opening = experiment.opening(&game, block);
            for (number, (lineup, policies, playouts)) in tables.iter_mut().enumerate() {
                for (index, seating) in seatings.iter().enumerate() {
                    dice.rewind();
                    let mut words = bot_words(experiment.seed, block, index);
                    let played = if let Some(playouts) = playouts {
                        let (start, _) = opening.play(&game, |_, _, _| {});
                        playouts.play(start, seating, &mut dice, &mut words)
                    } else {
                        arena
                            .play(&opening, policies, seating, &mut dice, &mut words, &mut ())
                            .map_err(|choice| RunError::Illegal {
                                address: Address { lineup: number, block, seating: index },
                                bot: experiment.bots[lineup[seating[choice.seat]]].clone(),
                                choice,
                            })?
                    };
                    outcomes.push(Outcome {
                        lineup: number,
                        seating: index,
                        payoffs: played.payoffs,
                        length: length::<G>(&played),
                    });
                }
            }
        }
        Ok(outcomes)
    }
}

/// A game's length in the first unit that it is measured in.
fn length<G: Bots>(played: &Game) -> u32 {
    match G::UNITS.first() {
        Some(Unit::Throws) => played.throws,
        Some(Unit::Turns) => played.turns,
        Some(Unit::Decisions) => played.decisions,
        None => 0,
    }
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
pub fn counted<G: Bots + Notation>(
    experiment: &Experiment<G::Rules>,
    threads: usize,
) -> Result<Counts, RunError> {
    use sho_core::RuleSet;
    let tally = run::<G>(experiment, threads, &())?;
    Ok(Counts {
        bots: tally.bots.iter().map(|bot| bot.payoff12).collect(),
        seats: tally.seat_payoff12[..experiment.rules.sides()].to_vec(),
        length: tally.lengths.first().map(|length| length.blocks).unwrap_or_default(),
    })
}
