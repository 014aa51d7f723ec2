//! Eight lanes in plain Rust, for every CPU. Compilers vectorize these loops.

use super::super::nine::Bits;
use super::kernel::Vector;
use super::{Job, StopReason, Tally};
use std::ops::ControlFlow;

/// Runs a job on eight lanes.
pub(super) fn run(job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> ControlFlow<StopReason> {
    super::drive::<8, Eight>((), job, tallies)
}

/// Eight sets of digits.
#[derive(Clone, Copy)]
struct Eight([Bits; 8]);

impl Eight {
    #[inline(always)]
    fn map(self, change: impl Fn(Bits) -> Bits) -> Self {
        Eight(self.0.map(change))
    }

    #[inline(always)]
    fn zip(self, other: Self, join: impl Fn(Bits, Bits) -> Bits) -> Self {
        Eight(std::array::from_fn(|lane| join(self.0[lane], other.0[lane])))
    }

    #[inline(always)]
    fn zip3(a: Self, b: Self, c: Self, join: impl Fn(Bits, Bits, Bits) -> Bits) -> Self {
        Eight(std::array::from_fn(|lane| join(a.0[lane], b.0[lane], c.0[lane])))
    }

    #[inline(always)]
    fn lanes(self, is_one: impl Fn(Bits) -> bool) -> u32 {
        self.0
            .iter()
            .enumerate()
            .fold(0, |lanes, (lane, &bits)| lanes | u32::from(is_one(bits)) << lane)
    }
}

/// The set without its smallest digit.
#[inline(always)]
fn without_smallest(bits: Bits) -> Bits {
    bits & bits.wrapping_sub(1)
}

impl Vector<8> for Eight {
    /// Plain Rust needs no CPU features.
    type Features = ();

    #[inline(always)]
    fn splat(_: (), bits: Bits) -> Self {
        Eight([bits; 8])
    }

    #[inline(always)]
    fn load(_: (), from: &[Bits; 8]) -> Self {
        Eight(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut [Bits; 8]) {
        *to = self.0;
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    #[inline(always)]
    fn or3(a: Self, b: Self, c: Self) -> Self {
        Self::zip3(a, b, c, |a, b, c| a | b | c)
    }

    #[inline(always)]
    fn and3(a: Self, b: Self, c: Self) -> Self {
        Self::zip3(a, b, c, |a, b, c| a & b & c)
    }

    #[inline(always)]
    fn only_first(a: Self, b: Self, c: Self) -> Self {
        Self::zip3(a, b, c, |a, b, c| a & !(b | c))
    }

    #[inline(always)]
    fn exactly_one(a: Self, b: Self, c: Self) -> Self {
        Self::zip3(a, b, c, |a, b, c| (a ^ b ^ c) & !(a & b & c))
    }

    #[inline(always)]
    fn first_and_either(a: Self, b: Self, c: Self) -> Self {
        Self::zip3(a, b, c, |a, b, c| a & (b | c))
    }

    #[inline(always)]
    fn if_single(self) -> Self {
        self.map(|bits| if without_smallest(bits) == 0 { bits } else { 0 })
    }

    #[inline(always)]
    fn or_else(self, other: Self) -> Self {
        self.zip(other, |a, b| if a == 0 { b } else { a })
    }

    #[inline(always)]
    fn three_due(due: Self, allowed: Self) -> Self {
        due.zip(allowed, |due, allowed| {
            let third = without_smallest(without_smallest(due));
            if third != 0 && without_smallest(third) == 0 { due } else { allowed }
        })
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, Bits::min)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, Bits::wrapping_add)
    }

    #[inline(always)]
    fn equal(self, other: Self) -> u32 {
        self.zip(other, |a, b| a ^ b).lanes(|difference| difference == 0)
    }

    #[inline(always)]
    fn share(self, other: Self) -> u32 {
        self.and(other).lanes(|both| both != 0)
    }

    #[inline(always)]
    fn has_two(self) -> u32 {
        self.lanes(|bits| bits.count_ones() == 2)
    }

    #[inline(always)]
    fn has_several(self) -> u32 {
        self.lanes(|bits| without_smallest(bits) != 0)
    }
}
