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
        let mut layers: Vec<Vec<u64>> = vec![vec![0]];
        let width = domains.iter().fold(0, |all, domain| all | domain);
        let words = (1usize << (64 - width.leading_zeros()).min(MOST_DIGITS as u32)).div_ceil(64);
        let mut seen = vec![0u64; words];
        for &domain in &domains {
            let mut layer = Vec::new();
            for &mask in &layers[layers.len() - 1] {
                for digit in DigitSet::from_bits(domain & !mask) {
                    let next = mask | 1 << digit.index();
                    if domains.len() > 1 {
                        let (word, bit) = ((next / 64) as usize, 1 << (next % 64));
                        if seen[word] & bit != 0 {
                            continue;
                        }
                        seen[word] |= bit;
                    }
                    layer.push(next);
                }
            }
            if layer.is_empty() {
                return None;
            }
            layer.sort_unstable();
            layers.push(layer);
        }
        Some(Masks { domains, layers })
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
        let mut alive: Vec<u64> =
            self.layers[count].iter().copied().filter(|&mask| accept(mask)).collect();
        let needed = alive.iter().copied().reduce(|all, mask| all & mask)?;
        let mut supported = vec![DigitSet::EMPTY; count];
        for at in (0..count).rev() {
            let mut earlier = Vec::new();
            for &mask in &self.layers[at] {
                let mut is_alive = false;
                for digit in DigitSet::from_bits(self.domains[at] & !mask) {
                    if alive.binary_search(&(mask | 1 << digit.index())).is_ok() {
                        supported[at].insert(digit);
                        is_alive = true;
                    }
                }
                if is_alive {
                    earlier.push(mask);
                }
            }
            alive = earlier;
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
