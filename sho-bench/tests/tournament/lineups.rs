//! Several line-ups: every game is counted where it belongs, and ratings come from all.

use sho_bench::ratings::Ratings;
use sho_bench::stats::elo::{Contest, Estimate};
use sho_bench::stats::payoffs::Design;
use sho_bench::tally::BlockSum;
use sho_bench::{Amount, Experiment, Lineups, Schedule, TournamentResult, run};
use sho_core::RuleSet;
use sho_core::sho::{Rules, Sho};

use crate::common::{OneGame, games, tally};

fn pool(sides: u8, bots: &str, lineups: Lineups, blocks: u64) -> Experiment<Rules> {
    let mut rules = Rules::lhasa();
    rules.assign(&format!("sides={sides}")).unwrap();
    let bots: Vec<String> = bots.split(',').map(str::to_owned).collect();
    let amount = Amount::Blocks(blocks);
    Experiment::pool::<Sho>(rules, &bots, lineups, Schedule::Rotations, 4, amount).unwrap()
}

/// What a bot got in a line-up, block by block.
fn by_block(games: &[OneGame], blocks: u64, lineup: usize, bot: usize) -> Vec<u64> {
    let mut got = vec![0; blocks as usize];
    for game in games.iter().filter(|game| game.address.lineup == lineup) {
        for (seat, _) in game.bots.iter().enumerate().filter(|&(_, &other)| other == bot) {
            got[game.address.block as usize] += u64::from(game.record.payoffs[seat]);
        }
    }
    got
}

#[test]
fn each_line_up_is_scored_by_itself() {
    let blocks = 12;
    let experiment = pool(3, "easy,random", Lineups::Gauntlet, blocks);
    let games = games::<Sho>(&experiment);
    let result = TournamentResult::new::<Sho>(&experiment, &tally(&experiment));
    assert_eq!((result.games, result.lineups.len()), (72, 2));
    assert_eq!(result.lineup_scores.len(), 4);
    for row in &result.lineup_scores {
        let mut sum = BlockSum::default();
        by_block(&games, blocks, row.lineup, row.bot).into_iter().for_each(|got| sum.add(got));
        assert_eq!((row.by_block, row.payoff12), (sum, sum.sum));
        assert_eq!(row.games, 36);
        let score = sum.sum as f64 / (12.0 * 36.0 * row.seats as f64);
        assert!((row.score - score).abs() < 1e-6);
    }
    // Both line-ups together.
    for (index, bot) in result.bots.iter().enumerate() {
        let rows = result.lineup_scores.iter().filter(|row| row.bot == index);
        assert_eq!(bot.payoff12, rows.map(|row| row.payoff12).sum::<u64>());
        assert_eq!((bot.seats, bot.games), (2, 72));
        assert!(bot.outcomes.is_empty());
    }
}

#[test]
fn two_questions_have_the_error_of_one_set_of_blocks() {
    let blocks = 60;
    let experiment = pool(3, "easy,random", Lineups::Gauntlet, blocks);
    let games = games::<Sho>(&experiment);
    let result = TournamentResult::new::<Sho>(&experiment, &tally(&experiment));
    let [questions] = result.two_questions.as_slice() else { panic!("one pair") };
    let alone = by_block(&games, blocks, 0, 0);
    let among = by_block(&games, blocks, 1, 0);
    // The delta method by hand: the difference of two logarithms is, to first order, a weighted sum of the two means,
    // whose error is that of the blocks' weighted sums.
    let contests = [Contest::new(3, 1, 3).unwrap(), Contest::new(3, 2, 3).unwrap()];
    let estimate = |contest, got: &[u64]| {
        let mut sum = BlockSum::default();
        got.iter().for_each(|&got| sum.add(got));
        Estimate::new(contest, sum, blocks).unwrap()
    };
    let first = estimate(contests[0], &alone);
    let second = estimate(contests[1], &among);
    let weight = |estimate: &Estimate, contest: Contest| {
        estimate.elo_slope().unwrap() / f64::from(contest.scale())
    };
    let (u, v) = (weight(&first, contests[0]), weight(&second, contests[1]));
    let sums: Vec<f64> =
        alone.iter().zip(&among).map(|(&a, &b)| u * a as f64 - v * b as f64).collect();
    let mean = sums.iter().sum::<f64>() / sums.len() as f64;
    let spread: f64 = sums.iter().map(|sum| (sum - mean) * (sum - mean)).sum();
    let n = blocks as f64;
    let expected = (spread / (n - 1.0) / n).sqrt();
    let difference = questions.difference.unwrap();
    assert!((difference.se - expected).abs() < 1e-4, "{difference:?}, not {expected}");
    let elo = first.elo().unwrap() - second.elo().unwrap();
    assert!((difference.elo - elo).abs() < 1e-5);
}

#[test]
fn ratings_are_there_where_scores_do_not_say_it_all() {
    let two = pool(2, "easy,random", Lineups::All, 20);
    assert_eq!(TournamentResult::new::<Sho>(&two, &tally(&two)).ratings, None);
    let all = pool(3, "easy,random", Lineups::Gauntlet, 200);
    let result = TournamentResult::new::<Sho>(&all, &tally(&all));
    let Some(Ratings::Fitted(ratings)) = result.ratings else { panic!("{:?}", result.ratings) };
    assert!(ratings.finite && ratings.bots[0].elo > 100.0);
    assert_eq!(ratings.seats.len(), 2);
    assert!((ratings.bots[0].elo + ratings.bots[1].elo).abs() < 1e-5, "their sum is 0");
    assert_eq!(ratings.differences[0][1].elo, -ratings.differences[1][0].elo);
    // One block has no errors, and so no ratings; it says why.
    let one = pool(3, "easy,random", Lineups::Gauntlet, 1);
    let result = TournamentResult::new::<Sho>(&one, &tally(&one));
    let Some(Ratings::None { reason }) = result.ratings else { panic!("{:?}", result.ratings) };
    assert!(reason.contains("at least 2"), "{reason}");
}

#[test]
fn mirrors_are_line_ups_of_two_bots_turned_round() {
    let lineups = [
        vec![0, 1, 1, 1],
        vec![1, 0, 0, 0],
        vec![2, 2, 0, 2],
        vec![0, 0, 1, 1],
        vec![2, 0, 0, 0],
        vec![1, 2, 2, 2],
    ];
    let seatings = Schedule::Rotations.seatings(4);
    let design = Design::new(3, &lineups, &seatings);
    let pairs: Vec<_> =
        design.mirrors().iter().map(|m| (m.bot, m.other, m.alone, m.among)).collect();
    assert_eq!(pairs, [(0, 1, 0, 1), (0, 2, 2, 4)]);
    let pairs = Design::new(2, &[vec![0, 1], vec![1, 0]], &Schedule::Rotations.seatings(2));
    assert!(pairs.mirrors().is_empty());
}

#[test]
fn line_ups_share_their_blocks() {
    // The same seatings have the same dice and words, whichever line-up they are of.
    let mut experiment = pool(2, "easy,random", Lineups::Given, 10);
    experiment.lineups = vec![vec![0, 1], vec![0, 1]];
    let ran = run::<Sho>(&experiment, 2, &()).unwrap();
    for bot in 0..2 {
        let cell = |lineup| {
            let cells: Vec<_> = experiment.design().cells().collect();
            ran.tally.payoffs.cell(cells.iter().position(|&c| c == (lineup, bot)).unwrap())
        };
        assert_eq!(cell(0).sum, cell(1).sum);
    }
}
