//! The page of a study: [`study_page`].

use std::fmt::Write;

use serde::Serialize;
use sho_ai::Bots;
use sho_core::RuleSet;

use super::command::study_command;
use super::html::{code, list, table};
use super::sentences::sentences;
use super::tables::{cells, effects, families, main_effects};
use crate::chart::{Picture, escaped};
use crate::number::{counted, grouped};
use crate::study::{ContrastKind, Design, LeftOut, StudyResult};

const STYLE: &str = include_str!("style.css");

/// The report of a study as one page of HTML: what was asked, what came out, tables, and these pictures of it. A function of
/// the result and its pictures alone; it names a date nowhere. `G` is the game, whose bots say by which weights they judged.
#[must_use]
pub fn study_page<G: Bots>(result: &StudyResult<G::Rules>, pictures: &[Picture]) -> String
where
    G::Rules: Serialize,
{
    let main = result.main_measure.as_str();
    let title = format!("What house rules change: {}", result.game);
    let mut page = format!(
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p class="question">{}</p>
"#,
        question(result),
        title = escaped(&title),
    );
    page += &played::<G>(result);
    page += "<h2>In short</h2>\n<ul>\n";
    for sentence in sentences(result) {
        // Writing into a string cannot fail.
        let _ = writeln!(page, "<li>{sentence}</li>");
    }
    page += "</ul>\n";
    let draw = |page: &mut String, begins: &str| {
        for picture in pictures.iter().filter(|picture| picture.name.starts_with(begins)) {
            let about = escaped(&picture.title);
            let _ = write!(
                page,
                "<div class=\"picture\" role=\"region\" tabindex=\"0\" aria-label=\"{about}\">\n{}\n</div>\n",
                picture.inline()
            );
        }
    };
    let _ = writeln!(page, "<h2>Effects on {main}</h2>");
    draw(&mut page, "effects");
    page += &main_effects(result);
    page += &families(result, &[main]);
    let others = others(result, |name| !name.starts_with("payoff_") && name != main);
    page += "<h2>Other effects</h2>\n";
    page += &effects(result, "other effects", &others);
    page += "<h2>Seats</h2>\n";
    draw(&mut page, "seats");
    page += "<p>What the rules change in what a seat gets of a win, 0 to 1:</p>\n";
    let payoffs: Vec<&str> = (result.measures.iter())
        .map(|measure| measure.name.as_str())
        .filter(|name| name.starts_with("payoff_"))
        .collect();
    page += &effects(result, "effects on seats", &payoffs);
    page += "<h2>Lengths</h2>\n";
    draw(&mut page, "lengths");
    page += "<h2>Cells</h2>\n<p>Each set of rules for itself.</p>\n";
    page += &cells(result);
    page += &how_to_read(result);
    page += &rules(result);
    page + "</main>\n</body>\n</html>\n"
}

/// Measures of which some effect was seen.
fn others<R>(result: &StudyResult<R>, is_it: impl Fn(&str) -> bool) -> Vec<&str> {
    let names = result.measures.iter().map(|measure| measure.name.as_str());
    let is_seen = |name: &str| {
        let effects = result.policies.iter().flat_map(|policy| &policy.effects);
        effects.into_iter().any(|of| of.measure == name && of.above + of.below > 0)
    };
    names.filter(|name| is_it(name) && is_seen(name)).collect()
}

fn question<R>(result: &StudyResult<R>) -> String {
    let names: Vec<String> =
        result.varied.iter().map(|variation| code(&variation.setting)).collect();
    let (rules, do_they) = match (&result.varied[..], names.len()) {
        ([one], _) if one.values.len() == 1 => {
            (code(&format!("{}={}", one.setting, one.values[0])), "does")
        }
        (_, 1..=6) => (format!("other values of {}", list(&names)), "do"),
        (_, count) => (format!("other values of {count} settings"), "do"),
    };
    let together = match result.design {
        Design::OneAtATime => "",
        Design::Factorial => ", on average over each other, and together",
    };
    format!(
        "What {do_they} {rules} change in how long a game lasts, in how it ends, and in what each seat gets{together}?"
    )
}

/// What was played, and how to play it again.
fn played<G: Bots>(result: &StudyResult<G::Rules>) -> String
where
    G::Rules: Serialize,
{
    let mut list_of: Vec<(&str, String)> = Vec::new();
    let sides = result.rules.sides();
    list_of.push(("game", format!("{}, {sides} sides", escaped(&result.game))));
    list_of.push(("base rules", code(&result.rules.summary())));
    let policies: Vec<String> = result.policies.iter().map(|policy| code(&policy.name)).collect();
    list_of.push(("who plays", format!("copies of {}, each for itself", list(&policies))));
    for words in result.judging_lines::<G>() {
        list_of.push(("weights", escaped(&words)));
    }
    let games = (result.cells.len() * result.policies.len()) as u64;
    list_of.push((
        "how much",
        format!(
            "{} of {}, one in each of {} by each policy, on the same dice: {}",
            counted(result.blocks, "block"),
            counted(games, "game"),
            counted(result.cells.len() as u64, "cell"),
            counted(result.games, "game"),
        ),
    ));
    list_of.push(("design", result.design.name().to_owned()));
    list_of.push(("seed", result.seed.to_string()));
    list_of.push(("digest of the result", code(&result.digest)));
    if let Some(from) = &result.provenance {
        let commit = code(from.commit);
        list_of.push(("program", format!("sho {}, commit {commit}", escaped(from.version))));
    }
    let mut text = "<dl>\n".to_owned();
    for (term, what) in list_of {
        let _ = writeln!(text, "<dt>{term}</dt><dd>{what}</dd>");
    }
    text += "</dl>\n";
    if let Some(command) = study_command(result) {
        let command = escaped(&command);
        let _ = writeln!(
            text,
            "<p>The same again, with the same digest:</p>\n<pre><code>{command}</code></pre>"
        );
    }
    text
}

fn how_to_read<R>(result: &StudyResult<R>) -> String {
    let main = result.main_measure.as_str();
    let mut notes = vec![
        "An <em>effect</em> is the mean difference inside a block: the same dice, played by the other rules and by the base \
         (in a factorial design by all cells with the value and all with the base's). Luck that both share drops out."
            .to_owned(),
        "<em>95 % alone</em> is the interval of one effect for who looks at that one. <em>Among all</em> are wider \
         intervals that hold all together with 95 %: who picks the greatest of many effects has to use them. An effect is \
         called <em>shown</em> where such an interval leaves zero out. <em>Not shown</em> is not the same as nothing."
            .to_owned(),
        "<em>Nothing seen</em>: the same in every block. There is no interval then, and with 95 % about 3 / blocks is the \
         most that other blocks may differ."
            .to_owned(),
        "<em>change</em> is the effect over the mean of the base. <em>longer</em> is the chance that a game by the rule is \
         longer than another one of the base, ties counted half: 0.5 says that neither tends to be longer. <em>games \
         differ</em> is the share of games that were not those of the base."
            .to_owned(),
        format!(
            "Bold effects of the other tables are shown; ± is half the interval among all effects on that measure, of all \
             rules and policies. Each measure is looked at for itself: this page has {} of them.",
            grouped(result.families.iter().filter(|family| family.size > 0).count() as u64)
        ),
        "Policies are programs, and people play otherwise: what holds for all of them, weak and strong, is likelier to hold \
         at a table."
            .to_owned(),
        "Games that were stopped would have been longer: means and quantiles of such cells are restricted by that.".to_owned(),
        format!(
            "The same numbers, and many more, are in <code>study.json</code>, <code>effects.csv</code> and \
             <code>cells.csv</code> beside this page. The unit of {main} and of all other measures is said below."
        ),
    ];
    if result.contrasts.iter().any(|contrast| contrast.kind == ContrastKind::Interaction) {
        notes.push(
            "<code>a * b</code> is half of how much the effect of one rule differs between the values of the other.".to_owned(),
        );
    }
    let mut text = "<h2>How to read this</h2>\n<ul>\n".to_owned();
    for note in notes {
        let _ = writeln!(text, "<li>{note}</li>");
    }
    text += "</ul>\n";
    let rows = result.measures.iter();
    let rows = rows.map(|measure| vec![code(&measure.name), escaped(&measure.about)]);
    let head = ["measure".to_owned(), "what it is".to_owned()];
    text + &table("measures", &head, 2, &rows.collect::<Vec<_>>())
}

/// All settings of the base, and what varied.
fn rules<R: RuleSet>(result: &StudyResult<R>) -> String {
    let mut text = "<h2>The rules</h2>\n".to_owned();
    let rows = R::SETTINGS.iter().map(|setting| {
        let varied = result.varied.iter().find(|variation| variation.setting == setting.name);
        let values = varied.map_or(String::new(), |variation| {
            variation.values.iter().map(|value| code(value)).collect::<Vec<_>>().join(", ")
        });
        vec![code(setting.name), code(&(setting.get)(&result.rules)), values]
    });
    let head = ["setting", "base", "varied to"].map(str::to_owned);
    text += &table("rules", &head, 3, &rows.collect::<Vec<_>>());
    if !result.left_out.is_empty() {
        text += "<p>Left out:</p>\n<ul>\n";
        for LeftOut { setting, value, reason } in &result.left_out {
            let what = match value {
                Some(value) => format!("{setting}={value}"),
                None => setting.clone(),
            };
            let _ = writeln!(text, "<li>{}: {}</li>", code(&what), escaped(reason));
        }
        text += "</ul>\n";
    }
    text
}
