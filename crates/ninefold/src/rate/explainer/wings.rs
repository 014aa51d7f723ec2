//! XY-Wing and XYZ-Wing.

use super::board::Board;
use super::hint::{Hint, Technique};
use super::tables::{PEERS, cells, count};

/// The first wing whose pivot has this many candidates: two for an XY-Wing, three for an XYZ-Wing.
pub(super) fn find(board: &Board, pivot_size: usize) -> Option<Hint> {
    let pairs = board.cells_with(2).fold(0_u128, |set, cell| set | 1 << cell);
    for pivot in board.cells_with(pivot_size) {
        let xyz = board.digits[pivot];
        let fits = |wing: &usize| count(xyz & !board.digits[*wing]) == 1;
        for first in cells(PEERS[pivot] & pairs).filter(fits) {
            for second in cells(PEERS[pivot] & pairs) {
                let (one, other) = (board.digits[first], board.digits[second]);
                let common = count(xyz & one & other);
                if count(xyz | one | other) != 3 || common != pivot_size - 2 {
                    continue;
                }
                let shared = (one & other) & (one & other).wrapping_neg();
                let mut victims = PEERS[first] & PEERS[second] & !(1 << pivot);
                if pivot_size == 3 {
                    victims &= PEERS[pivot];
                }
                let losing = |cell: &usize| board.digits[*cell] & shared != 0;
                let removes: Vec<_> = cells(victims & board.empty)
                    .filter(losing)
                    .map(|cell| (cell, shared))
                    .collect();
                if !removes.is_empty() {
                    let (technique, rating) = if pivot_size == 2 {
                        (Technique::XyWing, 4.2)
                    } else {
                        (Technique::XyzWing, 4.4)
                    };
                    return Some(Hint::removing(technique, rating, removes));
                }
            }
        }
    }
    None
}
