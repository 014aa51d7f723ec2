//! Bivalue universal grave (BUG): every empty cell has two candidates, and every digit has two
//! places in each house that still needs it.
//!
//! Such a position has either no solution or several. So in a puzzle with one solution, some cells
//! must have additional candidates, called guardians. `deadly.rs` derives the eliminations from
//! them. Type 1, in which one cell has all guardians, is the well-known BUG+1.

use super::board::Board;
use super::deadly::Pattern;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::DeadlyType;
use std::ops::ControlFlow;

/// Finds BUGs of one type.
pub fn find<const W: usize>(
    position: &Board<W>,
    kind: DeadlyType,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let Some(pattern) = pattern(position) else { return ControlFlow::Continue(()) };
    let technique = Technique::Bug(kind);
    match kind {
        DeadlyType::One => pattern.type_1(position, technique, emit),
        DeadlyType::Two => pattern.type_2(position, technique, emit),
        DeadlyType::Three => pattern.type_3(position, technique, emit),
        DeadlyType::Four => pattern.type_4(position, technique, emit),
    }
}

/// Returns the BUG pattern if there is one. In cells with more than two candidates, a digit with
/// more than two places in some house is a guardian.
fn pattern<const W: usize>(position: &Board<W>) -> Option<Pattern<W>> {
    // With many guardians, the pattern proves nothing that a person would look for.
    const MAX_GUARDED_CELLS: usize = 6;
    let empty = position.empty();
    let rich = empty.iter().filter(|&cell| position.at(cell).count() > 2).count();
    if rich == 0 || rich > MAX_GUARDED_CELLS {
        return None;
    }
    let crowded = |cell: Cell, digit: Digit| {
        position
            .houses_of(cell)
            .into_iter()
            .any(|house| position.places_in(digit, house).count() > 2)
    };
    let mut cells: Vec<(Cell, DigitSet)> = Vec::new();
    for cell in empty {
        let digits = position.at(cell);
        let pair = if digits.count() == 2 {
            digits
        } else {
            digits.filter(|&d| !crowded(cell, d)).collect()
        };
        if pair.count() != 2 {
            return None;
        }
        cells.push((cell, pair));
    }
    for house in 0..position.house_count() {
        let members: CellSet<W> = position.cells(house) & empty;
        let (mut once, mut twice, mut thrice) = (DigitSet::EMPTY, DigitSet::EMPTY, DigitSet::EMPTY);
        for &(_, pair) in cells.iter().filter(|(cell, _)| members.contains(*cell)) {
            thrice = thrice | (twice & pair);
            twice = twice | (once & pair);
            once = once | pair;
        }
        if once != twice || !thrice.is_empty() {
            return None;
        }
    }
    Pattern::new(position, cells)
}
