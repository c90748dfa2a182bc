//! The gate: decides whether an action may happen now. The only module that makes a [`Permit`].
//!
//! Tool calls of a step or a conversation, checks and hand-overs all go through [`decide`]. It
//! applies the permission rules, what the approved steps name, what a person allowed, and an
//! automatic checkpoint before anything destructive. If it needs facts about the workspace first,
//! it returns [`Decision::LookAt`]; if a person has to agree, it returns [`Decision::Ask`], which
//! holds the permit until they do.
//!
//! A person's own acts and the app's own records need no decision ([`own_act`]). They still get
//! permits, so that each one states what it does, and none of them can be a tool call.
//!
//! The losses a call would cause are determined again on each decision. A person's agreement
//! therefore covers what exists when the call runs; if that has changed, they are asked again.

mod permit;

use std::collections::BTreeSet;

use plan::{Task, ToolCall, ToolName};

use crate::answers::{Answer, Grant};
use crate::destructive::{self, Danger, Inspection, InspectionResult};
use crate::path::PlanPlace;
use crate::permissions::{Rule, Verdict, judge_in_step, request_of};
use crate::question::PermissionRequest;

pub use permit::{Act, Action, Bearer, Cage, NotPermitted, Permit};

/// An action and everything needed to decide on it.
pub struct Case<'a> {
    /// Who acts.
    pub bearer: Bearer,
    /// The action.
    pub action: Action,
    /// The locations it may write to.
    pub cage: Cage,
    /// Where the plan file is; no call may write it.
    pub plan: Option<&'a PlanPlace>,
    /// Permission rules in force.
    pub rules: &'a [Rule],
    /// Permissions that the person granted for the rest of the run or conversation.
    pub granted: &'a BTreeSet<PermissionRequest>,
    /// Whether a sandbox confines commands to the cage.
    pub is_sandboxed: bool,
    /// Whether the approved step names the action, or the action changes nothing.
    pub is_named: bool,
    /// Whether the same call was interrupted before, with an unknown outcome.
    pub may_have_happened: bool,
    /// Inputs for the automatic checkpoint; `None` if the action raises none.
    pub checkpoints: Option<Checkpoints<'a>>,
}

/// Inputs for the automatic checkpoint before a destructive call.
pub struct Checkpoints<'a> {
    /// The results of inspecting the workspace for this call.
    pub seen: Option<&'a InspectionResult>,
    /// The answered checkpoints that the step depends on.
    pub answered: &'a dyn Fn() -> Vec<&'a Task>,
}

/// The gate's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The action may happen.
    Permit(Permit),
    /// The workspace has to be inspected first.
    LookAt {
        /// The call that requires it.
        call: ToolCall,
        /// The facts to look up.
        look: Inspection,
    },
    /// A person has to agree.
    Ask(Box<Pending>),
    /// The action may not happen.
    Refuse(Refusal),
}

/// A permit that a person has to agree to first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pending {
    request: PermissionRequest,
    why: &'static str,
    permit: Permit,
}

impl Pending {
    /// The request that the person is asked to allow, including what it would destroy.
    pub fn request(&self) -> &PermissionRequest {
        &self.request
    }

    /// Why the gate asks, in one sentence.
    pub fn why(&self) -> &'static str {
        self.why
    }

    /// Turns the person's answer into a permit or a refusal; `None` if the answer is for another
    /// request.
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

/// Why the gate refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The plan file can only be changed through the app.
    PlanFile,
    /// Only the plan may change before approval.
    BeforeApproval,
    /// Without a sandbox, nothing prevents commands from writing before approval.
    NoSandbox,
    /// A permission rule denies it.
    Rule,
    /// A person refused.
    Person {
        /// Their reason, if given.
        words: Option<String>,
    },
}

/// Decides whether one action may happen.
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
        _ if danger.is_some() => "No approved checkpoint covers this.",
        _ if case.may_have_happened && has_effect => "It was interrupted and may already have run.",
        Verdict::Allow | Verdict::Deny => "",
        Verdict::Ask if is_granted() => "",
        Verdict::Ask if !case.is_named => "The approved step doesn't mention it.",
        Verdict::Ask if case.is_sandboxed => "A permission rule requires approval.",
        Verdict::Ask => "Commands aren't sandboxed, so it can change anything you can.",
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

/// Lets a conversation write its own plan and nothing else; changed steps need a new approval.
pub fn decide_on_plan(session: &str, path: &str) -> Decision {
    let (session, path) = (session.to_owned(), path.to_owned());
    let bearer = Bearer::Session { session };
    Decision::Permit(own_act(bearer, Act::WriteDocument { path }))
}

/// Decides whether a person may start the agent that they named, to plan. It can write nothing but
/// its own temporary folder, so only a permission rule for its command line can refuse.
pub fn decide_on_planning(call: ToolCall, rules: &[Rule]) -> Decision {
    decide(Case {
        bearer: Bearer::Person,
        action: Action::HandOver(call),
        cage: Cage::ReadOnly,
        plan: None,
        rules,
        granted: &BTreeSet::new(),
        is_sandboxed: true,
        is_named: true,
        may_have_happened: false,
        checkpoints: None,
    })
}

/// The permit for an act that needs no decision: a person's own act, or the app's own records.
pub fn own_act(bearer: Bearer, act: Act) -> Permit {
    Permit::new(bearer, Action::Own(act), Cage::Workspace)
}

/// Refuses calls that no rule or grant can allow.
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

/// What the call would destroy; `Err` with the facts to look up if that can't be determined yet.
fn danger(call: &ToolCall, seen: Option<&InspectionResult>) -> Result<Option<Danger>, Inspection> {
    match (destructive::inspection_for(call), seen) {
        (None, _) => Ok(None),
        (Some(_), Some(seen)) => Ok(destructive::danger_of(call, seen)),
        (Some(look), None) if look.is_empty() => {
            Ok(destructive::danger_of(call, &InspectionResult::default()))
        }
        (Some(look), None) => Err(look),
    }
}

/// The person's grants that cover the request. A grant that includes a danger also covers the plain
/// request.
fn granted<'a>(
    case: &Case<'a>,
    request: &PermissionRequest,
) -> impl Iterator<Item = &'a PermissionRequest> {
    let granted = case.granted.iter();
    granted.filter(move |granted| granted.plain() == *request)
}

/// Whether a person has agreed to the loss: by a rule, for the run, or at a checkpoint that the
/// step depends on and that names what would be lost.
fn is_settled(
    case: &Case<'_>,
    checkpoints: &Checkpoints<'_>,
    call: &ToolCall,
    said: Verdict,
    request: &PermissionRequest,
) -> bool {
    let mut rules = case.rules.iter();
    let by_rule =
        said == Verdict::Allow && rules.any(|rule| destructive::is_allowed_by(rule, request));
    by_rule
        || granted(case, request).any(|granted| granted.danger.is_some())
        || (checkpoints.answered)()
            .iter()
            .any(|checkpoint| destructive::is_named_by(checkpoint, call))
}
