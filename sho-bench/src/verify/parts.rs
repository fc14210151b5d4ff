//! The counts: whether each part is one of this experiment and does not contradict itself, and whether the result is what
//! they come to.

use std::path::Path;

use super::differences::contradictions;
use super::{Audience, Case, Faults, counted};
use crate::compare::compare;
use crate::compare::document::Document;
use crate::experiment::{Experiment, TournamentGame};
use crate::folder::{FolderError, Plan, REPORT, RESULT, ranges};
use crate::result::{Provenance, TournamentResult};

impl<G: TournamentGame, A: Audience> Case<'_, G, A> {
    /// Reads all parts. `tested` is the experiment with its sequential test.
    pub(super) fn check_parts(&mut self, tested: &Experiment<G::Rules>) -> Result<(), FolderError> {
        let (mut faults, mut missing) = (Faults::default(), Vec::new());
        let mut decided = false;
        for shard in 0..self.plan.shards {
            let part = match self.folder.part::<G, _>(self.plan, tested, shard) {
                Ok(part) => part,
                Err(FolderError::Content { path, problem }) => {
                    faults.add(format!("{path}: {problem}"));
                    self.damaged += 1;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let blocks = self.plan.shard(shard)?;
            if !part.is_whole::<G, Plan<G::Rules>>(tested, blocks) {
                missing.push(shard);
            } else if part.blocks != blocks {
                decided = true;
            }
            if !part.blocks.is_empty() {
                let wrong = contradictions::<G, _>(&part.tally, tested);
                self.played.push((shard, part.blocks));
                if wrong.count == 0 {
                    self.total.merge(&part.tally);
                } else {
                    // No result can be made of them.
                    self.damaged += 1;
                }
                faults.append(wrong.each(|fault| format!("shard {shard}: {fault}")));
            }
        }
        let played: u64 = self.played.iter().map(|(_, blocks)| blocks.len()).sum();
        let mut remark =
            format!("{played} of {} were played", counted(self.plan.blocks.len(), "block"));
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

    /// Whether the result in the folder is what the counts come to, and the report too.
    pub(super) fn check_result(
        &mut self,
        tested: &Experiment<G::Rules>,
    ) -> Result<(), FolderError> {
        let text = match self.folder.text(Path::new(RESULT)) {
            Ok(text) => text,
            Err(FolderError::Content { problem, .. }) => {
                let mut faults = Faults::default();
                faults.add(problem);
                self.judge("result", format!("{RESULT} is no text"), faults);
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
                faults.add(format!("{RESULT} is there, and not everything was played"));
                self.judge("result", "one of a part of the experiment".to_owned(), faults);
            } else {
                self.pass_over("result", "the parts that it is made of are not as they should be");
            }
            return Ok(());
        }
        let result = TournamentResult::new::<G>(tested, &self.total);
        let expected = serde_json::to_string(&result).unwrap_or_default() + "\n";
        let mut faults = Faults::default();
        let document = match Document::parse(&text) {
            Ok(document) => document,
            Err(problem) => {
                faults.add(problem);
                self.judge("result", format!("{RESULT} is none"), faults);
                return Ok(());
            }
        };
        let program = document.result.provenance.clone();
        if without_provenance(&text) != without_provenance(&expected) {
            // Both are results, and the one that was just made can be read back.
            if let Ok(made) = Document::parse(&expected) {
                let compared = compare(&document, &made);
                for difference in compared.experiment.iter().chain(&compared.keys) {
                    let text = |value: &Option<serde_json::Value>| {
                        value.as_ref().map_or("nothing".to_owned(), ToString::to_string)
                    };
                    let (key, here, there) =
                        (&difference.key, text(&difference.a), text(&difference.b));
                    faults.add(format!("{key}: {here}, and the counts come to {there}"));
                }
                faults.count += (compared.keys_in_all - compared.keys.len()) as u64;
                if document.result.digest != made.result.digest {
                    faults.add(format!(
                        "digest: it states {}, and the counts come to {}",
                        document.result.digest, made.result.digest
                    ));
                }
            }
            if faults.count == 0 {
                faults.add("it says the same in other bytes than this program writes");
            }
        }
        let remark = if faults.count == 0 {
            format!("{RESULT} is what the parts come to, digest {}", result.digest)
        } else {
            let writer = match program.as_ref().filter(|program| !is_this(program)) {
                Some(program) => {
                    format!("; version {}, commit {} wrote it", program.version, program.commit)
                }
                None => String::new(),
            };
            format!("{RESULT} is not what the parts come to{writer}")
        };
        self.judge("result", remark, faults);
        self.check_report(&result, program.as_ref().is_some_and(is_this))
    }

    /// Whether the report is the one of the result. Programs of other versions may lay it out otherwise.
    fn check_report(
        &mut self,
        result: &TournamentResult<G::Rules>,
        same_program: bool,
    ) -> Result<(), FolderError> {
        let Some(expected) = report_text::<G>(result, self.plan.asked) else {
            self.pass_over("report", "this build of the program makes none");
            return Ok(());
        };
        let text = match self.folder.text(Path::new(REPORT)) {
            Ok(Some(text)) => text,
            Ok(None) => {
                self.pass_over("report", "there is none");
                return Ok(());
            }
            Err(FolderError::Content { problem, .. }) => problem,
            Err(error) => return Err(error),
        };
        if text != expected && !same_program {
            self.pass_over(
                "report",
                format!("{REPORT} was written by another version, and differs"),
            );
            return Ok(());
        }
        let mut faults = Faults::default();
        if text != expected {
            let lines = text.lines().zip(expected.lines());
            let mut differ = lines.enumerate().filter(|(_, (here, there))| here != there);
            // Rules are as long as what stands between them, and say nothing themselves.
            let speaks = |text: &str| text.contains(char::is_alphanumeric);
            let first = differ.clone().next();
            let line = differ.find(|(_, (here, there))| speaks(here) || speaks(there)).or(first);
            let shorter = text.lines().count().min(expected.lines().count());
            let line = line.map_or(shorter, |(line, _)| line);
            let of = |text: &str| text.lines().nth(line).unwrap_or("nothing").trim().to_owned();
            faults.add(format!(
                "line {}: `{}`, and the counts come to `{}`",
                line + 1,
                of(&text),
                of(&expected)
            ));
        }
        let remark = if faults.count == 0 {
            format!("{REPORT} says the same")
        } else {
            format!("{REPORT} is not that of the parts")
        };
        self.judge("report", remark, faults);
        Ok(())
    }
}

fn is_this(program: &crate::compare::document::Program) -> bool {
    let this = Provenance::default();
    program.version == this.version && program.commit == this.commit
}

/// A result's text up to where it says which program wrote it. Quotes within strings have a backslash before them, so
/// that this key stands only there.
fn without_provenance(text: &str) -> &str {
    match text.rfind(",\"provenance\":{") {
        Some(end) => &text[..end],
        None => text,
    }
}

#[cfg(feature = "cli")]
#[expect(clippy::unnecessary_wraps, reason = "without the feature there is none")]
fn report_text<G: TournamentGame>(
    result: &TournamentResult<G::Rules>,
    asked: crate::experiment::Amount,
) -> Option<String> {
    Some(crate::report::tournament_table::<G>(result, asked))
}

#[cfg(not(feature = "cli"))]
fn report_text<G: TournamentGame>(
    _: &TournamentResult<G::Rules>,
    _: crate::experiment::Amount,
) -> Option<String> {
    None
}
