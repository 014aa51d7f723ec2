//! First half of the fish search: finds base houses that can form a fish.
//!
//! Take a candidate that some fish of size n removes, and assume that it is true. It occupies its
//! own cover house and removes all fins, so the remaining places of the n base houses are in n − 1
//! cover houses. This is rare, so it is a fast filter for base houses. `fish.rs` then decides
//! whether they form a fish, and which.

use super::board::Board;
use super::negative_cache::Query;
use crate::grid::{CellSet, Digit};
use crate::proof::{Fins, Fish, Shape};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Whether rows, columns and boxes may be used.
pub(super) type HouseKinds = [bool; 3];

/// Callback that receives base houses.
pub(super) type BaseSink<'a> = dyn FnMut(&[usize]) -> ControlFlow<()> + 'a;

/// Enumerates the sets of base houses for which some candidate leaves too few cover houses.
pub(super) fn each<const W: usize>(
    position: &Board<W>,
    digit: Digit,
    kind: Fish,
    (bases, covers): (&[usize], HouseKinds),
    use_it: &mut BaseSink<'_>,
) -> ControlFlow<()> {
    let size = kind.size().houses();
    let query = Query::FinnedFish(kind.size());
    let may_be = || {
        position.negative_cache().is_possible(digit, query, || may_be_basic(position, digit, size))
    };
    if kind.shape() == Shape::Basic && !may_be() {
        return ControlFlow::Continue(());
    }
    let mut seen: HashSet<Vec<usize>> = HashSet::new();
    for cell in position.places(digit) {
        let left = position.places(digit) - position.peers(cell) - CellSet::from_cell(cell);
        let open = |house: &&usize| {
            !position.cells(**house).contains(cell)
                && position.places_in(digit, **house).count() > 1
        };
        let bases: Vec<usize> = bases.iter().filter(open).copied().collect();
        let side = position.order().side();
        let whole = (kind.fins() == Fins::None).then(|| position.places(digit));
        let mut look = BaseSearch { position, left, whole, covers, side, chosen: Vec::new() };
        look.choose(&bases, CellSet::EMPTY, size, &mut |chosen| {
            if seen.insert(chosen.to_vec()) { use_it(chosen) } else { ControlFlow::Continue(()) }
        })?;
    }
    ControlFlow::Continue(())
}

struct BaseSearch<'a, const W: usize> {
    position: &'a Board<'a, W>,
    /// Places that do not see the candidate.
    left: CellSet<W>,
    /// All places, if fins are not allowed: n houses must then cover the base houses as they are.
    whole: Option<CellSet<W>>,
    covers: HouseKinds,
    side: usize,
    chosen: Vec<usize>,
}

impl<const W: usize> BaseSearch<'_, W> {
    /// Chooses `size` of these houses whose remaining places are in `size − 1` cover houses.
    fn choose(
        &mut self,
        houses: &[usize],
        cells: CellSet<W>,
        size: usize,
        use_it: &mut BaseSink<'_>,
    ) -> ControlFlow<()> {
        if self.chosen.len() == size {
            return use_it(&self.chosen);
        }
        for (index, &house) in houses.iter().enumerate() {
            self.position.check_limits()?;
            self.chosen.push(house);
            if self.whole.is_some_and(|whole| !self.is_covered(self.places_in_chosen(whole), size))
            {
                self.chosen.pop();
                continue;
            }
            let cells = cells | (self.left & self.position.cells(house));
            let flow = if self.is_covered(cells, size - 1) {
                self.choose(&houses[index + 1..], cells, size, use_it)
            } else {
                ControlFlow::Continue(())
            };
            self.chosen.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }

    fn places_in_chosen(&self, places: CellSet<W>) -> CellSet<W> {
        self.chosen
            .iter()
            .fold(CellSet::EMPTY, |cells, &house| cells | (places & self.position.cells(house)))
    }

    fn is_covered(&self, cells: CellSet<W>, most: usize) -> bool {
        let Some(cell) = cells.first() else { return true };
        let usable = |house: &usize| self.covers[house / self.side] && !self.chosen.contains(house);
        most > 0
            && self
                .position
                .houses_of(cell)
                .into_iter()
                .filter(usable)
                .any(|house| self.is_covered(cells - self.position.cells(house), most - 1))
    }
}

/// Returns true if there may be a fish of this size without fins: `size` lines whose places are in
/// `size` positions.
pub(super) fn may_be_plain<const W: usize>(position: &Board<W>, digit: Digit, size: usize) -> bool {
    let order = position.order();
    let mut rows = [0u64; crate::grid::Order::MAX_SIDE];
    for cell in position.places(digit) {
        rows[order.row_of(cell)] |= 1 << order.column_of(cell);
    }
    // A fish in the rows implies a fish in the columns for the other places, so testing the rows is
    // enough, up to half of the lines.
    let lines: Vec<u64> = rows.iter().copied().filter(|row| *row != 0).collect();
    let columns = lines.iter().fold(0, |all, row| all | row).count_ones() as usize;
    let small = |most: usize| {
        lines.iter().copied().filter(|row| row.count_ones() as usize <= most).collect::<Vec<_>>()
    };
    some_union(&small(size), 0, size, size)
        || columns > size && some_union(&small(columns - size), 0, columns - size, columns - size)
}

/// The same test for all rows and columns at once, with the places of a line as the bits of one
/// word.
fn may_be_basic<const W: usize>(position: &Board<W>, digit: Digit, size: usize) -> bool {
    let order = position.order();
    let side = order.side();
    let mut rows = [0u64; crate::grid::Order::MAX_SIDE];
    let mut columns = rows;
    for cell in position.places(digit) {
        rows[order.row_of(cell)] |= 1 << order.column_of(cell);
        columns[order.column_of(cell)] |= 1 << order.row_of(cell);
    }
    position.places(digit).iter().any(|cell| {
        let (row, column) = (order.row_of(cell), order.column_of(cell));
        some_lines(&rows[..side], (row, column), (order.box_rows(), order.box_columns()), size)
            || some_lines(
                &columns[..side],
                (column, row),
                (order.box_columns(), order.box_rows()),
                size,
            )
    })
}

/// Returns true if there are `size` lines, not through the candidate, whose places outside its
/// reach are in `size − 1` positions.
fn some_lines(
    lines: &[u64],
    (line, at): (usize, usize),
    (height, width): (usize, usize),
    size: usize,
) -> bool {
    let seen_in_box = ((1u64 << width) - 1) << (at / width * width);
    let mut left = [0u64; crate::grid::Order::MAX_SIDE];
    let mut count = 0;
    for (index, &places) in lines.iter().enumerate() {
        if index == line || places == 0 {
            continue;
        }
        let seen = if index / height == line / height { seen_in_box | 1 << at } else { 1 << at };
        let places = places & !seen;
        if (places.count_ones() as usize) < size {
            left[count] = places;
            count += 1;
        }
    }
    count >= size && some_union(&left[..count], 0, size, size - 1)
}

fn some_union(lines: &[u64], union: u64, missing: usize, most: usize) -> bool {
    missing == 0
        || lines.len() >= missing
            && lines.iter().enumerate().any(|(index, places)| {
                let union = union | places;
                union.count_ones() as usize <= most
                    && some_union(&lines[index + 1..], union, missing - 1, most)
            })
}
