//! Rung 3: the arguments of a call that the endpoint delivered apart.
//!
//! Valid JSON is taken as it is; nothing here can change what needs no repair.

use serde_json::Value;

use super::envelope::Args;
use super::fit::keys_of;
use super::quoted::unescape;
use super::schema::{Effect, Kind, Tool};
use super::value::{self, Broken, Read};
use super::work::Work;
use super::{Repair, RepairKind};

/// The arguments, as far as they could be read.
pub(super) struct Delivered {
    pub(super) args: Args,
    pub(super) repairs: Vec<Repair>,
    /// Whether brackets were open at the end.
    pub(super) open_end: bool,
}

/// Reads the text of native arguments.
pub(super) fn arguments(text: &str, tool: Option<&Tool>, work: &Work) -> Result<Delivered, Broken> {
    let delivered = |args, kinds: &[RepairKind], open_end| Delivered {
        args,
        repairs: Repair::all(kinds, "arguments"),
        open_end,
    };
    let text = text.trim();
    if text.is_empty() || text == "null" {
        return Ok(delivered(Args::None, &[], false));
    }
    if !work.spend(text.len()) {
        return Err(Broken::TooMuch);
    }
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return Ok(delivered(Args::Value(value), &[], false));
    }
    let keys = tool.map(keys_of).unwrap_or_default();
    let mut kinds = Vec::new();
    let read = match tolerant(text, &keys, &mut kinds, work) {
        Ok(read) => read,
        Err(why) => {
            // A bare word for the only parameter of a tool that only looks.
            let is_plain = !text.contains(['{', '}', '[', ']', '"', '\n', ':']);
            let takes_it = tool.is_some_and(|tool| {
                tool.effect == Effect::Reads
                    && tool
                        .only_param()
                        .is_some_and(|param| param.kind == Kind::String)
            });
            if !(is_plain && takes_it) {
                return Err(why);
            }
            // Nothing says that the word is whole.
            return Ok(delivered(Args::Value(text.into()), &[], true));
        }
    };
    for kind in read.notes {
        value::note(&mut kinds, kind);
    }
    Ok(delivered(Args::Value(read.value), &kinds, read.open_end))
}

fn tolerant(
    text: &str,
    keys: &[&str],
    kinds: &mut Vec<RepairKind>,
    work: &Work,
) -> Result<Read, Broken> {
    let mut text = text;
    if let Some(inner) = unfenced(text) {
        kinds.push(RepairKind::StripFence);
        text = inner;
    }
    let start = text.trim_start().to_owned();
    // The whole was escaped once more, or written for HTML.
    let inside = start.trim_start_matches(['{', '[', ' ', '\n']);
    if start.starts_with(['{', '[']) && inside.starts_with("\\\"") {
        kinds.push(RepairKind::OverEscaped);
        return first(&unescape(&start), keys, kinds, work);
    }
    if start.starts_with('{') && inside.starts_with("&quot;") {
        kinds.push(RepairKind::HtmlEntities);
        return first(&without_entities(&start), keys, kinds, work);
    }
    if start.starts_with('"') && value::key_length(&start[1..], '"', keys).is_some() {
        let read = value::read_members(&start, 0, keys, work)?;
        return rest(&start, read, keys, kinds, work);
    }
    if !start.starts_with(['{', '[', '"'])
        && let Some(at) = start.find('{')
        && start[..at]
            .chars()
            .all(|c| c.is_alphanumeric() || c.is_whitespace() || ":=_-.,'".contains(c))
        && !start[..at].contains("{")
    {
        kinds.push(RepairKind::StripPrefix);
        return first(&start[at..], keys, kinds, work);
    }
    first(&start, keys, kinds, work)
}

fn first(
    text: &str,
    keys: &[&str],
    kinds: &mut Vec<RepairKind>,
    work: &Work,
) -> Result<Read, Broken> {
    let read = value::read(text, 0, keys, work)?;
    rest(text, read, keys, kinds, work)
}

/// Judges what follows the first value: nothing, brackets, the same again, or prose. Another object
/// is another call, and which one is meant is not known.
fn rest(
    text: &str,
    read: Read,
    keys: &[&str],
    kinds: &mut Vec<RepairKind>,
    work: &Work,
) -> Result<Read, Broken> {
    let after = text.get(read.end..).unwrap_or_default().trim_start();
    let stripped = after.trim_start_matches(['}', ']', ' ', '\n', ';', ',', '`']);
    if stripped.len() < after.len() {
        kinds.push(RepairKind::ExtraBracket);
    }
    if stripped.is_empty() {
        return Ok(read);
    }
    if stripped.starts_with('{') {
        let is_other = match value::read(stripped, 0, keys, work) {
            Ok(second) => second.value != read.value,
            // A beginning of the same, which was cut.
            Err(_) => !text.trim_start().starts_with(stripped.trim_end()),
        };
        if is_other {
            return Err(Broken::Syntax {
                at: text.len() - stripped.len(),
                expected: "one object, not two,",
            });
        }
    }
    kinds.push(RepairKind::FirstValue);
    Ok(read)
}

/// The content of a code fence at the start of a text.
pub(super) fn unfenced(text: &str) -> Option<&str> {
    let inner = text.trim_start_matches('`');
    if text.len() - inner.len() < 3 {
        return None;
    }
    let inner = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    Some(inner.trim().trim_end_matches('`').trim())
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
