//! Holds the process's single [`Desktop`] and lets windows call it.
//!
//! The data is opened on first use, off the UI thread. If that fails (another process holds the
//! database, or a newer version wrote it), every call returns the reason. Opening is retried at
//! most once a second, so no restart is needed once the cause is gone. A panic in a use case is
//! returned to the window as an ordinary error.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use desktop::Desktop;
use desktop::wire::NumberedEvent;
use workbench::{Code, Environment, WireError};

/// The result of a command.
pub(crate) type Answer<T> = Result<T, WireError>;

/// How long a failure to open the data is cached.
const PATIENCE: Duration = Duration::from_secs(1);

/// Access to the desktop; cheap to clone.
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
    /// Creates the host without opening the data.
    pub(crate) fn new(on_event: impl Fn(NumberedEvent) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Inner {
            slot: Mutex::new(Slot::Unopened),
            on_event: Arc::new(on_event),
        }))
    }

    /// Returns the desktop, opening it if necessary. May block while the database opens, so never
    /// call it on the UI thread.
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
                desktop.set_agents(Arc::new(bridges::acp_client::worker::StepWorkers));
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

    /// Returns the desktop if it is open, without waiting.
    pub(crate) fn if_open(&self) -> Option<Arc<Desktop>> {
        let slot = self.0.slot.try_lock().ok()?;
        match &*slot {
            Slot::Open(desktop) => Some(Arc::clone(desktop)),
            _ => None,
        }
    }

    /// Shuts down cleanly, waiting for live runs to finish their current effect. Later calls fail.
    pub(crate) fn close(&self) {
        let before = std::mem::replace(&mut *self.slot(), Slot::Closed);
        if let Slot::Open(desktop) = before
            && let Err(error) = desktop.close()
        {
            tracing::error!(target: "planwright", %error, "couldn't close cleanly");
        }
    }

    /// Runs a call on a thread that may block.
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
        // The panic hook has logged where it happened.
        asked.await.unwrap_or_else(|_| Err(internal()))
    }

    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.0.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn internal() -> WireError {
    WireError {
        code: Code::Internal,
        message: "Something went wrong in Planwright. What you typed is kept; the log has the \
                  details. Try again, or close and reopen the window."
            .to_owned(),
    }
}

fn closing() -> WireError {
    WireError {
        code: Code::Failed,
        message: "Planwright is closing.".to_owned(),
    }
}
