//! Golden games: whole records of every preset, two to four sides, played by bots under a pinned seed.
//!
//! They pin the dice, the bots' draws, the rules, the notation and the record's text all at once: a game played again
//! must give the same bytes. `cargo test -p sho-ai --test games -- --ignored` writes the file anew.

use std::fs;

use sho_ai::{Bots, Decision, Policy};
use sho_core::record::Record;
use sho_core::sho::{Engine, Rules, Sho, plain};
use sho_core::{BlockDice, RuleSet, Seat, Step, Stream};

const SEED: u64 = 20_261_129;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/games-sho.txt");

/// Plays block `block` with these bots, the first one in seat A, and writes it down.
fn record<E: Engine + Bots>(rules: Rules, bots: &[&str], block: u64) -> Record<Rules> {
    let game = E::new(rules).unwrap();
    let seats = game.seats();
    let mut policies: Vec<Box<dyn Policy<E>>> =
        bots.iter().map(|bot| E::bot(&game, &E::spec(bot).unwrap()).unwrap()).collect();
    let mut words: Vec<Stream> =
        (0..seats as u64).map(|seat| Stream::new(SEED, "sho/bot", 128 * block + seat)).collect();
    for (seat, policy) in Seat::all(seats).zip(&mut policies) {
        policy.begin(&game, seat);
    }
    let mut dice = BlockDice::new(SEED, block);
    let (mut state, mut actions) = (game.start(), E::Actions::default());
    let mut history = game.begin(&state);
    let mut record = Record::new(&game, &state);
    record.players = bots.iter().map(ToString::to_string).collect();
    record.seed = Some(SEED);
    record.address = Some(format!("0.{block}.0"));
    loop {
        match game.step(&state) {
            Step::Over => break,
            Step::Chance(seat) => {
                let throw = dice.cast(seat);
                record.push_outcome(&game, seat, throw);
                game.cast(&mut state, throw).unwrap();
            }
            Step::Decide(seat) => {
                game.actions(&state, &mut actions);
                let action = policies[seat.index()].choose(
                    Decision {
                        game: &game,
                        state: &state,
                        seat,
                        actions: &actions,
                        history: &history,
                    },
                    &mut words[seat.index()],
                );
                record.push_action(&game, seat, &state, action);
                game.play(&mut state, action).unwrap();
                game.remember(&mut state, &mut history);
            }
        }
    }
    record.close(&game, &state);
    record
}

/// Two games of every preset: in one seat A plays easy, in the other at random, and the others in turn.
fn games<E: Engine + Bots>() -> String {
    let mut text = String::new();
    let mut block = 0;
    for preset in Rules::PRESETS {
        for first in 0..2 {
            let mut rules = preset.rules;
            rules.sides = 2 + (block % 3) as u8;
            let bots: Vec<&str> = (first..first + usize::from(rules.sides))
                .map(|number| ["easy", "random"][number % 2])
                .collect();
            if block > 0 {
                text.push('\n');
            }
            text += &record::<E>(rules, &bots, block).to_string();
            block += 1;
        }
    }
    text
}

fn plays_the_golden_games_again<E: Engine + Bots>() {
    let golden = fs::read_to_string(FILE).unwrap();
    let played = games::<E>();
    for (number, (golden, played)) in golden.lines().zip(played.lines()).enumerate() {
        assert_eq!(played, golden, "line {}", number + 1);
    }
    assert_eq!(played, golden);
}

macro_rules! test_engines {
    ($($name:ident: $engine:ty,)+) => {$(
        #[test]
        fn $name() {
            plays_the_golden_games_again::<$engine>();
        }
    )+};
}

test_engines! {
    the_plain_engine_plays_the_golden_games_again: plain::Sho,
    the_fast_engine_plays_the_golden_games_again: Sho,
}

#[test]
#[ignore = "writes testdata/games-sho.txt anew"]
fn write_the_golden_games() {
    fs::write(FILE, games::<plain::Sho>()).unwrap();
}
