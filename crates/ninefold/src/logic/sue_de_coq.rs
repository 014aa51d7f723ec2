//! Sue de Coq: cells in the intersection of a line and a box, combined with cells from the rest of
//! both.
//!
//! Why it is sound: take some cells of the intersection, some cells from the rest of the line (the
//! line part) and some from the rest of the box (the box part). Together they have as many
//! candidate digits as cells, and no digit is in both the line part and the box part. So each digit
//! is used exactly once in these cells. Digits of the line part are removed from all other cells of
//! the line, digits of the box part from all other cells of the box, and digits that are only in
//! the intersection from both.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{CellSet, DigitSet};
use crate::proof::{Candidate, Count, OneOf, Reason, Step, Truth};
use std::ops::ControlFlow;

/// Finds all Sue de Coq patterns.
pub fn find<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    for line in position.lines() {
        for square in position.boxes() {
            let crossing = position.cells(line) & position.cells(square);
            if (crossing & position.empty()).count() < 2 {
                continue;
            }
            let mut centres = parts(position, crossing, MAX_CELLS);
            // With fewer additional digits, one of the two other parts would be a naked subset by
            // itself.
            centres.retain(|centre| {
                centre.cells.count() >= 2 && centre.digits.count() >= centre.cells.count() + 2
            });
            if centres.is_empty() {
                continue;
            }
            let most = if position.order().side() > 9 { MAX_CELLS } else { usize::MAX };
            let rests = [line, square].map(|house| {
                let mut parts = parts(position, position.cells(house) - crossing, most);
                parts.retain(|part| part.digits.count() > part.cells.count());
                parts
            });
            for centre in &centres {
                position.check_limits()?;
                combine(position, [line, square], centre, rests.each_ref(), emit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Some cells and all their candidate digits.
#[derive(Clone, Copy)]
struct Part<const W: usize> {
    cells: CellSet<W>,
    digits: DigitSet,
}

/// Maximum number of cells in an intersection part. In grids larger than 9×9 the limit also applies
/// to the other parts, because the number of sets doubles with every cell.
const MAX_CELLS: usize = 3;

/// Returns all sets of one to `most` of these empty cells.
fn parts<const W: usize>(position: &Board<W>, cells: CellSet<W>, most: usize) -> Vec<Part<W>> {
    let mut parts: Vec<Part<W>> = vec![Part { cells: CellSet::EMPTY, digits: DigitSet::EMPTY }];
    for cell in cells & position.empty() {
        for index in 0..parts.len() {
            let Part { cells, digits } = parts[index];
            if cells.count() < most {
                parts.push(Part {
                    cells: cells | CellSet::from_cell(cell),
                    digits: digits | position.at(cell),
                });
            }
        }
    }
    parts.remove(0);
    parts
}

fn combine<const W: usize>(
    position: &Board<W>,
    houses: [usize; 2],
    centre: &Part<W>,
    rests: [&Vec<Part<W>>; 2],
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let wanted = centre.digits.count() - centre.cells.count();
    // A part uses as many digits of the intersection as it has cells in excess of its own digits.
    let takes = |part: &Part<W>| {
        let taken = part.cells.count().checked_sub((part.digits - centre.digits).count());
        Some((*part, taken.filter(|taken| (1..wanted).contains(taken))?))
    };
    let in_box: Vec<(Part<W>, usize)> = rests[1].iter().filter_map(takes).collect();
    for (line_part, taken) in rests[0].iter().filter_map(takes) {
        let fits = |(part, others): &&(Part<W>, usize)| {
            others + taken == wanted && (part.digits & line_part.digits).is_empty()
        };
        for (box_part, _) in in_box.iter().filter(fits) {
            report(position, houses, centre, &line_part, box_part, emit)?;
        }
    }
    ControlFlow::Continue(())
}

fn report<const W: usize>(
    position: &Board<W>,
    [line, square]: [usize; 2],
    centre: &Part<W>,
    line_part: &Part<W>,
    box_part: &Part<W>,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let all = centre.digits | line_part.digits | box_part.digits;
    let line_rest = position.cells(line) - centre.cells - line_part.cells;
    let box_rest = position.cells(square) - centre.cells - box_part.cells;
    let leaves = |digits: DigitSet, rest: CellSet<W>| {
        digits.flat_map(move |digit| Board::candidates_of(position.places(digit) & rest, digit))
    };
    let removes: Vec<Candidate> = leaves(all - box_part.digits, line_rest)
        .chain(leaves(all - line_part.digits, box_rest))
        .collect();
    if removes.is_empty() {
        return ControlFlow::Continue(());
    }
    let cells = centre.cells | line_part.cells | box_part.cells;
    // Digits that are only in the intersection are covered by the line in one count and by the box
    // in the other.
    let count = |in_line: DigitSet| {
        let house = |digit| position.house(if in_line.contains(digit) { line } else { square });
        Reason::Count(Count {
            truths: cells.iter().map(|cell| Truth::OneOf(OneOf::Cell(cell))).collect(),
            covers: all.map(|digit| OneOf::House(house(digit), digit)).collect(),
        })
    };
    let reason = Reason::Together(vec![count(all - box_part.digits), count(line_part.digits)]);
    emit(Step::remove(Technique::SueDeCoq, removes, reason))
}
