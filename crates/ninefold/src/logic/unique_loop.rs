//! Unique loops: like unique rectangles, with six, eight or more cells.
//!
//! The cells form a closed path in which each cell shares a row, column or box with the next, and
//! every house contains two of them or none. If all cells contained only the two digits, the digits
//! could be exchanged along the loop. `deadly.rs` derives the eliminations from the guardians.

use super::board::Board;
use super::deadly::Pattern;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, DigitSet};
use crate::proof::DeadlyType;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Maximum number of cells in a loop.
const MAX_CELLS: usize = 14;

/// A loop of six cells has four without guardians, unless all guardians have the same digit, which
/// is rare.
const MIN_BIVALUE: usize = 4;

/// Finds unique loops of one type.
pub fn find<const W: usize>(
    position: &Board<W>,
    kind: DeadlyType,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let mut seen = HashSet::new();
    let all_bivalue = position.cells_with(2);
    for start in all_bivalue {
        let pair = position.at(start);
        if all_bivalue.iter().filter(|&cell| position.at(cell) == pair).count() < MIN_BIVALUE {
            continue;
        }
        let holds_both = |&cell: &Cell| (pair - position.at(cell)).is_empty();
        let cells: CellSet<W> = position.empty().iter().filter(holds_both).collect();
        if cells.count() < 6 {
            continue;
        }
        let mut search = Search { position, pair, cells, kind, seen: &mut seen };
        search.extend(&mut vec![start], None, emit)?;
    }
    ControlFlow::Continue(())
}

struct Search<'a, const W: usize> {
    position: &'a Board<'a, W>,
    pair: DigitSet,
    /// Empty cells that can take both digits.
    cells: CellSet<W>,
    kind: DeadlyType,
    seen: &'a mut HashSet<(CellSet<W>, DigitSet)>,
}

impl<const W: usize> Search<'_, W> {
    /// Extends the path from its last cell through a house of a different kind than the one by
    /// which it was entered.
    fn extend(
        &mut self,
        path: &mut Vec<Cell>,
        entered_by: Option<usize>,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let (start, last) = (path[0], path[path.len() - 1]);
        for (sort, house) in self.position.houses_of(last).into_iter().enumerate() {
            if Some(sort) == entered_by {
                continue;
            }
            let next = (self.cells & self.position.cells(house)) - CellSet::from_cell(last);
            if path.len() >= 6 && path.len().is_multiple_of(2) && next.contains(start) {
                self.close(path, emit)?;
            }
            if path.len() == MAX_CELLS {
                continue;
            }
            for cell in next {
                self.position.check_limits()?;
                let after_start = cell > start || self.position.at(cell).count() > 2;
                if after_start && !path.contains(&cell) && self.has_room(path, cell, house) {
                    path.push(cell);
                    let flow = self.extend(path, Some(sort), emit);
                    path.pop();
                    flow?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns true if the cell can be added. Every house contains at most two cells of the loop,
    /// and there may be at most two guarded cells, or more if all have the same guardian.
    fn has_room(&self, path: &[Cell], cell: Cell, through: usize) -> bool {
        let in_house = |house: usize| {
            path.iter().filter(|&&other| self.position.cells(house).contains(other)).count()
        };
        let houses = self.position.houses_of(cell);
        let full = houses
            .into_iter()
            .any(|house| in_house(house) > usize::from(house == through) && in_house(house) > 1);
        let extras = || {
            path.iter()
                .chain([&cell])
                .map(|&c| self.position.at(c) - self.pair)
                .filter(|e| !e.is_empty())
        };
        let one_digit = extras().fold(DigitSet::EMPTY, |all, extra| all | extra).count() <= 1;
        !full && (extras().count() <= 2 || one_digit)
    }

    fn close(&mut self, path: &[Cell], emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let set: CellSet<W> = path.iter().copied().collect();
        let balanced = (0..self.position.house_count()).all(|house| {
            let count = (set & self.position.cells(house)).count();
            count == 0 || count == 2
        });
        if !balanced || !self.seen.insert((set, self.pair)) {
            return ControlFlow::Continue(());
        }
        let cells = path.iter().map(|&cell| (cell, self.pair)).collect();
        let Some(pattern) = Pattern::new(self.position, cells) else {
            return ControlFlow::Continue(());
        };
        let technique = Technique::UniqueLoop(self.kind);
        match self.kind {
            DeadlyType::One => pattern.type_1(self.position, technique, emit),
            DeadlyType::Two => pattern.type_2(self.position, technique, emit),
            DeadlyType::Three => pattern.type_3(self.position, technique, emit),
            DeadlyType::Four => pattern.type_4(self.position, technique, emit),
        }
    }
}
