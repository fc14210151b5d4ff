//! A bot of one's own, and how good it is: against `random` and against `easy`, 1000 games each.
//!
//! The two play each set of dice twice, with seats changed, so that neither is luckier than the other.
//!
//! ```console
//! cargo run --release --example write_a_bot
//! ```

use sho::ai::sho::Easy;
use sho::ai::{Decision, Policy, Random};
use sho::sho::{Action, Engine, Landing, Rules, Sho};
use sho::{ActionList, BlockDice, Game, PerSeat, Seat, Step, Stream};

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

/// Plays one game and returns what seat A gets of the win, in twelfths.
fn play(game: &Sho, players: &mut [&mut dyn Policy<Sho>; 2], block: u64, seating: u64) -> u32 {
    let (mut state, mut actions) = (game.start(), Default::default());
    let mut dice = BlockDice::new(1, block);
    let stream = |seat: Seat| 128 * block + 4 * seating + seat.index() as u64;
    let mut words = PerSeat::from_fn(|seat| Stream::new(1, "sho/bot", stream(seat)));
    loop {
        match game.step(&state) {
            Step::Over => return game.payoffs(&state)[Seat::A],
            Step::Chance(seat) => game.cast_unchecked(&mut state, dice.cast(seat)),
            Step::Decide(seat) => {
                game.actions(&state, &mut actions);
                let decision =
                    Decision { game, state: &state, seat, actions: &actions, history: &() };
                let action = players[seat.index()].choose(decision, &mut words[seat]);
                game.play(&mut state, action).expect("a bot chooses from the legal actions");
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rules = Rules::lhasa();
    rules.sides = 2;
    let game = Sho::new(rules)?;
    let blocks = 500;
    let opponents: [(&str, Box<dyn Policy<Sho>>); 2] =
        [("random", Box::new(Random)), ("easy", Box::new(Easy))];
    for (name, mut opponent) in opponents {
        let mut won = 0;
        for block in 0..blocks {
            won += play(&game, &mut [&mut Careful, &mut *opponent], block, 0);
            won += 12 - play(&game, &mut [&mut *opponent, &mut Careful], block, 1);
        }
        println!("careful won {} of {} games against {name}", f64::from(won) / 12.0, 2 * blocks);
    }
    Ok(())
}
