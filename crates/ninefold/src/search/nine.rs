//! Shared parts of the fast 9×9 solvers: puzzles as lines of bytes, candidates as nine bits, and
//! the choice of the cell to guess.

use super::StopReason;
use crate::grid::{Candidates, Grid, Order};
use std::ops::ControlFlow;

/// A 9×9 grid as 81 bytes in reading order. `1` to `9` are digits; every other byte is an empty
/// cell.
pub type Line = [u8; 81];

/// The callback of [`Walk::walk_lines`](super::Walk::walk_lines), called with each solution. It
/// decides whether the walk continues.
pub type VisitLine<'a> = dyn FnMut(&Line) -> ControlFlow<StopReason> + 'a;

/// The candidates of a cell. Bit 0 is the digit 1, bit 8 the digit 9.
pub(crate) type Bits = u16;

/// All nine digits.
pub(crate) const ANY: Bits = 0x1FF;

/// The candidates of each of the 81 cells in reading order. Bit 0 is the digit 1, bit 8 the digit
/// 9.
pub type PencilMarks = [u16; 81];

/// The candidates of a cell by its byte in a line: one for a digit, all nine otherwise.
pub(super) const BITS_OF_BYTE: [Bits; 256] = {
    let mut table = [ANY; 256];
    let mut digit = 0;
    while digit < 9 {
        table[b'1' as usize + digit] = 1 << digit;
        digit += 1;
    }
    table
};

/// The initial candidates of a puzzle: one for each clue, all nine in the other cells.
#[must_use]
pub fn marks_of(puzzle: &Line) -> PencilMarks {
    puzzle.map(|byte| BITS_OF_BYTE[usize::from(byte)])
}

/// The digits and candidates of a position. Returns `None` if it is not 9×9.
#[must_use]
pub fn marks(position: &Candidates) -> Option<PencilMarks> {
    let mut marks = marks_of(&line(position.grid())?);
    for (cell, set) in position.grid().order().cells().zip(&mut marks) {
        if position.grid()[cell].is_none() {
            *set = position.at(cell).into_iter().fold(0, |set, digit| set | 1 << digit.index());
        }
    }
    Some(marks)
}

/// Converts a 9×9 grid to a line, with `.` for an empty cell. Returns `None` for other sizes
/// and other rules.
#[must_use]
pub fn line(grid: &Grid) -> Option<Line> {
    if grid.order() != Order::NINE || grid.rules().is_some() {
        return None;
    }
    let mut line = [b'.'; 81];
    for (byte, number) in line.iter_mut().zip(grid.numbers()) {
        // A value for every cell and no branch, so that the compiler vectorizes the loop.
        *byte = if number > 0 { b'0' + number } else { b'.' };
    }
    Some(line)
}

/// Converts a line to a grid.
#[must_use]
pub fn grid(line: &Line) -> Grid {
    let numbers = line.map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 });
    Grid::from_numbers(Order::NINE, &numbers).expect("81 numbers up to 9 are a 9×9 grid")
}

/// Checks a solution before it is returned to the caller, as [`Solver`](super::Solver) does for
/// grids.
///
/// # Panics
/// If the line does not solve the puzzle, which is a bug in the solver.
pub(super) fn check(solution: &Line, puzzle: &Line, solver: &str) {
    assert!(
        solves(solution, puzzle),
        "this is a bug in Ninefold: solver {solver} returned {} as a solution of {}",
        String::from_utf8_lossy(solution),
        String::from_utf8_lossy(puzzle)
    );
}

/// Like [`check`], for a search that starts from candidates.
///
/// # Panics
/// If the line is not a solution, or uses a digit that is not a candidate.
pub(super) fn check_marks(solution: &Line, marks: &PencilMarks, solver: &str) {
    let fits =
        solution.iter().zip(marks).all(|(&byte, &set)| set & BITS_OF_BYTE[usize::from(byte)] != 0);
    assert!(
        fits,
        "this is a bug in Ninefold: solver {solver} uses a digit that is not a candidate"
    );
    check(solution, &[b'.'; 81], solver);
}

/// Whether this line is a full grid that follows the rules and contains all digits of `puzzle`.
/// Equivalent to [`Grid::solves`], but fast enough for every solution of a batch.
#[must_use]
pub fn solves(solution: &Line, puzzle: &Line) -> bool {
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
    // Nine cells contain nine different digits exactly if their union is all nine digits.
    seen.iter().flatten().all(|&digits| digits == ANY)
}

/// A set of cells, one bit for each cell. Each solver has its own numbering.
pub(super) type CellSet<const WORDS: usize> = [u64; WORDS];

/// A set of at most 128 cells.
#[inline(always)]
pub(super) fn words(cells: u128) -> CellSet<2> {
    [cells as u64, (cells >> 64) as u64]
}

/// The peers of each cell, with cells and bits in reading order.
pub(super) const PEERS: [u128; 81] = {
    let mut table = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        table[cell] = PEER_SETS[cell][0] as u128 | (PEER_SETS[cell][1] as u128) << 64;
        cell += 1;
    }
    table
};

/// Like [`PEERS`], in 64-bit words.
pub(super) const PEER_SETS: [CellSet<2>; 81] = {
    let mut reading_order = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        reading_order[cell] = cell;
        cell += 1;
    }
    peers(&reading_order)
};

/// The peers of each cell in another numbering: the cell with index `i` in reading order has the
/// number `numbers[i]`.
pub(super) const fn peers<const WORDS: usize, const LENGTH: usize>(
    numbers: &[usize; 81],
) -> [CellSet<WORDS>; LENGTH] {
    let mut table = [[0; WORDS]; LENGTH];
    let mut cell = 0;
    while cell < 81 {
        let mut other = 0;
        while other < 81 {
            if see_each_other(cell, other) {
                table[numbers[cell]][numbers[other] / 64] |= 1 << (numbers[other] % 64);
            }
            other += 1;
        }
        cell += 1;
    }
    table
}

/// Whether two different cells, numbered in reading order, share a house.
pub(super) const fn see_each_other(a: usize, b: usize) -> bool {
    let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
    a != b && (a / 9 == b / 9 || a % 9 == b % 9 || same_box)
}

/// With more two-candidate cells than this, the search guesses in the first one. Such a node is
/// nearly solved or has many solutions, so comparing the cells costs more than it saves. With a
/// bound of 16, lists with many solutions are 13 % faster one at a time and 20 % faster in a batch,
/// and hard lists are as fast as before; with a bound of 8 hard lists are 9 % slower.
const MOST_PAIRS_TO_COMPARE: u32 = 16;

/// After this many guesses without a dead end or a solution, the puzzle probably has many
/// solutions. Such puzzles have hardly any dead ends, so the choice of the cell does not matter.
pub(super) const LUCKY_DESCENT: usize = 2;

/// Whether there are too many two-candidate cells to compare them.
#[inline(always)]
pub(super) fn are_many<const WORDS: usize>(with_two: &CellSet<WORDS>) -> bool {
    size(with_two) > MOST_PAIRS_TO_COMPARE
}

/// The first cell of a set.
#[inline(always)]
pub(super) fn first_cell<const WORDS: usize>(cells: &CellSet<WORDS>) -> Option<usize> {
    let word = cells.iter().position(|&word| word != 0)?;
    Some(word * 64 + cells[word].trailing_zeros() as usize)
}

/// The number of cells in a set.
#[inline(always)]
pub(super) fn size<const WORDS: usize>(cells: &CellSet<WORDS>) -> u32 {
    let mut size = 0;
    for word in cells {
        size += word.count_ones();
    }
    size
}

/// The two-candidate cell in which a guess removes most candidates from other cells.
///
/// A guess is worth most if many peers lose a candidate, and above all if they have only one left
/// then. So a peer scores 1 for each digit it shares with the cell, and 3 if it has only two
/// candidates itself. The weights are measured: on forum 11+ puzzles, guessing in the first
/// two-candidate cell takes 126 guesses per puzzle, in the cell with most open peers 80, with
/// weight 1 alone 78, with these weights 66. More weights (4, 2, 1 by candidate count) change
/// nothing.
///
/// `with_two` contains the cells with two candidates, `with_digit` the open cells with each digit
/// as a candidate, `peers` the peers of each cell, all as bits in the numbering of the caller. Only
/// the first nine of the sixteen sets are used; an array of sixteen needs no bounds check.
#[inline(always)]
pub(super) fn most_constraining<const WORDS: usize>(
    with_two: &CellSet<WORDS>,
    with_digit: &[CellSet<WORDS>; 16],
    peers: &[CellSet<WORDS>],
    candidates_of: impl Fn(usize) -> Bits,
) -> Option<usize> {
    if with_two.iter().all(|&word| word == 0) {
        return None;
    }
    // Score and cell are packed into one number, so that `max` needs no branch that could be
    // mispredicted.
    let mut best = 0;
    for (word, &cells) in with_two.iter().enumerate() {
        let mut cells = cells;
        while cells != 0 {
            let cell = word * 64 + cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let (pair, peers) = (candidates_of(cell), &peers[cell]);
            let low = &with_digit[pair.trailing_zeros() as usize & 15];
            let high = &with_digit[(15 - pair.leading_zeros()) as usize & 15];
            let mut score = 1;
            for word in 0..WORDS {
                let (low, high) = (low[word] & peers[word], high[word] & peers[word]);
                score += low.count_ones() + high.count_ones();
                score += 2
                    * ((low & with_two[word]).count_ones() + (high & with_two[word]).count_ones());
            }
            best = best.max((score as usize) << 8 | (255 - cell));
        }
    }
    Some(255 - (best & 255))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &Line =
        b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &Line =
        b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn lines_and_grids_convert_to_each_other() {
        assert_eq!(line(&grid(PUZZLE)), Some(*PUZZLE));
        assert_eq!(line(&Grid::empty(Order::FOUR)), None);
    }

    #[test]
    fn only_a_full_grid_with_the_clues_solves_a_line() {
        assert!(solves(SOLUTION, PUZZLE));
        assert!(!solves(PUZZLE, PUZZLE), "not complete");
        let mut swapped = *SOLUTION;
        swapped.swap(2, 3);
        assert!(!solves(&swapped, &[b'.'; 81]), "two sixes in box 1");
        let relabelled = SOLUTION.map(|byte| if byte == b'9' { b'1' } else { byte + 1 });
        assert!(solves(&relabelled, &[b'.'; 81]) && !solves(&relabelled, PUZZLE), "other clues");
    }

    #[test]
    fn check_accepts_a_solution() {
        check(SOLUTION, PUZZLE, "any");
    }

    #[test]
    #[should_panic(expected = "this is a bug in Ninefold: solver any returned")]
    fn check_rejects_a_wrong_solution() {
        check(PUZZLE, PUZZLE, "any");
    }

    #[test]
    fn every_cell_has_twenty_peers() {
        assert!(PEERS.iter().all(|peers| peers.count_ones() == 20));
    }
}
