//! Rules shared by all chains: the rating of their length, and Sudoku Explainer's order of
//! preference.

use super::branch::NestedChain;

/// The amount that the number of inferences adds to a rating: a tenth for each of 4, 6, 8, 12, 16,
/// 24 … that the length exceeds, not counting the first two inferences. As in the program, tenths
/// are added one by one.
pub(super) fn length_rating(complexity: u32) -> f64 {
    let length = complexity.saturating_sub(2);
    let (mut added, mut bound, mut is_odd) = (0.0, 4, false);
    while length > bound {
        added += 0.1;
        bound = if is_odd { bound * 4 / 3 } else { bound * 3 / 2 };
        is_odd = !is_odd;
    }
    added
}

/// The order of preference: rating, number of inferences, kind of chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Preference {
    pub rating: f64,
    pub complexity: u32,
    pub kind: u8,
}

impl Preference {
    pub fn new(base: f64, complexity: u32, kind: u8) -> Preference {
        Preference { rating: base + length_rating(complexity), complexity, kind }
    }

    pub fn compare(&self, other: &Preference) -> std::cmp::Ordering {
        self.rating
            .total_cmp(&other.rating)
            .then(self.complexity.cmp(&other.complexity))
            .then(self.kind.cmp(&other.kind))
    }
}

/// A chain found inside another chain: its removals, and the earlier removals it depends on.
#[derive(Clone, Debug)]
pub(super) struct Inner {
    pub preference: Preference,
    /// Cells and the digits they lose, in the program's order.
    pub removes: Vec<(u8, u16)>,
    /// Candidates that had to be removed before.
    pub parents: Vec<u16>,
    pub signature: u64,
}

impl Inner {
    pub fn nested(&self) -> NestedChain {
        NestedChain { signature: self.signature, complexity: self.preference.complexity }
    }
}

/// A hash of a list of numbers.
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub fn new() -> Fingerprint {
        Fingerprint(0x9E37_79B9_7F4A_7C15)
    }

    pub fn add(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        self.0 ^= self.0 >> 29;
    }

    pub fn add_potential(&mut self, candidate: u16, is_on: bool) {
        self.add(u64::from(candidate) * 2 + u64::from(is_on));
    }

    pub fn value(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rating_grows_with_the_chain_length() {
        let tenths = |complexity| (length_rating(complexity) * 10.0).round() as u32;
        let steps = [
            (6, 0),
            (7, 1),
            (8, 1),
            (9, 2),
            (10, 2),
            (11, 3),
            (14, 3),
            (15, 4),
            (18, 4),
            (19, 5),
            (27, 6),
        ];
        for (complexity, expected) in steps {
            assert_eq!(tenths(complexity), expected, "{complexity}");
        }
    }
}
