//! Folders of tournaments.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use sho_bench::checks::CheckLine;
use sho_bench::folder::{Folder, Plan, Progress};
use sho_bench::stats::sprt::Bounds;
use sho_bench::verify::{Extent, Verdict, Verification, tally_of_records, verify};
use sho_bench::{
    Amount, Experiment, Lineups, MetricsTier, Schedule, SequentialTest, TournamentGame,
    TournamentResult, Watcher,
};
use sho_core::{sho, sholo_guti};
use tempfile::TempDir;

use crate::common::{
    Count, SAMPLE, finds, number, only_games_differ, passes, put_under_another_plan, replaced,
    verified,
};

/// A folder that was played as `sho tournament --out` does it, and what checks it.
struct Played<G: TournamentGame> {
    folder: TempDir,
    plan: Plan<G::Rules>,
}

impl<G: TournamentGame> Played<G> {
    /// Plays all shards, and puts them together.
    fn whole(plan: Plan<G::Rules>) -> Self {
        let played = Self::prepared(plan);
        for shard in 0..played.plan.shards {
            let progress = played.kept().play_shard::<G>(&played.plan, shard, 2, &()).unwrap();
            assert_eq!(progress, Progress::Whole);
        }
        played.merge();
        played
    }

    fn prepared(plan: Plan<G::Rules>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Folder::create(folder.path(), &plan).unwrap();
        Self { folder, plan }
    }

    fn kept(&self) -> Folder {
        Folder::at(self.folder.path())
    }

    fn merge(&self) {
        let tally = self.kept().merge::<G, _>(&self.plan).unwrap();
        let experiment = self.plan.experiment::<G>().unwrap();
        let result = TournamentResult::new::<G>(&experiment, &tally);
        let document = serde_json::to_string(&result).unwrap() + "\n";
        let report = sho_bench::report::tournament_table::<G>(&result, self.plan.asked);
        self.kept().write_kept::<G>(&self.plan).unwrap();
        self.kept().write_result(&document, &report).unwrap();
    }

    fn verified(&self, extent: Extent) -> Verification {
        self.verified_by::<G>(extent, 2)
    }

    /// What is found, by another engine perhaps.
    fn verified_by<H: TournamentGame>(&self, extent: Extent, threads: usize) -> Verification {
        verified::<H>(self.folder.path(), extent, threads)
    }

    #[track_caller]
    fn passes(&self) {
        passes::<G>(self.folder.path());
    }

    #[track_caller]
    fn finds(
        &self,
        file: &str,
        change: impl Fn(&str) -> String,
        expected: &[(Extent, &str, &str)],
    ) {
        finds::<G>(self.folder.path(), file, change, expected);
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn experiment(bots: &str, blocks: u64) -> Experiment<sho::Rules> {
    let bots: Vec<String> = bots.split(',').map(str::to_owned).collect();
    let (rotations, amount) = (Schedule::Rotations, Amount::Blocks(blocks));
    Experiment::lineup::<sho::Sho>(sho::Rules::lhasa(), &bots, rotations, 3, amount).unwrap()
}

fn plan<G: TournamentGame>(experiment: &Experiment<G::Rules>, shards: u64) -> Plan<G::Rules> {
    Plan::new::<G>(experiment, Amount::Blocks(experiment.blocks.len()), shards).unwrap()
}

fn with_records<G: TournamentGame>(
    experiment: &Experiment<G::Rules>,
    shards: u64,
) -> Plan<G::Rules> {
    let (records, rows) = ("games.jsonl".to_owned(), "rows.csv".to_owned());
    plan::<G>(experiment, shards).keeping(Some(records), Some(rows)).unwrap()
}

fn guti(blocks: u64) -> Experiment<sholo_guti::Rules> {
    let bots = ["easy", "random"].map(String::from);
    Experiment::lineup::<sholo_guti::SholoGuti>(
        sholo_guti::Rules::standard(),
        &bots,
        Schedule::Rotations,
        5,
        Amount::Blocks(blocks),
    )
    .unwrap()
}

/// A shell program that takes the first action, and does something else before a game.
fn program(before: &str) -> String {
    let script = format!(
        "while read -r word rest; do case $word in \
         hello) echo 'hello sho-bot/1 first';; \
         start) {before} ;; \
         actions) set -- $rest; echo \"action $1\";; \
         bye) exit 0;; esac; done"
    );
    format!("exec:command={script}")
}

#[test]
fn honest_folders_pass() {
    let easy = experiment("easy,random,easy", 50);
    let played = Played::<sho::Sho>::whole(plan::<sho::Sho>(&easy, 3));
    played.passes();
    // Another engine, and other numbers of threads, find the same.
    let by_fast = played.verified_by::<sho::Sho>(Extent::All, 1);
    assert_eq!(by_fast, played.verified_by::<sho::plain::Sho>(Extent::All, 3));

    let mut full = experiment("easy,random", 70);
    full.metrics = MetricsTier::Full;
    Played::<sho::Sho>::whole(with_records::<sho::Sho>(&full, 1)).passes();

    let bots = ["easy", "random"].map(String::from);
    let mut rules = sho::Rules::lhasa();
    rules.sides = 3;
    let (gauntlet, permutations) = (Lineups::Gauntlet, Schedule::Permutations);
    let pool =
        Experiment::pool::<sho::Sho>(rules, &bots, gauntlet, permutations, 1, Amount::Blocks(20));
    Played::<sho::Sho>::whole(with_records::<sho::Sho>(&pool.unwrap(), 2)).passes();

    Played::<sholo_guti::SholoGuti>::whole(with_records::<sholo_guti::SholoGuti>(&guti(30), 2))
        .passes();
}

#[test]
fn groups_are_as_large_as_savings_allow_and_have_all_blocks() {
    let mut plan = plan::<sho::Sho>(&experiment("easy,easy", 700), 1);
    // A saving of five groups and a bit, and one of less than two.
    plan.save_every = 350;
    plan.blocks.from = 0;
    plan.blocks.to = 450;
    let played = Played::<sho::Sho>::whole(plan);
    played.passes();
    let mut groups = Vec::new();
    for from in [0, 350] {
        let text = fs::read_to_string(played.file(&format!("parts/shard-0.checks/from-{from}")));
        for line in text.unwrap().lines() {
            let line: CheckLine = serde_json::from_str(line).unwrap();
            groups.push((line.blocks.from, line.blocks.to));
        }
    }
    let expected = [(0, 64), (64, 128), (128, 192), (192, 256), (256, 320), (320, 350), (350, 450)];
    assert_eq!(groups, expected);
    // All of a group are played again for one of its blocks, and nothing else.
    let games = Count::default();
    let sample = Extent::Sample { blocks: 1, seed: 1 };
    verify::<sho::Sho>(&played.kept(), sample, 1, &games, &mut |_| {}).unwrap();
    let count = games.done();
    assert!([64, 30, 100].contains(&(count / 2)), "{count}");
    assert_eq!(games.expected(), count);
}

/// Stops a run when so many blocks are counted.
struct After(u64, AtomicU64);

impl Watcher for After {
    fn so_far(&self, tally: &sho_bench::tally::Tally, _: Option<&sho_bench::stats::sprt::SprtRun>) {
        self.1.store(tally.blocks, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

#[test]
fn a_run_that_is_stopped_and_goes_on_passes_at_any_time() {
    let mut plan = with_records::<sho::Sho>(&experiment("easy,random", 200), 2);
    plan.save_every = 80;
    let played = Played::<sho::Sho>::prepared(plan);
    let nothing = played.verified(SAMPLE);
    assert!(nothing.ok && nothing.blocks_played == 0, "{:#?}", nothing.findings);
    for blocks in [3, 50, 90] {
        let stops = After(blocks, AtomicU64::new(0));
        let progress = played.kept().play_shard::<sho::Sho>(&played.plan, 1, 1, &stops).unwrap();
        assert!(matches!(progress, Progress::Stopped { .. }), "{progress:?}");
        let verified = played.verified(SAMPLE);
        assert!(verified.ok, "{:#?}", verified.findings);
        assert!((blocks..100).contains(&verified.blocks_played), "{verified:?}");
        assert!(verified.findings[1].remark.ends_with("not whole: shards 0-1"), "{verified:?}");
        played.passes();
    }
    // A result of what is not whole is none.
    fs::write(played.file("result.json"), "{}").unwrap();
    let early = played.verified(SAMPLE);
    assert!(early.findings.iter().any(|found| found.what == "result" && found.faults_in_all == 1));
    fs::remove_file(played.file("result.json")).unwrap();
    for shard in 0..2 {
        played.kept().play_shard::<sho::Sho>(&played.plan, shard, 2, &()).unwrap();
    }
    played.merge();
    played.passes();
}

#[test]
fn a_verification_can_be_stopped() {
    let mut plan = with_records::<sho::Sho>(&experiment("easy,random", 200), 1);
    plan.save_every = 10;
    let played = Played::<sho::Sho>::whole(plan);
    // While games are played again, and while records are counted.
    for (games, remark) in [(100, "stopped before the rest"), (500, "; stopped before ")] {
        let stops = Count::up_to(games);
        let verified =
            verify::<sho::Sho>(&played.kept(), Extent::All, 1, &stops, &mut |_| {}).unwrap();
        assert!(verified.stopped && verified.ok, "{:#?}", verified.findings);
        let count = stops.done();
        assert!((games..games + 64).contains(&count), "{count}");
        assert!(verified.findings.iter().any(|f| f.remark.contains(remark)), "{verified:#?}");
    }
}

#[test]
fn a_sequential_test_ends_where_it_decided() {
    let mut tested = experiment("easy,random", 4000);
    let bounds = Bounds::Logistic { low: 0.0, high: 30.0 };
    tested.sprt = Some(SequentialTest { bounds, alpha: 0.05, beta: 0.05 });
    let played = Played::<sho::Sho>::whole(plan::<sho::Sho>(&tested, 1));
    let verified = played.verified(Extent::All);
    assert!(verified.ok && verified.blocks_played < 4000, "{:#?}", verified.findings);
    assert!(verified.findings[1].remark.contains("where the sequential test decided"));
    assert!(played.verified(SAMPLE).ok);
}

#[test]
fn programs_are_checked_by_their_records() {
    // One game in four goes wrong, as far as a shell can tell.
    let bots = [
        program("set -- $rest; case $2 in *[05]) exit 3;; esac"),
        "random".to_owned(),
        program(""),
    ];
    let (rotations, amount) = (Schedule::Rotations, Amount::Blocks(12));
    let experiment =
        Experiment::lineup::<sho::Sho>(sho::Rules::lhasa(), &bots, rotations, 3, amount).unwrap();
    let played = Played::<sho::Sho>::whole(plan::<sho::Sho>(&experiment, 2));
    played.passes();
    let verified = played.verified(Extent::All);
    let by_name =
        |name| verified.findings.iter().find(|finding| finding.what == name).unwrap().clone();
    assert_eq!(by_name("games").verdict, Verdict::NotChecked);
    let on_record = by_name("games on record");
    let good = on_record.remark.starts_with("36 games followed step by step, ");
    assert!(good && on_record.remark.contains("choices of this program's bots"), "{on_record:?}");

    let first = "parts/shard-0.records/from-0";
    let text = fs::read_to_string(played.file(first)).unwrap();
    let tally = played.kept().merge::<sho::Sho, _>(&played.plan).unwrap();
    let faults: u64 = tally.bots.iter().map(|bot| bot.faults.total()).sum();
    assert!(faults > 0 && faults < 36, "{faults}");
    let records = fs::read_to_string(played.file("records.jsonl")).unwrap();
    let counted = tally_of_records::<sho::Sho>(&experiment, experiment.blocks, &records).unwrap();
    assert_eq!(counted, tally);

    let what = "games on record";
    let each = |fault| [(SAMPLE, what, fault), (Extent::All, what, fault)];
    let faulty = records.lines().find(|line| line.contains("\"faults\"")).unwrap();
    let saving = (0..12)
        .flat_map(|block| [0, 1].map(|shard| format!("parts/shard-{shard}.records/from-{block}")))
        .find(|name| fs::read_to_string(played.file(name)).is_ok_and(|text| text.contains(faulty)))
        .unwrap();
    // A fault that is taken out of its record.
    let without = |text: &str| {
        let start = faulty.find(",\"faults\"").unwrap();
        text.replace(faulty, &format!("{}}}", &faulty[..start]))
    };
    played.finds(&saving, without, &each("the part has "));
    // A fault that is put into another, of a bot that can have none, and of nobody.
    let lines = |text: &str| text.lines().count();
    assert!(lines(&text) > 0);
    let random = |text: &str| {
        let record: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        let seat = record["players"].as_array().unwrap().iter().position(|name| name == "random");
        ["A", "B", "C"][seat.unwrap()]
    };
    let with = |fault: String| {
        move |text: &str| text.replacen("}\n", &format!(",\"faults\":[\"{fault}\"]}}\n"), 1)
    };
    let clean = |text: &str| !text.lines().next().unwrap_or("").contains("\"faults\"");
    if clean(&text) {
        let seat = random(&text);
        played.finds(first, with(format!("{seat} crash: x")), &each("no program of its own"));
        played.finds(first, with("D crash: x".to_owned()), &each("no fault of a seat"));
        played.finds(first, with("A sleep: x".to_owned()), &each("no fault of a seat"));
    }
}

#[test]
fn counts_that_were_changed_are_found() {
    let mut plan = plan::<sho::Sho>(&experiment("easy,random", 120), 2);
    plan.save_every = 10;
    let played = Played::<sho::Sho>::whole(plan);
    let part = "parts/shard-1.json";
    let both = |what, fault| [(SAMPLE, what, fault), (Extent::All, what, fault)];
    // Sums that no longer agree with others.
    played.finds(
        part,
        number("\"wins\":", |n| n + 1),
        &both("parts", "shard 1: wins of all seats"),
    );
    played.finds(part, number("\"ends\":[", |n| n + 1), &both("parts", "games by how they ended"));
    played.finds(part, number("\"totals\":[", |n| n + 12), &both("parts", "payoff12 of all"));
    played.finds(part, number("\"squares\":", |n| n * 1000), &both("parts", "no 60 blocks have"));
    played.finds(part, number("\"squares\":", |n| n / 9), &both("parts", "no 60 blocks have"));
    played.finds(part, number("\"games\":", |n| n + 1), &both("parts", "its counts are not those"));

    let faults = "\"wins\":1,\"faults\":{\"crash\":{\"count\":3,\"games\":[\"0.0.0\"]}}";
    let blamed = |text: &str| {
        let start = text.find("\"wins\":").unwrap();
        let end = start + text[start..].find(',').unwrap();
        format!("{}{faults}{}", &text[..start], &text[end..])
    };
    played.finds(part, blamed, &both("parts", "faults of easy, which is no program"));

    // One game of 60 throws, two of 61, one of 62: another histogram with the same sums.
    let bend = |text: &str| {
        let mut part: serde_json::Value = serde_json::from_str(text).unwrap();
        let histogram = part["tally"]["lengths"][0]["histogram"].as_array_mut().unwrap();
        let at = (1..histogram.len() - 1).find(|&at| histogram[at].as_u64().unwrap() >= 2);
        let at = at.unwrap();
        for (index, change) in [(at - 1, 1), (at, -2), (at + 1, 1)] {
            histogram[index] = (histogram[index].as_i64().unwrap() + change).into();
        }
        serde_json::to_string(&part).unwrap() + "\n"
    };
    let lines = both("check lines", "the fingerprint of the part is");
    let result = both("result", "lengths.throws.histogram");
    let games = [(Extent::All, "games", "lengths[0].histogram[")];
    played.finds(part, bend, &[&lines[..], &result, &games].concat());

    // Two bots that change places in everything that is theirs.
    played.finds(
        "parts/shard-0.json",
        |text| {
            let mut part: serde_json::Value = serde_json::from_str(text).unwrap();
            part["tally"]["bots"].as_array_mut().unwrap().swap(0, 1);
            serde_json::to_string(&part).unwrap() + "\n"
        },
        &both("parts", "payoff12 of easy by block"),
    );
    // A part of another plan, a damaged one, and one of another shard.
    played.finds(part, replaced("\"shard\":1", "\"shard\":0"), &both("parts", "it is of shard 0"));
    played.finds(part, replaced("{", "["), &both("parts", "shard-1.json: "));
    played.finds(
        "experiment.json",
        replaced("\"seed\":3", "\"seed\":4"),
        &both("parts", "it belongs to another experiment"),
    );
    played.passes();
}

/// Whoever changes plan and parts alike is found where games are played again.
#[test]
fn another_experiment_under_the_same_counts_is_found() {
    let plan_of = |seed| {
        let mut experiment = experiment("easy,random", 60);
        experiment.seed = seed;
        plan::<sho::Sho>(&experiment, 1)
    };
    let honest = Played::<sho::Sho>::whole(plan_of(1));
    let other = Played::<sho::Sho>::whole(plan_of(2));
    // The parts, check lines and result of seed 1 under the plan of seed 2.
    put_under_another_plan(honest.folder.path(), other.folder.path());
    other.merge();
    only_games_differ::<sho::Sho>(other.folder.path(), "throws: ");
}

/// A group has 64 blocks, however many a thread plays at once.
#[test]
fn check_lines_are_the_same_for_any_number_of_threads() {
    let mut plan = plan::<sho::Sho>(&experiment("easy,random", 5000), 1);
    plan.save_every = 3000;
    let lines = |threads: usize| {
        let played = Played::<sho::Sho>::prepared(plan.clone());
        played.kept().play_shard::<sho::Sho>(&plan, 0, threads, &()).unwrap();
        let of = |from: u64| {
            fs::read_to_string(played.file(&format!("parts/shard-0.checks/from-{from}"))).unwrap()
        };
        of(0) + &of(3000)
    };
    let one = lines(1);
    // 46 groups of 64 and a rest of 56 in the first saving; the next one ends the one of 3,008 and has 31 and a rest of 8.
    assert_eq!(one.lines().count(), 47 + 33);
    for threads in [2, 9] {
        assert_eq!(lines(threads), one, "{threads} threads");
    }
}

#[test]
fn check_lines_that_were_changed_are_found() {
    let mut plan = plan::<sho::Sho>(&experiment("easy,random", 90), 1);
    plan.save_every = 30;
    let played = Played::<sho::Sho>::whole(plan);
    let file = "parts/shard-0.checks/from-30";
    let both = |what, fault| [(SAMPLE, what, fault), (Extent::All, what, fault)];
    let everything = Extent::Sample { blocks: 90, seed: 1 };
    let sum = |key| number(key, |n| n + 1);
    played.finds(file, sum("\"games\":"), &both("check lines", "the part has games: 180, not 181"));
    played.finds(file, sum("\"payoff12\":["), &both("check lines", "payoff12 of easy"));
    played.finds(file, sum("\"lengths\":["), &both("check lines", "throws: "));
    played.finds(file, sum("\"ends\":["), &both("check lines", "games that ended by "));
    let zeros = "\"fingerprint\":\"00000000000000000000000000000000\"}\n";
    let forged = |text: &str| text[..text.find("\"fingerprint\"").unwrap()].to_owned() + zeros;
    played.finds(file, forged, &both("check lines", "the fingerprint of the part is"));
    played.finds(file, forged, &[(everything, "games", "shard 0, blocks 30 to 59: the line has")]);
    played.finds(file, |_| String::new(), &both("check lines", "no line has blocks 30 to 59"));
    played.finds(file, |text| text.repeat(2), &both("check lines", "a line before it has"));
    played.finds(file, replaced("check/1", "check/2"), &both("check lines", "sho/check/1"));
    played.finds(
        file,
        replaced("\"to\":60", "\"to\":61"),
        &both("check lines", "a line before it"),
    );
    played.finds(
        file,
        replaced("\"to\":60", "\"to\":59"),
        &both("check lines", "no line has block 59"),
    );
    played.finds(file, replaced("{", ""), &both("check lines", "from-30, line 1: "));
    // A block that was drawn cannot be played again without the line that it belongs to.
    played.finds(
        file,
        |_| String::new(),
        &[(everything, "games", "30 blocks drawn that no line has")],
    );

    // Two lines changed, so that their sums are as they were: what a sample finds only where it draws one of them.
    let (first, second) = (played.file("parts/shard-0.checks/from-0"), played.file(file));
    let [a, b] = [&first, &second].map(|path| fs::read_to_string(path).unwrap());
    fs::write(&first, sum("\"payoff12\":[")(&a)).unwrap();
    fs::write(&second, number("\"payoff12\":[", |n| n - 1)(&b)).unwrap();
    for extent in [everything, Extent::All] {
        let verified = played.verified(extent);
        let games = verified.findings.iter().find(|finding| finding.what == "games").unwrap();
        assert_eq!(games.faults_in_all, 2, "{games:#?}");
        assert!(games.faults[0].starts_with("shard 0, blocks 0 to 29: the line has payoff12 of"));
    }
    let seen =
        (0..200).filter(|&seed| !played.verified(Extent::Sample { blocks: 1, seed }).ok).count();
    // Two of three groups: 133 with a standard deviation of 6.7.
    assert!((105..162).contains(&seen), "{seen}");
    fs::write(&first, a).unwrap();
    fs::write(&second, b).unwrap();
    played.passes();

    // Without any line all blocks can be played again, and a sample cannot.
    fs::remove_dir_all(played.file("parts/shard-0.checks")).unwrap();
    let all = played.verified(Extent::All);
    let games = all.findings.iter().find(|finding| finding.what == "games").unwrap();
    assert_eq!(
        (games.verdict, games.remark.as_str()),
        (Verdict::Ok, "90 of 90 blocks played again: the same counts")
    );
    assert!(!played.verified(SAMPLE).ok);
}

#[test]
fn results_that_were_changed_are_found() {
    let played = Played::<sho::Sho>::whole(plan::<sho::Sho>(&experiment("easy,random", 40), 2));
    let both = |what, fault| [(SAMPLE, what, fault), (Extent::All, what, fault)];
    let file = "result.json";
    played.finds(file, number("\"wins\":", |n| n + 1), &both("result", "bots[0].wins"));
    played.finds(file, number("\"seed\":", |n| n + 1), &both("result", "seed: 4, and"));
    played.finds(
        file,
        replaced("\"digest\":\"", "\"digest\":\"0"),
        &both("result", "digest: it states 0"),
    );
    played.finds(file, replaced("{", "{ "), &both("result", "in other bytes"));
    played.finds(file, replaced("{", ""), &both("result", "expected"));
    played.finds(file, replaced("tournament/1", "tournament/2"), &both("result", "schema"));
    played.finds("report.txt", replaced("easy", "EASY"), &both("report", "EASY"));
    // Where a result comes from is no part of it.
    let text = fs::read_to_string(played.file(file)).unwrap();
    let start = text.find("\"commit\":\"").unwrap();
    fs::write(played.file(file), format!("{}\"commit\":\"0123456\"}}}}\n", &text[..start]))
        .unwrap();
    played.passes();
}

#[test]
fn records_that_were_changed_are_found() {
    let mut experiment = experiment("easy,random", 40);
    experiment.metrics = MetricsTier::Full;
    let mut plan = with_records::<sho::Sho>(&experiment, 1);
    plan.save_every = 20;
    let played = Played::<sho::Sho>::whole(plan);
    let what = "games on record";
    let both = |fault| [(SAMPLE, what, fault), (Extent::All, what, fault)];
    let file = "parts/shard-0.records/from-20";
    let text = fs::read_to_string(played.file(file)).unwrap();
    let record = text.lines().next().unwrap();
    let turns = &record[record.find("\"turns\":[\"").unwrap() + 10..];
    let throw = &turns[2..5];
    let other = if throw == "6-6" { "5-4" } else { "6-6" };
    played.finds(
        file,
        replaced(&format!("A {throw}"), &format!("A {other}")),
        &both("the dice of the block throw"),
    );
    played.finds(file, replaced(" open@", " @"), &both("step "));
    played.finds(
        file,
        replaced("\"payoffs\":[12,0]", "\"payoffs\":[0,12]"),
        &both("payoffs: `0,12`, and what comes out is `12,0`"),
    );
    played.finds(file, replaced("\"end\":\"", "\"end\":\"x"), &both("end: "));
    played.finds(file, replaced("\"last\":\"", "\"last\":\"1"), &both("last: "));
    played.finds(file, replaced("\"start\":\"", "\"start\":\"1"), &both("start: "));
    played.finds(file, replaced("\"seed\":3", "\"seed\":4"), &both("seed: `4`"));
    played.finds(
        file,
        replaced("[\"easy\",\"random\"]", "[\"random\",\"easy\"]"),
        &both("players: "),
    );
    played.finds(file, replaced("record/1", "record/2"), &both("schema: "));
    played.finds(file, replaced("\"shells\":64", "\"shells\":60"), &both("its rules"));
    played.finds(file, replaced("0.20.0", "0.20.5"), &both("expected the game 0.20.0"));
    played.finds(file, replaced("0.20.0", "0.19.0"), &both("expected the game 0.20.0"));
    played.finds(file, replaced("0.20.0", "nowhere"), &both("(nowhere): expected the game"));
    played.finds(file, |text| text.replacen("0.20.1", "0.20.0", 1), &both("it is there twice"));
    played.finds(file, |text| format!("{record}\n{text}"), &both("it is there twice"));
    played.finds(
        file,
        |text| text[record.len() + 1..].to_owned(),
        &both("game 0.20.0 has no record"),
    );
    played.finds(
        file,
        |text| text[..record.len() + 1].to_owned(),
        &both("39 games have no records, the first of them 0.20.1"),
    );
    played.finds(file, |_| String::new(), &both("40 games have no records"));
    played.finds(file, replaced("{", ""), &both("record 1 (unreadable)"));
    let cut = |text: &str| {
        // A game without its last step.
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut record: serde_json::Value = serde_json::from_str(&lines[3]).unwrap();
        let turns = record["turns"].as_array_mut().unwrap();
        let last = turns.last_mut().unwrap();
        let shorter = last.as_str().unwrap().rsplit_once(' ').unwrap().0.to_owned();
        if shorter.len() == 1 {
            drop(turns.pop());
        } else {
            *last = shorter.into();
        }
        lines[3] = serde_json::to_string(&record).unwrap();
        lines.join("\n") + "\n"
    };
    played.finds(file, cut, &both("it ends before the game does"));

    // A file that is gone: the one before it would have its blocks too.
    let path = played.file(file);
    fs::remove_file(&path).unwrap();
    assert!(!played.verified(SAMPLE).ok);
    fs::write(&path, &text).unwrap();
    // The files that are put together.
    played.finds(
        "games.jsonl",
        replaced("6-", "5-"),
        &[(SAMPLE, "records", "games.jsonl is not what was kept")],
    );
    played.finds(
        "games.jsonl",
        |text| text.to_owned() + "\n",
        &[(SAMPLE, "records", "is not what was kept")],
    );
    played.finds(
        "rows.csv",
        replaced("easy", "hard"),
        &[(SAMPLE, "rows", "rows.csv is not what was kept")],
    );
    // Rows are those of the games.
    let rows = "parts/shard-0.rows/from-20";
    let fault = "the rows of blocks 20 to 39 are not those of their records";
    played.finds(rows, replaced("easy", "hard"), &both(fault));
    played.passes();
}

/// A choice that a bot would not make is legal, and leads to a game that is whole: where the sample looks, it is found.
#[test]
fn choices_that_a_bot_does_not_make_are_found() {
    let (honest, forged) = ("easy,random", "random,random");
    let honest = Played::<sho::Sho>::whole(with_records::<sho::Sho>(&experiment(honest, 10), 1));
    let forged = Played::<sho::Sho>::whole(with_records::<sho::Sho>(&experiment(forged, 10), 1));
    let file = "parts/shard-0.records/from-4";
    let text = fs::read_to_string(forged.file(file)).unwrap();
    let as_easy = |_: &str| {
        let mut lines = text.lines();
        let [first, second] = [lines.next().unwrap(), lines.next().unwrap()];
        first.replacen("\"random\"", "\"easy\"", 1)
            + "\n"
            + &second.replacen("\"random\",\"random\"", "\"random\",\"easy\"", 1)
            + "\n"
    };
    let all = Extent::Sample { blocks: 10, seed: 1 };
    let what = "games on record";
    honest.finds(
        file,
        as_easy,
        &[(all, what, "and easy chooses "), (Extent::All, what, "and easy chooses ")],
    );
    // Another block is drawn: the counts are others, and nobody asks easy.
    let other = (0..).map(|seed| Extent::Sample { blocks: 1, seed }).find(|&extent| {
        let Extent::Sample { seed, blocks } = extent else { return false };
        let played = [sho_bench::Blocks { from: 0, to: 10 }];
        !sho_bench::verify::sampled_blocks(&played, seed, blocks).contains(&4)
    });
    honest.finds(file, as_easy, &[(other.unwrap(), what, "the part has ")]);
}

#[test]
fn rows_without_records_are_compared_with_games() {
    let mut plan = plan::<sho::Sho>(&experiment("easy,random", 60), 2)
        .keeping(None, Some("rows.csv".to_owned()))
        .unwrap();
    plan.save_every = 15;
    let played = Played::<sho::Sho>::whole(plan);
    played.passes();
    let file = "parts/shard-1.rows/from-45";
    let fault = "shard 1: the rows of blocks 45 to 59 are not as played again";
    let all =
        [(Extent::All, "games", fault), (Extent::Sample { blocks: 60, seed: 1 }, "games", fault)];
    played.finds(file, replaced(",easy,", ",hard,"), &all);
    played.finds(file, |text| text.to_owned() + text.lines().next().unwrap() + "\n", &all);
    played.finds(file, |text| text.to_owned() + "1,0,easy\n", &all);
    played.finds(file, |text| "0,0,easy\n".to_owned() + text, &all);
    played.finds(
        file,
        |text| text.lines().skip(1).map(|line| line.to_owned() + "\n").collect(),
        &all,
    );
    fs::remove_dir_all(played.file("parts/shard-0.checks")).unwrap();
    fs::remove_dir_all(played.file("parts/shard-1.checks")).unwrap();
    let again = played.verified(Extent::All);
    assert!(
        again.findings.iter().any(|f| f.what == "games" && f.verdict == Verdict::Ok),
        "{again:#?}"
    );
}

#[test]
fn openings_of_games_without_dice_are_checked() {
    let plan = with_records::<sholo_guti::SholoGuti>(&guti(6), 1);
    let played = Played::<sholo_guti::SholoGuti>::whole(plan);
    let file = "parts/shard-0.records/from-0";
    let text = fs::read_to_string(played.file(file)).unwrap();
    let first = &text[text.find("\"turns\":[\"").unwrap() + 10..];
    let first = &first[..first.find('"').unwrap()];
    let other = ["A a4-a5", "A c4-c5"].into_iter().find(|other| *other != first).unwrap();
    let what = "games on record";
    played.finds(
        file,
        |text| text.replacen(first, other, 1),
        &[(SAMPLE, what, "and the block's opening has "), (Extent::All, what, "step 1, in `")],
    );
    // How many games were distinct does not add up: only what is played again or on record says it.
    let fewer = |text: &str| {
        let mut part: serde_json::Value = serde_json::from_str(text).unwrap();
        part["tally"]["distinct"]["games"].as_array_mut().unwrap().pop();
        serde_json::to_string(&part).unwrap() + "\n"
    };
    let found = [(Extent::All, "games", "distinct.games["), (SAMPLE, what, "distinct.games[")];
    played.finds("parts/shard-0.json", fewer, &found);
}

#[test]
fn a_folder_that_cannot_be_read_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let at = Folder::at(folder.path());
    assert!(verify::<sho::Sho>(&at, SAMPLE, 1, &(), &mut |_| {}).is_err());
    fs::write(folder.path().join("experiment.json"), "{}").unwrap();
    assert!(verify::<sho::Sho>(&at, SAMPLE, 1, &(), &mut |_| {}).is_err());
}
