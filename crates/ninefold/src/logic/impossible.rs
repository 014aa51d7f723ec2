//! Impossible patterns: cells that cannot all be filled with a few digits, so that one of them
//! contains another digit.
//!
//! Why they are sound: the cells cannot be filled with these digits alone without breaking the
//! rules, whatever the rest of the grid contains. Uniqueness is not assumed. So one of the other
//! candidates of the cells, the guardians, is true. A candidate that sees all guardians is false,
//! and so is a candidate that makes all guardians false by a sequence of singles.
//!
//! A bivalue oddagon is a ring of an odd number of cells with two digits, each cell seeing the
//! next. A tridagon is twelve cells with three digits in four boxes that form a rectangle. Each box
//! has three cells, no two of them in one row or column, so they form a diagonal that may wrap
//! around. In one or three of the boxes the diagonal runs in the other direction. Tridagons were
//! found and named in 2022. All known puzzles that two levels of nested nets (see `nested.rs`) do
//! not solve contain one.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, DigitSet};
use crate::proof::{Candidate, Count, Impossible, Reason, Step, Truth};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Patterns with more guardians are ignored.
const MAX_GUARDIANS: usize = 8;

/// Finds all tridagons, those with the fewest guardians first.
pub fn tridagons<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let order = position.order();
    if (order.box_rows(), order.box_columns()) != (3, 3) {
        return ControlFlow::Continue(());
    }
    let mut patterns = Vec::new();
    for digits in triples() {
        // In each box, the best three cells of each parity: columns shifted in one direction or the
        // other from row to row.
        let best: [[Option<CellSet<W>>; 2]; 9] = std::array::from_fn(|square| {
            [0, 1].map(|parity| best_of(position, digits, square / 3, square % 3, parity))
        });
        for (top, bottom) in [(0, 3), (0, 6), (3, 6)] {
            for (left, right) in [(0, 1), (0, 2), (1, 2)] {
                let boxes = [top + left, top + right, bottom + left, bottom + right];
                patterns.extend(tridagon(position, digits, boxes.map(|square| best[square])));
            }
        }
    }
    report(position, Technique::Tridagon, patterns, emit)
}

/// All sets of three digits.
fn triples() -> impl Iterator<Item = DigitSet> {
    (0u64..1 << 9).filter(|bits| bits.count_ones() == 3).map(DigitSet::from_bits)
}

/// Returns the tridagon of three digits in four boxes with the fewest guardians.
fn tridagon<const W: usize>(
    position: &Board<W>,
    digits: DigitSet,
    best: [[Option<CellSet<W>>; 2]; 4],
) -> Option<Pattern<W>> {
    if best.iter().any(|[one, other]| one.is_none() && other.is_none()) {
        return None;
    }
    let choices = (0..16usize).filter(|choice| choice.count_ones() % 2 == 1);
    let of_choice = |choice: usize| {
        let mut cells = CellSet::EMPTY;
        for (index, best) in best.iter().enumerate() {
            cells |= best[choice >> index & 1]?;
        }
        Some(Pattern { cells, digits })
    };
    choices.filter_map(of_choice).min_by_key(|pattern| pattern.guardians(position).len())
}

fn best_of<const W: usize>(
    position: &Board<W>,
    digits: DigitSet,
    band: usize,
    stack: usize,
    parity: usize,
) -> Option<CellSet<W>> {
    let cell =
        |row: usize, column: usize| position.order().cell(3 * band + row, 3 * stack + column);
    let column = move |start: usize, row: usize| {
        (if parity == 0 { start + row } else { start + 3 - row }) % 3
    };
    let shifts = (0..3).map(move |start| (0..3).map(move |row| column(start, row)));
    let sets = shifts.map(|columns| {
        columns.enumerate().map(|(row, column)| cell(row, column)).collect::<CellSet<W>>()
    });
    let full = sets.filter(|set| set.iter().all(|cell| (digits - position.at(cell)).is_empty()));
    full.min_by_key(|set| set.iter().map(|cell| position.at(cell).count()).sum::<usize>())
}

/// Maximum length of a ring, and maximum number of guardians, of a bivalue oddagon.
const MAX_RING: usize = 9;
const GUARDIANS_OF_A_RING: usize = 5;

/// Finds all bivalue oddagons, those with the fewest guardians first.
pub fn oddagons<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let mut rings = Rings { position, seen: HashSet::new(), patterns: Vec::new() };
    for first in position.all_digits() {
        for second in position.all_digits().filter(|&second| second > first) {
            let digits = DigitSet::from_digit(first).with(second);
            let has_both = |cell: &Cell| (digits - position.at(*cell)).is_empty();
            let cells: CellSet<W> = position.empty().iter().filter(has_both).collect();
            for start in cells {
                rings.grow(digits, cells, &mut vec![start], position.at(start).count() - 2);
            }
        }
    }
    report(position, Technique::BivalueOddagon, rings.patterns, emit)
}

struct Rings<'a, const W: usize> {
    position: &'a Board<'a, W>,
    seen: HashSet<(CellSet<W>, DigitSet)>,
    patterns: Vec<Pattern<W>>,
}

impl<const W: usize> Rings<'_, W> {
    /// Extends a path from its last cell. A ring starts at its first cell in reading order.
    fn grow(
        &mut self,
        digits: DigitSet,
        cells: CellSet<W>,
        path: &mut Vec<Cell>,
        guardians: usize,
    ) {
        let (start, last) = (path[0], path[path.len() - 1]);
        if guardians > GUARDIANS_OF_A_RING {
            return;
        }
        // A ring of three cells is in one house, where a naked pair or another subset gives the
        // same result.
        if path.len() >= 5 && path.len() % 2 == 1 && self.position.peers(last).contains(start) {
            let pattern = Pattern { cells: path.iter().copied().collect(), digits };
            if guardians > 0 && self.seen.insert((pattern.cells, digits)) {
                self.patterns.push(pattern);
            }
        }
        if path.len() == MAX_RING {
            return;
        }
        for next in cells & self.position.peers(last) {
            if next > start && !path.contains(&next) {
                path.push(next);
                self.grow(digits, cells, path, guardians + self.position.at(next).count() - 2);
                path.pop();
            }
        }
    }
}

/// Cells that cannot all be filled with these digits.
struct Pattern<const W: usize> {
    cells: CellSet<W>,
    digits: DigitSet,
}

impl<const W: usize> Pattern<W> {
    fn guardians(&self, position: &Board<W>) -> Vec<Candidate> {
        let others = |cell: Cell| {
            (position.at(cell) - self.digits).map(move |digit| Candidate::new(cell, digit))
        };
        self.cells.iter().flat_map(others).collect()
    }

    /// Returns the proof count "one of the guardians is true", without covers.
    fn count(&self) -> Count {
        let impossible = Impossible { cells: self.cells.to_vec(), digits: self.digits };
        Count { truths: vec![Truth::Escape(impossible)], covers: Vec::new() }
    }
}

/// Reports the eliminations of each pattern: first candidates that see all guardians, then
/// candidates that make all guardians false.
fn report<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    mut patterns: Vec<Pattern<W>>,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    patterns.retain(|pattern| (1..=MAX_GUARDIANS).contains(&pattern.guardians(position).len()));
    patterns.sort_by_key(|pattern| (pattern.guardians(position).len(), pattern.cells.count()));
    for pattern in &patterns {
        let guardians = pattern.guardians(position);
        let rules_out_all = |target: &Candidate| {
            guardians.iter().all(|&guardian| conflict(position, guardian, *target))
        };
        let all = position
            .empty()
            .iter()
            .flat_map(|cell| position.at(cell).map(move |d| Candidate::new(cell, d)));
        let removes: Vec<Candidate> = all.filter(rules_out_all).collect();
        if !removes.is_empty() {
            emit(Step::remove(technique, removes, Reason::Count(pattern.count())))?;
        }
    }
    for pattern in &patterns {
        let (guardians, count) = (pattern.guardians(position), pattern.count());
        let mut trees =
            position.with_nested(|search| search.ruling_out(position, &guardians, &count));
        trees.sort_by_key(|tree| tree.statements());
        for tree in trees {
            emit(Step::remove(technique, vec![tree.assumed], Reason::Tree(tree)))?;
        }
    }
    ControlFlow::Continue(())
}

fn conflict<const W: usize>(position: &Board<W>, a: Candidate, b: Candidate) -> bool {
    match a.cell == b.cell {
        true => a.digit != b.digit,
        false => a.digit == b.digit && position.peers(a.cell).contains(b.cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Candidates, Digit, Grid, Order, Position};
    use crate::logic::all_steps;
    use crate::proof::check;

    fn digits(numbers: &[u8]) -> DigitSet {
        numbers.iter().filter_map(|&number| Digit::new(number)).collect()
    }

    /// Creates an empty grid in which some cells, given by row and column, have the listed
    /// candidates.
    fn position(cells: &[(usize, usize, &[u8])]) -> Position {
        let grid = Grid::empty(Order::NINE);
        let mut candidates = Candidates::new(&grid).unwrap();
        for (row, column, numbers) in cells {
            candidates.set(Order::NINE.cell(row - 1, column - 1), digits(numbers));
        }
        Position::new(grid, candidates).unwrap()
    }

    #[test]
    fn five_cell_ring_needs_a_third_digit() {
        let ring = [(1, 1), (1, 4), (5, 4), (5, 2), (2, 2)];
        let cells: Vec<(usize, usize, &[u8])> =
            ring.iter().map(|&(row, column)| (row, column, &[1, 2][..])).collect();
        let guarded = [&[(ring[0].0, ring[0].1, &[1, 2, 3][..])], &cells[1..]].concat();
        let position = position(&guarded);
        let steps = all_steps(Technique::BivalueOddagon, &position);
        let step = steps.first().expect("the ring was found");
        let guardian = Order::NINE.cell(0, 0);
        assert!(
            [1, 2]
                .iter()
                .all(|&n| step.removes.contains(&Candidate::new(guardian, Digit::new(n).unwrap())))
        );
        assert_eq!(check(step, position.puzzle(), position.candidates()), Ok(()));
    }

    #[test]
    fn four_cell_ring_can_be_filled() {
        let count = |cells: &[(usize, usize)]| {
            let cells =
                cells.iter().map(|&(row, column)| Order::NINE.cell(row - 1, column - 1)).collect();
            Count {
                truths: vec![Truth::Escape(Impossible { cells, digits: digits(&[1, 2]) })],
                covers: Vec::new(),
            }
        };
        let position =
            position(&[(1, 1, &[1, 2, 3]), (1, 4, &[1, 2]), (2, 1, &[1, 2]), (2, 4, &[1, 2])]);
        let removes = vec![Candidate::new(Order::NINE.cell(0, 0), Digit::new(1).unwrap())];
        let even = count(&[(1, 1), (1, 4), (2, 1), (2, 4)]);
        let step = Step::remove(Technique::BivalueOddagon, removes, Reason::Count(even));
        assert!(check(&step, position.puzzle(), position.candidates()).is_err());
        assert!(all_steps(Technique::BivalueOddagon, &position).is_empty());
    }
}
