//! What the fast 9×9 solvers share: puzzles as plain lines, cells as sets of nine bits, and the choice of a guess.

use super::Stop;
use crate::grid::{Grid, Order};
use std::ops::ControlFlow;

/// A 9×9 grid as 81 bytes in reading order: `1` to `9` are digits, every other byte is an empty cell.
pub type Line = [u8; 81];

/// What a 9×9 solver calls with each solution; it answers whether to go on.
pub(super) type VisitLine<'a> = dyn FnMut(&Line) -> ControlFlow<Stop> + 'a;

/// A cell's candidates: bit 0 stands for the digit 1, bit 8 for the digit 9.
pub(super) type Bits = u16;

/// A cell that can still take every digit.
pub(super) const ANY: Bits = 0x1FF;

/// The candidates that a byte of a line leaves to its cell.
pub(super) const BITS_OF_BYTE: [Bits; 256] = {
    let mut table = [ANY; 256];
    let mut digit = 0;
    while digit < 9 {
        table[b'1' as usize + digit] = 1 << digit;
        digit += 1;
    }
    table
};

/// The 81 bytes of a 9×9 grid, `.` for an empty cell; `None` for any other size.
#[must_use]
pub fn line(grid: &Grid) -> Option<Line> {
    if grid.order() != Order::NINE {
        return None;
    }
    let mut line = [b'.'; 81];
    for (byte, number) in line.iter_mut().zip(grid.numbers()) {
        // A value for every cell and no branch, so that the compiler takes many cells at once.
        *byte = if number > 0 { b'0' + number } else { b'.' };
    }
    Some(line)
}

/// The grid that a line describes.
#[must_use]
pub fn grid(line: &Line) -> Grid {
    let numbers = line.map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 });
    Grid::from_numbers(Order::NINE, &numbers).expect("81 numbers up to 9 make a 9×9 grid")
}

/// The check that every line goes through before it leaves a solver as a solution, as [`Solver`](super::Solver) makes it
/// for grids.
///
/// # Panics
/// If the line does not solve the puzzle: the solver with this name has a bug.
pub(super) fn check(solution: &Line, puzzle: &Line, solver: &str) {
    assert!(
        solves(solution, puzzle),
        "this is a bug in Ninefold: solver {solver} calls {} a solution of {}",
        String::from_utf8_lossy(solution),
        String::from_utf8_lossy(puzzle)
    );
}

/// Is this line a complete grid that keeps all rules and all digits of `puzzle`? The check of [`Grid::solves`],
/// quick enough to be made for every solution of a batch.
fn solves(solution: &Line, puzzle: &Line) -> bool {
    let mut seen = [[0; 9]; 3];
    for (cell, (&byte, &clue)) in solution.iter().zip(puzzle).enumerate() {
        if !matches!(byte, b'1'..=b'9') || (matches!(clue, b'1'..=b'9') && clue != byte) {
            return false;
        }
        let (row, column) = (cell / 9, cell % 9);
        for (kind, house) in [row, column, row / 3 * 3 + column / 3].into_iter().enumerate() {
            seen[kind][house] |= BITS_OF_BYTE[usize::from(byte)];
        }
    }
    // Nine cells hold nine different digits exactly when together they hold all of them.
    seen.iter().flatten().all(|&digits| digits == ANY)
}

/// For each cell in reading order the set of cells it sees, as bits in reading order.
pub(super) const PEERS: [u128; 81] = {
    let mut table = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            if see_each_other(cell, other) {
                table[cell] |= 1 << other;
            }
            other += 1;
        }
        cell += 1;
    }
    table
};

/// Do two cells, numbered in reading order, share a house?
pub(super) const fn see_each_other(a: usize, b: usize) -> bool {
    let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
    a != b && (a / 9 == b / 9 || a % 9 == b % 9 || same_box)
}

/// Above so many two-candidate cells any of them does: such a node is nearly done, or has many solutions. Comparing all of
/// them costs more than it saves: with a bound of 16, lists with many solutions gain 13 % one at a time and 20 % in a
/// batch, and hard lists lose nothing; with a bound of 8 they lose 9 %.
const PAIRS_WORTH_COMPARING: u32 = 16;

/// The two-candidate cell whose digits its peers would miss most.
///
/// A guess settles much when many peers lose a candidate, and most when that leaves them with one. So each peer counts
/// one for each digit it shares with the cell, and three if it has only two candidates itself. The weights 1 and 3
/// are measured: on forum 11+ puzzles the first two-candidate cell needs 126 guesses a puzzle, the cell with most
/// open peers 80, weight 1 alone 78, these weights 66; more weights (4, 2, 1 by candidate count) change nothing.
///
/// `with_two` holds the cells with two candidates, `with_digit` the open cells that can take each digit, `peers` the
/// peers of each cell, all as bits in the numbering of the caller. (Only the first nine of the sixteen sets are used;
/// a table of sixteen needs no bounds check.)
#[inline(always)]
pub(super) fn most_telling(
    with_two: u128,
    with_digit: &[u128; 16],
    peers: &[u128],
    candidates_of: impl Fn(usize) -> Bits,
) -> Option<usize> {
    if with_two.count_ones() > PAIRS_WORTH_COMPARING {
        return Some(with_two.trailing_zeros() as usize);
    }
    // The score and the cell in one number: taking the larger of two needs no branch that could be foretold wrongly.
    let mut best = 0;
    let mut cells = with_two;
    while cells != 0 {
        let cell = cells.trailing_zeros() as usize;
        cells &= cells - 1;
        let pair = candidates_of(cell);
        let low = with_digit[pair.trailing_zeros() as usize & 15] & peers[cell];
        let high = with_digit[(15 - pair.leading_zeros()) as usize & 15] & peers[cell];
        let sharing = low.count_ones() + high.count_ones();
        let sharing_with_two = (low & with_two).count_ones() + (high & with_two).count_ones();
        let score = 1 + sharing + 2 * sharing_with_two;
        best = best.max((score as usize) << 7 | (127 - cell));
    }
    if best == 0 { None } else { Some(127 - (best & 127)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &Line = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &Line = b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn a_line_and_a_grid_are_the_same_puzzle() {
        assert_eq!(line(&grid(PUZZLE)), Some(*PUZZLE));
        assert_eq!(line(&Grid::empty(Order::FOUR)), None);
    }

    #[test]
    fn only_a_complete_grid_that_keeps_the_clues_solves_a_line() {
        assert!(solves(SOLUTION, PUZZLE));
        assert!(!solves(PUZZLE, PUZZLE), "not complete");
        let mut swapped = *SOLUTION;
        swapped.swap(2, 3);
        assert!(!solves(&swapped, &[b'.'; 81]), "two sixes in box 1");
        let relabelled = SOLUTION.map(|byte| if byte == b'9' { b'1' } else { byte + 1 });
        assert!(solves(&relabelled, &[b'.'; 81]) && !solves(&relabelled, PUZZLE), "other clues");
    }

    #[test]
    fn a_line_that_is_a_solution_passes_the_check() {
        check(SOLUTION, PUZZLE, "any");
    }

    #[test]
    #[should_panic(expected = "this is a bug in Ninefold: solver any calls")]
    fn a_line_that_is_not_a_solution_never_leaves() {
        check(PUZZLE, PUZZLE, "any");
    }

    #[test]
    fn every_cell_has_twenty_peers() {
        assert!(PEERS.iter().all(|peers| peers.count_ones() == 20));
    }
}
