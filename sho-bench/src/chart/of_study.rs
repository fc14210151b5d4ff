//! The pictures of a study: [`study_pictures`].

use serde::Serialize;
use sho_core::RuleSet;

use super::dots::{Dot, DotPanel, DotRow, Dots};
use super::forest::{Forest, ForestPoint, ForestRow};
use super::frame::Heading;
use super::lengths::{LengthLine, LengthPanel, Lengths};
use super::svg::Picture;
use crate::number::{counted, digits, grouped, signed};
use crate::study::{CellResult, Design, PolicyResult, StudyResult};

/// The most rows of a picture: more would be longer than anybody looks at.
const MOST: usize = 40;

/// The most panels of a picture.
const PANELS: usize = 12;

/// The most lines of a panel beside the base.
const LINES: usize = 4;

/// The pictures of a study: what each contrast changes in the main length, what each seat gets by cell, and for each policy
/// how long games are by cell. A function of the result alone.
#[must_use]
pub fn study_pictures<R: RuleSet + Serialize>(result: &StudyResult<R>) -> Vec<Picture> {
    let mut pictures = vec![effects(result).draw(), seats(result).draw()];
    let mut names: Vec<String> = Vec::new();
    for (index, policy) in result.policies.iter().enumerate() {
        let mut name = format!("lengths-{}", slug(&policy.name));
        if names.contains(&name) {
            name = format!("{name}-{}", index + 1);
        }
        pictures.push(lengths(result, policy, &name).draw());
        names.push(name);
    }
    pictures
}

/// A name as part of a file's name: lower-case letters, digits and single hyphens.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars().take(60) {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

fn under<R: RuleSet>(result: &StudyResult<R>) -> String {
    let sides = match result.varied.iter().any(|varied| varied.setting == "sides") {
        true => String::new(),
        false => format!(" {} sides,", result.rules.sides()),
    };
    format!(
        "{},{sides} base rules: {}. {} of {}, seed {}.",
        result.game,
        result.rules.summary(),
        counted(result.blocks, "block"),
        counted((result.cells.len() * result.policies.len()) as u64, "game"),
        result.seed,
    )
}

/// The unit of the main length, for one and for a whole game.
fn step<R>(result: &StudyResult<R>) -> &str {
    result.main_measure.trim_end_matches('s')
}

/// What each contrast changes in the main length.
fn effects<R: RuleSet>(result: &StudyResult<R>) -> Forest {
    let main = result.main_measure.as_str();
    let is_seen = |&index: &usize| {
        let name = &result.contrasts[index].name;
        let effects = result.policies.iter().filter_map(|policy| policy.effect(name, main));
        effects.into_iter().any(|effect| effect.above + effect.below > 0)
    };
    let (order, unseen): (Vec<usize>, Vec<usize>) =
        result.contrasts_by_size().into_iter().partition(is_seen);
    let rows = order.iter().take(MOST).map(|&index| {
        let name = &result.contrasts[index].name;
        let effects: Vec<_> =
            result.policies.iter().map(|policy| policy.effect(name, main)).collect();
        let point = |effect: &crate::study::EffectResult| ForestPoint {
            value: effect.effect,
            own: effect.interval,
            all: effect.simultaneous,
            text: signed(effect.effect, digits(effect.se)),
        };
        ForestRow {
            name: name.clone(),
            both_ways: effects.iter().flatten().any(|effect| effect.sign_depends),
            points: effects.into_iter().map(|effect| effect.map(point)).collect(),
        }
    });
    let rows: Vec<ForestRow> = rows.collect();
    let mut notes = Vec::new();
    if let Some(family) = result.family(main)
        && let Some(critical) = family.critical
    {
        notes.push(format!(
            "All effects together: {} on {main} in this study, {critical:.2} standard errors to each side.",
            grouped(family.size)
        ));
    }
    if order.len() > rows.len() {
        notes.push(format!(
            "The greatest {} of {} contrasts; the others are in effects.csv.",
            rows.len(),
            order.len()
        ));
    }
    notes.extend(unseen_note(main, unseen.iter().map(|&index| &result.contrasts[index].name)));
    let against = match result.design {
        Design::OneAtATime => "against the base, on the same dice",
        Design::Factorial => "on average over the other settings, on the same dice",
    };
    let greatest = rows.iter().take(3).map(|row| {
        let said = row.points.iter().zip(&result.policies).filter_map(|(point, policy)| {
            Some(format!("{} with {}", point.as_ref()?.text, policy.name))
        });
        format!("{}: {}", row.name, said.collect::<Vec<_>>().join(", "))
    });
    let about = format!(
        "A forest plot of {} with a row for each contrast, the greatest effect first, and a mark for each policy. {}.",
        counted(rows.len() as u64, "contrast"),
        greatest.collect::<Vec<_>>().join("; "),
    );
    Forest {
        heading: Heading {
            name: format!("effects-{main}"),
            title: format!("What house rules change in the {main} of a game"),
            under: format!("{} Effects {against}.", under(result)),
            about,
            notes,
        },
        axis: format!("change of the mean, in {main} a game"),
        series: result.policies.iter().map(|policy| policy.name.clone()).collect(),
        rows,
    }
}

/// What is to be said of things of which nothing was seen; they have no row.
fn unseen_note<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> Option<String> {
    let names: Vec<&str> = names.map(String::as_str).collect();
    (!names.is_empty()).then(|| {
        format!("In no block was there another number of {what} with {}.", names.join(", "))
    })
}

/// The cells: with one setting at a time in the order of their effects behind the base, else as they are. Those whose games
/// all are the base's are apart.
fn cell_order<R>(result: &StudyResult<R>) -> (Vec<usize>, Vec<usize>) {
    let order: Vec<usize> = match result.design {
        Design::OneAtATime => {
            result.contrasts_by_size().into_iter().map(|index| index + 1).collect()
        }
        Design::Factorial => (1..result.cells.len()).collect(),
    };
    let differs =
        |&index: &usize| result.policies.iter().any(|policy| policy.cells[index].differ.games > 0);
    let (others, same): (Vec<usize>, Vec<usize>) = order.into_iter().partition(differs);
    ([0].into_iter().chain(others).collect(), same)
}

/// What is to be said of cells that are not shown because their games are those of the base.
fn same_note<R>(result: &StudyResult<R>, same: &[usize]) -> Option<String> {
    let names: Vec<&str> = same.iter().map(|&index| result.cells[index].name.as_str()).collect();
    (!names.is_empty())
        .then(|| format!("All games were those of the base with {}.", names.join(", ")))
}

/// What each seat gets, by cell.
fn seats<R: RuleSet>(result: &StudyResult<R>) -> Dots {
    let (order, same) = cell_order(result);
    let shown = &order[..order.len().min(MOST)];
    let sides = result.cells.iter().map(|cell| cell.rules.sides()).max().unwrap_or(0);
    let rows = shown.iter().map(|&index| DotRow {
        name: result.cells[index].name.clone(),
        reference: Some(1.0 / result.cells[index].rules.sides() as f64),
    });
    let dots = |cell: &CellResult| -> Vec<Option<Dot>> {
        let of = |seat: usize| {
            let seat = cell.seats.get(seat)?;
            Some(Dot { value: seat.score, interval: seat.interval })
        };
        (0..sides).map(of).collect()
    };
    let panels = result.policies.iter().map(|policy| DotPanel {
        name: policy.name.clone(),
        rows: shown.iter().map(|&index| dots(&policy.cells[index])).collect(),
    });
    let seats = sho_core::Seat::all(sides);
    let base = result.policies.iter().filter_map(|policy| {
        let base = policy.cells.first()?;
        let said = base.seats.iter().map(|seat| format!("{} {:.3}", seat.seat, seat.score));
        Some(format!("{}: {}", policy.name, said.collect::<Vec<_>>().join(", ")))
    });
    let mut notes =
        vec!["Each interval is that of one score alone: of many, one in twenty misses.".to_owned()];
    if order.len() > shown.len() {
        notes.push(format!(
            "The first {} of {} cells; the others are in cells.csv.",
            shown.len(),
            order.len()
        ));
    }
    notes.extend(same_note(result, &same));
    Dots {
        heading: Heading {
            name: "seats".to_owned(),
            title: "What each seat gets of a win".to_owned(),
            under: under(result),
            about: format!(
                "A row for each of {}, a panel for each policy, and in it a mark for each seat. In the base: {}.",
                counted(shown.len() as u64, "cell"),
                base.collect::<Vec<_>>().join("; "),
            ),
            notes,
        },
        axis: "share of wins, 0 to 1".to_owned(),
        series: seats.map(|seat| format!("seat {seat}")).collect(),
        reference: "even: 1 / number of seats".to_owned(),
        rows: rows.collect(),
        panels: panels.collect(),
    }
}

/// How long a policy's games are, by cell.
fn lengths<R: RuleSet>(result: &StudyResult<R>, policy: &PolicyResult, name: &str) -> Lengths {
    let main = result.main_measure.as_str();
    let line = |index: usize, name: &str| {
        let length = policy.cells[index].length(main);
        LengthLine {
            name: name.to_owned(),
            games: length.map(|length| length.histogram.clone()).unwrap_or_default(),
        }
    };
    let mut panels: Vec<LengthPanel> = Vec::new();
    let mut of_setting: Vec<Option<&str>> = Vec::new();
    let (order, same) = cell_order(result);
    let mut notes = Vec::new();
    for &index in order.iter().skip(1) {
        let cell = &result.cells[index];
        // The values of a setting share a panel, while there is room in it.
        let (setting, value) = match &cell.changes[..] {
            [(setting, value)] if result.design == Design::OneAtATime => {
                (Some(setting.as_str()), value.as_str())
            }
            _ => (None, cell.name.as_str()),
        };
        let place = (setting.is_some()).then(|| {
            let has_room = |place: &usize| panels[*place].lines.len() < LINES;
            (0..panels.len()).find(|place| of_setting[*place] == setting && has_room(place))
        });
        match place.flatten() {
            Some(place) => panels[place].lines.push(line(index, value)),
            None if panels.len() < PANELS => {
                let base = match setting.and_then(|setting| R::setting(setting).ok()) {
                    Some(setting) => format!("{} (base)", (setting.get)(&result.rules)),
                    None => "base".to_owned(),
                };
                panels.push(LengthPanel {
                    name: cell.name.clone(),
                    base: line(0, &base),
                    lines: vec![line(index, value)],
                });
                of_setting.push(setting);
                let panel = panels.last_mut().expect("pushed just now");
                match setting {
                    Some(setting) => panel.name = setting.to_owned(),
                    None => panel.lines[0].name = "this cell".to_owned(),
                }
            }
            None => {
                notes =
                    vec![format!("The first {PANELS} panels; the other cells are in study.json.")];
            }
        }
    }
    notes.extend(same_note(result, &same));
    if panels.is_empty() {
        let (name, base) = (String::new(), line(0, "base"));
        panels.push(LengthPanel { name, base, lines: Vec::new() });
    }
    let medians = (policy.cells.iter())
        .filter_map(|cell| Some(format!("{} {}", cell.cell, cell.length(main)?.median)));
    Lengths {
        heading: Heading {
            name: name.to_owned(),
            title: format!("How many {main} games have: {}", policy.name),
            under: under(result),
            about: format!(
                "Distributions of the {main} of a game, the base as an area and other rules as lines. Medians: {}.",
                medians.collect::<Vec<_>>().join(", ")
            ),
            notes,
        },
        axis: format!("{main} in a game"),
        step: step(result).to_owned(),
        panels,
    }
}
