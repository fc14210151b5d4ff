//! The pictures of a tuning: [`tune_pictures`].

use sho_core::RuleSet;

use super::frame::Heading;
use super::plane::{Plane, PlanePoint, PlaneSeries, Reference};
use super::svg::Picture;
use crate::number::counted;
use crate::stats::interval::half_width;
use crate::tune::{Calibration, GenerationResult, TuneResult};

/// The pictures of a tuning: whether forecasts come true, and how strength grew. A function of the result alone.
#[must_use]
pub fn tune_pictures(result: &TuneResult) -> Vec<Picture> {
    vec![calibration(result).draw(), polish(result).draw()]
}

fn heading(result: &TuneResult, name: &str, title: &str) -> Heading {
    let tune = &result.tune;
    Heading {
        name: name.to_owned(),
        title: title.to_owned(),
        under: format!(
            "sho, {} sides, rules: {}. Weights for {}, seed {}.",
            tune.rules.sides(),
            tune.rules.summary(),
            tune.bot,
            tune.seed
        ),
        ..Heading::default()
    }
}

fn calibration(result: &TuneResult) -> Plane {
    let mut heading = heading(result, "calibration", "Do forecasts come true?");
    let series = |name: &str, calibration: &Calibration| PlaneSeries {
        name: format!("{name}, loss {:.4}", calibration.loss),
        points: (calibration.bins.iter())
            .filter(|bin| bin.forecasts >= 20)
            .map(|bin| {
                let half = half_width(bin.outcome_se, calibration.games);
                let interval =
                    half.map(|half| [(bin.outcome - half).max(0.0), (bin.outcome + half).min(1.0)]);
                PlanePoint { x: bin.forecast, y: bin.outcome, interval }
            })
            .collect(),
        is_line: false,
    };
    let fit = &result.fit;
    let mut all = vec![series("base", &fit.base_calibration), series("fit", &fit.calibration)];
    if let Some(calibration) = &result.calibration {
        all.push(series("winner", calibration));
    }
    let losses: Vec<_> = all.iter().map(|series| series.name.clone()).collect();
    heading.about = format!(
        "For each size of a forecast the share of games that were won. On the diagonal forecasts come true. {}.",
        losses.join("; ")
    );
    heading.notes = vec![format!(
        "{} of {} that no weights were fitted to, seat by seat in twentieths of the forecast; intervals from games.",
        counted(fit.calibration.positions, "position"),
        counted(fit.calibration.games, "game")
    )];
    Plane {
        heading,
        across: "forecast: chance to win".to_owned(),
        upright: "won: share of games".to_owned(),
        reference: (Reference::Diagonal, "forecast and outcome alike".to_owned()),
        series: all,
    }
}

fn polish(result: &TuneResult) -> Plane {
    let mut heading = heading(result, "polish", "How strength grew");
    let even = 1.0 / result.tune.rules.sides() as f64;
    let series = |name: &str, is_line: bool, score: fn(&GenerationResult) -> f64| PlaneSeries {
        name: name.to_owned(),
        points: (result.generations.iter())
            .map(|generation| PlanePoint {
                x: generation.generation as f64,
                y: score(generation),
                interval: None,
            })
            .collect(),
        is_line,
    };
    let points = series("where the search was", false, |generation| generation.mean.score);
    let line = series("mean of ten generations", true, |generation| generation.smooth.score);
    let last = result.generations.last();
    heading.about = last.map_or(String::new(), |last| {
        format!(
            "The score against copies of the base, generation by generation; over the last ten it is {:.4}, and even is \
             {even:.4}.",
            last.smooth.score
        )
    });
    heading.notes = vec![format!(
        "Each point is the score of the weights that came from the generations before it, on {} that had no part in \
         finding them.",
        counted(result.tune.blocks, "block")
    )];
    Plane {
        heading,
        across: "generation".to_owned(),
        upright: "score against copies of the base: wins a game".to_owned(),
        reference: (Reference::Level(even), "even".to_owned()),
        series: vec![points, line],
    }
}
