//! Experiments that are stopped, resumed, split and put together.

use std::fs;
use std::path::Path;

use crate::common::{command, sho};

const GAMES: [&str; 5] = ["tournament", "--bots", "easy,random,easy", "--games", "3000"];

/// The experiment in a folder, with more options.
fn in_folder(folder: &Path, more: &[&str]) -> Vec<String> {
    let words = [&GAMES[..], &["--out", folder.to_str().unwrap()], more].concat();
    words.into_iter().map(ToOwned::to_owned).collect()
}

fn run(words: &[String]) -> crate::common::Run {
    sho(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn one_run() -> String {
    sho(&[&GAMES[..], &["--format", "json"]].concat()).good()
}

#[test]
fn shards_in_any_order_make_the_result_of_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("split");
    let name = path.to_str().unwrap();
    let prepared = run(&in_folder(&path, &["--shards", "7", "--prepare"]));
    assert_eq!((prepared.code, prepared.out.as_str()), (Some(0), ""));
    assert_eq!(sho(&["missing", name]).good(), "0-6\n");
    for (count, shard) in ["6", "0", "3", "2"].iter().enumerate() {
        // Another number of threads, and another engine, change nothing.
        let engine = if count == 1 { "plain" } else { "fast" };
        let played =
            sho(&["run-shard", name, shard, "--engine", engine, "--threads", "1", "--quiet"]);
        assert_eq!(played.good(), "");
    }
    assert_eq!(sho(&["missing", name]).good(), "1,4-5\n");
    let line = sho(&["merge", name]).mistake();
    assert!(line.contains("shards 1,4-5 are not whole"), "{line}");
    assert!(!path.join("result.json").exists());

    // Numbers from a scheduler's environment, from 0 and from 1.
    for (variable, value, offset) in [("SLURM_ARRAY_TASK_ID", "1", "0"), ("PARALLEL_SEQ", "5", "1")]
    {
        let words = ["run-shard", name, "--quiet", "--index-from", variable, "--offset", offset];
        assert!(command(&words).env(variable, value).status().unwrap().success());
    }
    // A shard that is whole is not played again.
    let whole = fs::read(path.join("parts/shard-4.json")).unwrap();
    assert_eq!(sho(&["run-shard", name, "4", "--quiet"]).good(), "");
    assert_eq!(fs::read(path.join("parts/shard-4.json")).unwrap(), whole);
    // What is left, by `resume`.
    assert_eq!(sho(&["missing", name]).good(), "5\n");
    let result = one_run();
    assert_eq!(sho(&["resume", name, "--quiet", "--format", "json"]).good(), result);
    assert_eq!(sho(&["missing", name]).good(), "");
    assert_eq!(sho(&["merge", name, "--format", "json"]).good(), result);
    assert_eq!(fs::read_to_string(path.join("result.json")).unwrap(), result);
    assert_eq!(fs::read_to_string(path.join("report.txt")).unwrap(), sho(&GAMES).good());
}

#[cfg(unix)]
#[test]
fn what_a_signal_or_a_crash_stops_goes_on() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stopped");
    let name = path.to_str().unwrap().to_owned();
    let part = path.join("parts/shard-0.json");
    let blocks = || {
        fs::read_to_string(&part).map_or(0, |text| {
            let part: serde_json::Value =
                serde_json::from_str(&text).expect("a part is whole at any time");
            part["blocks"]["to"].as_u64().unwrap()
        })
    };
    let mut start = in_folder(&path, &["--quiet"]);
    start[4] = "2000000".to_owned();
    let go_on = vec!["resume".to_owned(), name.clone(), "--quiet".to_owned()];
    let mut done = 0;
    for (words, signal, code) in
        [(&start, "INT", Some(130)), (&go_on, "TERM", Some(143)), (&go_on, "KILL", None)]
    {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let child = command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let began = Instant::now();
        while blocks() <= done && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let id = child.id().to_string();
        let kill = std::process::Command::new("kill").args([&format!("-{signal}"), &id]).status();
        assert!(kill.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), code, "{output:?}");
        assert_eq!(output.stdout, b"");
        if signal != "KILL" {
            let line = String::from_utf8(output.stderr).unwrap();
            assert!(line.ends_with(&format!("go on with: sho resume {name}\n")), "{line}");
        }
        assert!(blocks() > done, "something was saved since {done} blocks");
        done = blocks();
    }
    assert!(!path.join("result.json").exists());
}

#[test]
fn folders_that_are_not_what_they_say_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one");
    let name = path.to_str().unwrap();
    run(&in_folder(&path, &["--shards", "2", "--quiet"]));
    let part = path.join("parts/shard-1.json");
    let text = fs::read_to_string(&part).unwrap();
    let result = one_run();
    let damages: [(&str, &str, &str); 6] = [
        ("sho/part/1", "sho/part/2", "schema"),
        ("\"shard\":1", "\"shard\":0", "it is of shard 0, not 1"),
        ("\"to\":1000", "\"to\":1001", "it has blocks"),
        ("\"to\":1000", "\"to\":999", "counts"),
        ("\"experiment\":\"", "\"experiment\":\"0", "another experiment"),
        ("{", "[", "expected"),
    ];
    for (from, to, complaint) in damages {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from}");
        fs::write(&part, damaged).unwrap();
        for command in ["merge", "missing", "resume"] {
            let line = sho(&[command, name]).mistake();
            assert!(line.contains(complaint) && line.contains("shard-1.json"), "{line}");
        }
    }
    fs::write(&part, &text).unwrap();
    assert_eq!(sho(&["merge", name, "--format", "json"]).good(), result);

    // The same parts under another plan.
    let plan = path.join("experiment.json");
    let other = fs::read_to_string(&plan).unwrap().replace("\"seed\":1", "\"seed\":2");
    fs::write(&plan, other).unwrap();
    assert!(sho(&["merge", name]).mistake().contains("another experiment"));

    assert!(sho(&["run-shard", name, "2"]).mistake().contains("no shard 2"));
    assert!(sho(&["run-shard", name]).mistake().contains("<I>"));
    assert!(sho(&["run-shard", name, "--index-from", "NOT_THERE"]).mistake().contains("NOT_THERE"));
    let line = sho(&["resume", folder.path().to_str().unwrap()]).mistake();
    assert!(line.contains("experiment.json"), "{line}");
    for shards in ["0", "1001"] {
        let path = folder.path().join(shards);
        let line = run(&in_folder(&path, &["--shards", shards])).mistake();
        assert!(line.contains("shards"), "{line}");
        assert!(!path.exists());
    }
}
