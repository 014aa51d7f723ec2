//! Sue de Coq: the crossing of a line and a box, with cells from the rest of both.
//!
//! Why it is sound: some cells of the crossing, some of the rest of the line and some of the rest of the box hold as
//! many digits as they are cells, and no digit lies in both rests. So each digit is used exactly once among them: those
//! of the line part leave the rest of the line, those of the box part the rest of the box, those of the crossing alone
//! leave both.

use super::position::Position;
use super::step::{Because, Candidate, Count, OneOf, Step, Truth};
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, DigitSet};
use std::ops::ControlFlow;

/// All of them.
pub fn find<const W: usize>(position: &Position<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    for line in position.lines() {
        for square in position.boxes() {
            let crossing = position.cells(line) & position.cells(square);
            let open = (crossing & position.empty()).to_vec();
            if open.len() < 2 {
                continue;
            }
            let centres: Vec<Part<W>> = sets_of(&open, MOST_CELLS)
                .into_iter()
                .map(|cells| Part { cells, digits: position.digits_in(cells) })
                // With fewer digits to spare one of the two other parts would be a naked subset by itself.
                .filter(|centre| centre.cells.count() >= 2 && centre.digits.count() >= centre.cells.count() + 2)
                .collect();
            if centres.is_empty() {
                continue;
            }
            let in_line = parts(position, position.cells(line) - crossing);
            let in_box = parts(position, position.cells(square) - crossing);
            for centre in &centres {
                combine(position, [line, square], centre, &in_line, &in_box, found)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Some cells and all their digits.
#[derive(Clone, Copy)]
struct Part<const W: usize> {
    cells: CellSet<W>,
    digits: DigitSet,
}

/// In grids larger than 9×9 only small parts are looked at: the number of sets doubles with every cell.
const MOST_CELLS: usize = 3;

/// The sets of cells that have more digits than cells.
fn parts<const W: usize>(position: &Position<W>, house: CellSet<W>) -> Vec<Part<W>> {
    let open: Vec<Cell> = (house & position.empty()).to_vec();
    let most = if position.order().side() > 9 { MOST_CELLS } else { open.len() };
    let parts = sets_of(&open, most).into_iter().map(|cells| Part { cells, digits: position.digits_in(cells) });
    parts.filter(|part| part.digits.count() > part.cells.count()).collect()
}

/// All sets of one to `most` of these cells.
fn sets_of<const W: usize>(cells: &[Cell], most: usize) -> Vec<CellSet<W>> {
    let mut sets = vec![CellSet::EMPTY];
    for &cell in cells {
        let more: Vec<CellSet<W>> =
            sets.iter().filter(|set| set.count() < most).map(|&set| set | CellSet::of(cell)).collect();
        sets.extend(more);
    }
    sets.split_off(1)
}

fn combine<const W: usize>(
    position: &Position<W>,
    houses: [usize; 2],
    centre: &Part<W>,
    in_line: &[Part<W>],
    in_box: &[Part<W>],
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let wanted = centre.digits.count() - centre.cells.count();
    // A part takes as many digits from the crossing as it has cells beyond those for its own digits.
    let takes = |part: &Part<W>| part.cells.count().checked_sub((part.digits - centre.digits).count());
    for line_part in in_line {
        let Some(taken) = takes(line_part).filter(|&taken| (1..wanted).contains(&taken)) else { continue };
        for box_part in in_box.iter().filter(|part| (part.digits & line_part.digits).is_empty()) {
            if takes(box_part) == Some(wanted - taken) {
                report(position, houses, centre, line_part, box_part, found)?;
            }
        }
    }
    ControlFlow::Continue(())
}

fn report<const W: usize>(
    position: &Position<W>,
    [line, square]: [usize; 2],
    centre: &Part<W>,
    line_part: &Part<W>,
    box_part: &Part<W>,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let all = centre.digits | line_part.digits | box_part.digits;
    let line_rest = position.cells(line) - centre.cells - line_part.cells;
    let box_rest = position.cells(square) - centre.cells - box_part.cells;
    let leaves = |digits: DigitSet, rest: CellSet<W>| {
        digits.flat_map(move |digit| Position::candidates_of(position.places(digit) & rest, digit))
    };
    let removes: Vec<Candidate> =
        leaves(all - box_part.digits, line_rest).chain(leaves(all - line_part.digits, box_rest)).collect();
    if removes.is_empty() {
        return ControlFlow::Continue(());
    }
    let cells = centre.cells | line_part.cells | box_part.cells;
    // The digits of the crossing alone are covered by the line in one count and by the box in the other.
    let count = |in_line: DigitSet| {
        let house = |digit| position.house(if in_line.contains(digit) { line } else { square });
        Because::Count(Count {
            truths: cells.iter().map(|cell| Truth::OneOf(OneOf::Cell(cell))).collect(),
            covers: all.map(|digit| OneOf::House(house(digit), digit)).collect(),
        })
    };
    let because = Because::Together(vec![count(all - box_part.digits), count(line_part.digits)]);
    found(Step::remove(Technique::SueDeCoq, removes, because))
}
