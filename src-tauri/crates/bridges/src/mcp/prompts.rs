//! The texts of the prompts.

use super::review::MAX_WAIT;

/// Name of the prompt for writing a plan.
pub(super) const WRITE_PLAN: &str = "write_plan";

/// Name of the prompt for carrying out a plan.
pub(super) const CARRY_OUT_PLAN: &str = "carry_out_plan";

/// Longest goal in a prompt, in characters.
const MAX_GOAL: usize = 20_000;

/// The prompt that tells an agent to write a plan for a goal.
pub(super) fn write_plan(goal: &str) -> String {
    let goal: String = plan::visible(goal).chars().take(MAX_GOAL).collect();
    let format = planning::agent_plan::FORMAT;
    format!(
        "Write a plan for the goal below. Read the workspace first, but change nothing in it.

{format}

1. Call propose_plan with the text. It returns a path, a revision and findings.
2. Fix the findings with propose_edit; each edit returns a new revision.
3. Call request_approval with the path and the newest revision, then get_decision with \
wait_seconds {MAX_WAIT} until it is no longer waiting.
4. If changes are requested, make them with propose_edit and ask again. Anything but `approved` is \
no approval: don't start the work.

The goal:

{goal}"
    )
}

/// The prompt that tells an agent to carry out a plan.
pub(super) fn carry_out_plan(path: &str, revision: &str, state: &str) -> String {
    let (path, state) = (plan::visible_line(path), plan::visible_line(state));
    format!(
        "Carry out the plan {path}. Its current revision is {revision}; state: {state}.

Work on approved text only. If you have no `approved` from get_decision for a revision, call \
request_approval for the current one, then get_decision with wait_seconds {MAX_WAIT} until it is no longer \
waiting. If the approved revision is another one, get_decision returns its text: work on that.

Take the steps in order, those under `depends:` first. For each one: read it with get_task, do \
exactly what it says and nothing beyond its `files:`, run its `verify:`, then call report_progress \
with what you did and what the command printed. Stop at every checkpoint and decision: a person \
has to answer it in Planwright. If a step can't be done as written, stop and propose_edit instead \
of doing something else; the new revision needs a new approval.

Your reports are claims. Planwright ticks a step when its check passed there, or a person signed \
it; don't tick anything yourself."
    )
}
