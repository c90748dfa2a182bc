//! Descriptions of a step's calls and checks for display.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agent::journal::{CallOutcome, Entry};
use agent::receipt::{ended_at, started_at};
use plan::{ToolCall, ToolName};
use similar::{Algorithm, DiffTag, capture_diff_slices_deadline};

use super::RunRead;
use super::modelled::{learned, merged};
use super::states::reason;
use crate::document::cut;
use crate::wire::{HandedTo, RunStep, StepAction};
use workbench::text::{counted, number};

/// Maximum actions listed; the latest ones are kept.
const MAX_ACTIONS: usize = 500;

/// Maximum bytes of output shown per action.
const MAX_OUTPUT: usize = 8_000;

/// Maximum characters in an action's title.
const MAX_TITLE_LEN: usize = 2_000;

/// Time limit for counting the changed lines of one change; afterwards the counts are approximate.
const COUNTING: Duration = Duration::from_millis(200);

impl RunRead {
    /// One step, without the live output of its command.
    pub(super) fn step(&self, id: &str) -> RunStep {
        let known = self.state.tasks.get(id).cloned().unwrap_or_default();
        let mut discoveries: Vec<String> = Vec::new();
        for (_, entry) in &self.journal {
            if let Entry::Finished { task, outcome, .. } = entry
                && task == id
            {
                for found in &outcome.discoveries {
                    if !discoveries.contains(found) {
                        discoveries.push(found.clone());
                    }
                }
            }
            for found in learned(id, entry) {
                if !discoveries.contains(&found) {
                    discoveries.push(found);
                }
            }
        }
        RunStep {
            run: self.row.id.clone(),
            task: id.to_owned(),
            title: self.title(id),
            state: self.state_of(id).unwrap_or("ready").to_owned(),
            reason: reason(&known),
            attempts: known.attempts,
            beside: known.beside.iter().cloned().collect(),
            started_at_ms: started_at(id, &self.journal),
            ended_at_ms: ended_at(id, &self.journal),
            work_ms: self.work_of(id),
            actions: self.actions(id),
            discoveries,
            notes: known
                .verdict
                .map(|verdict| verdict.warnings)
                .unwrap_or_default(),
            changes: known.changes.files,
            output: String::new(),
            output_is_cut: false,
            context: self.context(id),
            model: self.modelled(id),
            handed_to: known.handed_to.map(|over| HandedTo {
                name: over.to,
                line: over.line,
            }),
        }
    }

    fn actions(&self, id: &str) -> Vec<StepAction> {
        let mut actions = Vec::new();
        // The call as recorded before it was made; the plan may have changed since.
        let mut announced: BTreeMap<usize, ToolCall> = BTreeMap::new();
        for (_, entry) in &self.journal {
            match entry {
                Entry::Intended {
                    task, call, line, ..
                } if task == id => {
                    if let Ok(tool) = ToolCall::parse(line) {
                        announced.insert(*call, tool);
                    }
                }
                Entry::Cleared { task, call, .. } if task == id => {
                    announced.remove(call);
                }
                Entry::Finished {
                    task,
                    call,
                    outcome,
                } if task == id => {
                    let written = announced.remove(call);
                    // Read-only calls aren't recorded before they are made.
                    let written = written
                        .or_else(|| self.written(id, *call))
                        .or_else(|| self.made(id, *call));
                    actions.push(of_call(written.as_ref(), outcome));
                }
                Entry::Checked { task, outcome, .. } if task == id => {
                    actions.push(of_command("check", outcome));
                }
                Entry::Done {
                    task,
                    signed: Some(signature),
                    ..
                } if task == id => {
                    let note = signature.note.clone().unwrap_or_default();
                    actions.push(signed("Signed by a person", note));
                }
                Entry::Decided { task, label } if task == id => {
                    actions.push(signed(&format!("Decided: {label}"), String::new()));
                }
                _ => {
                    actions.extend(self.said_of(id, entry));
                }
            }
        }
        for tool in announced.values() {
            actions.push(StepAction {
                ok: None,
                ..action("call", tool.tool.as_str(), title(tool))
            });
        }
        let mut actions = merged(actions);
        let first = actions.len().saturating_sub(MAX_ACTIONS);
        actions.split_off(first)
    }

    /// A call as currently written in the plan.
    fn written(&self, id: &str, call: usize) -> Option<ToolCall> {
        self.task(id)?
            .calls
            .get(call)?
            .parsed
            .as_ref()
            .ok()
            .cloned()
    }
}

pub(super) fn action(kind: &str, tool: &str, title: String) -> StepAction {
    StepAction {
        kind: kind.to_owned(),
        tool: tool.to_owned(),
        title: cut(&title, MAX_TITLE_LEN),
        summary: String::new(),
        ok: Some(true),
        exit_code: None,
        output: String::new(),
        elapsed_ms: 0,
        recovered: false,
        flaky: false,
    }
}

fn signed(title: &str, summary: String) -> StepAction {
    StepAction {
        summary,
        ..action("signature", "", title.to_owned())
    }
}

fn of_call(call: Option<&ToolCall>, outcome: &CallOutcome) -> StepAction {
    if outcome.command.is_some() {
        return of_command("call", outcome);
    }
    let (title, done) = match call {
        Some(call) => (title(call), summary(call, outcome)),
        None => (outcome.tool.clone(), outcome.summary.clone()),
    };
    StepAction {
        summary: if outcome.ok {
            done
        } else {
            outcome.summary.clone()
        },
        ok: Some(outcome.ok),
        output: tail(&outcome.output),
        elapsed_ms: outcome.elapsed_ms,
        recovered: outcome.recovered,
        ..action("call", &outcome.tool, title)
    }
}

fn of_command(kind: &str, outcome: &CallOutcome) -> StepAction {
    let summary = match outcome.exit_code {
        Some(code) => format!("exit {code}"),
        None => outcome.summary.clone(),
    };
    StepAction {
        summary,
        ok: Some(outcome.ok),
        exit_code: outcome.exit_code,
        output: tail(&outcome.output),
        elapsed_ms: outcome.elapsed_ms,
        recovered: outcome.recovered,
        flaky: outcome.is_flaky,
        ..action(
            kind,
            ToolName::RunCommand.as_str(),
            outcome.command.clone().unwrap_or_default(),
        )
    }
}

/// Describes a call for display.
pub(crate) fn title(call: &ToolCall) -> String {
    let path = call.path().unwrap_or_default();
    let place = if path.is_empty() || path == "." {
        "the workspace"
    } else {
        path
    };
    match call.tool {
        ToolName::ReadFile => format!("Read {path}"),
        ToolName::ListFiles => format!("Listed {place}"),
        ToolName::SearchFiles => {
            format!("Searched “{}”", call.string("pattern").unwrap_or_default())
        }
        ToolName::GitStatus => "Checked the Git status".to_owned(),
        ToolName::EditFile => format!("Edit {path}"),
        ToolName::WriteFile => format!("Write {path}"),
        ToolName::DeleteFile => format!("Delete {path}"),
        ToolName::RunCommand => call.string("command").unwrap_or_default().to_owned(),
    }
}

fn summary(call: &ToolCall, outcome: &CallOutcome) -> String {
    let argument = |name: &str| call.string(name).unwrap_or_default();
    match call.tool {
        ToolName::SearchFiles | ToolName::ReadFile => {
            super::asking::hits(outcome).unwrap_or_else(|| lines(call, outcome))
        }
        ToolName::EditFile => {
            let (added, removed) = counts(argument("old_text"), argument("new_text"));
            format!("+{added} −{removed}")
        }
        ToolName::WriteFile => counted(argument("content").lines().count(), "line"),
        ToolName::DeleteFile => "deleted".to_owned(),
        _ => outcome.summary.clone(),
    }
}

/// Extracts “lines 1–88” from the result of reading a file.
fn lines(call: &ToolCall, outcome: &CallOutcome) -> String {
    let said = outcome.summary.as_str();
    if said.starts_with("lines ") {
        let end = said.find(" of ").unwrap_or(said.len());
        return said[..end].to_owned();
    }
    let whole = said.strip_prefix(call.path().unwrap_or_default());
    let whole = whole.and_then(|rest| rest.strip_prefix(": "));
    let count = whole.and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
    match count {
        Some(count @ 2..) => format!("lines 1–{count}"),
        Some(count) => counted(count, "line"),
        None => said.to_owned(),
    }
}

/// Numbers of lines added and removed.
pub(crate) fn counts(before: &str, after: &str) -> (u32, u32) {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let until = Instant::now().checked_add(COUNTING);
    let mut counts = (0_usize, 0_usize);
    for op in capture_diff_slices_deadline(Algorithm::Myers, &old, &new, until) {
        if op.tag() != DiffTag::Equal {
            counts.0 += op.new_range().len();
            counts.1 += op.old_range().len();
        }
    }
    (number(counts.0), number(counts.1))
}

fn tail(text: &str) -> String {
    let from = text.ceil_char_boundary(text.len().saturating_sub(MAX_OUTPUT));
    text[from..].to_owned()
}
