//! A tournament's result as comma-separated values.

use std::fmt::Write;

use crate::csv_field::quoted;
use crate::result::TournamentResult;

/// A row for each bot, with a header: bot, seats (a game), games, wins, payoff12 (twelfths of a win), score (a game and
/// seat), score_se (empty with one block).
#[must_use]
pub fn tournament_csv<R>(result: &TournamentResult<R>) -> String {
    let mut text = "bot,seats,games,wins,payoff12,score,score_se\n".to_owned();
    for bot in &result.bots {
        let error = bot.score_se.map(|error| error.to_string()).unwrap_or_default();
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{error}",
            quoted(&bot.name),
            bot.seats,
            bot.games,
            bot.wins,
            bot.payoff12,
            bot.score
        );
    }
    text
}
