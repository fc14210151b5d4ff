//! Decisions of the bots of Sho in stored positions of four kinds, two and three sides under `lhasa`.
//!
//! What the searches judge there is asserted. Where a change of weights alters it, the numbers are written anew as
//! `sho-ai/tests/decisions/main.rs` says.

#[path = "../sho-ai/tests/decisions/stored.rs"]
mod stored;

use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sho::{ActionList, Stream};
use stored::{BOTS, DEPTHS, Kind};

fn bots(criterion: &mut Criterion) {
    for sides in [2, 3] {
        let game = stored::game(sides);
        for (kind, name) in Kind::ALL {
            for depth in DEPTHS {
                let judged = stored::judged(kind, sides, depth);
                assert_eq!(judged, stored::stored_judged(kind, sides, depth), "{sides} {name}");
            }
            let decisions = stored::of(kind, sides);
            let actions: usize = decisions.iter().map(|stored| stored.actions.len()).sum();
            let mut group = criterion.benchmark_group(format!("bots/{sides} sides, {name}"));
            group.throughput(Throughput::Elements(decisions.len() as u64));
            group.sample_size(10).sampling_mode(SamplingMode::Flat);
            group.warm_up_time(Duration::from_millis(200));
            group.measurement_time(Duration::from_millis(500));
            for text in BOTS {
                let mut bot = stored::bot(text).unwrap();
                let mut words = Stream::new(1, "sho/bot", 0);
                let mut decide = || stored::decide(&game, &mut *bot, &decisions, &mut words);
                assert_eq!(decide(), actions, "{text} decides all");
                group.bench_function(text, |bencher| bencher.iter(&mut decide));
            }
            group.finish();
        }
    }
}

criterion_group!(benches, bots);
criterion_main!(benches);
