//! What is done with any folder that is checked.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use sho_bench::TournamentGame;
use sho_bench::folder::Folder;
use sho_bench::verify::{Audience, Extent, Verdict, Verification, verify};

pub(crate) const SAMPLE: Extent = Extent::Sample { blocks: 5, seed: 7 };

/// What is found in a folder.
pub(crate) fn verified<G: TournamentGame>(
    folder: &Path,
    extent: Extent,
    threads: usize,
) -> Verification {
    let mut told = Vec::new();
    let found = &mut |finding: &_| told.push(Clone::clone(finding));
    let verified = verify::<G>(&Folder::at(folder), extent, threads, &(), found).unwrap();
    assert_eq!(told, verified.findings);
    let faults = told.iter().filter(|finding| finding.verdict == Verdict::Fault);
    assert_eq!(verified.ok, faults.clone().count() == 0);
    for finding in &told {
        let is_fault = finding.verdict == Verdict::Fault;
        assert_eq!(is_fault, finding.faults_in_all > 0, "{finding:?}");
        assert!(finding.faults.len() as u64 <= finding.faults_in_all, "{finding:?}");
        let lines = finding.faults.iter().chain([&finding.remark]);
        lines.for_each(|line| assert!(!line.contains('\n'), "{line}"));
    }
    assert!(!verified.stopped);
    verified
}

#[track_caller]
pub(crate) fn passes<G: TournamentGame>(folder: &Path) {
    for extent in [SAMPLE, Extent::All] {
        let verified = verified::<G>(folder, extent, 2);
        assert!(verified.ok, "{:#?}", verified.findings);
    }
}

/// Changes a file, looks whether each extent finds what it should, and puts the file back.
#[track_caller]
pub(crate) fn finds<G: TournamentGame>(
    folder: &Path,
    file: &str,
    change: impl Fn(&str) -> String,
    expected: &[(Extent, &str, &str)],
) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    let changed = change(&text);
    assert_ne!(changed, text, "{file}: nothing was changed");
    fs::write(&path, changed).unwrap();
    for &(extent, what, fault) in expected {
        let verified = verified::<G>(folder, extent, 2);
        let is_named = verified.findings.iter().any(|finding| {
            finding.what == what && finding.faults.iter().any(|named| named.contains(fault))
        });
        assert!(is_named, "{file}, {extent:?}: {fault}\n{:#?}", verified.findings);
    }
    fs::write(&path, text).unwrap();
}

/// Puts the part and the check lines of one folder into another, as if they were those of its plan.
pub(crate) fn put_under_another_plan(honest: &Path, other: &Path) {
    let file = "parts/shard-0.json";
    let digest = |folder: &Path| {
        let part = fs::read_to_string(folder.join(file)).unwrap();
        let part: serde_json::Value = serde_json::from_str(&part).unwrap();
        part["experiment"].as_str().unwrap().to_owned()
    };
    let (from, to) = (digest(honest), digest(other));
    let part = fs::read_to_string(honest.join(file)).unwrap();
    fs::write(other.join(file), part.replace(&from, &to)).unwrap();
    let checks = Path::new("parts/shard-0.checks");
    for entry in fs::read_dir(honest.join(checks)).unwrap() {
        let name = checks.join(entry.unwrap().file_name());
        fs::copy(honest.join(&name), other.join(&name)).unwrap();
    }
}

/// Nothing is wrong but the games, of which the first named differs in this.
#[track_caller]
pub(crate) fn only_games_differ<G: TournamentGame>(folder: &Path, fault: &str) {
    for extent in [SAMPLE, Extent::All] {
        let verified = verified::<G>(folder, extent, 2);
        let faulty = verified.findings.iter().filter(|f| f.verdict == Verdict::Fault);
        let [games] = faulty.collect::<Vec<_>>()[..] else { panic!("{:#?}", verified.findings) };
        assert_eq!(games.what, "games");
        assert!(games.faults[0].starts_with("shard 0, block "), "{games:#?}");
        assert!(games.faults[0].contains(fault), "{games:#?}");
    }
}

/// Changes the first number behind a key.
pub(crate) fn number<'a>(
    key: &'a str,
    change: impl Fn(u64) -> u64 + 'a,
) -> impl Fn(&str) -> String + 'a {
    move |text| {
        let start = text.find(key).unwrap_or_else(|| panic!("no {key} in {text}")) + key.len();
        let rest = &text[start..];
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap();
        let number: u64 = rest[..end].parse().unwrap();
        format!("{}{}{}", &text[..start], change(number), &rest[end..])
    }
}

pub(crate) fn replaced<'a>(from: &'a str, to: &'a str) -> impl Fn(&str) -> String + 'a {
    move |text| text.replacen(from, to, 1)
}

/// Counts games, and stops after some.
#[derive(Default)]
pub(crate) struct Count {
    expected: AtomicU64,
    done: AtomicU64,
    stops_after: Option<u64>,
}

impl Count {
    /// Stops after so many games.
    pub(crate) fn up_to(games: u64) -> Self {
        Self { stops_after: Some(games), ..Self::default() }
    }

    /// Games that were looked at.
    pub(crate) fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Games that were to be.
    pub(crate) fn expected(&self) -> u64 {
        self.expected.load(Ordering::Relaxed)
    }
}

impl Audience for Count {
    fn expect(&self, games: u64) {
        self.expected.fetch_add(games, Ordering::Relaxed);
    }

    fn advance(&self, games: u64) {
        self.done.fetch_add(games, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.stops_after.is_some_and(|games| self.done.load(Ordering::Relaxed) >= games)
    }
}
