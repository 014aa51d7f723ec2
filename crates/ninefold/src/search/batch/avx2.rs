//! Sixteen lanes in one AVX2 register.
//!
//! Safety: a [`Sixteen`] contains an [`Avx2`], so it exists only on CPUs that support AVX2. Loads
//! and stores use references to arrays of exactly 32 bytes, and the instructions need no alignment.
#![allow(unsafe_code)]

use super::super::features::Avx2;
use super::super::nine::Bits;
use super::kernel::Vector;
use super::{Job, StopReason, Tally};
use std::arch::x86_64::*;
use std::ops::ControlFlow;

/// Runs a job on 16 lanes. Returns `None` if the CPU does not support AVX2.
pub(super) fn run(job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> Option<ControlFlow<StopReason>> {
    #[target_feature(enable = "avx2,popcnt")]
    fn with_features(
        features: Avx2,
        job: &mut Job<'_, '_>,
        tallies: &mut [Tally],
    ) -> ControlFlow<StopReason> {
        super::drive::<16, Sixteen>(features, job, tallies)
    }
    let features = Avx2::detect()?;
    // SAFETY: `detect` checked AVX2 and POPCNT on this CPU.
    Some(unsafe { with_features(features, job, tallies) })
}

/// Sixteen sets of digits.
#[derive(Clone, Copy)]
struct Sixteen(__m256i, Avx2);

impl Sixteen {
    /// Another vector for the same CPU.
    #[inline(always)]
    fn with(self, register: __m256i) -> Self {
        Sixteen(register, self.1)
    }

    /// All zeros.
    #[inline(always)]
    fn zero(self) -> Self {
        Self::splat(self.1, 0)
    }

    /// `self & !other`.
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_andnot_si256(other.0, self.0) })
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_xor_si256(self.0, other.0) })
    }

    /// All ones in the lanes where both are equal.
    #[inline(always)]
    fn equal_mask(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_cmpeq_epi16(self.0, other.0) })
    }

    /// One bit for each lane of a mask of all ones or all zeros.
    #[inline(always)]
    fn lanes(self) -> u32 {
        // SAFETY: `self` proves that the CPU supports AVX2. Packing works inside each half of the
        // register, so the bits of the halves are extracted separately.
        let bytes =
            unsafe { _mm256_movemask_epi8(_mm256_packs_epi16(self.0, _mm256_setzero_si256())) }
                as u32;
        bytes & 0xFF | bytes >> 8 & 0xFF00
    }

    /// The set without its smallest digit.
    #[inline(always)]
    fn without_smallest(self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        let predecessor = self.with(unsafe { _mm256_add_epi16(self.0, _mm256_set1_epi16(-1)) });
        self.and(predecessor)
    }
}

impl Vector<16> for Sixteen {
    type Features = Avx2;

    #[inline(always)]
    fn splat(features: Avx2, bits: Bits) -> Self {
        // SAFETY: `features` proves that the CPU supports AVX2.
        Sixteen(unsafe { _mm256_set1_epi16(bits as i16) }, features)
    }

    #[inline(always)]
    fn load(features: Avx2, from: &[Bits; 16]) -> Self {
        // SAFETY: `features` proves that the CPU supports AVX2; this reads the 32 bytes behind the
        // reference.
        Sixteen(unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }, features)
    }

    #[inline(always)]
    fn store(self, to: &mut [Bits; 16]) {
        // SAFETY: `self` proves that the CPU supports AVX2; this writes the 32 bytes behind the
        // reference.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0) }
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
        // In an odd number of them, but not in all three.
        a.xor(b).xor(c).without(Self::and3(a, b, c))
    }

    #[inline(always)]
    fn first_and_either(a: Self, b: Self, c: Self) -> Self {
        a.and(b.or(c))
    }

    #[inline(always)]
    fn if_single(self) -> Self {
        self.without_smallest().equal_mask(self.zero()).and(self)
    }

    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        let empty = self.equal_mask(self.zero());
        self.or(other.and(empty))
    }

    #[inline(always)]
    fn three_due(due: Self, allowed: Self) -> Self {
        let without_two = due.without_smallest().without_smallest();
        let none_left = without_two.without_smallest().equal_mask(due.zero());
        let three = without_two.equal_mask(due.zero());
        let three = none_left.without(three);
        due.and(three).or(allowed.without(three))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_min_epu16(self.0, other.0) })
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: `self` proves that the CPU supports AVX2.
        self.with(unsafe { _mm256_add_epi16(self.0, other.0) })
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        self.equal_mask(other).lanes()
    }

    #[inline(always)]
    fn share(self, other: Self) -> u32 {
        !self.and(other).equal_mask(self.zero()).lanes() & 0xFFFF
    }

    #[inline(always)]
    fn has_two(self) -> u32 {
        let rest = self.without_smallest();
        let one_left = rest.without_smallest().equal_mask(self.zero());
        one_left.without(rest.equal_mask(self.zero())).lanes()
    }

    #[inline(always)]
    fn has_several(self) -> u32 {
        !self.without_smallest().equal_mask(self.zero()).lanes() & 0xFFFF
    }
}
