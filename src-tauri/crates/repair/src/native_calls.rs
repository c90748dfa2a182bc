//! Rung 3: reads the arguments of a call that the endpoint delivered separately.
//!
//! Valid JSON is taken as is, so nothing here can change arguments that need no repair.

use serde_json::Value;

use super::arguments::keys_of;
use super::body::fence_body;
use super::budget::Budget;
use super::envelope::{self, Args, Raw};
use super::scan::{Item, ItemKind};
use super::schema::{Effect, Kind, Tool, Tools};
use super::strings::unescape;
use super::value::{self, ParseError, Parsed};
use super::{Form, NativeCall, Repair, RepairKind, python, tool_names};

/// Reads a call that was delivered separately.
pub(super) fn item(call: &NativeCall, tools: &Tools, budget: &Budget) -> Item {
    let tool = tool_names::resolve(&call.name, tools);
    let mut raw = Raw::new(&call.name, Args::None);
    raw.id.clone_from(&call.id);
    let mut open_end = false;
    match arguments(call.arguments.trim(), tool, budget) {
        Ok(None) => {}
        Ok(Some(read)) => {
            raw.args = Args::Value(read.value);
            raw.repairs = Repair::all(&read.notes, "arguments");
            open_end = read.open_end;
        }
        Err(why) => return Item::broken(why, Some(&call.name), Form::Native),
    }
    // The name may contain the arguments, as in `read_file({"path": "a"})`.
    if let (Args::None, Some(open)) = (&raw.args, call.name.find('('))
        && let Ok(body) = python::call(&call.name, tool_names::bare(&call.name), open, budget)
        && let Some(item) = body.items.into_iter().next().filter(|item| !item.open_end)
        && let ItemKind::Call(written) = item.kind
    {
        raw.args = written.args;
        raw.repairs.extend(written.repairs);
    }
    if tool.is_none()
        && let Args::Value(value @ Value::Object(_)) = &raw.args
        && let Some(inner) = envelope::calls(value.clone(), tools)
        && let [only] = &inner[..]
        && tool_names::resolve(&only.name, tools).is_some()
    {
        let mut repairs = raw.repairs;
        repairs.push(Repair::new(RepairKind::Envelope, "arguments"));
        repairs.extend(only.repairs.iter().cloned());
        raw = Raw {
            id: raw.id,
            repairs,
            ..only.clone()
        };
    }
    Item::call(raw, Form::Native, open_end)
}

/// Reads native arguments; `None` if there are none.
fn arguments(
    text: &str,
    tool: Option<&Tool>,
    budget: &Budget,
) -> Result<Option<Parsed>, ParseError> {
    if text.is_empty() || text == "null" {
        return Ok(None);
    }
    if !budget.spend(text.len()) {
        return Err(ParseError::TooComplex);
    }
    let whole = |value, open_end| Parsed {
        value,
        end: text.len(),
        notes: Vec::new(),
        open_end,
    };
    if let Ok(value) = serde_json::from_str(text) {
        return Ok(Some(whole(value, false)));
    }
    let keys = tool.map(keys_of).unwrap_or_default();
    tolerant(text, &keys, budget).map(Some).or_else(|why| {
        // Take a bare word as the only parameter of a read-only tool.
        let is_plain = !text.contains(['{', '}', '[', ']', '"', '\n', ':']);
        let takes_it = tool
            .filter(|tool| tool.effect == Effect::Reads)
            .and_then(Tool::only_param)
            .is_some_and(|param| param.kind == Kind::String);
        match is_plain && takes_it {
            // The word may have been cut off, so its end counts as open.
            true => Ok(Some(whole(text.into(), true))),
            false => Err(why),
        }
    })
}

fn tolerant(text: &str, keys: &[&str], budget: &Budget) -> Result<Parsed, ParseError> {
    let unfenced = unfenced(text);
    let start = unfenced.unwrap_or(text).trim_start();
    let inside = start.trim_start_matches(['{', '[', ' ', '\n']);
    // The whole text may have been escaped once more, or encoded for HTML.
    let is_escaped = start.starts_with(['{', '[']) && inside.starts_with("\\\"");
    let is_html = start.starts_with('{') && inside.starts_with("&quot;");
    let object = start.find('{').filter(|at| {
        let is_label = |c: char| c.is_alphanumeric() || c.is_whitespace() || ":=_-.,'".contains(c);
        *at > 0 && !start.starts_with(['[', '"']) && start[..*at].chars().all(is_label)
    });
    let has_no_brace =
        start.starts_with('"') && value::key_length(&start[1..], '"', keys).is_some();
    let (start, kind) = if is_escaped {
        (unescape(start), Some(RepairKind::OverEscaped))
    } else if is_html {
        (without_entities(start), Some(RepairKind::HtmlEntities))
    } else if let Some(at) = object {
        (start[at..].to_owned(), Some(RepairKind::StripPrefix))
    } else {
        (start.to_owned(), None)
    };
    let read = match has_no_brace {
        true => value::read_members(&start, 0, keys, budget)?,
        false => value::read(&start, 0, keys, budget)?,
    };
    let mut notes = Vec::from_iter(unfenced.map(|_| RepairKind::StripFence));
    notes.extend(kind);
    notes.extend(check_rest(&start, &read, keys, budget)?);
    for kind in read.notes {
        value::note(&mut notes, kind);
    }
    Ok(Parsed { notes, ..read })
}

/// Checks the text after the first value, which may be empty, brackets, the same value again, or
/// prose. A different object would be another call, and it would be unclear which one is meant.
fn check_rest(
    text: &str,
    read: &Parsed,
    keys: &[&str],
    budget: &Budget,
) -> Result<Vec<RepairKind>, ParseError> {
    let after = text.get(read.end..).unwrap_or_default().trim_start();
    let stripped = after.trim_start_matches(['}', ']', ' ', '\n', ';', ',', '`']);
    let mut notes = Vec::new();
    if stripped.len() < after.len() {
        notes.push(RepairKind::ExtraBracket);
    }
    if stripped.is_empty() {
        return Ok(notes);
    }
    if stripped.starts_with('{') {
        let is_other = match value::read(stripped, 0, keys, budget) {
            Ok(second) => second.value != read.value,
            // It may be the truncated start of the same value.
            Err(_) => !text.trim_start().starts_with(stripped.trim_end()),
        };
        if is_other {
            return Err(ParseError::Syntax {
                at: text.len() - stripped.len(),
                expected: "one object, not two,",
            });
        }
    }
    notes.push(RepairKind::FirstValue);
    Ok(notes)
}

/// The content of a code fence at the start of a text.
pub(super) fn unfenced(text: &str) -> Option<&str> {
    let inside = fence_body(text, 0)?;
    Some(text[inside..].trim().trim_end_matches('`').trim())
}

pub(super) fn without_entities(text: &str) -> String {
    text.replace("&quot;", "\"")
        .replace("&#34;", "\"")
        .replace("&#39;", "'")
        .replace("&apos;", "'")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}
