//! One half of the pair of vectors in `pair.rs`, as a NEON register of a 64-bit ARM CPU.
//!
//! Safety: this module is only compiled for targets with NEON, so every CPU that runs the program
//! supports it. Loads and stores use references to arrays of exactly the bytes that they access.
#![allow(unsafe_code)]

use super::super::nine::Bits;
use super::pair::Half;
use std::arch::aarch64::*;

/// Eight sets of digits.
#[derive(Clone, Copy)]
pub(super) struct Eight(uint16x8_t);

impl Eight {
    #[inline(always)]
    fn bytes(self) -> uint8x16_t {
        // SAFETY: NEON is enabled at compile time.
        unsafe { vreinterpretq_u8_u16(self.0) }
    }

    #[inline(always)]
    fn from_bytes(bytes: uint8x16_t) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { vreinterpretq_u16_u8(bytes) })
    }

    /// The bytes at these places.
    #[inline(always)]
    fn shuffled(self, places: &[u8; 16]) -> Self {
        // SAFETY: NEON is enabled at compile time; this reads the sixteen bytes behind the
        // reference.
        Eight::from_bytes(unsafe { vqtbl1q_u8(self.bytes(), vld1q_u8(places.as_ptr())) })
    }
}

impl Half for Eight {
    #[inline(always)]
    fn load(from: &[Bits; 8]) -> Self {
        // SAFETY: NEON is enabled at compile time; this reads the sixteen bytes behind the
        // reference.
        Eight(unsafe { vld1q_u16(from.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [Bits; 8]) {
        // SAFETY: NEON is enabled at compile time; this writes the sixteen bytes behind the
        // reference.
        unsafe { vst1q_u16(to.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { vandq_u16(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { vorrq_u16(self.0, other.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { veorq_u16(self.0, other.0) })
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { vbicq_u16(self.0, other.0) })
    }

    #[inline(always)]
    fn decremented(self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { vsubq_u16(self.0, vdupq_n_u16(1)) })
    }

    #[inline(always)]
    fn empty(self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { vceqzq_u16(self.0) })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { vminq_u16(self.0, other.0) })
    }

    #[inline(always)]
    fn next_in_groups(self) -> Self {
        self.shuffled(&[2, 3, 4, 5, 0, 1, 2, 3, 10, 11, 12, 13, 8, 9, 10, 11])
    }

    #[inline(always)]
    fn after_in_groups(self) -> Self {
        self.shuffled(&[4, 5, 0, 1, 2, 3, 4, 5, 12, 13, 8, 9, 10, 11, 12, 13])
    }

    #[inline(always)]
    fn middle(self, other: Self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { vextq_u16::<4>(self.0, other.0) })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: NEON is enabled at compile time.
        unsafe { vmaxvq_u16(self.0) == 0 }
    }

    #[inline(always)]
    fn low_bytes(self, other: Self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        unsafe { Eight::from_bytes(vuzp1q_u8(self.bytes(), other.bytes())) }
    }

    #[inline(always)]
    fn high_bytes(self, other: Self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        unsafe { Eight::from_bytes(vuzp2q_u8(self.bytes(), other.bytes())) }
    }

    #[inline(always)]
    fn shifted<const BY: u32>(self) -> Self {
        // SAFETY: NEON is enabled at compile time.
        Eight(unsafe { vshlq_u16(self.0, vdupq_n_s16(BY as i16)) })
    }

    #[inline(always)]
    fn highest_bits(self) -> u16 {
        const WEIGHTS: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
        // SAFETY: NEON is enabled at compile time; this reads the sixteen bytes behind the
        // reference.
        unsafe {
            let ones = vcltzq_s8(vreinterpretq_s8_u8(self.bytes()));
            // Adding neighbours three times leaves the sum of each half in one byte.
            let sums = vandq_u8(ones, vld1q_u8(WEIGHTS.as_ptr()));
            let sums = vpaddq_u8(sums, sums);
            let sums = vpaddq_u8(sums, sums);
            let sums = vpaddq_u8(sums, sums);
            vgetq_lane_u16::<0>(vreinterpretq_u16_u8(sums))
        }
    }
}
