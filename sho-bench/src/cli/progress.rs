//! Progress on standard error, and the signals that stop long work.

use std::io::IsTerminal;
#[cfg(not(unix))]
use std::sync::atomic::AtomicBool;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use sho_bench::stats::confidence_sequence::{FIRST_LOOK, half_width};
use sho_bench::stats::elo::{Contest, Estimate};
use sho_bench::stats::sprt::SprtRun;
use sho_bench::tally::{BlockSum, Tally};
use sho_bench::{Experiment, Watcher};
use sho_core::RuleSet;
use signal_hook::consts::{SIGINT, SIGTERM};

/// Hears Ctrl-C and SIGTERM, for work that then saves what it has. A second one of the same kind ends the program at once,
/// and the bots in other programs with it.
#[derive(Clone, Debug)]
pub(crate) struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Listens from now on.
    #[cfg(unix)]
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let heard = Arc::new(AtomicUsize::new(0));
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
        let first = Arc::clone(&heard);
        // A thread of its own: what ends other programs may not be called from where a signal strikes.
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            // A scheduler may send SIGTERM to a program that was told by SIGINT: each counts for itself.
            let mut before = Vec::new();
            for signal in signals.forever() {
                if before.contains(&signal) {
                    sho_bench::exec::end_all();
                    std::process::exit(128 + signal);
                }
                before.push(signal);
                first.store(signal as usize, Ordering::Relaxed);
            }
        })?;
        Ok(Self(heard))
    }

    /// Listens from now on.
    #[cfg(not(unix))]
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let heard = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal does not find itself heard already.
            let again = Arc::new(AtomicBool::new(false));
            signal_hook::flag::register_conditional_default(signal, Arc::clone(&again))?;
            signal_hook::flag::register(signal, again)?;
            signal_hook::flag::register_usize(signal, Arc::clone(&heard), signal as usize)?;
        }
        Ok(Self(heard))
    }

    /// The exit code of a program that was ended by the signal that was heard, if one was: 130 or 143.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            signal => Some(128 + signal as u8),
        }
    }
}

/// A progress bar on a terminal, nothing elsewhere. It is gone when it is dropped.
pub(crate) struct Bar {
    bar: ProgressBar,
    signals: Option<Signals>,
    /// What the first bot of a single line-up plays.
    contest: Option<Contest>,
    planned_blocks: u64,
    seen: Mutex<Seen>,
}

/// What the bar knows of the games.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Whole shards.
    before: Count,
    /// The shard in work, once something is known of it.
    now: Option<Count>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    games: u64,
    blocks: u64,
    /// What the first bot got.
    payoffs: BlockSum,
}

impl Count {
    fn plus(mut self, other: Self) -> Self {
        self.games += other.games;
        self.blocks += other.blocks;
        self.payoffs.merge(other.payoffs);
        self
    }
}

impl Bar {
    /// A bar for the games of an experiment.
    pub(crate) fn new<R: RuleSet>(experiment: &Experiment<R>, quiet: bool) -> Self {
        Self {
            contest: experiment.contest(0),
            planned_blocks: experiment.blocks.len(),
            ..Self::of_games(experiment.games(), quiet)
        }
    }

    /// A bar for so many games, of which no more than their number is known.
    pub(crate) fn of_games(games: u64, quiet: bool) -> Self {
        let new = |bar| Self {
            bar,
            signals: None,
            contest: None,
            planned_blocks: 0,
            seen: Mutex::default(),
        };
        // What a dumb terminal shows cannot be taken back.
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if quiet || dumb || !std::io::stderr().is_terminal() {
            return new(ProgressBar::hidden());
        }
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} games{rest}{msg}")
        {
            bar.set_style(style.with_key("rest", speed_and_time_left));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        new(bar)
    }

    /// The same, stopped by signals.
    pub(crate) fn stopped_by(mut self, signals: Signals) -> Self {
        self.signals = Some(signals);
        self
    }

    /// Some more games are played.
    pub(crate) fn advance(&self, games: u64) {
        self.bar.inc(games);
    }

    /// Says something beside the bar.
    pub(crate) fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// So many games more are to be played.
    pub(crate) fn lengthen(&self, games: u64) {
        self.bar.inc_length(games);
    }

    /// Does something that prints, with the bar out of its way.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// The shard that was in work is whole: what comes next is of another one.
    pub(crate) fn begin_shard(&self) {
        let mut seen = self.seen();
        seen.before = seen.before.plus(seen.now.take().unwrap_or_default());
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the bar says of speed and time, once there is anything to say.
fn speed_and_time_left(state: &ProgressState, text: &mut dyn std::fmt::Write) {
    let speed = state.per_sec();
    if state.pos() > 0 && speed > 0.0 {
        let left = HumanDuration(state.eta());
        // A bar that cannot be written is no reason to stop.
        let _ = match speed as u64 {
            0..10 => write!(text, ", {speed:.1} games/s, {left:#} left"),
            speed => write!(text, ", {} games/s, {left:#} left", HumanCount(speed)),
        };
    }
}

/// What can be said of the first bot at any time: its Elo with an interval that holds at all looks together.
fn strength(contest: Contest, count: Count, planned: u64) -> Option<String> {
    if count.blocks < FIRST_LOOK {
        return None;
    }
    let estimate = Estimate::new(contest, count.payoffs, count.blocks)?;
    let width = half_width(estimate.sd()?, count.blocks, planned, 0.05)?;
    let score = estimate.score();
    let (low, high) = contest.elo_interval(score - width, score + width);
    let end =
        |elo: Option<f64>, none: &str| elo.map_or(none.to_owned(), |elo| format!("{elo:+.1}"));
    let elo = estimate.elo()?;
    Some(format!(", Elo {elo:+.1} ({} to {})", end(low, "-inf"), end(high, "+inf")))
}

/// What a sequential test says so far.
fn test_state(test: &SprtRun) -> Option<String> {
    let (low, high) = test.test().wald();
    Some(format!(", LLR {:+.2} ({low:.2} to {high:.2})", test.llr()?))
}

impl Watcher for Bar {
    fn so_far(&self, tally: &Tally, test: Option<&SprtRun>) {
        if self.bar.is_hidden() {
            return;
        }
        let mut seen = self.seen();
        let is_first = seen.now.is_none();
        let (games, blocks, payoffs) = (tally.games, tally.blocks, tally.payoffs.bot(0));
        seen.now = Some(Count { games, blocks, payoffs });
        let all = seen.before.plus(Count { games, blocks, payoffs });
        drop(seen);
        self.bar.set_position(all.games);
        if is_first {
            // What was played before this program began says nothing of its speed.
            self.bar.reset_eta();
        }
        let elo = self.contest.and_then(|contest| strength(contest, all, self.planned_blocks));
        let llr = test.and_then(test_state);
        self.bar.set_message(elo.unwrap_or_default() + &llr.unwrap_or_default());
    }

    fn games_so_far(&self, games: u64) {
        if self.bar.is_hidden() {
            return;
        }
        let mut seen = self.seen();
        let is_first = seen.now.is_none();
        seen.now = Some(Count { games, ..Count::default() });
        let all = seen.before.games + games;
        drop(seen);
        self.bar.set_position(all);
        if is_first {
            self.bar.reset_eta();
        }
    }

    fn stop(&self) -> bool {
        self.signals.as_ref().is_some_and(|signals| signals.exit_code().is_some())
    }
}
