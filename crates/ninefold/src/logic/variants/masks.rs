//! Fillings of cells that must differ, as sets of digits.
//!
//! Layer i contains every set of i digits that the first i cells can contain together. With at most
//! 16 digits, a layer is a table with one bit for each set.

use crate::grid::DigitSet;

/// Sets are listed for at most so many digits.
pub(super) const MOST_DIGITS: usize = 16;
/// And for at most so many cells.
pub(super) const MOST_CELLS: usize = 9;

/// The sets of digits of the first cells, for cells that must differ.
pub(super) struct Masks {
    domains: Vec<u64>,
    layers: Vec<Vec<u64>>,
    /// The size of a table with one bit for each set.
    words: usize,
}

/// The sum of the digits of a set.
pub(super) fn sum(mask: u64) -> i64 {
    DigitSet::from_bits(mask).map(|digit| i64::from(digit.number())).sum()
}

impl Masks {
    /// Lists the sets; `None` if the cells have no filling. More digits than [`MOST_DIGITS`] are
    /// allowed for a single cell.
    pub fn new(domains: &[DigitSet]) -> Option<Masks> {
        let domains: Vec<u64> = domains.iter().map(|digits| digits.bits()).collect();
        if let [only] = domains[..] {
            let sets: Vec<u64> =
                DigitSet::from_bits(only).map(|digit| 1 << digit.index()).collect();
            let is_open = !sets.is_empty();
            return is_open.then(|| Masks { domains, layers: vec![vec![0], sets], words: 0 });
        }
        let mut layers: Vec<Vec<u64>> = vec![vec![0]];
        let width = domains.iter().fold(0, |all, domain| all | domain);
        let words = (1usize << (64 - width.leading_zeros()).min(MOST_DIGITS as u32)).div_ceil(64);
        let mut seen = vec![0u64; words];
        for &domain in &domains {
            let mut layer = Vec::new();
            for &mask in &layers[layers.len() - 1] {
                for digit in DigitSet::from_bits(domain & !mask) {
                    let next = mask | 1 << digit.index();
                    let (word, bit) = ((next / 64) as usize, 1 << (next % 64));
                    if seen[word] & bit == 0 {
                        seen[word] |= bit;
                        layer.push(next);
                    }
                }
            }
            if layer.is_empty() {
                return None;
            }
            layers.push(layer);
        }
        Some(Masks { domains, layers, words })
    }

    /// The sums of all fillings times a factor, in ascending order.
    pub fn sums(&self, factor: i64) -> Vec<i64> {
        let last = &self.layers[self.domains.len()];
        let mut sums: Vec<i64> = last.iter().map(|&mask| factor * sum(mask)).collect();
        sums.sort_unstable();
        sums.dedup();
        sums
    }

    /// The digits of each cell in fillings that are accepted, and the digits of every accepted
    /// filling; `None` if there is none.
    pub fn supported(&self, accept: &dyn Fn(u64) -> bool) -> Option<(Vec<DigitSet>, DigitSet)> {
        let count = self.domains.len();
        let accepted = self.layers[count].iter().copied().filter(|&mask| accept(mask));
        let accepted: Vec<u64> = accepted.collect();
        let needed = accepted.iter().copied().reduce(|all, mask| all & mask)?;
        if count == 1 {
            let digits = accepted.iter().fold(0, |all, mask| all | mask);
            return Some((vec![DigitSet::from_bits(digits)], DigitSet::from_bits(needed)));
        }
        // Sets of all sizes share one table, because a set is in one layer only.
        let mut alive = vec![0u64; self.words];
        accepted.iter().for_each(|&mask| alive[(mask / 64) as usize] |= 1 << (mask % 64));
        let mut supported = vec![DigitSet::EMPTY; count];
        for at in (0..count).rev() {
            let mut digits = 0;
            for &mask in &self.layers[at] {
                let mut rest = self.domains[at] & !mask;
                let mut found = 0;
                while rest != 0 {
                    let bit = rest & rest.wrapping_neg();
                    rest ^= bit;
                    let next = mask | bit;
                    if alive[(next / 64) as usize] >> (next % 64) & 1 == 1 {
                        found |= bit;
                    }
                }
                if found != 0 {
                    digits |= found;
                    alive[(mask / 64) as usize] |= 1 << (mask % 64);
                }
            }
            supported[at] = DigitSet::from_bits(digits);
        }
        Some((supported, DigitSet::from_bits(needed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Digit;

    fn set(numbers: &[u8]) -> DigitSet {
        numbers.iter().map(|&number| Digit::new(number).unwrap()).collect()
    }

    #[test]
    fn finds_the_digits_of_a_cage() {
        let domains = [set(&[1, 2, 3, 9]), set(&[1, 2, 3]), set(&[1, 2, 3, 4])];
        let masks = Masks::new(&domains).unwrap();
        let (supported, needed) = masks.supported(&|mask| sum(mask) == 6).unwrap();
        assert_eq!(supported, [set(&[1, 2, 3]); 3]);
        assert_eq!(needed, set(&[1, 2, 3]));
        assert!(masks.supported(&|mask| sum(mask) == 30).is_none());
        assert!(Masks::new(&[set(&[1]), set(&[1])]).is_none());
    }
}
