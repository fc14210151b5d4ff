//! The command that plays a study again: [`study_command`].

use serde::Serialize;
use sho_core::RuleSet;

use crate::experiment::MetricsTier;
use crate::study::{Seconds, StudyResult, variations};

/// The command that plays a study again; nothing where there is none, because its first block is not block 0.
#[must_use]
pub fn study_command<R: RuleSet + Serialize>(result: &StudyResult<R>) -> Option<String> {
    if result.block_range.from != 0 {
        return None;
    }
    let mut words = vec!["sho".to_owned(), "study".to_owned()];
    let mut add = |option: &str, value: String| {
        words.push(option.to_owned());
        words.push(quoted(&value));
    };
    add("--game", result.game.clone());
    // The preset that the summary names, and what deviates from it.
    let summary = result.rules.summary();
    let preset = summary.split(' ').next().unwrap_or_default();
    add("--rules", preset.to_owned());
    if let Ok(preset) = R::preset(preset) {
        for setting in R::SETTINGS {
            let value = (setting.get)(&result.rules);
            if value != (setting.get)(&preset) {
                add("--set", format!("{}={value}", setting.name));
            }
        }
    }
    add("--vary", varied(result));
    add("--design", result.design.name().to_owned());
    for policy in &result.policies {
        add("--bot", policy.name.clone());
    }
    add("--blocks", result.blocks.to_string());
    add("--seed", result.seed.to_string());
    if !result.measures.iter().any(|measure| measure.name == "throws") {
        add("--opening-turns", result.opening_turns.to_string());
    }
    if result.metrics == MetricsTier::Full {
        add("--metrics", "full".to_owned());
    }
    add("--seconds-a-throw", result.seconds_a_throw.to_string());
    if result.seconds_a_decision != Seconds(0) {
        add("--seconds-a-decision", result.seconds_a_decision.to_string());
    }
    Some(words.join(" "))
}

/// What `--vary` has to say, so that the same settings vary and the same are named as left out.
fn varied<R: RuleSet>(result: &StudyResult<R>) -> String {
    let named = |whole: bool| -> String {
        let one = |variation: &crate::study::Variation| {
            let left = result.left_out.iter().any(|left| left.setting == variation.setting);
            if whole && left {
                return variation.setting.clone();
            }
            // Values may have a `+` in them, and never a `/`.
            format!("{}={}", variation.setting, variation.values.join("/"))
        };
        result.varied.iter().map(one).collect::<Vec<_>>().join(",")
    };
    let explicit = named(false);
    let asked = [explicit.clone(), "all".to_owned(), named(true), format!("all,{explicit}")];
    let is_it = |asked: &&String| {
        variations(&result.rules, &[(*asked).clone()])
            .is_ok_and(|(varied, left_out)| varied == result.varied && left_out == result.left_out)
    };
    asked.iter().find(is_it).cloned().unwrap_or(explicit)
}

/// A word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=+,./:@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn words_are_quoted_where_a_shell_would_change_them() {
        assert_eq!(quoted("reopen=never/nothing-out"), "reopen=never/nothing-out");
        assert_eq!(quoted("exec:command=it's $HOME"), r"'exec:command=it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
