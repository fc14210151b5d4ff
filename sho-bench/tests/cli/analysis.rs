//! `sho rollout` and `sho analyse`.

use serde_json::Value;

use crate::common::{sho, sho_reads};

const DECISION: &str = "4+2:20x1,33x2/3+1:14x1,26x3,41x1/5+0:8x1,30x2,38x1 A move 2,5 1 70";
const THROW: &str = "4+2:20x1,33x2/3+1:14x1,26x3,41x1/5+0:8x1,30x2,38x1 B throw - 0 70";
const OVER: &str = "0+9:-/2+3:5x1,40x3/4+3:13x2 A over:A - 0 90";

fn json(arguments: &[&str]) -> Value {
    let out = sho(&[arguments, &["--format", "json"]].concat()).good();
    assert_eq!(out.lines().count(), 1, "{out}");
    serde_json::from_str(&out).unwrap()
}

fn fits_a_screen(text: &str) {
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_rollout_says_who_wins_and_how_long_it_takes() {
    let arguments = ["rollout", THROW, "--games", "200", "--bots", "easy,medium,random"];
    let out = sho(&arguments).good();
    fits_a_screen(&out);
    for part in [
        "200 games from here to the end, seed 1: A easy, B medium, C random\n",
        "chance to win",
        "still to come",
        "throws",
        "three_pa_ra",
        "cap",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    assert_eq!(sho(&[&arguments[..], &["--threads", "3"]].concat()).good(), out);
    assert_eq!(sho(&[&arguments[..], &["--engine", "plain"]].concat()).good(), out);
    let document = json(&arguments);
    assert_eq!(document["schema"], "sho/rollout/1");
    assert_eq!((&document["next"], &document["games"]), (&"B".into(), &200.into()));
    assert_eq!(document["bots"][1]["bot"], "medium");
    let payoffs: u64 = (0..3).map(|s| document["seats"][s]["payoff12"].as_u64().unwrap()).sum();
    assert_eq!(payoffs, 12 * 200);
    let ends = document["ends"].as_object().unwrap().values();
    assert_eq!(ends.map(|end| end["games"].as_u64().unwrap()).sum::<u64>(), 200);
    // Another seed, other games; one bot holds every seat, and the usual one is medium.
    assert_ne!(sho(&[&arguments[..], &["--seed", "2"]].concat()).good(), out);
    let usual = json(&["rollout", THROW, "--games", "20"]);
    assert_eq!(json(&["rollout", THROW, "--games", "20", "--bot", "medium"]), usual);
    assert_eq!(usual["bots"][2]["bot"], "medium");
}

#[test]
fn an_analysis_has_each_action_best_first() {
    let arguments = ["analyse", DECISION, "--games", "100", "--bot", "easy"];
    let out = sho(&arguments).good();
    fits_a_screen(&out);
    // Long lines are wrapped.
    let unwrapped = out.replace("\n  ", " ");
    let line =
        "rollouts: 100 games of each action, all on the same dice, seed 1, easy in all seats\n";
    assert!(unwrapped.contains(line), "{out}");
    for part in [
        "search: expectimax, depth 2\n",
        "A decides; chances of A to win, best first.",
        "The chance that a stack is hit, as the position stands:",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    assert_eq!(sho(&[&arguments[..], &["--threads", "3"]].concat()).good(), out);
    assert_eq!(sho(&[&arguments[..], &["--engine", "plain"]].concat()).good(), out);
    let document = json(&arguments);
    assert_eq!(document["schema"], "sho/analysis/1");
    let actions = document["actions"].as_array().unwrap();
    let listed = sho(&["actions", DECISION]).good();
    let mut names: Vec<&str> = actions.iter().map(|a| a["action"].as_str().unwrap()).collect();
    let mut expected: Vec<&str> = listed.lines().collect();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected);
    let own = |action: &Value| action["rollout"]["seats"][0]["chance"].as_f64().unwrap();
    assert!(actions.windows(2).all(|pair| own(&pair[0]) >= own(&pair[1])));
    assert!(actions[0]["rollout"]["difference"].is_null());
    for action in &actions[1..] {
        let difference = action["rollout"]["difference"]["mean"].as_f64().unwrap();
        assert!((own(action) - own(&actions[0]) - difference).abs() < 2e-6, "{action}");
    }
    // The search agrees with the bot that plays by it, and rollouts do not change it.
    let alone = json(&["analyse", DECISION, "--games", "0"]);
    assert!(alone["rollout"].is_null() && alone["actions"][0]["rollout"].is_null());
    let value = |action: &Value| action["search"]["value"].as_f64().unwrap();
    let sorted = alone["actions"].as_array().unwrap();
    assert!(sorted.windows(2).all(|pair| value(&pair[0]) >= value(&pair[1])));
    assert_eq!(sorted[0]["search_difference"], 0.0);
    for action in sorted {
        let other = actions.iter().find(|other| other["action"] == action["action"]).unwrap();
        assert_eq!(action["search"], other["search"]);
    }
    fits_a_screen(&sho(&["analyse", DECISION, "--games", "0"]).good());
}

#[test]
fn where_dice_are_due_each_throw_has_its_best_answer() {
    let arguments = ["analyse", THROW, "--games", "50", "--bot", "easy"];
    let out = sho(&arguments).good();
    fits_a_screen(&out);
    assert!(out.contains("B throws, and there is no action to choose yet."), "{out}");
    assert!(out.contains("by rollouts:"), "{out}");
    let document = json(&arguments);
    assert_eq!(document["actions"], Value::Array(Vec::new()));
    let throws = document["throws"].as_array().unwrap();
    let ways: u64 = throws.iter().map(|throw| throw["ways"].as_u64().unwrap()).sum();
    let count: usize = throws.iter().map(|throw| throw["throws"].as_array().unwrap().len()).sum();
    assert_eq!((ways, count), (36, 21));
    // The mean over throws is what the position is worth, and the seats share certainty.
    let mean: f64 = throws
        .iter()
        .map(|t| t["ways"].as_f64().unwrap() * t["search"]["value"].as_f64().unwrap() / 36.0)
        .sum();
    let worth = &document["worth"]["search"];
    assert!((mean - worth[1].as_f64().unwrap()).abs() < 2e-6);
    let sum: f64 = (0..3).map(|seat| worth[seat].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 3e-6, "{worth}");
    // Rollouts of the position are those of the other command.
    let rollout = json(&["rollout", THROW, "--games", "50", "--bot", "easy"]);
    assert_eq!(document["worth"]["rollout"], rollout["seats"]);
    // B throws first, C and A after it: nobody hits its stacks before.
    for stack in document["stacks"].as_array().unwrap() {
        let by = |seat: &str| {
            let hits = stack["by"].as_array().unwrap().iter();
            hits.clone().find(|by| by["seat"] == seat).map(|by| by["chance"].as_f64().unwrap())
        };
        let before = stack["before_next_throw"].as_f64().unwrap();
        let expected = match stack["seat"].as_str().unwrap() {
            "A" => 1.0 - (1.0 - by("B").unwrap()) * (1.0 - by("C").unwrap()),
            "B" => 0.0,
            _ => by("B").unwrap(),
        };
        assert!((before - expected).abs() < 3e-6, "{stack}");
    }
}

#[test]
fn sholo_guti_is_analysed_in_points() {
    let out = sho(&["analyse", "--game", "sholo-guti"]).good();
    fits_a_screen(&out);
    assert!(out.contains("search: alphabeta, depth 2\n"), "{out}");
    assert!(out.contains("nothing is left to chance"), "{out}");
    let document = json(&["analyse", "--game", "sholo-guti", "--games", "20", "--bot", "random"]);
    assert_eq!(
        (&document["search"]["unit"], &document["stacks"]),
        (&"points".into(), &Value::Null)
    );
    assert_eq!(document["rollout"]["games"], 20);
    fits_a_screen(
        &sho(&["rollout", "--game", "sholo-guti", "--bot", "random", "--games", "9"]).good(),
    );
}

#[test]
fn many_positions_have_an_answer_each() {
    let input = format!("{THROW}\n{DECISION}\n");
    let out = sho_reads(&["rollout", "-", "--games", "9", "--format", "json"], &input).good();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 4);
    for (line, position) in [(lines[0], THROW), (lines[2], DECISION)] {
        let document: Value = serde_json::from_str(line).unwrap();
        assert_eq!(document["position"], position);
    }
}

#[test]
fn what_cannot_be_asked_is_one_line() {
    let mistake = |arguments: &[&str]| sho(arguments).mistake();
    for command in ["rollout", "analyse"] {
        let over = mistake(&[command, OVER]);
        assert!(over.contains("the game is over, and nothing is left to"), "{over}");
        assert!(over.contains(OVER), "{over}");
        let bots = mistake(&[command, THROW, "--bots", "easy,easy"]);
        assert!(
            bots.ends_with("2 bots, and 3 sides play: name one for all of them, or one for each")
        );
        let unknown = mistake(&[command, THROW, "--bot", "esay"]);
        assert!(unknown.contains("did you mean `easy`?"), "{unknown}");
        let position = mistake(&[command, "9+0o:- A throw"]);
        assert!(position.starts_with("error: position: "), "{position}");
    }
    let games = mistake(&["rollout", THROW, "--games", "0"]);
    assert!(games.contains("expected a number from 1 to"), "{games}");
    for depth in ["0", "7", "-1", "two"] {
        let error = mistake(&["analyse", DECISION, "--depth", depth]);
        assert!(error.contains("expected a number from 1 to 6"), "{error}");
    }
    let missing = mistake(&["analyse", DECISION, "--weights", "no-such-file.json"]);
    assert!(missing.starts_with("error: no-such-file.json: "), "{missing}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weights.json");
    std::fs::write(&file, r#"{"home": 1}"#).unwrap();
    let file = file.to_str().unwrap();
    let weights = mistake(&["analyse", DECISION, "--weights", file]);
    assert!(weights.starts_with("error: weights: missing field"), "{weights}");
    let none = mistake(&["analyse", "--game", "sholo-guti", "--weights", file]);
    assert!(none.contains("weights: sholo-guti takes none"), "{none}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_with_what_was_played() {
    use std::process::Stdio;
    use std::time::Duration;

    let mut child = crate::common::command(&["rollout", THROW, "--games", "100000000", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    let read = |stream: &mut dyn std::io::Read| {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    let (out, err) =
        (read(&mut child.stdout.take().unwrap()), read(&mut child.stderr.take().unwrap()));
    assert!(err.starts_with("stopped by hand after ") && err.lines().count() == 1, "{err}");
    let games = err.trim().rsplit(' ').next().unwrap();
    assert_eq!(sho(&["rollout", THROW, "--games", games]).good(), out);
}
