//! Checks a folder with a tournament or a study: [`verify`](fn@verify).
//!
//! What the folder says is held against itself, and against games that are played again: those of a sample of blocks, or
//! all. Records are played through step by step and counted again. Nothing in the folder is changed. What holds for any
//! [work](crate::folder::Work) is written once; `tournament` and `study` have what is particular to either.
//!
//! - [`tally_of_records`]: the counts of games, from their records alone.
//! - [`sampled_blocks`]: which blocks a sample has.

mod differences;
mod files;
mod games;
mod parts;
mod records;
mod recount;
mod sample;
mod study;
mod subject;
mod tournament;

pub use self::recount::{RecordFault, tally_of_records};
pub use self::sample::{SAMPLE_LABEL, sampled_blocks};

use serde::Serialize;

use self::subject::Subject;
use crate::experiment::{Blocks, TournamentGame};
use crate::folder::{Folder, FolderError, Kind, Plan, StudyPlan};

/// The name and version of a verification as JSON.
pub const VERIFY_SCHEMA: &str = "sho/verify/1";

/// So many faults of one kind are named; the others are counted.
pub const NAMED_FAULTS: usize = 5;

/// How much is played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extent {
    /// The groups of blocks that hold some blocks drawn at random.
    Sample {
        /// How many blocks are drawn.
        blocks: u64,
        /// The seed that they are drawn by.
        seed: u64,
    },
    /// Every block.
    All,
}

/// What came out of one check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// All is as it should be.
    Ok,
    /// There was nothing to check, or no way to.
    NotChecked,
    /// Something is not as it should be.
    Fault,
}

/// One check, and what came out of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was checked, in a word or two.
    pub what: &'static str,
    /// What came out.
    pub verdict: Verdict,
    /// How much was checked, or why nothing was: one line.
    pub remark: String,
    /// The first faults, [`NAMED_FAULTS`] of them, a line each.
    pub faults: Vec<String>,
    /// How many faults there are.
    pub faults_in_all: u64,
}

/// What was found in a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// The format's name and version, [`VERIFY_SCHEMA`].
    pub schema: &'static str,
    /// The game's name.
    pub game: &'static str,
    /// What was to be played again.
    pub extent: Extent,
    /// Blocks of the experiment.
    pub blocks: u64,
    /// Blocks that the folder says were played.
    pub blocks_played: u64,
    /// The checks, in their order.
    pub findings: Vec<Finding>,
    /// Whether it was stopped before everything was checked.
    pub stopped: bool,
    /// Whether no fault was found.
    pub ok: bool,
}

/// What a verification shows while it goes on, and how it is told to stop.
pub trait Audience: Sync {
    /// So many further games will be looked at.
    fn expect(&self, _games: u64) {}

    /// So many games were.
    fn advance(&self, _games: u64) {}

    /// Whether to stop.
    fn stop(&self) -> bool {
        false
    }
}

/// Shows nothing.
impl Audience for () {}

/// Checks a folder as far as it was played, with `threads` threads (0: one for each core), and shows each finding to
/// `found` as soon as it is there.
///
/// # Errors
/// Where the plan or a file cannot be read, the plan is none that this program can play, or a bot of this program chose
/// what is not legal. Everything else that is wrong is a finding.
pub fn verify<G: TournamentGame>(
    folder: &Folder,
    extent: Extent,
    threads: usize,
    audience: &impl Audience,
    found: &mut dyn FnMut(&Finding),
) -> Result<Verification, FolderError> {
    let (audience, found) = ((audience, threads), found);
    match folder.kind()? {
        Kind::Tournament => check::<G, Plan<G::Rules>, _>(folder, extent, audience, found),
        Kind::Study => check::<G, StudyPlan<G::Rules>, _>(folder, extent, audience, found),
        Kind::Tuning => Err(folder.is_a_tuning()),
    }
}

fn check<G: TournamentGame, W: Subject<G>, A: Audience>(
    folder: &Folder,
    extent: Extent,
    (audience, threads): (&A, usize),
    found: &mut dyn FnMut(&Finding),
) -> Result<Verification, FolderError> {
    let plan: W = folder.plan()?;
    let tested = plan.made()?;
    let mut case = Case::<G, W, A> {
        folder,
        plan: &plan,
        made: W::endless(&tested),
        total: W::nothing(&tested),
        tested,
        threads,
        audience,
        found,
        findings: Vec::new(),
        played: Vec::new(),
        damaged: 0,
        whole: false,
        stopped: false,
    };
    case.check_plan();
    case.check_parts()?;
    case.check_result()?;
    W::check_kept(&mut case)?;
    let lines = case.check_lines()?;
    let chosen = match extent {
        Extent::All => None,
        Extent::Sample { blocks, seed } => {
            Some(sampled_blocks(&case.played_blocks(), seed, blocks))
        }
    };
    case.check_games(lines, chosen.as_ref())?;
    W::check_on_record(&mut case, chosen.as_ref())?;
    let ok = case.findings.iter().all(|finding| finding.verdict != Verdict::Fault);
    Ok(Verification {
        schema: VERIFY_SCHEMA,
        game: G::NAME,
        extent,
        blocks: plan.cut().blocks.len(),
        blocks_played: case.played_blocks().iter().map(|blocks| blocks.len()).sum(),
        stopped: case.stopped,
        findings: case.findings,
        ok,
    })
}

/// A folder that is being checked.
struct Case<'a, G: TournamentGame, W: Subject<G>, A> {
    folder: &'a Folder,
    plan: &'a W,
    /// What is played, with what may end it: a sequential test.
    tested: W::Made,
    /// The same without that.
    made: W::Made,
    threads: usize,
    audience: &'a A,
    found: &'a mut dyn FnMut(&Finding),
    findings: Vec<Finding>,
    /// The shards with counts that can be read, and the blocks that were counted, at least one in each.
    played: Vec<(u64, Blocks)>,
    /// Shards whose counts cannot be read, are not those of a shard of this experiment, or contradict themselves.
    damaged: u64,
    /// Whether all shards are whole.
    whole: bool,
    /// The counts of all parts that can be read.
    total: W::Tally,
    stopped: bool,
}

impl<G: TournamentGame, W: Subject<G>, A: Audience> Case<'_, G, W, A> {
    fn played_blocks(&self) -> Vec<Blocks> {
        self.played.iter().map(|&(_, blocks)| blocks).collect()
    }

    /// The counts of a shard that could be read before.
    fn part(&self, shard: u64) -> Result<W::Tally, FolderError> {
        Ok(self.folder.part::<G, W>(self.plan, &self.made, shard)?.tally)
    }

    /// What was checked is as it should be, unless there are faults.
    fn judge(&mut self, what: &'static str, remark: String, faults: Faults) {
        let verdict = if faults.count == 0 { Verdict::Ok } else { Verdict::Fault };
        self.say(what, verdict, remark, faults);
    }

    /// There was nothing to check, or no way to.
    fn pass_over(&mut self, what: &'static str, why: impl Into<String>) {
        self.say(what, Verdict::NotChecked, why.into(), Faults::default());
    }

    fn say(&mut self, what: &'static str, verdict: Verdict, remark: String, faults: Faults) {
        let Faults { named, count } = faults;
        let finding = Finding { what, verdict, remark, faults: named, faults_in_all: count };
        (self.found)(&finding);
        self.findings.push(finding);
    }

    /// The plan could be read, or there would be no case.
    fn check_plan(&mut self) {
        let cut = self.plan.cut();
        let remark = format!(
            "{}, {}, {} in {}",
            G::NAME,
            self.plan.words(&self.tested).join(", "),
            counted(cut.blocks.len(), "block"),
            counted(cut.shards, "shard"),
        );
        self.judge("experiment", remark, Faults::default());
    }
}

/// Faults of one kind: how many, and the first of them.
#[derive(Clone, Debug, Default)]
struct Faults {
    named: Vec<String>,
    count: u64,
}

impl Faults {
    fn add(&mut self, fault: impl Into<String>) {
        self.count += 1;
        if self.named.len() < NAMED_FAULTS {
            self.named.push(fault.into());
        }
    }

    /// The same, each told in other words.
    fn each(self, tell: impl Fn(String) -> String) -> Self {
        Self { named: self.named.into_iter().map(tell).collect(), count: self.count }
    }

    fn append(&mut self, other: Self) {
        self.count += other.count;
        let room = NAMED_FAULTS.saturating_sub(self.named.len());
        self.named.extend(other.named.into_iter().take(room));
    }
}

/// A number of things, as in `1 block` and `2 blocks`.
fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// Blocks for a message: the first and the last.
fn range(blocks: Blocks) -> String {
    match blocks.len() {
        1 => format!("block {}", blocks.from),
        _ => format!("blocks {} to {}", blocks.from, blocks.to.saturating_sub(1)),
    }
}
