//! Two results side by side.

use serde_json::{Value, json};
use sho_bench::compare::document::Document;
use sho_bench::compare::{Comparison, NAMED, Relation, Row, compare};
use sho_bench::{Amount, Blocks, Experiment, Schedule, TournamentResult, run};
use sho_core::sho::{Rules, Sho};
use sho_core::sholo_guti::{self, SholoGuti};

fn experiment(bots: &str, blocks: u64) -> Experiment<Rules> {
    let bots: Vec<String> = bots.split(',').map(str::to_owned).collect();
    let mut rules = Rules::lhasa();
    (rules.shells, rules.coins) = (16, 3);
    Experiment::lineup::<Sho>(rules, &bots, Schedule::Rotations, 3, Amount::Blocks(blocks)).unwrap()
}

/// The experiment with something changed, played.
fn text(experiment: &Experiment<Rules>) -> String {
    let tally = run::<Sho>(experiment, 2, &()).unwrap().tally;
    serde_json::to_string(&TournamentResult::new::<Sho>(experiment, &tally)).unwrap()
}

fn document(experiment: &Experiment<Rules>) -> Document {
    Document::parse(&text(experiment)).unwrap()
}

fn changed(change: impl FnOnce(&mut Experiment<Rules>)) -> Document {
    let mut experiment = experiment("easy,random", 40);
    change(&mut experiment);
    document(&experiment)
}

fn plain() -> Document {
    changed(|_| ())
}

/// Keys of the experiments that differ.
fn differing(found: &Comparison) -> Vec<&str> {
    found.experiment.iter().map(|difference| difference.key.as_str()).collect()
}

#[track_caller]
fn row<'a>(rows: &'a [Row], name: &str) -> &'a Row {
    rows.iter().find(|row| row.name == name).unwrap()
}

#[test]
fn a_result_is_the_same_as_itself_however_it_is_written() {
    let once = text(&experiment("easy,random", 40));
    let a = Document::parse(&once).unwrap();
    assert!(a.is_intact());
    // Broken up into lines by another program, which keeps the order of keys; and written by another version.
    let mut broken = String::new();
    let mut quoted = false;
    for letter in once.chars() {
        quoted ^= letter == '"';
        broken.push(letter);
        if !quoted && "{[,:".contains(letter) {
            broken += "\n\t ";
        }
    }
    let version = format!("\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let other = once.replace(&version, "\"version\":\"99.0.0\"");
    assert!(broken != once && other != once);
    for text in [&once, &broken, &other] {
        let b = Document::parse(text).unwrap();
        assert_eq!(b.found_digest, a.found_digest);
        let found = compare(&a, &b);
        assert_eq!((found.relation, found.same()), (Relation::Same, true));
        assert!(found.experiment.is_empty() && found.keys.is_empty() && found.numbers.is_none());
    }
}

#[test]
fn what_was_changed_by_hand_is_named() {
    let once = text(&experiment("easy,random", 40));
    let a = Document::parse(&once).unwrap();
    let wins = a.result.bots[0].score;
    let bent = once.replacen("\"wins\":", "\"wins\":1", 1);
    let b = Document::parse(&bent).unwrap();
    assert_eq!(b.result.bots[0].score, wins);
    let found = compare(&a, &b);
    assert_eq!((found.a.intact, found.b.intact), (true, false));
    assert_eq!(found.relation, Relation::BrokenRepeat);
    assert_eq!((found.keys_in_all, found.keys[0].key.as_str()), (1, "bots[0].wins"));
    // The digest alone: everything else says the same, and still it is not as it was written.
    let bent = once.replace(&a.result.digest, &"0".repeat(64));
    let found = compare(&a, &Document::parse(&bent).unwrap());
    assert_eq!((found.relation, found.b.intact, found.same()), (Relation::Same, false, false));
}

/// Counts of other games under the name of the same experiment, with the digest that belongs to them.
#[test]
fn a_broken_repeat_is_found() {
    let experiment = experiment("easy,random", 40);
    let mut other = experiment.clone();
    other.seed = 4;
    let tally = run::<Sho>(&other, 2, &()).unwrap().tally;
    let text = serde_json::to_string(&TournamentResult::new::<Sho>(&experiment, &tally)).unwrap();
    let b = Document::parse(&text).unwrap();
    let found = compare(&document(&experiment), &b);
    assert_eq!(
        (found.relation, found.a.intact, found.b.intact),
        (Relation::BrokenRepeat, true, true)
    );
    assert!(found.keys_in_all > NAMED && found.keys.len() == NAMED);
    assert!(found.keys[0].key.starts_with("bots[0]."), "{:?}", found.keys[0]);
    assert!(!found.same() && found.numbers.is_none());
}

#[test]
fn further_keys_are_read_over() {
    let once = text(&experiment("easy,random", 40));
    let more = once.replace(
        ",\"digest\":",
        ",\"ratings\":{\"digest\":[\"},{\\\"\",1]},\"sprt\":null,\"digest\":",
    );
    let more = more.replace("\"games\":80,\"wins\"", "\"games\":80,\"kills\":[1,2],\"wins\"");
    let b = Document::parse(&more).unwrap();
    let found = compare(&Document::parse(&once).unwrap(), &b);
    assert_eq!((found.relation, found.b.intact), (Relation::OtherKeys, false));
    let keys: Vec<&str> = found.keys.iter().map(|difference| difference.key.as_str()).collect();
    assert_eq!(keys, ["bots[0].kills", "bots[1].kills", "ratings", "sprt"]);
    assert_eq!((found.keys[2].a.clone(), found.keys[3].b.clone()), (None, Some(Value::Null)));
    // With the digest of what it says now, it is as it was written.
    let mended = more.replace(&b.result.digest, &b.found_digest);
    assert!(Document::parse(&mended).unwrap().is_intact());
}

#[test]
fn experiments_differ_in_what_decides_their_games() {
    let a = plain();
    type Change = fn(&mut Experiment<Rules>);
    let changes: &[(&str, Change)] = &[
        ("rules.shells", |experiment| experiment.rules.shells = 20),
        ("rules.coins", |experiment| experiment.rules.coins = 4),
        ("lineups", |experiment| experiment.lineups = vec![vec![1, 0]]),
        ("schedule", |experiment| experiment.schedule = Schedule::Fixed),
        ("seed", |experiment| experiment.seed = 4),
        ("block_range", |experiment| experiment.blocks = Blocks { from: 1, to: 41 }),
    ];
    for &(key, change) in changes {
        let found = compare(&a, &changed(change));
        assert_eq!((found.relation, differing(&found)), (Relation::OtherExperiment, vec![key]));
    }
    // The same line-up, with its bots in another order in the list.
    let found = compare(
        &a,
        &changed(|experiment| {
            experiment.bots.reverse();
            experiment.lineups = vec![vec![1, 0]];
        }),
    );
    assert_eq!(differing(&found), ["bots"]);
    assert_eq!(found.experiment[0].b, Some(json!(["random", "easy"])));
    let three = document(&experiment("easy,random,random", 40));
    assert_eq!(differing(&compare(&a, &three)), ["rules.sides", "lineups"]);
}

#[test]
fn blocks_with_the_same_luck_are_named() {
    let a = plain();
    let shared = |change: fn(&mut Experiment<Rules>)| compare(&a, &changed(change)).shared_blocks;
    assert_eq!(shared(|experiment| experiment.seed = 4), None);
    assert_eq!(shared(|experiment| experiment.blocks = Blocks { from: 40, to: 80 }), None);
    let late = shared(|experiment| experiment.blocks = Blocks { from: 30, to: 80 });
    assert_eq!(late, Some(Blocks { from: 30, to: 40 }));
    let rules = shared(|experiment| experiment.rules.shells = 20);
    assert_eq!(rules, Some(Blocks { from: 0, to: 40 }));
}

#[test]
fn numbers_stand_side_by_side() {
    let a = plain();
    let b = changed(|experiment| {
        experiment.rules.shells = 32;
        experiment.blocks = Blocks { from: 100, to: 250 };
    });
    let numbers = compare(&a, &b).numbers.unwrap();
    let easy = row(&numbers.bots, "easy");
    let (x, y) = (&a.result.bots[0], &b.result.bots[0]);
    assert_eq!((easy.a, easy.b), (Some(x.score), Some(y.score)));
    let difference = easy.difference.unwrap();
    assert!((difference - (y.score - x.score)).abs() < 1e-6);
    // Errors add in squares; Student's t lies between that of 39 degrees of freedom and the normal quantile.
    let error = (x.score_se.unwrap().powi(2) + y.score_se.unwrap().powi(2)).sqrt();
    let (low, high) = easy.interval.unwrap();
    assert!((low + high - 2.0 * difference).abs() < 1e-5);
    let quantile = (high - low) / 2.0 / error;
    assert!((1.96..2.023).contains(&quantile), "{quantile}");
    // Twice as long a way takes longer.
    let throws = row(&numbers.lengths, "throws");
    assert!(throws.interval.unwrap().0 > 0.0, "{throws:?}");
    let names: Vec<&str> = numbers.longer.iter().map(|(unit, _)| unit.as_str()).collect();
    assert_eq!(names, ["throws", "turns", "decisions"]);
    let chance = numbers.longer[0].1;
    assert!(chance > 0.8 && chance < 1.0, "{chance}");
    let back = compare(&b, &a).numbers.unwrap();
    assert!((back.longer[0].1 + chance - 1.0).abs() < 2e-6);
    assert_eq!(row(&back.bots, "easy").difference, Some(-difference));
    // Shares of ends have no error in the document.
    let home = row(&numbers.ends, "home");
    assert_eq!((home.a, home.difference, home.interval), (Some(1.0), Some(0.0), None));
    assert_eq!(numbers.seats.len(), 2);
}

/// A difference that is 0 is left out of its 95 % interval in some 5 % of comparisons.
#[test]
fn intervals_of_differences_cover() {
    let block =
        |from: u64| changed(|experiment| experiment.blocks = Blocks { from, to: from + 40 });
    let documents: Vec<Document> = (0..600).map(|number| block(40 * number)).collect();
    let mut missed = [0; 3];
    for pair in documents.chunks_exact(2) {
        let numbers = compare(&pair[0], &pair[1]).numbers.unwrap();
        let rows = [&numbers.bots[0], &numbers.seats[0], &numbers.lengths[0]];
        for (missed, row) in missed.iter_mut().zip(rows) {
            let (low, high) = row.interval.unwrap();
            *missed += u32::from(low > 0.0 || high < 0.0);
        }
    }
    // 5 % of 300, three and a half standard errors (of 1.3 %) either side.
    assert!(missed.iter().all(|missed| (2..=28).contains(missed)), "{missed:?}");
}

#[test]
fn one_block_has_no_intervals_and_other_bots_no_difference() {
    let one = document(&experiment("easy,random", 1));
    let numbers = compare(&plain(), &one).numbers.unwrap();
    for row in numbers.bots.iter().chain(&numbers.seats).chain(&numbers.lengths) {
        assert!(row.difference.is_some() && row.interval.is_none(), "{row:?}");
    }
    let copies = document(&experiment("easy,easy,easy", 40));
    let found = compare(&plain(), &copies);
    let numbers = found.numbers.unwrap();
    assert_eq!((found.a.seats, found.b.seats), (2, 3));
    let random = row(&numbers.bots, "random");
    assert!(random.a.is_some() && random.b.is_none() && random.difference.is_none());
    let third = row(&numbers.seats, "C");
    assert!(third.a.is_none() && third.b.is_some());
    // Copies always share their wins: an error of 0 is one.
    assert_eq!(row(&numbers.bots, "easy").b, Some(0.333_333));
    let twice = compare(&copies, &document(&experiment("easy,easy,easy", 41))).numbers.unwrap();
    assert_eq!(row(&twice.bots, "easy").interval, Some((0.0, 0.0)));
}

#[test]
fn two_games_cannot_be_compared() {
    let bots = ["easy", "random"].map(String::from);
    let rules = sholo_guti::Rules::standard();
    let experiment =
        Experiment::lineup::<SholoGuti>(rules, &bots, Schedule::Rotations, 3, Amount::Blocks(40))
            .unwrap();
    let tally = run::<SholoGuti>(&experiment, 2, &()).unwrap().tally;
    let result = TournamentResult::new::<SholoGuti>(&experiment, &tally);
    let guti = Document::parse(&serde_json::to_string(&result).unwrap()).unwrap();
    assert!(guti.is_intact());
    let found = compare(&plain(), &guti);
    assert_eq!(differing(&found), ["game", "opening_turns"]);
    assert!(found.numbers.is_none() && found.shared_blocks.is_none());
    assert!(compare(&guti, &guti).same());
}

#[test]
fn what_is_no_result_is_refused() {
    let once = text(&experiment("easy,random", 4));
    for (bad, expected) in [
        (String::new(), "EOF"),
        ("[]".to_owned(), "invalid"),
        ("{}".to_owned(), "missing field `schema`"),
        (once.replace("tournament/1", "tournament/2"), "found `sho/tournament/2`"),
        (once.replace("\"seed\":3", "\"seed\":-3"), "-3"),
        (once.replace("\"seats\":[", "\"places\":["), "missing field `seats`"),
        (once.replacen("\"histogram\":{", "\"histogram\":{\"x\":1,", 1), "`x` is no length"),
        (
            once.replacen("\"histogram\":{", "\"histogram\":{\"4294967295\":1,", 1),
            "lengths.throws.histogram: `4294967295` is no length",
        ),
        (
            once.replacen("\"histogram\":{", "\"histogram\":{\"1\":9000000000000000000,", 1),
            "more than 1152921504606846976 games",
        ),
        (once[..once.len() - 1].to_owned(), "EOF"),
    ] {
        let problem = Document::parse(&bad).unwrap_err();
        assert!(problem.contains(expected), "{problem}");
    }
}
