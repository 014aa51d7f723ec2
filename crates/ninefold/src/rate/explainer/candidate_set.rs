//! A set of candidates of a 9×9 grid.

/// One bit for each of the 729 candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct CandidateSet([u64; 12]);

impl CandidateSet {
    pub const fn new() -> CandidateSet {
        CandidateSet([0; 12])
    }

    pub fn has(&self, candidate: u16) -> bool {
        self.0[usize::from(candidate >> 6)] >> (candidate & 63) & 1 == 1
    }

    pub fn insert(&mut self, candidate: u16) {
        self.0[usize::from(candidate >> 6)] |= 1 << (candidate & 63);
    }

    pub fn keep_only(&mut self, other: &CandidateSet) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    pub fn add_all(&mut self, other: &CandidateSet) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }

    pub fn without(mut self, other: &CandidateSet) -> CandidateSet {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
        self
    }

    pub fn intersects(&self, other: &CandidateSet) -> bool {
        self.0.iter().zip(&other.0).fold(0, |any, (word, other)| any | word & other) != 0
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// The candidates in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        let words = self.0;
        (0..12_u16).flat_map(move |n| {
            let mut left = words[usize::from(n)];
            std::iter::from_fn(move || {
                let first = (left != 0).then(|| n * 64 + left.trailing_zeros() as u16);
                left &= left.wrapping_sub(1);
                first
            })
        })
    }
}
