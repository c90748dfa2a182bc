//! A request to stop that a blocked `poll` notices.
//!
//! It only ever goes from "go on" to "stop"; nothing resets it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

/// Asks running commands to end. Clones share the request.
#[derive(Debug, Clone)]
pub struct CancelToken {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    cancelled: AtomicBool,
    /// Written once and never read, so it stays readable for every waiter.
    event: OwnedFd,
}

impl CancelToken {
    /// A token nobody has cancelled. Fails when the process has no file descriptor left.
    pub fn new() -> io::Result<Self> {
        let event = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Self {
            shared: Arc::new(Shared {
                cancelled: AtomicBool::new(false),
                event,
            }),
        })
    }

    /// Asks to stop; works from any thread, more than once too.
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::SeqCst);
        // A full counter refuses the write, but then it is readable already, which is all we need.
        let _ = rustix::io::write(&self.shared.event, &1u64.to_ne_bytes());
    }

    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::SeqCst)
    }
}

impl AsFd for CancelToken {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.shared.event.as_fd()
    }
}
