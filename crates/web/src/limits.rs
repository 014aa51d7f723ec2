//! Limits: what clients may take from the server. The help of `ninefold serve`, the README and `/openapi.json` name them.

pub use ninefold_api::limits::{LONGEST, LONGEST_SEARCH};
use std::time::Duration;

/// What clients may take from the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Open connections; one more is told that the server is busy, unless an idle one can be closed.
    pub connections: usize,
    /// Open connections from one address (of the sixth version: from one network of 2⁶⁴ addresses).
    pub per_address: usize,
    /// Time for the head of a request to arrive, and for an idle connection to ask again.
    pub patience: Duration,
    /// Time for a client to take what was written to it.
    pub write_patience: Duration,
    /// Bytes that the system may keep for a client that does not read; it takes twice as many for its own accounts.
    pub send_buffer: usize,
    /// Where places are short, a connection is closed after it has been idle, or has not taken its answer, for so long.
    pub grace: Duration,
}

impl Limits {
    /// The limits of `ninefold serve`.
    pub const DEFAULT: Limits = Limits {
        connections: 512,
        per_address: 128,
        patience: Duration::from_secs(15),
        write_patience: Duration::from_secs(15),
        send_buffer: 64 * 1024,
        grace: Duration::from_secs(1),
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}

/// The longest body that is read: a 25×25 grid with all its marks fits, and so do a thousand 9×9 puzzles to import.
pub const MOST_BODY_BYTES: usize = 128 * 1024;

/// A body must be here after this time; a slow client does not hold a place for longer.
pub const BODY_PATIENCE: Duration = Duration::from_secs(10);

/// What quick work may take; longer work is handed on to the slow queue.
pub const QUICK: Duration = Duration::from_millis(50);

/// What is not finished then is tried for so long, on places of its own, before it waits among the slow work.
pub const MEDIUM: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold_api::limits::{MOST_PUZZLES_READ, MOST_SIDE, MOST_SIDE_MADE};

    /// Every limit that a client may meet is in the description of the API.
    #[test]
    fn the_description_names_every_limit() {
        let description: serde_json::Value =
            serde_json::from_str(include_str!("../openapi.json")).unwrap();
        let words = description["info"]["description"].as_str().expect("the API is described");
        let seconds = |time: Duration| format!("{} seconds", time.as_secs());
        let Limits { connections, per_address, patience, write_patience, .. } = Limits::DEFAULT;
        for limit in [
            format!("{connections} connections"),
            format!("{per_address} from one address"),
            format!("{} KiB", MOST_BODY_BYTES / 1024),
            format!("{MOST_SIDE}×{MOST_SIDE}"),
            format!("{MOST_SIDE_MADE}×{MOST_SIDE_MADE}"),
            format!("{MOST_PUZZLES_READ} puzzles"),
            format!("head within {}", seconds(patience)),
            format!("body within {}", seconds(BODY_PATIENCE)),
            format!("taken within {}", seconds(write_patience)),
            seconds(LONGEST),
            seconds(LONGEST_SEARCH),
        ] {
            assert!(words.contains(&limit), "{limit:?} is not in {words}");
        }
    }
}
