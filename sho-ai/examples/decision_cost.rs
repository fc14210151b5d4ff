//! What a decision costs a bot of Sho, in stored positions of four kinds.
//!
//! Without arguments it prints times for all bots, in one run, so that they can be held against each other:
//!
//! ```console
//! cargo run --release -p sho-ai --example decision_cost
//! ```
//!
//! With arguments the bot decides each position so many times, and nothing else is done. Instructions a decision are the
//! difference of two runs, divided by the difference of the decisions that they print; so the start is not in it.
//!
//! ```console
//! cargo build --release -p sho-ai --example decision_cost
//! for repeats in 10 110; do
//!     valgrind --tool=callgrind --callgrind-out-file=/dev/null \
//!         target/release/examples/decision_cost hard middle 3 $repeats
//! done
//! ```
//!
//! Kinds are `opening`, `middle`, `race` and `pa-ra`; sides are 2 or 3.

#[path = "../tests/decisions/stored.rs"]
mod stored;

use std::error::Error;
use std::time::Instant;

use sho_core::Stream;
use stored::{BOTS, Kind};

/// Passes of which the fastest counts.
const PASSES: u32 = 41;

/// A pass is at least as long, in seconds: short, so that some pass has the processor for itself.
const PASS: f64 = 0.001;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => times(),
        [bot, kind, sides, repeats] => work(bot, kind, sides, repeats),
        _ => Err("expected no arguments, or BOT KIND SIDES REPEATS".into()),
    }
}

/// Decides the positions, and says how many times.
fn work(bot: &str, kind: &str, sides: &str, repeats: &str) -> Result<(), Box<dyn Error>> {
    let of_name = Kind::ALL.into_iter().find(|&(_, name)| name == kind);
    let (kind, _) = of_name.ok_or_else(|| {
        format!("`{kind}`: expected {}", Kind::ALL.map(|(_, name)| name).join(", "))
    })?;
    let number = |text: &str| text.parse().map_err(|_| format!("`{text}`: expected a number"));
    let (sides, repeats) = (number(sides)?, number(repeats)?);
    let decisions = stored::of(kind, sides);
    if decisions.is_empty() {
        return Err(format!("no positions of {sides} sides are stored: 2 and 3 are").into());
    }
    let (game, mut bot) = (stored::game(sides), stored::bot(bot)?);
    let mut words = Stream::new(1, "sho/bot", 0);
    for _ in 0..repeats {
        stored::decide(&game, &mut *bot, &decisions, &mut words);
    }
    println!("{} decisions", repeats * decisions.len());
    Ok(())
}

/// Times of all bots.
fn times() -> Result<(), Box<dyn Error>> {
    println!("ns a decision, the fastest of {PASSES} passes, and how many times those of random\n");
    for sides in [2, 3] {
        for (kind, name) in Kind::ALL {
            let (game, decisions) = (stored::game(sides), stored::of(kind, sides));
            let mut of_random = None;
            for text in BOTS {
                let mut bot = stored::bot(text)?;
                let mut words = Stream::new(1, "sho/bot", 0);
                let mut fastest = f64::MAX;
                for _ in 0..PASSES {
                    let (begin, mut decided) = (Instant::now(), 0);
                    while begin.elapsed().as_secs_f64() < PASS {
                        // The clock is asked once in many decisions.
                        for _ in 0..if text.starts_with("expectimax") { 1 } else { 20 } {
                            stored::decide(&game, &mut *bot, &decisions, &mut words);
                            decided += decisions.len();
                        }
                    }
                    fastest = fastest.min(begin.elapsed().as_secs_f64() * 1e9 / decided as f64);
                }
                let random = *of_random.get_or_insert(fastest);
                let times = fastest / random;
                println!("{sides} sides  {name:<8} {text:<19} {fastest:>10.0} {times:>10.1}");
            }
        }
    }
    Ok(())
}
