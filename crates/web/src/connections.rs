//! Limits the number of connections, in total and per IP address.
//!
//! A connection is idle while the server waits for a request or for the rest of it, and while the
//! client does not read its answer. When a limit is reached, the connection that has been idle for
//! the longest time is closed, if that is at least [`Limits::grace`]. If there is none, the new
//! connection waits until all have been in use for [`MAX_ACCEPT_TIME`], and is then rejected; those
//! behind it do not wait again. For the limit per IP address, only connections of that address count,
//! and a new one is rejected at once.
//! The connections of a trusted reverse proxy are shared by many clients. They have no such limit,
//! but each client may have only as many requests in progress.

use crate::client::Client;
use crate::limits::{Limits, MAX_ACCEPT_TIME};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// All connections of a server.
#[derive(Clone)]
pub struct Connections {
    limits: Limits,
    open: Arc<Mutex<Open>>,
}

#[derive(Default)]
struct Open {
    next: u64,
    /// Since when every attempt to get a place has failed because all are in use.
    full: Option<Instant>,
    activities: HashMap<u64, Arc<Activity>>,
}

/// Why a connection is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPlace {
    /// The address has too many connections.
    ForAddress,
    /// All connections are in use.
    ForAnyone,
}

/// An open connection; dropping it frees its place.
pub struct Place {
    number: u64,
    limits: Limits,
    open: Arc<Mutex<Open>>,
    pub activity: Arc<Activity>,
}

/// Whether a connection is idle, and since when.
pub struct Activity {
    /// Whether the other side is a trusted reverse proxy.
    is_proxy: bool,
    /// Notified when the connection has to close.
    pub close: Notify,
    state: Mutex<State>,
}

#[derive(Clone, Copy)]
struct State {
    /// The client of the connection; if it comes from a proxy, of the newest request.
    client: Client,
    /// Since when the server has been waiting for a request or the rest of it; `None` while it is
    /// working on an answer.
    waiting: Option<Instant>,
    /// Since when the client has not read what was written.
    blocked: Option<Instant>,
}

impl Connections {
    pub fn new(limits: Limits) -> Connections {
        Connections { limits, open: Arc::default() }
    }

    /// A place for a connection from this address. An error if there is none and no idle connection
    /// to close.
    pub fn admit(&self, address: IpAddr, is_proxy: bool) -> Result<Place, NoPlace> {
        let client = Client::new(address);
        let mut open = lock(&self.open);
        let is_same =
            |activity: &Activity| !activity.is_proxy && lock(&activity.state).client == client;
        if !is_proxy
            && open.activities.values().filter(|activity| is_same(activity)).count()
                >= self.limits.connections_per_address
        {
            open.close_longest_idle(self.limits.grace, is_same).ok_or(NoPlace::ForAddress)?;
        }
        if open.activities.len() >= self.limits.connections
            && open.close_longest_idle(self.limits.grace, |_| true).is_none()
        {
            open.full.get_or_insert_with(Instant::now);
            return Err(NoPlace::ForAnyone);
        }
        open.full = None;
        let number = open.next;
        open.next += 1;
        let activity = Arc::new(Activity::new(client, is_proxy));
        open.activities.insert(number, activity.clone());
        Ok(Place { number, limits: self.limits, open: self.open.clone(), activity })
    }

    /// A place for a connection from this address. If all are in use, waits a moment for one: many
    /// clients that come at the same time are soon answered, or rejected by a queue.
    ///
    /// The server accepts no other connection meanwhile, so the time to wait is counted from the
    /// moment since which there has been no place, not for each connection.
    pub async fn wait_for_place(&self, address: IpAddr, is_proxy: bool) -> Result<Place, NoPlace> {
        loop {
            match self.admit(address, is_proxy) {
                Err(NoPlace::ForAnyone) if self.full_for() < MAX_ACCEPT_TIME => {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                admitted => return admitted,
            }
        }
    }

    /// How long every attempt to get a place has failed.
    fn full_for(&self) -> Duration {
        lock(&self.open).full.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// The maximum number of connections.
    pub fn places(&self) -> usize {
        self.limits.connections
    }

    /// The number of open connections.
    pub fn count(&self) -> usize {
        lock(&self.open).activities.len()
    }
}

impl Open {
    /// Closes the connection that has been idle for the longest time, if that is at least `grace`.
    fn close_longest_idle(
        &mut self,
        grace: Duration,
        among: impl Fn(&Activity) -> bool,
    ) -> Option<()> {
        let idle = self.activities.iter().filter(|(_, activity)| among(activity));
        let idle = idle.filter_map(|(number, activity)| Some((activity.idle_for()?, *number)));
        let (_, number) = idle.filter(|(time, _)| *time >= grace).max()?;
        self.activities.remove(&number)?.close.notify_one();
        Some(())
    }
}

impl Place {
    /// Whether this client may have another request in progress.
    pub fn admit_request(&self, client: Client) -> bool {
        if !self.activity.is_proxy {
            return true;
        }
        let open = lock(&self.open);
        lock(&self.activity.state).client = client;
        let is_of_client = |activity: &&Arc<Activity>| {
            let state = lock(&activity.state);
            activity.is_proxy && state.client == client && state.waiting.is_none()
        };
        open.activities.values().filter(is_of_client).count() <= self.limits.connections_per_address
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = lock(&self.open);
        open.activities.remove(&self.number);
        open.full = None;
    }
}

impl Activity {
    fn new(client: Client, is_proxy: bool) -> Activity {
        let state = State { client, waiting: Some(Instant::now()), blocked: None };
        Activity { is_proxy, close: Notify::new(), state: Mutex::new(state) }
    }

    /// Whether a complete request is being answered.
    pub fn is_busy(&self) -> bool {
        lock(&self.state).waiting.is_none()
    }

    /// A complete request has arrived.
    pub fn request_received(&self) {
        lock(&self.state).waiting = None;
    }

    /// The answer has been written; the next request is expected.
    pub fn answer_written(&self) {
        lock(&self.state).waiting = Some(Instant::now());
    }

    /// A write is blocked because the client does not read.
    pub fn write_blocked(&self) {
        lock(&self.state).blocked.get_or_insert_with(Instant::now);
    }

    /// The client has read enough that everything could be written.
    pub fn write_unblocked(&self) {
        lock(&self.state).blocked = None;
    }

    /// How long the connection has been idle; `None` if it is busy.
    fn idle_for(&self) -> Option<Duration> {
        let State { waiting, blocked, .. } = *lock(&self.state);
        [waiting, blocked].into_iter().flatten().map(|since| since.elapsed()).max()
    }
}

/// Ignores poisoning: every change under the lock is one assignment, so a panic leaves nothing
/// inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Poll;

    const NO_GRACE: Limits = Limits {
        connections: 3,
        connections_per_address: 2,
        grace: Duration::ZERO,
        ..Limits::DEFAULT
    };

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn each_address_has_its_own_limit_and_idle_connections_are_closed() {
        let connections = Connections::new(NO_GRACE);
        let served = connections.admit(address("10.0.0.1"), false).unwrap();
        served.activity.request_received();
        let idle = connections.admit(address("10.0.0.1"), false).unwrap();
        let newcomer =
            connections.admit(address("10.0.0.1"), false).expect("the idle connection is closed");
        newcomer.activity.request_received();
        assert!(connections.admit(address("10.0.0.1"), false).is_err(), "both are busy");
        let other = connections
            .admit(address("10.0.0.2"), false)
            .expect("another address has its own limit");
        other.activity.request_received();
        assert!(connections.admit(address("10.0.0.3"), false).is_err(), "all are busy");
        drop(idle);
        assert_eq!(connections.count(), 3, "a closed connection is not counted twice");
        drop(other);
        assert!(connections.admit(address("10.0.0.3"), false).is_ok());
    }

    #[test]
    fn a_blocked_connection_is_closed_even_while_it_is_busy() {
        let connections = Connections::new(NO_GRACE);
        let places: Vec<Place> =
            (0..2).filter_map(|_| connections.admit(address("10.0.0.1"), false).ok()).collect();
        places.iter().for_each(|place| place.activity.request_received());
        assert!(connections.admit(address("10.0.0.1"), false).is_err());
        places[1].activity.write_blocked();
        assert!(connections.admit(address("10.0.0.1"), false).is_ok());
    }

    #[tokio::test]
    async fn a_connection_waits_for_a_place_only_if_all_are_in_use() {
        let connections = Connections::new(NO_GRACE);
        let admit = |text| {
            let place = connections.admit(address(text), false).expect("a place is free");
            place.activity.request_received();
            place
        };
        let places = ["10.0.0.1", "10.0.0.1", "10.0.0.2"].map(admit);
        let of_address = connections.wait_for_place(address("10.0.0.1"), false).await;
        assert_eq!(of_address.err(), Some(NoPlace::ForAddress));
        let waiting = tokio::spawn({
            let connections = connections.clone();
            async move { connections.wait_for_place(address("10.0.0.3"), false).await.err() }
        });
        tokio::time::sleep(Duration::from_millis(30)).await;
        assert!(!waiting.is_finished());
        places[2].activity.answer_written();
        assert_eq!(waiting.await.expect("no panic"), None);
        let rejected = connections.wait_for_place(address("10.0.0.4"), false).await;
        assert_eq!(rejected.err(), None, "the place of 10.0.0.3 is idle");
    }

    /// The server accepts connections one after the other, so each would delay those behind it.
    #[tokio::test]
    async fn only_the_first_connection_waits_while_all_places_stay_in_use() {
        let connections = Connections::new(NO_GRACE);
        let places: Vec<Place> = ["10.0.0.1", "10.0.0.1", "10.0.0.2"]
            .map(|text| connections.admit(address(text), false).expect("a place is free"))
            .into();
        places.iter().for_each(|place| place.activity.request_received());
        let wait = || connections.wait_for_place(address("10.0.0.3"), false);
        assert_eq!(wait().await.err(), Some(NoPlace::ForAnyone));
        for _ in 0..100 {
            // Ready without a pause: a future that has to wait is pending when it is polled first.
            let mut rejected = std::pin::pin!(wait());
            let polled =
                std::future::poll_fn(|context| Poll::Ready(rejected.as_mut().poll(context)));
            assert!(matches!(polled.await, Poll::Ready(Err(NoPlace::ForAnyone))));
        }
        places[0].activity.answer_written();
        assert_eq!(wait().await.err(), None);
        assert_eq!(connections.full_for(), Duration::ZERO, "the next time starts anew");
    }

    #[test]
    fn idle_connections_are_kept_during_the_grace_period() {
        let connections = Connections::new(Limits { grace: Duration::from_secs(3600), ..NO_GRACE });
        let _places: Vec<Place> =
            (0..2).filter_map(|_| connections.admit(address("10.0.0.1"), false).ok()).collect();
        assert!(connections.admit(address("10.0.0.1"), false).is_err());
    }

    #[test]
    fn the_clients_of_a_proxy_have_their_own_limits() {
        let connections = Connections::new(Limits { connections: 5, ..NO_GRACE });
        let admit = |client: &str| {
            let place = connections.admit(address("10.0.0.1"), true).expect("no limit per address");
            place.activity.request_received();
            let is_admitted = place.admit_request(Client::new(address(client)));
            (place, is_admitted)
        };
        let places = ["192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2"].map(admit);
        assert_eq!(places.each_ref().map(|place| place.1), [true, true, false, true]);
        places[0].0.activity.answer_written();
        assert!(places[2].0.admit_request(Client::new(address("192.0.2.1"))));
    }
}
