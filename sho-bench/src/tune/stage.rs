//! What is done one after the other, and on which blocks: [`Stage`].

use serde::{Deserialize, Serialize};

use crate::experiment::Blocks;

/// The label of the streams of a tuning. In the fit the stream's number is the block; for the points of a generation see
/// [`step`](super::step).
pub(super) const LABEL: &str = "sho/tune";

/// Blocks of a stage are numbered from a multiple of this on: more than any stage plays, so that no two share one.
const APART: u64 = 1 << 44;

/// The most blocks that a stage may have.
pub(super) const MOST_BLOCKS: u64 = 1 << 40;

/// A stage of a tuning. Each has its own range of blocks, so that no game that helped to find weights has a say in their
/// proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The regression.
    Fit,
    /// Where the search begins.
    Start,
    /// The search.
    Polish,
    /// Which of its points wins.
    Choice,
    /// The sequential tests.
    Proof,
    /// How strong the winner is.
    Measure,
}

impl Stage {
    /// All of them, in their order.
    pub const ALL: [Self; 6] =
        [Self::Fit, Self::Start, Self::Polish, Self::Choice, Self::Proof, Self::Measure];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fit => "fit",
            Self::Start => "start",
            Self::Polish => "polish",
            Self::Choice => "choice",
            Self::Proof => "proof",
            Self::Measure => "measure",
        }
    }

    /// So many of its blocks, after the first `skipped`.
    ///
    /// ```
    /// use sho_bench::tune::Stage;
    /// let fit = Stage::Fit.blocks(0, 1000);
    /// assert_eq!((fit.from, fit.to), (0, 1000));
    /// assert_eq!(Stage::Polish.blocks(500, 10).from, 2 * (1 << 44) + 500);
    /// ```
    #[must_use]
    pub const fn blocks(self, skipped: u64, count: u64) -> Blocks {
        let from = self as u64 * APART + skipped;
        Blocks { from, to: from + count }
    }
}
