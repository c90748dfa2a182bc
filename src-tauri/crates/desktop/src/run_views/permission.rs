//! Permission requests for display: the full command or change, facts about it, and the rules that
//! “always here” could create.

use std::path::Path;

use gate::destructive::is_allowed_by;
use gate::permissions::{Match, Rule, Verdict, beginnings, judge, request_of, request_of_check};
use gate::question::PermissionRequest;
use plan::{CommandLine, ToolCall, ToolName};
use tools::{Workspace, files};

use super::RunRead;
use crate::Shared;
use crate::editing::diff_lines;
use crate::step_effects::{Effects, is_there};
use crate::wire::{DiffLine, EffectVerb, PermissionView, RuleOffer, StepEffect};

/// Maximum lines of a change shown.
const MAX_LINES: usize = 400;

/// A permission request, for its card.
pub(super) fn view(
    shared: &Shared,
    read: &RunRead,
    task: &str,
    request: &PermissionRequest,
) -> PermissionView {
    let call = call_of(read, task, request);
    let is_named = call.is_some() || is_check(read, task, request);
    PermissionView {
        diff: call
            .or_else(|| made_by_model(read, task, request))
            .or_else(|| made_by_host(read, request))
            .and_then(|call| Some(diff(&open_workspace(shared, read)?, &call)))
            .unwrap_or_default(),
        rules: offers(shared, read, request),
        danger: request.danger.clone().map(Box::new),
        ..as_asked(request, is_named, || sandbox_of(read).to_owned())
    }
}

/// The request and facts about it. `tier` returns the sandbox's tier and is called only for
/// commands.
pub(crate) fn as_asked(
    request: &PermissionRequest,
    is_named: bool,
    tier: impl FnOnce() -> String,
) -> PermissionView {
    let is_command = request.tool == ToolName::RunCommand.as_str();
    let mut facts = vec!["in the workspace".to_owned()];
    if !is_named {
        facts.push("not named in the plan".to_owned());
    }
    if is_command {
        facts.push(match tier().as_str() {
            "none" | "" => "no sandbox".to_owned(),
            tier => format!("sandbox: {tier}"),
        });
    }
    PermissionView {
        tool: request.tool.clone(),
        subject: request.subject.clone(),
        is_shell: is_command
            && CommandLine::parse(&request.subject).is_some_and(|line| line.is_shell()),
        facts,
        ..PermissionView::default()
    }
}

/// Rules that would answer this question in the future, narrowest first. Rules overridden by a
/// stricter rule aren't offered.
pub(crate) fn offers(
    shared: &Shared,
    read: &RunRead,
    request: &PermissionRequest,
) -> Vec<RuleOffer> {
    let is_sandboxed = !matches!(sandbox_of(read), "none" | "");
    let in_force = shared.rules_of(read).unwrap_or_default();
    let spares = |matches: Match| {
        let rule = Rule {
            tool: request.tool.clone(),
            matches,
            verdict: Verdict::Allow,
        };
        let names_it = request.danger.is_none() || is_allowed_by(&rule, request);
        let mut rules = in_force.clone();
        rules.push(rule);
        names_it && judge(request, &rules, is_sandboxed) == Verdict::Allow
    };
    let offer = |kind: &str, text: &str| RuleOffer {
        kind: kind.to_owned(),
        text: text.to_owned(),
    };
    let mut offers = Vec::new();
    if spares(Match::Exact(request.subject.clone())) {
        offers.push(offer("exact", &request.subject));
    }
    let prefix = beginnings(request)
        .into_iter()
        .find(|prefix| spares(Match::Prefix(prefix.clone())));
    offers.extend(prefix.map(|prefix| offer("prefix", &prefix)));
    offers
}

fn call_of(read: &RunRead, task: &str, request: &PermissionRequest) -> Option<ToolCall> {
    let calls = read.task(task)?.calls.iter();
    let mut calls = calls.filter_map(|call| call.parsed.as_ref().ok());
    let asked = request.plain();
    calls.find(|call| request_of(call) == asked).cloned()
}

/// The model's call that waits for this answer. The plan doesn't contain it.
fn made_by_model(read: &RunRead, task: &str, request: &PermissionRequest) -> Option<ToolCall> {
    let last = read.state.tasks.get(task)?.work.rounds.last()?;
    let (_, call) = last.open_call()?;
    let tool = ToolName::from_name(&call.name)?;
    let call = ToolCall::new(tool, call.arguments.clone()).ok()?;
    (request_of(&call) == request.plain()).then_some(call)
}

/// The call that waits for this answer in a run that an agent carries out itself.
fn made_by_host(read: &RunRead, request: &PermissionRequest) -> Option<ToolCall> {
    let mut open = read.state.host.open();
    open.find_map(|(_, asked)| {
        asked
            .call()
            .filter(|call| request_of(call) == request.plain())
    })
}

/// The sandbox in which the call would run. An agent that carries out the run itself runs its
/// commands outside our sandbox.
fn sandbox_of(read: &RunRead) -> &str {
    match read.state.started.choice.host {
        Some(_) => "none",
        None => &read.state.sandbox,
    }
}

fn is_check(read: &RunRead, task: &str, request: &PermissionRequest) -> bool {
    let (task, asked) = (read.task(task), request.plain());
    task.is_some_and(|task| {
        let mut checks = task.verify.iter();
        checks.any(|line| request_of_check(line) == asked)
    })
}

/// Maximum edits shown with a diff; further ones are shown as calls.
const MAX_CHANGES: usize = 8;

/// The effects of a step if it started now, with the diffs of its edits.
pub(super) fn effects(shared: &Shared, read: &RunRead, index: usize) -> Vec<StepEffect> {
    let Some(parsed) = &read.parsed else {
        return Vec::new();
    };
    let started = &read.state.started;
    let has_model = started.model.is_some()
        || started.choice.hand_over.is_some()
        || started.choice.host.is_some();
    let workspace = open_workspace(shared, read);
    let exists = |path: &str| workspace.as_ref().is_none_or(|open| is_there(open, path));
    let mut effects = Effects::new(&parsed.plan, parsed.graph(), has_model, &exists).of(index);
    let changes = parsed.plan.tasks[index].calls.iter();
    let changes = changes.filter_map(|call| call.parsed.as_ref().ok());
    let mut changes = changes.filter(|call| is_change(call)).take(MAX_CHANGES);
    let is_by_call =
        |effect: &&mut StepEffect| effect.call.is_some() || effect.verb == EffectVerb::Deletes;
    for effect in effects.iter_mut().filter(is_by_call) {
        let (Some(open), Some(call)) = (&workspace, changes.next()) else {
            break;
        };
        effect.diff = diff(open, call);
        if !effect.diff.is_empty() {
            effect.call = None;
        }
    }
    effects
}

fn is_change(call: &ToolCall) -> bool {
    matches!(
        call.tool,
        ToolName::EditFile | ToolName::WriteFile | ToolName::DeleteFile
    )
}

fn open_workspace(shared: &Shared, read: &RunRead) -> Option<Workspace> {
    let workbench = shared.workbench();
    let path = Path::new(&read.row.workspace);
    workbench.open_workspace(path).ok()
}

/// The change that the call would make to a file; nothing is written.
fn diff(workspace: &Workspace, call: &ToolCall) -> Vec<DiffLine> {
    if !is_change(call) {
        return Vec::new();
    }
    let Ok(prepared) = files::prepare(workspace, call) else {
        return Vec::new();
    };
    let text = |side: Option<Vec<u8>>| String::from_utf8(side.unwrap_or_default()).ok();
    match (text(prepared.old_content), text(prepared.new_content)) {
        (Some(old), Some(new)) => diff_lines(&old, &new, MAX_LINES).0,
        _ => Vec::new(),
    }
}
