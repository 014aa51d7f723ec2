//! Junior exocets: two cells of a box whose digits must come back in two cells of the neighbouring boxes.
//!
//! The base is two cells of one line in one box, with three or four digits between them. The targets are one cell in each of
//! the other two boxes of the same band, off the base line; beside each target, in its column, stands a companion that
//! holds no base digit. Three cross-lines run through the targets and through the third column of the base box.
//!
//! Why it is sound: suppose a digit stands in the base. Then the third column of the base box has it outside the band. If
//! neither target holds it, so do the columns of the targets. But outside the band the places of each base digit in the
//! three cross-lines lie in two houses, which take it only twice. So each of the two base digits stands in a target: the
//! targets hold nothing but base digits, and a digit that no target can take is not in the base.
//!
//! The proof is a tree for each conclusion: a wrong digit in a target leaves the other target one digit, whichever it is,
//! and then one of the two base cells has a digit for which the cross-lines have no room.

use super::board::Board;
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Because, Candidate, Count, Ending, Inference, Node, OneOf, Step, Tree, Truth, Why};
use std::ops::ControlFlow;

/// All junior exocets, along rows and along columns.
pub fn find<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let order = position.order();
    if (order.box_rows(), order.box_columns()) != (3, 3) {
        return ControlFlow::Continue(());
    }
    for turned in [false, true] {
        let view = View { position, turned };
        for line in 0..9 {
            for square in 0..3 {
                for third in 0..3 {
                    view.with_base(line, square, third, found)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// The board as it is, or with rows and columns exchanged.
struct View<'a, const W: usize> {
    position: &'a Board<'a, W>,
    turned: bool,
}

/// An exocet whose geometry fits; the covers of its base digits are found.
struct Exocet<'a, const W: usize> {
    position: &'a Board<'a, W>,
    base: [Cell; 2],
    targets: [Cell; 2],
    /// The base digits, each with the count that has no room if it stands in the base and in no target.
    counts: Vec<(Digit, Count)>,
}

impl<const W: usize> View<'_, W> {
    fn cell(&self, row: usize, column: usize) -> Cell {
        let (row, column) = if self.turned { (column, row) } else { (row, column) };
        self.position.order().cell(row, column)
    }

    /// The house number of a row or a column of this view.
    fn row(&self, row: usize) -> usize {
        if self.turned { 9 + row } else { row }
    }

    fn column(&self, column: usize) -> usize {
        if self.turned { column } else { 9 + column }
    }

    /// Does a cell neither hold nor admit any of these digits?
    fn is_free_of(&self, cell: Cell, digits: DigitSet) -> bool {
        let held = self.position.grid()[cell].is_some_and(|digit| digits.contains(digit));
        !held && (self.position.at(cell) & digits).is_empty()
    }

    /// Exocets with two cells of a line as base, all of the box's part but the third.
    fn with_base(&self, line: usize, square: usize, third: usize, found: &mut Found<'_>) -> ControlFlow<()> {
        let columns = (0..3).filter(|column| *column != third).map(|column| 3 * square + column);
        let base: Vec<Cell> = columns.map(|column| self.cell(line, column)).collect();
        let digits = self.position.at(base[0]) | self.position.at(base[1]);
        let is_open = |cell: &Cell| self.position.at(*cell).count() > 1;
        if !(3..=4).contains(&digits.count()) || !base.iter().all(is_open) {
            return ControlFlow::Continue(());
        }
        let boxes: Vec<usize> = (0..3).filter(|other| *other != square).collect();
        for first in (0..3).map(|column| 3 * boxes[0] + column) {
            for second in (0..3).map(|column| 3 * boxes[1] + column) {
                let crossing = [first, second, 3 * square + third];
                let counts: Option<Vec<(Digit, Count)>> =
                    digits.map(|digit| Some((digit, self.count(line / 3, crossing, digit)?))).collect();
                if let Some(counts) = counts {
                    self.with_lines(line, [base[0], base[1]], [first, second], digits, &counts, found)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Chooses the targets in the two outer cross-lines.
    fn with_lines(
        &self,
        line: usize,
        base: [Cell; 2],
        columns: [usize; 2],
        digits: DigitSet,
        counts: &[(Digit, Count)],
        found: &mut Found<'_>,
    ) -> ControlFlow<()> {
        let band = 3 * (line / 3);
        let rows: Vec<usize> = (band..band + 3).filter(|row| *row != line).collect();
        for (one, other) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let targets = [self.cell(rows[one], columns[0]), self.cell(rows[other], columns[1])];
            let companions = [self.cell(rows[1 - one], columns[0]), self.cell(rows[1 - other], columns[1])];
            let has_some = |cell: &Cell| !(self.position.at(*cell) & digits).is_empty();
            if companions.iter().all(|&cell| self.is_free_of(cell, digits)) && targets.iter().all(has_some) {
                let exocet = Exocet { position: self.position, base, targets, counts: counts.to_vec() };
                exocet.report(digits, found)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The cross-lines that lack the digit, against houses that cover its places outside the band, one fewer.
    fn count(&self, band: usize, crossing: [usize; 3], digit: Digit) -> Option<Count> {
        let outside = (0..9).filter(|row| row / 3 != band);
        let outside: CellSet<W> = outside.fold(CellSet::EMPTY, |all, row| all | self.position.cells(self.row(row)));
        let lacks = |line: &usize| {
            let cells = self.position.cells(self.column(*line));
            cells.iter().all(|cell| self.position.grid()[cell] != Some(digit))
        };
        let open: Vec<usize> = crossing.into_iter().filter(lacks).collect();
        let places = |line: usize| self.position.places_in(digit, self.column(line)) & outside;
        let mut best: Option<Vec<usize>> = None;
        // Some cross-lines cover themselves, rows cover the rest.
        for choice in 0..1usize << open.len() {
            let (own, rest): (Vec<_>, Vec<_>) =
                open.iter().enumerate().partition(|(index, _)| choice >> index & 1 == 1);
            let left = rest.iter().fold(CellSet::EMPTY, |all, (_, line)| all | places(**line));
            let rows = (0..9).map(|row| self.row(row)).filter(|&row| left.meets(&self.position.cells(row)));
            let covers: Vec<usize> = own.iter().map(|(_, line)| self.column(**line)).chain(rows).collect();
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

impl<const W: usize> Exocet<'_, W> {
    fn report(&self, digits: DigitSet, found: &mut Found<'_>) -> ControlFlow<()> {
        let [one, other] = self.targets;
        let (mut removes, mut parts) = (Vec::new(), Vec::new());
        for (target, partner) in [(one, other), (other, one)] {
            for digit in self.position.at(target) - digits {
                let wrong = Candidate::new(target, digit);
                removes.push(wrong);
                parts.push(self.choose(wrong, &[], &[partner, self.base[0], self.base[1]]));
            }
        }
        for digit in digits - (self.position.at(one) | self.position.at(other)) {
            for cell in self.base.into_iter().filter(|&cell| self.position.at(cell).contains(digit)) {
                let wrong = Candidate::new(cell, digit);
                removes.push(wrong);
                parts.push(Tree { assumed: wrong, inferences: Vec::new(), end: self.no_room(digit) });
            }
        }
        if removes.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut parts: Vec<Because> = parts.into_iter().map(Because::Tree).collect();
        let because = if parts.len() == 1 { parts.remove(0) } else { Because::Together(parts) };
        found(Step::remove(Technique::JuniorExocet, removes, because))
    }

    fn no_room(&self, digit: Digit) -> Ending {
        let count = self.counts.iter().find(|(of, _)| *of == digit).map(|(_, count)| count.clone());
        Ending::NoRoom(count.expect("every base digit has its count"))
    }

    /// Supposes a candidate and then tries the digits of the next cells, until a base cell has a digit that no target has.
    fn choose(&self, assumed: Candidate, before: &[Candidate], cells: &[Cell]) -> Tree {
        let mut supposed = [before, &[assumed]].concat();
        let mut inferences = Vec::new();
        let mut rest = cells;
        let end = loop {
            if let Some(ending) = self.ends(&supposed) {
                break ending;
            }
            let Some((&next, after)) = rest.split_first() else {
                unreachable!("two base digits cannot both be in one target")
            };
            rest = after;
            let open = self.left(next, &supposed);
            match (open.count(), open.first()) {
                (0, _) => break Ending::Nothing(OneOf::Cell(next)),
                (1, Some(digit)) => {
                    let node = Node::single(Candidate::new(next, digit));
                    inferences.push(Inference { node, holds: true, why: Why::LastIn(OneOf::Cell(next)) });
                    supposed.push(Candidate::new(next, digit));
                }
                _ => {
                    let branch = |digit| self.choose(Candidate::new(next, digit), &supposed, rest);
                    break Ending::Split(OneOf::Cell(next), open.map(branch).collect());
                }
            }
        };
        Tree { assumed, inferences, end }
    }

    /// Both targets are known, and a base cell holds a digit that neither has.
    fn ends(&self, supposed: &[Candidate]) -> Option<Ending> {
        let at = |cell: Cell| supposed.iter().find(|candidate| candidate.cell == cell).map(|candidate| candidate.digit);
        let targets = [at(self.targets[0])?, at(self.targets[1])?];
        let missing = self.base.into_iter().filter_map(at).find(|digit| !targets.contains(digit))?;
        Some(self.no_room(missing))
    }

    /// The digits that a cell has left.
    fn left(&self, cell: Cell, supposed: &[Candidate]) -> DigitSet {
        let seen = supposed.iter().filter(|other| self.position.peers(cell).contains(other.cell));
        seen.fold(self.position.at(cell), |left, other| left.without(other.digit))
    }
}
