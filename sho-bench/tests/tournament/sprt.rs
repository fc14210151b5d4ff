//! Sequential tests: one verdict at one block, however the blocks are played.

use sho_bench::folder::{Folder, FolderError, Plan, Progress};
use sho_bench::stats::sprt::{Bounds, Sprt, SprtRun, Verdict};
use sho_bench::{
    Amount, Experiment, ExperimentError, RunEnd, Schedule, SequentialTest, SprtVerdict,
    TournamentResult, run,
};
use sho_core::sho::{Rules, Sho};

use crate::common::{changed, games, lineup};

fn tested(bots: &str, low: f64, high: f64, blocks: u64) -> Experiment<Rules> {
    let rules = changed(Rules::lhasa(), &["shells=12", "coins=3", "max-throws=400"]);
    let mut experiment = lineup(rules, bots, Schedule::Rotations, 3, blocks);
    let bounds = Bounds::Logistic { low, high };
    experiment.sprt = Some(SequentialTest { bounds, alpha: 0.05, beta: 0.05 });
    experiment
}

#[test]
fn the_verdict_does_not_depend_on_threads() {
    for (experiment, verdict) in [
        (tested("easy,random", 0.0, 40.0, 5000), SprtVerdict::H1),
        (tested("random,easy", 0.0, 40.0, 5000), SprtVerdict::H0),
        (tested("easy,random,random", 0.0, 50.0, 5000), SprtVerdict::H1),
        (tested("random,random,easy,random", 0.0, 1.0, 100), SprtVerdict::Undecided),
    ] {
        let one = run::<Sho>(&experiment, 1, &()).unwrap();
        for threads in [2, 3, 5] {
            assert_eq!(run::<Sho>(&experiment, threads, &()).unwrap(), one);
        }
        let result = TournamentResult::new::<Sho>(&experiment, &one.tally);
        let sprt = result.sprt.unwrap();
        assert_eq!((sprt.verdict, sprt.blocks_planned), (verdict, experiment.blocks.len()));
        let decided = verdict != SprtVerdict::Undecided;
        assert_eq!(one.end, if decided { RunEnd::Decided } else { RunEnd::Whole });
        assert_eq!(result.blocks % 64, if decided { 0 } else { 100 % 64 });
        assert_eq!(result.block_range.to, result.blocks);
    }
}

/// The test, block by block from games played one by one.
#[test]
fn it_stops_where_the_test_does() {
    let experiment = tested("easy,random", 0.0, 40.0, 1000);
    let SequentialTest { bounds, alpha, beta } = experiment.sprt.unwrap();
    let test = Sprt::new(experiment.contest(0).unwrap(), bounds, alpha, beta).unwrap();
    let mut by_hand = SprtRun::new(test);
    let ran = run::<Sho>(&experiment, 2, &()).unwrap();
    let mut played = experiment.clone();
    played.blocks.to = ran.tally.blocks;
    for block in games::<Sho>(&played).chunks(2) {
        assert_eq!(by_hand.verdict(), Verdict::Undecided, "it did not go on after a verdict");
        let payoff = |game: &crate::common::OneGame| {
            let seat = game.bots.iter().position(|&bot| bot == 0).unwrap();
            game.record.payoffs[seat]
        };
        by_hand.add(block.iter().map(payoff).sum());
    }
    assert_eq!((by_hand.verdict(), by_hand.blocks()), (Verdict::H1, ran.tally.blocks));
    let result = TournamentResult::new::<Sho>(&experiment, &ran.tally);
    let llr = result.sprt.unwrap().llr.unwrap();
    assert!((llr - by_hand.llr().unwrap()).abs() < 1e-6);
}

#[test]
fn in_a_folder_it_goes_on_to_the_same_verdict() {
    let experiment = tested("easy,random", 0.0, 15.0, 4000);
    let one_run = run::<Sho>(&experiment, 2, &()).unwrap();
    assert!(one_run.tally.blocks > 128 && one_run.end == RunEnd::Decided);
    let temporary = tempfile::tempdir().unwrap();
    let path = temporary.path().join("test");
    let plan = Plan::new::<Sho>(&experiment, Amount::Blocks(4000), 1).unwrap();
    let folder = Folder::create(&path, &plan).unwrap();
    // Stopped again and again, not at checks.
    struct Few(std::sync::atomic::AtomicU64);
    impl sho_bench::Watcher for Few {
        fn stop(&self) -> bool {
            self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) == 0
        }
    }
    let mut starts = 0;
    while folder.play_shard::<Sho>(&plan, 0, 1, &Few(4.into())).unwrap() != Progress::Whole {
        starts += 1;
        assert!(starts < 1000);
    }
    assert!(starts > 2);
    assert_eq!(folder.merge::<Sho, _>(&plan).unwrap(), one_run.tally);
    assert_eq!(folder.missing::<Sho>(&plan).unwrap(), [0; 0]);
    let shards = Plan::new::<Sho>(&experiment, Amount::Blocks(4000), 2);
    assert!(matches!(shards, Err(FolderError::TestInShards(2))));
}

#[test]
fn tests_of_nothing_are_refused() {
    let refused = |experiment: &Experiment<Rules>| experiment.check::<Sho>().unwrap_err();
    let copies = refused(&tested("random,random", 0.0, 10.0, 10));
    assert!(matches!(copies, ExperimentError::Untestable(_)), "{copies}");
    let mut several = tested("easy,random", 0.0, 10.0, 10);
    several.lineups.push(vec![1, 0]);
    assert!(refused(&several).to_string().contains("found 2 line-ups"));
    let turned = refused(&tested("easy,random", 10.0, 0.0, 10));
    assert!(matches!(turned, ExperimentError::Sprt(_)), "{turned}");
}
