//! What a position costs the search that plays Sholo Guti, by positions of fixed games.
//!
//! It searches positions after so many random turns, each to the same depth, and prints how many positions it looked at in
//! all: the same number on every machine. Instructions a position are those of the process, divided by it.
//!
//! ```console
//! cargo build --release -p sho-ai --example alphabeta_cost
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/alphabeta_cost standard 5
//! ```
//!
//! Arguments are the rules (`standard`) and the depth (5).

use std::error::Error;

use sho_ai::opening::Opening;
use sho_ai::search::alphabeta::{AlphaBeta, Limits, TABLE_BITS};
use sho_ai::search::{Before, Model, Tactics};
use sho_ai::sholo_guti::Weights;
use sho_core::sholo_guti::{Rules, SholoGuti};
use sho_core::{Game, RuleSet, Step};

/// The seed of the random turns.
const SEED: u64 = 1;

/// Positions of each length.
const POSITIONS: u64 = 6;

/// Random turns before the search.
const TURNS: [u32; 3] = [4, 16, 32];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let rules = Rules::preset(&arguments.next().unwrap_or_else(|| "standard".to_owned()))?;
    let depth = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let game = SholoGuti::new(rules)?;
    let weights = Weights::default();
    let model = Model { evaluation: weights, quiescence: true, draw: weights.draw };
    let mut search = AlphaBeta::new(model, Some(TABLE_BITS));
    let mut nodes = 0;
    for turns in TURNS {
        for block in 0..POSITIONS {
            let opening = Opening::draw(&game, SEED, block, turns);
            let (state, _) = opening.play(&game, |_, _, _| {});
            let Step::Decide(seat) = game.step(&state) else { continue };
            let before = Before::new([game.key(&state)].into_iter());
            nodes += search.search(&game, &state, seat, &before, Limits::depth(depth)).nodes;
        }
    }
    println!("{nodes} positions");
    Ok(())
}
