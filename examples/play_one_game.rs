//! Plays one game of Sho between three of the bots, and tells its kills and the coins that come home.
//!
//! The game is the one that `sho play --bots easy,random,easy --seed SEED` prints step by step: the same dice, and the
//! same words for the bot that draws.
//!
//! ```console
//! cargo run --release --example play_one_game [SEED]
//! ```

use sho::ai::{Bots, Decision, Policy};
use sho::sho::{Engine, Landing, Rules, Sho};
use sho::{BlockDice, Game, Notation, PerSeat, RuleSet, Seat, Step, Stream};

const NAMES: [&str; 3] = ["easy", "random", "easy"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    let game = Sho::new(Rules::lhasa())?;
    println!("Sho by {} rules: {}, seed {seed}", game.rules().summary(), NAMES.join(", "));

    let mut players: Vec<Box<dyn Policy<Sho>>> = Vec::new();
    for name in NAMES {
        players.push(Sho::bot(&game, &Sho::spec(name)?)?);
    }
    // Chance is a function of seed and block. The dice of block 0, and for each seat the words it may draw from:
    let mut dice = BlockDice::new(seed, 0);
    let mut words = PerSeat::from_fn(|seat| Stream::new(seed, "sho/bot", seat.index() as u64));

    let (mut state, mut actions) = (game.start(), Default::default());
    loop {
        match game.step(&state) {
            Step::Over => break,
            Step::Chance(seat) => game.cast_unchecked(&mut state, dice.cast(seat)),
            Step::Decide(seat) => {
                game.actions(&state, &mut actions);
                let decision =
                    Decision { game: &game, state: &state, seat, actions: &actions, history: &() };
                let action = players[seat.index()].choose(decision, &mut words[seat]);
                let effect = game.effect(&state, action);
                let what = match effect.landing {
                    Some(Landing::Kill) => format!("kills {}", effect.killed),
                    Some(Landing::Home) => format!("brings {} home", effect.coins),
                    _ => String::new(),
                };
                if !what.is_empty() {
                    let text = game.action_text(&state, action);
                    println!("throw {:>3}  {seat} {text:<12} {what}", state.throws());
                }
                game.play_unchecked(&mut state, action);
            }
        }
    }

    println!("\nlast position: {}", game.state_text(&state));
    let payoffs = game.payoffs(&state);
    for seat in Seat::all(game.seats()).filter(|&seat| payoffs[seat] > 0) {
        println!("{seat} ({}) wins after {} throws", NAMES[seat.index()], state.throws());
    }
    Ok(())
}
