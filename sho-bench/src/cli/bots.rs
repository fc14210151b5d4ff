//! `sho bots`: which bots a game has.

use std::io::Write;

use clap::Args;
use serde_json::{Value, json};
use sho_bench::report::wrapped;

use super::dispatch::{Command, Playable};
use super::options::{Format, GameOptions};
use super::output::Output;

const HELP: &str = "\
Example:
  sho play --bots easy,random,random";

/// List the bots of a game and their options
///
/// A bot is written NAME:option=value:..., without options NAME.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct ListBots {
    #[command(flatten)]
    game: GameOptions,

    /// The form of the list
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

impl ListBots {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.game.dispatch(List { format: self.format, output })
    }
}

struct List<'a> {
    format: Format,
    output: &'a mut Output,
}

impl Command for List<'_> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { format, output } = self;
        match format {
            Format::Json => writeln!(output, "{}", serde_json::to_string_pretty(&as_json::<G>())?)?,
            Format::Table => print::<G>(output)?,
        }
        Ok(())
    }
}

fn as_json<G: Playable>() -> Value {
    let bots = G::BOTS.iter().map(|bot| {
        let options: Vec<Value> = bot
            .options
            .iter()
            .map(|(name, about)| json!({ "name": name, "about": about }))
            .collect();
        json!({
            "name": bot.name,
            "aliases": bot.aliases,
            "about": bot.about,
            "options": options,
            "default": bot.name == G::DEFAULT_BOT,
        })
    });
    bots.collect()
}

fn print<G: Playable>(output: &mut Output) -> anyhow::Result<()> {
    writeln!(
        output,
        "Bots of {}, weakest first. Where none is named, {} plays.\n",
        G::NAME,
        G::DEFAULT_BOT
    )?;
    for bot in G::BOTS {
        let aliases = match bot.aliases {
            [] => String::new(),
            aliases => format!(" (also {})", aliases.join(", ")),
        };
        writeln!(output, "  {}{aliases}", bot.name)?;
        write!(output, "{}", wrapped(bot.about, 6))?;
        for (name, about) in bot.options {
            write!(output, "{}", wrapped(&format!("{name}=  {about}"), 8))?;
        }
    }
    Ok(())
}
