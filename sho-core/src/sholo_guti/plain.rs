//! Sholo Guti written straight from its rules, with lists and loops: the engine to read, and the judge of the fast one.
//!
//! It looks only at the [lines](LINES) of the board. A state is a checked [`Setup`]. A new house rule is written here
//! first.

use alloc::vec::Vec;
use core::convert::Infallible;

use super::board::{LINES, Point};
use super::engine::Engine;
use super::rules::{Rules, Takes};
use super::setup::Setup;
use super::turn::Turn;
use super::{ENDS, End, UNITS};
use crate::game::{ActionVec, Game, Step, Unit};
use crate::notation::PositionError;
use crate::rule_set::{ImpossibleRules, RuleSet};
use crate::seat::PerSeat;

/// The game of Sholo Guti under some rules, in plain code.
///
/// ```
/// use sho_core::{ActionList, Game, Notation, sholo_guti::{Rules, plain::SholoGuti}};
/// let game = SholoGuti::new(Rules::forced())?;
/// let mut state = game.parse_state("ooo/o.o/...oo/..o.o/...../...o./..xo./xxx/xxx x 0 31")?;
/// let mut turns = Default::default();
/// game.actions(&state, &mut turns);
/// let texts: Vec<_> = turns.iter().map(|turn| turn.to_string()).collect();
/// assert_eq!(texts, ["c3:e3:c5:c7", "c3:e5"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SholoGuti {
    rules: Rules,
    draws: bool,
}

/// A position of the plain engine: a [`Setup`] that was checked, and whether it drew the game by repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    setup: Setup,
    repeated: bool,
}

impl State {
    /// The position as a setup.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }
}

/// All positions that have come to stand since play began.
#[derive(Clone, Debug)]
pub struct History(Vec<Setup>);

/// The points next to `from`.
fn neighbours(from: Point) -> Vec<Point> {
    let mut found = Vec::new();
    for line in &LINES {
        for pair in line.points().windows(2) {
            if pair[0] == from {
                found.push(pair[1]);
            }
            if pair[1] == from {
                found.push(pair[0]);
            }
        }
    }
    found
}

/// The points that a jump from `from` crosses and lands on.
fn jumps(from: Point) -> Vec<(Point, Point)> {
    let mut found = Vec::new();
    for line in &LINES {
        for three in line.points().windows(3) {
            if three[0] == from {
                found.push((three[1], three[2]));
            }
            if three[2] == from {
                found.push((three[1], three[0]));
            }
        }
    }
    found
}

/// The steps of the side to move.
fn steps(setup: &Setup) -> Vec<Turn> {
    let mut turns = Vec::new();
    for start in setup.pieces(setup.mover).iter() {
        for end in neighbours(start) {
            if setup[end].is_none() {
                turns.extend(Turn::new(&[start, end]));
            }
        }
    }
    turns
}

/// The runs of takes of the side to move: with `whole` only those whose piece has no take left.
fn runs(setup: &Setup, whole: bool) -> Vec<Turn> {
    let mut turns = Vec::new();
    for start in setup.pieces(setup.mover).iter() {
        go_on(*setup, &mut Vec::from([start]), whole, &mut turns);
    }
    turns
}

/// Adds the runs that continue the path of a piece, which stands at its end.
fn go_on(setup: Setup, path: &mut Vec<Point>, whole: bool, turns: &mut Vec<Turn>) -> bool {
    let at = path[path.len() - 1];
    let mut goes_on = false;
    for (over, landing) in jumps(at) {
        let enemy = setup[over].is_some_and(|seat| seat != setup.mover);
        if !enemy || setup[landing].is_some() {
            continue;
        }
        goes_on = true;
        let mut next = setup;
        next[at] = None;
        next[over] = None;
        next[landing] = Some(setup.mover);
        path.push(landing);
        let more = go_on(next, path, whole, turns);
        if !whole || !more {
            turns.extend(Turn::new(path));
        }
        path.pop();
    }
    goes_on
}

impl SholoGuti {
    /// The turns that the pieces allow, whether or not the game is drawn.
    fn open(&self, setup: &Setup) -> Vec<Turn> {
        let mut turns = match self.rules.takes {
            Takes::Optional => {
                let mut turns = steps(setup);
                turns.extend(runs(setup, false));
                turns
            }
            Takes::Forced => match runs(setup, true) {
                runs if runs.is_empty() => steps(setup),
                runs => runs,
            },
        };
        turns.sort_unstable();
        turns
    }

    /// How the game ended, if it has.
    fn ended(&self, state: &State) -> Option<End> {
        let setup = &state.setup;
        if setup.pieces(setup.mover).is_empty() {
            Some(End::Taken)
        } else if self.open(setup).is_empty() {
            Some(End::Stuck)
        } else if self.draws && state.repeated {
            Some(End::Repetition)
        } else if self.draws && setup.quiet >= self.rules.quiet_turns {
            Some(End::Quiet)
        } else {
            None
        }
    }
}

fn act(setup: &mut Setup, turn: Turn) {
    let path: Vec<Point> = turn.points().collect();
    setup[turn.start()] = None;
    setup.quiet = setup.quiet.saturating_add(1);
    for pair in path.windows(2) {
        for (over, landing) in jumps(pair[0]) {
            if landing == pair[1] {
                setup[over] = None;
                setup.quiet = 0;
            }
        }
    }
    // Last, since a run may end where it started, or where it took.
    setup[turn.end()] = Some(setup.mover);
    setup.mover = setup.mover.next(2);
    setup.turn = setup.turn.saturating_add(1);
}

impl Game for SholoGuti {
    type Rules = Rules;
    type State = State;
    type Action = Turn;
    type Outcome = Infallible;
    type Actions = ActionVec<Turn>;
    type History = History;

    const NAME: &'static str = super::NAME;
    const UNITS: &'static [Unit] = UNITS;
    const ENDS: &'static [&'static str] = ENDS;
    const TABLE_SECONDS: Option<u32> = None;
    const HAS_CHANCE: bool = false;

    fn new(rules: Rules) -> Result<Self, ImpossibleRules> {
        rules.check()?;
        Ok(Self { rules, draws: true })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> State {
        State { setup: Setup::start(), repeated: false }
    }

    fn begin(&self, state: &State) -> History {
        History(Vec::from([state.setup]))
    }

    fn step(&self, state: &State) -> Step {
        match self.ended(state) {
            Some(_) => Step::Over,
            None => Step::Decide(state.setup.mover),
        }
    }

    fn ways(&self) -> u32 {
        0
    }

    fn outcome(&self, _: &State, _: u32) -> Infallible {
        unreachable!("{}", super::NO_CHANCE)
    }

    fn outcomes(&self, _: &State) -> impl Iterator<Item = (Infallible, u32)> {
        core::iter::empty()
    }

    fn actions(&self, state: &State, into: &mut ActionVec<Turn>) {
        into.0 = match self.ended(state) {
            Some(_) => Vec::new(),
            None => self.open(&state.setup),
        };
    }

    fn cast_unchecked(&self, _: &mut State, outcome: Infallible) {
        match outcome {}
    }

    fn play_unchecked(&self, state: &mut State, turn: Turn) {
        act(&mut state.setup, turn);
        state.repeated = false;
    }

    fn remember(&self, state: &mut State, history: &mut History) {
        history.0.push(state.setup);
        let same = |earlier: &&Setup| {
            earlier.points == state.setup.points && earlier.mover == state.setup.mover
        };
        let times = history.0.iter().filter(same).count();
        if self.ended(state).is_none() && times >= usize::from(self.rules.repeats) {
            state.repeated = true;
        }
    }

    fn without_draws(&self) -> Self {
        Self { draws: false, ..*self }
    }

    fn payoffs(&self, state: &State) -> PerSeat<u32> {
        super::payoffs(self.ended(state), state.setup.mover)
    }

    fn end(&self, state: &State) -> Option<usize> {
        self.ended(state).map(End::index)
    }
}

impl Engine for SholoGuti {
    fn setup(&self, state: &State) -> Setup {
        state.setup
    }

    fn state(&self, setup: &Setup) -> Result<State, PositionError> {
        setup.check(&self.rules)?;
        Ok(State { setup: *setup, repeated: false })
    }

    fn remembered(&self, history: &History) -> Vec<Setup> {
        let last_take = history.0.iter().rposition(|setup| setup.quiet == 0);
        history.0[last_take.unwrap_or(0)..].to_vec()
    }
}
