//! Batches consecutive read-only calls, because they don't depend on each other's results.
//!
//! A batch contains only calls that need no approval and have not been made before. Results are
//! recorded once all of them have ended; if the process dies earlier, they can simply be repeated.

use gate::{Action, Decision, Permit, decide};
use plan::{Task, ToolCall};

use super::Machine;
use super::state::TaskState;
use crate::model_step::step_tools;
use crate::model_tool::ModelTool;
use crate::turn::{Call, loops};

const MAX_BATCH: usize = 8;

impl Machine {
    /// The calls in the plan that are batched with this read-only call.
    pub(super) fn following_reads(
        &self,
        task: &Task,
        state: &TaskState,
        call: usize,
    ) -> Vec<(usize, ToolCall, Permit)> {
        let behind = task.calls.iter().enumerate().skip(call + 1);
        let looks = behind.map_while(|(number, written)| {
            let tool = written.parsed.as_ref().ok()?;
            let is_due = !state.calls.contains_key(&number);
            let permit = self.read_permit(task, tool).filter(|_| is_due)?;
            Some((number, tool.clone(), permit))
        });
        looks.take(MAX_BATCH - 1).collect()
    }

    /// The calls by the model that are batched with this read-only call.
    pub(super) fn reads_in_reply(
        &self,
        task: &Task,
        state: &TaskState,
        number: usize,
    ) -> Vec<(usize, ToolCall, Permit)> {
        let Some(turn) = state.work.rounds.last() else {
            return Vec::new();
        };
        let at = number.saturating_sub(turn.first_call);
        let offered = step_tools::for_step(task);
        let mut made: Vec<String> = turn
            .reply
            .calls
            .get(at)
            .map(Call::line)
            .into_iter()
            .collect();
        let mut looks = Vec::new();
        for (position, call) in turn.reply.calls.iter().enumerate().skip(at + 1) {
            let line = call.line();
            let is_new = !turn.results.contains_key(&position)
                && !made.contains(&line)
                && loops::earlier_result(&state.work.rounds, call).is_none();
            let tool = typed(call, &offered).filter(|_| is_new && looks.len() + 1 < MAX_BATCH);
            let permitted = tool.and_then(|tool| Some((self.read_permit(task, &tool)?, tool)));
            let Some((permit, tool)) = permitted else {
                break;
            };
            looks.push((turn.first_call + position, tool, permit));
            made.push(line);
        }
        looks
    }

    /// The permit for a read-only call that needs no approval.
    fn read_permit(&self, task: &Task, tool: &ToolCall) -> Option<Permit> {
        let action = Action::Call(tool.clone());
        let case = self.case(Some(task.id.as_str()), action, &self.state.granted);
        match decide(case) {
            Decision::Permit(permit) if tool.tool.is_read_only() => Some(permit),
            _ => None,
        }
    }
}

/// A model's call converted to a tool call of its step; `None` if it is invalid.
fn typed(call: &Call, offered: &[ModelTool]) -> Option<ToolCall> {
    let tool = ModelTool::of_step(&call.name).filter(|tool| offered.contains(tool))?;
    match tool {
        ModelTool::Workspace(tool) => ToolCall::new(tool, call.arguments.clone()).ok(),
        _ => None,
    }
}
