//! The weights that have a name: those of `medium`, of small boards, and of the whole board for all rules alike.

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

    /// Weights for the whole board, for all rules alike: those of `expectimax` from depth 3 on. The ones for single rules,
    /// by which `hard` and `expectimax` of depth 2 play, were tuned from them.
    ///
    /// They were found by an evolution strategy (CMA-ES), again for two and three sides under those three rules alike.
    /// What it maximised is the share of wins in matches with `medium` and with earlier weights, games of a look-ahead
    /// over one throw and the reply by the same weights among them, less the error of the chances as a forecast of who wins.
    /// At the end all were scaled to make that error least. Each single weight says little, since many features go
    /// together. The champion's is set by hand.
    pub const ALL_RULES: Self = Self {
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
