//! Random killer cages and extra regions: connected groups of cells with different digits.

use super::board::Board;
use super::regions::neighbours;
use crate::grid::rules::Constraint;
use crate::grid::{Cell, DigitSet};
use crate::random::Random;
use std::ops::RangeInclusive;

/// Cages that cover the grid as far as sizes within `sizes` allow. Cells that no cage can include
/// stay without one, so that no cage has a single cell.
pub(super) fn cover(
    board: &Board<'_>,
    sizes: RangeInclusive<usize>,
    random: &mut Random,
) -> Vec<Vec<Cell>> {
    let cells = board.side * board.side;
    let largest = (*sizes.end()).clamp(2, board.side);
    let smallest = (*sizes.start()).clamp(2, largest);
    let mut owner: Vec<Option<usize>> = vec![None; cells];
    let mut cages: Vec<Vec<Cell>> = Vec::new();
    let mut starts: Vec<usize> = (0..cells).collect();
    random.shuffle(&mut starts);
    for start in starts {
        if owner[start].is_some() {
            continue;
        }
        let size = smallest + random.below(largest - smallest + 1);
        let cage = grow(board, start, size, |cell| owner[cell].is_none(), random);
        if cage.len() < 2 {
            continue;
        }
        for cell in &cage {
            owner[cell.index()] = Some(cages.len());
        }
        cages.push(cage);
    }
    // Lonely cells join a neighbouring cage that has room and lacks their digit.
    for cell in 0..cells {
        if owner[cell].is_some() {
            continue;
        }
        let has_room = |&cage: &usize| {
            cages[cage].len() < largest
                && !board.digits_of(&cages[cage]).contains(board.solution[cell])
        };
        let fits: Vec<usize> = neighbours(board.side, cell)
            .filter_map(|other| owner[other])
            .filter(has_room)
            .collect();
        if let Some(&cage) = random.pick(&fits) {
            cages[cage].push(Cell::new(cell));
            owner[cell] = Some(cage);
        }
    }
    cages.iter_mut().for_each(|cage| cage.sort_unstable());
    cages.sort_unstable();
    cages
}

/// A cage with the sum of its digits in the solution.
pub(super) fn cage(board: &Board<'_>, cells: Vec<Cell>) -> Constraint {
    let sum = board.sum_of(&cells);
    Constraint::Cage { cells, sum: Some(sum) }
}

/// Splits a cage into two connected cages so that another solution has other sums. Returns `None`
/// if there is no such split into parts of at least `smallest` cells.
pub(super) fn split(
    board: &Board<'_>,
    cells: &[Cell],
    other: impl Fn(&[Cell]) -> u32,
    smallest: usize,
    random: &mut Random,
) -> Option<[Vec<Cell>; 2]> {
    let inside = |cells: &[Cell], cell: usize| cells.contains(&Cell::new(cell));
    for _ in 0..4 * cells.len() {
        if cells.len() < 2 * smallest {
            return None;
        }
        let size = smallest + random.below(cells.len() - 2 * smallest + 1);
        let start = cells[random.below(cells.len())].index();
        let mut part = grow(board, start, size, |cell| inside(cells, cell), random);
        let mut rest: Vec<Cell> = cells.iter().copied().filter(|c| !part.contains(c)).collect();
        let Some(first) = rest.first() else { continue };
        let reached =
            grow(board, first.index(), rest.len(), |cell| inside(&rest, cell), random).len();
        let differs = other(&part) != board.sum_of(&part);
        if part.len() >= smallest && reached == rest.len() && differs {
            part.sort_unstable();
            rest.sort_unstable();
            return Some([part, rest]);
        }
    }
    None
}

/// A connected region of as many cells as there are digits, all different.
pub(super) fn extra_region(
    board: &Board<'_>,
    is_free: impl Fn(usize) -> bool,
    random: &mut Random,
) -> Option<Vec<Cell>> {
    for _ in 0..200 {
        let start = random.below(board.side * board.side);
        if !is_free(start) {
            continue;
        }
        let mut region = grow(board, start, board.side, &is_free, random);
        if region.len() == board.side && !board.is_house(&region) {
            region.sort_unstable();
            return Some(region);
        }
    }
    None
}

/// A random connected group with different digits that begins with `start` and has at most `size`
/// cells. Each new cell is a neighbour of one that is already in the group.
fn grow(
    board: &Board<'_>,
    start: usize,
    size: usize,
    is_free: impl Fn(usize) -> bool,
    random: &mut Random,
) -> Vec<Cell> {
    let mut group = vec![Cell::new(start)];
    let mut digits = DigitSet::from_digit(board.solution[start]);
    while group.len() < size {
        let mut next: Vec<usize> = group
            .iter()
            .flat_map(|cell| neighbours(board.side, cell.index()))
            .filter(|&cell| is_free(cell) && !digits.contains(board.solution[cell]))
            .collect();
        next.sort_unstable();
        next.dedup();
        let Some(&cell) = random.pick(&next) else { break };
        digits.insert(board.solution[cell]);
        group.push(Cell::new(cell));
    }
    group
}
