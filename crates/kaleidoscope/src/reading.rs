//! Reading: from the logits of the nodes of a puzzle to digits, and to probabilities.

use super::layout::Frame;
use ninefold::grid::Order;

/// What a digit gets that a clue excludes: as good as never.
const NEVER: f32 = -30.0;

/// The logits of a puzzle.
pub struct Reading<'a> {
    /// The size.
    pub frame: &'a Frame,
    /// The clues.
    pub puzzle: &'a [u8],
    /// The candidate of each node.
    pub candidates: &'a [i32],
    /// The logit of each node.
    pub logits: &'a [f32],
}

impl Reading<'_> {
    /// Puts the likeliest digit of each open cell into its place; a cell without candidates stays as it is.
    pub fn fill(&self, digits: &mut [u8]) {
        let side = self.frame.order.side();
        let mut best = vec![f32::NEG_INFINITY; self.puzzle.len()];
        for (&candidate, &logit) in self.candidates.iter().zip(self.logits) {
            let (cell, digit) = (candidate as usize / side, candidate as usize % side);
            if self.puzzle[cell] == 0 && logit > best[cell] {
                best[cell] = logit;
                digits[cell] = digit as u8 + 1;
            }
        }
    }

    /// The log probability of each digit of each cell.
    pub fn log_probabilities(&self) -> Vec<f32> {
        let side = self.frame.order.side();
        let mut found = vec![f32::NEG_INFINITY; self.frame.candidates()];
        for (&candidate, &logit) in self.candidates.iter().zip(self.logits) {
            found[candidate as usize] = logit;
        }
        for (cell, logits) in found.chunks_mut(side).enumerate() {
            let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            if self.puzzle[cell] > 0 {
                logits.fill(NEVER);
                logits[usize::from(self.puzzle[cell]) - 1] = 0.0;
            } else if highest == f32::NEG_INFINITY {
                // The clues leave it no digit: the puzzle has no solution, and any is as good as another.
                logits.fill(-(side as f32).ln());
            } else {
                let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
                logits
                    .iter_mut()
                    .for_each(|logit| *logit = (*logit - highest - sum.ln()).max(NEVER));
            }
        }
        found
    }
}

/// Is every digit in every house?
pub fn keeps_the_rules(frame: &Frame, digits: &[u8]) -> bool {
    is_complete(frame.order, digits)
}

/// Digits count from 1, up to 64; 0 is none.
fn is_complete(order: Order, digits: &[u8]) -> bool {
    let all = u64::MAX >> (u64::BITS as usize - order.side());
    let digits_in = |house| {
        let digits = order
            .cells_in(house)
            .iter()
            .map(|cell| u32::from(digits[cell.index()]))
            .filter(|&digit| digit > 0);
        digits.fold(0u64, |seen, digit| seen | 1 << (digit - 1))
    };
    order.houses().all(|house| digits_in(house) == all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_grid_of_the_largest_size_keeps_the_rules_until_a_digit_is_missing() {
        for side in [2, 3, 8] {
            let order = Order::boxes(side, side).unwrap();
            let side = order.side();
            // Each row is the one above it, moved on by a box, and by one more from band to band.
            let root = order.box_columns();
            let number = |cell: usize| {
                ((cell / side % root) * root + cell / side / root + cell % side) % side + 1
            };
            let mut digits: Vec<u8> =
                (0..order.cell_count()).map(|cell| number(cell) as u8).collect();
            assert!(is_complete(order, &digits), "{order}");
            let last = digits.len() - 1;
            for wrong in [0, digits[last - 1]] {
                let right = std::mem::replace(&mut digits[last], wrong);
                assert!(!is_complete(order, &digits), "{order}: {wrong}");
                digits[last] = right;
            }
        }
    }
}
