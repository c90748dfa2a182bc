//! What becomes of a call of the model: the [gate](mod@gate::decide) decides; said here is what the model gets
//! instead, which names what to do.
//!
//! Held by the gate and the sandbox, not by the prompt. Leaving
//! plan mode is no tool; asked for by any name, it is refused.

mod names;

use gate::word_list::WordList;
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

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It is carried out: with the gate's leave where it acts on the workspace or the plan.
    Allowed(TypedCall, Option<Permit>),
    /// The person is asked first.
    Ask(Box<Pending>),
    /// It is not carried out; this goes back to the model.
    Refused(String),
}

/// All that is looked at besides the call.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The conversation.
    pub session: &'a str,
    /// Where the plan is.
    pub plan: &'a PlanPlace,
    /// Permission rules in force.
    pub rules: &'a [Rule],
    /// What the person allowed for this session.
    pub granted: &'a BTreeSet<PermissionRequest>,
    /// Whether a sandbox proved that it keeps commands from writing.
    pub can_run_read_only: bool,
    /// Whether the person allowed this very call.
    pub is_permitted: bool,
}

/// What stands behind the output of a command that plan mode's cage stopped.
const STOPPED: &str = "[Plan mode: a command can only look, at files and without a network. Put what is to be \
                       changed into the plan with edit_plan, as a step.]";

/// What to do instead, where a command failed on what plan mode's cage forbids; judged by what it
/// said, since a program that fails of itself needs another advice.
pub(super) fn instead_of(output: &str) -> Option<&'static str> {
    const MARKS: WordList = WordList(
        "Read-only file system|Permission denied|Operation not permitted|Network is unreachable|\
        Connection refused|Could not resolve host|Temporary failure in name resolution",
    );
    MARKS
        .iter()
        .any(|mark| output.contains(mark))
        .then_some(STOPPED)
}

const ONLY_THE_PLAN: &str = "Plan mode: nothing but the plan may change. Put this change into the \
                             plan with edit_plan, as a step; it is made when the person has approved.";

const NO_COMMANDS: &str = "Plan mode runs no commands here: no sandbox on this machine keeps them from \
                           writing. Use read_file, search_files and list_files, and put the command \
                           under a step as `verify:`.";

/// Judges one call.
pub fn judge_call(ground: &Ground<'_>, call: &Call) -> Verdict {
    let Some(tool) = tools::named(&call.name) else {
        return Verdict::Refused(unknown_tool(&call.name));
    };
    let typed = match TypedCall::of(tool, call) {
        Ok(typed) => typed,
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    let bearer = Bearer::Session {
        session: ground.session.to_owned(),
    };
    let decision = match &typed {
        TypedCall::Workspace(inner) => decide(case(ground, bearer, inner)),
        TypedCall::EditPlan { .. } => decide_on_plan(ground.session, &ground.plan.path),
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
        Decision::Ask(pending) if ground.is_permitted => match pending.answered(&yes) {
            Some(Ok(permit)) => Verdict::Allowed(typed, Some(permit)),
            _ => Verdict::Refused(ONLY_THE_PLAN.to_owned()),
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
            _ => ONLY_THE_PLAN.to_owned(),
        }),
        // Asked for only where checkpoints count.
        Decision::LookAt { .. } => Verdict::Refused(ONLY_THE_PLAN.to_owned()),
    }
}

/// What the rules say to a look at the workspace.
fn case<'a>(ground: &Ground<'a>, bearer: Bearer, call: &ToolCall) -> Case<'a> {
    Case {
        bearer,
        action: Action::Call(call.clone()),
        cage: Cage::ReadOnly,
        plan: Some(ground.plan),
        rules: ground.rules,
        granted: ground.granted,
        is_sandboxed: ground.can_run_read_only,
        is_named: true,
        may_have_happened: false,
        checkpoints: None,
    }
}
