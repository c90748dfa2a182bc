//! Steers a run from another thread while it goes on.
//!
//! What is said waits in a queue that the run's process-part empties between effects, and while a
//! command runs at least every 50 ms. Nothing said is lost: what came too late is given back by
//! [`RunControl::take_unused`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent::given::GivenAnswer;
pub use agent::run::Steer;
use tools::sandbox::CancelToken;

use crate::environment::token;
use crate::error::Result;

/// Steers one run. Clones steer the same run; one control serves one process-part after the other
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
    /// Set when the process-part has ended: what comes now is refused, not kept.
    is_closed: bool,
}

impl RunControl {
    /// A control for a run to come. Its run reports progress while commands run, and silence.
    ///
    /// # Errors
    /// [`crate::Code::Failed`] when the process has no file descriptor left.
    pub fn new() -> Result<Self> {
        Ok(Self {
            is_live: true,
            ..Self::unattended(&token()?)
        })
    }

    /// A control for a run that nobody watches but a terminal: it can be cancelled.
    pub(crate) fn unattended(cancel: &CancelToken) -> Self {
        Self {
            cancel: cancel.clone(),
            is_live: false,
            shared: Arc::default(),
        }
    }

    /// Ends the command in hand and then the run, for good: this control starts nothing again.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Says something to the run. `false` when its process-part has ended: resume the run with it then.
    pub fn send(&self, said: Steer) -> bool {
        let mut queue = self.queue();
        if !queue.is_closed {
            queue.waiting.push(said);
        }
        !queue.is_closed
    }

    /// What the last process-part did not get to, in the order in which it was said; a pause is
    /// fulfilled by any end. For the next one, or to be sent to another control.
    pub fn take_unused(&self) -> Vec<Steer> {
        let mut unused = self.take();
        unused.retain(|said| *said != Steer::Pause);
        unused
    }

    /// The token that [`Self::cancel`] cancels.
    pub fn cancel_token(&self) -> &CancelToken {
        &self.cancel
    }

    /// Whether somebody watches and wants to see the time pass.
    pub(crate) fn is_live(&self) -> bool {
        self.is_live
    }

    /// A process-part begins, with answers that come before everything else said.
    pub(crate) fn open(&self, answers: Vec<GivenAnswer>) {
        let mut queue = self.queue();
        queue.is_closed = false;
        let said = std::mem::take(&mut queue.waiting);
        queue.waiting = answers.into_iter().map(Steer::Answer).chain(said).collect();
    }

    /// The process-part has ended.
    pub(crate) fn close(&self) {
        self.queue().is_closed = true;
    }

    /// Said, taken, and not got to: it comes first the next time.
    pub fn put_back(&self, unused: Vec<Steer>) {
        self.queue().waiting.splice(0..0, unused);
    }

    /// Empties the queue.
    pub(crate) fn take(&self) -> Vec<Steer> {
        std::mem::take(&mut self.queue().waiting)
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nobody panics with the lock; if somebody did, the queue would still be whole.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
