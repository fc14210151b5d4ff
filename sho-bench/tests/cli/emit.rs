//! Job files: written, read by the shells that they are for, and run with the variables of a scheduler set by hand.
#![cfg(unix)]

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::sho;

const BOTS: [&str; 3] = ["tournament", "--bots", "easy,random,easy"];

/// Games that take seconds, so that a signal is heard before they are played, even if the machine is busy.
const MANY: &str = "1500000";

/// Letters that shells, Slurm and GNU parallel each have a use for.
const NAME: &str = r#"Tashi's "100%" {} {/.} $(runs)"#;

/// A folder with an experiment, one with programs that are found before all others, and one for notes.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    /// With an experiment of so many games in so many shards.
    fn new(games: &str, shards: &str) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.folder.path().join("bin")).unwrap();
        let more = ["--games", games, "--shards", shards, "--prepare", "--quiet", "--out"];
        sho(&[&BOTS[..], &more, &[&place.name()]].concat()).good();
        place
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(NAME)
    }

    fn name(&self) -> String {
        self.path().to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Puts a program on the path and gives its file.
    fn program(&self, name: &str, text: &str) -> String {
        let path = self.file("bin").join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// A program that notes how it was called, and then does what `then` says.
    fn noting_program(&self, name: &str, then: &str) -> String {
        let notes = self.file(&format!("{name}.notes"));
        self.program(name, &format!("#!/bin/sh\necho \"$*\" >>{}\n{then}\n", notes.display()))
    }

    fn notes(&self, name: &str) -> Vec<String> {
        let text = fs::read_to_string(self.file(&format!("{name}.notes"))).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// A script of the experiment, not yet running.
    fn script(&self, name: &str) -> Command {
        let mut command = Command::new("bash");
        let path = std::env::var("PATH").unwrap();
        command
            .arg(self.path().join("jobs").join(name))
            .env("PATH", format!("{}:{path}", self.file("bin").display()))
            .env_remove("PARALLEL")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The task of an array, not yet running.
    fn task(&self, script: &str, index: u64) -> Command {
        let mut command = self.script(script);
        command
            .env("SLURM_ARRAY_JOB_ID", "71")
            .env("SLURM_JOB_ID", (72 + index).to_string())
            .env("SLURM_ARRAY_TASK_ID", index.to_string());
        command
    }

    /// The blocks of a shard that were counted.
    fn blocks(&self, shard: u64) -> u64 {
        let part = self.path().join(format!("parts/shard-{shard}.json"));
        fs::read_to_string(part).map_or(0, |text| {
            let part: serde_json::Value = serde_json::from_str(&text).unwrap();
            part["tally"]["blocks"].as_u64().unwrap()
        })
    }

    /// Waits until more than `done` blocks of shard 0 are counted.
    #[track_caller]
    fn wait_for_more(&self, done: u64) {
        wait_until(|| self.blocks(0) > done);
    }
}

#[track_caller]
fn wait_until(mut condition: impl FnMut() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < Duration::from_secs(120), "it takes too long");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn kill(signal: &str, id: &str) {
    assert!(Command::new("kill").args([&format!("-{signal}"), id]).status().unwrap().success());
}

fn one_run(games: &str, format: &str) -> String {
    sho(&[&BOTS[..], &["--games", games, "--format", format]].concat()).good()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[track_caller]
fn ended(child: Child, code: i32) -> Output {
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    output
}

/// The indexes that a script asks Slurm for.
fn indexes(script: &Path) -> Vec<u64> {
    let text = fs::read_to_string(script).unwrap();
    let list = text.lines().find_map(|line| line.strip_prefix("#SBATCH --array=")).unwrap();
    let number = |text: &str| text.parse::<u64>().unwrap();
    list.split(',')
        .flat_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            number(first)..=number(last)
        })
        .collect()
}

/// Whether a program is there. Where it is not, the test says so where it is seen: what `eprintln` prints is not.
fn is_installed(program: &str, arguments: &[&str], says: &str) -> bool {
    let output = Command::new(program).args(arguments).output();
    let found = output.is_ok_and(|output| text(&output.stdout).contains(says));
    if !found {
        let line = format!("skipped: {program} is not installed\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
    found
}

#[test]
fn arrays_play_what_is_missing_and_the_merge_is_that_of_one_run() {
    let place = Place::new("3000", "8");
    sho(&["run-shard", &place.name(), "2", "--quiet"]).good();
    let emitted = sho(&["emit", "slurm", &place.name(), "--array-limit", "3", "--time", "1:00:00"]);
    assert_eq!(emitted.code, Some(0), "{emitted:?}");
    assert_eq!(emitted.out, format!("{}/jobs/submit.sh\n", place.name()));
    assert!(emitted.err.starts_with("3 job arrays for shards 0-1,3-7\n"), "{emitted:?}");
    let job = |number: u64| place.path().join(format!("jobs/slurm-{number}.sh"));
    let tasks: Vec<Vec<u64>> = (0..3).map(|number| indexes(&job(number))).collect();
    assert_eq!(tasks, [vec![0, 1], vec![0, 1, 2], vec![0, 1]]);
    assert!(place.path().join("jobs/logs").is_dir());

    place.noting_program("scontrol", "");
    for (number, tasks) in (0..).zip(tasks) {
        for index in tasks {
            // The merge refuses what is not whole.
            let early = ended(place.script("merge.sh").spawn().unwrap(), 2);
            assert!(text(&early.stderr).contains("are not whole"), "{early:?}");
            ended(place.task(&format!("slurm-{number}.sh"), index).spawn().unwrap(), 0);
        }
    }
    assert_eq!(sho(&["missing", &place.name()]).good(), "");
    let merged = ended(place.script("merge.sh").spawn().unwrap(), 0);
    assert_eq!(text(&merged.stdout), one_run("3000", "table"));
    let result = fs::read_to_string(place.path().join("result.json")).unwrap();
    assert_eq!(result, one_run("3000", "json"));
    assert_eq!(place.notes("scontrol"), [""; 0]);

    // Nothing is left to be done.
    for scheduler in ["slurm", "parallel"] {
        let before = fs::read(job(0)).unwrap();
        let again = sho(&["emit", scheduler, &place.name()]);
        assert_eq!((again.code, again.out.as_str()), (Some(0), ""));
        assert!(again.err.contains("all shards are whole"), "{again:?}");
        assert_eq!(fs::read(job(0)).unwrap(), before);
        assert!(!place.path().join("jobs/parallel.sh").exists());
    }
}

#[test]
fn arrays_of_before_do_not_stay() {
    let place = Place::new("3000", "8");
    let emit = |limit| {
        sho(&["emit", "slurm", &place.name(), "--quiet", "--array-limit", limit]).good();
        let jobs = fs::read_dir(place.path().join("jobs")).unwrap();
        let mut names: Vec<String> =
            jobs.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(emit("4"), ["logs", "merge.sh", "slurm-0.sh", "slurm-1.sh", "submit.sh"]);
    assert_eq!(emit("1001"), ["logs", "merge.sh", "slurm-0.sh", "submit.sh"]);
}

#[test]
fn a_task_whose_time_is_up_saves_is_requeued_and_goes_on() {
    let place = Place::new(MANY, "1");
    sho(&["emit", "slurm", &place.name(), "--quiet"]).good();
    place.noting_program("scontrol", "");
    let mut done = 0;
    for requeued in 1..=2 {
        let child = place.task("slurm-0.sh", 0).spawn().unwrap();
        place.wait_for_more(done);
        kill("USR1", &child.id().to_string());
        let output = ended(child, 143);
        let log = text(&output.stderr);
        assert!(log.contains("shard 0 stopped after"), "{log}");
        assert!(log.ends_with("shard 0: the time is up, and the task is requeued\n"), "{log}");
        assert_eq!(place.notes("scontrol"), vec!["requeue 71_0"; requeued]);
        assert!(place.blocks(0) > done);
        done = place.blocks(0);
    }
    // What goes on does not begin again: of the rest of the games, it saves no count below that.
    let child = place.task("slurm-0.sh", 0).spawn().unwrap();
    let mut least = u64::MAX;
    wait_until(|| {
        least = least.min(place.blocks(0));
        place.blocks(0) == 500_000
    });
    ended(child, 0);
    assert!(least >= done);
    assert_eq!(place.notes("scontrol").len(), 2);
    let merged = sho(&["merge", &place.name(), "--format", "json"]).good();
    assert_eq!(merged, one_run(MANY, "json"));
}

#[test]
fn a_task_that_is_cancelled_saves_and_stays_away() {
    let place = Place::new("2000000", "1");
    place.noting_program("scontrol", "");
    // Becomes the program, which so has a number that is known.
    let id = place.file("id");
    let program = place.program(
        "known",
        &format!(
            "#!/bin/sh\necho $$ >{}\nexec {} \"$@\"\n",
            id.display(),
            env!("CARGO_BIN_EXE_sho")
        ),
    );
    sho(&["emit", "slurm", &place.name(), "--quiet", "--command", &program]).good();
    let mut done = 0;
    // As scancel does it: to all of the task, to its shell alone; and after the time was up.
    for (signals, program_too) in
        [(&["TERM"][..], true), (&["TERM"], false), (&["USR1", "TERM"], false)]
    {
        let child = place.task("slurm-0.sh", 0).spawn().unwrap();
        place.wait_for_more(done);
        // All signals come before the program can answer one.
        let program = fs::read_to_string(&id).unwrap();
        let program = program.trim();
        kill("STOP", program);
        if program_too {
            kill("TERM", program);
        }
        for signal in signals {
            kill(signal, &child.id().to_string());
        }
        kill("CONT", program);
        let output = child.wait_with_output().unwrap();
        assert!(matches!(output.status.code(), Some(130 | 143)), "{output:?}");
        let log = text(&output.stderr);
        assert!(log.starts_with("shard 0 stopped after") && log.lines().count() == 1, "{log}");
        assert!(place.blocks(0) > done);
        done = place.blocks(0);
    }
    assert_eq!(place.notes("scontrol"), [""; 0]);
}

#[test]
fn what_would_come_to_nothing_again_is_not_requeued() {
    let place = Place::new("300", "1");
    place.noting_program("scontrol", "exit 1");
    let started = place.file("started");
    let slow = |then: &str| {
        format!(
            "#!/bin/sh\ntrap '{then}; exit 143' TERM\ntouch {}\nwhile :; do sleep 0.01; done\n",
            started.display()
        )
    };
    let program = place.program("slow", "");
    sho(&["emit", "slurm", &place.name(), "--quiet", "--command", &program]).good();
    let time_is_up = |program: &str, code| {
        place.program("slow", program);
        let _ = fs::remove_file(&started);
        let child = place.task("slurm-0.sh", 0).spawn().unwrap();
        wait_until(|| started.exists());
        kill("USR1", &child.id().to_string());
        text(&ended(child, code).stderr).to_owned()
    };
    // Nothing was saved.
    let log = time_is_up(&slow(":"), 143);
    assert!(log.contains("nothing was finished within the time"), "{log}");
    assert_eq!(place.notes("scontrol"), [""; 0]);
    // Something was, and Slurm refuses.
    let part = place.path().join("parts/shard-0.json");
    let part = part.to_str().unwrap().replace('\'', r"'\''");
    place.program("save", &format!("#!/bin/sh\necho more >>'{part}'\n"));
    let log = time_is_up(&slow("save"), 143);
    assert!(log.contains("could not be requeued"), "{log}");
    assert_eq!(place.notes("scontrol"), ["requeue 71_0"]);
    // The program fails as its time is up.
    let log = time_is_up(&slow("save; exit 1"), 1);
    assert_eq!(log, "");
    assert_eq!(place.notes("scontrol").len(), 1);
}

#[test]
fn exit_codes_are_passed_on() {
    let place = Place::new("300", "2");
    let program = place.noting_program("fails", "exit $(($# + 3))");
    sho(&["emit", "slurm", &place.name(), "--quiet", "--cpus", "3", "--command", &program]).good();
    ended(place.task("slurm-0.sh", 1).spawn().unwrap(), 8);
    assert_eq!(place.notes("fails"), [format!("run-shard {} 1 --threads 3", place.name())]);
    let output = place.script("slurm-0.sh").env_remove("SLURM_ARRAY_TASK_ID").output().unwrap();
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("this script is for sbatch"), "{output:?}");
}

#[test]
fn all_is_submitted_and_the_merge_waits_for_all() {
    let place = Place::new("300", "5");
    sho(&["emit", "slurm", &place.name(), "--quiet", "--array-limit", "2"]).good();
    let number = place.file("number");
    place.noting_program(
        "sbatch",
        &format!("echo x >>{0}; echo \"$(grep -c x {0});cluster\"", number.display()),
    );
    let submitted = ended(place.script("submit.sh").spawn().unwrap(), 0);
    let jobs = format!("{}/jobs", fs::canonicalize(place.path()).unwrap().display());
    let expected = [
        format!("--parsable {jobs}/slurm-0.sh"),
        format!("--parsable {jobs}/slurm-1.sh"),
        format!("--parsable {jobs}/slurm-2.sh"),
        format!("--parsable --dependency=afterany:1:2:3 {jobs}/merge.sh"),
    ];
    assert_eq!(place.notes("sbatch"), expected);
    assert!(text(&submitted.stdout).starts_with("slurm-0.sh is job 1\n"), "{submitted:?}");

    // Where Slurm takes no more, nothing else is submitted.
    place.noting_program("sbatch", "exit 1");
    let refused = place.script("submit.sh").output().unwrap();
    assert!(!refused.status.success());
    assert_eq!(place.notes("sbatch").len(), expected.len() + 1);
}

#[test]
fn the_shells_read_the_scripts() {
    let place = Place::new("300", "5");
    sho(&["emit", "slurm", &place.name(), "--quiet", "--array-limit", "2"]).good();
    sho(&["emit", "parallel", &place.name(), "--quiet", "--jobs", "2"]).good();
    let scripts: Vec<PathBuf> = fs::read_dir(place.path().join("jobs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "sh"))
        .collect();
    assert_eq!(scripts.len(), 6);
    let check = is_installed("shellcheck", &["--version"], "ShellCheck");
    for script in scripts {
        let read = Command::new("bash").arg("-n").arg(&script).output().unwrap();
        assert!(read.status.success() && read.stderr.is_empty(), "{read:?}");
        if check {
            // Its lesser remarks are about the dollar and the quotes in the folder's name.
            let mut check = Command::new("shellcheck");
            let checked = check.arg("--severity=warning").arg(&script).output().unwrap();
            assert!(checked.status.success(), "{}", text(&checked.stdout));
        }
    }
}

#[test]
fn without_gnu_parallel_its_script_says_so() {
    let place = Place::new("300", "2");
    sho(&["emit", "parallel", &place.name(), "--quiet"]).good();
    // Another program has the same name.
    place.program("parallel", "#!/bin/sh\necho 'parallel from moreutils'\n");
    let output = ended(place.script("parallel.sh").spawn().unwrap(), 127);
    assert!(text(&output.stderr).contains("needs GNU parallel"), "{output:?}");
    assert_eq!(sho(&["missing", &place.name()]).good(), "0-1\n");
}

#[test]
fn gnu_parallel_plays_what_is_missing_and_merges() {
    if !is_installed("parallel", &["--version"], "GNU parallel") {
        return;
    }
    let place = Place::new("3000", "7");
    sho(&["emit", "parallel", &place.name(), "--quiet", "--jobs", "2"]).good();
    sho(&["run-shard", &place.name(), "3", "--quiet"]).good();
    let output = ended(place.script("parallel.sh").spawn().unwrap(), 0);
    assert_eq!(text(&output.stdout), one_run("3000", "table"));
    // Shard 3 was whole.
    let log = fs::read_to_string(place.path().join("jobs/parallel.log")).unwrap();
    assert_eq!(log.lines().count(), 1 + 6, "{log}");
    let result = fs::read_to_string(place.path().join("result.json")).unwrap();
    assert_eq!(result, one_run("3000", "json"));
    // Once more, it has nothing to play.
    let again = ended(place.script("parallel.sh").spawn().unwrap(), 0);
    assert_eq!((again.stdout, text(&again.stderr)), (output.stdout, ""));

    // A shard that fails does not keep the others.
    let place = Place::new("3000", "7");
    let program = place.program(
        "some",
        &format!(
            "#!/bin/sh\n[ \"$1-$3\" != run-shard-4 ] || exit 9\nexec {} \"$@\"\n",
            env!("CARGO_BIN_EXE_sho")
        ),
    );
    sho(&["emit", "parallel", &place.name(), "--quiet", "--command", &program]).good();
    let output = ended(place.script("parallel.sh").spawn().unwrap(), 2);
    let log = text(&output.stderr);
    assert!(log.contains("some shards failed") && log.contains("shards 4 are not whole"), "{log}");
}

#[test]
fn gnu_parallel_that_is_stopped_saves_and_goes_on() {
    if !is_installed("parallel", &["--version"], "GNU parallel") {
        return;
    }
    let place = Place::new(MANY, "2");
    sho(&["emit", "parallel", &place.name(), "--quiet", "--jobs", "2"]).good();
    let mut done = [0, 0];
    for (signal, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let child = place.script("parallel.sh").spawn().unwrap();
        for (shard, done) in (0..).zip(done) {
            wait_until(|| place.blocks(shard) > done);
        }
        kill(signal, &child.id().to_string());
        let output = ended(child, code);
        assert!(text(&output.stderr).ends_with("start this script again\n"), "{output:?}");
        // Nobody plays any more.
        let counted = [place.blocks(0), place.blocks(1)];
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!([place.blocks(0), place.blocks(1)], counted);
        assert!(counted[0] > done[0] && counted[1] > done[1]);
        assert!(counted.iter().all(|&blocks| blocks < 250_000), "{counted:?}");
        done = counted;
    }
    let output = ended(place.script("parallel.sh").spawn().unwrap(), 0);
    assert_eq!(text(&output.stdout), one_run(MANY, "table"));
}

#[test]
fn what_cannot_be_emitted_is_one_line() {
    let place = Place::new("300", "2");
    let name = place.name();
    let here = place.folder.path().to_str().unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["emit"], "commands: slurm, parallel; see sho emit --help"),
        (&["emit", "slrm", &name], "did you mean `slurm`? commands: slurm, parallel"),
        (&["emit", "slurm"], "<DIR>"),
        (&["emit", "slurm", here], "experiment.json"),
        (&["emit", "slurm", &name, "--array-limit", "0"], "a number from 1 to 4000001"),
        (&["emit", "slurm", &name, "--cpus", "-1"], "a number from 1 to 1024"),
        (&["emit", "slurm", &name, "--time", "1\nrm"], "--time: expected one line"),
        (&["emit", "slurm", &name, "--sbatch", "qos=low"], "an option of sbatch, as --qos=long"),
        (&["emit", "slurm", &name, "--command", ""], "--command: expected one line"),
        (&["emit", "parallel", &name, "--jobs", "0"], "a number from 1 to 4096"),
        (&["emit", "parallel", &name, "--sshloginfile", "no/such"], "no file `no/such`"),
    ];
    for (arguments, expected) in cases {
        let line = sho(arguments).mistake();
        assert!(line.contains(expected), "{arguments:?}: {line}");
    }
    assert!(!place.path().join("jobs").exists());
}
