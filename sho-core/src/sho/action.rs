//! What a side of Sho chooses, [`Action`], and what that does, [`Effect`].

use core::cmp::Ordering;

use super::gap::Gap;
use super::values::{Values, Waiting};

/// A choice of the side to move.
///
/// `distance` is in gaps; `spent` are the waiting values whose sum it is, and is empty where the distance is a
/// left-over. Actions are ordered as in the promised list: by source (hand first, then gaps rising), then distance,
/// then the values spent; the six-three and `Again` last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// One coin from the hand to the gap `distance`.
    Enter {
        /// The gap it lands in.
        distance: u8,
        /// The values spent.
        spent: Values,
    },
    /// The opening stack from the hand to the gap `distance`.
    Open {
        /// The gap it lands in.
        distance: u8,
        /// The values spent.
        spent: Values,
    },
    /// Two coins from the hand to gap 2, spending a 2 (phase `pair`).
    Pair,
    /// The stack in `from`, `distance` gaps on.
    Move {
        /// Where the stack stands.
        from: Gap,
        /// How far it goes.
        distance: u8,
        /// The values spent.
        spent: Values,
    },
    /// The whole hand to gap 9, spending a 9 by 6-3.
    SixThree,
    /// Keep the 2 of a pa ra and throw again (phase `pair`).
    Again,
}

impl Action {
    /// The distance in gaps; 0 for [`Again`](Self::Again).
    #[must_use]
    pub const fn distance(self) -> u8 {
        match self {
            Self::Enter { distance, .. }
            | Self::Open { distance, .. }
            | Self::Move { distance, .. } => distance,
            Self::Pair => 2,
            Self::SixThree => 9,
            Self::Again => 0,
        }
    }

    /// The values spent; none for [`Again`](Self::Again) and for a left-over.
    #[must_use]
    pub const fn spent(self) -> Values {
        match self {
            Self::Enter { spent, .. } | Self::Open { spent, .. } | Self::Move { spent, .. } => {
                spent
            }
            Self::Pair => Values::one(2),
            Self::SixThree => Values::one(9),
            Self::Again => Values::NONE,
        }
    }

    /// The gap that the coins leave; nothing where they come from the hand, or none move.
    #[must_use]
    pub const fn from(self) -> Option<Gap> {
        match self {
            Self::Move { from, .. } => Some(from),
            _ => None,
        }
    }

    /// The coins' distance from the hand after the action: the gap they land in, or, `shells` and above, home.
    #[must_use]
    pub const fn landing(self) -> u8 {
        match self {
            Self::Move { from, distance, .. } => from.number() + distance,
            other => other.distance(),
        }
    }

    /// What [`Ord`] compares first: the source's place in the list, and the kind where a source has several.
    const fn rank(self) -> (u8, u8) {
        match self {
            Self::Enter { .. } => (0, 0),
            Self::Open { .. } => (0, 1),
            Self::Pair => (0, 2),
            Self::Move { from, .. } => (from.number(), 0),
            Self::SixThree => (64, 0),
            Self::Again => (65, 0),
        }
    }
}

impl Ord for Action {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank()
            .cmp(&other.rank())
            .then_with(|| self.distance().cmp(&other.distance()))
            .then_with(|| self.spent().cmp(&other.spent()))
    }
}

impl PartialOrd for Action {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Where coins come down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Landing {
    /// On an empty gap.
    Quiet,
    /// Past the last shell.
    Home,
    /// On a stack of their own side.
    Join,
    /// On an enemy stack, which goes back to its owner's hand.
    Kill,
}

impl Landing {
    /// The word for it: `quiet`, `home`, `join` or `kill`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Quiet => "quiet",
            Self::Home => "home",
            Self::Join => "join",
            Self::Kill => "kill",
        }
    }
}

/// What an action does: how the coins come down, how many, and what is left waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Effect {
    /// How the coins come down; nothing for [`Action::Again`], which moves none.
    pub landing: Option<Landing>,
    /// The coins that move, not counting a stack that they join.
    pub coins: u8,
    /// The coins that are killed.
    pub killed: u8,
    /// The values that the action leaves waiting, whether or not they can still be used.
    pub left: Waiting,
}
