//! Throws come from outside the game, so they may come from anywhere: here from the crate `rand`, and then from a list.
//!
//! Use the keyed dice of a block (`sho::BlockDice`) where a result is to be repeated; these are for everything else.
//!
//! ```console
//! cargo run --release --example dice_from_anywhere
//! ```

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use sho::sho::{Rules, Sho};
use sho::{ActionList, Game, Notation, Step, Throw};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let game = Sho::new(Rules::lhasa())?;

    // A random game: every face and every choice from one generator.
    let mut generator = StdRng::seed_from_u64(7);
    let (mut state, mut actions) = (game.start(), Default::default());
    loop {
        match game.step(&state) {
            Step::Over => break,
            Step::Chance(_) => {
                let throw =
                    Throw::new(generator.random_range(1..=6), generator.random_range(1..=6));
                game.cast(&mut state, throw.ok_or("two dice show 1 to 6")?)?;
            }
            Step::Decide(_) => {
                game.actions(&state, &mut actions);
                let action = actions.get(generator.random_range(0..actions.len()));
                game.play(&mut state, action)?;
            }
        }
    }
    println!("a random game ended after {} throws: {}", state.throws(), game.state_text(&state));

    // A game from a table, as far as somebody wrote it down.
    let mut state = game.start();
    for step in ["6-3", "open@9", "5-4", "open@9", "2-2", "@4", "1-1", "open@2", "3-1", "@4"] {
        match game.step(&state) {
            Step::Chance(_) => game.cast(&mut state, step.parse()?)?,
            _ => {
                let action = game.parse_action(&state, step)?;
                game.play(&mut state, action)?;
            }
        }
        println!("{step:<8} {}", game.state_text(&state));
    }
    Ok(())
}
