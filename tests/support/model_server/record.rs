//! Records the requests and what happened to their answers.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::Notify;

/// Timeout for expected events. Long, because it only expires if something is broken.
const PATIENCE: Duration = Duration::from_secs(60);

/// One request.
#[derive(Debug, Clone)]
pub struct Recorded {
    /// `GET` or `POST`.
    pub method: String,
    /// The path of the request.
    pub path: String,
    /// The headers in the order received, with lowercase names.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte.
    pub body: Vec<u8>,
    /// The body as JSON; null if it is not JSON.
    pub json: Value,
    /// When the request was fully received.
    pub at: Instant,
    /// When the last byte of the answer was sent; `None` if it hasn't been sent.
    pub answered: Option<Instant>,
    /// The state of the answer.
    pub ending: Ending,
    /// Whether it exceeded the window and was silently truncated.
    pub is_truncated: bool,
}

impl Recorded {
    /// A header's value; empty if absent.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map_or("", |(_, value)| value)
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// The state of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Still being sent.
    Open,
    /// Sent as scripted, including scripted cuts.
    Given,
    /// The client closed the connection early.
    Dropped,
}

#[derive(Debug, Default)]
pub(super) struct State {
    all: Vec<Recorded>,
    complaints: Vec<String>,
    left: usize,
    played: usize,
    stalls: usize,
    connections: usize,
    is_released: bool,
}

impl State {
    pub(super) fn chats(&self) -> usize {
        self.all.iter().filter(|one| is_chat(one)).count()
    }

    pub(super) fn stalls(&self) -> usize {
        self.stalls
    }

    pub(super) fn drops(&self) -> usize {
        let dropped = |one: &&Recorded| one.ending == Ending::Dropped;
        self.all.iter().filter(dropped).count()
    }
}

/// The record shared by a server's connections.
#[derive(Debug, Default)]
pub(super) struct Record {
    state: Mutex<State>,
    changed: Condvar,
    released: Notify,
}

impl Record {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let out = change(&mut self.state());
        self.changed.notify_all();
        out
    }

    /// Adds a request and returns its index.
    pub(super) fn add(&self, one: Recorded) -> usize {
        self.change(|state| {
            state.all.push(one);
            state.all.len() - 1
        })
    }

    /// Returns the position in the script of the next request. Not called for requests that the
    /// flavor rejects.
    pub(super) fn play(&self) -> usize {
        self.change(|state| {
            state.played += 1;
            state.played - 1
        })
    }

    pub(super) fn truncated(&self, at: usize) {
        self.change(|state| state.all[at].is_truncated = true);
    }

    pub(super) fn end(&self, at: usize, ending: Ending) {
        self.change(|state| {
            if state.all[at].ending == Ending::Open {
                state.all[at].ending = ending;
                state.all[at].answered = Some(Instant::now());
            }
        });
    }

    pub(super) fn complain(&self, complaint: String) {
        self.change(|state| state.complaints.push(complaint));
    }

    pub(super) fn set_left(&self, left: usize) {
        self.change(|state| state.left = left);
    }

    /// Waits until the test releases stalled answers.
    pub(super) async fn stall(&self) {
        self.change(|state| state.stalls += 1);
        loop {
            let released = self.released.notified();
            if self.state().is_released {
                return;
            }
            released.await;
        }
    }

    pub(super) fn release(&self) {
        self.change(|state| state.is_released = true);
        self.released.notify_waiters();
    }

    #[track_caller]
    pub(super) fn wait(&self, what: &str, is_so: impl Fn(&State) -> bool) {
        let state = self.state();
        let (state, outcome) = self
            .changed
            .wait_timeout_while(state, PATIENCE, |state| !is_so(state))
            .unwrap_or_else(PoisonError::into_inner);
        assert!(!outcome.timed_out(), "{what} did not arrive: {state:#?}");
    }

    pub(super) fn chats(&self) -> Vec<Recorded> {
        self.some(true)
    }

    pub(super) fn questions(&self) -> Vec<Recorded> {
        self.some(false)
    }

    fn some(&self, chat: bool) -> Vec<Recorded> {
        let state = self.state();
        let same = state.all.iter().filter(|one| is_chat(one) == chat);
        same.cloned().collect()
    }

    pub(super) fn connect(&self) {
        self.change(|state| state.connections += 1);
    }

    pub(super) fn connections(&self) -> usize {
        self.state().connections
    }

    pub(super) fn stalls(&self) -> usize {
        self.state().stalls
    }

    pub(super) fn complaints(&self) -> Vec<String> {
        self.state().complaints.clone()
    }

    pub(super) fn left(&self) -> usize {
        self.state().left
    }
}

fn is_chat(one: &Recorded) -> bool {
    one.path.ends_with("/chat/completions")
}
