//! When a run asks before a step, and which steps are risky.

use plan::{Task, ToolName};
use serde::{Deserialize, Serialize};

plan::named! {
    /// When a run asks before starting a step. Under every policy, checkpoints, decisions, a
    /// person's steps and steps blocked by the quality gate wait for an answer, and read-only steps
    /// start without one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Policy {
        /// Never: approving the plan approves every step.
        All = "all",
        /// Before risky steps.
        Risky = "risky",
        /// Before each step.
        Each = "each",
    }
}

/// Whether the step only reads.
pub fn only_reads(task: &Task) -> bool {
    task.verify.is_empty()
        && !task.calls.is_empty()
        && task.calls.iter().all(|call| {
            call.parsed
                .as_ref()
                .is_ok_and(|call| call.tool.is_read_only())
        })
}

/// Whether the step's calls delete files or run commands, or its tools allow that. Edits are not
/// risky, since they can be undone exactly. The step's `verify:` lines don't count, since checks
/// run after every step anyway.
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
