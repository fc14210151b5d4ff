//! Chance as a function: keyed streams of 32-bit words.

use core::fmt;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::chacha::Key;

/// The most bytes a label may have.
pub const MAX_LABEL: usize = 24;

/// A stream of words that is a function of a master seed, a label and a stream number: ChaCha with 8 rounds.
///
/// Master seed and label make the [`Key`], the stream number is the generator's. So any program in any language can
/// compute the same words, and no two purposes share any.
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
    /// The words made last, little-endian; those from `next` on are still to be handed out.
    bytes: [[u8; 4]; WORDS],
    next: usize,
    key: Key,
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
        Self::of(Key::new(master, label), number)
    }

    /// The stream with this number under this key.
    #[must_use]
    pub const fn of(key: Key, number: u64) -> Self {
        Self { bytes: [[0; 4]; WORDS], next: WORDS, key, number, made: 0 }
    }

    /// The stream with another number under the same seed and label, from its first word.
    #[inline]
    pub fn renumber(&mut self, number: u64) {
        (self.number, self.next, self.made) = (number, WORDS, 0);
    }

    /// The next word.
    #[inline(always)]
    pub fn word(&mut self) -> u32 {
        let bytes = match self.bytes.get(self.next) {
            Some(&bytes) => bytes,
            None => self.refill(),
        };
        self.next += 1;
        u32::from_le_bytes(bytes)
    }

    /// What makes the words from number `from` on of a stream under the same seed and label.
    #[inline(always)]
    fn generator(&self, number: u64, from: u64) -> ChaCha8Rng {
        let mut generator = ChaCha8Rng::from_seed(self.key.to_bytes());
        generator.set_stream(number);
        generator.set_word_pos(from.into());
        generator
    }

    /// Makes the next words and returns the first of them.
    ///
    /// The generator is made anew each time: it has a buffer of its own, and carrying that about and asking it for
    /// single words costs more.
    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> [u8; 4] {
        let mut generator = self.generator(self.number, self.made);
        generator.fill_bytes(self.bytes.as_flattened_mut());
        self.made += WORDS as u64;
        self.next = 0;
        self.bytes[0]
    }

    /// One of `0..n`, each exactly equally likely, as [`below`] draws it from the next words.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        below(n, || self.word())
    }
}

/// One of `0..n`, each exactly equally likely. Takes one word, and further ones where a word has to be skipped: with
/// `p = n * word` the words whose low half of `p` is below `2^32 mod n` are skipped, and the high half is the result.
/// Nothing is drawn where `n` is 1.
///
/// # Panics
/// If `n` is 0.
#[inline(always)]
pub fn below(n: u32, mut word: impl FnMut() -> u32) -> u32 {
    assert!(n > 0, "one of nothing was asked for");
    if n == 1 {
        return 0;
    }
    let first = word();
    below_by(first, n).unwrap_or_else(|| below_after(first, n, word))
}

/// What [`below`] makes of a word that is surely not to be skipped: 2^32 mod n is below n, so almost every word is good
/// without a division.
#[inline(always)]
pub(crate) fn below_by(word: u32, n: u32) -> Option<u32> {
    let product = u64::from(n) * u64::from(word);
    (product as u32 >= n).then_some((product >> 32) as u32)
}

/// The rest of [`below`] where the first word may have to be skipped.
#[cold]
#[inline(never)]
fn below_after(first: u32, n: u32, mut word: impl FnMut() -> u32) -> u32 {
    let mut product = u64::from(n) * u64::from(first);
    let skipped_below = n.wrapping_neg() % n;
    while (product as u32) < skipped_below {
        product = u64::from(n) * u64::from(word());
    }
    (product >> 32) as u32
}
