//! Adds Planwright's hook to a host's settings, removes it, and checks it.
//!
//! Only Planwright's own entry is added or removed; the rest of the file keeps its content and
//! order. The caller shows the change and asks before writing it. A file that isn't plain JSON is
//! left unchanged.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};
use workbench::{Code, Error, Result, shell_word};

use super::Host;

/// Timeout that the host applies to the hook, in seconds. The host's default is ten minutes.
const HOST_LIMIT: u64 = 86_400;

/// Timeout of the installed hook itself, in seconds: it answers before the host would stop it.
const HOOK_LIMIT: u64 = HOST_LIMIT - 300;

/// Largest settings file, in bytes.
const MAX_FILE: u64 = 8 << 20;

/// The event and the tool that trigger the hook.
const EVENT: &str = "PermissionRequest";
const TOOL: &str = "ExitPlanMode";

/// A proposed change to a host's settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The settings file.
    pub file: PathBuf,
    /// Its current content; `None` if there is no file.
    pub before: Option<String>,
    /// Its new content.
    pub after: String,
}

impl Change {
    /// The change as a unified diff.
    #[must_use]
    pub fn diff(&self) -> String {
        let before = self.before.as_deref().unwrap_or_default();
        let diff = similar::TextDiff::from_lines(before, &self.after);
        diff.unified_diff().context_radius(3).to_string()
    }
}

/// The host's settings file, for all projects or for one. `variable` reads an environment variable,
/// because the host lets one set its settings folder.
#[must_use]
pub fn settings_file(
    host: Host,
    home: &Path,
    variable: impl Fn(&str) -> Option<OsString>,
    project: Option<&Path>,
) -> PathBuf {
    match (host, project) {
        (Host::Claude, Some(project)) => project.join(".claude/settings.json"),
        (Host::Claude, None) => variable("CLAUDE_CONFIG_DIR")
            .map_or_else(|| home.join(".claude"), PathBuf::from)
            .join("settings.json"),
    }
}

/// The change that adds the hook; `None` if exactly this hook is already there.
///
/// # Errors
/// [`Code::Usage`] if the file isn't a JSON object or its hooks have an unexpected form.
pub fn install(host: Host, program: &Path, file: &Path) -> Result<Option<Change>> {
    let Settings {
        mut root,
        text,
        indent,
    } = Settings::read(file)?;
    remove_ours(host, &mut root);
    let groups = groups_mut(&mut root, file)?;
    groups.push(json!({
        "matcher": TOOL,
        "hooks": [{"type": "command", "command": command(host, program)?, "timeout": HOST_LIMIT}],
    }));
    changed(file, text, &root, &indent)
}

/// The change that removes the hook; `None` if it isn't there.
///
/// # Errors
/// Same as [`install`].
pub fn remove(host: Host, file: &Path) -> Result<Option<Change>> {
    let Settings {
        mut root,
        text,
        indent,
    } = Settings::read(file)?;
    match remove_ours(host, &mut root) {
        0 => Ok(None),
        _ => changed(file, text, &root, &indent),
    }
}

/// Writes a change if the file hasn't changed since.
///
/// # Errors
/// [`Code::Usage`] if the file has changed, [`Code::Failed`] if it can't be written.
pub fn write(change: &Change) -> Result<()> {
    let failed = |error: std::io::Error| {
        let message = format!("can't write {}: {error}", change.file.display());
        Error::new(Code::Failed, message).because(error)
    };
    if read_text(&change.file)? != change.before {
        return Err(Error::new(
            Code::Usage,
            format!(
                "{} changed in the meantime, so nothing was written; try again",
                change.file.display()
            ),
        ));
    }
    // The settings may be a symlink into the user's dotfiles.
    let target = change.file.canonicalize();
    let target = target.unwrap_or_else(|_| change.file.clone());
    let folder = target.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut temp = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    temp.write_all(change.after.as_bytes()).map_err(failed)?;
    if let Ok(meta) = std::fs::metadata(&target) {
        let kept = temp.as_file().set_permissions(meta.permissions());
        kept.map_err(failed)?;
    }
    temp.as_file().sync_all().map_err(failed)?;
    temp.persist(&target).map_err(|error| failed(error.error))?;
    Ok(())
}

/// The hook's state in one settings file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checkup {
    /// The settings file.
    pub file: PathBuf,
    /// Whether the file contains the hook.
    pub is_installed: bool,
    /// What keeps the hook from working, and how to fix it; empty if it works.
    pub problems: Vec<String>,
}

/// Checks the hook in a settings file.
#[must_use]
pub fn check(host: Host, program: &Path, file: &Path) -> Checkup {
    let mut checkup = Checkup {
        file: file.to_owned(),
        is_installed: false,
        problems: Vec::new(),
    };
    let root = match Settings::read(file) {
        Ok(settings) => settings.root,
        Err(error) => {
            checkup.problems.push(error.message);
            return checkup;
        }
    };
    let ours: Vec<(&Value, &Value)> = groups(&root)
        .flat_map(|group| entries(group).map(move |entry| (group, entry)))
        .filter(|(_, entry)| is_ours(host, entry))
        .collect();
    checkup.is_installed = !ours.is_empty();
    if ours.len() > 1 {
        let again = "the hook is installed more than once; reinstall it".to_owned();
        checkup.problems.push(again);
    }
    if let Some((group, entry)) = ours.first() {
        let word = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
        if word(group, "matcher").as_deref() != Some(TOOL) {
            checkup
                .problems
                .push(format!("it isn't called for {TOOL}; reinstall it"));
        }
        if word(entry, "type").as_deref() != Some("command") {
            let kind = "its `type` isn't `command`; reinstall it".to_owned();
            checkup.problems.push(kind);
        }
        let wanted = command(host, program).unwrap_or_default();
        if entry.get("command").and_then(Value::as_str) != Some(wanted.as_str()) {
            checkup
                .problems
                .push(format!("its command isn’t `{wanted}`; reinstall it"));
        }
        let limit = entry.get("timeout").and_then(Value::as_u64);
        if limit.is_none_or(|limit| limit < HOST_LIMIT) {
            checkup.problems.push(format!(
                "its timeout in {} is too short for a person to decide; reinstall it",
                host.title()
            ));
        }
        if root.get("disableAllHooks") == Some(&Value::Bool(true)) {
            let switch = "all hooks are disabled in this file: remove `disableAllHooks`".to_owned();
            checkup.problems.push(switch);
        }
    }
    checkup
}

/// The command line for the host to run.
fn command(host: Host, program: &Path) -> Result<String> {
    let program = program.to_str().ok_or_else(|| {
        let message = format!(
            "the program's path isn't valid UTF-8: {}",
            program.display()
        );
        Error::new(Code::Failed, message)
    })?;
    let program = shell_word(program);
    Ok(format!(
        "{program} hook {} --wait {HOOK_LIMIT}",
        host.name()
    ))
}

/// Whether an entry calls Planwright's hook, wherever the program is located.
fn is_ours(host: Host, entry: &Value) -> bool {
    let command = entry.get("command").and_then(Value::as_str);
    let words = command.and_then(|command| shell_words::split(command).ok());
    let words = words.unwrap_or_default();
    let [program, hook, name, ..] = words.as_slice() else {
        return false;
    };
    let is_program = Path::new(program)
        .file_name()
        .is_some_and(|name| name == "planwright");
    is_program && hook == "hook" && name == host.name()
}

fn remove_ours(host: Host, root: &mut Map<String, Value>) -> usize {
    let mut removed = 0;
    let Some(hooks) = root.get_mut("hooks").and_then(Value::as_object_mut) else {
        return 0;
    };
    let Some(groups) = hooks.get_mut(EVENT).and_then(Value::as_array_mut) else {
        return 0;
    };
    groups.retain_mut(|group| {
        let Some(entries) = group.get_mut("hooks").and_then(Value::as_array_mut) else {
            return true;
        };
        let before = entries.len();
        entries.retain(|entry| !is_ours(host, entry));
        removed += before - entries.len();
        before == entries.len() || !entries.is_empty()
    });
    if removed > 0 && groups.is_empty() {
        hooks.shift_remove(EVENT);
    }
    if removed > 0 && hooks.is_empty() {
        root.shift_remove("hooks");
    }
    removed
}

fn groups(root: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let groups = root
        .get("hooks")
        .and_then(|hooks| hooks.get(EVENT))
        .and_then(Value::as_array);
    groups.into_iter().flatten()
}

fn entries(group: &Value) -> impl Iterator<Item = &Value> {
    let entries = group.get("hooks").and_then(Value::as_array);
    entries.into_iter().flatten()
}

fn groups_mut<'r>(root: &'r mut Map<String, Value>, file: &Path) -> Result<&'r mut Vec<Value>> {
    let odd = |what: &str| {
        Error::new(
            Code::Usage,
            format!(
                "{}: {what} has an unexpected type; fix it, or add the hook manually",
                file.display()
            ),
        )
    };
    let hooks = root.entry("hooks").or_insert_with(|| json!({}));
    let hooks = hooks.as_object_mut().ok_or_else(|| odd("`hooks`"))?;
    let groups = hooks.entry(EVENT).or_insert_with(|| json!([]));
    groups
        .as_array_mut()
        .ok_or_else(|| odd(&format!("`hooks.{EVENT}`")))
}

/// A parsed settings file.
struct Settings {
    root: Map<String, Value>,
    text: Option<String>,
    /// The file's indentation.
    indent: String,
}

impl Settings {
    fn read(file: &Path) -> Result<Self> {
        let text = read_text(file)?;
        let content = text.as_deref().unwrap_or_default();
        let root = match content.trim() {
            "" => Map::new(),
            content => serde_json::from_str(content).map_err(|error| {
                let shown = file.display();
                let message = format!("{shown} isn't a JSON object: {error}; fix it first");
                Error::new(Code::Usage, message)
            })?,
        };
        let indented = content.lines().find_map(|line| {
            let rest = line.trim_start_matches([' ', '\t']);
            let indent = &line[..line.len() - rest.len()];
            (!indent.is_empty() && rest.starts_with('"')).then(|| indent.to_owned())
        });
        let indent = indented.unwrap_or_else(|| "  ".to_owned());
        Ok(Self { root, text, indent })
    }
}

fn read_text(file: &Path) -> Result<Option<String>> {
    let unreadable = |why: &dyn std::fmt::Display| {
        let message = format!("can't read {}: {why}", file.display());
        Error::new(Code::Failed, message)
    };
    match std::fs::metadata(file) {
        Ok(meta) if !meta.is_file() => return Err(unreadable(&"it isn't a file")),
        Ok(meta) if meta.len() > MAX_FILE => return Err(unreadable(&"it is larger than 8 MiB")),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(&error)),
    }
    std::fs::read_to_string(file)
        .map(Some)
        .map_err(|error| unreadable(&error))
}

fn changed(
    file: &Path,
    before: Option<String>,
    root: &Map<String, Value>,
    indent: &str,
) -> Result<Option<Change>> {
    let mut after = Vec::new();
    let form = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
    let mut writer = serde_json::Serializer::with_formatter(&mut after, form);
    let failed = |error: &dyn std::fmt::Display| Error::new(Code::Internal, error.to_string());
    root.serialize(&mut writer)
        .map_err(|error| failed(&error))?;
    let mut after = String::from_utf8(after).map_err(|error| failed(&error))?;
    after.push('\n');
    let same = before.as_deref().map(str::trim_end) == Some(after.trim_end());
    Ok((!same).then(|| Change {
        file: file.to_owned(),
        before,
        after,
    }))
}
