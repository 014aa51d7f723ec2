//! Templates: all ways to place every instance of one digit.
//!
//! Why they are sound: the solution is one of these ways. A cell that belongs to all of them holds the digit, a place
//! that belongs to none does not. Cells found in this way are closed to the ways of all other digits.

use super::board::Board;
use super::{Found, Technique};
use crate::grid::{CellSet, Digit};
use crate::proof::{Because, Candidate, Step};
use std::ops::ControlFlow;

/// Digits with more ways than this are left alone.
const MOST_TEMPLATES: usize = 200_000;

/// Cells that belong to all ways.
pub fn set<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let (walks, shown) = all_walks(position);
    position.go_on()?;
    for (digit, walk) in walks {
        if !walk.all.is_empty() {
            let places: Vec<Candidate> = Board::candidates_of(walk.all, digit).collect();
            let because = Because::Templates(digit, shown.clone());
            found(Step {
                technique: Technique::TemplateSet,
                because,
                places,
                removes: Vec::new(),
            })?;
        }
    }
    ControlFlow::Continue(())
}

/// Places that belong to no way.
pub fn delete<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let (walks, shown) = all_walks(position);
    position.go_on()?;
    for (digit, walk) in walks {
        let hit = position.places(digit) - walk.any;
        if !hit.is_empty() {
            let removes = Board::candidates_of(hit, digit).collect();
            found(Step::remove(
                Technique::TemplateDelete,
                removes,
                Because::Templates(digit, shown.clone()),
            ))?;
        }
    }
    ControlFlow::Continue(())
}

/// Walks through the templates of all digits until no further cell is certain; also the certain cells, as found.
fn all_walks<const W: usize>(position: &Board<W>) -> (Vec<(Digit, Walk<W>)>, Vec<Candidate>) {
    let mut certain = vec![CellSet::EMPTY; position.order().side()];
    let mut shown: Vec<Candidate> = Vec::new();
    loop {
        let mut walks = Vec::new();
        let before = shown.len();
        for digit in position.all_digits() {
            let others = position.all_digits().without(digit);
            let closed =
                others.fold(CellSet::EMPTY, |closed, other| closed | certain[other.index()]);
            let Some(walk) = Walk::through(position, digit, position.places(digit) - closed) else {
                continue;
            };
            shown.extend(Board::<W>::candidates_of(walk.all - certain[digit.index()], digit));
            certain[digit.index()] = walk.all;
            walks.push((digit, walk));
        }
        if shown.len() == before || position.stopped().is_some() {
            return (walks, shown);
        }
    }
}

/// The cells in all templates and the cells in any.
struct Walk<const W: usize> {
    all: CellSet<W>,
    any: CellSet<W>,
    left: usize,
}

impl<const W: usize> Walk<W> {
    /// The templates inside `places`; `None` if there are too many of them or none at all.
    fn through(position: &Board<W>, digit: Digit, places: CellSet<W>) -> Option<Walk<W>> {
        let rows: Vec<CellSet<W>> = (0..position.order().side())
            .filter(|&row| !position.places_in(digit, row).is_empty())
            .map(|row| places & position.cells(row))
            .collect();
        let mut walk = Walk { all: places, any: CellSet::EMPTY, left: MOST_TEMPLATES };
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
            if self.left == 0 || position.stopped().is_some() {
                return;
            }
            self.place(position, rest, free - position.peers(cell), chosen | CellSet::of(cell));
        }
    }
}
