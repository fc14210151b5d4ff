//! Results stored under `tests/golden`, byte for byte: another platform, compiler or version must give the same.
//!
//! Where a change is meant to change them, write them anew and look at the difference before it is kept:
//!
//! ```console
//! SHO_GOLDEN=write cargo test -p sho-bench --test tournament golden
//! ```

use sho_bench::report::{tournament_csv, tournament_table};
use sho_bench::{Amount, Experiment, Schedule, TournamentResult, run};
use sho_core::sho::{Rules, Sho};

use crate::common::changed;

fn check(name: &str, text: &str) {
    let path = format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("SHO_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&path, text).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(stored == text, "{name} has changed; now it is\n{text}");
}

fn tournament(name: &str, rules: Rules, bots: &str, schedule: Schedule, games: u64) {
    let bots: Vec<String> = bots.split(',').map(str::to_owned).collect();
    let amount = Amount::Games(games);
    let experiment = Experiment::lineup::<Sho>(rules, &bots, schedule, 20_261_129, amount).unwrap();
    let tally = run::<Sho>(&experiment, 2, &()).unwrap().tally;
    let mut result = TournamentResult::new::<Sho>(&experiment, &tally);
    // The version and commit of the program, the one part that may differ.
    assert!(result.provenance.take().is_some());
    check(&format!("{name}.json"), &(serde_json::to_string(&result).unwrap() + "\n"));
    check(&format!("{name}.csv"), &tournament_csv(&result));
    let table = tournament_table::<Sho>(&result, amount);
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    check(&format!("{name}.txt"), &table);
}

#[test]
fn golden_tournaments() {
    tournament("lhasa", Rules::lhasa(), "easy,random,easy", Schedule::Rotations, 200);
    // A long line of rules, shared wins, and one block.
    let rules = changed(
        Rules::bhutan(),
        &["shells=20", "coins=4", "max-throws=25", "reopen=nothing-out", "six-three=off"],
    );
    tournament("house", rules, "easy,random,random,random", Schedule::Permutations, 1);
}
