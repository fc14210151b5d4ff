//! Whole games of three sides under `lhasa` on keyed dice, one bot in all seats: throws a second.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sho::ai::Bots;
use sho::sho::{Rules, Sho, plain};
use sho::{Game, Notation};
use sho_bench::bench::{Games, Way, Work};

/// Blocks that are played in one go, of three games each.
const BLOCKS: u64 = 50;

/// The bots, and what their games on these blocks come to.
const BOTS: [(&str, Work); 2] = [
    ("random", Work { games: 150, throws: 26_136, decisions: 25_844 }),
    ("easy", Work { games: 150, throws: 21_828, decisions: 21_192 }),
];

fn games(criterion: &mut Criterion) {
    for (bot, work) in BOTS {
        play::<Sho>(criterion, "playouts", bot, Way::Playouts, work);
        play::<Sho>(criterion, "batches", bot, Way::Batches, work);
        play::<Sho>(criterion, "arena", bot, Way::Arena, work);
        play::<plain::Sho>(criterion, "arena, plain engine", bot, Way::Arena, work);
    }
}

fn play<G>(criterion: &mut Criterion, name: &str, bot: &str, way: Way, work: Work)
where
    G: Bots + Notation + Game<Rules = Rules>,
{
    let game = G::new(Rules::lhasa()).unwrap();
    let mut games = Games::new(game, bot, way).unwrap().expect("the bot plays so");
    assert_eq!(games.play(0..BLOCKS), work, "{bot}, {name}");
    let mut group = criterion.benchmark_group(format!("games/{bot}"));
    group.throughput(Throughput::Elements(work.throws)).sampling_mode(SamplingMode::Flat);
    group.sample_size(20);
    group.bench_function(name, |bencher| bencher.iter(|| games.play(0..BLOCKS)));
    group.finish();
}

criterion_group!(benches, games);
criterion_main!(benches);
