//! Games that end at the cap, where a win is shared.

use sho_bench::Schedule;
use sho_core::sho::{Rules, Sho};

use crate::common::{changed, games, lineup, result};

/// After one throw nobody is ahead of the others but perhaps the one who threw.
#[test]
fn a_shared_win_is_so_many_twelfths_and_no_win() {
    for (bots, part) in [("easy,easy", 6), ("easy,easy,easy", 4), ("easy,easy,easy,easy", 3)] {
        let sides = bots.split(',').count() as u64;
        let rules = changed(Rules::lhasa(), &[&format!("sides={sides}"), "max-throws=1"]);
        let experiment = lineup(rules, bots, Schedule::Rotations, 1, 7);
        for game in games::<Sho>(&experiment) {
            assert_eq!(game.record.payoffs, vec![part; sides as usize], "{}", game.record);
            assert_eq!(game.record.end.as_deref(), Some("cap"));
        }
        let result = result(&experiment);
        assert_eq!(result.games, 7 * sides);
        let bot = &result.bots[0];
        assert_eq!((bot.wins, bot.payoff12, bot.seats), (0, 12 * result.games, sides));
        assert_eq!((bot.score, bot.score_se), (rounded(1.0 / sides as f64), Some(0.0)));
        for seat in &result.seats {
            assert_eq!((seat.wins, seat.payoff12), (0, u64::from(part) * result.games));
        }
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Two of three share as well, and then each has a half.
#[test]
fn some_share_and_others_do_not() {
    let rules = changed(Rules::lhasa(), &["shells=10", "coins=3", "max-throws=5"]);
    let experiment = lineup(rules, "easy,random,easy", Schedule::Rotations, 1, 200);
    let games = games::<Sho>(&experiment);
    let mut shapes = std::collections::BTreeSet::new();
    for game in &games {
        let mut payoffs = game.record.payoffs.clone();
        payoffs.sort_unstable();
        shapes.insert(payoffs);
    }
    let expected: Vec<Vec<u32>> = vec![vec![0, 0, 12], vec![0, 6, 6], vec![4, 4, 4]];
    assert!(shapes.iter().all(|shape| expected.contains(shape)), "{shapes:?}");
    assert!(shapes.contains(&vec![0, 6, 6]), "{shapes:?}");
    let result = result(&experiment);
    let outright = games.iter().filter(|game| game.record.payoffs.contains(&12)).count() as u64;
    assert_eq!(result.seats.iter().map(|seat| seat.wins).sum::<u64>(), outright);
    assert!(outright < result.games && outright > 0);
}
