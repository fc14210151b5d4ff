//! A result against the same numbers computed in another way: every game alone, lengths counted in its record, and the
//! textbook's formulas.

use std::collections::BTreeMap;

use sho_bench::{Experiment, Schedule, run};
use sho_core::sho::{Rules, Sho, plain};

use crate::common::{OneGame, changed, games, lineup, result};

/// Half a unit of the last digit, and the noise of another order of additions.
const ROUNDING: f64 = 0.5e-6 + 1e-9;

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= ROUNDING, "{found}, expected {expected}");
}

/// The mean, and the root of the sum of squared distances from it over n - 1.
fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (n - 1.0)).sqrt())
}

/// The mean over blocks and its standard error.
fn mean_and_error(
    games: &[OneGame],
    mut value: impl FnMut(&[&OneGame]) -> f64,
) -> (f64, Option<f64>) {
    let mut blocks: BTreeMap<u64, Vec<&OneGame>> = BTreeMap::new();
    for game in games {
        blocks.entry(game.address.block).or_default().push(game);
    }
    let values: Vec<f64> = blocks.values().map(|block| value(block)).collect();
    let (mean, deviation) = mean_and_deviation(&values);
    let error = (values.len() > 1).then(|| deviation / (values.len() as f64).sqrt());
    (mean, error)
}

fn check(experiment: &Experiment<Rules>) {
    let games = games::<plain::Sho>(experiment);
    let result = result(experiment);
    let part = |payoff: u32| f64::from(payoff) / 12.0;
    let sides = usize::from(experiment.rules.sides);
    assert_eq!(result.games, games.len() as u64);
    assert_eq!(result.blocks, experiment.blocks.len());

    assert_eq!(result.bots.len(), experiment.bots.len());
    for (index, (bot, spec)) in result.bots.iter().zip(&experiment.bots).enumerate() {
        assert_eq!(bot.name, spec.to_string());
        // (payoff) of every seat it held.
        let held = |game: &OneGame| -> Vec<u32> {
            let payoffs = game.bots.iter().zip(&game.record.payoffs);
            payoffs.filter(|(holder, _)| **holder == index).map(|(_, payoff)| *payoff).collect()
        };
        let seats: Vec<u32> = games.iter().flat_map(held).collect();
        assert_eq!(bot.games, games.iter().filter(|game| !held(game).is_empty()).count() as u64);
        assert_eq!(bot.wins, seats.iter().filter(|&&payoff| payoff == 12).count() as u64);
        assert_eq!(bot.payoff12, seats.iter().map(|&payoff| u64::from(payoff)).sum::<u64>());
        let most = games.iter().map(|game| held(game).len()).max();
        assert_eq!(Some(bot.seats as usize), most);
        let (score, error) = mean_and_error(&games, |block| {
            let seats: Vec<u32> = block.iter().flat_map(|game| held(game)).collect();
            seats.iter().map(|&payoff| part(payoff)).sum::<f64>() / seats.len() as f64
        });
        near(bot.score, score);
        assert_eq!(bot.score_se.is_some(), error.is_some());
        near(bot.score_se.unwrap_or(0.0), error.unwrap_or(0.0));
    }

    assert_eq!(result.seats.len(), sides);
    for (index, seat) in result.seats.iter().enumerate() {
        let payoff = |game: &OneGame| game.record.payoffs[index];
        assert_eq!(seat.wins, games.iter().filter(|game| payoff(game) == 12).count() as u64);
        assert_eq!(seat.payoff12, games.iter().map(|game| u64::from(payoff(game))).sum::<u64>());
        let (score, error) = mean_and_error(&games, |block| {
            block.iter().map(|game| part(payoff(game))).sum::<f64>() / block.len() as f64
        });
        near(seat.score, score);
        near(seat.score_se.unwrap_or(0.0), error.unwrap_or(0.0));
    }
    // Every game gives away one win, whoever gets it.
    let payoffs = |values: &mut dyn Iterator<Item = u64>| values.sum::<u64>();
    assert_eq!(payoffs(&mut result.seats.iter().map(|seat| seat.payoff12)), 12 * result.games);
    assert_eq!(payoffs(&mut result.bots.iter().map(|bot| bot.payoff12)), 12 * result.games);
    let sum: f64 = result.seats.iter().map(|seat| seat.score).sum();
    assert!((sum - 1.0).abs() <= sides as f64 * ROUNDING, "{sum}");

    for &(name, count) in &result.ends.0 {
        let ended = |game: &&OneGame| game.record.end.as_deref() == Some(name);
        assert_eq!(count, games.iter().filter(ended).count() as u64, "{name}");
    }

    let units: Vec<&str> = result.lengths.0.iter().map(|(name, _)| *name).collect();
    assert_eq!(units, ["throws", "turns", "decisions"]);
    for (unit, (_, found)) in result.lengths.0.iter().enumerate() {
        let length = |game: &OneGame| game.lengths()[unit];
        let mut sorted: Vec<u32> = games.iter().map(length).collect();
        sorted.sort_unstable();
        // The least length that at least so many percent do not exceed.
        let quantile = |percent: usize| {
            let rank = (percent * sorted.len()).div_ceil(100);
            sorted[rank.max(1) - 1]
        };
        assert_eq!([found.q05, found.median, found.q95], [5, 50, 95].map(quantile));
        assert_eq!(Some(&found.max), sorted.last());
        let mut histogram = BTreeMap::new();
        for &length in &sorted {
            *histogram.entry(length).or_insert(0u64) += 1;
        }
        assert!(found.histogram.iter().eq(histogram));
        let values: Vec<f64> = sorted.iter().map(|&length| f64::from(length)).collect();
        let (mean, deviation) = mean_and_deviation(&values);
        near(found.mean, mean);
        assert_eq!(found.sd.is_some(), values.len() > 1);
        near(found.sd.unwrap_or(0.0), if values.len() > 1 { deviation } else { 0.0 });
        let (_, error) = mean_and_error(&games, |block| {
            block.iter().map(|game| f64::from(length(game))).sum::<f64>() / block.len() as f64
        });
        near(found.se.unwrap_or(0.0), error.unwrap_or(0.0));
    }

    // What the arena said is what the record says.
    for game in &games {
        let played = &game.played;
        assert_eq!(game.lengths(), [played.throws, played.turns, played.decisions]);
        assert_eq!(played.payoffs.as_slice(sides), game.record.payoffs);
    }
}

#[test]
fn a_small_tournament_counted_again() {
    check(&lineup(Rules::lhasa(), "easy,random,random", Schedule::Rotations, 5, 40));
    check(&lineup(Rules::bhutan(), "random,easy,greedy,easy", Schedule::Permutations, 6, 5));
    check(&lineup(Rules::general(), "easy,random", Schedule::Fixed, 7, 50));
    // Some games to the end and some to the cap, so that wins are shared now and then.
    let short = changed(Rules::lhasa(), &["shells=10", "coins=3", "max-throws=8"]);
    check(&lineup(short, "easy,random,random", Schedule::Rotations, 8, 60));
}

#[test]
fn one_game_and_one_block() {
    check(&lineup(Rules::lhasa(), "easy,random", Schedule::Fixed, 9, 1));
    check(&lineup(Rules::lhasa(), "easy,random", Schedule::Rotations, 9, 1));
}

#[test]
fn several_line_ups_in_a_block() {
    let mut experiment = lineup(Rules::lhasa(), "easy,random", Schedule::Rotations, 10, 20);
    // Easy against itself, and against random: a bot does not hold as many seats in each.
    experiment.lineups = vec![vec![0, 0], vec![0, 1]];
    check(&experiment);
    // The games of a line-up are those that it plays alone.
    let alone = lineup(Rules::lhasa(), "easy,random", Schedule::Rotations, 10, 20);
    let pairs = games::<Sho>(&experiment);
    let second = pairs.iter().filter(|game| game.address.lineup == 1);
    assert!(
        second
            .map(|game| &game.record.turns)
            .eq(games::<Sho>(&alone).iter().map(|game| &game.record.turns))
    );
}

#[test]
fn blocks_in_the_middle_and_at_the_end() {
    let mut experiment = lineup(Rules::lhasa(), "easy,random", Schedule::Rotations, 11, 1);
    (experiment.blocks.from, experiment.blocks.to) = (1000, 1010);
    check(&experiment);
    (experiment.blocks.from, experiment.blocks.to) = ((1 << 56) - 3, 1 << 56);
    check(&experiment);
}

#[test]
fn progress_is_of_whole_blocks_and_comes_to_the_end() {
    use sho_bench::stats::sprt::SprtRun;
    use sho_bench::tally::Tally;
    use std::sync::atomic::{AtomicU64, Ordering};
    struct Counter(AtomicU64);
    impl sho_bench::Watcher for Counter {
        fn so_far(&self, tally: &Tally, _: Option<&SprtRun>) {
            assert_eq!(tally.games, 3 * tally.blocks);
            assert!(self.0.swap(tally.games, Ordering::Relaxed) < tally.games, "it rises");
        }
    }
    for blocks in [1, 31, 33, 700] {
        let rules = changed(Rules::lhasa(), &["max-throws=5"]);
        let experiment = lineup(rules, "easy,random,easy", Schedule::Rotations, 1, blocks);
        let counter = Counter(AtomicU64::new(0));
        let tally = run::<Sho>(&experiment, 2, &counter).unwrap().tally;
        assert_eq!(tally.games, experiment.games());
        assert_eq!(counter.0.into_inner(), tally.games);
    }
}
