//! What a self-test found, as a table.

use std::fmt::Write;

use sho_core::RuleSet;

use crate::number::grouped;
use crate::report::wrapped;
use crate::selftest::check::{Check, Verdict};
use crate::selftest::{Kind, SelfTest, Tested};

/// The report as text of at most 80 columns: for each experiment what was played, and a line for each rate.
#[must_use]
pub fn self_test_table<R: RuleSet>(found: &SelfTest<R>) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    let _ = write(&mut text, found);
    text
}

fn write<R: RuleSet>(text: &mut String, found: &SelfTest<R>) -> std::fmt::Result {
    let rules = found.tables.first().map(RuleSet::summary).unwrap_or_default();
    *text += &wrapped(&format!("self-test of {}, rules: {rules}", found.game), 0);
    *text += &wrapped(
        &format!(
            "{} matches of {} blocks in each experiment, seed {}",
            grouped(found.matches),
            grouped(found.blocks),
            found.seed
        ),
        0,
    );
    for tested in &found.experiments {
        writeln!(text)?;
        *text += &wrapped(&title(tested), 0);
        if let Some(truth) = &tested.reference {
            let error = |error: Option<f64>| error.unwrap_or(0.0);
            let score = truth.score.map_or_else(String::new, |score| {
                format!("score {score:.4} (error {:.4}), ", error(truth.score_se))
            });
            *text += &wrapped(
                &format!(
                    "the truth, from {} further blocks: {score}seat A {:.4} (error {:.4}), mean length {:.2} (error \
                     {:.2})",
                    grouped(truth.blocks),
                    truth.seat,
                    error(truth.seat_se),
                    truth.length,
                    error(truth.length_se),
                ),
                0,
            );
        }
        writeln!(text, "{:40} {:>5} {:>11} {:>11} verdict", "", "rate", "seen", "95 %")?;
        for check in &tested.checks {
            line(text, check)?;
        }
    }
    let checks = || found.experiments.iter().flat_map(|tested| &tested.checks);
    let wrong = checks().filter(|check| !check.ok()).count();
    let untested = checks().filter(|check| check.verdict == Verdict::Untested).count();
    writeln!(text)?;
    *text += &wrapped(
        &match wrong {
            0 => format!("all {} rates are as stated", checks().count() - untested),
            wrong => format!("{wrong} of {} rates are not as stated", checks().count() - untested),
        },
        0,
    );
    if untested > 0 {
        *text += &wrapped(&format!("{untested} could not be tested: they had no meaning"), 0);
    }
    Ok(())
}

fn title(tested: &Tested) -> String {
    let lineups: Vec<String> = tested
        .lineups
        .iter()
        .map(|lineup| {
            let names: Vec<&str> = lineup.iter().map(|&bot| tested.bots[bot].as_str()).collect();
            names.join(",")
        })
        .collect();
    let lineup = &lineups[0];
    match tested.kind {
        Kind::Equal => {
            format!("Equals, {} sides: {lineup}, the first against the rest", tested.seats)
        }
        Kind::Pool => {
            format!("Ratings of equals, {} sides: three times {}", tested.seats, tested.bots[0])
        }
        Kind::Third => {
            format!("Equals with another, {} sides: {lineup}, in all orders", tested.seats)
        }
        Kind::Copies => format!("Copies, {} sides: {lineup}", tested.seats),
        Kind::Unequal => format!("Unequal, {} sides: {lineup}", tested.seats),
    }
}

fn line(text: &mut String, check: &Check) -> std::fmt::Result {
    let per_cent = |rate: f64| format!("{:.1}", 100.0 * rate);
    let stated = 100.0 * check.nominal;
    let stated = if check.at_most && stated > 0.0 {
        format!("≤ {stated:.0} %")
    } else {
        format!("{stated:.0} %")
    };
    let interval = if check.of == 0 || check.nominal == 0.0 {
        "-".to_owned()
    } else {
        format!("{}-{} %", per_cent(check.interval.0), per_cent(check.interval.1))
    };
    let seen = format!("{}/{}", check.seen, check.of);
    writeln!(
        text,
        "{:40} {stated:>5} {seen:>11} {interval:>11} {}",
        check.what,
        check.verdict.text()
    )
}
