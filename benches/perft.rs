//! Counting sequences of steps: Sho from the middle of a game, Sholo Guti from its start.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sho::Notation;
use sho::sho::{Sho, plain};
use sho::sholo_guti::{self, SholoGuti};
use sho_bench::bench::Perft;

fn counts(criterion: &mut Criterion) {
    count::<Sho>(criterion, "sho", Perft::SHO);
    count::<SholoGuti>(criterion, "sholo-guti", Perft::SHOLO_GUTI);
    // For scale, and less deep.
    let sho = Perft { depth: 6, sequences: 594_267, ..Perft::SHO };
    count::<plain::Sho>(criterion, "sho, plain engine", sho);
    let sholo_guti = Perft { depth: 4, sequences: 9_063, ..Perft::SHOLO_GUTI };
    count::<sholo_guti::plain::SholoGuti>(criterion, "sholo-guti, plain engine", sholo_guti);
}

fn count<G: Notation>(criterion: &mut Criterion, name: &str, perft: Perft) {
    assert_eq!(perft.count::<G>(), perft.sequences, "{perft:?}");
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(perft.sequences)).sampling_mode(SamplingMode::Flat);
    group.sample_size(10);
    group.bench_function(name, |bencher| bencher.iter(|| perft.count::<G>()));
    group.finish();
}

criterion_group!(benches, counts);
criterion_main!(benches);
