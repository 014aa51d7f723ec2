//! Eight numbers in one AVX2 register.
//!
//! Safety. Every `unsafe` block here but one calls an intrinsic that is sound on a processor with AVX2 and FMA. Values of [`Avx2`]
//! are only made and used inside [`step`], which carries those features as `#[target_feature]`, and which asks for them first.
//! The two intrinsics that take pointers are given a reference to exactly 32 bytes, aligned to 32.
#![allow(unsafe_code)]

use super::Forward;
use super::lanes::{Eight, Lanes};
use std::arch::x86_64::*;

fn is_available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// One iteration, or `false` where the processor cannot.
pub(super) fn step(forward: &mut Forward) -> bool {
    #[target_feature(enable = "avx2,fma")]
    fn with_features(forward: &mut Forward) {
        forward.step_with::<Avx2>();
    }
    let is_available = is_available();
    if is_available {
        // SAFETY: the processor has every feature that `with_features` enables, as asked above.
        unsafe { with_features(forward) };
    }
    is_available
}

#[derive(Clone, Copy)]
struct Avx2(__m256);

impl Lanes for Avx2 {
    #[inline(always)]
    fn splat(number: f32) -> Avx2 {
        // SAFETY: AVX.
        Avx2(unsafe { _mm256_set1_ps(number) })
    }

    #[inline(always)]
    fn load(numbers: &Eight) -> Avx2 {
        // SAFETY: AVX; 32 bytes, aligned.
        Avx2(unsafe { _mm256_load_ps(numbers.0.as_ptr()) })
    }

    #[inline(always)]
    fn stored(self) -> Eight {
        let mut numbers = Eight::ZERO;
        // SAFETY: AVX; 32 bytes, aligned.
        unsafe { _mm256_store_ps(numbers.0.as_mut_ptr(), self.0) };
        numbers
    }

    #[inline(always)]
    fn plus(self, other: Avx2) -> Avx2 {
        // SAFETY: AVX.
        Avx2(unsafe { _mm256_add_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Avx2) -> Avx2 {
        // SAFETY: AVX.
        Avx2(unsafe { _mm256_sub_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn times(self, other: Avx2) -> Avx2 {
        // SAFETY: AVX.
        Avx2(unsafe { _mm256_mul_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn over(self, other: Avx2) -> Avx2 {
        // SAFETY: AVX.
        Avx2(unsafe { _mm256_div_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn max(self, other: Avx2) -> Avx2 {
        // SAFETY: AVX.
        Avx2(unsafe { _mm256_max_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn min(self, other: Avx2) -> Avx2 {
        // SAFETY: AVX.
        Avx2(unsafe { _mm256_min_ps(self.0, other.0) })
    }

    #[inline(always)]
    fn times_plus(self, factor: Avx2, sum: Avx2) -> Avx2 {
        // SAFETY: FMA.
        Avx2(unsafe { _mm256_fmadd_ps(self.0, factor.0, sum.0) })
    }

    #[inline(always)]
    fn plus_other_half(self) -> Avx2 {
        // SAFETY: AVX.
        Avx2(unsafe { _mm256_add_ps(self.0, _mm256_permute2f128_ps::<1>(self.0, self.0)) })
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        // SAFETY: AVX.
        unsafe {
            let four =
                _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps::<1>(two, two)))
        }
    }

    #[inline(always)]
    fn times_power_of_two(self, bits: Avx2) -> Avx2 {
        // SAFETY: AVX2.
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
    fn a_register_does_what_the_operations_say() {
        #[target_feature(enable = "avx2,fma")]
        fn check() {
            super::super::lanes::tests::check::<Avx2>();
        }
        if is_available() {
            // SAFETY: the processor has the features, as asked above.
            unsafe { check() };
        }
    }
}
