//! Thirty-two lanes in one AVX-512 register.
//!
//! Safety: a [`ThirtyTwo`] contains an [`Avx512`], so it exists only on CPUs that support AVX-512
//! F, BW and BITALG. Loads and stores use references to at least as many bytes as they access, and
//! the instructions need no alignment.
#![allow(unsafe_code)]

use super::super::features::Avx512;
use super::super::nine::{Bits, Line};
use super::kernel::{Board, Vector};
use super::{Job, StopReason, Tally};
use std::arch::x86_64::*;
use std::ops::ControlFlow;

/// Runs a job on 32 lanes. Returns `None` if the CPU does not support AVX-512.
pub(super) fn run(job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> Option<ControlFlow<StopReason>> {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,popcnt,bmi1,bmi2,lzcnt")]
    fn with_features(
        features: Avx512,
        job: &mut Job<'_, '_>,
        tallies: &mut [Tally],
    ) -> ControlFlow<StopReason> {
        super::drive::<32, ThirtyTwo>(features, job, tallies)
    }
    let features = Avx512::detect()?;
    // SAFETY: `detect` checked all these features on this CPU.
    Some(unsafe { with_features(features, job, tallies) })
}

/// Thirty-two sets of digits.
#[derive(Clone, Copy)]
struct ThirtyTwo(__m512i, Avx512);

impl ThirtyTwo {
    /// Another vector for the same CPU.
    #[inline(always)]
    fn with(self, register: __m512i) -> Self {
        ThirtyTwo(register, self.1)
    }
}

// Truth tables of functions of three bits. The arguments `a`, `b` and `c` are the columns 0xF0,
// 0xCC and 0xAA.
const OR: i32 = 0xF0 | 0xCC | 0xAA;
const AND: i32 = 0xF0 & 0xCC & 0xAA;
const ONLY_FIRST: i32 = 0xF0 & !0xCC & !0xAA;
const EXACTLY_ONE: i32 = (0xF0 & !0xCC & !0xAA) | (!0xF0 & 0xCC & !0xAA) | (!0xF0 & !0xCC & 0xAA);
const FIRST_AND_EITHER: i32 = 0xF0 & (0xCC | 0xAA);

#[inline(always)]
fn ternary<const TABLE: i32>(a: ThirtyTwo, b: ThirtyTwo, c: ThirtyTwo) -> ThirtyTwo {
    // SAFETY: `a` proves that the CPU supports AVX-512 F.
    a.with(unsafe { _mm512_ternarylogic_epi32::<TABLE>(a.0, b.0, c.0) })
}

/// The first eight candidates of a cell by its byte in a line minus `b'1'`, at most 15. Values of 9
/// and more are not digits.
const LOW_BITS_OF_DIGIT: [u8; 16] =
    [1, 2, 4, 8, 16, 32, 64, 128, 0, 255, 255, 255, 255, 255, 255, 255];

/// The ninth candidate, by the same index.
const HIGH_BITS_OF_DIGIT: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];

impl Vector<32> for ThirtyTwo {
    type Features = Avx512;

    #[inline(always)]
    fn splat(features: Avx512, bits: Bits) -> Self {
        // SAFETY: `features` proves that the CPU supports AVX-512 F.
        ThirtyTwo(unsafe { _mm512_set1_epi16(bits as i16) }, features)
    }

    #[inline(always)]
    fn load(features: Avx512, from: &[Bits; 32]) -> Self {
        // SAFETY: `features` proves that the CPU supports AVX-512 F; this reads the 64 bytes behind
        // the reference.
        ThirtyTwo(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }, features)
    }

    #[inline(always)]
    fn store(self, to: &mut [Bits; 32]) {
        // SAFETY: `self` proves that the CPU supports AVX-512 F; this writes the 64 bytes behind
        // the reference.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX-512 F.
        self.with(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX-512 F.
        self.with(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or3(a: Self, b: Self, c: Self) -> Self {
        ternary::<OR>(a, b, c)
    }

    #[inline(always)]
    fn and3(a: Self, b: Self, c: Self) -> Self {
        ternary::<AND>(a, b, c)
    }

    #[inline(always)]
    fn only_first(a: Self, b: Self, c: Self) -> Self {
        ternary::<{ ONLY_FIRST & 0xFF }>(a, b, c)
    }

    #[inline(always)]
    fn exactly_one(a: Self, b: Self, c: Self) -> Self {
        ternary::<{ EXACTLY_ONE & 0xFF }>(a, b, c)
    }

    #[inline(always)]
    fn first_and_either(a: Self, b: Self, c: Self) -> Self {
        ternary::<FIRST_AND_EITHER>(a, b, c)
    }

    #[inline(always)]
    fn if_single(self) -> Self {
        // A number and its predecessor share no bit exactly if the number has at most one bit.
        // SAFETY: `self` proves that the CPU supports AVX-512 F and BW.
        unsafe {
            let predecessor = _mm512_add_epi16(self.0, _mm512_set1_epi16(-1));
            self.with(_mm512_maskz_mov_epi16(_mm512_testn_epi16_mask(self.0, predecessor), self.0))
        }
    }

    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX-512 F and BW.
        self.with(unsafe {
            _mm512_mask_mov_epi16(other.0, _mm512_test_epi16_mask(self.0, self.0), self.0)
        })
    }

    #[inline(always)]
    fn three_due(due: Self, allowed: Self) -> Self {
        // SAFETY: `due` proves that the CPU supports AVX-512 F, BW and BITALG.
        unsafe {
            let three = _mm512_cmpeq_epi16_mask(_mm512_popcnt_epi16(due.0), _mm512_set1_epi16(3));
            due.with(_mm512_mask_mov_epi16(allowed.0, three, due.0))
        }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX-512 BW.
        self.with(unsafe { _mm512_min_epu16(self.0, other.0) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX-512 BW.
        self.with(unsafe { _mm512_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        // SAFETY: `self` proves that the CPU supports AVX-512 BW.
        unsafe { _mm512_cmpeq_epi16_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn share(self, other: Self) -> u32 {
        // SAFETY: `self` proves that the CPU supports AVX-512 BW.
        unsafe { _mm512_test_epi16_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn has_two(self) -> u32 {
        // SAFETY: `self` proves that the CPU supports AVX-512 BW and BITALG.
        unsafe { _mm512_cmpeq_epi16_mask(_mm512_popcnt_epi16(self.0), _mm512_set1_epi16(2)) }
    }

    #[inline(always)]
    fn has_several(self) -> u32 {
        // A number and its predecessor share a bit exactly if the number has more than one bit.
        // SAFETY: `self` proves that the CPU supports AVX-512 F and BW.
        unsafe { _mm512_test_epi16_mask(self.0, _mm512_add_epi16(self.0, _mm512_set1_epi16(-1))) }
    }

    const PREFETCHES: bool = true;

    #[inline(always)]
    fn with_lanes(self, _: Avx512, lanes: u32, other: Self, places: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX-512 BW.
        self.with(unsafe { _mm512_mask_permutexvar_epi16(self.0, lanes, places.0, other.0) })
    }

    /// Sixteen registers contain 32 cells of two lines each. Shuffling them four times transposes
    /// four squares of 16 × 16 bytes at once.
    #[inline(always)]
    fn transpose(features: Avx512, lines: &[Line; 32], board: &mut Board<32>) {
        for first in [0, 32, 81 - 32] {
            // SAFETY: `features` proves that the CPU supports AVX-512 F and BW. Each load from a
            // line reads the 32 bytes of a slice, each load from a table all of its 16 bytes.
            unsafe {
                let half = |line: usize| {
                    _mm256_loadu_si256(lines[line][first..first + 32].as_ptr().cast())
                };
                let mut rows = [_mm512_setzero_si512(); 16];
                for (line, row) in rows.iter_mut().enumerate() {
                    *row = _mm512_inserti64x4::<1>(
                        _mm512_castsi256_si512(half(line)),
                        half(line + 16),
                    );
                }
                for _ in 0..4 {
                    let before = rows;
                    for i in 0..8 {
                        rows[2 * i] = _mm512_unpacklo_epi8(before[i], before[i + 8]);
                        rows[2 * i + 1] = _mm512_unpackhi_epi8(before[i], before[i + 8]);
                    }
                }
                let low =
                    _mm512_broadcast_i32x4(_mm_loadu_si128(LOW_BITS_OF_DIGIT.as_ptr().cast()));
                let high =
                    _mm512_broadcast_i32x4(_mm_loadu_si128(HIGH_BITS_OF_DIGIT.as_ptr().cast()));
                for (i, row) in rows.into_iter().enumerate() {
                    let digit = _mm512_sub_epi8(row, _mm512_set1_epi8(b'1' as i8));
                    let digit = _mm512_min_epu8(digit, _mm512_set1_epi8(15));
                    let (low, high) =
                        (_mm512_shuffle_epi8(low, digit), _mm512_shuffle_epi8(high, digit));
                    let (a, b) = (_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high));
                    let upper = _mm512_permutex2var_epi64(
                        a,
                        _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
                        b,
                    );
                    let lower = _mm512_permutex2var_epi64(
                        a,
                        _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15),
                        b,
                    );
                    ThirtyTwo(upper, features).store(&mut board.0[first + i]);
                    ThirtyTwo(lower, features).store(&mut board.0[first + 16 + i]);
                }
            }
        }
    }
}
