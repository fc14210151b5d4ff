//! What a study says, in sentences made from its numbers.

use std::fmt::Write;

use super::html::{code, effect, interval, list, number, percent, signed_percent};
use crate::number::counted;
use crate::study::{ContrastKind, Design, EffectResult, PolicyResult, StudyResult};

/// So many contrasts have a sentence of their own.
const TOLD: usize = 6;

/// With fewer blocks the bootstrap is too narrow, as the page about studies says.
const FEW_BLOCKS: u64 = 50;

/// The ends by which a game is stopped rather than won.
pub(super) const STOPS: [&str; 3] = ["cap", "repetition", "quiet"];

/// Whether the contrast was the same in every block.
pub(super) fn is_unseen(effect: &EffectResult) -> bool {
    effect.above + effect.below == 0
}

/// The sentences, each a piece of HTML; the most important first.
pub(super) fn sentences<R>(result: &StudyResult<R>) -> Vec<String> {
    let main = result.main_measure.as_str();
    let of = |policy| move |index: &usize| effect_on(result, policy, *index, main);
    let order = result.contrasts_by_size();
    let all: Vec<&EffectResult> =
        result.policies.iter().flat_map(|policy| order.iter().filter_map(of(policy))).collect();
    let clear = all.iter().filter(|effect| effect.is_clear()).count();
    let mut said = vec![how_many(all.len(), clear, main)];
    let is_clear = |index: &usize| {
        let effects = result.policies.iter().filter_map(|policy| of(policy)(index));
        effects.into_iter().any(EffectResult::is_clear)
    };
    said.extend(
        order.iter().copied().filter(is_clear).take(TOLD).map(|index| contrast(result, index)),
    );
    let told = order.iter().filter(|index| is_clear(index)).count();
    if told > TOLD {
        let (more, is) = match told - TOLD {
            1 => ("1 more rule".to_owned(), "is"),
            more => (format!("{more} more rules"), "are"),
        };
        said.push(format!("{more} with a shown effect {is} in the table."));
    }
    said.extend(not_shown(result, &all, &order, is_clear));
    said.extend(unseen(result, &order));
    said.extend(seats(result));
    said.extend(stopped(result));
    if result.blocks < FEW_BLOCKS {
        said.push(format!(
            "With fewer than {FEW_BLOCKS} blocks the intervals of all effects together are too narrow."
        ));
    }
    said
}

/// How many effects there are, and of how many a direction is shown.
fn how_many(all: usize, clear: usize, main: &str) -> String {
    let why = "intervals leave zero out even when all are looked at together";
    let caution =
        "That does not say that they are nothing; their intervals say how large they may be.";
    match (all, all - clear) {
        (1, 0) => {
            format!("The one effect on {main} is shown: its 95\u{a0}% interval leaves zero out.")
        }
        (1, _) => format!(
            "The one effect on {main} is not shown: its 95\u{a0}% interval does not leave zero out, and says how large it \
             may be."
        ),
        (_, 0) => format!("All {all} effects on {main} are shown: their 95\u{a0}% {why}."),
        (_, rest) if rest == all => {
            format!(
                "Of {all} effects on {main}, none is shown: no 95\u{a0}% {}. {caution}",
                why.replace("intervals leave", "interval leaves")
            )
        }
        (_, rest) => format!(
            "Of {all} effects on {main}, {} shown: their 95\u{a0}% {why}. The other {} not. {caution}",
            is_or_are(clear),
            is_or_are(rest),
        ),
    }
}

fn is_or_are(count: usize) -> String {
    if count == 1 { "1 is".to_owned() } else { format!("{count} are") }
}

fn effect_on<'a, R>(
    result: &'a StudyResult<R>,
    policy: &'a PolicyResult,
    contrast: usize,
    measure: &str,
) -> Option<&'a EffectResult> {
    policy.effect(&result.contrasts[contrast].name, measure)
}

/// What a contrast changes in the main length.
fn contrast<R>(result: &StudyResult<R>, index: usize) -> String {
    let main = result.main_measure.as_str();
    let contrast = &result.contrasts[index];
    let (mut shown, mut hidden) = (Vec::new(), Vec::new());
    let (mut above, mut below) = (false, false);
    for policy in &result.policies {
        let Some(of) = effect_on(result, policy, index, main) else { continue };
        let who = code(&policy.name);
        let range = of.simultaneous.map_or(String::new(), |ends| interval(ends, of.se));
        if of.is_clear() {
            above |= of.effect > 0.0;
            below |= of.effect < 0.0;
            let change = of.relative.map_or(String::new(), |change| {
                let from = number(of.reference, 1);
                format!("; {} of {from}", signed_percent(change))
            });
            shown.push(format!("{} {main} with {who} ({range}{change})", effect(of.effect, of.se)));
        } else if is_unseen(of) {
            hidden.push(format!("{who} (the same in every block)"));
        } else {
            hidden.push(format!("{who} ({range})"));
        }
    }
    let name = code(&contrast.name);
    let shown = list(&shown);
    let does = match (above, below) {
        (true, true) => "makes games longer or shorter, depending on who plays",
        (true, false) => "makes games longer",
        _ => "makes games shorter",
    };
    let mut text = match contrast.kind {
        ContrastKind::Value => format!("{name} {does}: {shown}."),
        ContrastKind::Interaction => format!(
            "{name}: both together do something else than the sum of what each does. Half of how much the effect of one \
             differs between the values of the other is {shown}."
        ),
    };
    if !hidden.is_empty() {
        let _ = write!(text, " Not shown with {}.", list(&hidden));
    }
    text
}

/// The contrasts of which something was seen, and no effect is shown.
fn not_shown<R>(
    result: &StudyResult<R>,
    all: &[&EffectResult],
    order: &[usize],
    is_clear: impl Fn(&usize) -> bool,
) -> Option<String> {
    let name = |index: &usize| &result.contrasts[*index].name;
    let is_seen =
        |index: &usize| all.iter().any(|of| of.contrast == *name(index) && !is_unseen(of));
    let names: Vec<&String> =
        order.iter().filter(|index| !is_clear(index) && is_seen(index)).map(name).collect();
    let most = (all.iter())
        .filter(|of| names.contains(&&of.contrast))
        .filter_map(|of| Some((of.simultaneous?, of.se)))
        .flat_map(|(ends, error)| ends.map(|end| (end, error)))
        .max_by(|one, other| one.0.abs().total_cmp(&other.0.abs()))?;
    let codes: Vec<String> = names.iter().map(|name| code(name)).collect();
    Some(format!(
        "Not shown with any policy: {}. The interval among these that goes furthest from zero goes to {} {}.",
        list(&codes),
        effect(most.0, most.1),
        result.main_measure
    ))
}

/// The contrasts of which nothing was seen.
fn unseen<R>(result: &StudyResult<R>, order: &[usize]) -> Option<String> {
    if result.design == Design::Factorial {
        return None;
    }
    let names: Vec<String> = (order.iter())
        .map(|index| index + 1)
        .filter(|&cell| result.policies.iter().all(|policy| policy.cells[cell].differ.games == 0))
        .map(|cell| code(&result.cells[cell].name))
        .collect();
    let most = result.policies.iter().flat_map(|policy| &policy.cells[1..]);
    let most = most.filter_map(|cell| cell.differ.at_most).next()?;
    (!names.is_empty()).then(|| {
        format!(
            "All games were those of the base with {}: so, with 95 %, fewer than {} of all games of a policy have anything \
             to see of such a rule.",
            list(&names),
            percent(most, 2)
        )
    })
}

/// What is shown of the seats.
fn seats<R>(result: &StudyResult<R>) -> Option<String> {
    let effects = || {
        result.policies.iter().flat_map(|policy| {
            let of_seats = policy.effects.iter().filter(|of| {
                // What more seats take from each is no advantage of one.
                of.measure.starts_with("payoff_") && !of.contrast.starts_with("sides=")
            });
            of_seats.map(move |of| (policy, of))
        })
    };
    let count = effects().count();
    let clear: Vec<_> = effects().filter(|(_, of)| of.is_clear()).collect();
    let greatest = clear.iter().max_by(|one, other| {
        // Of equals the first.
        one.1.effect.abs().total_cmp(&other.1.effect.abs()).then(std::cmp::Ordering::Greater)
    });
    if count == 0 {
        return None;
    }
    let Some((policy, of)) = greatest else {
        return Some(format!(
            "No change of what a seat gets is shown, among {} looked at.",
            counted(count as u64, "effect")
        ));
    };
    let seat = of.measure.trim_start_matches("payoff_");
    let range = of.simultaneous.map_or(String::new(), |ends| interval(ends, of.se));
    Some(format!(
        "Of {} on what a seat gets of a win, {} shown, each seat looked at for itself. The greatest: seat {seat} gets {} \
         wins a game with {} and {} ({range}).",
        counted(count as u64, "effect"),
        is_or_are(clear.len()),
        effect(of.effect, of.se),
        code(&of.contrast),
        code(&policy.name),
    ))
}

/// Where games were stopped.
fn stopped<R>(result: &StudyResult<R>) -> Option<String> {
    let mut worst: Option<(f64, String)> = None;
    let mut cells = 0;
    for policy in &result.policies {
        for cell in &policy.cells {
            let ends = cell.ends.iter().filter(|end| STOPS.contains(&end.what.as_str()));
            let ends: Vec<_> = ends.filter(|end| end.games > 0).collect();
            cells += u64::from(!ends.is_empty());
            for end in ends {
                if worst.as_ref().is_none_or(|(share, _)| end.share > *share) {
                    let text = format!(
                        "{} of the games of {} with {} ended by {}",
                        percent(end.share, 2),
                        code(&cell.cell),
                        code(&policy.name),
                        end.what
                    );
                    worst = Some((end.share, text));
                }
            }
        }
    }
    worst.map(|(_, text)| {
        format!(
            "Games were stopped in {} (each with a policy), and lengths there are those up to the stop. At most: {text}.",
            counted(cells, "cell")
        )
    })
}
