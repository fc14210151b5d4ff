//! The self-test on small runs with pinned seeds: a right program passes, and one with wrong errors does not.

use sho_bench::selftest::alarms::{COPIES, EQUAL, POOL, TRUTH, Totals};
use sho_bench::selftest::check::{Check, Claim, Verdict};
use sho_bench::selftest::source::{Outcome, Played, Source, counted};
use sho_bench::selftest::{COUNTED_AGAIN, Kind, Plan, SelfTest, self_test};
use sho_bench::{Amount, Blocks, Experiment, RunError, Schedule, run};
use sho_core::sho::{Rules, Sho};
use sho_core::sholo_guti::{self, SholoGuti};

/// Sho on a short spiral, where a game takes a few dozen throws.
fn short(sides: u8) -> Rules {
    let mut rules = Rules::lhasa();
    (rules.sides, rules.shells, rules.coins) = (sides, 16, 3);
    rules
}

fn plan(tables: Vec<Rules>, matches: u64) -> Plan<Rules> {
    Plan { tables, matches, blocks: 100, seed: 20_261_130 }
}

/// The check of this name in the first experiment of a kind.
#[track_caller]
fn check<R>(found: &SelfTest<R>, kind: Kind, name: &str) -> Check {
    let mut experiments = found.experiments.iter().filter(|tested| tested.kind == kind);
    let checks = &experiments.next().unwrap().checks;
    *checks.iter().find(|check| check.name == name).unwrap()
}

/// Blocks of the games of another source, counted wrongly.
struct Wrong<F>(F);

impl<F: Fn(Vec<Outcome>, usize) -> Vec<Outcome> + Sync> Source<Sho> for Wrong<F> {
    fn play(
        &self,
        experiment: &Experiment<Rules>,
        blocks: Blocks,
    ) -> Result<Vec<Outcome>, RunError> {
        let games = Source::<Sho>::play(&Played, experiment, blocks)?;
        Ok((self.0)(games, experiment.games_a_block() as usize))
    }
}

#[test]
fn all_rates_of_games_by_default_rules_are_as_stated() {
    let mut two = Rules::lhasa();
    two.sides = 2;
    let found = self_test::<Sho>(&plan(vec![two], 200), &Played, 2, &|_| {}).unwrap();
    assert!(found.ok, "{found:#?}");
    assert_eq!(found.experiments.len(), 4);
    for (tested, claims) in found.experiments.iter().zip([&EQUAL[..], &POOL, &COPIES, &TRUTH]) {
        assert_eq!(tested.checks.len(), claims.len() + 1);
        for (check, claim) in tested.checks.iter().zip(claims) {
            // Each had a meaning in every match, so that something was tested.
            assert_eq!((check.name, check.of), (claim.name, 200));
            // 5 % of 200, four standard errors (of 1.5 %) either side.
            let least = if check.at_most { 0 } else { 1 };
            assert!((least..=22).contains(&check.seen), "{check:?}");
        }
        let counts = tested.checks.last().unwrap();
        assert_eq!((counts.name, counts.seen, counts.of), ("counts", 0, COUNTED_AGAIN));
    }
    // The live interval and the tests raise alarms at all: they are looked at.
    let alarms = ["sprt-h1", "sprt-h0", "live"].map(|name| check(&found, Kind::Equal, name).seen);
    assert!(alarms.iter().sum::<u64>() > 0, "{alarms:?}");
    let truth = found.experiments[3].reference.unwrap();
    assert_eq!(truth.blocks, 200 * 100);
    // As in long tournaments: 33,107 of 40,000.
    assert!((truth.score.unwrap() - 0.8277).abs() < 0.01, "{truth:?}");
}

#[test]
fn tables_of_three_and_four_and_shared_wins() {
    let found =
        self_test::<Sho>(&plan(vec![short(3), short(4)], 200), &Played, 2, &|_| {}).unwrap();
    assert!(found.ok, "{found:#?}");
    let seats: Vec<_> =
        found.experiments.iter().map(|tested| (tested.kind, tested.seats)).collect();
    let expected = [
        (Kind::Equal, 3),
        (Kind::Equal, 4),
        (Kind::Pool, 3),
        (Kind::Third, 3),
        (Kind::Copies, 3),
        (Kind::Copies, 4),
        (Kind::Unequal, 3),
        (Kind::Unequal, 4),
    ];
    assert_eq!(seats, expected);
    assert_eq!(found.experiments[1].lineups, [[0, 1, 1, 1]]);

    let rules = sholo_guti::Rules::standard();
    let plan = Plan { tables: vec![rules], matches: 20, blocks: 64, seed: 1 };
    let found = self_test::<SholoGuti>(&plan, &Played, 2, &|_| {}).unwrap();
    assert!(found.ok, "{found:#?}");
}

#[test]
fn it_depends_on_the_plan_alone() {
    let found = |plan: &Plan<Rules>, threads| {
        self_test::<Sho>(plan, &Played, threads, &|_| {}).unwrap().experiments
    };
    let plan = plan(vec![short(2)], 40);
    let once = found(&plan, 1);
    assert_eq!(once, found(&plan, 3));
    assert_ne!(once, found(&Plan { seed: 2, ..plan.clone() }, 2));
    assert_ne!(once, found(&Plan { blocks: 101, ..plan.clone() }, 2));
}

/// Each block counted twice: errors are by a factor 0.7 too small.
#[test]
fn errors_that_are_too_small_are_found() {
    let twice = Wrong(|games: Vec<Outcome>, games_a_block| {
        games.chunks_exact(games_a_block).flat_map(|block| [block, block].concat()).collect()
    });
    let plan = plan(vec![short(2)], 500);
    let found = self_test::<Sho>(&plan, &twice, 2, &|_| {}).unwrap();
    assert!(!found.ok);
    for (kind, names) in [
        (Kind::Equal, &["score", "elo", "los-high", "los-low", "halves"][..]),
        (Kind::Pool, &["rating", "fit"]),
        (Kind::Unequal, &["score", "elo", "rating", "seat", "length", "bootstrap"]),
        (Kind::Copies, &["seat", "length", "share"]),
    ] {
        for name in names {
            let check = check(&found, kind, name);
            assert_eq!(check.verdict, Verdict::TooMany, "{kind:?} {check:?}");
        }
    }
    // And a tournament does not count a block twice.
    assert_eq!(check(&found, Kind::Equal, "counts").verdict, Verdict::TooMany);
}

/// Errors over games in place of blocks: the games stay what they are, and stand in blocks with games of other dice, as
/// if each were independent of the others. Luck that the seats share is then not seen, and luck that changing seats
/// cancels is seen where there is none.
#[test]
fn errors_over_games_are_found() {
    let scattered = Wrong(|games: Vec<Outcome>, games_a_block| {
        let blocks = games.len() / games_a_block;
        let of = |block: usize, index: usize| games[block % blocks * games_a_block + index];
        (0..blocks)
            .flat_map(|block| (0..games_a_block).map(move |index| (block + 7 * index, index)))
            .map(|(block, index)| of(block, index))
            .collect()
    });
    let found = self_test::<Sho>(&plan(vec![short(3)], 300), &scattered, 2, &|_| {}).unwrap();
    assert!(!found.ok);
    for (kind, name, verdict) in [
        (Kind::Third, "rating", Verdict::TooFew),
        (Kind::Copies, "seat", Verdict::TooMany),
        (Kind::Copies, "length", Verdict::TooMany),
        (Kind::Copies, "bootstrap", Verdict::TooMany),
        // The first games of the blocks are the same ones.
        (Kind::Copies, "median", Verdict::Ok),
    ] {
        let check = check(&found, kind, name);
        assert_eq!(check.verdict, verdict, "{kind:?} {check:?}");
    }
}

/// A bot that wins more often than its equal, by one game of ten.
#[test]
fn equals_that_are_not_are_found() {
    let bent = Wrong(|mut games: Vec<Outcome>, _| {
        for game in games.iter_mut().step_by(10).filter(|game| game.lineup == 0) {
            // Entry 0 sits in seat A in seating 0, and in the last seat in seating 1.
            game.payoffs =
                sho_core::PerSeat::from_fn(
                    |seat| {
                        if seat.index() == game.seating { 12 } else { 0 }
                    },
                );
        }
        games
    });
    let found = self_test::<Sho>(&plan(vec![short(2)], 200), &bent, 2, &|_| {}).unwrap();
    for name in ["score", "los-high", "sprt-h1"] {
        let check = check(&found, Kind::Equal, name);
        assert_eq!(check.verdict, Verdict::TooMany, "{check:?}");
    }
    assert_eq!(check(&found, Kind::Equal, "los-low").verdict, Verdict::TooFew);
    assert_eq!(check(&found, Kind::Equal, "halves").verdict, Verdict::Ok);
}

/// The games of the self-test are those of a tournament, whatever the line-ups.
#[test]
fn counts_are_those_of_a_tournament() {
    let bots = ["easy", "random", "random"].map(String::from);
    let mut experiment =
        Experiment::lineup::<Sho>(short(3), &bots, Schedule::Permutations, 3, Amount::Blocks(30))
            .unwrap();
    experiment.lineups.push(vec![1, 0, 0]);
    let games = Source::<Sho>::play(&Played, &experiment, experiment.blocks).unwrap();
    let totals = Totals::new(&experiment, &games);
    let tally = run::<Sho>(&experiment, 2, &()).unwrap().tally;
    assert_eq!(games.len() as u64, tally.games);
    assert_eq!(totals.counts(), counted::<Sho>(&experiment, 1).unwrap());
    let throws: u64 = games.iter().map(|game| u64::from(game.length)).sum();
    assert_eq!(totals.counts().length.sum, throws);
}

#[test]
fn verdicts() {
    let exactly = Claim { name: "", what: "", nominal: 0.05, at_most: false };
    let verdict = |claim, seen, of| Check::new(claim, seen, of).verdict;
    // At a rate of 6 % 86 of 1000 have a probability of 0.0006, and 87 one of 0.0004; at 4 % 21 or fewer have one of
    // 0.0006, and 20 one of 0.0003 (scipy).
    for (seen, expected) in [
        (20, Verdict::TooFew),
        (21, Verdict::Ok),
        (50, Verdict::Ok),
        (86, Verdict::Ok),
        (87, Verdict::TooMany),
        (1000, Verdict::TooMany),
    ] {
        assert_eq!(verdict(exactly, seen, 1000), expected, "{seen}");
    }
    let at_most = Claim { at_most: true, ..exactly };
    assert_eq!(verdict(at_most, 0, 1000), Verdict::Ok);
    assert_eq!(verdict(at_most, 87, 1000), Verdict::TooMany);
    let never = Claim { nominal: 0.0, ..at_most };
    assert_eq!(verdict(never, 0, 20), Verdict::Ok);
    assert_eq!(verdict(never, 1, 20), Verdict::TooMany);
    // What had no meaning in any match is neither.
    let untested = exactly.check([None, None]);
    assert_eq!((untested.verdict, untested.rate, untested.ok()), (Verdict::Untested, None, true));
    let mixed = exactly.check([Some(true), None, Some(false)]);
    assert_eq!((mixed.seen, mixed.of), (1, 2));
}

/// Stops after some games.
#[test]
fn it_says_what_it_plays_and_what_is_impossible() {
    let plan = plan(vec![short(2)], 40);
    // 40 matches, and twice a reference of 200, of two games a block; the pool has three line-ups.
    assert_eq!(plan.games::<Sho>(), Ok(100 * (40 * 2 + 40 * 6 + 240 * 2 + 240 * 2)));
    let far = Plan { blocks: 1 << 50, ..plan };
    assert!(far.games::<Sho>().unwrap_err().to_string().contains("2^56"));
}
