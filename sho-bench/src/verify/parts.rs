//! The counts: whether each part is one of this experiment and does not contradict itself, and whether the result is what
//! they come to.

use std::path::Path;

use super::subject::{Outcome, Subject, is_this, without_provenance};
use super::{Audience, Case, Faults, counted};
use crate::experiment::TournamentGame;
use crate::folder::{FolderError, REPORT, ranges};

impl<G: TournamentGame, W: Subject<G>, A: Audience> Case<'_, G, W, A> {
    /// Reads all parts.
    pub(super) fn check_parts(&mut self) -> Result<(), FolderError> {
        let (mut faults, mut missing) = (Faults::default(), Vec::new());
        let mut decided = false;
        let cut = self.plan.cut();
        for shard in 0..cut.shards {
            let part = match self.folder.part::<G, W>(self.plan, &self.tested, shard) {
                Ok(part) => part,
                Err(FolderError::Content { path, problem }) => {
                    faults.add(format!("{path}: {problem}"));
                    self.damaged += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let blocks = cut.shard(shard)?;
            if !part.is_whole::<G, W>(&self.tested, blocks) {
                missing.push(shard);
            } else if part.blocks != blocks {
                decided = true;
            }
            if !part.blocks.is_empty() {
                let wrong = W::contradictions(&self.tested, part.blocks, &part.tally);
                self.played.push((shard, part.blocks));
                if wrong.count == 0 {
                    W::merge(&mut self.total, &part.tally);
                } else {
                    // No result can be made of them.
                    self.damaged += 1;
                }
                faults.append(wrong.each(|fault| format!("shard {shard}: {fault}")));
            }
        }
        let played: u64 = self.played.iter().map(|(_, blocks)| blocks.len()).sum();
        let mut remark = format!("{played} of {} were played", counted(cut.blocks.len(), "block"));
        if decided {
            remark += ", where the sequential test decided";
        } else if !missing.is_empty() {
            let is = if missing.len() == 1 { "shard" } else { "shards" };
            remark += &format!("; not whole: {is} {}", ranges(&missing));
        }
        self.judge("parts", remark, faults);
        self.whole = missing.is_empty() && self.damaged == 0;
        Ok(())
    }

    /// Whether the result in the folder is what the counts come to, and the report and tables too.
    pub(super) fn check_result(&mut self) -> Result<(), FolderError> {
        let name = W::RESULT;
        let text = match self.folder.text(Path::new(name)) {
            Ok(text) => text,
            Err(FolderError::Content { problem, .. }) => {
                let mut faults = Faults::default();
                faults.add(problem);
                self.judge("result", format!("{name} is no text"), faults);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        let Some(text) = text else {
            let why =
                if self.whole { "`sho merge` makes one" } else { "not everything was played" };
            self.pass_over("result", format!("there is none: {why}"));
            return Ok(());
        };
        if !self.whole {
            let mut faults = Faults::default();
            if self.damaged == 0 {
                faults.add(format!("{name} is there, and not everything was played"));
                self.judge("result", "one of a part of the experiment".to_owned(), faults);
            } else {
                self.pass_over("result", "the parts that it is made of are not as they should be");
            }
            return Ok(());
        }
        let outcome = self.plan.outcome(&self.tested, &self.total);
        let (mut faults, program) = match W::result_differences(&text, &outcome.document) {
            Ok(found) => found,
            Err(problem) => {
                let mut faults = Faults::default();
                faults.add(problem);
                self.judge("result", format!("{name} is none"), faults);
                return Ok(());
            }
        };
        if without_provenance(&text) != without_provenance(&outcome.document) && faults.count == 0 {
            faults.add("it says the same in other bytes than this program writes");
        }
        let remark = if faults.count == 0 {
            format!("{name} is what the parts come to, digest {}", outcome.digest)
        } else {
            let writer = match program.as_ref().filter(|program| !is_this(program)) {
                Some(program) => {
                    format!("; version {}, commit {} wrote it", program.version, program.commit)
                }
                None => String::new(),
            };
            format!("{name} is not what the parts come to{writer}")
        };
        self.judge("result", remark, faults);
        let same_program = program.as_ref().is_some_and(is_this);
        let Outcome { report, tables, .. } = outcome;
        match report {
            Some(report) => self.check_texts("report", &[(REPORT, report)], same_program)?,
            None => self.pass_over("report", "this build of the program makes none"),
        }
        if tables.is_empty() { Ok(()) } else { self.check_texts("tables", &tables, same_program) }
    }

    /// Whether files that are made of the result are its. Programs of other versions may lay them out otherwise.
    fn check_texts(
        &mut self,
        what: &'static str,
        files: &[(&str, String)],
        same_program: bool,
    ) -> Result<(), FolderError> {
        let (mut faults, mut same, mut other, mut none) =
            (Faults::default(), Vec::new(), Vec::new(), Vec::new());
        for (name, expected) in files {
            let text = match self.folder.text(Path::new(name)) {
                Ok(Some(text)) => text,
                Ok(None) => {
                    none.push(*name);
                    continue;
                }
                Err(FolderError::Content { problem, .. }) => problem,
                Err(error) => return Err(error),
            };
            if text == *expected {
                same.push(*name);
            } else if same_program {
                let place = if files.len() > 1 { format!("{name}, ") } else { String::new() };
                faults.add(place + &first_difference(&text, expected));
            } else {
                other.push(*name);
            }
        }
        let list = |names: &[&str]| names.join(", ");
        let plural = |names: &[&str]| names.len() > 1;
        let mut remarks = Vec::new();
        if faults.count > 0 {
            let names = files.iter().map(|(name, _)| *name);
            let wrong: Vec<&str> = names
                .filter(|name| ![&same, &other, &none].iter().any(|names| names.contains(name)))
                .collect();
            let is = if plural(&wrong) { "are not those" } else { "is not that" };
            remarks.push(format!("{} {is} of the parts", list(&wrong)));
        } else if !same.is_empty() {
            let say = if plural(&same) { "say" } else { "says" };
            remarks.push(format!("{} {say} the same", list(&same)));
        }
        if !other.is_empty() {
            let (was, differ) =
                if plural(&other) { ("were", "differ") } else { ("was", "differs") };
            remarks
                .push(format!("{} {was} written by another version, and {differ}", list(&other)));
        }
        if !none.is_empty() {
            remarks.push(if files.len() > 1 {
                format!("there is no {}", list(&none))
            } else {
                "there is none".to_owned()
            });
        }
        let remark = remarks.join("; ");
        if faults.count == 0 && same.is_empty() {
            self.pass_over(what, remark);
        } else {
            self.judge(what, remark, faults);
        }
        Ok(())
    }
}

/// The first line in which a text is not what was expected.
fn first_difference(text: &str, expected: &str) -> String {
    let lines = text.lines().zip(expected.lines());
    let mut differ = lines.enumerate().filter(|(_, (here, there))| here != there);
    // Rules are as long as what stands between them, and say nothing themselves.
    let speaks = |text: &str| text.contains(char::is_alphanumeric);
    let first = differ.clone().next();
    let line = differ.find(|(_, (here, there))| speaks(here) || speaks(there)).or(first);
    let shorter = text.lines().count().min(expected.lines().count());
    let line = line.map_or(shorter, |(line, _)| line);
    let of = |text: &str| text.lines().nth(line).unwrap_or("nothing").trim().to_owned();
    format!("line {}: `{}`, and the counts come to `{}`", line + 1, of(text), of(expected))
}
