//! What a search found before: [`Table`].

/// What a search knows of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// It is at least this.
    #[default]
    AtLeast,
    /// It is at most this.
    AtMost,
    /// It is this.
    Exact,
}

/// What was found of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The value, as far as it is known.
    pub value: i32,
    /// What it is of the true one.
    pub bound: Bound,
    /// How many turns deep it was searched.
    pub depth: u8,
    /// The place of the best action in the position's list, or of one that was good enough.
    pub best: u32,
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u128,
    found: Found,
    search: u32,
}

/// A table of fixed size of what was found in this search. It holds whole keys: two positions are never taken for one
/// another, so what is found there does not depend on its size.
#[derive(Clone)]
pub struct Table {
    entries: Vec<Entry>,
    /// The number of the search, from 1; entries of others are as good as none.
    search: u32,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table({} entries)", self.entries.len())
    }
}

impl Table {
    /// A table with `2^bits` entries of 48 bytes.
    ///
    /// # Panics
    /// If `bits` is 0 or above 32.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        assert!((1..=32).contains(&bits), "2^{bits} entries");
        Self { entries: vec![Entry::default(); 1 << bits], search: 1 }
    }

    /// Forgets everything: a new search begins.
    pub fn forget(&mut self) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.entries.fill(Entry::default());
            self.search = 1;
        }
    }

    fn index(&self, key: u128) -> usize {
        // The high bits, which depend on all of the key; the length is a power of two.
        (spread(key) >> (u64::BITS - self.entries.len().trailing_zeros())) as usize
    }

    /// What was found of the position with this key.
    #[must_use]
    pub fn get(&self, key: u128) -> Option<Found> {
        let entry = &self.entries[self.index(key)];
        (entry.key == key && entry.search == self.search).then_some(entry.found)
    }

    /// Keeps what was found. Of two positions that want one place the later stays.
    pub fn put(&mut self, key: u128, found: Found) {
        let index = self.index(key);
        self.entries[index] = Entry { key, found, search: self.search };
    }
}

/// 64 bits that all depend on all of `key`.
#[must_use]
pub fn spread(key: u128) -> u64 {
    // Odd numbers without pattern: the fractions of the golden ratio and of the square root of 2.
    let high = ((key >> 64) as u64).wrapping_mul(0x6a09_e667_f3bc_c909);
    let mixed = ((key as u64) ^ high.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
