//! Questions: this is where we find out, for many 9×9 puzzles side by side, which of the proposed clues may go.
//!
//! The plain question is whether the puzzle without them has one solution. Most of them are answered with no: a minimal
//! puzzle of 24 clues has been told so 24 times. What makes that cheap, and changes no answer:
//!
//! - A ring of two digits that change places without breaking a rule is an *unavoidable set*: if all its clues are gone, there
//!   is a second solution, and nobody has to search for it.
//! - If one clue is to go, its digit is struck out in its cell. Any solution that is left is a second one, and the known
//!   one is not found again and again. Of two clues that go together, the first is asked about with the other one gone; if
//!   its digit is the only one, the second is asked about with the first in place.
//! - What is left to ask for all puzzles goes to the batch solver together.

use super::Made;
use super::cut::{Answer, Cutter};
use crate::grid::Cell;
use crate::search::batch::{Batch, Tally};
use crate::search::nine::{self, ANY, PencilMarks};

/// A proposal of more cells is not looked at for rings: so early in a puzzle nearly all of them still have clues.
const MOST_CELLS_FOR_RINGS: usize = 4;

/// The questions about one puzzle, one after the other.
struct Questions<'a> {
    cutter: Cutter<'a>,
    /// The clues of the puzzle, less what is proposed; an open cell has all digits.
    marks: PencilMarks,
    solution: PencilMarks,
    /// For each digit and each house, all three houses of the cell that has the digit there.
    houses: [[Houses; 27]; 9],
    /// For each digit, the houses in which it is a clue.
    clued: [Houses; 9],
    asked: Asked,
    /// How many proposals were answered.
    proofs: u64,
}

/// A set of rows, columns and boxes, as bits from 0, 9 and 18 on.
type Houses = u32;

/// The question that waits for its answer, or is to be put next.
#[derive(Clone, Copy)]
enum Asked {
    /// About all proposed clues.
    All,
    /// About the first of two cells. The second comes after it.
    FirstOf(usize, usize),
    /// About the second of two cells, since the first has only one digit.
    SecondOf(usize, usize),
}

impl<'a> Questions<'a> {
    fn new(cutter: Cutter<'a>) -> Questions<'a> {
        let line = nine::line(cutter.solution()).expect("only 9×9 puzzles are cut side by side");
        let solution = nine::marks_of(&line);
        let mut houses = [[0; 27]; 9];
        for (&digit, own) in solution.iter().zip(HOUSES) {
            for house in bits(own) {
                houses[digit.trailing_zeros() as usize][house] = own;
            }
        }
        let clued = [(1 << 27) - 1; 9];
        Questions { cutter, marks: solution, solution, houses, clued, asked: Asked::All, proofs: 0 }
    }

    /// The next position to be searched, and how many solutions are known that it does not allow; `None` when nothing is
    /// left to ask. The puzzle can be cut as proposed if there is one solution in all.
    fn ask(&mut self) -> Option<(PencilMarks, u64)> {
        if let Asked::SecondOf(first, second) = self.asked {
            let mut position = self.marks;
            position[first] = self.solution[first];
            position[second] ^= self.solution[second];
            return Some((position, 1));
        }
        loop {
            self.cutter.propose()?;
            let mut cells = [0; MOST_CELLS_FOR_RINGS];
            let mut count = 0;
            for cell in self.cutter.proposed_cells().map(Cell::index) {
                self.marks[cell] = ANY;
                self.clued[self.solution[cell].trailing_zeros() as usize] &= !HOUSES[cell];
                if let Some(place) = cells.get_mut(count) {
                    *place = cell;
                }
                count += 1;
            }
            let mut position = self.marks;
            let Some(cells) = cells.get(..count) else { return Some((position, 0)) };
            if cells.iter().any(|&cell| self.is_in_an_open_ring(cell)) {
                self.answer(false);
                continue;
            }
            self.asked = match *cells {
                [_] => Asked::All,
                [first, second] => Asked::FirstOf(first, second),
                _ => return Some((position, 0)),
            };
            position[cells[0]] ^= self.solution[cells[0]];
            return Some((position, 1));
        }
    }

    /// Takes the answer to the last question: is there one solution in all?
    fn hear(&mut self, is_only_one: bool) {
        match std::mem::replace(&mut self.asked, Asked::All) {
            Asked::FirstOf(first, second) if is_only_one => {
                self.asked = Asked::SecondOf(first, second)
            }
            _ => self.answer(is_only_one),
        }
    }

    fn answer(&mut self, may_go: bool) {
        self.proofs += 1;
        if !may_go {
            for cell in self.cutter.proposed_cells().map(Cell::index) {
                self.marks[cell] = self.solution[cell];
                self.clued[self.solution[cell].trailing_zeros() as usize] |= HOUSES[cell];
            }
        }
        self.cutter.answer(if may_go { Answer::Allowed } else { Answer::Refused });
    }

    /// Is a cell without a clue part of a ring of two digits without any?
    fn is_in_an_open_ring(&self, cell: usize) -> bool {
        let digit = self.solution[cell].trailing_zeros() as usize;
        (0..9).any(|other| other != digit && self.is_open_ring(HOUSES[cell], digit, other))
    }

    /// A ring of two digits is closed under "shares a house", so that each house has both of them in the ring or neither. Where
    /// none of its cells has a clue, the two digits can change places in it.
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

/// Cuts down many puzzles side by side, one question about each at a time; each comes with the number of its questions.
pub(super) fn cut_all<'a>(cutters: impl Iterator<Item = Cutter<'a>>) -> Vec<(Made, u64)> {
    let mut puzzles: Vec<Questions<'a>> = cutters.map(Questions::new).collect();
    let mut positions = Vec::with_capacity(puzzles.len());
    let mut tallies = Vec::with_capacity(puzzles.len());
    let mut asking = Vec::with_capacity(puzzles.len());
    loop {
        positions.clear();
        tallies.clear();
        asking.clear();
        for (number, puzzle) in puzzles.iter_mut().enumerate() {
            if let Some((position, known)) = puzzle.ask() {
                positions.push(position);
                tallies.push(Tally::new(known, 0));
                asking.push(number);
            }
        }
        if positions.is_empty() {
            break;
        }
        Batch::BEST.count_on(&positions, 2, &mut tallies);
        for (&number, tally) in asking.iter().zip(&tallies) {
            puzzles[number].hear(tally.solutions == 1);
        }
    }
    puzzles.into_iter().map(|puzzle| (puzzle.cutter.into_made(), puzzle.proofs)).collect()
}

/// The row, the column and the box of each cell.
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

    /// The same cut with a plain question for each proposal.
    fn cut_plainly(mut cutter: Cutter<'_>) -> (Made, u64) {
        let mut proofs = 0;
        while let Some(fewer) = cutter.propose() {
            let answer = Answer::of(&is_unique(fewer));
            cutter.answer(answer);
            proofs += 1;
        }
        (cutter.into_made(), proofs)
    }

    #[test]
    fn puzzles_are_the_same_as_with_plain_questions() {
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
                let cutters = || {
                    starts.iter().map(|(solution, order_of_groups)| {
                        Cutter::new(
                            solution,
                            &groups,
                            floor,
                            is_monotone,
                            &mut order_of_groups.clone(),
                        )
                    })
                };
                let expected: Vec<(Made, u64)> = cutters().map(cut_plainly).collect();
                assert_eq!(cut_all(cutters()), expected, "{symmetry:?}, at least {floor} clues");
            }
        }
    }

    #[test]
    fn an_open_ring_has_a_second_solution_and_one_with_a_clue_need_not() {
        let groups = PatternSymmetry::None.groups(Order::NINE);
        let mut random = Random::new(9);
        let (mut open, mut closed) = (0, 0);
        for _ in 0..200 {
            let solution = full::random(Order::NINE, &mut random);
            let mut questions =
                Questions::new(Cutter::new(&solution, &groups, 0, true, &mut random));
            let mut puzzle = solution.clone();
            for _ in 0..45 {
                let cell = Cell::new(random.below(81));
                puzzle.set(cell, None);
                questions.marks[cell.index()] = ANY;
                questions.clued[solution[cell].unwrap().index()] &= !HOUSES[cell.index()];
            }
            for cell in puzzle.empty_cells() {
                if questions.is_in_an_open_ring(cell.index()) {
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
