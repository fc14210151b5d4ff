//! Plays games of Sho and prints how many throws they took: `throws [WAY [BOT [BLOCKS [RULES [SIDES]]]]]`.
//!
//! WAY is `playouts`, `batches` (of playouts, many games in step), `arena` (decision by decision) or `plain` (the plain engine, decision by decision). A block is one
//! game for each side, all on the same dice. It prints no times: it is there to count instructions, which are the same
//! again and again on a machine where times are not. See docs/performance.md.
//!
//! ```console
//! cargo build --release --example throws
//! valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/examples/throws playouts random 2000
//! ```

use std::env;
use std::error::Error;

use sho::ai::Bots;
use sho::sho::{Rules, Sho, plain};
use sho::{Game, Notation, RuleSet};
use sho_bench::bench::{Games, Way, Work};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let mut next = |default: &str| arguments.next().unwrap_or_else(|| default.to_owned());
    let (way, bot, blocks) = (next("playouts"), next("random"), next("100").parse()?);
    let mut rules = Rules::preset(&next("lhasa"))?;
    rules.set("sides", &next("3"))?;

    let work = match way.as_str() {
        "playouts" => play::<Sho>(rules, &bot, Way::Playouts, blocks)?,
        "batches" => play::<Sho>(rules, &bot, Way::Batches, blocks)?,
        "arena" => play::<Sho>(rules, &bot, Way::Arena, blocks)?,
        "plain" => play::<plain::Sho>(rules, &bot, Way::Arena, blocks)?,
        _ => return Err(format!("`{way}`: expected playouts, batches, arena or plain").into()),
    };
    println!("{} games, {} throws, {} decisions", work.games, work.throws, work.decisions);
    Ok(())
}

fn play<G>(rules: Rules, bot: &str, way: Way, blocks: u64) -> Result<Work, Box<dyn Error>>
where
    G: Bots + Notation + Game<Rules = Rules>,
{
    let games = Games::new(G::new(rules)?, bot, way)?;
    let mut games = games.ok_or_else(|| format!("no playouts of {bot} under {rules}"))?;
    Ok(games.play(0..blocks))
}
