//! The schema of a reply to a request for a single change. It has one branch for each possible
//! call, which allows only values from the file or the step's text, or text of limited length.

use serde_json::{Value, json};

use super::values;
use super::{Case, EditForm};
use crate::change_review;
use crate::context::Target;
use crate::model_step::step_tools::only_adds;
use crate::model_step::work::Work;

/// Maximum characters of inserted text.
const TEXT: usize = 200;
const FILE: usize = 1_500;
/// Maximum length of a line that can be chosen, in bytes.
const CHOSEN: usize = 200;

/// Maximum number of characters that a change may insert, in proportion to the existing text.
pub(super) fn bound(case: &Case<'_>) -> usize {
    let text = case.target.text.as_deref().unwrap_or_default();
    let longest = text.lines().map(str::len).max().unwrap_or_default();
    match case.way {
        EditForm::Free | EditForm::Whole => (text.len() * 2 + TEXT).min(FILE),
        EditForm::Choice | EditForm::Setting | EditForm::Other | EditForm::Line => {
            (longest * 2 + 40).min(TEXT)
        }
    }
}

/// The schema of the reply; `None` for a reply that is a code block.
pub(super) fn of(case: &Case<'_>) -> Option<Value> {
    let (target, way, values) = (case.target, case.way, &case.values);
    let bound = bound(case);
    let whole = || call("write_file", target, &[("content", free(bound))]);
    let Some(text) = &target.text else {
        return match way {
            EditForm::Whole => None,
            EditForm::Choice | EditForm::Setting | EditForm::Other => Some(call(
                "write_file",
                target,
                &[("content", json!({ "enum": values }))],
            )),
            EditForm::Free | EditForm::Line => Some(whole()),
        };
    };
    let lines = lines_of(text);
    let settings = values::settings(text, values).into_iter();
    let settings = settings.map(|(old, new)| {
        let arguments = [
            ("old_text", json!({ "const": old })),
            ("new_text", json!({ "const": new })),
        ];
        call("edit_file", target, &arguments)
    });
    let settings: Vec<Value> = settings.collect();
    let (old, new): (Vec<&str>, Vec<&str>) = values
        .iter()
        .map(String::as_str)
        .partition(|value| !change_review::places(text, value).is_empty());
    let chosen = match new.is_empty() {
        true => free(bound),
        false => json!({ "enum": new }),
    };
    let count = text.lines().count();
    let replace = |olds: &[&str], new: &Value| {
        (!olds.is_empty()).then(|| {
            let old = json!({ "enum": olds });
            call(
                "edit_file",
                target,
                &[("old_text", old), ("new_text", new.clone())],
            )
        })
    };
    let insert = |after: Value, new: &Value| {
        call(
            "insert",
            target,
            &[("after_line", after), ("new_text", new.clone())],
        )
    };
    let end = json!({ "const": count });
    match way {
        EditForm::Whole => None,
        EditForm::Setting => any_of(settings),
        EditForm::Free => {
            let places: Vec<usize> = (0..=count).collect();
            let mut all = lines.clone();
            all.extend(old);
            let branches = replace(&all, &free(bound)).into_iter();
            let branches =
                branches.chain([insert(json!({ "enum": places }), &free(bound)), whole()]);
            any_of(branches.collect())
        }
        EditForm::Choice => {
            // Positions above and below each line with a named value, and at the end.
            let named = text.lines().enumerate();
            let named = named.filter(|(_, line)| old.iter().any(|value| line.contains(value)));
            let mut spots: Vec<usize> = named.flat_map(|(at, _)| [at + 1, at]).collect();
            spots.push(count);
            spots.dedup();
            let mut branches: Vec<Value> = replace(&old, &chosen).into_iter().collect();
            // Values in the title that the file contains are replaced with those that it doesn't
            // contain, unless the step only adds something. If small models can choose, they add
            // instead, so adding is offered only in the next request.
            let is_replaced = !old.is_empty() && !new.is_empty() && !only_adds(&case.title);
            if !is_replaced {
                branches.push(insert(json!({ "enum": spots }), &chosen));
            }
            any_of(branches)
        }
        EditForm::Other => match replace(&old, &chosen) {
            Some(replace) if has_inserted(case.work, target) => Some(replace),
            _ => Some(insert(end, &chosen)),
        },
        EditForm::Line => {
            let is_named = |line: &&str| old.iter().any(|value| line.contains(value));
            let named: Vec<&str> = lines.iter().copied().filter(is_named).collect();
            let lines = if named.is_empty() { lines } else { named };
            replace(&lines, &free(bound)).or_else(|| Some(insert(end, &free(bound))))
        }
    }
}

/// Whether the last change to this file only added lines at its end.
fn has_inserted(work: &Work, target: &Target) -> bool {
    let Some(text) = &target.text else {
        return false;
    };
    let calls = work
        .rounds
        .all()
        .iter()
        .rev()
        .flat_map(|round| &round.reply.calls);
    let mut own = calls.filter(|call| call.text("path") == Some(target.path.as_str()));
    let last = own.next().and_then(|call| call.text("content"));
    last.is_some_and(|content| content.starts_with(text.as_str()))
}

/// The lines of a text that can be chosen because they occur only once.
fn lines_of(text: &str) -> Vec<&str> {
    let fit = text.lines().filter(|line| {
        !line.trim().is_empty() && line.len() <= CHOSEN && text.matches(*line).count() == 1
    });
    fit.collect()
}

fn free(characters: usize) -> Value {
    json!({"type": "string", "minLength": 1, "maxLength": characters})
}

fn any_of(mut branches: Vec<Value>) -> Option<Value> {
    match branches.len() {
        0 | 1 => branches.pop(),
        _ => Some(json!({ "anyOf": branches })),
    }
}

/// The schema of a call with this name and these arguments, for the file.
fn call(name: &str, target: &Target, arguments: &[(&str, Value)]) -> Value {
    let mut properties = json!({"path": {"const": target.path}});
    let mut required = vec!["path"];
    for (name, value) in arguments {
        properties[*name] = value.clone();
        required.push(name);
    }
    object(
        json!({
            "name": {"const": name},
            "arguments": object(properties, &required),
        }),
        &["name", "arguments"],
    )
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
