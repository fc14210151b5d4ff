//! What every game must keep, under every preset and under rules drawn at random: from the start, and from positions
//! that no game need have reached.

mod common;

use common::{random_rules, random_setup};
use sho_core::conformance::check;
use sho_core::sho::{Engine, PaRa, Rules, Setup, Sho, plain};
use sho_core::{ActionList, Game, Notation, RuleSet, Seat, Step, Stream, WHOLE_PAYOFF};

const SEED: u64 = 7;

fn every_preset<E: Engine>() {
    for preset in Rules::PRESETS {
        for sides in 2..=4 {
            let mut rules = preset.rules;
            rules.sides = sides;
            let game = E::new(rules).unwrap();
            let checked =
                check(&game, SEED, 4).unwrap_or_else(|broken| panic!("{}: {broken}", preset.name));
            assert_eq!(checked.games, 4);
            assert!(checked.decisions > 100, "{checked:?}");
        }
    }
}

fn random_rule_sets<E: Engine>() {
    let mut words = Stream::new(SEED, "test/rules", 0);
    for number in 0..300 {
        let rules = random_rules(&mut words);
        let game = E::new(rules).unwrap();
        check(&game, number, 1).unwrap_or_else(|broken| panic!("{rules}: {broken}"));
    }
}

/// Plays on from positions drawn at random. Whatever is accepted must play like any other position: every state that
/// follows prints and parses back, whoever decides has something to decide, and the end pays one win.
fn random_positions<E: Engine>(sets: u64) -> u64 {
    let mut accepted = 0;
    for number in 0..sets {
        let mut words = Stream::new(SEED, "test/positions", number);
        let rules = random_rules(&mut words);
        let game = E::new(rules).unwrap();
        for _ in 0..40 {
            let setup = random_setup(&mut words, &rules);
            let Ok(mut state) = game.state(&setup) else { continue };
            accepted += 1;
            assert_eq!(game.setup(&state), setup, "{rules}");
            play_on(&game, &mut state, &mut words);
        }
    }
    accepted
}

fn play_on<E: Engine>(game: &E, state: &mut E::State, words: &mut Stream) {
    let mut actions = E::Actions::default();
    let start = game.state_text(state);
    let place = |state: &E::State| {
        format!("{}: from `{start}` to `{}`", game.rules(), game.state_text(state))
    };
    for _ in 0..12 {
        let text = game.state_text(state);
        match game.parse_state(&text) {
            Ok(parsed) => assert!(parsed == *state, "{}", place(state)),
            Err(error) => panic!("{}: {error}", place(state)),
        }
        game.actions(state, &mut actions);
        let payoffs: u32 = game.payoffs(state).as_slice(game.seats()).iter().sum();
        match game.step(state) {
            Step::Over => {
                assert!(actions.is_empty() && game.end(state).is_some(), "{}", place(state));
                assert_eq!(payoffs, WHOLE_PAYOFF, "{}", place(state));
                return;
            }
            Step::Chance(_) => {
                assert!(actions.is_empty() && payoffs == 0, "{}", place(state));
                // Pa ras are rare, and what they do is not.
                let way = if words.below(4) == 0 { 0 } else { words.below(game.ways()) };
                let throw = game.outcome(state, way);
                game.cast(state, throw).unwrap();
            }
            Step::Decide(_) => {
                assert!(!actions.is_empty() && payoffs == 0, "{}", place(state));
                for action in actions.iter() {
                    let text = game.action_text(state, action);
                    let parsed = game.parse_action(state, &text);
                    assert_eq!(parsed, Ok(action), "{}", place(state));
                }
                let action = actions.get(words.below(actions.len() as u32) as usize);
                game.play(state, action).unwrap();
            }
        }
    }
}

macro_rules! test_engines {
    ($($name:ident: $engine:ty,)+) => {$(
        mod $name {
            use super::*;

            #[test]
            fn conforms_under_every_preset() {
                every_preset::<$engine>();
            }

            #[test]
            fn conforms_under_random_rules() {
                random_rule_sets::<$engine>();
            }

            #[test]
            fn plays_on_from_random_positions() {
                let accepted = random_positions::<$engine>(300);
                assert!(accepted > 3_000, "{accepted}");
            }
        }
    )+};
}

test_engines! {
    the_plain_engine: plain::Sho,
    the_fast_engine: Sho,
}

/// Nine values beside a left-over: no game gets there, since going home spends one, but a line may say it. A kill with
/// the left-over then throws with nine waiting, and a tenth may join them. Such a game goes on like any other.
#[test]
fn a_full_list_beside_a_left_over_plays_on() {
    fn plays_on<E: Engine>() {
        let mut rules = Rules::bhutan();
        rules.sides = 2;
        rules.pa_ra = PaRa::SpendEach;
        let game = E::new(rules).unwrap();
        let line = "0+4:10x3,20x2/7+1:15x1 A move 2,3,4,5,6,7,8,9*,10,>5 0 100";
        let mut state = game.parse_state(line).unwrap();
        let kill = game.parse_action(&state, "10>15").unwrap();
        game.play(&mut state, kill).unwrap();
        let text = "0+4:15x3,20x2/8+1:- A throw 2,3,4,5,6,7,8,9*,10 0 100";
        assert_eq!(game.state_text(&state), text);
        game.cast(&mut state, "6-5".parse().unwrap()).unwrap();
        assert_eq!(game.setup(&state).waiting.len(), 10);
        let mut actions = E::Actions::default();
        game.actions(&state, &mut actions);
        // Every sub-multiset of ten different values, by each of two stacks.
        assert_eq!(actions.len(), 2 * 1023);
        game.play(&mut state, actions.get(2045)).unwrap();
    }
    plays_on::<plain::Sho>();
    plays_on::<Sho>();
}

/// A setup has room for things that no line can say. Two setups that print the same would then differ.
#[test]
fn a_setup_holds_nothing_that_its_line_does_not_say() {
    let rules = Rules::general();
    let game = plain::Sho::new(rules).unwrap();
    let start = Setup::start(&rules);
    assert!(game.state(&start).is_ok());
    let mut absent = start;
    absent.sides[Seat::D].hand = 1;
    let mut gap_0 = start;
    gap_0.sides[Seat::B].hand = 7;
    gap_0.sides[Seat::B].stacks[0] = 2;
    for setup in [absent, gap_0] {
        assert_eq!(game.state(&setup).unwrap_err().field, "sides");
    }
}

/// What used to go wrong with positions that no game reaches.
#[test]
fn positions_at_the_bounds_play_on() {
    let play = |rules: &[&str], position: &str, steps: &str| {
        let mut all = Rules::bhutan();
        all.sides = 2;
        for assignment in rules {
            all.assign(assignment).unwrap();
        }
        let game = plain::Sho::new(all).unwrap();
        let mut state = game.parse_state(position).unwrap();
        for step in steps.split(' ') {
            match game.step(&state) {
                Step::Chance(_) => game.cast(&mut state, step.parse().unwrap()).unwrap(),
                _ => {
                    let action = game.parse_action(&state, step).unwrap();
                    game.play(&mut state, action).unwrap();
                }
            }
        }
        let text = game.state_text(&state);
        assert_eq!(game.parse_state(&text), Ok(state), "{text}");
        text
    };
    // A side that opens with an empty hand has nothing to bring.
    let found = play(&["reopen=nothing-out"], "0+9r:-/7+0:8x2 A throw - 0 5", "3-2");
    assert_eq!(found, "0+9r:-/7+0:8x2 B throw - 0 6");
    let found = play(&["reopen=nothing-out"], "0+9r:-/7+0:8x2 A throw - 0 5", "1-1");
    assert_eq!(found, "0+9r:-/7+0:8x2 A throw 2 1 6");
    // A run at its bound stays there.
    let longest = "max-throws=65535";
    let found = play(&[longest], "1+0:8x8/7+0:9x2 A throw - 65535 5", "1-1");
    assert_eq!(found, "1+0:8x8/7+0:9x2 A throw 2 65535 6");
}
