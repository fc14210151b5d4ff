//! The pictures of a tournament: [`tournament_pictures`].

use serde::Serialize;
use sho_core::{RuleSet, Seat};

use super::dots::{Dot, DotPanel, DotRow, Dots};
use super::frame::Heading;
use super::lengths::{LengthLine, LengthPanel, Lengths};
use super::svg::Picture;
use crate::number::counted;
use crate::result::TournamentResult;
use crate::stats::interval::half_width;

/// The pictures of a tournament: what each bot gets, what each seat gets, and how long games are. A function of the result
/// alone.
#[must_use]
pub fn tournament_pictures<R: RuleSet + Serialize>(result: &TournamentResult<R>) -> Vec<Picture> {
    let mut pictures = vec![scores(result).draw(), seats(result).draw()];
    pictures.extend(lengths(result).map(|lengths| lengths.draw()));
    pictures
}

fn heading<R: RuleSet>(result: &TournamentResult<R>, name: &str, title: &str) -> Heading {
    Heading {
        name: name.to_owned(),
        title: title.to_owned(),
        under: format!(
            "{}, {} sides, rules: {}. {} in {}, seed {}.",
            result.game,
            result.rules.sides(),
            result.rules.summary(),
            counted(result.games, "game"),
            counted(result.blocks, "block"),
            result.seed
        ),
        ..Heading::default()
    }
}

/// A row for each of these, with one score in it.
fn dots<R: RuleSet>(
    result: &TournamentResult<R>,
    mut heading: Heading,
    scores: &[(String, f64, Option<f64>)],
) -> Dots {
    let dot = |score: f64, error: Option<f64>| Dot {
        value: score,
        interval: (error.filter(|&error| error > 0.0))
            .and_then(|error| half_width(error, result.blocks))
            .map(|width| [score - width, score + width]),
    };
    let said: Vec<_> = scores.iter().map(|(name, score, _)| format!("{name} {score:.4}")).collect();
    heading.about = format!("A row for each with its score and interval: {}.", said.join(", "));
    Dots {
        heading,
        axis: "score: wins for each game and seat held".to_owned(),
        series: vec!["score".to_owned()],
        reference: "even: 1 / number of seats".to_owned(),
        rows: (scores.iter())
            .map(|(name, ..)| DotRow {
                name: name.clone(),
                reference: Some(1.0 / result.rules.sides() as f64),
            })
            .collect(),
        panels: vec![DotPanel {
            name: String::new(),
            rows: (scores.iter()).map(|&(_, score, error)| vec![Some(dot(score, error))]).collect(),
        }],
    }
}

fn scores<R: RuleSet>(result: &TournamentResult<R>) -> Dots {
    let mut heading = heading(result, "scores", "What each bot gets of a win");
    if result.sprt.is_some() {
        heading.notes.push("The test chose when to stop, so scores lean to its verdict.".into());
    }
    let bots = result.bots.iter().map(|bot| (bot.name.clone(), bot.score, bot.score_se));
    dots(result, heading, &bots.collect::<Vec<_>>())
}

fn seats<R: RuleSet>(result: &TournamentResult<R>) -> Dots {
    let heading = heading(result, "seats", "What each seat gets of a win, whoever holds it");
    let seats = Seat::all(result.rules.sides()).zip(&result.seats);
    let seats = seats.map(|(seat, of)| (format!("seat {seat}"), of.score, of.score_se));
    dots(result, heading, &seats.collect::<Vec<_>>())
}

fn lengths<R: RuleSet>(result: &TournamentResult<R>) -> Option<Lengths> {
    let &(unit, ref length) = result.lengths.0.first()?;
    let mut heading = heading(result, "lengths", &format!("How many {unit} games have"));
    heading.about = format!(
        "The distribution of the {unit} of a game: median {}, 5 to 95 % from {} to {}.",
        length.median, length.q05, length.q95
    );
    Some(Lengths {
        heading,
        axis: format!("{unit} in a game"),
        step: unit.trim_end_matches('s').to_owned(),
        panels: vec![LengthPanel {
            name: String::new(),
            base: LengthLine { name: "all games".to_owned(), games: length.histogram.clone() },
            lines: Vec::new(),
        }],
    })
}
