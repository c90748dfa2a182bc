//! Parses tool calls written as tags. This is not an XML parser: the content between two tags is
//! literal text, including `<`, `&` and `=`.
//!
//! `<function=name><parameter=key>value</parameter></function>`, `<invoke name="name">…`,
//! `<name><key>value</key></name>`, `<arg_key>key</arg_key><arg_value>value</arg_value>`.

use std::ops::Range;

use serde_json::{Map, Value};

use super::body::skip;
use super::budget::Budget;
use super::param_aliases::is_verbatim;
use super::python::begins_name;
use super::schema::{Kind, Tool};

/// Maximum length of a tag, in bytes.
const MAX_TAG_LEN: usize = 400;

/// An opening or closing tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    /// The name, without any prefix that ends with `:`, `｜` or `|`.
    pub(super) name: &'a str,
    /// The value in `<name=value>`, or that of a `name="…"` attribute.
    pub(super) value: Option<&'a str>,
    /// The text between the name and the end of the tag.
    pub(super) attributes: &'a str,
    pub(super) closes: bool,
    pub(super) is_empty: bool,
    /// The offset of the byte after the tag.
    pub(super) end: usize,
}

/// The tag that starts at `at`.
pub(super) fn tag_at(text: &str, at: usize) -> Option<Tag<'_>> {
    let rest = text.get(at..)?.strip_prefix('<')?;
    let closes = rest.starts_with('/');
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let window = rest
        .bytes()
        .take(MAX_TAG_LEN)
        .position(|byte| matches!(byte, b'>' | b'\n' | b'<'))?;
    let inner = rest
        .get(..window)
        .filter(|_| rest.as_bytes()[window] == b'>')?;
    let end = at + (text[at..].len() - rest.len()) + window + 1;
    let (inner, is_empty) = match inner.strip_suffix('/') {
        Some(inner) if !closes => (inner, true),
        _ => (inner, false),
    };
    // Tokens such as `<|tool_call>` and `<｜DSML｜invoke name="a">` are tags with a prefix.
    let prefix = inner
        .find([' ', '=', '"'])
        .map_or(inner, |end| &inner[..end])
        .rfind([':', '｜', '|'])
        .map_or(0, |colon| {
            colon + inner[colon..].chars().next().map_or(1, char::len_utf8)
        });
    let inner = &inner[prefix..];
    let length = inner
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
        .unwrap_or(inner.len());
    let name = &inner[..length];
    let attributes = inner[length..].trim();
    if !begins_name(name) {
        return None;
    }
    let value = match attributes.strip_prefix('=') {
        Some(value) => Some(value.trim().trim_matches(['"', '\''])),
        None => attribute(attributes, "name").or_else(|| attribute(attributes, "tool_name")),
    };
    Some(Tag {
        name,
        value,
        attributes,
        closes,
        is_empty,
        end,
    })
}

/// The tag at `at` or after whitespace there.
pub(super) fn next_tag(text: &str, at: usize) -> Option<Tag<'_>> {
    tag_at(text, skip(text, at))
}

/// Whether a special token starts here.
fn token_begins(rest: &str) -> bool {
    rest.starts_with("<|") || rest.starts_with("<｜")
}

/// Whether a closing tag or a special token starts here.
pub(super) fn closes_here(rest: &str) -> bool {
    rest.starts_with("</") || token_begins(rest)
}

/// The value of one attribute.
fn attribute<'a>(attributes: &'a str, name: &str) -> Option<&'a str> {
    pairs(attributes)
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

/// The `key="value"` pairs of a tag.
fn pairs(attributes: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = attributes;
    std::iter::from_fn(move || {
        let (key, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after[1..].split_once(quote)?;
        rest = after;
        Some((key.trim(), value))
    })
}

/// The values that were read from tags.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) map: Map<String, Value>,
    /// The offset of the byte after the last field.
    pub(super) end: usize,
    /// The offset of the byte after the container's closing tag, if there is one.
    pub(super) closed: Option<usize>,
    /// Whether a value has no closing tag.
    pub(super) unended: bool,
    /// Whether a value extends to the end of the text.
    pub(super) cut: bool,
}

/// Reads fields from `from` up to the closing tag of `container`.
pub(super) fn fields(
    text: &str,
    from: usize,
    container: &str,
    tool: Option<&Tool>,
    budget: &Budget,
) -> Fields {
    let mut out = Fields {
        end: from,
        ..Fields::default()
    };
    loop {
        let at = skip(text, out.end);
        if !budget.spend(at - out.end + 8) {
            out.cut = true;
            return out;
        }
        let Some(tag) = tag_at(text, at) else {
            return out;
        };
        if tag.closes {
            if tag.name.eq_ignore_ascii_case(container) {
                out.end = at;
                out.closed = Some(tag.end);
            }
            return out;
        }
        let Some((key, value_at, close)) = field(text, &tag) else {
            return out;
        };
        let Some(ended) = value_end(text, value_at, close, container, tool, &out.map, budget)
        else {
            out.cut = true;
            out.end = text.len();
            return out;
        };
        out.unended |= ended.is_empty();
        let value = trimmed(&text[value_at..ended.start], &key, tool);
        out.map.insert(key, value.into());
        out.end = ended.end;
    }
}

/// The key of a field, where its value starts, and the tag that closes it.
fn field<'a>(text: &'a str, tag: &Tag<'a>) -> Option<(String, usize, &'a str)> {
    match (tag.name, tag.value) {
        ("parameter" | "param" | "arg" | "argument" | "field", Some(key)) => {
            (!tag.is_empty).then(|| (key.to_owned(), tag.end, tag.name))
        }
        ("arg_key", _) => {
            let rest = text.get(tag.end..)?;
            let end = rest
                .bytes()
                .take(MAX_TAG_LEN)
                .position(|byte| byte == b'<')?;
            let key = rest[..end].trim().to_owned();
            let close = tag_at(text, tag.end + end).filter(|tag| tag.closes)?;
            let value =
                next_tag(text, close.end).filter(|tag| tag.name == "arg_value" && !tag.closes)?;
            Some((key, value.end, "arg_value"))
        }
        ("function" | "invoke" | "tool_call", _) => None,
        (name, None) => (!tag.is_empty).then(|| (name.to_owned(), tag.end, name)),
        _ => None,
    }
}

/// The range of the tag that ends a value: its closing tag, if what follows can follow a value;
/// otherwise an empty range before the next field or the end of the container.
fn value_end(
    text: &str,
    from: usize,
    close: &str,
    container: &str,
    tool: Option<&Tool>,
    seen: &Map<String, Value>,
    budget: &Budget,
) -> Option<Range<usize>> {
    let is_param = |key: &str| tool.is_some_and(|tool| tool.param(key).is_some());
    let mut at = from;
    let mut first = None;
    let mut container_end = None;
    while let Some(found) = text.get(at..)?.find('<') {
        if !budget.spend(found + 1) {
            return None;
        }
        let here = at + found;
        at = here + 1;
        let Some(tag) = tag_at(text, here) else {
            continue;
        };
        let ends = |name: &str| tag.closes && tag.name.eq_ignore_ascii_case(name);
        if ends(close) {
            let rest = text[tag.end..].trim_start();
            budget.spend(text[tag.end..].len() - rest.len());
            let can_follow = |next: Tag<'_>| match next.closes {
                true => next.name.eq_ignore_ascii_case(container),
                false => is_field(&next, tool, seen),
            };
            let is_end = rest.is_empty() || token_begins(rest);
            if is_end || tag_at(rest, 0).is_some_and(can_follow) {
                return Some(here..tag.end);
            }
            first.get_or_insert(here..tag.end);
        } else if first.is_none() && container_end.is_none() {
            let is_next = |key: &str| is_param(key) && !seen.contains_key(key);
            let names_field = !tag.closes && matches!(tag.name, "parameter" | "arg_key");
            // The next field starts here, so this one was not closed.
            if names_field && tag.value.is_some_and(is_next) {
                return Some(here..here);
            }
            container_end = ends(container).then_some(here..here);
        }
    }
    budget.spend(text.len().saturating_sub(at));
    first.or(container_end)
}

fn is_field(tag: &Tag<'_>, tool: Option<&Tool>, seen: &Map<String, Value>) -> bool {
    let key = match tag.name {
        "parameter" | "param" | "arg" | "argument" | "field" => tag.value,
        "arg_key" => return true,
        name => Some(name),
    };
    key.is_some_and(|key| {
        !seen.contains_key(key)
            && tool.is_none_or(|tool| tool.param(key).is_some() || tag.value.is_some())
    })
}

/// The value without the newlines that only separate it from its tags, or without any surrounding
/// whitespace if the parameter isn't file content.
///
/// Models put such a newline on both sides or on neither. A newline only at the end is part of the
/// text; removing it would lose a file's final newline.
fn trimmed<'a>(raw: &'a str, key: &str, tool: Option<&Tool>) -> &'a str {
    let param = tool.and_then(|tool| tool.param(key));
    if !is_verbatim(key) || param.is_some_and(|param| param.kind != Kind::String) {
        return raw.trim();
    }
    let opened = raw.strip_prefix("\r\n").or(raw.strip_prefix('\n'));
    opened.map_or(raw, |inner| {
        let closed = inner.strip_suffix("\r\n").or(inner.strip_suffix('\n'));
        closed.unwrap_or(inner)
    })
}

/// The attributes of a tag as fields, as in `<read_file path="a"/>`.
pub(super) fn attributes(tag: &Tag<'_>) -> Map<String, Value> {
    let fields = pairs(tag.attributes);
    fields
        .map(|(key, value)| (key.to_owned(), value.into()))
        .collect()
}
