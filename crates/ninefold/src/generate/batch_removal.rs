//! Clue removal for many 9×9 puzzles at once, with the batch solver.
//!
//! A check answers whether the puzzle without the proposed clues still has one solution. Many
//! checks fail: a minimal puzzle with 24 clues has failed 24 of them. Three optimisations make the
//! checks cheap without changing a result:
//!
//! - A ring of two digits that can be swapped without breaking a rule is an *unavoidable set*: if
//!   none of its cells is a clue, there is a second solution, and no search is needed.
//! - If one clue is proposed, the search excludes its digit from its cell. Any solution it finds is
//!   then a second one, and no time is spent on the known one. If two clues are proposed, the
//!   first is checked with the second removed. If the first passes, the second is checked with the
//!   first restored.
//! - The remaining searches of all puzzles are passed to the batch solver together.

use super::GeneratedPuzzle;
use super::clue_remover::{Answer, ClueRemover};
use crate::grid::Cell;
use crate::search::batch::{Batch, Tally};
use crate::search::nine::{self, ANY, PencilMarks};

/// Larger proposals are not checked for rings: they are made early, when nearly all rings still
/// contain clues.
const MOST_CELLS_FOR_RINGS: usize = 4;

/// Clue removal for one puzzle, and the search that it needs next.
struct Removal<'a> {
    remover: ClueRemover<'a>,
    /// The puzzle without the proposed clues; an empty cell has all digits.
    marks: PencilMarks,
    solution: PencilMarks,
    /// For each digit and each house, the three houses of the cell that contains the digit there.
    houses: [[Houses; 27]; 9],
    /// For each digit, the houses in which it is a clue.
    clued: [Houses; 9],
    query: Query,
    /// The number of answered proposals.
    proofs: u64,
}

/// A set of houses: bits 0 to 8 are rows, 9 to 17 columns, 18 to 26 boxes.
type Houses = u32;

/// The pending search, or the next one.
#[derive(Clone, Copy)]
enum Query {
    /// Checks all proposed clues.
    All,
    /// Checks the first of two cells. The second follows.
    FirstOf(usize, usize),
    /// Checks the second of two cells; the first has only one digit.
    SecondOf(usize, usize),
}

impl<'a> Removal<'a> {
    fn new(remover: ClueRemover<'a>) -> Removal<'a> {
        let line = nine::line(remover.solution()).expect("batch removal takes 9×9 puzzles only");
        let solution = nine::marks_of(&line);
        let mut houses = [[0; 27]; 9];
        for (&digit, own) in solution.iter().zip(HOUSES) {
            for house in bits(own) {
                houses[digit.trailing_zeros() as usize][house] = own;
            }
        }
        let clued = [(1 << 27) - 1; 9];
        Removal { remover, marks: solution, solution, houses, clued, query: Query::All, proofs: 0 }
    }

    /// The next position to search and the number of known solutions that it excludes; `None` if
    /// the puzzle is finished. The proposal is allowed if both together are one solution.
    fn next_query(&mut self) -> Option<(PencilMarks, u64)> {
        if let Query::SecondOf(first, second) = self.query {
            let mut position = self.marks;
            position[first] = self.solution[first];
            position[second] ^= self.solution[second];
            return Some((position, 1));
        }
        loop {
            self.remover.propose()?;
            let mut cells = [0; MOST_CELLS_FOR_RINGS];
            let mut count = 0;
            for cell in self.remover.proposed_cells().map(Cell::index) {
                self.marks[cell] = ANY;
                self.clued[self.solution[cell].trailing_zeros() as usize] &= !HOUSES[cell];
                if let Some(place) = cells.get_mut(count) {
                    *place = cell;
                }
                count += 1;
            }
            let mut position = self.marks;
            let Some(cells) = cells.get(..count) else { return Some((position, 0)) };
            if cells.iter().any(|&cell| self.is_in_open_ring(cell)) {
                self.answer(false);
                continue;
            }
            self.query = match *cells {
                [_] => Query::All,
                [first, second] => Query::FirstOf(first, second),
                _ => return Some((position, 0)),
            };
            position[cells[0]] ^= self.solution[cells[0]];
            return Some((position, 1));
        }
    }

    /// Takes the result of the last search: whether there is one solution in all.
    fn record(&mut self, is_unique: bool) {
        match std::mem::replace(&mut self.query, Query::All) {
            Query::FirstOf(first, second) if is_unique => {
                self.query = Query::SecondOf(first, second)
            }
            _ => self.answer(is_unique),
        }
    }

    fn answer(&mut self, is_allowed: bool) {
        self.proofs += 1;
        if !is_allowed {
            for cell in self.remover.proposed_cells().map(Cell::index) {
                self.marks[cell] = self.solution[cell];
                self.clued[self.solution[cell].trailing_zeros() as usize] |= HOUSES[cell];
            }
        }
        self.remover.answer(if is_allowed { Answer::Allowed } else { Answer::Rejected });
    }

    /// Whether an empty cell is part of a ring of two digits that contains no clue.
    fn is_in_open_ring(&self, cell: usize) -> bool {
        let digit = self.solution[cell].trailing_zeros() as usize;
        (0..9).any(|other| other != digit && self.is_open_ring(HOUSES[cell], digit, other))
    }

    /// Whether the ring of these two digits around a cell contains no clue.
    ///
    /// A ring contains every cell of the two digits that shares a house with one of its cells, so
    /// each house contains either both digits of the ring or none. If no cell of the ring is a
    /// clue, its two digits can be swapped.
    fn is_open_ring(&self, start: Houses, digit: usize, other: usize) -> bool {
        let clued = self.clued[digit] | self.clued[other];
        let mut ring = start;
        let mut new = start;
        while new != 0 {
            if new & clued != 0 {
                return false;
            }
            let mut reached = 0;
            for house in bits(new) {
                reached |= self.houses[digit][house] | self.houses[other][house];
            }
            new = reached & !ring;
            ring |= reached;
        }
        true
    }
}

/// Removes clues from many puzzles together, with one search per puzzle and round. Returns each
/// puzzle with its number of answered proposals.
pub(super) fn remove_all<'a>(
    removers: impl Iterator<Item = ClueRemover<'a>>,
) -> Vec<(GeneratedPuzzle, u64)> {
    let mut puzzles: Vec<Removal<'a>> = removers.map(Removal::new).collect();
    let mut positions = Vec::with_capacity(puzzles.len());
    let mut tallies = Vec::with_capacity(puzzles.len());
    let mut pending = Vec::with_capacity(puzzles.len());
    loop {
        positions.clear();
        tallies.clear();
        pending.clear();
        for (number, puzzle) in puzzles.iter_mut().enumerate() {
            if let Some((position, known)) = puzzle.next_query() {
                positions.push(position);
                tallies.push(Tally::new(known, 0));
                pending.push(number);
            }
        }
        if positions.is_empty() {
            break;
        }
        Batch::BEST.count_more(&positions, 2, &mut tallies);
        for (&number, tally) in pending.iter().zip(&tallies) {
            puzzles[number].record(tally.solutions == 1);
        }
    }
    puzzles.into_iter().map(|puzzle| (puzzle.remover.into_generated(), puzzle.proofs)).collect()
}

/// The row, column and box of each cell.
const HOUSES: [Houses; 81] = {
    let mut houses = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        houses[cell] = 1 << row | 1 << (9 + column) | 1 << (18 + row / 3 * 3 + column / 3);
        cell += 1;
    }
    houses
};

fn bits(mut set: Houses) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{PatternSymmetry, full, is_unique};
    use crate::grid::{Grid, Order};
    use crate::random::Random;

    /// The reference implementation: one plain check per proposal.
    fn remove_plainly(mut remover: ClueRemover<'_>) -> (GeneratedPuzzle, u64) {
        let mut proofs = 0;
        while let Some(fewer) = remover.propose() {
            let answer = Answer::from_proof(&is_unique(fewer));
            remover.answer(answer);
            proofs += 1;
        }
        (remover.into_generated(), proofs)
    }

    #[test]
    fn puzzles_are_the_same_as_with_plain_checks() {
        let mut random = Random::new(8);
        for symmetry in [
            PatternSymmetry::None,
            PatternSymmetry::HalfTurn,
            PatternSymmetry::Diagonal,
            PatternSymmetry::QuarterTurn,
            PatternSymmetry::Full,
        ] {
            let groups = symmetry.groups(Order::NINE);
            for (floor, is_monotone) in [(0, true), (0, false), (30, true)] {
                let starts: Vec<(Grid, Random)> = (0..40)
                    .map(|_| (full::random(Order::NINE, &mut random), random.clone()))
                    .collect();
                let removers = || {
                    starts.iter().map(|(solution, order_of_groups)| {
                        ClueRemover::new(
                            solution,
                            &groups,
                            floor,
                            is_monotone,
                            &mut order_of_groups.clone(),
                        )
                    })
                };
                let expected: Vec<(GeneratedPuzzle, u64)> =
                    removers().map(remove_plainly).collect();
                assert_eq!(
                    remove_all(removers()),
                    expected,
                    "{symmetry:?}, at least {floor} clues"
                );
            }
        }
    }

    #[test]
    fn a_ring_without_clues_means_a_second_solution() {
        let groups = PatternSymmetry::None.groups(Order::NINE);
        let mut random = Random::new(9);
        let (mut open, mut closed) = (0, 0);
        for _ in 0..200 {
            let solution = full::random(Order::NINE, &mut random);
            let mut removal =
                Removal::new(ClueRemover::new(&solution, &groups, 0, true, &mut random));
            let mut puzzle = solution.clone();
            for _ in 0..45 {
                let cell = Cell::new(random.below(81));
                puzzle.set(cell, None);
                removal.marks[cell.index()] = ANY;
                removal.clued[solution[cell].unwrap().index()] &= !HOUSES[cell.index()];
            }
            for cell in puzzle.empty_cells() {
                if removal.is_in_open_ring(cell.index()) {
                    open += 1;
                    assert_eq!(is_unique(&puzzle), Ok(false), "{puzzle}");
                } else {
                    closed += 1;
                }
            }
        }
        assert!(open > 100 && closed > 1_000, "{open} open cells in rings, {closed} elsewhere");
    }
}
