//! Aligned pair and triplet exclusion: excludes combinations of digits that leave a common peer
//! without candidates.

use super::board::Board;
use super::hint::{Hint, Technique};
use super::tables::{PEERS, cells, count, ones};

/// The base cells in reading order, each with the peers that may exclude a combination: those with
/// at most `size` candidates. Cells that see a naked single are left out.
fn bases(board: &Board, size: usize) -> Vec<(usize, u128)> {
    let few = |most: usize| {
        cells(board.empty)
            .filter(move |&cell| (2..=most).contains(&count(board.digits[cell])))
            .fold(0_u128, |set, cell| set | 1 << cell)
    };
    let excluders = few(size);
    let singles = board.cells_with(1).fold(0_u128, |set, cell| set | 1 << cell);
    cells(few(9))
        .filter(|&cell| PEERS[cell] & singles == 0 && PEERS[cell] & excluders != 0)
        .map(|cell| (cell, PEERS[cell] & excluders))
        .collect()
}

/// A cache of positions in which no pair or triplet excluded anything.
pub(super) struct Memory {
    /// The candidates of the last such position.
    digits: [u16; 81],
}

impl Memory {
    pub fn new() -> Memory {
        Memory { digits: [0; 81] }
    }

    /// The cells that have changed since then.
    fn changed(&self, board: &Board) -> u128 {
        (0..81)
            .filter(|&cell| self.digits[cell] != board.digits[cell])
            .fold(0, |set, cell| set | 1 << cell)
    }

    /// Stores the position if nothing was found. Unchanged cells need not be searched again.
    fn note(&mut self, board: &Board, hint: &Option<Hint>) {
        if hint.is_none() {
            self.digits = board.digits;
        }
    }

    /// The first pair of cells with a digit that no combination allows.
    pub fn pair(&mut self, board: &Board) -> Option<Hint> {
        let hint = pair(board, self.changed(board));
        self.note(board, &hint);
        hint
    }

    /// The first triplet of cells with a digit that no combination allows.
    pub fn triplet(&mut self, board: &Board) -> Option<Hint> {
        let hint = triplet(board, self.changed(board));
        self.note(board, &hint);
        hint
    }
}

fn pair(board: &Board, changed: u128) -> Option<Hint> {
    let bases = bases(board, 2);
    for (n, &(second, seen_by_second)) in bases.iter().enumerate() {
        for &(first, seen_by_first) in &bases[..n] {
            let common = seen_by_first & seen_by_second;
            if has_two(common) && (common | 1 << first | 1 << second) & changed != 0 {
                let hint = exclusion(board, &[first, second], common, 6.2);
                if hint.is_some() {
                    return hint;
                }
            }
        }
    }
    None
}

fn triplet(board: &Board, changed: u128) -> Option<Hint> {
    let bases = bases(board, 3);
    let all = bases.iter().fold(0_u128, |set, &(cell, _)| set | 1 << cell);
    let mut excluders = [0_u128; 81];
    bases.iter().for_each(|&(cell, seen)| excluders[cell] = seen);
    for (n, &(second, seen_by_second)) in bases.iter().enumerate() {
        for &(first, seen_by_first) in &bases[..n] {
            let common = seen_by_first & seen_by_second;
            if !has_two(common) {
                continue;
            }
            // The third cell excludes combinations for the first or the second; those of the first
            // come first.
            let others = all & !(1 << first | 1 << second);
            let tail = cells(seen_by_first & others)
                .chain(cells(seen_by_second & !seen_by_first & others));
            for third in tail {
                let common = common & excluders[third];
                if has_two(common)
                    && (common | 1 << first | 1 << second | 1 << third) & changed != 0
                {
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

/// Whether the set has at least two cells.
fn has_two(set: u128) -> bool {
    set & set.wrapping_sub(1) != 0
}

/// Removes digits of which every combination is excluded: two cells that see each other have the
/// same digit, or a common peer is left without candidates.
fn exclusion(board: &Board, bases: &[usize], common: u128, rating: f64) -> Option<Hint> {
    let excluders = Excluders::new(board, common);
    let allowed = |n: usize, digit: usize| {
        let others: [usize; 2] = match (n, bases) {
            (0, &[_, second]) => [second, second],
            (_, &[first, _]) => [first, first],
            (0, _) => [bases[1], bases[2]],
            (1, _) => [bases[0], bases[2]],
            _ => [bases[0], bases[1]],
        };
        excluders.allow(board, bases[n], digit, others)
    };
    let forbidden = |n: usize| {
        ones(board.digits[bases[n]])
            .filter(|&digit| !allowed(n, digit))
            .fold(0, |set, d| set | 1 << d)
    };
    let removes: Vec<(usize, u16)> = (0..bases.len())
        .map(|n| (bases[n], forbidden(n)))
        .filter(|&(_, digits)| digits != 0)
        .collect();
    let technique = Technique::AlignedExclusion(bases.len() as u8);
    (!removes.is_empty()).then(|| Hint::removing(technique, rating, removes))
}

/// The candidates of the common peers of some cells.
struct Excluders {
    /// For each digit, the other digit of each peer that has it and exactly one other.
    pairs: [u16; 9],
    triples: [u16; 20],
    triple_count: usize,
}

impl Excluders {
    fn new(board: &Board, common: u128) -> Excluders {
        let mut excluders = Excluders { pairs: [0; 9], triples: [0; 20], triple_count: 0 };
        for cell in cells(common) {
            let digits = board.digits[cell];
            if count(digits) == 2 {
                ones(digits).for_each(|digit| excluders.pairs[digit] |= digits & !(1 << digit));
            } else {
                excluders.triples[excluders.triple_count] = digits;
                excluders.triple_count += 1;
            }
        }
        excluders
    }

    /// Whether a combination with `digit` in `cell` is allowed. For pairs, both other cells are the
    /// same.
    fn allow(&self, board: &Board, cell: usize, digit: usize, others: [usize; 2]) -> bool {
        let sees = |one: usize, other: usize| PEERS[one] >> other & 1 == 1;
        let left = others.map(|other| {
            let clash = if sees(cell, other) { 1 << digit } else { 0 };
            board.digits[other] & !self.pairs[digit] & !clash
        });
        if others[0] == others[1] {
            return left[0] != 0;
        }
        let clash = sees(others[0], others[1]);
        ones(left[0]).any(|second| {
            let taken = if clash { 1 << second } else { 0 };
            let pair = 1 << digit | 1 << second;
            // A peer with three candidates excludes the combination of all three.
            let triples = self.triples[..self.triple_count]
                .iter()
                .filter(|&&triple| triple & pair == pair && second != digit);
            let third = triples.fold(0, |set, triple| set | triple & !pair);
            left[1] & !taken & !self.pairs[second] & !third != 0
        })
    }
}
