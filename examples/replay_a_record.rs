//! Writes a game down, reads it back, plays it again, and shows what damaged copies of the record give.
//!
//! ```console
//! cargo run --release --example replay_a_record
//! ```

use sho::record::Record;
use sho::sho::{Engine, Rules, Sho};
use sho::{ActionList, BlockDice, Game, Notation, Step, Stream};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A short game: a spiral of 24 shells and three coins a side.
    let mut rules = Rules::lhasa();
    (rules.sides, rules.shells, rules.coins) = (2, 24, 3);
    let text = random_game(&Sho::new(rules)?).to_string();
    print!("{text}");

    // The replay checks every step, and shows it with the positions before and after.
    let (mut steps, mut killed) = (0, 0);
    let last = Record::<Rules>::parse(&text)?.replay::<Sho>(|step| {
        steps = step.number;
        if let Ok(action) = step.game.parse_action(step.before, step.text) {
            killed += step.game.effect(step.before, action).killed;
        }
    })?;
    println!("\n{steps} steps are as they should be, {} of them throws", last.throws());
    println!("coins killed: {killed}\n");

    for (old, new) in
        [("start ", "begin "), ("A 4-3", "A 4-2"), ("B 6-2", "A 6-2"), ("12,0", "0,12")]
    {
        let damaged = text.replacen(old, new, 1);
        assert_ne!(damaged, text);
        println!("with `{new}` in the place of `{old}`:");
        match Record::<Rules>::parse(&damaged) {
            Err(error) => println!("    it does not parse: {error}"),
            Ok(record) => match record.replay::<Sho>(|_| {}) {
                Err(error) => println!("    it does not replay: {error}"),
                Ok(_) => println!("    nothing is wrong"),
            },
        }
    }
    Ok(())
}

/// A game of two that choose at random.
fn random_game(game: &Sho) -> Record<Rules> {
    let (mut state, mut actions) = (game.start(), Default::default());
    let (mut dice, mut words) = (BlockDice::new(1, 3), Stream::new(1, "example", 0));
    let mut record = Record::new(game, &state);
    record.players = vec!["random".to_owned(); game.seats()];
    loop {
        match game.step(&state) {
            Step::Over => break,
            Step::Chance(seat) => {
                let throw = dice.cast(seat);
                record.push_outcome(game, seat, throw);
                game.cast_unchecked(&mut state, throw);
            }
            Step::Decide(seat) => {
                game.actions(&state, &mut actions);
                let action = actions.get(words.below(actions.len() as u32) as usize);
                record.push_action(game, seat, &state, action);
                game.play_unchecked(&mut state, action);
            }
        }
    }
    record.close(game, &state);
    record
}
