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
#[derive(Clone)]
pub struct Stream {
    /// The words made last; those from `next` on are still to be handed out.
    words: [u32; WORDS],
    next: usize,
    key: [u8; 32],
    number: u64,
    /// Words made so far.
    made: u64,
}

/// Words made at a time: what the generator makes in one go.
const WORDS: usize = 64;

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.made - (WORDS - self.next) as u64 * u64::from(self.made > 0);
        write!(f, "Stream({} at word {position})", self.number)
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
        Self { words: [0; WORDS], next: WORDS, key, number, made: 0 }
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u32 {
        let word = match self.words.get(self.next) {
            Some(&word) => word,
            None => self.refill(),
        };
        self.next += 1;
        word
    }

    /// Makes the next words and returns the first of them.
    ///
    /// The generator is made anew each time: it has a buffer of its own, and carrying that about and asking it for
    /// single words costs more.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> u32 {
        let mut generator = ChaCha8Rng::from_seed(self.key);
        generator.set_stream(self.number);
        generator.set_word_pos(self.made.into());
        let mut bytes = [0; 4 * WORDS];
        generator.fill_bytes(&mut bytes);
        for (word, bytes) in self.words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        self.made += WORDS as u64;
        self.next = 0;
        self.words[0]
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
