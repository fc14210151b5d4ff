//! Statistics against other programs, published values, and the rates that they promise.

use serde_json::Value;
use sho_bench::stats::bootstrap::{GroupSums, REPLICATES};
use sho_bench::stats::confidence_sequence;
use sho_bench::stats::elo::{Contest, ELO_A_LOG, Estimate, NELO_A_UNIT};
use sho_bench::stats::interval::half_width;
use sho_bench::stats::payoffs::{BlockPayoffs, Design, PayoffSums};
use sho_bench::stats::plackett_luce::{Fit, FitError, RIDGE, SeatTerms, fit};
use sho_bench::stats::quantile::{
    Ranks, at_most, interval, less_or_tied, less_or_tied_error, ranks, share_interval,
};
use sho_bench::stats::special::{
    beta_cdf, beta_quantile, binomial_cdf, chi_square_above, normal_cdf,
};
use sho_bench::stats::sprt::{Bounds, CHECK_EVERY, Outcomes, Sprt, SprtError, SprtRun, Verdict};
use sho_bench::tally::{BlockSum, Histogram};
use sho_bench::{Amount, Experiment, Schedule, TournamentResult, run};
use sho_core::Stream;
use sho_core::sho::{Rules, Sho};

fn testdata(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/statistics/");
    serde_json::from_str(&std::fs::read_to_string(format!("{folder}{name}")).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, not {expected}");
}

/// A number in 0..1 in steps of a 2^32nd.
fn uniform(words: &mut Stream) -> f64 {
    f64::from(words.word()) / 4_294_967_296.0
}

// ---- functions of probability theory ----

#[test]
fn functions_agree_with_scipy() {
    for row in testdata("functions.json").as_array().unwrap() {
        let name = row[0].as_str().unwrap();
        let [a, b, x, p] = [1, 2, 3, 4].map(|index| row[index].as_f64().unwrap());
        let (found, tolerance) = match name {
            "beta" => {
                // In the middle of a very narrow distribution x itself has too few digits for more.
                close(beta_quantile(a, b, p), x, 1e-10 * x, &row.to_string());
                (beta_cdf(a, b, x), 1e-9 * p)
            }
            "binomial" => (binomial_cdf(a as u64, b, x as u64), 1e-10 * p),
            "chi-square" => (chi_square_above(a as u32, x), 1e-11 * p),
            "normal" => (normal_cdf(x), 1e-13 * p),
            _ => panic!("{row}"),
        };
        close(found, p, tolerance, &row.to_string());
    }
}

#[test]
fn beta_quantiles_agree_with_published_intervals() {
    // Clopper and Pearson's 95 % intervals, as in any table of them.
    for (hits, n, low, high) in [
        (0, 10, 0.0, 0.3085),
        (1, 10, 0.0025, 0.4450),
        (3, 10, 0.0667, 0.6525),
        (5, 10, 0.1871, 0.8129),
        (10, 10, 0.6915, 1.0),
        (5, 20, 0.0866, 0.4910),
        (10, 100, 0.0490, 0.1762),
    ] {
        let found = share_interval(hits, n, 0.05);
        close(found.0, low, 5e-5, "low");
        close(found.1, high, 5e-5, "high");
    }
    assert_eq!(share_interval(0, 0, 0.05), (0.0, 1.0));
    // Chi-square's upper 5 % points.
    for (freedom, point) in [(1, 3.841), (5, 11.070), (10, 18.307), (30, 43.773), (100, 124.342)] {
        close(chi_square_above(freedom, point), 0.05, 2e-5, "chi-square");
    }
}

// ---- Elo ----

#[test]
fn elo_of_a_score_and_back() {
    for (seats, held) in [(2, 1), (3, 1), (3, 2), (4, 1), (4, 2), (4, 3)] {
        let contest = Contest::new(seats, held, seats).unwrap();
        close(contest.elo(contest.equal_score()).unwrap(), 0.0, 1e-10, "equal");
        for elo in [-900.0, -50.0, 0.0, 3.0, 200.0, 2000.0] {
            let score = contest.score(elo);
            close(contest.elo(score).unwrap(), elo, 1e-6, "there and back");
            // The others, seen from their side, are as much weaker.
            let others = Contest::new(seats, seats - held, seats).unwrap();
            let rest = (1.0 - f64::from(held) * score) / f64::from(seats - held);
            close(others.elo(rest).unwrap(), -elo, 1e-5, "from the other side");
        }
        assert_eq!(contest.score(1e9), contest.top_score());
        assert_eq!(contest.score(-1e9), 0.0);
        assert_eq!(contest.elo_interval(-0.1, 2.0), (None, None));
    }
    // Published: 64 % of points are 100 Elo; twice the worth of each of three others wins 2 of 5 games.
    close(Contest::rotations(2).unwrap().score(100.0), 0.640_065, 1e-6, "100 Elo");
    close(Contest::rotations(4).unwrap().elo(0.4).unwrap(), 400.0 * 2f64.log10(), 1e-9, "double");
    assert!(Contest::new(3, 3, 3).is_none() && Contest::new(3, 0, 3).is_none());
}

#[test]
fn errors_by_the_delta_method_are_slopes() {
    for seats in 2..=4 {
        let contest = Contest::rotations(seats).unwrap();
        let mut payoffs = BlockSum::default();
        for wins in [0, 1, 1, 2, 1, 0, 1] {
            payoffs.add(12 * wins);
        }
        let estimate = Estimate::new(contest, payoffs, 7).unwrap();
        let (score, error) = (estimate.score(), estimate.error().unwrap());
        let slope =
            (contest.elo(score + 1e-6).unwrap() - contest.elo(score - 1e-6).unwrap()) / 2e-6;
        close(estimate.elo_error().unwrap(), slope * error, 1e-5, "error");
        // sd of 0, 1, 1, 2, 1, 0, 1 is 0.690066.
        close(estimate.sd().unwrap(), 0.690_066 / f64::from(seats), 1e-6, "sd");
    }
}

#[test]
fn normalized_elo_and_elo_agree_for_two_without_draws() {
    // Independent games of a bot 5 Elo better: blocks 0, 1, 2 with binomial shares.
    let contest = Contest::rotations(2).unwrap();
    let s = contest.score(5.0);
    let n = 1e9;
    let counts = [n * (1.0 - s) * (1.0 - s), n * 2.0 * s * (1.0 - s), n * s * s];
    let mut payoffs = BlockSum::default();
    let mut blocks = 0;
    for (wins, count) in counts.into_iter().enumerate() {
        let count = count.round() as u64;
        payoffs.sum += 12 * wins as u64 * count;
        payoffs.squares += 144 * (wins * wins) as u128 * u128::from(count);
        blocks += count;
    }
    let estimate = Estimate::new(contest, payoffs, blocks).unwrap();
    close(estimate.elo().unwrap(), 5.0, 1e-4, "Elo");
    close(estimate.nelo().unwrap(), 5.0, 1e-2, "nElo");
    close(estimate.elo_error().unwrap(), estimate.nelo_error().unwrap(), 1e-5, "errors");
}

#[test]
fn a_bot_that_won_all_or_nothing_has_a_bound_only() {
    let contest = Contest::rotations(3).unwrap();
    let none = Estimate::new(contest, BlockSum::default(), 100).unwrap();
    assert_eq!((none.elo(), none.elo_error(), none.los(), none.nelo()), (None, None, None, None));
    close(none.elo_bound().unwrap(), contest.elo(0.029_513).unwrap(), 0.01, "at most");
    let mut all = BlockSum::default();
    (0..100).for_each(|_| all.add(36));
    let all = Estimate::new(contest, all, 100).unwrap();
    assert_eq!((all.score(), all.elo(), all.los()), (1.0, None, None));
    close(all.elo_bound().unwrap(), contest.elo(1.0 - 0.029_513).unwrap(), 0.01, "at least");
    // An ordinary score has no bound, one block no error, no block nothing.
    let mut one = BlockSum::default();
    one.add(12);
    let one_block = Estimate::new(contest, one, 1).unwrap();
    close(one_block.elo().unwrap(), 0.0, 1e-9, "equal");
    assert_eq!(one_block.elo_bound(), None);
    assert_eq!((one_block.elo_error(), one_block.los()), (None, None));
    assert!(Estimate::new(contest, one, 0).is_none());
}

#[test]
fn estimates_take_what_a_tournament_counts() {
    let bots = ["easy", "random", "random"].map(String::from);
    let rules = Rules::lhasa();
    let experiment =
        Experiment::lineup::<Sho>(rules, &bots, Schedule::Rotations, 5, Amount::Blocks(50))
            .unwrap();
    let tally = run::<Sho>(&experiment, 1, &()).unwrap().tally;
    let result = TournamentResult::new::<Sho>(&experiment, &tally);
    for (held, bot) in [1, 2].into_iter().zip(0..) {
        let contest = Contest::new(3, held, 3).unwrap();
        let estimate = Estimate::new(contest, tally.payoffs.bot(bot), tally.blocks).unwrap();
        close(estimate.score(), result.bots[bot].score, 1e-6, "score");
        close(estimate.error().unwrap(), result.bots[bot].score_se.unwrap(), 1e-6, "error");
    }
}

// ---- the sequential test ----

fn pentanomial(counts: [u64; 5]) -> Outcomes {
    let mut outcomes = Outcomes::with_support(4, [0, 1, 2, 3, 4]);
    for (value, count) in counts.into_iter().enumerate() {
        outcomes.add_many(value as u32, count);
    }
    outcomes
}

#[test]
fn likelihood_ratios_of_known_matches() {
    // Matches of chess programs in pairs of games, with the ratios that their public test framework gave.
    let contest = Contest::rotations(2).unwrap();
    for (counts, bounds, llr, verdict) in [
        (
            [871, 26175, 55983, 26678, 821],
            Bounds::Logistic { low: 0.0, high: 2.0 },
            -4.979,
            Verdict::H0,
        ),
        (
            [223, 9863, 21279, 10037, 246],
            Bounds::Logistic { low: 0.5, high: 2.5 },
            -3.074,
            Verdict::H0,
        ),
        (
            [365, 16618, 36229, 16974, 390],
            Bounds::Normalized { low: 0.0, high: 2.0 },
            2.250,
            Verdict::Undecided,
        ),
    ] {
        let test = Sprt::new(contest, bounds, 0.05, 0.05).unwrap();
        let found = test.llr(&pentanomial(counts)).unwrap();
        close(found, llr, 5e-4, "LLR");
        assert_eq!(test.verdict(found), verdict);
    }
    let test = Sprt::new(contest, Bounds::Logistic { low: 0.0, high: 2.0 }, 0.05, 0.05).unwrap();
    close(test.wald().0, -2.944, 5e-4, "Wald");
    close(test.wald().1, 2.944, 5e-4, "Wald");
}

#[test]
fn likelihood_ratios_agree_with_a_general_maximizer() {
    for case in testdata("sprt.json").as_array().unwrap() {
        let int = |key: &str| case[key].as_u64().unwrap() as u32;
        let [low, high] = ["low", "high"].map(|key| case[key].as_f64().unwrap());
        let bounds = match case["kind"].as_str().unwrap() {
            "logistic" => Bounds::Logistic { low, high },
            _ => Bounds::Normalized { low, high },
        };
        let contest = Contest::new(int("seats"), int("held"), int("games")).unwrap();
        let test = Sprt::new(contest, bounds, 0.05, 0.05).unwrap();
        let mut outcomes = Outcomes::new(contest);
        for (wins, count) in numbers(&case["counts"]).into_iter().enumerate() {
            outcomes.add_many(12 * wins as u32, count as u64);
        }
        let llr = case["llr"].as_f64().unwrap();
        close(test.llr(&outcomes).unwrap(), llr, 1e-5 * llr.abs(), &case.to_string());
    }
}

#[test]
fn tests_that_make_no_sense_are_refused() {
    let contest = Contest::rotations(3).unwrap();
    let bounds = |low, high| Bounds::Logistic { low, high };
    for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY)] {
        let error = Sprt::new(contest, bounds(low, high), 0.05, 0.05).unwrap_err();
        assert!(matches!(error, SprtError::Bounds { .. }));
    }
    for (alpha, beta) in [(0.0, 0.1), (0.5, 0.5), (0.1, f64::NAN)] {
        let error = Sprt::new(contest, bounds(0.0, 1.0), alpha, beta).unwrap_err();
        assert!(matches!(error, SprtError::Rates { .. }));
    }
    // A normalized effect that no distribution of these outcomes comes near.
    let far = Bounds::Normalized { low: 0.0, high: 50_000.0 };
    let test = Sprt::new(contest, far, 0.05, 0.05).unwrap();
    let mut outcomes = Outcomes::new(contest);
    outcomes.add_many(12, 100);
    assert_eq!(test.llr(&outcomes), None);
}

/// The payoff of a block in twelfths: `seats` games of a bot that wins each with probability `score` on average, more
/// in some seats, and in some blocks more than in others.
fn block(words: &mut Stream, seats: u32, score: f64) -> u32 {
    let luck = if words.below(2) == 0 { 0.7 } else { 1.3 };
    (0..seats)
        .map(|seat| {
            let advantage = 1.0 + 0.2 * (f64::from(seat) - f64::from(seats - 1) / 2.0);
            12 * u32::from(uniform(words) < score * luck * advantage)
        })
        .sum()
}

/// The standard deviation of the score of such a block.
fn deviation(seats: u32, score: f64) -> f64 {
    let mut words = Stream::new(u64::from(seats), "test/sprt", u64::MAX);
    let (mut sum, mut squares) = (0.0, 0.0);
    for _ in 0..200_000 {
        let value = f64::from(block(&mut words, seats, score)) / (12.0 * f64::from(seats));
        sum += value;
        squares += value * value;
    }
    ((squares - sum * sum / 200_000.0) / 199_999.0).sqrt()
}

#[test]
fn a_test_errs_at_its_rate() {
    const RUNS: u64 = 1000;
    const HIGH: f64 = 10.0;
    for seats in 2..=4 {
        let contest = Contest::rotations(seats).unwrap();
        let equal = contest.equal_score();
        let effect = HIGH / NELO_A_UNIT * f64::from(seats).sqrt() * deviation(seats, equal);
        for (bounds, high) in [
            (Bounds::Logistic { low: 0.0, high: HIGH }, contest.score(HIGH)),
            (Bounds::Normalized { low: 0.0, high: HIGH }, equal + effect),
        ] {
            let test = Sprt::new(contest, bounds, 0.05, 0.05).unwrap();
            for (score, wrong) in [(equal, Verdict::H1), (high, Verdict::H0)] {
                let (mut errors, mut blocks) = (0, 0);
                for number in 0..RUNS {
                    let mut words = Stream::new(u64::from(seats), "test/sprt", number);
                    let mut run = SprtRun::new(test);
                    while run.verdict() == Verdict::Undecided {
                        run.add(block(&mut words, seats, score));
                        assert!(run.blocks() < 100_000, "no end");
                    }
                    errors += u64::from(run.verdict() == wrong);
                    blocks += run.blocks();
                }
                println!(
                    "{seats} seats, {bounds:?}, {wrong:?} wrong: {errors} of {RUNS}, {} blocks on average",
                    blocks / RUNS
                );
                // At most 5 % of 1000 runs, and three standard errors. Less is to be expected: at a check the ratio is
                // beyond a bound by something like half of what it moves from check to check.
                assert!(
                    (25..=70).contains(&errors),
                    "{seats} seats, {bounds:?}, {wrong:?} was wrong {errors} times of {RUNS}"
                );
            }
        }
    }
}

#[test]
fn a_verdict_does_not_depend_on_how_blocks_come_in() {
    let contest = Contest::rotations(3).unwrap();
    let bounds = Bounds::Logistic { low: 0.0, high: 60.0 };
    let test = Sprt::new(contest, bounds, 0.05, 0.05).unwrap();
    let mut words = Stream::new(1, "test/sprt", 0);
    let blocks: Vec<u32> = (0..4000).map(|_| block(&mut words, 3, 0.36)).collect();
    let mut single = SprtRun::new(test);
    blocks.iter().for_each(|&value| {
        single.add(value);
    });
    assert_ne!(single.verdict(), Verdict::Undecided);
    assert!(single.blocks().is_multiple_of(CHECK_EVERY) && single.blocks() < 4000);
    for size in [16, 32, 64] {
        let mut counted = SprtRun::new(test);
        for chunk in blocks.chunks(size) {
            let mut outcomes = Outcomes::new(contest);
            chunk.iter().for_each(|&value| outcomes.add(value));
            counted.add_counted(&outcomes).unwrap();
        }
        assert_eq!(counted, single);
    }
    let mut outcomes = Outcomes::new(contest);
    outcomes.add_many(12, 65);
    let error = SprtRun::new(test).add_counted(&outcomes).unwrap_err();
    assert_eq!(error.to_string(), "65 blocks at once, and the next check is due after 64");
    // Between checks there is no verdict, however clear the case.
    let mut sure = SprtRun::new(test);
    for number in 1..=CHECK_EVERY {
        let verdict = sure.add(36);
        assert_eq!(verdict != Verdict::Undecided, number == CHECK_EVERY);
    }
}

// ---- ratings ----

/// The sums of blocks that are written as in `ratings.json`.
fn sums_of(design: &Design, lineups: &[Vec<usize>], blocks: &[&str]) -> PayoffSums {
    let seats = lineups[0].len();
    let (mut block, mut sums) = (BlockPayoffs::new(design), PayoffSums::new(design));
    for text in blocks {
        for (game, letter) in text.bytes().enumerate() {
            let payoffs: Vec<u32> = (0..seats)
                .map(|seat| match letter {
                    b'=' => 12 / seats as u32,
                    winner => 12 * u32::from(usize::from(winner - b'A') == seat),
                })
                .collect();
            block.game(design, game / seats, game % seats, &payoffs);
        }
        sums.add(design, &mut block);
    }
    sums
}

struct Case<'a> {
    name: &'a str,
    bots: usize,
    lineups: Vec<Vec<usize>>,
    design: Design,
    blocks: Vec<&'a str>,
}

impl<'a> Case<'a> {
    fn of(case: &'a Value) -> Self {
        let lineups: Vec<Vec<usize>> = serde_json::from_value(case["lineups"].clone()).unwrap();
        let bots = case["bots"].as_u64().unwrap() as usize;
        let seatings = Schedule::Rotations.seatings(lineups[0].len());
        Self {
            name: case["name"].as_str().unwrap(),
            bots,
            design: Design::new(bots, &lineups, &seatings),
            lineups,
            blocks: case["blocks"]
                .as_array()
                .unwrap()
                .iter()
                .map(|b| b.as_str().unwrap())
                .collect(),
        }
    }

    fn sums(&self) -> PayoffSums {
        sums_of(&self.design, &self.lineups, &self.blocks)
    }

    /// Log-worths relative to the first bot with their standard errors, then seat terms with theirs.
    fn relative(&self, fit: &Fit) -> Vec<(f64, f64)> {
        let bots = (1..self.bots).map(|bot| fit.elo_difference(bot, 0));
        let seats = (1..).map_while(|seat| fit.seat_elo(seat));
        bots.chain(seats).map(|(elo, error)| (elo / ELO_A_LOG, error / ELO_A_LOG)).collect()
    }
}

#[test]
fn ratings_agree_with_choix() {
    for case in testdata("ratings.json").as_array().unwrap() {
        if case["choix"].is_null() {
            continue;
        }
        let (setting, oracle) = (Case::of(case), &case["choix"]);
        // choix subtracts alpha times the squares, this half the ridge times them.
        let ridge = 2.0 * oracle["alpha"].as_f64().unwrap();
        let fit = fit(&setting.design, &setting.sums(), SeatTerms::None, ridge).unwrap();
        for (found, expected) in fit.worths().iter().zip(numbers(&oracle["worths"])) {
            close(*found, expected, 1e-7, setting.name);
        }
        assert!(fit.finite() && fit.seat_terms().is_empty());
    }
}

#[test]
fn ratings_and_errors_agree_with_statsmodels_and_scipy() {
    for case in testdata("ratings.json").as_array().unwrap() {
        let setting = Case::of(case);
        let ridge = case["ridge"].as_f64().unwrap().max(1e-9);
        let blocks = setting.blocks.len() as f64;
        let sums = setting.sums();
        let fit = fit(&setting.design, &sums, SeatTerms::Fitted, ridge).unwrap();
        let found = setting.relative(&fit);
        for oracle in ["direct", "statsmodels"] {
            let oracle = &case[oracle];
            if oracle.is_null() {
                continue;
            }
            let parameters = numbers(&oracle["parameters"]);
            assert_eq!(parameters.len(), found.len());
            for (i, (&(value, error), expected)) in found.iter().zip(parameters).enumerate() {
                close(value, expected, 1e-6, setting.name);
                // They do not correct for few blocks.
                let variance = oracle["covariance"][i][i].as_f64().unwrap();
                let corrected = (variance * blocks / (blocks - 1.0)).sqrt();
                close(error, corrected, 1e-5 * corrected, setting.name);
            }
        }
        let goodness = fit.goodness(&setting.design, &sums);
        let pearson = case["direct"]["pearson"].as_f64().unwrap();
        close(goodness.statistic, pearson, 1e-5 * pearson, setting.name);
        // Two more bots of the matrix than those relative to the first.
        let matrix = fit.elo_differences();
        let (there, back) = (matrix[1][2], matrix[2][1]);
        assert_eq!((there.0, there.1, matrix[1][1]), (-back.0, back.1, (0.0, 0.0)));
        close(there.0, matrix[1][0].0 - matrix[2][0].0, 1e-9, "differences");
    }
}

#[test]
fn sums_merge_in_any_order() {
    let data = testdata("ratings.json");
    let setting = Case::of(&data[3]);
    let whole = setting.sums();
    let parts: Vec<PayoffSums> =
        [&setting.blocks[..7], &setting.blocks[7..30], &setting.blocks[30..]]
            .map(|blocks| sums_of(&setting.design, &setting.lineups, blocks))
            .into();
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let mut merged = PayoffSums::new(&setting.design);
        order.iter().for_each(|&part| merged.merge(&parts[part]));
        assert_eq!(merged, whole);
    }
    let text = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<PayoffSums>(&text).unwrap(), whole);
}

#[test]
fn ratings_that_cannot_be_are_refused() {
    let rotations = Schedule::Rotations.seatings(2);
    let lineups = [vec![0, 1], vec![2, 3]];
    let apart = Design::new(4, &lineups, &rotations);
    let sums = sums_of(&apart, &lineups, &["ABAB", "BBAA"]);
    let error = fit(&apart, &sums, SeatTerms::Fitted, RIDGE).unwrap_err();
    assert_eq!(error, FitError::Apart { first: 0, other: 2 });

    let lineups = [vec![0, 1]];
    let fixed = Design::new(2, &lineups, &Schedule::Fixed.seatings(2));
    let (mut block, mut sums) = (BlockPayoffs::new(&fixed), PayoffSums::new(&fixed));
    for payoffs in [[12, 0], [0, 12], [12, 0]] {
        block.game(&fixed, 0, 0, &payoffs);
        sums.add(&fixed, &mut block);
    }
    assert_eq!(fit(&fixed, &sums, SeatTerms::Fitted, RIDGE).unwrap_err(), FitError::Confounded);
    // Two of three games.
    let plain = fit(&fixed, &sums, SeatTerms::None, RIDGE).unwrap();
    close(plain.elo_difference(0, 1).0, 400.0 * 2f64.log10(), 0.1, "2 : 1");
    assert_eq!(plain.goodness(&fixed, &sums).freedom, 0);
    assert_eq!(plain.goodness(&fixed, &sums).p_value(), None);

    let none = PayoffSums::new(&fixed);
    assert_eq!(fit(&fixed, &none, SeatTerms::None, RIDGE).unwrap_err(), FitError::Blocks(0));
}

#[test]
fn a_bot_that_won_nothing_stays_finite_and_is_said_to() {
    let lineups = [vec![0, 1], vec![0, 2], vec![1, 2]];
    let design = Design::new(3, &lineups, &Schedule::Rotations.seatings(2));
    // Bots 0 and 1 share their games, and win all against bot 2, who stands second in each line-up.
    let blocks: Vec<&str> =
        (0..500).map(|n| if n % 2 == 0 { "AAABAB" } else { "BBABAB" }).collect();
    let sums = sums_of(&design, &lineups, &blocks);
    let ratings = fit(&design, &sums, SeatTerms::Fitted, RIDGE).unwrap();
    assert!(!ratings.finite());
    close(ratings.elo_difference(0, 1).0, 0.0, 1e-6, "equals");
    let behind = ratings.elo_difference(0, 2).0;
    assert!((1500.0..5000.0).contains(&behind), "{behind}");
    // One win is enough.
    let mut blocks = blocks;
    blocks[0] = "AABBAB";
    let sums = sums_of(&design, &lineups, &blocks);
    assert!(fit(&design, &sums, SeatTerms::Fitted, RIDGE).unwrap().finite());
}

/// The sums of simulated blocks in which the model is true for every game, and games of a block depend on one another:
/// half of them are decided by the same number.
fn simulated(
    design: &Design,
    tables: &[Vec<usize>],
    worths: &[f64],
    terms: &[f64],
    number: u64,
) -> PayoffSums {
    let mut words = Stream::new(11, "test/ratings", number);
    let (mut block, mut sums) = (BlockPayoffs::new(design), PayoffSums::new(design));
    let seats = terms.len();
    for _ in 0..200 {
        let common = uniform(&mut words);
        for (game, table) in tables.iter().enumerate() {
            let worth = |seat: usize| (worths[table[seat]] + terms[seat]).exp();
            let whole: f64 = (0..seats).map(worth).sum();
            let mut left = if words.below(2) == 0 { common } else { uniform(&mut words) } * whole;
            let winner = (0..seats - 1)
                .find(|&seat| {
                    left -= worth(seat);
                    left < 0.0
                })
                .unwrap_or(seats - 1);
            let payoffs: Vec<u32> = (0..seats).map(|seat| 12 * u32::from(seat == winner)).collect();
            block.game(design, game / seats, game % seats, &payoffs);
        }
        sums.add(design, &mut block);
    }
    sums
}

#[test]
fn intervals_of_ratings_cover_and_goodness_has_its_mean() {
    const RUNS: u64 = 400;
    for (lineups, worths, terms) in [
        (
            vec![vec![0, 1], vec![0, 2], vec![0, 3], vec![1, 2], vec![1, 3], vec![2, 3]],
            vec![0.5, 0.2, -0.1, -0.6],
            vec![0.0, -0.4],
        ),
        (
            vec![vec![0, 1, 2], vec![0, 1, 3], vec![0, 2, 3], vec![1, 2, 3]],
            vec![0.5, 0.2, -0.1, -0.6],
            vec![0.0, -0.2, -0.5],
        ),
    ] {
        let seats = terms.len();
        let seatings = Schedule::Rotations.seatings(seats);
        let design = Design::new(4, &lineups, &seatings);
        let tables: Vec<Vec<usize>> = lineups
            .iter()
            .flat_map(|lineup: &Vec<usize>| {
                (0..seats).map(move |p| (0..seats).map(|s| lineup[(s + p) % seats]).collect())
            })
            .collect();
        let (mut covered, mut statistics, mut means, mut small) = (0, 0.0, 0.0, 0);
        let mut freedom = 0;
        for number in 0..RUNS {
            let sums = simulated(&design, &tables, &worths, &terms, number);
            let fit = fit(&design, &sums, SeatTerms::Fitted, RIDGE).unwrap();
            let (elo, error) = fit.elo_difference(0, 3);
            covered += u64::from((elo / ELO_A_LOG - 1.1).abs() < 1.97 * error / ELO_A_LOG);
            let (elo, error) = fit.seat_elo(1).unwrap();
            covered += u64::from((elo / ELO_A_LOG - terms[1]).abs() < 1.97 * error / ELO_A_LOG);
            let goodness = fit.goodness(&design, &sums);
            statistics += goodness.statistic / RUNS as f64;
            means += goodness.mean / RUNS as f64;
            small += u64::from(goodness.p_value().unwrap() < 0.05);
            freedom = goodness.freedom;
        }
        println!(
            "{seats} seats: {covered} of {} covered; statistic {statistics:.3}, mean {means:.3}, \
             freedom {freedom}; {small} p-values below 0.05",
            2 * RUNS
        );
        // 95 % of 800, three standard errors (of 0.77 %) either side.
        assert!((741..=779).contains(&covered), "{seats} seats: {covered} of 800 covered");
        close(statistics / means, 1.0, 0.1, "mean of the statistic");
        assert!((8..=40).contains(&small), "{small} of 400 p-values below 0.05");
    }
}

#[test]
fn goodness_tells_whether_one_among_others_and_others_round_one_agree() {
    const RUNS: u64 = 400;
    let lineups = [vec![0, 1, 1], vec![1, 0, 0]];
    let seatings = Schedule::Rotations.seatings(3);
    let design = Design::new(2, &lineups, &seatings);
    // Bot 2 is bot 0 in the second line-up: as strong as in the first, or not.
    let tables: Vec<Vec<usize>> = [[0, 1, 1], [1, 2, 2]]
        .iter()
        .flat_map(|lineup| (0..3).map(move |p| (0..3).map(|s| lineup[(s + p) % 3]).collect()))
        .collect();
    let mut small = [0, 0];
    for (small, second) in small.iter_mut().zip([0.4, 0.0]) {
        for number in 0..RUNS {
            let sums = simulated(&design, &tables, &[0.4, 0.0, second], &[0.0, -0.2, -0.5], number);
            let fit = fit(&design, &sums, SeatTerms::Fitted, RIDGE).unwrap();
            let goodness = fit.goodness(&design, &sums);
            assert_eq!(goodness.freedom, 1);
            *small += u64::from(goodness.p_value().unwrap() < 0.05);
        }
    }
    println!("{small:?} of {RUNS} p-values below 0.05");
    // 5 % of 400, three standard errors (of 1.1 %) either side.
    assert!((7..=33).contains(&small[0]), "{small:?}");
    assert!(small[1] > RUNS / 2, "{small:?}");
}

// ---- watching a run ----

#[test]
fn a_confidence_sequence_holds_at_all_looks_and_an_interval_does_not() {
    const RUNS: u64 = 2000;
    const BLOCKS: u64 = 3000;
    let first = confidence_sequence::FIRST_LOOK;
    let widths: Vec<f64> = (0..=BLOCKS)
        .map(|n| confidence_sequence::half_width(1.0, n, BLOCKS, 0.05).unwrap_or(f64::INFINITY))
        .collect();
    let (mut sequence, mut ordinary) = (0, 0);
    for number in 0..RUNS {
        let mut words = Stream::new(3, "test/watch", number);
        // Blocks of three games with 0 to 3 wins, each with probability 1/3 on average.
        let (mut sum, mut squares) = (0.0, 0.0);
        let (mut missed, mut ordinary_missed) = (false, false);
        for n in 1..=BLOCKS {
            let value = f64::from((0..3).map(|_| u32::from(words.below(3) == 0)).sum::<u32>());
            sum += value;
            squares += value * value;
            if n >= first {
                let count = n as f64;
                let mean = sum / count;
                let sd = ((squares - count * mean * mean) / (count - 1.0)).sqrt();
                missed |= (mean - 1.0).abs() > sd * widths[n as usize];
                ordinary_missed |= (mean - 1.0).abs() > 1.96 * sd / count.sqrt();
            }
        }
        sequence += u64::from(missed);
        ordinary += u64::from(ordinary_missed);
    }
    println!("{sequence} and {ordinary} of {RUNS} missed at some look");
    assert!((20..=115).contains(&sequence), "{sequence} of {RUNS} missed at some look");
    assert!(ordinary > RUNS / 4, "{ordinary} of {RUNS}");
    // Narrower in proportion near the planned end than far from it.
    let at = |n: u64| widths[n as usize] * (n as f64).sqrt();
    assert!(at(BLOCKS) < at(64) && at(BLOCKS) < at(300));
    assert_eq!(confidence_sequence::half_width(1.0, 1, 100, 0.05), None);
}

// ---- quantiles, shares, comparison ----

#[test]
fn ranks_agree_with_published_tables() {
    // Of the median, 95 %: as in tables of the sign test.
    for (n, low, high) in
        [(6, 1, 6), (10, 2, 9), (15, 4, 12), (20, 6, 15), (50, 18, 33), (100, 40, 61)]
    {
        assert_eq!(ranks(n, 0.5, 0.05), Ranks { low: Some(low), high: Some(high) });
    }
    // It takes 59 values to see one of the highest 5 % with 95 %.
    assert_eq!(ranks(58, 0.95, 0.1).high, None);
    assert_eq!(ranks(59, 0.95, 0.1).high, Some(59));
    assert_eq!(ranks(0, 0.5, 0.05), Ranks { low: None, high: None });
    // Many values: mean and standard deviation of the binomial distribution.
    let many = ranks(100_000_000, 0.95, 0.05);
    close(many.low.unwrap() as f64, 95e6 - 1.96 * 2179.45, 3.0, "low");
    close(many.high.unwrap() as f64, 95e6 + 1.96 * 2179.45, 3.0, "high");
}

#[test]
fn intervals_of_quantiles_cover() {
    // Lengths 1, 2, ... of a geometric distribution with parameter 1/20: q95 is 59, median 14.
    for (q, truth) in [(0.5, 14), (0.95, 59)] {
        let mut covered = 0;
        for number in 0..1000 {
            let mut words = Stream::new(5, "test/quantile", number);
            let mut lengths = Histogram::default();
            for _ in 0..200 {
                let mut length = 1;
                while words.below(20) != 0 {
                    length += 1;
                }
                lengths.add(length);
            }
            let (low, high) = interval(&lengths, q, 0.05);
            covered += u64::from(low.unwrap() <= truth && truth <= high.unwrap());
        }
        assert!((940..=995).contains(&covered), "{q}: {covered} of 1000");
    }
    assert_eq!(interval(&Histogram::default(), 0.5, 0.05), (None, None));
}

#[test]
fn at_most_three_in_n() {
    for n in [1, 10, 1000, 1_000_000_000] {
        let bound = at_most(n, 0.05).unwrap();
        assert!(bound < 3.0 / n as f64);
        // None of n with 5 %.
        close((1.0 - bound).powf(n as f64), 0.05, 1e-6, "none");
    }
    assert_eq!(at_most(0, 0.05), None);
}

#[test]
fn comparison_of_two_histograms_counts_all_pairs() {
    let mut words = Stream::new(1, "test/pairs", 0);
    for _ in 0..50 {
        let mut draw = |n: u32| -> Vec<u32> { (0..n).map(|_| words.below(12)).collect() };
        let (x, y) = (draw(17), draw(9));
        let pairs: f64 = x
            .iter()
            .flat_map(|a| y.iter().map(move |b| f64::from(a < b) + 0.5 * f64::from(a == b)))
            .sum();
        let histogram = |values: &[u32]| {
            let mut histogram = Histogram::default();
            values.iter().for_each(|&value| histogram.add(value));
            histogram
        };
        let (x, y) = (histogram(&x), histogram(&y));
        close(less_or_tied(&x, &y).unwrap(), pairs / 153.0, 1e-12, "pairs");
        close(less_or_tied(&y, &x).unwrap(), 1.0 - pairs / 153.0, 1e-12, "other way");
    }
    assert_eq!(less_or_tied(&Histogram::default(), &Histogram::default()), None);
}

/// Where the values of a block pull apart as far as they can, its interval has the truth inside 95 times of 100, and where
/// they are the same always: the error is never too small.
#[test]
fn the_error_of_a_comparison_is_never_too_small() {
    let covered = |apart: bool| {
        let mut hits = 0;
        for number in 0..1000 {
            let mut words = Stream::new(3, "test/places", number);
            let (mut x, mut y) = (Histogram::default(), Histogram::default());
            for _ in 0..100 {
                let value = words.below(1000);
                x.add(value);
                y.add(if apart { 999 - value } else { value });
            }
            let found = less_or_tied(&x, &y).unwrap();
            let width = half_width(less_or_tied_error(&x, &y, 100).unwrap(), 100).unwrap();
            hits += u32::from((found - 0.5).abs() <= width);
        }
        hits
    };
    // Three standard errors of 1000 trials are 21.
    assert!((929..=971).contains(&covered(true)), "{}", covered(true));
    assert_eq!(covered(false), 1000);

    let (mut low, mut high) = (Histogram::default(), Histogram::default());
    (1..=2).for_each(|value| low.add(value));
    (3..=4).for_each(|value| high.add(value));
    assert_eq!(less_or_tied_error(&low, &high, 2), Some(0.0));
    assert_eq!(less_or_tied_error(&low, &high, 1), None);
    assert_eq!(less_or_tied_error(&low, &Histogram::default(), 2), None);
}

// ---- the bootstrap ----

#[test]
fn bootstrap_sums_merge_and_replicates_are_pinned() {
    let mut words = Stream::new(2, "test/boot", 0);
    let blocks: Vec<[i64; 2]> =
        (0..1000).map(|_| [i64::from(words.below(50)) - 10, i64::from(words.below(3))]).collect();
    let sums_of = |range: std::ops::Range<usize>| {
        let mut sums = GroupSums::new(2);
        range.for_each(|block| sums.add(block as u64, &blocks[block]));
        sums
    };
    let whole = sums_of(0..1000);
    let mut merged = sums_of(300..1000);
    merged.merge(&sums_of(0..300));
    assert_eq!(merged, whole);
    let totals = whole.totals();
    assert_eq!(totals[0], 1000);
    assert_eq!(totals[1], blocks.iter().map(|block| i128::from(block[0])).sum::<i128>());
    let mean = |sums: &[i128]| sums[1] as f64 / sums[0] as f64;
    let replicates = whole.replicates(1, 5, mean);
    assert_eq!(replicates, whole.replicates(1, 9, mean)[..5]);
    assert_ne!(replicates, whole.replicates(2, 5, mean));
    // Counted piece by piece it is the same.
    let mut pieces = GroupSums::new(2);
    for (block, values) in blocks.iter().enumerate() {
        pieces.add(block as u64, &[0, 0]);
        pieces.add_to(block as u64, 0, values[0]);
        pieces.add_to(block as u64, 1, values[1]);
    }
    assert_eq!(pieces, whole);
}

#[test]
fn bootstrap_intervals_agree_with_those_from_blocks() {
    let mut words = Stream::new(2, "test/boot", 1);
    let (mut sums, mut payoffs) = (GroupSums::new(1), BlockSum::default());
    for block in 0..20_000 {
        let value = u64::from(words.below(4)) + 4 * u64::from(words.below(10) == 0);
        sums.add(block, &[value as i64]);
        payoffs.add(value);
    }
    let mean = |sums: &[i128]| sums[1] as f64 / sums[0] as f64;
    let (low, high) = sums.interval(1, REPLICATES, 0.05, mean).unwrap();
    let error = payoffs.standard_error(20_000).unwrap();
    close((high - low) / 2.0, 1.96 * error, 0.12 * error, "width");
    close((high + low) / 2.0, sums.value(mean), 0.15 * error, "middle");
    // Too few blocks, too few replicates, no number.
    let mut one = GroupSums::new(1);
    one.add(7, &[1]);
    one.add(7 + 256, &[2]);
    assert_eq!(one.interval(1, 99, 0.05, mean), None);
    assert_eq!(sums.interval(1, 19, 0.05, mean), None);
    assert_eq!(sums.interval(1, 99, 0.05, |_| f64::NAN), None);
    assert!(GroupSums::new(1).replicates(1, 3, mean).is_empty());
}

#[test]
fn bootstrap_intervals_cover() {
    // A ratio of two sums whose blocks go together.
    let mut covered = 0;
    for number in 0..300 {
        let mut words = Stream::new(7, "test/boot", number);
        let mut sums = GroupSums::new(2);
        for block in 0..500 {
            let games = 1 + i64::from(words.below(4));
            let won = (0..games).filter(|_| words.below(5) == 0).count() as i64;
            sums.add(block, &[won, games]);
        }
        let ratio = |sums: &[i128]| sums[1] as f64 / sums[2] as f64;
        let (low, high) = sums.interval(number, 399, 0.05, ratio).unwrap();
        covered += u64::from(low <= 0.2 && 0.2 <= high);
    }
    // 95 % of 300, three standard errors (of 1.3 %) either side.
    assert!((273..=296).contains(&covered), "{covered} of 300");
}
