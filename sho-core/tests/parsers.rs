//! What the parsers read and what they refuse: a table of refusals with the field that each names, and random and
//! damaged text, which must never panic and print back as it was read.
#![cfg(feature = "serde")]

mod common;

use common::random_rules;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use sho_core::record::Record;
use sho_core::sho::{Rules, Setup, plain};
use sho_core::{ActionList, Game, Notation, RuleSet, Step, StepError, Stream, Throw};

/// Rules from a preset's name and `name=value` words, two sides unless they say otherwise.
fn rules(text: &str) -> Rules {
    let mut words = text.split(' ');
    let mut rules = Rules::preset(words.next().unwrap()).unwrap();
    rules.sides = 2;
    for assignment in words {
        rules.assign(assignment).unwrap();
    }
    rules
}

// ---- Positions -----------------------------------------------------------------------------------------------------

/// Rules, a line that is no position by them, and the field at fault.
#[rustfmt::skip]
const REFUSED: &[(&str, &str, &str)] = &[
    // The line as a whole.
    ("lhasa", "", "line"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 0", "line"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 0 0 0", "line"),
    ("lhasa", " 9+0o:-/9+0o:- A throw - 0 0", "line"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 0 0 ", "line"),
    ("lhasa", "9+0o:-/9+0o:-  A throw - 0 0", "line"),
    // Another order than the printer's.
    ("lhasa", "5+0:20x2,8x2/9+0o:- A throw - 0 9", "line"),
    ("lhasa", "7+0:8x2/9+0o:- A move 11,2 0 3", "line"),
    ("lhasa", "7+0:8x2/9+0o:- A move 9*,9 0 3", "line"),
    ("lhasa", "7+0:8x2/9+0o:- A over:BA - 0 3", "line"),
    ("lhasa", "7+0:8x2/9+0o:- A over:AA - 0 3", "line"),
    // The number of sides.
    ("lhasa", "9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+0o:-/9+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa sides=3", "9+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa sides=4", "9+0o:-/9+0o:-/9+0o:-/9+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+0o:-//9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+0o:-/ A throw - 0 0", "sides"),
    // The form of a side.
    ("lhasa", "9+0o/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+0o:/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "90o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "09+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+00o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "10+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9-0o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "7+0:8x2,/9+0o:- A throw - 0 9", "sides"),
    ("lhasa", "7+0:,8x2/9+0o:- A throw - 0 9", "sides"),
    ("lhasa", "7+0:-,8x2/9+0o:- A throw - 0 9", "sides"),
    ("lhasa", "7+0:8X2/9+0o:- A throw - 0 9", "sides"),
    ("lhasa", "7+0:8/9+0o:- A throw - 0 9", "sides"),
    ("lhasa", "7+0:08x2/9+0o:- A throw - 0 9", "sides"),
    ("lhasa", "7+0:8x02/9+0o:- A throw - 0 9", "sides"),
    ("lhasa", "7+0:8!x2/9+0o:- A throw - 0 9", "sides"),
    ("lhasa", "7+0:8x2!!/9+0o:- A throw - 0 9", "sides"),
    ("lhasa", "7+0:8x2?/9+0o:- A throw - 0 9", "sides"),
    // Marks.
    ("lhasa", "9+0O:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+0oo:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+0or:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+0x:-/9+0o:- A throw - 0 0", "sides"),
    ("bhutan sides=3", "9+0co:-/9+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("bhutan sides=3", "9+0cc:-/9+0o:-/9+0o:- A throw - 0 0", "sides"),
    // Gaps and sizes out of range.
    ("lhasa", "7+0:0x2/9+0o:- A throw - 0 2", "sides"),
    ("lhasa", "7+0:64x2/9+0o:- A throw - 0 2", "sides"),
    ("lhasa", "7+0:264x2/9+0o:- A throw - 0 2", "sides"),
    ("lhasa", "9+0:8x0/9+0o:- A throw - 0 2", "sides"),
    ("lhasa", "0+0:8x10/9+0o:- A throw - 0 2", "sides"),
    ("lhasa shells=8", "7+0:8x2/9+0o:- A throw - 0 2", "sides"),
    ("lhasa shells=40", "7+0:40x2/9+0o:- A throw - 0 2", "sides"),
    ("lhasa shells=40", "7+0:39x2/7+0:63x2 A throw - 0 2", "sides"),
    // Coins that do not add up.
    ("lhasa", "9+1o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "8+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa", "9+0o:-/7+0:8x1 A throw - 0 0", "sides"),
    ("lhasa", "9+0o:-/7+1:8x2 A throw - 0 0", "sides"),
    ("lhasa coins=5", "9+0o:-/9+0o:- A throw - 0 0", "sides"),
    // One owner a gap; a gap named once.
    ("lhasa", "7+0:8x2/7+0:8x2 A throw - 0 2", "sides"),
    ("lhasa sides=3", "7+0:8x2/7+0:9x2/6+0:5x1,9x2 A throw - 0 2", "sides"),
    ("lhasa", "6+0:8x2,8x1/9+0o:- A throw - 0 2", "sides"),
    // Fresh marks and openings.
    ("lhasa", "5+0:8x2!,20x2!/9+0o:- A throw - 0 2", "sides"),
    ("lhasa", "7+0o:8x2/9+0o:- A throw - 0 2", "sides"),
    ("lhasa", "7+0o:8x2!/9+0o:- A throw - 0 2", "sides"),
    ("general", "9+0o:-/7+0r:8x2 A throw - 0 2", "sides"),
    // Champions without an alliance, or with two sides.
    ("general sides=3", "9+0c:-/9+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("lhasa sides=3", "9+0oc:-/9+0o:-/9+0o:- A throw - 0 0", "sides"),
    ("bhutan", "9+0o:-/9+0rc:- A throw - 0 0", "sides"),
    // The mover.
    ("lhasa", "9+0o:-/9+0o:- C throw - 0 0", "mover"),
    ("lhasa sides=3", "9+0o:-/9+0o:-/9+0o:- D throw - 0 0", "mover"),
    ("lhasa sides=4", "9+0o:-/9+0o:-/9+0o:-/9+0o:- E throw - 0 0", "mover"),
    ("lhasa", "9+0o:-/9+0o:- a throw - 0 0", "mover"),
    ("lhasa", "9+0o:-/9+0o:- AB throw - 0 0", "mover"),
    ("lhasa", "9+0o:-/9+0o:-  throw - 0 0", "mover"),
    // The phase.
    ("lhasa", "9+0o:-/9+0o:- A Throw - 0 0", "phase"),
    ("lhasa", "9+0o:-/9+0o:- A throws - 0 0", "phase"),
    ("lhasa", "9+0o:-/9+0o:- A  - 0 0", "phase"),
    ("lhasa", "9+0o:-/9+0o:- A over - 0 0", "phase"),
    ("lhasa", "9+0o:-/9+0o:- A over: - 0 0", "phase"),
    ("lhasa", "9+0o:-/9+0o:- A over:C - 0 0", "phase"),
    ("lhasa", "9+0o:-/9+0o:- A over:AC - 0 0", "phase"),
    ("lhasa", "9+0o:-/9+0o:- A over:a - 0 0", "phase"),
    ("lhasa", "9+0o:-/9+0o:- A over:A,B - 0 0", "phase"),
    // `move` without a legal action.
    ("lhasa", "7+0:8x2/9+0o:- A move - 0 2", "phase"),
    ("lhasa", "0+7:10x2/6+0:15x3 A move 5 0 9", "phase"),
    ("lhasa", "9+0o:-/6+0:8x3 A move 8 0 9", "phase"),
    ("lhasa going-home=exact", "0+8:63x1/9+0o:- A move 2 0 9", "phase"),
    ("lhasa shells=8", "9+0:-/9+0o:- A move 8 0 9", "phase"),
    ("bhutan", "2+7:-/7+0:5x2 A move >5 0 60", "phase"),
    ("bhutan", "2+7:-/7+0:5x2 A move 3,>5 0 60", "phase"),
    ("lhasa", "0+9:-/9+0o:- A move 5 0 9", "phase"),
    ("tomoaki", "0+9r:-/9+0o:- A move 5 0 9", "phase"),
    // `pair` without pa-ra-pair, or where the pair cannot be entered, or without a 2 or a pa ra.
    ("lhasa", "7+0:8x2/9+0o:- A pair 2 1 2", "phase"),
    ("general", "1+0:8x8/9+0o:- A pair 2 1 2", "phase"),
    ("general", "7+0:8x2/6+0:2x3 A pair 2 1 2", "phase"),
    ("general", "9+0o:-/6+0:2x3 A pair 2 1 2", "phase"),
    ("general kill=stacks-need-bigger", "7+0:8x2/7+0:2x2 A pair 2 1 2", "phase"),
    ("general nine-stack=forbidden coins=3", "2+0:2x1/3+0o:- A pair 2 1 2", "phase"),
    ("general", "7+0:8x2/9+0o:- A pair - 1 2", "waiting"),
    ("general", "7+0:8x2/9+0o:- A pair 5 1 2", "waiting"),
    ("general", "7+0:8x2/9+0o:- A pair 2 0 2", "run"),
    // Waiting values: form and range.
    ("lhasa", "7+0:8x2/9+0o:- A move 1 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move 13 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move 02 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move +2 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move 2, 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move ,2 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move 2+3 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move 2,- 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move  0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move 8* 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move 9** 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A move *9 0 2", "waiting"),
    // How many may wait.
    ("lhasa", "7+0:8x2/9+0o:- A move 2,2,2,2,2,2,2,2,2,2 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A throw 2,2,2,2,2,2,2,2,2 0 2", "waiting"),
    ("lhasa waiting-limit=3", "7+0:8x2/9+0o:- A move 2,2,2,2 0 2", "waiting"),
    ("lhasa waiting-limit=3", "7+0:8x2/9+0o:- A throw 2,2,2 0 2", "waiting"),
    ("general waiting-limit=3", "7+0:8x2/9+0o:- A pair 2,2,2 1 2", "waiting"),
    ("bhutan waiting-limit=3", "7+0:8x2/9+0o:- A move 2,2,2,2,>3 0 2", "waiting"),
    ("lhasa", "7+0:8x2/9+0o:- A over:A 2 0 2", "waiting"),
    ("bhutan", "7+0:8x2/9+0o:- A over:A >2 0 2", "waiting"),
    // A left-over: form and range, phase, rules, mover.
    ("bhutan", "7+0:8x2/9+0o:- A move >0 0 2", "waiting"),
    ("bhutan", "7+0:8x2/9+0o:- A move >108 0 2", "waiting"),
    ("bhutan", "7+0:8x2/9+0o:- A move >05 0 2", "waiting"),
    ("bhutan", "7+0:8x2/9+0o:- A move > 0 2", "waiting"),
    ("bhutan", "7+0:8x2/9+0o:- A move >5,2 0 2", "waiting"),
    ("bhutan", "7+0:8x2/9+0o:- A move >5,>2 0 2", "waiting"),
    ("bhutan", "7+0:8x2/9+0o:- A move 2>5 0 2", "waiting"),
    ("bhutan", "7+0:8x2/9+0o:- A throw >5 0 2", "waiting"),
    ("bhutan", "7+0:8x2/9+0o:- A pair 2,>5 1 2", "waiting"),
    ("general", "7+0:8x2/9+0o:- A move >5 0 2", "waiting"),
    ("bhutan", "9+0o:-/9+0o:- A move >5 0 2", "waiting"),
    ("bhutan", "9+0r:-/9+0o:- A move >5 0 2", "waiting"),
    // Run and throws.
    ("lhasa", "9+0o:-/9+0o:- A throw - 00 0", "run"),
    ("lhasa", "9+0o:-/9+0o:- A throw - +1 0", "run"),
    ("lhasa", "9+0o:-/9+0o:- A throw - -1 0", "run"),
    ("lhasa", "9+0o:-/9+0o:- A throw -  0", "run"),
    ("lhasa", "9+0o:-/9+0o:- A throw - x 0", "run"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 65536 0", "run"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 2001 0", "run"),
    ("lhasa", "9+0o:-/9+0o:- A over:A - 2001 0", "run"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 0 01", "throws"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 0 1.0", "throws"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 0 65536", "throws"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 0 4294967296", "throws"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 0 2000", "throws"),
    ("lhasa", "9+0o:-/9+0o:- A throw - 0 2001", "throws"),
    ("lhasa", "7+0:8x2/9+0o:- A move 5 0 2001", "throws"),
    ("lhasa", "9+0o:-/9+0o:- A over:A - 0 2001", "throws"),
    ("lhasa max-throws=40", "9+0o:-/9+0o:- A throw - 0 40", "throws"),
    ("lhasa max-throws=40", "9+0o:-/9+0o:- A throw - 41 0", "run"),
];

/// Lines that no game reaches, or seldom, and that are accepted all the same.
#[rustfmt::skip]
const ACCEPTED: &[(&str, &str)] = &[
    // A full list beside a left-over.
    ("bhutan waiting-limit=3", "7+0:8x2/9+0o:- A move 2,2,2,>3 0 2"),
    // At the bounds.
    ("lhasa", "7+0:63x2/9+0o:- A throw 2,2,2,2,2,2,2,2 2000 1999"),
    ("lhasa", "7+0:8x2/9+0o:- A move 2,2,2,2,2,2,2,2,2 0 2000"),
    ("lhasa", "7+0:8x2/9+0o:- A move 9,9*,9* 0 2000"),
    ("general waiting-limit=3", "7+0:8x2/9+0o:- A pair 2,12 2000 2000"),
    ("bhutan", "7+0:8x2/9+0o:- A move >107 0 2"),
    ("bhutan", "7+0:8x2/9+0o:- A move 2,2,2,2,2,2,2,2,>1 0 2"),
    ("bhutan shells=8", "7+0:1x2/9+0o:- A move >107 0 2"),
    ("lhasa max-throws=65535", "9+0o:-/9+0o:- A throw - 65535 65534"),
    // Marks.
    ("bhutan sides=3", "9+0oc:-/9+0rc:-/7+0c:8x2! A throw - 0 0"),
    ("lhasa", "9+0r:-/9+0:- A throw - 0 0"),
    ("lhasa", "0+0:8x9!/9+0o:- A throw - 0 0"),
    // All home and yet not over; a stack of all coins where it is forbidden; a run longer than the game.
    ("lhasa", "0+9:-/0+9o:- A throw - 0 0"),
    ("lhasa nine-stack=forbidden", "0+0:8x9/9+0o:- A throw - 0 0"),
    ("lhasa", "9+0o:-/9+0o:- B throw 3,9* 7 1"),
    // Winners are not checked against the homes; all may have won.
    ("lhasa", "9+0o:-/0+9:- A over:A - 0 2000"),
    ("lhasa sides=4", "9+0o:-/9+0o:-/9+0o:-/9+0o:- B over:ABCD - 9 0"),
];

#[test]
fn what_is_no_position_is_refused_with_its_field() {
    for &(text, position, field) in REFUSED {
        let game = plain::Sho::new(rules(text)).unwrap();
        let found = game.parse_state(position);
        let Err(error) = found else {
            panic!("{text}: `{position}` is read, and its {field} should be refused")
        };
        assert_eq!(error.field, field, "{text}: `{position}`: {error}");
        assert!(error.to_string().starts_with(&format!("{field}: expected ")), "{error}");
        assert!(!error.expected.is_empty());
    }
}

#[test]
fn what_no_game_reaches_is_accepted_all_the_same() {
    for &(text, position) in ACCEPTED {
        let game = plain::Sho::new(rules(text)).unwrap();
        let state = game
            .parse_state(position)
            .unwrap_or_else(|error| panic!("{text}: `{position}`: {error}"));
        assert_eq!(game.state_text(&state), position);
        assert_eq!(Setup::parse(position).unwrap(), *state.setup());
    }
}

// ---- Actions -------------------------------------------------------------------------------------------------------

/// Rules, a position, its legal actions, and other texts, which are refused there.
#[rustfmt::skip]
const ACTIONS: &[(&str, &str, &str, &[&str])] = &[
    // One value waits: no suffix.
    ("lhasa", "7+0:8x2/9+0o:- A move 5 0 9", "@5 8>13", &[
        "", " ", "@", ">", "=", "5", "@5=5", "8>13=5", "@5=", "8>13=", "=5", "@05", "@+5", "@-5", "@5 ", " @5", "@5\n",
        "@6", "@4", "@0", "@64", "@261", "open@5", "pair@2", "all@9", "again", "Again", "pass",
        "08>13", "8>013", "8>14", "8>12", "8>home", "8>Home", "8>64", "8->13", "8-13", "8>13>18", "8 > 13", "13>8",
        "8>13!", "9>14", "63>home", "64>69", "0>5", "264>269", "@5@5", "@home", "home", "8>", ">13", "x8>13", "8x2>13",
    ]),
    // Several wait: every action but `again` names what it spends, in rising order.
    ("lhasa", "7+0:8x2/9+0o:- A move 2,5 0 9", "@2=2 @5=5 @7=2+5 8>10=2 8>13=5 8>15=2+5", &[
        "@2", "@5", "@7", "8>10", "8>13", "8>15", "@7=5+2", "@7=7", "@7=3+4", "@2=5", "@5=2", "8>10=5", "8>15=2",
        "8>15=5", "@2=02", "@2=+2", "@2=2+", "@2=+", "@2=", "@2=2,", "@7=2,5", "@7=2 5", "@2=2=2", "@4=2+2", "@12=2+5+5",
        "@14=2+5+2+5", "8>home=2", "8>home=2+5", "@2=0", "@2=1", "@13=13", "@2=2*", "again=2", "@07=2+5",
        "@20=2+2+2+2+2+2+2+2+2+2",
    ]),
    // Nines are written alike.
    ("lhasa", "9+0:-/7+0:8x2! A move 9,9* 0 40", "@9=9 @18=9+9 all@9=9", &[
        "@9", "@18", "all@9", "@9=9*", "@18=9+9*", "all@9=9*", "all@9=9+9", "all@9=", "all@09=9", "all=9", "all@18=9+9",
        "All@9=9", "all@9 =9",
    ]),
    ("lhasa", "9+0:-/7+0:8x2! A move 9* 0 40", "@9 all@9", &["all@9=9", "all@9=9*", "all", "all@", "all@8", "all@09", "@9*"]),
    // The same distance by other values is another action.
    ("lhasa", "0+7:10x2/9+0o:- A move 2,2,4 0 33", "10>12=2 10>14=2+2 10>14=4 10>16=2+4 10>18=2+2+4", &[
        "10>14", "10>18", "10>16=2+2+2", "10>16=4+2", "10>18=2+4+2", "10>18=4+4", "10>14=4+0",
    ]),
    // Home is home, not a number.
    ("lhasa", "0+7:60x2/9+0o:- A move 4 0 60", "60>home", &["60>64", "60>homE", "60>home=4", "60>63", "60>home "]),
    ("lhasa shells=8", "0+7:6x2/9+0o:- A move 5 0 60", "6>home", &["6>11", "6>8", "6>7"]),
    // Openings, pairs, throwing again.
    ("lhasa", "9+0o:-/9+0o:- A move 7 0 1", "open@7", &["@7", "open@07", "open@6", "open7", "open@7=7", "Open@7", "open@", "open @7"]),
    ("general", "9+0o:-/9+0o:- A move 2,5 0 2", "open@2=2 open@5=5 open@7=2+5", &["open@2", "open@5", "open@7", "open@7=5+2", "open@7=7"]),
    ("general", "7+0:8x2/9+0o:- A pair 2 1 9", "pair@2 again", &["pair@2=2", "pair", "pair@02", "pair@3", "pair@", "again=2", "again ", "@2", "8>10", "open@2"]),
    ("general", "7+0:8x2/9+0o:- A pair 2,5 1 9", "pair@2=2 again", &["pair@2", "pair@2=", "pair@2=02", "pair@2=5", "pair@2=2+5", "again=2", "@2=2"]),
    ("general", "9+0o:-/9+0o:- A pair 2 1 9", "open@2 again", &["pair@2", "open@2=2", "@2"]),
    // A left-over has no suffix, whatever waits beside it.
    ("bhutan", "2+5:20x2/9+0o:- A move >5 0 60", "@5 20>25", &["@5=5", "20>25=5", "@>5", "@6", "20>26", "20>home"]),
    ("bhutan", "2+5:20x2/9+0o:- A move 3,6,>5 0 60", "@5 20>25", &["@5=5", "20>25=5", "@3=3", "@9=3+6", "20>23=3", "@3"]),
];

#[test]
fn actions_have_one_spelling() {
    for &(text, position, legal, refused) in ACTIONS {
        let game = plain::Sho::new(rules(text)).unwrap();
        let state = game.parse_state(position).unwrap();
        let mut actions = <plain::Sho as Game>::Actions::default();
        game.actions(&state, &mut actions);
        let texts: Vec<String> =
            actions.iter().map(|action| game.action_text(&state, action)).collect();
        assert_eq!(texts.join(" "), legal, "{position}");
        for (action, text) in actions.iter().zip(&texts) {
            assert_eq!(game.parse_action(&state, text), Ok(action));
        }
        for text in refused {
            match game.parse_action(&state, text) {
                Err(StepError::NotAnAction { found, .. }) => assert_eq!(found, *text),
                Err(StepError::NotLegal { found, legal: listed }) => {
                    assert_eq!(found, *text);
                    assert_eq!(listed, legal);
                }
                other => panic!("`{text}` in {position}: {other:?}"),
            }
        }
    }
}

#[test]
fn no_action_is_read_where_none_is_due() {
    let game = plain::Sho::new(rules("lhasa")).unwrap();
    for position in ["7+0:8x2/9+0o:- A throw - 0 9", "7+0:8x2/9+0o:- A over:A - 0 9"] {
        let state = game.parse_state(position).unwrap();
        for text in ["@5", "8>13", "again", "6-3", ""] {
            let error = game.parse_action(&state, text).unwrap_err();
            assert!(matches!(error, StepError::NotDue { .. }), "{error}");
        }
    }
}

/// A list of many actions is cut short in a message.
#[test]
fn a_message_lists_the_first_legal_actions() {
    let game = plain::Sho::new(rules("lhasa")).unwrap();
    let state = game.parse_state("5+0:10x2,21x2/6+0:12x1,23x2 A move 2,2,4 0 33").unwrap();
    let error = game.parse_action(&state, "@12=12").unwrap_err().to_string();
    assert_eq!(
        error,
        "`@12=12` is not legal here; legal: @2=2 @4=2+2 @4=4 @6=2+4 @8=2+2+4 10>12=2 10>14=2+2 \
         10>14=4 10>16=2+4 10>18=2+2+4 21>23=2 21>25=2+2 ..."
    );
}

// ---- Throws --------------------------------------------------------------------------------------------------------

#[test]
fn a_throw_is_two_faces_in_either_order() {
    let mut read = 0;
    for one in '0'..='9' {
        for other in '0'..='9' {
            let text = format!("{one}-{other}");
            let Ok(throw) = text.parse::<Throw>() else { continue };
            read += 1;
            let (smaller, larger) = (one.min(other), one.max(other));
            assert_eq!(throw.to_string(), format!("{larger}-{smaller}"));
        }
    }
    assert_eq!(read, 36);
    let texts: Vec<String> = Throw::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts.join(" "),
        "1-1 2-1 2-2 3-1 3-2 3-3 4-1 4-2 4-3 4-4 5-1 5-2 5-3 5-4 5-5 6-1 6-2 6-3 6-4 6-5 6-6"
    );
    for text in [
        "", "6", "63", "6:3", "6-", "-3", "6-3 ", " 6-3", "6 - 3", "6-33", "06-3", "0-3", "7-1",
        "6--3", "６-3",
    ] {
        assert!(text.parse::<Throw>().is_err(), "{text}");
    }
}

// ---- Random and damaged text ---------------------------------------------------------------------------------------

/// The same cases every time, and no files written.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(20_261_129),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Random text: of characters that texts have, or of any.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof!["[0-9+orcx:!,/A-D>*=@ \\-]{0,60}", "[a-z0-9=+,\\- ]{0,40}", any::<String>()]
}

/// A change of a text: where, how, and with which character.
#[derive(Clone, Debug)]
struct Damage(prop::sample::Index, u8, char);

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let letters: Vec<char> = "0123456789+-orcx:!,/ABCDE>*=@ \n\"{}[]ahumtpé".chars().collect();
    let damage = (any::<prop::sample::Index>(), 0_u8..6, prop::sample::select(letters));
    prop::collection::vec(damage.prop_map(|(place, how, letter)| Damage(place, how, letter)), 0..4)
}

fn damaged(text: &str, damages: &[Damage]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for Damage(place, how, letter) in damages {
        let place = place.index(letters.len() + 1);
        let inside = place < letters.len();
        match how {
            0 if inside => letters[place] = *letter,
            1 if inside => drop(letters.remove(place)),
            2 if place + 1 < letters.len() => letters.swap(place, place + 1),
            // A digit, one up: the likeliest to be read again.
            3 if inside && letters[place].is_ascii_digit() => {
                letters[place] = (b'0' + (letters[place] as u8 - b'0' + 1) % 10) as char;
            }
            4 if inside => {
                let twice: Vec<char> = letters[place..].iter().take(4).copied().collect();
                letters.splice(place..place, twice);
            }
            _ => letters.insert(place, *letter),
        }
    }
    letters.into_iter().collect()
}

/// A game under random rules and a state that random play reaches in it.
fn reached(seed: u64, steps: u32) -> (plain::Sho, plain::State, Record<Rules>) {
    let mut words = Stream::new(seed, "test/parsers", 0);
    let rules = match words.below(3) {
        0 => Rules::lhasa(),
        1 => Rules::bhutan(),
        _ => random_rules(&mut words),
    };
    let game = plain::Sho::new(rules).unwrap();
    let mut state = game.start();
    let mut record = Record::new(&game, &state);
    let mut actions = <plain::Sho as Game>::Actions::default();
    for _ in 0..steps {
        match game.step(&state) {
            Step::Over => break,
            Step::Chance(seat) => {
                // Pa ras more often than dice give them.
                let way = if words.below(6) == 0 { 0 } else { words.below(36) };
                let throw = game.outcome(&state, way);
                record.push_outcome(&game, seat, throw);
                game.cast_unchecked(&mut state, throw);
            }
            Step::Decide(seat) => {
                game.actions(&state, &mut actions);
                let action = actions.get(words.below(actions.len() as u32) as usize);
                record.push_action(&game, seat, &state, action);
                game.play_unchecked(&mut state, action);
            }
        }
    }
    record.close(&game, &state);
    (game, state, record)
}

/// Whatever is read as a position prints as it was read, and can be played on.
fn reads_position(game: &plain::Sho, text: &str) -> bool {
    let setup = Setup::parse(text);
    if let Ok(setup) = &setup {
        assert_eq!(setup.to_string(), text);
    }
    let Ok(mut state) = game.parse_state(text) else { return false };
    assert_eq!(game.state_text(&state), text);
    assert_eq!(setup.as_ref(), Ok(state.setup()));
    match game.step(&state) {
        Step::Over => {}
        Step::Chance(_) => game.cast(&mut state, Throw::ALL[0]).unwrap(),
        Step::Decide(_) => {
            let mut actions = <plain::Sho as Game>::Actions::default();
            game.actions(&state, &mut actions);
            game.play(&mut state, actions.get(0)).unwrap();
        }
    }
    true
}

fn reads_action(game: &plain::Sho, state: &plain::State, text: &str) {
    if let Ok(action) = game.parse_action(state, text) {
        assert_eq!(game.action_text(state, action), text);
        game.play(&mut state.clone(), action).unwrap();
    }
}

fn reads_throw(text: &str) {
    if let Ok(throw) = text.parse::<Throw>() {
        let printed = throw.to_string();
        assert!(printed == text || printed.chars().rev().collect::<String>() == text, "{text}");
    }
}

fn reads_setting(text: &str) {
    let mut rules = Rules::lhasa();
    if rules.assign(text).is_err() {
        assert_eq!(rules, Rules::lhasa());
        return;
    }
    // What is printed is the canonical spelling, and is read the same.
    let (name, _) = text.split_once('=').unwrap();
    let printed = format!("{name}={}", (Rules::setting(name).unwrap().get)(&rules));
    let mut again = Rules::lhasa();
    again.assign(&printed).unwrap();
    assert_eq!(again, rules, "{text}");
}

fn reads_rules_json(text: &str) {
    let Ok(rules) = serde_json::from_str::<Rules>(text) else { return };
    rules.check().unwrap();
    let printed = serde_json::to_string(&rules).unwrap();
    assert_eq!(serde_json::from_str::<Rules>(&printed).unwrap(), rules);
}

fn reads_record(text: &str) {
    let Ok(record) = Record::<Rules>::parse(text) else { return };
    // But for the ends of lines.
    assert!(record.to_string().lines().eq(text.lines()), "{text}");
    // It may be wrong; that is an error, not a panic.
    let _ = record.replay::<plain::Sho>(|_| {});
}

fn reads_record_json(text: &str) {
    let Ok(record) = serde_json::from_str::<Record<Rules>>(text) else { return };
    let printed = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<Record<Rules>>(&printed).unwrap(), record);
    let _ = record.replay::<plain::Sho>(|_| {});
    let _ = Record::<Rules>::parse(&record.to_string());
}

proptest! {
    #![proptest_config(config(10_000))]

    #[test]
    fn random_text_is_read_or_refused(text in texts(), seed in 0..100_u64, steps in 0..60_u32) {
        let (game, state, _) = reached(seed, steps);
        reads_position(&game, &text);
        reads_action(&game, &state, &text);
        reads_throw(&text);
        reads_setting(&text);
        for name in ["sides", "opening-bonus", "kill"] {
            reads_setting(&format!("{name}={text}"));
        }
        let _ = Rules::preset(&text);
        reads_rules_json(&text);
        reads_record(&text);
        reads_record_json(&text);
    }

    #[test]
    fn damaged_positions_are_read_or_refused(
        seed: u64, steps in 0..250_u32, damages in damages()
    ) {
        let (game, state, _) = reached(seed, steps);
        let text = game.state_text(&state);
        prop_assert!(reads_position(&game, &text));
        reads_position(&game, &damaged(&text, &damages));
    }

    #[test]
    fn damaged_actions_and_throws_are_read_or_refused(
        seed: u64, steps in 0..120_u32, index: prop::sample::Index, damages in damages()
    ) {
        let (game, state, _) = reached(seed, steps);
        let mut actions = <plain::Sho as Game>::Actions::default();
        game.actions(&state, &mut actions);
        if actions.is_empty() {
            let text = Throw::ALL[index.index(21)].to_string();
            reads_throw(&damaged(&text, &damages));
        } else {
            let text = game.action_text(&state, actions.get(index.index(actions.len())));
            reads_action(&game, &state, &damaged(&text, &damages));
        }
    }

    #[test]
    fn damaged_rules_are_read_or_refused(
        seed: u64, index: prop::sample::Index, damages in damages()
    ) {
        let rules = random_rules(&mut Stream::new(seed, "test/parsers", 1));
        let settings = rules.settings_text();
        let settings: Vec<&str> = settings.split(' ').collect();
        reads_setting(&damaged(settings[index.index(settings.len())], &damages));
        let json = serde_json::to_string(&rules).unwrap();
        reads_rules_json(&damaged(&json, &damages));
    }
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn damaged_records_are_read_or_refused(
        seed: u64, steps in 0..60_u32, damages in damages()
    ) {
        let (_, _, mut record) = reached(seed, steps);
        record.players = vec!["easy".into(), "expectimax:depth=2".into()];
        record.seed = Some(seed);
        reads_record(&damaged(&record.to_string(), &damages));
        reads_record_json(&damaged(&serde_json::to_string(&record).unwrap(), &damages));
    }
}
