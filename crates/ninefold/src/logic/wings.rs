//! Wings: W-Wing, XY-Wing, XYZ-Wing and larger wings.
//!
//! Why they are sound:
//! - XY-Wing and larger wings: n cells have n candidate digits. Each digit except one, `z`, is in
//!   cells that all see each other, so it is used at most once. If none of the cells contained `z`,
//!   n cells would share n − 1 digits. So `z` is removed from every cell that sees all places of
//!   `z` in these cells.
//! - W-Wing: two cells have the same two candidates. Because of a strong link on one digit, not
//!   both cells contain it. So one of them contains the other digit.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, Chain, Count, Node, OneOf, Reason, Step, Strong, Truth, WingSize};
use std::ops::ControlFlow;

/// Finds two equal bivalue cells joined by a strong link on one of their digits.
pub fn w_wing<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let bivalue = position.cells_with(2).to_vec();
    for (index, &first) in bivalue.iter().enumerate() {
        position.check_limits()?;
        for &second in &bivalue[index + 1..] {
            let pair = position.at(first);
            if position.at(second) != pair || position.peers(first).contains(second) {
                continue;
            }
            for linked in pair {
                let Some(gone) = pair.without(linked).only() else { continue };
                let hit = position.places(gone) & position.peers(first) & position.peers(second);
                if !hit.is_empty() {
                    each_w_link(position, linked, first, second, &mut |house, ends| {
                        let removes = Board::candidates_of(hit, gone).collect();
                        let chain = w_chain(position, (first, second), (gone, linked), house, ends);
                        emit(Step::remove(Technique::WWing, removes, Reason::Chain(chain)))
                    })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Enumerates houses with two places of the digit, one seen by each cell.
fn each_w_link<const W: usize>(
    position: &Board<W>,
    digit: Digit,
    first: Cell,
    second: Cell,
    visit: &mut dyn FnMut(usize, [Cell; 2]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let outside = position.places(digit) - CellSet::from_cell(first) - CellSet::from_cell(second);
    for house in 0..position.house_count() {
        let places = position.places_in(digit, house);
        if let Some([a, b]) = places.only_two().filter(|_| places.is_subset(&outside)) {
            for ends in [[a, b], [b, a]] {
                if position.peers(first).contains(ends[0])
                    && position.peers(second).contains(ends[1])
                {
                    visit(house, ends)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

fn w_chain<const W: usize>(
    position: &Board<W>,
    (first, second): (Cell, Cell),
    (gone, linked): (Digit, Digit),
    house: usize,
    ends: [Cell; 2],
) -> Chain {
    let node = |cell, digit| Node::single(Candidate::new(cell, digit));
    Chain {
        nodes: vec![
            node(first, gone),
            node(first, linked),
            node(ends[0], linked),
            node(ends[1], linked),
            node(second, linked),
            node(second, gone),
        ],
        strong: vec![
            Strong::OneOf(OneOf::Cell(first)),
            Strong::OneOf(OneOf::House(position.house(house), linked)),
            Strong::OneOf(OneOf::Cell(second)),
        ],
        closed: false,
    }
}

/// Finds a pivot {x, y} that sees the pincers {x, z} and {y, z}.
pub fn xy_wing<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let bivalue = position.cells_with(2);
    for pivot in bivalue {
        let pincers = (position.peers(pivot) & bivalue).to_vec();
        for (index, &first) in pincers.iter().enumerate() {
            for &second in &pincers[index + 1..] {
                let common = position.at(first) & position.at(second);
                let (Some(z), pair) = (common.only(), position.at(pivot)) else { continue };
                if pair.contains(z) || (position.at(first) | position.at(second)).without(z) != pair
                {
                    continue;
                }
                report(position, Technique::XyWing, &[pivot, first, second], z, emit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Finds a pivot {x, y, z} that sees the pincers {x, z} and {y, z}.
pub fn xyz_wing<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let bivalue = position.cells_with(2);
    for pivot in position.cells_with(3) {
        let inside = |&cell: &Cell| (position.at(cell) - position.at(pivot)).is_empty();
        let pincers: Vec<Cell> = (position.peers(pivot) & bivalue).iter().filter(inside).collect();
        for (index, &first) in pincers.iter().enumerate() {
            for &second in &pincers[index + 1..] {
                if let Some(z) = (position.at(first) & position.at(second)).only() {
                    report(position, Technique::XyzWing, &[pivot, first, second], z, emit)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Finds `size` cells with `size` digits, where all digits except one are confined to cells that
/// see each other.
///
/// Such cells are in a line and a box that intersect, or in two such houses around a pivot. So it
/// is enough to search for cells that all see one of them, the pivot.
pub fn large<const W: usize>(
    position: &Board<W>,
    size: WingSize,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let (technique, size) = (Technique::LargeWing(size), size.cells());
    let fits = |&cell: &Cell| position.at(cell).count() <= size;
    let cells: CellSet<W> = position.empty().iter().filter(fits).collect();
    for pivot in cells {
        let around = (position.peers(pivot) & cells).to_vec();
        let mut wing = Wing { position, technique, size, cells: vec![pivot] };
        wing.grow(&around, position.at(pivot), emit)?;
    }
    ControlFlow::Continue(())
}

/// Cells of a wing so far, the pivot first.
struct Wing<'a, const W: usize> {
    position: &'a Board<'a, W>,
    technique: Technique,
    size: usize,
    cells: Vec<Cell>,
}

impl<const W: usize> Wing<'_, W> {
    /// Adds cells in order, as long as the number of digits does not exceed the number of cells of
    /// the complete wing.
    fn grow(
        &mut self,
        around: &[Cell],
        digits: DigitSet,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let missing = self.size - self.cells.len();
        if missing == 0 {
            return if digits.count() == self.size {
                self.report(digits, emit)
            } else {
                ControlFlow::Continue(())
            };
        }
        self.position.check_limits()?;
        for index in 0..(around.len() + 1).saturating_sub(missing) {
            let more = digits | self.position.at(around[index]);
            if more.count() <= self.size {
                self.cells.push(around[index]);
                let flow = self.grow(&around[index + 1..], more, emit);
                self.cells.pop();
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Without an unconfined digit it is a naked subset; with two it proves nothing.
    fn report(&self, digits: DigitSet, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let set: CellSet<W> = self.cells.iter().copied().collect();
        let mut free =
            digits.into_iter().filter(|&digit| cover_of(self.position, set, digit).is_none());
        match (free.next(), free.next()) {
            (Some(z), None) => report(self.position, self.technique, &self.cells, z, emit),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// Returns a house that contains all places of the digit in these cells.
fn cover_of<const W: usize>(position: &Board<W>, cells: CellSet<W>, digit: Digit) -> Option<usize> {
    position.houses_around(cells & position.places(digit)).next()
}

fn report<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    cells: &[Cell],
    z: Digit,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let set: CellSet<W> = cells.iter().copied().collect();
    let hit = position.places(z) & position.common_peers(set & position.places(z));
    if hit.is_empty() {
        return ControlFlow::Continue(());
    }
    let covers = position.digits_in(set).without(z).map(|digit| {
        cover_of(position, set, digit).map(|house| OneOf::House(position.house(house), digit))
    });
    let Some(covers) = covers.collect::<Option<Vec<OneOf>>>() else {
        return ControlFlow::Continue(());
    };
    let truths = cells.iter().map(|&cell| Truth::OneOf(OneOf::Cell(cell))).collect();
    let removes = Board::candidates_of(hit, z).collect();
    emit(Step::remove(technique, removes, Reason::Count(Count { truths, covers })))
}
