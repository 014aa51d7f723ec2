//! Multi-sector locked sets and SK-loops: n cells whose candidate digits fit into them at most n
//! times in total.
//!
//! Why they are sound: each of n cells contains a digit. For each digit, some rows, columns or
//! boxes cover all its places in these cells, and each of them contains the digit once. If there
//! are n such covers in total, every cover has its digit inside the cells, and the digit is removed
//! from the rest of the cover.
//!
//! A multi-sector locked set takes the empty cells where some rows and columns cross, and covers
//! each digit by rows, columns or boxes, whichever are fewest. An SK-loop is a ring of eight pairs
//! of cells around four boxes. Neighbouring pairs are in the same line or box, which covers the
//! digits that link them.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, Count, OneOf, Reason, Step, Truth};
use std::ops::ControlFlow;

/// Digit that a house contains once.
type Cover = (usize, Digit);

/// Returns the step if there are as many covers as cells and something is removed.
fn step<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    cells: CellSet<W>,
    mut covers: Vec<Cover>,
) -> Option<Step> {
    covers.sort_unstable();
    covers.dedup();
    let covered = |cell: Cell, digit: Digit| {
        covers
            .iter()
            .filter(|&&(house, of)| of == digit && position.cells(house).contains(cell))
            .count()
    };
    let each_once =
        cells.iter().all(|cell| position.at(cell).all(|digit| covered(cell, digit) > 0));
    if covers.len() != cells.count() || !each_once {
        return None;
    }
    let outside = covers.iter().flat_map(|&(house, digit)| {
        Board::candidates_of(position.places_in(digit, house) - cells, digit)
    });
    // A candidate inside two covers would use both of them.
    let inside = cells
        .iter()
        .flat_map(|cell| position.at(cell).map(move |digit| Candidate::new(cell, digit)));
    let twice = inside.filter(|candidate| covered(candidate.cell, candidate.digit) > 1);
    let removes: Vec<Candidate> = outside.chain(twice).collect();
    if removes.is_empty() {
        return None;
    }
    let count = Count {
        truths: cells.iter().map(|cell| Truth::OneOf(OneOf::Cell(cell))).collect(),
        covers: covers
            .iter()
            .map(|&(house, digit)| OneOf::House(position.house(house), digit))
            .collect(),
    };
    Some(Step::remove(technique, removes, Reason::Count(count)))
}

/// Finds all SK-loops.
pub fn sk_loops<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let order = position.order();
    // Each pair is the part of a line in a box without the corner. In boxes of 3×3 cells these are
    // two cells.
    if (order.box_rows(), order.box_columns()) != (3, 3) {
        return ControlFlow::Continue(());
    }
    for (top, bottom) in lines_apart() {
        for (left, right) in lines_apart() {
            if let Some(pairs) = Loop::around(position, [top, bottom], [left, right]) {
                pairs.report(position, emit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Returns pairs of lines in different bands.
fn lines_apart() -> impl Iterator<Item = (usize, usize)> {
    (0..9)
        .flat_map(|first| (first + 1..9).map(move |second| (first, second)))
        .filter(|(a, b)| a / 3 != b / 3)
}

/// Eight pairs of cells, and the house that each two neighbours share.
struct Loop<const W: usize> {
    pairs: [CellSet<W>; 8],
    /// House shared by pair i and pair i + 1.
    links: [usize; 8],
}

impl<const W: usize> Loop<W> {
    fn around(
        position: &Board<W>,
        [top, bottom]: [usize; 2],
        [left, right]: [usize; 2],
    ) -> Option<Loop<W>> {
        let square = |row: usize, column: usize| 18 + row / 3 * 3 + column / 3;
        let corner =
            |row: usize, column: usize| CellSet::from_cell(position.order().cell(row, column));
        let in_row = |row, column| {
            (position.cells(row) & position.cells(square(row, column))) - corner(row, column)
        };
        let in_column = |row, column: usize| {
            (position.cells(9 + column) & position.cells(square(row, column))) - corner(row, column)
        };
        let pairs = [
            in_row(top, left),
            in_row(top, right),
            in_column(top, right),
            in_column(bottom, right),
            in_row(bottom, right),
            in_row(bottom, left),
            in_column(bottom, left),
            in_column(top, left),
        ];
        let links = [
            top,
            square(top, right),
            9 + right,
            square(bottom, right),
            bottom,
            square(bottom, left),
            9 + left,
            square(top, left),
        ];
        pairs.iter().all(|pair| pair.is_subset(&position.empty())).then_some(Loop { pairs, links })
    }

    /// Chooses the digits of the last link. All other links follow, because each pair must have its
    /// digits in its two links.
    fn report(&self, position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let digits = self.pairs.map(|pair| position.digits_in(pair));
        let shared = (digits[7] & digits[0]).bits();
        let cells = self.pairs.iter().fold(CellSet::EMPTY, |all, pair| all | *pair);
        // Enumerate all subsets of the digits that the first and the last pair share.
        let mut last = shared;
        while last != 0 {
            if let Some(covers) = self.covers(&digits, DigitSet::from_bits(last))
                && let Some(step) = step(position, Technique::SkLoop, cells, covers)
            {
                emit(step)?;
            }
            last = (last - 1) & shared;
        }
        ControlFlow::Continue(())
    }

    fn covers(&self, digits: &[DigitSet; 8], last: DigitSet) -> Option<Vec<Cover>> {
        let mut covers = Vec::new();
        let mut before = last;
        for (index, &all) in digits.iter().enumerate() {
            let mut here = all - before;
            if index == 7 {
                // The last link is fixed. It must contain the digits of the last pair that the link
                // before it does not contain.
                if !(here - last).is_empty() {
                    return None;
                }
                here = last;
            } else if !(here - digits[index + 1]).is_empty() {
                return None;
            }
            covers.extend(here.map(|digit| (self.links[index], digit)));
            if covers.len() > 16 {
                return None;
            }
            before = here;
        }
        Some(covers)
    }
}

/// Minimum and maximum number of rows and of columns in a multi-sector locked set.
const LINES: std::ops::RangeInclusive<u32> = 2..=5;
const MIN_CELLS: usize = 4;
const MAX_CELLS: usize = 25;

/// Finds all multi-sector locked sets.
pub fn locked_sets<const W: usize>(
    position: &Board<W>,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let side = position.order().side();
    if side > 9 {
        return ControlFlow::Continue(());
    }
    let sets: Vec<u32> =
        (1u32..1 << side).filter(|set| LINES.contains(&set.count_ones())).collect();
    for &rows in &sets {
        for &columns in &sets {
            let sectors = Sectors { position, rows, columns };
            if let Some(step) = sectors.step() {
                emit(step)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Cells where some rows and some columns cross.
struct Sectors<'a, const W: usize> {
    position: &'a Board<'a, W>,
    rows: u32,
    columns: u32,
}

impl<const W: usize> Sectors<'_, W> {
    fn step(&self) -> Option<Step> {
        let order = self.position.order();
        let mut cells = 0;
        // For each house, the candidates of its cells in the set.
        let mut digits = [[0u16; 9]; 3];
        for row in bits(self.rows) {
            for column in bits(self.columns) {
                let cell = order.cell(row, column);
                let here = self.position.at(cell).bits() as u16;
                cells += usize::from(here != 0);
                digits[0][row] |= here;
                digits[1][column] |= here;
                digits[2][order.box_of(cell)] |= here;
            }
        }
        if !(MIN_CELLS..=MAX_CELLS).contains(&cells) {
            return None;
        }
        let mut sorts = [0; 9];
        let mut covers = 0;
        for (digit, chosen) in sorts.iter_mut().enumerate().take(order.side()) {
            let counts =
                digits.map(|houses| houses.iter().filter(|&&here| here >> digit & 1 == 1).count());
            let (sort, fewest) = counts.into_iter().enumerate().min_by_key(|(_, count)| *count)?;
            *chosen = sort;
            covers += fewest;
            if covers > cells {
                return None;
            }
        }
        if covers < cells {
            return None; // Fewer covers than cells: the position is contradictory.
        }
        let has = |digit: usize, sort: usize| {
            (0..order.side()).filter(move |&n| digits[sort][n] >> digit & 1 == 1)
        };
        let covers = (0..order.side())
            .flat_map(|digit| {
                let sort = sorts[digit];
                has(digit, sort)
                    .map(move |number| (sort * order.side() + number, Digit::from_index(digit)))
            })
            .collect();
        let crossing = bits(self.rows)
            .flat_map(|row| bits(self.columns).map(move |column| order.cell(row, column)));
        let cells = crossing.collect::<CellSet<W>>() & self.position.empty();
        step(self.position, Technique::MultiSectorLockedSets, cells, covers)
    }
}

fn bits(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |bit| set >> bit & 1 == 1)
}
