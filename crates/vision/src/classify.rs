//! Classifies the cells of a board and decides which way up the board is.

use crate::cells::{AREA, Cells, SIZE};
use crate::network::{Activations, CLASSES, Content, Network};

/// Cells that decide the orientation.
const ORIENTATION_CELLS: usize = 24;

/// The answers of the network for the cells of an upright board.
#[derive(Clone, Debug)]
pub struct Seen {
    pub side: usize,
    /// For each cell the logarithm of the probability of each class.
    pub cells: Vec<[f32; CLASSES]>,
    /// Counterclockwise quarter turns that made the board upright.
    pub quarter_turns: usize,
}

impl Seen {
    /// Logarithms of the probabilities of "no digit" and of each digit up to the side.
    pub fn digits(&self, cell: usize) -> Vec<f32> {
        let log = &self.cells[cell];
        let none = log_sum(&[log[Content::Empty.class()], log[Content::PencilMarks.class()]]);
        let digit = |digit: usize| {
            let printed = log[Content::Printed(digit as u8).class()];
            match digit {
                1..=9 => log_sum(&[printed, log[Content::Handwritten(digit as u8).class()]]),
                _ => printed,
            }
        };
        let mut logs: Vec<f32> = std::iter::once(none).chain((1..=self.side).map(digit)).collect();
        let total = log_sum(&logs);
        logs.iter_mut().for_each(|log| *log = (*log - total).max(-10.0));
        logs
    }

    /// [`digits`](Seen::digits) of all cells. If nearly all cells are filled, an empty one is less
    /// likely: the share of empty cells of the board is its prior.
    pub fn all_digits(&self) -> Vec<Vec<f32>> {
        let mut logs: Vec<Vec<f32>> = (0..self.cells.len()).map(|cell| self.digits(cell)).collect();
        let usual = logs.len() as f32 / 10.0;
        let empty: f32 = logs.iter().map(|log| log[0].exp()).sum();
        if empty < usual {
            let shift = ((empty + 0.5) / (usual + 0.5)).ln();
            for log in &mut logs {
                log[0] += shift;
                let total = log_sum(log);
                log.iter_mut().for_each(|log| *log -= total);
            }
        }
        logs
    }

    /// The most likely content of a cell.
    pub fn content(&self, cell: usize) -> Content {
        let log = &self.cells[cell];
        let best = (0..CLASSES).max_by(|&a, &b| log[a].total_cmp(&log[b])).expect("classes exist");
        Content::from_class(best)
    }
}

/// The logarithm of a sum of probabilities given as logarithms.
pub(crate) fn log_sum(logs: &[f32]) -> f32 {
    let most = logs.iter().copied().fold(f32::MIN, f32::max);
    most + logs.iter().map(|log| (log - most).exp()).sum::<f32>().ln()
}

/// Classifies all cells in the orientation in which digits are recognised best.
pub fn classify(network: &Network, cells: &Cells) -> Seen {
    let mut state = Activations::default();
    let sample = inked_cells(cells);
    let score = |quarters: usize, state: &mut Activations| -> f32 {
        let certainty = sample.iter().map(|&cell| {
            let turned = crate::cells::turned_cell(cells.cell(cell), quarters);
            network.run(&turned, state);
            digit_certainty(&state.log_probabilities)
        });
        certainty.sum::<f32>() / sample.len().max(1) as f32
    };
    let scores: [f32; 4] = std::array::from_fn(|quarters| {
        let upright = if quarters == 0 { 0.02 } else { 0.0 };
        score(quarters, &mut state) + upright
    });
    let quarter_turns = (0..4).rev().max_by(|&a, &b| scores[a].total_cmp(&scores[b])).unwrap_or(0);
    let upright = cells.turned(quarter_turns);
    let classify = |cell| classify_cell(network, upright.cell(cell), &mut state);
    let seen = (0..cells.side * cells.side).map(classify).collect();
    Seen { side: cells.side, cells: seen, quarter_turns }
}

/// The cells with the most ink in the middle.
fn inked_cells(cells: &Cells) -> Vec<usize> {
    let ink = |cell: usize| -> f32 {
        let pixels = cells.cell(cell);
        let rows = (SIZE / 4..SIZE * 3 / 4).map(|y| &pixels[y * SIZE + SIZE / 4..][..SIZE / 2]);
        rows.flatten().map(|value| value.max(0.0)).sum()
    };
    let mut all: Vec<(f32, usize)> =
        (0..cells.side * cells.side).map(|cell| (ink(cell), cell)).collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.truncate(ORIENTATION_CELLS);
    all.into_iter().map(|(_, cell)| cell).collect()
}

/// The probability of the most likely digit of either style.
fn digit_certainty(log: &[f32; CLASSES]) -> f32 {
    let digit = |digit: u8| {
        log[Content::Printed(digit).class()].exp() + log[Content::Handwritten(digit).class()].exp()
    };
    (1..=9).map(digit).fold(0.0, f32::max)
}

/// The mean of the answers for the cell and for slightly moved copies, which cancels part of the
/// errors.
fn classify_cell(network: &Network, ink: &[f32], state: &mut Activations) -> [f32; CLASSES] {
    let mut mean = [0.0; CLASSES];
    for (dx, dy) in MOVES {
        if (dx, dy) == (0, 0) {
            network.run(ink, state);
        } else {
            network.run(&moved(ink, dx, dy), state);
        }
        let weight = 1.0 / MOVES.len() as f32;
        mean.iter_mut().zip(&state.log_probabilities).for_each(|(m, log)| *m += log * weight);
    }
    let total = log_sum(&mean);
    mean.map(|log| log - total)
}

const MOVES: [(isize, isize); 3] = [(0, 0), (1, 1), (-1, -1)];

fn moved(ink: &[f32], dx: isize, dy: isize) -> Vec<f32> {
    let last = SIZE as isize - 1;
    (0..AREA as isize)
        .map(|pixel| {
            let (x, y) = (pixel % SIZE as isize, pixel / SIZE as isize);
            let (x, y) = ((x + dx).clamp(0, last), (y + dy).clamp(0, last));
            ink[(y * SIZE as isize + x) as usize]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_sum_up_both_styles() {
        let mut log = [-20.0; CLASSES];
        log[Content::Printed(4).class()] = 0.5f32.ln();
        log[Content::Handwritten(4).class()] = 0.25f32.ln();
        log[Content::PencilMarks.class()] = 0.25f32.ln();
        let seen = Seen { side: 9, cells: vec![log], quarter_turns: 0 };
        let digits = seen.digits(0);
        assert_eq!(digits.len(), 10);
        assert!((digits[4].exp() - 0.75).abs() < 1e-3 && (digits[0].exp() - 0.25).abs() < 1e-3);
        assert_eq!(seen.content(0), Content::Printed(4));
    }
}
