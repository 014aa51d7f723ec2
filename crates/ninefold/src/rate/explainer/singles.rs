//! Hidden and naked singles, and direct techniques: a pattern together with the single that follows
//! from it.
//!
//! A direct technique places the digit of the single. The removals of the pattern are not applied.

use super::board::Board;
use super::hint::{Hint, Technique};
use super::pattern::{self, Pattern};
use super::tables::{BOXES, BOXES_COLUMNS_ROWS, CELLS_OF, HOUSES_OF, cells, count, ones, sets};
use std::ops::ControlFlow;

/// The last empty cell of a house (1.0), then a digit with one place left: in a box (1.2), in a
/// line (1.5).
pub(super) fn hidden(board: &Board) -> Option<Hint> {
    for last_cell in [true, false] {
        for kind in BOXES_COLUMNS_ROWS {
            for house in kind..kind + 9 {
                if (board.empty_in[house] == 1) != last_cell {
                    continue;
                }
                if let Some(digit) =
                    (0..9).find(|&digit| board.places[house][digit].is_power_of_two())
                {
                    let cell = cell_at(house, board.places[house][digit]);
                    let rating = if last_cell {
                        1.0
                    } else if kind == BOXES {
                        1.2
                    } else {
                        1.5
                    };
                    return Some(Hint::placing(Technique::HiddenSingle, rating, cell, digit));
                }
            }
        }
    }
    None
}

/// A cell with one candidate.
pub(super) fn naked(board: &Board) -> Option<Hint> {
    let cell = cells(board.empty).find(|&cell| board.digits[cell].is_power_of_two())?;
    Some(Hint::placing(
        Technique::NakedSingle,
        2.3,
        cell,
        board.digits[cell].trailing_zeros() as usize,
    ))
}

/// Direct locking: locked candidates that leave one place for the digit in a house of the same
/// kind.
pub(super) fn direct_locked(board: &Board) -> Option<Hint> {
    let mut found = None;
    let _ = pattern::each_locked(board, false, &mut |pattern| {
        let Pattern::Locked { from, to, digit } = *pattern else {
            return ControlFlow::Continue(());
        };
        let kind = from / 9 * 9;
        // The other houses of that kind that cross the second one.
        for third in (kind..kind + 9).filter(|&third| third != from && pattern::cross(third, to)) {
            let left = board.places[third][digit] & !pattern::places_inside(third, to);
            if count(board.places[third][digit]) > 1 && left.is_power_of_two() {
                let (technique, rating) = if kind == BOXES {
                    (Technique::DirectPointing, 1.7)
                } else {
                    (Technique::DirectClaiming, 1.9)
                };
                found = Some(Hint::placing(technique, rating, cell_at(third, left), digit));
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    found
}

/// A hidden pair or triplet that leaves one place for another digit in the same house.
pub(super) fn direct_hidden_set(board: &Board, size: usize) -> Option<Hint> {
    let (technique, rating) = if size == 2 {
        (Technique::DirectHiddenPair, 2.0)
    } else {
        (Technique::DirectHiddenTriplet, 2.5)
    };
    for kind in BOXES_COLUMNS_ROWS {
        for house in (kind..kind + 9).filter(|&house| usize::from(board.empty_in[house]) > size) {
            let possible = pattern::digits_with_few_places(board, house, size);
            for &digits in sets(size).iter().filter(|&&digits| digits & !possible == 0) {
                let Some(places) = pattern::union_of_size(
                    ones(digits).map(|digit| board.places[house][digit]),
                    size,
                ) else {
                    continue;
                };
                let single = ones(!digits & 0x1FF).find(|&digit| {
                    let all = board.places[house][digit];
                    count(all) > 1 && (all & !places).is_power_of_two()
                });
                if let Some(digit) = single {
                    let cell = cell_at(house, board.places[house][digit] & !places);
                    return Some(Hint::placing(technique, rating, cell, digit));
                }
            }
        }
    }
    None
}

/// The cell at the only place in a house.
fn cell_at(house: usize, place: u16) -> usize {
    let cell = usize::from(CELLS_OF[house][place.trailing_zeros() as usize]);
    debug_assert!(HOUSES_OF[cell].iter().any(|&(other, _)| usize::from(other) == house));
    cell
}
