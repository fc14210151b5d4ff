//! The fast engine against the plain one: action lists, effects, successors and ends agree, on positions from play and
//! on positions built directly, under presets and random rules.

mod common;

use common::{random_rules, random_setup};
use sho_core::sho::{Engine, Rules, Setup, Sho, plain};
use sho_core::{ActionList, Game, Notation, RuleSet, Step, Stream, Throw};

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
        let counted = self.fast.count_actions(&fast, &mut Default::default());
        assert_eq!(listed.len() as u64, counted, "{}", line());
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
                    // Pa ras and six-threes (ways 0 and 17) more often than dice would have them.
                    let way = match words.below(9) {
                        0 => 0,
                        1 => 17,
                        _ => words.below(36),
                    };
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
            twins.compare(&random_setup(&mut words, &rules));
        }
        positions += twins.positions;
    }
    positions
}

/// States go into tables and between threads.
#[test]
fn a_state_is_plain_data() {
    fn plain_data<T: Copy + Eq + std::hash::Hash + Send + Sync + 'static>() -> usize {
        size_of::<T>()
    }
    assert_eq!(plain_data::<sho_core::sho::State>(), 104);
}

#[test]
fn the_engines_agree() {
    let positions = compare_many(1, 1_000);
    assert!(positions > 300_000, "{positions} positions");
}

/// The same for an hour's worth of positions: run it after a change to either engine.
#[test]
#[ignore = "minutes: run it after a change to either engine"]
fn the_engines_agree_at_length() {
    compare_many(2, 40_000);
}
