//! Clock and randomness as dependencies.
//!
//! Backoff, timeouts and jitter use only these, so that tests control them. Nothing else in this
//! crate uses the clock.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime};

/// A future that completes after a delay; dropping it cancels the wait.
pub type Sleep<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// A client's access to the clock and randomness.
pub trait Timer: Debug + Send + Sync {
    /// Time since a fixed moment; never goes back.
    fn now(&self) -> Duration;

    /// The current date and time, for servers that send a date.
    fn date(&self) -> SystemTime;

    /// A random number from 0 up to but excluding 1.
    fn chance(&self) -> f64;

    /// Completes after `time`.
    fn sleep(&self, time: Duration) -> Sleep<'_>;
}

/// The system's clock and randomness.
#[derive(Debug)]
pub struct SystemTimer {
    start: Instant,
}

impl Default for SystemTimer {
    fn default() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Timer for SystemTimer {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn date(&self) -> SystemTime {
        SystemTime::now()
    }

    fn chance(&self) -> f64 {
        // Falls back to the middle if the system has no randomness, since jitter isn't essential.
        let drawn = getrandom::u32().unwrap_or(u32::MAX / 2);
        f64::from(drawn) / (f64::from(u32::MAX) + 1.0)
    }

    fn sleep(&self, time: Duration) -> Sleep<'_> {
        Box::pin(tokio::time::sleep(time))
    }
}
