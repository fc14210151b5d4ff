//! Whether a bot in another program keeps to the protocol: [`check`].

use sho_ai::arena::Arena;
use sho_ai::{Policy, Random};
use sho_core::record::Record;
use sho_core::{Game, Notation, Seat};

use super::bot::{BotStderr, ExecBot, StartError, Thinking};
use super::fault::{Fault, FaultKind};
use super::protocol::{BYE_LIMIT, PROTOCOL};
use super::spec::ExecSpec;

/// What a bot is checked on.
#[derive(Clone, Debug)]
pub struct CheckPlan<G> {
    /// The bot.
    pub spec: ExecSpec,
    /// Where its standard error goes.
    pub stderr: BotStderr,
    /// The tables that it plays at, against `random`: usually one for each number of sides. The bot holds each seat of
    /// each.
    pub tables: Vec<G>,
    /// How many games it plays at these tables altogether; raised to one for each seat, where it is less.
    pub games: u64,
    /// Another game by house rules, with their name: one game for each seat.
    pub other_rules: Option<(String, G)>,
    /// The master seed.
    pub seed: u64,
}

/// What a check came to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// The bot does this well; a remark, which may be empty.
    Good(String),
    /// What was wrong, one line for each time.
    Fault(Vec<String>),
    /// It could not be tried; why.
    NotTried(String),
}

/// One thing that a bot must do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What it is, in a few words.
    pub name: &'static str,
    /// Whether it does it.
    pub verdict: Verdict,
}

/// What was found out about a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// All checks, in a fixed order.
    pub checks: Vec<Check>,
    /// Whether the first game came out the same when it was played again; nothing where it was not. A bot need not play
    /// the same again.
    pub same_again: Option<bool>,
    /// How long it thought: the one part that depends on the clock.
    pub thinking: Thinking,
}

impl CheckReport {
    /// How many checks found a fault.
    #[must_use]
    pub fn faults(&self) -> usize {
        self.checks.iter().filter(|check| matches!(check.verdict, Verdict::Fault(_))).count()
    }
}

/// Plays games of a bot against `random`, and says what it does well and what not. A fault does not end the check.
/// `played` is called after each game.
///
/// # Errors
/// Where the command cannot be run at all. Any other failure of the hand-shake is a fault in the report.
pub fn check<G: Notation>(
    plan: &CheckPlan<G>,
    mut played: impl FnMut(),
) -> Result<CheckReport, StartError> {
    if let Some(game) = plan.tables.first()
        && let Err(error @ StartError::CannotRun { .. }) = plan.spec.start(game, BotStderr::Dropped)
    {
        // Found out before anything is shown: the shell would complain as well.
        return Err(error);
    }
    let mut found = Found::default();
    let seats = plan.seats();
    let games = plan.games.max(seats);
    let mut seats_before = 0;
    for game in &plan.tables {
        // Every seat of all tables has as many games as another, or one more.
        let share = |seat| games / seats + u64::from(seats_before + seat < games % seats);
        let sides = game.seats();
        let games = (0..sides as u64).map(share).sum();
        seats_before += sides as u64;
        found.table(plan, game, games, &format!("{sides} sides"), &mut played)?;
        if !found.hand_shake.is_empty() {
            // It would fail at every table, and may take its time for it.
            break;
        }
    }
    let started = !found.names.is_empty();
    if !started {
        // It is no fault to refuse some tables, but one to refuse them all.
        found.hand_shake.append(&mut found.refusals);
    }
    let mut other = Found::default();
    if let Some((name, game)) = plan.other_rules.as_ref().filter(|_| started) {
        other.table(plan, game, game.seats() as u64, &format!("rules {name}"), &mut played)?;
    }
    let same_again = if started { plan.plays_same_again(&mut played)? } else { None };
    Ok(found.report(plan, started, other, same_again))
}

/// What came up while the bot played.
#[derive(Default)]
struct Found {
    /// The names that it gave itself, each once.
    names: Vec<String>,
    /// What was wrong with hand-shakes.
    hand_shake: Vec<String>,
    /// The tables that it does not want to play at.
    refusals: Vec<String>,
    /// The faults in games.
    faults: Vec<(FaultKind, String)>,
    games: u64,
    /// The most games in a row without a fault, in one process.
    in_a_row: u64,
    /// For each table: its name, the seats where it played without a fault, and the others.
    seats: Vec<(String, String, String)>,
    /// Tables after which it ended by itself, and after which it did not.
    byes: u64,
    stays: Vec<String>,
    thinking: Thinking,
}

impl Found {
    /// Plays `games` games at a table, the bot on each seat in turn.
    fn table<G: Notation>(
        &mut self,
        plan: &CheckPlan<G>,
        game: &G,
        games: u64,
        table: &str,
        finished: &mut impl FnMut(),
    ) -> Result<(), StartError> {
        let bot = match plan.spec.start(game, plan.stderr) {
            Ok(bot) => bot,
            Err(error @ StartError::CannotRun { .. }) => return Err(error),
            Err(StartError::Refused { reason, .. }) => {
                self.refusals.push(format!("{table}: refused: {reason}"));
                return Ok(());
            }
            Err(error) => {
                self.hand_shake.push(format!("{table}: {error}"));
                return Ok(());
            }
        };
        if !self.names.contains(&bot.name()) {
            self.names.push(bot.name());
        }
        let sides = game.seats();
        let mut played = vec![false; sides];
        let mut in_a_row = 0;
        for index in 0..games {
            let (block, rotation) = (index / sides as u64, (index % sides as u64) as usize);
            let (fault, _) = plan.play(game, &bot, block, rotation);
            self.games += 1;
            finished();
            // The bot is entry 0, which sits here in this rotation.
            let seat = Seat::ALL[(sides - rotation) % sides];
            match fault {
                None => {
                    played[seat.index()] = true;
                    in_a_row += 1;
                    self.in_a_row = self.in_a_row.max(in_a_row);
                }
                Some(Fault { kind, what }) => {
                    in_a_row = 0;
                    self.faults.push((kind, format!("{table}, game {index}, seat {seat}: {what}")));
                }
            }
        }
        let seats = |wanted| {
            let seats = Seat::all(sides).filter(|seat| played[seat.index()] == wanted);
            seats.map(|seat| seat.letter().to_string()).collect::<Vec<_>>().join(" ")
        };
        self.seats.push((table.to_owned(), seats(true), seats(false)));
        match bot.bye() {
            Some(true) => self.byes += 1,
            Some(false) => self.stays.push(format!(
                "{table}: it still ran {} s after `bye`, and was ended",
                BYE_LIMIT.as_secs()
            )),
            None => {}
        }
        let thinking = bot.thinking();
        self.thinking.answers += thinking.answers;
        self.thinking.total += thinking.total;
        self.thinking.longest = self.thinking.longest.max(thinking.longest);
        Ok(())
    }

    fn of_kind(&self, kind: FaultKind) -> Vec<String> {
        let of_kind = self.faults.iter().filter(|(other, _)| *other == kind);
        of_kind.map(|(_, what)| what.clone()).collect()
    }

    fn report<G: Game>(
        mut self,
        plan: &CheckPlan<G>,
        started: bool,
        mut other: Self,
        same_again: Option<bool>,
    ) -> CheckReport {
        self.hand_shake.append(&mut other.hand_shake);
        self.stays.append(&mut other.stays);
        self.byes += other.byes;
        let mut checks = Vec::new();
        let mut add = |name, verdict| checks.push(Check { name, verdict });
        // What was not tried is neither good nor bad.
        let judged = |faults: Vec<String>, good: String| match (started, faults.is_empty()) {
            (false, _) => Verdict::NotTried("it played no game".to_owned()),
            (true, true) => Verdict::Good(good),
            (true, false) => Verdict::Fault(faults),
        };

        let names: Vec<_> = self.names.iter().map(|name| format!("`{name}`")).collect();
        let names = names.join(", ");
        add(
            "hand-shake",
            if self.hand_shake.is_empty() {
                Verdict::Good(format!("{PROTOCOL}, it calls itself {names}"))
            } else {
                Verdict::Fault(std::mem::take(&mut self.hand_shake))
            },
        );

        let answers = match self.thinking.answers {
            1 => "1 answer".to_owned(),
            answers => format!("{answers} answers"),
        };
        add("legal actions", judged(self.of_kind(FaultKind::Illegal), answers));
        let games = format!("{} games", self.games);
        add("keeps running", judged(self.of_kind(FaultKind::Crash), games));
        let limit = plan.spec.limit();
        let limit =
            limit.map_or_else(|| "no limit".to_owned(), |limit| format!("{limit} s a game"));
        add("answers in time", judged(self.of_kind(FaultKind::Silence), limit));
        let garbage = self.of_kind(FaultKind::Garbage);
        add("writes answers and nothing else", judged(garbage, String::new()));

        let missed = |(table, _, missed): &(String, String, String)| {
            (!missed.is_empty()).then(|| format!("{table}: no game without a fault on {missed}"))
        };
        let good: Vec<String> = self
            .seats
            .iter()
            .map(|(table, played, _)| format!("{table}: {played}"))
            .chain(self.refusals.iter().cloned())
            .collect();
        let missed = self.seats.iter().filter_map(missed).collect();
        add("every seat", judged(missed, good.join("; ")));

        // Every table has two seats at least, and so two games.
        let several = match self.in_a_row {
            0 | 1 => vec!["no two games in a row without a fault".to_owned()],
            _ => Vec::new(),
        };
        let several = judged(several, format!("up to {} in one process", self.in_a_row));
        add("several games in a process", several);

        let house = match &plan.other_rules {
            None => Verdict::NotTried("the game has no other rules".to_owned()),
            Some((name, _)) => {
                let faults = other.faults.iter().map(|(kind, what)| format!("{kind}: {what}"));
                let good = match other.refusals.first() {
                    Some(refusal) => refusal.clone(),
                    None => format!("{name}, {} games", other.games),
                };
                judged(faults.collect(), good)
            }
        };
        add("other rules", house);

        let stays = std::mem::take(&mut self.stays);
        add(
            "ends after bye",
            if started && self.byes == 0 && stays.is_empty() {
                Verdict::NotTried("it did not live to hear it".to_owned())
            } else {
                judged(stays, String::new())
            },
        );
        CheckReport { checks, same_again, thinking: self.thinking }
    }
}

impl<G: Notation> CheckPlan<G> {
    /// How many games are played where nothing is refused: those at the tables, by other rules, and twice the first one.
    #[must_use]
    pub fn all_games(&self) -> u64 {
        let other = self.other_rules.as_ref().map_or(0, |(_, game)| game.seats() as u64);
        self.games.max(self.seats()) + other + 2
    }

    /// The seats of all tables.
    fn seats(&self) -> u64 {
        self.tables.iter().map(|game| game.seats() as u64).sum()
    }

    /// One game of the bot against `random`: what was wrong, and the record.
    fn play(
        &self,
        game: &G,
        bot: &ExecBot,
        block: u64,
        rotation: usize,
    ) -> (Option<Fault>, String) {
        let mut entries: Vec<Box<dyn Policy<G>>> = vec![Box::new(bot.clone())];
        entries.resize_with(game.seats(), || Box::new(Random));
        let mut record = Record::new(game, &game.start());
        let played = Arena::new(game.clone()).play_game(
            self.seed,
            block,
            rotation,
            &mut entries,
            &mut record,
        );
        let illegal = |illegal: sho_ai::arena::IllegalChoice| Fault {
            kind: FaultKind::Illegal,
            what: illegal.to_string(),
        };
        (bot.take_fault().or(played.err().map(illegal)), record.to_string())
    }

    /// Whether two new processes play the same first game; nothing where one of them had a fault.
    fn plays_same_again(&self, played: &mut impl FnMut()) -> Result<Option<bool>, StartError> {
        let Some(game) = self.tables.first() else {
            return Ok(None);
        };
        let mut records = Vec::new();
        for _ in 0..2 {
            match self.spec.start(game, self.stderr) {
                Ok(bot) => match self.play(game, &bot, 0, 0) {
                    (None, record) => {
                        played();
                        records.push(record);
                    }
                    (Some(_), _) => return Ok(None),
                },
                Err(error @ StartError::CannotRun { .. }) => return Err(error),
                Err(_) => return Ok(None),
            }
        }
        Ok(Some(records[0] == records[1]))
    }
}
