//! Batches in step, batches one by one and games on their own are the same games.

use std::ops::Range;

use sho_core::sho::{LeftOver, PaRa, Rules, Sho};
use sho_core::{ActionList, BlockDice, Game, PerSeat, RuleSet, Seat, Step, Stream};

use super::sho::ShoPlayouts;
use super::wide::tests::with_each;
use super::{Batch, GameTrace, Played, Playouts};
use crate::arena::{Arena, bot_streams};
use crate::opening::Opening;
use crate::rollout::{RolloutBatch, RolloutDice, RolloutLine, rollout_words};
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

/// Playouts of games one by one, and of the same ones in lanes.
fn both(rules: Rules, bots: &[&str]) -> Option<(Sho, ShoPlayouts, ShoPlayouts)> {
    let (game, mut one_by_one) = playouts(rules, bots)?;
    one_by_one.forgo_lanes();
    let (_, mut in_step) = playouts(rules, bots)?;
    // On any processor: without its vector instructions lanes are slow and play the same games.
    in_step.use_lanes();
    Some((game, one_by_one, in_step))
}

/// Says which game differs, not all of them.
fn assert_same(these: &[Played], those: &[Played], at: impl Fn(usize) -> String) {
    assert_eq!(these.len(), those.len());
    if let Some(number) = these.iter().zip(those).position(|(this, that)| this != that) {
        let (this, that) = (these[number], those[number]);
        panic!("{}: {this:?}, not {that:?}", at(number));
    }
}

/// Compares games by all rules and line-ups, and says how many there were.
fn compare_each(mut compare: impl FnMut(Rules, &[&str]) -> u64) -> u64 {
    let mut games = 0;
    for rules in rules() {
        for bots in LINE_UPS {
            let mut rules = rules;
            rules.sides = bots.len() as u8;
            games += compare(rules, bots);
        }
    }
    games
}

/// How the games of a batch went, and their courses.
fn traced(
    playouts: &mut ShoPlayouts,
    game: &Sho,
    blocks: Range<u64>,
) -> (Vec<Played>, Vec<GameTrace>) {
    let (mut played, mut traces) = (Vec::new(), Vec::new());
    let batch = Batch { seed: SEED, blocks, seatings: &seatings(game.seats()) };
    playouts.play_batch(&game.start(), &batch, &mut played, Some(&mut traces));
    (played, traces)
}

fn batch(playouts: &mut ShoPlayouts, game: &Sho, blocks: Range<u64>) -> Vec<Played> {
    let mut played = Vec::new();
    let batch = Batch { seed: SEED, blocks, seatings: &seatings(game.seats()) };
    playouts.play_batch(&game.start(), &batch, &mut played, None);
    played
}

fn compare(rules: Rules, bots: &[&str], blocks: u64, a_batch: u64) -> u64 {
    let Some((game, mut one_by_one, mut in_step)) = both(rules, bots) else { return 0 };
    let mut games = 0;
    for from in (0..blocks).step_by(a_batch as usize) {
        let blocks = from..blocks.min(from + a_batch);
        let (alone, courses) = traced(&mut one_by_one, &game, blocks.clone());
        let (taken_down, traces) = traced(&mut in_step, &game, blocks.clone());
        let at = |number| format!("{rules} {bots:?} game {number} from {blocks:?}");
        for lanes in [batch(&mut in_step, &game, blocks.clone()), taken_down] {
            assert_same(&lanes, &alone, at);
        }
        let differs = traces.iter().zip(&courses).position(|(lane, alone)| lane != alone);
        assert!(differs.is_none(), "{}: another course", at(differs.unwrap_or_default()));
        assert_eq!(traces.len(), alone.len());
        games += alone.len() as u64;
    }
    games
}

fn compare_all(blocks: u64) -> u64 {
    let mut sizes = [40, 7, 1000].into_iter().cycle();
    compare_each(|rules, bots| compare(rules, bots, blocks, sizes.next().unwrap()))
}

#[test]
fn games_in_step_are_the_same_games() {
    let games = compare_all(30);
    assert!(games > 10_000, "{games} games");
}

/// Whatever the processor has: playouts, in lanes and without them, their courses, and rollouts.
#[test]
fn every_processor_plays_the_same_games() {
    let mut expected = None;
    with_each(|processor| {
        let mut found = Vec::new();
        for bots in LINE_UPS {
            let mut rules = Rules::lhasa();
            rules.sides = bots.len() as u8;
            let (game, mut one_by_one, mut in_step) = both(rules, bots).unwrap();
            for playouts in [&mut one_by_one, &mut in_step] {
                found.push(traced(playouts, &game, 0..40));
                let line = RolloutLine::new(&game, &Opening::none(game.start()));
                let (lines, mut played) = ([line], Vec::new());
                let batch = RolloutBatch { seed: SEED, games: 0..40, lines: &lines };
                playouts.roll_out(&batch, &mut played);
                found.push((played, Vec::new()));
            }
        }
        let expected = expected.get_or_insert_with(|| found.clone());
        assert!(found == *expected, "{processor} plays other games than plain instructions");
    });
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
            let mut words = bot_streams(SEED, block, index);
            let alone = playouts.play(game.start(), seating, &mut dice, &mut words);
            assert_eq!(next.next(), Some(alone), "block {block} seating {index}");
        }
    }
    assert_eq!(next.next(), None);
}

/// A position so many steps into a random game, and the same after each of its actions: there are beginnings among them,
/// throws in the middle of a turn, decisions and ends.
fn lines(game: &Sho, steps: u32, words: &mut Stream) -> Vec<Opening<Sho>> {
    let (mut state, mut before) = (game.start(), game.start());
    let mut actions = Default::default();
    for _ in 0..steps {
        match game.step(&state) {
            Step::Over => break,
            Step::Chance(_) => {
                before = state;
                let outcome = game.outcome(&state, words.below(36));
                game.cast_unchecked(&mut state, outcome);
            }
            Step::Decide(_) => {
                before = state;
                game.actions(&state, &mut actions);
                let chosen = words.below(actions.len() as u32) as usize;
                game.play_unchecked(&mut state, actions.get(chosen));
            }
        }
    }
    if game.step(&state) == Step::Over {
        // The step that ends it.
        state = before;
    }
    let mut lines = vec![Opening::none(state)];
    if matches!(game.step(&state), Step::Decide(_)) {
        game.actions(&state, &mut actions);
        let after = |action| Opening::of(game, state, vec![action]).unwrap();
        lines.extend(actions.iter().map(after));
    }
    lines
}

fn compare_rollouts(rules: Rules, bots: &[&str], positions: u64, numbers: u64) -> u64 {
    let Some((game, mut one_by_one, mut in_step)) = both(rules, bots) else { return 0 };
    let mut entries: Vec<_> =
        bots.iter().map(|bot| Sho::bot(&game, &Sho::spec(bot).unwrap()).unwrap()).collect();
    let mut arena = Arena::new(game);
    let seating = PerSeat::from_fn(Seat::index);
    let mut words = Stream::new(SEED, "positions", 0);
    let mut games = 0;
    for position in 0..positions {
        let steps = words.below(250);
        let openings = lines(&game, steps, &mut words);
        let lines: Vec<_> = openings.iter().map(|line| RolloutLine::new(&game, line)).collect();
        let from = position * 1000;
        let batch = RolloutBatch { seed: SEED, games: from..from + numbers, lines: &lines };
        let (mut alone, mut lanes, mut slow) = (Vec::new(), Vec::new(), Vec::new());
        one_by_one.roll_out(&batch, &mut alone);
        in_step.roll_out(&batch, &mut lanes);
        for number in batch.games.clone() {
            for opening in &openings {
                let mut dice = RolloutDice::new(&game, SEED, number);
                let mut words = rollout_words(SEED, number);
                let played =
                    arena.play(opening, &mut entries, &seating, &mut dice, &mut words, &mut ());
                slow.push(played.unwrap());
            }
        }
        for played in [&alone, &lanes] {
            assert_same(played, &slow, |number| {
                let line = &openings[number % openings.len()];
                format!("{rules} {bots:?} {line:?} game {number}")
            });
        }
        games += slow.len() as u64;
    }
    games
}

fn compare_all_rollouts(positions: u64, numbers: u64) -> u64 {
    compare_each(|rules, bots| compare_rollouts(rules, bots, positions, numbers))
}

#[test]
fn rollouts_in_step_are_the_games_of_the_arena() {
    let games = compare_all_rollouts(6, 12);
    assert!(games > 10_000, "{games} games");
}

/// A million games: run it after a change to the lanes.
#[test]
#[ignore = "a minute: run it after a change to the lanes"]
fn rollouts_in_step_are_the_games_of_the_arena_at_length() {
    let games = compare_all_rollouts(60, 100);
    assert!(games > 1_000_000, "{games} games");
}
