//! Experiments, and their games one by one.

use sho_ai::arena::{Arena, bot_words};
use sho_ai::{Bots, Played, Policy};
use sho_bench::tally::Tally;
use sho_bench::{Address, Amount, Entrant, Experiment, Schedule, TournamentResult, run};
use sho_core::record::Record;
use sho_core::sho::{Rules, Sho};
use sho_core::{BlockDice, Game, Notation, Seat};

/// The experiment of one line-up of Sho.
pub(crate) fn lineup(
    rules: Rules,
    bots: &str,
    schedule: Schedule,
    seed: u64,
    blocks: u64,
) -> Experiment<Rules> {
    let bots: Vec<String> = bots.split(',').map(str::to_owned).collect();
    Experiment::lineup::<Sho>(rules, &bots, schedule, seed, Amount::Blocks(blocks)).unwrap()
}

/// Rules with some settings changed.
pub(crate) fn changed(mut rules: Rules, settings: &[&str]) -> Rules {
    use sho_core::RuleSet;
    for setting in settings {
        rules.assign(setting).unwrap();
    }
    rules
}

pub(crate) fn tally(experiment: &Experiment<Rules>) -> Tally {
    run::<Sho>(experiment, 2, &()).unwrap().tally
}

pub(crate) fn result(experiment: &Experiment<Rules>) -> TournamentResult<Rules> {
    TournamentResult::new::<Sho>(experiment, &tally(experiment))
}

/// A game of an experiment, played alone.
#[derive(Debug)]
pub(crate) struct OneGame {
    pub(crate) address: Address,
    /// The bot of each seat, as an index into the experiment's bots.
    pub(crate) bots: Vec<usize>,
    pub(crate) played: Played,
    pub(crate) record: Record<Rules>,
}

impl OneGame {
    /// Throws, turns and decisions, counted in the record.
    pub(crate) fn lengths(&self) -> [u32; 3] {
        let steps = || self.record.turns.iter().flat_map(|turn| turn.split(' ').skip(1));
        let throws = steps().filter(|step| step.as_bytes()[1] == b'-').count();
        [throws, self.record.turns.len(), steps().count() - throws].map(|length| length as u32)
    }
}

/// New policies for the entries of a line-up.
pub(crate) fn policies<G: Bots>(
    game: &G,
    experiment: &Experiment<G::Rules>,
    lineup: &[usize],
) -> Vec<Box<dyn Policy<G>>> {
    let policy = |&bot: &usize| match &experiment.bots[bot] {
        Entrant::Bot(bot) => bot.policy(game).unwrap(),
        other => panic!("{other} is in another program"),
    };
    lineup.iter().map(policy).collect()
}

/// All games of an experiment in the order of their addresses, each played by an arena and bots of its own.
pub(crate) fn games<G>(experiment: &Experiment<Rules>) -> Vec<OneGame>
where
    G: Bots + Notation + Game<Rules = Rules>,
{
    let seats = usize::from(experiment.rules.sides);
    let seatings = experiment.schedule.seatings(seats);
    let mut games = Vec::new();
    for (lineup, entries) in experiment.lineups.iter().enumerate() {
        for block in experiment.blocks.range() {
            for (seating, entry_at) in seatings.iter().enumerate() {
                let mut arena = Arena::new(G::new(experiment.rules).unwrap());
                let mut policies = policies::<G>(arena.game(), experiment, entries);
                let start = arena.game().start();
                let opening = experiment.opening(arena.game(), block);
                let mut record = Record::new(arena.game(), &start);
                let mut words = bot_words(experiment.seed, block, seating);
                let mut dice = BlockDice::new(experiment.seed, block);
                let played = arena
                    .play(&opening, &mut policies, entry_at, &mut dice, &mut words, &mut record)
                    .unwrap();
                let address = Address { lineup, block, seating };
                let bots = Seat::all(seats).map(|seat| entries[entry_at[seat]]).collect();
                games.push(OneGame { address, bots, played, record });
            }
        }
    }
    games
}
