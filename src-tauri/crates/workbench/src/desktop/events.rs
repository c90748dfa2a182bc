//! Events to the windows, numbered; and what is watched on disk for them.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::wire::window::{DesktopEvent, NumberedEvent};

/// Receives the events, on whichever thread they happen.
pub type OnEvent = Box<dyn Fn(NumberedEvent) + Send + Sync>;

/// Numbers and sends events.
pub(crate) struct Events {
    seq: AtomicU64,
    on_event: OnEvent,
}

impl Events {
    pub(crate) fn new(on_event: OnEvent) -> Self {
        Self {
            seq: AtomicU64::new(0),
            on_event,
        }
    }

    /// Sends one event.
    pub(crate) fn send(&self, event: DesktopEvent) {
        let seq = self.seq.fetch_add(1, Ordering::Relaxed) + 1;
        (self.on_event)(NumberedEvent { seq, event });
    }
}

/// What is watched on disk.
#[derive(Default)]
pub(crate) struct Watching {}
