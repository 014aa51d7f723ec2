//! Vectors of eight numbers: the operations of the forward pass, and a portable implementation.

use std::f32::consts::LOG2_E;

/// Eight numbers in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Eight(pub [f32; 8]);

impl Eight {
    pub const ZERO: Eight = Eight([0.0; 8]);

    pub fn from_fn(number: impl FnMut(usize) -> f32) -> Eight {
        Eight(std::array::from_fn(number))
    }
}

/// Eight numbers in a vector register, or in an array where there is none.
pub(super) trait Lanes: Copy {
    fn splat(number: f32) -> Self;
    fn load(numbers: &Eight) -> Self;
    fn stored(self) -> Eight;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    /// self · factor + sum, rounded once if the CPU has FMA.
    fn times_plus(self, factor: Self, sum: Self) -> Self;
    /// Each number plus the one four places from it.
    fn plus_other_half(self) -> Self;
    /// The sum of all eight.
    fn sum(self) -> f32;
    /// Adds the lowest bits of the other numbers to the exponents of these.
    fn times_power_of_two(self, bits: Self) -> Self;

    /// The exponential function as a branch-free polynomial.
    #[inline(always)]
    fn exp(self) -> Self {
        const ROUNDER: f32 = 12_582_912.0;
        // ln 2 in two parts: the product of a small integer with the first is exact.
        const LN_2_HIGH: f32 = 0.693_359_4;
        const LN_2_LOW: f32 = -2.121_944_4e-4;
        let x = self.max(Self::splat(-87.0)).min(Self::splat(87.0));
        let rounded = x.times_plus(Self::splat(LOG2_E), Self::splat(ROUNDER));
        let whole = rounded.minus(Self::splat(ROUNDER));
        let rest = whole.times_plus(Self::splat(-LN_2_HIGH), x);
        let rest = whole.times_plus(Self::splat(-LN_2_LOW), rest);
        let mut power = Self::splat(1.0 / 720.0);
        for factor in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
            power = power.times_plus(rest, Self::splat(factor));
        }
        power.times_power_of_two(rounded)
    }
}

/// An array, for any CPU.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable([f32; 8]);

impl Portable {
    #[inline(always)]
    fn with(self, other: Portable, function: impl Fn(f32, f32) -> f32) -> Portable {
        Portable(std::array::from_fn(|lane| function(self.0[lane], other.0[lane])))
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn splat(number: f32) -> Portable {
        Portable([number; 8])
    }

    #[inline(always)]
    fn load(numbers: &Eight) -> Portable {
        Portable(numbers.0)
    }

    #[inline(always)]
    fn stored(self) -> Eight {
        Eight(self.0)
    }

    #[inline(always)]
    fn plus(self, other: Portable) -> Portable {
        self.with(other, |a, b| a + b)
    }

    #[inline(always)]
    fn minus(self, other: Portable) -> Portable {
        self.with(other, |a, b| a - b)
    }

    #[inline(always)]
    fn times(self, other: Portable) -> Portable {
        self.with(other, |a, b| a * b)
    }

    #[inline(always)]
    fn over(self, other: Portable) -> Portable {
        self.with(other, |a, b| a / b)
    }

    #[inline(always)]
    fn max(self, other: Portable) -> Portable {
        self.with(other, f32::max)
    }

    #[inline(always)]
    fn min(self, other: Portable) -> Portable {
        self.with(other, f32::min)
    }

    #[inline(always)]
    fn times_plus(self, factor: Portable, sum: Portable) -> Portable {
        self.times(factor).plus(sum)
    }

    #[inline(always)]
    fn plus_other_half(self) -> Portable {
        Portable(std::array::from_fn(|lane| self.0[lane] + self.0[(lane + 4) % 8]))
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        self.0.iter().sum()
    }

    #[inline(always)]
    fn times_power_of_two(self, bits: Portable) -> Portable {
        self.with(bits, |number, bits| {
            f32::from_bits(number.to_bits().wrapping_add(bits.to_bits() << 23))
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Compares all operations of an implementation with scalar ones.
    pub fn check<L: Lanes>() {
        let (a, b) = (
            Eight::from_fn(|lane| lane as f32 - 2.5),
            Eight::from_fn(|lane| 3.0 - 0.25 * lane as f32),
        );
        let (x, y) = (L::load(&a), L::load(&b));
        let each =
            |function: fn(f32, f32) -> f32| Eight::from_fn(|lane| function(a.0[lane], b.0[lane]));
        assert_eq!(x.stored(), a);
        assert_eq!(L::splat(2.0).stored(), Eight([2.0; 8]));
        assert_eq!(x.plus(y).stored(), each(|a, b| a + b));
        assert_eq!(x.minus(y).stored(), each(|a, b| a - b));
        assert_eq!(x.times(y).stored(), each(|a, b| a * b));
        assert_eq!(x.over(y).stored(), each(|a, b| a / b));
        assert_eq!(x.max(y).stored(), each(f32::max));
        assert_eq!(x.min(y).stored(), each(f32::min));
        assert_eq!(
            x.times_plus(y, x).stored(),
            each(|a, b| a * b + a),
            "these numbers need no rounding"
        );
        assert_eq!(x.plus_other_half().stored(), Eight([-1.0, 1.0, 3.0, 5.0, -1.0, 1.0, 3.0, 5.0]));
        assert_eq!(x.sum(), 8.0);
        for number in -900..=900 {
            let exact = f64::from(number) / 10.0;
            let found = L::splat(exact as f32).exp().stored().0;
            let share = f64::from(found[0]) / exact.clamp(-87.0, 87.0).exp() - 1.0;
            assert!(
                share.abs() < 1e-5 && found.iter().all(|&other| other == found[0]),
                "exp {exact}: {found:?}"
            );
        }
    }

    #[test]
    fn arrays_agree_with_scalar_operations() {
        check::<Portable>();
    }
}
