//! [`Permit`]: the authorization that every side effect requires. It covers one action of one
//! bearer.
//!
//! Code outside the gate cannot construct, default or deserialize a permit; only [`decide`](super)
//! makes one. Code that writes, deletes, runs or undoes something compares the permit with what it
//! is about to do.

use std::fmt;

use plan::{CommandLine, ToolCall, ToolName};
use thiserror::Error;

use crate::permissions::{call_of_check, request_of};

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bearer {
    /// A run.
    Run {
        /// The run's id.
        run: String,
        /// The step's id; `None` for actions of the run as a whole.
        step: Option<String>,
    },
    /// A conversation, or the model in it.
    Session {
        /// The session's id.
        session: String,
    },
    /// A person, in the window or the terminal.
    Person,
    /// The app, for its own records.
    App,
}

/// The locations that a command or call may write to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cage {
    /// Only a private temporary folder.
    ReadOnly,
    /// The workspace, except for the plan file.
    Workspace,
}

/// The exact action, with all its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A tool call: read, write, edit, delete or run.
    Call(ToolCall),
    /// A user-configured command that carries out the whole step.
    HandOver(ToolCall),
    /// A command that checks a step.
    Check {
        /// The command line.
        line: String,
    },
    /// An act that needs no decision.
    Own(Act),
}

/// Actions of a person, and of the app for its own records. None of these is a tool call, so a
/// step's work cannot be done with such a permit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Create or write a plan, or a copy of one.
    WriteDocument {
        /// The file's path in the workspace.
        path: String,
    },
    /// Undo what a step or an interrupted command changed.
    TakeBack,
    /// Create a branch for a run.
    StartBranch {
        /// The branch's name.
        name: String,
    },
}

impl Act {
    /// The action of writing a document.
    pub fn write(path: &str) -> Action {
        let path = path.to_owned();
        Action::Own(Self::WriteDocument { path })
    }
}

impl Action {
    /// The equivalent tool call; `None` for an act that needs no decision.
    pub fn call(&self) -> Option<ToolCall> {
        match self {
            Self::Call(call) | Self::HandOver(call) => Some(call.clone()),
            Self::Check { line } => Some(call_of_check(line)),
            Self::Own(_) => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(call) | Self::HandOver(call) => {
                let request = request_of(call);
                write!(f, "{} {}", request.tool, request.subject)
            }
            Self::Check { line } => write!(f, "check {line}"),
            Self::Own(Act::WriteDocument { path }) => write!(f, "write {path}"),
            Self::Own(Act::TakeBack) => f.write_str("undo"),
            Self::Own(Act::StartBranch { name }) => write!(f, "create branch {name}"),
        }
    }
}

/// Permission for one action. A permit is plain data and may be passed on; the journal ensures that
/// the action happens only once. Only the gate can make one:
///
/// ```compile_fail,E0624
/// let act = gate::Action::Own(gate::Act::TakeBack);
/// gate::Permit::new(gate::Bearer::Person, act, gate::Cage::Workspace);
/// ```
/// ```compile_fail,E0277
/// let permit: gate::Permit = serde_json::from_str("{}").unwrap();
/// ```
/// ```compile_fail,E0277
/// fn make<T: Default>() -> T { T::default() }
/// make::<gate::Permit>();
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permit {
    bearer: Bearer,
    action: Action,
    cage: Cage,
}

/// An action for which there is no permit. Nothing was done.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("internal error: no permit for `{asked}`, only for `{held}`; nothing was done")]
pub struct NotPermitted {
    asked: String,
    held: String,
}

impl Permit {
    pub(super) fn new(bearer: Bearer, action: Action, cage: Cage) -> Self {
        Self {
            bearer,
            action,
            cage,
        }
    }

    /// Who may act.
    pub fn bearer(&self) -> &Bearer {
        &self.bearer
    }

    /// The permitted action.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// The locations that may be written to.
    pub fn cage(&self) -> Cage {
        self.cage
    }

    /// Whether it permits exactly this action.
    pub fn allows(&self, action: &Action) -> bool {
        self.action == *action
    }

    /// Requires that it permits exactly this action. Fails with [`NotPermitted`] for anything else.
    pub fn require(&self, action: &Action) -> Result<(), NotPermitted> {
        match self.allows(action) {
            true => Ok(()),
            false => Err(self.refusal(action.to_string())),
        }
    }

    /// Requires that it belongs to this bearer. A permit is valid for one step of one run only.
    /// Fails with [`NotPermitted`] for any other bearer.
    pub fn require_bearer(&self, bearer: &Bearer) -> Result<(), NotPermitted> {
        match self.bearer == *bearer {
            true => Ok(()),
            false => Err(self.refusal(format!("{} of {bearer:?}", self.action))),
        }
    }

    /// Requires that it permits changing files by exactly this call. Fails with [`NotPermitted`]
    /// for any other call, and if the cage is read-only.
    pub fn require_write(&self, call: &ToolCall) -> Result<(), NotPermitted> {
        match &self.action {
            Action::Call(held) if held == call && self.cage == Cage::Workspace => Ok(()),
            _ => Err(self.refusal(Action::Call(call.clone()).to_string())),
        }
    }

    /// Requires that it permits running exactly this line, in a cage no wider than its own. Network
    /// access is only permitted for a hand-over that the user configured. Fails with
    /// [`NotPermitted`] for anything else.
    pub fn require_command(
        &self,
        line: &CommandLine,
        cage: Cage,
        has_network: bool,
    ) -> Result<(), NotPermitted> {
        let call = self.action.call();
        let held = call
            .as_ref()
            .filter(|call| call.tool == ToolName::RunCommand);
        let held = held.and_then(|call| CommandLine::parse(call.string("command")?));
        let is_caged = self.cage == Cage::Workspace || cage == Cage::ReadOnly;
        let is_handed_over = matches!(self.action, Action::HandOver(_));
        match held {
            Some(held) if held == *line && is_caged && (is_handed_over || !has_network) => Ok(()),
            _ => Err(self.refusal(format!("run {line:?}"))),
        }
    }

    fn refusal(&self, asked: String) -> NotPermitted {
        NotPermitted {
            asked,
            held: self.action.to_string(),
        }
    }
}
