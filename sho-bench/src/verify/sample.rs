//! Which blocks are played again: [`sampled_blocks`].

use std::collections::BTreeSet;

use sho_core::Stream;

use crate::experiment::Blocks;

/// The label of the stream that blocks are drawn from; its number is 0.
pub const SAMPLE_LABEL: &str = "sho/verify";

/// `count` different blocks of those that were played, or all where there are no more; drawn by `seed`, each as likely as
/// any other.
///
/// A draw takes two words of the stream 0 of [`SAMPLE_LABEL`], the first as the high half of a number *w* of 64 bits. The
/// block is number *n w* / 2^64, rounded down, of the *n* that were played, in their order. A block that was drawn before
/// is drawn again. (Among 2^32 blocks the likeliest is likelier than the others by less than one part in 2^32.)
///
/// ```
/// use sho_bench::Blocks;
/// use sho_bench::verify::sampled_blocks;
/// let played = [Blocks { from: 0, to: 100 }, Blocks { from: 200, to: 300 }];
/// let drawn = sampled_blocks(&played, 1, 5);
/// assert_eq!(drawn, sampled_blocks(&played, 1, 5));
/// assert_eq!(drawn.len(), 5);
/// assert!(drawn.iter().all(|&block| block < 100 || (200..300).contains(&block)));
/// assert_eq!(sampled_blocks(&played, 1, 1000).len(), 200);
/// ```
#[must_use]
pub fn sampled_blocks(played: &[Blocks], seed: u64, count: u64) -> BTreeSet<u64> {
    let all: u64 = played.iter().map(|blocks| blocks.len()).sum();
    if count >= all {
        return played.iter().flat_map(|blocks| blocks.range()).collect();
    }
    let mut words = Stream::new(seed, SAMPLE_LABEL, 0);
    let mut numbers = BTreeSet::new();
    while (numbers.len() as u64) < count {
        let word = u64::from(words.word()) << 32 | u64::from(words.word());
        numbers.insert(((u128::from(word) * u128::from(all)) >> 64) as u64);
    }
    // Numbers and ranges both rise.
    let (mut ranges, mut before) = (played.iter().peekable(), 0);
    let mut blocks = BTreeSet::new();
    for number in numbers {
        while let Some(range) = ranges.peek()
            && number - before >= range.len()
        {
            before += range.len();
            ranges.next();
        }
        if let Some(range) = ranges.peek() {
            blocks.insert(range.from + (number - before));
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_drawn_as_often_as_any_other() {
        let played =
            [Blocks { from: 5, to: 8 }, Blocks { from: 8, to: 9 }, Blocks { from: 20, to: 26 }];
        let mut counts = [0_u32; 26];
        for seed in 0..3000 {
            for block in sampled_blocks(&played, seed, 3) {
                counts[block as usize] += 1;
            }
        }
        // Each of ten blocks is in three of ten samples: 900, with a standard deviation of 25.
        for (block, count) in counts.into_iter().enumerate() {
            let was_played = played.iter().any(|range| range.range().contains(&(block as u64)));
            assert_eq!(was_played, count > 0);
            assert!(!was_played || (775..1025).contains(&count), "block {block}: {count}");
        }
    }
}
