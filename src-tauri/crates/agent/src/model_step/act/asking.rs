//! The words and the schema of a request for one change.

use plan::Task;
use serde_json::{Value, json};

use super::values;
use super::{Act, Asked, Way};
use crate::context::{ItemKind, Target};
use crate::envelope::{clipped, one_line};
use crate::model_step::work::Work;
use crate::session::message::{Message, Part};

/// Bytes of a step's own text beside its title.
const BODY: usize = 600;
/// Bytes of one line of it, and of what a check said.
const LINE: usize = 240;
/// Bytes of what is known from the steps before.
const KNOWN: usize = 900;
/// Characters of a text that is put in.
const TEXT: usize = 200;
/// Characters of a whole file.
const FILE: usize = 1_500;
/// Bytes of a line that can be chosen.
const CHOSEN: usize = 200;
/// Tokens of a reply beside the text in it.
const AROUND: u32 = 80;

const CHANGE: &str = "You carry out one step in a project folder. Answer with one call.";
const BLOCK: &str =
    "You carry out one step in a project folder. Answer with the whole new file in one code block";

pub(super) fn asked(
    task: &Task,
    work: &Work,
    target: &Target,
    (way, is_varied): (Way, bool),
    most: u32,
) -> Asked {
    let schema = schema(task, work, target, way);
    let bound = u32::try_from(bound(target, way)).unwrap_or(u32::MAX);
    let tokens = AROUND
        + match way {
            // About three characters a token, and fewer where the text is no English.
            Way::Free | Way::Whole => bound / 2,
            // A digit can be a token, and a reply that fills its bound is to end by itself.
            Way::Choice | Way::Setting | Way::Other | Way::Line => bound,
        };
    let system = match schema {
        Some(_) => CHANGE.to_owned(),
        None => {
            let name = target.path.rsplit('/').next().unwrap_or_default();
            let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
            format!("{BLOCK} that begins with ```{kind}")
        }
    };
    Asked {
        system,
        messages: vec![Message::user(vec![(
            Part::Plan,
            words(task, work, target, way),
        )])],
        max_output_tokens: most.min(tokens),
        act: Act {
            target: target.clone(),
            names: values::of(task, &target.path),
            way,
            schema,
            is_varied,
        },
    }
}

fn words(task: &Task, work: &Work, target: &Target, way: Way) -> String {
    let mut out = Vec::new();
    let known = known(work);
    if !known.is_empty() {
        out.push(known);
    }
    let (path, block) = (&target.path, way == Way::Whole);
    if let Some(text) = &target.text {
        let mark = if block { "```\n" } else { "" };
        let ended = if text.ends_with('\n') || text.is_empty() {
            ""
        } else {
            "\n"
        };
        out.push(format!("{path}:\n{mark}{text}{ended}{mark}"));
    }
    let mut step = vec![one_line(&task.title, LINE * 2)];
    if !task.body.trim().is_empty() {
        step.push(clipped(task.body.trim(), BODY));
    }
    let accept = task.accept.iter().take(3);
    step.extend(accept.map(|line| format!("It is done when: {}", one_line(line, LINE))));
    if let Some(red) = said(work).filter(|_| matches!(way, Way::Free | Way::Whole | Way::Line)) {
        step.push(red);
    }
    if block {
        step.push(match target.text {
            Some(_) => format!("Write the whole new {path}."),
            None => format!("Write the content of {path} and nothing else."),
        });
    }
    out.push(step.join("\n"));
    out.join("\n")
}

/// What the steps before came to, and what a person pinned.
fn known(work: &Work) -> String {
    let items = work.context.iter().flat_map(|chosen| &chosen.items);
    let items = items.filter(|item| matches!(item.kind, ItemKind::Summary { .. } | ItemKind::Note));
    let texts: Vec<&str> = items.map(|item| item.text.as_str()).collect();
    clipped(&texts.join("\n"), KNOWN)
}

/// What the check said of the last change.
fn said(work: &Work) -> Option<String> {
    let mut told = work
        .rounds
        .all()
        .iter()
        .rev()
        .filter_map(|round| round.told.last());
    let told = told.next().filter(|told| !told.trim().is_empty())?;
    Some(format!("Its check says: {}", one_line(told, LINE)))
}

/// Characters that a change may put in: it is about as large as what is there.
fn bound(target: &Target, way: Way) -> usize {
    let text = target.text.as_deref().unwrap_or_default();
    let longest = text.lines().map(str::len).max().unwrap_or_default();
    match way {
        Way::Free | Way::Whole => (text.len() * 2 + TEXT).min(FILE),
        Way::Choice | Way::Setting | Way::Other | Way::Line => (longest * 2 + 40).min(TEXT),
    }
}

/// The schema of the reply; none for a block of text.
fn schema(task: &Task, work: &Work, target: &Target, way: Way) -> Option<Value> {
    let values = values::of(task, &target.path);
    let bound = bound(target, way);
    let whole = || call("write_file", target, &[("content", free(bound))]);
    let Some(text) = &target.text else {
        return match way {
            Way::Whole => None,
            Way::Choice | Way::Setting | Way::Other => Some(call(
                "write_file",
                target,
                &[("content", json!({ "enum": values }))],
            )),
            Way::Free | Way::Line => Some(whole()),
        };
    };
    let lines = lines_of(text);
    let settings = values::settings(text, &values).into_iter();
    let settings = settings.map(|(old, new)| {
        let arguments = [
            ("old_text", json!({ "const": old })),
            ("new_text", json!({ "const": new })),
        ];
        call("edit_file", target, &arguments)
    });
    let settings: Vec<Value> = settings.collect();
    let (old, new): (Vec<String>, Vec<String>) = values
        .into_iter()
        .partition(|value| !values::places(text, value).is_empty());
    let chosen = match new.is_empty() {
        true => free(bound),
        false => json!({ "enum": new }),
    };
    let count = text.lines().count();
    let replace = |olds: &[String], new: &Value| {
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
        Way::Whole => None,
        Way::Setting => any_of(settings),
        Way::Free => {
            let places: Vec<usize> = (0..=count).collect();
            let mut all = lines.clone();
            all.extend(old);
            let branches = replace(&all, &free(bound)).into_iter();
            let branches =
                branches.chain([insert(json!({ "enum": places }), &free(bound)), whole()]);
            any_of(branches.collect())
        }
        Way::Choice => {
            let mut branches: Vec<Value> = replace(&old, &chosen).into_iter().collect();
            // What the step names and is in the file is more likely replaced than added to.
            let at = if old.is_empty() { 0 } else { branches.len() };
            branches.insert(at, insert(end, &chosen));
            any_of(branches)
        }
        Way::Other => match replace(&old, &chosen) {
            Some(replace) if has_inserted(work, target) => Some(replace),
            _ => Some(insert(end, &chosen)),
        },
        Way::Line => {
            let named: Vec<String> = lines
                .iter()
                .filter(|line| old.iter().any(|value| line.contains(value.as_str())))
                .cloned()
                .collect();
            let lines = if named.is_empty() { lines } else { named };
            replace(&lines, &free(bound)).or_else(|| Some(insert(end, &free(bound))))
        }
    }
}

/// Whether the last change of this file only added lines at its end.
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

/// The lines of a text that stand in it once and can be chosen.
fn lines_of(text: &str) -> Vec<String> {
    let fit = text.lines().filter(|line| {
        !line.trim().is_empty() && line.len() <= CHOSEN && text.matches(*line).count() == 1
    });
    fit.map(str::to_owned).collect()
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

/// A call of this name on the file, with these arguments.
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
