//! The only error that leaves this crate: a code for callers, and a message for people.
//!
//! Inside, errors are the typed errors of the crates below. A use case turns them into an [`Error`]
//! where it knows what they mean for the person. The chain of causes is kept for the log.

use serde::Serialize;
use specta::Type;

/// The kind of an error, for callers to match on. A kind gets its own code only if some caller
/// treats it differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The request itself is wrong, such as a bad value or a file outside the workspace.
    Usage,
    /// The plan file can't be used: missing, binary, too large, not text.
    UnusablePlan,
    /// The plan file was deleted; its last revision is still stored.
    PlanGone,
    /// The plan parses but can't be carried out: a cycle, a duplicate ID.
    NotRunnable,
    /// The approved revision doesn't cover a step that is about to run.
    NotCovered,
    /// Another process is running this plan.
    PlanIsRunning,
    /// The workspace is missing, or can't be read or written.
    Workspace,
    /// The data folder or the database can't be used.
    Storage,
    /// No model is usable as configured; fix that in Settings, Models.
    Model,
    /// There is no such run.
    UnknownRun,
    /// There is no such session.
    UnknownSession,
    /// A person cancelled it.
    Cancelled,
    /// A bug in the program.
    Internal,
    /// Any other failure.
    Failed,
}

/// An error as callers see it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// The kind of error, for programs.
    pub code: Code,
    /// What happened and what to do, for people.
    pub message: String,
    /// The cause, for the log.
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

    /// An error with its cause's message.
    pub fn from_cause(code: Code, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        let message = cause.to_string();
        Self::new(code, message).because(cause)
    }

    /// Sets the cause, for the log.
    pub fn because(self, cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        let source = Some(Box::new(cause) as _);
        Self { source, ..self }
    }

    /// The error as JSON, safe to show: text from files and servers is quoted.
    pub fn to_wire(&self) -> WireError {
        WireError {
            code: self.code,
            message: plan::visible(&self.message).into_owned(),
        }
    }
}

/// Builds an [`Error`] without a cause from a code and a `format!` message.
#[macro_export]
macro_rules! err {
    ($code:ident: $($sentence:tt)+) => {
        $crate::error::Error::new($crate::error::Code::$code, format!($($sentence)+))
    };
}

/// An error as JSON: `{code, message}`.
#[derive(Debug, Clone, Serialize, Type)]
pub struct WireError {
    /// The kind of error; see [`Code`].
    pub code: Code,
    /// The message, one or two sentences.
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

/// The result of a use case.
pub type Result<T> = std::result::Result<T, Error>;
