//! The perft suite: positions from play under every preset and some further rules, with the numbers of sequences of
//! steps from each, unweighted and weighted.
//!
//! The plain engine wrote the counts, so the suite pins what it plays and lets other engines be compared with it. The
//! positions computed outside this project stand in another file. `cargo test -p sho-core --test perft -- --ignored`
//! writes the file anew.

mod common;

use std::fmt::Write as _;
use std::fs;

use common::{stored_rules, testdata, testdata_path};
use serde_json::Value;
use sho_core::perft::{Branch, Count, divide, perft};
use sho_core::sho::{Action, Engine, LeftOver, Phase, Rules, Setup, Sho, plain};
use sho_core::{ActionList, Game, Notation, RuleSet, Step, Stream};

const FILE: &str = "perft-sho.jsonl";

const DEPTH: u32 = 4;

// ---- The check -----------------------------------------------------------------------------------------------------

fn count(value: &Value) -> u128 {
    value.as_u64().map_or_else(|| value.as_str().unwrap().parse().unwrap(), u128::from)
}

fn agrees<E: Engine>() {
    let text = testdata(FILE);
    let lines = text.lines();
    let mut positions = 0;
    for line in lines {
        let value: Value = serde_json::from_str(line).unwrap();
        let game = E::new(stored_rules(&value)).unwrap();
        let position = value["position"].as_str().unwrap();
        let state = game.parse_state(position).unwrap();
        assert_eq!(game.state_text(&state), position);
        for (key, how) in [("perft", Count::Sequences), ("weighted", Count::Weighted)] {
            let counts = value[key].as_array().unwrap();
            assert!(counts.len() >= 3, "{line}");
            for (depth, expected) in (1..).zip(counts) {
                let found = perft(&game, &state, depth, how);
                assert_eq!(found, count(expected), "{key}, depth {depth}: {line}");
            }
            let deepest = counts.len() as u32;
            let parts = divide(&game, &state, deepest, how);
            let sum: u128 = parts
                .iter()
                .map(|branch| match branch {
                    Branch::Outcome(_, count) | Branch::Action(_, count) => count,
                })
                .sum();
            assert_eq!(sum, count(&counts[counts.len() - 1]), "divide: {line}");
        }
        positions += 1;
    }
    assert!((150..=250).contains(&positions), "{positions} positions");
}

macro_rules! test_engines {
    ($($name:ident: $engine:ty,)+) => {$(
        #[test]
        fn $name() {
            agrees::<$engine>();
        }
    )+};
}

test_engines! {
    the_plain_engine_agrees_with_the_suite: plain::Sho,
    the_fast_engine_agrees_with_the_suite: Sho,
}

/// The suite has every preset with two to four sides, and the kinds of positions that random play meets seldom.
#[test]
fn the_suite_covers_what_it_should() {
    let (mut starts, mut kinds) = (Vec::new(), [0; KINDS.len()]);
    for line in testdata(FILE).lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let rules = stored_rules(&value);
        let game = plain::Sho::new(rules).unwrap();
        let state = game.parse_state(value["position"].as_str().unwrap()).unwrap();
        if state == game.start() && value["set"].as_object().unwrap().is_empty() {
            starts.push((value["rules"].as_str().unwrap().to_owned(), rules.sides));
        }
        for (found, (_, is)) in kinds.iter_mut().zip(KINDS) {
            *found += u32::from(is(&game, &state));
        }
    }
    let expected: Vec<(String, u8)> = Rules::PRESETS
        .iter()
        .flat_map(|preset| (2..=4).map(|sides| (preset.name.to_owned(), sides)))
        .collect();
    assert_eq!(starts, expected);
    for (found, (name, _)) in kinds.iter().zip(KINDS) {
        assert!(*found >= 4, "{name}: {found}");
    }
}

// ---- The kinds of positions ----------------------------------------------------------------------------------------

type Is = fn(&plain::Sho, &plain::State) -> bool;

const KINDS: [(&str, Is); 10] = [
    ("opening", |_, state| {
        let setup = state.setup();
        let opening = setup.sides.iter(setup.seats).filter(|(_, side)| side.is_opening()).count();
        (1..setup.seats).contains(&opening) && setup.phase == Phase::Throw
    }),
    ("middle", |_, state| {
        let setup = state.setup();
        let mut sides = setup.sides.iter(setup.seats);
        setup.phase == Phase::Throw
            && sides.all(|(_, side)| side.stacks().count() >= 2 && side.home < 5)
    }),
    ("choice", |_, state| {
        let setup = state.setup();
        let stacks = setup.sides[setup.mover].stacks().count();
        setup.phase == Phase::Move && setup.waiting.len() == 1 && stacks >= 3
    }),
    ("race", |_, state| {
        let setup = state.setup();
        let homes = setup.sides.iter(setup.seats).map(|(_, side)| side.home);
        setup.phase == Phase::Throw && homes.max() >= Some(6)
    }),
    ("two values", |_, state| {
        let setup = state.setup();
        setup.phase == Phase::Move && setup.waiting.len() == 2 && setup.left_over == 0
    }),
    ("three values or more", |_, state| {
        let setup = state.setup();
        setup.phase == Phase::Move && setup.waiting.len() >= 3
    }),
    ("pair", |_, state| state.setup().phase == Phase::Pair),
    ("left-over", |_, state| state.setup().left_over > 0),
    ("alliance", |game, state| {
        let setup: &Setup = state.setup();
        game.rules().has_alliance()
            && setup.leader().is_some_and(|leader| leader != setup.mover)
            && setup.phase == Phase::Move
            && setup.sides.iter(setup.seats).any(|(_, side)| side.champion)
    }),
    ("six-three", |game, state| {
        let mut actions = <plain::Sho as Game>::Actions::default();
        game.actions(state, &mut actions);
        actions.contains(Action::SixThree)
    }),
];

/// Whether the rules know the kind at all, and random games reach it in reasonable time.
fn applies(rules: &Rules, kind: &str) -> bool {
    match kind {
        "pair" => rules.pa_ra_pair,
        "left-over" => rules.left_over == LeftOver::Used,
        "alliance" => rules.has_alliance(),
        "six-three" => rules.six_three.word() != "off" && rules.shells > 9,
        "race" => rules.coins > 6,
        "middle" => rules.coins > 4 && rules.shells > 20,
        "choice" => rules.coins > 4,
        _ => true,
    }
}

// ---- The file ------------------------------------------------------------------------------------------------------

const SEED: u64 = 11;

/// The first position of a kind that random games under a stream reach, after a number of others.
fn drawn(game: &plain::Sho, is: Is, words: &mut Stream) -> Option<plain::State> {
    let mut actions = <plain::Sho as Game>::Actions::default();
    let mut skip = words.below(4);
    for _ in 0..5_000 {
        let mut state = game.start();
        loop {
            if is(game, &state) {
                if skip == 0 {
                    return Some(state);
                }
                skip -= 1;
                break;
            }
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(_) => {
                    let outcome = game.outcome(&state, words.below(36));
                    game.cast_unchecked(&mut state, outcome);
                }
                Step::Decide(_) => {
                    game.actions(&state, &mut actions);
                    let action = actions.get(words.below(actions.len() as u32) as usize);
                    game.play_unchecked(&mut state, action);
                }
            }
        }
    }
    None
}

/// A number where every reader of JSON keeps it exactly, else a string.
fn json(count: u128) -> String {
    if count < 1 << 53 { count.to_string() } else { format!("\"{count}\"") }
}

fn line(preset: &str, set: &[(&str, &str)], game: &plain::Sho, state: &plain::State) -> String {
    let set: Vec<String> =
        set.iter().map(|(name, value)| format!("\"{name}\": \"{value}\"")).collect();
    let counts = |how| {
        let counts = (1..=DEPTH).map(|depth| json(perft(game, state, depth, how)));
        counts.collect::<Vec<_>>().join(", ")
    };
    format!(
        "{{\"rules\": \"{preset}\", \"sides\": {}, \"set\": {{{}}}, \"position\": \"{}\", \"perft\": [{}], \"weighted\": [{}]}}",
        game.seats(),
        set.join(", "),
        game.state_text(state),
        counts(Count::Sequences),
        counts(Count::Weighted),
    )
}

type Set = &'static [(&'static str, &'static str)];

const FURTHER: [(&str, u8, Set); 8] = [
    ("lhasa", 3, &[("going-home", "exact")]),
    ("lhasa", 2, &[("reopen", "nothing-out"), ("join-throws", "no")]),
    ("lhasa", 2, &[("coins", "3"), ("nine-stack", "forbidden")]),
    ("general", 3, &[("three-pa-ra-wins", "yes"), ("waiting-limit", "3")]),
    ("bhutan", 3, &[("pa-ra", "spend-each"), ("kill", "stacks-need-bigger")]),
    ("bhutan", 4, &[("shells", "16"), ("opening-coins", "3"), ("opening-kill-throws", "yes")]),
    ("bhutan", 2, &[("shells", "8"), ("coins", "2"), ("opening-coins", "1")]),
    ("tomoaki", 3, &[("max-throws", "60"), ("opening-clash", "three")]),
];

#[test]
#[ignore = "writes testdata/perft-sho.jsonl anew"]
fn write_the_suite() {
    let presets = Rules::PRESETS
        .iter()
        .flat_map(|preset| (2..=4).map(|sides| (preset.name, sides, &[] as Set)));
    let mut text = String::new();
    for (number, (preset, sides, set)) in (0..).zip(presets.chain(FURTHER)) {
        let mut rules = Rules::preset(preset).unwrap();
        rules.sides = sides;
        for (name, value) in set {
            rules.set(name, value).unwrap();
        }
        let game = plain::Sho::new(rules).unwrap();
        let mut words = Stream::new(SEED, "test/perft", number);
        writeln!(text, "{}", line(preset, set, &game, &game.start())).unwrap();
        for (_, is) in KINDS.into_iter().filter(|(kind, _)| applies(&rules, kind)) {
            if let Some(state) = drawn(&game, is, &mut words) {
                writeln!(text, "{}", line(preset, set, &game, &state)).unwrap();
            }
        }
    }
    fs::write(testdata_path(FILE), text).unwrap();
}
