//! Checks the hook in a host's settings file.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::file::Settings;
use super::{command, host_limit, is_ours};
use crate::hooks::host::{Host, Place, Shape};

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

/// One of our hooks, with its event and with the entry that contains its matcher.
struct Found<'v> {
    event: &'v str,
    entry: &'v Value,
    hook: &'v Value,
}

/// Checks the hook in a settings file.
#[must_use]
pub fn check(host: Host, program: &Path, file: &Path) -> Checkup {
    let mut checkup = Checkup {
        file: file.to_owned(),
        is_installed: false,
        problems: Vec::new(),
    };
    let root = match Settings::read(host, file) {
        Ok(settings) => settings.value(),
        Err(error) => {
            checkup.problems.push(error.message);
            return checkup;
        }
    };
    checkup.is_installed = !found(host, &root).is_empty();
    if !checkup.is_installed {
        return checkup;
    }
    checkup.problems = problems(host, program, &root);
    if root.get("disableAllHooks") == Some(&Value::Bool(true)) {
        let switch = "all hooks are disabled in this file: remove `disableAllHooks`".to_owned();
        checkup.problems.push(switch);
    }
    checkup
}

/// Whether the hook is installed correctly for each of its events, and nowhere else.
pub(super) fn is_complete(host: Host, program: &Path, root: &Value) -> bool {
    let is_alone = found(host, root).len() == host.places().len();
    is_alone && problems(host, program, root).is_empty()
}

/// What keeps our hooks from working, one sentence each.
fn problems(host: Host, program: &Path, root: &Value) -> Vec<String> {
    let found = found(host, root);
    let mut problems = Vec::new();
    for place in host.places() {
        let of_event: Vec<&Found<'_>> = found
            .iter()
            .filter(|found| found.event == place.event)
            .collect();
        let problem = match of_event.as_slice() {
            [] => Some(format!(
                "the hook isn't called on {}, so {}; reinstall it",
                place.event, place.without
            )),
            [one] => problem(host, program, place, one),
            _ => Some("the hook is installed more than once; reinstall it".to_owned()),
        };
        let is_new = |problem: &String| !problems.contains(problem);
        problems.extend(problem.filter(is_new));
    }
    problems
}

fn found(host: Host, root: &Value) -> Vec<Found<'_>> {
    let events = root.get("hooks").and_then(Value::as_object);
    let lists = events.into_iter().flatten();
    let lists = lists.filter_map(|(event, list)| Some((event.as_str(), list.as_array()?)));
    let mut found = Vec::new();
    for (event, list) in lists {
        for entry in list {
            let hooks = match entry.get("hooks").and_then(Value::as_array) {
                Some(group) => group.iter().collect(),
                None => vec![entry],
            };
            let ours = hooks.into_iter().filter(|hook| is_ours(host, hook));
            found.extend(ours.map(|hook| Found { event, entry, hook }));
        }
    }
    found
}

/// What keeps one of our hooks from working.
fn problem(host: Host, program: &Path, place: &Place, found: &Found<'_>) -> Option<String> {
    let word = |of: &Value, key: &str| of.get(key).and_then(Value::as_str).map(str::to_owned);
    if let Some(matcher) = place.matcher
        && word(found.entry, "matcher").as_deref() != Some(matcher)
    {
        return Some(format!("the hook isn't called for {matcher}; reinstall it"));
    }
    let is_group = matches!(host.shape(), Shape::Groups { .. });
    if is_group && word(found.hook, "type").as_deref() != Some("command") {
        return Some("the hook's `type` isn't `command`; reinstall it".to_owned());
    }
    let wanted = command(host, program).unwrap_or_default();
    if word(found.hook, "command").as_deref() != Some(wanted.as_str()) {
        return Some(format!("the hook’s command isn’t `{wanted}`; reinstall it"));
    }
    let limit = found.hook.get("timeout").and_then(Value::as_u64);
    if limit.is_none_or(|limit| limit < host_limit(host)) {
        return Some(format!(
            "the hook's timeout in {} is too short for a person to decide; reinstall it",
            host.title()
        ));
    }
    let known = [
        "type",
        "command",
        "timeout",
        "matcher",
        "failClosed",
        "name",
        "description",
    ];
    let keys = found.hook.as_object().into_iter().flatten();
    if let Some((key, _)) = keys
        .into_iter()
        .find(|(key, _)| !known.contains(&key.as_str()))
    {
        return Some(format!(
            "`{key}` may keep the hook from blocking the agent; reinstall it"
        ));
    }
    let is_closed = found.hook.get("failClosed") == Some(&Value::Bool(true));
    (!is_group && !is_closed).then(|| {
        format!(
            "{} continues if the hook fails: `failClosed` isn't set; reinstall it",
            host.title()
        )
    })
}
