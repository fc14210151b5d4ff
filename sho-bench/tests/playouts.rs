//! Playouts play the games of the arena, game by game: the same length in every unit, the same end, the same payoffs.

use sho_ai::arena::{Arena, bot_words};
use sho_ai::opening::Opening;
use sho_ai::{BotSpec, Bots, GameTrace};
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
    for block in blocks {
        let mut dice = BlockDice::of(&game, SEED, block);
        for (index, seating) in Schedule::Rotations.seatings(game.seats()).iter().enumerate() {
            dice.rewind();
            let mut words = bot_words(SEED, block, index);
            let fast = playouts.play(game.start(), seating, &mut dice, &mut words);
            dice.rewind();
            let mut words = bot_words(SEED, block, index);
            let slow = arena.play(&opening, &mut entries, seating, &mut dice, &mut words, &mut ());
            assert_eq!(Ok(fast), slow, "{rules} {bots:?} game 0.{block}.{index}");

            // The course of the game as a playout takes it down, and as one who watches the arena does.
            dice.rewind();
            let mut words = bot_words(SEED, block, index);
            let (again, fast) = playouts.play_traced(game.start(), seating, &mut dice, &mut words);
            let mut slow = GameTrace::default();
            dice.rewind();
            let mut words = bot_words(SEED, block, index);
            let watched =
                arena.play(&opening, &mut entries, seating, &mut dice, &mut words, &mut slow);
            slow.finish(&again);
            assert_eq!((Ok(again), fast), (watched, slow), "{rules} {bots:?} 0.{block}.{index}");
            games += 1;
        }
    }
    games
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
