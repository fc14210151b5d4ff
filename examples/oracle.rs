//! Solves a small board of Sho, and tells what the decisions of bots give away there.
//!
//! Bots are named as on the command line; where none is, all of Sho are judged, with the options they have by default.
//! Then comes the search with an evaluation of this example's own, deeper and deeper.
//!
//! ```console
//! cargo run --release --example oracle [COINS] [SHELLS] [GAMES] [BOT]...
//! ```

use std::time::Instant;

use sho::ai::oracle::{Judgement, Oracle, judge};
use sho::ai::search::alphabeta::Limits;
use sho::ai::search::expectimax::Expectimax;
use sho::ai::{BotError, BotSpec, Bots, Policy};
use sho::ai::{CERTAIN, Evaluate};
use sho::sho::{Engine, Sho, State};
use sho::{Game, PerSeat, RuleSet};

/// Chances by how far the coins of both sides have come, the mover half a throw ahead.
struct Race;

impl Evaluate<Sho> for Race {
    fn evaluate(&self, game: &Sho, state: &State) -> PerSeat<i64> {
        let setup = game.setup(state);
        let shells = i64::from(game.rules().shells);
        let way = |seat| {
            let side = &setup.sides[seat];
            let ways = side.stacks().map(|(gap, size)| i64::from(gap.number()) * i64::from(size));
            ways.sum::<i64>() + shells * i64::from(side.home)
        };
        let all = 2 * shells * i64::from(game.rules().coins) + 7;
        let (own, other) = (setup.mover, setup.mover.next(2));
        let mut values = PerSeat::default();
        values[own] = CERTAIN / 2 + (way(own) - way(other) + 3) * CERTAIN / (2 * all);
        values[other] = CERTAIN - values[own];
        values
    }
}

fn show(name: &str, judged: &Judgement) {
    println!(
        "{name:<24} {:>9.5} ±{:.5}  {:>6.2} %  {:>8.1}  {:>9}",
        100.0 * judged.mean_loss,
        100.0 * judged.standard_error,
        100.0 * judged.best as f64 / judged.decisions as f64,
        judged.throws as f64 / judged.games as f64,
        judged.decisions,
    );
}

/// The bot of a spec, which may name a file of weights.
fn bot_of(oracle: &Oracle, spec: &BotSpec) -> Result<Box<dyn Policy<Sho>>, BotError> {
    let mut read = |file: &str| std::fs::read_to_string(file).map_err(|error| error.to_string());
    Sho::bot_with(oracle.game(), spec, &mut read)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (coins, shells, games) = (number(2)?, number(8)?, number(2000)?);
    let named: Vec<String> = arguments.collect();
    if games == 0 {
        return Err("a bot is judged by at least one game, not 0".into());
    }

    let rules = Oracle::rules(coins.try_into()?, shells.try_into()?);
    println!("rules: {}", rules.summary());
    let begin = Instant::now();
    let oracle = Oracle::solve(rules)?;
    println!(
        "{} positions, {} of them decisions; {} sweeps, {:.1} seconds",
        oracle.positions(),
        oracle.decisions(),
        oracle.sweeps(),
        begin.elapsed().as_secs_f64()
    );
    println!("the first seat wins {:.9} (residual {:.0e})", oracle.start_chance(), oracle.width());
    println!(
        "throws in a game of best play: {:.6} (residual {:.0e})",
        oracle.expected_throws(),
        oracle.throws_residual()
    );

    println!(
        "\nchance of winning given away by a decision, in percent, over {games} games against itself"
    );
    println!("{:<24} {:>18}  {:>8}  {:>8}  {:>9}", "", "a decision", "best", "throws", "decisions");
    let named = if named.is_empty() {
        // Those that need no option.
        let builds =
            |name: &&str| Sho::spec(name).and_then(|spec| Sho::bot(oracle.game(), &spec)).is_ok();
        Sho::BOTS.iter().map(|bot| bot.name).filter(builds).map(str::to_owned).collect()
    } else {
        named
    };
    for name in named {
        let spec = Sho::spec(&name)?;
        // A value that the option cannot have is told before any game.
        bot_of(&oracle, &spec)?;
        let bot = || bot_of(&oracle, &spec).expect("it was built before");
        show(&name, &judge(&oracle, bot, 1, games)?);
    }
    for depth in 1..=3 {
        let bot = || Box::new(Expectimax::new(Limits::depth(depth), Race)) as Box<dyn Policy<Sho>>;
        show(&format!("race, depth {depth}"), &judge(&oracle, bot, 1, games)?);
    }
    Ok(())
}
