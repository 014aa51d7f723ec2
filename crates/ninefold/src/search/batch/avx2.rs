//! Sixteen lanes in one AVX2 register.
//!
//! Safety. Every `unsafe` block here calls an intrinsic that is sound on a processor with AVX2. Values of [`Sixteen`]
//! are only made and used inside [`run`], which carries that feature as `#[target_feature]`, and which asks for it
//! first. The two intrinsics that take pointers are given a reference to exactly 32 bytes and need no alignment.
#![allow(unsafe_code)]

use super::super::nine::Bits;
use super::kernel::Vector;
use super::{Engine, Job, Stop, Tally};
use std::arch::x86_64::*;
use std::ops::ControlFlow;

/// Runs a job on 16 lanes, or says `None` where the processor cannot.
pub(super) fn run(job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> Option<ControlFlow<Stop>> {
    if !Engine::Avx2.is_available() {
        return None;
    }
    #[target_feature(enable = "avx2,popcnt")]
    fn with_features(job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> ControlFlow<Stop> {
        super::drive::<16, Sixteen>(job, tallies)
    }
    // SAFETY: the processor has every feature that `with_features` enables, as asked above.
    Some(unsafe { with_features(job, tallies) })
}

/// Sixteen sets of digits.
#[derive(Clone, Copy)]
struct Sixteen(__m256i);

impl Sixteen {
    /// In `self` and not in `other`.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: AVX2.
        Sixteen(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: AVX2.
        Sixteen(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    /// All ones in the lanes where both are equal.
    #[inline(always)]
    fn equal_mask(self, other: Self) -> Self {
        // SAFETY: AVX2.
        Sixteen(unsafe { _mm256_cmpeq_epi16(self.0, other.0) })
    }

    /// One bit for each lane of a mask of all ones or all zeros.
    #[inline(always)]
    fn lanes(self) -> u32 {
        // SAFETY: AVX2. Packing works inside each half of the register, so the halves' bits are picked apart again.
        let bytes =
            unsafe { _mm256_movemask_epi8(_mm256_packs_epi16(self.0, _mm256_setzero_si256())) }
                as u32;
        bytes & 0xFF | bytes >> 8 & 0xFF00
    }

    /// The set without its smallest digit.
    #[inline(always)]
    fn without_smallest(self) -> Self {
        // SAFETY: AVX2.
        let predecessor = Sixteen(unsafe { _mm256_add_epi16(self.0, _mm256_set1_epi16(-1)) });
        self.and(predecessor)
    }
}

impl Vector<16> for Sixteen {
    #[inline(always)]
    fn splat(bits: Bits) -> Self {
        // SAFETY: AVX2.
        Sixteen(unsafe { _mm256_set1_epi16(bits as i16) })
    }

    #[inline(always)]
    fn load(from: &[Bits; 16]) -> Self {
        // SAFETY: AVX2; reads the 32 bytes behind the reference.
        Sixteen(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [Bits; 16]) {
        // SAFETY: AVX2; writes the 32 bytes behind the reference.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: AVX2.
        Sixteen(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: AVX2.
        Sixteen(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or3(a: Self, b: Self, c: Self) -> Self {
        a.or(b).or(c)
    }

    #[inline(always)]
    fn and3(a: Self, b: Self, c: Self) -> Self {
        a.and(b).and(c)
    }

    #[inline(always)]
    fn only_first(a: Self, b: Self, c: Self) -> Self {
        a.without(b.or(c))
    }

    #[inline(always)]
    fn exactly_one(a: Self, b: Self, c: Self) -> Self {
        // An odd number of them, but not all three.
        a.xor(b).xor(c).without(Self::and3(a, b, c))
    }

    #[inline(always)]
    fn first_and_either(a: Self, b: Self, c: Self) -> Self {
        a.and(b.or(c))
    }

    #[inline(always)]
    fn if_single(self) -> Self {
        self.without_smallest().equal_mask(Self::splat(0)).and(self)
    }

    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        let empty = self.equal_mask(Self::splat(0));
        self.or(other.and(empty))
    }

    #[inline(always)]
    fn three_due(due: Self, allowed: Self) -> Self {
        let without_two = due.without_smallest().without_smallest();
        let none_left = without_two.without_smallest().equal_mask(Self::splat(0));
        let three = without_two.equal_mask(Self::splat(0));
        let three = none_left.without(three);
        due.and(three).or(allowed.without(three))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: AVX2.
        Sixteen(unsafe { _mm256_min_epu16(self.0, other.0) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: AVX2.
        Sixteen(unsafe { _mm256_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        self.equal_mask(other).lanes()
    }

    #[inline(always)]
    fn share(self, other: Self) -> u32 {
        !self.and(other).equal_mask(Self::splat(0)).lanes() & 0xFFFF
    }

    #[inline(always)]
    fn has_two(self) -> u32 {
        let rest = self.without_smallest();
        let one_left = rest.without_smallest().equal_mask(Self::splat(0));
        one_left.without(rest.equal_mask(Self::splat(0))).lanes()
    }

    #[inline(always)]
    fn has_several(self) -> u32 {
        !self.without_smallest().equal_mask(Self::splat(0)).lanes() & 0xFFFF
    }
}
