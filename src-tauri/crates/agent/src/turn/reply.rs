//! A finished reply of a model, as data: its text, its parsed calls and its faults.
//!
//! This is a stored format: new fields need a default, and no field is ever removed. The parsing of
//! text and native calls into [`Reply::calls`] and [`Reply::faults`] is implemented elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use plan::ToolName;

use crate::model_tool::ModelTool;
pub use repair::{FaultKind, Finish};

/// Token usage reported by the endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Number of tokens in the request.
    pub input: u64,
    /// How many of these tokens the provider had cached.
    #[serde(default)]
    pub cached: u64,
    /// Number of tokens in the reply.
    pub output: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.cached += other.cached;
        self.output += other.output;
    }
}

/// A reply, which is stored before any part of it is acted on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The text for people to read, without the calls.
    pub text: String,
    /// The calls to carry out, in order. Empty if the reply was cut off.
    #[serde(default)]
    pub calls: Vec<Call>,
    /// Parts of the reply that could not be parsed as calls.
    #[serde(default)]
    pub faults: Vec<Fault>,
    /// Why the reply ended.
    pub finish: Finish,
    /// Token usage of the request and the reply.
    #[serde(default)]
    pub usage: Usage,
    /// How long the reply took, in milliseconds.
    #[serde(default)]
    pub elapsed_ms: u64,
}

impl Reply {
    /// The reply with its report moved behind all other calls, because a report ends the step. If
    /// there are several reports, only the last one is kept. The report's `repairs` say what was
    /// moved or dropped.
    #[must_use]
    pub fn with_report_last(mut self) -> Self {
        let is_first = self.calls.iter().position(Call::is_report);
        if is_first.is_none_or(|at| at + 1 == self.calls.len()) {
            return self;
        }
        let is_moved = !self.calls.last().is_some_and(Call::is_report);
        let (mut reports, others): (Vec<_>, Vec<_>) =
            self.calls.into_iter().partition(Call::is_report);
        self.calls = others;
        if let Some(mut report) = reports.pop() {
            if !reports.is_empty() {
                let several = "kept only the last report";
                report.repairs.push(several.to_owned());
            }
            if is_moved {
                let moved = "moved the report after the other calls";
                report.repairs.push(moved.to_owned());
            }
            self.calls.push(report);
        }
        self
    }

    /// The reply without conflicting changes to the same file: if a write of the whole file follows
    /// a different change to it, all calls that change the file are dropped, and the model is asked
    /// which one it means.
    #[must_use]
    pub fn without_conflicts(mut self) -> Self {
        let is_whole = |call: &Call| call.name == ToolName::WriteFile.as_str();
        let changes = |call: &Call| is_whole(call) || call.name == ToolName::EditFile.as_str();
        let path = |call: &Call| call.text("path").map(str::to_owned);
        let excludes = |at: usize, call: &Call| {
            let mut before = self.calls[..at].iter();
            is_whole(call)
                && before.any(|other| {
                    changes(other)
                        && path(other) == path(call)
                        && (!is_whole(other) || other.text("content") != call.text("content"))
                })
        };
        let calls = self.calls.iter().enumerate();
        let found: BTreeSet<String> = calls
            .filter(|(at, call)| excludes(*at, call))
            .filter_map(|(_, call)| path(call))
            .collect();
        for file in found {
            let is_of = |call: &Call| changes(call) && path(call).as_ref() == Some(&file);
            self.calls.retain(|call| !is_of(call));
            let message = format!(
                "Two calls change `{file}` in ways that exclude each other, so neither was made. Send the \
                 one that is meant."
            );
            let kind = FaultKind::BadValue;
            self.faults.push(Fault { kind, message });
        }
        self
    }

    /// The messages to the model about calls that could not be parsed.
    pub fn complaints(&self) -> String {
        let messages: Vec<&str> = self
            .faults
            .iter()
            .map(|fault| fault.message.as_str())
            .collect();
        messages.join("\n")
    }
}

/// One call of a reply, parsed and repaired.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// The id for the call's answer, if it has one. Conversations assign their own ids, because
    /// some endpoints use the same id in several replies.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The name of the tool or, if no such tool exists, the name that the model wrote.
    pub name: String,
    /// The call's arguments.
    pub arguments: Map<String, Value>,
    /// The repairs made to the call, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repairs: Vec<String>,
    /// For a change by another agent: the hash of the content that the agent saw and wants to
    /// replace; empty if there was no file. `None` if the hash is known from the step's earlier
    /// calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub based_on: Option<String>,
}

impl Call {
    /// A call without repairs and without an id.
    pub fn new(name: impl Into<String>, arguments: Map<String, Value>) -> Self {
        Self {
            id: String::new(),
            name: name.into(),
            arguments,
            repairs: Vec::new(),
            based_on: None,
        }
    }

    /// The value of a text argument.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }

    /// Whether the call is the report on a step.
    pub fn is_report(&self) -> bool {
        self.name == ModelTool::ReportProgress.as_str()
    }

    /// The call on one line; identical calls give identical lines.
    pub fn line(&self) -> String {
        let sorted: BTreeMap<&String, &Value> = self.arguments.iter().collect();
        format!("{} {}", self.name, serde_json::json!(sorted))
    }
}

/// A part of a reply that could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredFault")]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// What was wrong and how to fix it, for the model.
    pub message: String,
}

/// The stored formats of a fault; early conversations stored only the message.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredFault {
    Words(String),
    Fault { kind: FaultKind, message: String },
}

impl From<StoredFault> for Fault {
    fn from(stored: StoredFault) -> Self {
        match stored {
            StoredFault::Words(message) => Self {
                kind: FaultKind::BadArguments,
                message,
            },
            StoredFault::Fault { kind, message } => Self { kind, message },
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(name: &str, key: &str, text: &str) -> Call {
        let arguments = json!({"path": "a.txt", key: text});
        Call::new(name, arguments.as_object().cloned().unwrap_or_default())
    }

    #[test]
    fn changes_that_exclude_each_other_are_asked_about_and_others_stay() {
        let write = |text: &str| call("write_file", "content", text);
        let edit = || call("edit_file", "new_text", "x");
        for (calls, left) in [
            (vec![write("a"), write("b")], 0),
            (vec![edit(), write("b")], 0),
            (vec![write("a"), write("a")], 2),
            (vec![write("a"), edit()], 2),
            (vec![edit(), edit()], 2),
            (vec![call("read_file", "x", "")], 1),
        ] {
            let reply = Reply {
                text: String::new(),
                calls,
                faults: Vec::new(),
                finish: Finish::Stop,
                usage: Usage::default(),
                elapsed_ms: 0,
            };
            let said = format!("{:?}", reply.calls);
            let reply = reply.without_conflicts();
            assert_eq!(reply.calls.len(), left, "{said}");
            assert_eq!(reply.faults.is_empty(), left > 0, "{said}");
        }
    }
}
