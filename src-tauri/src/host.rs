//! Holds the one [`Desktop`] of the process, and lets windows ask it.
//!
//! The data is opened on first use, off the thread that draws. When that fails (another process holds
//! the database, a newer program wrote it) every question is answered with the reason, and opening is
//! tried again, at most once a second, so that a cause that goes away needs no restart. A panic in a
//! use case reaches the window as an error like any other.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use desktop::wire::NumberedEvent;
use desktop::Desktop;
use workbench::{Code, Environment, WireError};

/// What a window gets.
pub(crate) type Answer<T> = Result<T, WireError>;

/// How long a failed opening is remembered.
const PATIENCE: Duration = Duration::from_secs(1);

/// The way to the workbench; cheap to clone.
#[derive(Clone)]
pub(crate) struct Host(Arc<Inner>);

struct Inner {
    slot: Mutex<Slot>,
    on_event: Arc<dyn Fn(NumberedEvent) + Send + Sync>,
}

enum Slot {
    Unopened,
    Open(Arc<Desktop>),
    Failed { error: WireError, at: Instant },
    Closed,
}

impl Host {
    /// Opens nothing yet.
    pub(crate) fn new(on_event: impl Fn(NumberedEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Inner {
            slot: Mutex::new(Slot::Unopened),
            on_event: Arc::new(on_event),
        }))
    }

    /// The desktop, opened if need be. Can take as long as opening the database; never to be called
    /// on the thread that draws.
    pub(crate) fn desktop(&self) -> Answer<Arc<Desktop>> {
        let mut slot = self.slot();
        match &*slot {
            Slot::Open(desktop) => return Ok(Arc::clone(desktop)),
            Slot::Failed { error, at } if at.elapsed() < PATIENCE => return Err(error.clone()),
            Slot::Closed => return Err(closing()),
            Slot::Unopened | Slot::Failed { .. } => {}
        }
        let on_event = Arc::clone(&self.0.on_event);
        let opened = Environment::of_process().and_then(|environment| {
            Desktop::open(environment, Box::new(move |event| on_event(event)))
        });
        match opened {
            Ok(desktop) => {
                let desktop = Arc::new(desktop);
                *slot = Slot::Open(Arc::clone(&desktop));
                Ok(desktop)
            }
            Err(error) => {
                let error = error.to_wire();
                *slot = Slot::Failed {
                    error: error.clone(),
                    at: Instant::now(),
                };
                Err(error)
            }
        }
    }

    /// The desktop if it is open, without waiting for it to open.
    pub(crate) fn if_open(&self) -> Option<Arc<Desktop>> {
        let slot = self.0.slot.try_lock().ok()?;
        match &*slot {
            Slot::Open(desktop) => Some(Arc::clone(desktop)),
            _ => None,
        }
    }

    /// Ends cleanly; nothing is answered afterwards. Waits for live runs to end the effect in hand.
    pub(crate) fn close(&self) {
        let before = std::mem::replace(&mut *self.slot(), Slot::Closed);
        if let Slot::Open(desktop) = before
            && let Err(error) = desktop.close()
        {
            tracing::error!(target: "planwright", %error, "not closed cleanly");
        }
    }

    /// Asks on a thread that may wait.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Desktop) -> workbench::Result<T> + Send + 'static,
    ) -> Answer<T> {
        let host = self.clone();
        let asked = tauri::async_runtime::spawn_blocking(move || {
            let desktop = host.desktop()?;
            work(&desktop).map_err(|error| {
                tracing::debug!(target: "planwright", code = ?error.code, "refused");
                error.to_wire()
            })
        });
        // The hook has logged where it happened.
        asked.await.unwrap_or_else(|_| Err(internal()))
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.0.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn internal() -> WireError {
    WireError {
        code: Code::Internal,
        message: "Planwright made a mistake here. What you typed is kept; the log says where it \
                  happened. Try again, or close the window and open it anew."
            .to_owned(),
    }
}

fn closing() -> WireError {
    WireError {
        code: Code::Failed,
        message: "Planwright is closing.".to_owned(),
    }
}
