//! A tuning as tables of text.

use std::fmt::Write;

use sho_core::RuleSet;

use crate::number::{counted, grouped, signed};
use crate::report::cells::{aligned, percent, table};
use crate::report::wrapped::wrapped;
use crate::stats::sprt::Verdict;
use crate::tune::{ScoreResult, TuneResult, TuneVerdict};

/// The result of a tuning as text of at most [`COLUMNS`](super::COLUMNS) columns: what was played on which blocks, how the
/// fit forecasts, how the search went, who won, and whether that is proven.
#[must_use]
pub fn tune_report(result: &TuneResult) -> String {
    let tune = &result.tune;
    let mut text = String::new();
    let sides = tune.rules.sides();
    text += &wrapped(&format!("sho, {sides} sides, rules: {}", tune.rules.summary()), 0);
    text += &wrapped(
        &format!(
            "weights for {}, base: those of {}; {}, seed {}",
            tune.bot,
            tune.base_name,
            counted(result.games, "game"),
            tune.seed
        ),
        0,
    );
    text += &wrapped("± is the 95 % interval, from blocks", 0);
    text.push('\n');
    stages(result, &mut text);
    fit(result, &mut text);
    polish(result, &mut text);
    choice(result, &mut text);
    proof(result, &mut text);
    weights(result, &mut text);
    text
}

fn score(score: &ScoreResult) -> String {
    let [low, high] = score.interval;
    format!("{:.2} ±{:.2} %", 100.0 * score.score, 50.0 * (high - low))
}

fn stages(result: &TuneResult, text: &mut String) {
    let mut rows = table(&["stage", "blocks", "from", "to"]);
    for stage in &result.stages {
        let blocks = stage.blocks;
        let mut row = vec![stage.stage.name().to_owned(), grouped(blocks.len())];
        if blocks.is_empty() {
            row.extend(["".to_owned(), "".to_owned()]);
        } else {
            row.extend([blocks.from.to_string(), (blocks.to - 1).to_string()]);
        }
        rows.add_row(row);
    }
    let _ = writeln!(text, "{}", aligned(rows));
}

fn fit(result: &TuneResult, text: &mut String) {
    let fit = &result.fit;
    let _ = writeln!(text);
    *text += &wrapped(
        &format!(
            "fit: {} of {}, ridge {:e}; as a forecast of who wins, on {} that it did not learn from:",
            counted(fit.positions, "position"),
            counted(result.tune.fit_blocks, "game"),
            fit.ridge,
            counted(fit.calibration.games, "game")
        ),
        0,
    );
    let mut rows = table(&["weights", "loss", "forecast 10-30 %", "30-50 %", "50-70 %", "70-90 %"]);
    let even = libm::log(result.tune.rules.sides() as f64);
    let mut named = vec![("base", &fit.base_calibration), ("fit", &fit.calibration)];
    named.extend(result.calibration.as_ref().map(|winner| ("winner", winner)));
    for (name, calibration) in named {
        let mut row = vec![name.to_owned(), format!("{:.4}", calibration.loss)];
        for (low, high) in [(0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9)] {
            let within = calibration.bins.iter().filter(|bin| (low..high).contains(&bin.forecast));
            let (mut count, mut sum) = (0, 0.0);
            for bin in within {
                count += bin.forecasts;
                sum += bin.forecasts as f64 * bin.outcome;
            }
            row.push(if count > 0 {
                format!("{:.1} % won", 100.0 * sum / count as f64)
            } else {
                String::new()
            });
        }
        rows.add_row(row);
    }
    let _ = writeln!(text, "{}", aligned(rows));
    let began = if fit.began { "the search began there" } else { "the search began at the base" };
    *text += &wrapped(&format!("knowing nothing loses {even:.4}"), 0);
    *text += &wrapped(&format!("the fit against the base: {}; {began}", score(&fit.score)), 0);
}

fn polish(result: &TuneResult, text: &mut String) {
    let tune = &result.tune;
    let _ = writeln!(text);
    *text += &wrapped(
        &format!(
            "polish by {}: {} of {} with {} each; where the search was, against the base:",
            tune.method.name(),
            counted(tune.generations, "generation"),
            counted(tune.candidates, "point"),
            counted(tune.blocks, "block"),
        ),
        0,
    );
    let mut rows = table(&["up to generation", "score of its mean", "best point", "step"]);
    let count = result.generations.len();
    let shown = 10.min(count).max(1);
    for index in 1..=shown {
        let Some(generation) = result.generations.get((count * index / shown).max(1) - 1) else {
            continue;
        };
        rows.add_row([
            generation.generation.to_string(),
            score(&generation.smooth),
            percent(generation.best),
            format!("{:.4}", generation.step),
        ]);
    }
    let _ = writeln!(text, "{}", aligned(rows));
    *text += &wrapped(
        "score: over up to ten generations, on blocks that had no part in finding it; best point: of one generation, \
         against the field, and so by luck too",
        0,
    );
}

fn choice(result: &TuneResult, text: &mut String) {
    let _ = writeln!(text);
    // Where forecasts do not count, a merit is the score.
    let counts = result.tune.forecast > 0;
    let columns = ["finalist", "score against the field", "less its forecasts' loss"];
    let mut rows = table(&columns[..2 + usize::from(counts)]);
    for finalist in &result.finalists {
        let won = if finalist.name == result.winner { " (winner)" } else { "" };
        let mut row = vec![format!("{}{won}", finalist.name), score(&finalist.score)];
        if counts {
            row.push(format!("{:.4}", finalist.merit));
        }
        rows.add_row(row);
    }
    let _ = writeln!(text, "{}", aligned(rows));
    if let (Some(measure), Some(optimism)) = (&result.measure, &result.optimism) {
        *text += &wrapped(&format!("the winner on other blocks: {}", score(measure)), 0);
        *text += &wrapped(
            &format!(
                "optimism, the score that chose it less that one: {} ±{:.2} % points",
                signed(100.0 * optimism.value, 2),
                196.0 * optimism.se
            ),
            0,
        );
    }
}

fn proof(result: &TuneResult, text: &mut String) {
    let _ = writeln!(text);
    if !result.tests.is_empty() {
        let mut rows = table(&["proof", "blocks", "Elo", "LLR", ""]);
        for test in &result.tests {
            let elo = match (test.elo, test.elo_interval) {
                (Some(elo), (Some(low), Some(high))) => {
                    format!("{} ±{:.1}", signed(elo, 1), (high - low) / 2.0)
                }
                (Some(elo), _) => signed(elo, 1),
                (None, _) => "no number".to_owned(),
            };
            let verdict = match test.verdict {
                Verdict::H1 => "passed",
                Verdict::H0 => "failed",
                Verdict::Undecided => "undecided",
            };
            rows.add_row([
                format!("{}: {}", test.bot, test.lineup.join(", ")),
                grouped(test.blocks),
                elo,
                test.llr.map_or(String::new(), |llr| signed(llr, 2)),
                verdict.to_owned(),
            ]);
        }
        let _ = writeln!(text, "{}", aligned(rows));
        *text += &wrapped(&format!("sequential test of {}", result.tune.test), 0);
    }
    *text += &wrapped(
        match result.verdict {
            TuneVerdict::Proven => "proven: the winner is better than the base",
            TuneVerdict::NotProven => "not proven: the winner did not pass all tests",
            TuneVerdict::NothingBetter => {
                "nothing better was found: no finalist did better than the base"
            }
        },
        0,
    );
}

fn weights(result: &TuneResult, text: &mut String) {
    let _ = writeln!(text);
    let mut rows = table(&["weight", "base", "fit", "winner"]);
    let fit = result.fit.weights.values();
    for (index, ((name, base), (_, winner))) in
        result.tune.base.iter().zip(result.weights.iter()).enumerate()
    {
        rows.add_row([
            name.to_owned(),
            base.to_string(),
            fit[index].to_string(),
            winner.to_string(),
        ]);
    }
    let _ = writeln!(text, "{}", aligned(rows));
    *text += &wrapped("in 1/65536 of an octave, by which the odds to win double", 0);
}
