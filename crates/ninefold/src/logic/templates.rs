//! Templates: all ways to place every instance of one digit.
//!
//! Why they are sound: the solution contains one of the templates. A cell in all templates contains
//! the digit; a place in none of them does not. Cells found in this way are excluded from the
//! templates of all other digits.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{CellSet, Digit};
use crate::proof::{Candidate, Reason, Step};
use std::ops::ControlFlow;

/// Digits with more templates are skipped.
const MAX_TEMPLATES: usize = 200_000;

/// Finds cells that are in all templates of a digit.
pub fn set<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let (walks, shown) = search_all(position);
    position.check_limits()?;
    for (digit, walk) in walks {
        if !walk.all.is_empty() {
            let places: Vec<Candidate> = Board::candidates_of(walk.all, digit).collect();
            let reason = Reason::Templates(digit, shown.clone());
            emit(Step { technique: Technique::TemplateSet, reason, places, removes: Vec::new() })?;
        }
    }
    ControlFlow::Continue(())
}

/// Finds places that are in no template of their digit.
pub fn delete<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let (walks, shown) = search_all(position);
    position.check_limits()?;
    for (digit, walk) in walks {
        let hit = position.places(digit) - walk.any;
        if !hit.is_empty() {
            let removes = Board::candidates_of(hit, digit).collect();
            emit(Step::remove(
                Technique::TemplateDelete,
                removes,
                Reason::Templates(digit, shown.clone()),
            ))?;
        }
    }
    ControlFlow::Continue(())
}

/// Enumerates the templates of all digits until no further cell is certain. Also returns the
/// certain cells in the order in which they were found.
fn search_all<const W: usize>(
    position: &Board<W>,
) -> (Vec<(Digit, TemplateSearch<W>)>, Vec<Candidate>) {
    let mut certain = vec![CellSet::EMPTY; position.order().side()];
    let mut shown: Vec<Candidate> = Vec::new();
    loop {
        let mut walks = Vec::new();
        let before = shown.len();
        for digit in position.all_digits() {
            let others = position.all_digits().without(digit);
            let closed =
                others.fold(CellSet::EMPTY, |closed, other| closed | certain[other.index()]);
            let Some(walk) =
                TemplateSearch::through(position, digit, position.places(digit) - closed)
            else {
                continue;
            };
            shown.extend(Board::<W>::candidates_of(walk.all - certain[digit.index()], digit));
            certain[digit.index()] = walk.all;
            walks.push((digit, walk));
        }
        if shown.len() == before || position.stop_reason().is_some() {
            return (walks, shown);
        }
    }
}

/// Cells in all templates, and cells in any template.
struct TemplateSearch<const W: usize> {
    all: CellSet<W>,
    any: CellSet<W>,
    left: usize,
}

impl<const W: usize> TemplateSearch<W> {
    /// Enumerates the templates inside `places`. Returns `None` if there are too many of them or
    /// none.
    fn through(position: &Board<W>, digit: Digit, places: CellSet<W>) -> Option<TemplateSearch<W>> {
        let rows: Vec<CellSet<W>> = (0..position.order().side())
            .filter(|&row| !position.places_in(digit, row).is_empty())
            .map(|row| places & position.cells(row))
            .collect();
        let mut walk = TemplateSearch { all: places, any: CellSet::EMPTY, left: MAX_TEMPLATES };
        walk.place(position, &rows, places, CellSet::EMPTY);
        (walk.left > 0 && !walk.any.is_empty()).then_some(walk)
    }

    fn place(
        &mut self,
        position: &Board<W>,
        rows: &[CellSet<W>],
        free: CellSet<W>,
        chosen: CellSet<W>,
    ) {
        let Some((row, rest)) = rows.split_first() else {
            self.all &= chosen;
            self.any |= chosen;
            self.left = self.left.saturating_sub(1);
            return;
        };
        for cell in *row & free {
            if self.left == 0 || position.stop_reason().is_some() {
                return;
            }
            self.place(
                position,
                rest,
                free - position.peers(cell),
                chosen | CellSet::from_cell(cell),
            );
        }
    }
}
