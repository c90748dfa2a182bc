//! Tells the model to reconsider a change before asking a person about it. Usually the change isn't
//! needed, and people who are asked about every mistake stop reading the questions. Small models
//! often repeat a call by accident, so the person is asked only at the third attempt. Nothing is
//! carried out before that.
//!
//! Doesn't apply to commands, to steps that name no files, or to steps that delete something.

use gate::destructive::Danger;
use gate::path::workspace_path;
use gate::question::PermissionRequest;
use plan::{Task, ToolCall};

use super::super::state::TaskState;
use crate::model_step::step_tools;
use crate::turn::loops::NOT_YET;
use crate::turn::{Call, Round};

/// Maximum number of times that the model is asked to reconsider changes to the same file.
const MAX_TRIES: usize = 2;

/// The message that tells the model to reconsider a call that would need approval; `None` if the
/// person should be asked now.
pub(super) fn answer(
    task: &Task,
    state: &TaskState,
    call: &ToolCall,
    is_named: bool,
    request: &PermissionRequest,
) -> Option<String> {
    let path = call.path().filter(|_| !call.tool.is_read_only())?;
    let rounds = state.work.rounds.all().iter();
    let of_file = |made: &Call| made.text("path").map(workspace_path) == Some(workspace_path(path));
    let told = rounds
        .flat_map(Round::answered)
        .filter(|(made, result)| result.content.starts_with(NOT_YET) && of_file(made))
        .count();
    if told >= MAX_TRIES || step_tools::is_deletion(task) {
        return None;
    }
    let why = match &request.danger {
        _ if !is_named && !task.files.is_empty() => format!(
            "the approved step is about {}, not about {path}. Do it there",
            task.files.join(", ")
        ),
        Some(danger) if is_named => lost(danger),
        _ => return None,
    };
    let again = match told + 1 == MAX_TRIES {
        true => "again to ask the person",
        false => "again",
    };
    Some(format!(
        "{NOT_YET}: {why}. If there is no other way, make the call {again}."
    ))
}

/// The answer to a write that would delete content whose loss no check would notice.
pub(super) fn drops_too_much(danger: &Danger) -> String {
    format!("Not carried out: {}.", lost(danger))
}

fn lost(danger: &Danger) -> String {
    format!(
        "it throws away {}, and this step is not about that. Keep the rest of the file: call edit_file \
         with old_text holding only the lines to change, and new_text what comes in their place",
        danger.subjects.join(", ")
    )
}
