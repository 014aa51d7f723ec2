//! Signs of rules beyond the classic ones: long diagonals (X-Sudoku) and cages (killer).
//!
//! Such rules are not read. But a board that shows them must not be taken for a classic puzzle.

use crate::cells::{Cells, SIZE};

/// A sign that a board is not a classic Sudoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Lines or shading along both long diagonals.
    Diagonals,
    /// Dashed or thin lines inside the cells, as around the cages of a killer.
    Cages,
}

impl Sign {
    pub fn name(self) -> &'static str {
        match self {
            Sign::Diagonals => "diagonals",
            Sign::Cages => "cages",
        }
    }

    /// The meaning of the sign, as the beginning of a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Sign::Diagonals => "the board has marked diagonals, like an X-Sudoku",
            Sign::Cages => "the board has cages, like a killer",
        }
    }
}

/// The signs on a board, upright or not: both look the same after quarter turns.
pub fn signs(cells: &Cells) -> Vec<Sign> {
    let mut signs = Vec::new();
    if has_diagonal_lines(cells) || has_shaded_diagonals(cells) {
        signs.push(Sign::Diagonals);
    }
    if cage_share(cells) > LEAST_CAGE_SHARE {
        signs.push(Sign::Cages);
    }
    signs
}

/// Ink above that of its surroundings that counts as a line.
const LINE: f32 = 0.12;
/// The share of cell sides along which a killer has a cage line that is found. A killer has lines
/// at about half of the sides; digits and pencil marks rarely look like them.
const LEAST_CAGE_SHARE: f32 = 0.16;

/// Pixels of a cell along its diagonal, between the grid line and the digit.
fn corner_pixels() -> impl Iterator<Item = usize> {
    (4..9).chain(SIZE - 9..SIZE - 4)
}

fn has_diagonal_lines(cells: &Cells) -> bool {
    let side = cells.side;
    // The falling diagonal, then the rising one.
    [false, true].into_iter().all(|is_rising| {
        let is_on = |cell: usize| {
            let (row, column) = (cell / side, cell % side);
            column == if is_rising { side - 1 - row } else { row }
        };
        let share = |wanted: bool| {
            let group = (0..side * side).filter(|&cell| is_on(cell) == wanted);
            let (count, lines) = group.fold((0, 0), |(count, lines), cell| {
                let has_line = has_diagonal(cells.cell(cell), is_rising);
                (count + 1, lines + usize::from(has_line))
            });
            lines as f32 / count as f32
        };
        share(true) > 0.75 && share(false) < 0.25
    })
}

/// Whether ink runs along a diagonal of a cell near its corners.
fn has_diagonal(ink: &[f32], is_rising: bool) -> bool {
    let at = |x: usize, y: usize| {
        let x = if is_rising { SIZE - 1 - x } else { x };
        ink[y * SIZE + x]
    };
    let found = corner_pixels().filter(|&i| {
        let on = at(i, i).max(at(i - 1, i)).max(at(i + 1, i)).max(at(i, i - 1)).max(at(i, i + 1));
        let beside = [(i + 4, i), (i, i + 4), (i - 4, i), (i, i - 4)];
        let inside = beside.into_iter().filter(|&(x, y)| {
            // Grid lines are at the edges.
            (4..SIZE - 4).contains(&x) && (4..SIZE - 4).contains(&y)
        });
        let beside = inside.map(|(x, y)| at(x, y)).fold(f32::MIN, f32::max);
        on - beside > LINE
    });
    10 * found.count() >= 6 * corner_pixels().count()
}

/// Whether the paper of the diagonals differs from that of the cells beside them.
fn has_shaded_diagonals(cells: &Cells) -> bool {
    let side = cells.side;
    let is_diagonal = |row: usize, column: usize| row == column || row + column == side - 1;
    let paper = |row: usize, column: usize| cells.paper[row * side + column];
    let (mut shaded, mut count) = (0, 0);
    for row in 0..side {
        for column in (0..side).filter(|&column| is_diagonal(row, column)) {
            let beside: Vec<f32> = [
                (row.wrapping_sub(1), column),
                (row + 1, column),
                (row, column.wrapping_sub(1)),
                (row, column + 1),
            ]
            .into_iter()
            .filter(|&(row, column)| row < side && column < side && !is_diagonal(row, column))
            .map(|(row, column)| paper(row, column))
            .collect();
            if !beside.is_empty() {
                let mean = beside.iter().sum::<f32>() / beside.len() as f32;
                count += 1;
                shaded += usize::from(mean - paper(row, column) > SHADE);
            }
        }
    }
    10 * shaded >= 9 * count.max(1)
}

/// How much darker shaded paper is, as a share of the ink of the board.
const SHADE: f32 = 0.08;

/// The share of cell sides with a line inside the cell.
fn cage_share(cells: &Cells) -> f32 {
    let count = cells.side * cells.side;
    let lines: usize = (0..count)
        .map(|cell| (0..4).filter(|&turn| has_inner_line(cells.cell(cell), turn)).count())
        .sum();
    lines as f32 / (4 * count) as f32
}

/// Whether a line runs parallel to a side of a cell, between the grid line and the digit: near both
/// ends of the side, or, because the sum of a cage interrupts its line, near one end and in the
/// middle.
fn has_inner_line(ink: &[f32], turn: usize) -> bool {
    let at = |along: usize, inset: usize| {
        let (last, inset) = (SIZE - 1, inset);
        let (x, y) = match turn {
            0 => (along, inset),
            1 => (last - inset, along),
            2 => (along, last - inset),
            _ => (inset, along),
        };
        ink[y * SIZE + x]
    };
    let mean = |zone: std::ops::Range<usize>, inset: usize| {
        let length = zone.len() as f32;
        zone.map(|along| at(along, inset)).sum::<f32>() / length
    };
    let zones = [6..11, 11..17, 17..22];
    (4..=7).any(|inset| {
        let rises = |zone: &std::ops::Range<usize>| {
            let line = mean(zone.clone(), inset);
            let inner = mean(zone.clone(), inset + 2).max(mean(zone.clone(), inset + 3));
            let outer = mean(zone.clone(), inset - 2).min(mean(zone.clone(), inset - 1));
            line - inner > LINE && line - outer > -LINE && line > LINE
        };
        zones.iter().filter(|zone| rises(zone)).count() >= 2
            && (rises(&zones[0]) || rises(&zones[2]))
    })
}
