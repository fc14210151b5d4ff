//! The fast engine: [`Sho`].

use super::action::{Action, Effect};
use super::engine::Engine;
use super::generate::{Actions, usual_sizes};
use super::rules::{Rules, SixThree};
use super::setup::Setup;
use super::state::{Due, State, hand_bit};
use crate::dice::{Throw, ThrowClass, WAYS};
use crate::game::{Game, OutcomeClass, Step, Unit, WHOLE_PAYOFF};
use crate::notation::PositionError;
use crate::rule_set::{ImpossibleRules, RuleSet};
use crate::seat::{MAX_SEATS, PerSeat};

/// The game of Sho under some rules, fast. It plays all rules, and is judged by the [plain](super::plain) engine.
///
/// ```
/// use sho_core::{Game, Notation, sho::{Rules, Sho}};
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
    pub(super) rules: Rules,
    start: State,
    /// The bit of the hand.
    pub(super) hand: u64,
    /// The fewest coins in a hand that a six-three may bring in, with nothing on the board; 16 where it never may.
    pub(super) six_three_hand: u8,
    /// With fewer coins in the hand a pa ra of a side that is not opening is followed by another throw at once, and the sum of
    /// both values is a distance on the board.
    pub(super) pa_ra_hand: u8,
    /// Whether landings are judged by sizes alone.
    pub(super) usual_landings: bool,
    /// Whether they are but for the alliance, so that they are as long as there is no leader.
    pub(super) only_alliances: bool,
    /// Whether the alliance can have an effect.
    pub(super) alliances: bool,
}

impl Game for Sho {
    type Rules = Rules;
    type State = State;
    type Action = Action;
    type Outcome = Throw;
    type Actions = Actions;
    type History = ();

    const NAME: &'static str = "sho";
    const UNITS: &'static [Unit] = super::UNITS;
    const ENDS: &'static [&'static str] = super::ENDS;
    const TABLE_SECONDS: Option<u32> = Some(super::SECONDS_A_THROW);
    const HAS_CHANCE: bool = true;

    fn new(rules: Rules) -> Result<Self, ImpossibleRules> {
        rules.check()?;
        Ok(Self {
            rules,
            start: State::from_setup(&Setup::start(&rules), &rules),
            hand: hand_bit(&rules),
            six_three_hand: match rules.six_three {
                SixThree::Off => 16,
                SixThree::AllNine => rules.coins.max(2),
                SixThree::WholeHand => 2,
            },
            // A pair may be entered, the throw after it may be lost, or the sum of both values may be no distance on the board.
            pa_ra_hand: match rules.waiting_limit > 2 && rules.shells > 24 {
                true if rules.pa_ra_pair => 2,
                true => 16,
                false => 0,
            },
            usual_landings: usual_sizes(&rules) && !rules.has_alliance(),
            only_alliances: usual_sizes(&rules),
            alliances: rules.has_alliance(),
        })
    }

    #[inline]
    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> State {
        self.start
    }

    fn begin(&self, _: &State) {}

    #[inline]
    fn step(&self, state: &State) -> Step {
        match state.due {
            Due::Over => Step::Over,
            Due::Throw => Step::Chance(state.mover()),
            Due::Pair | Due::Move => Step::Decide(state.mover()),
        }
    }

    #[inline]
    fn ways(&self) -> u32 {
        WAYS
    }

    #[inline]
    fn outcome(&self, _: &State, way: u32) -> Throw {
        Throw::from_way(way)
    }

    fn outcomes(&self, _: &State) -> impl Iterator<Item = (Throw, u32)> {
        Throw::ALL.into_iter().map(|throw| (throw, throw.ways()))
    }

    fn outcome_classes(&self, _: &State) -> impl Iterator<Item = OutcomeClass<Throw>> {
        ThrowClass::outcomes()
    }

    #[inline]
    fn actions(&self, state: &State, into: &mut Actions) {
        self.fill(state, into);
    }

    fn count_actions(&self, state: &State, _: &mut Actions) -> u64 {
        self.count(state)
    }

    #[inline]
    fn cast_unchecked(&self, state: &mut State, throw: Throw) {
        self.cast(state, throw);
        self.assert_sound(state);
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, action: Action) {
        self.act(state, action);
        self.assert_sound(state);
    }

    fn payoffs(&self, state: &State) -> PerSeat<u32> {
        let share = WHOLE_PAYOFF.checked_div(state.winners.count_ones()).unwrap_or(0);
        PerSeat::from_fn(|seat| if state.winners >> seat.index() & 1 == 1 { share } else { 0 })
    }

    fn end(&self, state: &State) -> Option<usize> {
        if state.due != Due::Over {
            return None;
        }
        let winners = || {
            (0..self.seats())
                .filter(|&side| state.winners >> state.sides.seat(side).index() & 1 == 1)
        };
        let all_home = winners().any(|side| state.sides.home(side) == self.rules.coins);
        Some(super::end_of(&self.rules, all_home, state.run))
    }
}

impl Sho {
    /// The start with other stacks on the board.
    #[inline(always)]
    pub(super) const fn start_with_board(
        &self,
        planes: [u64; 4],
        stacks: [u64; MAX_SEATS],
    ) -> State {
        let mut state = self.start;
        (state.planes, state.stacks) = (planes, stacks);
        state
    }

    /// In builds with debug assertions: `legal`, and all else that the printed position does not say, is what it
    /// would be if the position were set up anew.
    #[inline]
    fn assert_sound(&self, state: &State) {
        if cfg!(debug_assertions) {
            let setup = state.to_setup(&self.rules);
            let anew = self.state(&setup);
            // A position that was set up with a full list beside a left-over may lead to one that cannot be.
            debug_assert!(
                anew.as_ref().map_or(true, |anew| anew == state),
                "{setup}: {anew:?}, not {state:?}"
            );
        }
    }
}

impl Engine for Sho {
    fn setup(&self, state: &State) -> Setup {
        state.to_setup(&self.rules)
    }

    fn state(&self, setup: &Setup) -> Result<State, PositionError> {
        setup.check(&self.rules)?;
        let mut state = State::from_setup(setup, &self.rules);
        self.find_legal(&mut state);
        Self::check_choice(setup, self.count(&state) as usize)?;
        Ok(state)
    }

    fn effect(&self, state: &State, action: Action) -> Effect {
        self.effect_of(state, action)
    }
}
