//! Converts the tool calls of hosts to calls as in a plan.

use plan::{ToolCall, ToolName, shell_word};
use serde_json::{Map, Value};

use super::Host;
use super::patch;

/// The keys of a tool's input that name a file.
const PATH_KEYS: [&str; 4] = ["file_path", "notebook_path", "path", "target_file"];

/// The keys of a tool's input that contain a command.
const COMMAND_KEYS: [&str; 3] = ["command", "cmd", "script"];

/// The reason given for refusing an input that names several files.
const SEVERAL_FILES: &str = "the tool's input names several files";

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
    /// Changes several files with a patch.
    Patch,
}

impl Tool {
    /// The tool with this name; `None` if it changes nothing or is unknown.
    pub(super) fn of(host: Host, name: &str) -> Option<Self> {
        Some(match (host, name) {
            (Host::Claude | Host::Codex, "Bash")
            | (Host::Claude, "Monitor")
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

/// The calls of a tool with an unknown name, inferred from its input: a command in any language, or
/// a file with new content. `None` if the input has neither, or if the tool belongs to an MCP
/// server; such tools are left to the host.
///
/// # Errors
/// A message if the input names several files.
pub(super) fn of_unknown(
    name: &str,
    input: &Map<String, Value>,
) -> Result<Option<Vec<ToolCall>>, String> {
    if name.starts_with("mcp_") {
        return Ok(None);
    }
    if let Ok(line) = text(input, &COMMAND_KEYS) {
        // The tool's name is included, so that an approval of the same line in a shell doesn't
        // apply.
        let line = format!("{} {}", shell_word(name), shell_word(line));
        return Ok(Some(vec![call(
            ToolName::RunCommand,
            [("command", &*line)],
        )]));
    }
    let changes = ["content", "contents", "new_string", "new_source", "edits"];
    let has = |keys: &[&str]| keys.iter().any(|key| input.contains_key(*key));
    match has(&changes) && has(&PATH_KEYS) {
        true => Ok(Some(vec![write(path(input)?, "")])),
        false => Ok(None),
    }
}

/// The calls that a tool makes with this input, in order; at least one.
///
/// # Errors
/// A message if the input lacks something that the tool needs, or names several files or commands,
/// since a model can add keys that the host ignores.
pub(super) fn of(
    host: Host,
    tool: Tool,
    input: &Map<String, Value>,
) -> Result<Vec<ToolCall>, String> {
    if host == Host::Codex && tool != Tool::Shell {
        // Some of Codex's tools take a patch although they have the names of editing tools.
        let patches = ["command", "input", "patch"].map(|key| input.get(key)?.as_str());
        let mut patches = patches.into_iter().flatten();
        if let Some(patch) = patches.next() {
            let is_alone = patches.next().is_none() && path(input).is_err();
            return match patch::is_patch(patch) && is_alone {
                true => patch::calls(patch),
                false => Err("the tool's input has an unknown format".to_owned()),
            };
        }
    }
    match tool {
        Tool::Shell => {
            let line = text(input, &["command"])?;
            let given = COMMAND_KEYS.iter().filter_map(|key| input.get(*key));
            if given.into_iter().any(|given| given.as_str() != Some(line)) {
                return Err("the tool's input names several commands".to_owned());
            }
            match patch::in_command(line).filter(|_| host == Host::Codex) {
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
                let edit = edit.as_object().ok_or("`edits` has an unknown format")?;
                let named = PATH_KEYS.iter().filter_map(|key| edit.get(*key));
                match named.into_iter().all(|named| named.as_str() == Some(path)) {
                    true => Ok(one(edit)),
                    false => Err(SEVERAL_FILES.to_owned()),
                }
            })
            .collect(),
        _ => Ok(vec![one(input)]),
    }
}

fn path(input: &Map<String, Value>) -> Result<&str, String> {
    let path = text(input, &PATH_KEYS)?;
    let given = PATH_KEYS.iter().filter_map(|key| input.get(*key));
    match given.into_iter().all(|given| given.as_str() == Some(path)) {
        true => Ok(path),
        false => Err(SEVERAL_FILES.to_owned()),
    }
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Update File: covered.py\n@@\n-a\n+b\n*** End Patch\n";

    /// Whatever keys a model adds, the call is refused unless it is judged by the file that the
    /// host changes.
    #[test]
    fn keys_that_the_host_ignores_change_nothing() {
        let keys = ["file_path", "notebook_path", "path", "target_file"];
        let more = [
            "command",
            "input",
            "patch",
            "edits",
            "dir_path",
            "cwd",
            "content",
            "old_string",
        ];
        let values = [
            json!("covered.py"),
            json!(PATCH),
            json!(["covered.py"]),
            json!([{"file_path": "covered.py"}]),
            json!({"file_path": "covered.py"}),
        ];
        let tools = [Tool::Edit, Tool::Write, Tool::Notebook, Tool::Delete];
        let hosts = [Host::Claude, Host::Codex, Host::Gemini, Host::Cursor];
        for (host, tool) in hosts
            .into_iter()
            .flat_map(|host| tools.map(|tool| (host, tool)))
        {
            for meant in keys {
                for decoy in keys.iter().chain(&more).filter(|decoy| **decoy != meant) {
                    for value in &values {
                        let mut input = Map::new();
                        input.insert(meant.to_owned(), json!("other.py"));
                        input.insert((*decoy).to_owned(), value.clone());
                        let Ok(calls) = of(host, tool, &input) else {
                            continue;
                        };
                        let paths: Vec<_> = calls.iter().filter_map(ToolCall::path).collect();
                        assert_eq!(paths, ["other.py"], "{host:?} {tool:?} {input:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_patch_of_codex_is_taken_apart_unless_it_has_company() {
        let alone = json!({"input": PATCH});
        let calls = of(Host::Codex, Tool::Edit, alone.as_object().unwrap());
        assert_eq!(calls.unwrap()[0].path(), Some("covered.py"));
        for odd in [
            json!({"input": PATCH, "patch": PATCH.replace("covered", "other")}),
            json!({"input": PATCH, "file_path": "other.py"}),
            json!({"input": "no patch", "file_path": "other.py"}),
        ] {
            assert!(
                of(Host::Codex, Tool::Edit, odd.as_object().unwrap()).is_err(),
                "{odd}"
            );
        }
    }
}
