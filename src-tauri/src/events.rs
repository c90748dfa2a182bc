//! Events sent to the windows.
//!
//! [`DeskEvent`] carries workbench events to every window. Events within a few milliseconds of each
//! other are sent together, without those that a later one makes redundant, so a flood costs at
//! most one message per [`PACE`]. [`ShellEvent`] is about a single window.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use desktop::wire::{DesktopEvent, NumberedEvent};
use serde::Serialize;
use specta::Type;
use tauri::AppHandle;
use tauri_specta::Event;

/// Minimum time between two messages: one frame on screen.
const PACE: Duration = Duration::from_millis(16);

/// Maximum events in one message. If more distinct events occur within [`PACE`], they are dropped,
/// and the gap in the sequence numbers makes the windows refetch everything.
const MAX_EVENTS: usize = 256;

/// Workbench events for every window.
#[derive(Debug, Clone, Serialize, Type, Event)]
pub(crate) struct DeskEvent {
    /// The sequence number, counted from 1 in each process. A gap means that any data may be stale.
    pub(crate) seq: u32,
    /// The events in the order in which they happened, without duplicates.
    pub(crate) events: Vec<DesktopEvent>,
}

/// An event about one window. All windows receive it; only the named one reacts.
#[derive(Debug, Clone, Serialize, Type, Event)]
pub(crate) struct ShellEvent {
    /// The label of the window that should react.
    pub(crate) window: String,
    /// What happened.
    pub(crate) what: ShellNews,
}

/// A kind of [`ShellEvent`].
#[derive(Debug, Clone, Serialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum ShellNews {
    /// The window is about to close while runs are in progress: ask the user, then call
    /// `answer_close`.
    CloseAsked {
        /// The ids of the runs.
        runs: Vec<String>,
        /// Whether there is a tray to continue in; if not, the window is minimized instead.
        has_tray: bool,
    },
    /// A second start handed over a target to open: call `take_target`.
    TargetGiven,
}

/// Receives events as they happen; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Inlet(Arc<(Mutex<Batch>, Condvar)>);

/// Events that haven't been sent yet.
#[derive(Default)]
struct Batch {
    events: VecDeque<DesktopEvent>,
    dropped: bool,
}

impl Inlet {
    /// Adds one event; never blocks on a window.
    pub(crate) fn put(&self, event: NumberedEvent) {
        let (batch, arrived) = &*self.0;
        batch
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .add(event.event);
        arrived.notify_one();
    }

    /// Sends the events to all windows from a separate thread, and calls `seen` with each batch
    /// afterwards.
    pub(crate) fn send_to(
        self,
        app: AppHandle,
        seen: impl Fn(&AppHandle, &[DesktopEvent]) + Send + 'static,
    ) {
        std::thread::spawn(move || {
            let mut seq = 0_u32;
            loop {
                let batch = self.wait();
                seq = seq.wrapping_add(if batch.dropped { 2 } else { 1 });
                let event = DeskEvent {
                    seq,
                    events: batch.events.into(),
                };
                if let Err(error) = event.emit(&app) {
                    tracing::warn!(target: "planwright", %error, "couldn't send an event to the windows");
                }
                seen(&app, &event.events);
                // Limits the rate of messages.
                std::thread::sleep(PACE);
            }
        });
    }

    fn wait(&self) -> Batch {
        let (batch, arrived) = &*self.0;
        let batch = batch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut batch = arrived
            .wait_while(batch, |batch| batch.events.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *batch)
    }
}

impl Batch {
    fn add(&mut self, event: DesktopEvent) {
        if let Some(same) = self
            .events
            .iter()
            .rposition(|other| replaces(&event, other))
        {
            self.events.remove(same);
        }
        self.events.push_back(event);
        if self.events.len() > MAX_EVENTS {
            self.events.pop_front();
            self.dropped = true;
        }
    }
}

/// Whether `new` makes `old` redundant for a window.
fn replaces(new: &DesktopEvent, old: &DesktopEvent) -> bool {
    use DesktopEvent as E;
    match (new, old) {
        // Events with different authors don't replace each other.
        (
            E::Plan {
                plan: a,
                author: by,
                ..
            },
            E::Plan {
                plan: b,
                author: other,
                ..
            },
        ) => a == b && by == other,
        (E::Run { run: a, .. }, E::Run { run: b, .. })
        | (E::Talk { session: a, .. }, E::Talk { session: b, .. })
        | (E::Progress { run: a, .. }, E::Progress { run: b, .. })
        | (E::Workspace { workspace: a, .. }, E::Workspace { workspace: b, .. })
        | (E::Planning { job: a, .. }, E::Planning { job: b, .. }) => a == b,
        (new, old) => new == old,
    }
}

#[cfg(test)]
mod tests {
    use super::{Batch, DesktopEvent, Inlet, MAX_EVENTS, NumberedEvent};

    fn plan(plan: &str, revision: &str, author: &str) -> DesktopEvent {
        DesktopEvent::Plan {
            plan: plan.to_owned(),
            revision: Some(revision.to_owned()),
            author: author.to_owned(),
        }
    }

    fn batch(events: impl IntoIterator<Item = DesktopEvent>) -> Batch {
        let mut batch = Batch::default();
        events.into_iter().for_each(|event| batch.add(event));
        batch
    }

    #[test]
    fn of_events_that_say_the_same_the_last_one_travels() {
        let sent = batch([
            plan("/a.md", "1", "person"),
            DesktopEvent::Inbox,
            plan("/b.md", "1", "person"),
            DesktopEvent::Inbox,
            plan("/a.md", "2", "person"),
        ]);
        let expected = [
            plan("/b.md", "1", "person"),
            DesktopEvent::Inbox,
            plan("/a.md", "2", "person"),
        ];
        assert_eq!(Vec::from(sent.events), expected);
    }

    #[test]
    fn a_change_from_outside_is_not_hidden_by_an_own_one() {
        let sent = batch([plan("/a.md", "1", "outside"), plan("/a.md", "2", "person")]);
        assert_eq!(sent.events.len(), 2);
    }

    #[test]
    fn a_storm_is_bounded_and_leaves_a_gap() {
        let storm = |count: usize| batch((0..count).map(|n| plan(&n.to_string(), "1", "outside")));
        assert!(!storm(MAX_EVENTS).dropped);
        let sent = storm(MAX_EVENTS + 1);
        assert!(sent.dropped);
        assert_eq!(sent.events.len(), MAX_EVENTS);
    }

    #[test]
    fn what_is_put_in_comes_out_once() {
        let inlet = Inlet::default();
        inlet.put(NumberedEvent {
            seq: 1,
            event: DesktopEvent::Inbox,
        });
        inlet.put(NumberedEvent {
            seq: 2,
            event: DesktopEvent::Settings,
        });
        let sent = inlet.wait();
        assert_eq!(
            Vec::from(sent.events),
            [DesktopEvent::Inbox, DesktopEvent::Settings]
        );
        assert!(inlet.0.0.lock().unwrap().events.is_empty());
    }
}
