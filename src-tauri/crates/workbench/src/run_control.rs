//! Steers a run from another thread while it goes on.
//!
//! What is said waits in a queue that the run's process-part empties between effects, and while a
//! command runs at least every 50 ms. Nothing said is lost: what came too late is given back by
//! [`RunControl::take_unused`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use agent::given::GivenAnswer;
use agent::run::Event;
use gate::recovery::RecoveryStrategy;
use tools::sandbox::CancelToken;

use crate::error::{Code, Error, Result};

/// What a person can say to a run that goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Steer {
    /// An answer, now or ahead of its question.
    Answer(GivenAnswer),
    /// Words for whoever carries out the steps.
    Say {
        /// The words.
        words: String,
    },
    /// End after the step in hand.
    Pause,
    /// Leave a step out, whatever it is at.
    Skip {
        /// Which.
        task: String,
        /// Why; stands in the plan file.
        reason: String,
    },
    /// Try a failed step again.
    Retry {
        /// Which.
        task: String,
    },
    /// Go on in another way with a step that a model carries out, whatever it is at.
    Recover {
        /// Which.
        task: String,
        /// How.
        strategy: RecoveryStrategy,
        /// For the next attempt; for a step left out, why.
        words: Option<String>,
    },
}

impl Steer {
    pub(crate) fn into_event(self) -> Event {
        match self {
            Self::Answer(given) => Event::Answered(vec![given]),
            Self::Say { words } => Event::Said { words },
            Self::Pause => Event::Pause,
            Self::Skip { task, reason } => Event::Skip { task, reason },
            Self::Retry { task } => Event::Retry { task },
            Self::Recover {
                task,
                strategy,
                words,
            } => Event::Recover {
                task,
                strategy,
                words,
            },
        }
    }

    /// A wish that the machine gives back.
    pub(crate) fn from_event(event: Event) -> Option<Self> {
        match event {
            Event::Skip { task, reason } => Some(Self::Skip { task, reason }),
            Event::Retry { task } => Some(Self::Retry { task }),
            Event::Recover {
                task,
                strategy,
                words,
            } => Some(Self::Recover {
                task,
                strategy,
                words,
            }),
            _ => None,
        }
    }
}

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
    /// [`Code::Failed`] when the process has no file descriptor left.
    pub fn new() -> Result<Self> {
        let cancel = CancelToken::new().map_err(|error| Error::from_cause(Code::Failed, error))?;
        Ok(Self {
            is_live: true,
            ..Self::unattended(&cancel)
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

    /// Has the run end as `paused` after the step in hand.
    pub fn pause(&self) -> bool {
        self.send(Steer::Pause)
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
    pub(crate) fn put_back(&self, unused: Vec<Steer>) {
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
