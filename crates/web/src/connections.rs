//! Connections: who is connected, and who has to make room.
//!
//! There are so many places for all and so many for one address. When they are taken, the connection that has kept its
//! place for the longest time without need is closed: one that waits for the next request, whose request trickles in,
//! or whose client does not take its answer. Where everybody is being served, a newcomer is sent away.

use crate::limits::Limits;
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
    activities: HashMap<u64, Arc<Activity>>,
}

/// A place among the connections; dropping it frees the place.
pub struct Place {
    number: u64,
    open: Arc<Mutex<Open>>,
    /// What the connection does.
    pub activity: Arc<Activity>,
}

/// What a connection does, as far as it matters for its place.
pub struct Activity {
    address: IpAddr,
    /// Told when somebody else needs the place.
    pub make_room: Notify,
    state: Mutex<State>,
}

#[derive(Clone, Copy)]
struct State {
    /// Since when the client owes us something: a request, the rest of one, or its leave. Nothing while we work for it.
    waiting: Option<Instant>,
    /// Since when the client has not taken what we have written.
    blocked: Option<Instant>,
}

impl Connections {
    /// Nobody is connected yet.
    pub fn new(limits: Limits) -> Connections {
        Connections { limits, open: Arc::default() }
    }

    /// A place for a client from this address, if there is one or somebody has to make room.
    pub fn admit(&self, address: IpAddr) -> Option<Place> {
        let address = subscriber(address);
        let mut open = lock(&self.open);
        let is_same = |activity: &Activity| activity.address == address;
        if open.activities.values().filter(|activity| is_same(activity)).count()
            >= self.limits.per_address
        {
            open.close_the_most_idle(self.limits.grace, is_same)?;
        }
        if open.activities.len() >= self.limits.connections {
            open.close_the_most_idle(self.limits.grace, |_| true)?;
        }
        let number = open.next;
        open.next += 1;
        let activity = Arc::new(Activity::new(address));
        open.activities.insert(number, activity.clone());
        Some(Place { number, open: self.open.clone(), activity })
    }

    /// How many there may be.
    pub fn places(&self) -> usize {
        self.limits.connections
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        lock(&self.open).activities.len()
    }
}

impl Open {
    /// Frees the place of the one among these that has been idle for the longest time, if that is longer than `grace`.
    fn close_the_most_idle(
        &mut self,
        grace: Duration,
        among: impl Fn(&Activity) -> bool,
    ) -> Option<()> {
        let idle = self.activities.iter().filter(|(_, activity)| among(activity));
        let idle = idle.filter_map(|(number, activity)| Some((activity.idle_for()?, *number)));
        let (_, number) = idle.filter(|(time, _)| *time >= grace).max()?;
        self.activities.remove(&number)?.make_room.notify_one();
        Some(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.open).activities.remove(&self.number);
    }
}

impl Activity {
    fn new(address: IpAddr) -> Activity {
        let state = State { waiting: Some(Instant::now()), blocked: None };
        Activity { address, make_room: Notify::new(), state: Mutex::new(state) }
    }

    /// A whole request is here: from now on the client waits for us.
    pub fn request_is_here(&self) {
        lock(&self.state).waiting = None;
    }

    /// The answer has been handed over: from now on we wait for the client.
    pub fn answer_is_written(&self) {
        lock(&self.state).waiting = Some(Instant::now());
    }

    /// The client does not take what we write.
    pub fn is_blocked(&self) {
        lock(&self.state).blocked.get_or_insert_with(Instant::now);
    }

    /// The client has taken everything.
    pub fn flows_again(&self) {
        lock(&self.state).blocked = None;
    }

    /// How long it has kept its place without need.
    fn idle_for(&self) -> Option<Duration> {
        let State { waiting, blocked } = *lock(&self.state);
        [waiting, blocked].into_iter().flatten().map(|since| since.elapsed()).max()
    }
}

/// Whoever has one address of the sixth version has 2⁶⁴ of them; they count as one.
fn subscriber(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
        address => address,
    }
}

/// A thread that panicked while it held the lock has left nothing half done: every change is one assignment.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_GRACE: Limits =
        Limits { connections: 3, per_address: 2, grace: Duration::ZERO, ..Limits::DEFAULT };

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_has_its_own_share_and_the_idle_make_room() {
        let connections = Connections::new(NO_GRACE);
        let served = connections.admit(address("10.0.0.1")).unwrap();
        served.activity.request_is_here();
        let idle = connections.admit(address("10.0.0.1")).unwrap();
        let newcomer = connections.admit(address("10.0.0.1")).expect("the idle one makes room");
        newcomer.activity.request_is_here();
        assert!(connections.admit(address("10.0.0.1")).is_none(), "both are being served");
        let other =
            connections.admit(address("10.0.0.2")).expect("another address has a share of its own");
        other.activity.request_is_here();
        assert!(connections.admit(address("10.0.0.3")).is_none(), "all are being served");
        drop(idle);
        assert_eq!(connections.count(), 3, "a place that was taken away is not freed twice");
        drop(other);
        assert!(connections.admit(address("10.0.0.3")).is_some());
    }

    #[test]
    fn a_client_that_takes_no_answer_makes_room_while_it_is_served() {
        let connections = Connections::new(NO_GRACE);
        let places: Vec<Place> =
            (0..2).filter_map(|_| connections.admit(address("10.0.0.1"))).collect();
        places.iter().for_each(|place| place.activity.request_is_here());
        assert!(connections.admit(address("10.0.0.1")).is_none());
        places[1].activity.is_blocked();
        assert!(connections.admit(address("10.0.0.1")).is_some());
    }

    #[test]
    fn nobody_has_to_leave_before_the_grace_is_over() {
        let connections = Connections::new(Limits { grace: Duration::from_secs(3600), ..NO_GRACE });
        let _places: Vec<Place> =
            (0..2).filter_map(|_| connections.admit(address("10.0.0.1"))).collect();
        assert!(connections.admit(address("10.0.0.1")).is_none());
    }

    #[test]
    fn a_network_of_the_sixth_version_counts_as_one_address() {
        assert_eq!(
            subscriber(address("2001:db8:1:2::7")),
            subscriber(address("2001:db8:1:2:ffff::1"))
        );
        assert_ne!(subscriber(address("2001:db8:1:2::7")), subscriber(address("2001:db8:1:3::7")));
        assert_eq!(subscriber(address("::ffff:10.0.0.1")), address("10.0.0.1"));
    }
}
