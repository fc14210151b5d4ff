//! The fast engine against the plain one: action lists, effects, successors and ends agree, on positions from play and
//! on positions built directly, under presets and random rules.

mod common;

use common::random_rules;
use sho_core::sho::{
    Engine, Gap, LeftOver, Opening, Phase, Rules, Setup, Sho, Side, Waiting, plain,
};
use sho_core::{ActionList, Game, Notation, PerSeat, RuleSet, Seat, Step, Stream, Throw};

struct Twins {
    fast: Sho,
    plain: plain::Sho,
    positions: u64,
}

impl Twins {
    fn new(rules: Rules) -> Self {
        Self {
            fast: Sho::new(rules).unwrap(),
            plain: plain::Sho::new(rules).unwrap(),
            positions: 0,
        }
    }

    /// Compares everything about one position; returns its legal actions or throws as successors.
    fn compare(&mut self, setup: &Setup) {
        self.positions += 1;
        let (fast_state, plain_state) = (self.fast.state(setup), self.plain.state(setup));
        let line = || format!("{setup}\nby {}", self.fast.rules());
        assert_eq!(fast_state.clone().err(), plain_state.clone().err(), "{}", line());
        let (Ok(fast), Ok(plain)) = (fast_state, plain_state) else { return };
        assert_eq!(self.fast.setup(&fast), *setup, "{}", line());
        assert_eq!(self.fast.step(&fast), self.plain.step(&plain), "{}", line());
        assert_eq!(self.fast.end(&fast), self.plain.end(&plain), "{}", line());
        assert_eq!(self.fast.payoffs(&fast), self.plain.payoffs(&plain), "{}", line());
        let (mut fast_actions, mut plain_actions) = Default::default();
        self.fast.actions(&fast, &mut fast_actions);
        self.plain.actions(&plain, &mut plain_actions);
        let listed: Vec<_> = fast_actions.iter().collect();
        assert_eq!(listed, plain_actions.0, "{}", line());
        assert_eq!(listed.len(), fast_actions.len(), "{}", line());
        for (index, &action) in listed.iter().enumerate() {
            assert_eq!(fast_actions.get(index), action, "{}", line());
            assert_eq!(
                self.fast.effect(&fast, action),
                self.plain.effect(&plain, action),
                "{action:?} in {}",
                line()
            );
            let (mut fast_next, mut plain_next) = (fast, plain);
            self.fast.play_unchecked(&mut fast_next, action);
            self.plain.play_unchecked(&mut plain_next, action);
            let (fast_text, plain_text) =
                (self.fast.state_text(&fast_next), self.plain.state_text(&plain_next));
            assert_eq!(fast_text, plain_text, "after {action:?} in {}", line());
            // What the state keeps beside the printed position must not depend on the way to it.
            if self.fast.step(&fast_next) != Step::Over {
                assert_eq!(
                    self.fast.parse_state(&fast_text).as_ref(),
                    Ok(&fast_next),
                    "{}",
                    line()
                );
            }
        }
        if let Step::Chance(_) = self.fast.step(&fast) {
            for throw in Throw::ALL {
                let (mut fast_next, mut plain_next) = (fast, plain);
                self.fast.cast_unchecked(&mut fast_next, throw);
                self.plain.cast_unchecked(&mut plain_next, throw);
                assert_eq!(
                    self.fast.setup(&fast_next),
                    self.plain.setup(&plain_next),
                    "after {throw} in {}",
                    line()
                );
            }
        }
    }

    /// Compares the positions of a random game.
    fn play(&mut self, words: &mut Stream) {
        let mut state = self.plain.start();
        let mut actions = Default::default();
        loop {
            self.compare(state.setup());
            match self.plain.step(&state) {
                Step::Over => return,
                Step::Chance(_) => {
                    // Pa ras and six-threes three times as often as dice would have them.
                    let way =
                        [0, 17, words.below(36), words.below(36)][words.below(4) as usize % 4];
                    let way = if words.below(4) == 0 { way } else { words.below(36) };
                    self.plain.cast_unchecked(&mut state, Throw::from_way(way));
                }
                Step::Decide(_) => {
                    self.plain.actions(&state, &mut actions);
                    let action = actions.get(words.below(actions.len() as u32) as usize);
                    self.plain.play_unchecked(&mut state, action);
                }
            }
        }
    }
}

/// A position drawn at random, often one that no game reaches; it may be impossible.
fn random_setup(rules: &Rules, words: &mut Stream) -> Setup {
    let seats = usize::from(rules.sides);
    let mut setup = Setup::start(rules);
    let mut taken = [false; 64];
    // A few crowded gaps make contact likely; all gaps up to the last make going home likely.
    let spread = if words.below(2) == 0 {
        u32::from(rules.shells) - 1
    } else {
        7.min(u32::from(rules.shells) - 1)
    };
    let offset = words.below(u32::from(rules.shells) - spread);
    for seat in Seat::all(seats) {
        let mut side = Side::default();
        let mut left = rules.coins;
        let homes = words.below(3) * u32::from(rules.coins) / 2;
        side.home = words.below(homes + 1).min(u32::from(rules.coins) - 1) as u8;
        left -= side.home;
        let stacks = words.below(6);
        for _ in 0..stacks {
            let gap = (1 + offset + words.below(spread)) as usize;
            if left == 0 || gap >= usize::from(rules.shells) || taken[gap] {
                continue;
            }
            taken[gap] = true;
            let size = 1 + words.below(u32::from(left).min(1 << words.below(4))) as u8;
            side.stacks[gap] = size;
            left -= size;
            if words.below(4) == 0 {
                side.fresh = Gap::new(gap as u8);
            }
        }
        side.hand = left;
        if side.nothing_out() {
            side.opening = [Opening::Done, Opening::First, Opening::Again][words.below(3) as usize];
        }
        side.champion = rules.has_alliance() && words.below(3) == 0;
        setup.sides[seat] = side;
    }
    setup.mover = Seat::ALL[words.below(seats as u32) as usize];
    setup.phase = match words.below(8) {
        0 => Phase::Throw,
        1 => Phase::Pair,
        2 if words.below(8) == 0 => {
            Phase::Over(PerSeat::from_fn(|seat| seat.index() < seats && words.below(2) == 0))
        }
        _ => Phase::Move,
    };
    let limit = u32::from(rules.waiting_limit);
    let mut waiting = Waiting::NONE;
    if !matches!(setup.phase, Phase::Over(_)) {
        let most = if setup.phase == Phase::Move { limit } else { limit - 1 };
        let count =
            [1, 2, words.below(4), words.below(most + 1)][words.below(4) as usize].min(most);
        for _ in 0..count {
            let total = if words.below(3) == 0 { 9 } else { 2 + words.below(11) as u8 };
            waiting = waiting.add(total, total == 9 && words.below(2) == 0);
        }
    }
    setup.waiting = waiting;
    if setup.phase == Phase::Move && rules.left_over == LeftOver::Used && words.below(3) == 0 {
        setup.left_over = 1 + words.below(if words.below(4) == 0 { 107 } else { 11 }) as u8;
    }
    setup.run = words.below(4).min(rules.max_throws.into()) as u16;
    setup.throws = match words.below(4) {
        0 => rules.max_throws,
        1 => rules.max_throws - 1,
        _ => words.below(u32::from(rules.max_throws)) as u16,
    };
    setup
}

fn random_or_preset(words: &mut Stream) -> Rules {
    if words.below(3) > 0 {
        return random_rules(words);
    }
    let mut rules = Rules::PRESETS[words.below(Rules::PRESETS.len() as u32) as usize].rules;
    rules.sides = 2 + words.below(3) as u8;
    rules
}

fn compare_many(seed: u64, rule_sets: u64) -> u64 {
    let mut positions = 0;
    for number in 0..rule_sets {
        let mut words = Stream::new(seed, "sho/test/engines", number);
        let rules = random_or_preset(&mut words);
        let mut twins = Twins::new(rules);
        twins.play(&mut words);
        for _ in 0..150 {
            twins.compare(&random_setup(&rules, &mut words));
        }
        positions += twins.positions;
    }
    positions
}

#[test]
fn the_engines_agree() {
    let positions = compare_many(1, 1_000);
    assert!(positions > 100, "{positions} positions");
    println!("{positions} positions");
}

/// The same for an hour's worth of positions: run it after a change to either engine.
#[test]
#[ignore = "minutes: run it after a change to either engine"]
fn the_engines_agree_at_length() {
    compare_many(2, 40_000);
}
