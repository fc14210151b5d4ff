//! Bots that nobody trusts, in a game that is not Sho.

use std::convert::Infallible;

use sho_ai::arena::{Arena, IllegalChoice, bot_words};
use sho_ai::{BotError, BotInfo, BotSpec, Bots, Decision, Policy, Random, ReadFile};
use sho_bench::metrics::{Measured, Metric};
use sho_bench::{Amount, Experiment, RunError, Schedule, run};
use sho_core::sholo_guti::Rules;
use sho_core::{
    ActionVec, BlockDice, Game, ImpossibleRules, Notation, PerSeat, PositionError, Seat, Step,
    StepError, Stream, Unit,
};

use crate::common::policies;

/// Two sides take one to three from a heap of ten; who takes the last wins.
#[derive(Clone, Debug)]
struct Heap(Rules);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Left {
    stones: u32,
    mover: Seat,
}

impl Game for Heap {
    type Rules = Rules;
    type State = Left;
    type Action = u32;
    type Outcome = Infallible;
    type Actions = ActionVec<u32>;
    type History = ();

    const NAME: &'static str = "heap";
    // It has none, but says so to be played from its start: what is tested here needs no openings.
    const HAS_CHANCE: bool = true;
    const UNITS: &'static [Unit] = &[Unit::Turns];
    const ENDS: &'static [&'static str] = &["empty"];
    const TABLE_SECONDS: Option<u32> = None;

    fn new(rules: Rules) -> Result<Self, ImpossibleRules> {
        Ok(Self(rules))
    }

    fn rules(&self) -> &Rules {
        &self.0
    }

    fn start(&self) -> Left {
        Left { stones: 10, mover: Seat::A }
    }

    fn begin(&self, _: &Left) {}

    fn step(&self, state: &Left) -> Step {
        if state.stones == 0 { Step::Over } else { Step::Decide(state.mover) }
    }

    fn ways(&self) -> u32 {
        0
    }

    fn outcome(&self, _: &Left, _: u32) -> Infallible {
        unreachable!("no chance in this game")
    }

    fn outcomes(&self, _: &Left) -> impl Iterator<Item = (Infallible, u32)> {
        std::iter::empty()
    }

    fn actions(&self, state: &Left, into: &mut ActionVec<u32>) {
        into.0 = (1..=state.stones.min(3)).collect();
    }

    fn cast_unchecked(&self, _: &mut Left, outcome: Infallible) {
        match outcome {}
    }

    fn play_unchecked(&self, state: &mut Left, action: u32) {
        state.stones -= action;
        state.mover = state.mover.next(2);
    }

    fn payoffs(&self, state: &Left) -> PerSeat<u32> {
        let won = |seat| if state.stones == 0 && seat == state.mover.next(2) { 12 } else { 0 };
        PerSeat::from_fn(|seat| if seat <= Seat::B { won(seat) } else { 0 })
    }

    fn end(&self, state: &Left) -> Option<usize> {
        (state.stones == 0).then_some(0)
    }
}

impl Notation for Heap {
    fn state_text(&self, state: &Left) -> String {
        format!("{} {}", state.stones, state.mover)
    }

    fn parse_state(&self, _: &str) -> Result<Left, PositionError> {
        unimplemented!("not asked for")
    }

    fn action_text(&self, _: &Left, action: u32) -> String {
        format!("take-{action}")
    }

    fn parse_action(&self, _: &Left, _: &str) -> Result<u32, StepError> {
        unimplemented!("not asked for")
    }

    fn outcome_text(&self, outcome: Infallible) -> String {
        match outcome {}
    }

    fn parse_outcome(&self, _: &str) -> Result<Infallible, StepError> {
        unimplemented!("not asked for")
    }
}

/// Takes as many as it is told, or as there are, and asks for no trust.
struct Takes(u32);

impl Policy<Heap> for Takes {
    fn choose(&mut self, decision: Decision<'_, Heap>, _: &mut Stream) -> u32 {
        self.0.min(decision.state.stones)
    }
}

impl Bots for Heap {
    const BOTS: &'static [BotInfo] = &[
        BotInfo { name: "random", aliases: &[], about: "", options: &[], draws: true },
        BotInfo {
            name: "takes",
            aliases: &[],
            about: "",
            options: &[("stones", "how many")],
            draws: false,
        },
    ];
    const DEFAULT_BOT: &'static str = "random";

    fn bot_with(
        _: &Self,
        spec: &BotSpec,
        _: &mut ReadFile<'_>,
    ) -> Result<Box<dyn Policy<Self>>, BotError> {
        match &spec.options[..] {
            [(_, stones)] => Ok(Box::new(Takes(stones.parse().unwrap()))),
            _ => Ok(Box::new(Random)),
        }
    }

    fn weights(_: &BotSpec, _: &mut ReadFile<'_>) -> Result<Option<String>, BotError> {
        Ok(None)
    }
}

impl Measured for Heap {
    const METRICS: &'static [Metric] = &[];
    type Meter = ();

    fn meter(&self) {}
}

fn experiment(bots: [&str; 2], blocks: u64) -> Experiment<Rules> {
    let bots = bots.map(str::to_owned);
    let amount = Amount::Blocks(blocks);
    Experiment::lineup::<Heap>(Rules::standard(), &bots, Schedule::Rotations, 1, amount).unwrap()
}

#[test]
fn legal_actions_need_no_trust() {
    let tally =
        run::<Heap>(&experiment(["takes:stones=1", "takes:stones=3"], 20), 2, &()).unwrap().tally;
    assert_eq!((tally.games, tally.ends[0]), (40, 40));
    // 1 3 1 3 1 1, or 3 1 3 1 2: the bot that takes three takes the last stone where it sits second, and where it sits
    // first.
    assert_eq!((tally.bots[0].wins, tally.bots[1].wins), (0, 40));
    // Six turns, or five.
    assert!(tally.lengths[0].histogram.iter().eq([(5, 20), (6, 20)]));
}

#[test]
fn an_illegal_action_is_named_with_its_game() {
    let experiment = experiment(["random", "takes:stones=7"], 500);
    let error = run::<Heap>(&experiment, 1, &()).unwrap_err();
    let RunError::Illegal { address, bot, choice } = &error else { panic!("{error}") };
    assert_eq!((address.to_string().as_str(), choice.seat), ("0.0.0", Seat::B));
    assert_eq!(bot.to_string(), "takes:stones=7");
    let left: u32 = choice.position.strip_suffix(" B").unwrap().parse().unwrap();
    assert!((7..10).contains(&left));
    assert_eq!(choice.action, "take-7");
    assert_eq!(
        error.to_string(),
        format!(
            "game 0.0.0, bot takes:stones=7: seat B chose `take-7`, which is not legal in `{left} B`"
        )
    );
    // It is the first such game with any number of threads, and the same played again.
    let RunError::Illegal { address, choice, .. } = run::<Heap>(&experiment, 3, &()).unwrap_err()
    else {
        panic!("another error")
    };
    assert_eq!(address.to_string(), "0.0.0");
    let mut policies =
        policies::<Heap>(&Heap(experiment.rules), &experiment, &experiment.lineups[address.lineup]);
    let mut arena = Arena::new(Heap(experiment.rules));
    let seating = experiment.schedule.seatings(2)[address.seating];
    let again: Result<_, IllegalChoice> = arena.play(
        &experiment.opening(&Heap(experiment.rules), address.block),
        &mut policies,
        &seating,
        &mut BlockDice::new(1, address.block),
        &mut bot_words(1, address.block, address.seating),
        &mut (),
    );
    assert_eq!(again, Err(*choice));
}

/// The action of a bot of Sho may be one that no position has.
#[test]
fn actions_of_sho_that_nobody_can_play_have_a_text() {
    use sho_core::sho::{Action, Gap, Sho, Values, plain};
    fn check<G>()
    where
        G: Notation<Rules = sho_core::sho::Rules, Action = Action>,
    {
        let mut rules = sho_core::sho::Rules::lhasa();
        rules.sides = 2;
        let game = G::new(rules).unwrap();
        let state = game.parse_state("7+0:10x2/7+0:12x1,17x1 A move 2,5 0 9").unwrap();
        let from = Gap::new(10).unwrap();
        let text = |action| game.action_text(&state, action);
        let far = Action::Move { from, distance: 255, spent: Values::NONE };
        assert_eq!(text(far), "10>home=");
        assert_eq!(text(Action::Enter { distance: 0, spent: Values::NONE }), "@0=");
        assert_eq!(text(Action::Again), "again");
    }
    check::<Sho>();
    check::<plain::Sho>();
}
