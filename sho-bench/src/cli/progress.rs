//! Progress on standard error, and the signals that stop long work.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use indicatif::{
    HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle,
};
use sho_bench::Watcher;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Hears Ctrl-C and SIGTERM, for work that then saves what it has. A second one ends the program at once.
#[derive(Clone, Debug)]
pub(crate) struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Listens from now on.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let heard = Arc::new(AtomicUsize::new(0));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal does not find itself heard already.
            let again = Arc::new(AtomicBool::new(false));
            flag::register_conditional_default(signal, Arc::clone(&again))?;
            flag::register(signal, again)?;
            flag::register_usize(signal, Arc::clone(&heard), signal as usize)?;
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
}

impl Bar {
    /// A bar for so many games.
    pub(crate) fn new(games: u64, quiet: bool) -> Self {
        // What a dumb terminal shows cannot be taken back.
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if quiet || dumb || !std::io::stderr().is_terminal() {
            return Self { bar: ProgressBar::hidden(), signals: None };
        }
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr());
        if let Ok(style) =
            ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} games{rest}")
        {
            bar.set_style(style.with_key("rest", speed_and_time_left));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, signals: None }
    }

    /// The same, stopped by signals.
    pub(crate) fn stopped_by(mut self, signals: Signals) -> Self {
        self.signals = Some(signals);
        self
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

impl Watcher for Bar {
    fn played(&self, games: u64) {
        self.bar.inc(games);
    }

    fn stop(&self) -> bool {
        self.signals.as_ref().is_some_and(|signals| signals.exit_code().is_some())
    }
}
