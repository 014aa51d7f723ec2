//! One half of the pair of vectors in `pair.rs`, as a 128-bit vector of WebAssembly.
//!
//! Safety: this module is only compiled for builds with the target feature `simd128`, so intrinsics
//! without pointers are safe to call. Only loads and stores are `unsafe`; they use references to
//! arrays of exactly the bytes that they access.
#![allow(unsafe_code)]

use super::super::nine::Bits;
use super::pair::Half;
use std::arch::wasm32::*;

/// Eight sets of digits.
#[derive(Clone, Copy)]
pub(super) struct Eight(v128);

impl Half for Eight {
    #[inline(always)]
    fn load(from: &[Bits; 8]) -> Self {
        // SAFETY: reads the sixteen bytes behind the reference.
        Eight(unsafe { v128_load(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [Bits; 8]) {
        // SAFETY: writes the sixteen bytes behind the reference.
        unsafe { v128_store(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Eight(v128_and(self.0, other.0))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Eight(v128_or(self.0, other.0))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Eight(v128_xor(self.0, other.0))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Eight(v128_andnot(self.0, other.0))
    }

    #[inline(always)]
    fn decremented(self) -> Self {
        Eight(u16x8_sub(self.0, u16x8_splat(1)))
    }

    #[inline(always)]
    fn empty(self) -> Self {
        Eight(u16x8_eq(self.0, u16x8_splat(0)))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Eight(u16x8_min(self.0, other.0))
    }

    #[inline(always)]
    fn next_in_groups(self) -> Self {
        Eight(u16x8_shuffle::<1, 2, 0, 1, 5, 6, 4, 5>(self.0, self.0))
    }

    #[inline(always)]
    fn after_in_groups(self) -> Self {
        Eight(u16x8_shuffle::<2, 0, 1, 2, 6, 4, 5, 6>(self.0, self.0))
    }

    #[inline(always)]
    fn middle(self, other: Self) -> Self {
        Eight(u64x2_shuffle::<1, 2>(self.0, other.0))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        !v128_any_true(self.0)
    }

    #[inline(always)]
    fn low_bytes(self, other: Self) -> Self {
        Eight(u8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(
            self.0, other.0,
        ))
    }

    #[inline(always)]
    fn high_bytes(self, other: Self) -> Self {
        Eight(u8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(
            self.0, other.0,
        ))
    }

    #[inline(always)]
    fn shifted<const BY: u32>(self) -> Self {
        Eight(u16x8_shl(self.0, BY))
    }

    #[inline(always)]
    fn highest_bits(self) -> u16 {
        u8x16_bitmask(self.0)
    }
}
