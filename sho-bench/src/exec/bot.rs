//! The policy that asks a program: [`ExecBot`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sho_ai::{Decision, Policy, Random};
use sho_core::{ActionList, Game, Notation, Seat, Stream};

use super::fault::{Fault, FaultKind, quoted};
use super::process::{Lost, Process};
use super::protocol::{self, BadHello, HELLO_LIMIT, PROTOCOL};
use super::spec::ExecSpec;

/// Where a bot's standard error goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BotStderr {
    /// Nowhere: where many programs run, nobody could tell whose a line is.
    #[default]
    Dropped,
    /// To the standard error of this program.
    Shown,
}

/// A bot in another program did not come to play: the hand-shake failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The command cannot be run.
    #[error("bot `{command}` cannot be run: {reason}")]
    CannotRun {
        /// The command.
        command: String,
        /// Why.
        reason: String,
    },
    /// The program ended, or closed a pipe.
    #[error("bot `{command}`: no hand-shake: {reason}")]
    Ended {
        /// The command.
        command: String,
        /// How it ended.
        reason: String,
    },
    /// The program did not answer in time.
    #[error("bot `{command}`: no hand-shake: no answer to `hello` within {} s; does it flush its output?", HELLO_LIMIT.as_secs())]
    Silent {
        /// The command.
        command: String,
    },
    /// The program speaks another protocol, or another version of it.
    #[error("bot `{command}`: it speaks {found}, and the protocol is {PROTOCOL}")]
    Version {
        /// The command.
        command: String,
        /// What it speaks, as it says.
        found: String,
    },
    /// The program says that it does not play this game or these rules.
    #[error("bot `{command}` refuses to play: {reason}")]
    Refused {
        /// The command.
        command: String,
        /// Why, as it says.
        reason: String,
    },
    /// The program wrote something else than the answer.
    #[error("bot `{command}`: no hand-shake: {what}")]
    Garbage {
        /// The command.
        command: String,
        /// What it wrote.
        what: String,
    },
}

impl StartError {
    /// The kind of fault that it is, where it happens between two games.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        match self {
            Self::CannotRun { .. } | Self::Ended { .. } | Self::Refused { .. } => FaultKind::Crash,
            Self::Silent { .. } => FaultKind::Silence,
            Self::Version { .. } | Self::Garbage { .. } => FaultKind::Garbage,
        }
    }
}

/// How long a bot has thought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    /// How many questions it answered.
    pub answers: u64,
    /// How long that took, from sending the question to having the answer.
    pub total: Duration,
    /// The longest of them.
    pub longest: Duration,
}

/// A bot in another program. It asks the program for each decision, and plays on as [`Random`] where the program fails.
///
/// From a fault to the end of its game all decisions are made by `random`, with the words of the seat's stream, which
/// the program does not touch. The program is ended; for the next game it is started again. The runner asks for the
/// fault with [`take_fault`](Self::take_fault) after each game.
///
/// A clone is another handle to the same program: one is moved to where games are played, the other stays with the
/// runner. One program holds one seat at a time, so each entry of a line-up needs a bot of its own. When the last
/// handle is dropped the program is told `bye`, and ended where it does not obey.
///
/// # Examples
/// ```no_run
/// use sho_ai::{Policy, Random, arena::Arena};
/// use sho_bench::exec::{BotStderr, ExecSpec};
/// use sho_core::{Game, sho::{Rules, Sho}};
///
/// let game = Sho::new(Rules::lhasa())?;
/// let spec: ExecSpec = "exec:limit=10:command=sh examples/bots/first.sh".parse()?;
/// let bot = spec.start(&game, BotStderr::Dropped)?;
/// let mut entries: [Box<dyn Policy<Sho>>; 3] =
///     [Box::new(bot.clone()), Box::new(Random), Box::new(Random)];
/// let played = Arena::new(game).play_game(1, 0, 0, &mut entries, &mut ())?;
/// match bot.take_fault() {
///     None => println!("it got {} twelfths", played.payoffs[sho_core::Seat::A]),
///     Some(fault) => println!("it got nothing: {fault}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExecBot(Arc<Mutex<Session>>);

#[derive(Debug)]
struct Session {
    spec: ExecSpec,
    stderr: BotStderr,
    /// What the program is told first: it depends on the game and its rules.
    greeting: String,
    /// The name that the program gave itself.
    name: String,
    /// The program; nothing after a fault, until the next game.
    process: Option<Process>,
    /// Whether the program has been told that this game began.
    started: bool,
    /// How long it has thought in this game.
    thought: Duration,
    /// The fault of this game.
    fault: Option<Fault>,
    thinking: Thinking,
}

impl ExecSpec {
    /// Starts the program and shakes hands: to be done before the first game, so that a mistake in the command is found
    /// before anything is played.
    ///
    /// # Errors
    /// Where the command cannot be run, or the program does not answer as the protocol says within [`HELLO_LIMIT`].
    pub fn start<G: Game>(&self, game: &G, stderr: BotStderr) -> Result<ExecBot, StartError> {
        let mut session = Session {
            spec: self.clone(),
            stderr,
            greeting: protocol::greeting(game),
            name: String::new(),
            process: None,
            started: false,
            thought: Duration::ZERO,
            fault: None,
            thinking: Thinking::default(),
        };
        session.process = Some(session.shake_hands()?);
        Ok(ExecBot(Arc::new(Mutex::new(session))))
    }
}

impl ExecBot {
    fn session(&self) -> MutexGuard<'_, Session> {
        // Where a game panicked, its bot is still there to be ended.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name that the program gave itself, which may be empty.
    #[must_use]
    pub fn name(&self) -> String {
        self.session().name.clone()
    }

    /// What the program did wrong in the game that was played last, once; nothing where it did well. It is forgotten
    /// when the next game begins.
    ///
    /// It also looks whether the program wrote something after its last answer, which is a fault of that game.
    #[must_use = "a game with a fault is lost for the bot"]
    pub fn take_fault(&self) -> Option<Fault> {
        let mut session = self.session();
        if session.fault.is_none()
            && let Some(process) = &mut session.process
            && let Err(lost) = process.check_quiet()
        {
            let fault = session.fault_of(lost, "after its last answer");
            session.fail(fault);
        }
        session.fault.take()
    }

    /// How long the program has thought in all games so far.
    #[must_use]
    pub fn thinking(&self) -> Thinking {
        self.session().thinking
    }

    /// Ends the program with `bye`, and says whether it ended by itself within [`BYE_LIMIT`](super::BYE_LIMIT); nothing
    /// where none is running. A further game starts it again.
    #[must_use = "a program that does not end by itself was ended"]
    pub fn bye(&self) -> Option<bool> {
        self.session().process.take().map(Process::bye)
    }
}

impl<G: Notation> Policy<G> for ExecBot {
    fn choose(&mut self, decision: Decision<'_, G>, words: &mut Stream) -> G::Action {
        let mut session = self.session();
        if session.fault.is_none() {
            match session.answer(decision, words) {
                Ok(index) => return decision.actions.get(index),
                Err(fault) => session.fail(fault),
            }
        }
        Random.choose(decision, words)
    }

    fn begin(&mut self, game: &G, _: Seat) {
        let mut session = self.session();
        session.started = false;
        session.thought = Duration::ZERO;
        session.fault = None;
        let greeting = protocol::greeting(game);
        if greeting != session.greeting {
            // Another game than the program was told of: it is told anew.
            session.greeting = greeting;
            if let Some(process) = session.process.take() {
                process.bye();
            }
        }
    }

    /// It answers only with what is in the list.
    fn is_trusted(&self) -> bool {
        true
    }
}

impl Session {
    /// Starts the program and tells it the game.
    fn shake_hands(&mut self) -> Result<Process, StartError> {
        let command = || self.spec.command().to_owned();
        let mut process = Process::start(self.spec.command(), self.stderr).map_err(|error| {
            StartError::CannotRun { command: command(), reason: error.to_string() }
        })?;
        let line = process.ask(&self.greeting, Some(Instant::now() + HELLO_LIMIT));
        let line = line.map_err(|lost| match lost {
            Lost::Ended(ending) if ending.is_no_command() => StartError::CannotRun {
                command: command(),
                reason: format!(
                    "{ending}, with which the shell says that it finds no such command"
                ),
            },
            Lost::Ended(ending) => {
                StartError::Ended { command: command(), reason: ending.to_string() }
            }
            Lost::Silent => StartError::Silent { command: command() },
            Lost::Garbage(what) => StartError::Garbage { command: command(), what },
        })?;
        let name = protocol::read_hello(&line).map_err(|bad| match bad {
            BadHello::Version(found) => StartError::Version { command: command(), found },
            BadHello::Refused(reason) => StartError::Refused { command: command(), reason },
            BadHello::Garbage(what) => StartError::Garbage { command: command(), what },
        })?;
        self.name = name;
        Ok(process)
    }

    /// The index of the action that the program chooses.
    fn answer<G: Notation>(
        &mut self,
        decision: Decision<'_, G>,
        words: &Stream,
    ) -> Result<usize, Fault> {
        // Put back after a good line: lost on the way it is ended.
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self
                .shake_hands()
                .map_err(|error| Fault { kind: error.kind(), what: error.to_string() })?,
        };
        let Decision { game, state, seat, actions, .. } = decision;
        let position = game.state_text(state);
        let texts: Vec<String> =
            actions.iter().map(|action| game.action_text(state, action)).collect();
        let mut message = String::new();
        if !self.started {
            // From a copy: the seat's own words stay for `random`.
            message = protocol::start(seat, words.clone().word());
            self.started = true;
        }
        message += &protocol::question(&position, texts.iter().map(String::as_str));
        let line = self
            .ask(&mut process, &message)
            .map_err(|lost| self.fault_of(lost, &format!("in `{position}`")))?;
        self.process = Some(process);
        let action = protocol::read_action(&line).map_err(|what| Fault {
            kind: FaultKind::Garbage,
            what: format!("{what}, in `{position}`"),
        })?;
        texts.iter().position(|text| text == action).ok_or_else(|| Fault {
            kind: FaultKind::Illegal,
            what: format!("{} is not legal in `{position}`", quoted(action)),
        })
    }

    /// The program's line, within what is left of its time.
    fn ask(&mut self, process: &mut Process, message: &str) -> Result<String, Lost> {
        process.check_quiet()?;
        let asked = Instant::now();
        let deadline =
            self.spec.limit().map(|limit| asked + limit.duration().saturating_sub(self.thought));
        let line = process.ask(message, deadline)?;
        let took = asked.elapsed();
        self.thought += took;
        self.thinking.answers += 1;
        self.thinking.total += took;
        self.thinking.longest = self.thinking.longest.max(took);
        Ok(line)
    }

    fn fault_of(&self, lost: Lost, place: &str) -> Fault {
        match lost {
            Lost::Ended(ending) => {
                Fault { kind: FaultKind::Crash, what: format!("{ending}, {place}") }
            }
            Lost::Silent => {
                let limit = self.spec.limit().map_or_else(String::new, |limit| limit.to_string());
                let what = format!("it thought longer than {limit} s in this game, {place}");
                Fault { kind: FaultKind::Silence, what }
            }
            Lost::Garbage(what) => {
                Fault { kind: FaultKind::Garbage, what: format!("{what}, {place}") }
            }
        }
    }

    /// Notes the fault and ends the program at once: what it is in the middle of is not waited for.
    fn fail(&mut self, fault: Fault) {
        self.process = None;
        self.fault = Some(fault);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.bye();
        }
    }
}
