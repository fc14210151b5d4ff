//! `sho completions`: what a shell needs to complete the command line.

use std::io::Write;

use clap::{Args, ValueEnum};
use clap_complete::{Shell, generate};

use super::output::Output;

const HELP: &str = "\
Put them where the shell looks for them, and start a new shell:
  sho completions bash >~/.local/share/bash-completion/completions/sho
  sho completions zsh >~/.zfunc/_sho    (a folder in fpath)
  sho completions fish >~/.config/fish/completions/sho.fish";

/// Print completions for a shell
///
/// They complete commands, options and the values of options that are a fixed choice.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: CompletedShell,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum CompletedShell {
    Bash,
    Zsh,
    Fish,
}

impl Completions {
    /// Prints them for `program`, the whole command line.
    pub(crate) fn run(
        &self,
        mut program: clap::Command,
        output: &mut Output,
    ) -> anyhow::Result<()> {
        let shell = match self.shell {
            CompletedShell::Bash => Shell::Bash,
            CompletedShell::Zsh => Shell::Zsh,
            CompletedShell::Fish => Shell::Fish,
        };
        // The generator panics where it cannot write, as to a closed pipe; to memory it always can.
        let mut script = Vec::new();
        generate(shell, &mut program, "sho", &mut script);
        Ok(output.write_all(&script)?)
    }
}
