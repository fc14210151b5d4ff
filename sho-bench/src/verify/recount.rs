//! Counts made again from records alone: [`tally_of_records`].

use std::fmt;

use sho_ai::arena::{Observer, bot_words};
use sho_ai::opening::Opening;
use sho_ai::{Decision, Played, Policy};
use sho_core::record::Record;
use sho_core::{ActionList, BlockDice, PerSeat, Seat, Step};

use super::Faults;
use crate::block_rows::BlockRows;
use crate::distinct::GameHash;
use crate::entrant::Entrant;
use crate::exec::FaultKind;
use crate::experiment::{Blocks, Experiment, ExperimentError, MetricsTier, TournamentGame};
use crate::metrics::Meter;
use crate::schedule::Address;
use crate::tally::{BlockTally, Tally};
use crate::tournament::RunError;

/// The first thing that is wrong with the records of some blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFault(pub String);

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RecordFault {}

/// The counts of some blocks of an experiment, from the records of their games: a line of JSON for each game, in the order
/// in which a tournament keeps them, by block, line-up and seating.
///
/// Each game is played through step by step. Its rules, players and start must be those of its address, its throws the
/// keyed ones and its opening the block's, its actions legal, and its end and payoffs what comes out. What the players
/// might have chosen is not asked.
///
/// # Errors
/// The first thing that is wrong, also where a game is missing, is there twice, or is none of these blocks.
///
/// ```
/// use sho_bench::verify::tally_of_records;
/// use sho_bench::{Address, Amount, Experiment, Schedule, record_of, run};
/// use sho_core::sho::{Rules, Sho};
///
/// let bots = ["easy", "random"].map(String::from);
/// let experiment = Experiment::lineup::<Sho>(Rules::lhasa(), &bots, Schedule::Rotations, 1, Amount::Blocks(5))?;
/// let mut records = String::new();
/// for block in 0..5 {
///     for seating in 0..2 {
///         let record = record_of::<Sho>(&experiment, Address { lineup: 0, block, seating })?;
///         records += &(serde_json::to_string(&record)? + "\n");
///     }
/// }
/// let tally = tally_of_records::<Sho>(&experiment, experiment.blocks, &records)?;
/// assert_eq!(tally, run::<Sho>(&experiment, 1, &())?.tally);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tally_of_records<G: TournamentGame>(
    experiment: &Experiment<G::Rules>,
    blocks: Blocks,
    records: &str,
) -> Result<Tally, RecordFault> {
    let mut recount =
        Recount::<G>::new(experiment).map_err(|error| RecordFault(error.to_string()))?;
    let recounted = recount.blocks(blocks, records, &|_| false, &|_| {});
    match recounted.faults.named.into_iter().next() {
        Some(fault) => Err(RecordFault(fault)),
        None => Ok(recounted.tally),
    }
}

/// What the records of some blocks come to.
#[derive(Clone, Debug)]
pub(super) struct Recounted {
    /// Their counts, which mean something only where there are no faults.
    pub(super) tally: Tally,
    /// The rows that a tournament keeps of them.
    pub(super) rows: String,
    /// Records that were good.
    pub(super) games: u64,
    /// Choices of bots of this program that were made again.
    pub(super) choices: u64,
    pub(super) faults: Faults,
}

/// Where one thread counts records.
pub(super) struct Recount<'a, G: TournamentGame> {
    game: G,
    experiment: &'a Experiment<G::Rules>,
    seatings: Vec<PerSeat<usize>>,
    /// By line-up and entry the bot, where it is one of this program.
    policies: Vec<Vec<Option<Box<dyn Policy<G>>>>>,
    actions: G::Actions,
    dice: BlockDice,
    block: BlockTally,
    rows: BlockRows,
    meter: Option<G::Meter>,
}

/// A game as its record has it.
struct Walked {
    played: Played,
    faults: Vec<(Seat, FaultKind)>,
    hash: GameHash,
    choices: u64,
}

impl<'a, G: TournamentGame> Recount<'a, G> {
    pub(super) fn new(experiment: &'a Experiment<G::Rules>) -> Result<Self, RunError> {
        experiment.check::<G>()?;
        let game = G::new(experiment.rules).map_err(ExperimentError::from)?;
        let policy = |&bot: &usize| match &experiment.bots[bot] {
            Entrant::Bot(bot) => match bot.policy(&game) {
                Ok(policy) => Ok(Some(policy)),
                Err(error) => Err(ExperimentError::Bot(error.into())),
            },
            Entrant::Guest(guest) => match guest.policy::<G>() {
                Ok(policy) => Ok(Some(policy)),
                Err(error) => Err(ExperimentError::Bot(error)),
            },
            Entrant::Exec(_) => Ok(None),
        };
        let policies = experiment.lineups.iter().map(|lineup| lineup.iter().map(policy).collect());
        Ok(Self {
            seatings: experiment.schedule.seatings(game.seats()),
            policies: policies.collect::<Result<_, _>>()?,
            actions: G::Actions::default(),
            dice: BlockDice::of(&game, experiment.seed, experiment.blocks.from),
            block: BlockTally::new::<G>(experiment),
            rows: BlockRows::new(experiment),
            meter: (experiment.metrics == MetricsTier::Full).then(|| game.meter()),
            game,
            experiment,
        })
    }

    /// Counts the records of these blocks. In blocks of which `asks` says so the bots of this program choose again. `seen`
    /// is told of each block that was looked at.
    pub(super) fn blocks(
        &mut self,
        blocks: Blocks,
        records: &str,
        asks: &dyn Fn(u64) -> bool,
        seen: &dyn Fn(u64),
    ) -> Recounted {
        let mut counted = Recounted {
            tally: Tally::new::<G>(self.experiment),
            rows: String::new(),
            games: 0,
            choices: 0,
            faults: Faults::default(),
        };
        let games_a_block = self.experiment.games_a_block();
        // Games are numbered from 0 in the order in which they must stand.
        let mut due = 0;
        let mut opening = None;
        for (line, text) in records.lines().enumerate() {
            let place = |address: &str| format!("record {} ({address})", line + 1);
            let record: Record<G::Rules> = match serde_json::from_str(text) {
                Ok(record) => record,
                Err(error) => {
                    counted.faults.add(format!("{}: {error}", place("unreadable")));
                    continue;
                }
            };
            let stated = record.address.clone().unwrap_or_else(|| "without address".to_owned());
            let number = stated.parse().ok().and_then(|address| self.number(address, blocks));
            let Some(number) = number else {
                let problem = format!("expected the game {}", self.address(due, blocks));
                counted.faults.add(format!("{}: {problem}", place(&stated)));
                continue;
            };
            if number < due {
                counted
                    .faults
                    .add(format!("{}: it is there twice, or not in its place", place(&stated)));
                continue;
            }
            self.missing(due, number, blocks, &mut counted.faults);
            due = number + 1;
            let address = self.address(number, blocks);
            if opening.as_ref().is_none_or(|(block, _)| *block != address.block) {
                self.dice.reset(address.block);
                opening = Some((address.block, self.experiment.opening(&self.game, address.block)));
            }
            let Some((_, opening)) = &opening else { continue };
            match self.walk(&record, address, opening, asks(address.block)) {
                Ok(walked) => self.count(address, walked, &mut counted),
                Err(problem) => counted.faults.add(format!("{}: {problem}", place(&stated))),
            }
            if due % games_a_block == 0 {
                self.block.finish(&mut counted.tally);
                self.rows.write(address.block, self.experiment, &mut counted.rows);
                seen(1);
            }
        }
        self.missing(due, games_a_block * blocks.len(), blocks, &mut counted.faults);
        if counted.faults.count > 0 {
            // What is left of a block that is not whole would be counted with the next.
            self.block = BlockTally::new::<G>(self.experiment);
            self.rows = BlockRows::new(self.experiment);
        }
        counted
    }

    /// The number of a game of these blocks in the order in which they are kept.
    fn number(&self, address: Address, blocks: Blocks) -> Option<u64> {
        let Address { lineup, block, seating } = address;
        let seatings = self.seatings.len();
        let known = lineup < self.experiment.lineups.len() && seating < seatings;
        (known && blocks.range().contains(&block)).then(|| {
            let in_block = (lineup * seatings + seating) as u64;
            (block - blocks.from) * self.experiment.games_a_block() + in_block
        })
    }

    /// The address of a game of these blocks, given its number.
    fn address(&self, number: u64, blocks: Blocks) -> Address {
        let games = self.experiment.games_a_block();
        // A block has few games.
        let in_block = (number % games) as usize;
        let (lineup, seating) = (in_block / self.seatings.len(), in_block % self.seatings.len());
        Address { lineup, block: blocks.from + number / games, seating }
    }

    fn missing(&self, from: u64, to: u64, blocks: Blocks, faults: &mut Faults) {
        if from < to {
            let first = self.address(from, blocks);
            faults.add(match to - from {
                1 => format!("game {first} has no record"),
                more => format!("{more} games have no records, the first of them {first}"),
            });
            faults.count += to - from - 1;
        }
    }

    /// Plays a record through, and says what is wrong with it.
    fn walk(
        &mut self,
        record: &Record<G::Rules>,
        address: Address,
        opening: &Opening<G>,
        asks: bool,
    ) -> Result<Walked, String> {
        let (game, experiment) = (&self.game, self.experiment);
        let mut fresh = experiment.record(game, opening.start(), address);
        check_head(record, &fresh)?;
        let faults = self.faults(record, address)?;
        let seats = &self.seatings[address.seating];
        let policies = &mut self.policies[address.lineup];
        for seat in Seat::all(game.seats()) {
            if let Some(policy) = &mut policies[seats[seat]] {
                policy.begin(game, seat);
            }
        }
        if let Some(meter) = &mut self.meter {
            meter.clear();
        }
        self.dice.rewind();
        let mut words = bot_words(experiment.seed, address.block, address.seating);
        let mut state = opening.start().clone();
        let mut history = game.begin(&state);
        let mut opening_turns = opening.turns().iter();
        let mut hash = GameHash::default();
        let (mut throws, mut decisions, mut choices) = (0, 0, 0);
        let steps = record.turns.iter().flat_map(|turn| turn.split(' ').skip(1));
        for (number, text) in steps.enumerate() {
            let wrong = |what: String| {
                Err(format!("step {}, in `{}`: {what}", number + 1, game.state_text(&state)))
            };
            match game.step(&state) {
                Step::Over => return wrong(format!("the game is over, and `{text}` follows")),
                Step::Chance(seat) => {
                    let outcome = game.outcome(&state, self.dice.way(seat));
                    let thrown = game.outcome_text(outcome);
                    if text != thrown {
                        return wrong(format!(
                            "`{text}`, and the dice of the block throw {thrown}"
                        ));
                    }
                    if let Some(meter) = &mut self.meter {
                        meter.cast(game, &state, seat, outcome);
                    }
                    fresh.push_outcome(game, seat, outcome);
                    game.cast_unchecked(&mut state, outcome);
                    throws += 1;
                }
                Step::Decide(seat) => {
                    let action = match game.parse_action(&state, text) {
                        Ok(action) => action,
                        Err(error) => return wrong(error.to_string()),
                    };
                    if let Some(&drawn) = opening_turns.next() {
                        if action != drawn {
                            let drawn = game.action_text(&state, drawn);
                            return wrong(format!("`{text}`, and the block's opening has {drawn}"));
                        }
                    } else if asks && let Some(policy) = &mut policies[seats[seat]] {
                        game.actions(&state, &mut self.actions);
                        let actions = &self.actions;
                        if actions.len() > 1 {
                            let decision =
                                Decision { game, state: &state, seat, actions, history: &history };
                            let chosen = policy.choose(decision, &mut words[seat]);
                            choices += 1;
                            if action != chosen {
                                let chosen = if actions.contains(chosen) {
                                    game.action_text(&state, chosen)
                                } else {
                                    "what is not legal".to_owned()
                                };
                                let bot = &fresh.players[seat.index()];
                                return wrong(format!("`{text}`, and {bot} chooses {chosen}"));
                            }
                        }
                    }
                    if let Some(meter) = &mut self.meter {
                        meter.action(game, &state, seat, action);
                    }
                    hash.action(game, &state, seat, action);
                    fresh.push_action(game, seat, &state, action);
                    game.play_unchecked(&mut state, action);
                    game.remember(&mut state, &mut history);
                    decisions += 1;
                }
            }
        }
        if game.step(&state) != Step::Over {
            return Err(format!("it ends before the game does, in `{}`", game.state_text(&state)));
        }
        if let Some(meter) = &mut self.meter {
            meter.over(game, &state);
        }
        fresh.close(game, &state);
        check_end(record, &fresh)?;
        let end = game.end(&state).unwrap_or_default();
        // A game has far fewer turns.
        let turns = fresh.turns.len() as u32;
        let mut played = Played { end, payoffs: game.payoffs(&state), throws, turns, decisions };
        for &(seat, _) in &faults {
            played.payoffs[seat] = 0;
        }
        Ok(Walked { played, faults, hash, choices })
    }

    /// Who did something wrong, as the record says: programs alone, each at most once, in the order of their seats.
    fn faults(
        &self,
        record: &Record<G::Rules>,
        address: Address,
    ) -> Result<Vec<(Seat, FaultKind)>, String> {
        let mut faults: Vec<(Seat, FaultKind)> = Vec::new();
        for text in &record.faults {
            let read = || {
                let (letter, what) = text.split_once(' ')?;
                let mut letters = letter.chars();
                let seat = Seat::from_letter(letters.next()?)?;
                let (kind, _) = what.split_once(": ")?;
                let kind = FaultKind::ALL.into_iter().find(|&(_, name)| name == kind)?.0;
                let at_table = letters.next().is_none() && seat.index() < self.game.seats();
                at_table.then_some((seat, kind))
            };
            let Some((seat, kind)) = read() else {
                return Err(format!("`{text}` is no fault of a seat"));
            };
            let bot = self.block.bot_at(address.lineup, address.seating)[seat];
            if self.experiment.bots[bot].is_deterministic() {
                return Err(format!("a fault of {seat}, which is no program of its own: `{text}`"));
            }
            if faults.last().is_some_and(|&(last, _)| last >= seat) {
                return Err(format!("a second fault of a seat, or not in order: `{text}`"));
            }
            faults.push((seat, kind));
        }
        Ok(faults)
    }

    /// Counts a game as a tournament does.
    fn count(&mut self, address: Address, walked: Walked, counted: &mut Recounted) {
        let Address { lineup, seating, .. } = address;
        let Walked { played, faults, hash, choices } = walked;
        let tally = &mut counted.tally;
        counted.games += 1;
        counted.choices += choices;
        if let Some(distinct) = &mut tally.distinct {
            distinct.add(hash);
        }
        if let Some(meter) = &self.meter {
            self.block.metered::<G>(lineup, seating, meter, tally);
        }
        let bot_at = *self.block.bot_at(lineup, seating);
        for (seat, kind) in faults {
            tally.bots[bot_at[seat]].faults.count(kind, address);
        }
        self.block.game::<G>(lineup, seating, &played, tally);
        self.rows.game::<G>(&bot_at, lineup, &played);
    }
}

/// What stands before the steps must be what the experiment says.
fn check_head<R: PartialEq>(record: &Record<R>, expected: &Record<R>) -> Result<(), String> {
    let wrong = |what: &str, here: &str, there: &str| {
        Err(format!("{what}: `{here}`, and it is `{there}` in the experiment"))
    };
    if record.schema != expected.schema {
        return wrong("schema", &record.schema, &expected.schema);
    }
    if record.game != expected.game {
        return wrong("game", &record.game, &expected.game);
    }
    if record.rules != expected.rules {
        return Err("its rules are not those of the experiment".to_owned());
    }
    if record.players != expected.players {
        return wrong("players", &record.players.join(", "), &expected.players.join(", "));
    }
    if record.seed != expected.seed {
        let text = |seed: Option<u64>| seed.map_or("none".to_owned(), |seed| seed.to_string());
        return wrong("seed", &text(record.seed), &text(expected.seed));
    }
    if record.start != expected.start {
        return wrong("start", &record.start, &expected.start);
    }
    Ok(())
}

/// What stands behind the steps must be what comes out, and each step must stand in the turn of its seat.
fn check_end<R>(record: &Record<R>, fresh: &Record<R>) -> Result<(), String> {
    let wrong = |what: &str, here: &str, there: &str| {
        Err(format!("{what}: `{here}`, and what comes out is `{there}`"))
    };
    if record.turns != fresh.turns {
        let turn = record.turns.iter().zip(&fresh.turns).position(|(here, there)| here != there);
        let turn = turn.unwrap_or(record.turns.len().min(fresh.turns.len()));
        let of = |record: &Record<R>| record.turns.get(turn).cloned().unwrap_or_default();
        return wrong(&format!("turn {}", turn + 1), &of(record), &of(fresh));
    }
    if record.last != fresh.last {
        return wrong("last", &record.last, &fresh.last);
    }
    if record.end != fresh.end {
        let text = |end: &Option<String>| end.clone().unwrap_or_else(|| "none".to_owned());
        return wrong("end", &text(&record.end), &text(&fresh.end));
    }
    if record.payoffs != fresh.payoffs {
        let text =
            |payoffs: &[u32]| payoffs.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        return wrong("payoffs", &text(&record.payoffs), &text(&fresh.payoffs));
    }
    Ok(())
}
