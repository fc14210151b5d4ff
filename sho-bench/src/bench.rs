//! Fixed pieces of work to measure speed by: [`Games`], [`Choices`], [`Searches`], [`Perft`]. None of them looks at a clock; each says
//! what it did, which is the same on every machine.

use std::iter::Sum;
use std::ops::{Add, Range};

use serde::Serialize;
use sho_ai::arena::{Arena, bot_stream, bot_streams, bot_words};
use sho_ai::opening::{Opening, usual_turns};
use sho_ai::search::alphabeta::{AlphaBeta, Limits, TABLE_BITS};
use sho_ai::search::expectimax::{Devices, Expectimax};
use sho_ai::search::{Before, Model, Tactics};
use sho_ai::sho::{Evaluation, own_weights};
use sho_ai::sholo_guti::Weights;
use sho_ai::{Batch, BotError, Bots, Decision, Played, Playouts, Policy, Random};
use sho_core::perft::{Count, perft};
use sho_core::sho::{self, Sho};
use sho_core::sholo_guti::{self, SholoGuti};
use sho_core::{
    ActionList, BlockDice, Game, Notation, PerSeat, RuleSet, Seat, SeatStreams, Step, Stream,
};

use crate::schedule::Schedule;

/// The seed of all chance in benchmarks.
pub const SEED: u64 = 1;

/// What was played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Work {
    /// Whole games.
    pub games: u64,
    /// Outcomes of chance.
    pub throws: u64,
    /// Actions chosen, forced ones too.
    pub decisions: u64,
}

impl Work {
    /// One game.
    fn of(played: &Played) -> Self {
        Self { games: 1, throws: played.throws.into(), decisions: played.decisions.into() }
    }
}

impl Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            throws: self.throws + other.throws,
            decisions: self.decisions + other.decisions,
        }
    }
}

impl Sum for Work {
    fn sum<I: Iterator<Item = Self>>(works: I) -> Self {
        works.fold(Self::default(), Add::add)
    }
}

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// Decision by decision, as any bots can.
    Arena,
    /// By the loop for cheap bots, where the game has one for them, one game after another.
    Playouts,
    /// By that loop in batches, as tournaments play: many games in step where rules and processor allow it.
    Batches,
}

impl Way {
    /// All of them, with their names.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Arena, "arena"), (Self::Playouts, "playouts"), (Self::Batches, "batches")];

    /// The way's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// Games of one bot in every seat, on the dice of blocks, in all rotations: what a tournament plays, without counting.
///
/// ```
/// use sho_bench::bench::{Games, Way};
/// use sho_core::{Game, sho::{Rules, Sho}};
/// let game = Sho::new(Rules::lhasa())?;
/// let mut arena = Games::new(game, "random", Way::Arena)?.expect("any bot plays in the arena");
/// let mut playouts = Games::new(game, "random", Way::Playouts)?.expect("random is cheap");
/// assert_eq!(arena.play(0..10), playouts.play(0..10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Games<G: Bots> {
    arena: Arena<G>,
    policies: Vec<Box<dyn Policy<G>>>,
    playouts: Option<Box<dyn Playouts<G>>>,
    seatings: Vec<PerSeat<usize>>,
    dice: BlockDice,
    /// The words of the bots in playouts.
    words: SeatStreams,
    in_batches: bool,
    /// How the games of a batch went.
    played: Vec<Played>,
}

// Bots need not be printable.
impl<G: Bots> std::fmt::Debug for Games<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Games").field("arena", &self.arena).finish_non_exhaustive()
    }
}

impl<G: Bots + Notation> Games<G> {
    /// Games of the bot of this text, played this way; none where the game does not know the way for it.
    ///
    /// # Errors
    /// Where the text names no bot.
    pub fn new(game: G, bot: &str, way: Way) -> Result<Option<Self>, BotError> {
        let spec = G::spec(bot)?;
        let seats = game.seats();
        let policies = (0..seats).map(|_| G::bot(&game, &spec)).collect::<Result<_, _>>()?;
        let playouts = match way {
            Way::Arena => None,
            Way::Playouts | Way::Batches => match G::playouts(&game, &vec![&spec; seats]) {
                None => return Ok(None),
                playouts => playouts,
            },
        };
        Ok(Some(Self {
            policies,
            playouts,
            in_batches: way == Way::Batches,
            played: Vec::new(),
            seatings: Schedule::Rotations.seatings(seats),
            dice: BlockDice::of(&game, SEED, 0),
            words: bot_streams(SEED, 0, 0),
            arena: Arena::new(game),
        }))
    }

    /// Plays all games of the blocks.
    ///
    /// # Panics
    /// If the bot chooses what is not legal.
    pub fn play(&mut self, blocks: Range<u64>) -> Work {
        if let Some(playouts) = self.playouts.as_mut().filter(|_| self.in_batches) {
            let start = self.arena.game().start();
            let batch = Batch { seed: SEED, blocks, seatings: &self.seatings };
            self.played.clear();
            playouts.play_batch(&start, &batch, &mut self.played, None);
            return self.played.iter().map(Work::of).sum();
        }
        let mut work = Work::default();
        for block in blocks {
            self.dice.reset(block);
            let opening = opening(self.arena.game(), block);
            for (index, seating) in self.seatings.iter().enumerate() {
                self.dice.rewind();
                let dice = &mut self.dice;
                let played = match &mut self.playouts {
                    Some(playouts) => {
                        let words = &mut self.words;
                        words.renumber(bot_stream(block, index, Seat::A));
                        playouts.play(opening.start().clone(), seating, dice, words)
                    }
                    None => {
                        let mut words = bot_words(SEED, block, index);
                        self.arena
                            .play(&opening, &mut self.policies, seating, dice, &mut words, &mut ())
                            .unwrap_or_else(|choice| panic!("{choice}"))
                    }
                };
                work = work + Work::of(&played);
            }
        }
        work
    }
}

/// How the games of a block begin.
pub(crate) fn opening<G: Game>(game: &G, block: u64) -> Opening<G> {
    Opening::draw(game, SEED, block, usual_turns::<G>())
}

/// Choices among at least two actions, as random play meets them.
#[derive(Debug)]
pub struct Choices<G: Game> {
    game: G,
    choices: Vec<(G::State, G::Actions)>,
    history: G::History,
    words: Stream,
}

/// Every so many-th choice of a game is taken, so that a few hundred are of many games.
const CHOICES_APART: usize = 7;

impl<G: Bots> Choices<G> {
    /// So many choices.
    #[must_use]
    pub fn new(game: G, count: usize) -> Self {
        let mut choices = Vec::with_capacity(count);
        let mut met = 0;
        for block in 0.. {
            let mut dice = BlockDice::of(&game, SEED, block);
            let mut words = bot_words(SEED, block, 0);
            let (mut state, mut history) = opening(&game, block).play(&game, |_, _, _| {});
            let mut actions = G::Actions::default();
            while choices.len() < count {
                match game.step(&state) {
                    Step::Over => break,
                    Step::Chance(seat) => {
                        let outcome = game.outcome(&state, dice.way(seat));
                        game.cast_unchecked(&mut state, outcome);
                    }
                    Step::Decide(seat) => {
                        game.actions(&state, &mut actions);
                        if actions.len() > 1 {
                            if met % CHOICES_APART == 0 {
                                choices.push((state.clone(), actions.clone()));
                            }
                            met += 1;
                        }
                        let decision = Decision {
                            game: &game,
                            state: &state,
                            seat,
                            actions: &actions,
                            history: &history,
                        };
                        let action = Random.choose(decision, &mut words[seat]);
                        game.play_unchecked(&mut state, action);
                        game.remember(&mut state, &mut history);
                    }
                }
            }
            if choices.len() == count {
                break;
            }
        }
        let history = game.begin(&game.start());
        Self { game, choices, history, words: Stream::new(SEED, "sho/bot", 0) }
    }

    /// The game that they are of.
    #[must_use]
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// Lets the policy decide the choices of the range, and returns how many actions it had to choose from in all.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn decide(&mut self, policy: &mut dyn Policy<G>, range: Range<usize>) -> usize {
        let (game, history) = (&self.game, &self.history);
        let mut actions_seen = 0;
        for (state, actions) in &self.choices[range] {
            let Step::Decide(seat) = game.step(state) else { continue };
            let decision = Decision { game, state, seat, actions, history };
            std::hint::black_box(policy.choose(decision, &mut self.words));
            actions_seen += actions.len();
        }
        actions_seen
    }
}

/// A search of fixed depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Search {
    /// The game's name.
    pub game: &'static str,
    /// The bot that looks ahead so.
    pub bot: &'static str,
    /// How far, in the bot's own plies or turns.
    pub depth: u32,
}

/// What looks ahead from a position, and says how many positions it looked at.
type Look<G> = Box<dyn FnMut(&G, &<G as Game>::State, Seat) -> u64>;

/// [`Choices`] for a search, by the weights that its bot has by itself. How many positions it looks at is the same on
/// every machine.
///
/// ```
/// use sho_bench::bench::Searches;
/// let mut searches = Searches::of_sholo_guti(4);
/// assert_eq!((searches.search().depth, searches.look(1..1)), (4, 0));
/// assert_eq!(searches.look(0..1) + searches.look(1..4), searches.look(0..4));
/// ```
pub struct Searches<G: Game> {
    search: Search,
    choices: Choices<G>,
    look: Look<G>,
}

impl<G: Game> std::fmt::Debug for Searches<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Searches").field("search", &self.search).finish_non_exhaustive()
    }
}

impl Searches<Sho> {
    /// Expectimax, under `lhasa` with three sides, in so many choices. It remembers no positions: which of two stays in
    /// its memory hangs on the machine.
    ///
    /// # Panics
    /// Never: the rules and the bot are there.
    #[must_use]
    pub fn of_sho(count: usize) -> Self {
        let (bot, depth) = ("expectimax", 2);
        let game = Sho::new(sho::Rules::lhasa()).expect("a preset is possible");
        let weights = Sho::spec(bot).ok().and_then(|spec| own_weights(&spec, game.rules()));
        let evaluation = Evaluation::new(*weights.expect("the bot has weights"));
        let devices = Devices { memory: None, ..Devices::default() };
        let mut search = Expectimax::with_devices(Limits::depth(depth), evaluation, devices);
        Self {
            search: Search { game: Sho::NAME, bot, depth },
            choices: Choices::new(game, count),
            look: Box::new(move |game, state, _| search.search(game, state).leaves),
        }
    }
}

impl Searches<SholoGuti> {
    /// Alpha-beta, under `standard`, in so many choices, with the takes that it plays on with.
    ///
    /// # Panics
    /// Never: the rules are there.
    #[must_use]
    pub fn of_sholo_guti(count: usize) -> Self {
        let (bot, depth) = ("alphabeta", 4);
        let game = SholoGuti::new(sholo_guti::Rules::standard()).expect("a preset is possible");
        let weights = Weights::default();
        let model = Model { evaluation: weights, quiescence: true, draw: weights.draw };
        let mut search = AlphaBeta::new(model, Some(TABLE_BITS));
        Self {
            search: Search { game: SholoGuti::NAME, bot, depth },
            choices: Choices::new(game, count),
            look: Box::new(move |game, state, seat| {
                let before = Before::new([game.key(state)].into_iter());
                search.search(game, state, seat, &before, Limits::depth(depth)).nodes
            }),
        }
    }
}

impl<G: Game> Searches<G> {
    /// The search.
    #[must_use]
    pub const fn search(&self) -> Search {
        self.search
    }

    /// Searches the choices of the range, and returns how many positions were looked at.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn look(&mut self, range: Range<usize>) -> u64 {
        let Self { choices: Choices { game, choices, .. }, look, .. } = self;
        let looked = choices[range].iter().map(|(state, _)| match game.step(state) {
            Step::Decide(seat) => look(game, state, seat),
            _ => 0,
        });
        looked.sum()
    }
}

/// A count of sequences whose result is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Perft {
    /// The game's name.
    pub game: &'static str,
    /// The rules' preset.
    pub rules: &'static str,
    /// The position.
    pub position: &'static str,
    /// How many steps.
    pub depth: u32,
    /// The number of sequences of so many steps.
    pub sequences: u64,
}

impl Perft {
    /// Sho from the middle of a game: dice are due, all sides have stacks that meet.
    pub const SHO: Self = Self {
        game: "sho",
        rules: "lhasa",
        position: "6+0:10x1,13x2/6+0:14x1,17x2/5+0:5x1,8x1,21x2 A throw - 0 18",
        depth: 8,
        sequences: 56_159_134,
    };

    /// Sholo Guti from its start.
    pub const SHOLO_GUTI: Self = Self {
        game: "sholo-guti",
        rules: "standard",
        position: "ooo/ooo/ooooo/ooooo/...../xxxxx/xxxxx/xxx/xxx x 0 1",
        depth: 6,
        sequences: 1_383_160,
    };

    /// Counts, and returns the number. `G` is an engine of the game.
    ///
    /// # Panics
    /// If the position is none of the game by these rules.
    #[must_use]
    pub fn count<G: Notation>(&self) -> u64 {
        assert_eq!(self.game, G::NAME);
        let game = G::Rules::preset(self.rules).map(G::new);
        let Ok(Ok(game)) = game else { panic!("{}: no rules {}", self.game, self.rules) };
        let state = game.parse_state(self.position).unwrap_or_else(|error| panic!("{error}"));
        perft(&game, &state, self.depth, Count::Sequences) as u64
    }
}
