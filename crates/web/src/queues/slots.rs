//! The slots of a queue. Clients that wait for one get it in turn, so a client with many requests
//! does not delay the requests of others.

use crate::client::Client;
use ninefold_api::ApiError;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// A number of slots, and a number of tasks that may wait for one.
#[derive(Clone, Debug)]
pub struct Slots {
    count: usize,
    max_waiting: usize,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    free: usize,
    next_ticket: u64,
    /// The tasks of each client, in the order in which they came.
    waiting: HashMap<Client, VecDeque<(u64, oneshot::Sender<Slot>)>>,
    /// The clients in `waiting`. The first one gets the next slot and then moves to the end.
    turns: VecDeque<Client>,
}

/// A slot; dropping it passes it on.
#[derive(Debug)]
pub struct Slot(Option<Arc<Mutex<State>>>);

impl Slots {
    pub fn new(count: usize, max_waiting: usize) -> Slots {
        let state =
            State { free: count, next_ticket: 0, waiting: HashMap::new(), turns: VecDeque::new() };
        Slots { count, max_waiting, state: Arc::new(Mutex::new(state)) }
    }

    /// All slots.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Slots in use.
    pub fn in_use(&self) -> usize {
        self.count - lock(&self.state).free
    }

    /// The number of tasks that wait.
    pub fn waiting(&self) -> usize {
        lock(&self.state).waiting_count()
    }

    /// Whether any task waits.
    pub fn has_waiting(&self) -> bool {
        !lock(&self.state).turns.is_empty()
    }

    /// Whether a task of another client waits.
    pub fn others_wait(&self, client: Client) -> bool {
        lock(&self.state).turns.iter().any(|other| *other != client)
    }

    /// Waits for a slot. If too many tasks wait, the newest task of the client with the most
    /// waiting tasks is rejected.
    pub async fn acquire(&self, client: Client) -> Result<Slot, ApiError> {
        self.wait(client, self.max_waiting).await
    }

    /// Waits for a slot again. Others may wait, too, however many they are.
    pub async fn acquire_again(&self, client: Client) -> Result<Slot, ApiError> {
        self.wait(client, usize::MAX).await
    }

    async fn wait(&self, client: Client, max_waiting: usize) -> Result<Slot, ApiError> {
        let mut waiting = {
            let mut state = lock(&self.state);
            if state.free > 0 {
                state.free -= 1;
                return Ok(Slot(Some(self.state.clone())));
            }
            if state.waiting_count() >= max_waiting && !state.make_room(client) {
                return Err(too_many());
            }
            let (sender, slot) = oneshot::channel();
            let ticket = state.next_ticket;
            state.next_ticket += 1;
            state.push(client, ticket, sender);
            Waiting { client, ticket, slot, state: self.state.clone() }
        };
        (&mut waiting.slot).await.map_err(|_| too_many())
    }
}

fn too_many() -> ApiError {
    ApiError::unavailable("too many requests are waiting", "try again in a moment")
}

/// A task that waits; dropping it gives up its place in the line.
struct Waiting {
    client: Client,
    ticket: u64,
    slot: oneshot::Receiver<Slot>,
    state: Arc<Mutex<State>>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        lock(&self.state).remove(self.client, self.ticket);
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let Some(queue) = self.0.take() else { return };
        let mut state = lock(&queue);
        while let Some(task) = state.pop() {
            match task.send(Slot(Some(queue.clone()))) {
                Ok(()) => return,
                // It has just stopped waiting; the slot goes to the next one.
                Err(mut slot) => slot.0 = None,
            }
        }
        state.free += 1;
    }
}

impl State {
    fn waiting_count(&self) -> usize {
        self.waiting.values().map(VecDeque::len).sum()
    }

    fn push(&mut self, client: Client, ticket: u64, sender: oneshot::Sender<Slot>) {
        let tasks = self.waiting.entry(client).or_default();
        if tasks.is_empty() {
            self.turns.push_back(client);
        }
        tasks.push_back((ticket, sender));
    }

    /// The task whose turn it is.
    fn pop(&mut self) -> Option<oneshot::Sender<Slot>> {
        let client = self.turns.pop_front()?;
        let tasks = self.waiting.get_mut(&client)?;
        let (_, sender) = tasks.pop_front()?;
        match tasks.is_empty() {
            true => _ = self.waiting.remove(&client),
            false => self.turns.push_back(client),
        }
        Some(sender)
    }

    /// Rejects the newest task of the client with the most waiting tasks. False if that would be
    /// no fairer than rejecting a new task of this client.
    fn make_room(&mut self, newcomer: Client) -> bool {
        let own = self.waiting.get(&newcomer).map_or(0, VecDeque::len);
        let Some((&client, tasks)) =
            self.waiting.iter().max_by_key(|(client, tasks)| (tasks.len(), **client))
        else {
            return false;
        };
        match tasks.back() {
            Some(&(ticket, _)) if tasks.len() > own + 1 => {
                self.remove(client, ticket);
                true
            }
            _ => false,
        }
    }

    fn remove(&mut self, client: Client, ticket: u64) {
        let Some(tasks) = self.waiting.get_mut(&client) else { return };
        tasks.retain(|(other, _)| *other != ticket);
        if tasks.is_empty() {
            self.waiting.remove(&client);
            self.turns.retain(|other| *other != client);
        }
    }
}

/// Ignores poisoning: nothing under the lock panics.
fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::task::JoinHandle;

    fn client(number: u8) -> Client {
        Client::new([10, 0, 0, number].into())
    }

    /// Starts a task that waits for a slot.
    async fn wait(slots: &Slots, client: Client) -> JoinHandle<Result<Slot, ApiError>> {
        let before = lock(&slots.state).next_ticket;
        let task = tokio::spawn({
            let slots = slots.clone();
            async move { slots.acquire(client).await }
        });
        while lock(&slots.state).next_ticket == before && !task.is_finished() {
            tokio::task::yield_now().await;
        }
        task
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let slots = Slots::new(1, 100);
        let mut slot = slots.acquire(client(1)).await.unwrap();
        let mut busy = Vec::new();
        for _ in 0..50 {
            busy.push(wait(&slots, client(1)).await);
        }
        assert!(!slots.others_wait(client(1)) && slots.others_wait(client(2)));
        let other = wait(&slots, client(2)).await;
        assert!(slots.others_wait(client(1)));
        drop(slot);
        slot = busy.remove(0).await.unwrap().unwrap();
        assert!(!other.is_finished());
        drop(slot);
        slot = other.await.unwrap().expect("the second turn, before 49 others");
        drop(slot);
        for task in busy {
            task.await.unwrap().unwrap();
        }
        assert_eq!((slots.in_use(), slots.has_waiting()), (0, false));
    }

    #[tokio::test]
    async fn a_client_with_few_tasks_replaces_one_with_many() {
        let slots = Slots::new(1, 3);
        let slot = slots.acquire(client(1)).await.unwrap();
        let mut busy = Vec::new();
        for _ in 0..3 {
            busy.push(wait(&slots, client(1)).await);
        }
        assert_eq!(slots.acquire(client(1)).await.unwrap_err(), too_many());
        let other = wait(&slots, client(2)).await;
        assert_eq!(busy.pop().unwrap().await.unwrap().unwrap_err(), too_many());
        assert_eq!(slots.acquire(client(2)).await.unwrap_err(), too_many(), "equal shares");
        drop(slot);
        busy.insert(1, other);
        for task in busy {
            drop(task.await.unwrap().unwrap());
        }
        assert_eq!(slots.in_use(), 0);
    }

    #[tokio::test]
    async fn a_task_that_gives_up_leaves_the_line() {
        let slots = Slots::new(1, 1);
        let slot = slots.acquire(client(1)).await.unwrap();
        let gone = wait(&slots, client(2)).await;
        gone.abort();
        assert!(gone.await.unwrap_err().is_cancelled());
        assert!(!slots.has_waiting());
        let next = wait(&slots, client(3)).await;
        drop(slot);
        assert!(next.await.unwrap().is_ok());
        assert_eq!(slots.in_use(), 0);
    }
}
