//! Positions of Sho, analysed by expectimax.

use sho_ai::search::alphabeta::Limits;
use sho_ai::search::expectimax::Expectimax;
use sho_ai::sho::{Evaluation, WHOLE, Weights, hit_chance, own_weights};
use sho_ai::{BotSpec, Bots, Evaluate};
use sho_core::sho::{Engine, Gap, Phase, Rules, Setup, Sho, plain};
use sho_core::{PerSeat, Seat, Step};

use super::{Analysed, AnalysisError, HitBy, SearchOptions, SearchedThrow, StackInDanger, Worth};
use crate::rounded::rounded;

/// The weights of a file, or those by which `expectimax` plays under these rules.
fn weights(rules: &Rules, options: &SearchOptions) -> Result<Weights, AnalysisError> {
    let Some(text) = &options.weights else {
        let bot = BotSpec { name: "expectimax", options: Vec::new() };
        return Ok(own_weights(&bot, rules).copied().unwrap_or_default());
    };
    Weights::from_text(text).map_err(|error| AnalysisError::Weights(error.to_string()))
}

fn search<E: Engine>(
    game: &E,
    options: &SearchOptions,
) -> Result<Expectimax<E, Evaluation>, AnalysisError>
where
    Evaluation: Evaluate<E>,
{
    let limits = Limits::depth(options.checked_depth()?);
    Ok(Expectimax::new(limits, Evaluation::new(weights(game.rules(), options)?)))
}

fn worth(values: PerSeat<i64>, whole: i64, seat: Seat, seats: usize) -> Worth {
    // Units are a power of two times a power of 36: both are near what a float holds exactly, and so are their parts.
    let chance = |value: i64| rounded(value as f64 / whole as f64);
    Worth {
        value: chance(values[seat]),
        chances: Some(values.as_slice(seats).iter().map(|&value| chance(value)).collect()),
        exact: values[seat],
    }
}

/// The seat that throws or decides.
fn mover<E: Engine>(game: &E, state: &E::State) -> Seat {
    match game.step(state) {
        Step::Chance(seat) | Step::Decide(seat) => seat,
        Step::Over => game.setup(state).mover,
    }
}

fn search_actions<E: Engine>(
    game: &E,
    state: &E::State,
    options: &SearchOptions,
) -> Result<Vec<(E::Action, Worth)>, AnalysisError>
where
    Evaluation: Evaluate<E>,
{
    let found = search(game, options)?.action_values(game, state);
    let (seat, seats) = (mover(game, state), game.seats());
    let worth = |(action, values)| (action, worth(values, found.whole, seat, seats));
    Ok(found.actions.into_iter().map(worth).collect())
}

fn search_throws<E: Engine + Bots>(
    game: &E,
    state: &E::State,
    options: &SearchOptions,
) -> Result<Vec<SearchedThrow<E>>, AnalysisError>
where
    Evaluation: Evaluate<E>,
{
    let found = search(game, options)?.throw_values(game, state);
    let (seat, seats) = (mover(game, state), game.seats());
    let throws = found.throws.into_iter().map(|throw| SearchedThrow {
        outcome: throw.outcome,
        ways: throw.ways,
        answer: throw.answer,
        worth: worth(throw.values, found.whole, seat, seats),
    });
    Ok(throws.collect())
}

fn stacks_in_danger(rules: &Rules, setup: &Setup) -> Vec<StackInDanger> {
    let seats = setup.seats;
    // Whoever throws first from here on: a side that decides has thrown.
    let first = if setup.phase == Phase::Throw { setup.mover } else { setup.mover.next(seats) };
    let mut stacks = Vec::new();
    for (seat, side) in setup.sides.iter(seats) {
        for (gap, size) in side.stacks() {
            stacks.push(in_danger(rules, setup, first, seat, gap, size));
        }
    }
    stacks
}

fn in_danger(
    rules: &Rules,
    setup: &Setup,
    first: Seat,
    owner: Seat,
    gap: Gap,
    size: u8,
) -> StackInDanger {
    let hit = |enemy| rounded(hit_chance(rules, setup, enemy, owner, gap) as f64 / WHOLE as f64);
    let by = Seat::all(setup.seats)
        .filter(|&enemy| enemy != owner)
        .map(|enemy| HitBy { seat: enemy.letter(), chance: hit(enemy) });
    let mut spared = 1.0;
    let mut enemy = first;
    while enemy != owner {
        spared *= 1.0 - hit_chance(rules, setup, enemy, owner, gap) as f64 / WHOLE as f64;
        enemy = enemy.next(setup.seats);
    }
    StackInDanger {
        seat: owner.letter(),
        gap: gap.number(),
        size,
        by: by.collect(),
        before_next_throw: rounded(1.0 - spared),
    }
}

macro_rules! analysed {
    ($($engine:ty),+) => {$(
        impl Analysed for $engine {
            const SEARCH: &'static str = "expectimax";
            const UNIT: &'static str = "chance";

            fn weights_text(
                rules: &Rules,
                options: &SearchOptions,
            ) -> Result<Option<String>, AnalysisError> {
                Ok(Some(weights(rules, options)?.to_string()))
            }

            fn search_actions(
                &self,
                state: &Self::State,
                options: &SearchOptions,
            ) -> Result<Vec<(Self::Action, Worth)>, AnalysisError> {
                search_actions(self, state, options)
            }

            fn search_throws(
                &self,
                state: &Self::State,
                options: &SearchOptions,
            ) -> Result<Vec<SearchedThrow<Self>>, AnalysisError> {
                search_throws(self, state, options)
            }

            fn stacks_in_danger(&self, state: &Self::State) -> Option<Vec<StackInDanger>> {
                use sho_core::Game;
                Some(stacks_in_danger(self.rules(), &self.setup(state)))
            }
        }
    )+};
}

analysed!(Sho, plain::Sho);
