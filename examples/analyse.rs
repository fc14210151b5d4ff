//! Analyses a position of Sho: what each action is worth by search and by games on the same dice, and which stacks of the
//! side to move are in danger after it.
//!
//! ```console
//! cargo run --release --example analyse [POSITION] [GAMES]
//! ```

use sho::sho::{Rules, Sho};
use sho::{Game, Notation};
use sho_bench::analysis::{Analysis, SearchOptions};
use sho_bench::rollout::{Rollout, chances, difference, roll_out, roll_out_actions};

const POSITION: &str = "4+2:20x1,33x2/3+1:14x1,26x3,41x1/5+0:8x1,30x2,38x1 A move 2,5 1 70";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let line = arguments.next().unwrap_or(POSITION.to_owned());
    let games = arguments.next().map_or(Ok(200), |text| text.parse())?;
    let game = Sho::new(Rules::lhasa())?;
    let state = game.parse_state(&line)?;

    // How often each seat wins when everybody plays on as `medium` does.
    let rollout = Rollout::new(&game, &["medium".to_owned()], 1, games)?;
    let tally = roll_out(&game, &state, &rollout, 0, &())?;
    println!("{line}");
    for seat in chances(tally.position(), tally.games, game.seats()) {
        println!("{} wins {:.3} ({:.3} to {:.3})", seat.seat, seat.chance, seat.low, seat.high);
    }

    // Games of each action on the same dice: what luck they have in common cancels out in the differences.
    let tally = roll_out_actions(&game, &state, &rollout, 0, &())?;
    let search = SearchOptions { depth: 2, weights: None };
    let analysis = Analysis::new(&game, &state, &search, Some((&rollout, &tally)))?;
    println!("\n{:12} {:>7} {:>8} {:>17}", "action", "search", "rollouts", "to the best");
    for action in &analysis.actions {
        let Some(rolled_out) = &action.rollout else { continue };
        let own = rolled_out.seats[tally.seat().index()];
        let less = rolled_out.difference.map_or("best".to_owned(), |less| {
            format!("{:+.3} ± {:.3}", less.mean, 2.0 * less.se.unwrap_or(1.0))
        });
        let (name, search) = (&action.action, action.search.value);
        println!("{name:12} {search:>7.3} {:>8.3} {less:>17}", own.chance);
        for stack in action.stacks.iter().flatten().filter(|stack| stack.before_next_throw > 0.1) {
            println!("  {} in gap {}: hit {:.2}", stack.size, stack.gap, stack.before_next_throw);
        }
    }

    // Counts are integers, and any two actions can be compared afterwards.
    if tally.lines.len() > 1 {
        let between = difference(&tally, 0, 1);
        println!("\nthe first two of the list differ by {:+.3}", between.mean);
    }
    Ok(())
}
