//! Judges a model's call in plan mode, where nothing but the plan may change. The
//! [gate](mod@gate::decide) makes the decision, and the answer to a refused call tells the model an
//! alternative.
//!
//! Plan mode is enforced by the gate and the sandbox, not by the prompt. No tool can leave plan
//! mode; a call to such a tool is refused, whatever its name.

mod names;

use plan::word_list::WordList;
use std::collections::BTreeSet;

use gate::answers::{Answer, Grant};
use gate::path::PlanPlace;
use gate::permissions::{Rule, request_of};
use gate::question::PermissionRequest;
use gate::{
    Action, Bearer, Cage, Case, Decision, Pending, Permit, Refusal, decide, decide_on_plan,
};
use plan::ToolCall;

use super::call::TypedCall;
use super::tools;
use crate::turn::Call;

use names::unknown_tool;

/// The verdict on a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Carry out the call, with the gate's permit if the call acts on the workspace or the plan.
    Allowed(TypedCall, Option<Permit>),
    /// Ask the person first.
    Ask(Box<Pending>),
    /// Don't carry out the call; send this message to the model.
    Refused(String),
}

/// Everything besides the call that the verdict depends on.
#[derive(Debug, Clone, Copy)]
pub struct CallContext<'a> {
    /// The session's id.
    pub session: &'a str,
    /// The location of the plan.
    pub plan: &'a PlanPlace,
    /// The permission rules in force.
    pub rules: &'a [Rule],
    /// Permissions that the person granted for this session.
    pub granted: &'a BTreeSet<PermissionRequest>,
    /// Whether a sandbox has been shown to keep commands from writing.
    pub can_run_read_only: bool,
    /// Whether the person has allowed this particular call.
    pub is_permitted: bool,
}

/// The note that follows the output of a command that the sandbox of plan mode blocked.
const BLOCKED_NOTE: &str = "[Plan mode: a command can only look, at files and without a network. Put what is to be \
                       changed into the plan with edit_plan, as a step.]";

/// Advice for a command that, according to its output, failed because of the sandbox of plan mode.
/// Other failures need different advice.
pub(super) fn alternative_to(output: &str) -> Option<&'static str> {
    const MARKS: WordList = WordList(
        "Read-only file system|Permission denied|Operation not permitted|Network is unreachable|\
        Connection refused|Could not resolve host|Temporary failure in name resolution",
    );
    MARKS
        .iter()
        .any(|mark| output.contains(mark))
        .then_some(BLOCKED_NOTE)
}

const PLAN_MODE_REFUSAL: &str = "Plan mode: nothing but the plan may change. Put this change into the \
                             plan with edit_plan, as a step; it is made when the person has approved.";

const NO_COMMANDS: &str = "Plan mode runs no commands here: no sandbox on this machine keeps them from \
                           writing. Use read_file, search_files and list_files, and put the command \
                           under a step as `verify:`.";

/// Judges one call.
pub fn judge_call(context: &CallContext<'_>, call: &Call) -> Verdict {
    let Some(tool) = tools::named(&call.name) else {
        return Verdict::Refused(unknown_tool(&call.name));
    };
    let typed = match TypedCall::of(tool, call) {
        Ok(typed) => typed,
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    let bearer = Bearer::Session {
        session: context.session.to_owned(),
    };
    let decision = match &typed {
        TypedCall::Workspace(inner) => decide(case(context, bearer, inner)),
        TypedCall::EditPlan { .. } => decide_on_plan(context.session, &context.plan.path),
        TypedCall::ProposePlan | TypedCall::ReadPlan { .. } | TypedCall::AskUser { .. } => {
            return Verdict::Allowed(typed, None);
        }
    };
    let yes = Answer::Permission {
        grant: Grant::Once,
        words: None,
    };
    match decision {
        Decision::Permit(permit) => Verdict::Allowed(typed, Some(permit)),
        Decision::Ask(pending) if context.is_permitted => match pending.answered(&yes) {
            Some(Ok(permit)) => Verdict::Allowed(typed, Some(permit)),
            _ => Verdict::Refused(PLAN_MODE_REFUSAL.to_owned()),
        },
        Decision::Ask(pending) => Verdict::Ask(pending),
        Decision::Refuse(refusal) => Verdict::Refused(match (refusal, &typed) {
            (Refusal::NoSandbox, _) => NO_COMMANDS.to_owned(),
            (Refusal::Rule, TypedCall::Workspace(inner)) => {
                let PermissionRequest { tool, subject, .. } = request_of(inner);
                format!(
                    "A rule of the person's forbids `{tool} {subject}`. Do without, or ask with ask_user."
                )
            }
            _ => PLAN_MODE_REFUSAL.to_owned(),
        }),
        // This matters only for checkpoints, which don't apply here.
        Decision::LookAt { .. } => Verdict::Refused(PLAN_MODE_REFUSAL.to_owned()),
    }
}

fn case<'a>(context: &CallContext<'a>, bearer: Bearer, call: &ToolCall) -> Case<'a> {
    Case {
        bearer,
        action: Action::Call(call.clone()),
        cage: Cage::ReadOnly,
        plan: Some(context.plan),
        rules: context.rules,
        granted: context.granted,
        is_sandboxed: context.can_run_read_only,
        is_named: true,
        may_have_happened: false,
        checkpoints: None,
    }
}
