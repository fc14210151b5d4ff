//! Job files: shell scripts by which a scheduler that is there already plays the missing shards of an experiment.
//!
//! The scripts are texts, made from options and numbers of shards; nothing is read or run here. [`slurm`] writes for a
//! cluster, [`parallel`] for GNU parallel.
//!
//! # Stability
//! A script is to be run by the version of the program that wrote it. Its text may change with any version.

pub mod parallel;
pub mod slurm;

/// A script: its name in the folder of scripts, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The name of the file.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// What cannot be said in a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// A text that would not stay on its line.
    #[error("{what}: expected one line of printable text, found `{given}`")]
    NotALine {
        /// Which text.
        what: &'static str,
        /// What was given.
        given: String,
    },
    /// Slurm takes a backslash in the name of a log file for a wish of its own.
    #[error("{0}: Slurm cannot write logs in a folder with a backslash in its name")]
    Backslash(String),
    /// Something that is no option of `sbatch`.
    #[error("expected an option of sbatch, as --qos=long, found `{0}`")]
    NoOption(String),
}

/// Gives the text back if it stays on one line, whatever it is put into.
fn line<'a>(what: &'static str, text: &'a str) -> Result<&'a str, JobError> {
    if text.trim().is_empty() || text.contains(char::is_control) {
        return Err(JobError::NotALine { what, given: text.to_owned() });
    }
    Ok(text)
}

/// The text as one word of a shell.
///
/// ```
/// use sho_bench::jobs::shell_word;
/// assert_eq!(shell_word("runs/first"), "runs/first");
/// assert_eq!(shell_word("Tashi's runs"), r"'Tashi'\''s runs'");
/// ```
#[must_use]
pub fn shell_word(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-+=:,./@%".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word_and_a_line_one_line() {
        assert_eq!(shell_word(""), "''");
        assert_eq!(shell_word("~"), "'~'");
        assert_eq!(shell_word("a$b`c`\"d\"\\"), "'a$b`c`\"d\"\\'");
        assert_eq!(shell_word("'"), r"''\'''");
        assert_eq!(line("folder", "/a b"), Ok("/a b"));
        for text in ["", " ", "a\nb", "a\rb", "a\0"] {
            let error = JobError::NotALine { what: "folder", given: text.to_owned() };
            assert_eq!(line("folder", text), Err(error));
        }
    }
}
