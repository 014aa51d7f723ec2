//! The layout of `boxes.rs` with 128-bit vectors, for ARM and WebAssembly: two vectors have a lane
//! for each box.
//!
//! ```text
//!   first half:  box 1 2 3 1  4 5 6 4        second half:  box 7 8 9 7  1 2 3 1
//! ```
//!
//! The boxes 1 to 3 are repeated at the end, so one shuffle is enough to find the next band of
//! every lane and the band after that. It extracts the middle: boxes 4 5 6 4, 7 8 9 7. The next
//! bands are the middle and the first half, the bands after that the second half and the middle.
//! `sixteen.rs` explains the order of the boxes.

use super::super::nine::{self, ANY, Bits, CellSet};
use super::boxes::{self, Boxes};
use super::sixteen::{BOX_OF_LANE, FIRST_LANES, LANE_OF_BOX, PEERS};

/// Eight sets of digits, in two groups of four.
///
/// An implementation uses only instructions that are enabled at compile time, so its methods need
/// no proof of CPU features.
pub(super) trait Half: Copy {
    fn load(from: &[Bits; 8]) -> Self;
    fn store(self, to: &mut [Bits; 8]);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// Each number minus one; 0 becomes all ones.
    fn decremented(self) -> Self;
    /// All ones in the lanes with the empty set, zeros elsewhere.
    fn empty(self) -> Self;
    fn min(self, other: Self) -> Self;
    /// In each group the second, third, first and second lane.
    fn next_in_groups(self) -> Self;
    /// In each group the third, first, second and third lane.
    fn after_in_groups(self) -> Self;
    /// The second group of `self` and the first group of `other`.
    fn middle(self, other: Self) -> Self;
    fn is_zero(self) -> bool;
    /// The low bytes of the lanes of both, as sixteen lanes of eight bits.
    fn low_bytes(self, other: Self) -> Self;
    /// The high bytes of the lanes of both.
    fn high_bytes(self, other: Self) -> Self;
    /// Each 16-bit lane shifted to the left.
    fn shifted<const BY: u32>(self) -> Self;
    /// The highest bit of each of the sixteen bytes.
    fn highest_bits(self) -> u16;
}

/// Sixteen sets of digits.
#[derive(Clone, Copy)]
pub(super) struct Pair<H>([H; 2]);

impl<H: Half> Pair<H> {
    #[inline(always)]
    fn map(self, change: impl Fn(H) -> H) -> Self {
        Pair([change(self.0[0]), change(self.0[1])])
    }

    #[inline(always)]
    fn zip(self, other: Self, join: impl Fn(H, H) -> H) -> Self {
        Pair([join(self.0[0], other.0[0]), join(self.0[1], other.0[1])])
    }

    #[inline(always)]
    fn from_lanes(lanes: &[Bits; 16]) -> Self {
        let (first, second) = lanes.split_at(8);
        let half = |lanes: &[Bits]| H::load(lanes.first_chunk().expect("eight lanes"));
        Pair([half(first), half(second)])
    }

    #[inline(always)]
    fn lanes(self) -> [Bits; 16] {
        let mut halves = [[0; 8]; 2];
        for (half, lanes) in self.0.into_iter().zip(&mut halves) {
            half.store(lanes);
        }
        std::array::from_fn(|lane| halves[lane / 8][lane % 8])
    }

    /// A mask with all digits for the box of this lane and none for the others.
    #[inline(always)]
    fn only(lane: usize) -> Self {
        Self::from_lanes(
            &BOX_OF_LANE.map(|number| if number == BOX_OF_LANE[lane] { ANY } else { 0 }),
        )
    }
}

/// The cells whose byte has its highest bit set after `bit` was applied.
#[inline(always)]
fn cells_by<H: Half>(bytes: &[H; 9], bit: impl Fn(H) -> H) -> CellSet<3> {
    let mut cells = [0; 3];
    for (place, &bytes) in bytes.iter().enumerate() {
        cells[place / 4] |=
            u64::from(bit(bytes).highest_bits() & FIRST_LANES) << (16 * (place % 4));
    }
    cells
}

/// The cells with more than one candidate.
#[inline(always)]
fn open_cells<H: Half>(rest: &[Pair<H>; 9]) -> CellSet<3> {
    let mut empty = rest.map(|rest| rest.0[0]);
    for (bytes, rest) in empty.iter_mut().zip(rest) {
        *bytes = rest.0[0].empty().low_bytes(rest.0[1].empty());
    }
    let [first, second, last] = cells_by(&empty, |bytes| bytes);
    let four = u64::from(FIRST_LANES) * 0x0001_0001_0001_0001;
    [first ^ four, second ^ four, last ^ u64::from(FIRST_LANES)]
}

/// For each digit the cells that have it as a candidate.
#[inline(always)]
fn cells_with_digits<H: Half>(board: &[Pair<H>; 9]) -> [CellSet<3>; 16] {
    let low = board.map(|set| set.0[0].low_bytes(set.0[1]));
    let high = board.map(|set| set.0[0].high_bytes(set.0[1]));
    let mut cells = [[0; 3]; 16];
    // Shifting by 16-bit lanes moves bits between bytes, but never into the highest bit of a byte.
    cells[0] = cells_by(&low, H::shifted::<7>);
    cells[1] = cells_by(&low, H::shifted::<6>);
    cells[2] = cells_by(&low, H::shifted::<5>);
    cells[3] = cells_by(&low, H::shifted::<4>);
    cells[4] = cells_by(&low, H::shifted::<3>);
    cells[5] = cells_by(&low, H::shifted::<2>);
    cells[6] = cells_by(&low, H::shifted::<1>);
    cells[7] = cells_by(&low, |bytes| bytes);
    cells[8] = cells_by(&high, H::shifted::<7>);
    cells
}

impl<H: Half> Boxes for Pair<H> {
    /// Every [`Half`] is only compiled for targets whose CPUs all support it.
    type Features = ();

    const LOOKS_FOR_TRIPLES: bool = true;

    #[inline(always)]
    fn from_sets(_: (), sets: [Bits; 9]) -> Self {
        Self::from_lanes(&BOX_OF_LANE.map(|number| sets[number]))
    }

    #[inline(always)]
    fn sets(self) -> [Bits; 9] {
        let lanes = self.lanes();
        LANE_OF_BOX.map(|lane| lanes[lane])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, H::and)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, H::or)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.zip(other, H::xor)
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self.zip(other, H::without)
    }

    #[inline(always)]
    fn without_smallest(self) -> Self {
        self.map(|half| half.and(half.decremented()))
    }

    #[inline(always)]
    fn where_empty(self, other: Self) -> Self {
        self.zip(other, |half, other| half.and(other.empty()))
    }

    #[inline(always)]
    fn next_boxes(self) -> [Self; 2] {
        [self.map(H::next_in_groups), self.map(H::after_in_groups)]
    }

    #[inline(always)]
    fn next_bands(self) -> [Self; 2] {
        let [first, second] = self.0;
        let middle = first.middle(second);
        [Pair([middle, first]), Pair([second, middle])]
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0[0].or(self.0[1]).is_zero()
    }

    #[inline(always)]
    fn some_empty(board: &[Self; 9]) -> bool {
        let mut least = board[0].0[0].min(board[0].0[1]);
        for set in &board[1..] {
            least = least.min(set.0[0].min(set.0[1]));
        }
        !least.empty().is_zero()
    }

    #[inline(always)]
    fn choose(few_open: u32, board: &[Self; 9], rest: &[Self; 9]) -> (usize, Self) {
        let lanes = board.map(Self::lanes);
        let candidates_of = |cell: usize| lanes[cell / 16][cell % 16];
        let two = rest.map(|rest| {
            let two = rest
                .zip(rest.without_smallest(), |rest, third| third.empty().without(rest.empty()));
            two.0[0].low_bytes(two.0[1])
        });
        let with_two = cells_by(&two, |bytes| bytes);
        let any_does = nine::are_many(&with_two) || nine::size(&open_cells(rest)) <= few_open;
        let cell = if any_does {
            nine::first_cell(&with_two)
        } else {
            nine::most_constraining(&with_two, &cells_with_digits(board), &PEERS, candidates_of)
        };
        match cell {
            Some(cell) => (cell / 16, Self::only(cell % 16)),
            None => {
                let (vector, number) = boxes::with_fewest(board);
                (vector, Self::only(LANE_OF_BOX[number]))
            }
        }
    }
}

/// A plain implementation for tests on every CPU.
#[cfg(test)]
pub(super) mod plain {
    use super::*;

    #[derive(Clone, Copy)]
    pub struct Eight([Bits; 8]);

    impl Eight {
        fn bytes(self, other: Self, byte: impl Fn(Bits) -> u8) -> Self {
            let lanes: [Bits; 16] = std::array::from_fn(|lane| [self, other][lane / 8].0[lane % 8]);
            let bytes = lanes.map(byte);
            Eight(std::array::from_fn(|lane| {
                Bits::from_le_bytes([bytes[2 * lane], bytes[2 * lane + 1]])
            }))
        }
    }

    impl Half for Eight {
        fn load(from: &[Bits; 8]) -> Self {
            Eight(*from)
        }
        fn store(self, to: &mut [Bits; 8]) {
            *to = self.0;
        }
        fn and(self, other: Self) -> Self {
            Eight(std::array::from_fn(|lane| self.0[lane] & other.0[lane]))
        }
        fn or(self, other: Self) -> Self {
            Eight(std::array::from_fn(|lane| self.0[lane] | other.0[lane]))
        }
        fn xor(self, other: Self) -> Self {
            Eight(std::array::from_fn(|lane| self.0[lane] ^ other.0[lane]))
        }
        fn without(self, other: Self) -> Self {
            Eight(std::array::from_fn(|lane| self.0[lane] & !other.0[lane]))
        }
        fn decremented(self) -> Self {
            Eight(self.0.map(|bits| bits.wrapping_sub(1)))
        }
        fn empty(self) -> Self {
            Eight(self.0.map(|bits| if bits == 0 { Bits::MAX } else { 0 }))
        }
        fn min(self, other: Self) -> Self {
            Eight(std::array::from_fn(|lane| self.0[lane].min(other.0[lane])))
        }
        fn next_in_groups(self) -> Self {
            Eight([1, 2, 0, 1, 5, 6, 4, 5].map(|lane: usize| self.0[lane]))
        }
        fn after_in_groups(self) -> Self {
            Eight([2, 0, 1, 2, 6, 4, 5, 6].map(|lane: usize| self.0[lane]))
        }
        fn middle(self, other: Self) -> Self {
            Eight(std::array::from_fn(
                |lane| if lane < 4 { self.0[lane + 4] } else { other.0[lane - 4] },
            ))
        }
        fn is_zero(self) -> bool {
            self.0 == [0; 8]
        }
        fn low_bytes(self, other: Self) -> Self {
            self.bytes(other, |bits| bits as u8)
        }
        fn high_bytes(self, other: Self) -> Self {
            self.bytes(other, |bits| (bits >> 8) as u8)
        }
        fn shifted<const BY: u32>(self) -> Self {
            Eight(self.0.map(|bits| bits << BY))
        }
        fn highest_bits(self) -> u16 {
            let bytes = self.0.into_iter().flat_map(Bits::to_le_bytes);
            bytes.enumerate().fold(0, |bits, (lane, byte)| bits | u16::from(byte >> 7) << lane)
        }
    }
}
