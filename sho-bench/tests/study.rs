//! Studies: what is counted, against games played one by one; threads, shards and engines; factorial designs; intervals.

use std::path::Path;

use sho_bench::folder::{Folder, Progress, StudyPlan};
use sho_bench::page::study_page;
use sho_bench::record_of;
use sho_bench::report::study_table;
use sho_bench::study::{
    Cell, ContrastKind, Design, EffectResult, Judging, MeasureKind, Seconds, Study, StudyResult,
    StudyTally, VaryError, cells_csv, effects_csv, measures, run_study, variations,
};
use sho_bench::{Blocks, MetricsTier};
use sho_core::record::Record;
use sho_core::sho::{Rules, Sho, plain};
use sho_core::sholo_guti::{self, SholoGuti};
use sho_core::{RuleSet, Seat};

fn study(rules: Rules, vary: &str, design: Design, bots: &[&str], blocks: u64) -> Study<Rules> {
    let bots: Vec<String> = bots.iter().map(ToString::to_string).collect();
    Study::new::<Sho>(rules, &[vary.to_owned()], design, &bots, 7, blocks).unwrap()
}

/// A small board, so that games are quick.
fn small(sides: u8) -> Rules {
    let mut rules = Rules::lhasa();
    (rules.sides, rules.shells, rules.coins) = (sides, 24, 4);
    rules
}

fn result(study: &Study<Rules>) -> StudyResult<Rules> {
    StudyResult::new::<Sho>(study, &run_study::<Sho>(study, 2, &()).unwrap().tally)
}

fn json(result: &StudyResult<Rules>) -> String {
    serde_json::to_string(result).unwrap()
}

/// The records of a policy's games in a cell.
fn records(study: &Study<Rules>, cell: &Cell<Rules>, policy: usize) -> Vec<Record<Rules>> {
    let experiment = study.experiment(cell);
    let game = |block| {
        let address = format!("{policy}.{block}.0").parse().unwrap();
        record_of::<Sho>(&experiment, address).unwrap()
    };
    study.blocks.range().map(game).collect()
}

/// The throws of a game: the last field of its last position.
fn throws(record: &Record<Rules>) -> f64 {
    record.last.rsplit(' ').next().unwrap().parse().unwrap()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn standard_error(values: &[f64]) -> f64 {
    let middle = mean(values);
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    (squares / (values.len() as f64 - 1.0) / values.len() as f64).sqrt()
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 2e-6 * (1.0 + expected.abs()), "{found}, not {expected}");
}

/// Every effect on throws and on what seats get, its error and its reference, from records of single games.
#[test]
fn effects_are_those_of_single_games() {
    let study = study(
        Rules::lhasa(),
        "join-throws,going-home,sides=2,six-three=off",
        Design::OneAtATime,
        &["random", "easy", "medium"],
        40,
    );
    let result = result(&study);
    let cells = study.cells().unwrap();
    assert_eq!(result.games, 40 * 3 * 5);
    for (index, policy) in result.policies.iter().enumerate() {
        let base = records(&study, &cells[0], index);
        for (place, cell) in cells.iter().enumerate().skip(1) {
            let games = records(&study, cell, index);
            let pairs = || base.iter().zip(&games);
            let differences: Vec<f64> = pairs().map(|(x, y)| throws(y) - throws(x)).collect();
            let effect = policy.effect(&cell.name, "throws").unwrap();
            near(effect.effect, mean(&differences));
            near(effect.se.unwrap(), standard_error(&differences));
            near(effect.reference, mean(&base.iter().map(throws).collect::<Vec<_>>()));
            near(effect.relative.unwrap(), effect.effect / effect.reference);
            let above = differences.iter().filter(|&&difference| difference > 0.0).count();
            let below = differences.iter().filter(|&&difference| difference < 0.0).count();
            assert_eq!((effect.above, effect.below), (above as u64, below as u64));
            let mut longer = 0.0;
            for x in &base {
                for y in &games {
                    longer += if throws(y) > throws(x) { 1.0 } else { 0.0 };
                    longer += if throws(y) == throws(x) { 0.5 } else { 0.0 };
                }
            }
            near(effect.greater.unwrap(), longer / (40.0 * 40.0));
            // How far apart places can be: each game's among all of the other side, by counting.
            let places = |of: &[Record<Rules>], among: &[Record<Rules>]| -> Vec<f64> {
                let place = |game: &Record<Rules>| {
                    let less = among.iter().filter(|other| throws(other) < throws(game)).count();
                    let tied = among.iter().filter(|other| throws(other) == throws(game)).count();
                    (2 * less + tied) as f64 / 80.0
                };
                of.iter().map(place).collect()
            };
            let error =
                standard_error(&places(&base, &games)) + standard_error(&places(&games, &base));
            // The 97.5 % quantile of Student's t with 39 degrees of freedom.
            let [low, high] = effect.greater_interval.unwrap();
            near(low, (effect.greater.unwrap() - 2.022_691 * error).max(0.0));
            near(high, (effect.greater.unwrap() + 2.022_691 * error).min(1.0));
            // The default: 6 s a throw.
            near(policy.effect(&cell.name, "minutes").unwrap().effect, effect.effect / 10.0);

            for seat in Seat::all(3) {
                let got = |game: &Record<Rules>| f64::from(game.payoffs[seat.index()]) / 12.0;
                let effect = policy.effect(&cell.name, &format!("payoff_{seat}"));
                if cell.rules.sides() <= seat.index() {
                    assert_eq!(effect, None, "a table of two has no seat C");
                    continue;
                }
                let changes: Vec<f64> = pairs().map(|(x, y)| got(y) - got(x)).collect();
                near(effect.unwrap().effect, mean(&changes));
                near(effect.unwrap().se.unwrap(), standard_error(&changes));
            }
            let differ = pairs().filter(|(x, y)| x.turns != y.turns || x.payoffs != y.payoffs);
            let counted = &policy.cells[place];
            assert_eq!(
                counted.differ.games,
                differ.count() as u64,
                "{} {}",
                policy.name,
                cell.name
            );
            let won = |seat| games.iter().filter(|game| game.payoffs[seat] == 12).count() as u64;
            for (seat, share) in counted.seats.iter().enumerate() {
                assert_eq!(share.wins, won(seat));
            }
        }
    }
}

/// Full metrics play the same games, decision by decision, and so does the plain engine; the games that playouts and
/// watched games differ in are the same.
#[test]
fn metrics_and_engines_change_no_game() {
    let vary = "going-home=exact,six-three,reopen=nothing-out";
    let mut study = study(Rules::lhasa(), vary, Design::OneAtATime, &["easy", "random"], 60);
    let basic = result(&study);
    assert_eq!(
        json(&StudyResult::new::<plain::Sho>(
            &study,
            &run_study::<plain::Sho>(&study, 1, &()).unwrap().tally
        )),
        json(&basic)
    );
    study.metrics = MetricsTier::Full;
    let full = result(&study);
    for (basic, full) in basic.policies.iter().zip(&full.policies) {
        for (basic, full) in basic.cells.iter().zip(&full.cells) {
            assert_eq!(
                (&basic.differ, &basic.lengths, &basic.seats),
                (&full.differ, &full.lengths, &full.seats)
            );
            assert!(basic.events.is_empty() && full.length("kills").is_some());
        }
        for effect in &basic.effects {
            let same = full.effect(&effect.contrast, &effect.measure).unwrap();
            assert_eq!((effect.effect, effect.se), (same.effect, same.se));
        }
    }
}

#[test]
fn threads_and_shards_change_no_byte() {
    let study =
        study(small(3), "join-throws,kill,sides=2", Design::OneAtATime, &["easy", "random"], 203);
    let one = run_study::<Sho>(&study, 1, &()).unwrap().tally;
    for threads in [2, 5] {
        assert_eq!(run_study::<Sho>(&study, threads, &()).unwrap().tally, one);
    }
    let folder = tempfile::tempdir().unwrap();
    let plan = StudyPlan::new::<Sho>(&study, 4).unwrap();
    let kept = Folder::create(&folder.path().join("study"), &plan).unwrap();
    for (shard, threads) in [(2, 1), (0, 2), (3, 3), (1, 1)] {
        assert!(kept.merge::<Sho, _>(&plan).is_err());
        assert_eq!(kept.play_shard::<Sho>(&plan, shard, threads, &()).unwrap(), Progress::Whole);
    }
    assert_eq!(kept.missing::<Sho>(&plan).unwrap(), [0; 0]);
    let merged = kept.merge::<Sho, _>(&plan).unwrap();
    assert_eq!(merged, one);
    let document = json(&StudyResult::new::<Sho>(&study, &merged));
    assert_eq!(document, json(&StudyResult::new::<Sho>(&study, &one)));
    // A document reads back as it was written, but for where it came from.
    let read: StudyResult<Rules> = serde_json::from_str(&document).unwrap();
    let again = serde_json::to_string(&read).unwrap();
    assert_eq!(again, document.split(",\"provenance\"").next().unwrap().to_owned() + "}");

    // Counts of another study are refused.
    let other = StudyPlan { seed: 8, ..plan.clone() };
    let line = kept.missing::<Sho>(&other).unwrap_err().to_string();
    assert!(line.contains("another experiment"), "{line}");
    let file = folder.path().join("study/parts/shard-1.json");
    change(&file, "\"blocks\":{\"from\":50,\"to\":101}", "\"blocks\":{\"from\":50,\"to\":100}");
    let line = kept.merge::<Sho, _>(&plan).unwrap_err().to_string();
    assert!(line.contains("it says 50 blocks and counts 51"), "{line}");
}

fn change(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{text:.300}");
    std::fs::write(file, text.replace(from, to)).unwrap();
}

/// A run that is stopped has the counts of its first blocks.
#[test]
fn a_stopped_study_is_that_of_its_first_blocks() {
    struct Few(std::sync::atomic::AtomicU32);
    impl sho_bench::Watcher for Few {
        fn stop(&self) -> bool {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 5
        }
    }
    let mut study = study(small(2), "join-throws", Design::OneAtATime, &["easy"], 20_000);
    let stopped = run_study::<Sho>(&study, 2, &Few(0.into())).unwrap().tally;
    assert!(stopped.blocks > 0 && stopped.blocks < 20_000, "{}", stopped.blocks);
    study.blocks = Blocks { from: 0, to: stopped.blocks };
    assert_eq!(run_study::<Sho>(&study, 1, &()).unwrap().tally, stopped);
}

/// Rules that cannot make a difference make none: no game differs, and every effect is exactly nothing.
#[test]
fn a_rule_set_against_itself_changes_nothing() {
    for bots in [&["easy", "random"][..], &["medium"]] {
        let study = study(small(2), "alliance,max-throws=30000", Design::OneAtATime, bots, 100);
        let result = result(&study);
        for policy in &result.policies {
            assert!(policy.cells.iter().all(|cell| cell.differ.games == 0));
            assert!(policy.cells.iter().all(|cell| cell.differ.at_most.unwrap() < 0.03));
            assert_eq!(policy.effects.len(), 2 * result.measures.len());
            for effect in &policy.effects {
                assert_eq!((effect.effect, effect.se), (0.0, Some(0.0)), "{effect:?}");
                // Nothing was seen, which is no proof that there is nothing.
                assert_eq!((effect.interval, effect.simultaneous), (None, None));
                assert_eq!((effect.above, effect.below), (0, 0));
                assert!(!effect.is_clear() && !effect.sign_depends);
            }
        }
        assert!(result.families.iter().all(|family| family.size == 0 && family.critical.is_none()));
    }
}

/// Main effects and interactions, by their definition in words, from the means of the cells.
#[test]
fn factorial_contrasts_are_averages_over_the_other_settings() {
    let vary = "join-throws,six-three,kill,opening-kill-throws";
    let study = study(small(3), vary, Design::Factorial, &["easy", "random"], 50);
    let result = result(&study);
    assert_eq!((result.cells.len(), result.contrasts.len()), (2 * 3 * 2 * 2, 2 + 3 + 3));
    let value = |cell: &sho_bench::study::CellSummary<Rules>, setting: &str| {
        (Rules::setting(setting).unwrap().get)(&cell.rules)
    };
    for policy in &result.policies {
        for measure in ["throws", "decisions", "payoff_B", "end_cap"] {
            // The mean over all cells in which the settings have these values.
            let level = |wanted: &[(&str, &str)]| {
                let means = result.cells.iter().zip(&policy.cells);
                let chosen = means.filter(|(cell, _)| {
                    wanted.iter().all(|(name, text)| value(cell, name) == *text)
                });
                let values: Vec<f64> =
                    chosen.map(|(_, of)| of.mean(measure).unwrap().mean).collect();
                assert_eq!(
                    values.len(),
                    wanted.iter().fold(24, |cells, (name, _)| {
                        cells / if *name == "six-three" { 3 } else { 2 }
                    })
                );
                mean(&values)
            };
            let effect = |name: &str| -> &EffectResult { policy.effect(name, measure).unwrap() };
            let base = study.rules;
            for contrast in &result.contrasts {
                let changes: Vec<(&str, &str)> = contrast
                    .name
                    .split(" * ")
                    .map(|change| change.split_once('=').unwrap())
                    .collect();
                let old = |name: &str| (Rules::setting(name).unwrap().get)(&base);
                let expected = match changes[..] {
                    [(name, new)] => {
                        assert_eq!(contrast.kind, ContrastKind::Value);
                        level(&[(name, new)]) - level(&[(name, &old(name))])
                    }
                    [(one, new), (other, also)] => {
                        assert_eq!(contrast.kind, ContrastKind::Interaction);
                        let with = level(&[(one, new), (other, also)])
                            - level(&[(one, &old(one)), (other, also)]);
                        let without = level(&[(one, new), (other, &old(other))])
                            - level(&[(one, &old(one)), (other, &old(other))]);
                        (with - without) / 2.0
                    }
                    _ => panic!("{contrast:?}"),
                };
                assert!((effect(&contrast.name).effect - expected).abs() < 4e-6, "{contrast:?}");
            }
        }
    }
    // Three values are no pair with anything.
    assert!(result.contrasts.iter().all(
        |contrast| contrast.kind == ContrastKind::Value || !contrast.name.contains("six-three")
    ));
}

/// Effects and errors as NumPy finds them by least squares, block by block, from what the rows of tournaments say of the
/// cells: `testdata/statistics/factorial.py`.
#[test]
fn factorial_effects_agree_with_least_squares() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../testdata/statistics/factorial.json");
    let data: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut compared = 0;
    for oracle in data.as_array().unwrap() {
        let mut rules = Rules::lhasa();
        for setting in oracle["base"].as_array().unwrap() {
            let setting = text(setting);
            let (name, value) = setting.split_once('=').unwrap();
            rules.set(name, value).unwrap();
        }
        let varied: Vec<String> = (oracle["varied"].as_array().unwrap().iter())
            .map(|pair| format!("{}={}", text(&pair[0]), text(&pair[1])))
            .collect();
        let bots = [text(&oracle["bot"])];
        let seed = oracle["seed"].as_u64().unwrap();
        let blocks = oracle["measures"]["throws"]["values"].as_array().unwrap().len() as u64;
        let study =
            Study::new::<Sho>(rules, &varied, Design::Factorial, &bots, seed, blocks).unwrap();
        let result = result(&study);
        let cells = study.cells().unwrap();
        assert_eq!(cells.len(), 1 << varied.len());
        // What was fitted are the games of the study.
        for (index, cell) in cells.iter().enumerate() {
            let values = oracle["measures"]["throws"]["values"].as_array().unwrap();
            let values: Vec<f64> = values.iter().map(|of| of[index].as_f64().unwrap()).collect();
            let games = records(&study, cell, 0);
            assert_eq!(games.iter().map(throws).collect::<Vec<_>>(), values, "{}", cell.name);
        }
        for (measure, oracle) in oracle["measures"].as_object().unwrap() {
            let effects = oracle["effects"].as_array().unwrap();
            assert_eq!(effects.len(), result.contrasts.len());
            for expected in effects {
                let settings = expected["settings"].as_array().unwrap().iter();
                let names: Vec<&str> = settings
                    .map(|index| varied[index.as_u64().unwrap() as usize].as_str())
                    .collect();
                let found = result.policies[0].effect(&names.join(" * "), measure).unwrap();
                // Results have six digits.
                for (found, expected) in
                    [(found.effect, &expected["effect"]), (found.se.unwrap(), &expected["se"])]
                {
                    let expected = expected.as_f64().unwrap();
                    assert!((found - expected).abs() < 6e-7, "{names:?}: {found}, not {expected}");
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 2 * 2 * (3 + 6));
}

/// Many small studies of other blocks each: an interval has the effect of a large study inside 95 times of 100, and all
/// intervals of a family do together.
#[test]
fn intervals_cover_what_they_should() {
    let mut rules = small(2);
    rules.shells = 18;
    let vary = "join-throws,kill,opening-kill-throws,opening-bonus=none";
    let mut study = study(rules, vary, Design::OneAtATime, &["easy", "random"], 80_000);
    study.blocks.from = 40_000;
    let truth = result(&study);
    let (mut alone, mut one_by_one, mut together, mut longer) = (0, 0, 0, 0);
    const STUDIES: u64 = 200;
    for number in 0..STUDIES {
        study.blocks = Blocks { from: 192 * number, to: 192 * (number + 1) };
        let found = result(&study);
        let mut all = true;
        for (policy, truth) in found.policies.iter().zip(&truth.policies) {
            for contrast in &truth.effects {
                if contrast.measure != "throws" {
                    continue;
                }
                let effect = policy.effect(&contrast.contrast, "throws").unwrap();
                let inside =
                    |[low, high]: [f64; 2]| low <= contrast.effect && contrast.effect <= high;
                one_by_one += 1;
                alone += u32::from(inside(effect.interval.unwrap()));
                let [low, high] = effect.greater_interval.unwrap();
                let greater = contrast.greater.unwrap();
                longer += u32::from(low <= greater && greater <= high);
                all &= inside(effect.simultaneous.unwrap());
            }
        }
        assert_eq!(found.family("throws").unwrap().size, 8);
        together += u32::from(all);
    }
    let share = |hits: u32, of: u64| f64::from(hits) / of as f64;
    // 1600 intervals, eight of which share their games; three standard errors of 200 trials are 0.046.
    let longer = share(longer, one_by_one);
    let (alone, together) = (share(alone, one_by_one), share(together, STUDIES));
    assert!((0.93..0.97).contains(&alone), "alone {alone}, together {together}");
    assert!((0.90..=0.99).contains(&together), "alone {alone}, together {together}");
    // At least 95 %, and on the same dice more.
    assert!(longer > 0.95, "longer {longer}");
}

#[test]
fn settings_vary_as_they_are_asked_to() {
    let base = Rules::lhasa();
    let vary = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
        variations(&base, &texts)
    };
    let names = |texts: &[&str]| -> Vec<String> {
        let (varied, _) = vary(texts).unwrap();
        varied.into_iter().map(|one| format!("{}={}", one.setting, one.values.join("/"))).collect()
    };
    assert_eq!(names(&["reopen=never+nothing-out"]), ["reopen=nothing-out"]);
    assert_eq!(
        names(&["reopen,sides", "reopen=never"]),
        ["reopen=opening-killed/nothing-out", "sides=2/4"]
    );
    assert_eq!(names(&["join-throws=off+on"]), ["join-throws=no"]);
    // Sets of totals have a plus of their own.
    assert_eq!(names(&["opening-bonus=2+12"]), ["opening-bonus=2+12"]);
    assert_eq!(names(&["opening-bonus=2+12/none/2+3"]), ["opening-bonus=2+12/none"]);
    assert_eq!(names(&["shells=32+64"]), ["shells=32"]);

    let (varied, left_out) = vary(&["all"]).unwrap();
    let left: Vec<String> = left_out
        .iter()
        .map(|left| format!("{} {}", left.setting, left.value.as_deref().unwrap_or("-")))
        .collect();
    assert_eq!(left, ["shells -", "coins 1", "max-throws -", "opening-bonus -"]);
    assert_eq!(varied.len(), Rules::SETTINGS.len() - 3);

    let line = |texts: &[&str]| vary(texts).unwrap_err().to_string();
    assert!(line(&["reopn"]).contains("did you mean `reopen`"), "{}", line(&["reopn"]));
    assert!(line(&["reopen=always"]).contains("possible: never, opening-killed"));
    assert!(line(&["shells"]).contains("too many to take all"));
    assert!(line(&["coins=1"]).contains("opening-coins=2 is more than coins=1"));
    assert!(matches!(vary(&["reopen=never"]), Err(VaryError::Nothing(_))));
    assert!(matches!(vary(&[""]), Err(VaryError::Unknown { .. })));
}

/// A bot may know other weights for the rules of a cell: then an effect is not that of the rules alone.
#[test]
fn it_is_said_by_which_weights_a_policy_judges() {
    let rules = Rules::lhasa();
    let study = study(rules, "sides,six-three=off", Design::OneAtATime, &["easy", "hard"], 2);
    let result = result(&study);
    let names: Vec<&str> = result.cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names, ["base", "sides=2", "sides=4", "six-three=off"]);
    let [easy, hard] = &result.policies[..] else { panic!("two policies") };
    assert_eq!(result.judging::<Sho>(easy), []);
    let sets = [("lhasa, 3 sides", vec![0, 2, 3]), ("lhasa, 2 sides", vec![1])];
    let sets = sets.map(|(found_for, cells)| Judging { found_for, cells });
    assert_eq!(result.judging::<Sho>(hard), sets);
    let said = "hard judges by its weights for lhasa, 3 sides (in base, sides=4, six-three=off); for lhasa, 2 sides (in \
                sides=2)";
    let table = study_table::<Sho>(&result, 2).replace("\n  ", " ");
    assert!(table.contains(said), "{table}");
    assert!(table.contains("an effect is that of the rules and of the weights"), "{table}");
    assert!(study_page::<Sho>(&result, &[]).contains(said));
}

/// One set of weights in all cells is said, and no more.
#[test]
fn a_policy_with_one_set_of_weights_says_which() {
    let result = result(&study(small(2), "six-three=off", Design::OneAtATime, &["hard"], 2));
    let table = study_table::<Sho>(&result, 2);
    let said = "\nhard judges by its weights for lhasa, 2 sides\n";
    assert!(table.contains(said), "{table}");
    assert!(!table.contains("that of the rules and of the weights"), "{table}");
}

#[test]
fn what_cannot_be_studied_is_refused() {
    let new = |vary: &str, design, bots: &[&str]| {
        let bots: Vec<String> = bots.iter().map(ToString::to_string).collect();
        Study::new::<Sho>(Rules::lhasa(), &[vary.to_owned()], design, &bots, 1, 10)
            .map(|study| study.games().unwrap())
            .map_err(|error| error.to_string())
    };
    assert_eq!(new("sides", Design::OneAtATime, &["easy", "greedy"]), Ok(30));
    let line =
        new("coins,sides,opening-coins,waiting-limit", Design::Factorial, &["easy"]).unwrap_err();
    assert!(line.contains("at most 64 with --design factorial"), "{line}");
    let line = new("coins=2+9,opening-coins", Design::Factorial, &["easy"]).unwrap_err();
    assert!(line.contains("cell coins=2 opening-coins=3"), "{line}");
    let line = new("sides", Design::OneAtATime, &["exec:command=true"]).unwrap_err();
    assert!(line.contains("may play otherwise"), "{line}");
    assert!(new("sides", Design::OneAtATime, &[]).unwrap_err().contains("policy"));
}

/// A game without chance: blocks begin with openings, which every cell shares.
#[test]
fn a_game_without_dice_can_be_studied() {
    let (asked, bots) = (["all".to_owned()], ["easy".to_owned()]);
    let rules = sholo_guti::Rules::standard();
    let study = Study::new::<SholoGuti>(rules, &asked, Design::OneAtATime, &bots, 1, 20).unwrap();
    let tally = run_study::<SholoGuti>(&study, 2, &()).unwrap().tally;
    let result = StudyResult::new::<SholoGuti>(&study, &tally);
    assert_eq!(result.main_measure, "turns");
    assert!(result.measures.iter().all(|measure| measure.name != "minutes"));
    assert!(result.policies[0].cells.iter().all(|cell| cell.minutes.is_none()));
    assert!(result.policies[0].cells[1..].iter().any(|cell| cell.differ.games > 0));
    for (file, rows) in [
        (effects_csv(&result), result.policies[0].effects.len()),
        (cells_csv(&result), result.cells.len() * result.measures.len()),
    ] {
        assert_eq!(file.lines().count(), 1 + rows);
        let columns = |line: &str| line.matches(',').count();
        assert!(
            file.lines().all(|line| columns(line) == columns(&file[..file.find('\n').unwrap()]))
        );
    }
}

#[test]
fn minutes_come_from_throws_and_decisions() {
    let mut study = study(small(2), "join-throws", Design::OneAtATime, &["easy"], 30);
    study.seconds_a_throw = "7.5".parse().unwrap();
    study.seconds_a_decision = "0.25".parse().unwrap();
    let kinds: Vec<_> = measures::<Sho>(&study).into_iter().map(|measure| measure.kind).collect();
    assert!(kinds.contains(&MeasureKind::Minutes));
    let result = result(&study);
    let policy = &result.policies[0];
    let of = |measure: &str| policy.effect("join-throws=no", measure).unwrap().effect;
    near(of("minutes"), (7.5 * of("throws") + 0.25 * of("decisions")) / 60.0);
    for (text, seconds) in [("6", 6000), ("0.05", 50), ("3600", 3_600_000), ("2.5", 2500)] {
        assert_eq!(text.parse(), Ok(Seconds(seconds)));
        assert_eq!(Seconds(seconds).to_string(), text);
    }
    for wrong in ["", "-1", "3600.1", ".5", "1.", "1.2345", "x", "+3"] {
        assert!(wrong.parse::<Seconds>().is_err(), "{wrong}");
    }
}

/// Mean, deviation and quantiles of minutes, from the throws and decisions of single games in their records.
#[test]
fn minutes_are_those_of_single_games() {
    // Exact in steps of a quarter of a second; in steps of 6/64 s, rounded up to thousandths, that no time is a multiple of.
    for (throw, decision, step) in [("6", "0", 6000), ("7.5", "0.25", 250), ("6", "0.011", 94)] {
        let mut study = study(small(3), "join-throws", Design::OneAtATime, &["easy", "random"], 60);
        study.seconds_a_throw = throw.parse().unwrap();
        study.seconds_a_decision = decision.parse().unwrap();
        let result = result(&study);
        let (throw, decision) = (study.seconds_a_throw.0, study.seconds_a_decision.0);
        for (index, policy) in result.policies.iter().enumerate() {
            for (place, cell) in study.cells().unwrap().iter().enumerate() {
                let time = |record: &Record<Rules>| -> u32 {
                    let steps = record.turns.iter().flat_map(|turn| turn.split(' ').skip(1));
                    let one = |text: &str| {
                        if text.as_bytes()[1] == b'-' { throw } else { decision }
                    };
                    steps.map(one).sum()
                };
                let times: Vec<u32> = records(&study, cell, index).iter().map(time).collect();
                let exact: Vec<f64> =
                    times.iter().map(|&time| f64::from(time) / 60_000.0).collect();
                let found = policy.cells[place].minutes.unwrap();
                near(found.mean, mean(&exact));
                near(found.se.unwrap(), standard_error(&exact));
                near(found.sd.unwrap(), standard_error(&exact) * 60.0_f64.sqrt());
                let mut kept: Vec<f64> =
                    times.iter().map(|&time| f64::from(time / step * step) / 60_000.0).collect();
                kept.sort_by(f64::total_cmp);
                // The 3rd, 15th, 30th, 45th and 57th of 60 are the least that so many do not exceed.
                let of = [found.q05, found.q25, found.median, found.q75, found.q95, found.max];
                for (found, rank) in of.into_iter().zip([3, 15, 30, 45, 57, 60]) {
                    near(found, kept[rank - 1]);
                }
            }
        }
    }
}

#[test]
fn merged_tallies_are_those_of_all_blocks() {
    let mut study = study(small(2), "join-throws", Design::Factorial, &["easy"], 90);
    let all = run_study::<Sho>(&study, 1, &()).unwrap().tally;
    let mut merged = StudyTally::new::<Sho>(&study);
    for (from, to) in [(50, 90), (0, 50)] {
        study.blocks = Blocks { from, to };
        merged.merge(&run_study::<Sho>(&study, 1, &()).unwrap().tally);
    }
    assert_eq!(merged, all);
}
