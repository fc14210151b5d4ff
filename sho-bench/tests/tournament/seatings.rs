//! Who sits where, and how many games that makes.

use sho_bench::{Amount, Blocks, Experiment, ExperimentError, Schedule, run};
use sho_core::sho::{Rules, Sho};

use crate::common::{changed, games, lineup, result, tally};

/// A bot that draws nothing cannot tell its seat from another's: with a table full of it, every seating is the same
/// game.
#[test]
fn copies_of_one_bot_play_one_game_a_block() {
    for (bots, schedule, seatings) in [
        ("easy,easy", Schedule::Rotations, 2),
        ("easy,greedy,easy", Schedule::Rotations, 3),
        ("easy,easy,easy,easy", Schedule::Permutations, 24),
    ] {
        let experiment = lineup(Rules::bhutan(), bots, schedule, 3, 6);
        assert_eq!(experiment.bots.len(), 1);
        let games = games::<Sho>(&experiment);
        for block in games.chunks(seatings) {
            assert!(block.iter().all(|game| game.record.turns == block[0].record.turns));
        }
        let result = result(&experiment);
        let sides = bots.split(',').count() as f64;
        let bot = &result.bots[0];
        assert!((bot.score - 1.0 / sides).abs() < 1e-6);
        assert_eq!((bot.score_se, bot.wins), (Some(0.0), result.games));
        let throws = &result.lengths.0[0].1;
        assert!(throws.histogram.iter().all(|(_, count)| count % seatings as u64 == 0));
    }
    // A bot that draws has other words in other seatings.
    let experiment = lineup(Rules::lhasa(), "random,random", Schedule::Rotations, 3, 1);
    let games = games::<Sho>(&experiment);
    assert_ne!(games[0].record.turns, games[1].record.turns);
}

#[test]
fn every_entry_sits_in_every_seat_as_often() {
    for (schedule, seatings) in [(Schedule::Rotations, 4), (Schedule::Permutations, 24)] {
        let rules = changed(Rules::lhasa(), &["max-throws=4"]);
        let experiment = lineup(rules, "easy,random,random,random", schedule, 1, 3);
        assert_eq!((experiment.games_a_block(), experiment.games()), (seatings, 3 * seatings));
        let games = games::<Sho>(&experiment);
        assert_eq!(games.len() as u64, 3 * seatings);
        for seat in 0..4 {
            let held = games.iter().filter(|game| game.bots[seat] == 0).count() as u64;
            assert_eq!(held, 3 * seatings / 4);
        }
        let tally = tally(&experiment);
        assert_eq!((tally.bots[0].seats, tally.bots[1].seats), (3 * seatings, 9 * seatings));
        assert_eq!((tally.bots[0].games, tally.bots[1].games), (3 * seatings, 3 * seatings));
    }
}

#[test]
fn permutations_are_in_lexicographic_order() {
    let orders: Vec<Vec<usize>> = Schedule::Permutations
        .seatings(3)
        .iter()
        .map(|seating| seating.as_slice(3).to_vec())
        .collect();
    assert_eq!(orders, [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]);
    let counts = [2, 3, 4].map(|seats| Schedule::Permutations.seatings(seats).len());
    assert_eq!(counts, [2, 6, 24]);
    assert!(Schedule::Permutations.seatings(4).is_sorted());
}

#[test]
fn fixed_seats_stay() {
    let experiment = lineup(Rules::lhasa(), "random,easy", Schedule::Fixed, 2, 60);
    let result = result(&experiment);
    assert_eq!((result.games, result.blocks), (60, 60));
    for (bot, seat) in result.bots.iter().zip(&result.seats) {
        assert_eq!((bot.wins, bot.payoff12), (seat.wins, seat.payoff12));
        assert_eq!((bot.score, bot.score_se), (seat.score, seat.score_se));
    }
    // They are the first games of the rotations.
    let rotations =
        games::<Sho>(&lineup(Rules::lhasa(), "random,easy", Schedule::Rotations, 2, 60));
    let first = rotations.iter().filter(|game| game.address.seating == 0);
    assert!(
        games::<Sho>(&experiment)
            .iter()
            .map(|game| &game.record.turns)
            .eq(first.map(|game| &game.record.turns))
    );
}

fn amount(bots: &[&str], schedule: Schedule, amount: Amount) -> Result<Blocks, ExperimentError> {
    let bots: Vec<String> = bots.iter().map(|&bot| bot.to_owned()).collect();
    Experiment::lineup::<Sho>(Rules::lhasa(), &bots, schedule, 1, amount)
        .map(|experiment| experiment.blocks)
}

#[test]
fn games_are_rounded_up_to_whole_blocks() {
    let three = ["easy", "random", "easy"];
    for (games, schedule, blocks) in [
        (1, Schedule::Rotations, 1),
        (3, Schedule::Rotations, 1),
        (4, Schedule::Rotations, 2),
        (6, Schedule::Permutations, 1),
        (7, Schedule::Permutations, 2),
        (7, Schedule::Fixed, 7),
    ] {
        let found = amount(&three, schedule, Amount::Games(games));
        assert_eq!(found, Ok(Blocks { from: 0, to: blocks }), "{games}");
    }
}

#[test]
fn impossible_amounts_and_tables_are_refused() {
    use ExperimentError::*;
    let two = ["easy", "easy"];
    for schedule in [Schedule::Rotations, Schedule::Permutations, Schedule::Fixed] {
        assert_eq!(amount(&two, schedule, Amount::Games(0)), Err(NoGames));
        assert_eq!(amount(&two, schedule, Amount::Blocks(0)), Err(NoGames));
        let most = 1 << 56;
        assert_eq!(amount(&two, schedule, Amount::Blocks(most)), Ok(Blocks { from: 0, to: most }));
        assert_eq!(amount(&two, schedule, Amount::Blocks(most + 1)), Err(BlockTooLarge(most)));
        let all = amount(&two, schedule, Amount::Games(u64::MAX));
        assert!(matches!(all, Err(BlockTooLarge(_))), "{all:?}");
    }
    assert_eq!(amount(&["easy"], Schedule::Fixed, Amount::Games(1)), Err(NoSuchTable(1)));
    assert_eq!(amount(&[], Schedule::Fixed, Amount::Games(1)), Err(NoSuchTable(0)));
    assert_eq!(amount(&["easy"; 5], Schedule::Fixed, Amount::Games(1)), Err(NoSuchTable(5)));
    assert!(matches!(amount(&["easy", ""], Schedule::Fixed, Amount::Games(1)), Err(Bot(_))));
}

/// An experiment is data that anybody may write: what cannot be played is an error and no panic.
#[test]
fn experiments_are_checked_before_they_are_played() {
    let good = lineup(Rules::lhasa(), "easy,random", Schedule::Rotations, 1, 2);
    let refused = |change: &dyn Fn(&mut Experiment<Rules>)| {
        let mut experiment = good.clone();
        change(&mut experiment);
        run::<Sho>(&experiment, 1, &()).unwrap_err().to_string()
    };
    let text = refused(&|experiment| experiment.lineups = vec![vec![0, 2]]);
    assert_eq!(text, "a line-up names bot number 2 from 0, and there are 2 bots");
    let text = refused(&|experiment| experiment.lineups = vec![vec![0, 0]]);
    assert_eq!(text, "bot random is in no line-up");
    let text = refused(&|experiment| experiment.lineups = vec![vec![0, 1, 1]]);
    assert_eq!(text, "a line-up of 3 bots, and the rules say 2 sides");
    let none = "0 games: at least one must be played";
    assert_eq!(refused(&|experiment| experiment.lineups = vec![]), none);
    assert_eq!(refused(&|experiment| experiment.blocks = Blocks { from: 3, to: 3 }), none);
    assert_eq!(refused(&|experiment| experiment.blocks = Blocks { from: 3, to: 1 }), none);
    let text = refused(&|experiment| experiment.blocks.to = u64::MAX);
    assert!(text.contains("below 2^56 = 72057594037927936"), "{text}");
    assert!(refused(&|experiment| experiment.rules.shells = 7).contains("shells"));

    // As many games as nobody can play are still a number.
    let mut huge =
        lineup(Rules::lhasa(), "easy,random,easy,random", Schedule::Permutations, 1, 1 << 56);
    assert_eq!(huge.games(), 24 << 56);
    huge.lineups = vec![huge.lineups[0].clone(); 100];
    assert_eq!(huge.games(), u64::MAX);
    assert_eq!(huge.check::<Sho>(), Ok(()));
}
