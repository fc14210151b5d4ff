//! How the blocks of a run are cut among threads: [`Chunks`].

use std::ops::{Range, RangeInclusive};

use crate::checks::LEAST_GROUP;
use crate::experiment::Blocks;
use crate::stats::sprt::CHECK_EVERY;

/// The most blocks that a thread plays before it reports: long enough that the report costs nothing, short enough that
/// a progress bar moves and a stop is prompt.
pub(crate) const CHUNK: RangeInclusive<u64> = 1..=32;

/// The same where all games are played in batches: they take no time, and at the end of a batch lanes are empty. So there is a
/// least number too, as far as there are so many blocks.
pub(crate) const BATCH: RangeInclusive<u64> = PIECE..=256;

/// The same where a block is one game of each kind: a cell of a study, or a line of a rollout.
pub(crate) const BATCH_OF_GAMES: RangeInclusive<u64> = 128..=512;

/// The most blocks that are counted together before they are handed on. What is due after so many blocks is due at the end of
/// a piece, however large chunks are: a check of a sequential test, or the end of a group of check lines.
const PIECE: u64 = 64;

const _: () = assert!(CHECK_EVERY.is_multiple_of(PIECE) && LEAST_GROUP.is_multiple_of(PIECE));

/// How many chunks a thread gets at least, where there are blocks enough: with fewer, threads that are through early
/// wait for one that is not.
const CHUNKS_A_THREAD: u64 = 8;

/// How blocks are cut into chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunks {
    blocks: Blocks,
    /// Blocks before these. Chunks end where the number of all blocks is a multiple of `size`, a power of two.
    before: u64,
    size: u64,
}

impl Chunks {
    /// Chunks of so many blocks at least, as far as there are so many, and at most.
    pub(crate) fn new(
        size: RangeInclusive<u64>,
        blocks: Blocks,
        before: u64,
        threads: usize,
    ) -> Self {
        let share = blocks.len() / (CHUNKS_A_THREAD * threads as u64);
        Self { blocks, before, size: 1 << share.clamp(*size.start(), *size.end()).ilog2() }
    }

    pub(crate) fn count(self) -> u64 {
        (self.before % self.size + self.blocks.len()).div_ceil(self.size)
    }

    pub(crate) fn get(self, index: u64) -> Range<u64> {
        self.cut(index, self.size)
    }

    /// The pieces of a chunk. They end where the number of all blocks is a multiple of [`PIECE`], if the chunk does not end
    /// before.
    pub(crate) fn pieces(self, index: u64) -> Vec<Range<u64>> {
        let size = self.size.min(PIECE);
        let a_chunk = self.size / size;
        let pieces = (index * a_chunk..(index + 1) * a_chunk).map(|piece| self.cut(piece, size));
        pieces.filter(|piece| !piece.is_empty()).collect()
    }

    /// Part number `index` of so many blocks, counted from where the number of all blocks is a multiple of the chunks' size.
    fn cut(self, index: u64, size: u64) -> Range<u64> {
        let edge = |index: u64| {
            let edge = (index * size).saturating_sub(self.before % self.size);
            self.blocks.to.min(self.blocks.from + edge)
        };
        edge(index)..edge(index + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_all_blocks_and_their_pieces_end_at_checks() {
        for (from, len, before, threads) in [
            (0, 10_000, 0, 2),
            (5, 1000, 64, 1),
            (7, 100, 37, 2),
            (0, 1, 0, 4),
            (90, 63, 1, 1),
            (3, 5000, 1000, 1),
        ] {
            for size in [CHUNK, BATCH, BATCH_OF_GAMES] {
                let blocks = Blocks { from, to: from + len };
                let chunks = Chunks::new(size.clone(), blocks, before, threads);
                let mut next = from;
                for index in 0..chunks.count() {
                    let chunk = chunks.get(index);
                    assert_eq!(chunk.start, next);
                    assert!(chunk.end > chunk.start && chunk.end - chunk.start <= *size.end());
                    for piece in chunks.pieces(index) {
                        assert_eq!(piece.start, next);
                        assert!(piece.end > piece.start);
                        let checks = |block| (before + block - from) / PIECE;
                        let (first, last) = (checks(piece.start), checks(piece.end - 1));
                        assert_eq!(first, last, "{chunks:?} {piece:?}");
                        next = piece.end;
                    }
                    assert_eq!(next, chunk.end, "{chunks:?}");
                }
                assert_eq!(next, blocks.to);
            }
        }
    }
}
