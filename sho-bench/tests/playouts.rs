//! Playouts play the games of the arena, game by game: the same length in every unit, the same end, the same payoffs. And
//! batches of them, many in step, are those games again.

use sho_ai::arena::{Arena, bot_streams, bot_words};
use sho_ai::opening::Opening;
use sho_ai::{Batch, BotSpec, Bots, GameTrace, Played};
use sho_bench::Schedule;
use sho_core::sho::{LeftOver, PaRa, Rules, Sho};
use sho_core::{BlockDice, Game, RuleSet};

fn compare(rules: Rules, bots: &[&str], blocks: std::ops::Range<u64>) -> u64 {
    const SEED: u64 = 5;
    let game = Sho::new(rules).unwrap();
    let specs: Vec<BotSpec> = bots.iter().map(|bot| Sho::spec(bot).unwrap()).collect();
    let Some(mut playouts) = Sho::playouts(&game, &specs.iter().collect::<Vec<_>>()) else {
        return 0;
    };
    let mut entries: Vec<_> = specs.iter().map(|spec| Sho::bot(&game, spec).unwrap()).collect();
    let mut arena = Arena::new(game);
    let opening = Opening::none(game.start());
    let mut games = 0;
    let mut one_by_one = Vec::new();
    for block in blocks.clone() {
        let mut dice = BlockDice::of(&game, SEED, block);
        for (index, seating) in Schedule::Rotations.seatings(game.seats()).iter().enumerate() {
            dice.rewind();
            let mut words = bot_streams(SEED, block, index);
            let fast = playouts.play(game.start(), seating, &mut dice, &mut words);
            dice.rewind();
            let mut words = bot_words(SEED, block, index);
            let slow = arena.play(&opening, &mut entries, seating, &mut dice, &mut words, &mut ());
            assert_eq!(Ok(fast), slow, "{rules} {bots:?} game 0.{block}.{index}");
            let fast_played = fast;

            // The course of the game as a playout takes it down, and as one who watches the arena does.
            dice.rewind();
            let mut words = bot_streams(SEED, block, index);
            let (again, fast) = playouts.play_traced(game.start(), seating, &mut dice, &mut words);
            let mut slow = GameTrace::default();
            dice.rewind();
            let mut words = bot_words(SEED, block, index);
            let watched =
                arena.play(&opening, &mut entries, seating, &mut dice, &mut words, &mut slow);
            slow.finish(&again);
            assert_eq!((Ok(again), fast), (watched, slow), "{rules} {bots:?} 0.{block}.{index}");
            one_by_one.push(fast_played);
            games += 1;
        }
    }
    let seatings = Schedule::Rotations.seatings(game.seats());
    let batch = Batch { seed: SEED, blocks, seatings: &seatings };
    let mut in_step = Vec::new();
    playouts.play_batch(&game.start(), &batch, &mut in_step, None);
    assert_same(&one_by_one, &in_step, &format!("{rules} {bots:?}"));
    games
}

/// Says which game differs, not all of them.
fn assert_same(one_by_one: &[Played], in_step: &[Played], what: &str) {
    assert_eq!(one_by_one.len(), in_step.len(), "{what}");
    for (number, (one, other)) in one_by_one.iter().zip(in_step).enumerate() {
        assert_eq!(one, other, "{what} game {number} of the batch");
    }
}

const LINE_UPS: [&[&str]; 9] = [
    &["random", "random"],
    &["easy", "easy"],
    &["easy", "random"],
    &["random", "random", "random"],
    &["easy", "easy", "easy"],
    &["random", "easy", "random"],
    &["random", "random", "random", "random"],
    &["easy", "easy", "easy", "easy"],
    &["easy", "random", "easy", "random"],
];

/// Rules beyond the presets that reach the edges of simple turns: caps in mid-turn and after it, quiet joins, small
/// boards, few coins, left-overs.
fn edges() -> Vec<Rules> {
    let of = |change: fn(&mut Rules)| {
        let mut rules = Rules::lhasa();
        change(&mut rules);
        rules
    };
    vec![
        of(|rules| rules.max_throws = 1),
        of(|rules| rules.max_throws = 7),
        of(|rules| rules.max_throws = 50),
        of(|rules| rules.max_throws = 101),
        of(|rules| rules.join_throws = false),
        of(|rules| rules.shells = 13),
        of(|rules| (rules.shells, rules.coins, rules.opening_coins) = (16, 1, 1)),
        of(|rules| rules.left_over = LeftOver::Used),
        of(|rules| rules.three_pa_ra_wins = true),
        of(|rules| {
            (rules.pa_ra, rules.pa_ra_pair, rules.waiting_limit) = (PaRa::ChooseOne, true, 2);
        }),
    ]
}

fn compare_all(blocks: u64) -> u64 {
    let presets = Rules::PRESETS.iter().map(|preset| preset.rules);
    let mut games = 0;
    for rules in presets.chain(edges()) {
        for bots in LINE_UPS {
            let mut rules = rules;
            rules.sides = bots.len() as u8;
            games += compare(rules, bots, 0..blocks);
        }
    }
    games
}

#[test]
fn playouts_play_the_games_of_the_arena() {
    let games = compare_all(20);
    assert!(games > 5_000, "{games} games");
}

/// A million games: run it after a change to the playouts.
#[test]
#[ignore = "minutes: run it after a change to the playouts"]
fn playouts_play_the_games_of_the_arena_at_length() {
    let games = compare_all(3_000);
    assert!(games > 1_000_000, "{games} games");
}

/// Plays blocks one game after another and in batches, and returns how many games there were.
fn compare_batches(rules: Rules, bots: &[&str], blocks: std::ops::Range<u64>, a_batch: u64) -> u64 {
    const SEED: u64 = 11;
    let game = Sho::new(rules).unwrap();
    let specs: Vec<BotSpec> = bots.iter().map(|bot| Sho::spec(bot).unwrap()).collect();
    let Some(mut playouts) = Sho::playouts(&game, &specs.iter().collect::<Vec<_>>()) else {
        return 0;
    };
    let seatings = Schedule::Permutations.seatings(game.seats());
    let mut dice = BlockDice::of(&game, SEED, 0);
    let (mut one_by_one, mut in_step) = (Vec::new(), Vec::new());
    for block in blocks.clone() {
        dice.reset(block);
        for (index, seating) in seatings.iter().enumerate() {
            dice.rewind();
            let mut words = bot_streams(SEED, block, index);
            one_by_one.push(playouts.play(game.start(), seating, &mut dice, &mut words));
        }
    }
    for from in blocks.clone().step_by(a_batch as usize) {
        let blocks = from..blocks.end.min(from + a_batch);
        let batch = Batch { seed: SEED, blocks, seatings: &seatings };
        playouts.play_batch(&game.start(), &batch, &mut in_step, None);
    }
    assert_same(&one_by_one, &in_step, &format!("{rules} {bots:?}"));
    one_by_one.len() as u64
}

/// In all seatings, since these choose the words, and in batches of fewer games than there are lanes and of many more.
fn compare_all_batches(games_each: u64) -> u64 {
    let presets = Rules::PRESETS.iter().map(|preset| preset.rules);
    let mut games = 0;
    for rules in presets.chain(edges()) {
        for (bots, a_batch) in LINE_UPS.into_iter().zip([5, 40, 1000].into_iter().cycle()) {
            let mut rules = rules;
            rules.sides = bots.len() as u8;
            let seatings = (1..=bots.len() as u64).product::<u64>();
            games += compare_batches(rules, bots, 0..games_each.div_ceil(seatings), a_batch);
        }
    }
    games
}

#[test]
fn batches_are_the_same_games() {
    let games = compare_all_batches(150);
    assert!(games > 15_000, "{games} games");
}

/// A million games: run it after a change to the lanes.
#[test]
#[ignore = "a minute: run it after a change to the lanes"]
fn batches_are_the_same_games_at_length() {
    let games = compare_all_batches(9_000);
    assert!(games > 1_000_000, "{games} games");
}
