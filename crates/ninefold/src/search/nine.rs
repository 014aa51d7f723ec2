//! What the fast 9×9 solvers share: puzzles as plain lines, cells as sets of nine bits, and the choice of a guess.

use super::Stop;
use crate::grid::{Candidates, Grid, Order};
use std::ops::ControlFlow;

/// A 9×9 grid as 81 bytes in reading order: `1` to `9` are digits, every other byte is an empty cell.
pub type Line = [u8; 81];

/// What a 9×9 solver calls with each solution; it answers whether to go on.
pub type VisitLine<'a> = dyn FnMut(&Line) -> ControlFlow<Stop> + 'a;

/// A cell's candidates: bit 0 stands for the digit 1, bit 8 for the digit 9.
pub(crate) type Bits = u16;

/// A cell that can still take every digit.
pub(crate) const ANY: Bits = 0x1FF;

/// The digits marked in each of the 81 cells in reading order: bit 0 stands for the digit 1, bit 8 for the digit 9.
pub type PencilMarks = [u16; 81];

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

/// The marks that a puzzle starts with: its digit in each clue's cell, all nine elsewhere.
#[must_use]
pub fn marks_of(puzzle: &Line) -> PencilMarks {
    puzzle.map(|byte| BITS_OF_BYTE[usize::from(byte)])
}

/// The digits of a position and what it has marked in the open cells; `None` for any size but 9×9.
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

/// The same for a search among pencil marks.
///
/// # Panics
/// If the line is not a solution, or uses a digit that was not marked.
pub(super) fn check_marks(solution: &Line, marks: &PencilMarks, solver: &str) {
    let fits =
        solution.iter().zip(marks).all(|(&byte, &set)| set & BITS_OF_BYTE[usize::from(byte)] != 0);
    assert!(fits, "this is a bug in Ninefold: solver {solver} uses a digit that was not marked");
    check(solution, &[b'.'; 81], solver);
}

/// Is this line a complete grid that keeps all rules and all digits of `puzzle`? The check of [`Grid::solves`],
/// quick enough to be made for every solution of a batch.
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
    // Nine cells hold nine different digits exactly when together they hold all of them.
    seen.iter().flatten().all(|&digits| digits == ANY)
}

/// A set of cells, one bit for each in the numbering of whoever uses it.
pub(super) type CellSet<const WORDS: usize> = [u64; WORDS];

/// A set of at most 128 cells.
#[inline(always)]
pub(super) fn words(cells: u128) -> CellSet<2> {
    [cells as u64, (cells >> 64) as u64]
}

/// For each cell in reading order the set of cells it sees, as bits in reading order.
pub(super) const PEERS: [u128; 81] = {
    let mut table = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        table[cell] = PEER_SETS[cell][0] as u128 | (PEER_SETS[cell][1] as u128) << 64;
        cell += 1;
    }
    table
};

/// The same as [`PEERS`], in words.
pub(super) const PEER_SETS: [CellSet<2>; 81] = {
    let mut reading_order = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        reading_order[cell] = cell;
        cell += 1;
    }
    peers(&reading_order)
};

/// The peers of each cell where the cell in reading order `i` has the number `numbers[i]`.
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

/// Do two cells, numbered in reading order, share a house?
pub(super) const fn see_each_other(a: usize, b: usize) -> bool {
    let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
    a != b && (a / 9 == b / 9 || a % 9 == b % 9 || same_box)
}

/// Above so many two-candidate cells any of them does: such a node is nearly done, or has many solutions. Comparing all of
/// them costs more than it saves: with a bound of 16, lists with many solutions gain 13 % one at a time and 20 % in a
/// batch, and hard lists lose nothing; with a bound of 8 they lose 9 %.
const PAIRS_WORTH_COMPARING: u32 = 16;

/// A search that has made so many guesses in a puzzle without meeting an end is lucky: the puzzle is likely to have many
/// solutions. Those have hardly any dead ends, and there any guess does.
pub(super) const LUCKY_DESCENT: usize = 2;

/// Are there so many cells with two candidates that any of them does?
#[inline(always)]
pub(super) fn are_many<const WORDS: usize>(with_two: &CellSet<WORDS>) -> bool {
    size(with_two) > PAIRS_WORTH_COMPARING
}

/// The first cell of a set.
#[inline(always)]
pub(super) fn first_cell<const WORDS: usize>(cells: &CellSet<WORDS>) -> Option<usize> {
    let word = cells.iter().position(|&word| word != 0)?;
    Some(word * 64 + cells[word].trailing_zeros() as usize)
}

/// How many cells are in a set.
#[inline(always)]
pub(super) fn size<const WORDS: usize>(cells: &CellSet<WORDS>) -> u32 {
    let mut size = 0;
    for word in cells {
        size += word.count_ones();
    }
    size
}

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
pub(super) fn most_telling<const WORDS: usize>(
    with_two: &CellSet<WORDS>,
    with_digit: &[CellSet<WORDS>; 16],
    peers: &[CellSet<WORDS>],
    candidates_of: impl Fn(usize) -> Bits,
) -> Option<usize> {
    if with_two.iter().all(|&word| word == 0) {
        return None;
    }
    // The score and the cell in one number: taking the larger of two needs no branch that could be foretold wrongly.
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
