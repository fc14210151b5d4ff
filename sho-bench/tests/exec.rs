//! Bots in other programs: what they may do wrong, and what comes of it.
#![cfg(unix)]

use std::path::Path;
use std::time::{Duration, Instant};

use sho_ai::arena::Arena;
use sho_ai::{Decision, Policy, Random};
use sho_bench::exec::{BotStderr, ExecBot, ExecSpec, Fault, FaultKind, StartError, TimeLimit};
use sho_core::record::Record;
use sho_core::sho::{Rules, Sho};
use sho_core::{ActionList, Game, RuleSet, Seat, Stream, sholo_guti};
use tempfile::TempDir;

const SEED: u64 = 1;

fn game() -> Sho {
    let mut rules = Rules::lhasa();
    rules.sides = 2;
    Sho::new(rules).unwrap()
}

/// Takes the first action, so many times a game; then it plays as `random`.
struct First {
    times: usize,
    left: usize,
}

impl First {
    const fn times(times: usize) -> Self {
        Self { times, left: 0 }
    }
}

impl<G: Game> Policy<G> for First {
    fn choose(&mut self, decision: Decision<'_, G>, words: &mut Stream) -> G::Action {
        if self.left == 0 {
            return Random.choose(decision, words);
        }
        self.left -= 1;
        decision.actions.get(0)
    }

    fn begin(&mut self, _: &G, _: Seat) {
        self.left = self.times;
    }
}

/// The game of a block, the policy in seat B against `random`.
fn played(policy: impl Policy<Sho> + 'static, block: u64) -> String {
    let game = game();
    let mut record = Record::new(&game, &game.start());
    let mut entries: [Box<dyn Policy<Sho>>; 2] = [Box::new(Random), Box::new(policy)];
    Arena::new(game).play_game(SEED, block, 0, &mut entries, &mut record).unwrap();
    record.to_string()
}

/// A bot in shell that takes the first action. `$n` counts its questions; `at_question` is done before each answer.
/// It notes its process in the file `pids`, and goes on until its input ends.
fn first(folder: &Path, at_question: &str) -> String {
    let folder = folder.display();
    format!(
        "cd {folder}; set -f; n=0; echo $$ >>pids; while read -r word rest; do case $word in \
         hello) echo hello sho-bot/1 first;; actions) n=$((n+1)); set -- $rest; {at_question}; \
         echo action $1;; esac; done"
    )
}

fn spec(command: &str, limit: Option<&str>) -> ExecSpec {
    let limit = limit.map(|limit| limit.parse::<TimeLimit>().unwrap());
    ExecSpec::new(command, limit).unwrap()
}

fn start(command: &str, limit: Option<&str>) -> ExecBot {
    spec(command, limit).start(&game(), BotStderr::Dropped).unwrap()
}

/// The numbers that the bots in a folder noted.
fn noted(folder: &TempDir, file: &str) -> Vec<u32> {
    let text = std::fs::read_to_string(folder.path().join(file)).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

/// Whether a process runs. One that has ended may stay in the list of processes until somebody asks how.
fn runs(pid: u32) -> bool {
    let listed = || {
        let probe =
            format!("kill -0 {pid} 2>/dev/null && ! grep -qs '^State:.Z' /proc/{pid}/status");
        std::process::Command::new("sh").args(["-c", &probe]).status().unwrap().success()
    };
    // A signal has arrived when it is sent, but the process may need a moment to go.
    let start = Instant::now();
    while listed() {
        if start.elapsed() > Duration::from_secs(5) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Plays two games with a bot that fails at its fifth question, the first time only: `fault` is what it does then.
fn one_fault(fault: &str, limit: Option<&str>) -> Fault {
    let folder = TempDir::new().unwrap();
    // Making a folder is what only one process can do.
    let command = first(
        folder.path(),
        &format!("if [ $n -eq 5 ] && mkdir failed 2>/dev/null; then {fault}; fi"),
    );
    let bot = start(&command, limit);
    let began = Instant::now();
    assert_eq!(played(bot.clone(), 0), played(First::times(4), 0), "{fault}");
    assert!(began.elapsed() < Duration::from_secs(20), "{fault}");
    let found = bot.take_fault().unwrap_or_else(|| panic!("no fault: {fault}"));
    assert_eq!(bot.take_fault(), None);
    assert!(!found.what.contains('\n') && found.what.len() < 1000, "{found}");
    let pids = noted(&folder, "pids");
    assert_eq!(pids.len(), 1);
    assert!(!runs(pids[0]), "{fault}");

    // The next game is that of a bot without faults, in a process of its own.
    assert_eq!(played(bot.clone(), 1), played(First::times(usize::MAX), 1), "{fault}");
    assert_eq!(bot.take_fault(), None);
    assert_eq!(bot.bye(), Some(true));
    let pids = noted(&folder, "pids");
    assert_eq!(pids.len(), 2);
    assert!(pids.iter().all(|&pid| !runs(pid)), "{fault}");
    found
}

#[track_caller]
fn assert_fault(fault: &Fault, kind: FaultKind, what: &str) {
    assert_eq!(fault.kind, kind, "{fault}");
    assert!(fault.what.contains(what), "{fault}");
}

/// What is lost is told with the position in which the bot was asked.
#[track_caller]
fn assert_position(fault: &Fault) {
    let position = fault.what.rsplit('`').nth(1).unwrap();
    let position = sho_core::Notation::parse_state(&game(), position);
    assert!(position.is_ok(), "{fault}");
}

#[test]
fn illegal_answers() {
    let fault = one_fault("echo action @99; continue", None);
    assert_fault(&fault, FaultKind::Illegal, "`@99` is not legal in `");
    assert_position(&fault);
    // An action, but of the wrong spelling.
    assert_fault(&one_fault("echo action $1,; continue", None), FaultKind::Illegal, ",` is not");
}

#[test]
fn crashes() {
    let fault = one_fault("exit 3", None);
    assert_fault(&fault, FaultKind::Crash, "it ended with exit code 3, in `");
    assert_position(&fault);
    assert_fault(&one_fault("kill -9 $$", None), FaultKind::Crash, "by signal 9");
    assert_fault(&one_fault("printf 'action @'; exit", None), FaultKind::Crash, "exit code 0");
    let closed = one_fault("exec >&-; sleep 60", None);
    assert_fault(&closed, FaultKind::Crash, "closed its input or output");
}

#[test]
fn a_pipe_that_outlives_its_program() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().display();
    let fault = one_fault(&format!("sleep 60 & echo $! >{path}/left; exit 4"), None);
    assert_fault(&fault, FaultKind::Crash, "exit code 4");
    assert!(!runs(noted(&folder, "left")[0]));
}

#[test]
fn silence() {
    let fault = one_fault("sleep 60", Some("1.5"));
    assert_fault(&fault, FaultKind::Silence, "longer than 1.5 s in this game, in `");
    assert_position(&fault);
    // Half a line is no answer.
    let fault = one_fault("printf action; sleep 60", Some("1.5"));
    assert_fault(&fault, FaultKind::Silence, "longer than 1.5 s");
}

#[test]
fn the_limit_is_for_a_whole_game() {
    let folder = TempDir::new().unwrap();
    let bot = start(&first(folder.path(), "sleep 0.5"), Some("1.8"));
    for block in 0..2 {
        let _ = played(bot.clone(), block);
        assert_fault(&bot.take_fault().unwrap(), FaultKind::Silence, "longer than 1.8 s");
        // Three times 0.5 s fit into 1.8 s, and four do not. The second game had its whole limit again.
        let answers = bot.thinking().answers;
        assert!((1 + block..=3 * (1 + block)).contains(&answers), "{answers}");
    }
    assert!(bot.thinking().longest >= Duration::from_millis(500));
    assert_eq!(bot.bye(), None);
}

#[test]
fn garbage() {
    for (line, what) in [
        ("echo hello; continue", "expected `action` and one action, found `hello`, in `"),
        ("echo; continue", "found ``"),
        ("echo action $1 $1; continue", "found `action "),
        ("printf '\\377\\n'; continue", "not UTF-8"),
        // A line with a control character in it does not reach a terminal as it is.
        ("printf 'a\\033[31m\\n'; continue", "found `a\\u{1b}[31m`"),
        // An endless line, and one that ends after a while.
        ("tr '\\0' x </dev/zero", "a line of more than 65536 bytes"),
        ("head -c 65537 /dev/zero | tr '\\0' x; echo; continue", "more than 65536 bytes"),
    ] {
        assert_fault(&one_fault(line, None), FaultKind::Garbage, what);
    }
}

/// More than was asked for: in one go with the answer, while it waits, and after the last answer of the game.
#[test]
fn unasked_lines() {
    let fault = one_fault("printf 'action %s\\naction %s\\n' $1 $1; continue", None);
    assert_fault(&fault, FaultKind::Garbage, "it wrote on after `action ");

    let folder = TempDir::new().unwrap();
    // The answer to question 5 is followed by a line that is surely there before the last question is over.
    let late = "if [ $n -eq 5 ]; then echo action $1; sleep 0.3; set -- unasked; fi";
    let bot = start(&first(folder.path(), late), None);
    let game = game();
    let policy = Pauses { bot: bot.clone(), questions: 0 };
    let mut record = Record::new(&game, &game.start());
    let mut entries: [Box<dyn Policy<Sho>>; 2] = [Box::new(Random), Box::new(policy)];
    Arena::new(game).play_game(SEED, 0, 0, &mut entries, &mut record).unwrap();
    assert_eq!(record.to_string(), played(First::times(5), 0));
    let fault = bot.take_fault().unwrap();
    assert_fault(&fault, FaultKind::Garbage, "it wrote `action unasked` without being asked, in `");
}

/// Waits before the sixth question.
struct Pauses {
    bot: ExecBot,
    questions: usize,
}

impl Policy<Sho> for Pauses {
    fn choose(&mut self, decision: Decision<'_, Sho>, words: &mut Stream) -> <Sho as Game>::Action {
        self.questions += 1;
        if self.questions == 6 {
            std::thread::sleep(Duration::from_secs(1));
        }
        self.bot.choose(decision, words)
    }

    fn begin(&mut self, game: &Sho, seat: Seat) {
        self.bot.begin(game, seat);
    }
}

#[test]
fn what_is_written_after_the_last_answer_is_a_fault_of_that_game() {
    let folder = TempDir::new().unwrap();
    let flag = folder.path().join("over");
    let talks = format!(
        "(while ! [ -e {flag} ]; do sleep 0.05; done; echo goodbye >&3; : >{flag}.done) &",
        flag = flag.display()
    );
    let command = format!("exec 3>&1; {talks} {}", first(folder.path(), ":"));
    let bot = start(&command, None);
    assert_eq!(played(bot.clone(), 0), played(First::times(usize::MAX), 0));
    std::fs::write(&flag, "").unwrap();
    while !flag.with_extension("done").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let fault = bot.take_fault().unwrap();
    assert_fault(&fault, FaultKind::Garbage, "it wrote `goodbye` without being asked, after its");
    assert!(noted(&folder, "pids").iter().all(|&pid| !runs(pid)));
}

/// Three programs at one table, on two threads at once: one ends, one is silent, and the third plays on as it would.
#[test]
fn one_fault_does_not_disturb_the_others() {
    let game = Sho::new(Rules::lhasa()).unwrap();
    let folder = TempDir::new().unwrap();
    let at = |what: &str| first(folder.path(), what);
    let (ends, silent, good) =
        (at("[ $n -eq 3 ] && exit 3"), at("[ $n -eq 5 ] && sleep 60"), at(":"));
    let expected = |block| {
        let firsts = [2, 4, usize::MAX].map(First::times);
        let mut entries = firsts.map(|first| Box::new(first) as Box<dyn Policy<Sho>>);
        let mut record = Record::new(&game, &game.start());
        Arena::new(game).play_game(SEED, block, 0, &mut entries, &mut record).unwrap();
        record.to_string()
    };
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (game, ends, silent, good, expected) = (&game, &ends, &silent, &good, &expected);
            scope.spawn(move || {
                let bots =
                    [(ends, None), (silent, Some("1.5")), (good, None)].map(|(command, limit)| {
                        spec(command, limit).start(game, BotStderr::Dropped).unwrap()
                    });
                for block in 2 * thread..2 * thread + 2 {
                    let mut entries = bots.clone().map(|bot| Box::new(bot) as Box<dyn Policy<Sho>>);
                    let mut record = Record::new(game, &game.start());
                    Arena::new(*game).play_game(SEED, block, 0, &mut entries, &mut record).unwrap();
                    assert_eq!(record.to_string(), expected(block));
                    let kinds = bots.each_ref().map(|bot| bot.take_fault().map(|fault| fault.kind));
                    let expected = [Some(FaultKind::Crash), Some(FaultKind::Silence), None];
                    assert_eq!(kinds, expected);
                }
            });
        }
    });
    // Two for each of the failing bots, and one for the good one, on each thread.
    let pids = noted(&folder, "pids");
    assert_eq!(pids.len(), 2 * 5);
    assert!(pids.iter().all(|&pid| !runs(pid)));
}

fn start_error(command: &str) -> StartError {
    let error = spec(command, None).start(&game(), BotStderr::Dropped).unwrap_err();
    assert!(!error.to_string().contains('\n'), "{error}");
    error
}

#[test]
fn no_hand_shake() {
    let error = start_error("/no/such/program --at-all");
    assert!(matches!(error, StartError::CannotRun { .. }), "{error}");
    assert_eq!(
        error.to_string(),
        "bot `/no/such/program --at-all` cannot be run: it ended with exit code 127, with which \
         the shell says that it finds no such command"
    );
    assert!(matches!(start_error("/dev/null"), StartError::CannotRun { .. }));
    assert_eq!(start_error("if").kind(), FaultKind::Crash);
    let error = start_error("exit 3");
    assert_eq!(error.to_string(), "bot `exit 3`: no hand-shake: it ended with exit code 3");
    let error = start_error("echo hello sho-bot/2 new");
    assert!(error.to_string().ends_with(": it speaks `sho-bot/2`, and the protocol is sho-bot/1"));
    assert_eq!(error.kind(), FaultKind::Garbage);
    let error = start_error("echo 'refuse I do not know this game'");
    assert!(error.to_string().ends_with("refuses to play: I do not know this game"), "{error}");
    let error = start_error("echo Python 3.11");
    assert!(
        error.to_string().ends_with("expected `hello sho-bot/1`, found `Python 3.11`"),
        "{error}"
    );
    assert!(matches!(start_error("yes"), StartError::Garbage { .. }));
}

#[test]
fn a_silent_hand_shake_is_given_up() {
    let folder = TempDir::new().unwrap();
    let began = Instant::now();
    let error = start_error(&format!("cd {}; echo $$ >pids; sleep 60", folder.path().display()));
    assert!(began.elapsed() < Duration::from_secs(15));
    assert!(error.to_string().contains("no answer to `hello` within 10 s"), "{error}");
    assert_eq!(error.kind(), FaultKind::Silence);
    assert!(!runs(noted(&folder, "pids")[0]));
}

#[test]
fn a_start_that_fails_between_games_costs_that_game() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().display();
    // The first process fails in its game, the second does not start, the third plays.
    let command = format!(
        "cd {path}; if [ -e pids ] && mkdir second 2>/dev/null; then exit 5; fi; {}",
        first(folder.path(), "if mkdir first 2>/dev/null; then exit 3; fi")
    );
    let bot = start(&command, None);
    assert_eq!(bot.name(), "first");
    assert_eq!(played(bot.clone(), 0), played(Random, 0));
    assert_fault(&bot.take_fault().unwrap(), FaultKind::Crash, "exit code 3");
    assert_eq!(played(bot.clone(), 1), played(Random, 1));
    assert_fault(&bot.take_fault().unwrap(), FaultKind::Crash, "no hand-shake: it ended with");
    assert_eq!(played(bot.clone(), 2), played(First::times(usize::MAX), 2));
    assert_eq!(bot.take_fault(), None);
}

#[test]
fn other_rules_are_told_to_a_new_process() {
    let folder = TempDir::new().unwrap();
    let note =
        format!("tee -a {}/heard | ({})", folder.path().display(), first(folder.path(), ":"));
    let bot = start(&note, None);
    let mut rules = *game().rules();
    rules.assign("join-throws=no").unwrap();
    let other = Sho::new(rules).unwrap();
    let mut arena = Arena::new(other);
    let mut entries: [Box<dyn Policy<Sho>>; 2] = [Box::new(bot.clone()), Box::new(Random)];
    arena.play_game(SEED, 0, 0, &mut entries, &mut ()).unwrap();
    assert_eq!(bot.take_fault(), None);
    drop(entries);
    assert_eq!(bot.bye(), Some(true));
    let heard = std::fs::read_to_string(folder.path().join("heard")).unwrap();
    let told: Vec<_> = heard.lines().filter(|line| line.starts_with("rules ")).collect();
    let told_of = |rules: &Rules| format!("rules {}", rules.settings_text());
    assert_eq!(told, [told_of(game().rules()), told_of(&rules)]);
}

#[test]
fn a_program_that_ignores_bye_is_ended() {
    let folder = TempDir::new().unwrap();
    let stays = format!(
        "trap '' TERM HUP INT; {}; sleep 60 & echo $! >>pids; while :; do sleep 1; done",
        first(folder.path(), ":")
    );
    let bot = start(&stays, None);
    let _ = played(bot.clone(), 0);
    assert_eq!(bot.take_fault(), None);
    assert_eq!(bot.bye(), Some(false));
    assert_eq!(bot.bye(), None);
    let pids = noted(&folder, "pids");
    assert_eq!(pids.len(), 2);
    assert!(pids.iter().all(|&pid| !runs(pid)));

    // The last handle says it too, and what a program leaves behind is ended with it.
    let folder = TempDir::new().unwrap();
    let leaves = format!("cd {}; sleep 60 & echo $! >>pids; ", folder.path().display())
        + &first(folder.path(), ":");
    let bot = start(&leaves, None);
    let other = bot.clone();
    drop(bot);
    let pids = noted(&folder, "pids");
    assert_eq!(pids.len(), 2);
    assert!(
        std::process::Command::new("kill")
            .args(["-0", &pids[1].to_string()])
            .status()
            .unwrap()
            .success()
    );
    drop(other);
    assert!(pids.iter().all(|&pid| !runs(pid)));
}

/// The transcript of the documentation: every line of two short games, in both directions.
#[test]
fn the_lines_of_a_game() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().display();
    let command = format!("tee {path}/heard | ({}) | tee {path}/said", first(folder.path(), ":"));
    let mut rules = Rules::lhasa();
    for change in ["sides=2", "shells=10", "coins=2", "opening-coins=1", "max-throws=12"] {
        rules.assign(change).unwrap();
    }
    let game = Sho::new(rules).unwrap();
    let bot = spec(&command, None).start(&game, BotStderr::Dropped).unwrap();
    let mut arena = Arena::new(game);
    for block in 0..2 {
        let mut entries: [Box<dyn Policy<Sho>>; 2] = [Box::new(Random), Box::new(bot.clone())];
        arena.play_game(SEED, block, 0, &mut entries, &mut ()).unwrap();
        assert_eq!(bot.take_fault(), None);
    }
    assert_eq!(bot.bye(), Some(true));

    let page = page();
    for (file, mark) in [("heard", "> "), ("said", "< ")] {
        let lines = std::fs::read_to_string(folder.path().join(file)).unwrap();
        let shown = page.lines().filter_map(|line| line.strip_prefix(mark));
        assert_eq!(lines.lines().collect::<Vec<_>>(), shown.collect::<Vec<_>>());
    }
    // The seed is the first word of the seat's own stream: block 0, seat B, and block 1.
    for number in [1, 128 + 1] {
        let seed = Stream::new(SEED, "sho/bot", number).word();
        assert!(page.contains(&format!("> start B {seed}\n")));
    }
}

#[test]
fn the_second_game_is_spoken_too() {
    let folder = TempDir::new().unwrap();
    let game = sholo_guti::SholoGuti::new(sholo_guti::Rules::standard()).unwrap();
    let bot = spec(&first(folder.path(), ":"), None).start(&game, BotStderr::Dropped).unwrap();
    let record = |policy: Box<dyn Policy<sholo_guti::SholoGuti>>| {
        let mut record = Record::new(&game, &game.start());
        let mut entries = [policy, Box::new(Random) as _];
        Arena::new(game).play_game(SEED, 0, 0, &mut entries, &mut record).unwrap();
        record.to_string()
    };
    assert_eq!(record(Box::new(bot.clone())), record(Box::new(First::times(usize::MAX))));
    assert_eq!(bot.take_fault(), None);
}

/// The page of the documentation that describes the protocol.
fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/bot-protocol.md");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_bot_of_the_page_plays() {
    let page = page();
    let program = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("bot.sh");
    std::fs::write(&file, program).unwrap();
    let bot = start(&format!("exec sh {}", file.display()), None);
    assert_eq!(played(bot.clone(), 0), played(First::times(usize::MAX), 0));
    assert_eq!((bot.take_fault(), bot.bye()), (None, Some(true)));
}

/// The command of a bot in the folder of examples.
fn example(command: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().display().to_string();
    format!("cd '{root}' && {command}")
}

/// Games of each preset and number of sides, the policy on each seat, the others `easy`.
fn games_of_all_presets(
    policy: impl Fn() -> Box<dyn Policy<Sho>>,
    check: impl Fn(),
) -> Vec<String> {
    let mut records = Vec::new();
    for preset in Rules::PRESETS {
        for sides in 2..=4 {
            let mut rules = preset.rules;
            rules.sides = sides;
            let Ok(game) = Sho::new(rules) else { continue };
            let mut arena = Arena::new(game);
            for rotation in 0..usize::from(sides) {
                let mut entries = vec![policy()];
                entries.resize_with(sides.into(), || Box::new(sho_ai::sho::Easy));
                let mut record = Record::new(arena.game(), &arena.game().start());
                arena.play_game(SEED, 7, rotation, &mut entries, &mut record).unwrap();
                check();
                records.push(record.to_string());
            }
        }
    }
    records
}

/// It does all that `easy` does, and so reads every position right.
#[test]
fn the_example_in_python_plays_as_easy() {
    use std::io::Write;
    if !std::process::Command::new("python3")
        .arg("--version")
        .output()
        .is_ok_and(|run| run.status.success())
    {
        // Past the capture of the test, since a test that is left out must be seen.
        writeln!(std::io::stderr(), "skipped: no python3").unwrap();
        return;
    }
    let bot = start(&example("exec python3 examples/bots/greedy.py"), None);
    assert_eq!(bot.name(), "greedy");
    let python =
        games_of_all_presets(|| Box::new(bot.clone()), || assert_eq!(bot.take_fault(), None));
    let easy = games_of_all_presets(|| Box::new(sho_ai::sho::Easy), || ());
    assert!(python.len() > 40);
    assert_eq!(python, easy);
    assert_eq!(bot.bye(), Some(true));
}

#[test]
fn the_example_in_shell_plays_all_rules() {
    let bot = start(&example("exec sh examples/bots/first.sh"), None);
    let _ = games_of_all_presets(|| Box::new(bot.clone()), || assert_eq!(bot.take_fault(), None));
    assert!(bot.thinking().answers > 1000);
    assert_eq!(bot.bye(), Some(true));
}
