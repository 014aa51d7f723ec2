//! Limits on what clients may use. They are documented in `ninefold serve --help`, the README and
//! `openapi.json`.

pub use ninefold_api::limits::{MAX_SEARCH_TIME, MAX_TIME};
use std::time::Duration;

/// Limits on connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Open connections. Further ones are rejected unless an idle one can be closed.
    pub connections: usize,
    /// Open connections from one IP address, or from one IPv6 network of 2⁶⁴ addresses.
    pub connections_per_address: usize,
    /// Time for the head of a request to arrive, and until an idle connection sends the next one.
    pub header_timeout: Duration,
    /// Time for a client to read what was written.
    pub write_timeout: Duration,
    /// Size in bytes of the send buffer of a connection; Linux doubles it for its bookkeeping.
    pub send_buffer: usize,
    /// When a limit on connections is reached, a connection may be closed to make room once it has
    /// been idle, or its client has not read its answer, for this long.
    pub grace: Duration,
}

impl Limits {
    /// The limits of `ninefold serve`.
    pub const DEFAULT: Limits = Limits {
        connections: 512,
        connections_per_address: 128,
        header_timeout: Duration::from_secs(15),
        write_timeout: Duration::from_secs(15),
        send_buffer: 64 * 1024,
        grace: Duration::from_millis(500),
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}

/// The maximum size of a body. A 25×25 grid with all its marks fits, and so do a thousand 9×9
/// puzzles.
pub const MAX_BODY_BYTES: usize = 128 * 1024;

/// The maximum size of an image file.
pub const MAX_PHOTO_BYTES: usize = 16 * 1024 * 1024;

/// The maximum number of pixels of an image.
pub const MAX_PHOTO_PIXELS: usize = 24_000_000;

/// Images that are received and read at the same time, because each of them needs up to 150 MB.
pub const PHOTOS_AT_ONCE: usize = 4;

/// Time for the body of a request to arrive.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Time in the quick queue; work that takes longer continues in the medium queue.
pub const QUICK_TIME: Duration = Duration::from_millis(50);

/// CPU time in the quick queue if others wait for it. Nearly all easy requests need less.
pub const QUICK_CPU_TIME: Duration = Duration::from_millis(2);

/// With this many tasks waiting for the quick queue, the next time applies.
pub const CROWD: usize = 32;

/// CPU time in the quick queue if a crowd waits for it. A hint for an easy puzzle needs less.
pub const CROWDED_QUICK_CPU_TIME: Duration = Duration::from_micros(500);

/// How often the CPU time of work in the quick queue is examined.
pub const QUICK_INTERVAL: Duration = Duration::from_millis(1);

/// Time in the medium queue; work that takes longer continues in the slow queue.
pub const MEDIUM_TIME: Duration = Duration::from_secs(1);

/// Time that long work or a show goes on when another client waits for its place.
pub const TURN: Duration = Duration::from_secs(5);

/// Connections that the system keeps until the server accepts them. If many clients connect at the
/// same moment and there is no room, some of them try again only after a second.
pub const BACKLOG: i32 = 1024;

/// Time that new connections wait for a place if all are in use. Longer than [`Limits::grace`]: after
/// that time, idle connections make room.
pub const MAX_ACCEPT_TIME: Duration = Duration::from_millis(700);

/// Bytes that a client may send in advance while it waits for an answer.
pub const MAX_BYTES_AHEAD: usize = 16 * 1024;

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold_api::limits::{MAX_GENERATED_SIDE, MAX_PUZZLES_READ, MAX_SIDE};

    #[test]
    fn openapi_json_documents_every_limit() {
        let description: serde_json::Value =
            serde_json::from_str(include_str!("../openapi.json")).unwrap();
        let words =
            description["info"]["description"].as_str().expect("the description is a string");
        let seconds = |time: Duration| format!("{} seconds", time.as_secs());
        let Limits { connections, connections_per_address, header_timeout, write_timeout, .. } =
            Limits::DEFAULT;
        for limit in [
            format!("{connections} connections"),
            format!("{connections_per_address} from one address"),
            format!("{} KiB", MAX_BODY_BYTES / 1024),
            format!("{} MiB", MAX_PHOTO_BYTES / 1024 / 1024),
            format!("{} million pixels", MAX_PHOTO_PIXELS / 1_000_000),
            format!("{MAX_SIDE}×{MAX_SIDE}"),
            format!("{MAX_GENERATED_SIDE}×{MAX_GENERATED_SIDE}"),
            format!("{MAX_PUZZLES_READ} puzzles"),
            format!("head within {}", seconds(header_timeout)),
            format!("body within {}", seconds(BODY_TIMEOUT)),
            format!("read within {}", seconds(write_timeout)),
            seconds(MAX_TIME),
            seconds(MAX_SEARCH_TIME),
        ] {
            assert!(words.contains(&limit), "{limit:?} is not in {words}");
        }
    }
}
