//! The calls of the hosts' tools, as calls of a plan.

use plan::{ToolCall, ToolName};
use serde_json::{Map, Value};

use super::Host;
use super::patch;

/// A host's tool that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// Runs a command line.
    Shell,
    /// Replaces text in a file, once or several times.
    Edit,
    /// Writes a whole file.
    Write,
    /// Changes a cell of a notebook.
    Notebook,
    /// Deletes a file.
    Delete,
    /// Changes several files by a patch.
    Patch,
}

impl Tool {
    /// The tool of this name; `None` for one that changes nothing or isn't known.
    pub(super) fn of(host: Host, name: &str) -> Option<Self> {
        Some(match (host, name) {
            (Host::Claude | Host::Codex, "Bash")
            | (Host::Gemini, "run_shell_command")
            | (Host::Cursor, "Shell") => Self::Shell,
            (Host::Claude | Host::Codex | Host::Cursor, "Edit" | "MultiEdit")
            | (Host::Gemini, "replace")
            | (Host::Cursor, "StrReplace") => Self::Edit,
            (Host::Claude | Host::Codex | Host::Cursor, "Write") | (Host::Gemini, "write_file") => {
                Self::Write
            }
            (Host::Claude, "NotebookEdit") => Self::Notebook,
            (Host::Cursor, "Delete") => Self::Delete,
            (Host::Codex, "apply_patch") => Self::Patch,
            _ => return None,
        })
    }
}

/// The calls that a tool makes with this input, in order; at least one.
///
/// # Errors
/// A sentence if the input lacks what the tool needs.
pub(super) fn of(tool: Tool, input: &Map<String, Value>) -> Result<Vec<ToolCall>, String> {
    // Some of Codex's tools get a patch although they are named like an editor.
    let patch = [input.get("command"), input.get("input"), input.get("patch")];
    let patch = patch.into_iter().flatten().find_map(Value::as_str);
    if tool != Tool::Shell
        && let Some(patch) = patch.filter(|text| patch::is_patch(text))
    {
        return patch::calls(patch);
    }
    match tool {
        Tool::Shell => {
            let line = text(input, &["command"])?;
            match patch::in_command(line) {
                Some(patch) => patch::calls(patch),
                None => Ok(vec![call(ToolName::RunCommand, [("command", line)])]),
            }
        }
        Tool::Edit => edits(input),
        Tool::Write => {
            let content = text(input, &["content", "contents"]).unwrap_or_default();
            let path = path(input)?;
            Ok(vec![write(path, content)])
        }
        Tool::Notebook => {
            let source = text(input, &["new_source"]).unwrap_or_default();
            Ok(vec![edit(path(input)?, "", source)])
        }
        Tool::Delete => Ok(vec![call(ToolName::DeleteFile, [("path", path(input)?)])]),
        Tool::Patch => Err("the patch can't be read".to_owned()),
    }
}

fn edits(input: &Map<String, Value>) -> Result<Vec<ToolCall>, String> {
    let path = path(input)?;
    let one = |edit_of: &Map<String, Value>| {
        let old = text(edit_of, &["old_string"]).unwrap_or_default();
        let new = text(edit_of, &["new_string"]).unwrap_or_default();
        edit(path, old, new)
    };
    match input.get("edits").and_then(Value::as_array) {
        Some(edits) if !edits.is_empty() => edits
            .iter()
            .map(|edit| {
                let edit = edit.as_object().ok_or("`edits` has an unknown form")?;
                Ok(one(edit))
            })
            .collect(),
        _ => Ok(vec![one(input)]),
    }
}

fn path(input: &Map<String, Value>) -> Result<&str, String> {
    text(
        input,
        &["file_path", "notebook_path", "path", "target_file"],
    )
}

fn text<'a>(input: &'a Map<String, Value>, keys: &[&str]) -> Result<&'a str, String> {
    let found = keys.iter().find_map(|key| input.get(*key)?.as_str());
    let found = found.filter(|text| !text.trim().is_empty());
    found.ok_or_else(|| format!("the tool's input has no `{}`", keys[0]))
}

pub(super) fn edit(path: &str, old: &str, new: &str) -> ToolCall {
    let arguments = [("path", path), ("old_text", old), ("new_text", new)];
    call(ToolName::EditFile, arguments)
}

pub(super) fn write(path: &str, content: &str) -> ToolCall {
    call(ToolName::WriteFile, [("path", path), ("content", content)])
}

pub(super) fn delete(path: &str) -> ToolCall {
    call(ToolName::DeleteFile, [("path", path)])
}

fn call<'a>(tool: ToolName, arguments: impl IntoIterator<Item = (&'a str, &'a str)>) -> ToolCall {
    let arguments = arguments.into_iter();
    ToolCall {
        tool,
        arguments: arguments
            .map(|(key, value)| (key.to_owned(), Value::String(value.to_owned())))
            .collect(),
    }
}
