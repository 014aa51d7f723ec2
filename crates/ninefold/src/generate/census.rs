//! A census of all 4×4 puzzles (Schendowich et al. 2024, appendix).
//!
//! A puzzle is a complete grid and a mask of its clues, with one bit per cell: r1c1 is the lowest
//! bit, r4c4 the highest. A puzzle is well posed if no other grid has the same clues. It is locally
//! minimal if removing any one clue makes it ill posed.
//!
//! The obvious algorithm, for each of the 288 complete grids:
//!
//! ```text
//! for each of the 65,536 masks:   well posed ⇔ a solver finds one solution
//! ```
//! The fast algorithm used here needs no search after it has found the 288 grids. Two grids have
//! the same clues under a mask exactly if the mask is a subset of the cells in which they agree. A
//! mask is therefore ill posed for a grid if it is a subset of one of the 287 sets of cells in
//! which the grid agrees with another one. These sets are marked in a bit set over all masks, and
//! sixteen sweeps, one per cell, propagate the marks to all subsets.

use super::GeneratedPuzzle;
use crate::grid::{Grid, Order};
use crate::search::{Limits, Solver, dlx::Dlx};
use std::ops::ControlFlow;

/// The clues of a 4×4 puzzle, one bit per cell.
type Mask = u16;

/// One bit for each of the 65,536 masks, 64 to a word.
type MaskSet = Box<[u64; MASK_WORDS]>;

const CELLS: usize = 16;
const MASK_WORDS: usize = (1 << CELLS) / 64;
/// Words of masks without cell 0, 1, … 5. These cells differ within a word; the others select the
/// word.
const WITHOUT_CELL: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// A complete grid and all puzzles with this solution.
#[derive(Clone, Debug)]
pub struct SolutionGrid {
    /// The complete grid.
    pub solution: Grid,
    well_posed: MaskSet,
}

/// The number of puzzles with a given number of clues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// Puzzles with one solution.
    pub well_posed: u64,
    /// Well-posed puzzles in which every clue is necessary.
    pub minimal: u64,
}

/// Returns all 288 grids with their puzzles, in the order in which dancing links finds them.
///
/// ```
/// use ninefold::generate::census;
///
/// let census = census::all();
/// assert_eq!(census.len(), 288);
/// assert_eq!(census::minimal_puzzles(&census).count(), 85_632);
/// ```
#[must_use]
pub fn all() -> Vec<SolutionGrid> {
    let mut grids: Vec<Grid> = Vec::new();
    let searched = Dlx.search(&Grid::empty(Order::FOUR), &Limits::none(), &mut |grid| {
        grids.push(grid);
        ControlFlow::Continue(())
    });
    searched.expect("dancing links supports every size");
    let well_posed = |grid: &Grid| {
        let others = grids.iter().filter(|other| *other != grid);
        well_posed(others.map(|other| agreement(grid, other)))
    };
    grids
        .iter()
        .map(|grid| SolutionGrid { solution: grid.clone(), well_posed: well_posed(grid) })
        .collect()
}

/// Counts the puzzles with 0, 1, … 16 clues (Table 1).
#[must_use]
pub fn counts(census: &[SolutionGrid]) -> [Count; CELLS + 1] {
    let mut counts = [Count::default(); CELLS + 1];
    for solved in census {
        for mask in (0..=Mask::MAX).filter(|&mask| solved.is_well_posed(mask)) {
            let count = &mut counts[mask.count_ones() as usize];
            count.well_posed += 1;
            count.minimal += u64::from(solved.is_minimal(mask));
        }
    }
    counts
}

/// Returns all well-posed, locally minimal puzzles, grid by grid, in the paper's order of masks.
pub fn minimal_puzzles(census: &[SolutionGrid]) -> impl Iterator<Item = GeneratedPuzzle> + '_ {
    let masks = masks();
    census.iter().flat_map(move |solved| {
        let minimal: Vec<Mask> =
            masks.iter().copied().filter(|&mask| solved.is_minimal(mask)).collect();
        minimal.into_iter().map(|mask| GeneratedPuzzle {
            puzzle: solved.puzzle(mask),
            solution: solved.solution.clone(),
        })
    })
}

/// All masks in the paper's order: by number of clues, then by their cells in reading order.
fn masks() -> Vec<Mask> {
    let mut masks: Vec<Mask> = (0..=Mask::MAX).collect();
    // Among masks with equally many clues, the one with the earlier cell comes first.
    masks.sort_by_key(|mask| (mask.count_ones(), !mask.reverse_bits()));
    masks
}

impl SolutionGrid {
    /// Whether this grid is the only solution for these clues.
    fn is_well_posed(&self, mask: Mask) -> bool {
        self.well_posed[usize::from(mask) / 64] >> (mask % 64) & 1 == 1
    }

    /// Whether the puzzle is well posed and every clue is necessary.
    fn is_minimal(&self, mask: Mask) -> bool {
        let without = |cell: usize| mask & !(1 << cell);
        let is_needed = |cell| without(cell) == mask || !self.is_well_posed(without(cell));
        self.is_well_posed(mask) && (0..CELLS).all(is_needed)
    }

    fn puzzle(&self, mask: Mask) -> Grid {
        let clue = |(cell, number)| if mask >> cell & 1 == 1 { number } else { 0 };
        let numbers: Vec<u8> = self.solution.numbers().enumerate().map(clue).collect();
        Grid::from_numbers(Order::FOUR, &numbers).expect("a solution with empty cells is valid")
    }
}

/// The cells in which two grids agree.
fn agreement(one: &Grid, other: &Grid) -> Mask {
    let pairs = one.numbers().zip(other.numbers()).enumerate();
    pairs.fold(0, |mask, (cell, (one, other))| mask | Mask::from(one == other) << cell)
}

/// The masks that are not a subset of any agreement.
fn well_posed(agreements: impl Iterator<Item = Mask>) -> MaskSet {
    let mut inside: MaskSet = Box::new([0; MASK_WORDS]);
    agreements.for_each(|mask| inside[usize::from(mask) / 64] |= 1 << (mask % 64));
    // A mask without a cell is a subset of the same mask with the cell.
    for (cell, without) in WITHOUT_CELL.into_iter().enumerate() {
        inside.iter_mut().for_each(|word| *word |= *word >> (1 << cell) & without);
    }
    for cell in WITHOUT_CELL.len()..CELLS {
        let distance = (1 << cell) / 64;
        for index in (0..MASK_WORDS).filter(|index| index & distance == 0) {
            inside[index] |= inside[index + distance];
        }
    }
    inside.iter_mut().for_each(|word| *word = !*word);
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{is_minimal, is_unique};
    use crate::random::Random;

    #[test]
    fn counts_match_table_1() {
        let census = all();
        assert_eq!(census.len(), 288);
        let counts = counts(&census);
        let well_posed: Vec<u64> = counts[4..=14].iter().map(|count| count.well_posed).collect();
        let table_1 = [
            25_728, 284_160, 1_041_408, 2_141_184, 2_961_024, 2_958_336, 2_204_928, 1_239_552,
            522_624, 161_280, 34_560,
        ];
        assert_eq!(well_posed, table_1);
        let minimal: Vec<u64> = counts[4..=14].iter().map(|count| count.minimal).collect();
        assert_eq!(minimal, [25_728, 58_368, 1_536, 0, 0, 0, 0, 0, 0, 0, 0]);
        // Not in the table: three clues are never enough, and fifteen always are.
        assert!(counts[..4].iter().all(|count| *count == Count::default()));
        assert_eq!((counts[15].well_posed, counts[16].well_posed), (16 * 288, 288));
    }

    #[test]
    fn a_solver_agrees_on_a_sample() {
        let census = all();
        let mut random = Random::new(4);
        let (mut well_posed, mut minimal) = (0, 0);
        for _ in 0..3_000 {
            let solved = random.pick(&census).expect("the census is not empty");
            // Bits are set with probability 3/8, so that about half of the puzzles are well posed.
            let mask = random.bits() as Mask & (random.bits() | random.bits()) as Mask;
            let puzzle = solved.puzzle(mask);
            let is_unique = is_unique(&puzzle).unwrap();
            assert_eq!(solved.is_well_posed(mask), is_unique, "{puzzle}");
            assert_eq!(
                solved.is_minimal(mask),
                is_unique && is_minimal(&puzzle).unwrap(),
                "{puzzle}"
            );
            well_posed += usize::from(solved.is_well_posed(mask));
            minimal += usize::from(solved.is_minimal(mask));
        }
        assert!((500..2_500).contains(&well_posed) && minimal > 5, "{well_posed} {minimal}");
    }

    #[test]
    fn masks_are_ordered_by_clue_count_and_reading_order() {
        let masks = masks();
        assert_eq!(masks.len(), 65_536);
        assert_eq!(masks[..4], [0, 1, 2, 4]);
        assert_eq!(masks[17..20], [0b11, 0b101, 0b1001]);
        assert_eq!(masks[65_535], Mask::MAX);
    }

    #[test]
    fn puzzles_of_a_grid_are_ordered_by_clue_count() {
        let census = all();
        let puzzles: Vec<GeneratedPuzzle> = minimal_puzzles(&census[..1]).collect();
        let clues: Vec<usize> =
            puzzles.iter().map(|generated| generated.puzzle.clue_count()).collect();
        assert!(clues.is_sorted() && clues[0] == 4);
        assert!(puzzles.iter().all(|generated| generated.solution.solves(&generated.puzzle)));
    }
}
