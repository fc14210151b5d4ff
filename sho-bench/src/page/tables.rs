//! The tables of a study's page.

use super::html::{code, data, effect, interval, number, percent, signed_percent, table};
use super::sentences::{STOPS, is_unseen};
use crate::number::{digits, grouped, plain, signed};
use crate::study::{CellResult, EffectResult, ShareResult, StudyResult};

fn heads(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

/// What is said of an effect in a word.
fn verdict(of: &EffectResult) -> String {
    let word = if of.is_clear() {
        "<strong>shown</strong>"
    } else if is_unseen(of) {
        "nothing seen"
    } else {
        "not shown"
    };
    let more = if of.sign_depends { ", direction depends on the policy" } else { "" };
    format!("{word}{more}")
}

/// The share of games that are not the base's.
fn share(games: &ShareResult) -> String {
    match games.at_most {
        Some(most) => format!("&lt; {}", percent(most, 2)),
        None => percent(games.share, 2),
    }
}

/// The chance of a longer game, with half of its interval.
fn greater(of: &EffectResult) -> String {
    let share = of.greater.map_or(String::new(), |greater| number(greater, 3));
    let width = of.greater_interval.map_or(String::new(), |[low, high]| {
        format!(" <small>±{}</small>", plain((high - low) / 2.0, 3))
    });
    share + &width
}

/// The effects on the main length, the greatest first, by policy.
pub(super) fn main_effects<R>(result: &StudyResult<R>) -> String {
    let main = result.main_measure.as_str();
    let mut rows = Vec::new();
    for index in result.contrasts_by_size() {
        let name = &result.contrasts[index].name;
        for policy in &result.policies {
            let Some(of) = policy.effect(name, main) else { continue };
            let ends =
                |ends: Option<[f64; 2]>| ends.map_or(String::new(), |ends| interval(ends, of.se));
            rows.push(vec![
                code(name),
                code(&policy.name),
                effect(of.effect, of.se),
                ends(of.interval),
                ends(of.simultaneous),
                verdict(of),
                of.relative.map_or(String::new(), signed_percent),
                greater(of),
                result.differ(policy, name).map_or(String::new(), share),
            ]);
        }
    }
    let mut head = heads(&["rule", "policy", main]);
    head.extend(heads(&["95 % alone", "95 % among all", "", "change", "longer", "games differ"]));
    table(&format!("effects on {main}"), &head, 2, &rows)
}

/// How many effects are looked at together, by measure.
pub(super) fn families<R>(result: &StudyResult<R>, measures: &[&str]) -> String {
    let said = |measure: &&str| {
        let family = result.family(measure)?;
        let critical = family.critical?;
        let size = data(family.size as f64, &grouped(family.size));
        Some(format!("{size} on {measure} (± {} standard errors)", number(critical, 2)))
    };
    let families: Vec<_> = measures.iter().filter_map(said).collect();
    if families.is_empty() {
        return String::new();
    }
    format!(
        "<p class=\"faint\">Looked at together, the same rules and policies: {}.</p>\n",
        families.join("; ")
    )
}

/// Effects on several measures, a column each, with half of their intervals among all.
pub(super) fn effects<R>(result: &StudyResult<R>, name: &str, measures: &[&str]) -> String {
    if measures.is_empty() {
        return String::new();
    }
    let mut rows = Vec::new();
    for index in result.contrasts_by_size() {
        let contrast = &result.contrasts[index].name;
        for policy in &result.policies {
            let mut row = vec![code(contrast), code(&policy.name)];
            for measure in measures {
                let Some(of) = policy.effect(contrast, measure) else {
                    row.push(String::new());
                    continue;
                };
                let value = effect(of.effect, of.se);
                let width = (of.simultaneous).map_or(String::new(), |[low, high]| {
                    let half = signed((high - low) / 2.0, digits(of.se)).replace('+', "±");
                    format!(" <small>{half}</small>")
                });
                row.push(if of.is_clear() {
                    format!("<strong>{value}</strong>{width}")
                } else {
                    format!("{value}{width}")
                });
            }
            rows.push(row);
        }
    }
    let mut head = heads(&["rule", "policy"]);
    head.extend(
        measures.iter().map(|measure| measure.replace("payoff_", "seat ").replace('_', " ")),
    );
    table(name, &head, 2, &rows) + &families(result, measures)
}

/// The share of games that were stopped.
fn stopped(cell: &CellResult) -> String {
    let ends = cell.ends.iter().filter(|end| STOPS.contains(&end.what.as_str()));
    let said = ends
        .filter(|end| end.games > 0)
        .map(|end| format!("{} {}", end.what, percent(end.share, 2)));
    said.collect::<Vec<_>>().join(", ")
}

/// How the cells are for themselves.
pub(super) fn cells<R>(result: &StudyResult<R>) -> String {
    let main = result.main_measure.as_str();
    let seats: Vec<&str> = (result.measures.iter())
        .filter_map(|measure| measure.name.strip_prefix("payoff_"))
        .collect();
    let minutes = result.measures.iter().any(|measure| measure.name == "minutes");
    let mut head = heads(&["cell", "policy", main, "median", "5 % to 95 %"]);
    if minutes {
        head.extend(heads(&["minutes", "median", "5 % to 95 %"]));
    }
    head.extend(seats.iter().map(|seat| format!("seat {seat}")));
    head.extend(heads(&["games differ", "stopped"]));
    let mut rows = Vec::new();
    for (index, cell) in result.cells.iter().enumerate() {
        for policy in &result.policies {
            let of = &policy.cells[index];
            let mut row = vec![code(&cell.name), code(&policy.name)];
            match of.length(main) {
                Some(length) => row.extend([
                    number(length.mean, digits(length.se)),
                    number(length.median.into(), 0),
                    format!("{} to {}", number(length.q05.into(), 0), number(length.q95.into(), 0)),
                ]),
                None => row.extend([const { String::new() }; 3]),
            }
            if minutes {
                row.extend(of.minutes.map_or([const { String::new() }; 3], |time| {
                    [
                        number(time.mean, digits(time.se)),
                        number(time.median, 1),
                        format!("{} to {}", number(time.q05, 1), number(time.q95, 1)),
                    ]
                }));
            }
            for seat in 0..seats.len() {
                row.push(of.seats.get(seat).map_or(String::new(), |seat| {
                    number(seat.score, digits(seat.score_se).max(3))
                }));
            }
            row.push(if index == 0 { String::new() } else { share(&of.differ) });
            row.push(stopped(of));
            rows.push(row);
        }
    }
    table("cells", &head, 2, &rows)
}
