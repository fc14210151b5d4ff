//! Rules as data: a preset, changes to it, JSON, what is refused, and what a change does to the length of a game.
//!
//! ```console
//! cargo run --release --example house_rules
//! ```

use sho::sho::{NineStack, Reopen, Rules, Sho};
use sho::{ActionList, BlockDice, Game, RuleSet, Step, Stream};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // From a preset, by fields in code or by names and values from anywhere else.
    let mut rules = Rules::lhasa();
    rules.reopen = Reopen::NothingOut;
    rules.set("going-home", "exact")?;
    rules.assign("sides=2")?;
    println!("our rules: {}\n", rules.summary());

    // As JSON: all settings, or a preset and what differs from it. Both are files that `sho --rules FILE` reads.
    println!("in full: {}\n", serde_json::to_string(&rules)?);
    let short =
        r#"{"preset": "lhasa", "reopen": "nothing-out", "going-home": "exact", "sides": 2}"#;
    assert_eq!(serde_json::from_str::<Rules>(short)?, rules);
    println!("in short: {short}\n");

    // What cannot be meant is refused, by name, by value, and as a whole.
    println!("refused:");
    println!("  {}", rules.set("reopn", "never").unwrap_err());
    println!("  {}", rules.set("reopen", "always").unwrap_err());
    println!("  {}", rules.set("sides", "5").unwrap_err());
    let mut odd = rules;
    (odd.coins, odd.opening_coins) = (2, 3);
    println!("  {}", Sho::new(odd).unwrap_err());
    (odd.coins, odd.nine_stack) = (3, NineStack::Forbidden);
    println!("  {}\n", Sho::new(odd).unwrap_err());

    println!("throws a game, 2000 games of random play on the same dice:");
    println!("  our rules   {:>6.1}", mean_throws(rules)?);
    for preset in Rules::PRESETS {
        let mut rules = preset.rules;
        rules.sides = 2;
        println!("  {:<10}  {:>6.1}", preset.name, mean_throws(rules)?);
    }
    Ok(())
}

fn mean_throws(rules: Rules) -> Result<f64, sho::ImpossibleRules> {
    let game = Sho::new(rules)?;
    let (mut throws, games) = (0, 2000);
    let mut actions = Default::default();
    for block in 0..games {
        let (mut state, mut dice) = (game.start(), BlockDice::new(1, block));
        let mut words = Stream::new(1, "example", block);
        loop {
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(seat) => game.cast_unchecked(&mut state, dice.cast(seat)),
                Step::Decide(_) => {
                    game.actions(&state, &mut actions);
                    let choice = words.below(actions.len() as u32);
                    game.play_unchecked(&mut state, actions.get(choice as usize));
                }
            }
        }
        throws += u64::from(state.throws());
    }
    Ok(throws as f64 / games as f64)
}
