//! Aligned pair and triplet exclusion: combinations of digits that leave some common peer without a candidate.

use super::board::Board;
use super::hint::{Hint, Technique};
use super::tables::{PEERS, cells, ones};

/// The base cells in reading order, each with the cells that may exclude a combination: those it sees with at most
/// `size` candidates. Cells that see a naked single are left out.
fn bases(board: &Board, size: u32) -> Vec<(usize, u128)> {
    let few = |most: u32| {
        cells(board.empty)
            .filter(move |&cell| (2..=most).contains(&board.digits[cell].count_ones()))
            .fold(0_u128, |set, cell| set | 1 << cell)
    };
    let excluders = few(size);
    let singles = board.cells_with(1).fold(0_u128, |set, cell| set | 1 << cell);
    cells(few(9))
        .filter(|&cell| PEERS[cell] & singles == 0 && PEERS[cell] & excluders != 0)
        .map(|cell| (cell, PEERS[cell] & excluders))
        .collect()
}

/// The first pair of cells with a digit that no combination allows.
pub(super) fn pair(board: &Board) -> Option<Hint> {
    let bases = bases(board, 2);
    for (n, &(second, seen_by_second)) in bases.iter().enumerate() {
        for &(first, seen_by_first) in &bases[..n] {
            let common = seen_by_first & seen_by_second;
            if common.count_ones() >= 2 {
                let hint = exclusion(board, &[first, second], common, 6.2);
                if hint.is_some() {
                    return hint;
                }
            }
        }
    }
    None
}

/// The first triplet of cells with a digit that no combination allows.
pub(super) fn triplet(board: &Board) -> Option<Hint> {
    let bases = bases(board, 3);
    let all = bases.iter().fold(0_u128, |set, &(cell, _)| set | 1 << cell);
    let mut excluders = [0_u128; 81];
    bases.iter().for_each(|&(cell, seen)| excluders[cell] = seen);
    for (n, &(second, seen_by_second)) in bases.iter().enumerate() {
        for &(first, seen_by_first) in &bases[..n] {
            let common = seen_by_first & seen_by_second;
            if common.count_ones() < 2 {
                continue;
            }
            // The third cell excludes combinations for one of the others itself; those of the first come first.
            let others = all & !(1 << first | 1 << second);
            let tail = cells(seen_by_first & others).chain(cells(seen_by_second & !seen_by_first & others));
            for third in tail {
                let common = common & excluders[third];
                if common.count_ones() >= 2 {
                    let hint = exclusion(board, &[first, second, third], common, 7.5);
                    if hint.is_some() {
                        return hint;
                    }
                }
            }
        }
    }
    None
}

/// What goes because every combination with it is excluded: two cells that see each other hold the same digit, or some
/// common peer is left with nothing.
fn exclusion(board: &Board, bases: &[usize], common: u128, rating: f64) -> Option<Hint> {
    let mut excluding = [0_u16; 20];
    let count = cells(common).enumerate().map(|(n, cell)| excluding[n] = board.digits[cell]).count();
    let mut allowed = [0_u16; 3];
    let mut chosen = [0_u16; 3];
    combine(board, bases, &excluding[..count], 0, &mut chosen, &mut allowed);
    let forbidden = |&(n, &cell): &(usize, &usize)| board.digits[cell] & !allowed[n] != 0;
    let removes: Vec<_> =
        bases.iter().enumerate().filter(forbidden).map(|(n, &cell)| (cell, board.digits[cell] & !allowed[n])).collect();
    let technique = Technique::AlignedExclusion(bases.len() as u8);
    (!removes.is_empty()).then(|| Hint::removing(technique, rating, removes))
}

/// Collects the digits of allowed combinations, from the base cell number `depth` on.
fn combine(
    board: &Board,
    bases: &[usize],
    excluding: &[u16],
    depth: usize,
    chosen: &mut [u16; 3],
    allowed: &mut [u16; 3],
) {
    if depth == bases.len() {
        let union = chosen[..depth].iter().fold(0, |union, digit| union | digit);
        if excluding.iter().all(|digits| digits & !union != 0) {
            (0..depth).for_each(|n| allowed[n] |= chosen[n]);
        }
        return;
    }
    for digit in ones(board.digits[bases[depth]]) {
        let clashes = |n: usize| chosen[n] == 1 << digit && PEERS[bases[n]] >> bases[depth] & 1 == 1;
        if (0..depth).any(clashes) {
            continue;
        }
        chosen[depth] = 1 << digit;
        let complete = bases.iter().enumerate().all(|(n, &cell)| allowed[n] == board.digits[cell]);
        if complete {
            return;
        }
        combine(board, bases, excluding, depth + 1, chosen, allowed);
    }
}
