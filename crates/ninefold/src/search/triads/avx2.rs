//! The layout of `boxes.rs` with AVX2: one register has a lane for each box.
//!
//! ```text
//!   16 lanes of 16 bits; most shuffles move lanes only inside each half:
//!   box 1 2 3 1  4 5 6 4 | 7 8 9 7  1 2 3 1
//! ```
//!
//! `sixteen.rs` explains why some boxes are repeated.
//!
//! Safety: a [`Sixteen`] contains an [`Avx2`], so it exists only on CPUs that support AVX2. Loads
//! and stores use references to arrays of exactly the bytes that they access, and the instructions
//! need no alignment.
#![allow(unsafe_code)]

use super::super::batch::Tally;
use super::super::features::Avx2;
use super::super::nine::{self, Bits, CellSet, Line, VisitLine};
use super::super::{Meter, StopReason};
use super::Start;
use super::boxes::{self, Boxes};
use super::sixteen::{BOX_OF_LANE, FIRST_LANES, LANE_OF_BOX, PEERS};
use std::arch::x86_64::*;
use std::ops::ControlFlow;

/// Visits the solutions of a puzzle, up to `limit` of them.
///
/// # Panics
/// If the CPU does not support AVX2.
pub(super) fn walk(
    start: Start<'_>,
    limit: u64,
    meter: &mut Meter<'_>,
    visit: Option<&mut VisitLine<'_>>,
) -> (Tally, ControlFlow<StopReason>) {
    #[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
    fn with_features(
        features: Avx2,
        start: Start<'_>,
        limit: u64,
        meter: &mut Meter<'_>,
        visit: Option<&mut VisitLine<'_>>,
    ) -> (Tally, ControlFlow<StopReason>) {
        boxes::walk::<Sixteen>(features, start, limit, meter, visit)
    }
    let features = Avx2::detect().expect("`Triads` selects only available engines");
    // SAFETY: `detect` checked all these features on this CPU.
    unsafe { with_features(features, start, limit, meter, visit) }
}

/// Sixteen sets of digits.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Sixteen(__m256i, Avx2);

/// The first lane of every box, for the four vectors of one word.
const FIRST_LANES_OF_FOUR: u64 = FIRST_LANES as u64 * 0x0001_0001_0001_0001;

/// For each lane a mask with all digits in the lanes of the same box.
static LANES_OF_BOX: [[Bits; 16]; 16] = {
    let mut table = [[0; 16]; 16];
    let mut lane = 0;
    while lane < 256 {
        if BOX_OF_LANE[lane / 16] == BOX_OF_LANE[lane % 16] {
            table[lane / 16][lane % 16] = nine::ANY;
        }
        lane += 1;
    }
    table
};

impl Sixteen {
    #[inline(always)]
    fn load(features: Avx2, lanes: &[Bits; 16]) -> Self {
        // SAFETY: `features` proves that the CPU supports AVX2; this reads the 32 bytes behind the
        // reference.
        Sixteen(unsafe { _mm256_loadu_si256(lanes.as_ptr().cast()) }, features)
    }

    /// Another vector for the same CPU.
    #[inline(always)]
    fn with(self, register: __m256i) -> Self {
        Sixteen(register, self.1)
    }

    #[inline(always)]
    fn stored(self) -> [Bits; 16] {
        let mut lanes = [0; 16];
        // SAFETY: `self` proves that the CPU supports AVX2; this writes the 32 bytes of `lanes`.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }

    /// All ones in the lanes with the empty set.
    #[inline(always)]
    fn empty(self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_cmpeq_epi16(self.0, _mm256_setzero_si256()) })
    }

    /// The low byte of every lane of two vectors, one vector after the other.
    #[inline(always)]
    fn bytes(low: Self, high: Self) -> Self {
        // Packing works inside each half of a register, so the quarters are put in order
        // afterwards. SAFETY: `low` proves that the CPU supports AVX2.
        low.with(unsafe {
            _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(low.0, high.0))
        })
    }
}

/// The cells whose byte has this bit set, counted from the highest bit.
#[inline(always)]
fn cells_by<const BIT: i32>(bytes: &[Sixteen; 5]) -> CellSet<3> {
    [
        (lanes_by::<BIT>(bytes[0]) | lanes_by::<BIT>(bytes[1]) << 32) & FIRST_LANES_OF_FOUR,
        (lanes_by::<BIT>(bytes[2]) | lanes_by::<BIT>(bytes[3]) << 32) & FIRST_LANES_OF_FOUR,
        lanes_by::<BIT>(bytes[4]) & u64::from(FIRST_LANES),
    ]
}

#[inline(always)]
fn lanes_by<const BIT: i32>(bytes: Sixteen) -> u64 {
    // Shifting by 16-bit lanes moves bits between bytes, but never into the highest bit of a byte.
    // SAFETY: `bytes` proves that the CPU supports AVX2.
    u64::from(unsafe { _mm256_movemask_epi8(_mm256_slli_epi16::<BIT>(bytes.0)) } as u32)
}

/// The low byte of every lane, two vectors in each register.
#[inline(always)]
fn in_bytes(board: &[Sixteen; 9]) -> [Sixteen; 5] {
    [
        Sixteen::bytes(board[0], board[1]),
        Sixteen::bytes(board[2], board[3]),
        Sixteen::bytes(board[4], board[5]),
        Sixteen::bytes(board[6], board[7]),
        Sixteen::bytes(board[8], board[8]),
    ]
}

#[inline(always)]
fn cells_with_two(rest: &[Sixteen; 9]) -> CellSet<3> {
    let mut two = *rest;
    for set in &mut two {
        let one_left = set.without_smallest().empty().without(set.empty());
        // SAFETY: `one_left` proves that the CPU supports AVX2. The shift keeps one of two bytes of
        // ones.
        *set = one_left.with(unsafe { _mm256_srli_epi16::<8>(one_left.0) });
    }
    cells_by::<0>(&in_bytes(&two))
}

#[inline(always)]
fn open_cells(rest: &[Sixteen; 9]) -> CellSet<3> {
    let mut empty = *rest;
    for set in &mut empty {
        // SAFETY: `set` proves that the CPU supports AVX2. The shift keeps one of two bytes of
        // ones.
        *set = set.with(unsafe { _mm256_srli_epi16::<8>(set.empty().0) });
    }
    let [first, second, last] = cells_by::<0>(&in_bytes(&empty));
    [first ^ FIRST_LANES_OF_FOUR, second ^ FIRST_LANES_OF_FOUR, last ^ u64::from(FIRST_LANES)]
}

/// For each digit the cells that have it as a candidate.
#[inline(always)]
fn cells_with_digits(board: &[Sixteen; 9]) -> [CellSet<3>; 16] {
    let (mut low, mut high) = (*board, *board);
    for place in 0..9 {
        let set = board[place];
        // SAFETY: `set` proves that the CPU supports AVX2.
        low[place] = set.with(unsafe { _mm256_and_si256(set.0, _mm256_set1_epi16(0xFF)) });
        // SAFETY: as above.
        high[place] = set.with(unsafe { _mm256_srli_epi16::<8>(set.0) });
    }
    let (low, high) = (in_bytes(&low), in_bytes(&high));
    let mut cells = [[0; 3]; 16];
    cells[0] = cells_by::<7>(&low);
    cells[1] = cells_by::<6>(&low);
    cells[2] = cells_by::<5>(&low);
    cells[3] = cells_by::<4>(&low);
    cells[4] = cells_by::<3>(&low);
    cells[5] = cells_by::<2>(&low);
    cells[6] = cells_by::<1>(&low);
    cells[7] = cells_by::<0>(&low);
    cells[8] = cells_by::<7>(&high);
    cells
}

impl Boxes for Sixteen {
    type Features = Avx2;

    const LOOKS_FOR_TRIPLES: bool = true;

    #[inline(always)]
    fn from_sets(features: Avx2, sets: [Bits; 9]) -> Self {
        Self::load(features, &BOX_OF_LANE.map(|number| sets[number]))
    }

    #[inline(always)]
    fn sets(self) -> [Bits; 9] {
        let lanes = self.stored();
        LANE_OF_BOX.map(|lane| lanes[lane])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn without_smallest(self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.and(self.with(unsafe { _mm256_add_epi16(self.0, _mm256_set1_epi16(-1)) }))
    }

    #[inline(always)]
    fn where_empty(self, other: Self) -> Self {
        self.and(other.empty())
    }

    #[inline(always)]
    fn next_boxes(self) -> [Self; 2] {
        // SAFETY: `self` proves that the CPU supports AVX2.
        unsafe {
            let next = _mm256_set1_epi64x(0x0302_0100_0504_0302);
            let after = _mm256_set1_epi64x(0x0504_0302_0100_0504);
            // The second group of each half starts eight bytes later.
            let group = _mm256_set_epi64x(0x0808_0808_0808_0808, 0, 0x0808_0808_0808_0808, 0);
            [next, after]
                .map(|step| self.with(_mm256_shuffle_epi8(self.0, _mm256_add_epi8(step, group))))
        }
    }

    #[inline(always)]
    fn next_bands(self) -> [Self; 2] {
        // SAFETY: `self` proves that the CPU supports AVX2.
        unsafe {
            [
                self.with(_mm256_permute4x64_epi64::<0b01_00_10_01>(self.0)),
                self.with(_mm256_permute4x64_epi64::<0b10_01_00_10>(self.0)),
            ]
        }
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: `self` proves that the CPU supports AVX2.
        unsafe { _mm256_testz_si256(self.0, self.0) == 1 }
    }

    #[inline(always)]
    fn some_empty(board: &[Self; 9]) -> bool {
        let mut least = board[0].0;
        for set in &board[1..] {
            // SAFETY: `set` proves that the CPU supports AVX2.
            least = unsafe { _mm256_min_epu16(least, set.0) };
        }
        !board[0].with(least).empty().is_zero()
    }

    #[inline(always)]
    fn choose(few_open: u32, board: &[Self; 9], rest: &[Self; 9]) -> (usize, Self) {
        let with_two = cells_with_two(rest);
        let any_does = nine::are_many(&with_two) || nine::size(&open_cells(rest)) <= few_open;
        let cell = if any_does {
            nine::first_cell(&with_two)
        } else {
            // SAFETY: `Sixteen` has the layout of `__m256i`, because it is `repr(transparent)` and
            // `Avx2` has no size. So nine of them are 9 × 16 initialized numbers, and their
            // alignment is large enough.
            let lanes: &[[Bits; 16]; 9] = unsafe { &*std::ptr::from_ref(board).cast() };
            let candidates_of = |cell: usize| lanes[cell / 16][cell % 16];
            nine::most_constraining(&with_two, &cells_with_digits(board), &PEERS, candidates_of)
        };
        let cell = cell.unwrap_or_else(|| {
            let (vector, number) = boxes::with_fewest(board);
            16 * vector + LANE_OF_BOX[number]
        });
        (cell / 16, Self::load(board[0].1, &LANES_OF_BOX[cell % 16]))
    }

    #[inline(always)]
    fn read(features: Avx2, puzzle: &Line) -> [Self; 9] {
        let rows = |row: usize| {
            [
                row_in_columns(features, puzzle, row),
                row_in_columns(features, puzzle, row + 3),
                row_in_columns(features, puzzle, row + 6),
            ]
        };
        let [top, middle, bottom] = [0, 1, 2].map(|row| vectors_of_rows(features, rows(row)));
        [top[0], top[1], top[2], middle[0], middle[1], middle[2], bottom[0], bottom[1], bottom[2]]
    }
}

/// The nine bytes of a row, grouped by column of the box: the first three groups of four bytes
/// contain the first, second and third cell of boxes 1, 2, 3, 1.
#[inline(always)]
fn row_in_columns(_features: Avx2, puzzle: &Line, row: usize) -> __m128i {
    // There are not sixteen bytes from the start of the last row, so its load starts seven bytes
    // earlier.
    let (start, skipped) = if row == 8 { (65, 7) } else { (9 * row, 0) };
    let bytes: &[u8; 16] = puzzle[start..].first_chunk().expect("sixteen bytes");
    // SAFETY: the caller's proof covers SSSE3 as part of AVX2; the load reads the sixteen bytes
    // behind the reference.
    unsafe {
        let bytes = _mm_loadu_si128(bytes.as_ptr().cast());
        let columns = _mm_setr_epi8(0, 3, 6, 0, 1, 4, 7, 1, 2, 5, 8, 2, 0, 0, 0, 0);
        _mm_shuffle_epi8(bytes, _mm_add_epi8(columns, _mm_set1_epi8(skipped)))
    }
}

/// The three vectors of one row of all boxes, from the rows of the three bands.
#[inline(always)]
fn vectors_of_rows(features: Avx2, [a, b, c]: [__m128i; 3]) -> [Sixteen; 3] {
    // Groups of four bytes are treated as one number; the fourth band repeats the first.
    // SAFETY: `features` proves that the CPU supports AVX2.
    unsafe {
        let (low, high) = (_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b));
        let (low_again, high_again) = (_mm_unpacklo_epi32(c, a), _mm_unpackhi_epi32(c, a));
        [
            candidates_of_bytes(features, _mm_unpacklo_epi64(low, low_again)),
            candidates_of_bytes(features, _mm_unpackhi_epi64(low, low_again)),
            candidates_of_bytes(features, _mm_unpacklo_epi64(high, high_again)),
        ]
    }
}

/// The candidates of sixteen cells by their bytes in a line.
#[inline(always)]
fn candidates_of_bytes(features: Avx2, bytes: __m128i) -> Sixteen {
    // SAFETY: `features` proves that the CPU supports AVX2.
    unsafe {
        // 0 to 8 for a digit, 9 for any other byte.
        let digits = _mm_min_epu8(_mm_sub_epi8(bytes, _mm_set1_epi8(b'1' as i8)), _mm_set1_epi8(9));
        let low = _mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, -1, 0, 0, 0, 0, 0, 0);
        let high = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0);
        let (low, high) = (_mm_shuffle_epi8(low, digits), _mm_shuffle_epi8(high, digits));
        let register = _mm256_set_m128i(_mm_unpackhi_epi8(low, high), _mm_unpacklo_epi8(low, high));
        Sixteen(register, features)
    }
}
