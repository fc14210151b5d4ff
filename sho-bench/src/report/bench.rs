//! What `sho bench` found, as a document, schema `sho/bench/1`, and as a table.

use std::fmt::Write;

use serde::Serialize;
use sho_ai::Processor;

use crate::bench::{Perft, Search, Work};
use crate::number::grouped;
use crate::report::wrapped;
use crate::result::Provenance;

/// The name and version of the format.
pub const BENCH_SCHEMA: &str = "sho/bench/1";

/// The speed of a program on a machine. All but the times and what follows from them is the same on every machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchReport {
    /// The format's name and version.
    pub schema: &'static str,
    /// The program.
    pub provenance: Provenance,
    /// What it was built for: architecture and operating system.
    pub target: String,
    /// Whether debug assertions were on, so that the times mean little.
    pub debug: bool,
    /// How many threads all threads are.
    pub threads: usize,
    /// What of the processor playouts use, as [`Processor`](sho_ai::Processor) is named.
    pub processor: &'static str,
    /// Bytes of a state.
    pub state_bytes: StateBytes,
    /// Games of Sho by the default rules.
    pub games: Vec<GamesSpeed>,
    /// Why instructions were not counted, where they were not.
    pub no_instructions: Option<String>,
    /// Counts of sequences.
    pub perft: Vec<PerftSpeed>,
    /// Decisions of each bot.
    pub bots: Vec<BotSpeed>,
    /// Searches, by the positions that they look at.
    pub searches: Vec<SearchSpeed>,
    /// The behaviour [signature](crate::signature).
    pub signature: String,
}

/// Bytes of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct StateBytes {
    /// Of Sho.
    pub sho: usize,
    /// Of Sholo Guti.
    pub sholo_guti: usize,
}

/// Games of one bot in all seats.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GamesSpeed {
    /// The bot.
    pub bot: &'static str,
    /// How they were played: `arena`, `playouts`, or `tournament`, which counts them too.
    pub way: &'static str,
    /// What one pass played.
    pub work: Work,
    /// Nanoseconds a throw in the fastest pass, one thread.
    pub ns_fastest: f64,
    /// Nanoseconds a throw in the median of the passes, one thread.
    pub ns_median: f64,
    /// Games a second in the median of the passes, one thread.
    pub games_a_second: f64,
    /// Games a second in the median of the passes, all threads.
    pub games_a_second_all: f64,
    /// Instructions a throw, where they were counted.
    pub instructions_a_throw: Option<f64>,
}

/// A count of sequences of steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PerftSpeed {
    /// What was counted.
    #[serde(flatten)]
    pub perft: Perft,
    /// Sequences a second in the fastest pass, one thread.
    pub sequences_a_second: f64,
}

/// Decisions of one bot among two actions or more, in positions of random games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BotSpeed {
    /// The game.
    pub game: &'static str,
    /// The bot.
    pub bot: &'static str,
    /// Decisions of one pass.
    pub decisions: usize,
    /// Decisions a second in the fastest pass, one thread.
    pub decisions_a_second: f64,
}

/// A search of fixed depth in positions of random games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SearchSpeed {
    /// The search.
    #[serde(flatten)]
    pub search: Search,
    /// Decisions of one pass.
    pub decisions: usize,
    /// Positions that were looked at for them.
    pub positions: u64,
    /// Positions a second in the fastest pass, one thread.
    pub positions_a_second: f64,
}

/// The report as text of at most 80 columns.
#[must_use]
pub fn bench_table(report: &BenchReport) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = write(&mut text, report);
    text
}

fn write(text: &mut String, report: &BenchReport) -> std::fmt::Result {
    let Provenance { version, commit } = &report.provenance;
    *text += &wrapped(&format!("sho {version}, commit {commit}, {}", report.target), 0);
    if report.debug {
        *text += "debug assertions are on: the times mean little\n";
    }
    writeln!(text, "playouts use what the processor has: {}", report.processor)?;
    let StateBytes { sho, sholo_guti } = report.state_bytes;
    writeln!(text, "bytes of a state: sho {sho}, sholo-guti {sholo_guti}")?;

    writeln!(text, "\nGames of Sho, three sides, lhasa, one bot in all seats")?;
    let threads = match report.threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    writeln!(
        text,
        "{:17} {:>7} {:>9} {:>14} {:>19} {:>9}",
        "", "", "", "ns a throw", "games a second", "instr."
    )?;
    writeln!(
        text,
        "{:17} {:>7} {:>9} {:>7} {:>6} {:>9} {threads:>9} {:>9}",
        "", "games", "throws", "fastest", "median", "1 thread", "a throw"
    )?;
    for games in &report.games {
        let instructions = games
            .instructions_a_throw
            .map_or("-".to_owned(), |instructions| format!("{instructions:.1}"));
        writeln!(
            text,
            "{:6} {:10} {:>7} {:>9} {:>7} {:>6} {:>9} {:>9} {instructions:>9}",
            games.bot,
            games.way,
            grouped(games.work.games),
            grouped(games.work.throws),
            short(games.ns_fastest),
            short(games.ns_median),
            whole(games.games_a_second),
            whole(games.games_a_second_all),
        )?;
    }
    if report.processor == Processor::Avx512.name()
        && report.games.iter().any(|games| games.instructions_a_throw.is_some())
    {
        *text += &wrapped("instructions are those with avx2, the most that valgrind has", 0);
    }
    if let Some(reason) = &report.no_instructions {
        *text += &wrapped(&format!("instructions were not counted: {reason}"), 0);
    }

    writeln!(text, "\n{:31} {:>5} {:>12} {:>12}", "Perft", "depth", "sequences", "a second")?;
    for PerftSpeed { perft, sequences_a_second } in &report.perft {
        let count = grouped(perft.sequences);
        let name = format!("{} {}", perft.game, perft.rules);
        writeln!(
            text,
            "{name:31} {:>5} {count:>12} {:>12}",
            perft.depth,
            millions(*sequences_a_second)
        )?;
    }

    writeln!(text, "\n{:31} {:>5} {:>12} {:>12}", "Bots", "", "decisions", "a second")?;
    for bot in &report.bots {
        let name = format!("{} {}", bot.game, bot.bot);
        let decisions = grouped(bot.decisions as u64);
        writeln!(
            text,
            "{name:31} {:>5} {decisions:>12} {:>12}",
            "",
            millions(bot.decisions_a_second)
        )?;
    }
    writeln!(text, "\n{:31} {:>5} {:>12} {:>12}", "Searches", "depth", "positions", "a second")?;
    for SearchSpeed { search, positions, positions_a_second, .. } in &report.searches {
        let name = format!("{} {}", search.game, search.bot);
        let (count, rate) = (grouped(*positions), millions(*positions_a_second));
        writeln!(text, "{name:31} {:>5} {count:>12} {rate:>12}", search.depth)?;
    }
    writeln!(text, "\nsignature {}", report.signature)
}

fn whole(number: f64) -> String {
    grouped(number.round() as u64)
}

/// Nanoseconds in at most six signs up to a millisecond, whatever machine it is and whatever else it does.
fn short(nanoseconds: f64) -> String {
    if nanoseconds < 1000.0 { format!("{nanoseconds:.1}") } else { format!("{nanoseconds:.0}") }
}

/// A rate, in millions where it is large.
fn millions(number: f64) -> String {
    if number < 1e6 { whole(number) } else { format!("{:.1} M", number / 1e6) }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn times_keep_their_column() {
        for (time, text) in
            [(3.25, "3.2"), (999.9, "999.9"), (1000.4, "1000"), (987_654.3, "987654")]
        {
            assert_eq!(short(time), text);
        }
    }
}
