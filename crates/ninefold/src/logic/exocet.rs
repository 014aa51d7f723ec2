//! Exocets: two cells of a box whose digits must be repeated in two cells of the neighbouring
//! boxes.
//!
//! The base is two cells of one line in one box, with three or four candidate digits in total. The
//! targets are one cell in each of the other two boxes of the same band, outside the base line.
//! Beside each target, in its column, is a companion cell that cannot contain a base digit. Three
//! cross-lines run through the two targets and through the third column of the base box.
//!
//! Why it is sound: suppose a digit is in the base. The third column of the base box must then have
//! this digit outside the band. If neither target contains it, the columns of the targets must have
//! it outside the band as well. But outside the band, the places of each base digit in the three
//! cross-lines are covered by two houses, which can contain it only twice. So each of the two
//! digits of the base is in a target. It follows that the targets contain only base digits, and
//! that a digit that neither target can take is not in the base.
//!
//! This file finds the junior exocet. `mirror.rs` determines where the digit of a target goes in
//! the box of the other target, `link.rs` follows a base digit into the targets, and `double.rs`
//! combines two exocets with the same cross-lines. `trees.rs` builds the proofs.

mod double;
mod link;
mod mirror;
mod trees;

pub use double::find as double;
pub use link::find as link;
pub use mirror::find as mirror;

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, Count, OneOf, Reason, Step, Tree, Truth};
use std::ops::ControlFlow;
use trees::TreeBuilder;

/// Finds all junior exocets along rows and columns.
pub fn junior<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    for exocet in position.exocets() {
        let (mut removes, mut parts) = (Vec::new(), Vec::new());
        let trees = TreeBuilder::new(position, exocet);
        let [one, other] = exocet.targets;
        for (target, partner) in [(one, other), (other, one)] {
            for digit in position.at(target) - exocet.digits {
                let wrong = Candidate::new(target, digit);
                removes.push(wrong);
                parts.extend(trees.refute(wrong, &[partner, exocet.base[0], exocet.base[1]]));
            }
        }
        for digit in exocet.digits - (position.at(one) | position.at(other)) {
            for cell in exocet.base.into_iter().filter(|&cell| position.at(cell).contains(digit)) {
                let wrong = Candidate::new(cell, digit);
                removes.push(wrong);
                parts.push(Tree {
                    assumed: wrong,
                    inferences: Vec::new(),
                    end: exocet.no_room(digit),
                });
            }
        }
        debug_assert_eq!(
            removes.len(),
            parts.len(),
            "two base digits cannot both be in one target"
        );
        if !removes.is_empty() {
            emit(Step::remove(Technique::JuniorExocet, removes, reason(parts)))?;
        }
    }
    ControlFlow::Continue(())
}

/// Combines one or several trees into a reason.
fn reason(trees: Vec<Tree>) -> Reason {
    let mut parts: Vec<Reason> = trees.into_iter().map(Reason::Tree).collect();
    if parts.len() == 1 { parts.remove(0) } else { Reason::Together(parts) }
}

/// Base and targets with a valid geometry whose base digits are covered.
pub(super) struct Exocet {
    base: [Cell; 2],
    /// Index of the base line within its direction.
    line: usize,
    targets: [Cell; 2],
    /// For each target, the two cells in the box of the other target that must repeat its digit if
    /// it is a base digit.
    mirrors: [[Cell; 2]; 2],
    /// For each target, the number of the house that contains its mirror.
    mirror_boxes: [usize; 2],
    /// Numbers of the cross-lines: through the two targets, then through the base box.
    crossing: [usize; 3],
    digits: DigitSet,
    /// The base digits, each with the count that becomes impossible if the digit is in the base and
    /// in neither target.
    counts: Vec<(Digit, Count)>,
}

impl Exocet {
    fn count(&self, digit: Digit) -> &Count {
        let count = self.counts.iter().find(|(of, _)| *of == digit).map(|(_, count)| count);
        count.expect("every base digit has a count")
    }
}

/// Returns all exocets of a position, including those that remove nothing.
pub(super) fn all<const W: usize>(position: &Board<W>) -> Vec<Exocet> {
    let order = position.order();
    let mut all = Vec::new();
    if (order.box_rows(), order.box_columns()) != (3, 3) {
        return all;
    }
    for turned in [false, true] {
        let view = View { position, turned };
        for line in 0..9 {
            for square in 0..3 {
                for third in 0..3 {
                    view.with_base(line, square, third, &mut all);
                }
            }
        }
    }
    all
}

/// Board in its original orientation or with rows and columns exchanged.
struct View<'a, const W: usize> {
    position: &'a Board<'a, W>,
    turned: bool,
}

impl<const W: usize> View<'_, W> {
    fn cell(&self, row: usize, column: usize) -> Cell {
        let (row, column) = if self.turned { (column, row) } else { (row, column) };
        self.position.order().cell(row, column)
    }

    /// Returns the house number of a row or a column of this view.
    fn row(&self, row: usize) -> usize {
        if self.turned { 9 + row } else { row }
    }

    fn column(&self, column: usize) -> usize {
        if self.turned { column } else { 9 + column }
    }

    /// Returns true if the cell neither contains nor can take any of these digits.
    fn is_free_of(&self, cell: Cell, digits: DigitSet) -> bool {
        let held = self.position.grid()[cell].is_some_and(|digit| digits.contains(digit));
        !held && (self.position.at(cell) & digits).is_empty()
    }

    /// Finds exocets whose base is two cells of a line in one box, all but the third.
    fn with_base(&self, line: usize, square: usize, third: usize, all: &mut Vec<Exocet>) {
        let columns = (0..3).filter(|column| *column != third).map(|column| 3 * square + column);
        let base: Vec<Cell> = columns.map(|column| self.cell(line, column)).collect();
        let digits = self.position.at(base[0]) | self.position.at(base[1]);
        let is_open = |cell: &Cell| self.position.at(*cell).count() > 1;
        if !(3..=4).contains(&digits.count()) || !base.iter().all(is_open) {
            return;
        }
        let boxes: Vec<usize> = (0..3).filter(|other| *other != square).collect();
        for first in (0..3).map(|column| 3 * boxes[0] + column) {
            for second in (0..3).map(|column| 3 * boxes[1] + column) {
                let crossing = [first, second, 3 * square + third];
                let counts: Option<Vec<(Digit, Count)>> = digits
                    .map(|digit| Some((digit, self.count(line / 3, crossing, digit)?)))
                    .collect();
                if let Some(counts) = counts {
                    self.with_lines(line, [base[0], base[1]], crossing, digits, &counts, all);
                }
            }
        }
    }

    /// Chooses the targets in the two outer cross-lines.
    fn with_lines(
        &self,
        line: usize,
        base: [Cell; 2],
        crossing: [usize; 3],
        digits: DigitSet,
        counts: &[(Digit, Count)],
        all: &mut Vec<Exocet>,
    ) {
        let band = 3 * (line / 3);
        let rows: Vec<usize> = (band..band + 3).filter(|row| *row != line).collect();
        let columns = [crossing[0], crossing[1]];
        for (one, other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let targets = [self.cell(rows[one], columns[0]), self.cell(rows[other], columns[1])];
            let companions =
                [self.cell(rows[1 - one], columns[0]), self.cell(rows[1 - other], columns[1])];
            let has_some = |cell: &Cell| !(self.position.at(*cell) & digits).is_empty();
            if companions.iter().all(|&cell| self.is_free_of(cell, digits))
                && targets.iter().all(has_some)
            {
                // A mirror is in the row that contains neither the base nor the target, beside the
                // other cross-line.
                let mirror = |row: usize, column: usize| {
                    let beside =
                        (column / 3 * 3..column / 3 * 3 + 3).filter(|&other| other != column);
                    let cells: Vec<Cell> = beside.map(|other| self.cell(row, other)).collect();
                    [cells[0], cells[1]]
                };
                all.push(Exocet {
                    base,
                    line,
                    targets,
                    mirrors: [
                        mirror(rows[1 - one], columns[1]),
                        mirror(rows[1 - other], columns[0]),
                    ],
                    mirror_boxes: [targets[1], targets[0]]
                        .map(|cell| self.position.houses_of(cell)[2]),
                    crossing: crossing.map(|column| self.column(column)),
                    digits,
                    counts: counts.to_vec(),
                });
            }
        }
    }

    /// Returns the count of the cross-lines without the digit against the houses that cover its
    /// places outside the band, which are one fewer.
    fn count(&self, band: usize, crossing: [usize; 3], digit: Digit) -> Option<Count> {
        let outside = (0..9).filter(|row| row / 3 != band);
        let outside: CellSet<W> =
            outside.fold(CellSet::EMPTY, |all, row| all | self.position.cells(self.row(row)));
        let lacks = |line: &usize| {
            let cells = self.position.cells(self.column(*line));
            cells.iter().all(|cell| self.position.grid()[cell] != Some(digit))
        };
        let open: Vec<usize> = crossing.into_iter().filter(lacks).collect();
        let places = |line: usize| self.position.places_in(digit, self.column(line)) & outside;
        let mut best: Option<Vec<usize>> = None;
        // Some cross-lines cover themselves; rows cover the rest.
        for choice in 0..1usize << open.len() {
            let (own, rest): (Vec<_>, Vec<_>) =
                open.iter().enumerate().partition(|(index, _)| choice >> index & 1 == 1);
            let left = rest.iter().fold(CellSet::EMPTY, |all, (_, line)| all | places(**line));
            let rows = (0..9)
                .map(|row| self.row(row))
                .filter(|&row| left.intersects(&self.position.cells(row)));
            let covers: Vec<usize> =
                own.iter().map(|(_, line)| self.column(**line)).chain(rows).collect();
            if best.as_ref().is_none_or(|best| covers.len() < best.len()) {
                best = Some(covers);
            }
        }
        let covers = best.filter(|covers| covers.len() < open.len())?;
        let of = |house: usize| OneOf::House(self.position.house(house), digit);
        Some(Count {
            truths: open.iter().map(|&line| Truth::OneOf(of(self.column(line)))).collect(),
            covers: covers.into_iter().map(of).collect(),
        })
    }
}
