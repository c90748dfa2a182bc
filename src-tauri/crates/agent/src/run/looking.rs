//! Calls that only look, one behind the other, go together: none waits for what another finds.
//!
//! Only what would go ahead unasked is taken: a call about which a rule asks, or that was made before,
//! waits for its own turn. Nothing is recorded before all of them have ended, so that a process that
//! ended between leaves nothing but looks to be made again.

use gate::permissions::{self, Verdict};
use plan::{Task, ToolCall};

use super::Machine;
use super::state::TaskState;
use crate::model_step::table::{self, StepTool};
use crate::model_step::{StepCall, loops};

/// How many go together at most.
const MOST: usize = 8;

impl Machine {
    /// The calls of a plan's step that go together with this one, which only looks.
    pub(super) fn looks_after(
        &self,
        task: &Task,
        state: &TaskState,
        call: usize,
    ) -> Vec<(usize, ToolCall)> {
        let behind = task.calls.iter().enumerate().skip(call + 1);
        let looks = behind.map_while(|(number, written)| {
            let tool = written.parsed.as_ref().ok()?;
            let is_due = !state.calls.contains_key(&number) && self.may_look(tool);
            is_due.then(|| (number, tool.clone()))
        });
        looks.take(MOST - 1).collect()
    }

    /// The calls of a model's reply that go together with this one, which only looks.
    pub(super) fn looks_of_reply(
        &self,
        task: &Task,
        state: &TaskState,
        number: usize,
    ) -> Vec<(usize, ToolCall)> {
        let Some(turn) = state.work.turns.last() else {
            return Vec::new();
        };
        let at = number.saturating_sub(turn.first_call);
        let offered = table::of_step(task);
        let mut made: Vec<String> = turn
            .reply
            .calls
            .get(at)
            .map(loops::line)
            .into_iter()
            .collect();
        let mut looks = Vec::new();
        for (position, call) in turn.reply.calls.iter().enumerate().skip(at + 1) {
            let line = loops::line(call);
            let is_new = !turn.results.contains_key(&position)
                && !made.contains(&line)
                && loops::known(&state.work, call).is_none();
            let tool = typed(call, &offered).filter(|tool| is_new && self.may_look(tool));
            let Some(tool) = tool.filter(|_| looks.len() + 1 < MOST) else {
                break;
            };
            looks.push((turn.first_call + position, tool));
            made.push(line);
        }
        looks
    }

    /// Whether a call only looks and goes ahead unasked.
    fn may_look(&self, tool: &ToolCall) -> bool {
        let request = permissions::request_of(tool);
        let (rules, sandboxed) = (&self.config.rules, self.config.sandboxed);
        tool.tool.is_read_only()
            && permissions::judge_in_step(&request, rules, sandboxed, true) == Verdict::Allow
    }
}

/// A model's call as a tool of its step; nothing where it has to be told what is wrong with it.
fn typed(call: &StepCall, offered: &[StepTool]) -> Option<ToolCall> {
    let tool = StepTool::from_name(&call.name).filter(|tool| offered.contains(tool))?;
    match tool {
        StepTool::Workspace(tool) => ToolCall::new(tool, call.arguments.clone()).ok(),
        StepTool::AskUser | StepTool::ReportProgress => None,
    }
}
