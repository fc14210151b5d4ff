//! All programs of bots ended at once. It is for good, so it has a process of its own.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use sho_ai::{Policy, Random, arena::Arena};
use sho_bench::exec::{BotStderr, ExecSpec, FaultKind, StartError, end_all};
use sho_core::Game;
use sho_core::sho::{Rules, Sho};

#[test]
fn all_are_ended_and_none_is_started_again() {
    let folder = tempfile::TempDir::new().unwrap();
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    // Whoever holds the pipe open for writing runs: its end is the end of them all.
    let mut reader = Command::new("cat").arg(&fifo).stdout(Stdio::piped()).spawn().unwrap();
    let mut held = BufReader::new(reader.stdout.take().unwrap()).lines();

    let game = Sho::new(Rules::lhasa()).unwrap();
    let command = format!(
        "exec 3>{}; sleep 60 & echo here >&3; echo hello sho-bot/1; wait; sleep 60",
        fifo.display()
    );
    let spec = ExecSpec::new(command, None).unwrap();
    let bots: Vec<_> = (0..3).map(|_| spec.start(&game, BotStderr::Dropped).unwrap()).collect();
    for _ in &bots {
        assert_eq!(held.next().unwrap().unwrap(), "here");
    }
    end_all();
    assert!(held.next().is_none());
    assert!(reader.wait().unwrap().success());

    let error = spec.start(&game, BotStderr::Dropped).unwrap_err();
    assert!(matches!(&error, StartError::CannotRun { .. }), "{error}");
    assert!(error.to_string().ends_with("cannot be run: all bots were ended"), "{error}");
    // A game that is still played goes on to its end.
    let mut entries: [Box<dyn Policy<Sho>>; 3] =
        [Box::new(bots[0].clone()), Box::new(Random), Box::new(Random)];
    let mut arena = Arena::new(game);
    for what in ["it was ended by signal 9", "all bots were ended"] {
        arena.play_game(1, 0, 0, &mut entries, &mut ()).unwrap();
        let fault = bots[0].take_fault().unwrap();
        assert!(fault.kind == FaultKind::Crash && fault.what.contains(what), "{fault}");
    }
}
