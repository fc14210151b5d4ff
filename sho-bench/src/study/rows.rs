//! A study's result as rows of comma-separated values, with data dictionaries.

use super::result::{CellResult, Interval, StudyResult};
use crate::csv_field::{dictionary, quoted};

/// The columns of effects, each with its type and what it holds.
const EFFECTS: [(&str, &str, &str); 22] = [
    ("policy", "text", "the policy that holds all seats, as the result's `policies` name it"),
    ("contrast", "text", "what is compared, as the result's `contrasts` name it"),
    (
        "kind",
        "text",
        "value: a value of a setting against that of the base; interaction: what two settings do together beyond each alone",
    ),
    ("measure", "text", "what is measured of a game, as the result's `measures` explain it"),
    ("blocks", "integer", "blocks, each with one game of every cell on the same dice"),
    (
        "effect",
        "decimal",
        "the mean over blocks of the contrast inside the block, in the measure's unit",
    ),
    ("se", "decimal", "its standard error, from blocks; empty with one block"),
    (
        "low",
        "decimal",
        "the lower end of its own 95 % interval; empty where the contrast is the same in every block",
    ),
    ("high", "decimal", "the upper end"),
    (
        "all_low",
        "decimal",
        "the lower end of its interval among those of its family, which hold together with 95 %",
    ),
    ("all_high", "decimal", "the upper end"),
    (
        "family",
        "integer",
        "effects of the family: those on this measure, of all contrasts and policies, that are not the same in every block",
    ),
    ("reference", "decimal", "the mean of the cells that the effect is against"),
    (
        "relative",
        "decimal",
        "effect / reference; empty for interactions and where the reference is 0",
    ),
    ("relative_low", "decimal", "the lower end of its 95 % interval, from a bootstrap over blocks"),
    ("relative_high", "decimal", "the upper end"),
    ("above", "integer", "blocks in which the contrast is above 0"),
    ("below", "integer", "blocks in which it is below 0"),
    (
        "greater",
        "decimal",
        "P(X < Y) + P(X = Y)/2 for a game X of the reference and Y of the other side, from the two histograms; 0.5 where neither tends to be greater",
    ),
    (
        "greater_low",
        "decimal",
        "the lower end of an interval of it, of at least 95 %; empty where the games of both sides do not overlap",
    ),
    ("greater_high", "decimal", "the upper end"),
    (
        "sign_depends",
        "text",
        "yes where the direction depends on the policy: one has an interval of its family above 0, another one below",
    ),
];

/// The columns of cells.
const CELLS: [(&str, &str, &str); 14] = [
    ("policy", "text", "the policy that holds all seats"),
    ("cell", "text", "the set of rules: base, or the settings in which it differs from the base"),
    ("games", "integer", "games: one a block"),
    (
        "differ",
        "integer",
        "games that were not those of the base on the same dice: another course of casts and actions, or another end",
    ),
    ("measure", "text", "what is measured of a game, as the result's `measures` explain it"),
    ("mean", "decimal", "the mean over games, in the measure's unit; of ends the share of games"),
    ("se", "decimal", "its standard error, from blocks; empty with one block"),
    (
        "sd",
        "decimal",
        "the standard deviation of a game; lengths, minutes and events alone have it",
    ),
    (
        "q05",
        "decimal",
        "the value that 5 % of games do not exceed; lengths, minutes and events alone have it, and it is whole but for \
         minutes",
    ),
    ("q25", "decimal", "the same for 25 %"),
    ("median", "decimal", "the same for 50 %"),
    ("q75", "decimal", "the same for 75 %"),
    ("q95", "decimal", "the same for 95 %"),
    ("max", "decimal", "the greatest value of a game"),
];

fn header(columns: &[(&str, &str, &str)]) -> String {
    columns.iter().map(|&(name, ..)| name).collect::<Vec<_>>().join(",") + "\n"
}

fn maybe<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn ends(interval: Option<Interval>) -> String {
    interval.map_or(",".to_owned(), |[low, high]| format!("{low},{high}"))
}

/// The tables of a result as files, each with its data dictionary: file names and texts.
#[must_use]
pub fn tables<R>(result: &StudyResult<R>) -> [(&'static str, String); 4] {
    [
        ("effects.csv", effects_csv(result)),
        ("effects.dictionary.csv", effects_dictionary()),
        ("cells.csv", cells_csv(result)),
        ("cells.dictionary.csv", cells_dictionary()),
    ]
}

/// A row for each policy, contrast and measure, below a header line.
#[must_use]
pub fn effects_csv<R>(result: &StudyResult<R>) -> String {
    let mut text = header(&EFFECTS);
    for policy in &result.policies {
        for effect in &policy.effects {
            let contrast = result.contrasts.iter().find(|other| other.name == effect.contrast);
            let kind = contrast.map_or("", |contrast| contrast.kind.name());
            let family = result.family(&effect.measure).map(|family| family.size);
            let row = [
                quoted(&policy.name).into_owned(),
                quoted(&effect.contrast).into_owned(),
                kind.to_owned(),
                effect.measure.clone(),
                result.blocks.to_string(),
                effect.effect.to_string(),
                maybe(effect.se),
                ends(effect.interval),
                ends(effect.simultaneous),
                maybe(family),
                effect.reference.to_string(),
                maybe(effect.relative),
                ends(effect.relative_interval),
                effect.above.to_string(),
                effect.below.to_string(),
                maybe(effect.greater),
                ends(effect.greater_interval),
                if effect.sign_depends { "yes" } else { "no" }.to_owned(),
            ];
            text += &row.join(",");
            text.push('\n');
        }
    }
    text
}

/// The data dictionary of [`effects_csv`]: a row for each column, its name, type, and meaning.
#[must_use]
pub fn effects_dictionary() -> String {
    dictionary(&EFFECTS)
}

/// The standard deviation, the quantiles in rising order, and the greatest value.
fn spread(cell: &CellResult, measure: &str) -> [Option<f64>; 7] {
    if let Some(of) = cell.length(measure) {
        let whole = [of.q05, of.q25, of.median, of.q75, of.q95, of.max];
        let [q05, q25, median, q75, q95, max] = whole.map(|value| Some(value.into()));
        return [of.sd, q05, q25, median, q75, q95, max];
    }
    match cell.minutes.filter(|_| measure == "minutes") {
        Some(of) => {
            let [q05, q25, median, q75, q95, max] =
                [of.q05, of.q25, of.median, of.q75, of.q95, of.max].map(Some);
            [of.sd, q05, q25, median, q75, q95, max]
        }
        None => [None; 7],
    }
}

/// A row for each policy, cell and measure, below a header line.
#[must_use]
pub fn cells_csv<R>(result: &StudyResult<R>) -> String {
    let mut text = header(&CELLS);
    for policy in &result.policies {
        for cell in &policy.cells {
            for mean in &cell.means {
                let spread = spread(cell, &mean.measure);
                let row = [
                    quoted(&policy.name).into_owned(),
                    quoted(&cell.cell).into_owned(),
                    result.blocks.to_string(),
                    cell.differ.games.to_string(),
                    mean.measure.clone(),
                    mean.mean.to_string(),
                    maybe(mean.se),
                    spread.map(maybe).join(","),
                ];
                text += &row.join(",");
                text.push('\n');
            }
        }
    }
    text
}

/// The data dictionary of [`cells_csv`].
#[must_use]
pub fn cells_dictionary() -> String {
    dictionary(&CELLS)
}
