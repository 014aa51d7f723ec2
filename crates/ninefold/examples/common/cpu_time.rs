//! The clock of the measuring examples.

use std::time::Instant;

/// The CPU time of this process in seconds, or the wall time where it is not available.
pub fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds: Option<f64> =
        text.split_whitespace().next().and_then(|word| word.parse().ok());
    nanoseconds
        .map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |ns| ns / 1e9)
}
