//! `sho rules`: what can be set, and what the presets set.

use std::io::Write;

use clap::Args;
use sho_bench::report::wrapped;
use sho_core::{Preset, RuleSet};

use super::dispatch::{Command, Playable};
use super::failure::OrUsage;
use super::options::{Format, GameOptions, RulesOptions};
use super::output::Output;

const HELP: &str = "\
Examples:
  sho rules
  sho rules bhutan
  sho rules --set reopen=nothing-out --format json > house.json";

/// List the settings and presets, or print some rules
///
/// Without a preset, a file, --sides or --set it lists all settings with their values and defaults, and the presets
/// with their sources. With one it prints those rules; as JSON they are a file that --rules reads.
#[derive(Args, Clone, Debug)]
#[command(after_help = HELP)]
pub(crate) struct ShowRules {
    /// A preset, or a file of rules as JSON: print these rules
    #[arg(value_name = "PRESET|FILE", conflicts_with = "rules")]
    name: Option<String>,

    #[command(flatten)]
    game: GameOptions,

    #[command(flatten)]
    rules: RulesOptions,

    /// The form of the list; as JSON without a preset or file, the default rules
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
}

impl ShowRules {
    pub(crate) fn run(&self, output: &mut Output) -> anyhow::Result<()> {
        self.game.dispatch(Print { options: self, output })
    }
}

struct Print<'a> {
    options: &'a ShowRules,
    output: &'a mut Output,
}

impl Command for Print<'_> {
    type Output = ();

    fn run<G: Playable>(self) -> anyhow::Result<()> {
        let Self { options, output } = self;
        let mut chosen = options.rules.clone();
        chosen.rules = chosen.rules.or_else(|| options.name.clone());
        let rules = chosen.choose::<G>()?.rules()?;
        // A preset and `--sides` can be refused together only by the game itself.
        G::new(rules).or_usage()?;
        match options.format {
            Format::Json => writeln!(output, "{}", serde_json::to_string_pretty(&rules)?)?,
            Format::Table if chosen.is_empty() => list::<G>(output)?,
            Format::Table => print_rules::<G>(output, &rules)?,
        }
        Ok(())
    }
}

/// All settings and presets.
fn list<G: Playable>(output: &mut Output) -> anyhow::Result<()> {
    let default = &G::Rules::PRESETS[0];
    writeln!(
        output,
        "Settings of {}: name, value in {}, possible values.\n",
        G::NAME,
        default.name
    )?;
    for setting in G::Rules::SETTINGS {
        let value = (setting.get)(&default.rules);
        writeln!(output, "  {:<20} {value:<19} {}", setting.name, setting.values)?;
        writeln!(output, "      {}", setting.about)?;
    }
    writeln!(output, "\nPresets, the first is the default.\n")?;
    for preset in G::Rules::PRESETS {
        let reconstructed = if preset.reconstructed {
            " (a reconstruction: what the account does not say is as in the default)"
        } else {
            ""
        };
        write!(output, "{}", wrapped(&format!("{}: {}", preset.name, preset.about), 2))?;
        write!(output, "{}", wrapped(&format!("source: {}{reconstructed}", preset.source), 6))?;
        let changes = deviations::<G::Rules>(&preset.rules, default);
        if !changes.is_empty() {
            write!(output, "{}", wrapped(&format!("differs in: {}", changes.join(" ")), 6))?;
        }
    }
    Ok(())
}

/// The settings as `name=value` in which rules differ from a preset.
fn deviations<R: RuleSet>(rules: &R, preset: &Preset<R>) -> Vec<String> {
    R::SETTINGS
        .iter()
        .filter(|setting| (setting.get)(rules) != (setting.get)(&preset.rules))
        .map(|setting| format!("{}={}", setting.name, (setting.get)(rules)))
        .collect()
}

/// Some rules, setting by setting.
fn print_rules<G: Playable>(output: &mut Output, rules: &G::Rules) -> anyhow::Result<()> {
    let default = &G::Rules::PRESETS[0];
    write!(output, "{}", wrapped(&format!("{}: {}", G::NAME, rules.summary()), 0))?;
    if let Some(preset) = G::Rules::PRESETS.iter().find(|preset| preset.name == rules.summary()) {
        write!(output, "{}", wrapped(preset.about, 0))?;
        write!(output, "{}", wrapped(&format!("source: {}", preset.source), 0))?;
    }
    writeln!(output)?;
    for setting in G::Rules::SETTINGS {
        let (value, usual) = ((setting.get)(rules), (setting.get)(&default.rules));
        let note =
            if value == usual { String::new() } else { format!("({usual} in {})", default.name) };
        writeln!(output, "{}", format!("  {:<20} {value:<19} {note}", setting.name).trim_end())?;
    }
    Ok(())
}
