//! Bots that are ready to play: [`Players`].

use sho_ai::{Bots, Policy};
use sho_core::{Notation, PerSeat, Seat};

use crate::entrant::{Entrant, EntrantError};
use crate::exec::{BotStderr, ExecBot, FaultKind, StartError};
use crate::experiment::ExperimentError;
use crate::tournament::RunError;

/// Why a bot does not come to play.
#[derive(Debug)]
pub(crate) enum NoPlayer {
    /// It is none of the game's.
    Bot(EntrantError),
    /// Its program does not start.
    Start(StartError),
}

impl From<NoPlayer> for RunError {
    fn from(error: NoPlayer) -> Self {
        match error {
            NoPlayer::Bot(error) => ExperimentError::Bot(error).into(),
            NoPlayer::Start(error) => error.into(),
        }
    }
}

/// The programs that one thread plays with. A bot in another program has one for each seat that it holds in a line-up;
/// line-ups take their turns with them.
#[derive(Debug)]
pub(crate) struct Programs(Vec<Vec<ExecBot>>);

impl Programs {
    /// None started yet.
    pub(crate) fn new(bots: usize) -> Self {
        Self(vec![Vec::new(); bots])
    }
}

/// The entries of a line-up.
pub(crate) struct Players<G: sho_core::Game> {
    /// By entry.
    pub(crate) policies: Vec<Box<dyn Policy<G>>>,
    /// By entry the program that it asks, where it asks one.
    programs: Vec<Option<ExecBot>>,
}

/// What an entry did wrong in a game.
#[derive(Clone, Debug)]
pub(crate) struct SeatFault {
    pub(crate) seat: Seat,
    pub(crate) kind: FaultKind,
    /// One line.
    pub(crate) text: String,
}

impl<G: sho_core::Game> Players<G> {
    /// Players of whom nothing is known but how they play.
    pub(crate) fn of(policies: Vec<Box<dyn Policy<G>>>) -> Self {
        let programs = policies.iter().map(|_| None).collect();
        Self { policies, programs }
    }

    /// What was done wrong in the game that was played last, by seat.
    pub(crate) fn take_faults(&self, seats: usize, seating: &PerSeat<usize>) -> Vec<SeatFault> {
        let mut faults = Vec::new();
        for seat in Seat::all(seats) {
            let program = self.programs[seating[seat]].as_ref();
            if let Some(fault) = program.and_then(ExecBot::take_fault) {
                faults.push(SeatFault { seat, kind: fault.kind, text: fault.to_string() });
            }
        }
        faults
    }
}

impl<G: Bots + Notation + 'static> Players<G> {
    /// The players of a line-up, which names bots by their index. Programs that are missing are started.
    pub(crate) fn new(
        game: &G,
        bots: &[Entrant],
        lineup: &[usize],
        programs: &mut Programs,
    ) -> Result<Self, NoPlayer> {
        let mut players = Self { policies: Vec::new(), programs: Vec::new() };
        let mut held = vec![0; bots.len()];
        for &bot in lineup {
            let (policy, program): (Box<dyn Policy<G>>, _) = match &bots[bot] {
                Entrant::Bot(bot) => {
                    (bot.policy(game).map_err(|error| NoPlayer::Bot(error.into()))?, None)
                }
                Entrant::Guest(guest) => (guest.policy::<G>().map_err(NoPlayer::Bot)?, None),
                Entrant::Exec(spec) => {
                    let copies = &mut programs.0[bot];
                    if copies.len() == held[bot] {
                        let program = spec.start(game, BotStderr::Dropped);
                        copies.push(program.map_err(NoPlayer::Start)?);
                    }
                    let program = copies[held[bot]].clone();
                    (Box::new(program.clone()), Some(program))
                }
            };
            held[bot] += 1;
            players.policies.push(policy);
            players.programs.push(program);
        }
        Ok(players)
    }
}

/// Shakes hands with each bot in another program, so that a mistake in a command is found before anything is played.
pub(crate) fn shake_hands<G: Bots + Notation>(
    game: &G,
    bots: &[Entrant],
) -> Result<(), StartError> {
    for bot in bots {
        if let Entrant::Exec(spec) = bot {
            let _ = spec.start(game, BotStderr::Dropped)?.bye();
        }
    }
    Ok(())
}
