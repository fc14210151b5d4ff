//! The behaviour signature: one number over what all engines' moves and all bots' choices come to, [`signature`].
//!
//! It is the same on every machine, and changes where a rule, a bot, the dice or the notation of actions changes, or
//! where a bot is added. Who changes something for speed alone leaves it as it was.
//!
//! It is made of [`lines`]: perft counts from stored positions, then games. Each bot that needs no options plays by
//! every preset of its game, once in all seats and once with `random` in every other seat; the numbers of sides are 2, 3
//! and 4 in turn where the game has that choice. Number `n` of a game's presets is played on block `n` under the seed 1.
//! A game's line says how long it was and what each seat won, and has a digest of its steps in their notation. The
//! signature is the beginning of the SHA-256 digest of all lines.

use sho_ai::arena::bot_words;
use sho_ai::{BotSpec, Bots, Decision, Policy};
use sho_core::{ActionList, BlockDice, Notation, RuleSet, Seat, Step, sho, sholo_guti};

use crate::bench::{Perft, SEED, opening};
use crate::digest;

/// Digits of a digest that are kept: a number of 64 bits.
const DIGITS: usize = 16;

/// The counts, with positions in which several values wait and in which takes are forced.
const COUNTS: [Perft; 7] = [
    Perft { depth: 6, sequences: 594_267, ..Perft::SHO },
    Perft {
        rules: "general",
        position: "5+2:4x1,52x1/0+5:37x2,53x2/0+2:9x1,10x2,11x1,12x1,24x1,62x1 C move 2,2,8 0 126",
        depth: 4,
        sequences: 65_230,
        ..Perft::SHO
    },
    Perft {
        rules: "bhutan",
        position: "2+0:5x1,22x2,38x3,62x1/0+0:9x2,25x1,34x4,54x2/0+0:4x3,15x1,28x2,46x3 C move 2,2,4 0 88",
        depth: 4,
        sequences: 31_194,
        ..Perft::SHO
    },
    Perft {
        rules: "tomoaki",
        position: "0+6:20x1,25x1,34x1/1+4:3x1,6x1,11x1,59x1/0+3:2x1,9x1,12x1,53x3 A move 2,2,9 0 129",
        depth: 4,
        sequences: 14_266,
        ..Perft::SHO
    },
    Perft {
        rules: "qinghai",
        position: "2+3:23x2,36x1,46x1/3+0:9x1,12x1,18x2,58x2/0+5:7x2,8x1,19x1 B move 2,2,9 0 154",
        depth: 4,
        sequences: 33_126,
        ..Perft::SHO
    },
    Perft { depth: 5, sequences: 112_469, ..Perft::SHOLO_GUTI },
    Perft { rules: "forced", depth: 7, sequences: 56_624, ..Perft::SHOLO_GUTI },
];

/// The signature: 16 hexadecimal digits.
#[must_use]
pub fn signature() -> String {
    of_lines(&lines::<sho::Sho, sholo_guti::SholoGuti>())
}

/// The signature that these lines make.
#[must_use]
pub fn of_lines(lines: &[String]) -> String {
    short_digest(&lines.join("\n"))
}

/// What the signature is made of, a line for each count and each game. Where a signature changes, these say what did.
///
/// `S` is an engine of Sho, `G` one of Sholo Guti. Any two make the same lines.
#[must_use]
pub fn lines<S: Bots + Notation, G: Bots + Notation>() -> Vec<String> {
    let counts = COUNTS.iter().map(|perft| {
        let count = if perft.game == S::NAME { perft.count::<S>() } else { perft.count::<G>() };
        let Perft { game, rules, position, depth, .. } = perft;
        format!("perft {game} {rules} {depth} {count} from {position}")
    });
    let mut lines: Vec<String> = counts.collect();
    games::<S>(&mut lines);
    games::<G>(&mut lines);
    lines
}

fn games<G: Bots + Notation>(lines: &mut Vec<String>) {
    for info in G::BOTS {
        let spec = BotSpec { name: info.name, options: Vec::new() };
        let random = BotSpec { name: "random", options: Vec::new() };
        for (number, preset) in G::Rules::PRESETS.iter().enumerate() {
            let mut rules = preset.rules;
            // A game with a fixed number of sides refuses, and keeps it.
            let _ = rules.set("sides", &(2 + number % 3).to_string());
            let Ok(game) = G::new(rules) else { continue };
            // A bot that cannot be had without options is no part of it.
            let (Ok(_), Ok(_)) = (G::bot(&game, &spec), G::bot(&game, &random)) else { continue };
            let others: &[&BotSpec] = if spec == random { &[&spec] } else { &[&spec, &random] };
            for other in others {
                let seats = [&spec, *other];
                let bots = |seat: Seat| seats[seat.index() % 2];
                let names: Vec<&str> =
                    Seat::all(game.seats()).map(|seat| bots(seat).name).collect();
                let line = game_line(&game, bots, number as u64);
                lines.push(format!("game {} {} {} {line}", G::NAME, preset.name, names.join(",")));
            }
        }
    }
}

/// Plays a game and says how it went. It is a loop of its own, so that it does not change with those that are made for
/// speed.
fn game_line<'a, G: Bots + Notation>(
    game: &G,
    bots: impl Fn(Seat) -> &'a BotSpec,
    block: u64,
) -> String {
    let mut policies: Vec<Box<dyn Policy<G>>> = Vec::new();
    for seat in Seat::all(game.seats()) {
        if let Ok(mut policy) = G::bot(game, bots(seat)) {
            policy.begin(game, seat);
            policies.push(policy);
        }
    }
    let mut dice = BlockDice::of(game, SEED, block);
    let mut words = bot_words(SEED, block, 0);
    let (mut state, mut history) = opening(game, block).play(game, |_, _, _| {});
    let mut actions = G::Actions::default();
    let (mut throws, mut decisions, mut steps) = (0, 0, String::new());
    loop {
        match game.step(&state) {
            Step::Over => break,
            Step::Chance(seat) => {
                let outcome = game.outcome(&state, dice.way(seat));
                steps += &game.outcome_text(outcome);
                game.cast_unchecked(&mut state, outcome);
                throws += 1;
            }
            Step::Decide(seat) => {
                game.actions(&state, &mut actions);
                let action = match actions.len() {
                    1 => actions.get(0),
                    _ => {
                        let decision = Decision {
                            game,
                            state: &state,
                            seat,
                            actions: &actions,
                            history: &history,
                        };
                        policies[seat.index()].choose(decision, &mut words[seat])
                    }
                };
                steps += &game.action_text(&state, action);
                game.play_unchecked(&mut state, action);
                game.remember(&mut state, &mut history);
                decisions += 1;
            }
        }
        steps.push(' ');
    }
    let payoffs = game.payoffs(&state);
    let payoffs: Vec<String> =
        payoffs.as_slice(game.seats()).iter().map(ToString::to_string).collect();
    let steps = short_digest(&steps);
    format!("{throws} throws {decisions} decisions payoffs {} steps {steps}", payoffs.join(","))
}

fn short_digest(text: &str) -> String {
    let mut digest = digest::of_bytes(text.as_bytes());
    digest.truncate(DIGITS);
    digest
}
