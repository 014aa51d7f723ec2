//! Noise for initial states: a constant table of normally distributed numbers. The noise of a node
//! is a row that starts at a random position of the table.
//!
//! So a noise source is one integer, and CPU and GPU start from the same states.

use ninefold::random::Random;
use std::sync::OnceLock;

/// The standard deviation of the noise.
pub const STRENGTH: f64 = 0.1;

/// The number of positions where a row can start.
pub const POSITIONS: usize = 1 << 16;

/// The source of nodes without noise.
pub const NONE: i32 = i32::MIN;

/// Numbers after the last position, for the widest row.
const MAX_WIDTH: usize = 1024;

/// The table.
pub fn table() -> &'static [f32] {
    static TABLE: OnceLock<Vec<f32>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut random = Random::new(0x006e_6f69_7365);
        (0..POSITIONS + MAX_WIDTH).map(|_| (STRENGTH * random.normal()) as f32).collect()
    })
}

/// A random noise source.
pub fn source(random: &mut Random) -> i32 {
    -1 - random.below(POSITIONS) as i32
}

/// The noise of a source; zeros for [`NONE`].
#[inline]
pub fn row(source: i32, width: usize) -> impl Iterator<Item = f32> {
    let start = (source != NONE).then(|| (-1 - source) as usize);
    (0..width).map(move |channel| start.map_or(0.0, |start| table()[start + channel]))
}
