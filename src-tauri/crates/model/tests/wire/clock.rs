//! A clock controlled by the test.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use model::Timeouts;
use model::timer::{Sleep, Timer};
use tokio::sync::Notify;

/// Shorter waits, such as those before a retry, complete immediately.
const SHORT: Duration = Duration::from_secs(1_000);

/// Timeouts longer than [`SHORT`], so that only the test can trigger them.
pub(crate) fn timeouts() -> Timeouts {
    Timeouts {
        connect: Duration::from_secs(10),
        first: Duration::from_secs(20_000),
        idle: Duration::from_secs(10_000),
        alive: Duration::from_secs(50_000),
        tail: Duration::from_secs(2_000),
        notice: Duration::from_secs(4_000),
    }
}

#[derive(Debug, Default)]
pub(crate) struct Clock {
    now: Mutex<Duration>,
    waits: AtomicUsize,
    moved: Notify,
}

impl Clock {
    pub(crate) fn advance(&self, time: Duration) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) += time;
        self.moved.notify_waiters();
    }

    /// Number of long waits started: one for the head of an answer, one for each piece of it.
    pub(crate) fn waits(&self) -> usize {
        self.waits.load(Ordering::Relaxed)
    }
}

impl Timer for Clock {
    fn now(&self) -> Duration {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn date(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777 - 30)
    }

    fn chance(&self) -> f64 {
        1.0
    }

    fn sleep(&self, time: Duration) -> Sleep<'_> {
        if time < SHORT {
            self.advance(time);
            return Box::pin(tokio::task::yield_now());
        }
        self.waits.fetch_add(1, Ordering::Relaxed);
        let until = self.now() + time;
        Box::pin(async move {
            loop {
                let moved = self.moved.notified();
                if self.now() >= until {
                    return;
                }
                moved.await;
            }
        })
    }
}
