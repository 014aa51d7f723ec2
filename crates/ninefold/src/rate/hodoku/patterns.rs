//! Skyscrapers, empty rectangles and wings in HoDoKu's order. The first one with a removal is used.

use super::singles::{Singles, cell_in, houses_of};
use super::subsets::Removes;
use super::tables::{Cells, Grid, cells_of};

/// Skyscraper: two rows (or columns) with two places for a digit, of which two share a column (or
/// row).
pub(super) fn skyscraper(singles: &Singles) -> Option<Removes> {
    let grid = Grid::new(singles, false);
    [0, 9].into_iter().find_map(|first| (0..9).find_map(|digit| skyscraper_of(&grid, first, digit)))
}

fn skyscraper_of(grid: &Grid, first: usize, digit: usize) -> Option<Removes> {
    let lines = (first..first + 9).map(|line| grid.houses[line] & grid.cells[digit]);
    let pairs: Vec<[usize; 2]> =
        lines.filter(|cells| cells.count_ones() == 2).map(both_of).collect();
    let across = |cell: usize| if first == 0 { cell % 9 } else { cell / 9 };
    for (number, one) in pairs.iter().enumerate() {
        for other in &pairs[number + 1..] {
            let shares = |end: usize| across(one[end]) == across(other[end]);
            let free = match (shares(0), shares(1)) {
                (true, false) => 1,
                (false, true) => 0,
                _ => continue,
            };
            let seen = grid.peers[one[free]] & grid.peers[other[free]] & grid.cells[digit];
            if seen != 0 {
                return Some(removes(seen, digit));
            }
        }
    }
    None
}

fn both_of(cells: Cells) -> [usize; 2] {
    [cells.trailing_zeros() as usize, 127 - cells.leading_zeros() as usize]
}

fn removes(cells: Cells, digit: usize) -> Removes {
    cells_of(cells).map(|cell| (cell, digit)).collect()
}

/// Empty rectangle: a box whose places for a digit are in one row and one column, and a line
/// outside of the box with two places.
pub(super) fn empty_rectangle(singles: &Singles) -> Option<Removes> {
    let grid = Grid::new(singles, false);
    (0..9).find_map(|digit| {
        (18..27).find_map(|r#box| {
            let corner = cell_in(r#box, 0);
            // HoDoKu starts with the last row and the last column of the box.
            let crosses =
                (0..9).map(|number| (corner / 9 + 2 - number / 3, 9 + corner % 9 + 2 - number % 3));
            crosses
                .into_iter()
                .find_map(|(row, column)| rectangle_at(&grid, digit, r#box, row, column))
        })
    })
}

fn rectangle_at(
    grid: &Grid,
    digit: usize,
    r#box: usize,
    row: usize,
    column: usize,
) -> Option<Removes> {
    let places = grid.houses[r#box] & grid.cells[digit];
    let (in_row, in_column) = (places & grid.houses[row], places & grid.houses[column]);
    let is_cross =
        places & !in_row & !in_column == 0 && in_row & !in_column != 0 && in_column & !in_row != 0;
    // Two candidates are a strong link, not a rectangle.
    if !is_cross || (in_row.count_ones() < 2 && in_column.count_ones() < 2) {
        return None;
    }
    [(row, column), (column, row)].into_iter().find_map(|(along, across)| {
        let starts = grid.houses[along] & grid.cells[digit] & !grid.houses[r#box];
        cells_of(starts).find_map(|start| {
            let crossing = houses_of(start)[usize::from(along < 9)];
            let pair = grid.houses[crossing] & grid.cells[digit];
            if pair.count_ones() != 2 {
                return None;
            }
            let end = (pair & !(1 << start)).trailing_zeros() as usize;
            let parallel = houses_of(end)[usize::from(along >= 9)];
            let hit = grid.houses[parallel]
                & grid.houses[across]
                & grid.cells[digit]
                & !grid.houses[r#box];
            (hit != 0).then(|| removes(hit, digit))
        })
    })
}

/// XY-Wings: three cells with two digits each.
pub(super) fn xy_wing(singles: &Singles) -> Option<Removes> {
    let grid = Grid::new(singles, false);
    let pairs = cells_with(&grid, 2);
    for (number, &one) in pairs.iter().enumerate() {
        for (further, &two) in pairs.iter().enumerate().skip(number + 1) {
            for &three in &pairs[further + 1..] {
                let digits = [one, two, three].map(|cell| grid.digits[cell]);
                let is_distinct =
                    digits[0] != digits[1] && digits[1] != digits[2] && digits[2] != digits[0];
                if (digits[0] | digits[1] | digits[2]).count_ones() != 3 || !is_distinct {
                    continue;
                }
                let pivots = [(one, two, three), (two, one, three), (three, two, one)];
                let found = pivots
                    .into_iter()
                    .find_map(|(pivot, a, b)| wing(&grid, pivot, a, b, Cells::MAX));
                if found.is_some() {
                    return found;
                }
            }
        }
    }
    None
}

/// XYZ-Wings: the pivot has all three digits.
pub(super) fn xyz_wing(singles: &Singles) -> Option<Removes> {
    let grid = Grid::new(singles, false);
    let pairs = cells_with(&grid, 2);
    cells_with(&grid, 3).into_iter().find_map(|pivot| {
        let fits = |cell: &&usize| grid.digits[**cell] & !grid.digits[pivot] == 0;
        let pairs: Vec<usize> = pairs.iter().filter(fits).copied().collect();
        pairs.iter().enumerate().find_map(|(number, &one)| {
            let others =
                pairs[number + 1..].iter().filter(|&&other| grid.digits[other] != grid.digits[one]);
            others.into_iter().find_map(|&other| wing(&grid, pivot, one, other, grid.peers[pivot]))
        })
    })
}

fn cells_with(grid: &Grid, count: u32) -> Vec<usize> {
    (0..81).filter(|&cell| grid.digits[cell].count_ones() == count).collect()
}

/// The removals of the digit that both pincers share, within some cells.
fn wing(grid: &Grid, pivot: usize, one: usize, other: usize, within: Cells) -> Option<Removes> {
    let sees = |cell: usize| grid.peers[pivot] >> cell & 1 == 1;
    let shared = grid.digits[one] & grid.digits[other];
    if !sees(one) || !sees(other) || !shared.is_power_of_two() {
        return None;
    }
    let digit = shared.trailing_zeros() as usize;
    let seen = grid.peers[one] & grid.peers[other] & grid.cells[digit] & within;
    (seen != 0).then(|| removes(seen, digit))
}

/// W-Wings: two cells with the same two digits, and a house in which one of these digits has two
/// places, one seen from each cell.
pub(super) fn w_wing(singles: &Singles) -> Option<Removes> {
    let grid = Grid::new(singles, false);
    let pairs = cells_with(&grid, 2);
    pairs.iter().enumerate().find_map(|(number, &one)| {
        let twins =
            pairs[number + 1..].iter().filter(|&&other| grid.digits[other] == grid.digits[one]);
        twins.into_iter().find_map(|&other| {
            let (low, high) = (
                grid.digits[one].trailing_zeros() as usize,
                15 - grid.digits[one].leading_zeros() as usize,
            );
            [(low, high), (high, low)].into_iter().find_map(|(goes, links)| {
                let seen = grid.peers[one] & grid.peers[other] & grid.cells[goes];
                (seen != 0 && is_linked(&grid, one, other, links)).then(|| removes(seen, goes))
            })
        })
    })
}

fn is_linked(grid: &Grid, one: usize, other: usize, digit: usize) -> bool {
    grid.houses.iter().any(|house| {
        let places = house & grid.cells[digit];
        if places.count_ones() != 2 {
            return false;
        }
        // A place that both cells see counts only for the first one.
        let ends = places & !(1 << one) & !(1 << other);
        let first = ends & grid.peers[one];
        first != 0 && ends & !first & grid.peers[other] != 0
    })
}
