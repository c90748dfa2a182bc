//! How often a run asks, and which steps count as risky.

use plan::{Task, ToolName};
use serde::{Deserialize, Serialize};

crate::named! {
    /// How often a run asks before a step. Checkpoints, decisions, steps of a person and steps that the
    /// quality gate blocks wait under every policy; steps that only read start unasked under every one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Policy {
        /// Before no step: all are approved.
        All = "all",
        /// Before risky steps.
        Risky = "risky",
        /// Before each step.
        Each = "each",
    }
}

/// Whether everything the step does is looking.
pub fn only_reads(task: &Task) -> bool {
    task.verify.is_empty()
        && !task.calls.is_empty()
        && task.calls.iter().all(|call| {
            call.parsed
                .as_ref()
                .is_ok_and(|call| call.tool.is_read_only())
        })
}

/// Whether the step deletes or runs a command of its own, or names a tool that does. Edits are not risky:
/// they can be undone byte for byte. The step's `verify:` is not counted, since it runs after every step
/// anyway.
pub fn is_risky(task: &Task) -> bool {
    let is_one = |tool: ToolName| matches!(tool, ToolName::DeleteFile | ToolName::RunCommand);
    let mut calls = task.calls.iter();
    let mut tools = task.tools.iter();
    calls.any(|call| match &call.parsed {
        Ok(call) => is_one(call.tool),
        Err(_) => true,
    }) || tools.any(|tool| ToolName::from_name(tool).is_some_and(is_one))
}

/// Whether the policy asks before this step.
pub fn asks(policy: Policy, task: &Task) -> bool {
    match policy {
        Policy::All => false,
        Policy::Risky => !only_reads(task) && is_risky(task),
        Policy::Each => !only_reads(task),
    }
}
