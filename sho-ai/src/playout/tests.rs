//! Batches in step, batches one by one and games on their own are the same games.

use sho_core::sho::{LeftOver, PaRa, Rules, Sho};
use sho_core::{BlockDice, Game, PerSeat, RuleSet};

use super::sho::ShoPlayouts;
use super::{Batch, Played, Playouts};
use crate::arena::bot_words;
use crate::spec::{BotSpec, Bots};

const SEED: u64 = 7;

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

/// The presets, and rules at the edges of what lanes play.
fn rules() -> Vec<Rules> {
    let of = |change: fn(&mut Rules)| {
        let mut rules = Rules::lhasa();
        change(&mut rules);
        rules
    };
    let mut all: Vec<Rules> = Rules::PRESETS.iter().map(|preset| preset.rules).collect();
    all.extend([
        of(|rules| rules.max_throws = 1),
        of(|rules| rules.max_throws = 50),
        of(|rules| rules.join_throws = false),
        of(|rules| rules.shells = 13),
        of(|rules| (rules.shells, rules.coins, rules.opening_coins) = (16, 1, 1)),
        of(|rules| (rules.shells, rules.coins, rules.opening_coins) = (40, 3, 3)),
        of(|rules| rules.left_over = LeftOver::Used),
        of(|rules| rules.three_pa_ra_wins = true),
        of(|rules| (rules.pa_ra, rules.waiting_limit) = (PaRa::ChooseOne, 3)),
    ]);
    all
}

/// All rotations, and another seating, so that a batch has seatings that are not of one number with the sides.
fn seatings(seats: usize) -> Vec<PerSeat<usize>> {
    let rotation = |by| PerSeat::from_fn(|seat| (seat.index() + by) % seats);
    (0..=seats).map(rotation).collect()
}

fn playouts(rules: Rules, bots: &[&str]) -> Option<(Sho, ShoPlayouts)> {
    let game = Sho::new(rules).ok()?;
    let specs: Vec<BotSpec> = bots.iter().map(|bot| Sho::spec(bot).unwrap()).collect();
    let playouts = ShoPlayouts::new(&game, &specs.iter().collect::<Vec<_>>())?;
    Some((game, playouts))
}

fn batch(playouts: &mut ShoPlayouts, game: &Sho, blocks: std::ops::Range<u64>) -> Vec<Played> {
    let mut played = Vec::new();
    let batch = Batch { seed: SEED, blocks, seatings: &seatings(game.seats()) };
    playouts.play_batch(&game.start(), &batch, &mut played);
    played
}

fn compare(rules: Rules, bots: &[&str], blocks: u64, a_batch: u64) -> u64 {
    let Some((game, mut one_by_one)) = playouts(rules, bots) else { return 0 };
    one_by_one.forgo_lanes();
    let Some((_, mut in_step)) = playouts(rules, bots) else { return 0 };
    // On any processor: without its vector instructions lanes are slow and play the same games.
    in_step.use_lanes();
    let mut games = 0;
    for from in (0..blocks).step_by(a_batch as usize) {
        let blocks = from..blocks.min(from + a_batch);
        let lanes = batch(&mut in_step, &game, blocks.clone());
        let alone = batch(&mut one_by_one, &game, blocks.clone());
        assert_eq!(lanes.len(), alone.len());
        let differs = lanes.iter().zip(&alone).position(|(lane, alone)| lane != alone);
        if let Some(number) = differs {
            let (lane, alone) = (lanes[number], alone[number]);
            panic!("{rules} {bots:?} game {number} from {blocks:?}: {lane:?}, not {alone:?}");
        }
        games += lanes.len() as u64;
    }
    games
}

fn compare_all(blocks: u64) -> u64 {
    let mut games = 0;
    for rules in rules() {
        for (bots, a_batch) in LINE_UPS.into_iter().zip([40, 7, 1000].into_iter().cycle()) {
            let mut rules = rules;
            rules.sides = bots.len() as u8;
            games += compare(rules, bots, blocks, a_batch);
        }
    }
    games
}

#[test]
fn games_in_step_are_the_same_games() {
    let games = compare_all(30);
    assert!(games > 10_000, "{games} games");
}

/// A million games: run it after a change to the lanes.
#[test]
#[ignore = "a minute: run it after a change to the lanes"]
fn games_in_step_are_the_same_games_at_length() {
    let games = compare_all(2_500);
    assert!(games > 1_000_000, "{games} games");
}

/// The batch without lanes is what games on their own are, on the dice and words of their addresses.
#[test]
fn a_batch_has_the_games_of_its_addresses() {
    let (game, mut playouts) = playouts(Rules::lhasa(), &["random", "easy", "random"]).unwrap();
    let played = batch(&mut playouts, &game, 5..25);
    let seatings = seatings(3);
    let mut next = played.into_iter();
    for block in 5..25 {
        for (index, seating) in seatings.iter().enumerate() {
            let mut dice = BlockDice::of(&game, SEED, block);
            let mut words = bot_words(SEED, block, index);
            let alone = playouts.play(game.start(), seating, &mut dice, &mut words);
            assert_eq!(next.next(), Some(alone), "block {block} seating {index}");
        }
    }
    assert_eq!(next.next(), None);
}
