//! The one error that leaves this crate: a code that callers act on, and a sentence for people.
//!
//! Inside, errors are the typed errors of the crates below; they become an [`Error`] where a use
//! case knows what they mean for the person. The chain of causes is kept for the log.

use serde::Serialize;
use specta::Type;

/// What callers act on. A code exists only because some caller treats it differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The request itself is wrong: a bad value, a file outside the workspace.
    Usage,
    /// The plan file cannot be used: missing, binary, too large, not text.
    UnusablePlan,
    /// The plan file is gone, and its last revision is kept.
    PlanGone,
    /// The plan parses but cannot be carried out: a cycle, an id twice.
    NotRunnable,
    /// A step about to run is not covered by the approved revision.
    NotCovered,
    /// Another process is carrying out this plan.
    PlanIsRunning,
    /// The workspace is missing or cannot be read or written.
    Workspace,
    /// The data folder or the database cannot be used.
    Storage,
    /// No model can be asked as things are configured; Settings, Models is the place to mend it.
    Model,
    /// No such run.
    UnknownRun,
    /// No such session.
    UnknownSession,
    /// A person stopped it.
    Cancelled,
    /// A fault of the program itself.
    Internal,
    /// Anything else that failed.
    Failed,
}

/// An error as callers see it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What to do about it, for programs.
    pub code: Code,
    /// What happened and what to do about it, for people.
    pub message: String,
    /// What caused it, for the log.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error without a cause.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            source: None,
        }
    }

    /// An error that says what its cause says.
    pub fn from_cause(code: Code, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        let message = cause.to_string();
        Self::new(code, message).because(cause)
    }

    /// The error with what caused it.
    pub(crate) fn because(self, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        let source = Some(Box::new(cause) as _);
        Self { source, ..self }
    }

    /// The wire form, safe to show: it quotes what files and servers said.
    pub fn to_wire(&self) -> WireError {
        WireError {
            code: self.code,
            message: plan::visible(&self.message).into_owned(),
        }
    }
}

/// An [`Error`] without a cause: its code, and its sentence as `format!` takes it.
#[macro_export]
macro_rules! err {
    ($code:ident: $($sentence:tt)+) => {
        $crate::error::Error::new($crate::error::Code::$code, format!($($sentence)+))
    };
}

/// `{code, message}`.
#[derive(Debug, Clone, Serialize, Type)]
pub struct WireError {
    /// See [`Code`].
    pub code: Code,
    /// One or two sentences.
    pub message: String,
}

impl From<store::StoreError> for Error {
    fn from(error: store::StoreError) -> Self {
        Self::from_cause(Code::Storage, error)
    }
}

impl From<tools::ToolError> for Error {
    fn from(error: tools::ToolError) -> Self {
        Self::from_cause(Code::Workspace, error)
    }
}

/// What a use case returns.
pub type Result<T> = std::result::Result<T, Error>;
