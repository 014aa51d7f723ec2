//! The layout of nine boxes in sixteen lanes, for engines with sixteen lanes.
//!
//! ```text
//!   box 1 2 3 1   4 5 6 4   7 8 9 7   1 2 3 1
//! ```
//!
//! Each group of four lanes is a band whose first box is repeated, and the last group repeats the
//! first. So a few instructions that treat all lanes alike find the next box and the next band.

use super::super::nine::{self, CellSet};
use super::boxes::place_and_box;

/// The box of each lane.
pub(super) const BOX_OF_LANE: [usize; 16] = [0, 1, 2, 0, 3, 4, 5, 3, 6, 7, 8, 6, 0, 1, 2, 0];

/// The first lane of each box.
pub(super) const LANE_OF_BOX: [usize; 9] = [0, 1, 2, 4, 5, 6, 8, 9, 10];

/// The lanes that are the first of their box.
pub(super) const FIRST_LANES: u16 = 0x0777;

/// The peers of each cell; a cell's number is `16 · vector + lane`.
pub(super) static PEERS: [CellSet<3>; 144] = {
    let mut numbers = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let (place, number) = place_and_box(cell);
        numbers[cell] = 16 * place + LANE_OF_BOX[number];
        cell += 1;
    }
    nine::peers(&numbers)
};
