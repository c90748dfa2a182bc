//! One JSON object of a stream, or a whole answer, in any format that servers use.
//!
//! Never fails: missing, null and mistyped values are ignored. A field's meaning depends only on
//! its name.

use serde_json::{Map, Value};

use super::Usage;

/// The content of one JSON object.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) calls: Vec<CallPart>,
    pub(super) finish: Option<String>,
    pub(super) usage: Option<Usage>,
    pub(super) model: Option<String>,
}

/// A part of a tool call.
#[derive(Debug, Default)]
pub(super) struct CallPart {
    pub(super) index: Option<u64>,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    /// Whether the arguments came as an object and are therefore complete.
    pub(super) is_object: bool,
}

/// Whether an object reports an error instead of an answer.
pub(super) fn error_in(value: &Value) -> bool {
    let kind = |name: &str| value.get(name).and_then(Value::as_str);
    value.get("error").is_some_and(is_said)
        || kind("object") == Some("error")
        || kind("type") == Some("error")
}

fn is_said(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}

/// Parses one object of a stream, or an answer that wasn't streamed.
pub(super) fn read(value: &Value) -> Chunk {
    let mut chunk = Chunk {
        usage: usage(value),
        model: text_at(value, "model"),
        ..Chunk::default()
    };
    let choices = value.get("choices").and_then(Value::as_array);
    let of_first = |choice: &&Value| number(choice.get("index")).unwrap_or(0) == 0;
    let Some(choice) = choices.and_then(|all| all.iter().find(of_first)) else {
        return chunk;
    };
    chunk.finish = text_at(choice, "finish_reason");
    if let Some(text) = choice.get("text").and_then(Value::as_str) {
        chunk.text.push_str(text);
    }
    let said = ["delta", "message"]
        .iter()
        .filter_map(|name| choice.get(*name))
        .find_map(Value::as_object);
    if let Some(fields) = said {
        message(fields, &mut chunk);
    }
    chunk.usage = chunk.usage.or_else(|| usage(choice));
    chunk
}

fn message(fields: &Map<String, Value>, chunk: &mut Chunk) {
    if let Some(content) = fields.get("content") {
        parts(content, &mut chunk.text, &mut chunk.reasoning);
    }
    if let Some(text) = fields.get("refusal").and_then(Value::as_str)
        && !text.is_empty()
    {
        chunk.text.push_str(text);
        chunk.finish.get_or_insert_with(|| "refusal".to_owned());
    }
    // Alternative names for the same field: a server that sends two of them sends the same text
    // twice.
    let thought = [
        "reasoning_content",
        "reasoning",
        "thinking",
        "reasoning_details",
    ]
    .iter()
    .filter_map(|name| fields.get(*name))
    .map(|value| {
        let (mut text, mut inner) = (String::new(), String::new());
        parts(value, &mut text, &mut inner);
        text + &inner
    })
    .find(|text| !text.is_empty());
    chunk.reasoning.push_str(&thought.unwrap_or_default());
    match fields.get("tool_calls") {
        Some(Value::Array(all)) => chunk.calls.extend(all.iter().filter_map(call)),
        Some(one @ Value::Object(_)) => chunk.calls.extend(call(one)),
        _ => {
            let older = fields
                .get("function_call")
                .filter(|value| value.is_object());
            chunk.calls.extend(older.and_then(call));
        }
    }
}

/// Adds the text and the reasoning in a value: a string, a list of parts, or an object that
/// contains one of these.
fn parts(value: &Value, text: &mut String, reasoning: &mut String) {
    match value {
        Value::String(more) => text.push_str(more),
        Value::Array(all) => all.iter().for_each(|part| parts(part, text, reasoning)),
        Value::Object(fields) => {
            let inner = ["text", "content", "thinking", "summary", "reasoning"]
                .iter()
                .find_map(|name| fields.get(*name).filter(|value| !value.is_null()));
            let kind = fields
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let Some(inner) = inner else { return };
            let (mut more, mut below) = (String::new(), String::new());
            parts(inner, &mut more, &mut below);
            if kind.contains("think") || kind.contains("reason") {
                reasoning.push_str(&more);
            } else {
                text.push_str(&more);
            }
            reasoning.push_str(&below);
        }
        _ => {}
    }
}

fn call(value: &Value) -> Option<CallPart> {
    let inner = value.get("function").filter(|inner| inner.is_object());
    let function = inner.unwrap_or(value);
    let mut part = CallPart {
        index: number(value.get("index")),
        id: text_at(value, "id").unwrap_or_default(),
        name: text_at(function, "name").unwrap_or_default(),
        ..CallPart::default()
    };
    match function
        .get("arguments")
        .or_else(|| function.get("parameters"))
    {
        Some(Value::String(text)) => part.arguments.clone_from(text),
        None | Some(Value::Null) => {}
        Some(object) => {
            part.arguments = object.to_string();
            part.is_object = true;
        }
    }
    let is_empty = part.id.is_empty() && part.name.is_empty() && part.arguments.is_empty();
    (!is_empty).then_some(part)
}

fn usage(value: &Value) -> Option<Usage> {
    let fields = value.get("usage").filter(|value| value.is_object())?;
    let count = |paths: &[&str]| {
        paths
            .iter()
            .find_map(|path| number(fields.pointer(path)))
            .unwrap_or(0)
    };
    Some(Usage {
        input: count(&["/prompt_tokens", "/input_tokens"]),
        cached: count(&[
            "/prompt_tokens_details/cached_tokens",
            "/input_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
            "/cache_read_input_tokens",
        ]),
        output: count(&["/completion_tokens", "/output_tokens"]),
        reasoning: count(&[
            "/completion_tokens_details/reasoning_tokens",
            "/output_tokens_details/reasoning_tokens",
            "/reasoning_tokens",
        ]),
    })
    .filter(|usage| *usage != Usage::default())
}

/// A whole number, even if written as `3.0`.
fn number(value: Option<&Value>) -> Option<u64> {
    let value = value?;
    value.as_u64().or_else(|| {
        let float = value.as_f64().filter(|float| (0.0..1e15).contains(float))?;
        format!("{float:.0}").parse().ok()
    })
}

fn text_at(value: &Value, name: &str) -> Option<String> {
    let text = value.get(name)?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}
