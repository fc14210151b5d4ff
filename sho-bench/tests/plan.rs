//! Plans: what they are made of, against results of the same blocks; whether what they foretell comes true.

use std::sync::atomic::{AtomicU64, Ordering};

use sho_bench::folder::{Plan, StudyPlan};
use sho_bench::plan::{
    Goal, GoalError, LEAST_BLOCKS, Pilot, PlanError, PlanResult, Precision, Proposed, study_pilot,
    tournament_pilot, usual_pilot,
};
use sho_bench::stats::blocks_needed::blocks_needed;
use sho_bench::stats::interval::half_width;
use sho_bench::stats::spread::Spread;
use sho_bench::study::{Design, Study, StudyResult, run_study};
use sho_bench::{
    Amount, Blocks, Entrant, Experiment, Lineups, MetricsTier, Schedule, TournamentResult, Watcher,
    run,
};
use sho_core::Stream;
use sho_core::sho::{Rules, Sho, plain};
use sho_core::sholo_guti::{self, SholoGuti};

/// A small board, so that games are quick.
fn small(sides: u8) -> Rules {
    let mut rules = Rules::lhasa();
    (rules.sides, rules.shells, rules.coins) = (sides, 24, 4);
    rules
}

fn texts(bots: &[&str]) -> Vec<String> {
    bots.iter().map(ToString::to_string).collect()
}

fn tournament(sides: u8, bots: &[&str], lineups: Lineups, blocks: u64) -> Experiment<Rules> {
    let (rules, amount) = (small(sides), Amount::Blocks(blocks));
    let schedule = Schedule::Rotations;
    Experiment::pool::<Sho>(rules, &texts(bots), lineups, schedule, 5, amount).unwrap()
}

fn study(vary: &str, design: Design, bots: &[&str], blocks: u64) -> Study<Rules> {
    let vary = [vary.to_owned()];
    Study::new::<Sho>(small(2), &vary, design, &texts(bots), 5, blocks).unwrap()
}

fn precision(text: &str) -> Precision {
    text.parse().unwrap()
}

fn effect(text: &str, measure: &str, study: &Study<Rules>) -> Goal {
    Goal::effect::<Sho>(&precision(text), Some(measure), study).unwrap()
}

fn plan_of(experiment: &Experiment<Rules>, goal: &Goal) -> PlanResult<Rules> {
    let pilot = tournament_pilot::<Sho>(experiment, 2, &()).unwrap();
    PlanResult::tournament::<Sho>(experiment, goal, &pilot).unwrap()
}

fn plan_of_study(study: &Study<Rules>, goal: &Goal) -> PlanResult<Rules> {
    let pilot = study_pilot::<Sho>(study, goal, 2, &()).unwrap();
    PlanResult::study::<Sho>(study, goal, &pilot).unwrap()
}

fn played(experiment: &Experiment<Rules>) -> TournamentResult<Rules> {
    let tally = run::<Sho>(experiment, 2, &()).unwrap().tally;
    TournamentResult::new::<Sho>(experiment, &tally)
}

fn studied(study: &Study<Rules>) -> StudyResult<Rules> {
    StudyResult::new::<Sho>(study, &run_study::<Sho>(study, 2, &()).unwrap().tally)
}

#[track_caller]
fn near(found: f64, expected: f64) {
    // Documents have six digits behind the point.
    assert!((found - expected).abs() < 2e-6 * (1.0 + expected.abs()), "{found}, not {expected}");
}

/// By hand from a printed table of Student's t; the first is 7 since t of 6 degrees, 2.447, is below √7 and t of 5, 2.571,
/// above √6.
#[test]
fn blocks_needed_are_those_of_the_table_of_t() {
    for (sd, precision, blocks) in
        [(1.0, 1.0, 7), (1.0, 0.5, 18), (0.2, 0.1, 18), (15.0, 3.0, 99), (10.0, 1.0, 387)]
    {
        assert_eq!(blocks_needed(sd, precision), Some(blocks), "{sd}, {precision}");
    }
    for (sd, precision) in [(0.37, 0.001), (121.0, 0.7), (3.0, 40.0), (0.5, 1e-6), (2.0, 0.124)] {
        let blocks = blocks_needed(sd, precision).unwrap();
        let width = |blocks: u64| half_width(sd / (blocks as f64).sqrt(), blocks);
        assert!(width(blocks).unwrap() <= precision, "{sd}, {precision}: {blocks}");
        assert!(width(blocks - 1).is_none_or(|width| width > precision), "{sd}, {precision}");
    }
    assert_eq!(blocks_needed(0.0, 1.0), Some(2));
    for (sd, precision) in [(1.0, 0.0), (1.0, -1.0), (-1.0, 1.0), (f64::NAN, 1.0), (1.0, 1e-9)] {
        assert_eq!(blocks_needed(sd, precision), None, "{sd}, {precision}");
    }
}

/// The numbers come from the formula of the paper, written in Python apart from this program.
#[test]
fn intervals_of_deviations_are_those_of_the_paper() {
    let squares: Vec<i64> = (0..100).map(|i| i * i % 101).collect();
    let shares: Vec<i64> = [vec![0; 60], vec![12; 40]].concat();
    for (values, sd, low, high) in [
        (&[3, 5, 4, 6, 2, 4, 7, 1, 4, 4][..], 1.763_834_207, 1.140_500_374, 3.392_829_969),
        (&squares, 30.334_996_624, 28.249_327_413, 33.225_867_406),
        (&shares, 5.908_391_567, 5.682_466_500, 6.266_112_575),
    ] {
        let spread = Spread::of(values).unwrap();
        for (found, expected) in [(spread.sd, sd), (spread.low, low), (spread.high, high)] {
            assert!((found - expected).abs() < 1e-8, "{found}, not {expected}");
        }
    }
    assert_eq!(Spread::of(&[1, 2, 3, 4]), None);
    let same = Spread::of(&[7; 9]).unwrap();
    assert_eq!((same.mean, same.sd, same.low, same.high), (7.0, 0.0, 0.0, 0.0));
}

/// Values that are far from normal, of known deviation: the interval holds it about 95 times of 100. The textbook's, by
/// chi-square, would hold that of dice almost always, and that of the last some 75 times.
#[test]
fn intervals_of_deviations_hold_without_normal_values() {
    // The number of failures before a success of probability 1/8 has variance (7/8) / (1/8)².
    let geometric = |words: &mut Stream| (0..).find(|_| words.below(8) == 0).unwrap_or(0);
    type Draw<'a> = &'a dyn Fn(&mut Stream) -> i64;
    let cases: [(&str, f64, Draw); 3] = [
        ("one of four", 3.0 / 16.0, &|words| (words.below(4) == 0).into()),
        ("die", 35.0 / 12.0, &|words| words.below(6).into()),
        ("geometric", 56.0, &geometric),
    ];
    const TRIALS: u64 = 600;
    for (name, variance, draw) in cases {
        let truth = f64::sqrt(variance);
        let mut hits = 0;
        for trial in 0..TRIALS {
            let mut words = Stream::new(11, "sho/test", trial);
            let values: Vec<i64> = (0..256).map(|_| draw(&mut words)).collect();
            let spread = Spread::of(&values).unwrap();
            hits += u64::from(spread.low <= truth && truth <= spread.high);
        }
        let share = hits as f64 / TRIALS as f64;
        // Three standard errors of 600 trials are 0.027, and the paper itself has 0.93 for such tails.
        assert!((0.915..=0.98).contains(&share), "{name}: {share}");
    }
}

/// Means and half widths of a pilot are those that the result of the same blocks has.
#[test]
fn a_pilot_of_a_tournament_says_what_its_result_says() {
    let mut several = tournament(3, &["easy", "random", "medium"], Lineups::Gauntlet, 70);
    several.schedule = Schedule::Permutations;
    several.blocks = Blocks { from: 1000, to: 1070 };
    for experiment in [
        tournament(2, &["easy", "random"], Lineups::Given, 80),
        tournament(3, &["random", "easy", "random"], Lineups::Given, 80),
        several,
    ] {
        let plan = plan_of(&experiment, &Goal::score(&precision("3%")).unwrap());
        let result = played(&experiment);
        assert_eq!((plan.pilot, plan.pilot_games), (experiment.blocks, result.games));
        assert_eq!(plan.rows.len(), result.bots.len());
        for (row, bot) in plan.rows.iter().zip(&result.bots) {
            assert_eq!(row.name, bot.name);
            near(row.estimate.unwrap(), bot.score);
            let width = half_width(bot.score_se.unwrap(), experiment.blocks.len());
            near(row.half_width.unwrap(), width.unwrap());
        }
    }
}

/// The same of a study, for contrasts that are divided and measures that are.
#[test]
fn a_pilot_of_a_study_says_what_its_result_says() {
    let one = study("sides,join-throws,six-three=off", Design::OneAtATime, &["easy", "random"], 80);
    let mut two = study("join-throws,kill", Design::Factorial, &["easy"], 80);
    two.metrics = MetricsTier::Full;
    for (study, measures) in [
        (&one, &["throws", "minutes", "payoff_A", "payoff_C", "end_home"][..]),
        (&two, &["turns", "kills", "payoff_B"][..]),
    ] {
        let result = studied(study);
        for measure in measures {
            let goal = effect("0.5", measure, study);
            let pilot = study_pilot::<Sho>(study, &goal, 1, &()).unwrap();
            let plan = match PlanResult::study::<Sho>(study, &goal, &pilot) {
                Ok(plan) => plan,
                Err(error) => {
                    // Seat C is at no two of these tables.
                    assert_eq!(
                        (error, *measure),
                        (PlanError::Nowhere(measure.to_string()), "payoff_C")
                    );
                    continue;
                }
            };
            assert_eq!((plan.pilot_games, plan.goal.as_str()), (result.games, *measure));
            let mut rows = plan.rows.iter();
            for policy in &result.policies {
                for effect in policy.effects.iter().filter(|effect| effect.measure == *measure) {
                    let row = rows.next().unwrap();
                    assert_eq!(
                        (&row.name, row.contrast.as_ref()),
                        (&policy.name, Some(&effect.contrast))
                    );
                    near(row.estimate.unwrap(), effect.effect);
                    near(row.half_width.unwrap(), half_width(effect.se.unwrap(), 80).unwrap());
                }
            }
            assert_eq!(rows.next(), None);
        }
    }
}

/// Elo by the delta method, as the ends of the interval of the score say it where that is narrow.
#[test]
fn elo_is_planned_for() {
    let experiment = tournament(2, &["easy", "random"], Lineups::Given, 2000);
    let goal = Goal::elo(&precision("4"), &experiment).unwrap();
    let plan = plan_of(&experiment, &goal);
    let bot = &played(&experiment).bots[0];
    let (contest, width) =
        (experiment.contest(0).unwrap(), half_width(bot.score_se.unwrap(), 2000).unwrap());
    let row = &plan.rows[0];
    near(row.estimate.unwrap(), contest.elo(bot.score).unwrap());
    let ends = [bot.score + width, bot.score - width].map(|score| contest.elo(score).unwrap());
    let found = row.half_width.unwrap();
    assert!((found / ((ends[0] - ends[1]) / 2.0) - 1.0).abs() < 0.01, "{found} and {ends:?}");
    // So many times the precision, so many times squared the blocks.
    let expected = 2000.0 * (found / 4.0).powi(2);
    assert!((plan.blocks.unwrap() as f64 / expected - 1.0).abs() < 0.01, "{plan:?} {expected}");
}

/// How far the logarithm of a half width may be from what was wanted: four standard errors, of the deviation in the pilot,
/// which the plan states, and of that in the run, which is the same with other blocks.
fn tolerance(row: &sho_bench::plan::PlanRow, pilot: u64, blocks: u64) -> f64 {
    let [low, high] = row.sd_interval.unwrap();
    let error = (high / low).ln() / (2.0 * 1.96);
    4.0 * error * (1.0 + pilot as f64 / blocks as f64).sqrt()
}

/// What a plan proposes is played on other dice, and has the precision that was wanted.
#[test]
fn plans_are_kept_by_the_tournaments_they_propose() {
    for (sides, bots, lineups, wanted) in [
        (2, &["easy", "random"][..], Lineups::Given, "1.5%"),
        (3, &["easy", "random", "random"], Lineups::Given, "1.2%"),
        (2, &["random", "easy", "medium"], Lineups::All, "1.2%"),
    ] {
        let mut experiment = tournament(sides, bots, lineups, 512);
        let plan = plan_of(&experiment, &Goal::score(&precision(wanted)).unwrap());
        let blocks = plan.blocks.unwrap();
        let [low, high] = plan.blocks_interval.unwrap();
        assert!(512 < low && low < blocks && blocks < high && high < 2 * low, "{plan:?}");
        assert_eq!(plan.games, Some(blocks * experiment.games_a_block()));
        (experiment.seed, experiment.blocks) = (6, Blocks { from: 0, to: blocks });
        let result = played(&experiment);
        let decides = plan.decides.unwrap();
        for (index, (row, bot)) in plan.rows.iter().zip(&result.bots).enumerate() {
            let width = half_width(bot.score_se.unwrap(), blocks).unwrap();
            let needed = row.blocks.unwrap();
            // With more blocks than a row needs its interval is narrower by the root of that.
            let expected = plan.precision * (needed as f64 / blocks as f64).sqrt();
            let off = (width / expected).ln();
            assert!(off.abs() < tolerance(row, 512, blocks), "{}: {width}, {expected}", row.name);
            assert!(needed < blocks || index >= decides, "{plan:?}");
        }
    }
}

/// The same of studies, whose differences have long tails.
#[test]
fn plans_are_kept_by_the_studies_they_propose() {
    for (vary, design, measure, wanted) in [
        ("going-home,six-three=off", Design::OneAtATime, "throws", "1"),
        ("join-throws,kill", Design::Factorial, "throws", "1"),
        ("going-home", Design::OneAtATime, "payoff_A", "2%"),
    ] {
        let mut study = study(vary, design, &["easy", "random"], 512);
        let goal = effect(wanted, measure, &study);
        let plan = plan_of_study(&study, &goal);
        let blocks = plan.blocks.unwrap();
        (study.seed, study.blocks) = (6, Blocks { from: 0, to: blocks });
        let result = studied(&study);
        let mut looked_at = 0;
        for row in &plan.rows {
            let policy = result.policies.iter().find(|policy| policy.name == row.name).unwrap();
            let found = policy.effect(row.contrast.as_ref().unwrap(), measure).unwrap();
            let width = half_width(found.se.unwrap(), blocks).unwrap();
            let Some(needed) = row.blocks else { continue };
            let expected = plan.precision * (needed as f64 / blocks as f64).sqrt();
            let off = (width / expected).ln();
            assert!(off.abs() < tolerance(row, 512, blocks), "{row:?}: {width}, {expected}");
            looked_at += 1;
        }
        assert!(looked_at >= 2, "{plan:?}");
    }
}

/// Many short pilots of a difference with a long tail: the range of blocks has what a long run says in it 92 times of 100,
/// as that of longer pilots has 95 times. The textbook's, by chi-square, would have it 68 times.
#[test]
fn ranges_hold_what_a_long_run_says() {
    const PILOTS: u64 = 160;
    const BLOCKS: u64 = 256;
    let mut study = study("going-home", Design::OneAtATime, &["random"], PILOTS * BLOCKS);
    let goal = effect("0.5", "throws", &study);
    let all = study_pilot::<Sho>(&study, &goal, 2, &()).unwrap();
    study.blocks = Blocks { from: 1 << 20, to: (1 << 20) + 20_000 };
    let truth = plan_of_study(&study, &goal).blocks.unwrap();
    let mut hits = 0;
    for number in 0..PILOTS {
        let blocks = Blocks { from: number * BLOCKS, to: (number + 1) * BLOCKS };
        let mut pilot = Pilot { blocks, rows: all.rows.clone() };
        let values = &all.rows[0].values[blocks.from as usize..blocks.to as usize];
        pilot.rows[0].values = values.to_vec();
        let plan = PlanResult::study::<Sho>(&study, &goal, &pilot).unwrap();
        let [low, high] = plan.blocks_interval.unwrap();
        hits += u64::from((low..=high).contains(&truth));
    }
    let share = hits as f64 / PILOTS as f64;
    // Two and a half standard errors of 160 trials are 0.054.
    assert!((0.865..=0.975).contains(&share), "{share} of {PILOTS}, {truth} blocks");
}

#[test]
fn threads_and_engines_do_not_matter_and_time_is_apart() {
    let experiment = tournament(3, &["easy", "random"], Lineups::Gauntlet, 100);
    let goal = Goal::score(&precision("1%")).unwrap();
    let json = |threads: usize| {
        let pilot = tournament_pilot::<Sho>(&experiment, threads, &()).unwrap();
        let plan = PlanResult::tournament::<Sho>(&experiment, &goal, &pilot).unwrap();
        (serde_json::to_string(&plan).unwrap(), plan)
    };
    let (one, plan) = json(1);
    assert_eq!(one, json(2).0);
    let pilot = tournament_pilot::<plain::Sho>(&experiment, 2, &()).unwrap();
    let other = PlanResult::tournament::<plain::Sho>(&experiment, &goal, &pilot).unwrap();
    assert_eq!(one, serde_json::to_string(&other).unwrap());

    let timed = plan.clone().timed(2.0, 3);
    assert_eq!(timed.digest, plan.digest);
    let clock = timed.clock.unwrap();
    near(clock.seconds.unwrap(), 2.0 * plan.blocks.unwrap() as f64 / 100.0);

    let study = study("join-throws,kill", Design::Factorial, &["easy", "random"], 100);
    let goal = effect("1", "throws", &study);
    let pilots = [1, 2].map(|threads| study_pilot::<Sho>(&study, &goal, threads, &()).unwrap());
    assert_eq!(pilots[0], pilots[1]);
    assert_eq!(study_pilot::<plain::Sho>(&study, &goal, 2, &()).unwrap(), pilots[0]);
}

/// Stops after so many looks.
struct After(AtomicU64);

impl Watcher for After {
    fn stop(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 0
    }
}

/// What a pilot that was stopped says is what a shorter one would have said.
#[test]
fn a_stopped_pilot_is_a_shorter_one() {
    let mut experiment = tournament(2, &["easy", "random"], Lineups::Given, 400);
    let stopped = tournament_pilot::<Sho>(&experiment, 1, &After(AtomicU64::new(90))).unwrap();
    experiment.blocks.to = 90;
    assert_eq!(stopped, tournament_pilot::<Sho>(&experiment, 2, &()).unwrap());
    assert_eq!(stopped.rows[0].values.len(), 90);

    let mut study = study("join-throws", Design::OneAtATime, &["easy"], 400);
    let goal = effect("1", "throws", &study);
    let stopped = study_pilot::<Sho>(&study, &goal, 1, &After(AtomicU64::new(3))).unwrap();
    study.blocks = stopped.blocks;
    assert!((1..400).contains(&study.blocks.len()));
    assert_eq!(stopped, study_pilot::<Sho>(&study, &goal, 1, &()).unwrap());
}

/// What is proposed is what was asked for, with another number of blocks, and can be played as it is.
#[test]
fn proposals_are_experiments() {
    let experiment = tournament(3, &["easy", "random"], Lineups::Gauntlet, 100);
    let plan = plan_of(&experiment, &Goal::score(&precision("1%")).unwrap());
    let Some(Proposed::Tournament(run)) = plan.run else { panic!("{plan:?}") };
    let blocks = Blocks { from: 0, to: plan.blocks.unwrap() };
    assert_eq!(run.experiment::<Sho>().unwrap(), Experiment { blocks, ..experiment });
    let text = serde_json::to_string(&run).unwrap();
    assert_eq!(serde_json::from_str::<Plan<Rules>>(&text).unwrap(), *run);

    let study = study("join-throws", Design::OneAtATime, &["easy"], 100);
    let plan = plan_of_study(&study, &effect("0.1", "throws", &study));
    let Some(Proposed::Study(run)) = plan.run else { panic!("{plan:?}") };
    let blocks = Blocks { from: 0, to: plan.blocks.unwrap() };
    assert_eq!(*run, StudyPlan::new::<Sho>(&Study { blocks, ..study }, 1).unwrap());
}

#[test]
fn what_is_there_already_and_what_never_differs() {
    let experiment = tournament(2, &["easy", "random"], Lineups::Given, 200);
    let plan = plan_of(&experiment, &Goal::score(&precision("49%")).unwrap());
    assert!(plan.rows.iter().all(|row| row.reached && row.blocks < Some(LEAST_BLOCKS)), "{plan:?}");
    assert_eq!((plan.blocks, plan.blocks_interval), (Some(30), Some([30, 30])));
    // A bot alone at the table always has its share.
    let alone = tournament(2, &["easy", "easy"], Lineups::Given, 64);
    let plan = plan_of(&alone, &Goal::score(&precision("1%")).unwrap());
    assert_eq!((plan.rows[0].sd, plan.rows[0].blocks), (Some(0.0), None));
    assert_eq!((plan.decides, plan.blocks, plan.games, plan.run), (None, None, None, None));
    // A pilot that says too little, and a precision that nothing reaches.
    let short = Pilot { blocks: Blocks { from: 0, to: 63 }, rows: Vec::new() };
    let goal = Goal::score(&precision("1%")).unwrap();
    let error = PlanResult::tournament::<Sho>(&alone, &goal, &short).unwrap_err();
    assert_eq!(error, PlanError::TooFew(63));
    let pilot = tournament_pilot::<Sho>(&experiment, 2, &()).unwrap();
    let goal = Goal::score(&precision("0.0000000001")).unwrap();
    let error = PlanResult::tournament::<Sho>(&experiment, &goal, &pilot).unwrap_err();
    assert!(matches!(error, PlanError::TooMany { .. }), "{error}");
}

#[test]
fn goals_that_make_no_sense_are_refused() {
    for wrong in ["", "0", "0%", "-1", "+1", ".5", "x", "1e3", "nan", "inf", "1.2.3", "%", "٣"] {
        assert!(wrong.parse::<Precision>().is_err(), "{wrong}");
    }
    for (percent, share) in [("0.5%", "0.005"), ("0.3 %", "0.003"), ("7%", "0.07")] {
        assert_eq!(precision(percent).value(), precision(share).value());
    }
    let line = |error: GoalError| error.to_string();
    let score = |text: &str| Goal::score(&precision(text)).map_err(line);
    assert!(score("49.9%").is_ok());
    assert!(score("0.5").unwrap_err().contains("below 50 %; did you mean 0.5%?"));
    assert!(!score("50%").unwrap_err().contains("mean"));

    let two = tournament(2, &["easy", "random"], Lineups::Given, 64);
    let elo = |text: &str, experiment| Goal::elo(&precision(text), experiment).map_err(line);
    assert!(elo("2000", &two).unwrap_err().contains("below 1000"));
    assert!(elo("1%", &two).unwrap_err().contains("no share"));
    let all = tournament(2, &["easy", "random", "medium"], Lineups::All, 64);
    assert!(elo("5", &all).unwrap_err().contains("found 3 line-ups"));
    let alone = tournament(2, &["easy", "easy"], Lineups::Given, 64);
    assert!(elo("5", &alone).unwrap_err().contains("copies of one bot"));

    let study = study("join-throws", Design::OneAtATime, &["easy"], 64);
    let effect = |text: &str, measure: &str| {
        Goal::effect::<Sho>(&precision(text), Some(measure), &study).map_err(line)
    };
    let unknown = effect("1", "throw").unwrap_err();
    assert!(unknown.contains("did you mean `throws`? possible: throws, turns"), "{unknown}");
    assert!(unknown.contains("--metrics full"), "{unknown}");
    assert!(effect("1%", "throws").unwrap_err().contains("casts of the dice"));
    assert!(effect("1", "end_cap").unwrap_err().contains("did you mean 1%?"));
    assert!(effect("1%", "end_cap").is_ok());
}

#[test]
fn usual_pilots_are_short_where_bots_look_ahead() {
    let bots = |names: &[&str]| -> Vec<Entrant> {
        names.iter().map(|name| Entrant::parse::<Sho>(name).unwrap()).collect()
    };
    assert_eq!(usual_pilot::<Sho>(&bots(&["hard", "medium", "random"])), 4096);
    assert_eq!(usual_pilot::<Sho>(&bots(&["hard", "expectimax"])), 256);
    assert_eq!(usual_pilot::<Sho>(&bots(&["exec:command=true"])), 256);
    let guti = |name| [Entrant::parse::<SholoGuti>(name).unwrap()];
    assert_eq!(usual_pilot::<SholoGuti>(&guti("alphabeta")), 256);
    assert_eq!(usual_pilot::<SholoGuti>(&guti("easy")), 4096);
}

/// A game without dice, whose blocks differ by openings.
#[test]
fn a_game_without_dice_can_be_planned() {
    let (rules, bots) = (sholo_guti::Rules::standard(), texts(&["easy", "random"]));
    let amount = Amount::Blocks(64);
    let experiment =
        Experiment::lineup::<SholoGuti>(rules, &bots, Schedule::Rotations, 1, amount).unwrap();
    let pilot = tournament_pilot::<SholoGuti>(&experiment, 2, &()).unwrap();
    let goal = Goal::score(&precision("2%")).unwrap();
    let plan = PlanResult::tournament::<SholoGuti>(&experiment, &goal, &pilot).unwrap();
    assert!(plan.blocks.is_some_and(|blocks| blocks > 64), "{plan:?}");
}

/// The schema says what is written, with all keys and with as few as there may be.
#[test]
fn plans_are_what_their_schema_says() {
    let path = format!("{}/../docs/schema/plan-1.json", env!("CARGO_MANIFEST_DIR"));
    let schema: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let duel = tournament(2, &["easy", "random"], Lineups::Given, 64);
    let alone = tournament(2, &["easy", "easy"], Lineups::Given, 64);
    let study = study("join-throws", Design::OneAtATime, &["easy"], 64);
    let score = || Goal::score(&precision("1%")).unwrap();
    let mut timed = plan_of(&duel, &score()).timed(1.5, 2);
    timed.command = Some("sho tournament".to_owned());
    let elo = Goal::elo(&precision("9"), &duel).unwrap();
    for plan in [
        timed,
        plan_of(&duel, &elo),
        plan_of(&alone, &score()).timed(0.0, 1),
        plan_of_study(&study, &effect("1", "throws", &study)),
    ] {
        let mut document = serde_json::to_value(&plan).unwrap();
        let complaints: Vec<_> = validator.iter_errors(&document).map(|e| e.to_string()).collect();
        assert!(complaints.is_empty(), "{complaints:?}");
        document["rows"][0]["no-such-key"] = true.into();
        assert!(!validator.is_valid(&document));
    }
}
