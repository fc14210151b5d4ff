//! `sho diff`: two results side by side.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use sho_bench::compare::compare;
use sho_bench::compare::document::Document;
use sho_bench::report::comparison_table;

use super::failure::{Answered, OrUsage};
use super::options::Format;
use super::output::Output;

const HELP: &str = "\
Exit codes: 0 both say the same, 1 they do not or one was changed by hand, 2 one
cannot be read.

Examples:
  sho diff first.json again.json
  sho diff runs/lhasa runs/bhutan --format json";

/// Compare two results
///
/// Says whether they are the same; or a broken repeat, where one experiment has two results; or of two experiments. Then
/// it says in what these differ, and shows scores, lengths and ends side by side, with the difference (b less a) and its
/// 95 % interval. Also whether a result was changed after it was written.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Diff {
    /// A result as JSON, or the folder of an experiment that has one
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The other one
    #[arg(value_name = "B")]
    b: PathBuf,

    /// The form of the comparison
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

impl Diff {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        let a = Document::read(&self.a).or_usage()?;
        let b = Document::read(&self.b).or_usage()?;
        let found = compare(&a, &b);
        let names = [&self.a, &self.b].map(|path| path.display().to_string());
        match self.format {
            Format::Table => {
                let text = comparison_table(&found, [&names[0], &names[1]]);
                output.write_all(text.as_bytes())?;
            }
            Format::Json => writeln!(output, "{}", serde_json::to_string_pretty(&found)?)?,
        }
        if found.same() { Ok(()) } else { Err(Answered::with(1)) }
    }
}
