//! The clock for time limits and elapsed times.
//!
//! This is the system clock, except on `wasm32-unknown-unknown`, where reading it would panic.
//! There the host provides a clock with `set`. Before that, no time passes, so time limits have no
//! effect; node limits and cancel flags work.

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod host;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, set, since_epoch};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// The time since 1970-01-01 on the system clock.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[must_use]
pub fn since_epoch() -> std::time::Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}
