//! Listing the legal actions of stored positions, and walking over the list.

mod stored;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sho::sho::Actions;
use sho::{ActionList, Game};

fn generator(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generator");
    for (name, position) in stored::POSITIONS {
        let stored = stored::stored(position);
        let (game, choices) = (stored.game, stored.choices());
        let mut actions = Actions::default();
        let mut list = || {
            let mut listed = 0;
            for state in &choices {
                game.actions(black_box(state), &mut actions);
                for action in actions.iter() {
                    black_box(action);
                    listed += 1;
                }
            }
            listed
        };
        let listed = list();
        assert_eq!(listed, stored.actions_of_choices(), "{position}");
        group.throughput(Throughput::Elements(listed));
        group.bench_function(name, |bencher| bencher.iter(&mut list));
    }
    group.finish();
}

criterion_group!(benches, generator);
criterion_main!(benches);
