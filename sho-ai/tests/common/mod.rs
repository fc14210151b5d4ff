//! Evaluations and positions for the tests of searches of Sho.
#![allow(dead_code, reason = "no test uses all of it")]

use sho_ai::{CERTAIN, Evaluate};
use sho_core::sho::{Engine, Rules, Setup, Side};
use sho_core::{ActionList, Game, PerSeat, RuleSet, Seat, Step, Stream};

/// Chances by how far the coins of each side have come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Race;

/// Chances by coins at home alone: few values, so that many actions are equally good.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Homes;

/// Chances of two sides that differ by a few units, without rhyme or reason: a bound that is wrong by one shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grains;

/// Parts of [`CERTAIN`] in proportion to some weights above 0.
fn parts(setup: &Setup, weight: impl Fn(Seat, &Side) -> i64) -> PerSeat<i64> {
    let sides = || setup.sides.iter(setup.seats);
    let all: i64 = sides().map(|(seat, side)| weight(seat, side)).sum();
    let mut values = PerSeat::default();
    let mut rest = CERTAIN;
    for (seat, side) in sides() {
        values[seat] = weight(seat, side) * CERTAIN / all;
        rest -= values[seat];
    }
    values[Seat::A] += rest;
    values
}

impl<E: Engine> Evaluate<E> for Race {
    fn evaluate(&self, game: &E, state: &E::State) -> PerSeat<i64> {
        let setup = game.setup(state);
        let shells = i64::from(game.rules().shells);
        parts(&setup, |seat, side| {
            let on_board =
                side.stacks().map(|(gap, size)| i64::from(gap.number()) * i64::from(size));
            let way = on_board.sum::<i64>() + shells * i64::from(side.home);
            let tempo =
                if seat == setup.mover { 4 + i64::from(setup.waiting.values().sum()) } else { 0 };
            (shells + way + tempo).pow(3)
        })
    }
}

impl<E: Engine> Evaluate<E> for Homes {
    fn evaluate(&self, game: &E, state: &E::State) -> PerSeat<i64> {
        parts(&game.setup(state), |_, side| 1 + i64::from(side.home))
    }
}

impl<E: Engine> Evaluate<E> for Grains {
    fn evaluate(&self, game: &E, state: &E::State) -> PerSeat<i64> {
        let setup = game.setup(state);
        let mut mixed = i64::from(setup.throws);
        for (_, side) in setup.sides.iter(2) {
            for (gap, size) in side.stacks() {
                mixed = (31 * mixed + i64::from(gap.number()) * i64::from(size)) % 1009;
            }
        }
        let mut values = PerSeat::default();
        values[Seat::A] = CERTAIN / 2 + mixed % 7;
        values[Seat::B] = CERTAIN - values[Seat::A];
        values
    }
}

/// All presets with 2 to 4 sides, and some small boards with other rules.
pub(crate) fn rule_sets() -> Vec<Rules> {
    let mut all = Vec::new();
    for preset in Rules::PRESETS {
        for sides in 2..=4 {
            let mut rules = preset.rules;
            rules.sides = sides;
            all.push(rules);
            (rules.coins, rules.shells) = (3, 12);
            all.push(rules);
        }
    }
    all
}

/// Positions of random games in which an action is due and that are wanted, from early to late.
pub(crate) fn positions<G: Game>(
    game: &G,
    count: usize,
    label: u64,
    wanted: impl Fn(&G::State) -> bool,
) -> Vec<G::State> {
    let mut positions = Vec::new();
    for number in 0.. {
        let mut words = Stream::new(20_261_130, "sho/test", 1000 * label + number);
        let (mut state, mut actions) = (game.start(), G::Actions::default());
        let steps = words.below(300);
        let mut step = 0;
        loop {
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(_) => {
                    let outcome = game.outcome(&state, words.below(game.ways()));
                    game.cast_unchecked(&mut state, outcome);
                }
                Step::Decide(_) => {
                    if step >= steps && wanted(&state) {
                        positions.push(state);
                        break;
                    }
                    game.actions(&state, &mut actions);
                    let action = actions.get(words.below(actions.len() as u32) as usize);
                    game.play_unchecked(&mut state, action);
                }
            }
            step += 1;
        }
        if positions.len() == count {
            return positions;
        }
    }
    unreachable!()
}
