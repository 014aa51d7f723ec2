//! The census of 4×4: this is where we list every puzzle there is (Schendowich et al. 2024, appendix).
//!
//! A puzzle is a complete grid seen through a mask, one bit for each cell: r1c1 is the lowest bit, r4c4 the highest. It
//! is well posed if no other grid shows the same clues, and locally minimal if that is lost with any one clue.
//!
//! In plain words, for each of the 288 grids:
//!
//! ```text
//! for each of the 65,536 masks:   well posed ⇔ a solver finds one solution
//! ```
//! What makes it fast: two grids agree in a set of cells, and both fit exactly the masks inside that set. So the masks
//! that are *not* well posed are the subsets of the 287 agreements. They are marked as bits of a set of masks; sixteen
//! sweeps, one for each cell, carry every mark down to all its subsets. No search is needed after the first 288 grids.

use super::Made;
use crate::grid::{Grid, Order};
use crate::search::{Limits, Solver, dlx::Dlx};
use std::ops::ControlFlow;

/// Which cells of a 4×4 grid are shown.
type Mask = u16;

/// One bit for each of the 65,536 masks, 64 to a word.
type MaskSet = Box<[u64; MASK_WORDS]>;

const CELLS: usize = 16;
const MASK_WORDS: usize = (1 << CELLS) / 64;
/// Bit `mask` of these words says whether the mask lacks cell 0, 1, … 5: the cells that are told apart inside a word.
const WITHOUT_CELL: [u64; 6] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0f0f_0f0f_0f0f_0f0f,
    0x00ff_00ff_00ff_00ff,
    0x0000_ffff_0000_ffff,
    0x0000_0000_ffff_ffff,
];

/// A complete grid and all puzzles it is the solution of.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The grid.
    pub solution: Grid,
    well_posed: MaskSet,
}

/// How many puzzles there are with one number of clues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Puzzles with one solution.
    pub well_posed: u64,
    /// Those among them that need every clue.
    pub minimal: u64,
}

/// All 288 grids with their puzzles, in the order in which dancing links finds them.
///
/// ```
/// use ninefold::generate::census;
///
/// let census = census::all();
/// assert_eq!(census.len(), 288);
/// assert_eq!(census::minimal_puzzles(&census).count(), 85_632);
/// ```
#[must_use]
pub fn all() -> Vec<Solved> {
    let mut grids: Vec<Grid> = Vec::new();
    let searched = Dlx.search(&Grid::empty(Order::FOUR), &Limits::none(), &mut |grid| {
        grids.push(grid);
        ControlFlow::Continue(())
    });
    searched.expect("dancing links takes grids of every order");
    let well_posed = |grid: &Grid| {
        let others = grids.iter().filter(|other| *other != grid);
        well_posed(others.map(|other| agreement(grid, other)))
    };
    grids
        .iter()
        .map(|grid| Solved { solution: grid.clone(), well_posed: well_posed(grid) })
        .collect()
}

/// How many puzzles there are with 0, 1, … 16 clues (Table 1).
#[must_use]
pub fn counts(census: &[Solved]) -> [Count; CELLS + 1] {
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

/// Every well posed and locally minimal puzzle, grid by grid, in the paper's order of masks.
pub fn minimal_puzzles(census: &[Solved]) -> impl Iterator<Item = Made> + '_ {
    let masks = masks();
    census.iter().flat_map(move |solved| {
        let minimal: Vec<Mask> =
            masks.iter().copied().filter(|&mask| solved.is_minimal(mask)).collect();
        minimal
            .into_iter()
            .map(|mask| Made { puzzle: solved.puzzle(mask), solution: solved.solution.clone() })
    })
}

/// All masks in the paper's order: those with the most empty cells first, equal ones by their cells in reading order.
fn masks() -> Vec<Mask> {
    let mut masks: Vec<Mask> = (0..=Mask::MAX).collect();
    // Read from r1c1 on, a mask that shows an earlier cell comes first.
    masks.sort_by_key(|mask| (mask.count_ones(), !mask.reverse_bits()));
    masks
}

impl Solved {
    /// Do these cells leave this grid as the only solution?
    fn is_well_posed(&self, mask: Mask) -> bool {
        self.well_posed[usize::from(mask) / 64] >> (mask % 64) & 1 == 1
    }

    /// Are these cells enough, and every one of them needed?
    fn is_minimal(&self, mask: Mask) -> bool {
        let without = |cell: usize| mask & !(1 << cell);
        let is_needed = |cell| without(cell) == mask || !self.is_well_posed(without(cell));
        self.is_well_posed(mask) && (0..CELLS).all(is_needed)
    }

    /// The puzzle that shows these cells.
    fn puzzle(&self, mask: Mask) -> Grid {
        let shown = |(cell, number)| if mask >> cell & 1 == 1 { number } else { 0 };
        let numbers: Vec<u8> = self.solution.numbers().enumerate().map(shown).collect();
        Grid::from_numbers(Order::FOUR, &numbers)
            .expect("a grid with some cells left out is a grid")
    }
}

/// The cells in which two grids agree.
fn agreement(one: &Grid, other: &Grid) -> Mask {
    let pairs = one.numbers().zip(other.numbers()).enumerate();
    pairs.fold(0, |mask, (cell, (one, other))| mask | Mask::from(one == other) << cell)
}

/// The masks that are inside none of the agreements.
fn well_posed(agreements: impl Iterator<Item = Mask>) -> MaskSet {
    let mut inside: MaskSet = Box::new([0; MASK_WORDS]);
    agreements.for_each(|mask| inside[usize::from(mask) / 64] |= 1 << (mask % 64));
    // A mask without a cell is marked if the same mask with the cell is.
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
    fn the_counts_are_those_of_table_1() {
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
        // What the table leaves out: too few clues are never enough, and a grid with one gap always is.
        assert!(counts[..4].iter().all(|count| *count == Count::default()));
        assert_eq!((counts[15].well_posed, counts[16].well_posed), (16 * 288, 288));
    }

    #[test]
    fn a_solver_agrees_on_a_sample() {
        let census = all();
        let mut random = Random::new(4);
        let (mut well_posed, mut minimal) = (0, 0);
        for _ in 0..3_000 {
            let solved = random.pick(&census).expect("there are 288");
            // Two draws leave about half of the cells, a third one a quarter: puzzles around the border of well posed.
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
    fn masks_are_listed_with_the_emptiest_first_and_then_in_reading_order() {
        let masks = masks();
        assert_eq!(masks.len(), 65_536);
        assert_eq!(masks[..4], [0, 1, 2, 4]);
        assert_eq!(masks[17..20], [0b11, 0b101, 0b1001]);
        assert_eq!(masks[65_535], Mask::MAX);
    }

    #[test]
    fn the_puzzles_of_a_grid_come_with_their_clues_in_order() {
        let census = all();
        let puzzles: Vec<Made> = minimal_puzzles(&census[..1]).collect();
        let clues: Vec<usize> = puzzles.iter().map(|made| made.puzzle.clue_count()).collect();
        assert!(clues.is_sorted() && clues[0] == 4);
        assert!(puzzles.iter().all(|made| made.solution.solves(&made.puzzle)));
    }
}
