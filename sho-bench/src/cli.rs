//! The command line: what it may say, one module a command, and what the commands share.

use std::ffi::OsString;
use std::io::Write;

use clap::{CommandFactory, Parser, Subcommand};

use self::failure::{Usage, clap_message};
use self::options::OutputOptions;
use self::output::Output;

mod failure;

mod dispatch;
mod experiment;
mod experiment_file;
mod given;
mod options;
mod output;

mod parts;
mod positions;
mod progress;
mod records;
mod steps;

mod actions;
mod analyse;
mod bench;
mod bots;
mod check_bot;
mod completions;
mod diff;
mod emit;
mod perft;
mod plan;
mod play;
mod replay;
mod rollout;
mod rules;
mod selftest;
mod show;
mod study;
mod tournament;
mod tune;
mod verify;

pub(crate) use self::failure::report;

/// The Himalayan dice race Sho: a deterministic engine, its bots, and tournaments
#[derive(Parser, Debug)]
#[command(name = "sho", version, arg_required_else_help = false, max_term_width = 80)]
#[command(
    after_help = "`sho COMMAND --help` says more, with an example. Exit codes: 0 done, 2 a mistake in what was given, 1 anything else."
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,

    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Subcommand, Debug)]
enum Command {
    Tournament(tournament::Tournament),
    Study(study::StudyCommand),
    Plan(plan::PlanCommand),
    Tune(Box<tune::TuneCommand>),
    Resume(parts::Resume),
    RunShard(parts::RunShard),
    Missing(parts::Missing),
    Merge(parts::Merge),
    Verify(verify::Verify),
    Diff(diff::Diff),
    Selftest(selftest::SelfTest),
    Emit(emit::Emit),
    Bench(bench::Bench),
    Perft(perft::Perft),
    Actions(actions::Actions),
    Show(show::ShowPosition),
    Analyse(analyse::Analyse),
    Rollout(rollout::RollOut),
    Play(play::Play),
    Replay(replay::Replay),
    Rules(rules::ShowRules),
    Bots(bots::ListBots),
    CheckBot(check_bot::CheckBot),
    Completions(completions::Completions),
}

/// Does what the command line says.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    let Arguments { command, output } = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        // Help and version, which were asked for.
        Err(error) if error.exit_code() == 0 => return Ok(error.print()?),
        Err(error) => return Err(Usage::error(clap_message(&error, &Arguments::command()))),
    };
    let mut output = Output::new(output);
    let result = match command {
        Command::Tournament(command) => command.run(&mut output),
        Command::Study(command) => command.run(&mut output),
        Command::Plan(command) => command.run(&mut output),
        Command::Tune(command) => command.run(&mut output),
        Command::Resume(command) => command.run(&mut output),
        Command::RunShard(command) => command.run(&mut output),
        Command::Missing(command) => command.run(&mut output),
        Command::Merge(command) => command.run(&mut output),
        Command::Verify(command) => command.run(&mut output),
        Command::Diff(command) => command.run(&mut output),
        Command::Selftest(command) => command.run(&mut output),
        Command::Emit(command) => command.run(&mut output),
        Command::Bench(command) => command.run(&mut output),
        Command::Perft(command) => command.run(&mut output),
        Command::Actions(command) => command.run(&mut output),
        Command::Show(command) => command.run(&mut output),
        Command::Analyse(command) => command.run(&mut output),
        Command::Rollout(command) => command.run(&mut output),
        Command::Play(command) => command.run(&mut output),
        Command::Replay(command) => command.run(&mut output),
        Command::Rules(command) => command.run(&mut output),
        Command::Bots(command) => command.run(&mut output),
        Command::CheckBot(command) => command.run(&mut output),
        Command::Completions(command) => command.run(Arguments::command(), &mut output),
    };
    // What was answered before a mistake stands before the complaint.
    let flushed = output.flush();
    result?;
    Ok(flushed?)
}
