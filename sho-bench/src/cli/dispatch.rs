//! The one place that knows which games and engines there are: it turns their names into a call of a generic function.

use sho_bench::TournamentGame;
use sho_bench::analysis::Analysed;
use sho_bench::picture::Show;
use sho_core::{Game, nearest, sho, sholo_guti};

use super::failure::Usage;

/// What a game must offer to be played on the command line.
pub(crate) trait Playable: TournamentGame + Show + Analysed {}

impl<G> Playable for G where G: TournamentGame + Show + Analysed {}

/// Something to do with a game, whichever it is.
pub(crate) trait Command {
    /// What it gives back.
    type Output;

    /// Does it with the game `G`.
    fn run<G: Playable>(self) -> anyhow::Result<Self::Output>;
}

/// Makes the table of games and the function that looks a game up in it. A game's first engine is its default.
macro_rules! games {
    ($($engine:literal: $game:ty,)+) => {
        /// The names of games and engines, a game's default engine first.
        const GAMES: &[(&str, &str)] = &[$((<$game as Game>::NAME, $engine)),+];

        /// Does `command` with the game and the engine of these names, or the game's default engine.
        pub(crate) fn dispatch<C: Command>(
            game: &str,
            engine: Option<&str>,
            command: C,
        ) -> anyhow::Result<C::Output> {
            $(
                if game == <$game as Game>::NAME && engine.is_none_or(|engine| engine == $engine) {
                    return command.run::<$game>();
                }
            )+
            Err(unknown(game, engine))
        }
    };
}

/// The game that is played where none is named.
pub(crate) const DEFAULT_GAME: &str = GAMES[0].0;

games! {
    "fast": sho::Sho,
    "plain": sho::plain::Sho,
    "fast": sholo_guti::SholoGuti,
    "plain": sholo_guti::plain::SholoGuti,
}

/// What is wrong with names that are not in the table.
fn unknown(game: &str, engine: Option<&str>) -> anyhow::Error {
    let engines: Vec<&str> =
        GAMES.iter().filter(|(name, _)| *name == game).map(|&(_, engine)| engine).collect();
    let (what, given, names) = match engine {
        Some(engine) if !engines.is_empty() => (format!("engine of {game}"), engine, engines),
        _ => {
            let mut names: Vec<&str> = GAMES.iter().map(|&(name, _)| name).collect();
            names.dedup();
            ("game".to_owned(), game, names)
        }
    };
    let near = nearest(given, names.iter().copied());
    let all = names.join(", ");
    Usage::error(format!("no {what} `{given}`; did you mean `{near}`? possible: {all}"))
}
