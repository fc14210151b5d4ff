//! Which of their own weights bots play by under which rules: [`Defaults`].

use std::fmt;

use sho_core::RuleSet;
use sho_core::sho::Rules;

use super::tuned;
use super::weights::Weights;
use crate::search::alphabeta::Limits;
use crate::spec::ChosenWeights;

/// What weights were found for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fits {
    /// Every board and all rules.
    All,
    /// Boards of at most so many shells and coins, whatever else the rules say.
    Boards {
        /// The most shells.
        shells: u8,
        /// The most coins of a side.
        coins: u8,
    },
    /// These rules, and those that are near.
    Rules(Rules),
}

/// Weights that a bot has by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    /// What they were found for, as people call it.
    pub(super) name: &'static str,
    pub(super) fits: Fits,
    pub(super) weights: Weights,
}

/// How well weights fit some rules.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fit {
    /// They were found for them, or for a range in which these are.
    Exact,
    /// They were found for others, which differ in the number of sides by so many, and in these settings.
    Near { sides: usize, settings: Vec<&'static str> },
    /// They were found for other boards.
    None,
}

impl Own {
    fn fit(&self, rules: &Rules) -> Fit {
        match self.fits {
            Fits::All => Fit::Exact,
            Fits::Boards { shells, coins } if rules.shells <= shells && rules.coins <= coins => {
                Fit::Exact
            }
            Fits::Boards { .. } => Fit::None,
            Fits::Rules(own) => {
                let sides = own.sides().abs_diff(rules.sides());
                let settings: Vec<&'static str> = (Rules::SETTINGS.iter())
                    .filter(|setting| {
                        setting.name != "sides" && !NEVER_MATTERS.contains(&setting.name)
                    })
                    .filter(|setting| (setting.get)(&own) != (setting.get)(rules))
                    .map(|setting| setting.name)
                    .collect();
                if sides == 0 && settings.is_empty() {
                    Fit::Exact
                } else {
                    Fit::Near { sides, settings }
                }
            }
        }
    }

    /// What is to be said of them under these rules.
    pub(super) fn chosen(&self, rules: &Rules) -> ChosenWeights {
        let differs = match self.fit(rules) {
            Fit::Near { sides, settings } => {
                (sides > 0).then_some("sides").into_iter().chain(settings).collect()
            }
            _ => Vec::new(),
        };
        ChosenWeights { found_for: self.name, differs }
    }
}

/// Settings that say when a game is given up, and nothing of how it is played.
const NEVER_MATTERS: [&str; 1] = ["max-throws"];

/// Weights of small boards, which both `hard` and `expectimax` play by. Where one board's end and the next's begin was found
/// by matches of one's weights with the other's; tall stacks and what threatens them are much the same for three coins and
/// for nine.
const SMALL_BOARDS: &[Own] = &[
    Own {
        name: "boards up to 8 shells",
        fits: Fits::Boards { shells: 8, coins: u8::MAX },
        weights: Weights::HARD_SMALLEST,
    },
    Own {
        name: "boards up to 16 shells",
        fits: Fits::Boards { shells: 16, coins: u8::MAX },
        weights: Weights::HARD_SMALL,
    },
];

/// The weights that a bot has by itself, for one set of rules and another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defaults(&'static [&'static [Own]]);

impl Defaults {
    /// Those of the bot `medium`.
    pub(super) const MEDIUM: Self = Self(&[&[
        Own {
            name: "boards up to 16 shells and 3 coins",
            fits: Fits::Boards { shells: 16, coins: 3 },
            weights: Weights::MEDIUM_SMALL,
        },
        Own { name: "all rules alike", fits: Fits::All, weights: Weights::MEDIUM },
    ]]);

    /// Those of the bot `hard`.
    pub(super) const HARD: Self = Self(&[SMALL_BOARDS, tuned::HARD]);

    /// Those of the bot `expectimax` of depth 2.
    const DEPTH_TWO: Self = Self(&[SMALL_BOARDS, tuned::DEPTH_TWO]);

    /// Those of deeper searches. By the weights that were tuned for depth 2 they play no better, and beat it by less.
    const DEEPER: Self = Self(&[
        SMALL_BOARDS,
        &[Own { name: "all rules alike", fits: Fits::All, weights: Weights::ALL_RULES }],
    ]);

    /// Those of a search that looks so far ahead: without a look ahead it is `hard`.
    pub(super) const fn of_search(limits: Limits) -> Self {
        match limits.depth {
            1 => Self::HARD,
            2 => Self::DEPTH_TWO,
            _ => Self::DEEPER,
        }
    }

    fn all(self) -> impl Iterator<Item = &'static Own> {
        self.0.iter().copied().flatten()
    }

    /// The weights for these rules: those that were found for them; else those for the rules that are nearest, first by the
    /// number of sides, then by how many other settings differ; of equally near ones the first.
    pub(super) fn of(&self, rules: &Rules) -> &'static Own {
        let mut best: Option<(&'static Own, (usize, usize))> = None;
        for own in self.all() {
            let distance = match own.fit(rules) {
                Fit::Exact => return own,
                Fit::Near { sides, settings } => (sides, settings.len()),
                Fit::None => continue,
            };
            if best.is_none_or(|(_, before)| distance < before) {
                best = Some((own, distance));
            }
        }
        best.expect("each bot has weights that are near to all rules").0
    }
}

impl fmt::Display for Defaults {
    /// All of them, each after a line that says what they are for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.all().try_for_each(|own| write!(f, "[{}]\n{}", own.name, own.weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(preset: &str, changes: &[&str]) -> Rules {
        let mut rules = Rules::preset(preset).unwrap();
        changes.iter().for_each(|change| rules.assign(change).unwrap());
        rules
    }

    fn about(rules: &Rules) -> String {
        Defaults::HARD.of(rules).chosen(rules).to_string()
    }

    #[test]
    fn rules_have_their_own_weights_or_the_nearest() {
        for preset in ["lhasa", "general", "bhutan"] {
            for sides in [2, 3] {
                let rules = rules(preset, &[&format!("sides={sides}"), "max-throws=5000"]);
                assert_eq!(about(&rules), format!("weights for {preset}, {sides} sides"));
            }
            let four = rules(preset, &["sides=4"]);
            assert_eq!(
                about(&four),
                format!("weights for {preset}, 3 sides, the nearest; not the same: sides")
            );
        }
        assert_eq!(
            about(&rules("general", &["sides=2", "going-home=exact"])),
            "weights for general, 2 sides, the nearest; not the same: going-home"
        );
        assert_eq!(
            about(&rules("bhutan", &["sides=4", "coins=8", "shells=40"])),
            "weights for bhutan, 3 sides, the nearest; not the same: sides, shells, coins"
        );
    }

    /// What a search of depth 1 does is what `hard` does. Weights that were tuned for one depth are not for another.
    #[test]
    fn each_depth_has_weights_of_its_own() {
        let rules = rules("lhasa", &["sides=2"]);
        let own = |depth| Defaults::of_search(Limits::depth(depth)).of(&rules);
        assert_eq!(own(1).weights, Defaults::HARD.of(&rules).weights);
        assert_eq!(own(2).name, "lhasa, 2 sides");
        assert_ne!(own(2).weights, own(1).weights);
        for depth in [3, 8] {
            assert_eq!(
                (own(depth).name, own(depth).weights),
                ("all rules alike", Weights::ALL_RULES)
            );
        }
    }

    #[test]
    fn small_boards_have_weights_whatever_else_the_rules_say() {
        for (shells, coins, hard, medium) in [
            (64, 9, "general, 2 sides", "all rules alike"),
            (17, 3, "general, 2 sides", "all rules alike"),
            (16, 3, "boards up to 16 shells", "boards up to 16 shells and 3 coins"),
            (16, 9, "boards up to 16 shells", "all rules alike"),
            (8, 2, "boards up to 8 shells", "boards up to 16 shells and 3 coins"),
        ] {
            let mut rules = rules("general", &["sides=2"]);
            (rules.shells, rules.coins) = (shells, coins);
            assert_eq!(Defaults::HARD.of(&rules).name, hard);
            assert_eq!(Defaults::MEDIUM.of(&rules).name, medium);
        }
    }
}
