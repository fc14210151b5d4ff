//! A single game of an experiment: [`record_of`].

use sho_ai::arena::{Arena, bot_words};
use sho_core::record::Record;
use sho_core::{BlockDice, RuleSet};

use crate::experiment::{BLOCK_LIMIT, Experiment, ExperimentError, TournamentGame};
use crate::players::{Players, Programs};
use crate::schedule::Address;
use crate::tournament::RunError;

/// Plays the game of an address alone, and gives its record. It is the game that a tournament plays there, since a game
/// depends on nothing but its address; also for blocks that the experiment does not come to.
///
/// # Errors
/// Where the experiment has no such line-up or seating, or a bot chose what is not legal.
///
/// ```
/// use sho_bench::{Address, Amount, Experiment, Schedule, record_of};
/// use sho_core::sho::{Rules, Sho};
///
/// let bots = ["easy", "random"].map(String::from);
/// let experiment = Experiment::lineup::<Sho>(Rules::lhasa(), &bots, Schedule::Rotations, 1, Amount::Games(20))?;
/// let record = record_of::<Sho>(&experiment, "0.3.1".parse()?)?;
/// assert_eq!((record.players[0].as_str(), record.address.as_deref()), ("random", Some("0.3.1")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn record_of<G: TournamentGame>(
    experiment: &Experiment<G::Rules>,
    address: Address,
) -> Result<Record<G::Rules>, RunError> {
    let Address { lineup, block, seating } = address;
    let seatings = experiment.schedule.seatings(experiment.rules.sides());
    let (Some(entries), Some(seats)) = (experiment.lineups.get(lineup), seatings.get(seating))
    else {
        let (lineups, seatings) = (experiment.lineups.len() - 1, seatings.len() - 1);
        return Err(ExperimentError::NoSuchGame { address, lineups, seatings }.into());
    };
    if block >= BLOCK_LIMIT {
        return Err(ExperimentError::BlockTooLarge(block).into());
    }
    let game = G::new(experiment.rules).map_err(ExperimentError::from)?;
    let mut programs = Programs::new(experiment.bots.len());
    let mut players = Players::new(&game, &experiment.bots, entries, &mut programs)?;
    let opening = experiment.opening(&game, block);
    let mut record = experiment.record(&game, opening.start(), address);
    let mut dice = BlockDice::of(&game, experiment.seed, block);
    let mut words = bot_words(experiment.seed, block, seating);
    let mut arena = Arena::new(game);
    arena
        .play(&opening, &mut players.policies, seats, &mut dice, &mut words, &mut record)
        .map_err(|choice| {
            let bot = Experiment::<G::Rules>::bot_at(entries, seats)[choice.seat];
            let bot = Box::new(experiment.bots[bot].clone());
            RunError::Illegal { address, bot, choice: Box::new(choice) }
        })?;
    let faults = players.take_faults(experiment.rules.sides(), seats);
    record.faults = faults.iter().map(|fault| format!("{} {}", fault.seat, fault.text)).collect();
    Ok(record)
}
