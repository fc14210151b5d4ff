//! What the pages show is what the program prints.
//!
//! Each command of a block of theirs is run as it stands, in a folder of its own for each page. A line `...` stands for any
//! lines, and a line that ends with `...` for any line that begins so. Blocks that somebody interrupts (`^C`) are not run.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// A command, and what the page shows of its output, if anything.
#[derive(Debug, PartialEq, Eq)]
struct Shown {
    command: String,
    output: Vec<String>,
}

/// The commands of a page that can be run.
fn shown(page: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut rest = page;
    while let Some((_, behind)) = rest.split_once("```console\n") {
        let (block, behind) = behind.split_once("```").expect("the end of a block");
        rest = behind;
        if block.contains("^C") || !block.starts_with("$ ") {
            continue;
        }
        let mut lines = block.lines();
        while let Some(line) = lines.next() {
            let Some(command) = line.strip_prefix("$ ") else {
                all.last_mut().expect("a command").output.push(line.to_owned());
                continue;
            };
            let mut command = command.to_owned();
            while command.ends_with('\\') {
                command = format!("{command}\n{}", lines.next().expect("the command goes on"));
            }
            all.push(Shown { command, output: Vec::new() });
        }
        // The output may be a block of its own.
        let last = all.last_mut().expect("a command");
        if let (true, Some(text)) = (last.output.is_empty(), behind.strip_prefix("\n\n```text\n")) {
            let (text, _) = text.split_once("```").expect("the end of a block");
            last.output = text.lines().map(str::to_owned).collect();
        }
    }
    all
}

/// Whether these lines are what is shown.
fn fits(shown: &[String], lines: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return lines.is_empty() };
    if first == "..." {
        return (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..]));
    }
    let Some((line, behind)) = lines.split_first() else { return false };
    let same = match first.strip_suffix("...") {
        Some(begins) => line.starts_with(begins),
        None => line == first,
    };
    same && fits(rest, behind)
}

/// Runs the commands of a page, and says how many of them it showed the output of.
fn run(page: &str) -> usize {
    let text = fs::read_to_string(Path::new(ROOT).join(page)).unwrap();
    let folder = TempDir::new().unwrap();
    for name in ["examples", "testdata"] {
        symlink(fs::canonicalize(Path::new(ROOT).join(name)).unwrap(), folder.path().join(name))
            .unwrap();
    }
    let mut compared = 0;
    for Shown { command, output } in shown(&text) {
        let command = command.replace("cargo run --release --", "sho");
        if !command.starts_with("sho ") {
            continue;
        }
        let ran = Command::new("sh")
            .args(["-c", &format!("sho() {{ \"$SHO\" \"$@\"; }}\n{command}")])
            .env("SHO", env!("CARGO_BIN_EXE_sho"))
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let (printed, said) =
            (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        if output.is_empty() {
            assert!(ran.status.success(), "{page}: {command}\n{said}");
            continue;
        }
        // What goes wrong says so elsewhere.
        let found = if printed.is_empty() { &said } else { &printed };
        let lines: Vec<&str> = found.trim_end_matches('\n').lines().collect();
        assert!(
            fits(&output, &lines),
            "{page}: {command}\nshows\n{}\nand the program prints\n{found}",
            output.join("\n")
        );
        compared += 1;
    }
    compared
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    assert_eq!(run("README.md"), 11);
}

#[test]
fn the_page_on_analysis_shows_what_the_program_prints() {
    assert_eq!(run("docs/analysis.md"), 2);
}

#[test]
fn the_page_on_studies_shows_what_the_program_prints() {
    assert_eq!(run("docs/study.md"), 2);
}

#[test]
fn the_page_on_experiments_shows_what_the_program_prints() {
    assert_eq!(run("docs/experiments.md"), 7);
}

#[test]
fn the_page_on_records_shows_what_the_program_prints() {
    assert_eq!(run("docs/records.md"), 1);
}

#[test]
fn another_output_is_seen() {
    let of = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let lines = ["one", "two", "three", "four"];
    for fitting in ["one\ntwo\nthree\nfour", "...\nfour", "one\n...", "one\n...\nth...\nfour\n..."]
    {
        assert!(fits(&of(fitting), &lines), "{fitting}");
    }
    for other in ["one\ntwo\nthree", "...\nfive", "two\n...", "one\n...\ntwo\nfour", ""] {
        assert!(!fits(&of(other), &lines), "{other}");
    }
    let page = "```console\n$ sho a \\\n  b\nx\n$ sho c\n```\n\n```text\ny\n```\n```console\ncargo test\n```\n";
    let shown = shown(page);
    let expected = [("sho a \\\n  b", vec!["x"]), ("sho c", vec!["y"])];
    let expected = expected.map(|(command, output)| Shown {
        command: command.to_owned(),
        output: output.into_iter().map(str::to_owned).collect(),
    });
    assert_eq!(shown, expected);
}
