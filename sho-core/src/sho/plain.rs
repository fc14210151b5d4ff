//! Sho written straight from its rules, with arrays and loops: the engine to read, and the judge of the fast one.
//!
//! It plays every setting of [`Rules`]. A state is a checked [`Setup`]; the functions below change one. A new house
//! rule is written here first.

use alloc::vec::Vec;

use super::action::{Action, Effect, Landing};
use super::engine::Engine;
use super::gap::Gap;
use super::rules::{GoingHome, LeftOver, NineStack, OpeningClash, PaRa, Reopen, Rules, SixThree};
use super::setup::{Opening, Phase, Setup};
use super::values::{Values, Waiting};
use crate::dice::{Throw, ThrowClass, WAYS};
use crate::game::{ActionVec, Game, OutcomeClass, Step, Unit, WHOLE_PAYOFF};
use crate::notation::PositionError;
use crate::rule_set::{ImpossibleRules, RuleSet};
use crate::seat::{PerSeat, Seat};

/// The game of Sho under some rules, in plain code.
///
/// ```
/// use sho_core::{Game, Notation, sho::{Rules, plain::Sho}};
/// let game = Sho::new(Rules::lhasa())?;
/// let mut state = game.start();
/// game.cast_unchecked(&mut state, "6-1".parse()?);
/// let action = game.parse_action(&state, "open@7")?;
/// game.play(&mut state, action)?;
/// assert_eq!(game.state_text(&state), "7+0:7x2!/9+0o:-/9+0o:- B throw - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sho {
    rules: Rules,
}

/// A position of the plain engine: a [`Setup`] that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State(Setup);

impl State {
    /// The position as a setup.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.0
    }
}

impl Sho {
    // ---- The dice --------------------------------------------------------------------------------------------------

    fn cast(&self, position: &mut Setup, throw: Throw) {
        position.throws += 1;
        if !throw.is_pa_ra() {
            position.run = 0;
            position.waiting = position.waiting.add(throw.total(), throw.is_six_three());
            return self.choose(position);
        }
        // In a game the run cannot pass the number of throws; a position that no game reaches may be at the bound.
        position.run = position.run.saturating_add(1).min(self.rules.max_throws);
        if self.rules.three_pa_ra_wins && position.run >= 3 {
            return finish(position, |seat, mover| seat == mover);
        }
        if position.waiting.len() + 1 >= usize::from(self.rules.waiting_limit) {
            return self.throw_again(position);
        }
        position.waiting = position.waiting.add(2, false);
        let opening = position.sides[position.mover].is_opening();
        if opening && !self.rules.pa_ra_pair {
            self.choose(position);
        } else if self.rules.pa_ra_pair && self.pair(position).is_some() {
            position.phase = Phase::Pair;
        } else {
            self.throw_again(position);
        }
    }

    // ---- What is legal ---------------------------------------------------------------------------------------------

    fn legal(&self, position: &Setup) -> Vec<Action> {
        let mut actions = match position.phase {
            Phase::Throw | Phase::Over(_) => Vec::new(),
            Phase::Pair => self.pair(position).into_iter().chain([Action::Again]).collect(),
            Phase::Move if position.left_over > 0 => {
                self.with_distance(position, position.left_over, Values::NONE)
            }
            Phase::Move => self.with_waiting(position),
        };
        actions.sort_unstable();
        actions
    }

    /// The actions that spend waiting values.
    fn with_waiting(&self, position: &Setup) -> Vec<Action> {
        let opening = position.sides[position.mover].is_opening();
        let mut actions = Vec::new();
        for spent in position.waiting.values().subsets() {
            // At most nine values of at most 12.
            let distance = spent.sum() as u8;
            if opening {
                let open = Action::Open { distance, spent };
                actions.extend(self.landing(position, open).map(|_| open));
            } else {
                actions.extend(self.with_distance(position, distance, spent));
            }
        }
        if position.waiting.six_threes() > 0 && self.landing(position, Action::SixThree).is_some() {
            actions.push(Action::SixThree);
        }
        actions
    }

    /// The moves and entries with one distance.
    fn with_distance(&self, position: &Setup, distance: u8, spent: Values) -> Vec<Action> {
        let side = &position.sides[position.mover];
        let moves = side.stacks().map(|(from, _)| Action::Move { from, distance, spent });
        let enter = (side.hand > 0).then_some(Action::Enter { distance, spent });
        enter
            .into_iter()
            .chain(moves)
            .filter(|&action| self.landing(position, action).is_some())
            .collect()
    }

    /// The action that enters the pair of a pa ra, where it is legal.
    fn pair(&self, position: &Setup) -> Option<Action> {
        let action = if position.sides[position.mover].is_opening() {
            Action::Open { distance: 2, spent: Values::one(2) }
        } else {
            Action::Pair
        };
        self.landing(position, action).map(|_| action)
    }

    /// How many coins an action moves.
    fn coins(&self, position: &Setup, action: Action) -> u8 {
        let side = &position.sides[position.mover];
        match action {
            Action::Enter { .. } => 1,
            Action::Pair => 2,
            Action::Move { from, .. } => side.stacks[from.index()],
            Action::SixThree => side.hand,
            Action::Again => 0,
            Action::Open { distance, .. } => self.opening_coins(position, distance).min(side.hand),
        }
    }

    /// What an opening at this distance brings, if the hand holds so many.
    fn opening_coins(&self, position: &Setup, distance: u8) -> u8 {
        let usual = if self.rules.opening_bonus.contains(distance) {
            self.rules.opening_coins.max(3)
        } else {
            self.rules.opening_coins
        };
        let clash = Gap::new(distance).and_then(|gap| {
            position.stack_at(gap).filter(|&(owner, _)| position.sides[owner].fresh == Some(gap))
        });
        match (clash, self.rules.opening_clash) {
            (None, _) => usual,
            (Some(_), OpeningClash::Three) => usual.max(3),
            (Some((_, size)), OpeningClash::OneMore) => usual.max(size + 1),
        }
    }

    /// How the coins of an action come down, or nothing where it is illegal.
    fn landing(&self, position: &Setup, action: Action) -> Option<Landing> {
        let coins = self.coins(position, action);
        let landing = action.landing();
        if landing >= self.rules.shells {
            let goes_home = matches!(action, Action::Move { .. })
                && (self.rules.going_home == GoingHome::AnyThrow || landing == self.rules.shells);
            return goes_home.then_some(Landing::Home);
        }
        if !self.source_allows(position, action) {
            return None;
        }
        let mut stack = coins;
        let how = match position.stack_at(Gap::new(landing)?) {
            None => Landing::Quiet,
            Some((owner, size)) if owner == position.mover => {
                stack += size;
                Landing::Join
            }
            Some((owner, size)) => {
                let spared = action == Action::SixThree && !self.rules.six_three_kills;
                if spared || self.allies(position, owner) || !self.rules.kills(coins, size) {
                    return None;
                }
                Landing::Kill
            }
        };
        let forbidden = self.rules.nine_stack == NineStack::Forbidden && stack == self.rules.coins;
        (!forbidden).then_some(how)
    }

    /// Whether the coins for an action are there, and its kind is allowed now; where they land is another question.
    fn source_allows(&self, position: &Setup, action: Action) -> bool {
        let side = &position.sides[position.mover];
        match action {
            Action::Pair => side.hand >= 2,
            Action::Open { .. } => side.hand > 0,
            Action::SixThree => {
                let enough = match self.rules.six_three {
                    SixThree::Off => false,
                    SixThree::AllNine => side.hand == self.rules.coins,
                    SixThree::WholeHand => side.nothing_out(),
                };
                enough && side.hand >= 2 && side.opening != Opening::First
            }
            _ => true,
        }
    }

    /// The leader against whom the others are allied.
    fn leader(&self, position: &Setup) -> Option<Seat> {
        if self.rules.has_alliance() { position.leader() } else { None }
    }

    /// Whether the mover and this side are allied.
    fn allies(&self, position: &Setup, other: Seat) -> bool {
        self.leader(position).is_some_and(|leader| leader != position.mover && leader != other)
    }

    // ---- What an action does ---------------------------------------------------------------------------------------

    fn effect_of(&self, position: &Setup, action: Action) -> Effect {
        let landing = self.landing(position, action);
        let killed = match landing {
            Some(Landing::Kill) => Gap::new(action.landing())
                .and_then(|gap| position.stack_at(gap))
                .map_or(0, |(_, size)| size),
            _ => 0,
        };
        let left = match action {
            Action::SixThree => position.waiting.spend_six_three(),
            _ => position.waiting.spend(action.spent()),
        };
        Effect { landing, coins: self.coins(position, action), killed, left }
    }

    fn act(&self, position: &mut Setup, action: Action) {
        let Effect { landing, coins, left, .. } = self.effect_of(position, action);
        position.waiting = left;
        position.left_over = 0;
        let Some(landing) = landing else {
            return self.throw_again(position); // Action::Again
        };
        self.take_coins(position, action, coins);
        if landing == Landing::Home {
            return self.arrive_home(position, coins, action.landing() - self.rules.shells);
        }
        let Some(gap) = Gap::new(action.landing()) else { return };
        if landing == Landing::Kill {
            self.kill(position, gap);
        }
        let opens = matches!(action, Action::Open { .. });
        let side = &mut position.sides[position.mover];
        side.stacks[gap.index()] += coins;
        if opens {
            side.fresh = Some(gap);
        } else if side.fresh == Some(gap) {
            side.fresh = None; // A joined stack is untouched no more.
        }
        match landing {
            Landing::Kill if opens && !self.rules.opening_kill_throws => self.end_turn(position),
            Landing::Kill => self.throw_again(position),
            Landing::Join if self.rules.join_throws => self.throw_again(position),
            _ => self.go_on(position),
        }
    }

    /// Takes an action's coins from where they are.
    fn take_coins(&self, position: &mut Setup, action: Action, coins: u8) {
        let side = &mut position.sides[position.mover];
        match action {
            Action::Move { from, .. } => {
                side.stacks[from.index()] = 0;
                if side.fresh == Some(from) {
                    side.fresh = None;
                }
            }
            _ => side.hand -= coins,
        }
        if matches!(action, Action::Open { .. } | Action::SixThree) {
            side.opening = Opening::Done;
        }
    }

    /// Sends the enemy stack in a gap back to its owner's hand.
    fn kill(&self, position: &mut Setup, gap: Gap) {
        let Some((owner, size)) = position.stack_at(gap) else { return };
        if self.leader(position) == Some(owner) {
            position.sides[position.mover].champion = true;
        }
        let side = &mut position.sides[owner];
        side.stacks[gap.index()] = 0;
        side.hand += size;
        if side.fresh == Some(gap) {
            side.fresh = None;
            if self.rules.reopen == Reopen::OpeningKilled && side.nothing_out() {
                side.opening = Opening::Again;
            }
        }
    }

    /// Brings coins home with `spare` gaps to spare.
    fn arrive_home(&self, position: &mut Setup, coins: u8, spare: u8) {
        let side = &mut position.sides[position.mover];
        side.home += coins;
        if side.home == self.rules.coins {
            if !side.champion {
                return finish(position, |seat, mover| seat == mover);
            }
            // A champion owes one coin, and the left-over is lost with it.
            side.champion = false;
            side.home -= 1;
            side.hand += 1;
        } else if self.rules.left_over == LeftOver::Used && spare > 0 {
            position.left_over = spare;
            if !self.with_distance(position, spare, Values::NONE).is_empty() {
                position.phase = Phase::Move;
                return;
            }
            position.left_over = 0;
        }
        self.go_on(position);
    }

    // ---- How a turn goes on ----------------------------------------------------------------------------------------

    /// After an action that earns no throw.
    fn go_on(&self, position: &mut Setup) {
        match self.rules.pa_ra {
            PaRa::SpendEach => self.choose(position),
            PaRa::ChooseOne => self.end_turn(position),
        }
    }

    /// The mover chooses, if there is anything to choose.
    fn choose(&self, position: &mut Setup) {
        position.phase = Phase::Move;
        if self.legal(position).is_empty() {
            self.end_turn(position);
        }
    }

    fn end_turn(&self, position: &mut Setup) {
        position.waiting = Waiting::NONE;
        position.run = 0;
        position.mover = position.mover.next(position.seats);
        let side = &mut position.sides[position.mover];
        if self.rules.reopen == Reopen::NothingOut
            && side.nothing_out()
            && side.opening == Opening::Done
        {
            side.opening = Opening::Again;
        }
        self.throw_again(position);
    }

    /// The side to move throws, unless the game has come to its last throw.
    fn throw_again(&self, position: &mut Setup) {
        if position.throws < self.rules.max_throws {
            position.phase = Phase::Throw;
            return;
        }
        let homes = position.sides.iter(position.seats).map(|(_, side)| side.home);
        let most = homes.max().unwrap_or(0);
        let sides = position.sides;
        finish(position, |seat, _| sides[seat].home == most);
    }
}

/// Ends the game for the seats of which `wins` is true, asked with the side to move.
fn finish(position: &mut Setup, wins: impl Fn(Seat, Seat) -> bool) {
    let (seats, mover) = (position.seats, position.mover);
    position.phase =
        Phase::Over(PerSeat::from_fn(|seat| seat.index() < seats && wins(seat, mover)));
    position.waiting = Waiting::NONE;
    position.left_over = 0;
}

impl Game for Sho {
    type Rules = Rules;
    type State = State;
    type Action = Action;
    type Outcome = Throw;
    type Actions = ActionVec<Action>;
    type History = ();

    const NAME: &'static str = "sho";
    const UNITS: &'static [Unit] = super::UNITS;
    const ENDS: &'static [&'static str] = super::ENDS;
    const TABLE_SECONDS: Option<u32> = Some(super::SECONDS_A_THROW);
    const HAS_CHANCE: bool = true;

    fn new(rules: Rules) -> Result<Self, ImpossibleRules> {
        rules.check()?;
        Ok(Self { rules })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> State {
        State(Setup::start(&self.rules))
    }

    fn begin(&self, _: &State) {}

    fn step(&self, state: &State) -> Step {
        match state.0.phase {
            Phase::Over(_) => Step::Over,
            Phase::Throw => Step::Chance(state.0.mover),
            Phase::Pair | Phase::Move => Step::Decide(state.0.mover),
        }
    }

    fn ways(&self) -> u32 {
        WAYS
    }

    fn outcome(&self, _: &State, way: u32) -> Throw {
        Throw::from_way(way)
    }

    fn outcomes(&self, _: &State) -> impl Iterator<Item = (Throw, u32)> {
        Throw::ALL.into_iter().map(|throw| (throw, throw.ways()))
    }

    fn outcome_classes(&self, _: &State) -> impl Iterator<Item = OutcomeClass<Throw>> {
        ThrowClass::outcomes()
    }

    fn actions(&self, state: &State, into: &mut ActionVec<Action>) {
        into.0 = self.legal(&state.0);
    }

    fn cast_unchecked(&self, state: &mut State, throw: Throw) {
        self.cast(&mut state.0, throw);
    }

    fn play_unchecked(&self, state: &mut State, action: Action) {
        self.act(&mut state.0, action);
    }

    fn payoffs(&self, state: &State) -> PerSeat<u32> {
        let Phase::Over(winners) = state.0.phase else { return PerSeat::default() };
        let count = winners.as_slice(state.0.seats).iter().filter(|&&won| won).count() as u32;
        PerSeat::from_fn(|seat| if winners[seat] { WHOLE_PAYOFF / count } else { 0 })
    }

    fn end(&self, state: &State) -> Option<usize> {
        let Phase::Over(winners) = state.0.phase else { return None };
        let mut sides = state.0.sides.iter(state.0.seats);
        let all_home = sides.any(|(seat, side)| winners[seat] && side.home == self.rules.coins);
        Some(super::end_of(&self.rules, all_home, state.0.run))
    }
}

impl Engine for Sho {
    fn setup(&self, state: &State) -> Setup {
        state.0
    }

    fn state(&self, setup: &Setup) -> Result<State, PositionError> {
        setup.check(&self.rules)?;
        Self::check_choice(setup, self.legal(setup).len())?;
        Ok(State(*setup))
    }

    fn effect(&self, state: &State, action: Action) -> Effect {
        self.effect_of(&state.0, action)
    }
}
