//! The house rules of Sho as data: [`Rules`], their presets and settings.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::rule_set::{
    ImpossibleRules, Preset, RuleSet, Setting, SettingValues, number_setting, parse_number,
    word_setting, words, yes_no_setting,
};

words! {
    /// How a stack goes home.
    GoingHome {
        /// Every distance that reaches or passes the last shell.
        AnyThrow = "any-throw",
        /// Only the distance that lands just past it.
        Exact = "exact",
    }
}

words! {
    /// What becomes of the distance that a stack did not need to go home.
    LeftOver {
        /// Nothing.
        Lost = "lost",
        /// The mover uses it at once (Bhutanese local rule).
        Used = "used",
    }
}

words! {
    /// What an opening brings that lands on a fresh opening stack of another side.
    OpeningClash {
        /// Three coins.
        Three = "three",
        /// One more than the stack there.
        OneMore = "one-more",
    }
}

words! {
    /// When a side opens again.
    Reopen {
        /// Never.
        Never = "never",
        /// When its fresh opening stack was killed and it has nothing else on the board.
        OpeningKilled = "opening-killed",
        /// Whenever it begins a turn with nothing on the board.
        NothingOut = "nothing-out",
    }
}

words! {
    /// How waiting values are used.
    PaRa {
        /// Each may be spent, one action after the other.
        SpendEach = "spend-each",
        /// A quiet action ends the turn, and what still waits is lost.
        ChooseOne = "choose-one",
    }
}

words! {
    /// Whether a six-three may bring many coins in at once.
    SixThree {
        /// Never.
        Off = "off",
        /// All coins, when all are in the hand.
        AllNine = "all-nine",
        /// The whole hand, when nothing is on the board.
        WholeHand = "whole-hand",
    }
}

words! {
    /// Whether a stack of all coins may stand on the board (players call it dgu mo).
    NineStack {
        /// It may.
        Allowed = "allowed",
        /// A landing that would make it is illegal.
        Forbidden = "forbidden",
    }
}

words! {
    /// What a landing stack kills.
    Kill {
        /// Any stack no bigger than itself.
        EqualOrSmaller = "equal-or-smaller",
        /// Any single coin, and any strictly smaller stack.
        StacksNeedBigger = "stacks-need-bigger",
    }
}

/// A set of totals of two dice.
///
/// ```
/// use sho_core::sho::Totals;
/// let totals: Totals = [2, 3].into_iter().collect();
/// assert!(totals.contains(3) && !totals.contains(4));
/// assert_eq!(totals.to_string(), "2+3");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Totals(u16);

impl Totals {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The set of these totals.
    ///
    /// # Panics
    /// If a total is 16 or more.
    #[must_use]
    pub const fn of(totals: &[u8]) -> Self {
        let (mut set, mut index) = (0, 0);
        while index < totals.len() {
            assert!(totals[index] < 16, "a total of two dice is at most 12");
            set |= 1 << totals[index];
            index += 1;
        }
        Self(set)
    }

    /// Whether `total` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, total: u8) -> bool {
        total < 16 && self.0 >> total & 1 == 1
    }

    /// The totals in rising order.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..16).filter(move |&total| self.contains(total))
    }

    fn parse(text: &str) -> Option<Self> {
        if text == "none" {
            return Some(Self::NONE);
        }
        let mut set = Self::NONE;
        for part in text.split('+') {
            let total = parse_number(part).filter(|total| (2..=12).contains(total))?;
            set.0 |= 1 << total;
        }
        Some(set)
    }
}

impl FromIterator<u8> for Totals {
    /// # Panics
    /// If a total is 16 or more.
    fn from_iter<I: IntoIterator<Item = u8>>(totals: I) -> Self {
        totals.into_iter().fold(Self::NONE, |set, total| Self(set.0 | Self::of(&[total]).0))
    }
}

impl core::fmt::Display for Totals {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if *self == Self::NONE {
            return f.write_str("none");
        }
        let totals: Vec<String> = self.iter().map(|total| total.to_string()).collect();
        f.write_str(&totals.join("+"))
    }
}

/// The rules of a game of Sho. Start from a preset and change fields; [`check`](RuleSet::check) says whether the whole
/// makes sense, and so does every game that is built from it.
///
/// ```
/// use sho_core::{RuleSet, sho::{Reopen, Rules}};
/// let mut rules = Rules::lhasa();
/// rules.sides = 2;
/// rules.reopen = Reopen::NothingOut;
/// rules.check()?;
/// assert_eq!(rules.summary(), "lhasa with reopen=nothing-out");
/// # Ok::<(), sho_core::ImpossibleRules>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Rules {
    /// Sides at the table, 2 to 4.
    pub sides: u8,
    /// Shells of the spiral, 8 to 64. Coins stand in the gaps 1 to `shells - 1`; home is at `shells`.
    pub shells: u8,
    /// Coins of a side, 1 to 9.
    pub coins: u8,
    /// Throws after which the game stops, at least 1.
    pub max_throws: u16,
    /// Values that may wait at once, 2 to 9.
    pub waiting_limit: u8,
    /// How a stack goes home.
    pub going_home: GoingHome,
    /// What becomes of what is left over of a distance.
    pub left_over: LeftOver,
    /// Coins that an opening brings, 1 to 3.
    pub opening_coins: u8,
    /// Totals with which an opening brings three.
    pub opening_bonus: Totals,
    /// What an opening brings against a fresh opening stack.
    pub opening_clash: OpeningClash,
    /// Whether an opening that kills throws again.
    pub opening_kill_throws: bool,
    /// When a side opens again.
    pub reopen: Reopen,
    /// How waiting values are used.
    pub pa_ra: PaRa,
    /// Whether a pa ra may bring two coins in at gap 2.
    pub pa_ra_pair: bool,
    /// Whether three pa ras in a row win.
    pub three_pa_ra_wins: bool,
    /// Whether a six-three may bring many coins in.
    pub six_three: SixThree,
    /// Whether the coins of a six-three may kill.
    pub six_three_kills: bool,
    /// Whether a stack of all coins may stand.
    pub nine_stack: NineStack,
    /// Whether a join throws again.
    pub join_throws: bool,
    /// What a landing stack kills.
    pub kill: Kill,
    /// Whether the others ally against a leader (Bhutanese local rule; three sides or more).
    pub alliance: bool,
}

impl Rules {
    /// The rules that players in Lhasa gave to Daisuke Murakami, and the default.
    #[must_use]
    pub const fn lhasa() -> Self {
        Self {
            sides: 3,
            shells: 64,
            coins: 9,
            max_throws: 2000,
            waiting_limit: 9,
            going_home: GoingHome::AnyThrow,
            left_over: LeftOver::Lost,
            opening_coins: 2,
            opening_bonus: Totals::of(&[2, 3]),
            opening_clash: OpeningClash::Three,
            opening_kill_throws: true,
            reopen: Reopen::Never,
            pa_ra: PaRa::SpendEach,
            pa_ra_pair: false,
            three_pa_ra_wins: false,
            six_three: SixThree::AllNine,
            six_three_kills: false,
            nine_stack: NineStack::Allowed,
            join_throws: true,
            kill: Kill::EqualOrSmaller,
            alliance: false,
        }
    }

    /// The rules of the second account, a table app.
    #[must_use]
    pub const fn general() -> Self {
        Self {
            opening_bonus: Totals::NONE,
            opening_clash: OpeningClash::OneMore,
            opening_kill_throws: false,
            reopen: Reopen::OpeningKilled,
            pa_ra: PaRa::ChooseOne,
            pa_ra_pair: true,
            six_three: SixThree::WholeHand,
            six_three_kills: true,
            ..Self::lhasa()
        }
    }

    /// [`general`](Self::general) with the second account's two Bhutanese local rules.
    #[must_use]
    pub const fn bhutan() -> Self {
        Self { left_over: LeftOver::Used, alliance: true, ..Self::general() }
    }

    const fn tomoaki() -> Self {
        Self {
            opening_clash: OpeningClash::OneMore,
            reopen: Reopen::NothingOut,
            three_pa_ra_wins: true,
            six_three_kills: true,
            ..Self::lhasa()
        }
    }

    /// Whether the alliance can have an effect.
    #[inline]
    #[must_use]
    pub const fn has_alliance(&self) -> bool {
        self.alliance && self.sides > 2
    }

    /// Whether a landing stack of `ours` kills a stack of `theirs`.
    #[inline]
    #[must_use]
    pub const fn kills(&self, ours: u8, theirs: u8) -> bool {
        match self.kill {
            Kill::EqualOrSmaller => ours >= theirs,
            Kill::StacksNeedBigger => theirs == 1 || ours > theirs,
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::lhasa()
    }
}

const FIRST_ACCOUNT: &str = "players in Lhasa, in D. Murakami, Revue d'Etudes Tibétaines 29, 2014";
const SECOND_ACCOUNT: &str = "the rules page of a table app of Sho";

impl RuleSet for Rules {
    const SETTINGS: &'static [Setting<Self>] = &[
        number_setting!("sides", sides, 2..=4, "how many sides play"),
        number_setting!("shells", shells, 8..=64, "shells of the spiral; home is past the last"),
        number_setting!("coins", coins, 1..=9, "coins of each side"),
        number_setting!(
            "max-throws",
            max_throws,
            1..=65535,
            "throws after which the game stops and most coins home win"
        ),
        number_setting!("waiting-limit", waiting_limit, 2..=9, "how many values may wait at once"),
        word_setting!(
            "going-home",
            going_home,
            GoingHome,
            "whether a stack goes home by any throw that passes the last shell"
        ),
        word_setting!(
            "left-over",
            left_over,
            LeftOver,
            "what becomes of the count that a stack going home did not need"
        ),
        number_setting!("opening-coins", opening_coins, 1..=3, "coins that an opening brings"),
        Setting {
            name: "opening-bonus",
            values: SettingValues::Totals,
            about: "totals with which an opening brings three coins",
            get: |rules| rules.opening_bonus.to_string(),
            set: |rules, text| {
                Totals::parse(text).map(|totals| rules.opening_bonus = totals).is_some()
            },
        },
        word_setting!(
            "opening-clash",
            opening_clash,
            OpeningClash,
            "what an opening brings that lands on a fresh opening stack"
        ),
        yes_no_setting!(
            "opening-kill-throws",
            opening_kill_throws,
            "whether an opening that kills throws again"
        ),
        word_setting!("reopen", reopen, Reopen, "when a side opens again"),
        word_setting!(
            "pa-ra",
            pa_ra,
            PaRa,
            "whether each waiting value may be spent, or one choice ends the turn"
        ),
        yes_no_setting!(
            "pa-ra-pair",
            pa_ra_pair,
            "whether a pa ra may bring two coins in at gap 2 instead of waiting"
        ),
        yes_no_setting!(
            "three-pa-ra-wins",
            three_pa_ra_wins,
            "whether three pa ras in a row win on the spot"
        ),
        word_setting!(
            "six-three",
            six_three,
            SixThree,
            "whether a 6-3 may bring many coins in at gap 9"
        ),
        yes_no_setting!(
            "six-three-kills",
            six_three_kills,
            "whether the coins of a six-three may land on an enemy"
        ),
        word_setting!(
            "nine-stack",
            nine_stack,
            NineStack,
            "whether all coins of a side may stand as one stack (dgu mo)"
        ),
        yes_no_setting!("join-throws", join_throws, "whether a join throws again"),
        word_setting!("kill", kill, Kill, "what a landing stack kills"),
        yes_no_setting!(
            "alliance",
            alliance,
            "whether the others ally against a leader (three sides or more)"
        ),
    ];

    const PRESETS: &'static [Preset<Self>] = &[
        Preset {
            name: "lhasa",
            about: "the standard rules",
            source: FIRST_ACCOUNT,
            reconstructed: false,
            rules: Self::lhasa(),
        },
        Preset {
            name: "general",
            about: "the second account's general rules",
            source: SECOND_ACCOUNT,
            reconstructed: false,
            rules: Self::general(),
        },
        Preset {
            name: "bhutan",
            about: "general with the two Bhutanese local rules: the left-over count and the alliance",
            source: SECOND_ACCOUNT,
            reconstructed: false,
            rules: Self::bhutan(),
        },
        Preset {
            name: "wikipedia",
            about: "an opening by 1-1 alone brings three, and a pa ra is used once",
            source: "the article on Sho in Wikipedia",
            reconstructed: true,
            rules: Self {
                opening_bonus: Totals::of(&[2]),
                pa_ra: PaRa::ChooseOne,
                ..Self::lhasa()
            },
        },
        Preset {
            name: "tomoaki",
            about: "a side with nothing out opens again, and three pa ras in a row win",
            source: "a phone app of Sho by Tomoaki",
            reconstructed: true,
            rules: Self::tomoaki(),
        },
        Preset {
            name: "darjeeling",
            about: "as tomoaki, and only a bigger stack kills a stack",
            source: "an account of play in Darjeeling",
            reconstructed: true,
            rules: Self { kill: Kill::StacksNeedBigger, ..Self::tomoaki() },
        },
        Preset {
            name: "qinghai",
            about: "an opening by 2 or 12 brings three, and there is no six-three",
            source: "a news report from Qinghai, 2018",
            reconstructed: true,
            rules: Self {
                opening_bonus: Totals::of(&[2, 12]),
                six_three: SixThree::Off,
                ..Self::lhasa()
            },
        },
    ];

    fn sides(&self) -> usize {
        self.sides.into()
    }

    fn check(&self) -> Result<(), ImpossibleRules> {
        let ranges: [(&'static str, u32, u32, u32); 6] = [
            ("sides", self.sides.into(), 2, 4),
            ("shells", self.shells.into(), 8, 64),
            ("coins", self.coins.into(), 1, 9),
            ("max-throws", self.max_throws.into(), 1, 65535),
            ("waiting-limit", self.waiting_limit.into(), 2, 9),
            ("opening-coins", self.opening_coins.into(), 1, 3),
        ];
        for (setting, value, low, high) in ranges {
            if value < low || value > high {
                return Err(ImpossibleRules::OutOfRange { setting, value, low, high });
            }
        }
        if self.opening_coins > self.coins {
            let (opening_coins, coins) = (self.opening_coins, self.coins);
            return Err(ImpossibleRules::OpeningAboveCoins { opening_coins, coins });
        }
        if self.opening_bonus.iter().any(|total| !(2..=12).contains(&total)) {
            return Err(ImpossibleRules::BonusOutOfRange);
        }
        if self.nine_stack == NineStack::Forbidden && self.coins == self.opening_coins {
            return Err(ImpossibleRules::NobodyCanOpen(self.coins));
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
