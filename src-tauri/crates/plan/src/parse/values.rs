//! Parses keys and their values.

use crate::word_list::WordList;
use std::borrow::Cow;

use crate::call::ToolCall;
use crate::dialect::{Rules, detail};
use crate::id_syntax;
use crate::inline::{self, is_nothing, without_ticks};
use crate::model::{
    By, Call, ChoiceEffect, ChoiceOption, Field, Problem, ProblemCode, Task, TaskId, TaskKind,
};

/// The keys that the plan format defines.
const KEYS: WordList = WordList(
    "depends files tools call covers complexity accept verify type by why option confirm note \
    mute assume origin needs strategy",
);
const SKIPPED: &str = "skipped";

/// Whether the plan format defines a key, ignoring case.
pub(crate) fn is_known_key(key: &str) -> bool {
    key.eq_ignore_ascii_case(SKIPPED) || KEYS.has_in_any_case(key)
}

/// A key in lower case.
pub(super) fn key_name(key: &str) -> Cow<'static, str> {
    let mut known = KEYS.iter().chain([SKIPPED]);
    match known.find(|known| key.eq_ignore_ascii_case(known)) {
        Some(known) => Cow::Borrowed(known),
        None => Cow::Owned(key.to_ascii_lowercase()),
    }
}

/// Splits `key: value`. An unknown key is accepted if it is one lower-case word with a value;
/// everything else is prose.
pub(super) fn split_key(words: &str) -> Option<(&str, &str)> {
    let length = words.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (key, rest) = words.split_at(length);
    let value = rest.strip_prefix(':')?;
    if key.is_empty() || !(value.is_empty() || value.starts_with([' ', '\t'])) {
        return None;
    }
    let value = value.trim();
    let is_word = key.bytes().all(|byte| byte.is_ascii_lowercase()) && !value.is_empty();
    (is_known_key(key) || is_word).then_some((key, value))
}

/// Parses a task's fields, and the details that its dialect puts in the prose.
pub(super) fn fill(task: &mut Task, rules: &Rules, problems: &mut Vec<Problem>) {
    if !task.fields.is_empty() {
        fill_fields(task, problems);
    }
    if rules.has_details {
        fill_details(task);
    }
    if rules.requirements_elsewhere {
        // Drop values that are just prose, as in `_Requirements: all of the above_`.
        task.covers
            .retain(|id| id.contains(|c: char| c.is_ascii_digit()));
    }
}

/// Parses details that are not list items, or that are nested more deeply.
fn fill_details(task: &mut Task) {
    if !task.body.contains(':') {
        return;
    }
    let body = std::mem::take(&mut task.body);
    for line in body.lines() {
        let words = line.trim_start_matches([' ', '\t', '-', '+']);
        let words = words.strip_prefix("* ").unwrap_or(words);
        let Some(found) = detail::read(words) else {
            continue;
        };
        let ids = inline::references(&words[found.value]);
        match found.key {
            "depends" if task.fields.iter().all(|field| field.key != "depends") => {
                let depends = task.depends.get_or_insert_default();
                depends.extend(ids.into_iter().map(TaskId));
            }
            "covers" => {
                for id in ids {
                    if !task.covers.contains(&id) {
                        task.covers.push(id);
                    }
                }
            }
            _ => {}
        }
    }
    task.body = body;
}

fn fill_fields(task: &mut Task, problems: &mut Vec<Problem>) {
    let fields = std::mem::take(&mut task.fields);
    // Parse the type first, since the effect of an option without an arrow depends on it.
    for field in fields.iter().filter(|field| field.key == "type") {
        match kind(&field.value) {
            Some(kind) => task.kind = kind,
            None => problems.push(bad(task, field, "must be task, checkpoint or decision")),
        }
    }
    for field in &fields {
        take(task, field, problems);
    }
    task.fields = fields;
}

fn take(task: &mut Task, field: &Field, problems: &mut Vec<Problem>) {
    let value = field.value.as_str();
    let bare = without_ticks(value).trim();
    match field.key.as_ref() {
        "depends" => {
            let ids = inline::references(value).into_iter().map(TaskId);
            task.depends.get_or_insert_default().extend(ids);
        }
        "files" => task.files.extend(inline::paths(value)),
        "tools" => {
            let tools = inline::pieces(value).into_iter().map(without_ticks);
            task.tools
                .extend(tools.filter(|tool| !is_nothing(tool)).map(str::to_owned));
        }
        "covers" => task.covers.extend(inline::references(value)),
        "call" => task.calls.push(call(task, field, bare, problems)),
        "complexity" => match complexity(bare) {
            Some(number) => task.complexity = Some(number),
            None => problems.push(bad(task, field, "must be a whole number from 1 to 10")),
        },
        "accept" if !value.is_empty() => task.accept.push(value.to_owned()),
        "verify" if !bare.is_empty() => task.verify.push(bare.to_owned()),
        "by" => match bare.to_ascii_lowercase().as_str() {
            "agent" => task.by = By::Agent,
            "person" => task.by = By::Person,
            "either" => task.by = By::Either,
            _ => problems.push(bad(task, field, "must be agent, person or either")),
        },
        "why" if !value.is_empty() => task.why = Some(value.to_owned()),
        "option" => {
            let option = option(task, field, problems);
            task.options.extend(option);
        }
        "confirm" => match bare.to_ascii_lowercase().as_str() {
            "no" | "false" => task.confirm = false,
            "yes" | "true" => task.confirm = true,
            _ => problems.push(bad(task, field, "must be yes or no")),
        },
        SKIPPED => task.skipped = Some(value.to_owned()),
        _ => {}
    }
}

fn bad(task: &Task, field: &Field, rule: &str) -> Problem {
    let (id, key, value) = (&task.id, &field.key, &field.value);
    Problem {
        code: ProblemCode::BadValue,
        task: Some(id.clone()),
        line: field.line,
        message: format!("`{key}` of {id} {rule}; ignored `{value}`"),
    }
}

fn kind(value: &str) -> Option<TaskKind> {
    match without_ticks(value).trim().to_ascii_lowercase().as_str() {
        "task" | "normal" => Some(TaskKind::Normal),
        "checkpoint" => Some(TaskKind::Checkpoint),
        "decision" => Some(TaskKind::Decision),
        _ => None,
    }
}

/// Parses a complexity, such as `3` or `3/10`.
fn complexity(value: &str) -> Option<u8> {
    let value = value.strip_suffix("/10").unwrap_or(value).trim();
    value
        .parse()
        .ok()
        .filter(|number| (1..=10).contains(number))
}

fn call(task: &Task, field: &Field, bare: &str, problems: &mut Vec<Problem>) -> Call {
    let parsed = ToolCall::parse(bare);
    if let Err(error) = &parsed {
        problems.push(Problem {
            code: ProblemCode::BadCall,
            task: Some(task.id.clone()),
            line: field.line,
            message: format!("invalid call in {}: {error}", task.id),
        });
    }
    Call {
        raw: bare.to_owned(),
        line: field.line,
        parsed,
    }
}

/// Parses `label -> effect`, splitting at the last arrow.
fn option(task: &Task, field: &Field, problems: &mut Vec<Problem>) -> Option<ChoiceOption> {
    let value = field.value.as_str();
    if value.is_empty() {
        problems.push(bad(task, field, "needs a label"));
        return None;
    }
    let is_decision = task.kind == TaskKind::Decision;
    let plain = match is_decision {
        true => ChoiceEffect::Branch(Vec::new()),
        false => ChoiceEffect::Continue,
    };
    let Some((at, length)) = arrow(value) else {
        return Some(ChoiceOption {
            label: value.to_owned(),
            effect: plain,
        });
    };
    let label = value[..at].trim().to_owned();
    let effect = effect(value[at + length..].trim());
    match effect {
        Some(effect) if !label.is_empty() => {
            if matches!(effect, ChoiceEffect::Branch(_)) && !is_decision {
                let rule =
                    "of a step that isn't a decision must lead to continue, skip, review or stop";
                problems.push(bad_option(task, field, rule));
                return Some(ChoiceOption {
                    label,
                    effect: plain,
                });
            }
            Some(ChoiceOption { label, effect })
        }
        _ => {
            let rule = "must lead to continue, review, stop, skip with ids, or step ids";
            problems.push(bad_option(task, field, rule));
            Some(ChoiceOption {
                label: value.to_owned(),
                effect: plain,
            })
        }
    }
}

/// The offset of the last arrow in an option, and the arrow's length.
pub(crate) fn arrow(value: &str) -> Option<(usize, usize)> {
    ["->", "→"]
        .into_iter()
        .filter_map(|arrow| Some((value.rfind(arrow)?, arrow.len())))
        .max_by_key(|(at, _)| *at)
}

fn bad_option(task: &Task, field: &Field, rule: &str) -> Problem {
    Problem {
        message: format!("`option` of {} {rule}: `{}`", task.id, field.value),
        ..bad(task, field, rule)
    }
}

fn effect(target: &str) -> Option<ChoiceEffect> {
    let bare = without_ticks(target).trim();
    let lower = bare.to_ascii_lowercase();
    match lower.as_str() {
        "continue" => return Some(ChoiceEffect::Continue),
        "review" => return Some(ChoiceEffect::Review),
        "stop" => return Some(ChoiceEffect::Stop),
        _ => {}
    }
    let skips = lower
        .strip_prefix("skip")
        .filter(|rest| rest.starts_with([' ', '\t', ':']));
    let listed = match skips {
        Some(rest) => bare[bare.len() - rest.len()..].trim_start_matches([' ', '\t', ':']),
        None => target,
    };
    let ids: Vec<TaskId> = inline::references(listed).into_iter().map(TaskId).collect();
    let all_ids = !ids.is_empty() && ids.iter().all(|id| id_syntax::is_id(id.as_str()));
    match (all_ids, skips) {
        (true, Some(_)) => Some(ChoiceEffect::Skip(ids)),
        (true, None) => Some(ChoiceEffect::Branch(ids)),
        (false, None) if is_nothing(target) && !target.is_empty() => {
            Some(ChoiceEffect::Branch(ids))
        }
        (false, _) => None,
    }
}
