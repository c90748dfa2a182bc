//! Requests of an agent program that carries out the steps of a run itself, folded from the
//! journal.
//!
//! The agent asks before it makes a call and before it ends its turn. Each request is answered at
//! most once; as long as it has no answer, it counts as not allowed.

use std::collections::{BTreeMap, BTreeSet};

use plan::ToolCall;

use crate::host_answer::HostAnswer;
use crate::journal::Entry;

/// Maximum number of times in a run that an agent gets the next step instead of ending its turn.
const MAX_CONTINUED: u32 = 3;

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct HostRequest {
    /// The call in the form that it has in a plan; `None` for the end of the agent's turn.
    pub line: Option<String>,
    /// Whether the agent may end its turn now.
    pub is_last: bool,
    /// Identifies the process that waits for the answer; this crate doesn't interpret it.
    pub waiter: serde_json::Value,
    /// The answer, once given.
    pub answer: Option<HostAnswer>,
}

impl HostRequest {
    /// The call; `None` for the end of the agent's turn.
    pub fn call(&self) -> Option<ToolCall> {
        ToolCall::parse(self.line.as_deref()?).ok()
    }
}

/// All requests of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HostRequests {
    requests: BTreeMap<usize, HostRequest>,
    continued: u32,
    /// The ids of the steps in which the agent was allowed to change something.
    changed: BTreeSet<String>,
}

impl HostRequests {
    /// Folds one entry; ignores unrelated ones.
    pub(super) fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::HostAsked {
                number,
                line,
                is_last,
                waiter,
            } => {
                let request = HostRequest {
                    line: line.clone(),
                    is_last: *is_last,
                    waiter: waiter.clone(),
                    answer: None,
                };
                self.requests.entry(*number).or_insert(request);
            }
            Entry::HostAnswered { number, answer } => {
                let Some(request) = self.requests.get_mut(number) else {
                    return;
                };
                // Only the first answer is valid.
                if request.answer.is_some() {
                    return;
                }
                match answer {
                    HostAnswer::Allowed { task, .. } => {
                        self.changed.insert(task.clone());
                    }
                    HostAnswer::Continue { .. } => self.continued += 1,
                    _ => {}
                }
                request.answer = Some(answer.clone());
            }
            _ => {}
        }
    }

    /// The number for the next request.
    pub fn next_number(&self) -> usize {
        let last = self.requests.last_key_value();
        last.map_or(0, |(number, _)| number + 1)
    }

    /// The request with this number.
    pub fn get(&self, number: usize) -> Option<&HostRequest> {
        self.requests.get(&number)
    }

    /// The requests without an answer, oldest first.
    pub fn open(&self) -> impl Iterator<Item = (usize, &HostRequest)> {
        let requests = self
            .requests
            .iter()
            .map(|(number, request)| (*number, request));
        requests.filter(|(_, request)| request.answer.is_none())
    }

    /// Whether the agent was allowed to change something in this step.
    pub fn has_changed(&self, task: &str) -> bool {
        self.changed.contains(task)
    }

    /// Whether the agent may be told to continue again: its limit isn't reached yet.
    pub fn may_continue(&self) -> bool {
        self.continued < MAX_CONTINUED
    }
}
