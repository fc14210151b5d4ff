//! `sho check-bot`.
#![cfg(unix)]

use std::path::Path;
use std::process::Stdio;

use crate::common::{Run, command, sho};

/// A bot in shell that takes the first action; `before` is done before each answer.
fn bot(before: &str) -> String {
    format!(
        "set -f; while read -r word rest; do case $word in hello) echo hello sho-bot/1 one;; \
         actions) set -- $rest; {before}; echo action $1;; esac; done"
    )
}

/// A table of two sides; without a number of games as few as there can be.
fn check(bot: &str, more: &[&str]) -> Run {
    let mut arguments = vec!["check-bot", bot, "--sides", "2", "--quiet"];
    if !more.contains(&"--games") {
        arguments.extend(["--games", "1"]);
    }
    arguments.extend(more);
    sho(&arguments)
}

/// What is printed of a bot that is at fault.
#[track_caller]
fn faults(run: Run, checks: usize) -> String {
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_eq!(run.err, format!("error: the bot has faults: {checks} of 9 checks\n"));
    run.out
}

#[test]
fn a_good_bot() {
    let expected = "\
ok     hand-shake                       sho-bot/1, it calls itself `first`
ok     legal actions                    621 answers
ok     keeps running                    20 games
ok     answers in time                  60 s a game
ok     writes answers and nothing else
ok     every seat                       2 sides: A B; 3 sides: A B C; 4 sides: A B C D
ok     several games in a process       up to 8 in one process
ok     other rules                      general, 2 games
ok     ends after bye
note   the first game came out the same when it was played again
";
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("examples/bots/first.sh");
    let first = format!("exec sh '{}'", path.display());
    assert_eq!(sho(&["check-bot", &first, "--quiet"]).good(), expected);
    // The clock is not for standard output.
    let run = sho(&["check-bot", &first, "--engine", "plain"]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), expected));
    assert!(run.err.starts_with("time: 621 answers, ") && run.err.lines().count() == 1, "{run:?}");

    let other = sho(&[
        "check-bot",
        &first,
        "--game",
        "sholo-guti",
        "--games",
        "5",
        "--limit",
        "9.5",
        "--quiet",
    ]);
    let out = other.good();
    assert!(out.contains("keeps running                    5 games\n"), "{out}");
    assert!(out.contains("9.5 s a game\n") && out.contains("2 sides: A B\n"), "{out}");
    assert!(out.contains("forced, 2 games\n"), "{out}");
}

#[test]
fn what_the_bot_says_on_standard_error_is_shown() {
    let run = check(&format!("echo 'I am here' >&2; {}", bot(":")), &[]);
    assert_eq!(run.code, Some(0), "{run:?}");
    // At the table, by other rules, and twice for the game that is played again.
    assert_eq!(run.err, "I am here\n".repeat(4));
}

#[test]
fn each_fault_is_told_with_its_place() {
    let out = faults(check(&bot("set -- x"), &[]), 4);
    let illegal = "FAULT  legal actions\n       2 sides, game 0, seat A: `x` is not legal in `";
    assert!(out.contains(illegal), "{out}");
    assert!(out.contains("       2 sides, game 1, seat B: `x` is not legal in `"), "{out}");
    let seats = "FAULT  every seat\n       2 sides: no game without a fault on A B\n";
    assert!(out.contains(seats), "{out}");
    assert!(out.contains("FAULT  several games in a process\n"), "{out}");
    assert!(out.contains("FAULT  other rules\n       illegal: rules general, game 0"), "{out}");
    assert!(out.contains("-      ends after bye                   it did not live to hear it\n"));
    assert!(out.ends_with("note   no game was played twice\n"), "{out}");

    let out = faults(check(&bot("sleep 60"), &["--limit", "0.2"]), 4);
    assert!(
        out.contains(
            "FAULT  answers in time\n       2 sides, game 0, seat A: it thought longer than 0.2 s"
        ),
        "{out}"
    );
    let out = faults(check(&bot("exit 9"), &[]), 4);
    assert!(
        out.contains(
            "FAULT  keeps running\n       2 sides, game 0, seat A: it ended with exit code 9"
        ),
        "{out}"
    );
    let out = faults(check(&bot("echo well"), &[]), 4);
    assert!(out.contains("FAULT  writes answers and nothing else\n"), "{out}");
    // Six faults of one kind: five are enough to see it.
    let out = faults(check(&bot("set -- x"), &["--games", "6"]), 4);
    assert!(out.contains("       and 1 more\n") && !out.contains("game 5, seat"), "{out}");
}

#[test]
fn one_game_a_process_is_not_enough() {
    // It ends when a second game begins.
    let once = bot(":").replace("actions)", "start) n=$((n+1)); [ $n -eq 2 ] && exit;; actions)");
    let out = faults(check(&format!("n=0; {once}"), &["--games", "4"]), 4);
    assert!(out.contains("FAULT  keeps running\n       2 sides, game 1, seat B"), "{out}");
    assert!(out.contains("FAULT  several games in a process\n"), "{out}");
}

#[test]
fn bye_is_obeyed_or_not() {
    let out = faults(check(&format!("{}; sleep 60", bot(":")), &[]), 1);
    assert!(
        out.contains("FAULT  ends after bye\n       2 sides: it still ran 1 s after `bye`"),
        "{out}"
    );
    assert!(out.contains("rules general: it still ran"), "{out}");
}

#[test]
fn hand_shakes_that_fail() {
    let out = faults(check("echo hello sho-bot/7", &[]), 1);
    assert!(
        out.starts_with(
            "FAULT  hand-shake\n       2 sides: bot `echo hello sho-bot/7`: it speaks `sho-bot/7`"
        ),
        "{out}"
    );
    assert_eq!(out.matches("\n-  ").count(), 8, "{out}");
    let out = faults(check("exit 3", &[]), 1);
    assert!(out.contains("no hand-shake: it ended with exit code 3\n"), "{out}");

    // To refuse some tables is allowed, to refuse all is not.
    let refuses = |rules: &str| {
        "set -f; while read -r word rest; do case $word in hello) ;; rules) case $rest in \
         PATTERN) echo refuse not me;; *) echo hello sho-bot/1;; esac;; \
         actions) set -- $rest; echo action $1;; bye) exit;; esac; done"
            .replace("PATTERN", rules)
    };
    let run = sho(&["check-bot", &refuses("sides=3*"), "--quiet"]).good();
    assert!(run.contains("2 sides: A B; 4 sides: A B C D; 3 sides: refused: not me\n"), "{run}");
    let run = check(&refuses("*going-home=exact*"), &["--rules", "lhasa"]).good();
    assert!(run.contains("ok     other rules"), "{run}");
    let out = faults(check(&refuses("*"), &[]), 1);
    assert!(out.starts_with("FAULT  hand-shake\n       2 sides: refused: not me\n"), "{out}");
}

#[test]
fn what_the_user_can_mend() {
    let line = sho(&["check-bot", "/no/such/bot"]).mistake();
    assert!(
        line.contains("bot `/no/such/bot` cannot be run: it ended with exit code 127"),
        "{line}"
    );
    let cases: &[(&[&str], &str)] = &[
        (&["check-bot"], "not provided: <COMMAND>"),
        (&["check-bot", " "], "the command must be one line that is not blank"),
        (&["check-bot", "a\nb"], "found \"a\\nb\""),
        (&["check-bot", "true", "--limit", "0"], "seconds from 0.001 to 1000000"),
        (&["check-bot", "true", "--games", "0"], "a number from 1 to 1000000"),
        (&["check-bot", "true", "--sides", "5"], "2..=4"),
        (&["check-bot", "true", "--set", "coins=1"], "opening-coins=2 is more than coins=1"),
        (&["check-bot", "true", "--game", "shoo"], "did you mean `sho`?"),
    ];
    for (arguments, expected) in cases {
        let line = sho(arguments).mistake();
        assert!(line.contains(expected), "{arguments:?}: {line}");
    }
    let help = sho(&["check-bot", "--help"]).good();
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
}

/// A bot that hears neither a signal nor the end of its input goes with the program.
#[test]
fn signals_end_the_bots_too() {
    use std::io::{BufRead, BufReader};
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let deaf =
            "trap '' INT TERM HUP; echo $$ >&2; echo hello sho-bot/1; sleep 60 & wait; sleep 60";
        let mut child = command(&["check-bot", deaf])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let bot = lines.next().unwrap().unwrap();
        let kill = |signal: &str, pid: &str| {
            std::process::Command::new("kill")
                .args([signal, pid])
                .output()
                .unwrap()
                .status
                .success()
        };
        assert!(kill("-0", &bot));
        assert!(kill(&format!("-{signal}"), &child.id().to_string()));
        assert_eq!(child.wait().unwrap().code(), Some(code));
        // The bot and its child had this pipe too.
        assert!(lines.next().is_none());
    }
}
