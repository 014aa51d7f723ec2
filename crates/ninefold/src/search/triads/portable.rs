//! The layout of `boxes.rs` in plain Rust, for every CPU: two 64-bit integers have a lane for each
//! box.
//!
//! ```text
//!   a lane is ten bits: 0 987654321; the highest is a spare bit for carries
//!   first number:   box 1 2 3  4 5 6        second number:   box 7 8 9  1 2 3        (lowest bits first)
//! ```
//!
//! Adding or subtracting one in every lane is a single addition, because no carry leaves its lane.
//! So the speed does not depend on vector instructions or on the optimizer.

use super::super::nine::{self, ANY, Bits, CellSet};
use super::boxes::{self, Boxes, place_and_box};

/// Twelve sets of digits.
#[derive(Clone, Copy)]
pub(super) struct Twelve([u64; 2]);

/// The bits of a lane.
const WIDTH: usize = 10;

/// The lowest bit of every lane.
const ONES: u64 = lanes(0b111_111, 1);

/// The spare bit of every lane.
const SPARE: u64 = ONES << 9;

/// A word with this number in each of the six lanes that are set in `which`.
const fn lanes(which: u64, number: u64) -> u64 {
    let mut word = 0;
    let mut lane = 0;
    while lane < 6 {
        word |= ((which >> lane & 1) * number) << (lane * WIDTH);
        lane += 1;
    }
    word
}

/// The peers of each cell; a cell's number is `64 · word + 10 · lane + vector`.
static PEERS: [CellSet<2>; 128] = {
    let mut numbers = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let (place, number) = place_and_box(cell);
        numbers[cell] = 64 * (number / 6) + WIDTH * (number % 6) + place;
        cell += 1;
    }
    nine::peers(&numbers)
};

/// The bits that are cells. In the second word only the first three lanes are, because the others
/// repeat the first word.
const FIRST_LANES: CellSet<2> = [u64::MAX, lanes(0b000_111, 0x3FF)];

impl Twelve {
    #[inline(always)]
    fn map(self, change: impl Fn(u64) -> u64) -> Self {
        Twelve([change(self.0[0]), change(self.0[1])])
    }

    #[inline(always)]
    fn zip(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        Twelve([join(self.0[0], other.0[0]), join(self.0[1], other.0[1])])
    }

    /// A mask with all digits for box `number` and none for the others.
    #[inline(always)]
    fn only(number: usize) -> Self {
        let any = u64::from(ANY);
        match number {
            0..3 => Twelve([any << (WIDTH * number), any << (WIDTH * (number + 3))]),
            3..6 => Twelve([any << (WIDTH * number), 0]),
            _ => Twelve([0, any << (WIDTH * (number - 6))]),
        }
    }
}

/// The spare bits of the lanes that are not empty.
#[inline(always)]
fn filled(word: u64) -> u64 {
    // Adding 511 to a lane carries into its spare bit exactly if the lane is not zero.
    (word + (SPARE - ONES)) & SPARE
}

/// The cells whose lowest bit is set after `bit` was applied.
#[inline(always)]
fn cells_by(board: &[Twelve; 9], bit: impl Fn(u64) -> u64) -> CellSet<2> {
    let mut cells = [0; 2];
    for (place, set) in board.iter().enumerate() {
        for (cells, word) in cells.iter_mut().zip(set.0) {
            *cells |= (bit(word) & ONES) << place;
        }
    }
    [cells[0] & FIRST_LANES[0], cells[1] & FIRST_LANES[1]]
}

impl Boxes for Twelve {
    /// Plain Rust needs no CPU features.
    type Features = ();

    const LOOKS_FOR_TRIPLES: bool = false;

    #[inline(always)]
    fn from_sets(_: (), sets: [Bits; 9]) -> Self {
        let word = |numbers: [usize; 6]| {
            let mut word = 0;
            for (lane, number) in numbers.into_iter().enumerate() {
                word |= u64::from(sets[number]) << (lane * WIDTH);
            }
            word
        };
        Twelve([word([0, 1, 2, 3, 4, 5]), word([6, 7, 8, 0, 1, 2])])
    }

    #[inline(always)]
    fn sets(self) -> [Bits; 9] {
        std::array::from_fn(|number| (self.0[number / 6] >> (number % 6 * WIDTH)) as Bits & ANY)
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    #[inline(always)]
    fn without_smallest(self) -> Self {
        // The spare bits prevent a lane from borrowing from the next one.
        self.map(|word| word & ((word | SPARE) - ONES))
    }

    #[inline(always)]
    fn where_empty(self, other: Self) -> Self {
        self.zip(other, |word, other| {
            // `filled - (filled >> 9)` has all nine digits in the lanes that are not empty.
            let filled = filled(other);
            word & !(filled - (filled >> 9))
        })
    }

    #[inline(always)]
    fn next_boxes(self) -> [Self; 2] {
        const FIRST: u64 = lanes(0b001_001, ANY as u64);
        const FIRST_TWO: u64 = lanes(0b011_011, ANY as u64);
        const LAST_TWO: u64 = lanes(0b110_110, ANY as u64);
        [
            self.map(|word| word >> WIDTH & FIRST_TWO | (word & FIRST) << (2 * WIDTH)),
            self.map(|word| word >> (2 * WIDTH) & FIRST | word << WIDTH & LAST_TWO),
        ]
    }

    #[inline(always)]
    fn next_bands(self) -> [Self; 2] {
        const BAND: u64 = lanes(0b000_111, 0x3FF);
        let [first, second] = self.0;
        let middle = first >> (3 * WIDTH) | (second & BAND) << (3 * WIDTH);
        [Twelve([middle, first]), Twelve([second, middle])]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    #[inline(always)]
    fn some_empty(board: &[Self; 9]) -> bool {
        let mut filled_everywhere = SPARE;
        for set in board {
            filled_everywhere &= filled(set.0[0]) & filled(set.0[1]);
        }
        filled_everywhere != SPARE
    }

    #[inline(always)]
    fn choose(few_open: u32, board: &[Self; 9], rest: &[Self; 9]) -> (usize, Self) {
        let two = rest.map(|rest| {
            let third = rest.without_smallest();
            rest.zip(third, |rest, third| (filled(rest) & !filled(third)) >> 9)
        });
        let with_two = cells_by(&two, |word| word);
        let any_does = nine::are_many(&with_two)
            || nine::size(&cells_by(rest, |word| filled(word) >> 9)) <= few_open;
        let candidates_of = |cell: usize| {
            let lane = cell % 64 / WIDTH;
            (board[cell % 64 % WIDTH].0[cell / 64] >> (lane * WIDTH)) as Bits & ANY
        };
        let cell = if any_does {
            nine::first_cell(&with_two)
        } else {
            let mut with_digits = [[0; 2]; 16];
            for (digit, cells) in with_digits.iter_mut().take(9).enumerate() {
                *cells = cells_by(board, |word| word >> digit);
            }
            nine::most_constraining(&with_two, &with_digits, &PEERS, candidates_of)
        };
        match cell {
            Some(cell) => (cell % 64 % WIDTH, Self::only(cell / 64 * 6 + cell % 64 / WIDTH)),
            None => {
                let (vector, number) = boxes::with_fewest(board);
                (vector, Self::only(number))
            }
        }
    }
}
