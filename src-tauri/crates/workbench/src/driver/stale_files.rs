//! Refuses to overwrite a file whose current content the step's model doesn't know, because it
//! never read the file or someone else changed it since. Partial edits are allowed: they either
//! match the current content or fail.

use agent::model_step::act;
use agent::run::Machine;
use gate::destructive::PathState;
use plan::{ToolCall, ToolName};
use tools::files::Prepared;
use tools::listing::path_state;
use tools::{ContentHash, ToolError, Workspace, documents};

use crate::error::Result;

/// Refuses to write or delete a file whose current content the model doesn't know.
pub(super) fn refuse(
    machine: &Machine,
    workspace: &Workspace,
    (task, call): (&str, usize),
    tool: &ToolCall,
    prepared: &Prepared,
) -> Result<()> {
    if !matches!(tool.tool, ToolName::WriteFile | ToolName::DeleteFile) {
        return Ok(());
    }
    let path = prepared.record.path.as_str();
    refuse_hidden(machine, workspace, task, tool)?;
    let made = machine.state().tasks.get(task);
    let made = made.and_then(|state| state.work.rounds.call(call));
    if let Some(based_on) = made.and_then(|call| call.based_on.as_ref()) {
        let found = prepared.record.hashes().0.map(ContentHash::to_hex);
        return match found.unwrap_or_default() == *based_on {
            true => Ok(()),
            false => Err(err!(Failed:
                "`{path}` was changed by somebody else after you read it, so nothing was written. Read it \
                     again and keep what is new there.")),
        };
    }
    let (Some(found), _) = prepared.record.hashes() else {
        return Ok(());
    };
    // Overwriting an empty file loses nothing.
    if found == ContentHash::of(b"") {
        return Ok(());
    }
    if tool.tool == ToolName::WriteFile && is_unread(machine, task, path) {
        return Err(err!(Failed:
            "`{path}` already exists and was not read in this step, so nothing was written. Read it \
                 first; to change a part of it, use edit_file."));
    }
    let known = known(machine, task, path);
    if known.is_none_or(|known| known == found.to_hex()) {
        return Ok(());
    }
    Err(err!(Failed:
        "`{path}` was changed by somebody else after you read it, so nothing was written. Read it \
             again and keep what is new there."))
}

/// Refuses to overwrite a file that models may not read, except one that the step itself wrote.
pub(super) fn refuse_hidden(
    machine: &Machine,
    workspace: &Workspace,
    task: &str,
    tool: &ToolCall,
) -> Result<()> {
    let state = machine.state().tasks.get(task);
    let Some(state) = state.filter(|state| state.work.context.is_some()) else {
        return Ok(());
    };
    let path = tool.path().filter(|_| tool.tool == ToolName::WriteFile);
    let Some(path) = path else {
        return Ok(());
    };
    let mut files = state.calls.values().filter_map(|made| made.file.as_ref());
    match documents::check_readable_by_model(workspace, path) {
        Err(error @ ToolError::Private { .. })
            if path_state(workspace, path)? != PathState::Missing
                && !files.any(|file| file.path == path) =>
        {
            Err(error.into())
        }
        _ => Ok(()),
    }
}

/// Whether a model carries out the step and hasn't been shown, read or written the file.
fn is_unread(machine: &Machine, task: &str, path: &str) -> bool {
    let Some(state) = machine.state().tasks.get(task) else {
        return false;
    };
    let mut calls = state.calls.values();
    let has_met = calls.any(|outcome| {
        let seen = outcome.seen.as_ref().map(|seen| seen.0.as_str());
        let own = outcome.file.as_ref().map(|file| file.path.as_str());
        seen == Some(path) || own == Some(path)
    });
    state.work.context.is_some() && !has_met && !state.work.was_shown(path)
}

/// The hash of the content that the step's model last read or wrote. It is unknown after a command
/// of the step, since a command may change any file.
fn known(machine: &Machine, task: &str, path: &str) -> Option<String> {
    let state = machine.state().tasks.get(task)?;
    // Each attempt starts with the original file.
    let mut targets = act::of(&state.work).iter();
    if let Some(target) = targets.find(|target| target.path == path) {
        let text = target.text.as_deref().unwrap_or_default();
        return Some(ContentHash::of(text.as_bytes()).to_hex());
    }
    let calls = state.calls.iter().filter(|(call, outcome)| {
        let is_models = state.work.rounds.call(**call).is_some();
        is_models && (outcome.ok || outcome.tool == ToolName::RunCommand.as_str())
    });
    let mut last = None;
    for (_, outcome) in calls {
        if outcome.tool == ToolName::RunCommand.as_str() {
            last = None;
        }
        if let Some(seen) = &outcome.seen
            && seen.0 == path
        {
            last = Some(seen.1.clone());
        }
        if let Some(file) = &outcome.file
            && file.path == path
        {
            last.clone_from(&file.after);
        }
    }
    last
}
