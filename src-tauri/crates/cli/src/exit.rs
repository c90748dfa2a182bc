//! Exit codes: the part of the interface that scripts rely on.

use std::process::ExitCode;

use workbench::wire::SessionState;
use workbench::{Code, EndState, Error};

/// The outcome of a command, ordered from best to worst so that several files can be combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// 0: success
    Fine,
    /// 1: thin, and enforcement is on
    Thin,
    /// 2: a plan file is missing or can't be used
    Unusable,
    /// 3: a person has to answer or act, or has paused the run
    Waiting,
    /// 4: a step failed, or the run was stopped or cancelled
    Failed,
    /// 5: a step is not covered by the approved revision
    NotCovered,
    /// 6: every step has ended, but some without evidence that they are done
    Unverified,
    /// 7: every step has ended, but a requirement is not covered or the model skipped a step
    Incomplete,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Fine => 0,
            Outcome::Thin => 1,
            Outcome::Unusable => 2,
            Outcome::Waiting => 3,
            Outcome::Failed => 4,
            Outcome::NotCovered => 5,
            Outcome::Unverified => 6,
            Outcome::Incomplete => 7,
        })
    }
}

impl From<EndState> for Outcome {
    fn from(state: EndState) -> Self {
        match state {
            EndState::Done => Self::Fine,
            EndState::Waiting | EndState::Paused => Self::Waiting,
            EndState::Failed | EndState::Stopped | EndState::Cancelled | EndState::Discarded => {
                Self::Failed
            }
            EndState::NotCovered => Self::NotCovered,
            EndState::Unverified => Self::Unverified,
            EndState::Incomplete => Self::Incomplete,
        }
    }
}

impl From<SessionState> for Outcome {
    fn from(state: SessionState) -> Self {
        match state {
            SessionState::Answered | SessionState::Proposed | SessionState::Idle => Self::Fine,
            SessionState::Waiting => Self::Waiting,
            SessionState::Cancelled
            | SessionState::Unfinished
            | SessionState::Cut
            | SessionState::Failed => Self::Failed,
        }
    }
}

const USAGE: u8 = 64;

/// Prints a usage error or the requested help, and returns the exit code.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let asked_for_help = error.exit_code() == 0;
    crate::print::usage(error);
    if asked_for_help {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(USAGE)
    }
}

/// The exit code of an error.
pub(crate) fn of_error(error: &Error) -> ExitCode {
    match error.code {
        Code::Usage | Code::UnknownRun | Code::UnknownSession => ExitCode::from(USAGE),
        Code::NotCovered => Outcome::NotCovered.into(),
        Code::UnusablePlan | Code::PlanGone => Outcome::Unusable.into(),
        Code::NotRunnable
        | Code::PlanIsRunning
        | Code::Workspace
        | Code::Storage
        | Code::Model
        | Code::Cancelled
        | Code::Internal
        | Code::Failed => Outcome::Failed.into(),
    }
}
