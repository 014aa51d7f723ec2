//! Synthetic boards: training data, test images and inputs for fuzzing.
//!
//! Everything depends on a seed only. Digits come from strokes that are part of this library, or
//! from font files that the caller passes.

pub mod canvas;
#[cfg(feature = "train")]
pub mod cell;
#[cfg(feature = "train")]
pub mod fonts;
pub mod photo;
pub mod strokes;

use ninefold::random::Random;

/// A uniformly distributed number.
pub(crate) fn uniform(random: &mut Random, low: f64, high: f64) -> f32 {
    let share = (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    (low + (high - low) * share) as f32
}

/// A normally distributed number.
pub(crate) fn normal(random: &mut Random, deviation: f64) -> f32 {
    (random.normal() * deviation) as f32
}
