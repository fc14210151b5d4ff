//! A bot of one's own, and how good it is: against `random` and against `easy`, 1000 games each.
//!
//! It is a guest in a tournament: two bots play each set of dice twice, with seats changed, so that neither is luckier
//! than the other. `docs/write-a-bot.md` goes there step by step.
//!
//! ```console
//! cargo run --release --example write_a_bot
//! ```

use sho::ai::{Decision, Policy};
use sho::sho::{Action, Engine, Landing, Rules, Sho};
use sho::{ActionList, Stream};
use sho_bench::report::tournament_table;
use sho_bench::{Amount, Entrant, Experiment, GuestBot, Lineups, Schedule, TournamentResult, run};

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
    let careful = GuestBot::new::<Sho, _>("careful", || Careful)?;
    let bots =
        [Entrant::Guest(careful), Entrant::parse::<Sho>("random")?, Entrant::parse::<Sho>("easy")?];
    let (seed, amount) = (1, Amount::Games(1000));
    let experiment = Experiment::of_entrants::<Sho>(
        rules,
        &bots,
        Lineups::Gauntlet,
        Schedule::Rotations,
        seed,
        amount,
    )?;
    let tally = run::<Sho>(&experiment, 0, &())?.tally;
    let result = TournamentResult::new::<Sho>(&experiment, &tally);
    println!("{}", tournament_table::<Sho>(&result, amount));
    Ok(())
}
