//! Determines what an agent's call would change: the path with links resolved, or the command line
//! as run from the top of the workspace. Refuses writes that no call may make.

use std::path::{Component, Path, PathBuf};

use plan::word_list::WordList;
use plan::{ToolCall, ToolName, shell_word};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::io::Errno;
use serde_json::Value;
use tools::files;
use tools::{ToolError, Workspace};

use crate::error::Result;

/// Folders with settings of agent programs, which can grant permissions.
const AGENT_FOLDERS: WordList = WordList(".claude .codex .gemini .cursor");

/// Files with settings of agent programs at the top of a workspace.
const AGENT_FILES: WordList = WordList(".mcp.json");

/// Whether a command line only reads when it runs in this folder. Git reads the settings of the
/// repository that it finds, which can start programs. No call can change settings in a `.git`
/// folder, so Git must not find a folder that is itself a repository first.
pub fn only_reads(folder: &Path, line: &str) -> bool {
    if !gate::read_only_commands::is_read_only_command(line) {
        return false;
    }
    if !gate::read_only_commands::calls_git(line) {
        return true;
    }
    let Ok(folder) = folder.canonicalize() else {
        return false;
    };
    let found = folder
        .ancestors()
        .find(|folder| folder.join(".git").exists() || folder.join("HEAD").exists());
    found.is_some_and(|folder| folder.join(".git").exists())
}

/// The call as made from the top of the workspace, given that the agent makes it in `folder`.
pub(super) fn resolved(
    workspace: &Workspace,
    folder: &Path,
    mut call: ToolCall,
) -> Result<ToolCall> {
    let (key, value) = match call.tool {
        ToolName::RunCommand => {
            let line = call.string("command").unwrap_or_default();
            ("command", command_in(workspace, folder, line)?)
        }
        _ => {
            let path = call.path().unwrap_or_default();
            ("path", target(workspace, folder, path)?)
        }
    };
    call.arguments.insert(key.to_owned(), Value::String(value));
    Ok(call)
}

/// Commands in a plan run at the top of the workspace, so a command in another folder is prefixed
/// with `cd`.
fn command_in(workspace: &Workspace, folder: &Path, line: &str) -> Result<String> {
    if line.trim().is_empty() {
        return Err(err!(Usage: "the command is empty"));
    }
    refuse_magic_links(folder)?;
    let folder = folder
        .canonicalize()
        .map_err(|error| err!(Usage: "can't open the folder {}: {error}", folder.display()))?;
    if folder == workspace.path() {
        return Ok(line.trim().to_owned());
    }
    let shown = match folder.strip_prefix(workspace.path()) {
        Ok(inside) => inside.display().to_string(),
        Err(_) => folder.display().to_string(),
    };
    Ok(format!("cd {} && {}", shell_word(&shown), line.trim()))
}

/// The workspace path that a path given by the agent leads to.
fn target(workspace: &Workspace, folder: &Path, path: &str) -> Result<String> {
    if path.trim().is_empty() {
        return Err(err!(Usage: "the call doesn't name a file"));
    }
    let full = real(&folder.join(path))?;
    let Ok(inside) = full.strip_prefix(workspace.path()) else {
        return Err(err!(Usage:
            "{path} is outside the workspace {}; an approved plan can only change files in it",
            workspace.path().display()));
    };
    let is_agents = inside.iter().any(|name| {
        let name = name.to_string_lossy();
        AGENT_FOLDERS.has_in_any_case(&name)
    });
    let is_agents = is_agents || AGENT_FILES.has_in_any_case(&inside.to_string_lossy());
    if is_agents {
        return Err(err!(Usage:
            "{path} contains agent settings, which only the user may change"));
    }
    let Some(inside) = inside.to_str() else {
        return Err(err!(Usage: "the name of {path} isn't valid UTF-8; rename it first"));
    };
    // Some tools trim such spaces, and others don't.
    if path != path.trim() || inside != inside.trim() {
        return Err(err!(Usage: "the name “{path}” begins or ends with a space or a line break"));
    }
    let found = files::check_target(workspace, inside).map_err(|error| match error {
        ToolError::Protected { why, .. } => err!(Usage: "{path} can't be changed, because {why}"),
        error => err!(Usage: "{path} can't be changed: {error}"),
    })?;
    Ok(found.to_string_lossy().into_owned())
}

/// Fails for a path through a link such as `/proc/self/cwd`, which every process resolves
/// differently.
fn refuse_magic_links(path: &Path) -> Result<()> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let opened = openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_MAGICLINKS);
    match opened {
        Err(Errno::LOOP) => Err(err!(Usage:
            "{} leads through a link that every process resolves differently; name the file \
             itself", path.display())),
        // Any other error is reported when the path is resolved.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The path with all links resolved; its last parts need not exist.
fn real(path: &Path) -> Result<PathBuf> {
    let mut missing = Vec::new();
    let mut there = path;
    loop {
        refuse_magic_links(there)?;
        match there.canonicalize() {
            Ok(mut found) => {
                found.extend(missing.iter().rev());
                return Ok(found);
            }
            // The target of a broken link can't be resolved.
            Err(_) if there.is_symlink() => {
                return Err(err!(Usage: "{} is a broken link", there.display()));
            }
            Err(error) => {
                let (Some(Component::Normal(name)), Some(parent)) =
                    (there.components().next_back(), there.parent())
                else {
                    return Err(err!(Usage: "can't open {}: {error}", path.display()));
                };
                missing.push(name.to_owned());
                there = parent;
            }
        }
    }
}
