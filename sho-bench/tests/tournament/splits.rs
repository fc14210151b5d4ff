//! Threads, engines, and blocks apart: the same counts, and the same bytes.

use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use sho_bench::stats::sprt::SprtRun;
use sho_bench::tally::Tally;
use sho_bench::{
    Blocks, Experiment, RunEnd, Schedule, TournamentGame, TournamentResult, Watcher, run,
};
use sho_core::sho::{Rules, Sho, plain};

use crate::common::{changed, lineup, tally};

fn bytes<G: TournamentGame<Rules = Rules>>(
    experiment: &Experiment<Rules>,
    threads: usize,
) -> String {
    let tally = run::<G>(experiment, threads, &()).unwrap().tally;
    serde_json::to_string(&TournamentResult::new::<G>(experiment, &tally)).unwrap()
}

#[test]
fn threads_and_engines_change_no_byte() {
    let experiments = [
        lineup(Rules::lhasa(), "easy,random,easy", Schedule::Rotations, 1, 100),
        lineup(Rules::bhutan(), "random,easy,random,random", Schedule::Permutations, 2, 9),
        lineup(changed(Rules::general(), &["shells=9"]), "random,random", Schedule::Fixed, 3, 333),
        // Fewer blocks than threads.
        lineup(Rules::lhasa(), "easy,random", Schedule::Rotations, 4, 2),
    ];
    for experiment in experiments {
        let one = bytes::<Sho>(&experiment, 1);
        for threads in [2, 3] {
            assert_eq!(bytes::<Sho>(&experiment, threads), one, "{threads} threads");
        }
        for threads in [1, 2, 3] {
            assert_eq!(bytes::<plain::Sho>(&experiment, threads), one, "plain, {threads} threads");
        }
    }
}

#[test]
fn nothing_but_the_seed_is_chance() {
    let of = |seed| {
        bytes::<Sho>(&lineup(Rules::lhasa(), "easy,random", Schedule::Rotations, seed, 50), 2)
    };
    assert_eq!(of(0), of(0));
    assert_ne!(of(0), of(1));
    assert_ne!(of(0), of(u64::MAX));
}

const BLOCKS: u64 = 90;

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_merges_to_the_same_counts(
        cuts in prop::collection::btree_set(1..BLOCKS, 0..12),
        from in prop_oneof![Just(0), 0..1u64 << 55],
        turned in any::<prop::sample::Index>(),
        threads in 1..4usize,
    ) {
        let rules = changed(Rules::lhasa(), &["shells=10", "coins=3", "max-throws=8"]);
        let mut whole = lineup(rules, "easy,random,random", Schedule::Rotations, 5, BLOCKS);
        whole.blocks = Blocks { from, to: from + BLOCKS };
        let mut ends: Vec<u64> = cuts.into_iter().map(|cut| from + cut).collect();
        ends.push(from + BLOCKS);
        let mut begin = from;
        let mut parts = Vec::new();
        for end in ends {
            let mut part = whole.clone();
            part.blocks = Blocks { from: begin, to: end };
            parts.push(run::<Sho>(&part, threads, &()).unwrap().tally);
            begin = end;
        }
        // Merged beginning somewhere in the middle, into nothing.
        let turn = turned.index(parts.len());
        parts.rotate_left(turn);
        let mut merged = Tally::new::<Sho>(&whole);
        for part in &parts {
            merged.merge(part);
        }
        let expected = tally(&whole);
        prop_assert_eq!(&merged, &expected);
        let document = |tally| serde_json::to_string(&TournamentResult::new::<Sho>(&whole, tally)).unwrap();
        prop_assert_eq!(document(&merged), document(&expected));
    }
}

#[test]
fn a_stopped_run_has_what_was_played() {
    let experiment = lineup(Rules::lhasa(), "easy,random", Schedule::Rotations, 1, 1000);
    let stopped = run::<Sho>(&experiment, 2, &AtomicBool::new(true));
    let stopped = stopped.unwrap();
    assert_eq!((stopped.end, stopped.tally), (RunEnd::Stopped, Tally::new::<Sho>(&experiment)));
    let whole = run::<Sho>(&experiment, 2, &AtomicBool::new(false)).unwrap();
    assert_eq!((whole.end, whole.tally.blocks), (RunEnd::Whole, 1000));

    // What was begun when it was told to stop is there, and is that of a shorter experiment. There are more blocks than
    // threads may be ahead of the one that they wait for: while that one does not come to run, nothing is counted.
    let experiment = lineup(Rules::lhasa(), "easy,random", Schedule::Rotations, 1, 20_000);
    struct Enough(AtomicBool);
    impl Watcher for Enough {
        fn so_far(&self, tally: &Tally, _: Option<&SprtRun>) {
            self.0.store(tally.blocks >= 200, Ordering::Relaxed);
        }
        fn stop(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }
    let stopped = run::<Sho>(&experiment, 2, &Enough(AtomicBool::new(false))).unwrap();
    assert_eq!(stopped.end, RunEnd::Stopped);
    let mut shorter = experiment;
    shorter.blocks.to = stopped.tally.blocks;
    assert!((200..20_000).contains(&shorter.blocks.to));
    assert_eq!(stopped.tally, tally(&shorter));
}
