//! Time and chance, as something that is handed in.
//!
//! Back-off, time-outs and jitter take them from here alone, so that a test decides what hour it is
//! and how the dice fall. The clock is in use nowhere else in this crate.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant, SystemTime};

/// A wait that can be dropped.
pub type Sleep<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// What a client knows of the world beside its server.
pub trait Surroundings: Debug + Send + Sync {
    /// Time since some fixed moment; never goes back.
    fn now(&self) -> Duration;

    /// The time of day, for servers that name a date.
    fn date(&self) -> SystemTime;

    /// At least 0 and less than 1.
    fn chance(&self) -> f64;

    /// Ends after `time`.
    fn sleep(&self, time: Duration) -> Sleep<'_>;
}

/// The machine's clock and its randomness.
#[derive(Debug)]
pub struct Machine {
    start: Instant,
}

impl Default for Machine {
    fn default() -> Self {
        Self {
            start: Instant::now(),
        }
    }
}

impl Surroundings for Machine {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn date(&self) -> SystemTime {
        SystemTime::now()
    }

    fn chance(&self) -> f64 {
        // The middle where the system has no randomness to give: jitter is a courtesy.
        let drawn = getrandom::u32().unwrap_or(u32::MAX / 2);
        f64::from(drawn) / (f64::from(u32::MAX) + 1.0)
    }

    fn sleep(&self, time: Duration) -> Sleep<'_> {
        Box::pin(tokio::time::sleep(time))
    }
}
