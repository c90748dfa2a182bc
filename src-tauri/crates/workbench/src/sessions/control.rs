//! Stops a turn of a session from another thread.

use tools::sandbox::CancelToken;

use crate::error::{Code, Error, Result};

/// Stops one turn. Clones stop the same one.
#[derive(Debug, Clone)]
pub struct SessionControl {
    cancel: CancelToken,
}

impl SessionControl {
    /// A control for a turn to come.
    ///
    /// # Errors
    /// [`Code::Failed`] when the process has no file descriptor left.
    pub fn new() -> Result<Self> {
        let cancel = CancelToken::new().map_err(|error| Error::from_cause(Code::Failed, error))?;
        Ok(Self { cancel })
    }

    /// A control that a signal cancels too.
    pub fn of(cancel: &CancelToken) -> Self {
        let cancel = cancel.clone();
        Self { cancel }
    }

    /// Ends the request or the command under way, and then the turn.
    pub fn cancel(&self) {
        self.cancel.cancel();
    }

    /// Whether somebody asked to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    pub(crate) fn token(&self) -> &CancelToken {
        &self.cancel
    }
}
