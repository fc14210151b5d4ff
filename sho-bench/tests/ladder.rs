//! The bots of Sho against one another, as a tournament plays them.

use sho_bench::tally::Tally;
use sho_bench::{Amount, Experiment, Schedule, record_of, run};
use sho_core::RuleSet;
use sho_core::sho::{Rules, Sho};

fn experiment(rules: &str, bots: &str, blocks: u64) -> Experiment<Rules> {
    let bots: Vec<String> = bots.split(',').map(str::to_owned).collect();
    let rules = Rules::preset(rules).unwrap();
    let amount = Amount::Blocks(blocks);
    Experiment::lineup::<Sho>(rules, &bots, Schedule::Rotations, 20_261_130, amount).unwrap()
}

fn played(rules: &str, bots: &str, blocks: u64) -> Tally {
    run::<Sho>(&experiment(rules, bots, blocks), 0, &()).unwrap().tally
}

/// A search of depth one judges the position after each action, and that is what `hard` does.
#[test]
fn expectimax_of_depth_one_plays_the_games_of_hard() {
    for preset in Rules::PRESETS {
        for others in ["random", "easy,medium", "medium,random,easy"] {
            let with = |bot: &str| experiment(preset.name, &format!("{bot},{others}"), 2);
            let (hard, search) = (with("hard"), with("expectimax:depth=1"));
            for block in 0..2 {
                for seating in 0..=others.split(',').count() {
                    let address = sho_bench::Address { lineup: 0, block, seating };
                    let one = record_of::<Sho>(&hard, address).unwrap();
                    let other = record_of::<Sho>(&search, address).unwrap();
                    assert_eq!(one.turns, other.turns, "{} {others} {address}", preset.name);
                }
            }
        }
    }
}

/// Each rung beats the one below by so much that a few hundred blocks show it with any seed.
#[test]
fn each_rung_beats_the_one_below() {
    for rules in ["lhasa", "general", "bhutan"] {
        for (bots, blocks) in [("easy,random", 200), ("medium,easy", 300), ("hard,medium", 300)] {
            let tally = played(rules, bots, blocks);
            let score = tally.payoffs.bot(0).sum as f64 / (12 * tally.games) as f64;
            assert!(score > 0.6, "{rules} {bots}: {score}");
        }
    }
}
