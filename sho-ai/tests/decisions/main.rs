//! The stored decisions by which bots are measured are what they claim, and so is the work that the search does in them.
//!
//! Where a change of weights alters what a search with two sides leaves out, write the numbers anew:
//!
//! ```console
//! SHO_GOLDEN=write cargo test -p sho-ai --test decisions judged
//! ```
//!
//! The positions stay as they are, whatever the bots do later, so that figures can be compared. They can be made again,
//! from games of the bots as they are then, by `SHO_GOLDEN=write cargo test -p sho-ai --test decisions positions`.

mod stored;

use sho_ai::arena::{Arena, Observer};
use sho_ai::search::expectimax::Devices;
use sho_ai::{Bots, Policy};
use sho_core::sho::{Actions, Engine, Sho, State};
use sho_core::{ActionList, Game, Notation, Seat};
use stored::{DEPTHS, Kind, Stored, all, game, judged, judged_with, of, stored_judged};

/// The bots whose games they come from, and how many of each kind come from the games of each.
const BOTS: [&str; 2] = ["easy", "hard"];
const OF_EACH: usize = 4;

const HEAD: &str = "\
# Decisions of Sho under lhasa by which bots are measured: SIDES KIND BOT BLOCK POSITION.
#
# BOT sat in all seats and played block BLOCK of seed 1, first seating (sho play --bots BOT,BOT[,BOT] --block BLOCK);
# positions of hard are those of the bot in version 0.1.0. Of each game whose number is a multiple of 3 one decision of
# a kind was taken, the games in order, from an earlier to a later one among the decisions of the kind in that game.
# What the kinds are, stored.rs says. Made by: SHO_GOLDEN=write cargo test -p sho-ai --test decisions positions
";

/// The decisions of a game with something to choose.
#[derive(Default)]
struct Decisions(Vec<State>);

impl Observer<Sho> for Decisions {
    fn action(&mut self, game: &Sho, state: &State, _: Seat, _: <Sho as Game>::Action) {
        let mut actions = Actions::default();
        game.actions(state, &mut actions);
        if actions.len() > 1 {
            self.0.push(*state);
        }
    }
}

/// The decisions of a game of the bot.
fn decisions(sides: usize, bot: &str, block: u64) -> Vec<State> {
    let spec = Sho::spec(bot).unwrap();
    let game = game(sides);
    let mut entries: Vec<Box<dyn Policy<Sho>>> =
        (0..sides).map(|_| Sho::bot(&game, &spec).unwrap()).collect();
    let mut seen = Decisions::default();
    Arena::new(game).play_game(1, block, 0, &mut entries, &mut seen).unwrap();
    seen.0
}

/// The lines of a kind, as the head of the file says.
fn lines(sides: usize, kind: Kind, bot: &str) -> Vec<String> {
    let game = game(sides);
    let mut lines = Vec::new();
    for block in (0..).step_by(3) {
        let decisions = decisions(sides, bot, block);
        let of_kind: Vec<&State> =
            decisions.iter().filter(|state| Kind::of(&game.setup(state)) == Some(kind)).collect();
        let at = of_kind.len() * (2 * lines.len() + 1) / (2 * OF_EACH);
        if let Some(&state) = of_kind.get(at) {
            let position = game.state_text(state);
            lines.push(format!("{sides} {} {bot} {block} {position}", kind.name()));
        }
        if lines.len() == OF_EACH {
            break;
        }
    }
    lines
}

fn is_written_anew() -> bool {
    std::env::var_os("SHO_GOLDEN").is_some_and(|value| value == "write")
}

fn write(file: &str, text: &str) {
    let path = format!("{}/tests/decisions/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::write(path, text).unwrap();
}

#[test]
fn positions_are_what_they_claim() {
    if is_written_anew() {
        let mut text = HEAD.to_owned();
        for sides in [2, 3] {
            for (kind, _) in Kind::ALL {
                for bot in BOTS {
                    lines(sides, kind, bot).iter().for_each(|line| text += &format!("{line}\n"));
                }
            }
        }
        return write("positions.txt", &text);
    }
    assert!(stored::POSITIONS.starts_with(HEAD));
    for sides in [2, 3] {
        for (kind, name) in Kind::ALL {
            let stored = of(kind, sides);
            assert_eq!(stored.len(), BOTS.len() * OF_EACH, "{name}");
            for Stored { state, actions, position, .. } in &stored {
                let setup = game(sides).setup(state);
                assert_eq!(Kind::of(&setup), Some(kind), "{position}");
                assert_eq!(setup.to_string(), *position);
                assert!(actions.len() > 1, "{position}");
            }
        }
    }
    assert_eq!(all().len(), 2 * Kind::ALL.len() * BOTS.len() * OF_EACH);
}

/// `easy` keeps its meaning, and so do its games. Those of `hard` may become others.
#[test]
fn positions_of_easy_are_met_in_its_games() {
    let stored = all();
    let of_easy: Vec<&Stored> = stored.iter().filter(|stored| stored.bot == "easy").collect();
    assert_eq!(of_easy.len(), 2 * Kind::ALL.len() * OF_EACH);
    for stored in of_easy {
        let met = decisions(stored.sides, "easy", stored.block);
        assert!(met.contains(&stored.state), "{stored}");
    }
}

#[test]
fn judged_are_as_many_as_are_stored() {
    let mut counted = String::new();
    for sides in [2, 3] {
        for (kind, name) in Kind::ALL {
            for depth in DEPTHS {
                let number = judged(kind, sides, depth);
                counted += &format!("{sides} {name} {depth} {number}\n");
            }
        }
    }
    if is_written_anew() {
        return write("judged.txt", &counted);
    }
    assert_eq!(counted, stored::JUDGED, "the numbers counted, and those in judged.txt");
}

/// What the benches assert and what bots do is the same work, less what is remembered.
#[test]
fn a_memory_only_saves() {
    for sides in [2, 3] {
        for (kind, name) in Kind::ALL {
            let with = judged_with(kind, sides, 3, Devices::default());
            let without = stored_judged(kind, sides, 3);
            if !is_written_anew() {
                assert!(with <= without && 2 * with > without, "{sides} {name}: {with} {without}");
            }
        }
    }
}
