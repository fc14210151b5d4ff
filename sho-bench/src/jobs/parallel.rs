//! A script for GNU parallel: the missing shards on the cores of one machine, or of several over ssh.

use super::{JobError, Script, line, shell_word};

/// What the script is to say.
///
/// ```
/// use sho_bench::jobs::parallel::Parallel;
/// let script = Parallel { jobs: Some(8), ..Parallel::new("/scratch/first", "sho") }.script()?;
/// assert_eq!(script.name, "parallel.sh");
/// assert!(script.text.contains("--jobs 8"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parallel {
    /// The folder of the experiment, as all machines name it.
    pub folder: String,
    /// How the program is called, as a shell reads it after GNU parallel did; see [`literal_word`].
    pub command: String,
    /// Shards at the same time on each machine; one a core where nothing is said.
    pub jobs: Option<u64>,
    /// Threads for each shard.
    pub threads: u64,
    /// A file with the machines to play on, a line each, as GNU parallel reads it.
    pub sshloginfile: Option<String>,
}

impl Parallel {
    /// A script for this folder and program, that plays one shard a core of this machine.
    #[must_use]
    pub fn new(folder: &str, command: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            command: command.to_owned(),
            jobs: None,
            threads: 1,
            sshloginfile: None,
        }
    }

    /// The script that plays what is missing at the time when it is run, and then merges: `parallel.sh`.
    ///
    /// # Errors
    /// Where an option or the folder's name cannot be said in a script.
    pub fn script(&self) -> Result<Script, JobError> {
        line("the folder", &self.folder)?;
        line("--command", &self.command)?;
        let Self { command, threads, .. } = self;
        let folder = literal_word(&self.folder);
        let jobs = self.jobs.map_or_else(|| "100%".to_owned(), |jobs| jobs.to_string());
        let machines = match &self.sshloginfile {
            Some(file) => {
                format!(" --sshloginfile {}", shell_word(line("--sshloginfile", file)?))
            }
            None => String::new(),
        };
        // Read twice: by the shell of this script, and by the one that runs each shard.
        let work = shell_word(&format!("{command} run-shard {folder} {{}} --threads {threads}"));
        let text = format!(
            r#"#!/usr/bin/env bash
# Written by `sho emit parallel`. Plays the shards of an experiment that are missing when it is run, and merges them.
#
# Ctrl-C, TERM and a closed terminal let the shards in work save what they have; to go on, start the script again. A
# shard that does not end within ten minutes of that is killed, and loses what it did since it last saved.
set -u
folder={folder}

case $(parallel --version 2>/dev/null) in
"GNU parallel "*) ;;
*)
    echo "this script needs GNU parallel (Debian and others: package parallel), which is not found" >&2
    exit 127
    ;;
esac

# One number a line of ranges such as 0-3,7.
numbers() {{
    local range
    tr , '\n' <<<"$1" | while read -r range; do seq "${{range%-*}}" "${{range#*-}}"; done
}}

missing=$({command} missing "$folder") || exit
if [ -n "$missing" ]; then
    signal=
    player=
    stop() {{
        signal=$1
        # Twice would be twice for the program as well, and that ends it at once.
        if [ -n "$player" ]; then kill -s TERM "$player" 2>/dev/null && player=; fi
    }}
    trap 'stop 1' HUP
    trap 'stop 2' INT
    trap 'stop 15' TERM

    # With a process group of its own, so that Ctrl-C comes to it by way of this script only.
    set -m
    parallel --jobs {jobs}{machines} --termseq TERM,600000,KILL,25 --joblog "$folder/jobs/parallel.log" \
        {work} < <(numbers "$missing") &
    player=$!
    set +m
    playing=$player
    if [ -n "$signal" ]; then stop "$signal"; fi
    # A signal ends `wait`, but not parallel.
    while kill -0 "$playing" 2>/dev/null; do wait "$playing"; done
    wait "$playing"
    code=$?

    if [ -n "$signal" ]; then
        echo "stopped; to go on, start this script again" >&2
        exit $((128 + signal))
    fi
    if [ "$code" -ne 0 ]; then
        # The merge says which shards are missing.
        echo "some shards failed; $folder/jobs/parallel.log has their exit codes" >&2
    fi
fi
{command} merge "$folder"
"#
        );
        Ok(Script { name: "parallel.sh".to_owned(), text })
    }
}

/// The text as one word of a shell in which GNU parallel finds nothing to replace: all that it would replace begins with
/// a brace and goes on at once, so an empty string behind each brace keeps it apart.
///
/// ```
/// use sho_bench::jobs::parallel::literal_word;
/// assert_eq!(literal_word("{}"), "'{''}'");
/// ```
#[must_use]
pub fn literal_word(text: &str) -> String {
    shell_word(text).replace('{', "{''")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_in_the_call_and_the_folder_is_quoted_for_two_shells() {
        let parallel = Parallel {
            jobs: Some(3),
            threads: 2,
            sshloginfile: Some("my machines".to_owned()),
            ..Parallel::new("/Tashi's {}", "nice sho")
        };
        let text = parallel.script().unwrap().text;
        assert!(text.contains("parallel --jobs 3 --sshloginfile 'my machines' "), "{text}");
        let work = r"'nice sho run-shard '\''/Tashi'\''\'\'''\''s {'\'''\''}'\'' {} --threads 2'";
        assert!(text.contains(work), "{text}");
        assert!(text.contains("\nnice sho merge \"$folder\"\n"), "{text}");
        let all = Parallel::new("/runs", "sho").script().unwrap().text;
        assert!(all.contains("parallel --jobs 100% --termseq"), "{all}");
        assert!(all.contains(" 'sho run-shard /runs {} --threads 1' "), "{all}");
    }

    #[test]
    fn what_a_script_cannot_say_is_refused() {
        let good = Parallel::new("/runs", "sho");
        let bad = Parallel { sshloginfile: Some("a\nb".to_owned()), ..good.clone() };
        assert!(bad.script().unwrap_err().to_string().starts_with("--sshloginfile: "));
        assert!(Parallel { folder: "a\u{7}".to_owned(), ..good }.script().is_err());
    }
}
