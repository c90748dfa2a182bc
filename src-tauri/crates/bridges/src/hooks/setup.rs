//! Adds Planwright's hook to a host's settings, removes it, and checks it.
//!
//! Only Planwright's own entries are added or removed; the rest of the file keeps its content and
//! order. The caller shows the change and asks before writing it. A file that isn't plain JSON is
//! left unchanged.

mod checkup;
mod file;

use std::path::Path;

use serde_json::{Map, Value, json};
use workbench::{Code, Error, Result, shell_word};

use super::host::{Host, Place, Shape};
use file::Settings;

pub use checkup::{Checkup, check};
pub use file::{Change, write};

/// Timeout that the host applies to the hook, in seconds. The host's default is one or ten minutes.
const HOST_LIMIT: u64 = 86_400;

/// Timeout of the installed hook itself, in seconds: it answers before the host would stop it and
/// continue without an answer.
const HOOK_LIMIT: u64 = HOST_LIMIT - 300;

/// The version of a host's file that has one.
const VERSION: u64 = 1;

/// The change that adds the hook at all its events; `None` if exactly this hook is already there.
///
/// # Errors
/// [`Code::Usage`] if the file isn't a JSON object or its hooks have an unexpected form.
pub fn install(host: Host, program: &Path, file: &Path) -> Result<Option<Change>> {
    let mut settings = Settings::read(file)?;
    let root = &mut settings.root;
    remove_ours(host, root);
    if host.shape() == Shape::Flat {
        let version = root.entry("version").or_insert_with(|| json!(VERSION));
        if *version != json!(VERSION) {
            return Err(odd(file, "`version`"));
        }
    }
    let command = command(host, program)?;
    for place in host.places() {
        list_mut(root, file, place.event)?.push(entry(host, place, &command));
    }
    settings.changed(file)
}

/// The change that removes the hook; `None` if it isn't there.
///
/// # Errors
/// Same as [`install`].
pub fn remove(host: Host, file: &Path) -> Result<Option<Change>> {
    let mut settings = Settings::read(file)?;
    match remove_ours(host, &mut settings.root) {
        0 => Ok(None),
        _ => settings.changed(file),
    }
}

/// The entry for one event, in the host's form.
fn entry(host: Host, place: &Place, command: &str) -> Value {
    let mut entry = Map::new();
    if let Some(matcher) = place.matcher {
        entry.insert("matcher".to_owned(), json!(matcher));
    }
    match host.shape() {
        Shape::Groups { .. } => {
            let limit = host_limit(host);
            let hook = json!({"type": "command", "command": command, "timeout": limit});
            entry.insert("hooks".to_owned(), json!([hook]));
        }
        Shape::Flat => {
            entry.insert("command".to_owned(), json!(command));
            entry.insert("timeout".to_owned(), json!(host_limit(host)));
            // Without an answer, the host refuses.
            entry.insert("failClosed".to_owned(), json!(true));
        }
    }
    Value::Object(entry)
}

/// The time limit in the host's unit.
fn host_limit(host: Host) -> u64 {
    match host.shape() {
        Shape::Groups { per_second } => HOST_LIMIT * per_second,
        Shape::Flat => HOST_LIMIT,
    }
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

/// Whether a hook calls Planwright's, wherever the program is located.
fn is_ours(host: Host, hook: &Value) -> bool {
    let command = hook.get("command").and_then(Value::as_str);
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

/// Removes our hooks from all events; returns how many there were.
fn remove_ours(host: Host, root: &mut Map<String, Value>) -> usize {
    let mut removed = 0;
    let Some(hooks) = root.get_mut("hooks").and_then(Value::as_object_mut) else {
        return 0;
    };
    hooks.retain(|_, list| {
        let Some(list) = list.as_array_mut() else {
            return true;
        };
        let before = removed;
        list.retain_mut(|entry| {
            let Some(group) = entry.get_mut("hooks").and_then(Value::as_array_mut) else {
                let is_ours = is_ours(host, entry);
                removed += usize::from(is_ours);
                return !is_ours;
            };
            let count = group.len();
            group.retain(|hook| !is_ours(host, hook));
            removed += count - group.len();
            count == group.len() || !group.is_empty()
        });
        before == removed || !list.is_empty()
    });
    if removed > 0 && hooks.is_empty() {
        root.shift_remove("hooks");
    }
    removed
}

fn list_mut<'r>(
    root: &'r mut Map<String, Value>,
    file: &Path,
    event: &str,
) -> Result<&'r mut Vec<Value>> {
    let hooks = root.entry("hooks").or_insert_with(|| json!({}));
    let hooks = hooks.as_object_mut().ok_or_else(|| odd(file, "`hooks`"))?;
    let list = hooks.entry(event).or_insert_with(|| json!([]));
    let list = list.as_array_mut();
    list.ok_or_else(|| odd(file, &format!("`hooks.{event}`")))
}

fn odd(file: &Path, what: &str) -> Error {
    Error::new(
        Code::Usage,
        format!(
            "{}: {what} has an unexpected type; fix it, or add the hook manually",
            file.display()
        ),
    )
}
