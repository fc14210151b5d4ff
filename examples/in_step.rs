//! How much quicker batches of playouts are than one game after another: `in_step [BOT [BLOCKS [RUNS]]]`.
//!
//! Both ways play the same games of three sides under `lhasa`, in turn, so that what else the machine does meets both. It
//! prints the median of the ratios of neighbouring runs, and the fastest run of each way. See docs/performance.md.
//!
//! ```console
//! cargo run --release --example in_step easy 2000 21
//! ```

use std::env;
use std::error::Error;
use std::time::{Duration, Instant};

use sho::Game;
use sho::sho::{Rules, Sho};
use sho_bench::bench::{Games, Way};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let mut next = |default: &str| arguments.next().unwrap_or_else(|| default.to_owned());
    let (bot, blocks, runs) = (next("easy"), next("2000").parse()?, next("21").parse::<usize>()?);
    let games = |way| -> Result<_, Box<dyn Error>> {
        let games = Games::new(Sho::new(Rules::lhasa())?, &bot, way)?;
        games.ok_or_else(|| format!("no playouts of {bot}").into())
    };
    let (mut alone, mut batches) = (games(Way::Playouts)?, games(Way::Batches)?);
    let mut times = Vec::new();
    let mut throws = 0;
    for _ in 0..runs.max(1) {
        let begun = Instant::now();
        let work = alone.play(0..blocks);
        let between = Instant::now();
        assert_eq!(work, batches.play(0..blocks), "both play the same games");
        times.push((between - begun, between.elapsed()));
        throws = work.throws;
    }
    let mut ratios: Vec<f64> =
        times.iter().map(|(alone, batch)| alone.as_secs_f64() / batch.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    let per_throw =
        |time: Option<Duration>| time.unwrap_or_default().as_nanos() as f64 / throws.max(1) as f64;
    println!(
        "{bot}: median ratio {:.2} of {} runs, {:.2} to {:.2}; fastest, ns a throw: {:.1} alone, {:.1} in batches",
        ratios[ratios.len() / 2],
        ratios.len(),
        ratios[0],
        ratios[ratios.len() - 1],
        per_throw(times.iter().map(|(alone, _)| *alone).min()),
        per_throw(times.iter().map(|(_, batch)| *batch).min()),
    );
    Ok(())
}
