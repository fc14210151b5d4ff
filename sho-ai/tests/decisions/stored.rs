//! Stored decisions of Sho, and what the search judges in each: for tests, benches and examples alike.
#![allow(dead_code, reason = "each of them uses its own part")]

use std::fmt;

use sho_ai::search::alphabeta::Limits;
use sho_ai::search::expectimax::{Devices, Expectimax};
use sho_ai::sho::{Evaluation, Weights};
use sho_ai::{BotError, Bots, Decision, Policy};
use sho_core::sho::{Actions, Rules, Setup, Sho, State};
use sho_core::{ActionList, Game, Notation, Step, Stream};

/// The lines of the file, without its comments.
pub(crate) const POSITIONS: &str = include_str!("positions.txt");

/// The coins of a side under `lhasa`.
const COINS: u8 = 9;

/// What a decision is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// After one of the first throws, six for each side.
    Opening,
    /// Later: all sides have stacks on the board, none has more than four coins home, and one of the mover's stacks is
    /// within a throw of an enemy's, before or behind it.
    Middle,
    /// Near the end: a side has all but three coins home, or no coin can come upon an enemy's any more.
    Race,
    /// Several values wait, after a pa ra.
    PaRa,
}

impl Kind {
    /// All kinds, with their names in files and arguments.
    pub(crate) const ALL: [(Self, &'static str); 4] = [
        (Self::Opening, "opening"),
        (Self::Middle, "middle"),
        (Self::Race, "race"),
        (Self::PaRa, "pa-ra"),
    ];

    /// The name.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|&(kind, _)| kind == self).map_or("", |(_, name)| name)
    }

    /// The kind of a decision by these, the in this order: `PaRa`, `Opening`, `Race`,
    /// `Middle`.
    pub(crate) fn of(setup: &Setup) -> Option<Self> {
        if setup.waiting.values().len() > 1 {
            return Some(Self::PaRa);
        }
        let sides = || setup.sides.iter(setup.seats).map(|(_, side)| side);
        if setup.throws <= 6 * setup.seats as u16 {
            return Some(Self::Opening);
        }
        if sides().any(|side| side.home >= COINS - 3) || !meet(setup) {
            return Some(Self::Race);
        }
        let contested = sides().all(|side| side.home <= 4 && !side.nothing_out());
        (contested && mover_is_near(setup)).then_some(Self::Middle)
    }
}

/// Whether any coin can still come upon an enemy's: one in a hand comes upon whatever is on the board.
fn meet(setup: &Setup) -> bool {
    let sides = || setup.sides.iter(setup.seats);
    sides().any(|(seat, side)| {
        let from = |gap: sho_core::sho::Gap| i32::from(gap.number());
        let last = match side.hand {
            0 => side.stacks().map(|(gap, _)| from(gap)).min(),
            _ => Some(0),
        };
        sides().filter(|&(other, _)| other != seat).any(|(_, enemy)| {
            enemy.stacks().any(|(gap, _)| last.is_some_and(|last| last < from(gap)))
        })
    })
}

/// Whether a stack of the mover is at most twelve gaps from an enemy's.
fn mover_is_near(setup: &Setup) -> bool {
    let enemies = setup.sides.iter(setup.seats).filter(|&(seat, _)| seat != setup.mover);
    enemies.flat_map(|(_, side)| side.stacks()).any(|(enemy, _)| {
        let mut own = setup.sides[setup.mover].stacks();
        own.any(|(gap, _)| gap.number().abs_diff(enemy.number()) <= 12)
    })
}

/// A stored decision: a line of the file, `SIDES KIND BOT BLOCK POSITION`.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub(crate) sides: usize,
    pub(crate) kind: Kind,
    /// The bot that sat in all seats.
    pub(crate) bot: String,
    /// The block of seed 1 whose dice were thrown.
    pub(crate) block: u64,
    pub(crate) position: String,
    pub(crate) state: State,
    /// The legal actions, at least two.
    pub(crate) actions: Actions,
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sides, kind, bot, block, position, .. } = self;
        write!(f, "{sides} {} {bot} {block} {position}", kind.name())
    }
}

impl Stored {
    /// As the bot that decides sees it.
    pub(crate) fn decision<'a>(&'a self, game: &'a Sho) -> Decision<'a, Sho> {
        let Step::Decide(seat) = game.step(&self.state) else { panic!("{self}: no action is due") };
        Decision { game, state: &self.state, seat, actions: &self.actions, history: &() }
    }
}

/// Sho under `lhasa` with so many sides.
pub(crate) fn game(sides: usize) -> Sho {
    let mut rules = Rules::lhasa();
    rules.sides = sides.try_into().unwrap();
    Sho::new(rules).unwrap()
}

/// The bots that are measured, cheapest first.
pub(crate) const BOTS: [&str; 6] =
    ["random", "easy", "medium", "hard", "expectimax:depth=2", "expectimax:depth=3"];

/// A bot by its text, for the whole board.
pub(crate) fn bot(text: &str) -> Result<Box<dyn Policy<Sho>>, BotError> {
    Sho::bot(&game(2), &Sho::spec(text)?)
}

/// Lets a bot decide each of these once, and adds up how many actions it had to choose from. `words` are for bots that
/// draw.
pub(crate) fn decide(
    game: &Sho,
    bot: &mut dyn Policy<Sho>,
    decisions: &[Stored],
    words: &mut Stream,
) -> usize {
    let one = |stored: &Stored| {
        std::hint::black_box(bot.choose(stored.decision(game), words));
        stored.actions.len()
    };
    decisions.iter().map(one).sum()
}

/// All stored decisions in the order of the file.
pub(crate) fn all() -> Vec<Stored> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| stored(line).unwrap_or_else(|| panic!("no stored decision: {line}"))).collect()
}

/// Those of a kind.
pub(crate) fn of(kind: Kind, sides: usize) -> Vec<Stored> {
    all().into_iter().filter(|stored| stored.kind == kind && stored.sides == sides).collect()
}

fn stored(line: &str) -> Option<Stored> {
    let mut fields = line.splitn(5, ' ');
    let mut next = || fields.next();
    let (sides, kind, bot, block, position) = (next()?, next()?, next()?, next()?, next()?);
    let sides = sides.parse().ok()?;
    let kind = Kind::ALL.into_iter().find(|&(_, name)| name == kind)?.0;
    let game = game(sides);
    let state = game.parse_state(position).ok()?;
    let mut actions = Actions::default();
    game.actions(&state, &mut actions);
    let (bot, block, position) = (bot.to_owned(), block.parse().ok()?, position.to_owned());
    Some(Stored { sides, kind, bot, block, position, state, actions })
}

/// The positions that `expectimax:depth=DEPTH` judges in all stored decisions of a kind, without a memory. Which of two
/// positions a memory keeps hangs on how a machine lays out bytes; without one the number is the same everywhere.
pub(crate) fn judged(kind: Kind, sides: usize, depth: u32) -> u64 {
    let devices = Devices { memory: None, ..Devices::default() };
    judged_with(kind, sides, depth, devices)
}

/// The same with these devices.
pub(crate) fn judged_with(kind: Kind, sides: usize, depth: u32, devices: Devices) -> u64 {
    let game = game(sides);
    let evaluation = Evaluation::new(Weights::ALL_RULES);
    let mut search = Expectimax::with_devices(Limits::depth(depth), evaluation, devices);
    of(kind, sides).iter().map(|stored| search.search(&game, &stored.state).leaves).sum()
}

/// What is judged, by numbers of sides, kinds and depths, as it is stored: a line `SIDES KIND DEPTH NUMBER` for each.
pub(crate) const JUDGED: &str = include_str!("judged.txt");

/// The depths that are stored.
pub(crate) const DEPTHS: [u32; 2] = [2, 3];

/// The stored number of positions judged.
pub(crate) fn stored_judged(kind: Kind, sides: usize, depth: u32) -> u64 {
    let head = format!("{sides} {} {depth} ", kind.name());
    let number = JUDGED.lines().find_map(|line| line.strip_prefix(&head));
    number.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{head}is not stored"))
}
