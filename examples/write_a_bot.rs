//! A bot of one's own, and how good it is: against `random` and against `easy`, 1000 games each.
//!
//! The two play each set of dice twice, with seats changed, so that neither is luckier than the other.
//!
//! ```console
//! cargo run --release --example write_a_bot
//! ```

use sho::ai::arena::Arena;
use sho::ai::sho::Easy;
use sho::ai::{Decision, Policy, Random};
use sho::sho::{Action, Engine, Landing, Rules, Sho};
use sho::{ActionList, Game, Seat, Stream};

/// Kills what has come furthest, goes home, and else lands where few enemies can hit.
struct Careful;

impl<E: Engine> Policy<E> for Careful {
    fn choose(&mut self, decision: Decision<'_, E>, _words: &mut Stream) -> Action {
        let Decision { game, state, seat, actions, .. } = decision;
        let setup = game.setup(state);
        // Enemy stacks that stand one throw behind a gap, and are big enough to kill `coins` there.
        let dangers = |gap: i32, coins: u8| {
            let sides = setup.sides.iter(setup.seats).filter(|&(owner, _)| owner != seat);
            let stacks = sides.flat_map(|(_, side)| side.stacks());
            let hits = stacks.filter(|&(from, size)| {
                (2..=12).contains(&(gap - i32::from(from.number()))) && size >= coins
            });
            hits.count() as i32
        };
        let value = |action: Action| {
            let effect = game.effect(state, action);
            let gap = i32::from(action.landing());
            match effect.landing {
                Some(Landing::Kill) => 100 + gap * i32::from(effect.killed),
                Some(Landing::Home) => 90 * i32::from(effect.coins),
                Some(Landing::Join) => 80 + gap,
                Some(Landing::Quiet) => gap - 20 * dangers(gap, effect.coins),
                None => 0,
            }
        };
        actions.iter().max_by_key(|&action| value(action)).expect("there is at least one action")
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rules = Rules::lhasa();
    rules.sides = 2;
    let mut arena = Arena::new(Sho::new(rules)?);
    let blocks = 500;
    let opponents: [(&str, Box<dyn Policy<Sho>>); 2] =
        [("random", Box::new(Random)), ("easy", Box::new(Easy))];
    for (name, opponent) in opponents {
        let mut entries: [Box<dyn Policy<Sho>>; 2] = [Box::new(Careful), opponent];
        let mut won = 0;
        for block in 0..blocks {
            // Careful is the first entry: it sits in seat A, and then, turned by one seat, in seat B.
            won += arena.play_game(1, block, 0, &mut entries, &mut ())?.payoffs[Seat::A];
            won += arena.play_game(1, block, 1, &mut entries, &mut ())?.payoffs[Seat::B];
        }
        println!("careful won {} of {} games against {name}", f64::from(won) / 12.0, 2 * blocks);
    }
    Ok(())
}
