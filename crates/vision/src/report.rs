//! A reading as JSON: the same for the command line, the server and JavaScript.

use crate::network::Content;
use crate::reading::{CellReading, Reading, line};
use crate::signs::Sign;
use serde::Serialize;

/// The reading of an image.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// `read`, `corrected` or `unresolved`.
    outcome: &'static str,
    /// One character for each cell.
    puzzle: String,
    side: usize,
    /// The probability that all digits are right.
    confidence: f32,
    /// The solution, if there is exactly one.
    solution: Option<String>,
    /// Top left, top right, bottom right, bottom left of the upright board, in pixels.
    corners: [[f32; 2]; 4],
    quarter_turns: usize,
    light_on_dark: bool,
    more_than_one_grid: bool,
    /// Signs of rules that are not read: `diagonals`, `cages`.
    signs: Vec<&'static str>,
    /// The irregular region of each cell.
    regions: Option<Vec<u8>>,
    /// The cells whose digit is not certain, the least certain first.
    doubtful: Vec<usize>,
    cells: Vec<CellReport>,
}

#[derive(Clone, Debug, Serialize)]
struct CellReport {
    cell: String,
    digit: u8,
    /// `empty`, `printed`, `handwritten` or `pencil marks`.
    seen: &'static str,
    seen_digit: u8,
    confidence: f32,
    /// Whether the rules changed what was seen.
    changed: bool,
    /// The probabilities of "no digit" and of each digit, without the rules.
    probabilities: Vec<f32>,
    /// The corners in the photo, like those of the board.
    corners: [[f32; 2]; 4],
}

impl Report {
    pub fn new(reading: &Reading) -> Report {
        let side = reading.side;
        let cell = |(index, cell): (usize, &CellReading)| CellReport {
            cell: format!("r{}c{}", index / side + 1, index % side + 1),
            digit: cell.digit,
            seen: match cell.seen {
                Content::Empty => "empty",
                Content::Printed(_) => "printed",
                Content::Handwritten(_) => "handwritten",
                Content::PencilMarks => "pencil marks",
            },
            seen_digit: cell.seen_digit,
            confidence: cell.confidence,
            changed: cell.is_changed(),
            probabilities: cell.probabilities.clone(),
            corners: reading.cell_corners(index).map(|corner| [corner.x, corner.y]),
        };
        Report {
            outcome: reading.outcome.name(),
            puzzle: line(&reading.digits()),
            side,
            confidence: reading.confidence,
            solution: reading.solution.as_deref().map(line),
            corners: reading.corners().map(|corner| [corner.x, corner.y]),
            quarter_turns: reading.quarter_turns,
            light_on_dark: reading.grid.is_dark,
            more_than_one_grid: reading.grid.has_rival,
            signs: reading.signs.iter().copied().map(Sign::name).collect(),
            regions: reading.jigsaw.clone(),
            doubtful: reading.doubtful_cells(),
            cells: reading.cells.iter().enumerate().map(cell).collect(),
        }
    }
}
