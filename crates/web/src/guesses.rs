//! Slows down guessing the token: each client may try a few wrong ones, then one every few seconds.

use crate::client::Client;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Wrong tokens that a client may try at once.
const FREE: u32 = 10;

/// Time until a client may try another one.
const INTERVAL: Duration = Duration::from_secs(6);

/// Clients that are remembered. More of them are forgotten together, which costs an attacker with
/// this many addresses nothing; against such an attacker only a long token helps.
const MAX_CLIENTS: usize = 10_000;

/// The wrong tokens of each client.
#[derive(Debug, Default)]
pub struct Guesses(Mutex<HashMap<Client, History>>);

#[derive(Debug)]
struct History {
    /// When the client has all free attempts again.
    full_at: Instant,
    /// Hashes of the last wrong tokens. Repeating one is no new guess: after a restart, an open
    /// page keeps sending its old token.
    last: [u64; 4],
}

impl Guesses {
    /// Whether this client may try a token now.
    pub fn may_try(&self, client: Client, now: Instant) -> bool {
        let clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = clients.get(&client).map(|history| history.full_at.duration_since(now));
        busy.is_none_or(|busy| busy + INTERVAL <= INTERVAL * FREE)
    }

    /// Counts a wrong token.
    pub fn was_wrong(&self, client: Client, token: &str, now: Instant) {
        let mut clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MAX_CLIENTS {
            clients.clear();
        }
        let mut hasher = DefaultHasher::new();
        token.hash(&mut hasher);
        let hash = hasher.finish();
        let history = clients.entry(client).or_insert(History { full_at: now, last: [0; 4] });
        if !history.last.contains(&hash) {
            history.last.rotate_right(1);
            history.last[0] = hash;
            history.full_at = history.full_at.max(now) + INTERVAL;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_may_try_ten_tokens_and_then_one_every_six_seconds() {
        let guesses = Guesses::default();
        let (client, other) =
            (Client::new([10, 0, 0, 1].into()), Client::new([10, 0, 0, 2].into()));
        let start = Instant::now();
        let mut tried = 0;
        for guess in 0..1000 {
            if guesses.may_try(client, start) {
                guesses.was_wrong(client, &guess.to_string(), start);
                tried += 1;
            }
        }
        assert_eq!(tried, 10);
        assert!(guesses.may_try(other, start));
        assert!(!guesses.may_try(client, start + Duration::from_secs(5)));
        assert!(guesses.may_try(client, start + Duration::from_secs(6)));
    }

    #[test]
    fn repeating_a_wrong_token_is_no_new_guess() {
        let guesses = Guesses::default();
        let (client, now) = (Client::new([10, 0, 0, 1].into()), Instant::now());
        (0..1000).for_each(|_| guesses.was_wrong(client, "the token before the restart", now));
        assert!(guesses.may_try(client, now));
    }
}
