//! Scripts for Slurm: job arrays with a task for each missing shard, the merge after them, and one that submits all.

use std::num::NonZeroU64;

use super::{JobError, Script, line, shell_word};
use crate::folder::ranges;

/// Slurm's own limit of an array, `MaxArraySize`, where a cluster sets none: indexes 0 to 1,000.
pub const ARRAY_LIMIT: NonZeroU64 = NonZeroU64::new(1001).unwrap();

/// Slurm reads an option in a script into 8,192 bytes; a list of indexes that grows to this many ends its file.
const LONGEST_LIST: usize = 4096;

/// What the scripts are to say.
///
/// ```
/// use sho_bench::jobs::slurm::Slurm;
/// let slurm = Slurm { time: Some("2:00:00".to_owned()), ..Slurm::new("/scratch/first", "sho") };
/// let scripts = slurm.scripts(&[0, 1, 2, 7])?;
/// let names: Vec<&str> = scripts.iter().map(|script| script.name.as_str()).collect();
/// assert_eq!(names, ["slurm-0.sh", "merge.sh", "submit.sh"]);
/// assert!(scripts[0].text.contains("#SBATCH --array=0-2,7\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slurm {
    /// The folder of the experiment, as all nodes name it.
    pub folder: String,
    /// How the program is called: the words that a simple command of a shell begins with.
    pub command: String,
    /// The cluster's `MaxArraySize`: more than the largest index, and so also than the tasks of an array.
    pub array_limit: NonZeroU64,
    /// Processors, and threads, of each task.
    pub cpus: u64,
    /// So many seconds before its time is up a task is told.
    pub warning: u64,
    /// Time of each task, as Slurm reads it.
    pub time: Option<String>,
    /// Memory of each task.
    pub mem: Option<String>,
    /// The partition.
    pub partition: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// More options of `sbatch`, each as it would stand behind `#SBATCH`.
    pub sbatch: Vec<String>,
}

/// One job array: its tasks in order, and what to add to a task's index to have its shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The indexes of the tasks.
    pub indexes: Vec<u64>,
    /// What is added to them.
    pub offset: u64,
}

/// The missing shards, in rising order, as few arrays of indexes below `limit`. Where it can be, an index is its shard.
#[must_use]
pub fn arrays(missing: &[u64], limit: NonZeroU64) -> Vec<Array> {
    let mut arrays = Vec::new();
    let mut rest = missing;
    while let Some(&first) = rest.first() {
        let mut length = rest.partition_point(|shard| shard - first < limit.get());
        while ranges(&rest[..length]).len() > LONGEST_LIST {
            length /= 2;
        }
        let (here, later) = rest.split_at(length);
        let offset = if here[length - 1] < limit.get() { 0 } else { first };
        let indexes = here.iter().map(|shard| shard - offset).collect();
        arrays.push(Array { indexes, offset });
        rest = later;
    }
    arrays
}

impl Slurm {
    /// Scripts for this folder and program, with what Slurm and the program take where nothing is said.
    #[must_use]
    pub fn new(folder: &str, command: &str) -> Self {
        Self {
            folder: folder.to_owned(),
            command: command.to_owned(),
            array_limit: ARRAY_LIMIT,
            cpus: 1,
            warning: 60,
            time: None,
            mem: None,
            partition: None,
            account: None,
            sbatch: Vec::new(),
        }
    }

    /// The scripts that play these shards, in rising order: `slurm-0.sh` and so on, `merge.sh`, and `submit.sh`, which
    /// expects the others beside it; none where no shard is missing. They write logs into `jobs/logs` of the folder.
    ///
    /// # Errors
    /// Where an option or the folder's name cannot be said in a script.
    pub fn scripts(&self, missing: &[u64]) -> Result<Vec<Script>, JobError> {
        self.check()?;
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        let mut scripts: Vec<Script> = arrays(missing, self.array_limit)
            .iter()
            .enumerate()
            .map(|(number, array)| Script {
                name: format!("slurm-{number}.sh"),
                text: self.array_script(array),
            })
            .collect();
        let submit = submit_script(scripts.len());
        scripts.push(Script { name: "merge.sh".to_owned(), text: self.merge_script() });
        scripts.push(Script { name: "submit.sh".to_owned(), text: submit });
        Ok(scripts)
    }

    fn check(&self) -> Result<(), JobError> {
        line("the folder", &self.folder)?;
        line("--command", &self.command)?;
        for (name, value) in [
            ("--time", &self.time),
            ("--mem", &self.mem),
            ("--partition", &self.partition),
            ("--account", &self.account),
        ] {
            value.as_deref().map(|value| line(name, value)).transpose()?;
        }
        for option in &self.sbatch {
            if !line("--sbatch", option)?.starts_with('-') {
                return Err(JobError::NoOption(option.clone()));
            }
        }
        if self.folder.contains('\\') {
            return Err(JobError::Backslash(self.folder.clone()));
        }
        Ok(())
    }

    /// The head of a script: what Slurm is told. The user's own lines stand last, so that they have the last word.
    fn head(&self, name: &str, log: &str, own: &[String]) -> String {
        let experiment = self.folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        // A percent sign in the name of a log begins something that Slurm fills in.
        let log = format!("{}/jobs/logs/{log}", self.folder.replace('%', "%%"));
        let mut options = vec![
            format!("--job-name={}", directive_word(&format!("{name}-{experiment}"))),
            format!("--output={}", directive_word(&log)),
        ];
        options.extend_from_slice(own);
        for (name, value) in [
            ("time", &self.time),
            ("mem", &self.mem),
            ("partition", &self.partition),
            ("account", &self.account),
        ] {
            options.extend(value.iter().map(|value| format!("--{name}={}", directive_word(value))));
        }
        options.extend(self.sbatch.iter().cloned());
        let lines: String = options.iter().map(|option| format!("#SBATCH {option}\n")).collect();
        format!("#!/usr/bin/env bash\n{lines}")
    }

    fn array_script(&self, array: &Array) -> String {
        let Self { command, cpus, warning, .. } = self;
        let Array { indexes, offset } = array;
        let own = [
            format!("--array={}", ranges(indexes)),
            "--open-mode=append".to_owned(),
            format!("--cpus-per-task={cpus}"),
            format!("--signal=B:USR1@{warning}"),
            "--requeue".to_owned(),
        ];
        let head = self.head("sho", "%A_%a.log", &own);
        let folder = shell_word(&self.folder);
        format!(
            r#"{head}
# Written by `sho emit slurm`. Each task plays one shard of an experiment, or what is left of it.
#
# {warning} seconds before the time is up Slurm sends USR1 to this shell alone. The program is asked to stop, saves what
# it has, and the task goes back into the queue; it will go on where it stopped. TERM is what scancel sends, to this
# shell and mostly to the program too. The program saves what it has, and the task ends for good.
set -u
folder={folder}
shard=$((${{SLURM_ARRAY_TASK_ID:?this script is for sbatch}} + {offset}))
part=$folder/parts/shard-$shard.json
before=$(cksum "$part" 2>/dev/null)

program=
time_is_up=no
cancelled=no
ask_to_stop() {{
    if [ -n "$program" ]; then kill -s "$1" "$program" 2>/dev/null; fi
}}
trap 'time_is_up=yes; ask_to_stop TERM' USR1
# A second TERM would end the program at once, without saving; an INT beside it does not.
trap 'cancelled=yes; ask_to_stop INT' TERM

# What a shell starts in the background ignores INT, if nothing is done about it.
(trap - INT && exec {command} run-shard "$folder" "$shard" --threads {cpus}) &
program=$!
if [ "$time_is_up$cancelled" != nono ]; then ask_to_stop TERM; fi
# A signal ends `wait`, but not the program.
while kill -0 "$program" 2>/dev/null; do wait "$program"; done
wait "$program"
code=$?
program=

# 130 and 143 say that the program was stopped, and has saved.
case $time_is_up-$cancelled-$code in
yes-no-130 | yes-no-143)
    if [ "$(cksum "$part" 2>/dev/null)" = "$before" ]; then
        # It would come to this again and again.
        echo "shard $shard: nothing was finished within the time, so the task is not requeued; give it more --time" >&2
    elif scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID"; then
        echo "shard $shard: the time is up, and the task is requeued" >&2
    else
        echo "shard $shard: the time is up, and the task could not be requeued; submit it again" >&2
    fi
    ;;
esac
exit "$code"
"#
        )
    }

    fn merge_script(&self) -> String {
        let head = self.head("merge", "merge-%j.log", &["--cpus-per-task=1".to_owned()]);
        let folder = shell_word(&self.folder);
        let command = &self.command;
        format!(
            "{head}
# Written by `sho emit slurm`. Puts the shards together; where some are not whole it says which, and fails.
{command} merge {folder}
"
        )
    }
}

fn submit_script(arrays: usize) -> String {
    let last = arrays.saturating_sub(1);
    format!(
        r#"#!/usr/bin/env bash
# Written by `sho emit slurm`. Submits the arrays, and the merge for when all their tasks have ended. `afterany`, since
# the merge itself knows best whether everything is there; a task that is requeued has not ended.
set -euo pipefail
here=$(cd -- "$(dirname -- "${{BASH_SOURCE[0]}}")" && pwd)
dependency=afterany
for number in {{0..{last}}}; do
    job=$(sbatch --parsable "$here/slurm-$number.sh")
    # On some clusters the number is followed by the name of the cluster.
    dependency+=:${{job%%;*}}
    echo "slurm-$number.sh is job ${{job%%;*}}"
done
job=$(sbatch --parsable --dependency="$dependency" "$here/merge.sh")
echo "merge.sh is job ${{job%%;*}}, and waits for the others"
"#
    )
}

/// The text as one word behind `#SBATCH`: in double quotes, where Slurm knows the backslash and nothing else.
fn directive_word(text: &str) -> String {
    if shell_word(text) == text {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(limit: u64) -> NonZeroU64 {
        NonZeroU64::new(limit).unwrap()
    }

    /// The arrays as an offset and ranges.
    fn cut(missing: impl IntoIterator<Item = u64>, most: NonZeroU64) -> Vec<(u64, String)> {
        let missing: Vec<u64> = missing.into_iter().collect();
        let arrays = arrays(&missing, most);
        let shards: Vec<u64> = arrays
            .iter()
            .flat_map(|array| array.indexes.iter().map(|index| index + array.offset))
            .collect();
        assert_eq!(shards, missing, "each shard once, in order");
        for Array { indexes, .. } in &arrays {
            assert!(indexes.iter().all(|&index| index < most.get()), "{indexes:?}");
        }
        arrays.iter().map(|array| (array.offset, ranges(&array.indexes))).collect()
    }

    fn expected(arrays: &[(u64, &str)]) -> Vec<(u64, String)> {
        arrays.iter().map(|&(offset, list)| (offset, list.to_owned())).collect()
    }

    #[test]
    fn arrays_stay_below_the_limit() {
        assert_eq!(cut([], ARRAY_LIMIT), []);
        assert_eq!(cut([0], ARRAY_LIMIT), expected(&[(0, "0")]));
        assert_eq!(cut([1000], ARRAY_LIMIT), expected(&[(0, "1000")]));
        assert_eq!(cut([1001], ARRAY_LIMIT), expected(&[(1001, "0")]));
        assert_eq!(cut(0..1001, ARRAY_LIMIT), expected(&[(0, "0-1000")]));
        assert_eq!(cut(0..1002, ARRAY_LIMIT), expected(&[(0, "0-1000"), (1001, "0")]));
        assert_eq!(
            cut(0..2500, ARRAY_LIMIT),
            expected(&[(0, "0-1000"), (1001, "0-1000"), (2002, "0-497")])
        );
        assert_eq!(cut([0, 1, 5, 7, 8], limit(3)), expected(&[(0, "0-1"), (5, "0,2"), (8, "0")]));
        // One array, though no index can be its shard.
        assert_eq!(cut(500..1501, ARRAY_LIMIT), expected(&[(500, "0-1000")]));
        assert_eq!(cut([3, 10_000, 10_002, 11_000], ARRAY_LIMIT).len(), 2);
        assert_eq!(cut(0..3, limit(1)), expected(&[(0, "0"), (1, "0"), (2, "0")]));
        let end = u64::MAX;
        assert_eq!(cut([0, end - 1, end], ARRAY_LIMIT), expected(&[(0, "0"), (end - 1, "0-1")]));
    }

    #[test]
    fn lists_stay_short_enough_for_slurm() {
        let scattered = cut((0..40_000).step_by(2), limit(100_000));
        assert!(scattered.len() > 1);
        for (_, list) in scattered {
            assert!(list.len() <= LONGEST_LIST, "{}", list.len());
        }
        assert_eq!(cut(0..4_000_001, limit(4_000_001)).len(), 1);
    }

    #[test]
    fn options_stand_in_the_head_and_the_user_has_the_last_word() {
        let slurm = Slurm {
            cpus: 4,
            warning: 90,
            time: Some("1-00".to_owned()),
            mem: Some("2G".to_owned()),
            partition: Some("short,long".to_owned()),
            account: Some("a b".to_owned()),
            sbatch: vec!["--qos=low".to_owned(), "--signal=B:USR1@30".to_owned()],
            ..Slurm::new(r#"/home/Tashi's "100%" runs"#, "srun sho")
        };
        let scripts = slurm.scripts(&[5]).unwrap();
        let head: Vec<&str> =
            scripts[0].text.lines().filter(|line| line.starts_with("#SBATCH")).collect();
        assert_eq!(
            head,
            [
                r#"#SBATCH --job-name="sho-Tashi's \"100%\" runs""#,
                r#"#SBATCH --output="/home/Tashi's \"100%%\" runs/jobs/logs/%A_%a.log""#,
                "#SBATCH --array=5",
                "#SBATCH --open-mode=append",
                "#SBATCH --cpus-per-task=4",
                "#SBATCH --signal=B:USR1@90",
                "#SBATCH --requeue",
                "#SBATCH --time=1-00",
                "#SBATCH --mem=2G",
                "#SBATCH --partition=short,long",
                "#SBATCH --account=\"a b\"",
                "#SBATCH --qos=low",
                "#SBATCH --signal=B:USR1@30",
            ]
        );
        assert!(
            scripts[0]
                .text
                .contains("exec srun sho run-shard \"$folder\" \"$shard\" --threads 4) &\n")
        );
        assert_eq!(slurm.scripts(&[]), Ok(Vec::new()));
    }

    #[test]
    fn what_a_script_cannot_say_is_refused() {
        let good = Slurm::new("/runs", "sho");
        let refused = |slurm: &Slurm| slurm.scripts(&[0]).unwrap_err().to_string();
        let slurm = Slurm { time: Some("1\nrm -r".to_owned()), ..good.clone() };
        assert_eq!(
            refused(&slurm),
            "--time: expected one line of printable text, found `1\nrm -r`"
        );
        let slurm = Slurm { sbatch: vec!["qos=low".to_owned()], ..good.clone() };
        assert!(refused(&slurm).contains("found `qos=low`"));
        let slurm = Slurm { folder: r"/a\b".to_owned(), ..good.clone() };
        assert!(refused(&slurm).starts_with(r"/a\b: "));
        let slurm = Slurm { command: String::new(), ..good };
        assert!(refused(&slurm).starts_with("--command: "));
    }
}
