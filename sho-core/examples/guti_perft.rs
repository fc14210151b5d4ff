//! Counts the sequences of turns of Sholo Guti from the start: `guti_perft [standard|forced] [DEPTH]`.
//!
//! The yardstick of the move generator. It prints no times, as counts must not depend on a clock: run it under `time`,
//! or under `valgrind --tool=callgrind` for instructions.

use std::env;

use sho_core::perft::{Count, perft};
use sho_core::sholo_guti::{Rules, SholoGuti};
use sho_core::{Game, RuleSet};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let rules = Rules::preset(&arguments.next().unwrap_or_else(|| "standard".to_owned()))?;
    let depth = arguments.next().map_or(Ok(8), |text| text.parse())?;
    let game = SholoGuti::new(rules)?;
    println!("{depth} {}", perft(&game, &game.start(), depth, Count::Sequences));
    Ok(())
}
