//! A clock provided by the host, with the parts of `std::time::Instant` that the library uses.

use std::sync::OnceLock;
use std::time::Duration;

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Sets the clock, which returns the time since 1970-01-01. Only the first call has an effect.
pub fn set(clock: fn() -> Duration) {
    CLOCK.get_or_init(|| clock);
}

/// The time since 1970-01-01; zero without a clock.
#[must_use]
pub fn since_epoch() -> Duration {
    CLOCK.get().map_or(Duration::ZERO, |clock| clock())
}

/// A point in time on the clock of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// The current time.
    #[must_use]
    pub fn now() -> Instant {
        Instant(since_epoch())
    }

    /// The time since this instant.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Instant::now().saturating_duration_since(*self)
    }

    /// The time since an earlier instant; zero if it is later.
    #[must_use]
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The time since an earlier instant; zero if it is later, because the clock of the host may be
    /// set back.
    #[must_use]
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        self.saturating_duration_since(earlier)
    }

    /// This instant plus a time; `None` on overflow.
    #[must_use]
    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        self.0.checked_add(time).map(Instant)
    }
}

impl std::ops::Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Instant) -> Duration {
        self.saturating_duration_since(earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    static SECONDS: AtomicU64 = AtomicU64::new(100);

    /// A single test, because the clock can only be set once.
    #[test]
    fn no_time_passes_without_a_clock() {
        let before = Instant::now();
        assert_eq!((before.elapsed(), since_epoch()), (Duration::ZERO, Duration::ZERO));
        set(|| Duration::from_secs(SECONDS.load(Ordering::Relaxed)));
        let started = Instant::now();
        SECONDS.store(103, Ordering::Relaxed);
        assert_eq!(started.elapsed(), Duration::from_secs(3));
        assert_eq!(Instant::now() - started, Duration::from_secs(3));
        SECONDS.store(90, Ordering::Relaxed);
        assert_eq!(
            started.elapsed(),
            Duration::ZERO,
            "no time has passed on a clock that was set back"
        );
        assert_eq!(started.duration_since(Instant::now()), Duration::from_secs(10));
        set(|| Duration::MAX);
        assert_eq!(since_epoch(), Duration::from_secs(90), "the first clock stays");
        assert_eq!(started.checked_add(Duration::MAX), None);
    }
}
