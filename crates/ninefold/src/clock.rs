//! The clock: this is where we ask how much time has passed.
//!
//! Everywhere but in WebAssembly that is the system's clock. `wasm32-unknown-unknown` has none, and asking for it ends the
//! program: there time stands still until the host gives us its own clock with `set`, and until then limits of time
//! never end anything; limits of nodes and cancel flags do.

#[cfg(any(test, all(target_family = "wasm", target_os = "unknown")))]
mod host;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use host::{Instant, set, since_epoch};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// The time since the beginning of 1970, as the system has it.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[must_use]
pub fn since_epoch() -> std::time::Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}
