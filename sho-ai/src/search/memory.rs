//! What was found of positions, by the positions themselves: [`Memory`].

use std::hash::{Hash, Hasher};

/// A table of fixed size of what was found in this search. It holds whole positions: two are never taken for one
/// another, so what is found there does not depend on its size, and any game has them.
#[derive(Clone)]
pub(super) struct Memory<S, T> {
    entries: Vec<Option<Entry<S, T>>>,
    /// The number of the search; entries of others are as good as none.
    search: u32,
}

#[derive(Clone)]
struct Entry<S, T> {
    search: u32,
    left: u32,
    state: S,
    found: T,
}

impl<S, T> std::fmt::Debug for Memory<S, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({} entries)", self.entries.len())
    }
}

impl<S: Clone + Eq + Hash, T: Copy> Memory<S, T> {
    /// Room for `2^bits` positions.
    pub(super) fn new(bits: u32) -> Self {
        Self { entries: std::iter::repeat_n(None, 1 << bits).collect(), search: 0 }
    }

    /// Forgets everything: a new search begins.
    pub(super) fn forget(&mut self) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.entries.fill(None);
        }
    }

    /// Where a position with so many plies left has its place.
    pub(super) fn place(&self, state: &S, left: u32) -> usize {
        let mut mixer = Mixer(left.into());
        state.hash(&mut mixer);
        mixer.finish() as usize & (self.entries.len() - 1)
    }

    /// What was found of the position, looked at so deep.
    pub(super) fn get(&self, place: usize, state: &S, left: u32) -> Option<T> {
        let entry = self.entries[place].as_ref()?;
        let same = entry.search == self.search && entry.left == left && entry.state == *state;
        same.then_some(entry.found)
    }

    /// Keeps what was found. Of two positions that want one place the later stays.
    pub(super) fn put(&mut self, place: usize, state: &S, left: u32, found: T) {
        let entry = Entry { search: self.search, left, state: state.clone(), found };
        self.entries[place] = Some(entry);
    }
}

/// Mixes the words of a position: each is added and multiplied in, and the high half, which depends on all, comes down at
/// the end. It need not keep anybody from making collisions.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

impl Mixer {
    #[inline]
    fn mix(&mut self, word: u64) {
        // The fraction of the golden ratio, made odd: bits without pattern.
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_ne_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.mix(number.into());
    }

    fn write_u16(&mut self, number: u16) {
        self.mix(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.mix(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.mix(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }
}
