//! What is to be played: line-ups, experiments in files, and what is kept beside a result.

use std::fs;
use std::path::Path;

use serde_json::Value;
use sho_ai::Bots;
use sho_ai::sho::{Weights, own_weights};
use sho_core::sho::{Rules, Sho};

use crate::common::sho;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The result without where it comes from.
fn result(arguments: &[&str]) -> Value {
    json(&sho(&[arguments, &["--format", "json"]].concat()).good())
}

#[test]
fn line_ups_are_made_of_a_pool() {
    let pool = ["tournament", "--bots", "easy,random", "--blocks", "6"];
    let gauntlet =
        result(&[&pool[..], &["--lineups", "gauntlet", "--sides", "4", "--seed", "3"]].concat());
    assert_eq!(gauntlet["lineups"].to_string(), "[[0,1,1,1],[1,0,0,0]]");
    assert_eq!(gauntlet["games"], 6 * 4 * 2);
    let all = result(&[&pool[..], &["--lineups", "all", "--sides", "2"]].concat());
    assert_eq!(all["lineups"].to_string(), "[[0,1]]");
    let line = sho(&[&pool[..], &["--lineups", "all", "--sides", "3"]].concat()).mistake();
    assert!(line.contains("of 2 different bots for 3 sides: at least 3"), "{line}");
    let line = sho(&[&pool[..], &["--lineups", "every"]].concat()).mistake();
    assert!(line.contains("given, all, gauntlet"), "{line}");
}

#[test]
fn a_dry_run_plays_nothing_and_can_be_played() {
    let words = ["tournament", "--bots", "easy,random", "--lineups", "gauntlet", "--sides", "3"];
    let more = ["--games", "100", "--metrics", "full", "--seed", "9", "--set", "shells=20"];
    let words = [&words[..], &more].concat();
    let table = sho(&[&words[..], &["--dry-run"]].concat()).good();
    assert!(
        table.contains("204 games in 34 blocks: 2 line-ups, 3 seatings (rotations)"),
        "{table}"
    );
    assert!(table.contains("rounded up from 100 games to 102 for each line-up"), "{table}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("experiment.json");
    fs::write(&file, sho(&[&words[..], &["--dry-run", "--format", "json"]].concat()).good())
        .unwrap();
    let file = file.to_str().unwrap();
    let played = sho(&[&words[..], &["--format", "json"]].concat()).good();
    assert_eq!(sho(&["tournament", "--experiment", file, "--format", "json"]).good(), played);
    // A result names its experiment too.
    let other = folder.path().join("result.json");
    fs::write(&other, &played).unwrap();
    let other = other.to_str().unwrap();
    assert_eq!(sho(&["tournament", "--experiment", other, "--format", "json"]).good(), played);
    let line = sho(&["tournament", "--experiment", other, "--seed", "2"]).mistake();
    assert!(line.contains("cannot be used with"), "{line}");
}

#[test]
fn experiments_are_written_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let toml = "bots = ['easy', 'random', 'easy']\nrules = 'bhutan'\nseed = 5\nblocks = 30\n\
                schedule = 'permutations'\n[set]\nshells = 20\nopening-bonus = [2]\n";
    let toml = write("one.toml", toml);
    let options = ["tournament", "--bots", "easy,random,easy", "--rules", "bhutan", "--seed", "5"];
    let more = ["--blocks", "30", "--schedule", "permutations", "--set", "shells=20"];
    let same = [&options[..], &more, &["--set", "opening-bonus=2"]].concat();
    assert_eq!(result(&["tournament", "--experiment", &toml]), result(&same));

    let rules = r#"{"rules": {"preset": "general", "coins": 4}, "sides": 2, "games": 20,
        "lineups": [["easy", "random"], ["random", "random"]]}"#;
    let given = result(&["tournament", "--experiment", &write("given.json", rules)]);
    assert_eq!(given["lineups"].to_string(), "[[0,1],[1,1]]");
    assert_eq!((&given["rules"]["coins"], &given["games"]), (&4.into(), &40.into()));

    let guti = "game = 'sholo-guti'\nbots = ['easy', 'random']\ngames = 6\nopening_turns = 3\n\
                [sprt]\nlow = 0\nhigh = 30\nscale = 'nelo'\nalpha = 0.1\n";
    let guti = result(&["tournament", "--experiment", &write("guti.toml", guti)]);
    assert_eq!((&guti["game"], &guti["opening_turns"]), (&"sholo-guti".into(), &3.into()));
    assert_eq!(guti["sprt"]["bounds"]["normalized"]["high"], 30.0);
    assert_eq!(
        (&guti["sprt"]["alpha"], &guti["sprt"]["verdict"]),
        (&0.1.into(), &"undecided".into())
    );
}

#[test]
fn files_that_are_no_experiments_are_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, complaint) in [
        ("a.toml", "bots = [", "a.toml: line 1: "),
        ("b.toml", "\n\nbot = ['easy']", "unknown field `bot`, expected one of `game`"),
        ("c.json", "[]", "an experiment was expected"),
        ("d.json", r#"{"game": "chess"}"#, "no game `chess`"),
        ("e.json", r#"{"game": 3}"#, "game: a name was expected"),
        ("f.json", r#"{"games": 3, "blocks": 2}"#, "games and blocks"),
        ("g.json", r#"{"schema": "sho/record/1"}"#, "found `sho/record/1`"),
        ("h.json", r#"{"bots": ["easy"], "lineups": [["easy", "random"]]}"#, "must be left out"),
        ("i.json", r#"{"lineups": []}"#, "0 sides"),
        ("j.json", r#"{"lineups": [["easy", "random"], ["easy"]]}"#, "a line-up of 1 bots"),
        ("k.json", r#"{"lineups": "most"}"#, "lineups: no `most`"),
        ("l.json", r#"{"lineups": 3}"#, "lists of bots were expected"),
        ("m.json", r#"{"bots": ["easy", "hrad"]}"#, "no bot `hrad`"),
        ("n.json", r#"{"rules": 3}"#, "rules: a preset"),
        ("o.json", r#"{"rules": {"coins": 3}}"#, "is missing"),
        ("p.json", r#"{"set": {"shells": true}}"#, "set: a text or a number"),
        (
            "q.json",
            r#"{"sprt": {"low": 3, "high": 1}, "bots": ["easy", "random"]}"#,
            "hypotheses 3 and 1",
        ),
        ("r.json", r#"{"sprt": {"low": 0, "high": 1, "scale": "bel"}}"#, "no scale `bel`"),
        ("s.json", r#"{"opening_turns": 3}"#, "has no openings"),
        ("t.json", r#"{"schema": "sho/experiment/1"}"#, "missing field"),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        let line = sho(&["tournament", "--experiment", file.to_str().unwrap()]).mistake();
        assert!(line.contains(complaint), "{name}: {line}");
    }
    assert!(
        sho(&["tournament", "--experiment", "no/such.toml"]).mistake().contains("no/such.toml")
    );
}

#[test]
fn single_games_of_an_experiment_can_be_played() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("e.toml");
    let text = "bots = ['easy', 'random']\nlineups = 'gauntlet'\nsides = 3\nseed = 8\nblocks = 9\n";
    fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let one = sho(&["play", "--experiment", file, "--game-id", "1.7.2"]).good();
    assert!(one.contains("\nplayer A easy\nplayer B random\nplayer C easy\n"), "{one}");
    assert!(one.contains("\naddress 1.7.2\n"));
    // It is the one in the tournament.
    let records = folder.path().join("games.jsonl");
    let words = ["tournament", "--experiment", file, "--records", records.to_str().unwrap()];
    sho(&words).good();
    let records = fs::read_to_string(records).unwrap();
    let line = records.lines().find(|line| line.contains("\"address\":\"1.7.2\"")).unwrap();
    assert_eq!(crate::common::sho_reads(&["replay", "-"], line).good(), one);
    for (id, complaint) in [("2.0.0", "line-ups go from 0 to 1"), ("0.0", "LINEUP.BLOCK.SEATING")] {
        let line = sho(&["play", "--experiment", file, "--game-id", id]).mistake();
        assert!(line.contains(complaint), "{line}");
    }
    assert!(sho(&["play", "--experiment", file]).mistake().contains("--game-id"));
}

const KEPT: [&str; 8] =
    ["tournament", "--bots", "easy,random,easy", "--games", "600", "--seed", "2", "--quiet"];

fn kept(folder: &Path) -> [String; 3] {
    ["games.jsonl", "blocks.csv", "blocks.dictionary.csv"]
        .map(|name| fs::read_to_string(folder.join(name)).unwrap())
}

#[test]
fn records_and_rows_are_the_same_however_they_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let files = ["--records", &name("games.jsonl"), "--csv", &name("blocks.csv")];
    sho(&[&KEPT[..], &files, &["--threads", "1"]].concat()).good();
    let one = kept(folder.path());
    assert_eq!((one[0].lines().count(), one[1].lines().count()), (600, 1 + 2 * 200));
    sho(&[&KEPT[..], &files, &["--threads", "2", "--engine", "plain"]].concat()).good();
    assert_eq!(kept(folder.path()), one);

    // In a folder, in shards, one of them twice.
    let out = name("out");
    let plain = ["--records", "games.jsonl", "--csv", "blocks.csv", "--out", &out];
    sho(&[&KEPT[..], &plain, &["--shards", "3", "--prepare"]].concat()).good();
    for shard in ["2", "0", "2", "1"] {
        sho(&["run-shard", &out, shard, "--quiet"]).good();
    }
    sho(&["merge", &out, "--quiet"]).good();
    assert_eq!(kept(Path::new(&out)), one);
    for wrong in ["result.json", "a/b.csv", ""] {
        let words = ["--csv", wrong, "--out", &name("refused")];
        let line = sho(&[&KEPT[..], &words].concat()).mistake();
        assert!(line.contains("a plain name was expected"), "{line}");
        assert!(!folder.path().join("refused").exists());
    }
}

/// A statistician with nothing but the rows comes to the numbers of the result.
#[test]
fn rows_say_what_the_result_says() {
    let folder = tempfile::tempdir().unwrap();
    let rows = folder.path().join("blocks.csv");
    let rows_name = rows.to_str().unwrap();
    let result = result(&[&KEPT[..], &["--csv", rows_name]].concat());
    let text = fs::read_to_string(&rows).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|&column| column == name).unwrap();
    let mut scores = std::collections::BTreeMap::<String, Vec<f64>>::new();
    let mut throws = 0.0;
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let bot = fields[column("bot")].to_owned();
        if bot == "easy" {
            throws += fields[column("throws")].parse::<f64>().unwrap();
        }
        scores.entry(bot).or_default().push(fields[column("score")].parse().unwrap());
    }
    for bot in result["bots"].as_array().unwrap() {
        let scores = &scores[bot["name"].as_str().unwrap()];
        let n = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / n;
        let variance = scores.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n - 1.0);
        assert!((mean - bot["score"].as_f64().unwrap()).abs() < 1e-6);
        assert!(((variance / n).sqrt() - bot["score_se"].as_f64().unwrap()).abs() < 1e-6);
    }
    let mean = result["lengths"]["throws"]["mean"].as_f64().unwrap();
    assert!((throws / 600.0 - mean).abs() < 1e-6);
    // The dictionary names every column.
    let dictionary = fs::read_to_string(folder.path().join("blocks.dictionary.csv")).unwrap();
    let named: Vec<&str> =
        dictionary.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(named, header);
}

#[cfg(unix)]
#[test]
fn programs_play_in_tournaments() {
    let first = format!("exec:command=sh {}/../examples/bots/first.sh", env!("CARGO_MANIFEST_DIR"));
    let words = ["tournament", "--bot", &first, "--bot", "random", "--blocks", "5", "--quiet"];
    let played = result(&words);
    assert_eq!((&played["deterministic"], &played["games"]), (&false.into(), &10.into()));
    assert_eq!(played["bots"][0]["faults"].to_string(), "{}");
    assert_eq!(played["bots"][0]["name"], first.as_str());
    let table = sho(&words).good();
    assert!(table.contains("not deterministic"), "{table}");
    let bad = ["tournament", "--bot", "exec:command=exit 3", "--bot", "random"];
    let line = sho(&bad).mistake();
    assert!(line.contains("bot `exit 3`: no hand-shake"), "{line}");
    let faulty = "exec:command=read -r line; echo 'hello sho-bot/1'; sleep 0.1; exit 9";
    let words = ["tournament", "--bot", faulty, "--bot", "random", "--blocks", "2", "--quiet"];
    let table = sho(&words).good();
    assert!(table.contains("faults"), "{table}");
    assert!(table.contains("crash") && table.contains("0.0.0"), "{table}");
}

/// Weights of the user's own: the same as those of `hard` under these rules they play its games, and a result says which
/// they were.
#[test]
fn weights_come_from_files_and_have_a_hash() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("w.json");
    let write = |weights: &Weights| {
        fs::write(&file, serde_json::to_string(weights).unwrap()).unwrap();
    };
    let mut rules = Rules::lhasa();
    rules.sides = 2;
    let of_hard = *own_weights(&Sho::spec("hard").unwrap(), &rules).unwrap();
    write(&of_hard);
    let bots = |name: &str| format!("{name}:weights={},random", file.display());
    let words = |bots: &str| {
        let words = ["tournament", "--bots", bots, "--blocks", "4", "--seed", "6"];
        words.map(str::to_owned).to_vec()
    };
    let run = |words: &[String]| result(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let hard = run(&words("hard,random"));
    let own = run(&words(&bots("weighted")));
    // The hash of `hard` is over all its weights, those for small boards among them.
    assert_ne!(own["bots"][0]["weights"], hard["bots"][0]["weights"]);
    for result in [&own, &hard] {
        assert_eq!(result["bots"][0]["weights"].as_str().unwrap().len(), 64);
    }
    assert!(hard["bots"][1].get("weights").is_none());
    assert_eq!(own["bots"][0]["payoff12"], hard["bots"][0]["payoff12"]);
    assert_eq!(own["lengths"], hard["lengths"]);
    let search = run(&words(&bots("expectimax:depth=1")));
    assert_eq!(search["lengths"], hard["lengths"]);

    // An experiment that was begun with other weights does not go on with these.
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let mut prepare = words(&bots("weighted"));
    prepare.extend(["--out", out, "--prepare", "--quiet"].map(str::to_owned));
    sho(&prepare.iter().map(String::as_str).collect::<Vec<_>>()).good();
    write(&Weights::MEDIUM);
    let line = sho(&["resume", out, "--quiet"]).mistake();
    assert!(line.contains("its weights are not those"), "{line}");
    write(&of_hard);
    assert_eq!(
        json(&sho(&["resume", out, "--quiet", "--format", "json"]).good())["lengths"],
        own["lengths"]
    );

    fs::write(&file, "{\"home\": 3}").unwrap();
    let line = sho(&["play", "--bots", &bots("weighted")]).mistake();
    assert!(line.contains("w.json") && line.contains("missing"), "{line}");
    assert!(sho(&["play", "--bots", "weighted,random"]).mistake().contains("weights"));
    let line = sho(&["play", "--bots", "weighted:weights=no/such.json,random"]).mistake();
    assert!(line.contains("no/such.json"), "{line}");
}
