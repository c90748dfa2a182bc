//! Reads a list of tasks, or one JSON object, from a reply.
//!
//! Models wrap JSON in fences and prose, and their replies get cut off. Everything that is complete
//! is read, unless a reply was cut off inside its list of tasks. Then the missing tasks are
//! unknown, so the reply is requested again.

use serde_json::{Map, Value};
use thiserror::Error;

use super::budget::Budget;
use super::value::{self, ParseError};

/// A task in a reply. Everything except the description may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReplyTask {
    /// Its id in the reply; empty if it has none. A number is written as its digits.
    pub id: String,
    /// What to do.
    pub description: String,
    /// The files that it concerns.
    pub files: Vec<String>,
    /// Its complexity, 1 to 10.
    pub estimated_complexity: Option<u8>,
    /// The ids of the tasks that it depends on.
    pub depends_on: Vec<String>,
    /// The ids of the requirements that it covers.
    pub covers: Vec<String>,
    /// Its acceptance criteria.
    pub accept: Vec<String>,
    /// Commands that check it.
    pub verify: Vec<String>,
    /// Notes on it.
    pub notes: Vec<String>,
    /// The codes of the findings that it addresses.
    pub why: Vec<String>,
}

/// Why a reply could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplyError {
    /// The reply contains no JSON with a list of tasks.
    #[error("the reply contains no JSON with a `tasks` list")]
    NoTasks,
    /// The reply ends inside the list of tasks.
    #[error("the reply ends in the middle of its list of tasks")]
    CutOff,
    /// The reply exceeds the maximum length.
    #[error("the reply is longer than {most} bytes")]
    TooLong {
        /// The maximum length in bytes.
        most: usize,
    },
}

/// Maximum length of a reply in bytes, which is several times what the highest output limit allows.
const MAX_BYTES: usize = 1 << 20;

/// The tasks of a reply, in order. An empty list is valid. On an error, the reply should be
/// requested again.
pub fn read_tasks(text: &str) -> Result<Vec<ReplyTask>, ReplyError> {
    if text.len() > MAX_BYTES {
        return Err(ReplyError::TooLong { most: MAX_BYTES });
    }
    let mut is_cut_off = false;
    let mut is_empty_list = false;
    let mut from = 0;
    // The prose before the JSON may also contain brackets.
    for _ in 0..MAX_STARTS {
        let Some(start) = find(text, from, &['{', '[']) else {
            break;
        };
        from = start + 1;
        match json_at(text, start) {
            Json::Whole(value, end) => {
                match tasks_of(&value) {
                    // A pair of brackets in a sentence also looks like an empty list.
                    Some(tasks) if tasks.is_empty() && value.is_array() => is_empty_list = true,
                    Some(tasks) => return Ok(tasks.iter().filter_map(task).collect()),
                    None => {}
                }
                from = end;
            }
            Json::CutOff => match list_of(text, start) {
                // It doesn't matter if the reply was cut off after the list of tasks.
                Some(tasks) => return Ok(tasks.iter().filter_map(task).collect()),
                // Any complete JSON inside it is only part of a task.
                None if is_data(text, start) => return Err(ReplyError::CutOff),
                None => is_cut_off = true,
            },
            Json::None => {}
        }
    }
    match (is_cut_off, is_empty_list) {
        (true, _) => Err(ReplyError::CutOff),
        (false, true) => Ok(Vec::new()),
        (false, false) => Err(ReplyError::NoTasks),
    }
}

/// The first complete JSON object in a text that has one of these keys, ignoring text around it.
/// `None` if there is none or it was cut off.
pub fn read_object(text: &str, keys: &[&str]) -> Option<Map<String, Value>> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let mut from = 0;
    for _ in 0..MAX_STARTS {
        let start = find(text, from, &['{'])?;
        match json_at(text, start) {
            Json::Whole(Value::Object(object), _)
                if keys.iter().any(|key| object.contains_key(*key)) =>
            {
                return Some(object);
            }
            _ => from = start + 1,
        }
    }
    None
}

/// The result of reading JSON that starts at a bracket.
enum Json {
    /// A value, and the offset of the byte after it.
    Whole(Value, usize),
    /// The text ends inside the value.
    CutOff,
    /// There is no JSON.
    None,
}

fn json_at(text: &str, start: usize) -> Json {
    match value::read(text, start, &[], &Budget::for_bytes(text.len())) {
        Ok(read) if !read.open_end => Json::Whole(read.value, read.end),
        Ok(_) | Err(ParseError::Cut) => Json::CutOff,
        Err(ParseError::TooComplex | ParseError::Syntax { .. }) => Json::None,
    }
}

/// The list of tasks in an object that was cut off after the list.
fn list_of(text: &str, object: usize) -> Option<Vec<Value>> {
    let is_list = |at: &usize| {
        let before = text[object..*at].trim_end().strip_suffix(':');
        let key = before.map(|key| key.trim_end().trim_end_matches(['"', '\'', '”', '’']));
        key.is_some_and(|key| key.ends_with("tasks") || key.ends_with("steps"))
    };
    let mut lists = text[object..].match_indices('[').map(|(at, _)| object + at);
    // Use the first list, since later ones belong to a task.
    match json_at(text, lists.find(is_list)?) {
        Json::Whole(value, _) => tasks_of(&value),
        _ => None,
    }
}

/// Whether the text after a bracket looks like JSON rather than like a sentence.
fn is_data(text: &str, start: usize) -> bool {
    text[start + 1..]
        .trim_start()
        .starts_with(['{', '[', '"', '\'', '“'])
}

fn find(text: &str, from: usize, brackets: &[char]) -> Option<usize> {
    text[from..].find(brackets).map(|at| from + at)
}

/// Keys that models use for a task's description.
const WORDS: [&str; 7] = [
    "description",
    "what",
    "title",
    "name",
    "task",
    "step",
    "text",
];

/// Maximum number of brackets tried as the start of the JSON.
const MAX_STARTS: usize = 32;

/// The list of tasks in a value, wherever the model put it.
fn tasks_of(value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(items) => {
            let are_tasks = items.iter().all(Value::is_object);
            let has_words = items.iter().any(|item| words(item.as_object()).is_some());
            (items.is_empty() || are_tasks && has_words).then(|| items.clone())
        }
        Value::Object(object) => {
            for key in ["tasks", "steps", "plan", "result", "output"] {
                match object.get(key) {
                    Some(Value::Array(items)) => return Some(items.clone()),
                    Some(Value::Object(inner)) if key == "tasks" => {
                        return Some(by_id(inner));
                    }
                    Some(inner @ Value::Object(_)) => {
                        if let Some(tasks) = tasks_of(inner) {
                            return Some(tasks);
                        }
                    }
                    _ => {}
                }
            }
            None
        }
        _ => None,
    }
}

/// Reads tasks that are written as `{"T1": {…}}`.
fn by_id(object: &Map<String, Value>) -> Vec<Value> {
    let tasks = object.iter().filter_map(|(id, task)| {
        let mut task = task.as_object()?.clone();
        task.entry("id")
            .or_insert_with(|| Value::String(id.clone()));
        Some(Value::Object(task))
    });
    tasks.collect()
}

fn words(object: Option<&Map<String, Value>>) -> Option<String> {
    let object = object?;
    WORDS
        .iter()
        .find_map(|key| scalar(object.get(*key)?))
        .filter(|words| !words.trim().is_empty())
}

fn task(value: &Value) -> Option<ReplyTask> {
    let object = value.as_object()?;
    let list = |keys: &[&str]| -> Vec<String> {
        let found = keys.iter().find_map(|key| object.get(*key));
        found.map(strings).unwrap_or_default()
    };
    let ids = |keys: &[&str]| -> Vec<String> {
        let values = list(keys).into_iter();
        let ids = values.flat_map(|value| {
            let ids = value.split([',', ';', ' ']).map(bare_id);
            ids.filter(|id| !id.is_empty()).collect::<Vec<String>>()
        });
        ids.collect()
    };
    let complexity = ["estimated_complexity", "complexity"]
        .iter()
        .find_map(|key| scalar(object.get(*key)?));
    let task = ReplyTask {
        id: ["id", "task_id", "key"]
            .iter()
            .find_map(|key| scalar(object.get(*key)?))
            .map(|id| bare_id(&id))
            .unwrap_or_default(),
        description: words(Some(object)).unwrap_or_default(),
        files: list(&["files", "file", "paths"]),
        estimated_complexity: complexity.and_then(|text| size(&text)),
        depends_on: ids(&["depends_on", "depends", "dependencies", "dependsOn"]),
        covers: ids(&["covers", "requirements"]),
        accept: list(&["accept", "acceptance", "acceptance_criteria"]),
        verify: list(&["verify", "verification", "check"]),
        notes: list(&["notes", "note"]),
        why: list(&["why", "codes", "reason_codes"]),
    };
    (!task.id.is_empty() || !task.description.trim().is_empty()).then_some(task)
}

/// An id without surrounding Markdown or JSON punctuation.
fn bare_id(text: &str) -> String {
    let is_around = |c: char| c.is_whitespace() || matches!(c, '*' | '`' | '"' | '\'' | '[' | ']');
    text.trim_matches(is_around)
        .trim_end_matches([':', '.'])
        .to_owned()
}

fn size(text: &str) -> Option<u8> {
    let number = text.split('/').next().unwrap_or(text).trim();
    let number: f64 = number.parse().ok()?;
    // Within these bounds, the cast can't overflow.
    (1.0..=10.0).contains(&number).then(|| number.round() as u8)
}

/// The text of a string, number or boolean.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 1e15 => format!("{float:.0}"),
            _ => number.to_string(),
        }),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// A list of texts in any form: a list, a single text, or a list of objects.
fn strings(value: &Value) -> Vec<String> {
    let texts: Vec<String> = match value {
        Value::Array(items) => items.iter().flat_map(strings).collect(),
        Value::Object(object) => ["path", "id", "text", "description", "command", "name"]
            .iter()
            .find_map(|key| scalar(object.get(*key)?))
            .into_iter()
            .collect(),
        other => scalar(other).into_iter().collect(),
    };
    let texts = texts.into_iter().map(|text| text.trim().to_owned());
    texts.filter(|text| !text.is_empty()).collect()
}
