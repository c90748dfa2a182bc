//! What a side effect needs before it may happen: a [`Permit`], for one action of one bearer.
//!
//! It cannot be built, defaulted or read from data. [`decide`](super) alone makes one, and whoever writes,
//! deletes, runs or undoes compares it with what it is about to do.

use std::fmt;

use plan::{CommandLine, ToolCall, ToolName};
use thiserror::Error;

use crate::permissions::{call_of_check, request_of};

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bearer {
    /// A run.
    Run {
        /// Its id.
        run: String,
        /// The step; absent for what the run does for itself.
        step: Option<String>,
    },
    /// A conversation, or the model in it.
    Session {
        /// Its id.
        session: String,
    },
    /// A person, in the window or the terminal.
    Person,
    /// The app, for its own records.
    App,
}

/// What a command or a call may write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cage {
    /// Nothing but a private temporary folder.
    ReadOnly,
    /// The workspace, the plan file apart.
    Workspace,
}

/// What is done: exactly this, with all its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// A call of a tool: look, write, edit, delete, run.
    Call(ToolCall),
    /// A command of the user's that carries out the whole step.
    HandOver(ToolCall),
    /// A command that checks.
    Check {
        /// The line.
        line: String,
    },
    /// What needs no decision.
    Own(Act),
}

/// What a person does themselves, and what the app does for its own records. None of it is a call: a
/// step's work is never done on this leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Create or write a plan, or a copy of one.
    WriteDocument {
        /// Its path in the workspace.
        path: String,
    },
    /// Put back what a step or an interrupted command changed.
    TakeBack,
    /// Start a branch for a run.
    StartBranch {
        /// Its name.
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
    /// The call that it amounts to; none for what needs no decision.
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
            Self::Own(Act::StartBranch { name }) => write!(f, "start branch {name}"),
        }
    }
}

/// Leave for one action. It is data and may be passed on; that the action happens once is held by the
/// journal. Nobody makes one but the gate:
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

    /// Whose leave it is.
    pub fn bearer(&self) -> &Bearer {
        &self.bearer
    }

    /// For what.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// What may be written.
    pub fn cage(&self) -> Cage {
        self.cage
    }

    /// Whether it is for exactly this.
    pub fn allows(&self, action: &Action) -> bool {
        self.action == *action
    }

    /// Whether it is for exactly this.
    ///
    /// # Errors
    /// [`NotPermitted`] for anything else.
    pub fn require(&self, action: &Action) -> Result<(), NotPermitted> {
        match self.allows(action) {
            true => Ok(()),
            false => Err(self.refusal(action.to_string())),
        }
    }

    /// Whether it is this one's: a step's leave is no other step's, and no other run's.
    ///
    /// # Errors
    /// [`NotPermitted`] for anybody else.
    pub fn require_bearer(&self, bearer: &Bearer) -> Result<(), NotPermitted> {
        match self.bearer == *bearer {
            true => Ok(()),
            false => Err(self.refusal(format!("{} of {bearer:?}", self.action))),
        }
    }

    /// Whether it is for a change of files by exactly this call.
    ///
    /// # Errors
    /// [`NotPermitted`] for anything else, and where nothing may be written.
    pub fn require_write(&self, call: &ToolCall) -> Result<(), NotPermitted> {
        match &self.action {
            Action::Call(held) if held == call && self.cage == Cage::Workspace => Ok(()),
            _ => Err(self.refusal(Action::Call(call.clone()).to_string())),
        }
    }

    /// Whether it is for running exactly this line, with no wider cage than `cage`; with the network for
    /// what the user's own settings hand a step over to, and for nothing else.
    ///
    /// # Errors
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
