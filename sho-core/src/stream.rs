//! Chance as a function: keyed streams of 32-bit words.

use core::fmt;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The most bytes a label may have.
pub const MAX_LABEL: usize = 24;

/// A stream of words that is a function of a master seed, a label and a stream number: ChaCha with 8 rounds.
///
/// The key is the master seed as 8 little-endian bytes, then the label's ASCII bytes, then zeros up to 32 bytes; the
/// stream number is the generator's. So any program in any language can compute the same words, and no two purposes
/// share any.
///
/// # Stability
/// The words for a given seed, label and number never change.
///
/// ```
/// use sho_core::Stream;
/// let mut words = Stream::new(1, "example", 7);
/// let first = words.word();
/// assert_eq!(Stream::new(1, "example", 7).word(), first);
/// assert!(words.below(6) < 6);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Stream(ChaCha8Rng);

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({} at word {})", self.0.get_stream(), self.0.get_word_pos())
    }
}

impl Stream {
    /// The stream with this number under this seed and label.
    ///
    /// # Panics
    /// If the label is longer than [`MAX_LABEL`] bytes or not ASCII: labels are constants of a program.
    #[must_use]
    pub fn new(master: u64, label: &str, number: u64) -> Self {
        assert!(
            label.is_ascii() && label.len() <= MAX_LABEL,
            "label `{label}`: 24 ASCII bytes at most"
        );
        let mut key = [0; 32];
        key[..8].copy_from_slice(&master.to_le_bytes());
        key[8..8 + label.len()].copy_from_slice(label.as_bytes());
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(number);
        Self(generator)
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// One of `0..n`, each exactly equally likely. Takes one word, and further ones where a word has to be skipped:
    /// with `p = n * word` the words whose low half of `p` is below `2^32 mod n` are skipped, and the high half is the
    /// result. Nothing is drawn where `n` is 1.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "one of nothing was asked for");
        if n == 1 {
            return 0;
        }
        loop {
            let product = u64::from(n) * u64::from(self.word());
            let low = product as u32;
            // The division is only done for words that might have to be skipped: 2^32 mod n is below n.
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 32) as u32;
            }
        }
    }
}
