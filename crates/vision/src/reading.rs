//! A board as it was read, and how far the reading can be trusted.

use crate::cells::{Cells, turned_index};
use crate::classify::{Seen, classify};
use crate::find::{FoundGrid, find_all};
use crate::geometry::Point;
use crate::grey::GreyImage;
use crate::joint::{Houses, decode};
use crate::mesh::Mesh;
use crate::network::{Content, Network};
use crate::regions;
use crate::signs::{Sign, signs};
use ninefold::grid::rules::Rules;
use ninefold::grid::{Grid, Order};
use ninefold::search::{Limits, Solutions, default_for, unique};
use std::sync::Arc;

/// A board whose probability of being right is lower is not accepted without a question.
pub const ACCEPTED: f32 = 0.80;
/// A correction less likely than this, as a logarithm, is a guess.
const LARGEST_COST: f32 = 45.0;

/// How a reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The digits as seen form a puzzle with exactly one solution, and all are certain.
    Read,
    /// Some digits were changed, because the rules leave no place for what was seen. The changes
    /// must be shown to the user.
    Corrected,
    /// The digits are what was seen; a person has to check them.
    Unresolved,
}

impl Outcome {
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Read => "read",
            Outcome::Corrected => "corrected",
            Outcome::Unresolved => "unresolved",
        }
    }
}

/// The reading of a cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellReading {
    /// The digit of the puzzle; 0 for none.
    pub digit: u8,
    /// The most likely content, without the rules.
    pub seen: Content,
    /// The digit as seen, without the rules; 0 for none.
    pub seen_digit: u8,
    /// The probability that `digit` is right.
    pub confidence: f32,
    /// Probabilities of "no digit" and of each digit, without the rules.
    pub probabilities: Vec<f32>,
}

impl CellReading {
    /// True if the rules changed what was seen.
    pub fn is_changed(&self) -> bool {
        self.digit != self.seen_digit
    }
}

/// A board that was read from an image.
#[derive(Clone, Debug)]
pub struct Reading {
    pub side: usize,
    pub outcome: Outcome,
    /// The cells in reading order.
    pub cells: Vec<CellReading>,
    /// The solution, if the puzzle has exactly one.
    pub solution: Option<Vec<u8>>,
    /// The probability that all digits are right.
    pub confidence: f32,
    /// The grid: its corners in the photo, as found.
    pub grid: FoundGrid,
    /// Counterclockwise quarter turns that make the board upright.
    pub quarter_turns: usize,
    /// The region of each cell, if the lines show regions other than boxes.
    pub jigsaw: Option<Vec<u8>>,
    /// Signs of rules that are not read. The digits may be right, but the puzzle is not classic.
    pub signs: Vec<Sign>,
    /// The crossings of the grid lines in pixels of the photo, `side + 1` rows of them, in the
    /// orientation of the photo.
    pub crossings: Vec<Point>,
}

/// Digits as a line with one character for each cell: `.` for an empty cell, letters from 10 on.
pub fn line(digits: &[u8]) -> String {
    let character = |&digit: &u8| match digit {
        0 => '.',
        1..=9 => char::from(b'0' + digit),
        _ => char::from(b'A' + digit - 10),
    };
    digits.iter().map(character).collect()
}

/// No grid was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no Sudoku grid in the image")]
pub struct NoGridError;

impl Reading {
    /// The digits in reading order; 0 for none.
    pub fn digits(&self) -> Vec<u8> {
        self.cells.iter().map(|cell| cell.digit).collect()
    }

    /// The corners of the grid in reading order: top left, top right, bottom right, bottom left.
    pub fn corners(&self) -> [Point; 4] {
        let last = self.side;
        let corners = [(0, 0), (0, last), (last, last), (last, 0)];
        std::array::from_fn(|index| {
            let (row, column) = corners[(index + self.quarter_turns) % 4];
            self.crossings[row * (last + 1) + column]
        })
    }

    /// The corners of a cell in the photo, in the order of [`corners`](Reading::corners).
    pub fn cell_corners(&self, cell: usize) -> [Point; 4] {
        let place = turned_index(cell, self.side, self.quarter_turns);
        let (row, column) = (place / self.side, place % self.side);
        let corners = [(0, 0), (0, 1), (1, 1), (1, 0)];
        std::array::from_fn(|index| {
            let (down, right) = corners[(index + self.quarter_turns) % 4];
            self.crossings[(row + down) * (self.side + 1) + column + right]
        })
    }

    /// The puzzle; with the rules of a jigsaw if the lines show one.
    pub fn puzzle(&self) -> Option<Grid> {
        puzzle_of(self.side, &self.digits(), self.jigsaw.as_deref())
    }

    /// The cells whose digit is not certain, the least certain first.
    pub fn doubtful_cells(&self) -> Vec<usize> {
        // The rules confirm the cells of a board that was read.
        let least = if self.outcome == Outcome::Read { ACCEPTED } else { 0.97 };
        let digits = self.digits();
        let boxes = regions::boxes(self.side);
        let houses = Houses::new(self.side, self.jigsaw.as_deref().or(boxes.as_deref()));
        let is_doubtful = |&index: &usize| {
            let cell = &self.cells[index];
            cell.confidence < least || cell.is_changed() || houses.is_in_conflict(&digits, index)
        };
        let mut doubtful: Vec<usize> = (0..self.cells.len()).filter(is_doubtful).collect();
        doubtful.sort_by(|&a, &b| self.cells[a].confidence.total_cmp(&self.cells[b].confidence));
        doubtful
    }
}

/// Reads boards. Creating a reader unpacks the weights of the network.
pub struct Reader {
    pub network: Network,
}

#[cfg(feature = "weights")]
impl Default for Reader {
    fn default() -> Reader {
        Reader { network: Network::included() }
    }
}

impl Reader {
    /// Reads the largest board of an image.
    pub fn read(&self, image: &GreyImage) -> Result<Reading, NoGridError> {
        let grids = find_all(image);
        let first = grids.first().ok_or(NoGridError)?;
        Ok(self.second_chance(image, &grids, self.read_grid(image, first)))
    }

    /// Reads the board in this grid.
    pub fn read_grid(&self, image: &GreyImage, grid: &FoundGrid) -> Reading {
        let mesh = Mesh::new(image, grid);
        let cells = Cells::new(&mesh);
        let seen = classify(&self.network, &cells);
        interpret(*grid, &mesh, &cells, &seen)
    }

    /// If a board has no solution, the grid may be wrong: tries the others, and the grid moved by
    /// one row. A wrong grid practically never has exactly one solution.
    pub fn second_chance(
        &self,
        image: &GreyImage,
        grids: &[FoundGrid],
        reading: Reading,
    ) -> Reading {
        if reading.solution.is_some() {
            return reading;
        }
        let others = grids[1..].iter().copied().chain(reading.grid.shifted());
        let mut readings = others.map(|grid| self.read_grid(image, &grid));
        readings.find(|other| other.solution.is_some()).unwrap_or(reading)
    }
}

/// Finds the most likely puzzle for what was seen.
pub fn interpret(grid: FoundGrid, mesh: &Mesh, cells: &Cells, seen: &Seen) -> Reading {
    let side = seen.side;
    let logs: Vec<Vec<f32>> = seen.all_digits();
    let raw: Vec<u8> = logs.iter().map(|log| most_likely(log)).collect();
    let jigsaw = regions::jigsaw(mesh).map(|regions| turned(&regions, side, seen.quarter_turns));
    let decided = decide(side, &logs, &raw, jigsaw.as_deref());
    let signs = signs(cells);
    let cells = raw.iter().enumerate().map(|(cell, &seen_digit)| CellReading {
        digit: decided.digits[cell],
        seen: seen.content(cell),
        seen_digit,
        confidence: decided.confidences[cell],
        probabilities: logs[cell].iter().map(|log| log.exp()).collect(),
    });
    let crossings = (0..=side).flat_map(|row| (0..=side).map(move |column| (row, column)));
    Reading {
        side,
        outcome: decided.outcome,
        cells: cells.collect(),
        solution: decided.solution,
        confidence: decided.confidence,
        grid,
        quarter_turns: seen.quarter_turns,
        jigsaw,
        signs,
        crossings: crossings.map(|(row, column)| mesh.photo_node(row, column)).collect(),
    }
}

fn turned(regions: &[u8], side: usize, quarters: usize) -> Vec<u8> {
    (0..regions.len()).map(|cell| regions[turned_index(cell, side, quarters)]).collect()
}

fn most_likely(logs: &[f32]) -> u8 {
    (0..logs.len()).rev().max_by(|&a, &b| logs[a].total_cmp(&logs[b])).unwrap_or(0) as u8
}

struct Decision {
    outcome: Outcome,
    digits: Vec<u8>,
    confidences: Vec<f32>,
    confidence: f32,
    solution: Option<Vec<u8>>,
}

fn decide(side: usize, logs: &[Vec<f32>], raw: &[u8], jigsaw: Option<&[u8]>) -> Decision {
    let boxes = regions::boxes(side);
    let houses = Houses::new(side, jigsaw.or(boxes.as_deref()));
    if let Some(solution) = only_solution(side, raw, jigsaw, &houses) {
        let decision = with_solution(logs, raw.to_vec(), solution);
        let is_certain = decision.confidence >= ACCEPTED;
        let outcome = if is_certain { Outcome::Read } else { Outcome::Unresolved };
        return Decision { outcome, ..decision };
    }
    if let Some(decoded) = decode(&houses, logs) {
        let shown = |(cell, &digit): (usize, &u8)| {
            if logs[cell][usize::from(digit)] >= logs[cell][0] { digit } else { 0 }
        };
        let digits: Vec<u8> = decoded.solution.iter().enumerate().map(shown).collect();
        let changes = digits.iter().zip(raw).filter(|(a, b)| a != b).count();
        if decoded.cost < LARGEST_COST
            && changes <= digits.len() / 4
            && let Some(solution) = only_solution(side, &digits, jigsaw, &houses)
        {
            let outcome = Outcome::Corrected;
            return Decision { outcome, ..with_solution(logs, digits, solution) };
        }
    }
    let confidences: Vec<f32> =
        raw.iter().zip(logs).map(|(&digit, log)| log[usize::from(digit)].exp()).collect();
    let (outcome, digits) = (Outcome::Unresolved, raw.to_vec());
    Decision { outcome, digits, confidences, confidence: 0.0, solution: None }
}

/// Confidences when the solution is known: a cell shows its digit or nothing.
fn with_solution(logs: &[Vec<f32>], digits: Vec<u8>, solution: Vec<u8>) -> Decision {
    let mut confidence = 1.0f32;
    let confidences: Vec<f32> = digits
        .iter()
        .zip(&solution)
        .zip(logs)
        .map(|((&shown, &solved), log)| {
            let (digit, none) = (log[usize::from(solved)].exp(), log[0].exp());
            let sum = (digit + none).max(1e-9);
            let right = if shown == 0 { none } else { digit } / sum;
            // Another digit needs another solution, which exists for about one change in ten.
            let other = (1.0 - sum).clamp(0.0, 1.0);
            confidence *= right * (1.0 - 0.1 * other);
            right * (1.0 - other)
        })
        .collect();
    let solution = Some(solution);
    Decision { outcome: Outcome::Unresolved, digits, confidences, confidence, solution }
}

/// The solution, if the digits do not contradict each other and there is exactly one.
fn only_solution(
    side: usize,
    digits: &[u8],
    jigsaw: Option<&[u8]>,
    houses: &Houses,
) -> Option<Vec<u8>> {
    if houses.has_conflict(digits) || digits.iter().filter(|&&digit| digit != 0).count() < side - 1
    {
        return None;
    }
    let puzzle = puzzle_of(side, digits, jigsaw)?;
    let limits = Limits::none().with_nodes(unique::NODES_PER_PROOF);
    let proof = default_for(&puzzle).prove(&puzzle, &limits).ok()?;
    match proof.solutions.ok()? {
        Solutions::One(solution) => Some(solution.numbers().collect()),
        _ => None,
    }
}

fn puzzle_of(side: usize, digits: &[u8], jigsaw: Option<&[u8]>) -> Option<Grid> {
    let puzzle = Grid::from_numbers(Order::from_side(side)?, digits)?;
    let Some(regions) = jigsaw else { return Some(puzzle) };
    let rules = Rules::jigsaw(side, regions.iter().copied().map(Some).collect()).ok()?;
    Some(puzzle.with_rules(Arc::new(rules)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOLVED: [u8; 16] = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];

    /// Logarithms for digits that are seen with a probability of about one.
    fn logs(digits: &[u8]) -> Vec<Vec<f32>> {
        let cell = |&digit: &u8| {
            let mut cell = vec![-12.0; 5];
            cell[usize::from(digit)] = -1e-4;
            cell
        };
        digits.iter().map(cell).collect()
    }

    fn decided(digits: &[u8], logs: &[Vec<f32>]) -> Decision {
        decide(4, logs, digits, None)
    }

    #[test]
    fn a_certain_unique_puzzle_is_read() {
        let mut digits = SOLVED;
        for cell in [0, 5, 10] {
            digits[cell] = 0;
        }
        let decision = decided(&digits, &logs(&digits));
        assert_eq!(decision.outcome, Outcome::Read);
        assert_eq!(decision.solution.as_deref(), Some(&SOLVED[..]));
        assert!(decision.confidence > 0.99, "{}", decision.confidence);
    }

    #[test]
    fn a_doubtful_digit_makes_a_board_unresolved() {
        let mut logs = logs(&SOLVED);
        // Digit or empty: the rules cannot decide.
        logs[3][4] = 0.6f32.ln();
        logs[3][0] = 0.4f32.ln();
        let decision = decided(&SOLVED, &logs);
        assert_eq!(decision.outcome, Outcome::Unresolved);
        assert!((decision.confidences[3] - 0.6).abs() < 0.01);
    }

    #[test]
    fn a_conflict_is_corrected_and_shown() {
        let mut seen = SOLVED;
        seen[0] = 2;
        let mut logs = logs(&seen);
        logs[0][1] = -2.0;
        let decision = decided(&seen, &logs);
        assert_eq!(decision.outcome, Outcome::Corrected);
        assert_eq!(decision.digits, SOLVED);
    }

    #[test]
    fn a_puzzle_with_several_solutions_is_unresolved() {
        let mut digits = [0; 16];
        (digits[0], digits[5], digits[10]) = (1, 4, 4);
        assert_eq!(decided(&digits, &logs(&digits)).outcome, Outcome::Unresolved);
    }
}
