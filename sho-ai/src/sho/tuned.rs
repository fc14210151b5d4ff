//! The weights that `sho tune` found for single rules, as the files beside this one have them: [`Own`] ones of `hard` and
//! of `expectimax`.
//!
//! Each file says in its first lines what made it and how it was proven. `tuned/ship.py` writes them, and refuses what
//! is not proven.

use sho_core::sho::Rules;

use super::defaults::{Fits, Own};
use super::weights::Weights;

/// The sets of one bot. Each names a preset and the number of sides, and its file by both.
macro_rules! tuned {
    ($bot:literal: $($preset:ident $sides:literal,)+) => {
        &[$(Own {
            name: concat!(stringify!($preset), ", ", $sides, " sides"),
            fits: Fits::Rules(with_sides(Rules::$preset(), $sides)),
            weights: Weights::of_lines(file!($bot, $preset, $sides)),
        }),+]
    };
}

macro_rules! file {
    ($bot:literal, $preset:ident, $sides:literal) => {
        include_str!(concat!("tuned/", $bot, "-", stringify!($preset), "-", $sides, ".weights"))
    };
}

const fn with_sides(mut rules: Rules, sides: u8) -> Rules {
    rules.sides = sides;
    rules
}

/// Those of `hard`, which looks at the position after each of its actions and no further.
pub(super) const HARD: &[Own] = tuned!("hard":
    lhasa 2, lhasa 3,
    general 2, general 3,
    bhutan 2, bhutan 3,
);

/// Those of `expectimax` of depth 2, which adds up what may follow. With two sides that asks for other weights than to choose
/// by: by those of `hard` it loses most matches. With three sides it plays best by those of `hard`.
pub(super) const DEPTH_TWO: &[Own] = tuned!("expectimax":
    lhasa 2, lhasa 3,
    general 2, general 3,
    bhutan 2, bhutan 3,
);

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Every file is used, says where its weights come from and that they were proven, and has nothing else.
    #[test]
    fn every_file_has_an_origin_and_a_proof() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/sho/tuned");
        let mut names: Vec<String> = (std::fs::read_dir(&folder).unwrap())
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".weights"))
            .collect();
        names.sort();
        let mut expected = Vec::new();
        for (bot, sets) in [("hard", HARD), ("expectimax", DEPTH_TWO)] {
            for own in sets {
                let name = own.name.replace(", ", "-").replace(" sides", "");
                let name = format!("{bot}-{name}.weights");
                let text = std::fs::read_to_string(folder.join(&name)).unwrap();
                let (preset, sides) = own.name.split_once(", ").unwrap();
                let sides = sides.strip_suffix(" sides").unwrap();
                let command = format!("# command: sho tune --rules {preset} --sides {sides} ");
                for what in [&*command, "# seed: ", "# date: ", "# result: ", "# proof: "] {
                    assert!(text.contains(what), "{name}: {what}");
                }
                let proofs = text.lines().filter(|line| line.starts_with("# proof: "));
                for proof in proofs.clone() {
                    assert!(proof.contains(": passed after "), "{name}: {proof}");
                }
                // With three sides one winner among copies of the base, and one base among copies of the winner.
                assert_eq!(proofs.count(), if sides == "2" { 1 } else { 2 }, "{name}");
                let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
                assert_eq!(lines.join("\n") + "\n", own.weights.to_string(), "{name}");
                expected.push(name);
            }
        }
        expected.sort();
        assert_eq!(names, expected);
    }

    /// The commands in the files begin where the bots began before they had weights for single rules.
    #[cfg(feature = "serde")]
    #[test]
    fn they_were_tuned_from_the_weights_for_all_rules() {
        let base = include_str!("tuned/all-rules.json");
        assert_eq!(Weights::from_json(base), Ok(Weights::ALL_RULES));
    }
}
