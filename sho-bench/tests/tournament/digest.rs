//! The digest of a result.

use sha2::{Digest, Sha256};
use sho_bench::stats::sprt::Bounds;
use sho_bench::tally::Tally;
use sho_bench::{Experiment, MetricsTier, Provenance, Schedule, SequentialTest, TournamentResult};
use sho_core::sho::{Rules, Sho};

use crate::common::{lineup, tally};

type Change<T> = dyn Fn(&mut T);

fn experiment() -> Experiment<Rules> {
    lineup(Rules::lhasa(), "easy,random,easy", Schedule::Rotations, 1, 10)
}

#[test]
fn it_is_of_the_document_without_digest_and_provenance() {
    let experiment = experiment();
    let mut result = TournamentResult::new::<Sho>(&experiment, &tally(&experiment));
    let text = serde_json::to_string(&result).unwrap();
    let (counted, rest) = text.split_once(",\"digest\":\"").unwrap();
    let expected: String =
        Sha256::digest(format!("{counted}}}")).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(rest.split_once('"').unwrap().0, expected);
    assert!(rest.contains("\"provenance\":{\"version\":\""), "{rest}");

    // Another program wrote it: the same counts, the same digest.
    result.provenance = Some(Provenance { version: "99.0.0", commit: "0123456" });
    let other = serde_json::to_string(&result).unwrap();
    assert!(other != text && other.contains(&expected));
}

#[test]
fn it_changes_with_every_count_and_with_what_was_played() {
    let experiment = experiment();
    let tally = tally(&experiment);
    let digest = |experiment: &Experiment<Rules>, tally: &Tally| {
        TournamentResult::new::<Sho>(experiment, tally).digest
    };
    let before = digest(&experiment, &tally);
    assert_eq!(digest(&experiment, &tally.clone()), before);

    let other_seed = {
        let mut other = experiment.clone();
        other.seed += 1;
        crate::common::tally(&other).payoffs
    };
    let changes: &[&dyn Fn(&mut Tally)] = &[
        &|tally| tally.bots[0].wins += 1,
        &|tally| tally.bots[1].games += 1,
        &|tally| *tally.bots[1].outcomes.entry(12).or_default() += 1,
        &|tally| tally.seat_wins[2] += 1,
        &|tally| tally.payoffs = other_seed.clone(),
        &|tally| tally.ends[2] += 1,
        &|tally| tally.lengths[0].histogram.add(100),
        &|tally| tally.lengths[2].blocks.squares += 1 << 20,
        &|tally| tally.games += 1,
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut other = tally.clone();
        change(&mut other);
        assert_ne!(digest(&experiment, &other), before, "change {index}");
    }

    let changes: &[&Change<Experiment<Rules>>] = &[
        &|experiment| experiment.seed += 1,
        &|experiment| experiment.rules.shells -= 1,
        &|experiment| experiment.schedule = Schedule::Fixed,
        &|experiment| experiment.blocks.from += 1,
        &|experiment| experiment.bots.reverse(),
        &|experiment| experiment.metrics = MetricsTier::Full,
        &|experiment| {
            let bounds = Bounds::Logistic { low: 0.0, high: 10.0 };
            experiment.sprt = Some(SequentialTest { bounds, alpha: 0.05, beta: 0.05 });
        },
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut other = experiment.clone();
        change(&mut other);
        assert_ne!(digest(&other, &tally), before, "change {index}");
    }
}
