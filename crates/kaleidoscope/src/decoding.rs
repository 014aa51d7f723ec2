//! Decoding: turns the logits of the nodes of a puzzle into digits and probabilities. A node is a
//! candidate: a digit in a cell.

use super::layout::Frame;
use ninefold::grid::Order;

/// The lowest log probability, which excluded digits get.
const LOWEST: f32 = -30.0;

/// The logits of a puzzle.
pub struct NodeLogits<'a> {
    /// The grid size.
    pub frame: &'a Frame,
    /// The clues, 0 for an empty cell.
    pub puzzle: &'a [u8],
    /// The candidate of each node.
    pub candidates: &'a [i32],
    /// The logit of each node.
    pub logits: &'a [f32],
}

impl NodeLogits<'_> {
    /// Writes the likeliest digit of each empty cell. Cells without candidates are unchanged.
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
        let mut all = vec![f32::NEG_INFINITY; self.frame.candidates()];
        for (&candidate, &logit) in self.candidates.iter().zip(self.logits) {
            all[candidate as usize] = logit;
        }
        for (cell, logits) in all.chunks_mut(side).enumerate() {
            let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            if self.puzzle[cell] > 0 {
                logits.fill(LOWEST);
                logits[usize::from(self.puzzle[cell]) - 1] = 0.0;
            } else if highest == f32::NEG_INFINITY {
                // No digit is possible, so the puzzle has no solution: all digits are equally
                // likely.
                logits.fill(-(side as f32).ln());
            } else {
                let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
                logits
                    .iter_mut()
                    .for_each(|logit| *logit = (*logit - highest - sum.ln()).max(LOWEST));
            }
        }
        all
    }
}

/// Whether every house contains every digit. Digits count from 1, up to 64; 0 is an empty cell.
pub fn is_complete(order: Order, digits: &[u8]) -> bool {
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
    fn a_grid_is_complete_until_a_digit_is_missing() {
        for side in [2, 3, 8] {
            let order = Order::new(side, side).unwrap();
            let side = order.side();
            // Each row is the one above it shifted by a box, and by one more from band to band.
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
