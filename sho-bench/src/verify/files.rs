//! What is kept beside the counts: check lines, and the files that are put together of the lines of all shards.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use super::subject::{Subject, TotalsOf};
use super::{Audience, Case, Faults, counted, range};
use crate::block_rows;
use crate::checks::{AddUp, CheckLine, Checked};
use crate::experiment::{Blocks, TournamentGame};
use crate::fingerprint::Fingerprint;
use crate::folder::{CHECKS, FolderError, Plan, RECORDS, ROWS};

/// The check lines of a shard.
#[derive(Clone, Debug)]
pub(super) struct Lines<S> {
    pub(super) shard: u64,
    pub(super) lines: Vec<CheckLine<S>>,
    /// Whether they cover the counted blocks without a gap, and each block once.
    pub(super) cover: bool,
}

impl<G: TournamentGame, W: Subject<G>, A: Audience> Case<'_, G, W, A> {
    /// Whether check lines cover the counted blocks, and add up to the counts.
    pub(super) fn check_lines(&mut self) -> Result<Vec<Lines<TotalsOf<G, W>>>, FolderError> {
        let (mut faults, mut count, mut blocks) = (Faults::default(), 0, 0);
        let mut shards = Vec::new();
        let schema = W::Tally::SCHEMA;
        for (shard, counted) in self.played.clone() {
            let mut of_shard = Lines { shard, lines: Vec::new(), cover: true };
            let before = faults.count;
            let mut due = counted.from;
            let (mut sum, mut fingerprint) = (TotalsOf::<G, W>::default(), Fingerprint::default());
            for (_, path) in self.folder.kept_of_shard(shard, counted, CHECKS)? {
                let text = read(&path)?;
                for (number, line) in text.lines().enumerate() {
                    let place = || format!("{}, line {}", path.display(), number + 1);
                    let line: CheckLine<TotalsOf<G, W>> = match serde_json::from_str(line) {
                        Ok(line) => line,
                        Err(error) => {
                            faults.add(format!("{}: {error}", place()));
                            continue;
                        }
                    };
                    let is_group = line.schema == schema
                        && !line.blocks.is_empty()
                        && counted.from <= line.blocks.from
                        && line.blocks.to <= counted.to;
                    if !is_group {
                        faults.add(format!(
                            "{}: expected a line of schema {schema} of {}",
                            place(),
                            range(counted)
                        ));
                        continue;
                    }
                    if line.blocks.from > due {
                        let gap = Blocks { from: due, to: line.blocks.from };
                        faults.add(format!("shard {shard}: no line has {}", range(gap)));
                    } else if line.blocks.from < due {
                        faults.add(format!(
                            "{}: a line before it has {}",
                            place(),
                            range(line.blocks)
                        ));
                        continue;
                    }
                    due = line.blocks.to;
                    sum.add(&line.totals);
                    fingerprint = fingerprint + line.fingerprint;
                    of_shard.lines.push(line);
                }
            }
            if due < counted.to {
                let gap = Blocks { from: due, to: counted.to };
                faults.add(format!("shard {shard}: no line has {}", range(gap)));
            }
            of_shard.cover = faults.count == before;
            if of_shard.cover {
                // Sums of lines that are not all there say nothing.
                let part = self.part(shard)?;
                for difference in W::total_differences(&self.made, &part.totals(), &sum) {
                    faults.add(format!("shard {shard}: the part has {difference} as its lines"));
                }
                let of_part = Fingerprint::of(&part);
                if faults.count == before && of_part != fingerprint {
                    faults.add(format!(
                        "shard {shard}: the fingerprint of the part is {of_part}, and its lines come to {fingerprint}: other \
                         counts than the totals were changed"
                    ));
                }
                blocks += counted.len();
            }
            count += of_shard.lines.len() as u64;
            shards.push(of_shard);
        }
        if self.played.is_empty() {
            self.pass_over("check lines", "no blocks were played");
        } else {
            let remark = format!(
                "{} in {}, which add up to the counts",
                counted(blocks, "block"),
                counted(count, "group")
            );
            let remark = if faults.count == 0 {
                remark
            } else {
                "they do not agree with the parts".to_owned()
            };
            self.judge("check lines", remark, faults);
        }
        Ok(shards)
    }
}

impl<G: TournamentGame, A: Audience> Case<'_, G, Plan<G::Rules>, A> {
    /// Whether the files of records and rows in the folder are what was kept of the shards.
    pub(super) fn check_kept_files(&mut self) -> Result<(), FolderError> {
        let (records, rows) = (self.plan.records.clone(), self.plan.rows.clone());
        let header = block_rows::header::<G>();
        for (name, kept, head) in [(records, RECORDS, ""), (rows, ROWS, header.as_str())] {
            let Some(name) = name else { continue };
            let path = Path::new(&name);
            let Some(file) = self.folder.open(path)? else {
                self.pass_over(kept, format!("there is no {name} yet: `sho merge` makes it"));
                continue;
            };
            if self.damaged > 0 {
                self.pass_over(
                    kept,
                    format!("{name} is made of parts that are not as they should be"),
                );
                continue;
            }
            let mut faults = Faults::default();
            if !is_joined(file, head, &self.folder.kept::<G>(self.plan, kept)?)? {
                faults.add(format!(
                    "{} is not what was kept of the shards, put together",
                    self.folder.name(path)
                ));
            }
            let remark = format!("{name} is what was kept of the shards");
            let remark = if faults.count == 0 { remark } else { format!("{name} was changed") };
            self.judge(kept, remark, faults);
        }
        Ok(())
    }
}

/// Whether a file is a head and the contents of these files. It may be larger than the memory.
fn is_joined(file: File, head: &str, parts: &[PathBuf]) -> Result<bool, FolderError> {
    let mut file = BufReader::new(file);
    // What cannot be read to the length of a part is not equal to it.
    let mut begins_with = |expected: &[u8]| {
        let mut found = vec![0; expected.len()];
        file.read_exact(&mut found).is_ok() && found == expected
    };
    if !begins_with(head.as_bytes()) {
        return Ok(false);
    }
    for part in parts {
        if !begins_with(&bytes(part)?) {
            return Ok(false);
        }
    }
    Ok(file.read(&mut [0]).is_ok_and(|more| more == 0))
}

/// A file's text. What is no text there stands as signs that are none, which no check takes for right.
pub(super) fn read(path: &Path) -> Result<String, FolderError> {
    Ok(String::from_utf8_lossy(&bytes(path)?).into_owned())
}

fn bytes(path: &Path) -> Result<Vec<u8>, FolderError> {
    let failed = |error| FolderError::File { path: path.display().to_string(), error };
    fs::read(path).map_err(failed)
}
