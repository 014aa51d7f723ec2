//! Bivalue universal grave, types 1 to 4, with the correction by lksudoku.
//!
//! A grave is a position in which each empty cell has two candidates, and each digit that a house
//! lacks has two places there. It has no solution or at least two. The *extra* candidates of a
//! position are those without which it would be a grave. If the puzzle has one solution, at least
//! one of them is true.

use super::board::Board;
use super::hint::{Hint, Technique};
use super::pattern::union_of_size;
use super::tables::{CELLS_OF, HOUSE_SET, HOUSES_OF, PEERS, cells};

/// The cells with extra candidates.
struct Grave {
    /// The cells in the order of discovery.
    cells: Vec<usize>,
    /// The extra candidates of each of these cells.
    extra: [u16; 81],
    all_extra: u16,
    /// The common peers of these cells.
    common: u128,
}

/// The first hint.
pub(super) fn find(board: &Board) -> Option<Hint> {
    let grave = find_grave(board)?;
    if let [cell] = *grave.cells.as_slice() {
        let removes = vec![(cell, board.digits[cell] & !grave.all_extra)];
        return Some(Hint::removing(Technique::Bug(1), 5.6, removes));
    }
    if grave.all_extra.count_ones() == 1 {
        return type_2(board, &grave).or_else(|| type_4(board, &grave));
    }
    if grave.common == 0 {
        return None;
    }
    type_4(board, &grave).or_else(|| type_3(board, &grave))
}

/// The extra candidates without which the board would be a grave.
fn find_grave(board: &Board) -> Option<Grave> {
    let mut grave = Grave { cells: Vec::new(), extra: [0; 81], all_extra: 0, common: u128::MAX };
    let mut rest = board.clone();
    // Cells that may have the extra digit, as long as there is only one extra digit.
    let mut one_digit: Option<(usize, u128)> = None;
    let mut is_one_digit = true;
    for (house, cells_of) in CELLS_OF.iter().enumerate() {
        for digit in 0..9 {
            let count = board.places[house][digit].count_ones();
            if count == 0 || count == 2 {
                continue;
            }
            let has_more =
                |cell: &usize| board.has(*cell, digit) && board.digits[*cell].count_ones() >= 3;
            let suspects: Vec<usize> =
                cells_of.iter().map(|&cell| usize::from(cell)).filter(has_more).collect();
            let set = suspects.iter().fold(0, |set, &cell| set | 1 << cell);
            match &mut one_digit {
                None => one_digit = Some((digit, set)),
                Some((only, cells)) if is_one_digit && *only == digit => *cells |= set,
                Some(_) => is_one_digit &= one_digit.is_some_and(|(only, _)| only == digit),
            }
            match *suspects.as_slice() {
                [] => return None,
                // If several cells are possible, another house decides.
                [cell] => {
                    grave.all_extra |= 1 << digit;
                    grave.add(cell, digit, &mut rest)?;
                }
                _ => {}
            }
        }
    }
    if let Some((digit, suspects)) = one_digit.filter(|_| is_one_digit)
        && suspects.count_ones() as usize > grave.cells.len()
    {
        let known = grave.cells.iter().fold(0, |set, &cell| set | 1 << cell);
        for cell in cells(suspects & !known) {
            grave.add(cell, digit, &mut rest)?;
        }
    }
    is_grave(&rest).then_some(grave)
}

impl Grave {
    /// Adds an extra candidate. Returns `None` if no type can use the grave any more.
    fn add(&mut self, cell: usize, digit: usize, rest: &mut Board) -> Option<()> {
        if !self.cells.contains(&cell) {
            self.cells.push(cell);
        }
        self.extra[cell] |= 1 << digit;
        rest.remove(cell, digit);
        self.common &= PEERS[cell];
        self.common &= !self.cells.iter().fold(0, |set, &cell| set | 1 << cell);
        let hopeless = self.cells.len() > 1 && self.all_extra.count_ones() > 1 && self.common == 0;
        (!hopeless).then_some(())
    }

    /// The house of this kind that contains all cells.
    fn house(&self, kind: usize) -> Option<usize> {
        let house = HOUSES_OF[*self.cells.first()?][kind].0;
        self.cells
            .iter()
            .all(|&cell| HOUSES_OF[cell][kind].0 == house)
            .then_some(usize::from(house))
    }
}

fn is_grave(board: &Board) -> bool {
    cells(board.empty).all(|cell| board.digits[cell].count_ones() == 2)
        && board.places.iter().flatten().all(|places| matches!(places.count_ones(), 0 | 2))
}

/// All extra candidates have the same digit: their common peers lose it.
fn type_2(board: &Board, grave: &Grave) -> Option<Hint> {
    let losing = |cell: &usize| board.digits[*cell] & grave.all_extra != 0;
    let removes: Vec<_> = cells(grave.common & board.empty)
        .filter(losing)
        .map(|cell| (cell, grave.all_extra))
        .collect();
    (!removes.is_empty()).then(|| Hint::removing(Technique::Bug(2), 5.7, removes))
}

/// The extra candidates form a naked set with other cells of a house.
fn type_3(board: &Board, grave: &Grave) -> Option<Hint> {
    for degree in 2..=6_usize {
        for house in (0..3).filter_map(|kind| grave.house(kind)) {
            let around: Vec<usize> = cells(grave.common & HOUSE_SET[house]).collect();
            if around.len() < degree {
                continue;
            }
            for set in
                (0..1_u32 << around.len()).filter(|set| set.count_ones() as usize == degree - 1)
            {
                let is_in = |n: usize| set >> n & 1 == 1;
                let chosen = || {
                    around
                        .iter()
                        .enumerate()
                        .filter(|&(n, _)| is_in(n))
                        .map(|(_, &cell)| board.digits[cell])
                };
                let naked = union_of_size(chosen(), degree)
                    .and_then(|_| union_of_size(chosen().chain([grave.all_extra]), degree))
                    .filter(|_| {
                        chosen().chain([grave.all_extra]).all(|digits| digits.count_ones() > 1)
                    });
                let Some(digits) = naked else { continue };
                let others =
                    around.iter().enumerate().filter(|&(n, _)| !is_in(n)).map(|(_, &cell)| cell);
                let removes: Vec<_> = others
                    .filter(|&cell| board.digits[cell] & digits != 0)
                    .map(|cell| (cell, board.digits[cell] & digits))
                    .collect();
                if !removes.is_empty() {
                    return Some(Hint::removing(
                        Technique::Bug(3),
                        5.7 + (degree - 1) as f64 * 0.1,
                        removes,
                    ));
                }
            }
        }
    }
    None
}

/// Two cells of one house share a digit that is not extra. One of them must contain it, and only
/// this digit and the extra ones stay.
fn type_4(board: &Board, grave: &Grave) -> Option<Hint> {
    let [first, second] = *grave.cells.as_slice() else { return None };
    let shared = board.digits[first] & board.digits[second] & !grave.all_extra;
    if shared.count_ones() != 1 || (0..3).all(|kind| grave.house(kind).is_none()) {
        return None;
    }
    let removes =
        [first, second].map(|cell| (cell, board.digits[cell] & !grave.extra[cell] & !shared));
    Some(Hint::removing(Technique::Bug(4), 5.7, removes.to_vec()))
}
