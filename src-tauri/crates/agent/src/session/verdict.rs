//! What becomes of a call of the model: the [gate](mod@gate::decide) decides; said here is what the model gets
//! instead, which names what to do.
//!
//! Held by the gate and the sandbox, not by the prompt. Leaving
//! plan mode is no tool; asked for by any name, it is refused.

mod names;

use std::collections::BTreeSet;

use gate::answers::{Answer, Grant};
use gate::path::{PlanPlace, workspace_path};
use gate::permissions::{Rule, request_of};
use gate::policy::{Policy, asks};
use gate::question::PermissionRequest;
use gate::{
    Action, Bearer, Cage, Case, Decision, Named, Pending, Permit, Refusal, decide, decide_on_plan,
};
use plan::graph::Graph;
use plan::{By, Plan, Task, TaskKind, ToolCall, ToolName};

use super::call::Call;
use super::entry::Mode;
use super::reply::ReplyCall;
use super::tools::SessionTool;

pub use names::unknown_tool;

/// What becomes of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It is carried out: with the gate's leave where it acts on the workspace or the plan.
    Allowed(Call, Option<Permit>),
    /// The person is asked first.
    Ask(Box<Pending>),
    /// It is not carried out; this goes back to the model.
    Refused(String),
}

/// What an approved plan allows a conversation without a question: what its open steps name that no gate
/// holds back. A conversation keeps no record of steps, so whatever waits for a checkpoint, a decision or a
/// person's step is asked about, and so is what the policy asks before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowance {
    files: BTreeSet<String>,
    commands: BTreeSet<String>,
}

impl Allowance {
    /// The files to edit and the commands to run.
    pub fn of(plan: &Plan, policy: Policy) -> Self {
        let graph = Graph::of(plan);
        let is_gate = |task: &Task| task.kind != TaskKind::Normal || task.by == By::Person;
        let gates = plan.leaves().filter(|(_, task)| is_gate(task));
        let behind: BTreeSet<usize> = gates
            .flat_map(|(index, _)| graph.dependents(index))
            .collect();
        let open = plan.leaves().filter(|(index, task)| {
            let is_over = task.done || task.skipped.is_some();
            !(is_over || is_gate(task) || behind.contains(index) || asks(policy, task))
        });
        let open = open.map(|(_, task)| task);
        let mut allowance = Self::default();
        for task in open {
            let calls = task
                .calls
                .iter()
                .filter_map(|call| call.parsed.as_ref().ok());
            for call in calls {
                match call.tool {
                    ToolName::RunCommand => {
                        let line = call.string("command").unwrap_or_default();
                        allowance.commands.insert(line.trim().to_owned());
                    }
                    ToolName::EditFile | ToolName::WriteFile => {
                        allowance.files.extend(call.path().map(workspace_path));
                    }
                    _ => {}
                }
            }
            allowance
                .files
                .extend(task.files.iter().map(|path| workspace_path(path)));
            let checks = task.verify.iter().map(|line| line.trim().to_owned());
            allowance.commands.extend(checks);
        }
        allowance
    }

    fn covers(&self, call: &ToolCall) -> bool {
        match call.tool {
            ToolName::RunCommand => call
                .string("command")
                .is_some_and(|line| self.commands.contains(line.trim())),
            _ => call
                .path()
                .is_some_and(|path| self.files.contains(&workspace_path(path))),
        }
    }
}

/// All that is looked at besides the call.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The conversation.
    pub session: &'a str,
    /// The mode in force.
    pub mode: Mode,
    /// Where the plan is.
    pub plan: &'a PlanPlace,
    /// Permission rules in force.
    pub rules: &'a [Rule],
    /// What the person allowed for this session.
    pub granted: &'a BTreeSet<PermissionRequest>,
    /// Whether a sandbox proved that it keeps commands from writing.
    pub can_run_read_only: bool,
    /// Whether commands run in a sandbox in exec mode.
    pub is_sandboxed: bool,
    /// What the approved plan allows; absent without an approved plan.
    pub allowance: Option<&'a Allowance>,
    /// Whether the same call was cut off before and its outcome is not known.
    pub may_have_happened: bool,
    /// Whether the person allowed this very call.
    pub is_permitted: bool,
}

/// What to do instead of writing the plan file like any other file.
pub const PLAN_FILE: &str =
    "The plan file is changed with edit_plan alone: by task id, or by exact old_text.";

/// What stands behind the output of a command that plan mode's cage stopped.
const STOPPED: &str = "[Plan mode: a command can only look, at files and without a network. Put what is to be \
                       changed into the plan with edit_plan, as a step.]";

/// What to do instead, where a command failed on what plan mode's cage forbids; judged by what it
/// said, since a program that fails of itself needs another advice.
pub(super) fn instead_of(output: &str) -> Option<&'static str> {
    const MARKS: [&str; 7] = [
        "Read-only file system",
        "Permission denied",
        "Operation not permitted",
        "Network is unreachable",
        "Connection refused",
        "Could not resolve host",
        "Temporary failure in name resolution",
    ];
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

const PROPOSED_IN_PLAN_MODE: &str = "A plan is proposed in plan mode, and the mode is exec. Go on with \
                                     the work; if the plan must change, say so and the person \
                                     switches.";

/// Judges one call.
pub fn judge_call(ground: &Ground<'_>, call: &ReplyCall) -> Verdict {
    let Some(tool) = SessionTool::from_name(&call.name) else {
        return Verdict::Refused(unknown_tool(&call.name));
    };
    let typed = match Call::of(tool, call) {
        Ok(typed) => typed,
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    let bearer = Bearer::Session {
        session: ground.session.to_owned(),
    };
    let decision = match &typed {
        Call::Workspace(inner) => decide(case(ground, bearer, inner)),
        Call::EditPlan { .. } => {
            let is_in_plan_mode = ground.mode == Mode::Plan;
            decide_on_plan(bearer, &ground.plan.path, is_in_plan_mode, ground.granted)
        }
        Call::ProposePlan if ground.mode == Mode::Exec => {
            return Verdict::Refused(PROPOSED_IN_PLAN_MODE.to_owned());
        }
        Call::ProposePlan | Call::ReadPlan { .. } | Call::AskUser { .. } => {
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
            (Refusal::PlanFile, _) => PLAN_FILE.to_owned(),
            (Refusal::NoSandbox, _) => NO_COMMANDS.to_owned(),
            (Refusal::Rule, Call::Workspace(inner)) => {
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

/// What the mode, the rules and the approved plan say to a call of the workspace.
fn case<'a>(ground: &Ground<'a>, bearer: Bearer, call: &ToolCall) -> Case<'a> {
    let is_read_only = ground.mode == Mode::Plan || call.tool.is_read_only();
    let named = match ground.allowance {
        _ if is_read_only => Named::Yes,
        Some(allowance) if allowance.covers(call) => Named::Yes,
        Some(_) => Named::ByNoStep,
        None => Named::NoPlan,
    };
    Case {
        bearer,
        action: Action::Call(call.clone()),
        cage: match is_read_only {
            true => Cage::ReadOnly,
            false => Cage::Workspace,
        },
        plan: Some(ground.plan),
        rules: ground.rules,
        granted: ground.granted,
        is_sandboxed: match is_read_only {
            true => ground.can_run_read_only,
            false => ground.is_sandboxed,
        },
        named,
        may_have_happened: ground.may_have_happened,
        checkpoints: None,
    }
}
