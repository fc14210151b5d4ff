//! Applying throws and actions to stored positions.

mod stored;

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sho::{Game, Step, Throw};

fn throws(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("throws");
    group.throughput(Throughput::Elements(Throw::ALL.len() as u64));
    for (name, position) in stored::POSITIONS {
        let stored = stored::stored(position);
        let game = stored.game;
        if !matches!(game.step(&stored.state), Step::Chance(_)) {
            continue;
        }
        // How many of the 21 positions have a choice, so that nothing can be left out.
        let cast = || {
            let after = Throw::ALL.map(|throw| {
                let mut state = *black_box(&stored.state);
                game.cast_unchecked(&mut state, throw);
                u64::from(matches!(game.step(black_box(&state)), Step::Decide(_)))
            });
            after.iter().sum::<u64>()
        };
        assert_eq!(cast(), stored.choices().len() as u64, "{position}");
        group.bench_function(name, |bencher| bencher.iter(cast));
    }
    group.finish();
}

fn actions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("actions");
    for (name, position) in stored::POSITIONS {
        let stored = stored::stored(position);
        let (game, actions) = (stored.game, stored.actions());
        let play = || {
            let mut over = 0;
            for &(state, action) in black_box(&actions) {
                let mut state = state;
                game.play_unchecked(&mut state, action);
                over += usize::from(game.step(black_box(&state)) == Step::Over);
            }
            over
        };
        assert_eq!(play(), 0, "no action ends the game from {position}");
        assert_eq!(actions.len() as u64, stored.actions_of_choices(), "{position}");
        group.throughput(Throughput::Elements(actions.len() as u64));
        group.bench_function(name, |bencher| bencher.iter(play));
    }
    group.finish();
}

criterion_group!(benches, throws, actions);
criterion_main!(benches);
