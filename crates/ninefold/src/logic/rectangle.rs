//! Rectangles that would give the puzzle two solutions: unique, hidden and avoidable rectangles.
//!
//! If four cells in two rows, two columns and two boxes contained only two digits, the digits could
//! be exchanged. A unique rectangle has four empty cells. In an avoidable rectangle some of them
//! are filled, but not clues. Guardians are the other candidates of the four cells. `deadly.rs`
//! explains types 1 to 4. The other forms are:
//!
//! - Type 5: like type 2, but the guardians are in two diagonally opposite cells or in three cells.
//! - Type 6: the two cells with guardians are diagonally opposite, and in two parallel lines one
//!   digit has places only in the rectangle. If one of the two cells contained this digit, so would
//!   the other, and the rectangle would be deadly. So the digit is removed from both.
//! - Hidden rectangle: one cell has no guardians. In the row and the column of the diagonally
//!   opposite cell, one digit has places only in the rectangle. If that cell contained the other
//!   digit, the rectangle would be deadly. So the other digit is removed from it.

use super::board::Board;
use super::deadly::Pattern;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, DigitSet};
use crate::proof::{Candidate, OneOf, OneOrTwo, RectangleType};
use std::ops::ControlFlow;

/// Finds unique rectangles of one type, hidden rectangles, or avoidable rectangles of one type.
pub fn find<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let avoidable = matches!(technique, Technique::AvoidableRectangle(_));
    for &(corners, pair) in all(position, avoidable) {
        let Some(pattern) = Pattern::new(position, corners.map(|cell| (cell, pair)).to_vec())
        else {
            continue;
        };
        let side_by_side = position.houses_around(pattern.guarded).next().is_some();
        match technique {
            Technique::UniqueRectangle(RectangleType::One)
            | Technique::AvoidableRectangle(OneOrTwo::One) => {
                pattern.type_1(position, technique, emit)
            }
            Technique::AvoidableRectangle(OneOrTwo::Two) => {
                pattern.type_2(position, technique, emit)
            }
            Technique::UniqueRectangle(RectangleType::Two) if side_by_side => {
                pattern.type_2(position, technique, emit)
            }
            Technique::UniqueRectangle(RectangleType::Five) if !side_by_side => {
                pattern.type_2(position, technique, emit)
            }
            Technique::UniqueRectangle(RectangleType::Three) => {
                pattern.type_3(position, technique, emit)
            }
            Technique::UniqueRectangle(RectangleType::Four) => {
                pattern.type_4(position, technique, emit)
            }
            Technique::UniqueRectangle(RectangleType::Six) => {
                type_6(position, &pattern, corners, pair, emit)
            }
            Technique::HiddenRectangle => hidden(position, &pattern, corners, pair, emit),
            _ => ControlFlow::Continue(()),
        }?;
    }
    ControlFlow::Continue(())
}

/// Corners of a rectangle (the diagonals are 0–3 and 1–2) and its two digits.
pub(super) type Rectangle = ([Cell; 4], DigitSet);

/// Returns the rectangles in two rows, two columns and two boxes with each valid pair of digits.
/// All types share the result.
fn all<'a, const W: usize>(position: &'a Board<'_, W>, avoidable: bool) -> &'a [Rectangle] {
    position.cache().rectangles[usize::from(avoidable)].get_or_init(|| {
        let mut rectangles = Vec::new();
        gather(position, avoidable, &mut rectangles);
        rectangles
    })
}

fn gather<const W: usize>(position: &Board<W>, avoidable: bool, rectangles: &mut Vec<Rectangle>) {
    let order = position.order();
    let side = order.side();
    let usable = |cell: Cell| {
        if avoidable { !position.givens().contains(cell) } else { position.empty().contains(cell) }
    };
    for top in 0..side {
        for bottom in top + 1..side {
            let same_band = top / order.box_rows() == bottom / order.box_rows();
            let is_column = |&column: &usize| {
                usable(order.cell(top, column)) && usable(order.cell(bottom, column))
            };
            let columns: Vec<usize> = (0..side).filter(is_column).collect();
            for (index, &left) in columns.iter().enumerate() {
                for &right in &columns[index + 1..] {
                    if same_band == (left / order.box_columns() == right / order.box_columns()) {
                        continue;
                    }
                    let corners = [(top, left), (top, right), (bottom, left), (bottom, right)];
                    let corners = corners.map(|(row, column)| order.cell(row, column));
                    gather_pairs(position, corners, avoidable, rectangles);
                }
            }
        }
    }
}

fn gather_pairs<const W: usize>(
    position: &Board<W>,
    corners: [Cell; 4],
    avoidable: bool,
    rectangles: &mut Vec<Rectangle>,
) {
    let held = |cell: Cell| position.grid()[cell].map_or(position.at(cell), DigitSet::from_digit);
    let filled = corners.iter().filter(|&&cell| !position.empty().contains(cell)).count();
    if (filled > 0) != avoidable || filled == 4 {
        return;
    }
    // In every type one corner has no guardian. Four guarded corners see no common cell, so nothing
    // can be proven.
    let bare = |pair: DigitSet| corners.iter().any(|&cell| (held(cell) - pair).is_empty());
    if !corners.iter().any(|&cell| held(cell).count() <= 2) {
        return;
    }
    // It must be possible to place the digits crosswise, one on each diagonal.
    let falling = held(corners[0]) & held(corners[3]);
    let rising = held(corners[1]) & held(corners[2]);
    for first in falling {
        for second in rising.without(first) {
            let met_before = second < first && falling.contains(second) && rising.contains(first);
            let pair = DigitSet::from_digit(first).with(second);
            if !met_before && bare(pair) {
                rectangles.push((corners, pair));
            }
        }
    }
}

fn type_6<const W: usize>(
    position: &Board<W>,
    pattern: &Pattern<W>,
    corners: [Cell; 4],
    pair: DigitSet,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let all: CellSet<W> = corners.iter().copied().collect();
    let across = position.houses_around(pattern.guarded).next().is_none();
    if pattern.guarded.count() != 2 || !across {
        return ControlFlow::Continue(());
    }
    for digit in pair {
        for direction in [0, 1] {
            let lines: Vec<usize> =
                pattern.guarded.iter().map(|cell| position.houses_of(cell)[direction]).collect();
            if !lines.iter().all(|&line| position.places_in(digit, line).is_subset(&all)) {
                continue;
            }
            let removes =
                Board::candidates_of(pattern.guarded & position.places(digit), digit).collect();
            let truths = lines.iter().map(|&line| OneOf::House(position.house(line), digit));
            // The digit in one guarded cell forces it, along the other line, into the other guarded
            // cell.
            let covers: Vec<OneOf> = pattern.guarded.iter().map(OneOf::Cell).collect();
            pattern.report(
                Technique::UniqueRectangle(RectangleType::Six),
                removes,
                truths,
                covers,
                emit,
            )?;
        }
    }
    ControlFlow::Continue(())
}

fn hidden<const W: usize>(
    position: &Board<W>,
    pattern: &Pattern<W>,
    corners: [Cell; 4],
    pair: DigitSet,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let all: CellSet<W> = corners.iter().copied().collect();
    for (near, far) in [(0, 3), (3, 0), (1, 2), (2, 1)] {
        let [row, column, _] = position.houses_of(corners[far]);
        if pattern.guarded.contains(corners[near]) {
            continue;
        }
        for kept in pair {
            let confined = |line: usize| position.places_in(kept, line).is_subset(&all);
            if !confined(row) || !confined(column) {
                continue;
            }
            let removes = (position.at(corners[far]) & pair.without(kept))
                .map(|d| Candidate::new(corners[far], d));
            let truths = [row, column].map(|line| OneOf::House(position.house(line), kept));
            let covers = corners
                .iter()
                .filter(|&&c| c != corners[near] && c != corners[far])
                .map(|&c| OneOf::Cell(c));
            let covers = covers.collect();
            pattern.report(Technique::HiddenRectangle, removes.collect(), truths, covers, emit)?;
        }
    }
    ControlFlow::Continue(())
}
