//! An experiment or a study in a folder: what is to be played, and what has been, in parts that any machine may play.
//!
//! `experiment.json` is the [`Plan`], or the [`StudyPlan`]. Whatever is played block by block and counted in integers is
//! [`Work`], and a folder treats it alike. It cuts the blocks into shards; each shard that was begun has a file in `parts/`
//! with the counts of its first blocks. When all shards are whole their counts add up to the result, which is byte for
//! byte that of one run.

mod error;
mod plan;
mod study_plan;
mod work;

pub use error::FolderError;
pub use plan::{PLAN_SCHEMA, Plan};
pub use study_plan::{Kind, STUDY_PLAN_SCHEMA, StudyPlan};
pub use work::{Cut, Sink, Work};

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::block_rows;
use crate::checks::{CheckWriter, Checked};
use crate::digest;
use crate::experiment::{Blocks, TournamentGame};
use crate::files::{write_joined, write_whole};
use crate::tally::Tally;
use crate::tournament::{Lines, RunEnd, Watcher};

/// The name and version of the files of parts.
pub const PART_SCHEMA: &str = "sho/part/1";

/// The result as a document, in the folder.
pub const RESULT: &str = "result.json";

/// The result of a study as a document, in its folder.
pub const STUDY_RESULT: &str = "study.json";

/// The result for the eye, in the folder.
pub const REPORT: &str = "report.txt";

/// The experiment, in the folder.
pub const PLAN: &str = "experiment.json";

const PARTS: &str = "parts";

/// What is kept of the games of a shard beside their counts.
pub(crate) const RECORDS: &str = "records";
pub(crate) const ROWS: &str = "rows";
pub(crate) const CHECKS: &str = "checks";

/// The counts of the first blocks of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Part<T = Tally> {
    schema: String,
    /// Digest of the plan: parts of other experiments are refused.
    experiment: String,
    shard: u64,
    /// The blocks that were counted.
    pub(crate) blocks: Blocks,
    pub(crate) tally: T,
}

impl<T> Part<T> {
    /// Whether nothing of a shard with these blocks is left to be played.
    pub(crate) fn is_whole<G: TournamentGame, W: Work<G, Tally = T>>(
        &self,
        made: &W::Made,
        blocks: Blocks,
    ) -> bool {
        self.blocks == blocks || W::is_decided(made, &self.tally)
    }
}

/// How far a shard is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// All its blocks are counted.
    Whole,
    /// It was stopped; so many of its blocks are counted.
    Stopped {
        /// Blocks that are counted.
        done: u64,
        /// Blocks that it has.
        of: u64,
    },
}

/// A folder with an experiment.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Makes the folder of an experiment.
    ///
    /// # Errors
    /// Where it cannot be written, or holds an experiment already.
    pub fn create(path: &Path, plan: &impl Serialize) -> Result<Self, FolderError> {
        let folder = Self { path: path.to_owned() };
        fs::create_dir_all(folder.path.join(PARTS))
            .map_err(|error| FolderError::File { path: path.display().to_string(), error })?;
        if folder.path.join(PLAN).exists() || folder.path.join(RESULT).exists() {
            return Err(FolderError::Taken(path.display().to_string()));
        }
        folder.write(Path::new(PLAN), &to_text(plan))?;
        Ok(folder)
    }

    /// A folder that was made before.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The name of the game of its experiment.
    ///
    /// # Errors
    /// Where the folder holds no experiment.
    pub fn game(&self) -> Result<String, FolderError> {
        Ok(self.head()?.0)
    }

    /// What it holds.
    ///
    /// # Errors
    /// Where the folder holds no experiment.
    pub fn kind(&self) -> Result<Kind, FolderError> {
        Ok(self.head()?.1)
    }

    fn head(&self) -> Result<(String, Kind), FolderError> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
            game: String,
        }
        let head: Head = self.read(Path::new(PLAN))?;
        let Some(kind) = Kind::of(&head.schema) else {
            let problem = format!(
                "an experiment of schema {PLAN_SCHEMA} was expected, found `{}`",
                head.schema
            );
            return Err(FolderError::Content { path: self.name(Path::new(PLAN)), problem });
        };
        Ok((head.game, kind))
    }

    /// What is said where shards are asked for, and it holds a tuning.
    #[must_use]
    pub fn is_a_tuning(&self) -> FolderError {
        FolderError::Tuning(self.path.display().to_string())
    }

    /// Its plan, a [`Plan`] or a [`StudyPlan`] as its [kind](Self::kind) is.
    ///
    /// # Errors
    /// Where the folder holds none, or one of another game or kind.
    pub fn plan<P: DeserializeOwned>(&self) -> Result<P, FolderError> {
        self.read(Path::new(PLAN))
    }

    /// Plays the rest of a shard, saving as it goes. `watcher` may stop it after each saving.
    ///
    /// # Errors
    /// Where there is no such shard, its file is damaged or of another experiment, or a game fails.
    pub fn play_shard<G: TournamentGame>(
        &self,
        plan: &impl Work<G>,
        shard: u64,
        threads: usize,
        watcher: &impl Watcher,
    ) -> Result<Progress, FolderError> {
        self.play_work(plan, shard, threads, watcher)
    }

    fn play_work<G: TournamentGame, W: Work<G>>(
        &self,
        plan: &W,
        shard: u64,
        threads: usize,
        watcher: &impl Watcher,
    ) -> Result<Progress, FolderError> {
        let cut = plan.cut();
        let blocks = cut.shard(shard)?;
        let made = plan.made()?;
        let mut part = self.part::<G, W>(plan, &made, shard)?;
        W::show(&made, &part.tally, watcher);
        let mut checks = CheckWriter::new(cut.blocks.len(), blocks.from, &part.tally);
        while !part.is_whole::<G, W>(&made, blocks) {
            if watcher.stop() {
                return Ok(Progress::Stopped { done: part.blocks.len(), of: blocks.len() });
            }
            let from = part.blocks.to;
            let next = Blocks { from, to: blocks.to.min(from + cut.save_every.max(1)) };
            let mut lines = Lines::default();
            checks.begin(next.len());
            let mut sink = |tally: &W::Tally, more: &Lines| {
                checks.so_far(tally);
                lines.append(more);
                Ok(())
            };
            let (tally, end) = plan.play(&made, next, part.tally, threads, watcher, &mut sink)?;
            part.tally = tally;
            part.blocks.to = part.blocks.from + part.tally.blocks();
            // Lines first: what a crash leaves of blocks that are not counted yet is written anew.
            let check_lines = checks.finish(&part.tally);
            for (kept, text) in
                [(RECORDS, &lines.records), (ROWS, &lines.rows), (CHECKS, &check_lines)]
            {
                if !text.is_empty() {
                    self.write(&kept_file(shard, kept, from), text)?;
                }
            }
            self.write(&part_file(shard), &to_text(&part))?;
            if end == RunEnd::Stopped {
                return Ok(Progress::Stopped { done: part.blocks.len(), of: blocks.len() });
            }
        }
        Ok(Progress::Whole)
    }

    /// The shards that are not whole, in order.
    ///
    /// # Errors
    /// Where a file of a part is damaged or of another experiment.
    pub fn missing<G: TournamentGame>(&self, plan: &impl Work<G>) -> Result<Vec<u64>, FolderError> {
        let made = plan.made()?;
        let mut missing = Vec::new();
        for shard in 0..plan.cut().shards {
            if self.whole_part(plan, &made, shard)?.is_none() {
                missing.push(shard);
            }
        }
        Ok(missing)
    }

    /// The counts of all shards together.
    ///
    /// # Errors
    /// Where a shard is not whole, or a file is damaged or of another experiment.
    pub fn merge<G: TournamentGame, W: Work<G>>(&self, plan: &W) -> Result<W::Tally, FolderError> {
        let made = plan.made()?;
        let mut tally = W::nothing(&made);
        let mut missing = Vec::new();
        for shard in 0..plan.cut().shards {
            match self.whole_part(plan, &made, shard)? {
                Some(part) => W::merge(&mut tally, &part.tally),
                None => missing.push(shard),
            }
        }
        if missing.is_empty() { Ok(tally) } else { Err(FolderError::Missing(ranges(&missing))) }
    }

    /// Writes a file that belongs to the result.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write_beside(&self, name: &str, text: &str) -> Result<(), FolderError> {
        self.write(Path::new(name), text)
    }

    /// Writes the result beside the plan.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write_result(&self, document: &str, report: &str) -> Result<(), FolderError> {
        self.write(Path::new(RESULT), document)?;
        self.write(Path::new(REPORT), report)
    }

    /// Puts what was kept beside the counts together into the files that the plan names, and a data dictionary beside the
    /// rows. Of shards that are not whole there are the lines of the blocks that were counted.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub fn write_kept<G: TournamentGame>(&self, plan: &Plan<G::Rules>) -> Result<(), FolderError> {
        if let Some(name) = &plan.records {
            self.write_joined(Path::new(name), "", &self.kept::<G>(plan, RECORDS)?)?;
        }
        if let Some(name) = &plan.rows {
            let parts = self.kept::<G>(plan, ROWS)?;
            self.write_joined(Path::new(name), &block_rows::header::<G>(), &parts)?;
            let dictionary = block_rows::dictionary::<G>();
            self.write(&block_rows::dictionary_file(Path::new(name)), &dictionary)?;
        }
        Ok(())
    }

    /// The files that keep lines of counted blocks, in the order of the blocks.
    pub(crate) fn kept<G: TournamentGame>(
        &self,
        plan: &Plan<G::Rules>,
        kept: &str,
    ) -> Result<Vec<PathBuf>, FolderError> {
        let experiment = plan.experiment::<G>()?;
        let mut files = Vec::new();
        for shard in 0..plan.shards {
            let counted = self.part::<G, _>(plan, &experiment, shard)?.blocks;
            let of_shard = self.kept_of_shard(shard, counted, kept)?;
            files.extend(of_shard.into_iter().map(|(_, file)| file));
        }
        Ok(files)
    }

    /// The files that keep lines of a shard's counted blocks, in their order, each with its blocks.
    pub(crate) fn kept_of_shard(
        &self,
        shard: u64,
        counted: Blocks,
        kept: &str,
    ) -> Result<Vec<(Blocks, PathBuf)>, FolderError> {
        let folder = kept_file(shard, kept, 0).parent().map(Path::to_owned).unwrap_or_default();
        let entries = match fs::read_dir(self.path.join(&folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.failed(&folder, error)),
        };
        let mut starts = Vec::new();
        for entry in entries {
            let name = entry.map_err(|error| self.failed(&folder, error))?.file_name();
            let from = name.to_str().and_then(|name| name.strip_prefix("from-")?.parse().ok());
            // A file of blocks that a crash kept from being counted has no say.
            starts.extend(from.filter(|from| counted.range().contains(from)));
        }
        starts.sort_unstable();
        let ends = starts.iter().copied().skip(1).chain([counted.to]);
        let file =
            |(&from, to)| (Blocks { from, to }, self.path.join(kept_file(shard, kept, from)));
        Ok(starts.iter().zip(ends).map(file).collect())
    }

    /// A file in it, to be read; nothing where there is none.
    pub(crate) fn open(&self, file: &Path) -> Result<Option<File>, FolderError> {
        match File::open(self.path.join(file)) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(file, error)),
        }
    }

    /// The text of a file in it, and nothing where there is none.
    pub(crate) fn text(&self, file: &Path) -> Result<Option<String>, FolderError> {
        match fs::read(self.path.join(file)) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(Some(text)),
                Err(error) => {
                    Err(FolderError::Content { path: self.name(file), problem: error.to_string() })
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(file, error)),
        }
    }

    fn write_joined(&self, file: &Path, head: &str, parts: &[PathBuf]) -> Result<(), FolderError> {
        write_joined(&self.path.join(file), head, parts).map_err(|error| self.failed(file, error))
    }

    /// What has been counted of a shard that is whole; nothing where it is not.
    fn whole_part<G: TournamentGame, W: Work<G>>(
        &self,
        plan: &W,
        made: &W::Made,
        shard: u64,
    ) -> Result<Option<Part<W::Tally>>, FolderError> {
        let blocks = plan.cut().shard(shard)?;
        let part = self.part::<G, W>(plan, made, shard)?;
        Ok(part.is_whole::<G, W>(made, blocks).then_some(part))
    }

    /// What has been counted of a shard; zeros where it has no file.
    pub(crate) fn part<G: TournamentGame, W: Work<G>>(
        &self,
        plan: &W,
        made: &W::Made,
        shard: u64,
    ) -> Result<Part<W::Tally>, FolderError> {
        let blocks = plan.cut().shard(shard)?;
        let digest = digest::of_json(plan);
        let file = part_file(shard);
        if !self.path.join(&file).exists() {
            return Ok(Part {
                schema: PART_SCHEMA.to_owned(),
                experiment: digest,
                shard,
                blocks: Blocks { from: blocks.from, to: blocks.from },
                tally: W::nothing(made),
            });
        }
        let part: Part<W::Tally> = self.read(&file)?;
        let problem = if part.schema != PART_SCHEMA {
            format!("a part of schema {PART_SCHEMA} was expected, found `{}`", part.schema)
        } else if part.experiment != digest {
            "it belongs to another experiment than the folder's".to_owned()
        } else if part.shard != shard {
            format!("it is of shard {}, not {shard}", part.shard)
        } else if part.blocks.from != blocks.from
            || part.blocks.to > blocks.to
            || part.blocks.to < blocks.from
        {
            format!(
                "it has blocks {} to {}, and the shard has {} to {}",
                part.blocks.from, part.blocks.to, blocks.from, blocks.to
            )
        } else if part.tally.blocks() != part.blocks.len() {
            format!("it says {} blocks and counts {}", part.blocks.len(), part.tally.blocks())
        } else if !W::fits(made, &part.tally) {
            "its counts are not those of the folder's experiment".to_owned()
        } else {
            return Ok(part);
        };
        Err(FolderError::Content { path: self.name(&file), problem })
    }

    /// What a file in it says; nothing where there is none.
    pub(crate) fn read_if_there<T: DeserializeOwned>(
        &self,
        file: &Path,
    ) -> Result<Option<T>, FolderError> {
        if self.path.join(file).exists() { self.read(file).map(Some) } else { Ok(None) }
    }

    fn read<T: DeserializeOwned>(&self, file: &Path) -> Result<T, FolderError> {
        let bytes = fs::read(self.path.join(file)).map_err(|error| self.failed(file, error))?;
        serde_json::from_slice(&bytes).map_err(|error| FolderError::Content {
            path: self.name(file),
            problem: error.to_string(),
        })
    }

    fn write(&self, file: &Path, text: &str) -> Result<(), FolderError> {
        if let Some(folder) = file.parent() {
            let folder = self.path.join(folder);
            fs::create_dir_all(folder).map_err(|error| self.failed(file, error))?;
        }
        write_whole(&self.path.join(file), text).map_err(|error| self.failed(file, error))
    }

    fn failed(&self, file: &Path, error: io::Error) -> FolderError {
        FolderError::File { path: self.name(file), error }
    }

    pub(crate) fn name(&self, file: &Path) -> String {
        self.path.join(file).display().to_string()
    }
}

fn part_file(shard: u64) -> PathBuf {
    Path::new(PARTS).join(format!("shard-{shard}.json"))
}

/// The file that keeps lines of a shard's blocks from this one on, up to the next such file's.
fn kept_file(shard: u64, kept: &str, from: u64) -> PathBuf {
    Path::new(PARTS).join(format!("shard-{shard}.{kept}")).join(format!("from-{from}"))
}

fn to_text(value: &impl Serialize) -> String {
    // Strings, numbers and maps with string keys: nothing that JSON cannot hold.
    serde_json::to_string(value).unwrap_or_default() + "\n"
}

/// Rising numbers as ranges: `0-3,7`, as job schedulers read them.
///
/// ```
/// assert_eq!(sho_bench::folder::ranges(&[0, 1, 2, 3, 7]), "0-3,7");
/// ```
#[must_use]
pub fn ranges(numbers: &[u64]) -> String {
    let mut text = String::new();
    let mut rest = numbers;
    while let Some(&first) = rest.first() {
        let length = (0..).zip(rest).take_while(|&(step, &number)| number == first + step).count();
        let last = rest[length - 1];
        let separator = if text.is_empty() { "" } else { "," };
        text += &if first == last {
            format!("{separator}{first}")
        } else {
            format!("{separator}{first}-{last}")
        };
        rest = &rest[length..];
    }
    text
}
