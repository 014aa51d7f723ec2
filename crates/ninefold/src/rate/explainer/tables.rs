//! Constant tables of the 9×9 grid: houses, peers, and Sudoku Explainer's search orders.
//!
//! ```text
//! houses       0–8 boxes, 9–17 rows, 18–26 columns; place k of a house is its k-th cell in reading order
//! candidates   cell · 9 + digit, both counted from 0
//! ```

/// The number of candidates of an empty grid.
pub(super) const CANDIDATES: usize = 729;

/// The first house of each kind.
pub(super) const BOXES: usize = 0;
pub(super) const ROWS: usize = 9;
pub(super) const COLUMNS: usize = 18;

/// The order of the kinds of houses for singles and subsets.
pub(super) const BOXES_COLUMNS_ROWS: [usize; 3] = [BOXES, COLUMNS, ROWS];

/// The cells of each house.
pub(super) static CELLS_OF: [[u8; 9]; 27] = {
    let mut table = [[0; 9]; 27];
    let mut n = 0;
    while n < 9 {
        let mut k = 0;
        while k < 9 {
            table[BOXES + n][k] = ((n / 3 * 3 + k / 3) * 9 + n % 3 * 3 + k % 3) as u8;
            table[ROWS + n][k] = (n * 9 + k) as u8;
            table[COLUMNS + n][k] = (k * 9 + n) as u8;
            k += 1;
        }
        n += 1;
    }
    table
};

/// The box, row and column of each cell, and its place in each.
pub(super) static HOUSES_OF: [[(u8, u8); 3]; 81] = {
    let mut table = [[(0, 0); 3]; 81];
    let mut house = 0;
    while house < 27 {
        let mut k = 0;
        while k < 9 {
            table[CELLS_OF[house][k] as usize][house / 9] = (house as u8, k as u8);
            k += 1;
        }
        house += 1;
    }
    table
};

/// The cells of each house as a set.
pub(super) static HOUSE_SET: [u128; 27] = {
    let mut table = [0; 27];
    let mut house = 0;
    while house < 27 {
        let mut k = 0;
        while k < 9 {
            table[house] |= 1 << CELLS_OF[house][k];
            k += 1;
        }
        house += 1;
    }
    table
};

/// The peers of each cell.
pub(super) static PEERS: [u128; 81] = {
    let mut table = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let houses = HOUSES_OF[cell];
        table[cell] = HOUSE_SET[houses[0].0 as usize]
            | HOUSE_SET[houses[1].0 as usize]
            | HOUSE_SET[houses[2].0 as usize];
        table[cell] &= !(1 << cell);
        cell += 1;
    }
    table
};

/// The position of a candidate.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub cell: u8,
    pub digit: u8,
    /// house · 9 + digit and the place, for its box, row and column.
    pub places: [(u8, u8); 3],
}

/// The position of each candidate.
pub(super) static SPOTS: [Spot; CANDIDATES] = {
    let mut table = [Spot { cell: 0, digit: 0, places: [(0, 0); 3] }; CANDIDATES];
    let mut candidate = 0;
    while candidate < CANDIDATES {
        let (cell, digit) = (candidate / 9, candidate % 9);
        table[candidate].cell = cell as u8;
        table[candidate].digit = digit as u8;
        let mut kind = 0;
        while kind < 3 {
            let (house, place) = HOUSES_OF[cell][kind];
            table[candidate].places[kind] = (house * 9 + digit as u8, place);
            kind += 1;
        }
        candidate += 1;
    }
    table
};

/// All subsets of two, three and four of nine elements, in numerical order of their bits.
pub(super) static PAIRS: [u16; 36] = sets_of(2);
pub(super) static TRIPLES: [u16; 84] = sets_of(3);
pub(super) static QUADS: [u16; 126] = sets_of(4);

const fn sets_of<const N: usize>(size: u32) -> [u16; N] {
    let mut sets = [0; N];
    let (mut filled, mut bits) = (0, 0_u16);
    while bits < 512 {
        if bits.count_ones() == size {
            sets[filled] = bits;
            filled += 1;
        }
        bits += 1;
    }
    sets
}

/// The subsets of this size, two to four.
pub(super) fn sets(size: usize) -> &'static [u16] {
    match size {
        2 => &PAIRS,
        3 => &TRIPLES,
        _ => &QUADS,
    }
}

/// The number of set bits among nine. A table, because some CPUs have no instruction to count bits.
pub(super) fn count(bits: u16) -> usize {
    static COUNT: [u8; 512] = {
        let mut table = [0; 512];
        let mut bits = 0;
        while bits < 512 {
            table[bits] = bits.count_ones() as u8;
            bits += 1;
        }
        table
    };
    usize::from(COUNT[usize::from(bits & 0x1FF)])
}

/// The indices of the set bits, lowest first.
pub(super) fn ones(bits: u16) -> impl Iterator<Item = usize> {
    let mut left = bits;
    std::iter::from_fn(move || {
        let first = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        first
    })
}

/// The cells of a set in reading order.
pub(super) fn cells(set: u128) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let first = (left != 0).then(|| left.trailing_zeros() as usize);
        left &= left.wrapping_sub(1);
        first
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_consistent() {
        assert!(PEERS.iter().all(|peers| peers.count_ones() == 20));
        assert_eq!(PAIRS[..4], [0b11, 0b101, 0b110, 0b1001]);
        assert_eq!((TRIPLES[0], QUADS[125]), (0b111, 0b1_1110_0000));
    }
}
