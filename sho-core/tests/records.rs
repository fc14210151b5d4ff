//! Records: the golden games replay, both forms print and parse back, and every kind of damage is found and named.
#![cfg(feature = "serde")]

mod common;

use common::{random_rules, testdata};
use sho_core::record::{Record, ReplayError};
use sho_core::sho::{Engine, Rules, plain};
use sho_core::{ActionList, IllegalStep, Notation, RuleSet, Seat, Step, StepError, Stream};

/// The damaged file: a golden game whose step 78 goes a gap too far.
const DAMAGED_STEP: usize = 78;

fn golden() -> Vec<Record<Rules>> {
    testdata("games-sho.txt").split("\n\n").map(|text| Record::parse(text).unwrap()).collect()
}

/// A random game under these rules, written down; the first `steps` of it.
fn played<E: Engine>(rules: Rules, words: &mut Stream, steps: usize) -> Record<Rules> {
    let game = E::new(rules).unwrap();
    let (mut state, mut actions) = (game.start(), E::Actions::default());
    let mut record = Record::new(&game, &state);
    for _ in 0..steps {
        match game.step(&state) {
            Step::Over => break,
            Step::Chance(seat) => {
                let throw = game.outcome(&state, words.below(36));
                record.push_outcome(&game, seat, throw);
                game.cast(&mut state, throw).unwrap();
            }
            Step::Decide(seat) => {
                game.actions(&state, &mut actions);
                let action = actions.get(words.below(actions.len() as u32) as usize);
                record.push_action(&game, seat, &state, action);
                game.play(&mut state, action).unwrap();
            }
        }
    }
    record.close(&game, &state);
    record
}

/// Both forms say the same, and replay to the position that the record names.
fn goes_round<E: Engine>(record: &Record<Rules>) {
    let text = record.to_string();
    let parsed: Record<Rules> = Record::parse(&text).unwrap();
    assert_eq!(&parsed, record);
    assert_eq!(parsed.to_string(), text);
    let json = serde_json::to_string(record).unwrap();
    let parsed: Record<Rules> = serde_json::from_str(&json).unwrap();
    assert_eq!(&parsed, record);
    assert_eq!(serde_json::to_string(&parsed).unwrap(), json);
    let game = E::new(record.rules).unwrap();
    let mut steps = 0;
    let mut last = game.parse_state(&record.start).unwrap();
    let state = parsed
        .replay::<E>(|step| {
            steps += 1;
            assert_eq!(step.number, steps);
            assert!(*step.before == last);
            last = step.after.clone();
            let seat = match step.game.step(step.before) {
                Step::Chance(seat) | Step::Decide(seat) => seat,
                Step::Over => panic!("a step after the end"),
            };
            assert_eq!(step.seat, seat);
        })
        .unwrap();
    assert!(state == last);
    assert_eq!(game.state_text(&state), record.last);
    let words: usize = record.turns.iter().map(|turn| turn.split(' ').count() - 1).sum();
    assert_eq!(steps, words);
}

fn random_games_go_round<E: Engine>() {
    let mut words = Stream::new(3, "test/records", 0);
    for number in 0..60 {
        let rules = if number % 3 == 0 { Rules::bhutan() } else { random_rules(&mut words) };
        // Some are broken off, one before its first step.
        let steps = [usize::MAX, number, usize::MAX][number % 3];
        let mut record = played::<E>(rules, &mut words, steps);
        if number % 2 == 0 {
            record.players = Seat::all(rules.sides()).map(|seat| format!("bot {seat}")).collect();
            record.seed = Some(u64::MAX);
            record.address = Some("0.12.1".into());
        }
        goes_round::<E>(&record);
    }
}

#[test]
fn the_golden_games_replay() {
    let games = golden();
    assert_eq!(games.len(), 14);
    for record in &games {
        assert_eq!(record.end.as_deref(), Some("home"));
        goes_round::<plain::Sho>(record);
    }
    for preset in Rules::PRESETS {
        let plays = |record: &&Record<Rules>| record.rules.summary() == preset.name;
        assert_eq!(games.iter().filter(plays).count(), 2, "{}", preset.name);
    }
    for sides in 2..=4 {
        assert!(games.iter().any(|record| record.rules.sides == sides));
    }
}

#[test]
fn random_games_print_parse_and_replay() {
    random_games_go_round::<plain::Sho>();
}

#[test]
fn a_damaged_file_is_refused_at_its_step() {
    let record: Record<Rules> = Record::parse(&testdata("game-sho-damaged.txt")).unwrap();
    let mut visited = 0;
    let error = record.replay::<plain::Sho>(|_| visited += 1).unwrap_err();
    assert_eq!(visited, DAMAGED_STEP - 1);
    let ReplayError::Step { number, position, reason } = &error else { panic!("{error}") };
    assert_eq!(*number, DAMAGED_STEP);
    assert!(position.contains(" B move 5 "), "{position}");
    assert!(matches!(reason, StepError::NotLegal { found, .. } if found == "49>55"), "{reason}");
    assert!(error.to_string().starts_with("step 78, in `"), "{error}");
}

fn replay(record: &Record<Rules>) -> ReplayError {
    record.replay::<plain::Sho>(|_| {}).unwrap_err()
}

/// Replaces step `number` of a record.
fn with_step(record: &Record<Rules>, number: usize, text: &str) -> Record<Rules> {
    let mut damaged = record.clone();
    let mut steps = 0;
    for turn in &mut damaged.turns {
        let mut words: Vec<String> = turn.split(' ').map(ToOwned::to_owned).collect();
        for word in &mut words[1..] {
            steps += 1;
            if steps == number {
                *word = text.to_owned();
            }
        }
        *turn = words.join(" ");
    }
    damaged
}

#[test]
fn a_changed_step_is_named_by_its_number() {
    let record = &golden()[1];
    let steps: usize = record.turns.iter().map(|turn| turn.split(' ').count() - 1).sum();
    for number in 1..=steps {
        // A text that is neither a throw nor an action, and one of each where the other is due.
        for text in ["7-1", "", "x"] {
            let error = replay(&with_step(record, number, text));
            assert!(
                matches!(error, ReplayError::Step { number: found, .. } if found == number),
                "step {number} as `{text}`: {error}"
            );
        }
    }
    // Step 1 is a throw, step 2 an action.
    let reason = |number, text| match replay(&with_step(record, number, text)) {
        ReplayError::Step { number: found, reason, .. } if found == number => reason,
        error => panic!("{error}"),
    };
    assert!(matches!(reason(1, "open@5"), StepError::NotAThrow { .. }));
    assert!(matches!(reason(2, "4-1"), StepError::NotAnAction { .. }));
    assert!(matches!(reason(2, "@5"), StepError::NotLegal { .. }));
    // A step too many after the end.
    let mut longer = record.clone();
    longer.turns.last_mut().unwrap().push_str(" 6-1");
    let ReplayError::Step { number, reason, .. } = replay(&longer) else { panic!() };
    assert_eq!(number, steps + 1);
    assert_eq!(reason, StepError::NotDue { found: "6-1".into(), reason: IllegalStep::Over });
}

#[test]
fn a_changed_letter_is_named_by_its_step() {
    let record = &golden()[1];
    let mut first_step = 1;
    for (turn, text) in record.turns.iter().enumerate() {
        for letter in ["A", "B", "C", "D", "AB", ""] {
            let (right, steps) = text.split_once(' ').unwrap();
            if letter == right {
                continue;
            }
            let mut damaged = record.clone();
            damaged.turns[turn] = format!("{letter} {steps}");
            let error = replay(&damaged);
            let ReplayError::Seat { number, claimed, seat, .. } = &error else { panic!("{error}") };
            assert_eq!((*number, claimed.as_str()), (first_step, letter));
            assert_eq!(seat.letter().to_string(), right);
        }
        first_step += text.split(' ').count() - 1;
    }
}

#[test]
fn what_a_record_says_of_the_end_is_checked() {
    let record = &golden()[0];
    let what = |damage: fn(&mut Record<Rules>)| {
        let mut damaged = record.clone();
        damage(&mut damaged);
        match replay(&damaged) {
            ReplayError::Outcome { what, claimed, found } => {
                assert_ne!(claimed, found);
                what
            }
            error => panic!("{error}"),
        }
    };
    assert_eq!(what(|record| record.last = record.start.clone()), "last");
    assert_eq!(what(|record| record.last.push(' ')), "last");
    assert_eq!(what(|record| record.end = Some("cap".into())), "end");
    assert_eq!(what(|record| record.end = None), "end");
    assert_eq!(what(|record| record.payoffs = vec![0, 12]), "payoffs");
    assert_eq!(what(|record| record.payoffs.clear()), "payoffs");
    assert_eq!(what(|record| record.payoffs.push(0)), "payoffs");
    // A turn missing at the end leads elsewhere; one missing before breaks the order of seats.
    assert_eq!(what(|record| drop(record.turns.pop())), "last");
    let mut damaged = record.clone();
    damaged.turns.remove(1);
    assert!(matches!(replay(&damaged), ReplayError::Seat { number: 3, .. }));
    // A game broken off must not say that it has ended.
    let mut words = Stream::new(3, "test/records", 1);
    let mut broken_off = played::<plain::Sho>(Rules::lhasa(), &mut words, 10);
    assert_eq!((&broken_off.end, broken_off.payoffs.len()), (&None, 0));
    broken_off.end = Some("home".into());
    assert!(matches!(replay(&broken_off), ReplayError::Outcome { what: "end", .. }));
}

#[test]
fn a_record_of_something_else_is_refused() {
    let record = &golden()[0];
    let mut other = record.clone();
    other.schema = "sho/record/2".into();
    assert_eq!(replay(&other), ReplayError::Schema("sho/record/2".into()));
    let mut other = record.clone();
    other.game = "sholo-guti".into();
    let expected = ReplayError::Game { expected: "sho", found: "sholo-guti".into() };
    assert_eq!(replay(&other), expected);
    let mut other = record.clone();
    (other.rules.coins, other.rules.opening_coins) = (2, 3);
    assert!(matches!(replay(&other), ReplayError::Rules(_)));
    let mut other = record.clone();
    other.start = other.start.replace('9', "8");
    assert!(matches!(replay(&other), ReplayError::Start(error) if error.field == "sides"));
    // Other rules than it was played by: the first step that they do not know is named.
    let mut other = record.clone();
    other.rules.sides = 3;
    assert!(matches!(replay(&other), ReplayError::Start(error) if error.field == "sides"));
}

#[test]
fn a_text_that_is_no_record_is_refused_at_its_line() {
    let text = golden()[0].to_string();
    let lines: Vec<&str> = text.lines().collect();
    let refused = |lines: &[&str]| Record::<Rules>::parse(&lines.join("\n")).unwrap_err();
    // Every line is needed but those that may be missing: players from the last, seed, address, steps, end.
    for (number, line) in lines.iter().enumerate() {
        let mut without = lines.clone();
        without.remove(number);
        let optional = ["player B", "seed", "address", "A ", "B ", "end"];
        if !optional.iter().any(|key| line.starts_with(key)) {
            let error = refused(&without);
            assert_eq!(error.line, number + 1, "{line}: {error}");
        }
    }
    // A line too many, or a changed one.
    for (number, changed, expected) in [
        (1, "sho/record/2", "sho/record/1"),
        (2, "Game sho", "`game` and its value"),
        (3, "rules sides=2", "all settings as name=value in their documented order"),
        (4, "player C easy", "players in seat order"),
        (6, "seed -1", "a seed from 0"),
        (8, "start", "`start` and its value"),
        (9, "E 1-1", "a seat's letter"),
        (9, "AB 1-1", "a seat's letter"),
        (9, "A", "a seat's letter"),
        (9, "", "a seat's letter"),
        (lines.len(), "end home", "how it ended and the payoffs"),
        (lines.len(), "end home 12,x", "how it ended and the payoffs"),
        (lines.len() + 1, "more", "nothing more"),
    ] {
        let mut damaged = lines.clone();
        if number <= lines.len() {
            damaged[number - 1] = changed;
        } else {
            damaged.push(changed);
        }
        let error = refused(&damaged);
        assert_eq!(error.line, number, "{error}");
        assert!(error.expected.contains(expected), "{error}");
        if number > 1 {
            assert_eq!(error.found, if changed.starts_with("rules") { "sides=2" } else { changed });
        }
    }
    assert_eq!(Record::<Rules>::parse("").unwrap_err().line, 1);
}

/// One record, one text: what the printer would write otherwise is refused.
#[test]
fn a_record_has_one_spelling() {
    let text = golden()[0].to_string();
    for (old, new) in [
        ("sides=2", "sides=2 sides=3"),
        ("sides=2", "sides=2 sides=2"),
        ("alliance=no", "alliance=off"),
        ("opening-bonus=2+3", "opening-bonus=3+2"),
        ("opening-bonus=2+3", "opening-bonus=2+2+3"),
        ("seed 20261129", "seed +20261129"),
        ("seed 20261129", "seed 020261129"),
        ("end home 12,0", "end home +12,0"),
        ("end home 12,0", "end home 12,00"),
        ("end home 12,0\n", "end home 12,0\n\n"),
    ] {
        assert!(text.contains(old));
        let damaged = text.replacen(old, new, 1);
        assert!(Record::<Rules>::parse(&damaged).is_err(), "{new}");
    }
    // Line ends of another system, or none at the end, are no other spelling.
    let record = Record::<Rules>::parse(&text).unwrap();
    for same in [text.replace('\n', "\r\n"), text.trim_end().to_owned()] {
        assert_eq!(Record::parse(&same), Ok(record.clone()));
    }
}

#[test]
fn damaged_json_is_refused() {
    let record = &golden()[0];
    let json = serde_json::to_value(record).unwrap();
    let parse = |value: &serde_json::Value| -> Result<Record<Rules>, String> {
        serde_json::from_str(&value.to_string()).map_err(|error| error.to_string())
    };
    assert_eq!(parse(&json).as_ref(), Ok(record));
    for key in ["schema", "game", "rules", "players", "start", "turns", "last", "payoffs"] {
        let mut damaged = json.clone();
        damaged.as_object_mut().unwrap().remove(key);
        assert!(parse(&damaged).unwrap_err().contains(&format!("missing field `{key}`")));
    }
    let mut damaged = json.clone();
    damaged["winner"] = "A".into();
    assert!(parse(&damaged).unwrap_err().contains("unknown field `winner`"));
    let mut damaged = json.clone();
    damaged["rules"]["shells"] = 7.into();
    assert!(parse(&damaged).unwrap_err().contains("shells cannot be `7`"));
    let mut damaged = json.clone();
    damaged["rules"]["coins"] = 1.into();
    assert!(parse(&damaged).unwrap_err().contains("opening-coins=2 is more than coins=1"));
    // A turn without a step, or with a space too many, is none.
    for turn in ["A", "A ", "", "A  1-1"] {
        let mut damaged = record.clone();
        damaged.turns[0] = turn.to_owned();
        let error = replay(&damaged);
        assert!(matches!(error, ReplayError::Step { number: 1, .. }), "`{turn}`: {error}");
    }
}

#[test]
fn a_turn_in_two_parts_and_players_that_do_not_fit_are_refused() {
    let record: Record<Rules> = Record::parse(&testdata("game-sho-damaged.txt")).unwrap();
    let mut split = record.clone();
    let (index, turn) =
        split.turns.iter().enumerate().find(|(_, turn)| turn.split(' ').count() > 3).unwrap();
    let (index, steps) = (index, turn.split(' ').map(ToOwned::to_owned).collect::<Vec<_>>());
    let letter = steps[0].clone();
    split.turns[index] = steps[..2].join(" ");
    split.turns.insert(index + 1, format!("{letter} {}", steps[2..].join(" ")));
    let error = replay(&split);
    assert!(
        matches!(error, ReplayError::SplitTurn { seat, .. } if seat.letter().to_string() == letter),
        "{error}"
    );

    for players in
        [vec!["easy".to_owned()], vec!["easy".to_owned(); 5], vec!["a\nplayer B x".to_owned(); 2]]
    {
        let damaged = Record { players, ..record.clone() };
        assert!(matches!(replay(&damaged), ReplayError::Players { .. }), "{}", replay(&damaged));
    }
    let nobody = Record { players: Vec::new(), ..record };
    assert!(matches!(replay(&nobody), ReplayError::Step { number: DAMAGED_STEP, .. }));
}
