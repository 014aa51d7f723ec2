//! The board of `triads` in three AVX-512 registers.
//!
//! Safety: all functions below [`walk`] list the features they use as `#[target_feature]`, so
//! intrinsics without pointers are safe to call in them. Two kinds of `unsafe` remain. Calls from
//! functions without these features rely on the proof [`Avx512`] that every [`Three`] contains.
//! Loads and stores use references to arrays of 64 bytes and need no alignment.
#![allow(unsafe_code)]

use super::super::batch::Tally;
use super::super::features::Avx512;
use super::super::nine::{self, ANY, Bits, CellSet, Line, PencilMarks, VisitLine};
use super::super::{Meter, StopReason};
use super::walk::{Node, Settled};
use super::{Start, walk};
use std::arch::x86_64::*;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;

/// Visits the solutions of a puzzle, up to `limit` of them.
///
/// # Panics
/// If the CPU does not support AVX-512.
pub(super) fn walk(
    start: Start<'_>,
    limit: u64,
    meter: &mut Meter<'_>,
    visit: Option<&mut VisitLine<'_>>,
) -> (Tally, ControlFlow<StopReason>) {
    #[target_feature(
        enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt,bmi1,bmi2,lzcnt"
    )]
    fn with_features(
        features: Avx512,
        start: Start<'_>,
        limit: u64,
        tally: &mut Tally,
        meter: &mut Meter<'_>,
        visit: Option<&mut VisitLine<'_>>,
    ) -> ControlFlow<StopReason> {
        let node = match start {
            Start::Line(puzzle) => read(features, puzzle),
            Start::PencilMarks(marks) => read_marks(features, marks),
        };
        walk::walk(node, limit, tally, meter, visit)
    }
    let features = Avx512::detect().expect("`Triads` selects only available engines");
    let mut tally = Tally::default();
    // SAFETY: `detect` checked all these features on this CPU.
    let end = unsafe { with_features(features, start, limit, &mut tally, meter, visit) };
    (tally, end)
}

/// The candidates of all cells. Register `i` contains the cells in column `i` of their box, in lane
/// `3 · row + stack`.
#[derive(Clone, Copy)]
struct Three([__m512i; 3], Avx512);

/// The lanes that contain a cell.
const CELLS: u32 = (1 << 27) - 1;

// SAFETY: `split` fills `waiting` with `MaybeUninit::write`.
unsafe impl Node for Three {
    /// The lanes with two candidates.
    type Hint = [u32; 3];

    #[inline(always)]
    fn settle(&mut self) -> Settled<[u32; 3]> {
        // SAFETY: `self` proves that the CPU supports the features of `settle`.
        unsafe { settle(self) }
    }

    #[inline(always)]
    fn split<'w>(
        &mut self,
        few_open: u32,
        with_two: [u32; 3],
        waiting: &'w mut MaybeUninit<Self>,
    ) -> &'w mut Self {
        // SAFETY: `self` proves that the CPU supports the features of `split`.
        waiting.write(unsafe { split(self, few_open, with_two) })
    }

    #[inline(always)]
    fn copied(&self) -> Self {
        let [a, b, c] = self.0;
        Three([a, b, c], self.1)
    }

    fn write(&self) -> Line {
        // SAFETY: `self` proves that the CPU supports the features of `write`.
        unsafe { write(self) }
    }
}

/// Applies rounds until nothing changes.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt,bmi1,bmi2,lzcnt"
)]
fn settle(node: &mut Three) -> Settled<[u32; 3]> {
    loop {
        let before = node.0;
        let after = round(before);
        node.0 = after;
        let [a, b, c] = after;
        let empty = _mm512_testn_epi16_mask(a, a)
            | _mm512_testn_epi16_mask(b, b)
            | _mm512_testn_epi16_mask(c, c);
        if empty & CELLS != 0 {
            return Settled::Dead;
        }
        let changed = or3(
            _mm512_xor_si512(a, before[0]),
            _mm512_xor_si512(b, before[1]),
            _mm512_xor_si512(c, before[2]),
        );
        if _mm512_test_epi16_mask(changed, changed) == 0 {
            break;
        }
    }
    let counts = node.0.map(|cells| _mm512_popcnt_epi16(cells));
    let open = counts.map(|counts| _mm512_cmpgt_epu16_mask(counts, _mm512_set1_epi16(1)));
    if open == [0; 3] {
        return Settled::Solved;
    }
    Settled::Open(counts.map(|counts| _mm512_cmpeq_epi16_mask(counts, _mm512_set1_epi16(2))))
}

/// Applies every rule once to the whole board; `batch/kernel.rs` states the rules in plain words.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt,bmi1,bmi2,lzcnt"
)]
fn round([a, b, c]: [__m512i; 3]) -> [__m512i; 3] {
    // Rows. A single digit is removed from the other rows of its box and the other cells of its
    // triad.
    let [fixed_a, fixed_b, fixed_c] = [if_single(a), if_single(b), if_single(c)];
    let fixed = or3(fixed_a, fixed_b, fixed_c);
    let possible = only_first(or3(a, b, c), shuffle(fixed, &NEXT_ROW), shuffle(fixed, &LAST_ROW));
    // The six permutations of the band: in three the box index increases with the row index, in
    // three it decreases.
    let ascending = and3(
        possible,
        shuffle(possible, &NEXT_ROW_NEXT_BOX),
        shuffle(possible, &LAST_ROW_LAST_BOX),
    );
    let descending = and3(
        possible,
        shuffle(possible, &NEXT_ROW_LAST_BOX),
        shuffle(possible, &LAST_ROW_NEXT_BOX),
    );
    let allowed = _mm512_or_si512(ascending, descending);
    let due = only_first(allowed, shuffle(allowed, &NEXT_BOX), shuffle(allowed, &LAST_BOX));
    let a = only_first(_mm512_and_si512(a, allowed), fixed_b, fixed_c);
    let b = only_first(_mm512_and_si512(b, allowed), fixed_a, fixed_c);
    let c = only_first(_mm512_and_si512(c, allowed), fixed_a, fixed_b);
    let single_in_row_triad = _mm512_and_si512(due, exactly_one(a, b, c));
    // Applied together with the columns below, where its latency does not matter.
    let row_keeps = three_due(due, _mm512_set1_epi16(-1));

    // Columns. Each lane has the complete column triad, so its three rows compute the same.
    let [next_a, next_b, next_c] =
        [shuffle(a, &NEXT_ROW), shuffle(b, &NEXT_ROW), shuffle(c, &NEXT_ROW)];
    let [last_a, last_b, last_c] =
        [shuffle(a, &LAST_ROW), shuffle(b, &LAST_ROW), shuffle(c, &LAST_ROW)];
    let [a0, b0, c0] = [or3(a, next_a, last_a), or3(b, next_b, last_b), or3(c, next_c, last_c)];
    let [a1, b1, c1] = [shuffle(a0, &NEXT_BAND), shuffle(b0, &NEXT_BAND), shuffle(c0, &NEXT_BAND)];
    let [a2, b2, c2] = [shuffle(a0, &LAST_BAND), shuffle(b0, &LAST_BAND), shuffle(c0, &LAST_BAND)];
    // The six permutations of the stack, grouped by the column that the digit takes in this band.
    let allowed_a = _mm512_or_si512(and3(a0, b1, c2), and3(a0, b2, c1));
    let allowed_b = _mm512_or_si512(and3(a1, b0, c2), and3(a2, b0, c1));
    let allowed_c = _mm512_or_si512(and3(a1, b2, c0), and3(a2, b1, c0));
    let column = |cells, next, last, allowed, other, another| {
        let due = only_first(allowed, other, another);
        let kept = and3(cells, three_due(due, allowed), row_keeps);
        let single_in_column_triad = _mm512_and_si512(due, exactly_one(cells, next, last));
        let single = first_and_either(kept, single_in_row_triad, single_in_column_triad);
        _mm512_mask_mov_epi16(kept, _mm512_test_epi16_mask(single, single), single)
    };
    [
        column(a, next_a, last_a, allowed_a, allowed_b, allowed_c),
        column(b, next_b, last_b, allowed_b, allowed_a, allowed_c),
        column(c, next_c, last_c, allowed_c, allowed_a, allowed_b),
    ]
}

/// Splits a node: it keeps one digit of the chosen cell, and the returned node has the other digits
/// of that cell.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512bitalg,popcnt,bmi1,bmi2,lzcnt"
)]
fn split(node: &mut Three, few_open: u32, with_two: [u32; 3]) -> Three {
    let board = node.0.map(|cells| stored(cells));
    let candidates_of = |cell: usize| board[cell / 32][cell % 32];
    let with_two = joined(with_two);
    let predecessor = |cells| _mm512_add_epi16(cells, _mm512_set1_epi16(-1));
    let open = node.0.map(|cells| _mm512_test_epi16_mask(cells, predecessor(cells)) & CELLS);
    let cell = if nine::are_many(&with_two) || nine::size(&joined(open)) <= few_open {
        nine::first_cell(&with_two)
    } else {
        let mut with_digit = [[0; 2]; 16];
        for (digit, cells) in with_digit.iter_mut().take(9).enumerate() {
            let digit = _mm512_set1_epi16(1 << digit);
            *cells = joined(node.0.map(|cells| _mm512_test_epi16_mask(cells, digit)));
        }
        nine::most_constraining(&with_two, &with_digit, &PEERS, candidates_of)
    };
    let cell = cell.unwrap_or_else(|| with_fewest(&board));
    let candidates = candidates_of(cell);
    let digit = candidates & candidates.wrapping_neg();
    let (register, lane) = (cell / 32, 1 << (cell % 32));
    let mut rest = *node;
    rest.0[register] = _mm512_mask_set1_epi16(node.0[register], lane, (candidates ^ digit) as i16);
    node.0[register] = _mm512_mask_set1_epi16(node.0[register], lane, digit as i16);
    rest
}

/// The first open cell with the fewest candidates.
fn with_fewest(board: &[[Bits; 32]; 3]) -> usize {
    let count = |cell: usize| board[cell / 32][cell % 32].count_ones();
    let open = (0..96).filter(|&cell| count(cell) > 1);
    open.min_by_key(|&cell| count(cell)).expect("a node that is not solved has an open cell")
}

/// One bit for each cell: register 0 in the lowest 32 bits.
#[inline]
fn joined([a, b, c]: [u32; 3]) -> CellSet<2> {
    [u64::from(a) | u64::from(b) << 32, u64::from(c)]
}

/// The peers of each cell in the numbering of [`joined`].
static PEERS: [CellSet<2>; 96] = {
    let mut numbers = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        numbers[cell] = cell % 3 * 32 + cell / 3;
        cell += 1;
    }
    nine::peers(&numbers)
};

#[target_feature(enable = "avx512f,avx512bw")]
fn read_marks(features: Avx512, marks: &PencilMarks) -> Three {
    let mut lanes = [[0; 32]; 3];
    for (cell, &set) in marks.iter().enumerate() {
        lanes[cell % 3][cell / 3] = set;
    }
    // SAFETY: reads the 64 bytes behind each reference.
    let load = |lanes: [Bits; 32]| unsafe { _mm512_loadu_si512(lanes.as_ptr().cast()) };
    Three(lanes.map(load), features)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn read(features: Avx512, puzzle: &Line) -> Three {
    let start: &[u8; 64] = puzzle.first_chunk().expect("64 of 81 bytes");
    let end: &[u8; 64] = puzzle.last_chunk().expect("64 of 81 bytes");
    // SAFETY: reads the 64 bytes behind each reference.
    let (start, end) = unsafe {
        (_mm512_loadu_si512(start.as_ptr().cast()), _mm512_loadu_si512(end.as_ptr().cast()))
    };
    let registers = [&BYTES_OF_REGISTER[0], &BYTES_OF_REGISTER[1], &BYTES_OF_REGISTER[2]];
    let registers = registers.map(|bytes| {
        // SAFETY: reads the 64 bytes behind the reference.
        let bytes = unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) };
        let bytes = _mm512_permutex2var_epi8(start, bytes, end);
        let digits = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(bytes));
        let digits = _mm512_sub_epi16(digits, _mm512_set1_epi16(i16::from(b'1')));
        let is_digit = _mm512_cmplt_epu16_mask(digits, _mm512_set1_epi16(9));
        let clue = _mm512_sllv_epi16(_mm512_set1_epi16(1), digits);
        let cells = _mm512_mask_mov_epi16(_mm512_set1_epi16(ANY as i16), is_digit, clue);
        _mm512_maskz_mov_epi16(CELLS, cells)
    });
    Three(registers, features)
}

/// The source of the byte of each lane: values below 64 index the first 64 bytes of a line, the
/// others its last 64.
static BYTES_OF_REGISTER: [[u8; 64]; 3] = {
    let mut table = [[0; 64]; 3];
    let mut cell = 0;
    while cell < 81 {
        table[cell % 3][cell / 3] = if cell < 64 { cell } else { 64 + cell - (81 - 64) } as u8;
        cell += 1;
    }
    table
};

#[target_feature(enable = "avx512f")]
fn write(node: &Three) -> Line {
    let board = node.0.map(|cells| stored(cells));
    std::array::from_fn(|cell| b'1' + board[cell % 3][cell / 3].trailing_zeros() as u8)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn stored(cells: __m512i) -> [Bits; 32] {
    let mut lanes = [0; 32];
    // SAFETY: writes the 64 bytes of `lanes`.
    unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), cells) };
    lanes
}

/// For each lane its source lane.
#[repr(align(64))]
struct Shuffle([u16; 32]);

static NEXT_ROW: Shuffle = step(0, 1, 0);
static LAST_ROW: Shuffle = step(0, 2, 0);
static NEXT_BOX: Shuffle = step(0, 0, 1);
static LAST_BOX: Shuffle = step(0, 0, 2);
static NEXT_ROW_NEXT_BOX: Shuffle = step(0, 1, 1);
static LAST_ROW_LAST_BOX: Shuffle = step(0, 2, 2);
static NEXT_ROW_LAST_BOX: Shuffle = step(0, 1, 2);
static LAST_ROW_NEXT_BOX: Shuffle = step(0, 2, 1);
static NEXT_BAND: Shuffle = step(1, 0, 0);
static LAST_BAND: Shuffle = step(2, 0, 0);

/// Moves by this many bands down, rows down inside the band and boxes to the right, each cyclic.
const fn step(bands: usize, rows: usize, boxes: usize) -> Shuffle {
    let mut lanes = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        let (band, row, stack) = (lane / 9, lane / 3 % 3, lane % 3);
        let from = ((band + bands) % 3 * 3 + (row + rows) % 3) * 3 + (stack + boxes) % 3;
        lanes[lane] = if lane < 27 { from as u16 } else { lane as u16 };
        lane += 1;
    }
    Shuffle(lanes)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn shuffle(cells: __m512i, by: &Shuffle) -> __m512i {
    // SAFETY: reads the 64 bytes behind the reference.
    _mm512_permutexvar_epi16(unsafe { _mm512_loadu_si512(by.0.as_ptr().cast()) }, cells)
}

// Functions of three bits as truth tables. The arguments are the columns 0xF0, 0xCC and 0xAA.

#[inline]
#[target_feature(enable = "avx512f")]
fn or3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ 0xF0 | 0xCC | 0xAA }>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn and3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ 0xF0 & 0xCC & 0xAA }>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn only_first(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ 0xF0 & !0xCC & !0xAA }>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn first_and_either(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<{ 0xF0 & (0xCC | 0xAA) }>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn exactly_one(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    const A: i32 = 0xF0;
    const B: i32 = 0xCC;
    const C: i32 = 0xAA;
    _mm512_ternarylogic_epi32::<{ (A & !B & !C) | (!A & B & !C & 0xFF) | (!A & !B & C & 0xFF) }>(
        a, b, c,
    )
}

/// The set where it has at most one digit, the empty set elsewhere.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn if_single(cells: __m512i) -> __m512i {
    let predecessor = _mm512_add_epi16(cells, _mm512_set1_epi16(-1));
    _mm512_maskz_mov_epi16(_mm512_testn_epi16_mask(cells, predecessor), cells)
}

/// `due` where it has exactly three digits, `otherwise` elsewhere.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn three_due(due: __m512i, otherwise: __m512i) -> __m512i {
    let three = _mm512_cmpeq_epi16_mask(_mm512_popcnt_epi16(due), _mm512_set1_epi16(3));
    _mm512_mask_mov_epi16(otherwise, three, due)
}
