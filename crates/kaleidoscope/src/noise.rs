//! Noise: a long table of normal draws that never changes; a new node takes a row that begins anywhere in it.
//!
//! So a start is one number, which follows from the seed of a run, and the processor and a graphics card start alike.

use ninefold::random::Random;
use std::sync::OnceLock;

/// How far a start is from the learned one.
pub const STRENGTH: f64 = 0.1;

/// Places where a row can begin.
pub const PLACES: usize = 1 << 16;

/// No noise.
pub const NONE: i32 = i32::MIN;

/// Room after the last place for the widest row.
const ROOM: usize = 1024;

/// The table.
pub fn table() -> &'static [f32] {
    static TABLE: OnceLock<Vec<f32>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut random = Random::new(0x006e_6f69_7365);
        (0..PLACES + ROOM).map(|_| (STRENGTH * random.normal()) as f32).collect()
    })
}

/// The source of a new node with noise.
pub fn source(random: &mut Random) -> i32 {
    -1 - random.below(PLACES) as i32
}

/// The noise of a new node, or nothing but zeros.
#[inline]
pub fn row(source: i32, width: usize) -> impl Iterator<Item = f32> {
    let place = (source != NONE).then(|| (-1 - source) as usize);
    (0..width).map(move |channel| place.map_or(0.0, |place| table()[place + channel]))
}
