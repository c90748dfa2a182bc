//! What a mode lets through: mode × call.
//!
//! Held here and by the sandbox, not by the prompt. Every refusal says what to do instead. Leaving
//! plan mode is no tool; asked for by any name, it is refused.

mod names;

use std::collections::BTreeSet;

use gate::path::{PlanPlace, workspace_path};
use gate::permissions::{Rule, Verdict as RuleSays, judge, request_of};
use gate::question::PermissionRequest;
use plan::{Plan, ToolCall, ToolName};

use super::call::Call;
use super::entry::Mode;
use super::reply::ReplyCall;
use super::tools::SessionTool;

pub use names::unknown_tool;

/// How a call of the workspace is caged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cage {
    /// Nothing but a private temporary folder can be written.
    ReadOnly,
    /// The workspace can be written, the plan file apart.
    Workspace,
}

/// What the gate says of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// It is carried out.
    Allowed(Call, Cage),
    /// The person is asked first.
    Ask {
        /// The call.
        call: Call,
        /// What would be allowed.
        request: PermissionRequest,
        /// Why it asks.
        why: &'static str,
    },
    /// It is not carried out; this goes back to the model.
    Refused(String),
}

/// What an approved plan allows without a question.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowance {
    files: BTreeSet<String>,
    commands: BTreeSet<String>,
}

impl Allowance {
    /// What the open steps name: files to edit, and the commands they show.
    pub fn of(plan: &Plan) -> Self {
        let open = plan
            .tasks
            .iter()
            .filter(|task| !task.done && task.skipped.is_none());
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

/// All that the gate looks at besides the call.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
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
    match (&typed, ground.mode) {
        (Call::Workspace(inner), mode) => match (inner.tool, mode) {
            (ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile, _)
                if inner
                    .path()
                    .is_some_and(|path| ground.plan.is_named_by(path)) =>
            {
                Verdict::Refused(PLAN_FILE.to_owned())
            }
            (ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile, Mode::Plan) => {
                Verdict::Refused(ONLY_THE_PLAN.to_owned())
            }
            (ToolName::RunCommand, Mode::Plan) if !ground.can_run_read_only => {
                Verdict::Refused(NO_COMMANDS.to_owned())
            }
            (_, Mode::Plan) => by_rules(ground, inner, Cage::ReadOnly, true),
            (tool, Mode::Exec) if tool.is_read_only() => {
                by_rules(ground, inner, Cage::ReadOnly, true)
            }
            (_, Mode::Exec) => {
                let is_covered = ground.allowance.is_some_and(|plan| plan.covers(inner));
                by_rules(ground, inner, Cage::Workspace, is_covered)
            }
        },
        (Call::ProposePlan, Mode::Exec) => Verdict::Refused(PROPOSED_IN_PLAN_MODE.to_owned()),
        (Call::EditPlan { .. }, Mode::Exec) => {
            let request = PermissionRequest {
                tool: tool.as_str().to_owned(),
                subject: ground.plan.path.clone(),
                danger: None,
            };
            if ground.is_permitted || ground.granted.contains(&request) {
                return Verdict::Allowed(typed, Cage::Workspace);
            }
            Verdict::Ask {
                call: typed,
                request,
                why: "It changes the plan outside of plan mode; changed steps must be approved anew.",
            }
        }
        _ => Verdict::Allowed(typed, Cage::ReadOnly),
    }
}

fn by_rules(ground: &Ground<'_>, call: &ToolCall, cage: Cage, is_covered: bool) -> Verdict {
    let request = request_of(call);
    let allowed = || Verdict::Allowed(Call::Workspace(call.clone()), cage);
    let ask = |why| Verdict::Ask {
        call: Call::Workspace(call.clone()),
        request: request.clone(),
        why,
    };
    // In plan mode the cage is proved; whether exec has one does not matter there.
    let is_sandboxed = cage == Cage::ReadOnly || ground.is_sandboxed;
    let said = judge(&request, ground.rules, is_sandboxed);
    if said == RuleSays::Deny {
        return Verdict::Refused(format!(
            "A rule of the person's forbids `{} {}`. Do without, or ask with ask_user.",
            request.tool, request.subject
        ));
    }
    if ground.is_permitted {
        return allowed();
    }
    if ground.may_have_happened && !call.tool.is_read_only() && cage == Cage::Workspace {
        return ask("It was cut off before, and may have happened already.");
    }
    if ground.granted.contains(&request) {
        return allowed();
    }
    match said {
        RuleSays::Ask if is_covered => ask("A rule, or the lack of a sandbox, asks for it."),
        RuleSays::Allow if is_covered || is_named_by_a_rule(ground.rules, &request) => allowed(),
        _ if ground.allowance.is_none() => {
            ask("No plan is approved, so every write and every command asks.")
        }
        _ => ask("No approved step names it."),
    }
}

/// Whether a rule, and not only the absence of one, allows the request.
fn is_named_by_a_rule(rules: &[Rule], request: &PermissionRequest) -> bool {
    rules
        .iter()
        .any(|rule| rule.verdict == RuleSays::Allow && rule.applies(request))
}
