//! Bots in other programs in tournaments: what their faults cost them, and nobody else.

use std::path::Path;

use sho_bench::exec::{FaultKind, FaultTally};
use sho_bench::folder::{Folder, Plan, Progress};
use sho_bench::tally::Tally;
use sho_bench::{
    Amount, Experiment, Keep, Lines, RunError, Schedule, TournamentResult, run, run_on,
};
use sho_core::record::Record;
use sho_core::sho::{Rules, Sho};

/// A shell program that takes the first action, and does something else first.
fn bot(before: &str) -> String {
    let script = format!(
        "while read -r word rest; do case $word in \
         hello) echo 'hello sho-bot/1 first';; \
         start) {before} ;; \
         actions) set -- $rest; echo \"action $1\";; \
         bye) exit 0;; esac; done"
    );
    format!("exec:command={script}")
}

fn experiment(bots: &[String], blocks: u64) -> Experiment<Rules> {
    Experiment::lineup::<Sho>(Rules::lhasa(), bots, Schedule::Rotations, 3, Amount::Blocks(blocks))
        .unwrap()
}

/// The tally, and the records of all games.
fn played(experiment: &Experiment<Rules>, threads: usize) -> (Tally, Vec<Record<Rules>>) {
    let mut records = Vec::new();
    let sink = &mut |_: &Tally, lines: &Lines| {
        records.extend(lines.records.lines().map(|line| serde_json::from_str(line).unwrap()));
        Ok(())
    };
    let keep = Keep { records: true, rows: false };
    let nothing = Tally::new::<Sho>(experiment);
    let ran = run_on::<Sho>(experiment, nothing, threads, &(), keep, sink).unwrap();
    (ran.tally, records)
}

#[test]
fn a_program_without_faults_plays_as_any_bot() {
    let bots = [bot(""), "random".to_owned(), "easy".to_owned()];
    let experiment = experiment(&bots, 12);
    let (tally, records) = played(&experiment, 1);
    let result = TournamentResult::new::<Sho>(&experiment, &tally);
    assert!(!result.deterministic);
    assert!(result.bots[0].faults.as_ref().is_some_and(FaultTally::is_empty));
    assert!(result.bots[1].faults.is_none());
    assert_eq!(result.seats.iter().map(|seat| seat.payoff12).sum::<u64>(), 12 * 36);
    assert_eq!(records.len(), 36);
    // It draws nothing, so it happens to come out the same.
    assert_eq!(played(&experiment, 2), (tally, records));
}

#[test]
fn a_fault_costs_the_bot_its_game_and_nobody_else_anything() {
    // It crashes in every third game that it begins; a program begins anew after a crash.
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("games");
    let count = count.display();
    let crashes = format!("echo >> {count}; test $(($(wc -l < {count}) % 3)) -ne 0 || exit 7");
    let bots = [bot(&crashes), "random".to_owned(), "easy".to_owned()];
    let experiment = experiment(&bots, 10);
    let (tally, records) = played(&experiment, 1);
    let faults: Vec<_> = tally.bots[0].faults.kinds().collect();
    let [(FaultKind::Crash, crashed)] = faults.as_slice() else { panic!("{faults:?}") };
    assert_eq!(crashed.count, 10);
    let named: Vec<String> = crashed.games.iter().map(ToString::to_string).collect();
    let mut payoffs = vec![0; 3];
    for record in &records {
        let address = record.address.clone().unwrap();
        record.replay::<Sho>(|_| {}).unwrap();
        let is_named = named.contains(&address);
        assert_eq!(record.faults.len(), usize::from(is_named), "{address}");
        for (seat, (player, payoff)) in record.players.iter().zip(&record.payoffs).enumerate() {
            let bot = bots.iter().position(|bot| bot == player).unwrap();
            let letter = sho_core::Seat::from_index(seat).unwrap().to_string();
            if is_named && bot == 0 {
                assert!(record.faults[0].starts_with(&format!("{letter} crash: ")));
            } else {
                // The others get what the board gives them.
                payoffs[bot] += u64::from(*payoff);
            }
        }
    }
    for (bot, payoff) in payoffs.into_iter().enumerate() {
        assert_eq!(tally.payoffs.bot(bot).sum, payoff);
    }
    assert!(tally.payoffs.bot(0).sum + tally.payoffs.bot(1).sum + tally.payoffs.bot(2).sum <= 360);
}

#[test]
fn a_program_that_does_not_come_to_play_is_found_before_the_first_game() {
    for command in ["exec:command=no-such-program-anywhere", "exec:command=echo hello sho-bot/2"] {
        let bots = [command.to_owned(), "random".to_owned()];
        let error = run::<Sho>(&experiment(&bots, 1000), 2, &()).unwrap_err();
        assert!(matches!(error, RunError::Bot(_)), "{error}");
    }
}

#[test]
fn faults_are_kept_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let bots = [bot("exit 1"), "random".to_owned()];
    let experiment = experiment(&bots, 6);
    let plan = Plan::new::<Sho>(&experiment, Amount::Blocks(6), 2).unwrap();
    let path: &Path = &folder.path().join("faults");
    let kept = Folder::create(path, &plan).unwrap();
    for shard in 0..2 {
        assert_eq!(kept.play_shard::<Sho>(&plan, shard, 1, &()).unwrap(), Progress::Whole);
    }
    let tally = kept.merge::<Sho, _>(&plan).unwrap();
    assert_eq!(tally.bots[0].faults.total(), 12);
    assert_eq!(tally.payoffs.bot(0).sum, 0);
    assert!(tally.payoffs.bot(1).sum > 0);
}
