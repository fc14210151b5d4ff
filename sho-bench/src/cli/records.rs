//! Records of games: the text that holds them, and how they are printed.

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Deserialize;
use sho_core::record::{Record, SCHEMA};

use super::dispatch::Playable;
use super::failure::{OrUsage, Usage};
use super::output::Output;

/// The form of a record.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RecordFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One line of JSON for each record.
    Json,
}

impl RecordFormat {
    /// Refuses boards between the parts of a JSON document.
    pub(crate) fn check_boards(self, show: bool) -> anyhow::Result<()> {
        if show && self == Self::Json {
            return Err(Usage::error(
                "--show draws boards into the text form, not into --format json",
            ));
        }
        Ok(())
    }

    /// The record in this form, with its line end.
    pub(crate) fn write<G: Playable>(self, record: &Record<G::Rules>) -> anyhow::Result<String> {
        Ok(match self {
            Self::Text => record.to_string(),
            Self::Json => format!("{}\n", serde_json::to_string(record)?),
        })
    }
}

/// Prints the lines of a record that was checked, and the board after each turn.
pub(crate) fn print_with_boards<G: Playable>(
    record: &Record<G::Rules>,
    output: &mut Output,
) -> anyhow::Result<()> {
    let text = record.to_string();
    let mut lines = text.lines();
    for line in lines.by_ref() {
        writeln!(output, "{line}")?;
        if line.starts_with("start ") {
            break;
        }
    }
    // Each turn with the number of its last step. JSON may hold a turn without steps, which has no board.
    let mut turns = record.turns.iter().scan(0, |steps, turn| {
        *steps += turn.split(' ').count() - 1;
        Some((*steps, turn))
    });
    let mut turn = turns.next();
    let mut printed: io::Result<()> = Ok(());
    record.replay::<G>(|step| {
        while let Some((last, text)) = turn.filter(|&(last, _)| last <= step.number) {
            if last == step.number && printed.is_ok() {
                let picture = step.game.picture(step.after, output.color);
                printed = write!(output, "\n{text}\n\n{picture}");
            }
            turn = turns.next();
        }
    })?;
    printed?;
    writeln!(output)?;
    for line in lines.skip(record.turns.len()) {
        writeln!(output, "{line}")?;
    }
    Ok(())
}

/// The text of one record, and where it stands.
#[derive(Debug)]
pub(crate) struct RecordText<'a> {
    text: &'a str,
    is_json: bool,
    /// Lines before it.
    lines_before: usize,
    /// What to call it in a message.
    place: String,
}

/// What a record in JSON says of itself, enough to know who can read it.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    game: Option<String>,
}

impl<'a> RecordText<'a> {
    /// The records of a text, each in JSON or in lines, one behind the other. A part that is not JSON ends them with an
    /// error.
    pub(crate) fn split(
        text: &'a str,
        name: &'a str,
    ) -> Box<dyn Iterator<Item = anyhow::Result<Self>> + 'a> {
        if text.trim_start().starts_with('{') {
            Box::new(split_json(text, name))
        } else {
            Box::new(split_lines(text, name).map(Ok))
        }
    }

    /// The name of the game that it says it is of; nothing where it does not.
    pub(crate) fn game(&self) -> Option<String> {
        if self.is_json {
            return serde_json::from_str::<Head>(self.text).ok()?.game;
        }
        Some(self.text.lines().nth(1)?.strip_prefix("game ")?.to_owned())
    }

    /// The record, every step of it checked.
    pub(crate) fn record<G: Playable>(&self) -> anyhow::Result<Record<G::Rules>> {
        let record: Record<G::Rules> = if self.is_json {
            serde_json::from_str(self.text).or_usage_in(&self.place)?
        } else {
            Record::parse(self.text)
                .map_err(|mut error| {
                    error.line += self.lines_before;
                    error
                })
                .or_usage_in(&self.place)?
        };
        record.replay::<G>(|_| {}).or_usage_in(&self.place)?;
        Ok(record)
    }
}

fn split_json<'a>(
    text: &'a str,
    name: &'a str,
) -> impl Iterator<Item = anyhow::Result<RecordText<'a>>> + 'a {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    let mut number = 0;
    std::iter::from_fn(move || {
        let start = values.byte_offset();
        let value = values.next()?;
        number += 1;
        let place = format!("{name}, record {number}");
        Some(value.or_usage_in(&place).map(|_| RecordText {
            text: &text[start..values.byte_offset()],
            is_json: true,
            lines_before: 0,
            place,
        }))
    })
}

fn split_lines<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = RecordText<'a>> + 'a {
    // Records of other versions begin a record too: what is wrong with them is for the reader to say.
    let kind = SCHEMA.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let (mut rest, mut lines_before, mut number) = (text, 0, 0);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let next = rest.match_indices('\n').map(|(end, _)| end + 1);
        let end = next.clone().find(|&end| rest[end..].starts_with(kind)).unwrap_or(rest.len());
        let record;
        (record, rest) = rest.split_at(end);
        number += 1;
        let place = if number == 1 && rest.is_empty() {
            name.to_owned()
        } else {
            format!("{name}, record {number}")
        };
        // Empty lines between two records belong to neither.
        let text = RecordText {
            text: record.trim_end_matches(['\n', '\r']),
            is_json: false,
            lines_before,
            place,
        };
        lines_before += record.matches('\n').count();
        Some(text)
    })
}

/// Whether a text holds nothing at all.
pub(crate) fn refuse_empty(text: &str, name: &str) -> anyhow::Result<()> {
    if text.trim().is_empty() {
        return Err(Usage::error(format!("{name}: no record in it")));
    }
    Ok(())
}
