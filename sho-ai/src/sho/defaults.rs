//! The weights that the bots have by themselves, and which of them fit which rules.

use std::fmt;

use sho_core::RuleSet;
use sho_core::sho::Rules;

use super::features::Features;
use super::weights::Weights;

impl Weights {
    /// Nothing weighs anything.
    const NONE: Self = Self::new([0; Features::NAMES.len()]);

    /// The weights of the bot `medium` on the whole board: where the coins are, and whose throw it is. It does not look at
    /// stacks as such, nor at what can land on them.
    ///
    /// They are the logistic regression of who won on these features, over 503,293 positions from games of earlier
    /// weights, which knew stacks as well, with 8 % random choices and against `easy`, for two and three sides under `lhasa`,
    /// `general` and `bhutan` alike. Only the champion's was set by hand, to a coin in the hand: champions are rare in such
    /// games.
    pub const MEDIUM: Self = Self {
        home: -1792,
        hand: -44679,
        opening: 31347,
        champion: -45000,
        coins_to_go: -463,
        sides_before: -6376,
        throw_due: 3962,
        to_spend: 1698,
        ..Self::NONE
    };

    /// The weights of the bot `hard` on the whole board.
    ///
    /// They were found by an evolution strategy (CMA-ES), again for two and three sides under those three rules alike.
    /// What it maximised is the share of wins in matches with `medium` and with earlier weights, games of a look-ahead
    /// over one throw and the reply by the same weights among them, less the error of the chances as a forecast of who wins.
    /// At the end all were scaled to make that error least. Each single weight says little, since many features go
    /// together. The champion's is set by hand.
    pub const HARD: Self = Self {
        home: 5588,
        hand: -11428,
        opening: -8086,
        champion: -5000,
        coins_to_go: 59,
        stacks: -8205,
        stacks_to_go: -56,
        squares: 1770,
        squares_to_go: 5,
        last_lap: -4224,
        last_lap_coins: -1988,
        sides_before: -1414,
        throw_due: 5946,
        to_spend: 6681,
        joins: 52481,
        hits: 20966,
        blocked: -4626,
        exposed: -37732,
        exposed_coins: -12856,
        exposed_to_go: 903,
        exposed_coins_to_go: -309,
        threatened: 44122,
        threatened_coins: -28126,
        threatened_to_go: -186,
        threatened_coins_to_go: 33,
    };

    /// The weights of the bot `medium` on small boards.
    ///
    /// They give away least on the boards that the [oracle](crate::oracle) knows: `fit_small_boards medium`, an example of
    /// this crate, made them. No champion comes up there; its weight is that of a coin in the hand.
    pub const MEDIUM_SMALL: Self = Self {
        home: 91914,
        hand: -89313,
        opening: 15012,
        champion: -89313,
        coins_to_go: 244,
        sides_before: 35765,
        throw_due: 115889,
        to_spend: 15935,
        ..Self::NONE
    };

    /// The weights of the bot `hard` on the smallest boards.
    ///
    /// They give away least on the two boards of eight shells that the [oracle](crate::oracle) knows, by themselves and in
    /// a search of depth 2: `fit_small_boards hard-8` made them. The champion's is that of a coin in the hand.
    pub const HARD_SMALLEST: Self = Self {
        home: 106663,
        hand: -58046,
        opening: 51341,
        champion: -58046,
        coins_to_go: 2319,
        stacks: -13328,
        stacks_to_go: -3376,
        squares: 23934,
        squares_to_go: 6655,
        last_lap: -13328,
        last_lap_coins: 10654,
        sides_before: -11931,
        throw_due: 18650,
        to_spend: 8306,
        joins: 122005,
        hits: -66819,
        blocked: -717963,
        exposed: -81126,
        exposed_coins: -81959,
        exposed_to_go: 19806,
        exposed_coins_to_go: 19629,
        threatened: 126137,
        threatened_coins: 127436,
        threatened_to_go: 4745,
        threatened_coins_to_go: 5015,
    };

    /// The weights of the bot `hard` on other small boards: the same for the four boards of nine and ten shells, by
    /// `fit_small_boards hard-10`.
    pub const HARD_SMALL: Self = Self {
        home: 118392,
        hand: -65748,
        opening: 61283,
        champion: -65748,
        coins_to_go: -2792,
        stacks: -2405,
        stacks_to_go: -10853,
        squares: 33878,
        squares_to_go: 4539,
        last_lap: -2405,
        last_lap_coins: 24559,
        sides_before: -14367,
        throw_due: 26391,
        to_spend: 4984,
        joins: 251992,
        hits: 52825,
        blocked: -169673,
        exposed: -129265,
        exposed_coins: -129242,
        exposed_to_go: 29752,
        exposed_coins_to_go: 29968,
        threatened: 11833,
        threatened_coins: 5617,
        threatened_to_go: 14314,
        threatened_coins_to_go: 13208,
    };
}

/// What weights were found for.
#[derive(Clone, Copy, Debug)]
enum Fits {
    /// Every board.
    All,
    /// Boards of at most so many shells and coins.
    Boards { shells: u8, coins: u8 },
    /// The whole board by these rules, with so many sides.
    Rules { rules: Rules, sides: u8 },
}

/// Weights that a bot has by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Own {
    /// What they were found for, as people call it.
    name: &'static str,
    fits: Fits,
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
            Fits::Rules { rules: mut own, sides } => {
                own.sides = sides;
                let sides = own.sides().abs_diff(rules.sides());
                let settings: Vec<&'static str> = (Rules::SETTINGS.iter())
                    .filter(|setting| setting.name != "sides")
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

    /// How the bot judges under these rules, as people say it.
    pub(super) fn about(&self, rules: &Rules) -> String {
        match self.fit(rules) {
            Fit::Near { sides, settings } => {
                let mut differs = Vec::new();
                if sides > 0 {
                    differs.push("sides");
                }
                differs.extend(settings);
                format!(
                    "weights for {}, the nearest; not the same: {}",
                    self.name,
                    differs.join(", ")
                )
            }
            _ => format!("weights for {}", self.name),
        }
    }
}

/// Weights of small boards, which both `hard` and `expectimax` play by. Where one board's end and the next's begin was found
/// by matches of one's weights with the other's; tall stacks and what threatens them are much the same for three coins and
/// for nine.
const SMALLEST: Own = Own {
    name: "boards up to 8 shells",
    fits: Fits::Boards { shells: 8, coins: u8::MAX },
    weights: Weights::HARD_SMALLEST,
};
const SMALL: Own = Own {
    name: "boards up to 16 shells",
    fits: Fits::Boards { shells: 16, coins: u8::MAX },
    weights: Weights::HARD_SMALL,
};

/// The weights that a bot has by itself, for one set of rules and another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Defaults(&'static [Own]);

impl Defaults {
    /// Those of the bot `medium`.
    pub(super) const MEDIUM: Self = Self(&[
        Own {
            name: "boards up to 16 shells and 3 coins",
            fits: Fits::Boards { shells: 16, coins: 3 },
            weights: Weights::MEDIUM_SMALL,
        },
        Own { name: "all rules alike", fits: Fits::All, weights: Weights::MEDIUM },
    ]);

    /// Those of the bot `hard`, which looks at the position after each of its actions and no further.
    pub(super) const HARD: Self = Self(&[
        SMALLEST,
        SMALL,
        tuned("lhasa, 2 sides", Rules::lhasa(), 2, include_str!("tuned/hard-lhasa-2.weights")),
        tuned("lhasa, 3 sides", Rules::lhasa(), 3, include_str!("tuned/hard-lhasa-3.weights")),
        tuned(
            "general, 2 sides",
            Rules::general(),
            2,
            include_str!("tuned/hard-general-2.weights"),
        ),
        tuned(
            "general, 3 sides",
            Rules::general(),
            3,
            include_str!("tuned/hard-general-3.weights"),
        ),
        tuned("bhutan, 2 sides", Rules::bhutan(), 2, include_str!("tuned/hard-bhutan-2.weights")),
        tuned("bhutan, 3 sides", Rules::bhutan(), 3, include_str!("tuned/hard-bhutan-3.weights")),
    ]);

    /// Those of the bot `expectimax`. What is good to choose by at once is another thing than what is good to look ahead by:
    /// each bot loses most matches by the other's weights.
    pub(super) const EXPECTIMAX: Self = Self(&[
        SMALLEST,
        SMALL,
        tuned(
            "lhasa, 2 sides",
            Rules::lhasa(),
            2,
            include_str!("tuned/expectimax-lhasa-2.weights"),
        ),
        tuned(
            "lhasa, 3 sides",
            Rules::lhasa(),
            3,
            include_str!("tuned/expectimax-lhasa-3.weights"),
        ),
        tuned(
            "general, 2 sides",
            Rules::general(),
            2,
            include_str!("tuned/expectimax-general-2.weights"),
        ),
        tuned(
            "general, 3 sides",
            Rules::general(),
            3,
            include_str!("tuned/expectimax-general-3.weights"),
        ),
        tuned(
            "bhutan, 2 sides",
            Rules::bhutan(),
            2,
            include_str!("tuned/expectimax-bhutan-2.weights"),
        ),
        tuned(
            "bhutan, 3 sides",
            Rules::bhutan(),
            3,
            include_str!("tuned/expectimax-bhutan-3.weights"),
        ),
    ]);

    /// The weights for these rules: those that were found for them; else those for the rules that are nearest, first by the
    /// number of sides, then by how many other settings differ; of equally near ones the first.
    pub(super) fn of(&self, rules: &Rules) -> &'static Own {
        let mut best: Option<(&'static Own, (usize, usize))> = None;
        for own in self.0 {
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

/// Weights of `sho tune`, from a file beside this one.
const fn tuned(name: &'static str, rules: Rules, sides: u8, file: &'static str) -> Own {
    Own { name, fits: Fits::Rules { rules, sides }, weights: Weights::of_lines(file) }
}

impl fmt::Display for Defaults {
    /// All of them, each after a line that says what they are for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|own| write!(f, "[{}]\n{}", own.name, own.weights))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(rules: &Rules) -> &'static str {
        Defaults::HARD.of(rules).name
    }

    fn rules(preset: &str, changes: &[&str]) -> Rules {
        let mut rules = Rules::preset(preset).unwrap();
        changes.iter().for_each(|change| rules.assign(change).unwrap());
        rules
    }

    #[test]
    fn rules_have_their_own_weights_or_the_nearest() {
        for preset in ["lhasa", "general", "bhutan"] {
            for sides in [2, 3] {
                let rules = rules(preset, &[&format!("sides={sides}")]);
                assert_eq!(name(&rules), format!("{preset}, {sides} sides"));
                assert_eq!(
                    Defaults::HARD.of(&rules).about(&rules),
                    format!("weights for {preset}, {sides} sides")
                );
            }
            let four = rules(preset, &["sides=4"]);
            assert_eq!(name(&four), format!("{preset}, 3 sides"));
        }
        let exact = rules("general", &["sides=2", "going-home=exact"]);
        assert_eq!(
            Defaults::HARD.of(&exact).about(&exact),
            "weights for general, 2 sides, the nearest; not the same: going-home"
        );
    }

    #[test]
    fn small_boards_have_weights_whatever_else_the_rules_say() {
        for (shells, expected) in [
            ("8", "boards up to 8 shells"),
            ("9", "boards up to 16 shells"),
            ("17", "general, 2 sides"),
        ] {
            let shells = format!("shells={shells}");
            let rules = rules("general", &["sides=2", "coins=3", &shells]);
            assert_eq!(name(&rules), expected);
        }
    }

    /// Every file says where its weights come from, and that they were proven.
    #[test]
    fn tuned_weights_have_an_origin() {
        for file in [
            include_str!("tuned/hard-lhasa-2.weights"),
            include_str!("tuned/hard-lhasa-3.weights"),
            include_str!("tuned/hard-general-2.weights"),
            include_str!("tuned/hard-general-3.weights"),
            include_str!("tuned/hard-bhutan-2.weights"),
            include_str!("tuned/hard-bhutan-3.weights"),
            include_str!("tuned/expectimax-lhasa-2.weights"),
            include_str!("tuned/expectimax-lhasa-3.weights"),
            include_str!("tuned/expectimax-general-2.weights"),
            include_str!("tuned/expectimax-general-3.weights"),
            include_str!("tuned/expectimax-bhutan-2.weights"),
            include_str!("tuned/expectimax-bhutan-3.weights"),
        ] {
            for what in ["# rules: ", "# command: sho tune ", "# seed: ", "# date: ", "# proof: "] {
                assert!(file.contains(what), "{what}\n{file}");
            }
            assert!(!file.contains("undecided") && !file.contains("failed"), "{file}");
            let lines: Vec<_> = file.lines().filter(|line| !line.starts_with('#')).collect();
            assert_eq!(lines.join("\n") + "\n", Weights::of_lines(file).to_string());
        }
    }
}
