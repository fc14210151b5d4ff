//! Folders of studies.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use sho_bench::checks::CheckLine;
use sho_bench::folder::{Folder, Progress, REPORT, STUDY_RESULT, StudyPlan};
use sho_bench::study::{
    Design, STUDY_CHECK_SCHEMA, Study, StudyResult, StudyTotals, run_study, tables,
};
use sho_bench::verify::{Extent, Verdict, Verification, verify};
use sho_bench::{Blocks, MetricsTier, TournamentGame, Watcher};
use sho_core::sho::{Rules, Sho, plain};
use sho_core::sholo_guti::{self, SholoGuti};
use tempfile::TempDir;

use crate::common::{
    Count, SAMPLE, finds, number, only_games_differ, passes, put_under_another_plan, replaced,
    verified,
};

/// A folder that was played as `sho study --out` does it.
struct Played<G: TournamentGame> {
    folder: TempDir,
    plan: StudyPlan<G::Rules>,
}

impl<G: TournamentGame> Played<G> {
    fn prepared(plan: StudyPlan<G::Rules>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        Folder::create(folder.path(), &plan).unwrap();
        Self { folder, plan }
    }

    /// Plays all shards, the last one first, and puts them together.
    fn whole(plan: StudyPlan<G::Rules>) -> Self {
        let played = Self::prepared(plan);
        for shard in (0..played.plan.shards).rev() {
            let threads = 1 + shard as usize % 3;
            let progress =
                played.kept().play_shard::<G>(&played.plan, shard, threads, &()).unwrap();
            assert_eq!(progress, Progress::Whole);
        }
        played.merge();
        played
    }

    fn kept(&self) -> Folder {
        Folder::at(self.folder.path())
    }

    fn merge(&self) {
        let tally = self.kept().merge::<G, _>(&self.plan).unwrap();
        let study = self.plan.study::<G>().unwrap();
        let result = StudyResult::new::<G>(&study, &tally);
        let document = serde_json::to_string(&result).unwrap() + "\n";
        let report = sho_bench::report::study_table::<G>(&result, study.blocks.len());
        for (name, text) in
            [(STUDY_RESULT, document), (REPORT, report)].into_iter().chain(tables(&result))
        {
            self.kept().write_beside(name, &text).unwrap();
        }
    }

    fn verified(&self, extent: Extent) -> Verification {
        verified::<G>(self.folder.path(), extent, 2)
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

    fn lines(&self, shard: u64) -> Vec<CheckLine<StudyTotals>> {
        let folder = self.file(&format!("parts/shard-{shard}.checks"));
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let mut lines: Vec<CheckLine<StudyTotals>> = files
            .flat_map(|file| {
                let text = fs::read_to_string(file).unwrap();
                let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
                lines.collect::<Vec<_>>()
            })
            .collect();
        lines.sort_by_key(|line| line.blocks.from);
        lines
    }
}

/// A small board, so that games are quick.
fn small() -> Rules {
    let mut rules = Rules::lhasa();
    (rules.sides, rules.shells, rules.coins) = (3, 24, 4);
    rules
}

fn study(vary: &str, design: Design, bots: &[&str], blocks: u64) -> Study<Rules> {
    let bots: Vec<String> = bots.iter().map(ToString::to_string).collect();
    Study::new::<Sho>(small(), &[vary.to_owned()], design, &bots, 7, blocks).unwrap()
}

/// Two policies and three cells, one of them with fewer seats.
fn usual(blocks: u64) -> Study<Rules> {
    study("join-throws,sides=2", Design::OneAtATime, &["easy", "random"], blocks)
}

fn plan(study: &Study<Rules>, shards: u64) -> StudyPlan<Rules> {
    StudyPlan::new::<Sho>(study, shards).unwrap()
}

fn both<'a>(what: &'a str, fault: &'a str) -> [(Extent, &'a str, &'a str); 2] {
    [(SAMPLE, what, fault), (Extent::All, what, fault)]
}

#[test]
fn honest_folders_pass() {
    let played = Played::<Sho>::whole(plan(&usual(50), 3));
    played.passes();
    let all = played.verified(Extent::All);
    // The other engine and other threads find the same.
    assert_eq!(all, verified::<plain::Sho>(played.folder.path(), Extent::All, 1));
    assert_eq!(all.findings[0].remark, "sho, 2 policies, 3 cells, 50 blocks in 3 shards");
    let names: Vec<&str> = all.findings.iter().map(|finding| finding.what).collect();
    assert_eq!(
        names,
        ["experiment", "parts", "result", "report", "tables", "check lines", "games"]
    );
    assert!(all.findings.iter().all(|finding| finding.verdict == Verdict::Ok), "{all:#?}");
    assert_eq!(all.findings[6].remark, "50 of 50 blocks played again: the same counts");

    let factorial = "join-throws,kill,six-three";
    let mut full = study(factorial, Design::Factorial, &["medium"], 12);
    full.metrics = MetricsTier::Full;
    full.seconds_a_throw = "7.5".parse().unwrap();
    full.seconds_a_decision = "0.25".parse().unwrap();
    Played::<Sho>::whole(plan(&full, 1)).passes();
    let mut later = usual(70);
    later.blocks = Blocks { from: 250, to: 590 };
    later.policies.truncate(1);
    Played::<Sho>::whole(plan(&later, 2)).passes();

    let (asked, bots) = (["all".to_owned()], ["easy", "random"].map(String::from));
    let rules = sholo_guti::Rules::standard();
    let guti = Study::new::<SholoGuti>(rules, &asked, Design::OneAtATime, &bots, 1, 10).unwrap();
    assert!(guti.opening_turns > 0);
    let plan = StudyPlan::new::<SholoGuti>(&guti, 2).unwrap();
    Played::<SholoGuti>::whole(plan).passes();
}

/// Lines do not depend on threads or on where a shard was stopped and taken up between savings, and they add up to the
/// counts of any cut.
#[test]
fn lines_are_those_of_their_blocks() {
    let study = usual(300);
    let mut plan = plan(&study, 1);
    plan.save_every = 200;
    let lines = |threads: usize, stops: bool| {
        let played = Played::<Sho>::prepared(plan.clone());
        if stops {
            let stop = After::games(200 * 6);
            played.kept().play_shard::<Sho>(&plan, 0, threads, &stop).unwrap();
        }
        played.kept().play_shard::<Sho>(&plan, 0, threads, &()).unwrap();
        played.lines(0)
    };
    let one = lines(1, false);
    let groups: Vec<_> = one.iter().map(|line| (line.blocks.from, line.blocks.to)).collect();
    assert_eq!(groups, [(0, 64), (64, 128), (128, 192), (192, 200), (200, 300)]);
    assert_eq!(lines(3, false), one);
    assert_eq!(lines(2, true), one);
    for line in &one {
        let group = Study { blocks: line.blocks, ..study.clone() };
        let tally = run_study::<Sho>(&group, 1, &()).unwrap().tally;
        assert_eq!(*line, CheckLine::new(line.blocks, &tally));
        assert_eq!(line.schema, STUDY_CHECK_SCHEMA);
        for (policy, totals) in tally.policies.iter().zip(&line.totals.policies) {
            for (cell, totals) in policy.cells.iter().zip(totals) {
                assert_eq!(totals.differ, cell.differ);
                let sums: Vec<u64> = cell.measures.iter().map(|sums| sums.sum).collect();
                assert_eq!(totals.sums, sums);
            }
        }
    }
    // However many blocks a thread plays at once.
    let mut long = StudyPlan::new::<Sho>(&usual(5000), 1).unwrap();
    long.save_every = 5000;
    let lines_of_long = |threads| {
        let played = Played::<Sho>::prepared(long.clone());
        played.kept().play_shard::<Sho>(&long, 0, threads, &()).unwrap();
        played.lines(0)
    };
    let one_of_long = lines_of_long(1);
    assert_eq!(one_of_long.len(), 5000_usize.div_ceil(64));
    assert_eq!(lines_of_long(9), one_of_long);

    let shards = Played::<Sho>::whole(StudyPlan { shards: 2, ..plan.clone() });
    let sum = |lines: &[CheckLine<StudyTotals>]| {
        lines.iter().map(|line| line.fingerprint).reduce(|a, b| a + b).unwrap()
    };
    assert_eq!(sum(&[shards.lines(0), shards.lines(1)].concat()), sum(&one));
    shards.passes();

    // All of a group are played again for one of its blocks, and nothing else.
    let games = Count::default();
    let sample = Extent::Sample { blocks: 1, seed: 1 };
    verify::<Sho>(&shards.kept(), sample, 1, &games, &mut |_| {}).unwrap();
    let count = games.done();
    assert!([64, 86, 150].contains(&(count / 6)) && count % 6 == 0, "{count}");
    assert_eq!(games.expected(), count);
}

/// Stops a run when so many games are counted.
struct After(u64, AtomicU64);

impl After {
    fn games(games: u64) -> Self {
        Self(games, AtomicU64::new(0))
    }
}

impl Watcher for After {
    fn games_so_far(&self, games: u64) {
        self.1.store(games, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.1.load(Ordering::Relaxed) >= self.0
    }
}

#[test]
fn a_study_that_is_stopped_and_goes_on_passes_at_any_time() {
    // With a bot that has no playouts, so that blocks are counted few at a time.
    let bots = &["easy", "medium"];
    let mut plan = plan(&study("join-throws,sides=2", Design::OneAtATime, bots, 200), 2);
    plan.save_every = 80;
    let played = Played::<Sho>::prepared(plan);
    let nothing = played.verified(SAMPLE);
    assert!(nothing.ok && nothing.blocks_played == 0, "{:#?}", nothing.findings);
    for blocks in [3, 50, 90] {
        let stops = After::games(6 * blocks);
        let progress = played.kept().play_shard::<Sho>(&played.plan, 1, 1, &stops).unwrap();
        assert!(matches!(progress, Progress::Stopped { .. }), "{progress:?}");
        let verified = played.verified(SAMPLE);
        assert!(verified.ok, "{:#?}", verified.findings);
        assert!((blocks..100).contains(&verified.blocks_played), "{verified:?}");
        assert!(verified.findings[1].remark.ends_with("not whole: shards 0-1"), "{verified:?}");
        played.passes();
    }
    // A result of what is not whole is none.
    fs::write(played.file(STUDY_RESULT), "{}").unwrap();
    let early = played.verified(SAMPLE);
    assert!(early.findings.iter().any(|found| found.what == "result" && found.faults_in_all == 1));
    fs::remove_file(played.file(STUDY_RESULT)).unwrap();
    for shard in 0..2 {
        played.kept().play_shard::<Sho>(&played.plan, shard, 2, &()).unwrap();
    }
    played.merge();
    played.passes();

    let stops = Count::up_to(200);
    let stopped = verify::<Sho>(&played.kept(), Extent::All, 1, &stops, &mut |_| {}).unwrap();
    assert!(stopped.stopped && stopped.ok, "{:#?}", stopped.findings);
    assert!(stopped.findings.iter().any(|f| f.remark.contains("stopped before the rest")));
}

/// Changes a number of a part, wherever it stands: its place is given as a pointer.
fn at<'a>(pointer: &'a str, change: impl Fn(i64) -> i64 + 'a) -> impl Fn(&str) -> String + 'a {
    move |text| {
        let mut part: serde_json::Value = serde_json::from_str(text).unwrap();
        let number =
            part.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} in {text:.300}"));
        *number = change(number.as_i64().unwrap()).into();
        serde_json::to_string(&part).unwrap() + "\n"
    }
}

#[test]
fn counts_that_were_changed_are_found() {
    let mut plan = plan(&usual(120), 2);
    plan.save_every = 10;
    let played = Played::<Sho>::whole(plan);
    let part = "parts/shard-1.json";
    let study = usual(120);
    let measures = sho_bench::study::measures::<Sho>(&study);
    let place = |name: &str| measures.iter().position(|measure| measure.name == name).unwrap();
    let base = "/tally/policies/0/cells/0";
    let two = "/tally/policies/1/cells/2";
    let sum = |cell: &str, name: &str| format!("{cell}/measures/{}/sum", place(name));
    let squares = |cell: &str, name: &str| format!("{cell}/measures/{}/squares", place(name));
    let more = |n: i64| n + 1;
    for (pointer, fault) in [
        (format!("{base}/differ"), "games that differ from themselves: 1, not 0"),
        (sum(base, "throws"), "policy easy, cell base, throws: the sum is"),
        (squares(base, "turns"), "policy easy, cell base, turns: the sum is"),
        (sum(two, "decisions"), "policy random, cell sides=2, decisions: the sum is"),
        (sum(base, "minutes"), "policy easy, cell base, thousandths of a second: "),
        (sum(base, "end_cap"), "games by how they ended: 61, not 60"),
        (squares(base, "end_cap"), "squares of end_cap: "),
        (sum(base, "payoff_B"), "payoff12 of all seats: 721, not 720"),
        (sum(two, "payoff_C"), "policy random, cell sides=2, payoff_C, which has no seat there: 1"),
        (format!("{two}/seat_wins/2"), "wins of seat number 2, which is not there: 1, not 0"),
        ("/tally/policies/0/groups/0".to_owned(), "its counts are not those"),
        ("/tally/policies/0/groups/1".to_owned(), "throws by group of blocks in cell base: "),
        ("/tally/policies/1/contrasts/1/0/sum".to_owned(), "contrast sides=2 of throws: "),
    ] {
        played.finds(part, at(&pointer, more), &both("parts", fault));
        played.finds(part, at(&pointer, more), &both("parts", "shard"));
    }
    let pointer = format!("{base}/seat_wins/0");
    played.finds(part, at(&pointer, |_| 60), &both("parts", "payoff_A: 60 games won, and"));
    let pointer = format!("{two}/differ");
    played.finds(part, at(&pointer, |_| 61), &both("parts", "games that differ: 61 of 60"));
    let pointer = squares(base, "payoff_A");
    played.finds(part, at(&pointer, |n| n / 60), &both("parts", "no 60 blocks have the sum"));
    let pointer = "/tally/policies/0/contrasts/0/0/squares";
    played.finds(part, at(pointer, |n| n / 900), &both("parts", "no 60 blocks have the sum"));
    // Most games at a table of two are shorter: squares that are no less than what differs, and too few for their sum.
    let pointer = "/tally/policies/0/contrasts/1/0/squares";
    played.finds(part, at(pointer, |n| n / 3), &both("parts", "no 60 blocks have the sum"));
    for side in ["above", "below"] {
        let pointer = format!("/tally/policies/0/contrasts/0/0/{side}");
        played.finds(part, at(&pointer, |n| n + 60), &both("parts", "no 60 blocks have the sum"));
    }
    // Two groups of blocks that change places in one sum.
    let columns = 1 + study.cells().unwrap().len() * measures.len();
    let swapped = |text: &str| {
        let mut part: serde_json::Value = serde_json::from_str(text).unwrap();
        let groups = part["tally"]["policies"][0]["groups"].as_array_mut().unwrap();
        groups.swap(60 * columns + 1, 61 * columns + 1);
        serde_json::to_string(&part).unwrap() + "\n"
    };
    let games = [(Extent::All, "games", "shard 1: the part has policies[0].groups[")];
    let lines = both("check lines", "shard 1: the fingerprint of the part is");
    played.finds(part, swapped, &[&lines[..], &games].concat());
    // And one that has a block of another.
    let moved = |text: &str| {
        let text = at(&format!("/tally/policies/0/groups/{}", 60 * columns), |n| n - 1)(text);
        at(&format!("/tally/policies/0/groups/{}", 61 * columns), |n| n + 1)(&text)
    };
    played.finds(part, moved, &both("parts", "policy easy, blocks of group 60: 0, not 1"));
    // A game of 60 throws, two of 61, one of 62, as the same sum with other squares.
    let histogram = |text: &str| {
        let mut part: serde_json::Value = serde_json::from_str(text).unwrap();
        let histogram = &mut part["tally"]["policies"][0]["cells"][1]["histograms"][0];
        let histogram = histogram.as_array_mut().unwrap();
        let at = (1..histogram.len() - 1).find(|&at| histogram[at].as_u64().unwrap() >= 2);
        let at = at.unwrap();
        for (index, change) in [(at - 1, 1), (at, -2), (at + 1, 1)] {
            histogram[index] = (histogram[index].as_i64().unwrap() + change).into();
        }
        serde_json::to_string(&part).unwrap() + "\n"
    };
    let fault = "policy easy, cell join-throws=no, throws: the sum is";
    played.finds(part, histogram, &both("parts", fault));
    // Signs that agree with everything else.
    let signs = |text: &str| {
        let text = at("/tally/policies/0/contrasts/0/0/above", |n| n - 1)(text);
        at("/tally/policies/0/contrasts/0/0/below", |n| n + 1)(&text)
    };
    played.finds(
        part,
        signs,
        &[
            (SAMPLE, "check lines", "shard 1: the fingerprint of the part is"),
            (SAMPLE, "result", "policies[0].effects[0].above: "),
            (Extent::All, "games", "policies[0].contrasts[0][0].above: "),
        ],
    );
    // Numbers that no study comes to, and groups that are not all there.
    let pointer = "/tally/policies/0/groups/1";
    let huge = |text: &str| {
        let mut part: serde_json::Value = serde_json::from_str(text).unwrap();
        *part.pointer_mut(pointer).unwrap() = "HUGE".into();
        let text = serde_json::to_string(&part).unwrap() + "\n";
        text.replace("\"HUGE\"", &i128::MAX.to_string())
    };
    played.finds(part, huge, &both("parts", "its counts are not those"));
    let longer = |text: &str| {
        let mut part: serde_json::Value = serde_json::from_str(text).unwrap();
        let groups = part["tally"]["policies"][0]["groups"].as_array_mut().unwrap();
        groups.push(0.into());
        serde_json::to_string(&part).unwrap() + "\n"
    };
    played.finds(part, longer, &both("parts", "its counts are not those"));
    // A part of another plan, a damaged one, one of another shard, and none.
    played.finds(part, replaced("\"shard\":1", "\"shard\":0"), &both("parts", "it is of shard 0"));
    played.finds(part, replaced("{", "["), &both("parts", "shard-1.json: "));
    played.finds(
        "experiment.json",
        replaced("\"seed\":7", "\"seed\":8"),
        &both("parts", "it belongs to another experiment"),
    );
    played.passes();
    let text = fs::read_to_string(played.file(part)).unwrap();
    fs::remove_file(played.file(part)).unwrap();
    for extent in [SAMPLE, Extent::All] {
        let missing = played.verified(extent);
        assert!(missing.findings[1].remark.ends_with("not whole: shard 1"), "{missing:#?}");
        assert_eq!(
            missing.findings[2].faults,
            ["study.json is there, and not everything was played"]
        );
    }
    fs::write(played.file(part), text).unwrap();
    played.passes();
}

/// Whoever changes plan and parts alike is found where games are played again.
#[test]
fn another_seed_under_the_same_counts_is_found() {
    let of = |seed| Played::<Sho>::whole(plan(&Study { seed, ..usual(60) }, 1));
    let (honest, other) = (of(1), of(2));
    // The parts and check lines of seed 1 under the plan of seed 2.
    put_under_another_plan(honest.folder.path(), other.folder.path());
    other.merge();
    only_games_differ::<Sho>(other.folder.path(), "throws of easy in base: ");
}

#[test]
fn check_lines_that_were_changed_are_found() {
    let mut plan = plan(&usual(90), 1);
    plan.save_every = 30;
    let played = Played::<Sho>::whole(plan);
    let file = "parts/shard-0.checks/from-30";
    let everything = Extent::Sample { blocks: 90, seed: 1 };
    let sum = |key| number(key, |n| n + 1);
    let key = "\"sums\":[";
    played.finds(file, sum(key), &both("check lines", "the part has throws of easy in base: "));
    // The first cell that differs from the base is the second one.
    let text = fs::read_to_string(played.file(file)).unwrap();
    let second = text.match_indices("\"differ\":").nth(1).unwrap().0;
    let differ = |text: &str| text[..second].to_owned() + &sum("\"differ\":")(&text[second..]);
    let fault = "the part has differ of easy in join-throws=no: ";
    played.finds(file, differ, &both("check lines", fault));
    played.finds(
        file,
        differ,
        &[(everything, "games", "shard 0, blocks 30 to 59: the line has differ of easy in")],
    );
    let zeros = "\"fingerprint\":\"00000000000000000000000000000000\"}\n";
    let forged = |text: &str| text[..text.find("\"fingerprint\"").unwrap()].to_owned() + zeros;
    played.finds(file, forged, &both("check lines", "the fingerprint of the part is"));
    played.finds(file, forged, &[(everything, "games", "shard 0, blocks 30 to 59: the line has")]);
    // Fewer policies than there are, and lines of a tournament.
    let fewer = |text: &str| {
        let mut line: serde_json::Value = serde_json::from_str(text).unwrap();
        line["totals"]["policies"].as_array_mut().unwrap().pop();
        serde_json::to_string(&line).unwrap() + "\n"
    };
    played.finds(file, fewer, &both("check lines", "throws of random in base: "));
    played.finds(
        file,
        fewer,
        &[(everything, "games", "the line has differ of random in base: nothing")],
    );
    let schema = both("check lines", "expected a line of schema sho/study-check/1 of");
    played.finds(file, replaced("study-check/1", "check/1"), &schema);
    played.finds(file, |_| String::new(), &both("check lines", "no line has blocks 30 to 59"));
    played.finds(file, |text| text.repeat(2), &both("check lines", "a line before it has"));
    played.finds(file, replaced("{", ""), &both("check lines", "from-30, line 1: "));
    played.finds(
        file,
        |_| String::new(),
        &[(everything, "games", "30 blocks drawn that no line has")],
    );

    // Two lines changed, so that their sums are as they were: what a sample finds only where it draws one of them.
    let (first, second) = (played.file("parts/shard-0.checks/from-0"), played.file(file));
    let [a, b] = [&first, &second].map(|path| fs::read_to_string(path).unwrap());
    fs::write(&first, sum(key)(&a)).unwrap();
    fs::write(&second, number(key, |n| n - 1)(&b)).unwrap();
    for extent in [everything, Extent::All] {
        let verified = played.verified(extent);
        let games = verified.findings.iter().find(|finding| finding.what == "games").unwrap();
        assert_eq!(games.faults_in_all, 2, "{games:#?}");
        assert!(games.faults[0].starts_with("shard 0, blocks 0 to 29: the line has throws of"));
    }
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
    let played = Played::<Sho>::whole(plan(&usual(40), 2));
    let result = |fault| both("result", fault);
    let file = STUDY_RESULT;
    let wins = "policies[0].cells[0].seats[0].wins: ";
    played.finds(file, number("\"wins\":", |n| n + 1), &result(wins));
    played.finds(
        file,
        number("\"seed\":", |n| n + 1),
        &result("seed: 8, and the counts come to 7"),
    );
    played.finds(
        file,
        number("\"differ\",\"games\":", |n| n + 1),
        &result("cells[0].differ.games: "),
    );
    played.finds(file, number("\"above\":", |n| n + 1), &result("policies[0].effects[0].above: "));
    played.finds(file, replaced("\"easy\"", "\"eazy\""), &result("policies[0].name: \"eazy\""));
    played.finds(file, replaced("digest\":\"", "digest\":\"0"), &result("digest: it states 0"));
    played.finds(file, replaced("{", "{ "), &result("in other bytes"));
    played.finds(file, replaced("{", ""), &result("expected"));
    played.finds(file, replaced("study/1", "study/2"), &result("schema sho/study/1 was expected"));
    played.finds("report.txt", replaced("easy", "EASY"), &both("report", "EASY"));
    for (table, rows) in [("effects", 2), ("cells", 2)] {
        let name = format!("{table}.csv");
        let fault = format!("{name}, line {rows}: `eazy,");
        played.finds(&name, replaced("\neasy,", "\neazy,"), &both("tables", &fault));
        let last = |text: &str| text.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n";
        let fault = "`nothing`, and the counts come to `random,";
        played.finds(&name, last, &both("tables", fault));
        let name = format!("{table}.dictionary.csv");
        let fault = format!("{name}, line ");
        played.finds(&name, replaced("policy", "bot"), &both("tables", &fault));
    }
    // What is not there says nothing false.
    let cells = fs::read_to_string(played.file("cells.csv")).unwrap();
    fs::remove_file(played.file("cells.csv")).unwrap();
    let without = played.verified(SAMPLE);
    assert!(without.ok && without.findings[4].remark.ends_with("there is no cells.csv"));
    fs::write(played.file("cells.csv"), cells).unwrap();
    // Where a result comes from is no part of it; other versions may write tables otherwise.
    let text = fs::read_to_string(played.file(file)).unwrap();
    let start = text.find("\"commit\":\"").unwrap();
    let other = format!("{}\"commit\":\"0123456\"}}}}\n", &text[..start]);
    fs::write(played.file(file), other).unwrap();
    played.passes();
    let table = played.file("effects.csv");
    fs::write(&table, fs::read_to_string(&table).unwrap() + "\n").unwrap();
    let other = played.verified(SAMPLE);
    let remark = &other.findings[4].remark;
    assert!(
        other.ok && remark.ends_with("effects.csv was written by another version, and differs")
    );
}
