//! Completions for shells.

#[cfg(unix)]
use std::process::Command;
use std::process::Stdio;

use crate::common::{command, sho};

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = sho(&["--help"]).good();
    let list = help.split("Commands:\n").nth(1).expect("a list of commands");
    let names = list.lines().take_while(|line| !line.is_empty());
    // A line that goes on with what a command does begins further right.
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn each_shell_is_told_all_commands_and_their_options() {
    let commands = commands();
    assert!(commands.len() > 12 && commands.contains(&"run-shard".to_owned()), "{commands:?}");
    for (shell, first) in [("bash", "_sho() {"), ("zsh", "#compdef sho"), ("fish", "# Print")] {
        let script = sho(&["completions", shell]).good();
        assert!(script.starts_with(first), "{shell}: {script}");
        for name in &commands {
            assert!(script.contains(name.as_str()), "{shell}: {name}");
        }
        let option = if shell == "fish" { "-l array-limit" } else { "--array-limit" };
        assert!(script.contains(option), "{shell}");
    }
    assert!(sho(&["completions", "tcsh"]).mistake().contains("bash, zsh, fish"));
    assert!(sho(&["completions", "--help"]).good().contains("bash-completion/completions/sho"));
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_and_values() {
    let script = sho(&["completions", "bash"]).good();
    let complete = |words: &str| {
        let ask = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             _sho sho \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let output = Command::new("bash").args(["-c", &ask]).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(complete("sho run-s"), "run-shard\n");
    assert_eq!(complete("sho emit sl"), "slurm\n");
    assert_eq!(complete("sho emit slurm --array-l"), "--array-limit\n");
    assert_eq!(complete("sho merge --format c"), "csv\n");
}

#[test]
fn a_reader_that_closes_early_is_no_mistake() {
    let mut child = command(&["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
}
