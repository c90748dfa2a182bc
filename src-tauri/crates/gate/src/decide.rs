//! The gate: what may happen now. The only module that makes a [`Permit`].
//!
//! A call of a step, a check, a hand-over and a call of a conversation are all put to [`decide`]: rules,
//! what the approved steps name, what a person allowed, and the checkpoint by rule before what destroys
//! something. What has to be known of the workspace first comes back as [`Decision::LookAt`]; what a person
//! has to say as [`Decision::Ask`], whose permit comes with their yes and not before.
//!
//! A person's own acts and the app's records are their own leave ([`own_act`]). They pass here all the same,
//! so that each names what it does, and none of them can be a call.
//!
//! What a call would destroy is looked up each time anew, so that a yes is for what is there when it is
//! used; where that is something else by then, it is asked again.

mod permit;

use std::collections::BTreeSet;

use plan::{Task, ToolCall, ToolName};

use crate::answers::{Answer, Grant};
use crate::destructive::{self, Danger, Look, Seen};
use crate::path::PlanPlace;
use crate::permissions::{Rule, Verdict, judge_in_step, request_of};
use crate::question::PermissionRequest;

pub use permit::{Act, Action, Bearer, Cage, NotPermitted, Permit};

/// An action, and all that decides about it.
pub struct Case<'a> {
    /// Who acts.
    pub bearer: Bearer,
    /// What is to be done.
    pub action: Action,
    /// What it may write.
    pub cage: Cage,
    /// Where the plan file is, which no call writes.
    pub plan: Option<&'a PlanPlace>,
    /// Permission rules in force.
    pub rules: &'a [Rule],
    /// What the person allowed until the run or the conversation ends.
    pub granted: &'a BTreeSet<PermissionRequest>,
    /// Whether a sandbox holds commands to the cage.
    pub is_sandboxed: bool,
    /// Whether the approved step names it, or it changes nothing.
    pub is_named: bool,
    /// Whether the same call was cut off before and its outcome is not known.
    pub may_have_happened: bool,
    /// What guards what would be destroyed; absent where no checkpoint can have been answered.
    pub checkpoints: Option<Checkpoints<'a>>,
}

/// What is known about the checkpoint by rule.
pub struct Checkpoints<'a> {
    /// What was seen of the workspace for this very call.
    pub seen: Option<&'a Seen>,
    /// The checkpoints that the step waits for and that a person answered.
    pub answered: &'a dyn Fn() -> Vec<&'a Task>,
}

/// What the gate says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It may happen.
    Permit(Permit),
    /// The workspace has to be looked at first.
    LookAt {
        /// For which call.
        call: ToolCall,
        /// What has to be known.
        look: Look,
    },
    /// A person has to say so.
    Ask(Box<Pending>),
    /// It may not.
    Refuse(Refusal),
}

/// A permit that waits for a person's yes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    request: PermissionRequest,
    why: &'static str,
    permit: Permit,
}

impl Pending {
    /// What a yes would allow, and what it would destroy.
    pub fn request(&self) -> &PermissionRequest {
        &self.request
    }

    /// Why it asks, in one sentence.
    pub fn why(&self) -> &'static str {
        self.why
    }

    /// What the person's answer to exactly this comes to; nothing for an answer to something else.
    pub fn answered(self, answer: &Answer) -> Option<Result<Permit, Refusal>> {
        match answer {
            Answer::Permission {
                grant: Grant::No,
                words,
            } => Some(Err(Refusal::Person {
                words: words.clone(),
            })),
            Answer::Permission { .. } => Some(Ok(self.permit)),
            _ => None,
        }
    }
}

/// A no.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The plan file is changed through the app alone.
    PlanFile,
    /// Nothing but the plan may change before approval.
    BeforeApproval,
    /// No sandbox keeps commands from writing before approval.
    NoSandbox,
    /// A permission rule.
    Rule,
    /// A person.
    Person {
        /// Their words.
        words: Option<String>,
    },
}

/// Decides about one action.
pub fn decide(case: Case<'_>) -> Decision {
    let Some(call) = case.action.call() else {
        return Decision::Permit(Permit::new(case.bearer, case.action, case.cage));
    };
    if let Some(refusal) = out_of_bounds(&case, &call) {
        return Decision::Refuse(refusal);
    }
    let request = request_of(&call);
    let said = judge_in_step(&request, case.rules, case.is_sandboxed, case.is_named);
    if said == Verdict::Deny {
        return Decision::Refuse(Refusal::Rule);
    }
    let danger = match &case.checkpoints {
        Some(checkpoints) => match danger(&call, checkpoints.seen) {
            Ok(danger) => danger.filter(|_| !is_settled(&case, checkpoints, &call, said, &request)),
            Err(look) => return Decision::LookAt { call, look },
        },
        None => None,
    };
    let is_granted = || granted(&case, &request).next().is_some();
    let has_effect = !call.tool.is_read_only() && case.cage == Cage::Workspace;
    let why = match said {
        _ if danger.is_some() => "No checkpoint that you answered names this.",
        _ if case.may_have_happened && has_effect => {
            "It was cut off before, and may have happened already."
        }
        Verdict::Allow | Verdict::Deny => "",
        Verdict::Ask if is_granted() => "",
        Verdict::Ask if !case.is_named => "The approved step does not name it.",
        Verdict::Ask if case.is_sandboxed => "A permission rule asks.",
        Verdict::Ask => "No sandbox is in force, so it could change anything you can change.",
    };
    let permit = Permit::new(case.bearer, case.action, case.cage);
    if why.is_empty() {
        return Decision::Permit(permit);
    }
    Decision::Ask(Box::new(Pending {
        request: PermissionRequest { danger, ..request },
        why,
        permit,
    }))
}

/// A conversation writes its own plan and nothing else: changed steps must be approved anew.
pub fn decide_on_plan(session: &str, path: &str) -> Decision {
    let (session, path) = (session.to_owned(), path.to_owned());
    let bearer = Bearer::Session { session };
    Decision::Permit(own_act(bearer, Act::WriteDocument { path }))
}

/// The permit for what is its own leave: what a person does themselves, and the app's records.
pub fn own_act(bearer: Bearer, act: Act) -> Permit {
    Permit::new(bearer, Action::Own(act), Cage::Workspace)
}

/// What no rule and no person's yes lets through.
fn out_of_bounds(case: &Case<'_>, call: &ToolCall) -> Option<Refusal> {
    let writes = matches!(
        call.tool,
        ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile
    );
    let is_plan = |path: &str| case.plan.is_some_and(|plan| plan.is_named_by(path));
    match case.cage {
        _ if writes && call.path().is_some_and(is_plan) => Some(Refusal::PlanFile),
        Cage::ReadOnly if writes => Some(Refusal::BeforeApproval),
        Cage::ReadOnly if call.tool == ToolName::RunCommand && !case.is_sandboxed => {
            Some(Refusal::NoSandbox)
        }
        _ => None,
    }
}

/// What the call would destroy; `Err` with what has to be seen before that can be said.
fn danger(call: &ToolCall, seen: Option<&Seen>) -> Result<Option<Danger>, Look> {
    match (destructive::look_for(call), seen) {
        (None, _) => Ok(None),
        (Some(_), Some(seen)) => Ok(destructive::danger_of(call, seen)),
        (Some(look), None) if look.is_empty() => Ok(destructive::danger_of(call, &Seen::default())),
        (Some(look), None) => Err(look),
    }
}

/// What the person allowed that covers the request; a yes to what it destroys is one to the request.
fn granted<'a>(
    case: &Case<'a>,
    request: &PermissionRequest,
) -> impl Iterator<Item = &'a PermissionRequest> {
    let granted = case.granted.iter();
    granted.filter(move |granted| granted.plain() == *request)
}

/// Whether a person has answered for what it destroys: by a rule, for the run, or at a checkpoint that the
/// step waits for and that names the same.
fn is_settled(
    case: &Case<'_>,
    checkpoints: &Checkpoints<'_>,
    call: &ToolCall,
    said: Verdict,
    request: &PermissionRequest,
) -> bool {
    let mut rules = case.rules.iter();
    let by_rule =
        said == Verdict::Allow && rules.any(|rule| destructive::is_spared_by(rule, request));
    by_rule
        || granted(case, request).any(|granted| granted.danger.is_some())
        || (checkpoints.answered)()
            .iter()
            .any(|checkpoint| destructive::is_named_by(checkpoint, call))
}
