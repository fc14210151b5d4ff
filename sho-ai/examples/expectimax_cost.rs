//! What a decision of the search of Sho costs with and without its devices: positions judged, and time.
//!
//! ```console
//! cargo run --release -p sho-ai --example expectimax_cost [SIDES] [DEPTH] [POSITIONS]
//! ```

use std::time::Instant;

use sho_ai::search::alphabeta::Limits;
use sho_ai::search::expectimax::{Devices, Expectimax};
use sho_ai::sho::Easy;
use sho_ai::{CERTAIN, Evaluate};
use sho_ai::{Decision, Policy};
use sho_core::sho::{Engine, Rules, Sho};
use sho_core::{ActionList, BlockDice, Game, PerSeat, Seat, Step, Stream};

/// Chances by how far the coins have come, from the checked setup of the position.
struct Race;

impl Evaluate<Sho> for Race {
    fn evaluate(&self, game: &Sho, state: &<Sho as Game>::State) -> PerSeat<i64> {
        let setup = game.setup(state);
        let weight = |seat: Seat| {
            let side = &setup.sides[seat];
            let ways = side.stacks().map(|(gap, size)| i64::from(gap.number()) * i64::from(size));
            let way = 64 + ways.sum::<i64>() + 64 * i64::from(side.home);
            (way + 8 * i64::from(seat == setup.mover)).pow(3)
        };
        let all: i64 = Seat::all(setup.seats).map(weight).sum();
        let mut values = PerSeat::default();
        let mut rest = CERTAIN;
        for seat in Seat::all(setup.seats) {
            values[seat] = weight(seat) * CERTAIN / all;
            rest -= values[seat];
        }
        values[Seat::A] += rest;
        values
    }
}

/// Judges nothing: what the search itself costs.
struct Even;

impl Evaluate<Sho> for Even {
    fn evaluate(&self, game: &Sho, state: &<Sho as Game>::State) -> PerSeat<i64> {
        let share = CERTAIN / game.seats() as i64 + i64::from(state.throws() & 1);
        let mut values = PerSeat::default();
        for seat in Seat::all(game.seats()) {
            values[seat] = share;
        }
        values
    }
}

/// Positions between throws 50 and 100 of games of `easy` in which there is something to choose.
fn positions(game: &Sho, count: usize) -> Vec<<Sho as Game>::State> {
    let (mut positions, mut words) = (Vec::new(), Stream::new(1, "sho/test", 0));
    for block in 0.. {
        let (mut state, mut dice) = (game.start(), BlockDice::new(1, block));
        let mut actions = Default::default();
        loop {
            match game.step(&state) {
                Step::Over => break,
                Step::Chance(seat) => game.cast_unchecked(&mut state, dice.cast(seat)),
                Step::Decide(seat) => {
                    game.actions(&state, &mut actions);
                    let at = state.throws();
                    if at >= 50 && at < 100 && at % 10 == 0 && actions.len() > 1 {
                        positions.push(state);
                        if positions.len() == count {
                            return positions;
                        }
                    }
                    let decision =
                        Decision { game, state: &state, seat, actions: &actions, history: &() };
                    let action = Easy.choose(decision, &mut words);
                    game.play_unchecked(&mut state, action);
                }
            }
        }
    }
    unreachable!()
}

fn measure<V: Evaluate<Sho>>(
    name: &str,
    game: &Sho,
    depth: u32,
    count: usize,
    evaluation: impl Fn() -> V,
) {
    let none = Devices { star1: false, star2: false, replies: false, memory: None };
    let star1 = Devices { star1: true, ..none };
    let mut all =
        vec![("max^n", none), ("max^n, memory 2^10", Devices { memory: Some(10), ..none })];
    if game.seats() == 2 {
        let star2 = Devices { star2: true, ..star1 };
        let replies = Devices { replies: true, ..star2 };
        all.extend([
            ("star1", star1),
            ("star1, replies", Devices { replies: true, ..star1 }),
            ("star1, star2", star2),
            ("star1, star2, replies", replies),
            ("all, memory 2^10", Devices { memory: Some(10), ..replies }),
            ("all, memory 2^14", Devices { memory: Some(14), ..replies }),
        ]);
    }
    let positions = positions(game, count);
    for (devices_name, devices) in all {
        let mut search = Expectimax::with_devices(Limits::depth(depth), evaluation(), devices);
        let (mut best, mut leaves) = (f64::MAX, 0);
        for _ in 0..5 {
            let begin = Instant::now();
            leaves = positions.iter().map(|state| search.search(game, state).leaves).sum();
            best = best.min(begin.elapsed().as_secs_f64());
        }
        println!(
            "{name:6} {devices_name:24} leaves {:>10.1}  us {:>10.2}  ns/leaf {:>6.1}",
            leaves as f64 / count as f64,
            best * 1e6 / count as f64,
            best * 1e9 / leaves as f64
        );
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u32>());
    let mut next = |default| arguments.next().unwrap_or(Ok(default));
    let (sides, depth, count) = (next(3)?, next(2)?, next(400)? as usize);
    let mut rules = Rules::lhasa();
    rules.sides = sides.try_into()?;
    let game = Sho::new(rules)?;
    println!("lhasa, {sides} sides, depth {depth}, {count} positions");
    measure("race", &game, depth, count, || Race);
    measure("even", &game, depth, count, || Even);
    Ok(())
}
