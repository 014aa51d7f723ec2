//! Thirty-two lanes in one AVX-512 register.
//!
//! Safety. Every `unsafe` block here calls an intrinsic that is sound on a processor with the features AVX-512 F, BW
//! and BITALG. Values of [`Thirty`] are only made and used inside [`run`], which carries those features as
//! `#[target_feature]`, and [`run`] asks for them first. Those
//! intrinsics that take pointers are given references to as many bytes as they read or write, and need no alignment.
#![allow(unsafe_code)]

use super::super::nine::{Bits, Line};
use super::kernel::{Board, Vector};
use super::{Engine, Job, Stop, Tally};
use std::arch::x86_64::*;
use std::ops::ControlFlow;

/// Runs a job on 32 lanes, or says `None` where the processor cannot.
pub(super) fn run(job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> Option<ControlFlow<Stop>> {
    if !Engine::Avx512.is_available() {
        return None;
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,popcnt,bmi1,bmi2,lzcnt")]
    fn with_features(job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> ControlFlow<Stop> {
        super::drive::<32, Thirty>(job, tallies)
    }
    // SAFETY: the processor has every feature that `with_features` enables, as asked above.
    Some(unsafe { with_features(job, tallies) })
}

/// Thirty-two sets of digits.
#[derive(Clone, Copy)]
struct Thirty(__m512i);

// The truth tables of three-input functions: the bits of `a`, `b` and `c` are the columns 0xF0, 0xCC and 0xAA.
const OR: i32 = 0xF0 | 0xCC | 0xAA;
const AND: i32 = 0xF0 & 0xCC & 0xAA;
const ONLY_FIRST: i32 = 0xF0 & !0xCC & !0xAA;
const EXACTLY_ONE: i32 = (0xF0 & !0xCC & !0xAA) | (!0xF0 & 0xCC & !0xAA) | (!0xF0 & !0xCC & 0xAA);
const FIRST_AND_EITHER: i32 = 0xF0 & (0xCC | 0xAA);

#[inline(always)]
fn ternary<const TABLE: i32>(a: Thirty, b: Thirty, c: Thirty) -> Thirty {
    // SAFETY: AVX-512 F.
    Thirty(unsafe { _mm512_ternarylogic_epi32::<TABLE>(a.0, b.0, c.0) })
}

/// The first eight candidates that a byte of a line leaves to its cell, by its distance from the byte of 1; whatever is no digit is as
/// far as 9 or farther.
const LOW_BITS_OF_DIGIT: [u8; 16] =
    [1, 2, 4, 8, 16, 32, 64, 128, 0, 255, 255, 255, 255, 255, 255, 255];

/// The ninth candidate.
const HIGH_BITS_OF_DIGIT: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];

impl Vector<32> for Thirty {
    #[inline(always)]
    fn splat(bits: Bits) -> Self {
        // SAFETY: AVX-512 F.
        Thirty(unsafe { _mm512_set1_epi16(bits as i16) })
    }

    #[inline(always)]
    fn load(from: &[Bits; 32]) -> Self {
        // SAFETY: AVX-512 F; reads the 64 bytes behind the reference.
        Thirty(unsafe { _mm512_loadu_si512(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [Bits; 32]) {
        // SAFETY: AVX-512 F; writes the 64 bytes behind the reference.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX-512 F.
        Thirty(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX-512 F.
        Thirty(unsafe { _mm512_or_si512(self.0, other.0) })
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
        // A number and its predecessor share no bit exactly when it has at most one.
        // SAFETY: AVX-512 F and BW.
        unsafe {
            let predecessor = _mm512_add_epi16(self.0, _mm512_set1_epi16(-1));
            Thirty(_mm512_maskz_mov_epi16(_mm512_testn_epi16_mask(self.0, predecessor), self.0))
        }
    }

    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        // SAFETY: AVX-512 F and BW.
        Thirty(unsafe {
            _mm512_mask_mov_epi16(other.0, _mm512_test_epi16_mask(self.0, self.0), self.0)
        })
    }

    #[inline(always)]
    fn three_due(due: Self, allowed: Self) -> Self {
        // SAFETY: AVX-512 F, BW and BITALG.
        unsafe {
            let three = _mm512_cmpeq_epi16_mask(_mm512_popcnt_epi16(due.0), _mm512_set1_epi16(3));
            Thirty(_mm512_mask_mov_epi16(allowed.0, three, due.0))
        }
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: AVX-512 BW.
        Thirty(unsafe { _mm512_min_epu16(self.0, other.0) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX-512 BW.
        Thirty(unsafe { _mm512_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        // SAFETY: AVX-512 BW.
        unsafe { _mm512_cmpeq_epi16_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn share(self, other: Self) -> u32 {
        // SAFETY: AVX-512 BW.
        unsafe { _mm512_test_epi16_mask(self.0, other.0) }
    }

    #[inline(always)]
    fn has_two(self) -> u32 {
        // SAFETY: AVX-512 BW and BITALG.
        unsafe { _mm512_cmpeq_epi16_mask(_mm512_popcnt_epi16(self.0), _mm512_set1_epi16(2)) }
    }

    #[inline(always)]
    fn has_several(self) -> u32 {
        // A number and its predecessor share a bit exactly when it has more than one.
        // SAFETY: AVX-512 F and BW.
        unsafe { _mm512_test_epi16_mask(self.0, _mm512_add_epi16(self.0, _mm512_set1_epi16(-1))) }
    }

    const LAYS_READY: bool = true;

    #[inline(always)]
    fn with_lanes(self, lanes: u32, other: Self, places: Self) -> Self {
        // SAFETY: AVX-512 BW.
        Thirty(unsafe { _mm512_mask_permutexvar_epi16(self.0, lanes, places.0, other.0) })
    }

    /// Sixteen registers hold 32 cells of two lines each; shuffling them four times turns four squares of 16 × 16 bytes at once.
    #[inline(always)]
    fn turn(lines: &[Line; 32], board: &mut Board<32>) {
        for first in [0, 32, 81 - 32] {
            // SAFETY: AVX-512 F and BW; each load of a line reads 32 of its 81 bytes, those of the tables all 16.
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
                    Thirty(upper).store(&mut board.0[first + i]);
                    Thirty(lower).store(&mut board.0[first + 16 + i]);
                }
            }
        }
    }
}
