//! Locked candidates, subsets and basic fish, as separate techniques and nested in chains.
//!
//! A chain that uses a pattern needs to know which of its own removals made the pattern possible. A
//! [`Pattern`] therefore returns its *parents*: candidates at the start of the chain that would
//! prevent the pattern.

use super::board::Board;
use super::hint::{Hint, Technique};
use super::tables::{
    BOXES, BOXES_COLUMNS_ROWS, CELLS_OF, COLUMNS, HOUSE_SET, HOUSES_OF, ROWS, count, ones, sets,
};
use std::ops::ControlFlow;

/// A pattern that removes candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// All places of a digit in one house are also in another house.
    Locked { from: usize, to: usize, digit: usize },
    /// N digits with N places in a house.
    Hidden { house: usize, digits: u16, places: u16 },
    /// N cells of a house with N digits.
    Naked { house: usize, places: u16, digits: u16 },
    /// All places of a digit in N lines are in N crossing lines. `bases` are numbered from the
    /// first row or column.
    Fish { first_base: usize, bases: u16, covers: u16, digit: usize },
}

/// A callback for each pattern, which returns whether to continue.
pub(super) type Found<'a> = dyn FnMut(&Pattern) -> ControlFlow<()> + 'a;

impl Pattern {
    /// Cells and the digits they lose.
    pub fn removes(&self, board: &Board) -> Vec<(usize, u16)> {
        let mut removes = Vec::new();
        self.each_removed(board, |cell, digits| removes.push((cell, digits)));
        removes
    }

    /// Calls back with each cell that loses digits, in the order of the houses.
    pub fn each_removed(&self, board: &Board, mut found: impl FnMut(usize, u16)) {
        match *self {
            Pattern::Locked { from, to, digit } => {
                for place in ones(board.places[to][digit] & !places_inside(to, from)) {
                    found(usize::from(CELLS_OF[to][place]), 1 << digit);
                }
            }
            Pattern::Hidden { house, digits, places } => {
                for place in ones(places) {
                    let cell = usize::from(CELLS_OF[house][place]);
                    if board.digits[cell] & !digits != 0 {
                        found(cell, board.digits[cell] & !digits);
                    }
                }
            }
            Pattern::Naked { house, places, digits } => {
                for place in ones(!places & 0x1FF) {
                    let cell = usize::from(CELLS_OF[house][place]);
                    if board.digits[cell] & digits != 0 {
                        found(cell, board.digits[cell] & digits);
                    }
                }
            }
            Pattern::Fish { first_base, bases, covers, digit } => {
                let first_cover = across(first_base);
                for cover in ones(covers) {
                    for place in ones(board.places[first_cover + cover][digit] & !bases) {
                        found(usize::from(CELLS_OF[first_cover + cover][place]), 1 << digit);
                    }
                }
            }
        }
    }

    /// Calls back with each candidate of the start that must be removed for the pattern.
    pub fn each_parent(&self, board: &Board, start: &Board, mut found: impl FnMut(usize, usize)) {
        match *self {
            Pattern::Locked { from, to, digit } => {
                let gone = start.places[from][digit]
                    & !board.places[from][digit]
                    & !places_inside(from, to);
                ones(gone).for_each(|place| found(usize::from(CELLS_OF[from][place]), digit));
            }
            Pattern::Hidden { house, digits, places } => {
                for place in ones(!places & 0x1FF) {
                    let cell = usize::from(CELLS_OF[house][place]);
                    ones(start.digits[cell] & digits).for_each(|digit| found(cell, digit));
                }
            }
            Pattern::Naked { house, places, digits } => {
                for place in ones(places) {
                    let cell = usize::from(CELLS_OF[house][place]);
                    ones(start.digits[cell] & !digits).for_each(|digit| found(cell, digit));
                }
            }
            Pattern::Fish { first_base, bases, covers, digit } => {
                for base in ones(bases) {
                    let house = first_base + base;
                    let gone = start.places[house][digit] & !board.places[house][digit] & !covers;
                    ones(gone).for_each(|place| found(usize::from(CELLS_OF[house][place]), digit));
                }
            }
        }
    }

    fn hint(&self, board: &Board) -> Hint {
        let (technique, rating) = match *self {
            Pattern::Locked { from, .. } if from < ROWS => (Technique::Pointing, 2.6),
            Pattern::Locked { .. } => (Technique::Claiming, 2.8),
            Pattern::Naked { digits, .. } => (
                Technique::NakedSet(digits.count_ones() as u8),
                [3.0, 3.6, 5.0][digits.count_ones() as usize - 2],
            ),
            Pattern::Hidden { digits, .. } => (
                Technique::HiddenSet(digits.count_ones() as u8),
                [3.4, 4.0, 5.4][digits.count_ones() as usize - 2],
            ),
            Pattern::Fish { bases, .. } => (
                Technique::Fish(bases.count_ones() as u8),
                [3.2, 3.8, 5.2][bases.count_ones() as usize - 2],
            ),
        };
        Hint::removing(technique, rating, self.removes(board))
    }
}

/// The first hint of a kind of patterns.
fn first(board: &Board, each: impl FnOnce(&mut Found<'_>) -> ControlFlow<()>) -> Option<Hint> {
    let mut hint = None;
    let _ = each(&mut |pattern| {
        hint = Some(pattern.hint(board));
        ControlFlow::Break(())
    });
    hint
}

pub(super) fn locked(board: &Board) -> Option<Hint> {
    first(board, |found| each_locked(board, true, found))
}

pub(super) fn hidden_set(board: &Board, size: usize) -> Option<Hint> {
    first(board, |found| each_hidden(board, size, found))
}

pub(super) fn naked_set(board: &Board, size: usize) -> Option<Hint> {
    first(board, |found| each_naked(board, size, found))
}

pub(super) fn fish(board: &Board, size: usize) -> Option<Hint> {
    first(board, |found| each_fish(board, size, found))
}

/// Locked candidates: boxes in columns, boxes in rows, columns in boxes, rows in boxes. With
/// `useful`, only those with removals.
pub(super) fn each_locked(board: &Board, useful: bool, found: &mut Found<'_>) -> ControlFlow<()> {
    for (from_kind, to_kind) in [(BOXES, COLUMNS), (BOXES, ROWS), (COLUMNS, BOXES), (ROWS, BOXES)] {
        for digit in 0..9 {
            for (from, cells_of) in CELLS_OF.iter().enumerate().skip(from_kind).take(9) {
                let places = board.places[from][digit];
                if count(places) < 2 {
                    continue;
                }
                // Only the crossing house of the first place can contain all places.
                let cell = usize::from(cells_of[places.trailing_zeros() as usize]);
                let to = usize::from(HOUSES_OF[cell][to_kind / 9].0);
                if places & !places_inside(from, to) != 0 {
                    continue;
                }
                if !useful || board.places[to][digit] & !places_inside(to, from) != 0 {
                    found(&Pattern::Locked { from, to, digit })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn each_hidden(board: &Board, size: usize, found: &mut Found<'_>) -> ControlFlow<()> {
    for kind in BOXES_COLUMNS_ROWS {
        for house in (kind..kind + 9).filter(|&house| usize::from(board.empty_in[house]) > size * 2)
        {
            let possible = digits_with_few_places(board, house, size);
            if count(possible) < size {
                continue;
            }
            for &digits in sets(size).iter().filter(|&&digits| digits & !possible == 0) {
                let union =
                    union_of_size(ones(digits).map(|digit| board.places[house][digit]), size);
                let Some(places) = union else { continue };
                if ones(places)
                    .any(|place| board.digits[usize::from(CELLS_OF[house][place])] & !digits != 0)
                {
                    found(&Pattern::Hidden { house, digits, places })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn each_naked(board: &Board, size: usize, found: &mut Found<'_>) -> ControlFlow<()> {
    for kind in BOXES_COLUMNS_ROWS {
        for house in
            (kind..kind + 9).filter(|&house| usize::from(board.empty_in[house]) >= size * 2)
        {
            let digits_at = |place: usize| board.digits[usize::from(CELLS_OF[house][place])];
            let few = |place: &usize| (2..=size).contains(&count(digits_at(*place)));
            let possible = (0..9).filter(few).fold(0, |set: u16, place| set | 1 << place);
            if count(possible) < size {
                continue;
            }
            for &places in sets(size).iter().filter(|&&places| places & !possible == 0) {
                let Some(digits) = union_of_size(ones(places).map(digits_at), size) else {
                    continue;
                };
                if ones(!places & 0x1FF).any(|place| digits_at(place) & digits != 0) {
                    found(&Pattern::Naked { house, places, digits })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Basic fish: first with columns as bases, then with rows.
pub(super) fn each_fish(board: &Board, size: usize, found: &mut Found<'_>) -> ControlFlow<()> {
    let open = (0..9).filter(|&digit| usize::from(board.filled_with[digit]) + size * 2 <= 9);
    let open = open.fold(0, |set: u16, digit| set | 1 << digit);
    for first_base in [COLUMNS, ROWS] {
        let few: [u16; 9] = std::array::from_fn(|base| {
            digits_with_few_places(board, first_base + base, size) & open
        });
        for &bases in sets(size) {
            for digit in ones(ones(bases).fold(0x1FF, |digits, base| digits & few[base])) {
                let union = union_of_size(
                    ones(bases).map(|base| board.places[first_base + base][digit]),
                    size,
                );
                let Some(covers) = union else { continue };
                let first_cover = across(first_base);
                if ones(covers).any(|cover| board.places[first_cover + cover][digit] & !bases != 0)
                {
                    found(&Pattern::Fish { first_base, bases, covers, digit })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// The digits with two to `most` places in a house.
pub(super) fn digits_with_few_places(board: &Board, house: usize, most: usize) -> u16 {
    let few = |digit: &usize| (2..=most).contains(&count(board.places[house][*digit]));
    (0..9).filter(few).fold(0, |set, digit| set | 1 << digit)
}

/// The union of some sets if it has this size.
pub(super) fn union_of_size(sets: impl Iterator<Item = u16>, size: usize) -> Option<u16> {
    let union = sets.fold(0, |union, set| union | set);
    (count(union) == size).then_some(union)
}

/// The places of one house that are also in another house.
pub(super) fn places_inside(house: usize, other: usize) -> u16 {
    /// Nine bits for each pair of houses.
    static INSIDE: [[u16; 27]; 27] = {
        let mut table = [[0; 27]; 27];
        let mut house = 0;
        while house < 27 {
            let mut other = 0;
            while other < 27 {
                let mut place = 0;
                while place < 9 {
                    if HOUSE_SET[other] >> CELLS_OF[house][place] & 1 == 1 {
                        table[house][other] |= 1 << place;
                    }
                    place += 1;
                }
                other += 1;
            }
            house += 1;
        }
        table
    };
    INSIDE[house][other]
}

/// Whether two houses share a cell.
pub(super) fn cross(house: usize, other: usize) -> bool {
    places_inside(house, other) != 0
}

fn across(first_base: usize) -> usize {
    if first_base == ROWS { COLUMNS } else { ROWS }
}
