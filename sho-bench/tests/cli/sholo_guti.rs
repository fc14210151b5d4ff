//! The second game: every command with `--game sholo-guti`.

use serde_json::Value;
use sho_core::record::Record;
use sho_core::sholo_guti::Rules;

use crate::common::{Run, sho, sho_reads};

const GAME: [&str; 2] = ["--game", "sholo-guti"];
const START: &str = "ooo/ooo/ooooo/ooooo/...../xxxxx/xxxxx/xxx/xxx x 0 1";
const RUN: &str = "ooo/o.o/...oo/..o.o/...../...o./..xo./xxx/xxx x 0 31";

/// Runs the program with the second game.
fn guti(arguments: &[&str]) -> Run {
    sho(&[arguments, &GAME].concat())
}

#[test]
fn the_board() {
    let expected = "\
9   o-------o-------o
      \\     |     /
8       o---.---o
          \\ | /
7   .---.---.---o---o
    | \\ | / | \\ | / |
6   .---.---o---.---o             o  side B, 11 pieces
    | / | \\ | / | \\ |           > x  side A,  7 pieces
5   .---.---.---.---.
    | \\ | / | \\ | / |           turn 31: x moves
4   .---.---.---o---.           turns without a take: 0 of 80
    | / | \\ | / | \\ |
3   .---.---x---o---.
          / | \\
2       x---x---x
      /     |     \\
1   x-------x-------x

    a   b   c   d   e
";
    assert_eq!(guti(&["show", RUN]).good(), expected);
    assert_eq!(guti(&["show", RUN, "--engine", "plain"]).good(), expected);
    let colored = guti(&["show", "--color", "always", RUN]).good();
    assert!(colored.contains("\x1b[1;33mx") && colored.contains("\x1b[1;36mo"), "{colored}");
}

#[test]
fn the_board_of_a_game_that_is_over() {
    for (line, expected) in [
        (".../.../..x../...../...../...../...../.../... o 0 100", ["x won", "o has no piece left"]),
        ("oxx/x.x/..x../...../...../...../...../.../... o 4 100", ["x won", "o cannot move"]),
        (".../.../..x../...../...../..o../...../.../... o 80 99", ["a draw", "80 turns without"]),
    ] {
        let shown = guti(&["show", line]).good();
        assert!(expected.iter().all(|part| shown.contains(part)), "{shown}");
        assert!(!shown.contains('>') && !shown.contains("moves"), "{shown}");
        assert_eq!(guti(&["actions", line]).good(), "");
    }
}

#[test]
fn perft_is_that_of_the_rules() {
    let counts = |counts: &[u64]| -> String {
        (1..).zip(counts).map(|(depth, count)| format!("{depth} {count}\n")).collect()
    };
    let optional = counts(&[9, 69, 783, 9_063, 112_469, 1_383_160]);
    assert_eq!(guti(&["perft", "--depth", "6"]).good(), optional);
    let forced = counts(&[9, 21, 65, 323, 1_804, 9_406, 56_624, 359_122]);
    assert_eq!(guti(&["perft", "--depth", "8", "--rules", "forced", START]).good(), forced);
    let plain = ["perft", "--depth", "5", "--engine", "plain", "--set", "takes=forced"];
    assert_eq!(guti(&plain).good(), counts(&[9, 21, 65, 323, 1_804]));
    for (depth, count) in [("1", 9), ("2", 69), ("4", 9_063)] {
        let divided = guti(&["perft", "--depth", depth, "--divide"]).good();
        assert!(divided.starts_with("a4-a5 ") && divided.lines().count() == 9, "{divided}");
        let sum: u64 = divided
            .lines()
            .map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap())
            .sum();
        assert_eq!(sum, count);
    }
    // A draw does not finish a line.
    let drawn = START.replace(" 0 1", " 80 81");
    assert_eq!(guti(&["perft", "--depth", "2", &drawn]).good(), "1 9\n2 69\n");
    assert_eq!(guti(&["perft", "--depth", "1", "--divide", &drawn]).good().lines().count(), 9);
    let near = START.replace(" 0 1", " 78 79");
    assert!(guti(&["perft", "--depth", "5", &near]).good().ends_with("5 112469\n"));
}

#[test]
fn actions_are_listed_and_explained() {
    let expected = "\
c3-b3\tstep\t0\t-
c3-b4\tstep\t0\t-
c3-c4\tstep\t0\t-
c3:e3\ttake\t1\td3
c3:e3:c5\ttake\t2\td3,d4
c3:e3:c5:c7\ttake\t3\tc6,d3,d4
c3:e5\ttake\t1\td4
";
    assert_eq!(guti(&["actions", "--explain", RUN]).good(), expected);
    let forced = guti(&["actions", "--rules", "forced", RUN]).good();
    assert_eq!(forced, "c3:e3:c5:c7\nc3:e5\n");
    let next = guti(&["actions", "--next", START]).good();
    let first = "a4-a5\tooo/ooo/ooooo/ooooo/x..../.xxxx/xxxxx/xxx/xxx o 1 2\n";
    assert!(next.starts_with(first) && next.lines().count() == 9, "{next}");
    let lines = format!("{START}\n{RUN}\n");
    let all = sho_reads(&[&["actions", "-"], &GAME[..]].concat(), &lines).good();
    assert_eq!(all.lines().filter(|line| line.is_empty()).count(), 2);
}

const GAMES: &[&[&str]] = &[
    &["play"],
    &["play", "--bots", "easy,random", "--seed", "7", "--block", "3", "--seating", "1"],
    &["play", "--bots", "random,random", "--rules", "forced", "--opening-turns", "0"],
    &["play", "--bots", "random,easy", "--set", "quiet-turns=12", "--opening-turns", "30"],
];

#[test]
fn records_replay_with_both_engines_and_in_both_forms() {
    for game in GAMES {
        let text = guti(game).good();
        assert_eq!(guti(&[game, &["--engine", "plain"][..]].concat()).good(), text);
        let json = guti(&[game, &["--format", "json"][..]].concat()).good();
        for engine in ["fast", "plain"] {
            let replay = |text: &str| sho_reads(&["replay", "-", "--engine", engine], text).good();
            assert_eq!(replay(&text), text);
            assert_eq!(replay(&json), text);
        }
        let record: Record<Rules> = Record::parse(&text).unwrap();
        assert_eq!(record.start, START);
        let shown = sho_reads(&["replay", "-", "--show"], &text).good();
        assert!(shown.matches("turns without a take").count() >= record.turns.len());
        assert_eq!(guti(&[game, &["--show"][..]].concat()).good(), shown);
    }
}

#[test]
fn the_games_of_a_block_begin_with_its_opening() {
    let turns = |options: &[&str]| {
        let text = guti(&[&["play", "--block", "5"], options].concat()).good();
        Record::<Rules>::parse(&text).unwrap().turns
    };
    let longest = turns(&["--bots", "random,random", "--opening-turns", "9"]);
    for (bots, seating, count) in [
        ("easy,random", "0", 6),
        ("easy,random", "1", 6),
        ("random,random", "0", 6),
        ("easy,easy", "0", 9),
    ] {
        let number = count.to_string();
        let mut options = vec!["--bots", bots, "--seating", seating];
        if count != 6 {
            options.extend(["--opening-turns", &number]);
        }
        assert_eq!(turns(&options)[..count], longest[..count], "{bots}");
    }
    assert_ne!(turns(&["--seed", "2"])[..6], longest[..6]);
}

#[test]
fn tournaments_say_how_games_began_and_how_many_were_distinct() {
    let run = |options: &[&str]| {
        let base = ["tournament", "--bots", "easy,random", "--games", "101"];
        guti(&[&base, options].concat()).good()
    };
    let json = run(&["--format", "json", "--threads", "1"]);
    assert_eq!(run(&["--format", "json", "--threads", "2"]), json);
    assert_eq!(run(&["--format", "json", "--engine", "plain"]), json);
    let result: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&result["opening_turns"], &result["games"]), (&6.into(), &102.into()));
    assert_eq!(result["distinct_games"], 102);
    assert_eq!(result["lengths"].as_object().unwrap().keys().collect::<Vec<_>>(), ["turns"]);
    let table = run(&[]);
    assert!(table.contains("\neach block begins with 6 random turns\n"), "{table}");
    // Nine openings, and a bot against itself.
    let same = ["tournament", "--bots", "easy,easy", "--games", "200", "--opening-turns", "1"];
    let table = guti(&same).good();
    assert!(table.contains("begins with 1 random turn; 9 games were distinct\n"), "{table}");
    // A game with dice has neither key.
    let dice =
        sho(&["tournament", "--bots", "easy,random", "--games", "2", "--format", "json"]).good();
    assert!(!dice.contains("opening_turns") && !dice.contains("distinct"), "{dice}");
}

#[test]
fn mistakes_are_one_line() {
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["tournament", "--bots", "easy,greedy", "--opening-turns", "0"],
            &["opening turns", "draws"],
        ),
        (&["tournament", "--opening-turns", "-1"], &["'-1'"]),
        (&["tournament", "--opening-turns", "x"], &["a number from 0 to 10000"]),
        (&["tournament", "--bots", "easy,easy,random"], &["3 sides", "has 2"]),
        (&["play", "--bots", "easy"], &["1 side,", "has 2"]),
        (&["play", "--bots", "esy,easy"], &["no bot `esy`", "did you mean `easy`?"]),
        (&["show", "--sides", "3"], &["sholo-guti has 2 sides"]),
        (&["show", "--rules", "lhasa"], &["no rules `lhasa`", "standard, forced"]),
        (&["show", "--engine", "x"], &["engine of sholo-guti `x`", "fast, plain"]),
        (&["show", "nonsense"], &["position: line: expected four fields"]),
        (&["show", &START.replace("/xxx x", "/xxxx x")], &["position: points"]),
    ];
    for (arguments, expected) in cases {
        let line = guti(arguments).mistake();
        assert!(expected.iter().all(|part| line.contains(part)), "{arguments:?}: {line}");
    }
    for command in ["tournament", "play"] {
        let line = sho(&[command, "--bots", "easy,easy", "--opening-turns", "6"]).mistake();
        assert!(line.contains("sho has no openings"), "{line}");
    }
}

#[test]
fn rules_and_bots_are_listed() {
    let rules = guti(&["rules"]).good();
    for part in ["takes ", "quiet-turns ", "repeats ", "standard: ", "forced: "] {
        assert!(rules.contains(part), "{rules}");
    }
    assert!(guti(&["rules", "forced"]).good().contains("(optional in standard)"));
    let bots = guti(&["bots"]).good();
    assert!(bots.contains("  random\n") && bots.contains("  easy (also greedy)\n"), "{bots}");
}
