//! Rung 6: removes anything that a model put around a call.
//!
//! This module knows which keys name a tool and which contain its arguments. An object with neither
//! is not a call: a `package.json` has a name too.

use plan::word_list::WordList;
use serde_json::{Map, Value};

use super::param_aliases::is_remark;
use super::schema::Tools;
use super::tool_names;
use super::{Repair, RepairKind};

/// Keys that contain a tool's name, most common first.
const NAMES: WordList = WordList(
    "name tool_name function_name tool function action recipient_name toolName functionName \
    tool_call fn api_name",
);
/// Keys that contain the arguments, most common first.
const ARGUMENTS: WordList = WordList(
    "arguments parameters args params input action_input tool_input kwargs argument tool_args \
    function_args tool_parameters tool_arguments inputs parameter arguments_json",
);
/// Keys that contain one or more calls.
const WRAPPERS: WordList = WordList(
    "tool_calls tool_call function_call function calls tool_uses actions function_calls tools \
    toolCalls call",
);
/// Keys that describe the call and that the tool doesn't use.
const ABOUT: WordList = WordList("id type index tool_call_id call_id role content status version");

/// Keys of a call that the parser expects.
pub(super) const KEYS: WordList = WordList(
    "name arguments parameters args params input action action_input tool tool_name function id \
    type tool_calls tool_input function_name kwargs reason thought what why tools",
);

/// Maximum number of wrappers inside each other.
const DEPTH: usize = 6;

/// Arguments in the form in which they were written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Args {
    None,
    Value(Value),
    /// Arguments as in `name(a, key=b)`.
    Call {
        places: Vec<Value>,
        named: Map<String, Value>,
    },
}

/// A call before its name and arguments are interpreted.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Raw {
    pub(super) name: String,
    pub(super) args: Args,
    pub(super) id: Option<String>,
    pub(super) repairs: Vec<Repair>,
}

impl Raw {
    pub(super) fn new(name: impl Into<String>, args: Args) -> Self {
        Self {
            name: name.into(),
            args,
            id: None,
            repairs: Vec::new(),
        }
    }

    fn mended(mut self, kind: RepairKind, place: impl Into<String>) -> Self {
        self.repairs.push(Repair::new(kind, place));
        self
    }
}

/// The calls in a value; `None` if it isn't a call at all.
pub(super) fn calls(value: Value, tools: &Tools) -> Option<Vec<Raw>> {
    let mut out = Vec::new();
    collect(value, tools, &mut out, 0).then_some(out)
}

fn collect(value: Value, tools: &Tools, out: &mut Vec<Raw>, depth: usize) -> bool {
    if depth > DEPTH {
        return false;
    }
    match value {
        Value::Array(items) => {
            // The list may consist of a name and arguments: `["read_file", {"path": "a"}]`.
            if let [Value::String(name), args @ Value::Object(_)] = &items[..]
                && tool_names::resolve(name, tools).is_some()
            {
                let raw = Raw::new(name, Args::Value(args.clone()));
                out.push(raw.mended(RepairKind::Envelope, "call"));
                return true;
            }
            let is_list =
                !items.is_empty() && items.iter().all(|item| item.is_object() || item.is_array());
            // Every item must be a call; otherwise the list is something else.
            is_list
                && items
                    .into_iter()
                    .all(|item| collect(item, tools, out, depth + 1))
        }
        Value::Object(map) => object(map, tools, out, depth),
        _ => false,
    }
}

fn object(mut map: Map<String, Value>, tools: &Tools, out: &mut Vec<Raw>, depth: usize) -> bool {
    let id = ["id", "tool_call_id", "call_id"]
        .iter()
        .find_map(|key| map.get(*key)?.as_str().map(str::to_owned));
    if let Some(key) = name_key(&map, tools) {
        let is_usual = key == "name";
        let Some(Value::String(name)) = map.shift_remove(key) else {
            return false;
        };
        let Some(mut raw) = with_name(name, map, tools) else {
            return false;
        };
        if !is_usual {
            raw.repairs
                .insert(0, Repair::new(RepairKind::KeyAlias, format!("call.{key}")));
        }
        raw.id = id;
        out.push(raw);
        return true;
    }
    let holds = |value: &Value| value.is_object() || value.is_array();
    let mut wrappers = WRAPPERS.iter();
    let Some(key) = wrappers.find(|key| map.get(*key).is_some_and(holds)) else {
        return name_as_key(map, tools, out);
    };
    let before = out.len();
    let inner = map.shift_remove(key);
    let is_read = inner.is_some_and(|inner| collect(inner, tools, out, depth + 1));
    for raw in &mut out[before..] {
        raw.id = raw.id.take().or_else(|| id.clone());
        let repair = Repair::new(RepairKind::Envelope, format!("call.{key}"));
        raw.repairs.insert(0, repair);
    }
    is_read
}

/// The key that contains the name: a key whose value is a tool or, if there are arguments, the
/// first of the usual keys.
fn name_key(map: &Map<String, Value>, tools: &Tools) -> Option<&'static str> {
    let text = |key: &str| map.get(key).and_then(Value::as_str);
    let known = NAMES
        .iter()
        .find(|key| text(key).is_some_and(|name| tool_names::resolve(name, tools).is_some()));
    let has_arguments = ARGUMENTS.iter().any(|key| map.contains_key(key));
    let mut named = NAMES.iter();
    known.or_else(|| named.find(|key| has_arguments && text(key).is_some()))
}

fn with_name(name: String, mut map: Map<String, Value>, tools: &Tools) -> Option<Raw> {
    let tool = tool_names::resolve(&name, tools);
    // A parameter may have the same name as an envelope key; then its value doesn't contain the
    // arguments.
    let is_param = |key: &str| tool.is_some_and(|tool| tool.param(key).is_some());
    let key = ARGUMENTS
        .into_iter()
        .find(|key| map.contains_key(*key) && !is_param(key));
    let Some(key) = key else {
        let tool = tool?;
        map.retain(|key, _| is_param(key) || !(ABOUT.contains(key.as_str()) || is_remark(key)));
        if map.is_empty() {
            return Some(Raw::new(name, Args::None));
        }
        let raw = Raw::new(name, Args::Value(Value::Object(map)));
        return Some(raw.mended(RepairKind::FlatArguments, tool.name.clone()));
    };
    let mut args = map.shift_remove(key)?;
    let mut repairs = Vec::new();
    if key != "arguments" {
        let kind = match key {
            "parameters" => RepairKind::ParametersKey,
            _ => RepairKind::KeyAlias,
        };
        repairs.push(Repair::new(kind, format!("call.{key}")));
    }
    if let Value::Object(inner) = &mut args {
        for (key, value) in map {
            if is_param(&key) && !inner.contains_key(&key) {
                let place = format!("arguments.{key}");
                repairs.push(Repair::new(RepairKind::MisplacedKey, place));
                inner.insert(key, value);
            } else if !ABOUT.contains(&key) && !ARGUMENTS.contains(&key) {
                repairs.push(Repair::new(RepairKind::ExtraKey, format!("call.{key}")));
            }
        }
    }
    Some(Raw {
        repairs,
        ..Raw::new(name, Args::Value(args))
    })
}

/// Reads `{"read_file": {"path": "a"}}`, but only if every key is the name of a tool.
fn name_as_key(mut map: Map<String, Value>, tools: &Tools, out: &mut Vec<Raw>) -> bool {
    map.retain(|key, value| !(is_remark(key) && value.is_string()));
    let is_tool = |key: &String| tool_names::resolve(key, tools).is_some();
    if map.is_empty() || !map.keys().all(is_tool) {
        return false;
    }
    for (name, args) in map {
        let raw = Raw::new(name, Args::Value(args));
        out.push(raw.mended(RepairKind::NameAsKey, "call"));
    }
    true
}

/// Removes wrappers around the arguments unless the tool has parameters with these names:
/// `{"arguments": {…}}`, `{"name": "…", "arguments": {…}}`, `{"properties": {…}}`. Returns the
/// tool's name if a wrapper contains it.
pub(super) fn peel(
    map: &mut Map<String, Value>,
    is_param: impl Fn(&str) -> bool,
    repairs: &mut Vec<Repair>,
) -> Option<String> {
    let mut name = None;
    for _ in 0..DEPTH {
        if map.keys().any(|key| is_param(key)) {
            break;
        }
        let is_inner = |value: &Value| value.is_object() || value.is_string();
        let mut keys = ARGUMENTS
            .into_iter()
            .chain(["properties", "data", "function"]);
        let Some(key) = keys.find(|key| map.get(*key).is_some_and(is_inner)) else {
            break;
        };
        let mut others = map.keys().filter(|other| *other != key);
        let is_envelope =
            others.all(|other| NAMES.contains(other) || ABOUT.contains(other) || is_remark(other));
        let inner = match map.get(key) {
            Some(Value::Object(inner)) => Some(inner.clone()),
            Some(Value::String(text)) => serde_json::from_str(text).ok(),
            _ => None,
        };
        let (true, Some(inner)) = (is_envelope, inner) else {
            break;
        };
        let said = NAMES
            .iter()
            .find_map(|key| map.get(key)?.as_str().map(str::to_owned));
        name = said.or(name);
        let place = format!("arguments.{key}");
        repairs.push(Repair::new(RepairKind::Envelope, place));
        *map = inner;
    }
    name
}
