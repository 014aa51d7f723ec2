//! [`Lanes`] as AVX2 registers.
//!
//! Safety: all intrinsics here need AVX2 and FMA. Values of the private type [`Avx2`] are created
//! only inside [`step`] and the test, both after `is_available` has detected these features. Loads
//! and stores use references to 32 bytes, which [`Eight`] aligns to 32.
#![allow(unsafe_code)]

use super::Forward;
use super::lanes::{Eight, Lanes};
use std::arch::x86_64::*;

fn is_available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Runs one iteration, or returns false if the CPU lacks AVX2 or FMA.
pub(super) fn step(forward: &mut Forward) -> bool {
    #[target_feature(enable = "avx2,fma")]
    fn with_features(forward: &mut Forward) {
        forward.step_with::<Avx2>();
    }
    let is_available = is_available();
    if is_available {
        // SAFETY: the CPU has all features that `with_features` enables (`is_available`).
        unsafe { with_features(forward) };
    }
    is_available
}

#[derive(Clone, Copy)]
struct Avx2(__m256);

impl Lanes for Avx2 {
    #[inline(always)]
    fn splat(number: f32) -> Avx2 {
        // SAFETY: `step` and the test call this only after AVX2 and FMA were detected.
        Avx2(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn load(numbers: &Eight) -> Avx2 {
        // SAFETY: AVX2 was detected (see the module); `Eight` has 32 bytes and is aligned to 32.
        Avx2(unsafe { _mm256_load_ps(numbers.0.as_ptr()) })
    }

    #[inline(always)]
    fn stored(self) -> Eight {
        let mut numbers = Eight::ZERO;
        // SAFETY: AVX2 was detected (see the module); `Eight` has 32 bytes and is aligned to 32.
        unsafe { _mm256_store_ps(numbers.0.as_mut_ptr(), self.0) };
        numbers
    }

    #[inline(always)]
    fn plus(self, other: Avx2) -> Avx2 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        Avx2(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Avx2) -> Avx2 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        Avx2(unsafe { _mm256_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Avx2) -> Avx2 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        Avx2(unsafe { _mm256_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn over(self, other: Avx2) -> Avx2 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        Avx2(unsafe { _mm256_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Avx2) -> Avx2 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        Avx2(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Avx2) -> Avx2 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        Avx2(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn times_plus(self, factor: Avx2, sum: Avx2) -> Avx2 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        Avx2(unsafe { _mm256_fmadd_ps(self.0, factor.0, sum.0) })
    }

    #[inline(always)]
    fn plus_other_half(self) -> Avx2 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        Avx2(unsafe { _mm256_add_ps(self.0, _mm256_permute2f128_ps::<1>(self.0, self.0)) })
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        unsafe {
            let four =
                _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
        }
    }

    #[inline(always)]
    fn times_power_of_two(self, bits: Avx2) -> Avx2 {
        // SAFETY: `Avx2` values exist only where AVX2 and FMA were detected.
        unsafe {
            let shifted = _mm256_slli_epi32::<23>(_mm256_castps_si256(bits.0));
            Avx2(_mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(self.0), shifted)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_agree_with_scalar_operations() {
        #[target_feature(enable = "avx2,fma")]
        fn check() {
            super::super::lanes::tests::check::<Avx2>();
        }
        if is_available() {
            // SAFETY: the CPU has all features that `check` enables (`is_available`).
            unsafe { check() };
        }
    }
}
