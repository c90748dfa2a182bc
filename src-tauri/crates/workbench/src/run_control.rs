//! Steers a run from another thread.
//!
//! Messages wait in a queue that the driver empties between effects, and at least every 50 ms while
//! a command runs. No message is lost: [`RunControl::take_unused`] returns those that came too
//! late.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent::pending_answers::GivenAnswer;
pub use agent::run::Steer;
use tools::sandbox::CancelToken;

use crate::environment::token;
use crate::error::Result;

/// Steers one run. Clones steer the same run. A control can be reused each time the run is resumed,
/// until it is cancelled.
#[derive(Debug, Clone)]
pub struct RunControl {
    cancel: CancelToken,
    is_live: bool,
    shared: Arc<Mutex<Queue>>,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Vec<Steer>,
    /// Set when the run has stopped in this process: new messages are refused.
    is_closed: bool,
}

impl RunControl {
    /// A control for a new run, which then reports progress and stalls while commands run. Fails
    /// with [`crate::Code::Failed`] if the process is out of file descriptors.
    pub fn new() -> Result<Self> {
        Ok(Self {
            is_live: true,
            ..Self::unattended(&token()?)
        })
    }

    /// A control for a run in a terminal, which can only be cancelled.
    pub(crate) fn unattended(cancel: &CancelToken) -> Self {
        Self {
            cancel: cancel.clone(),
            is_live: false,
            shared: Arc::default(),
        }
    }

    /// Ends the current command and then the run. This control can't be used for another run.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Sends a message to the run. `false` if the run has stopped in this process; then resume it
    /// with the message.
    pub fn send(&self, said: Steer) -> bool {
        let mut queue = self.queue();
        if !queue.is_closed {
            queue.waiting.push(said);
        }
        !queue.is_closed
    }

    /// The messages that the run didn't handle, in order, to be used when it is resumed. Pauses are
    /// dropped, since the run has stopped.
    pub fn take_unused(&self) -> Vec<Steer> {
        let mut unused = self.take();
        unused.retain(|said| *said != Steer::Pause);
        unused
    }

    /// The token that [`Self::cancel`] cancels.
    pub fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// Whether progress is being watched live.
    pub(crate) fn is_live(&self) -> bool {
        self.is_live
    }

    /// Accepts messages while `run` runs, with the given answers first in the queue.
    pub(crate) fn while_open<T>(&self, answers: Vec<GivenAnswer>, run: impl FnOnce() -> T) -> T {
        self.put_back(answers.into_iter().map(Steer::Answer).collect());
        self.queue().is_closed = false;
        let result = run();
        self.queue().is_closed = true;
        result
    }

    /// Puts unhandled messages back at the front of the queue.
    pub fn put_back(&self, unused: Vec<Steer>) {
        self.queue().waiting.splice(0..0, unused);
    }

    /// Takes all messages from the queue.
    pub(crate) fn take(&self) -> Vec<Steer> {
        std::mem::take(&mut self.queue().waiting)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // A panic can't leave the queue inconsistent.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
