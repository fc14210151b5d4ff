//! The house rules of Sholo Guti as data: [`Rules`], their presets and settings.

use crate::rule_set::{
    ImpossibleRules, Preset, RuleSet, Setting, number_setting, word_setting, words,
};

words! {
    /// Whether takes must be made.
    Takes {
        /// Taking is a choice, and a run may stop after any take.
        Optional = "optional",
        /// Where a take is open one must be made, and a run goes on until its piece has no take left.
        Forced = "forced",
    }
}

/// The rules of a game of Sholo Guti. Start from a preset and change fields; [`check`](RuleSet::check) says whether the
/// whole makes sense, and so does every game that is built from it.
///
/// ```
/// use sho_core::{RuleSet, sholo_guti::{Rules, Takes}};
/// let mut rules = Rules::standard();
/// rules.takes = Takes::Forced;
/// assert_eq!(rules, Rules::forced());
/// rules.quiet_turns = 100;
/// assert_eq!(rules.summary(), "forced with quiet-turns=100");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Rules {
    /// Whether takes must be made.
    pub takes: Takes,
    /// Turns in a row without a take after which the game is drawn, at least 1.
    pub quiet_turns: u16,
    /// How often a position stands with the same side to move until the game is drawn, at least 2. A position comes
    /// again after four quiet turns at the earliest, so beyond `quiet_turns / 4 + 1` the number has no effect.
    pub repeats: u16,
}

impl Rules {
    /// Optional takes, and the default.
    #[must_use]
    pub const fn standard() -> Self {
        Self { takes: Takes::Optional, quiet_turns: 80, repeats: 3 }
    }

    /// Forced takes.
    #[must_use]
    pub const fn forced() -> Self {
        Self { takes: Takes::Forced, ..Self::standard() }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::standard()
    }
}

impl RuleSet for Rules {
    const SETTINGS: &'static [Setting<Self>] = &[
        word_setting!(
            "takes",
            takes,
            Takes,
            "whether an open take must be made and a run finished"
        ),
        number_setting!(
            "quiet-turns",
            quiet_turns,
            1..=65535,
            "turns in a row without a take after which the game is drawn"
        ),
        number_setting!(
            "repeats",
            repeats,
            2..=65535,
            "how often a position may stand before the game is drawn"
        ),
    ];

    const PRESETS: &'static [Preset<Self>] = &[
        Preset {
            name: "standard",
            about: "taking is a choice, and a run may stop after any take",
            source: "the article on sixteen soldiers in Wikipedia, after H. Parker, Ancient Ceylon, 1909",
            reconstructed: false,
            rules: Self::standard(),
        },
        Preset {
            name: "forced",
            about: "an open take must be made, and a run finished",
            source: "the app Sholo Guti Champ",
            reconstructed: true,
            rules: Self::forced(),
        },
    ];

    fn sides(&self) -> usize {
        2
    }

    fn check(&self) -> Result<(), ImpossibleRules> {
        let ranges = [("quiet-turns", self.quiet_turns, 1), ("repeats", self.repeats, 2)];
        for (setting, value, low) in ranges {
            if value < low {
                return Err(ImpossibleRules::OutOfRange {
                    setting,
                    value: value.into(),
                    low: low.into(),
                    high: u16::MAX.into(),
                });
            }
        }
        Ok(())
    }
}

impl core::fmt::Display for Rules {
    /// All settings as `name=value`, in their documented order, separated by spaces.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.settings_text())
    }
}
