//! A clock that the host gives us, with the part of `std::time::Instant` that we use.

use std::sync::OnceLock;
use std::time::Duration;

static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

/// Gives us a clock: the time since the beginning of 1970. The first one stays.
pub fn set(clock: fn() -> Duration) {
    CLOCK.get_or_init(|| clock);
}

/// The time since the beginning of 1970; nothing without a clock.
#[must_use]
pub fn since_epoch() -> Duration {
    CLOCK.get().map_or(Duration::ZERO, |clock| clock())
}

/// A moment on the host's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    #[must_use]
    pub fn now() -> Instant {
        Instant(since_epoch())
    }

    /// How long ago it was.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Instant::now().saturating_duration_since(*self)
    }

    /// The time from an earlier moment to this one; none if it was later.
    #[must_use]
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The same; a clock of the host may be set back, so this does not insist on the order either.
    #[must_use]
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        self.saturating_duration_since(earlier)
    }

    /// A later moment, if there is one.
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

    /// One test, because there is one clock.
    #[test]
    fn time_stands_still_until_the_host_gives_a_clock() {
        let before = Instant::now();
        assert_eq!((before.elapsed(), since_epoch()), (Duration::ZERO, Duration::ZERO));
        set(|| Duration::from_secs(SECONDS.load(Ordering::Relaxed)));
        let started = Instant::now();
        SECONDS.store(103, Ordering::Relaxed);
        assert_eq!(started.elapsed(), Duration::from_secs(3));
        assert_eq!(Instant::now() - started, Duration::from_secs(3));
        SECONDS.store(90, Ordering::Relaxed);
        assert_eq!(started.elapsed(), Duration::ZERO, "a clock that is set back shows no time");
        assert_eq!(started.duration_since(Instant::now()), Duration::from_secs(10));
        set(|| Duration::MAX);
        assert_eq!(since_epoch(), Duration::from_secs(90), "the first clock stays");
        assert_eq!(started.checked_add(Duration::MAX), None);
    }
}
