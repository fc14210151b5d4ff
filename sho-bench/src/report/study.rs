//! A study's result as tables of text.

use sho_ai::Bots;
use sho_core::RuleSet;

use crate::number::{counted, digits, grouped};
use crate::report::cells::{aligned, table_of_width};
use crate::report::wrapped::wrapped_in;
use crate::stats::interval::half_width;
use crate::study::{CellLength, ContrastKind, EffectResult, ShareResult, StudyResult};

/// The columns that the tables of a study take.
pub const STUDY_COLUMNS: usize = 110;

/// What happens in games and is shown of it, where full metrics were counted; the rest is in the files.
const EVENTS: [(&str, &str); 7] = [
    ("kills", "kills"),
    ("joins", "joins"),
    ("pa_ras", "pa ras"),
    ("pa_ras_used", "pa ras used"),
    ("lost_throws", "lost throws"),
    ("stuck_stacks", "stuck"),
    ("lead_changes", "lead changes"),
];

/// The result as text of at most [`STUDY_COLUMNS`] columns: what was played, what each contrast changes in the main length
/// with the greatest effect first, what it changes for the seats, and how the cells are for themselves.
///
/// `planned` blocks were to be played; where there are fewer the text says so.
#[must_use]
pub fn study_table<G: Bots>(result: &StudyResult<G::Rules>, planned: u64) -> String {
    let mut text = head::<G>(result, planned);
    text += &main_effects(result);
    text += &other_effects(result);
    text += &seat_effects(result);
    text += &event_effects(result);
    text += &cells(result);
    text += &minutes(result);
    text
}

fn line(text: &mut String, words: &str) {
    *text += &wrapped_in(words, 0, STUDY_COLUMNS);
}

fn head<G: Bots>(result: &StudyResult<G::Rules>, planned: u64) -> String {
    let mut text = String::new();
    let sides = result.rules.sides();
    line(
        &mut text,
        &format!("{}, {sides} sides, base rules: {}", result.game, result.rules.summary()),
    );
    line(
        &mut text,
        &format!(
            "{} ({}), {}, {}, seed {}: {}, on the same dice in every cell",
            counted(result.cells.len() as u64, "cell"),
            result.design.name(),
            counted(result.policies.len() as u64, "policy"),
            counted(result.blocks, "block"),
            result.seed,
            counted(result.games, "game"),
        ),
    );
    if result.blocks < planned {
        let played = counted(result.blocks, "block");
        line(&mut text, &format!("stopped by hand: {played} of {} played", grouped(planned)));
    }
    for words in result.judging_lines::<G>() {
        line(&mut text, &words);
    }
    for left in &result.left_out {
        let what = match &left.value {
            Some(value) => format!("{}={value}", left.setting),
            None => left.setting.clone(),
        };
        line(&mut text, &format!("left out: {what}, {}", left.reason));
    }
    line(
        &mut text,
        "effects are differences inside blocks; ± is the 95 % interval of one effect alone, `all` that of all effects \
         of a table's family together; * marks what that leaves no doubt of",
    );
    text.push('\n');
    text
}

fn signed(effect: &EffectResult) -> String {
    let digits = digits(effect.se);
    let mark = if effect.is_clear() { "*" } else { " " };
    // A zero has no sign.
    if effect.effect == 0.0 {
        return format!("0{mark}");
    }
    format!("{:+.digits$}{mark}", effect.effect)
}

fn width(effect: &EffectResult, critical: Option<f64>, blocks: u64) -> (String, String) {
    // The same in every block: nothing says what it would be in others.
    let Some(error) = effect.se.filter(|&error| error > 0.0) else {
        return (String::new(), String::new());
    };
    let digits = digits(effect.se);
    let show =
        |width: Option<f64>| width.map_or(String::new(), |width| format!("±{width:.digits$}"));
    (show(half_width(error, blocks)), show(critical.map(|critical| critical * error)))
}

fn percent(share: Option<f64>) -> String {
    share.map_or(String::new(), |share| format!("{:+.1} %", 100.0 * share))
}

/// The share of games that are not the base's.
fn differ(games: &ShareResult) -> String {
    match games.at_most {
        Some(most) => format!("<{:.2} %", 100.0 * most),
        None => format!("{:.2} %", 100.0 * games.share),
    }
}

/// The chance of a longer game, with half of its interval.
fn greater(effect: &EffectResult) -> String {
    let share = effect.greater.map_or(String::new(), |share| format!("{share:.3}"));
    match effect.greater_interval {
        Some([low, high]) => format!("{share} ±{:.3}", (high - low) / 2.0),
        None => share,
    }
}

fn family_line<R>(result: &StudyResult<R>, measures: &[&str]) -> String {
    let said = |measure: &&str| {
        let family = result.family(measure)?;
        let critical = family.critical?;
        Some(format!("{} effects on {measure}, {critical:.2} standard errors", family.size))
    };
    let families: Vec<_> = measures.iter().filter_map(said).collect();
    if families.is_empty() {
        return String::new();
    }
    wrapped_in(&format!("family: {}", families.join("; ")), 0, STUDY_COLUMNS)
}

fn main_effects<R>(result: &StudyResult<R>) -> String {
    let main = result.main_measure.as_str();
    let header = ["rule", "policy", main, "alone", "all", "change", "longer", "games differ", ""];
    let mut rows = table_of_width(&header, STUDY_COLUMNS);
    let critical = result.family(main).and_then(|family| family.critical);
    let mut depends = false;
    for index in result.contrasts_by_size() {
        let contrast = &result.contrasts[index];
        for policy in &result.policies {
            let Some(effect) = policy.effect(&contrast.name, main) else { continue };
            let (alone, all) = width(effect, critical, result.blocks);
            depends |= effect.sign_depends;
            rows.add_row([
                contrast.name.clone(),
                policy.name.clone(),
                signed(effect),
                alone,
                all,
                percent(effect.relative.filter(|_| effect.effect != 0.0)),
                greater(effect),
                result.differ(policy, &contrast.name).map_or(String::new(), differ),
                if effect.sign_depends { "by policy" } else { "" }.to_owned(),
            ]);
        }
    }
    let mut text = format!("{}\n", aligned(rows));
    text += &family_line(result, &[main]);
    line(
        &mut text,
        "longer: the chance that a game under the rule is longer than another one of the base, ties counted half, and ± for \
         at least 95 %; games differ: games that were not the base's on the same dice (<: none was, and with 95 % the share is less)",
    );
    if result.contrasts.iter().any(|contrast| contrast.kind == ContrastKind::Interaction) {
        line(
            &mut text,
            "rules are averaged over all values of the others; a * b: half of how much the effect of one differs \
             between the values of the other",
        );
    }
    if depends {
        line(&mut text, "by policy: it makes games longer for one policy and shorter for another");
    }
    text.push('\n');
    text
}

/// A table of effects on several measures, a column each.
fn effects_on<R>(result: &StudyResult<R>, columns: &[(String, String)], more: &str) -> String {
    let there: Vec<_> = (columns.iter())
        .filter(|(measure, _)| result.measures.iter().any(|other| other.name == *measure))
        .collect();
    if there.is_empty() {
        return String::new();
    }
    let header = ["rule", "policy"].into_iter().chain(there.iter().map(|(_, name)| name.as_str()));
    let mut rows = table_of_width(&header.collect::<Vec<_>>(), STUDY_COLUMNS);
    for index in result.contrasts_by_size() {
        let contrast = &result.contrasts[index];
        for policy in &result.policies {
            let mut row = vec![contrast.name.clone(), policy.name.clone()];
            for (measure, _) in &there {
                row.push(policy.effect(&contrast.name, measure).map_or(String::new(), signed));
            }
            rows.add_row(row);
        }
    }
    let mut text = format!("{}\n", aligned(rows));
    let names: Vec<&str> = there.iter().map(|(measure, _)| measure.as_str()).collect();
    text += &family_line(result, &names);
    if !more.is_empty() {
        line(&mut text, more);
    }
    text.push('\n');
    text
}

fn other_effects<R>(result: &StudyResult<R>) -> String {
    let names = ["turns", "decisions", "minutes", "end_cap", "end_repetition"];
    let columns = names.map(|name| (name.to_owned(), name.replace("end_", "end by ")));
    let columns: Vec<_> =
        columns.into_iter().filter(|(name, _)| *name != result.main_measure).collect();
    let minutes = format!(
        "minutes: {} s for a throw and {} s for a decision",
        result.seconds_a_throw, result.seconds_a_decision
    );
    let has_minutes = result.measures.iter().any(|measure| measure.name == "minutes");
    effects_on(result, &columns, if has_minutes { &minutes } else { "" })
}

fn seat_effects<R>(result: &StudyResult<R>) -> String {
    let seats = result.measures.iter().filter(|measure| measure.name.starts_with("payoff_"));
    let columns: Vec<_> = seats
        .map(|measure| (measure.name.clone(), measure.name.replace("payoff_", "seat ")))
        .collect();
    effects_on(result, &columns, "what a seat gets of a win, as a change of its share from 0 to 1")
}

fn event_effects<R>(result: &StudyResult<R>) -> String {
    let columns = EVENTS.map(|(name, head)| (name.to_owned(), head.to_owned()));
    effects_on(result, &columns, "")
}

fn spread(length: &CellLength) -> [String; 3] {
    let digits = digits(length.se);
    [
        format!("{:.digits$}", length.mean),
        length.median.to_string(),
        format!("{}-{}", length.q05, length.q95),
    ]
}

fn cells<R>(result: &StudyResult<R>) -> String {
    let main = result.main_measure.as_str();
    let seats: Vec<_> = (result.measures.iter())
        .filter_map(|measure| measure.name.strip_prefix("payoff_"))
        .map(|seat| format!("seat {seat}"))
        .collect();
    let mut header = vec!["cell", "policy", main, "median", "5-95 %"];
    header.extend(seats.iter().map(String::as_str));
    header.push(if result.game == "sho" { "cap" } else { "unfinished" });
    let mut rows = table_of_width(&header, STUDY_COLUMNS);
    for (index, cell) in result.cells.iter().enumerate() {
        for policy in &result.policies {
            let of = &policy.cells[index];
            let mut row = vec![cell.name.clone(), policy.name.clone()];
            match of.length(main) {
                Some(length) => row.extend(spread(length)),
                None => row.extend([const { String::new() }; 3]),
            }
            for seat in 0..seats.len() {
                let score = of.seats.get(seat).map(|seat| format!("{:.4}", seat.score));
                row.push(score.unwrap_or_default());
            }
            row.push(unfinished(of));
            rows.add_row(row);
        }
    }
    let mut text = format!("{}\n", aligned(rows));
    let capped = "the share of games that were stopped; means and quantiles of such a cell are restricted by that";
    line(&mut text, &format!("{}: {capped}", header.last().copied().unwrap_or_default()));
    text
}

/// The time at a table in each cell; empty where nothing takes any.
fn minutes<R>(result: &StudyResult<R>) -> String {
    let header = ["cell", "policy", "minutes", "5 %", "25 %", "median", "75 %", "95 %", "longest"];
    let mut rows = table_of_width(&header, STUDY_COLUMNS);
    let mut some = false;
    for (index, cell) in result.cells.iter().enumerate() {
        for policy in &result.policies {
            let Some(of) = policy.cells[index].minutes else { continue };
            let times = [of.mean, of.q05, of.q25, of.median, of.q75, of.q95, of.max];
            let mut row = vec![cell.name.clone(), policy.name.clone()];
            row.extend(times.map(|time| format!("{time:.1}")));
            rows.add_row(row);
            some = true;
        }
    }
    if some { format!("\n{}\n", aligned(rows)) } else { String::new() }
}

/// The share of games that were stopped: that reached a cap, a repetition, or turns without progress.
fn unfinished(cell: &crate::study::CellResult) -> String {
    let stops = ["cap", "repetition", "quiet"];
    let mut stopped = cell.ends.iter().filter(|end| stops.contains(&end.what.as_str()));
    let share: f64 = stopped.clone().map(|end| end.share).sum();
    if share > 0.0 {
        return format!("{:.2} %", 100.0 * share);
    }
    match stopped.find_map(|end| end.at_most) {
        Some(most) => format!("<{:.2} %", 100.0 * most),
        None => String::new(),
    }
}
