//! Adds Planwright's hook to a host's settings, removes it, and checks it.
//!
//! Only Planwright's own entries are added or removed; the rest of the file stays unchanged,
//! including comments and line endings. The caller shows the change and asks before writing it. A
//! file that the host couldn't parse is left unchanged.

mod checkup;
mod file;

use std::path::Path;

use jsonc_parser::cst::{CstArray, CstInputValue, CstObject, CstObjectProp};
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

/// The `version` in the settings file of a host that requires one.
const VERSION: u64 = 1;

/// The change that adds the hook for all its events; `None` if exactly this hook is already
/// installed.
///
/// # Errors
/// [`Code::Usage`] if the file isn't a JSON object or its hooks have an unexpected form.
pub fn install(host: Host, program: &Path, file: &Path) -> Result<Option<Change>> {
    let settings = Settings::read(host, file)?;
    if checkup::is_complete(host, program, &settings.value()) {
        return Ok(None);
    }
    let root = &settings.root;
    remove_ours(host, root);
    if host.shape() == Shape::Flat {
        match property(root, file, "version")?.and_then(|found| found.to_serde_value()) {
            None => drop(root.append("version", input(&json!(VERSION)))),
            Some(version) if version == json!(VERSION) => {}
            Some(_) => return Err(odd(file, "`version`")),
        }
    }
    let command = command(host, program)?;
    for place in host.places() {
        let list = list(root, file, place.event)?;
        list.append(input(&entry(host, place, &command)));
    }
    Ok(settings.changed(file))
}

/// The change that removes the hook; `None` if it isn't installed.
///
/// # Errors
/// Same as [`install`].
pub fn remove(host: Host, file: &Path) -> Result<Option<Change>> {
    let settings = Settings::read(host, file)?;
    match remove_ours(host, &settings.root) {
        0 => Ok(None),
        _ => Ok(settings.changed(file)),
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
            // If the hook fails, the host refuses the call.
            entry.insert("failClosed".to_owned(), json!(true));
        }
    }
    Value::Object(entry)
}

/// The timeout that the host applies to the hook, in the host's time unit.
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

/// Whether a hook runs Planwright's hook command and nothing else, wherever the program is located.
fn is_ours(host: Host, hook: &Value) -> bool {
    let command = hook.get("command").and_then(Value::as_str);
    let words = command.and_then(|command| shell_words::split(command).ok());
    let words = words.unwrap_or_default();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (program, name) = match words.as_slice() {
        [program, "hook", name] => (program, name),
        [program, "hook", name, "--wait", seconds] if seconds.parse::<u64>().is_ok() => {
            (program, name)
        }
        _ => return false,
    };
    let is_program = Path::new(program)
        .file_name()
        .is_some_and(|name| name == "planwright");
    is_program && *name == host.name()
}

/// Removes our hooks from all events, and everything that becomes empty as a result. Returns the
/// number of hooks that were removed.
fn remove_ours(host: Host, root: &CstObject) -> usize {
    let Some(all) = root.get("hooks") else {
        return 0;
    };
    let Some(hooks) = all.object_value() else {
        return 0;
    };
    let mut removed = 0;
    for event in hooks.properties() {
        let Some(list) = event.array_value() else {
            continue;
        };
        let before = removed;
        for entry in list.elements() {
            let group = entry
                .as_object()
                .and_then(|entry| entry.array_value("hooks"));
            let of = group
                .as_ref()
                .map_or_else(|| vec![entry.clone()], CstArray::elements);
            let ours: Vec<_> = of
                .into_iter()
                .filter(|hook| {
                    let hook = hook.to_serde_value();
                    hook.is_some_and(|hook| is_ours(host, &hook))
                })
                .collect();
            removed += ours.len();
            match group {
                Some(group) if ours.len() < group.elements().len() => {
                    ours.into_iter().for_each(|hook| hook.remove());
                }
                _ if ours.is_empty() => {}
                _ => entry.remove(),
            }
        }
        if removed > before && list.elements().is_empty() {
            event.remove();
        }
    }
    if removed > 0 && hooks.properties().is_empty() {
        all.remove();
    }
    removed
}

/// The array of an event's hooks, created if it is missing.
fn list(root: &CstObject, file: &Path, event: &str) -> Result<CstArray> {
    let hooks = match property(root, file, "hooks")? {
        Some(found) => found.object_value().ok_or_else(|| odd(file, "`hooks`"))?,
        None => root.object_value_or_set("hooks"),
    };
    match property(&hooks, file, event)? {
        Some(found) => found
            .array_value()
            .ok_or_else(|| odd(file, &format!("`hooks.{event}`"))),
        None => Ok(hooks.array_value_or_set(event)),
    }
}

/// The property with this name. Fails if there are several, because hosts disagree about which one
/// counts.
fn property(object: &CstObject, file: &Path, name: &str) -> Result<Option<CstObjectProp>> {
    let is_it = |one: &CstObjectProp| one.decoded_name().as_deref() == Some(name);
    let mut found = object.properties().into_iter().filter(is_it);
    match (found.next(), found.next()) {
        (first, None) => Ok(first),
        (_, Some(_)) => Err(Error::new(
            Code::Usage,
            format!("{}: `{name}` occurs twice; fix it first", file.display()),
        )),
    }
}

/// Converts a value to the form in which it is written into the file.
fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(value) => CstInputValue::Number(value.to_string()),
        Value::String(value) => CstInputValue::String(value.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(values) => {
            let values = values
                .iter()
                .map(|(key, value)| (key.clone(), input(value)));
            CstInputValue::Object(values.collect())
        }
    }
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
