//! `tournament`.

use std::fs;

use serde_json::Value;
use sho_bench::tally::Tally;
use sho_bench::{Amount, Blocks, Experiment, Schedule, run};
use sho_core::record::Record;
use sho_core::sho::{Rules, Sho};

#[cfg(unix)]
use crate::common::command;
use crate::common::sho;

/// A tournament that takes no time, and `more`.
fn small(more: &[&str]) -> Vec<String> {
    let small = ["tournament", "--bots", "easy,random", "--games", "4"];
    small.iter().chain(more).map(|&word| word.to_owned()).collect()
}

fn run_small(more: &[&str]) -> crate::common::Run {
    let words = small(more);
    sho(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn every_mistake_is_one_line() {
    let cases: &[(&[&str], &[&str])] = &[
        (&["--games", "0"], &["'0'", "--games", "from 1 to 18446744073709551615"]),
        (&["--blocks", "0"], &["'0'", "--blocks", "from 1 to 72057594037927936"]),
        (&["--games", "-1"], &["'-1'", "--games"]),
        (&["--games", "1e3"], &["'1e3'", "a number from 1"]),
        (&["--games", ""], &["--games"]),
        (&["--games", "5", "--blocks", "5"], &["--games", "cannot be used with", "--blocks"]),
        (&["--games", "18446744073709551615"], &["block 6148914691236517204", "2^56"]),
        (&["--games", "18446744073709551615", "--schedule", "fixed"], &["2^56"]),
        (&["--games", "18446744073709551616"], &["'18446744073709551616'"]),
        (&["--blocks", "72057594037927937"], &["'72057594037927937'"]),
        (&["--bots", "a"], &["line-up", "1 side,", "2..=4"]),
        (&["--bots", "easy"], &["line-up", "1 side,", "2..=4"]),
        (&["--bots", "easy,easy,easy,easy,easy"], &["line-up", "5 sides", "2..=4"]),
        (&["--bots", ""], &["`` has an empty name in it", "easy,random"]),
        (&["--bot", ""], &["empty name"]),
        (&["--bots", ","], &["`,` has an empty name in it"]),
        (&["--bots", "easy,random,"], &["`easy,random,` has an empty name in it"]),
        (&["--bots", "easy,,random"], &["`easy,,random` has an empty name in it"]),
        (&["--bots", "esay,easy"], &["no bot `esay`", "did you mean `easy`?", "random"]),
        (&["--bots", "easy, random"], &["no bot ` random`", "did you mean `random`?"]),
        (&["--bots", "easy:x=1,easy"], &["bot easy", "`x=1`", "possible: none"]),
        (&["--bots", "easy,random", "--bot", "easy"], &["cannot be used with"]),
        (&["--bots", "easy,random", "--sides", "3"], &["2 sides", "3 sides asked for"]),
        (&["--bots", "easy,random", "--set", "sides=4"], &["2 sides", "4 sides asked for"]),
        (&["--sides", "3", "--set", "sides=4"], &["sides=4 contradicts sides=3"]),
        (&["--sides", "5"], &["sides cannot be `5`", "2..=4"]),
        (&["--sides", "-2"], &["sides cannot be `-2`", "2..=4"]),
        (&["--rules", "lasha"], &["no rules `lasha`", "did you mean `lhasa`?"]),
        (&["--set", "shels=9"], &["no setting `shels`", "did you mean `shells`?"]),
        (&["--set", "shells=9999"], &["shells cannot be `9999`", "8..=64"]),
        (&["--schedule", "rotatoin"], &["did you mean `rotations`?", "permutations"]),
        (&["--format", "jsn"], &["'jsn'", "table, json, csv", "'json'"]),
        (&["--engine", "plane"], &["`plane`", "did you mean `plain`?"]),
        (&["--game", "shoo"], &["no game `shoo`", "did you mean `sho`?"]),
        (&["--seed", "-1"], &["'-1'", "--seed", "0 to 18446744073709551615"]),
        (&["--seed", "18446744073709551616"], &["'18446744073709551616'", "--seed"]),
        (&["--threads", "0"], &["'0'", "from 1 to 1024"]),
        (&["--threads", "1025"], &["'1025'", "from 1 to 1024"]),
        (&["--out", ""], &["--out"]),
        (&["more"], &["'more'"]),
    ];
    for (arguments, expected) in cases {
        let line = sho(&[&["tournament"], *arguments].concat()).mistake();
        for part in *expected {
            assert!(line.contains(part), "{arguments:?}: {line}");
        }
    }
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    for option in ["--bots", "--bot", "--games", "--rules", "--set", "--game", "--format", "--seed"]
    {
        let output = command(&["tournament", option]).arg(OsStr::from_bytes(b"\xff,easy")).output();
        let output = output.unwrap();
        let line = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{option}: {line}");
        assert!(line.starts_with("error: ") && line.lines().count() == 1, "{option}: {line}");
    }
    // A folder may have any name.
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join(OsStr::from_bytes(b"\xff"));
    let mut command = command(&["tournament", "--games", "2", "--quiet", "--out"]);
    let output = command.arg(&name).output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
    assert!(name.join("result.json").is_file());
}

#[test]
fn the_result_is_kept_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a/b");
    let name = out.to_str().unwrap();
    let run = run_small(&["--out", name]);
    assert_eq!(
        (run.code, run.err),
        (Some(0), format!("result.json and report.txt are in {name}\n"))
    );
    assert_eq!(run.out, run_small(&[]).good());
    let read = |file: &str| fs::read_to_string(out.join(file)).unwrap();
    assert_eq!(read("result.json"), run_small(&["--format", "json"]).good());
    assert_eq!(read("report.txt"), run.out);
    for name in ["scores", "seats", "lengths"] {
        let picture = read(&format!("pictures/{name}.svg"));
        assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"), "{name}");
    }
    assert_eq!(fs::read_dir(&out).unwrap().count(), 5);

    // A result is not written over another, and nothing is played for it.
    let huge = ["tournament", "--games", "1000000000000", "--out", name];
    let line = sho(&huge).mistake();
    assert!(line.contains("it holds an experiment already"), "{line}");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 5);

    // A path below a file, and a file itself.
    let file = out.join("result.json");
    for path in [file.clone(), file.join("x"), file.join("x/y")] {
        let line =
            sho(&["tournament", "--games", "1000000000000", "--out", path.to_str().unwrap()])
                .mistake();
        assert!(line.contains(path.to_str().unwrap()), "{line}");
    }
    assert!(read("result.json").starts_with("{\"schema\":\"sho/tournament/1\""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_made() {
    let line = sho(&["tournament", "--games", "1000000000000", "--out", "/proc/sho"]).mistake();
    assert!(line.contains("/proc/sho: "), "{line}");
}

#[test]
fn nothing_on_standard_error_but_what_was_asked_for() {
    // Standard error is no terminal here: no bar, in any form of the result.
    for format in ["table", "json", "csv"] {
        let words = ["tournament", "--games", "3000", "--format", format];
        let run = sho(&words).good();
        assert!(!run.is_empty() && !run.contains('\x1b'));
        assert_eq!(sho(&[&words[..], &["--quiet", "--color", "always"]].concat()).good(), run);
    }
}

#[test]
fn threads_and_engines_print_the_same() {
    for format in ["table", "json", "csv"] {
        let words =
            ["tournament", "--bots", "easy,random,easy", "--games", "100", "--format", format];
        let one = sho(&[&words[..], &["--threads", "1"]].concat()).good();
        for more in [&["--threads", "2"][..], &["--threads", "70"], &["--engine", "plain"], &[]] {
            assert_eq!(sho(&[&words[..], more].concat()).good(), one, "{more:?}");
        }
    }
}

#[test]
fn defaults() {
    // The default bot in every seat, the default seed, printed; the number of sides is that of the rules.
    let table = sho(&["tournament", "--games", "10"]).good();
    assert!(
        table.starts_with("sho, 3 sides, rules: lhasa\n12 games in 4 blocks (rotations), seed 1\n")
    );
    assert!(table.contains("\nrounded up from 10 games to whole blocks of 3\n"), "{table}");
    let blocks = sho(&["tournament", "--blocks", "4"]).good();
    assert_eq!(blocks, table.replace("rounded up from 10 games to whole blocks of 3\n", ""));
    assert_eq!(sho(&["tournament", "--games", "12", "--seed", "1"]).good(), blocks);
    assert_eq!(
        sho(&["tournament", "--blocks", "4", "--bots", "medium,medium,medium"]).good(),
        blocks
    );
    let four = sho(&["tournament", "--games", "4", "--sides", "4", "--rules", "bhutan"]).good();
    assert!(four.starts_with("sho, 4 sides, rules: bhutan\n4 games in 1 block"), "{four}");
    // The number of sides of the line-up may be repeated.
    let said = ["--sides", "2", "--set", "sides=2"];
    assert_eq!(run_small(&said).good(), run_small(&[]).good());
}

#[test]
fn tables_fit_eighty_columns() {
    let cases: &[&[&str]] = &[
        &["--games", "2000"],
        &["--games", "1", "--schedule", "permutations", "--bots", "easy,random,greedy,random"],
        &["--blocks", "1", "--set", "shells=20", "--set", "coins=3", "--set", "max-throws=9"],
        &[
            "--games",
            "30",
            "--rules",
            "general",
            "--set",
            "shells=30",
            "--set",
            "coins=4",
            "--set",
            "max-throws=999",
            "--set",
            "reopen=nothing-out",
            "--set",
            "kill=stacks-need-bigger",
            "--set",
            "left-over=lost",
            "--set",
            "six-three=off",
            "--set",
            "alliance=yes",
        ],
    ];
    for case in cases {
        let table = sho(&[&["tournament"], *case].concat()).good();
        for line in table.lines() {
            assert!(line.chars().count() <= 80, "{line}");
            assert_eq!(line, line.trim_end());
        }
    }
}

#[test]
fn csv_and_json_say_the_same() {
    let csv = run_small(&["--format", "csv"]).good();
    let json: Value = serde_json::from_str(&run_small(&["--format", "json"]).good()).unwrap();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("bot,seats,games,wins,payoff12,score,score_se"));
    for bot in json["bots"].as_array().unwrap() {
        let keys = ["seats", "games", "wins", "payoff12", "score", "score_se"];
        let numbers: Vec<String> = keys.iter().map(|&key| bot[key].to_string()).collect();
        // A whole score is 1.0 there and 1 here.
        let numbers: Vec<f64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
        let mut fields = lines.next().unwrap().split(',');
        assert_eq!(fields.next(), bot["name"].as_str());
        assert!(fields.map(|field| field.parse::<f64>().unwrap()).eq(numbers));
    }
    assert_eq!(lines.next(), None);
}

/// `play` with a seed, block and seating is the game that the tournament counted.
#[test]
fn play_shows_the_games_that_were_counted() {
    for (rules, bots, schedule, block) in [
        ("lhasa", "easy,random", "rotations", 0),
        ("lhasa", "random,easy,random", "permutations", 1207),
        ("bhutan", "random,random,easy,easy", "rotations", (1 << 56) - 1),
        ("general", "random,easy,easy", "fixed", 3),
    ] {
        let schedule_of = Schedule::ALL.into_iter().find(|&(_, name)| name == schedule).unwrap().0;
        let names: Vec<String> = bots.split(',').map(str::to_owned).collect();
        let preset = <Rules as sho_core::RuleSet>::preset(rules).unwrap();
        let mut experiment =
            Experiment::lineup::<Sho>(preset, &names, schedule_of, 77, Amount::Blocks(1)).unwrap();
        experiment.blocks = Blocks { from: block, to: block + 1 };
        let counted = run::<Sho>(&experiment, 1, &()).unwrap().tally;

        let mut tally = Tally::new::<Sho>(&experiment);
        let mut payoffs = vec![0; experiment.bots.len()];
        let seatings = schedule_of.seatings(names.len()).len();
        for seating in 0..seatings {
            let (block, seating) = (block.to_string(), seating.to_string());
            let record = sho(&[
                "play",
                "--rules",
                rules,
                "--bots",
                bots,
                "--schedule",
                schedule,
                "--seed",
                "77",
                "--block",
                &block,
                "--seating",
                &seating,
                "--format",
                "json",
            ])
            .good();
            let record: Record<Rules> = serde_json::from_str(&record).unwrap();
            assert_eq!(record.address, Some(format!("0.{block}.{seating}")));
            let steps = || record.turns.iter().flat_map(|turn| turn.split(' ').skip(1));
            let throws = steps().filter(|step| step.as_bytes()[1] == b'-').count() as u32;
            let lengths = [throws, record.turns.len() as u32, steps().count() as u32 - throws];
            for (unit, length) in lengths.into_iter().enumerate() {
                tally.lengths[unit].histogram.add(length);
            }
            for (seat, (name, &payoff)) in record.players.iter().zip(&record.payoffs).enumerate() {
                let index =
                    experiment.bots.iter().position(|bot| bot.to_string() == *name).unwrap();
                tally.bots[index].wins += u64::from(payoff == 12);
                payoffs[index] += u64::from(payoff);
                tally.seat_wins[seat] += u64::from(payoff == 12);
            }
            tally.games += 1;
        }
        assert_eq!(tally.games, counted.games);
        assert_eq!(tally.seat_wins, counted.seat_wins);
        for (index, payoff) in payoffs.into_iter().enumerate() {
            assert_eq!(tally.bots[index].wins, counted.bots[index].wins);
            assert_eq!(payoff, counted.payoffs.bot(index).sum);
        }
        for (length, counted) in tally.lengths.iter().zip(&counted.lengths) {
            assert_eq!(length.histogram, counted.histogram);
        }
    }
}

#[test]
fn help_fits_and_has_examples_that_run() {
    let help = sho(&["tournament", "--help"]).good();
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    let examples: Vec<&str> =
        help.lines().filter_map(|line| line.trim().strip_prefix("sho tournament ")).collect();
    assert_eq!(examples.len(), 5);
    for example in examples {
        // The same with fewer games.
        let words = example.split(' ').map(|word| match word {
            _ if word.ends_with("000") => "4",
            _ => word,
        });
        sho(&["tournament", "--quiet"].into_iter().chain(words).collect::<Vec<_>>()).good();
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_and_what_was_played_is_printed() {
    use std::process::Stdio;
    let words = ["tournament", "--games", "1000000000000", "--format", "json"];
    let mut child = command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert!(child.try_wait().unwrap().is_none());
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8(output.stdout).unwrap();
    let result: Value = serde_json::from_str(&text).unwrap();
    let blocks = result["blocks"].to_string();
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(line.starts_with(&format!("stopped by hand after {blocks} of 333333333334")), "{line}");
    assert!(line.ends_with(&format!("the result is that of --blocks {blocks}\n")), "{line}");
    // And it is.
    assert_eq!(sho(&["tournament", "--blocks", &blocks, "--format", "json"]).good(), text);
}
