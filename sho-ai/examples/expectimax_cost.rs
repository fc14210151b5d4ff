//! What a decision of the search of Sho costs with and without its devices: positions judged, and time.
//!
//! ```console
//! cargo run --release -p sho-ai --example expectimax_cost [SIDES] [DEPTH] [POSITIONS] [ROW]
//! ```
//!
//! With a row's number it is searched that way once and nothing else is done, so that instructions can be counted; row
//! 0 only makes the positions.

use std::time::Instant;

use sho_ai::search::alphabeta::Limits;
use sho_ai::search::expectimax::{Devices, Expectimax, MEMORY_BITS};
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
        let share = CERTAIN / game.seats() as i64;
        let mut values = PerSeat::default();
        Seat::all(game.seats()).for_each(|seat| values[seat] = share);
        // What is over for three.
        values[state.mover()] += CERTAIN - share * game.seats() as i64;
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
                    if (50..100).contains(&at) && at % 10 == 0 && actions.len() > 1 {
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

/// The ways to search.
fn rows(sides: u32) -> Vec<(&'static str, Devices)> {
    let none = Devices { star1: false, star2: false, replies: false, memory: None };
    let memory = Some(MEMORY_BITS);
    let mut rows = vec![("all lines", none), ("all lines, memory", Devices { memory, ..none })];
    if sides == 2 {
        let star1 = Devices { star1: true, ..none };
        let star2 = Devices { star2: true, ..star1 };
        let replies = Devices { replies: true, ..star2 };
        rows.extend([
            ("star1", star1),
            ("star1, replies", Devices { replies: true, ..star1 }),
            ("star1, star2", star2),
            ("star1, star2, replies", replies),
            ("all of these, memory", Devices { memory, ..replies }),
        ]);
    }
    rows
}

fn measure<V: Evaluate<Sho>>(
    game: &Sho,
    positions: &[<Sho as Game>::State],
    depth: u32,
    (name, devices): (&str, Devices),
    passes: u32,
    evaluation: V,
) {
    let mut search = Expectimax::with_devices(Limits::depth(depth), evaluation, devices);
    let (mut best, mut leaves) = (f64::MAX, 0);
    for _ in 0..passes {
        let begin = Instant::now();
        leaves = positions.iter().map(|state| search.search(game, state).leaves).sum();
        best = best.min(begin.elapsed().as_secs_f64());
    }
    let count = positions.len() as f64;
    println!(
        "{name:<28} judged {:>10.1}  us {:>10.2}  ns a position {:>6.1}",
        leaves as f64 / count,
        best * 1e6 / count,
        best * 1e9 / leaves as f64
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u32>());
    let mut next = |default| arguments.next().unwrap_or(Ok(default));
    let (sides, depth, count) = (next(3)?, next(2)?, next(400)? as usize);
    let row = next(u32::MAX)?;
    let mut rules = Rules::lhasa();
    rules.sides = sides.try_into()?;
    let game = Sho::new(rules)?;
    println!("lhasa, {sides} sides, depth {depth}, {count} positions, a decision");
    let positions = positions(&game, count);
    let rows = rows(sides);
    if row == u32::MAX {
        println!("\nby the way of all coins, from the setup of each position:");
        rows.iter().for_each(|&row| measure(&game, &positions, depth, row, 5, Race));
        println!("\nwithout an evaluation, all seats alike:");
        rows.iter().for_each(|&row| measure(&game, &positions, depth, row, 5, Even));
    } else if let Some(&row) = (row as usize).checked_sub(1).and_then(|row| rows.get(row)) {
        measure(&game, &positions, depth, row, 1, Race);
    }
    Ok(())
}
